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
"""Vectors that together are four bytes for each lane; "" for one of zeros alone."""


class Dot(Protocol):
    """A way to add four products."""

    size: int
    """Bytes of weights for a lane."""

    def pack(self, weights: Array) -> Array:
        """Weights (..., lanes, 4), i8, as bytes (..., lanes * size) in the order in which `weights` loads them."""
        ...

    def weights(self, w: Writer, place: str, lanes: int) -> Operand:
        """Those at an address."""
        ...

    def spread(self, w: Writer, place: str, lanes: int) -> Operand:
        """The four u8 at an address, in all lanes."""
        ...

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        """A u8 of each of four vectors <lanes x i8>; "" stands for zeros."""
        ...

    def added(self, w: Writer, total: str, values: Operand, weights: Operand, lanes: int) -> str:
        """The sums <lanes x i32> with the products."""
        ...


def dot_of(target: Target) -> Dot:
    """The way of a processor."""
    return _WAYS[target.dot]


class _Vnni:
    size = 4

    def pack(self, weights: Array) -> Array:
        return np.ascontiguousarray(weights, np.int8).view(np.uint8).reshape(*weights.shape[:-2], -1)

    def weights(self, w: Writer, place: str, lanes: int) -> Operand:
        return (w.op(f"load {vector(lanes, 'i32')}, ptr {place}, align 4"),)

    def spread(self, w: Writer, place: str, lanes: int) -> Operand:
        return (_everywhere(w, w.op(f"load i32, ptr {place}, align 1"), lanes, "i32"),)

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        type_, both = vector(lanes, "i8"), mask(range(2 * lanes))
        given = [row or "zeroinitializer" for row in rows]
        first, second = (w.op(f"shufflevector {type_} {given[k]}, {type_} {given[k + 1]}, {both}") for k in (0, 2))
        type_, places = vector(2 * lanes, "i8"), mask(k % FOUR * lanes + k // FOUR for k in range(FOUR * lanes))
        made = w.op(f"shufflevector {type_} {first}, {type_} {second}, {places}")
        return (w.op(f"bitcast {vector(4 * lanes, 'i8')} {made} to {vector(lanes, 'i32')}"),)

    def added(self, w: Writer, total: str, values: Operand, weights: Operand, lanes: int) -> str:
        type_ = vector(lanes, "i32")
        name = f"llvm.x86.avx512.vpdpbusd.{32 * lanes}"
        return w.call(type_, name, (type_, total), (type_, values[0]), (type_, weights[0]))


class _Pairs:
    """Bytes 0 and 2 of each four are one pair, bytes 1 and 3 the other: so a shift and a mask part them."""

    size = 8

    def pack(self, weights: Array) -> Array:
        wide = weights.astype(np.int16)
        made = np.stack([wide[..., 0::2], wide[..., 1::2]], axis=-3)  # (..., pair, lanes, 2)
        return np.ascontiguousarray(made).view(np.uint8).reshape(*weights.shape[:-2], -1)

    def weights(self, w: Writer, place: str, lanes: int) -> Operand:
        type_ = vector(2 * lanes, "i16")
        second = w.op(f"getelementptr i8, ptr {place}, i64 {4 * lanes}")
        return tuple(w.op(f"load {type_}, ptr {at}, align 2") for at in (place, second))

    def spread(self, w: Writer, place: str, lanes: int) -> Operand:
        type_ = vector(2 * lanes, "i16")
        four = _everywhere(w, w.op(f"load i32, ptr {place}, align 1"), lanes, "i32")
        four = w.op(f"bitcast {vector(lanes, 'i32')} {four} to {type_}")
        return w.op(f"and {type_} {four}, splat (i16 255)"), w.op(f"lshr {type_} {four}, splat (i16 8)")

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        wide = [w.op(f"zext {vector(lanes, 'i8')} {row} to {vector(lanes, 'i16')}") if row else "" for row in rows]
        return tuple(
            _interleaved(w, wide[k] or "zeroinitializer", wide[k + 2] or "zeroinitializer", lanes, "i16")
            if wide[k] or wide[k + 2] else ""
            for k in (0, 1)
        )  # fmt: skip

    def added(self, w: Writer, total: str, values: Operand, weights: Operand, lanes: int) -> str:
        given, type_ = vector(2 * lanes, "i16"), vector(lanes, "i32")
        name = "llvm.x86.avx512.pmaddw.d.512" if lanes == 16 else "llvm.x86.avx2.pmadd.wd"
        for value, weight in zip(values, weights, strict=True):
            if value:
                products = w.call(type_, name, (given, value), (given, weight))
                total = w.op(f"add {type_} {total}, {products}")
        return total


class _Plain:
    size = 16

    def pack(self, weights: Array) -> Array:
        wide = np.moveaxis(weights.astype(np.int32), -1, -2)
        return np.ascontiguousarray(wide).view(np.uint8).reshape(*weights.shape[:-2], -1)

    def weights(self, w: Writer, place: str, lanes: int) -> Operand:
        type_ = vector(lanes, "i32")
        places = [w.op(f"getelementptr i32, ptr {place}, i64 {k * lanes}") for k in range(FOUR)]
        return tuple(w.op(f"load {type_}, ptr {at}, align 4") for at in places)

    def spread(self, w: Writer, place: str, lanes: int) -> Operand:
        made = []
        for k in range(FOUR):
            value = w.op(f"load i8, ptr {w.op(f'getelementptr i8, ptr {place}, i64 {k}')}, align 1")
            made.append(_everywhere(w, w.op(f"zext i8 {value} to i32"), lanes, "i32"))
        return tuple(made)

    def joined(self, w: Writer, rows: Sequence[str], lanes: int) -> Operand:
        return tuple(w.op(f"zext {vector(lanes, 'i8')} {row} to {vector(lanes, 'i32')}") if row else "" for row in rows)

    def added(self, w: Writer, total: str, values: Operand, weights: Operand, lanes: int) -> str:
        type_ = vector(lanes, "i32")
        for value, weight in zip(values, weights, strict=True):
            if value:
                total = w.op(f"add {type_} {total}, {w.op(f'mul {type_} {value}, {weight}')}")
        return total


_WAYS: dict[str, Dot] = {"vnni": _Vnni(), "pairs": _Pairs(), "plain": _Plain()}


def _everywhere(w: Writer, value: str, lanes: int, name: str) -> str:
    type_ = vector(lanes, name)
    first = w.op(f"insertelement {type_} poison, {name} {value}, i64 0")
    return w.op(f"shufflevector {type_} {first}, {type_} poison, {vector(lanes, 'i32')} zeroinitializer")


def _interleaved(w: Writer, a: str, b: str, lanes: int, name: str) -> str:
    """a[0], b[0], a[1], b[1] ..."""
    type_ = vector(lanes, name)
    return w.op(f"shufflevector {type_} {a}, {type_} {b}, {mask(k // 2 + k % 2 * lanes for k in range(2 * lanes))}")
