"""Scalar types and image types, and the rules by which they mix.

Rules (tests/kernels/test_image.py holds them as tables):

* **Promotion.** In arithmetic, bool, u8, i8, u16 and i16 become i32, as in C. i32 with i32 stays i32 and wraps
  modulo 2**32. Anything with f32 is f32 (integers convert to the nearest f32, ties to even). i64 and f64 exist
  only where they are asked for by a conversion; they promote upwards in the order i32 < i64 < f32 < f64.
* **Selection** (min, max, select) keeps the type when both sides have it, else promotes as above; so a median of
  bytes stays in bytes.
* **Division** `/` is f32 (f64 with f64); `//` and `%` are floor division, for integers.
* **Conversion** to an integer rounds half to even, then saturates at the type's range; NaN becomes 0. Integer to a
  narrower integer saturates. Anything to bool is `!= 0`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernels.errors import ExprError


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """A scalar type: its short name, its kind ("b" bool, "u", "i" integer, "f" float) and its bits; there is one of
    each."""

    name: str
    kind: str
    bits: int

    @property
    def numpy(self) -> np.dtype[np.generic]:
        """The NumPy type with the same values."""
        return _OWN[self.name]

    @property
    def is_float(self) -> bool:
        return self.kind == "f"

    @property
    def itemsize(self) -> int:
        """Bytes of one value in memory (bool takes one)."""
        return max(1, self.bits // 8)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self.name,)


def _named(name: str) -> DType:
    return DTYPES[name]


BOOL = DType("bool", "b", 1)
U8 = DType("u8", "u", 8)
I8 = DType("i8", "i", 8)
U16 = DType("u16", "u", 16)
I16 = DType("i16", "i", 16)
I32 = DType("i32", "i", 32)
I64 = DType("i64", "i", 64)
F32 = DType("f32", "f", 32)
F64 = DType("f64", "f", 64)
DTYPES = {t.name: t for t in (BOOL, U8, I8, U16, I16, I32, I64, F32, F64)}
_NUMPY = {
    "bool": "bool", "u8": "uint8", "i8": "int8", "u16": "uint16", "i16": "int16",
    "i32": "int32", "i64": "int64", "f32": "float32", "f64": "float64",
}  # fmt: skip
_OWN = {name: np.dtype(long) for name, long in _NUMPY.items()}
_OF = {dtype: DTYPES[name] for name, dtype in _OWN.items()}
_RANK = {I32: 0, I64: 1, F32: 2, F64: 3}


def dtype_of(numpy_dtype: np.dtype[np.generic] | type) -> DType:
    """The DType of a NumPy type.

    Raises:
        ExprError: fusetrack has no such type (complex, uint32, strings ...).
    """
    dtype = np.dtype(numpy_dtype)
    found = _OF.get(dtype.newbyteorder("="))
    if found is None:
        raise ExprError(f"pixels of type {dtype.name} are not supported; use one of {', '.join(_NUMPY.values())}")
    return found


def arithmetic_type(a: DType, b: DType) -> DType:
    """The type of a + b, a - b, a * b."""
    a, b = (I32 if t.bits < 32 else t for t in (a, b))
    return a if _RANK[a] >= _RANK[b] else b


def common_type(a: DType, b: DType) -> DType:
    """The type of min(a, b), max(a, b), select(c, a, b)."""
    return a if a == b else arithmetic_type(a, b)


@dataclass(frozen=True, slots=True)
class ImageType:
    """The type of an image: scalar type, size in pixels, channels.

    `white` is the largest value that an integer image is meant to hold (4095 for 12 bits in 16), 1.0 for
    floats; it scales nothing by itself but lets `normalize` and the displays know what "full scale" is.
    """

    dtype: DType
    height: int
    width: int
    channels: int = 1
    bits: int = 0

    def __post_init__(self) -> None:
        if self.height < 1 or self.width < 1 or self.channels < 1:
            raise ExprError(f"an image needs at least one pixel and one channel, not {self.shape}")
        if self.bits < 0 or (self.dtype.kind in "ui" and self.bits > self.dtype.bits):
            raise ExprError(f"{self.dtype} has no {self.bits} significant bits")

    @property
    def shape(self) -> tuple[int, ...]:
        """NumPy shape: (height, width), or (height, width, channels) if there are several."""
        plane = (self.height, self.width)
        return plane if self.channels == 1 else (*plane, self.channels)

    @property
    def white(self) -> float:
        """The value of full scale: 2**bits - 1 for integers, 1 for floats and bool."""
        if self.dtype.is_float or self.dtype == BOOL:
            return 1.0
        return float(2 ** (self.bits or self.dtype.bits - (self.dtype.kind == "i")) - 1)

    @property
    def nbytes(self) -> int:
        return self.height * self.width * self.channels * self.dtype.itemsize

    def with_(self, **changes: object) -> ImageType:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def __str__(self) -> str:
        channels = f"x{self.channels}" if self.channels > 1 else ""
        return f"{self.width}x{self.height}{channels} {self.dtype}"
