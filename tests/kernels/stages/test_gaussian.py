import numpy as np
import pytest
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.filters import gaussian_weights
from kernels.opencv import cv2
from kernels.stages.gaussian import gaussian
from tests.kernels.stages.peers import BORDERS, SCIPY, SIZES, beyond, derived, picture, square

TOLERANCE = 3e-5  # values up to 100, f32 sums in another order


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
def test_equals_opencv_on_floats(size, border):
    image = picture(size, np.float32)
    got = evaluate(gaussian, image, sigma=1.3, size=7, border=border)
    want = beyond(image, border, 3, lambda i: cv2.GaussianBlur(i, (7, 7), 1.3))
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE)
    assert got.dtype == np.float32


@pytest.mark.parametrize("border", BORDERS)
def test_equals_scipy_truncated_at_four_sigma(border):
    image = picture((12, 17), np.float32)
    got = evaluate(gaussian, image, sigma=2.0, border=border)
    want = ndimage.gaussian_filter(image.astype(np.float64), 2.0, mode=SCIPY[border], truncate=4.0)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE)


def test_a_constant_outside_is_smoothed_like_a_pixel():
    image = picture((5, 6), np.uint8)
    got = evaluate(gaussian, image, sigma=1.0, size=5, border="constant", border_value=300.0)  # saturates at 255
    want = beyond(image.astype(np.float32), "constant", 2, lambda i: cv2.GaussianBlur(i, (5, 5), 1.0), 255.0)
    np.testing.assert_allclose(got, want, rtol=0, atol=3 * TOLERANCE)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.uint16, np.int16, np.float64])
def test_whole_numbers_are_taken_as_floats(dtype):
    image = picture((9, 8), dtype)
    np.testing.assert_array_equal(evaluate(gaussian, image), evaluate(gaussian, image.astype(np.float32)))


def test_channels_are_smoothed_one_by_one():
    image = np.stack([picture((6, 7), seed=s) for s in range(3)], axis=-1)
    got = evaluate(gaussian, image, sigma=0.8)
    for c in range(3):
        np.testing.assert_array_equal(got[:, :, c], evaluate(gaussian, image[:, :, c], sigma=0.8))


def test_weights_sum_to_one_and_leave_little_outside():
    weights = gaussian_weights(1.7)
    assert len(weights) == 15
    assert sum(weights) == pytest.approx(1.0, abs=1e-15)
    assert weights == pytest.approx(cv2.getGaussianKernel(15, 1.7).ravel(), abs=1e-9)


def test_an_even_size_is_refused():
    with pytest.raises(DefinitionError, match="size = 4 must be odd"):
        evaluate(gaussian, picture((4, 4)), size=4)


def test_properties():
    assert derived(gaussian, sigma=1.0) == ("local", square(4), True)
    assert derived(gaussian, sigma=1.0, size=3, border="constant", border_value=1.0) == ("local", square(1), False)
