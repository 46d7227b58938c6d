"""Rows of dense layers of whole numbers: u8 times i8 in i32, exact; so any order is the order of the sum.

Channels are taken four at a time (`kernels.codegen.layers_dot`); weights of 0 are behind the last, where anything may
be read. Tiles, runs and the driver are those of `kernels.codegen.layers_dense`: a step of a run is four channels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_dense import Parts, driver, part_places, parts_name, parts_of, store_parts, tilings
from kernels.codegen.layers_dot import FOUR, dot_of
from kernels.codegen.layers_epilogue import Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import ARGUMENTS, Function, RowWriter
from kernels.codegen.layers_target import Target
from kernels.codegen.writer import vector
from kernels.ir.image import I32, U8

Array = npt.NDArray[Any]
INT8_DRIVER = "dense_int8"
_UNROLLED = 4
"""Steps of a run between two tests of its end."""


@dataclass(frozen=True, slots=True)
class Int8Tile:
    """A tile of a row of a dense layer of whole numbers.

    Args:
        widths: lanes of its vectors of output channels.
        parts, pitch, ends: see `kernels.codegen.layers_dense.Tile`.
    """

    widths: tuple[int, ...]
    epilogue: Epilogue
    parts: Parts = ()
    pitch: int = 0
    ends: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        numbers = map(str, (*self.widths, *(("ends", *self.ends) if self.ends else ())))
        return "_".join(("int8", *numbers, self.epilogue.name, *parts_name(self.parts, self.pitch)))

    @property
    def width(self) -> int:
        """Channels that it makes."""
        return sum(self.widths)

    def parted(self, parts: Parts, pitch: int, channel: int) -> Int8Tile:
        """The same for arrays of some of the layer's channels, of which this one begins with `channel`."""
        return replace(self, parts=parts_of(parts, channel, self.width), pitch=pitch)


def pack(weights: Array, target: Target, joined: bool) -> Array:
    """Weights (F, rows, taps, C), i8, as the kernel reads them, bytes: [tile][step of the sum][vector].

    Args:
        joined: whether the taps of a row lie side by side, with nothing between their channels.
    """
    f, rows, taps, c = weights.shape
    if joined:
        taps, c = 1, taps * c
    steps = -(-c // FOUR)
    whole = np.zeros((-(-f // CHANNELS) * CHANNELS, rows, taps, steps * FOUR), np.int8)
    whole[:f, ..., :c] = weights.reshape(f, rows, taps, c)
    whole = whole.reshape(len(whole), -1, FOUR).transpose(1, 0, 2)  # (steps of the sum, F, 4)
    made, first, dot = [], 0, dot_of(target)
    for widths, count in tilings(f, target):
        for _ in range(count):
            vectors = []
            for lanes in widths:
                vectors.append(dot.pack(whole[:, first : first + lanes]))
                first += lanes
            made.append(np.concatenate(vectors, axis=1).ravel())
    return np.concatenate(made)


def int8_driver(target: Target) -> Function:
    """The row kernel: every tile of the row's channels in turn."""
    return driver(INT8_DRIVER, U8, dot_of(target).size // 4)


def tile(what: Int8Tile, target: Target) -> Function:
    """The function that makes one tile of a row's channels, for all its pixels; it returns how many channels."""
    made = _TileWriter(what, target)
    made.write()
    return made.row.function(what.name, f"{ARGUMENTS}, ptr %weights, i64 %channel", "i64")


class _TileWriter:
    def __init__(self, tile: Int8Tile, target: Target) -> None:
        self.tile, self.target, self.dot = tile, target, dot_of(target)
        self.row = RowWriter(target, tile.epilogue, ends=tile.ends)
        self.vectors = [(sum(tile.widths[:k]), lanes) for k, lanes in enumerate(tile.widths)]
        """(channel of the tile, lanes) of each."""

    def write(self) -> None:
        row, w = self.row, self.row.w
        self.runs, self.length = row.job("runs"), row.field("run_last")
        self.step_in, self.steps = row.field("step_in"), row.field("step_out")
        self.count = w.op(f"mul i64 {row.field('rows')}, {row.field('taps')}")
        self.parts = part_places(row, self.tile.parts, self.tile.pitch)
        if self.parts:
            self.out, self.by = "null", w.op(f"sdiv i64 {self.steps}, {self.tile.pitch}")
        else:
            self.out = row.row(row.bank("bank_out"), "1", self.tile.epilogue.root.dtype)
        row.operands()
        bias = row.values(row.field("bias", "ptr"), "%channel", I32)
        self.first = {at: row.load(row.values(bias, str(at), I32), lanes, I32) for at, lanes in self.vectors}
        row.overlapping(row.field("width"), self.target.wide_of_bytes(len(self.tile.widths)), self._tile)
        w.line(f"ret i64 {sum(self.tile.widths)}")

    def _tile(self, x: str, pixels: int) -> None:
        row, w = self.row, self.row.w
        offsets = row.offsets(x, pixels, self.step_in)
        sums = [(j, at, lanes) for j in range(pixels) for at, lanes in self.vectors]
        types = [vector(lanes, "i32") for _, _, lanes in sums]
        carried = list(zip(types, [self.first[at] for _, at, _ in sums], strict=True))
        with w.turns("run", self.count, [("ptr", "%weights"), *carried]) as run:
            place = w.op(f"getelementptr ptr, ptr {self.runs}, i64 {run.index}")
            begin = w.op(f"load ptr, ptr {place}, align 8")
            places = [row.values(begin, offset, U8) for offset in offsets]
            whole = w.op(f"and i64 {self.length}, {-_UNROLLED}")
            with w.turns("step", whole, list(zip(["ptr", *types], run.values, strict=True)), _UNROLLED) as several:
                several.next = self._steps(places, several.index, several.values, _UNROLLED)
            rest = w.op(f"sub i64 {self.length}, {whole}")
            with w.turns("rest", rest, list(zip(["ptr", *types], several.values, strict=True))) as single:
                step = w.op(f"add i64 {whole}, {single.index}")
                single.next = self._steps(places, step, single.values, 1)
            run.next = single.values
        results = row.results(x, pixels, self.out, self.steps)
        for (j, at, lanes), total in zip(sums, run.values[1:], strict=True):
            channel = w.op(f"add i64 %channel, {at}")
            if not self.parts:
                row.finish(total, lanes, results[j], channel, at=at)
                continue
            made = row.ended(total, lanes, results[j], channel, at)
            store_parts(row, made, (at, lanes), self.tile.parts, self._pixels(x, j))

    def _pixels(self, x: str, number: int) -> list[str]:
        """Where a pixel begins in the array of each part."""
        w = self.row.w
        pixel = w.op(f"mul i64 {w.op(f'add i64 {x}, {number}')}, {self.by}")
        return [self.row.floats(array, w.op(f"mul i64 {pixel}, {count}"))
                for array, (_, count, _) in zip(self.parts, self.tile.parts, strict=True)]  # fmt: skip

    def _steps(self, places: list[str], step: str, values: list[str], count: int) -> list[str]:
        """`count` steps of all sums from number `step` of a run on."""
        row, w, dot = self.row, self.row.w, self.dot
        weights, *totals = values
        first = w.op(f"mul i64 {step}, {FOUR}")
        for k in range(count):
            at = w.op(f"add i64 {first}, {k * FOUR}")
            begins = []
            for _, lanes in self.vectors:
                begins.append(weights)
                weights = row.values(weights, str(lanes * dot.size), U8)
            for part in range(dot.parts):
                factors = [dot.weight(w, begin, lanes, part)
                           for begin, (_, lanes) in zip(begins, self.vectors, strict=True)]  # fmt: skip
                for j, place in enumerate(places):
                    here = row.values(place, at, U8)
                    given = {lanes: dot.spread(w, here, lanes, part) for lanes in dict.fromkeys(self.tile.widths)}
                    for v, (_, lanes) in enumerate(self.vectors):
                        n = j * len(self.vectors) + v
                        totals[n] = dot.added(w, totals[n], given[lanes], factors[v], lanes)
        return [weights, *totals]
