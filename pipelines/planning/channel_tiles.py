"""A layer of a network in tiles of rows, columns, output and input channels: what a small memory makes of it.

Where a memory holds neither the weights of a layer nor all of its maps, four loops over tiles go around the
multiply-adds: y, x (of the map that is made), o (its channels), i (channels of the map that is looked at). Whatever
their order is, what a tile needs of the map comes from outside at one place between the loops, and what it needs of the
weights at another:

* the map is loaded once for every turn of the loops outside its place; inside it all that the other loops look at
  stands, of the outermost of them along rows or columns a window that slides;
* weights likewise;
* sums stay until they are complete, if i is the innermost loop of several turns; else those of a tile leave and come
  back for all turns of i but one.

`best` finds the fewest bytes that go in and out, exact among all tiles, orders and places within the room: tiles that
make as many turns as others and are larger only take more room, and places that are inside a loop which does not change
what is loaded only load more often.

Source of the loops and places: Waeijen et al. 2021 (`kernels.fusion.models.convfusion`, which has the published model);
here turns at the edges count what they really look at, in bytes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kernels.fusion.models.layer import Layer

LOOPS = "yxoi"
SUM = 4
"""Bytes of a sum."""
ROUNDING = 1e-12
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ChannelTiles:
    """A layer in tiles; bytes a frame.

    Args:
        tile: rows, columns, output channels, input channels.
        turns: of the loop over each.
        order: the loops of several turns, outermost first.
        data_place, weights_place: how many of them are outside the place where the map, and weights, are loaded.
        data: that comes of the map that is looked at.
        weights: that comes of weights.
        sums: that leaves, and of what comes back before it is complete.
        held: at most at a time.
    """

    tile: tuple[int, int, int, int]
    turns: tuple[int, int, int, int]
    order: str
    data_place: int
    weights_place: int
    data: float
    weights: float
    sums: float
    held: float

    @property
    def moved(self) -> float:
        """All bytes."""
        return self.data + self.weights + self.sums


def tileable(layer: Layer) -> bool:
    """Whether each filter looks at all channels, or at one of its own, and makes a pixel of each place."""
    alone = layer.kind == "DW" and layer.channels == layer.channels_in
    return layer.up == (1, 1) and (alone or depth(layer) == layer.channels_in)


def depth(layer: Layer) -> int:
    """Input channels of a filter."""
    return layer.weights // layer.channels // math.prod(layer.taps)


@lru_cache(maxsize=4096)
def best(layer: Layer, item: int, weight: float, room: float) -> ChannelTiles | None:
    """The tiles that move least; None where not even the smallest have room.

    Args:
        layer: that is `tileable`; its name and neighbours do not count.
        item: bytes of a value of its maps.
        weight: bytes of a weight.
        room: bytes.
    """
    axes, found = _Axes(layer, item, weight), None
    alike = set[object]()
    for order in _orders(layer):
        for data, weights in axes.places(order):
            slides = order[data : data + 1] if order[data : data + 1] in ("y", "x") else ""
            same = frozenset(order), frozenset(order[:data]), frozenset(order[:weights]), slides, split(order)
            if same in alike:  # it moves and holds as much
                continue
            alike.add(same)
            made = axes.fewest(order, data, weights, room)
            if made is not None and (found is None or made.moved < found.moved * (1 - ROUNDING)):
                found = made
                if found.moved <= axes.least * (1 + ROUNDING):
                    return found
    return found


def split(order: str) -> bool:
    """Whether sums leave before they are complete: another loop goes on inside that over input channels."""
    return "i" in order and order[-1] != "i"


def _orders(layer: Layer) -> Iterator[str]:
    loops = LOOPS if depth(layer) > 1 else LOOPS[:3]
    for size in range(len(loops) + 1):
        for some in itertools.combinations(loops, size):
            yield from map("".join, itertools.permutations(some))


class _Axes:
    """A layer's loops."""

    def __init__(self, layer: Layer, item: int, weight: float) -> None:
        self.layer, self.item, self.weight = layer, item, weight
        self.alone = layer.kind == "DW"  # channels that are looked at go with those that are made
        self.full = dict(zip(LOOPS, (*layer.size, layer.channels, 1 if self.alone else depth(layer)), strict=True))
        self.looks = "yxo" if self.alone else "yxi"
        self.channels = self.full["o" if self.alone else "i"]

    @property
    def least(self) -> float:
        """Bytes that any tiles move: each once."""
        rows = self.layer.seen(*self.layer.size)
        return (math.prod(rows) * self.channels * self.item + self.layer.weights * self.weight
                + self.layer.ofm * self.item)  # fmt: skip

    def places(self, order: str) -> Iterator[tuple[int, int]]:
        """Places of the map and of the weights that lie inside no loop in vain."""
        data = [k for k in range(len(order) + 1) if not k or order[k - 1] in self.looks]
        weights = [k for k in range(len(order) + 1) if not k or order[k - 1] in "oi"]
        return itertools.product(data, weights)

    def fewest(self, order: str, data: int, weights: int, room: float) -> ChannelTiles | None:
        """The tiles with an order of loops, all of several turns, and with places that move least; of those that move
        as much, of the fewest turns."""
        tiles = {loop: _lengths(n) if loop in order else [n] for loop, n in self.full.items()}
        if not all(tiles.values()):
            return None
        grid = np.meshgrid(*(np.asarray(tiles[loop], float) for loop in "yxo"), indexing="ij")
        own = dict(zip("yxo", (axis.ravel() for axis in grid), strict=True))
        own["i"] = self._deepest(order, data, weights, own, np.asarray(tiles["i"], float), room)
        turns = {loop: np.ceil(self.full[loop] / own[loop]) for loop in LOOPS}
        held, came, weighed, left = self._bytes(order, data, weights, own, turns)
        moved = np.where(held <= room, came + weighed + left, np.inf)
        k = int(np.lexsort((np.prod([turns[loop] for loop in LOOPS], 0), moved))[0])
        if moved[k] == np.inf:
            return None
        sizes, counts = ([int(some[loop][k]) for loop in LOOPS] for some in (own, turns))
        return ChannelTiles(_four(sizes), _four(counts), order, data, weights, float(came[k]), float(weighed[k]),
                            float(left[k]), float(held[k]))  # fmt: skip

    def _deepest(
        self, order: str, data: int, weights: int, own: dict[str, Vector], lengths: Vector, room: float
    ) -> Vector:
        """Of each tile the most input channels that have room, for more of them never move more; what is held grows
        with them as a straight line."""
        turns = {loop: np.ceil(self.full[loop] / own[loop]) for loop in "yxo"}
        low, more = (
            self._bytes(order, data, weights, own | {"i": np.full_like(own["y"], n)}, turns | {"i": turns["y"]})[0]
            for n in (0.0, 1.0)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            most = np.where(more > low, (room - low) / (more - low), np.inf)
        return np.asarray(lengths[np.maximum(np.searchsorted(lengths, most, "right") - 1, 0)])

    def _bytes(
        self, order: str, data: int, weights: int, own: dict[str, Vector], turns: dict[str, Vector]
    ) -> tuple[Vector, Vector, Vector, Vector]:
        """Held, and moved of the map, of weights, of sums."""
        one = np.ones_like(own["y"])
        seen, window = one * self.channels, one
        for axis, loop in enumerate("yx"):
            whole = self._seen(axis, one * self.full[loop])
            last = self._seen(axis, self.full[loop] - (turns[loop] - 1) * own[loop])
            each = self._seen(axis, own[loop])
            outside = loop in order[:data]
            seen = seen * ((turns[loop] - 1) * each + last if outside else whole)
            window = window * (each if outside or order[data : data + 1] == loop else whole)
        channels = "o" if self.alone else "i"
        window = window * (own[channels] if channels in order[:data] else self.channels)
        came = seen * (one if self.alone or "o" not in order[:data] else turns["o"])
        part, weighed = one * math.prod(self.layer.taps), one * self.layer.weights
        for loop in "oi":
            part = part * (own[loop] if loop in order[:weights] else self.full[loop])
        for loop in "yx":
            weighed = weighed * (turns[loop] if loop in order[:weights] else one)
        made = one * self.layer.ofm * self.item
        left = made + (2 * (turns["i"] - 1) * self.layer.ofm * SUM if split(order) else 0.0)
        sums = own["y"] * own["x"] * own["o"] * SUM
        return window * self.item + part * self.weight + sums, came * self.item, weighed * self.weight, left

    def _seen(self, axis: int, count: Vector) -> Vector:
        """Rows, or columns, that so many look at; see `Layer.seen`."""
        layer = self.layer
        return np.minimum(layer.size_in[axis], layer.reach[axis] + (count - 1) * layer.stride[axis])


def _four(some: Sequence[int]) -> tuple[int, int, int, int]:
    rows, columns, outputs, inputs = some
    return rows, columns, outputs, inputs


def _lengths(count: int) -> list[int]:
    """Of tiles that make several turns, the shortest of each number of turns.

    >>> _lengths(7)
    [1, 2, 3, 4]
    """
    return sorted({-(-count // turns) for turns in range(2, count + 1)})


def sentence(made: ChannelTiles, layer: Layer) -> str:
    """What is chosen, for people."""
    rows, columns, outputs, inputs = made.tile
    taken = "" if layer.kind == "DW" else f" from {inputs} of {layer.channels_in}"
    words = f"tiles of {columns}x{rows} px, {outputs} of {layer.channels} channels{taken}, loops {made.order or 'none'}"
    for name, place, several in (("map", made.data_place, "comes"), ("weights", made.weights_place, "come")):
        words += f"; {name} {several} " + (f"for each {made.order[:place]}" if place else "once")
    return words
