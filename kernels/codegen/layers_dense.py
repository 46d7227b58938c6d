"""Rows of dense layers: convolutions of any taps, strides and dilations, 1x1 ones, products with a matrix, groups.

A sum begins with the bias; then come blocks of BLOCK input channels, in them the taps row by row, in them the channels,
each step one fused multiply-add. A *run* is a tap of a block: its input values lie side by side, and so do the weights
of all runs in the order of the sum, so that a tile of `vectors` of output channels by `pixels` needs one pointer to
weights, and one address a pixel. All sums of a tile stay in registers from bias to epilogue.

A layer's output channels are cut into tiles of full vectors, the last of which may end in a shorter one: there
two pixels share a register.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import BLOCK, CHANNELS, SEGMENTS
from kernels.codegen.layers_rows import ARGUMENTS, Function, RowWriter
from kernels.codegen.layers_target import MOST_VECTORS, Target, forms, fused
from kernels.codegen.writer import mask, vector
from kernels.ir.image import F32, DType

Array = npt.NDArray[Any]
DRIVER = "dense"
UNROLLED = 4
"""Steps of a run between two tests of its end."""
SHORT = 32
"""Steps of a sum that are in the code one by one, at most, where no run is as long as a turn of its loop. (Of longer
runs this gained nothing: LLVM then moves loads so far ahead that sums leave their registers.)"""
LEAST_HALVES = 12
"""Sums of half vectors that keep multiply-adds busy, two a cycle of 4 cycles each, and some loads."""
Parts = tuple[tuple[int, int, int], ...]
"""See `Tile.parts`."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of a row of a dense layer.

    Args:
        widths: lanes of its vectors of output channels.
        forms: numbers of pixels (see `kernels.codegen.layers_target.forms`).
        grouped: whether each lane has an input channel of its own (see `spread`), instead of all the same.
        paired: whether its last vector is half a register, which two pixels share then, two channels of one and two of
            the other in turn.
        steps: see `RowWriter`.
        parts: (first channel of the tile, which may be one before it, how many, bank) of each array that what is made
            goes into, side by side from pixel to pixel, instead of into a map; () for a map.
        pitch: of that map, which is none then: what a step's place counts from pixel to pixel.
        sums: (runs, steps of each) of its sums, where they are short and all alike; else they are of the record.
        ends: see `RowWriter`; of the channels that it makes.
    """

    widths: tuple[int, ...]
    forms: tuple[int, ...]
    grouped: bool = False
    epilogue: Epilogue = NOTHING
    paired: bool = False
    steps: tuple[int, ...] = ()
    parts: Parts = ()
    pitch: int = 0
    sums: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        kind = "grouped" if self.grouped else "pair" if self.paired else "dense"
        fields = {"steps": self.steps, "sums": self.sums, "ends": self.ends}
        known = [word for name, some in fields.items() if some for word in (name, *some)]
        numbers = map(str, (*self.widths, "by", *self.forms, *known))
        return "_".join((kind, *numbers, self.epilogue.name, *parts_name(self.parts, self.pitch)))

    def parted(self, parts: Parts, pitch: int, channel: int) -> Tile:
        """The same for arrays of some of the layer's channels, of which this one begins with `channel`."""
        return replace(self, parts=parts_of(parts, channel, self.width), pitch=pitch)

    @property
    def width(self) -> int:
        """Channels that it makes."""
        return sum(self.widths)

    @staticmethod
    def of(
        target: Target, widths: tuple[int, ...], width: int, grouped: bool, epilogue: Epilogue, steps: int
    ) -> Tile:  # fmt: skip
        """The tile for rows of `width` pixels and sums of so many steps."""
        if halved(widths, target):
            return Tile(widths, forms(width, target.wide_of_halves(len(widths))), grouped, epilogue)
        pixels = forms(width, target.wide(len(widths), steps))
        return Tile(widths, pixels, grouped, epilogue, not grouped and 2 * widths[-1] == target.lanes)

    @property
    def room(self) -> int:
        """Weights of a step of the sum: those for two pixels are there twice."""
        return sum(self.widths) + self.widths[-1] * self.paired


def tilings(channels: int, target: Target, most: int = 0) -> list[tuple[tuple[int, ...], int]]:
    """How a number of output channels is cut: (widths of the vectors of a tile, how many such tiles). As few tiles as
    can be, of at most so many vectors (those of the target without), of as equal a number of them as can be, since a
    tile of one vector loads as much as it computes."""
    # Equal tiles: seven vectors by at most four are 4 + 3, not 4 + 2 + 1. Each tile reads the whole row, so that a
    # short last one would pay for that nearly alone.
    vectors, rest = divmod(-(-channels // CHANNELS) * CHANNELS, target.lanes)
    widths = [target.lanes] * vectors + ([rest] if rest else [])
    tiles = -(-len(widths) // (most or target.vectors))
    small, more = divmod(len(widths), tiles)
    made: list[tuple[tuple[int, ...], int]] = []
    first = 0
    for k in range(tiles):
        count = small + (k < more)
        one = tuple(widths[first : first + count])
        first += count
        if made and made[-1][0] == one:
            made[-1] = one, made[-1][1] + 1
        else:
            made.append((one, 1))
    assert len(made) <= SEGMENTS
    return made


def halved(widths: tuple[int, ...], target: Target) -> bool:
    """Whether a tile is of half vectors alone, where these are as fast for what they hold."""
    return target.halves and 2 * widths[0] == target.lanes


def float_tilings(channels: int, target: Target, pixels: int) -> list[tuple[tuple[int, ...], int]]:
    """The same of f32 for tiles of so many pixels. Where half vectors are as fast for what they hold, channels that
    leave half of a vector empty end in a tile of half vectors, as many as keep multiply-adds busy."""
    most = target.fitting(pixels)
    vectors, rest = divmod(-(-channels // CHANNELS) * CHANNELS, target.lanes)
    if not (target.halves and rest):
        return tilings(channels, target, most)
    last = 1
    while last + 2 <= min(2 * vectors + 1, MOST_VECTORS) and (last * pixels < LEAST_HALVES or vectors - last // 2 == 1):
        last += 2
    whole = channels - last * rest
    return [*(tilings(whole, target, most) if whole > 0 else ()), ((rest,) * last, 1)]


def pack(weights: Array, tiles: Sequence[tuple[Tile, int]]) -> Array:
    """Weights (F, rows, taps, C) of a dense layer, f32, as its tiles, so many of each, read them: [tile][step of the
    sum][channel].

    Channels beyond F have weights of 0.
    """
    f, rows, taps, c = weights.shape
    blocks = [weights[:, :, :, first : first + BLOCK].reshape(f, -1) for first in range(0, c, BLOCK)]
    steps = np.concatenate(blocks, axis=1).T  # (steps of the sum, F)
    whole = np.zeros((rows * taps * c, -(-f // CHANNELS) * CHANNELS), np.float32)
    whole[:, :f] = steps
    made, first = [], 0
    for tile, count in tiles:
        for _ in range(count):
            part = whole[:, first : first + sum(tile.widths)]
            first += sum(tile.widths)
            if tile.paired:
                alone = sum(tile.widths[:-1])
                part = np.concatenate([part[:, :alone], part[:, [alone + k for k in twice(tile.widths[-1])]]], axis=1)
            made.append(part.ravel())
    return np.concatenate(made)


def twice(lanes: int) -> list[int]:
    """The channels in a register that two pixels share."""
    return [k for pair in range(0, lanes, 2) for k in (pair, pair + 1, pair, pair + 1)]


def spread(channels: int, groups: int, made: int) -> Array:
    """For a layer of groups that each make few channels: which input channel is at which place of the row that its
    kernel looks at, i32: for each channel of a group one value for every output channel (and any beyond)."""
    each, room = channels // groups, -(-made // CHANNELS) * CHANNELS
    # Output channel k belongs to group k // (channels made by a group). Channels of padding look at the last group,
    # whose values exist, and have weights of 0.
    own = np.minimum(np.arange(room) // (made // groups), groups - 1)
    return np.concatenate([own * each + c for c in range(each)]).astype(np.int32)


def driver(name: str = DRIVER, dtype: DType = F32, words: int = 1) -> Function:
    """The row kernel: every tile of the row's channels in turn.

    Args:
        dtype: of the rows that are looked at.
        words: of 32 bits that the weights of a channel take in a step.
    """
    row = RowWriter(Target(CHANNELS, 1, 1, True), NOTHING)
    w = row.w
    row.runs(dtype)
    taps = w.op(f"mul i64 {row.field('rows')}, {row.field('taps')}")
    full = w.op(f"sub i64 {row.field('blocks')}, 1")
    before = w.op(f"mul i64 {row.field('run')}, {full}")
    each = w.op(f"add i64 {before}, {row.field('run_last')}")
    steps = w.op(f"mul i64 {w.op(f'mul i64 {taps}, {each}')}, {words}")
    segments(row, row.field("weights", "ptr"), "0", steps, "%step")
    w.line("ret void")
    return row.function(name)


def segments(row: RowWriter, weights: str, channel: str, steps: str, step: str) -> list[str]:
    """Call the functions of all tiles of a row's channels.

    Args:
        weights, channel: of the first tile.
        steps: of a sum.
        step: the address of the step that they are given.

    Returns: weights and channel behind the last tile.
    """
    w = row.w
    given = ARGUMENTS.replace("%step", step)
    with w.turns("segment", row.field("segments"), [("ptr", weights), ("i64", channel)]) as segment:
        function, count = row.field("tile0", "ptr", segment.index), row.field("count0", "i64", segment.index)
        carried = list(zip(("ptr", "i64"), segment.values, strict=True))
        with w.turns("tiles", count, carried) as turn:
            width = w.op(f"call i64 {function}({given}, ptr {turn.values[0]}, i64 {turn.values[1]})")
            turn.next = [row.floats(turn.values[0], w.op(f"mul i64 {steps}, {width}")),
                         w.op(f"add i64 {turn.values[1]}, {width}")]  # fmt: skip
        segment.next = turn.values
    return segment.values


def parts_of(parts: Parts, channel: int, count: int) -> Parts:
    """The parts of a layer that `count` channels from `channel` on are of, counted from there."""
    return tuple((at - channel, n, bank) for at, n, bank in parts if at < channel + count and at + n > channel)


def parts_name(parts: Parts, pitch: int) -> tuple[str, ...]:
    """What the name of a tile says of its parts."""
    return ("parts", *("_".join(map(str, one)).replace("-", "m") for one in parts), str(pitch)) if parts else ()


def part_places(row: RowWriter, parts: Parts, pitch: int) -> list[str]:
    """Where the row that is made begins in the array of each part."""
    w, made = row.w, []
    if parts:
        word = w.op(f"load i32, ptr {w.op('getelementptr i32, ptr %step, i64 1')}, align 4")
        pixel = w.op(f"sext i32 {w.op(f'sdiv i32 {word}, {pitch}')} to i64")
    for _, count, bank in parts:
        place = w.op(f"getelementptr ptr, ptr {row.job('banks')}, i64 {bank}")
        begin = w.op(f"load ptr, ptr {place}, align 8")
        made.append(row.floats(begin, w.op(f"mul i64 {pixel}, {count}")))
    return made


def store_pieces(row: RowWriter, made: str, lanes: int, some: range, there: str) -> None:
    """Store some lanes of a vector, in pieces that are whole registers."""
    at, whole = some.start, vector(lanes, "float")
    while at < some.stop:
        # The largest power of two that fits: pieces of 8, 4, 2, 1 lanes are single store instructions.
        count = 1 << (some.stop - at).bit_length() - 1
        piece = made
        if count < lanes:
            piece = row.w.op(f"shufflevector {whole} {made}, {whole} poison, {mask(range(at, at + count))}")
        place = row.floats(there, str(at - some.start))
        row.w.line(f"store {vector(count, 'float')} {piece}, ptr {place}, align 4")
        at += count


def store_parts(row: RowWriter, made: str, channels: tuple[int, int], parts: Parts, pixels: Sequence[str]) -> None:
    """Store a vector of channels of a pixel.

    Args:
        channels: its first one, counted as those of `parts` are, and how many.
        pixels: where the pixel begins in the array of each part.
    """
    at, lanes = channels
    for pixel, (first, count, _) in zip(pixels, parts, strict=True):
        low, high = max(first, at), min(first + count, at + lanes)
        if low < high:
            store_pieces(row, made, lanes, range(low - at, high - at), row.floats(pixel, str(low - first)))


def tile(what: Tile, target: Target) -> Function:
    """The function that makes one tile of a row's channels, for all its pixels; it returns how many channels."""
    made = _TileWriter(what, target)
    made.write()
    return made.row.function(what.name, f"{ARGUMENTS}, ptr %weights, i64 %channel", "i64")


@dataclass(frozen=True, slots=True)
class _Sum:
    """A register: `lanes` channels from `at` on of a tile, of one pixel, or of two where that fills the register."""

    pixels: tuple[int, ...]
    at: int
    lanes: int


class _TileWriter:
    def __init__(self, tile: Tile, target: Target) -> None:
        self.tile, self.target = tile, target
        self.row = RowWriter(target, tile.epilogue, tile.steps, tile.ends)

    def write(self) -> None:
        row, w = self.row, self.row.w
        self.runs = row.job("runs")
        self.step_in, self.step_out = row.step_in, row.step_out
        self.step_run = row.field("step_run") if self.tile.grouped else "1"
        self.run, self.last = row.field("run"), row.field("run_last")
        taps = w.op(f"mul i64 {row.field('rows')}, {row.field('taps')}")
        blocks = row.field("blocks")
        self.count = w.op(f"mul i64 {taps}, {blocks}")
        self.full = w.op(f"sub i64 {self.count}, {taps}")
        self.parts = part_places(row, self.tile.parts, self.tile.pitch)
        self.out = "null" if self.parts else row.row(row.bank("bank_out"), "1", self.tile.epilogue.root.dtype)
        row.operands()
        self.bias = row.floats(row.field("bias", "ptr"), "%channel")
        row.across(row.field("width"), self.tile.forms, self._tile)
        w.line(f"ret i64 {sum(self.tile.widths)}")

    def _vectors(self) -> list[tuple[int, int]]:
        """(channel of the tile, lanes) of each vector."""
        return [(sum(self.tile.widths[:k]), lanes) for k, lanes in enumerate(self.tile.widths)]

    def _sums(self, pixels: int) -> list[_Sum]:
        """What is summed in registers for so many pixels, in the order in which it is carried."""
        if not self.tile.paired:
            return [_Sum((j,), at, lanes) for j in range(pixels) for at, lanes in self._vectors()]
        *whole, (last, short) = self._vectors()
        made = [_Sum((j,), at, lanes) for j in range(pixels) for at, lanes in whole]
        return made + [_Sum((j, min(j + 1, pixels - 1)), last, short) for j in range(0, pixels, 2)]

    def _tile(self, x: str, pixels: int) -> None:
        row, w = self.row, self.row.w
        first = w.op(f"mul i64 {x}, {self.step_in}")
        if self.tile.grouped:
            first = w.op(f"add i64 {first}, %channel")
        offsets = row.times(self.step_in, pixels)
        sums = self._sums(pixels)
        types = [vector(one.lanes * len(one.pixels), "float") for one in sums]
        bias = {at: row.load(row.floats(self.bias, str(at)), lanes) for at, lanes in self._vectors()}
        firsts = [bias[s.at] if len(s.pixels) == 1 else self._twice(bias[s.at], s.lanes) for s in sums]
        carried = list(zip(["ptr", *types], ["%weights", *firsts], strict=True))
        totals = self._summed(sums, carried, first, offsets)
        results = row.results(x, pixels, self.out, self.step_out)
        by = int(self.step_out) // self.tile.pitch if self.parts else 0  # pixels of the arrays a pixel of the row
        arrays = [row.floats(array, w.op(f"mul i64 {x}, {by * count}"))
                  for array, (_, count, _) in zip(self.parts, self.tile.parts, strict=True)]  # fmt: skip
        for one, total in zip(sums, totals, strict=True):
            channel = w.op(f"add i64 %channel, {one.at}")
            for k, j in enumerate(dict.fromkeys(one.pixels)):
                own = total if len(one.pixels) == 1 else self._half(total, one.lanes, k)
                if not arrays:
                    row.finish(own, one.lanes, results[j], channel, handed=self._handed(one.lanes), at=one.at)
                    continue
                made = row.ended(own, one.lanes, results[j], channel, one.at)
                places = [row.floats(array, str(j * by * count))
                          for array, (_, count, _) in zip(arrays, self.tile.parts, strict=True)]  # fmt: skip
                store_parts(row, made, (one.at, one.lanes), self.tile.parts, places)

    def _handed(self, lanes: int) -> bool:
        """Whether one more operation before each store makes a tile faster: where its epilogue has fewer than two.

        Of the time without it on Zen 3 (in turns): no epilogue .88 to .91, relu .88 to .98; but residual sums alone
        1.07, relu behind them 1.02, relu6 1.03, PReLU 1.12, and depthwise layers 1.02.
        """
        epilogue = self.tile.epilogue
        whole = lanes == self.target.lanes and epilogue.root.dtype == F32
        return self.target.handing and whole and epilogue.operations < 2 and not epilogue.beside

    def _summed(
        self, sums: Sequence[_Sum], carried: list[tuple[str, str]], first: str, offsets: Sequence[str]
    ) -> list[str]:  # fmt: skip
        """All runs of all sums; `carried` are the weights and the sums before, as (type, value)."""
        row, w = self.row, self.row.w
        types, values = (list(some) for some in zip(*carried, strict=True))

        def place_of(number: str) -> str:
            """Where a run begins for the tile's first pixel."""
            begin = w.op(f"load ptr, ptr {w.op(f'getelementptr ptr, ptr {self.runs}, i64 {number}')}, align 8")
            return row.floats(begin, first)

        if self.tile.sums:
            runs, steps = self.tile.sums
            for number in range(runs):
                values = self._steps(sums, place_of(str(number)), offsets, "0", values, steps)
            return values[1:]
        with w.turns("run", self.count, carried) as run:
            place = place_of(run.index)
            short = w.op(f"icmp sge i64 {run.index}, {self.full}")
            length = w.op(f"select i1 {short}, i64 {self.last}, i64 {self.run}")
            whole = w.op(f"and i64 {length}, {-UNROLLED}")
            with w.turns("step", whole, list(zip(types, run.values, strict=True)), UNROLLED) as several:
                several.next = self._steps(sums, place, offsets, several.index, several.values, UNROLLED)
            rest = w.op(f"sub i64 {length}, {whole}")
            with w.turns("rest", rest, list(zip(types, several.values, strict=True))) as single:
                c = w.op(f"add i64 {whole}, {single.index}")
                single.next = self._steps(sums, place, offsets, c, single.values, 1)
            run.next = single.values
        return run.values[1:]

    def _steps(
        self, sums: Sequence[_Sum], place: str, offsets: Sequence[str], c: str, values: Sequence[str], count: int
    ) -> list[str]:  # fmt: skip
        """`count` steps of all sums from input channel `c` of a run on; pixels lie at `offsets` from `place`."""
        row, w = self.row, self.row.w
        weights, *totals = values
        fours: list[str] = []
        for k in range(count):
            at = w.op(f"add i64 {c}, {k}") if k else c
            if k % 4 == 0:
                alone = self.tile.paired and len(self.tile.widths) == 1 and k + 4 <= count
                begin = row.floats(place, at)
                wide = 2 * self.tile.widths[0]
                fours = [self._four(row.floats(begin, offset), wide) for offset in offsets] if alone else []
            at = w.op(f"mul i64 {at}, {self.step_run}") if self.tile.grouped else at
            begin = row.floats(place, at)
            here = [row.floats(begin, offset) for offset in offsets]
            factors = {v: row.load(row.floats(weights, str(k * self.tile.room + v)), lanes)
                       for v, lanes in {one.at: one.lanes * len(one.pixels) for one in sums}.items()}  # fmt: skip
            given = [] if self.tile.grouped or fours else [w.op(f"load float, ptr {place}, align 4") for place in here]
            for n, one in enumerate(sums):
                if self.tile.grouped:
                    value = row.load(row.floats(here[one.pixels[0]], str(one.at)), one.lanes)
                elif fours:
                    value = self._picked([fours[j] for j in one.pixels], k % 4)
                else:
                    value = self._spread([given[j] for j in one.pixels], one.lanes)
                totals[n] = fused(w, self.target, one.lanes * len(one.pixels), value, factors[one.at], totals[n])
        return [row.floats(weights, str(count * self.tile.room)), *totals]

    def _twice(self, value: str, lanes: int) -> str:
        """A vector with each of its values twice."""
        return self._shuffled(value, "poison", lanes, mask(twice(lanes)))

    def _half(self, value: str, lanes: int, k: int) -> str:
        """The values of pixel `k` of two."""
        places = mask(4 * (c // 2) + 2 * k + c % 2 for c in range(lanes))
        return self._shuffled(value, "poison", 2 * lanes, places)

    def _spread(self, given: Sequence[str], lanes: int) -> str:
        """A value, or two in turn, in all lanes; `lanes` for each."""
        count = lanes * len(given)
        made = [self._all(value, count) for value in given]
        if len(made) == 1:
            return made[0]
        return self._shuffled(made[0], made[1], count, mask(k + k // 2 % 2 * count for k in range(count)))

    def _four(self, place: str, lanes: int) -> str:
        """Four channels of a pixel, again and again."""
        loaded = self.row.load(place, 4)
        return self._shuffled(loaded, "poison", 4, mask(k % 4 for k in range(lanes)))

    def _picked(self, fours: Sequence[str], k: int) -> str:
        """Channel `k` of four of two pixels, in a register that they share: a shuffle instead of two loads."""
        lanes = 2 * self.tile.widths[-1]
        places = mask(n // 4 * 4 + k + n // 2 % 2 * lanes for n in range(lanes))
        return self._shuffled(fours[0], fours[1], lanes, places)

    def _shuffled(self, a: str, b: str, lanes: int, places: str) -> str:
        type_ = vector(lanes, "float")
        return self.row.w.op(f"shufflevector {type_} {a}, {type_} {b}, {places}")

    def _all(self, value: str, lanes: int) -> str:
        """A vector of equal values."""
        w, type_ = self.row.w, vector(lanes, "float")
        first = w.op(f"insertelement {type_} poison, float {value}, i64 0")
        return w.op(f"shufflevector {type_} {first}, {type_} poison, {vector(lanes, 'i32')} zeroinitializer")
