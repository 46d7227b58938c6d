import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.ir.reach import Reach
from kernels.opencv import cv2
from kernels.stages.convert import convert
from tests.kernels.stages.peers import derived, picture

RANGES = {"u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "i32": "i4"}


@pytest.mark.parametrize("dtype", RANGES)
@pytest.mark.parametrize("given", [np.uint8, np.uint16, np.int16, np.int32, np.float32])
def test_whole_numbers_round_half_to_even_and_saturate(dtype, given):
    image = picture((12, 17), given)
    if given == np.float32:
        image[0, :7] = -0.5, 0.5, 1.5, 254.5, 255.5, 70000.0, -3e38
    limits = np.iinfo(RANGES[dtype])
    got = evaluate(convert, image, dtype=dtype)
    np.testing.assert_array_equal(got, np.clip(np.rint(image.astype(np.float64)), limits.min, limits.max))
    assert got.dtype == RANGES[dtype]


def test_bytes_equal_opencvs_saturating_conversion():
    image = picture((12, 17), np.float32) * 2
    np.testing.assert_array_equal(evaluate(convert, abs(image), dtype="u8"), cv2.convertScaleAbs(image))


def test_floats_take_the_nearest_value():
    image = picture((12, 17), np.int32)
    np.testing.assert_array_equal(evaluate(convert, image), image.astype(np.float32))


def test_what_is_no_number_and_what_is_a_mask():
    image = np.array([[np.nan, np.inf, -np.inf, 0.0, -0.2]], np.float32)
    assert evaluate(convert, image, dtype="u16").tolist() == [[0, 65535, 0, 0, 0]]
    assert evaluate(convert, image, dtype="bool").tolist() == [[True, True, True, False, True]]
    assert evaluate(convert, np.array([[True, False]]), dtype="u8").tolist() == [[1, 0]]


def test_properties():
    assert derived(convert, np.uint8, dtype="f32") == ("point", Reach(), True)
    assert derived(convert, np.uint8, dtype="i32")[2] is True
    assert derived(convert, np.int16, dtype="u16")[2] is False
    assert derived(convert, np.float32, dtype="u8")[2] is False
