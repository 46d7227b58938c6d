import numpy as np
import pytest
from scipy import ndimage

from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.gradient import gradient
from tests.kernels.stages.peers import BORDERS, CV, SIZES, beyond, derived, picture, square

OPENCV = {"central": 1, "sobel": 3, "sobel5": 5, "scharr": cv2.FILTER_SCHARR}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("operator", OPENCV)
def test_derivatives_of_bytes_equal_opencv_to_the_bit(size, border, operator):
    image = picture(size)
    got = evaluate(gradient, image, operator=operator, border=border)
    for name, (dx, dy) in {"x": (1, 0), "y": (0, 1)}.items():
        want = beyond(image, border, 3, lambda i: cv2.Sobel(i, cv2.CV_16S, dx, dy, ksize=OPENCV[operator]))  # noqa: B023
        np.testing.assert_array_equal(got[name], want)
        assert got[name].dtype == np.int32
        if border != "wrap":
            direct = cv2.Sobel(image, cv2.CV_32F, dx, dy, ksize=OPENCV[operator], borderType=CV[border])
            np.testing.assert_array_equal(got[name], direct.reshape(size))


@pytest.mark.parametrize("operator", OPENCV)
@pytest.mark.parametrize("value", [0.0, 40.0])
def test_a_constant_outside(operator, value):
    image = picture((4, 5))
    got = evaluate(gradient, image, operator=operator, border="constant", border_value=value)
    want = beyond(image, "constant", 3, lambda i: cv2.Sobel(i, cv2.CV_16S, 0, 1, ksize=OPENCV[operator]), value)
    np.testing.assert_array_equal(got["y"], want)


@pytest.mark.parametrize("dtype", [np.uint16, np.int16, np.int32])
def test_deep_pixels_are_exact(dtype):
    image = picture((7, 9), dtype)
    got = evaluate(gradient, image)
    kernel = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    np.testing.assert_array_equal(got["x"], ndimage.correlate(image.astype(np.int64), kernel, mode="mirror"))
    np.testing.assert_array_equal(got["y"], ndimage.correlate(image.astype(np.int64), kernel.T, mode="mirror"))


@pytest.mark.parametrize("operator", OPENCV)
def test_floats_equal_opencv(operator):
    image = picture((12, 17), np.float32)
    got = evaluate(gradient, image, operator=operator)
    want = cv2.Sobel(image, cv2.CV_32F, 1, 0, ksize=OPENCV[operator])
    np.testing.assert_allclose(got["x"], want, rtol=0, atol=1e-6 * np.abs(want).max() + 1e-5)
    assert got["x"].dtype == got["l1"].dtype == np.float32


def test_length_and_direction():
    image = picture((12, 17))
    got = evaluate(gradient, image)
    x, y = got["x"].astype(float), got["y"].astype(float)
    np.testing.assert_allclose(got["magnitude"], np.hypot(x, y), rtol=2e-7)
    np.testing.assert_array_equal(got["l1"], np.abs(x) + np.abs(y))
    np.testing.assert_allclose(got["orientation"], np.arctan2(y, x), rtol=0, atol=1e-6)
    assert got["magnitude"].dtype == got["orientation"].dtype == np.float32


@pytest.mark.parametrize("operator", OPENCV)
def test_normalized_it_measures_the_slope(operator):
    y, x = np.mgrid[:9, :10]
    plane = (3.0 * x - 2.0 * y).astype(np.float32)
    got = evaluate(gradient, plane, operator=operator, normalize=True)
    inside = np.s_[2:-2, 2:-2]
    np.testing.assert_allclose(got["x"][inside], 3.0, rtol=1e-6)
    np.testing.assert_allclose(got["y"][inside], -2.0, rtol=1e-6)
    np.testing.assert_allclose(got["magnitude"][inside], 13**0.5, rtol=1e-6)


def test_properties():
    assert derived(gradient)[:2] == ("local", square(1))
    assert derived(gradient, operator="sobel5")[1] == square(2)
    assert derived(gradient)[2] is False  # for the magnitude
