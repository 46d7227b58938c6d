"""Sums of whole numbers: in each lane four products of a u8 and an i8 are added to an i32, exactly, modulo 2**32.

Every processor has its own way, and its own order in which weights lie for it:

    vnni   one instruction (VPDPBUSD: AVX512-VNNI, AVX-VNNI)
    pairs  two sums of two products of 16 bits each (VPMADDWD; the instruction for bytes, VPMADDUBSW, saturates)
    plain  four products of 32 bits, by whatever instructions LLVM finds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_target import Target
from kernels.codegen.writer import Writer, mask, vector

Array = npt.NDArray[Any]
FOUR = 4
"""Products that a step adds to a lane."""
Operand = tuple[str, ...]
"""A vector for each part of four bytes of each lane; "" for one of zeros alone."""


class Dot(Protocol):
    """A way to add four products: in some parts, one after another, each of one vector of values and one of weights."""

    size: int
    """Bytes of weights for a lane."""
    parts: int
    slots: tuple[int, int]
    """What adding four products takes, and spreading four bytes, by what a vector of multiply-adds takes
    (`kernels.codegen.layers_work`; "pairs" measured on Zen 3: 2.2 to 2.8 an addition where three share a spreading, 3.6
    to 3.8 alone; "plain" counted)."""

    def pack(self, weights: Array) -> Array:
        """Weights (..., lanes, 4), i8, as bytes (..., lanes * size) in the order in which `weight` loads them."""
        ...

    def weight(self, w: Writer, place: str, lanes: int, part: int) -> str:
        """Those of a part of the four at an address."""
        ...

    def spread(self, w: Writer, place: str, lanes: int, part: int) -> str:
        """A part of the four u8 at an address, in all lanes; a byte more may be looked at."""
        ...

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        """A u8 of each of four vectors <lanes x i8>; "" stands for zeros."""
        ...

    def added(self, w: Writer, total: str, value: str, weight: str, lanes: int) -> str:
        """The sums <lanes x i32> with the products of a part."""
        ...


def dot_of(target: Target) -> Dot:
    """The way of a processor."""
    return _WAYS[target.dot]


class _Vnni:
    size, parts, slots = 4, 1, (1, 0)

    def pack(self, weights: Array) -> Array:
        return np.ascontiguousarray(weights, np.int8).view(np.uint8).reshape(*weights.shape[:-2], -1)

    def weight(self, w: Writer, place: str, lanes: int, part: int) -> str:  # noqa: ARG002
        return w.op(f"load {vector(lanes, 'i32')}, ptr {place}, align 4")

    def spread(self, w: Writer, place: str, lanes: int, part: int) -> str:  # noqa: ARG002
        return _everywhere(w, w.op(f"load i32, ptr {place}, align 1"), lanes, "i32")

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        type_, both = vector(lanes, "i8"), mask(range(2 * lanes))
        given = [row or "zeroinitializer" for row in rows]
        first, second = (w.op(f"shufflevector {type_} {given[k]}, {type_} {given[k + 1]}, {both}") for k in (0, 2))
        type_, places = vector(2 * lanes, "i8"), mask(k % FOUR * lanes + k // FOUR for k in range(FOUR * lanes))
        made = w.op(f"shufflevector {type_} {first}, {type_} {second}, {places}")
        return (w.op(f"bitcast {vector(4 * lanes, 'i8')} {made} to {vector(lanes, 'i32')}"),)

    def added(self, w: Writer, total: str, value: str, weight: str, lanes: int) -> str:
        type_ = vector(lanes, "i32")
        name = f"llvm.x86.avx512.vpdpbusd.{32 * lanes}"
        return w.call(type_, name, (type_, total), (type_, value), (type_, weight))


class _Pairs:
    """Bytes 0 and 2 of each four are one pair, bytes 1 and 3 the other: so a mask parts them, from one byte further on
    for the second. A pair is loaded, used for all vectors of a tile, and forgotten: both pairs and their weights at
    once would leave registers for fewer sums."""

    size, parts, slots = 8, 2, (2, 2)

    def pack(self, weights: Array) -> Array:
        wide = weights.astype(np.int16)
        made = np.stack([wide[..., 0::2], wide[..., 1::2]], axis=-3)  # (..., pair, lanes, 2)
        return np.ascontiguousarray(made).view(np.uint8).reshape(*weights.shape[:-2], -1)

    def weight(self, w: Writer, place: str, lanes: int, part: int) -> str:
        at = w.op(f"getelementptr i8, ptr {place}, i64 {4 * lanes * part}")
        return w.op(f"load {vector(2 * lanes, 'i16')}, ptr {at}, align 2")

    def spread(self, w: Writer, place: str, lanes: int, part: int) -> str:
        type_ = vector(2 * lanes, "i16")
        at = w.op(f"getelementptr i8, ptr {place}, i64 {part}")
        four = _everywhere(w, w.op(f"load i32, ptr {at}, align 1"), lanes, "i32")
        words = w.op(f"bitcast {vector(lanes, 'i32')} {four} to {type_}")
        return w.op(f"and {type_} {words}, splat (i16 255)")

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        wide = [w.op(f"zext {vector(lanes, 'i8')} {row} to {vector(lanes, 'i16')}") if row else "" for row in rows]
        return tuple(
            _interleaved(w, wide[k] or "zeroinitializer", wide[k + 2] or "zeroinitializer", lanes, "i16")
            if wide[k] or wide[k + 2] else ""
            for k in (0, 1)
        )  # fmt: skip

    def added(self, w: Writer, total: str, value: str, weight: str, lanes: int) -> str:
        given, type_ = vector(2 * lanes, "i16"), vector(lanes, "i32")
        name = "llvm.x86.avx512.pmaddw.d.512" if lanes == 16 else "llvm.x86.avx2.pmadd.wd"
        made = w.op(f"add {type_} {total}, {w.call(type_, name, (given, value), (given, weight))}")
        # Nothing, but what LLVM cannot look through: it would add up products before it adds them to sums.
        return w.op(f'call {type_} asm "", "=v,0"({type_} {made})')


class _Plain:
    size, parts, slots = 16, FOUR, (4, 4)

    def pack(self, weights: Array) -> Array:
        wide = np.moveaxis(weights.astype(np.int32), -1, -2)
        return np.ascontiguousarray(wide).view(np.uint8).reshape(*weights.shape[:-2], -1)

    def weight(self, w: Writer, place: str, lanes: int, part: int) -> str:
        at = w.op(f"getelementptr i32, ptr {place}, i64 {part * lanes}")
        return w.op(f"load {vector(lanes, 'i32')}, ptr {at}, align 4")

    def spread(self, w: Writer, place: str, lanes: int, part: int) -> str:
        value = w.op(f"load i8, ptr {w.op(f'getelementptr i8, ptr {place}, i64 {part}')}, align 1")
        return _everywhere(w, w.op(f"zext i8 {value} to i32"), lanes, "i32")

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        return tuple(w.op(f"zext {vector(lanes, 'i8')} {row} to {vector(lanes, 'i32')}") if row else "" for row in rows)

    def added(self, w: Writer, total: str, value: str, weight: str, lanes: int) -> str:
        type_ = vector(lanes, "i32")
        return w.op(f"add {type_} {total}, {w.op(f'mul {type_} {value}, {weight}')}")


_WAYS: dict[str, Dot] = {"vnni": _Vnni(), "pairs": _Pairs(), "plain": _Plain()}


def _everywhere(w: Writer, value: str, lanes: int, name: str) -> str:
    type_ = vector(lanes, name)
    first = w.op(f"insertelement {type_} poison, {name} {value}, i64 0")
    return w.op(f"shufflevector {type_} {first}, {type_} poison, {vector(lanes, 'i32')} zeroinitializer")


def _interleaved(w: Writer, a: str, b: str, lanes: int, name: str) -> str:
    """a[0], b[0], a[1], b[1] ..."""
    type_ = vector(lanes, name)
    return w.op(f"shufflevector {type_} {a}, {type_} {b}, {mask(k // 2 + k % 2 * lanes for k in range(2 * lanes))}")
