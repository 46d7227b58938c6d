import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.host.opencv import cv2
from kernels.ir.image import U8, ImageType
from kernels.ir.reach import Reach, is_linear, kind, reach
from kernels.stages.resize import resize
from tests.kernels.stages.peers import ANYWHERE, SIZES, derived, picture

NEW = [(1, 1), (12, 17), (5, 9), (7, 30), (24, 34), (13, 2)]  # (height, width)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("new", NEW)
def test_linear_equals_opencv(size, new):
    image = picture(size, np.float32)
    got = evaluate(resize, image, width=new[1], height=new[0])
    want = cv2.resize(image, new[::-1], interpolation=cv2.INTER_LINEAR).reshape(new)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-4)  # of 100; OpenCV's weights are f32 differences
    assert got.dtype == np.float32


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("new", NEW)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_nearest_equals_opencv_to_the_bit(size, new, dtype):
    image = picture(size, dtype)
    got = evaluate(resize, image, width=new[1], height=new[0], method="nearest")
    np.testing.assert_array_equal(got, cv2.resize(image, new[::-1], interpolation=cv2.INTER_NEAREST).reshape(new))
    assert got.dtype == dtype


@pytest.mark.parametrize("factors", [(1, 1), (2, 2), (3, 3), (4, 2), (1, 5)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_area_is_the_mean_of_the_block(factors, dtype):
    down, across = factors
    image = picture((3 * down, 5 * across), dtype)
    got = evaluate(resize, image, width=5, height=3, method="area")
    want = image.reshape(3, down, 5, across).mean(axis=(1, 3), dtype=np.float64)
    np.testing.assert_allclose(got, want, rtol=2e-7, atol=2e-5 if dtype == np.float32 else 0)
    peer = cv2.resize(image.astype(np.float32), (5, 3), interpolation=cv2.INTER_AREA)
    np.testing.assert_allclose(got, peer, rtol=1e-6, atol=2e-5)


def test_whole_numbers_are_interpolated_as_floats():
    image = picture((6, 7))
    got = evaluate(resize, image, width=10, height=10)
    np.testing.assert_array_equal(got, evaluate(resize, image.astype(np.float32), width=10, height=10))


def test_one_side_keeps_the_shape():
    image = picture((12, 18))
    assert evaluate(resize, image, width=6).shape == (4, 6)
    assert evaluate(resize, image, height=24).shape == (24, 36)
    assert evaluate(resize, picture((1, 30)), width=3).shape == (1, 3)
    np.testing.assert_array_equal(evaluate(resize, image), image)


def test_what_is_refused():
    with pytest.raises(DefinitionError, match="area needs a whole factor, but 17x12 is no multiple of 5x4"):
        evaluate(resize, picture((12, 17)), width=5, height=4, method="area")


def test_properties():
    assert derived(resize, width=5) == ("resampling", ANYWHERE, True)
    assert derived(resize, width=5, method="nearest") == ("resampling", ANYWHERE, True)
    body = resize.build([ImageType(U8, 12, 18)], {"width": 6, "method": "area"})
    assert (kind(body), reach(body.roots)[0], is_linear(body)) == ("resampling", Reach(0, 2, 0, 2), True)
