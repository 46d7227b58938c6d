"""Gray against cv2.cvtColor: 0 for u8 and u16, 2e-7 of full scale for f32."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.image import ImageType, dtype_of
from kernels.opencv import cv2
from kernels.stages.gray import gray

SIZES = [(1, 1), (1, 9), (9, 1), (2, 2), (5, 4), (17, 23)]

CODES = {("rgb", 3): cv2.COLOR_RGB2GRAY, ("bgr", 3): cv2.COLOR_BGR2GRAY, ("rgb", 4): cv2.COLOR_RGBA2GRAY,
         ("bgr", 4): cv2.COLOR_BGRA2GRAY}  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize(("order", "channels"), CODES)
def test_whole_numbers_equal_opencv(size, dtype, order, channels):
    top = np.iinfo(dtype).max
    frame = np.random.default_rng(1).integers(0, top + 1, (*size, channels)).astype(dtype)
    frame[0, 0] = top
    out = evaluate(gray, frame, order=order)
    expected = np.atleast_2d(cv2.cvtColor(frame, CODES[order, channels])).reshape(size)
    assert out.dtype == dtype
    np.testing.assert_array_equal(out, expected)
    assert out[0, 0] == top


def test_every_byte_of_each_primary_equals_opencv():
    ramp = np.zeros((3, 256, 3), np.uint8)
    for c in range(3):
        ramp[c, :, c] = np.arange(256)
    np.testing.assert_array_equal(evaluate(gray, ramp), cv2.cvtColor(ramp, cv2.COLOR_RGB2GRAY))


@pytest.mark.parametrize("size", SIZES)
def test_floats_agree_with_opencv(size):
    frame = np.random.default_rng(2).random((*size, 3), np.float32)
    expected = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY).reshape(size)
    np.testing.assert_allclose(evaluate(gray, frame), expected, rtol=0, atol=2e-7)


def test_one_channel_passes_and_bits_are_kept():
    frame = np.arange(6, dtype=np.uint16).reshape(2, 3)
    np.testing.assert_array_equal(evaluate(gray, frame), frame)
    from_color = gray.build([type_of(np.zeros((2, 2, 3), np.uint16), 12)]).outputs[0].type
    assert from_color.bits == 12
    assert from_color.channels == 1


def test_two_channels_and_odd_types_are_refused():
    with pytest.raises(DefinitionError, match="three or four channels"):
        evaluate(gray, np.zeros((2, 2, 2), np.uint8))
    with pytest.raises(DefinitionError, match="i32"):
        evaluate(gray, np.zeros((2, 2, 3), np.int32))


def type_of(frame, bits):
    return ImageType(dtype_of(frame.dtype), *frame.shape[:2], frame.shape[2], bits)
