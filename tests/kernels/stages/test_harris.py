import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.harris import harris
from kernels.stages.shi_tomasi import shi_tomasi
from tests.kernels.stages.peers import CV, SIZES, derived, picture, square


@pytest.fixture(autouse=True)
def _no_ipp():
    # With IPP, OpenCV moves windows of even size by one pixel under two of its border rules.
    used = cv2.ipp.useIPP()
    cv2.ipp.setUseIPP(False)
    yield
    cv2.ipp.setUseIPP(used)


def smooth(size, dtype):
    """An image with corners: noise, blurred a little."""
    return cv2.blur(picture(size, dtype), (2, 2)).reshape(size)


def agree(got, want):
    """Within 2e-5 of the largest answer: f32 products of sums, in another order."""
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, want, rtol=0, atol=2e-5 * np.abs(want).max() + 1e-12)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", ["reflect101", "replicate", "constant"])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize(("block", "aperture"), [(3, 3), (2, 3), (5, 5), (4, 7)])
def test_equals_opencv(size, border, dtype, block, aperture):
    image = smooth(size, dtype)
    want = cv2.cornerHarris(image, block, aperture, 0.05, borderType=CV[border])
    agree(evaluate(harris, image, block=block, aperture=aperture, k=0.05, border=border), want)
    want = cv2.cornerMinEigenVal(image, block, ksize=aperture, borderType=CV[border])
    agree(evaluate(shi_tomasi, image, block=block, aperture=aperture, border=border), want)


@pytest.mark.parametrize("border", ["reflect101", "replicate", "constant"])
@pytest.mark.parametrize("block", [2, 3, 4, 6])
@pytest.mark.parametrize("aperture", [3, 5, 7])
def test_even_windows_lie_a_pixel_aside_where_ipp_takes_over_and_nowhere_else(border, block, aperture):
    image = smooth((24, 31), np.uint8)
    cv2.ipp.setUseIPP(True)
    if not cv2.ipp.useIPP():
        pytest.skip("this OpenCV is built without IPP")
    got = evaluate(harris, image, block=block, aperture=aperture, border=border)
    want = cv2.cornerHarris(image, block, aperture, 0.04, borderType=CV[border])
    if block % 2 == 0 and border != "reflect101" and aperture < 7:
        got, want = got[1:, 1:], want[:-1, :-1]
    agree(got, want)
    got = evaluate(shi_tomasi, image, block=block, aperture=aperture, border=border)
    agree(got, cv2.cornerMinEigenVal(image, block, ksize=aperture, borderType=CV[border]))


def test_wrap_is_a_torus():
    image = picture((12, 17))
    tiled = np.tile(image, (3, 3))
    for stage in (harris, shi_tomasi):
        got = evaluate(stage, image, border="wrap")
        np.testing.assert_array_equal(got, evaluate(stage, tiled)[12:24, 17:34])


def test_bytes_are_exact_up_to_the_last_products():
    image = picture((12, 17))
    ix, iy = (cv2.Sobel(image, cv2.CV_64F, *d) for d in ((1, 0), (0, 1)))
    sums = (cv2.boxFilter(p, -1, (3, 3), normalize=False) for p in (ix * ix, ix * iy, iy * iy))
    xx, xy, yy = (s / (4 * 3 * 255.0) ** 2 for s in sums)
    want = xx * yy - xy * xy - 0.04 * (xx + yy) ** 2
    np.testing.assert_allclose(evaluate(harris, image), want, rtol=0, atol=4e-7 * np.abs(xx * yy).max())


def test_full_scale_does_not_matter():
    image = picture((12, 17))
    deep = image.astype(np.uint16) * 257
    np.testing.assert_allclose(evaluate(harris, deep), evaluate(harris, image), rtol=1e-4, atol=1e-7)
    twelve = evaluate(shi_tomasi, (image.astype(np.uint16) * 16), bits=12)
    np.testing.assert_allclose(twelve, evaluate(shi_tomasi, image) * (255 * 16 / 4095) ** 2, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("block", [3, 43, 63])
def test_sums_over_large_windows_do_not_wrap(block):
    stripes = np.tile(np.array([-128, -128, 127, 127], np.int8), (8, 2))
    got = evaluate(harris, stripes, block=block, k=0.25, border="wrap")
    as_floats = evaluate(harris, stripes.astype(np.float32) / 127, block=block, k=0.25, border="wrap")
    np.testing.assert_allclose(got, as_floats, rtol=1e-5)


def test_the_smaller_eigenvalue():
    x = np.mgrid[:20, :20][1]
    edge = (x > 9).astype(np.float32)
    assert np.abs(evaluate(shi_tomasi, edge)).max() == 0.0
    assert evaluate(harris, edge).min() < -0.001


def test_what_is_refused():
    with pytest.raises(DefinitionError, match="harris: aperture = 4 must be 3, 5 or 7"):
        evaluate(harris, picture((4, 4)), aperture=4)
    with pytest.raises(DefinitionError, match="shi_tomasi: it takes one channel but gets 3"):
        evaluate(shi_tomasi, np.zeros((4, 4, 3), np.uint8))


def test_properties():
    for stage in (harris, shi_tomasi):
        assert derived(stage, block=3, aperture=5) == ("local", square(3), False)
