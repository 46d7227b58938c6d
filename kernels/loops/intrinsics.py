"""What `kernels.loops.language` are written in besides Python: each form as Python computes it, which is its
meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_F64 = np.dtype(np.float64)


def load(array: Array, start: int) -> Array:
    """Eight elements of an array as f64."""
    part = array[start : start + 8]
    return part if part.dtype is _F64 else part.astype(np.float64)  # the call alone takes longer than all the rest


def lane_count(array: Array) -> int:
    """How many numbers a vector of LANES has: 8 of f64, 16 of f32."""
    return int(array.shape[1])


def load_row(array: Array, row: int) -> Array:
    """A vector of an array of LANES, of their type."""
    return np.array(array[row])


def splat_like(array: Array, value: float) -> Array:
    """A vector of the same number throughout, as an array of LANES has them."""
    return np.full(array.shape[1], value, array.dtype)


def is_f32(array: Array) -> bool:
    """Whether LANES are f32."""
    return bool(array.dtype == np.float32)


def as_f64_rows(array: Array) -> Array:
    """An array of f64 as LANES."""
    return array[: len(array) // 8 * 8].reshape(-1, 8)


def load_minus(row: Array, array: Array, start: int, place: int) -> Array:
    """As many elements of an array as a vector of LANES has, each less the one at another place, of their type: rounded
    once."""
    part = array[start : start + row.shape[1]].astype(np.float64) - float(array[place])
    return part.astype(row.dtype)


def row_sums(out: Array, start: int, array: Array, first: int) -> None:
    """The sum of each of sixteen vectors of LANES, from `first` on, into an array of f64: halves are added until four
    numbers are left, these as f64."""
    some = array[first : first + 16]
    while some.shape[1] > 4:
        half = some.shape[1] // 2
        some = some[:, :half] + some[:, half:]
    some = some.astype(np.float64)
    some = some[:, :2] + some[:, 2:]
    out[start : start + 16] = some[:, 0] + some[:, 1]


def store(array: Array, start: int, values: Array) -> None:
    """Write eight numbers into an array of f64 or f32 (the nearest), or sixteen f32 into the latter, from `start` on;
    or a vector into LANES, as the one number `start`."""
    if array.ndim == 2:
        array[start] = values
    else:
        array[start : start + len(values)] = values


def gather_transpose(out: Array, start: int, array: Array, places: Array, offset: int) -> None:
    """Eight elements from each of as many places (I64) of an array as `out` has lanes, turned: the first of each, then
    the second ... as vectors into it from `start` on. An array of f64 has eight."""
    if out.ndim == 1:  # f64, of which `start` counts numbers
        out, start = out[start : start + 64].reshape(8, 8), 0
    for lane in range(out.shape[1]):
        first = places[lane] + offset
        out[start : start + 8, lane] = array[first : first + 8]


def gather(array: Array, places: Array, start: int) -> Array:
    """Eight elements of an array, from the eight places (I64) from `start` on, as f64."""
    return np.asarray(array)[places[start : start + 8]].astype(np.float64)


def compress(out: Array, start: int, array: Array, first: int, word: int) -> None:
    """Those of eight elements of an array, from `first` on, whose bits in the word are 1, one behind the other into
    another of its type (f64 or I64) from `start` on. What is behind them, up to the eighth, may be lost."""
    some = [array[first + k] for k in range(8) if word >> k & 1]
    out[start : start + len(some)] = some


def mask(condition: Array) -> int:
    """Which of a vector's comparisons hold: a bit each, the first the lowest."""
    return int.from_bytes(np.packbits(condition, bitorder="little").tobytes(), "little")


def prefetch(array: Array, start: int) -> None:
    """An element that will be read soon may come nearer meanwhile; it need not exist."""


def splat(value: float) -> Array:
    """Eight times the same."""
    return np.full(8, value)


def at(array: Array, start: int) -> Array:
    """The array from an element on, of LANES from a vector on."""
    return array[start:]


def sqrt(value: Any) -> Any:
    """Square root."""
    return np.sqrt(value)


def rint(value: Any) -> Any:
    """The nearest whole number, halves to even, as a float."""
    return np.rint(value)


def floor(value: Any) -> Any:
    """The largest whole number not above."""
    return np.floor(value)


def where(condition: Any, a: Any, b: Any) -> Any:
    """a or b, by element."""
    return np.where(condition, a, b)


def float_to_bits(value: Any) -> Any:
    """The 64 bits of a float as a whole number."""
    return np.asarray(value, np.float64).view(np.int64)


def bits_to_float(value: Any) -> Any:
    """The float of 64 bits."""
    return np.asarray(value, np.int64).view(np.float64)


def nonzero_bytes(array: Array, start: int) -> int:
    """Which of 64 bytes (U8) are not 0: a bit each, the first the lowest."""
    return int(np.packbits(array[start : start + 64] != 0, bitorder="little").view("<i8")[0])


def bit_edges(word: int, before: int) -> int:
    """The bits of a word that are not as the one below; the bit below the lowest is `before` (0 or 1)."""
    return _word(int(word) ^ (int(word) << 1 | before))


def ctz(word: int) -> int:
    """The place of the lowest bit that is 1; 64 where none is."""
    return (int(word) & -int(word)).bit_length() - 1 if word else 64


def clear_lowest_bit(word: int) -> int:
    """The word without its lowest bit that is 1."""
    return _word(int(word) & (int(word) - 1))


def popcount(word: int) -> int:
    """How many bits of a word are 1."""
    return (int(word) & ((1 << 64) - 1)).bit_count()


def _word(value: int) -> int:
    """The lowest 64 bits of a whole number, as i64 holds them."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def store_bytes_f64(rows: Array, start: int, value: float) -> None:
    """Write a number into bytes (U8) from `start` on, which need not be a multiple of anything."""
    rows[start : start + 8] = np.array(value, np.float64).reshape(1).view(np.uint8)


def store_bytes_f32(rows: Array, start: int, value: float) -> None:
    """The same as f32."""
    rows[start : start + 4] = np.array(value, np.float32).reshape(1).view(np.uint8)


def store_bytes_i64(rows: Array, start: int, value: int) -> None:
    """The same as i64."""
    rows[start : start + 8] = np.array(value, np.int64).reshape(1).view(np.uint8)


def store_bytes_i32(rows: Array, start: int, value: int) -> None:
    """The same as i32."""
    rows[start : start + 4] = np.array(value, np.int32).reshape(1).view(np.uint8)


def power_of_two(power: Any) -> Any:
    """2 to a whole number (float) within -1022..1023, of f32 within -126..127."""
    value = np.asarray(power)
    if value.dtype == np.float32:
        return ((value.astype(np.int32) + 127) << 23).view(np.float32)
    return ((value.astype(np.int64) + 1023) << 52).view(np.float64)


def exponent(value: Any) -> Any:
    """The power of two (a whole number as a float) up to which a normal number > 0 goes: value / 2^exponent is within
    1..2."""
    return ((float_to_bits(value) >> 52) - 1023).astype(np.float64)


def mantissa(value: Any) -> Any:
    """What is left of it: value / 2^exponent."""
    return bits_to_float((float_to_bits(value) & ((1 << 52) - 1)) | 1023 << 52)
