import numpy as np
import pytest
from scipy import ndimage

from kernels.executors.reference import evaluate
from kernels.ir.reach import Reach
from kernels.opencv import cv2
from kernels.stages.box import box
from tests.kernels.stages.peers import BORDERS, SCIPY, SIZES, beyond, derived, extended, picture


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16])
def test_mean_of_whole_numbers_is_correctly_rounded(size, border, dtype):
    image = picture(size, dtype)
    got = evaluate(box, image, width=5, height=3, border=border)
    total = ndimage.correlate(extended(image, border, 3).astype(np.int64), np.ones((3, 5), np.int64))[3:-3, 3:-3]
    np.testing.assert_array_equal(got, (total / 15).astype(np.float32))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_rounded_it_equals_opencv(size, border, dtype):
    image = picture(size, dtype)
    got = evaluate(box, image, width=5, height=3, round=True, border=border)
    np.testing.assert_array_equal(got, beyond(image, border, 3, lambda i: cv2.blur(i, (5, 3))))
    assert got.dtype == dtype


@pytest.mark.parametrize("border", BORDERS)
def test_floats_and_even_sizes(border):
    image = picture((9, 11), np.float32)
    got = evaluate(box, image, width=4, height=2, border=border)
    np.testing.assert_allclose(got, beyond(image, border, 4, lambda i: cv2.blur(i, (4, 2))), rtol=0, atol=2e-5)
    wide = ndimage.uniform_filter(image.astype(float), (2, 4), mode=SCIPY[border])
    np.testing.assert_allclose(got, wide, rtol=0, atol=2e-5)


def test_a_flat_image_stays_exactly_flat():
    flat = np.full((9, 9), 77, np.uint8)
    assert (evaluate(box, flat, width=7, height=7) == 77).all()


def test_wide_sums_do_not_wrap():
    white = np.full((3, 4), 65535, np.uint16)
    assert (evaluate(box, white, width=401, height=101, border="replicate") == 65535).all()
    deep = np.full((2, 2), -(2**31), np.int32)
    assert (evaluate(box, deep) == -(2.0**31)).all()


def test_rounded_means_of_large_areas_are_exact():
    image = picture((40, 40), np.uint16)
    total = ndimage.correlate(image.astype(np.int64), np.ones((31, 31), np.int64), mode="nearest")
    got = evaluate(box, image, width=31, height=31, round=True, border="replicate")
    np.testing.assert_array_equal(got, (2 * total + 961) // (2 * 961))


def test_properties():
    assert derived(box, width=5, height=2) == ("local", Reach(-2, 2, -1, 0), True)
    assert derived(box, round=True)[2] is False
