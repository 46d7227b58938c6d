"""The stages that map one gray value to another: gain, gamma, lut, normalize, invert, threshold."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.image import U8, U16, ImageType
from kernels.ir.reach import kind
from kernels.opencv import cv2
from kernels.stages.gain import gain
from kernels.stages.gamma import gamma
from kernels.stages.invert import invert
from kernels.stages.lut import lut
from kernels.stages.normalize import normalize
from kernels.stages.threshold import threshold

SIZES = [(1, 1), (1, 9), (9, 1), (2, 2), (5, 4), (17, 23)]

RNG = np.random.default_rng(5)
ALL = {"u8": np.arange(256, dtype=np.uint8).reshape(16, 16), "u16": np.arange(65536, dtype=np.uint16).reshape(256, 256)}


def pictures(size):
    return [
        RNG.integers(0, 256, size).astype(np.uint8),
        RNG.integers(0, 65536, size).astype(np.uint16),
        RNG.normal(0, 2, size).astype(np.float32),
        RNG.integers(0, 256, (*size, 3)).astype(np.uint8),
    ]


@pytest.mark.parametrize("size", SIZES)
def test_gain_is_two_roundings(size):
    for frame in pictures(size):
        out = evaluate(gain, frame, gain=1.7, offset=-3.3)
        np.testing.assert_array_equal(out, frame.astype(np.float32) * np.float32(1.7) + np.float32(-3.3))
        assert out.dtype == np.float32


@pytest.mark.parametrize("exponent", [0.45, 1.0, 2.2])
@pytest.mark.parametrize("name", ALL)
def test_gamma_of_every_whole_number(exponent, name):
    frame = ALL[name]
    top = np.iinfo(frame.dtype).max
    expected = np.rint(top * (frame / top) ** exponent)
    out = evaluate(gamma, frame, gamma=exponent)
    assert out.dtype == frame.dtype
    np.testing.assert_array_equal(out, expected)


def test_gamma_knows_twelve_bits():
    frame = np.array([[0, 1024, 4095, 5000]], np.uint16)
    np.testing.assert_array_equal(evaluate(gamma, frame, bits=12, gamma=0.5), [[0, 2048, 4095, 4095]])


def test_gamma_of_floats():
    frame = np.geomspace(1e-6, 1.0, 500, dtype=np.float32).reshape(20, 25)
    for exponent in (0.45, 2.0):
        expected = frame.astype(np.float64) ** exponent
        np.testing.assert_allclose(evaluate(gamma, frame, gamma=exponent), expected, rtol=1e-5)
    np.testing.assert_array_equal(evaluate(gamma, np.array([[-1, 0]], np.float32)), [[0, 0]])


def test_lut_by_values_equals_opencv():
    table = RNG.integers(0, 256, 256)
    frame = RNG.integers(0, 256, (7, 9, 3)).astype(np.uint8)
    out = evaluate(lut, frame, values=tuple(table.tolist()))
    np.testing.assert_array_equal(out, cv2.LUT(frame, table.astype(np.uint8)))


def test_lut_by_points_equals_interpolation():
    points = ((10, 5), (100, 200), (101, 0), (300, 255))
    out = evaluate(lut, ALL["u8"], points=points)
    np.testing.assert_array_equal(out, np.rint(np.interp(ALL["u8"], *zip(*points, strict=True))))
    np.testing.assert_array_equal(evaluate(lut, ALL["u8"]), ALL["u8"])


def test_lut_widens_and_saturates():
    table = tuple(range(0, 4092, 4))
    out = evaluate(lut, np.array([[0, 1022, 1023, 60000]], np.uint16), values=table, bits=12)
    np.testing.assert_array_equal(out, [[0, 4088, 4088, 4088]])
    made = lut.build([ImageType(U8, 2, 2)], {"values": (0, 4095), "bits": 12}).outputs[0].type
    assert (made.dtype, made.bits) == (U16, 12)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"values": (0, 300)}, "gray value 1 would become 300"),
        ({"points": ((5, 0), (5, 9))}, "must rise"),
        ({"points": ((5, 0), (6, 9)), "values": (1,)}, "not both"),
    ],
)
def test_lut_refuses(settings, words):
    with pytest.raises(DefinitionError, match=words):
        evaluate(lut, ALL["u8"], **settings)


@pytest.mark.parametrize("size", SIZES)
def test_normalize_divides_by_white(size):
    u8, u16, f32, color = pictures(size)
    np.testing.assert_array_equal(evaluate(normalize, u8), u8.astype(np.float32) / np.float32(255))
    np.testing.assert_array_equal(evaluate(normalize, color), color.astype(np.float32) / np.float32(255))
    np.testing.assert_array_equal(evaluate(normalize, u16, bits=10), u16.astype(np.float32) / np.float32(1023))
    np.testing.assert_array_equal(evaluate(normalize, f32), f32)
    np.testing.assert_array_equal(evaluate(normalize, u8 > 9), (u8 > 9).astype(np.float32))


@pytest.mark.parametrize("size", SIZES)
def test_invert(size):
    u8, u16, f32, color = pictures(size)
    np.testing.assert_array_equal(evaluate(invert, u8), cv2.bitwise_not(u8))
    np.testing.assert_array_equal(evaluate(invert, color), ~color)
    np.testing.assert_array_equal(evaluate(invert, u16), ~u16)
    np.testing.assert_array_equal(evaluate(invert, u16, bits=12), np.maximum(4095 - u16.astype(int), 0))
    np.testing.assert_array_equal(evaluate(invert, f32), np.float32(1) - f32)
    np.testing.assert_array_equal(evaluate(invert, u8 > 99), u8 <= 99)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("level", [0.0, 99.5, 128.0, 254.0])
def test_threshold_equals_opencv(size, level):
    for frame in pictures(size):
        for polarity, code in (("bright", cv2.THRESH_BINARY), ("dark", cv2.THRESH_BINARY_INV)):
            mask = evaluate(threshold, frame, level=level, polarity=polarity)
            assert mask.dtype == np.bool_
            expected = cv2.threshold(frame, level, 1, code)[1].reshape(frame.shape) > 0
            np.testing.assert_array_equal(mask, expected)


def test_threshold_of_nan_is_in_neither():
    frame = np.array([[np.nan]], np.float32)
    assert not evaluate(threshold, frame, level=0.0).any()
    assert not evaluate(threshold, frame, level=0.0, polarity="dark").any()


def test_all_are_point_stages():
    image = ImageType(U8, 4, 5)
    assert {kind(s.build([image])) for s in (gain, gamma, lut, normalize, invert, threshold)} == {"point"}
