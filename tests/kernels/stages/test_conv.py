import numpy as np
import pytest
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.reach import Reach
from kernels.opencv import cv2
from kernels.stages.conv import conv
from tests.kernels.stages.peers import BORDERS, SCIPY, SIZES, beyond, derived, picture

KERNELS = {
    "3x3": np.array([[0.1, -0.7, 2.0], [0.0, 1.0, 0.5], [-1.5, 0.25, 3.0]]),
    "1x2": np.array([[1.0, -3.0]]),
    "5x4": np.arange(20.0).reshape(5, 4) - 7,
    "zero": np.zeros((3, 3)),
}


def rows(kernel):
    return tuple(tuple(row) for row in kernel.tolist())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_equals_opencv(size, border, kernel, dtype):
    image = picture(size, dtype)
    got = evaluate(conv, image, kernel=rows(kernel), border=border)
    want = beyond(image, border, 4, lambda i: cv2.filter2D(i, cv2.CV_32F, kernel))
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-6 * 255 * np.abs(kernel).sum())
    assert got.dtype == np.float32


@pytest.mark.parametrize("border", BORDERS)
def test_equals_scipy(border):
    image = picture((12, 17), np.uint16)
    got = evaluate(conv, image, kernel=rows(KERNELS["3x3"]), border=border)
    want = ndimage.correlate(image.astype(float), KERNELS["3x3"], mode=SCIPY[border])
    np.testing.assert_allclose(got, want, rtol=0, atol=0.1)  # of 6e5


def test_whole_weights_on_bytes_are_exact():
    image = picture((12, 17))
    kernel = KERNELS["5x4"]
    want = beyond(image, "reflect101", 4, lambda i: cv2.filter2D(i, cv2.CV_64F, kernel))
    np.testing.assert_array_equal(evaluate(conv, image, kernel=rows(kernel)), want)


@pytest.mark.parametrize("kernel", [(), ((),), ((1, 2), (3,)), ((1,) * 32,), ((1,),) * 32])
def test_a_kernel_that_is_no_rectangle_is_refused(kernel):
    with pytest.raises(DefinitionError, match="conv: the kernel must be 1 to 31 rows of equal length"):
        evaluate(conv, picture((3, 3)), kernel=kernel)


def test_properties():
    assert derived(conv, kernel=((1, 1, 1, 1), (1, 1, 1, 1))) == ("local", Reach(-2, 1, -1, 0), True)
    assert derived(conv, kernel=((2,),)) == ("point", Reach(), True)
    assert derived(conv)[0] == "local"
