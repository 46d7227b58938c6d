import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.reach import Reach
from kernels.opencv import cv2
from kernels.stages.pyramid_down import pyramid_down
from tests.kernels.stages.peers import CV, SIZES, derived, extended, picture


def down(image, border="reflect101"):
    size = tuple((n + 1) // 2 for n in image.shape)
    return cv2.pyrDown(image, borderType=CV[border]).reshape(size)


@pytest.mark.parametrize("size", [*SIZES, (9, 8), (33, 40)])
@pytest.mark.parametrize("border", ["reflect101", "replicate", "wrap"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16])
def test_whole_numbers_equal_opencv_to_the_bit(size, border, dtype):
    image = picture(size, dtype)
    got = evaluate(pyramid_down, image, border=border)
    np.testing.assert_array_equal(got, down(image, border))
    assert got.dtype == dtype


@pytest.mark.parametrize("size", SIZES)
def test_floats_equal_opencv(size):
    image = picture(size, np.float32)
    np.testing.assert_allclose(evaluate(pyramid_down, image), down(image), rtol=0, atol=2e-5)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_a_constant_outside(dtype):
    image = picture((7, 10), dtype)
    got = evaluate(pyramid_down, image, border="constant", border_value=50.0)
    want = cv2.pyrDown(extended(image, "constant", 4, 50.0))[2:-2, 2:-2]
    np.testing.assert_allclose(got, want, rtol=0, atol=0 if dtype == np.uint8 else 2e-5)


def test_levels_are_halvings_one_after_the_other():
    image = picture((33, 50))
    np.testing.assert_array_equal(evaluate(pyramid_down, image, levels=3), down(down(down(image))))


def test_a_mask_is_refused():
    with pytest.raises(DefinitionError, match="it takes whole numbers of 8 or 16 bits, or floats, not bool"):
        evaluate(pyramid_down, np.ones((3, 3), bool))


def test_properties():
    assert derived(pyramid_down) == ("resampling", Reach(-2, 2, -2, 2), False)
    assert derived(pyramid_down, np.float32) == ("resampling", Reach(-2, 2, -2, 2), True)
    assert derived(pyramid_down, np.float32, levels=2)[1] == Reach(-6, 6, -6, 6)
