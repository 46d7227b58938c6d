"""Layers as rows: which row kernel makes a layer, with which numbers, and how its maps must lie for that.

A `Network` is written layer by layer; whatever order its rows are made in afterwards
(`kernels.fusion.layers_schedule`), the bits are the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kernels.codegen import (
    layers_dense,
    layers_dense_int8,
    layers_depthwise,
    layers_depthwise_int8,
    layers_pairs,
)
from kernels.codegen.layers_across import Across, Turn
from kernels.codegen.layers_dense import Tile, float_tilings, tilings
from kernels.codegen.layers_dense_int8 import Int8Tile
from kernels.codegen.layers_depthwise import Depthwise
from kernels.codegen.layers_depthwise_int8 import Int8Depthwise
from kernels.codegen.layers_dot import FOUR
from kernels.codegen.layers_epilogue import COPIES, NOTHING, Epilogue
from kernels.codegen.layers_moves import MOST_TAPS, Move
from kernels.codegen.layers_pairs import Pairs
from kernels.codegen.layers_quantise import valued
from kernels.codegen.layers_record import BLOCK, CHANNELS, SEGMENTS
from kernels.codegen.layers_steps import Kernel
from kernels.codegen.layers_target import Target, forms
from kernels.codegen.layers_winograd import TilesIn, TilesOut
from kernels.errors import DefinitionError
from kernels.fusion.layers import Look, Map, Place
from kernels.fusion.layers_schedule import LINE, plane_steps
from kernels.ir.expr import Expr
from kernels.ir.image import F32, I32, U8, DType

Array = npt.NDArray[Any]
T = TypeVar("T", Tile, Int8Tile)
LARGEST_TAPS = 7
"""Taps of a depthwise kernel along an axis, at most: its text grows with their product."""


def roomy(channels: int) -> int:
    """Values that a pixel of so many channels takes."""
    return -(-channels // CHANNELS) * CHANNELS


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Rows that one kernel makes (see `kernels.codegen.layers_record`).

    Args:
        kernels: the row kernel; of dense layers its tiles, and `counts` of them.
        size: (rows, pixels a row).
        channels: that are made.
        looks: at what is summed, then one for each of the epilogue's further rows.
        run: (blocks, steps of the sum in a block's tap, in the last block's), `step_run` values apart.
        weights: as the kernel reads them, f32, bytes of i8 ones, or i32 for a list of channels.
        bias: a value a channel, and more up to `roomy(channels)`; `tables`, the epilogue's constants, alike.
        scalars: the epilogue's other constants, 32 bits each.
        joined: whether the taps of a row are one run in the order of the weights already.
        given: the weights of a dense layer of f32 as they came, (F, rows, columns, C).
        groups: rows of `size` that it makes at once, side by side (`kernels.codegen.layers_winograd`), each with
            weights of its own where it sums.
        value: what it is for, where a body was lowered: a contraction, or what is moved or computed besides.
    """

    kernels: tuple[Kernel, ...]
    counts: tuple[int, ...]
    size: tuple[int, int]
    channels: int
    place: Place
    looks: tuple[Look, ...]
    run: tuple[int, int, int] = (1, 1, 1)
    step_run: int = 1
    weights: Array = field(default_factory=lambda: np.zeros(0, np.float32))
    bias: Array = field(default_factory=lambda: np.zeros(0, np.float32))
    tables: tuple[Array, ...] = ()
    scalars: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    joined: bool = False
    given: Array | None = None
    groups: int = 1
    value: Expr | None = None

    @property
    def module(self) -> str:
        """What kind of layer it is: "DW", "PW", "conv" or "move"."""
        match self.kernels[0]:
            case Move() | Turn() | TilesIn() | TilesOut():
                return "move"
            case Depthwise() | Pairs() | Int8Depthwise():
                return "DW"
        return "PW" if self.looks[0].taps == (1, 1) else "conv"

    @property
    def weight_bytes(self) -> int:
        """Of its weights, and of all else that is the same for every row: biases, tables, constants."""
        return sum(one.nbytes for one in (self.weights, self.bias, self.scalars, *self.tables))


@dataclass(frozen=True, slots=True)
class Taps:
    """Where a convolution looks at its map.

    Args:
        at: the row and column of the first tap of pixel (0, 0): negative with padding.
        stride: rows and pixels from one place to the next.
        dilation: from one tap to the next.
        groups: of channels, each with weights of its own.
        first: of the channels that are looked at; None where they are all that the map has.
    """

    at: tuple[int, int] = (0, 0)
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    groups: int = 1
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """What follows the sums of a layer.

    Args:
        epilogue: what is made of a sum; None for nothing more.
        beside: what its further rows are; one of fewer channels ends in zeros.
        tables: its constants a channel.
        scalars: its constants of the layer, 32 bits each.
    """

    epilogue: Epilogue | None = None
    beside: Sequence[Look] = ()
    tables: Sequence[npt.ArrayLike] = ()
    scalars: npt.ArrayLike = ()


AT_ONCE = Taps()
PLAIN = Ending()


def _filled(values: npt.ArrayLike, channels: int, dtype: DType = F32) -> Array:
    """Values a channel, with zeros behind them up to the pixel's room."""
    made = np.zeros(roomy(channels), dtype.numpy)
    made[:channels] = values
    return made


@dataclass(frozen=True, slots=True)
class _Phase:
    """Places along an axis of a transposed convolution that the same taps hit.

    Args:
        first, by, count: which places.
        taps: these taps.
        at, stride, dilation: where they look.
    """

    first: int
    by: int
    count: int
    taps: slice
    at: int = 0
    stride: int = 1
    dilation: int = 1


def _phases(size: int, taps: int, up: int, at: int, stride: int, dilation: int) -> list[_Phase]:
    """Place y looks at (y*stride + at + j*dilation) / up, for the taps j at which that is whole."""
    by, step = up // math.gcd(stride, up), up // math.gcd(dilation, up)
    made = []
    for first in range(min(by, size)):
        begin = first * stride + at
        count = -(-(size - first) // by)
        hit = next((j for j in range(min(step, taps)) if (begin + j * dilation) % up == 0), None)
        if hit is None:
            made.append(_Phase(first, by, count, slice(0)))
            continue
        made.append(_Phase(first, by, count, slice(hit, None, step), (begin + hit * dilation) // up, by * stride // up,
                           step * dilation // up))  # fmt: skip
    return made


@dataclass(slots=True)
class Network:
    """Maps and layers, in an order in which each can be made.

    Args:
        target: the processor that weights are packed for.
        filled: map -> what it holds for ever.
    """

    target: Target
    maps: list[Map] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    filled: dict[int, Array] = field(default_factory=dict)

    def map(self, height: int, width: int, channels: int, pitch: int = 0, **how: Any) -> int:
        """A map that is filled from outside or by layers that name it; returns its number."""
        own = channels if how.get("bank") else roomy(channels)
        self.maps.append(Map(height, width, channels, pitch or own, **how))
        return len(self.maps) - 1

    @property
    def runs(self) -> int:
        """Addresses that the layer with the most runs needs room for."""
        return max((layer.run[0] * layer.looks[0].taps[0] * layer.looks[0].taps[1] for layer in self.layers), default=0)

    def convolution(
        self, source: int, weights: Array, bias: npt.ArrayLike, size: tuple[int, int], taps: Taps = AT_ONCE,
        ending: Ending = PLAIN, into: Place | None = None,
    ) -> int:  # fmt: skip
        """A convolution: bias, then blocks of 64 input channels of a group, in them rows, columns and channels.

        Args:
            weights: (F, rows, columns, C / groups), f32.
            size: (height, width) of the result.
            into: where the result goes; a map of its own without.

        Returns: the map.

        Raises:
            DefinitionError: the weights do not fit the map, or the result does not fit its place.
        """
        f, rows, columns, each = weights.shape
        epilogue, stride, dilation, groups = ending.epilogue or NOTHING, taps.stride, taps.dilation, taps.groups
        here = self.maps[source]
        seen = here.channels if taps.first is None else min(each * groups, here.channels - taps.first)
        if seen != each * groups or f % groups:
            raise DefinitionError(f"weights of {f} x {rows} x {columns} x {each} in {groups} groups do not fit a map "
                                  f"of {here.channels} channels")  # fmt: skip
        if here.bank and here.channels % CHANNELS:
            raise DefinitionError(f"a map of {here.channels} channels in memory of others must be copied first")
        look = Look(source, (rows, columns), taps.at, stride, dilation, taps.first or 0)
        beside = list(ending.beside)
        listed, numbers = tuple(_filled(table, f) for table in ending.tables), np.asarray(ending.scalars)
        if groups == seen == f and max(rows, columns) <= LARGEST_TAPS:
            beside = [self._wide(one, f) for one in beside]
            pixels = forms(size[1], self.target.alone)
            kernel = Depthwise((rows, columns), pixels, stride[1], dilation[1], epilogue)
            packed = layers_depthwise.pack(weights[..., 0], self.target)
            place = self._place(into, size, f, epilogue.root.dtype)
            self.layers.append(Layer((kernel,), (), size, roomy(f), place, (look, *beside), weights=packed,
                                     bias=_filled(bias, f), tables=listed, scalars=numbers))  # fmt: skip
            return place.map
        if groups > 1 and (f // groups) % CHANNELS == 0:
            place = self._place(into, size, f, epilogue.root.dtype)
            per = f // groups
            for g in range(groups):
                part = slice(g * per, (g + 1) * per)
                own = replace(look, channel=look.channel + g * each)
                others = [replace(one, channel=one.channel + g * per) for one in beside]
                to = replace(place, channel=place.channel + g * per)
                end = Ending(epilogue, others, tuple(table[part] for table in listed), numbers)
                self.layers.append(self.dense(own, weights[part], np.asarray(bias, np.float32)[part], size, end, to))
            return place.map
        if groups > 1:
            # Groups that fill no vector: the input channels are laid out anew, so that each output lane finds its own,
            # and all lanes take the same steps.
            order = layers_dense.spread(seen, groups, f)
            wide = self.map(here.height, here.width, len(order), outside=here.outside)
            self.layers.append(Layer((Move("gather"),), (), (here.height, here.width), len(order), Place(wide),
                                     (Look(source, channel=look.channel),), weights=order))  # fmt: skip
            look = replace(look, map=wide, channel=0)
        place = self._place(into, size, f, epilogue.root.dtype)
        end = Ending(epilogue, beside, listed, numbers)
        made = self.dense(look, weights, bias, size, end, place, grouped=groups > 1)
        self.layers.append(made)
        return place.map

    def int8_convolution(
        self, source: int, weights: Array, bias: npt.ArrayLike, size: tuple[int, int], taps: Taps = AT_ONCE,
        ending: Ending = PLAIN, into: Place | None = None,
    ) -> int:  # fmt: skip
        """A convolution of a map of u8 with weights (F, rows, columns, C / groups) of i8, exact in i32 modulo 2**32,
        from `bias` (i32) on; see `convolution`.

        Raises:
            DefinitionError: the weights do not fit the map, or the result does not fit its place.
        """
        f, rows, columns, each = weights.shape
        epilogue, stride, dilation, groups = ending.epilogue or COPIES[I32], taps.stride, taps.dilation, taps.groups
        here = self.maps[source]
        seen = here.channels if taps.first is None else min(each * groups, here.channels - taps.first)
        if seen != each * groups or f % groups or weights.dtype != np.int8 or here.dtype != U8 or here.bank:
            raise DefinitionError(f"weights of {f} x {rows} x {columns} x {each} in {groups} groups do not fit a map "
                                  f"of {here.channels} channels of {here.dtype}")  # fmt: skip
        look = Look(source, (rows, columns), taps.at, stride, dilation, taps.first or 0)
        depthwise = groups == seen == f and max(rows, columns) <= LARGEST_TAPS
        looks = (look, *(self._wide(one, f) if depthwise else one for one in ending.beside))
        numbers = np.asarray(ending.scalars)
        filled, start = [_filled(t, f) for t in ending.tables], _filled(bias, f, I32)
        place = self._place(into, size, f, epilogue.root.dtype)
        self.maps[place.map].clear = into is None and self._keeps_zeros(f, epilogue, looks[1:], numbers)
        if depthwise:
            kernel = Int8Depthwise((rows, columns), stride[1], dilation[1], epilogue)
            packed = layers_depthwise_int8.pack(weights[..., 0], self.target)
            self.layers.append(Layer((kernel,), (), size, roomy(f), place, looks, weights=packed, bias=start,
                                     tables=tuple(filled), scalars=numbers))  # fmt: skip
            return place.map
        # Groups that together make whole vectors are a layer that has weights of 0 between them.
        per = f // groups
        some = min(groups, math.lcm(per, CHANNELS) // per)
        for begin in range(0, groups, some):
            count = min(some, groups - begin)
            g, channel = slice(begin * per, (begin + count) * per), begin * per
            own = np.zeros((count, per, rows, columns, count, each), np.int8)
            each_group = np.arange(count)
            own[each_group, :, :, :, each_group] = weights[g].reshape(count, per, rows, columns, each)
            own = own.reshape(count * per, rows, columns, count * each)
            joined = groups == 1 and each % CHANNELS != 0 and here.pitch == each and dilation[1] == 1
            steps = -(-(count * each * columns if joined else count * each) // FOUR)
            others = [replace(one, channel=one.channel + channel) for one in looks[1:]]
            cut = self._ending([(Int8Tile(widths, epilogue), n) for widths, n in tilings(count * per, self.target)],
                               others, count * per)  # fmt: skip
            room = slice(channel, channel + roomy(count * per))
            self.layers.append(Layer(
                tuple(tile for tile, _ in cut), tuple(n for _, n in cut), size,
                roomy(count * per), replace(place, channel=place.channel + channel),
                (replace(look, channel=look.channel + begin * each), *others), (1, steps, steps), joined=joined,
                weights=layers_dense_int8.pack(own, self.target, joined), bias=start[room],
                tables=tuple(table[room] for table in filled), scalars=numbers,
            ))  # fmt: skip
        return place.map

    def dense(
        self, look: Look, weights: Array, bias: npt.ArrayLike, size: tuple[int, int], ending: Ending, place: Place,
        grouped: bool = False,
    ) -> Layer:  # fmt: skip
        """A dense layer of f32, which is not added; see `convolution`.

        Args:
            ending: its tables filled up to the room of a pixel.
            grouped: whether each output channel has input channels of its own (`layers_dense.spread`).
        """
        epilogue = ending.epilogue or NOTHING
        f, rows, columns, c = weights.shape
        blocks, steps = -(-c // BLOCK), rows * columns * c
        pixels = forms(size[1], self.target.pixels_of(steps))[0]
        cut = self._ending([(Tile.of(self.target, widths, size[1], grouped, epilogue, steps), count)
                            for widths, count in float_tilings(f, self.target, pixels)], ending.beside, f)  # fmt: skip
        run = (blocks, min(c, BLOCK), c - (blocks - 1) * BLOCK)
        packed = layers_dense.pack(weights, cut)
        kernels, counts = zip(*cut, strict=True)
        tables, scalars = tuple(map(np.asarray, ending.tables)), np.asarray(ending.scalars)
        return Layer(kernels, counts, size, roomy(f), place, (look, *ending.beside), run, roomy(f) if grouped else 1,
                     packed, _filled(bias, f), tables, scalars, given=None if grouped else weights)  # fmt: skip

    def _ending(self, cut: Sequence[tuple[T, int]], beside: Sequence[Look], f: int) -> list[tuple[T, int]]:
        """The tiles, so many of each, of a layer of `f` channels; those behind the channels of a further row look at
        nothing there."""
        there = [self.maps[look.map].channels - look.channel for look in beside]
        if all(n >= f for n in there):
            return list(cut)
        made: list[tuple[T, int]] = []
        first = 0
        for tile, count in cut:
            for _ in range(count):
                ends = tuple(tile.width if n >= f else min(max(n - first, 0), tile.width) for n in there)
                own = replace(tile, ends=ends if min(ends) < tile.width else ())
                first += tile.width
                if made and made[-1][0] == own:
                    made[-1] = own, made[-1][1] + 1
                else:
                    made.append((own, 1))
        assert len(made) <= SEGMENTS  # four kinds of tiles, and two more for each of BESIDE rows
        return made

    def move(
        self, looks: Sequence[Look], size: tuple[int, int], channels: int, *, kind: str = "sum",
        epilogue: Epilogue | None = None, tables: Sequence[npt.ArrayLike] = (), scalars: npt.ArrayLike = (),
        into: Place | None = None, outside: float = 0.0,
    ) -> int:  # fmt: skip
        """Taps of one map folded ("sum", "max", "min": along, then down; one tap is a copy), then an epilogue; returns
        the map.

        Args:
            looks: at what is folded, then at each of the epilogue's further rows.
            scalars: the epilogue's constants of the layer, 32 bits each.
            outside: beyond the edges of the map that is made.

        Raises:
            DefinitionError: there are too many taps both ways.
        """
        looks = [looks[0], *(self._wide(look, channels) for look in looks[1:])]
        epilogue = epilogue or COPIES[self.maps[looks[0].map].dtype]
        place = into or Place(self.map(*size, channels, outside=outside, dtype=epilogue.root.dtype))
        taps = looks[0].taps
        if min(taps) > 1 and taps[0] * taps[1] > MOST_TAPS:
            raise DefinitionError(f"a window of {taps[0]} x {taps[1]} must be folded along first, then down")
        there = self.maps[place.map]
        ends = place.channel + channels == there.channels
        exact = not (ends and self._roomy(place, channels) and all(self._roomy(look, channels) for look in looks))
        there.clear = there.clear or into is None
        kernel = Move.of(self.target, kind, taps, size[1], channels, exact, epilogue)
        listed = tuple(_filled(table, channels) for table in tables)
        self.layers.append(Layer((kernel,), (), size, channels, place, tuple(looks), tables=listed,
                                 scalars=np.asarray(scalars)))  # fmt: skip
        return place.map

    def _roomy(self, one: Look | Place, channels: int) -> bool:
        """Whether pixels have room for whole vectors of channels."""
        there = self.maps[one.map]
        return not there.bank and one.channel + roomy(channels) <= there.pitch

    def _cleared(self, number: int) -> bool:
        """Whether zeros follow the channels of a map, as moves leave them; the layers that compute need not."""
        writers = [layer.kernels[0] for layer in self.layers if layer.place.map == number]
        return self.maps[number].clear or all(isinstance(kernel, Move) for kernel in writers)

    def _keeps_zeros(self, channels: int, epilogue: Epilogue, looks: Sequence[Look], scalars: Array) -> bool:
        """Whether a layer of whole numbers whose sums are 0 behind its channels, and which looks at these maps, makes
        zeros there."""
        seen = [(look, self.maps[look.map]) for look in looks]
        clear = all(
            there.channels - look.channel < channels
            or (there.clear and not look.channel and there.channels == channels)
            for look, there in seen
        )
        known = {leaf: np.zeros(1, leaf.dtype.numpy) for leaf in epilogue.leaves}
        known |= {leaf: scalars[number : number + 1].view(leaf.dtype.numpy) for number, leaf in epilogue.scalar_leaves}
        return clear and not valued(epilogue.root, known).any()

    def spread(self, look: Look, size: tuple[int, int], channels: int, into: Place) -> None:
        """One channel of a map in all channels of another."""
        self.listed(look, size, np.zeros(channels, np.int32), into)

    def listed(self, look: Look, size: tuple[int, int], order: Array, into: Place) -> None:
        """Channels of a map by their numbers."""
        copy = COPIES[self.maps[look.map].dtype]
        self.layers.append(Layer((Move("gather", epilogue=copy),), (), size, len(order), into, (look,), weights=order))

    def rearranged(self, sources: Sequence[Look], channels: Sequence[int], index: Array, into: Place) -> None:
        """Values of maps by their numbers.

        Args:
            sources: looks at the maps, whose rows are all looked at.
            channels: of each map that are numbered, from the look's on.
            index: (height, width, channels) of numbers, i32, of values in the order map, row, pixel, channel.
        """
        seen = [self.maps[look.map] for look in sources]
        # The copy's rows are all there, at steps that are known here: nobody else looks at it, or makes it wider.
        rows, columns = sum(there.height for there in seen), max(there.width for there in seen)
        pitch, dtype = roomy(max(channels)), seen[0].dtype
        whole = self.map(rows, columns, max(channels), pitch, kept=True, tight=True, dtype=dtype)
        line = -(-columns * pitch // LINE) * LINE
        places: list[Array] = []
        first = 0
        for look, there, count in zip(sources, seen, channels, strict=True):
            self.move([look], (there.height, there.width), count, into=Place(whole, at=(first, 0)))
            row, column, channel = np.ix_(np.arange(there.height) + first, np.arange(there.width), np.arange(count))
            places.append((row * line + column * pitch + channel).ravel())
            first += there.height
        height, width, made = index.shape
        numbers = self.map(height, width, made, kept=True, dtype=I32)
        self.filled[numbers] = np.concatenate(places)[index].astype(np.int32)
        looks = (Look(whole, (rows, 1), stride=(0, 0)), Look(numbers))
        kernel = Move("table", epilogue=COPIES[dtype])
        self.layers.append(Layer((kernel,), (), (height, width), made, into, looks))

    def product(self, first: int, second: int, size: tuple[int, int], channels: int) -> int:
        """The product of matrices (row, k) and (k, channel), one for each pixel of a row; returns its map.

        Args:
            first: a map of `size`, k its channels; `second`: one of rows k, of as many pixels or one.
        """
        inner, across = self.maps[second].height, int(self.maps[second].width > 1)
        made = self.map(*size, channels)
        kernel = Move.of(self.target, "product", (inner, 1), size[1], channels, False, NOTHING)
        looks = (Look(second, (inner, 1), stride=(0, across)), Look(first))
        self.layers.append(Layer((kernel,), (), size, channels, Place(made), looks))
        return made

    def stack(self, sources: Sequence[int]) -> int:
        """The channels of maps of one size, one after another."""
        first = self.maps[sources[0]]
        made = self.map(first.height, first.width, sum(self.maps[s].channels for s in sources), dtype=first.dtype)
        done = 0
        for source in sources:
            channels = self.maps[source].channels
            self.move([Look(source)], (first.height, first.width), channels, into=Place(made, channel=done))
            done += channels
        return made

    def repeated(self, source: int, times: tuple[int, int]) -> int:
        """Every row and pixel so many times (nearest neighbour)."""
        here = self.maps[source]
        made = self.map(here.height * times[0], here.width * times[1], here.channels, dtype=here.dtype)
        for k in range(times[1]):
            self.move([Look(source, repeat=times[0])], (here.height * times[0], here.width), here.channels,
                      into=Place(made, at=(0, k), stride=(1, times[1])))  # fmt: skip
        return made

    def transposed(
        self, source: int, weights: Array, bias: npt.ArrayLike, size: tuple[int, int], up: tuple[int, int],
        taps: Taps = AT_ONCE, ending: Ending = PLAIN, into: Place | None = None, middle: int = 0,
    ) -> int:  # fmt: skip
        """A transposed convolution, as `kernels.ir.volumes.Contract` says it by `up`: pixel y sums row
        (y*stride + at[0] + j*dilation) / up[0] times the taps j at which that is whole, columns alike. Each phase of
        rows and columns is a convolution of its own.

        Args:
            weights: (F, rows, columns, C / groups), f32 or i8.
            middle: by how much more whole numbers lie in the map than they are.
        """
        whole = weights.dtype == np.int8
        f, epilogue = len(weights), ending.epilogue or (COPIES[I32] if whole else NOTHING)
        place = into or Place(self.map(*size, f, dtype=epilogue.root.dtype))
        along = zip(size, weights.shape[1:3], up, taps.at, taps.stride, taps.dilation, strict=True)
        axes = [_phases(*axis) for axis in along]
        for y in axes[0]:
            for x in axes[1]:
                (py, px), (sy, sx) = place.at, place.stride
                there = replace(place, at=(py + y.first * sy, px + x.first * sx), stride=(y.by * sy, x.by * sx))
                part = weights[:, y.taps, x.taps]
                start = np.asarray(bias) - middle * part.sum((1, 2, 3), dtype=np.int64) if middle else np.asarray(bias)
                if not part.size:  # no tap hits these
                    self._filling(start, (y.count, x.count), there, ending, I32 if whole else F32)
                    continue
                # Sums of i8 are exact modulo 2**32, so their start may wrap round as well.
                write = self.int8_convolution if whole else self.convolution
                write(source, part, (start + 2**31) % 2**32 - 2**31 if middle else start, (y.count, x.count),
                      replace(taps, at=(y.at, x.at), stride=(y.stride, x.stride), dilation=(y.dilation, x.dilation)),
                      ending, there)  # fmt: skip
        return place.map

    def _filling(self, values: Array, size: tuple[int, int], into: Place, end: Ending, dtype: DType) -> None:
        """The same value a channel, and what an epilogue makes of it, everywhere."""
        same = self.map(1, 1, len(values), kept=True, dtype=dtype)
        self.filled[same] = values.reshape(1, 1, -1)
        # With a stride of 0 the one pixel is seen from everywhere.
        self.move([Look(same, stride=(0, 0))], size, len(values), epilogue=end.epilogue, tables=end.tables,
                  scalars=end.scalars, into=into)  # fmt: skip

    def _wide(self, look: Look, channels: int) -> Look:
        """A further row of at least so many channels: zeros follow its own."""
        here = self.maps[look.map]
        if look.channel + channels <= here.channels:
            return look
        # Whole vectors are loaded of it, and what lies behind its last channel is computed with; it has to be 0 and not
        # what a layer happened to leave there.
        rest = here.channels % CHANNELS and not self._cleared(look.map)
        if rest or here.bank or here.tight:
            made = self.map(here.height, here.width, here.channels, outside=here.outside, dtype=here.dtype)
            self.move([Look(look.map)], (here.height, here.width), here.channels, into=Place(made))
            look = replace(look, map=made)
            here = self.maps[made]
        here.pitch = max(here.pitch, look.channel + roomy(channels))
        return look

    def settled(self) -> list[Layer]:
        """The layers, all maps being known: those that compute get code for their steps from pixel to pixel, depthwise
        ones take pixels in pairs where these fill vectors, dense ones write the arrays that their channels go into."""
        # Only now: later layers may have asked for wider pixels of a map (`_wide`), and steps are part of the code.
        lines = plane_steps(self)
        return [self._paired(layer) or self._parted(self._stepping(layer, lines)) for layer in self.layers]

    def steps(self, layer: Layer) -> tuple[int, ...]:
        """Values from pixel to pixel of what a layer looks at, of what it makes, and of its further rows."""
        place, (look, *beside) = layer.place, layer.looks
        made = [(look.map, look.stride[1]), (place.map, place.stride[1]), *((b.map, b.stride[1]) for b in beside)]
        return tuple(self.maps[number].pitch * stride for number, stride in made)

    def _paired(self, layer: Layer) -> Layer | None:
        kernel, pitch = layer.kernels[0], layer.channels
        if not isinstance(kernel, Depthwise) or kernel.stride != 1 or set(self.steps(layer)) != {pitch}:
            return None
        if layer.place.channel or any(look.channel for look in layer.looks):
            return None
        made = Pairs.of(self.target, kernel.taps, pitch, layer.size[1], kernel.dilation, kernel.epilogue)
        if made is None:
            return None
        weights = layers_depthwise.unpacked(layer.weights, pitch, kernel.taps, self.target)
        return replace(layer, kernels=(made,), weights=layers_pairs.pack(weights), bias=np.tile(layer.bias, 2),
                       tables=tuple(np.tile(table, 2) for table in layer.tables))  # fmt: skip

    def _stepping(self, layer: Layer, lines: Sequence[int]) -> Layer:
        steps = self.steps(layer)
        first, seen, made = layer.kernels[0], lines[layer.looks[0].map], lines[layer.place.map]
        if isinstance(first, Turn):
            return replace(layer, kernels=(replace(first, step=steps[0], line=made),))
        if isinstance(first, Across):
            tiles = (replace(k, line=seen, made=made, step=steps[1]) for k in layer.kernels if isinstance(k, Across))
            return replace(layer, kernels=tuple(tiles), step_run=seen)
        if isinstance(first, TilesIn):
            pixel, group = self.maps[layer.looks[0].map].pitch, self.group(layer.place.map, first.groups)
            return replace(layer, kernels=(replace(first, pixel=pixel, group=group),))
        if isinstance(first, TilesOut):
            group = self.group(layer.looks[0].map, first.groups)
            return replace(layer, kernels=(replace(first, group=group, steps=steps),))
        rows, taps, blocks, _, last = self.runs_of(layer)
        short = blocks == 1 and last < layers_dense.UNROLLED and rows * taps * last <= layers_dense.SHORT
        sums = (rows * taps, last) if short else ()
        kernels = (replace(k, steps=steps, sums=sums) if isinstance(k, Tile) else
                   replace(k, steps=steps) if isinstance(k, Depthwise) else k for k in layer.kernels)  # fmt: skip
        return replace(layer, kernels=tuple(kernels))

    def group(self, number: int, groups: int) -> int:
        """Values from group to group of a map that holds so many side by side."""
        there = self.maps[number]
        return there.width // groups * there.pitch

    def runs_of(self, layer: Layer) -> tuple[int, int, int, int, int]:
        """The runs of a layer's sums: rows, taps, blocks, steps of a run, and of one of the last block.

        Taps that lie side by side in a dense layer are one run, and so are blocks of a single tap: the same steps in
        the same order, in a longer loop.
        """
        (rows, taps), (blocks, run, last), kernel = layer.looks[0].taps, layer.run, layer.kernels[0]
        if layer.joined:
            return rows, 1, blocks, run, last
        if not isinstance(kernel, Tile | Across | Int8Tile):
            return rows, taps, blocks, run, last
        if rows == taps == 1:
            last += (blocks - 1) * run
            return 1, 1, 1, last, last
        room = run * (FOUR if isinstance(kernel, Int8Tile) else layer.step_run)
        if blocks == 1 and room == self.maps[layer.looks[0].map].pitch * layer.looks[0].dilation[1]:
            return rows, 1, 1, run * taps, run * taps
        return rows, taps, blocks, run, last

    def _parted(self, layer: Layer) -> Layer:
        there = self.maps[layer.place.map]
        if not there.parts:
            return layer
        made: list[Tile | Across | Int8Tile] = []
        channel = layer.place.channel
        for kernel, count in zip(layer.kernels, layer.counts, strict=True):
            assert isinstance(kernel, Tile | Across | Int8Tile)
            for _ in range(count):
                made.append(kernel.parted(there.parts, there.pitch, channel))
                channel += kernel.width
        return replace(layer, kernels=tuple(made), counts=(1,) * len(made))

    def leaves_apart(self, number: int, copies: Collection[int]) -> bool:
        """Whether the layers that make a map can write its channels into several arrays instead.

        Args:
            copies: layers that would be left out, by `id`.
        """
        there = self.maps[number]
        made = [layer for layer in self.layers if layer.place.map == number]
        whole = all(
            isinstance(kernel, Tile | Int8Tile) and not layer.place.channel and layer.channels == roomy(there.channels)
            for layer in made for kernel in layer.kernels
        )  # fmt: skip
        few = all(sum(layer.counts) <= SEGMENTS for layer in made)
        return whole and few and self._unseen(number, copies)

    def divided(self, number: int, parts: Sequence[tuple[int, int]], copies: Collection[int]) -> bool:
        """Have the layers that make a map write into maps that hold but some of its channels, where each layer's are of
        one of these; returns whether that can be.

        Args:
            parts: (first channel, map), all channels of whole vectors.
            copies: layers that would be left out, by `id`.
        """
        if not self._unseen(number, copies):
            return False
        places: dict[int, Place] = {}
        for k, layer in enumerate(self.layers):
            if layer.place.map == number:
                begin, end = layer.place.channel, layer.place.channel + roomy(layer.channels)
                for first, own in parts:
                    if first <= begin and end <= first + self.maps[own].channels:
                        places[k] = replace(layer.place, map=own, channel=begin - first)
                if k not in places:
                    return False
        for k, place in places.items():
            self.layers[k] = replace(self.layers[k], place=place)
        return True

    def _unseen(self, number: int, copies: Collection[int]) -> bool:
        """Whether a map is none that others see, or any layer but some copies looks at."""
        there = self.maps[number]
        seen = any(look.map == number for layer in self.layers if id(layer) not in copies for look in layer.looks)
        return not seen and not there.bank and not there.kept

    def _place(self, into: Place | None, size: tuple[int, int], channels: int, dtype: DType = F32) -> Place:
        """Where a layer goes that stores whole vectors: its last one must have room."""
        if into is None:
            return Place(self.map(*size, channels, dtype=dtype))
        there = self.maps[into.map]
        last = into.channel + channels == there.channels
        if channels % CHANNELS and not (last and into.channel + roomy(channels) <= there.pitch):
            raise DefinitionError(f"{channels} channels cannot be stored at channel {into.channel} of a map of "
                                  f"{there.channels} before others; make a map of them and copy it")  # fmt: skip
        return into
