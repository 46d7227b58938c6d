import numpy as np
import pytest
from scipy import ndimage

from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.laplacian import laplacian
from tests.kernels.stages.peers import BORDERS, SCIPY, SIZES, beyond, derived, picture, square


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize(("stencil", "ksize"), [("cross", 1), ("diagonal", 3)])
def test_equals_opencv_to_the_bit(size, border, stencil, ksize):
    image = picture(size)
    got = evaluate(laplacian, image, stencil=stencil, border=border)
    np.testing.assert_array_equal(got, beyond(image, border, 2, lambda i: cv2.Laplacian(i, cv2.CV_16S, ksize=ksize)))
    assert got.dtype == np.int32


def test_the_deepest_pixels_do_not_wrap():
    image = np.array([[-(2**31), 2**31 - 1, -(2**31)]], np.int32)
    assert evaluate(laplacian, image).tolist() == [[2**33 - 2, 2 - 2**33, 2**33 - 2]]


@pytest.mark.parametrize("border", BORDERS)
def test_floats_equal_scipy(border):
    image = picture((9, 11), np.float32)
    got = evaluate(laplacian, image, border=border)
    want = ndimage.laplace(image.astype(float), mode=SCIPY[border])
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-4)  # sums of values up to 400
    assert got.dtype == np.float32


def test_properties():
    assert derived(laplacian) == ("local", square(1), True)
    assert derived(laplacian, np.float32, stencil="diagonal") == ("local", square(1), True)
