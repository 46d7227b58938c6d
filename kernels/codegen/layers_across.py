"""Rows of dense layers whose lanes are pixels: for layers of few or odd channels, which leave vectors of them empty.

What is looked at lies plane by plane: a row of a map holds all pixels of a channel, then those of the next
(`kernels.fusion.layers.Map.planes`). A tile is some channels by some vectors of pixels; each weight is given to all
lanes. Where a row is not whole tiles or vectors these overlap; what is made twice has the same bits. The order of the
sum, runs and the driver are those of `kernels.codegen.layers_dense`, a step being a plane. What is made lies plane by
plane, too, or channels last, turned in registers; `Turn` is the row kernel that lays channels out as planes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_dense import Parts, part_places, parts_name, parts_of, store_pieces
from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import BLOCK
from kernels.codegen.layers_rows import ARGUMENTS, Function, RowWriter
from kernels.codegen.layers_target import Target, fused
from kernels.codegen.writer import Writer, mask, vector
from kernels.ir.expr import Expr

Array = npt.NDArray[Any]
TURNED = 8
"""Channels that are turned at a time, a power of two."""
MOST_VECTORS = 3
"""Of pixels, in a tile."""


@dataclass(frozen=True, slots=True)
class Across:
    """A tile of a row of a dense layer.

    Args:
        channels: of the tile, `TURNED` at most.
        vectors: of pixels.
        gap: pixels from one to the next.
        line: values from plane to plane of what is looked at.
        made: the same of what is made, where that is planes; 0 for channels last.
        step: values from pixel to pixel of what is made.
        parts, pitch: see `kernels.codegen.layers_dense.Tile`.
    """

    channels: int
    vectors: int
    gap: int
    epilogue: Epilogue = NOTHING
    line: int = 0
    made: int = 0
    step: int = 1
    parts: Parts = ()
    pitch: int = 0

    @property
    def name(self) -> str:
        numbers = map(str, (self.channels, self.vectors, self.gap, self.line, self.made, self.step))
        return "_".join(("across", *numbers, self.epilogue.name, *parts_name(self.parts, self.pitch)))

    @property
    def width(self) -> int:
        """Channels that it makes."""
        return self.channels

    def parted(self, parts: Parts, pitch: int, channel: int) -> Across:
        """The same for arrays of some of the layer's channels, of which this one begins with `channel`."""
        return replace(self, parts=parts_of(parts, channel, self.channels), pitch=pitch)


@dataclass(frozen=True, slots=True)
class Turn:
    """A row kernel that lays the channels of pixels out as planes.

    Args:
        channels: how many.
        step: values from pixel to pixel of what is looked at.
        line: values from plane to plane.
    """

    channels: int
    step: int = 0
    line: int = 0
    epilogue: Epilogue = NOTHING

    @property
    def name(self) -> str:
        return f"turn_{self.channels}_{self.step}_{self.line}"


def cut(features: int, vectors: int, target: Target) -> list[int]:
    """Channels of the tiles of so many vectors that a layer is cut into: as few as can be, as equal as can be. Their
    sums, the values of a step and a weight stay in registers."""
    tiles = -(-features // min(TURNED, (target.registers - 1) // vectors - 1))
    return [features // tiles + (k < features % tiles) for k in range(tiles)]


def vectors_of(width: int, target: Target) -> tuple[int, int]:
    """(vectors of pixels of a tile, pixels from one to the next) by which a row of a vector at least has the fewest of
    them: whole tiles, or one of vectors that overlap."""
    lanes, found = target.lanes, []
    for v in range(1, MOST_VECTORS + 1):
        rest = width - lanes
        if v * lanes <= width:
            found.append((-(-width // (v * lanes)) * v, -v, lanes))
        elif v > 1 and rest % (v - 1) == 0 and 0 < rest // (v - 1) <= lanes:
            found.append((v, -v, rest // (v - 1)))
    _, vectors, gap = min(found)
    return -vectors, gap


def pack(weights: Array, tiles: Sequence[int]) -> Array:
    """Weights (F, rows, taps, C), f32, as tiles of so many channels read them: [tile][step of the sum][channel]."""
    f, _, _, c = weights.shape
    blocks = [weights[:, :, :, first : first + BLOCK].reshape(f, -1) for first in range(0, c, BLOCK)]
    steps = np.concatenate(blocks, axis=1).T
    ends = np.cumsum(tiles)
    return np.concatenate([part.ravel() for part in np.split(steps, ends[:-1], axis=1)])


def tile(what: Across, target: Target) -> Function:
    """The function that makes one tile of a row's channels, for all its pixels; it returns how many channels."""
    made = _AcrossWriter(what, target)
    made.write()
    return made.row.function(what.name, f"{ARGUMENTS}, ptr %weights, i64 %channel", "i64")


def turn(kernel: Turn, target: Target) -> Function:
    """The row kernel."""
    row = RowWriter(target, NOTHING)
    w, lanes = row.w, target.lanes
    source, out = row.row(row.bank("bank_in"), "2"), row.row(row.bank("bank_out"), "1")

    def body(x: str) -> None:
        here = row.floats(source, w.op(f"mul i64 {x}, {kernel.step}"))
        there = row.floats(out, x)
        for first in range(0, kernel.channels, TURNED):
            vectors = []
            for k in range(TURNED):
                halves = [row.load(row.floats(here, str((k + half) * kernel.step + first)), TURNED)
                          for half in range(0, lanes, TURNED)]  # fmt: skip
                vectors.append(halves[0] if len(halves) == 1 else _joined(w, halves))
            for k, made in enumerate(turned(w, vectors, lanes)[: kernel.channels - first]):
                place = row.floats(there, str((first + k) * kernel.line))
                w.line(f"store {vector(lanes, 'float')} {made}, ptr {place}, align 4")

    _over(row, lanes, body)
    w.line("ret void")
    return row.function(kernel.name)


_ALTERNATING = {
    1: ((0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15)),
    2: ((0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)),
    4: ((0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)),
}
"""Shuffles of two vectors of TURNED lanes that take values of them in turn, so many at a time: the first and the second
half. Each is one instruction of x86."""


def turned(w: Writer, vectors: Sequence[str], lanes: int) -> list[str]:
    """TURNED vectors of `lanes`, in each TURNED lanes of which rows become columns: single values of neighbours
    alternate, then pairs of values of those, then fours of those."""
    type_ = vector(lanes, "float")

    def both(by: int, a: str, b: str) -> list[str]:
        made = []
        for picks in _ALTERNATING[by]:
            each = [one % TURNED + one // TURNED * lanes for one in picks]
            places = [first + one for first in range(0, lanes, TURNED) for one in each]
            made.append(w.op(f"shufflevector {type_} {a}, {type_} {b}, {mask(places)}"))
        return made

    fours = []
    for first in range(0, TURNED, 4):
        (a, b), (c, d) = both(1, *vectors[first : first + 2]), both(1, *vectors[first + 2 : first + 4])
        fours.append([*both(2, a, c), *both(2, b, d)])
    ends = [both(4, a, b) for a, b in zip(*fours, strict=True)]
    return [low for low, _ in ends] + [high for _, high in ends]


def _joined(w: Writer, halves: Sequence[str]) -> str:
    type_ = vector(TURNED, "float")
    return w.op(f"shufflevector {type_} {halves[0]}, {type_} {halves[1]}, {mask(range(2 * TURNED))}")


def _over(row: RowWriter, many: int, body: Callable[[str], None]) -> None:
    """A row of pixels, so many from pixel x on at a time; the last ones end with the row."""
    w, width = row.w, row.field("width")
    most = w.op(f"sub i64 {width}, {many}")
    tiles = w.op(f"udiv i64 {w.op(f'add i64 {width}, {many - 1}')}, {many}")
    with w.turns("pixels", tiles, []) as one:
        x = w.op(f"mul i64 {one.index}, {many}")
        body(w.call("i64", "llvm.smin.i64", ("i64", x), ("i64", most)))


class _AcrossWriter:
    def __init__(self, tile: Across, target: Target) -> None:
        self.tile, self.target = tile, target
        self.row = RowWriter(target, tile.epilogue)

    def write(self) -> None:
        row, w = self.row, self.row.w
        self.runs = row.job("runs")
        self.run, self.last = row.field("run"), row.field("run_last")
        taps = w.op(f"mul i64 {row.field('rows')}, {row.field('taps')}")
        self.count = w.op(f"mul i64 {taps}, {row.field('blocks')}")
        self.full = w.op(f"sub i64 {self.count}, {taps}")
        self.parts = part_places(row, self.tile.parts, self.tile.pitch)
        self.out = "" if self.parts else row.row(row.bank("bank_out"), "1")
        row.operands()
        self.bias = row.floats(row.field("bias", "ptr"), "%channel")
        _over(row, (self.tile.vectors - 1) * self.tile.gap + self.target.lanes, self._pixels)
        w.line(f"ret i64 {self.tile.channels}")

    def _pixels(self, x: str) -> None:
        row, w, lanes, tile = self.row, self.row.w, self.target.lanes, self.tile
        type_, vectors, gap = vector(lanes, "float"), tile.vectors, tile.gap
        sums = [(f, v) for f in range(tile.channels) for v in range(vectors)]
        firsts = [self._all(row.floats(self.bias, str(f))) for f in range(tile.channels)]
        carried = [("ptr", "%weights"), *((type_, firsts[f]) for f, _ in sums)]
        with w.turns("run", self.count, carried) as run:
            place = w.op(f"getelementptr ptr, ptr {self.runs}, i64 {run.index}")
            begin = row.floats(w.op(f"load ptr, ptr {place}, align 8"), x)
            short = w.op(f"icmp sge i64 {run.index}, {self.full}")
            length = w.op(f"select i1 {short}, i64 {self.last}, i64 {self.run}")
            types = ["ptr", "ptr", *(t for t, _ in carried[1:])]
            with w.turns("step", length, list(zip(types, [begin, *run.values], strict=True))) as step:
                here, weights, *totals = step.values
                values = [row.load(row.floats(here, str(v * gap)), lanes) for v in range(vectors)]
                for f in range(tile.channels):
                    weight = self._all(row.floats(weights, str(f)))
                    for v in range(vectors):
                        n = f * vectors + v
                        totals[n] = fused(w, self.target, lanes, values[v], weight, totals[n])
                step.next = [row.floats(here, str(tile.line)), row.floats(weights, str(tile.channels)), *totals]
            run.next = step.values[1:]
        made = [self._ended(total, f) for (f, _), total in zip(sums, run.values[1:], strict=True)]
        if tile.made:
            planes = row.floats(row.floats(self.out, w.op(f"mul i64 %channel, {tile.made}")), x)
            for (f, v), one in zip(sums, made, strict=True):
                place = row.floats(planes, str(f * tile.made + v * gap))
                w.line(f"store {type_} {one}, ptr {place}, align 4")
            return
        if self.parts:
            by = tile.step // tile.pitch
            arrays = [(row.floats(array, w.op(f"mul i64 {x}, {by * count}")), by * count, first, count)
                      for array, (first, count, _) in zip(self.parts, tile.parts, strict=True)]  # fmt: skip
        else:
            pixel = row.floats(row.floats(self.out, "%channel"), w.op(f"mul i64 {x}, {tile.step}"))
            arrays = [(pixel, tile.step, 0, tile.channels)]
        for v in range(vectors):
            some = made[v::vectors]
            # A tile of fewer channels is turned with what never gets stored.
            some += ["poison"] * (TURNED - len(some))
            for k, one in enumerate(turned(w, some, lanes)):
                for half in range(0, lanes, TURNED):
                    for array, by, first, count in arrays:
                        low, high = max(first, 0), min(first + count, tile.channels)
                        place = row.floats(array, str((v * gap + half + k) * by + low - first))
                        store_pieces(row, one, lanes, range(half + low, half + high), place)

    def _ended(self, total: str, f: int) -> str:
        """What becomes of the sums of a channel."""
        row, w, lanes = self.row, self.row.w, self.target.lanes

        def leaf(node: Expr) -> str:
            if node.op == "input":
                return total
            if node in row.scalars:
                return row.all(row.scalars[node], lanes)
            table = row.tables[int(node.arg.removeprefix("channel"))]
            return self._all(row.floats(row.floats(table, "%channel"), str(f)))

        return self.tile.epilogue.write(w, lanes, leaf)

    def _all(self, place: str) -> str:
        """A value in all lanes."""
        return self.row.all(self.row.w.op(f"load float, ptr {place}, align 4"), self.target.lanes)
