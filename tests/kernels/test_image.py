"""Scalar and image types, and the promotion table."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from kernels.errors import ExprError
from kernels.ir.image import (
    BOOL,
    DTYPES,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    ImageType,
    arithmetic_type,
    common_type,
    dtype_of,
)

ORDER = (BOOL, U8, I8, U16, I16, I32, I64, F32, F64)
ARITHMETIC = {  # the type of a + b; rows and columns in ORDER
    BOOL: "i32 i32 i32 i32 i32 i32 i64 f32 f64",
    U8: "i32 i32 i32 i32 i32 i32 i64 f32 f64",
    I8: "i32 i32 i32 i32 i32 i32 i64 f32 f64",
    U16: "i32 i32 i32 i32 i32 i32 i64 f32 f64",
    I16: "i32 i32 i32 i32 i32 i32 i64 f32 f64",
    I32: "i32 i32 i32 i32 i32 i32 i64 f32 f64",
    I64: "i64 i64 i64 i64 i64 i64 i64 f32 f64",
    F32: "f32 f32 f32 f32 f32 f32 f32 f32 f64",
    F64: "f64 f64 f64 f64 f64 f64 f64 f64 f64",
}


@pytest.mark.parametrize("a", ORDER)
def test_promotion_table(a):
    for b, wanted in zip(ORDER, ARITHMETIC[a].split(), strict=True):
        assert arithmetic_type(a, b).name == wanted
        assert common_type(a, b) == (a if a == b else DTYPES[wanted])


def test_types_and_numpy():
    assert [dtype_of(t.numpy) for t in ORDER] == list(ORDER)
    assert [t.itemsize for t in ORDER] == [t.numpy.itemsize for t in ORDER]
    assert dtype_of(np.dtype(">u2")) == U16
    for t in ORDER:
        assert pickle.loads(pickle.dumps(t)) is t
        assert copy.deepcopy(t) is t
    with pytest.raises(ExprError, match="pixels of type complex64 are not supported; use one of bool, uint8"):
        dtype_of(np.complex64)


def test_image_type():
    assert ImageType(U8, 3, 4).shape == (3, 4)
    assert ImageType(U8, 3, 4, 3).shape == (3, 4, 3)
    assert ImageType(U16, 3, 4, 3).nbytes == 72
    assert ImageType(U16, 3, 4).with_(width=5) == ImageType(U16, 3, 5)
    assert str(ImageType(U8, 3, 4, 3)) == "4x3x3 u8"
    assert str(ImageType(U8, 3, 4)) == "4x3 u8"


@pytest.mark.parametrize(
    ("dtype", "bits", "white"),
    [(U8, 0, 255), (U16, 0, 65535), (U16, 12, 4095), (U16, 10, 1023), (I16, 0, 32767), (F32, 0, 1), (BOOL, 0, 1)],
)
def test_white_is_full_scale(dtype, bits, white):
    assert ImageType(dtype, 1, 1, 1, bits).white == white


def test_impossible_images():
    for size in ((0, 1), (1, 0), (1, -1)):
        with pytest.raises(ExprError, match="at least one pixel"):
            ImageType(U8, *size)
    with pytest.raises(ExprError, match="at least one pixel and one channel"):
        ImageType(U8, 1, 1, 0)
    with pytest.raises(ExprError, match="u8 has no 12 significant bits"):
        ImageType(U8, 1, 1, 1, 12)
