"""Unpacking against packing by Python's own big integers; exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.image import U8, U16, ImageType
from kernels.stages.unpack import unpack


def packed(rows, bits):
    """Rows of samples as bytes: one long binary number a row, most significant bit first."""
    out = []
    for row in rows:
        number = 0
        for sample in row:
            number = number << bits | int(sample)
        length = -(-len(row) * bits // 8)
        out.append(list((number << (length * 8 - len(row) * bits)).to_bytes(length, "big")))
    return np.array(out, np.uint8)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 23), st.sampled_from([10, 12]), st.integers(0, 2**32 - 1))
def test_unpacks_what_was_packed(height, width, bits, seed):
    samples = np.random.default_rng(seed).integers(0, 2**bits, (height, width))
    samples[0, -1] = 2**bits - 1
    out = evaluate(unpack, packed(samples, bits), packing=f"msb{bits}", width=width)
    assert out.dtype == np.uint16
    np.testing.assert_array_equal(out, samples)


def test_the_formats_words():
    row = np.array([[0xAB, 0xCD, 0xEF]], np.uint8)
    np.testing.assert_array_equal(evaluate(unpack, row, packing="msb12"), [[0xABC, 0xDEF]])
    row = np.array([[0b11111111, 0b11000000, 0b00001111, 0b11111100, 0b00000001]], np.uint8)
    np.testing.assert_array_equal(evaluate(unpack, row, packing="msb10"), [[1023, 0, 1023, 1]])


def test_bits_and_size_of_the_result():
    out = unpack.build([ImageType(U8, 4, 15)], {"packing": "msb12"}).outputs[0].type
    assert (out.dtype, out.height, out.width, out.bits) == (U16, 4, 10, 12)
    out = unpack.build([ImageType(U16, 4, 15, 3, 16)], {"shift": 4}).outputs[0].type
    assert (out.dtype, out.width, out.channels, out.bits) == (U16, 15, 3, 12)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_shift(dtype):
    top = np.iinfo(dtype).max
    frame = np.random.default_rng(0).integers(0, top + 1, (3, 5, 3)).astype(dtype)
    np.testing.assert_array_equal(evaluate(unpack, frame, shift=4), frame >> 4)
    np.testing.assert_array_equal(evaluate(unpack, frame), frame)


def test_refusals():
    with pytest.raises(DefinitionError, match="holds 2 samples of 12 bits, not 3"):
        evaluate(unpack, np.zeros((1, 4), np.uint8), packing="msb12", width=3)
    with pytest.raises(DefinitionError, match="rows of bytes"):
        evaluate(unpack, np.zeros((1, 6), np.uint16), packing="msb12")
    with pytest.raises(DefinitionError, match="leaves nothing"):
        evaluate(unpack, np.zeros((1, 6), np.uint8), shift=8)
