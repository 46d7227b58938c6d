"""Where the way of a frame through a network is cut, so that the rows and weights at hand stay in a core's own caches.

Between two cuts rows are pulled through all layers, each made when it is needed: a map needs a few rows then, but the
weights of all these layers come by for every row. At a cut a map stands whole. A *stretch* of layers between two cuts
takes as long as the longer of

* its work, vector operations by what a core makes of them at most (`kernels.codegen.layers_work`);
* what it moves. From the second cache: maps that were made just before, and, where rows and weights at hand are more
  than the first cache holds, weights for every row and rows that are looked at again, those of layers of the most rows
  being held first. Through the shared cache: maps from outside, and those after which so much was moved that they are
  gone; weights, and maps that it leaves (`WRITTEN` times), where the rest of the frame fills the second cache; what is
  looked at again where it does not fit that.

Where rows and weights at hand are more than a core finds again in the shared cache, which others use, too, a share of
them is pushed out before they come again: what the core's own caches do not hold of it comes from memory then, and is
waited for.

Several threads share that; each also makes rows of two strips, and waits at its end. The cuts that take least together
are found by dynamic programming over the layers in their order, then over all orders (`kernels.fusion.layers_orders`);
other schedules are there to be compared with (`SCHEDULES`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, Protocol

from kernels.fusion.down_sets import bits
from kernels.fusion.layers import Layers, Look, Map, Place, Rows

CHOSEN = "chosen"
SCHEDULES = ("layers", "pairs", CHOSEN, "streamed")
"""Layer by layer; pointwise layers with the depthwise ones before them; what is predicted to take least; no cut."""
START = 0.8e-6
"""Seconds until a layer's code, record and first weights are at hand, a frame, about."""
LOOKS, FEW = 40_000, 16
"""Stretches that are looked at for chosen cuts, about, and layers of the longest at least: all of up to 200 layers;
1420 layers of 36 tokens that look at one another take 2 s so instead of minutes, and a tenth of a percent longer."""
TOGETHER = 0.25
"""Of the first cache that rows of a map take which are made one after another where they are needed: a layer's code and
weights come by once for them, and rows that are looked at again are still near. (Half as much or twice as much takes as
long; rows one by one took 5 % longer in MobileNetV2 .35 with its 30 kernels of 42 KB, Zen 3.)"""
WRITTEN = 4
"""What a line takes that is written to a map beyond the second cache, by one that a copy moves: it is fetched before
and taken back afterwards, and, where rows are written vector of channels after vector, not foreseen as a copy's are.
Depthwise layers by themselves, of 21 networks layer by layer, took 1.6 and 1.8 of what 2 says, in the median, and 1.0
and 1.1 of what 4 says (two runs, Zen 4 with 1 MB of second cache, others on the machine)."""
WAIT = 4e-6
"""Seconds that threads wait for one another at the end of a phase, about."""


@dataclass(frozen=True, slots=True)
class Core:
    """What a core has.

    Args:
        room: bytes of its own second cache.
        first: bytes of its first cache.
        slots: vectors of fused multiply-adds a second, at most: an AVX-512 core's with two units at 2.8 GHz.
        near, shared: bytes a second that it moves to and from its second cache, and the shared one.
        last: bytes of the shared cache in which it finds again what it has read (`executors.placement.shared_part`).
        memory: bytes a second that come from beyond it. Mobile-288 of `tests/measure_prices.py` (seed 208, 43 MB of
            weights, streamed, 727 MB that come by again) took 84 ms for 48 of work on a Sapphire Rapids that others
            used, too: 20 GB/s. On a Zen 3, where copies move 35 to 37 GB/s, it took 17 to 18 ms more than layer by
            layer: 41 to 43 GB/s. Four such networks took 6 % longer than cut ones at most on a Zen 4. Told by the
            slowest; measured where it counts.
    """

    room: float
    first: float = 48 << 10
    slots: float = 5.6e9
    near: float = 100e9
    shared: float = 26e9
    last: float = math.inf
    memory: float = 20e9

    @property
    def together(self) -> float:
        """Bytes of the rows of a map that are made one after another."""
        return self.first * TOGETHER


class Weighed(Rows, Protocol):
    """A layer of which is known what its rows take."""

    @property
    def slots(self) -> float:
        """Of a row: its time by that of a vector of multiply-adds."""
        ...

    @property
    def row_bytes(self) -> int:
        """Of a row, as it lies in its map."""
        ...

    @property
    def weight_bytes(self) -> int: ...

    @property
    def module(self) -> str:
        """"DW" of a depthwise convolution, "PW" of a pointwise one; else what it is called otherwise."""
        ...


class WeighedLayers(Layers, Protocol):
    """A network of such layers."""

    @property
    def layers(self) -> Sequence[Weighed]: ...


@dataclass(frozen=True, slots=True)
class WeighedLayer:
    """A layer as schedules see it."""

    size: tuple[int, int]
    place: Place
    looks: tuple[Look, ...]
    slots: float
    row_bytes: int
    weight_bytes: int
    module: str


@dataclass(frozen=True, slots=True)
class WeighedNetwork:
    """A network of which is known what its layers take."""

    maps: Sequence[Map]
    layers: Sequence[WeighedLayer]


@dataclass(frozen=True, slots=True)
class Ordered:
    """A network's layers in another order."""

    maps: Sequence[Map]
    layers: Sequence[Weighed]


class Edge(NamedTuple):
    """A layer that looks at maps from before its stretch, or makes one for behind it; a plain tuple, for searches make
    a million.

    Args:
        slots: of all its rows.
        entering, gone: bytes of the maps that it is the first to look at; of those that no cache of the core's own
            holds any more.
        leaving: bytes that it makes of maps that leave.
    """

    slots: float
    entering: float
    gone: float
    leaving: float


@dataclass(slots=True)
class Stretch:
    """Layers through which rows are streamed.

    Args:
        layers: how many.
        slots: of all rows.
        rings: bytes of the rows at hand.
        weights: bytes.
        edges: its layers that move whole maps.
        rest: bytes that all other layers of a frame touch, about.
        passing: for layers of each number of rows: bytes at hand, and those that come by again for all further rows:
            weights, and rows that were looked at before.
        fetched: seconds by which fetching the weights of layers from the shared cache takes longer than their work.
        twice: slots of one strip's rows beyond its part.
    """

    layers: int = 0
    slots: float = 0.0
    rings: float = 0.0
    weights: float = 0.0
    edges: tuple[Edge, ...] = ()
    rest: float = 0.0
    passing: dict[int, tuple[float, float]] = field(default_factory=dict)
    fetched: float = 0.0
    twice: float = 0.0

    @property
    def held(self) -> float:
        """Bytes at hand."""
        return self.rings + self.weights

    @property
    def moved(self) -> float:
        """Bytes of the maps that enter and leave."""
        return sum(edge.entering + edge.leaving for edge in self.edges)

    def beyond(self, room: float) -> float:
        """Bytes that come by again and that a cache does not hold: it holds what comes by most often."""
        found = held = 0.0
        for rows in sorted(self.passing, reverse=True):
            size, again = self.passing[rows]
            held += size
            found += again * min(1.0, max(0.0, held - room) / size) if size else 0.0
        return found

    def pushed_out(self, last: float) -> float:
        """The share of what is at hand that others push out of the shared cache before it comes again: nothing of what
        is found there (`Core.last`), all of twice as much, as reading it over and over shows."""
        return min(1.0, max(0.0, self.held / last - 1))

    def seconds(self, core: Core, threads: int = 1) -> float:
        """What it takes."""
        outer = self.beyond(core.room)
        full = self.rest + self.held + sum(edge.leaving for edge in self.edges) > core.room
        near = self.beyond(core.first) - outer
        work = self.slots / core.slots + self.fetched * full
        moves = near / core.near + self.weights * full / core.shared
        pushed = self.pushed_out(core.last)
        late = outer * pushed / core.memory
        moves += outer * (1 - pushed) / core.shared
        for edge in self.edges:
            near = edge.entering - edge.gone + edge.leaving * (not full)
            far = edge.gone + WRITTEN * edge.leaving * full
            own = near / core.near + far / core.shared
            work += max(0.0, own - edge.slots / core.slots)  # its maps are moved while it works, not before
            moves += own
        found = max(work, moves) + late
        if threads > 1:
            found = found / threads + self.twice / core.slots + WAIT
        return found + START * self.layers


class _Seen(NamedTuple):
    """A look of a layer, by rows of its map.

    Args:
        map: its number.
        at, stride, repeat: see `Look`, down the map.
        span: rows from the first tap to the last; `beyond`, the same without dilation.
    """

    map: int
    at: int
    stride: int
    repeat: int
    span: float
    beyond: float


class Pixels(NamedTuple):
    """Which pixels of a map are looked at: some rows of some columns, each a bit of an integer.

    Args:
        rows, columns: those that any look sees.
        most: how many pixels these are at most, where not each row is seen in each column.
    """

    rows: int
    columns: int
    most: int

    @property
    def many(self) -> int:
        """How many they are, at most."""
        return min(self.most, self.rows.bit_count() * self.columns.bit_count())

    def __or__(self, other: Pixels) -> Pixels:
        """Those that either sees."""
        return Pixels(self.rows | other.rows, self.columns | other.columns, self.most + other.most)


class _Part(NamedTuple):
    """What a layer adds to any stretch.

    Args:
        target: its map.
        rows: that it makes.
        share: rows that it makes by one of its map.
        row_slots, slots: of a row, of all.
        made: bytes.
        weights: bytes.
        again: bytes of weights, and of rows that were looked at before, that come by again for all rows but the first.
        leaves: whether all that it makes leaves whatever stretch.
        looks: what it looks at.
        seen: (map, pixels of it that all rows together look at).
    """

    target: int
    rows: int
    share: float
    row_slots: float
    slots: float
    made: float
    weights: int
    again: float
    leaves: bool
    looks: tuple[_Seen, ...]
    seen: tuple[tuple[int, Pixels], ...]

    @classmethod
    def of(cls, network: WeighedLayers, layer: Weighed) -> _Part:
        rows, maps, place = layer.size[0], network.maps, layer.place
        again = layer.weight_bytes * (rows - 1.0)
        again += sum(map_bytes(maps[look.map]) * max(0, look.taps[0] - look.stride[0]) for look in layer.looks)
        looks = (
            _Seen(look.map, look.at[0], look.stride[0], look.repeat,
                  (look.taps[0] - 1) * look.dilation[0] / look.repeat, (look.taps[0] - 1) / look.repeat)
            for look in layer.looks
        )  # fmt: skip
        there = maps[place.map]
        return cls(place.map, rows, 1 / (place.stride[0] * place.together), layer.slots, layer.slots * rows,
                   float(layer.row_bytes * rows), layer.weight_bytes, again, bool(there.kept or there.bank),
                   tuple(looks), tuple(looked_pixels(maps, layer).items()))  # fmt: skip


@dataclass(slots=True)
class Frame:
    """What stretches need to know of all layers; sets of layers are the bits of an integer.

    Args:
        made: bytes that the layers before each number make, `weights`, of their weights.
        makers: map -> the layers that make it; `makers_of`, `readers_of`, as sets, those that make it and look at it.
        parts: of each layer what is the same in whatever stretch it is.
    """

    made: list[float]
    weights: list[float]
    makers: dict[int, list[int]]
    makers_of: dict[int, int]
    readers_of: dict[int, int]
    parts: list[_Part]

    @classmethod
    def of(cls, network: WeighedLayers) -> Frame:
        makers: dict[int, list[int]] = {}
        readers: dict[int, int] = {}
        for number, layer in enumerate(network.layers):
            makers.setdefault(layer.place.map, []).append(number)
            for look in layer.looks:
                readers[look.map] = readers.get(look.map, 0) | 1 << number
        made = [0.0, *accumulate(float(layer.row_bytes * layer.size[0]) for layer in network.layers)]
        weights = [0.0, *accumulate(float(layer.weight_bytes) for layer in network.layers)]
        makers_of = {m: sum(1 << k for k in some) for m, some in makers.items()}
        return cls(made, weights, makers, makers_of, readers, [_Part.of(network, layer) for layer in network.layers])

    def gone(self, first: int, room: float) -> Gone:
        """Which maps are out of a core's own caches when layer `first` begins to look at them."""

        def gone(map_: int, size: float) -> bool:
            makers = self.makers.get(map_)
            return makers is None or self.made[first] - self.made[makers[0]] + size > room

        return gone


Gone = Callable[[int, float], bool]
"""Whether a map, of which so many bytes are looked at, is out of a core's own caches when a stretch begins."""


def map_bytes(map_: Map) -> int:
    """Of a whole map."""
    return map_.height * map_.row_bytes


@dataclass(frozen=True, slots=True)
class Runs:
    """A way through a network.

    Args:
        order: of its layers.
        cuts: places in that order before which all maps are whole.
        gap: another way takes less by this share of it at most, as far as is known; 0 where none does.
    """

    order: tuple[int, ...]
    cuts: tuple[int, ...]
    gap: float = 0.0

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The layers between two cuts."""
        return tuple(self.order[a:b] for a, b in pairwise((0, *self.cuts, len(self.order))))


def pair(first: Weighed, second: Weighed) -> bool:
    """Whether a pointwise layer looks at the depthwise one before it."""
    return (first.module, second.module) == ("DW", "PW") and second.looks[0].map == first.place.map


def chosen_cuts(network: WeighedLayers, core: Core, threads: int = 1) -> tuple[int, ...]:
    """The cuts that cost least: numbers of layers before which all maps are whole.

    Args:
        threads: that share the rows of a frame.
    """
    n, frame = len(network.layers), Frame.of(network)
    longest = max(FEW, LOOKS // max(n, 1))
    best, way = [0.0] + [float("inf")] * n, [0] * (n + 1)
    for end in range(1, n + 1):
        for first, stretch in _ending(network, end, frame, core, longest):
            seconds = best[first] + stretch.seconds(core, threads)
            if seconds <= best[end] * (1 + 1e-12):  # of equals the fewest cuts
                best[end], way[end] = seconds, first
    cuts: list[int] = []
    end = way[n] if n else 0
    while end:
        cuts.append(end)
        end = way[end]
    return tuple(reversed(cuts))


def stretches(
    network: WeighedLayers, cuts: Sequence[int], core: Core, order: Sequence[int] = ()
) -> list[Stretch]:  # fmt: skip
    """Of each stretch between two cuts what it takes; the layers as they are numbered, or in another order."""
    if order:
        network = Ordered(network.maps, [network.layers[k] for k in order])
    frame = Frame.of(network)
    ends = [*cuts, len(network.layers)]
    return [
        next(one for at, one in _ending(network, end, frame, core, len(network.layers)) if at == first)
        for first, end in zip([0, *cuts], ends, strict=True)
    ]


def _ending(
    network: WeighedLayers, end: int, frame: Frame, core: Core, longest: int
) -> Iterator[tuple[int, Stretch]]:  # fmt: skip
    """The stretches that end before a layer, by their first layer; each is the one before and a layer more."""
    growing = Growing(network, frame, core)
    for first in range(end - 1, max(-1, end - 1 - longest), -1):
        growing.add(first)
        yield first, growing.stretch(frame.gone(first, core.room))


class Growing:
    """A stretch that grows by a layer in front at a time, after all in it that look at what the layer makes.

    How far rows of a map must be ahead of the last map's is pulled back from look to look; between the row that is
    made and the one that is looked at by the layer that is least ahead are the rows at hand.

    Attributes:
        members: its layers, as a set.
        twice: slots of one strip's rows beyond its part; it only grows.
    """

    def __init__(self, network: WeighedLayers, frame: Frame, core: Core) -> None:
        self.network, self.frame, self.core = network, frame, core
        self.members = 0
        self.count = 0
        self.slots = self.rings = self.weights = self.fetched = self.twice = self.made = 0.0
        self._ahead: dict[int, float] = {}  # rows that are made beyond those of the same height in the last maps
        self._behind: dict[int, float] = {}
        self._beyond: dict[int, float] = {}  # rows above and below a strip's part that it makes, too
        self._entering: dict[int, tuple[Pixels, int]] = {}  # of maps of others: what is looked at, who looks first
        self._leaving: dict[int, float] = {}  # bytes that a layer makes of a map that leaves
        self._passing: dict[int, tuple[float, float]] = {}
        self._begun: dict[int, bool] = {}  # maps of which a layer of it makes something
        self._steps: list[tuple[_Sums, list[tuple[dict[int, Any], int, Any]]]] = []

    def add(self, number: int) -> None:
        """A layer more, in front."""
        part, core = self.frame.parts[number], self.core
        target = part.target
        before: list[tuple[dict[int, Any], int, Any]] = []
        self._steps.append(((self.members, self.count, self.slots, self.rings, self.weights, self.fetched, self.twice,
                             self.made), before))  # fmt: skip
        ahead, behind, beyond, entering = self._ahead, self._behind, self._beyond, self._entering
        self.members |= 1 << number
        self.count += 1
        self.weights += part.weights
        self.slots += part.slots
        self.made += part.made
        lead, extra = ahead.get(target, 0.0), beyond.get(target, 0.0)
        share = part.share
        size = float(part.weights)
        for look in part.looks:
            map_ = look.map
            low = (lead * share * look.stride + look.at) / look.repeat
            high = low + look.span
            more = extra * share * look.stride / look.repeat + look.beyond
            known = ahead.get(map_)
            if known is None or high > known:
                before.append((ahead, map_, known))
                ahead[map_] = high
            known = behind.get(map_)
            if known is None or low < known:
                before.append((behind, map_, known))
                behind[map_] = low
            known = beyond.get(map_)
            if known is None or more > known:
                before.append((beyond, map_, known))
                beyond[map_] = max(more, 0.0)
        for map_, pixels in part.seen:
            seen = entering.get(map_)
            before.append((entering, map_, seen))
            entering[map_] = (pixels if seen is None else seen[0] | pixels, number)
        self.fetched += max(0.0, part.weights / core.shared - part.slots / core.slots)
        if target not in self._begun:
            before.append((self._begun, target, None))
            self._begun[target] = True
            if target in ahead:
                there = self.network.maps[target]
                held = min(there.height, ahead[target] - behind[target] + there.together(core.together))
                self.rings += (at_hand := held * there.row_bytes * (there.bank == 0))
                size += at_hand
        passing = self._passing.get(part.rows)
        before.append((self._passing, part.rows, passing))
        self._passing[part.rows] = (passing[0] + size, passing[1] + part.again) if passing else (size, part.again)
        readers = self.frame.readers_of.get(target, 0)
        if part.leaves or not readers or readers & ~self.members:
            before.append((self._leaving, number, None))
            self._leaving[number] = part.made
        if target in entering and not self.frame.makers_of[target] & ~self.members:
            before.append((entering, target, entering.pop(target)))
        self.twice += min(extra * share, part.rows / 2) * part.row_slots / 2

    def drop(self) -> None:
        """Without the layer that was added last."""
        sums, before = self._steps.pop()
        (self.members, self.count, self.slots, self.rings, self.weights, self.fetched, self.twice, self.made) = sums
        for table, key, value in reversed(before):
            if value is None:
                del table[key]
            else:
                table[key] = value

    def stretch(self, gone: Gone) -> Stretch:
        """What it takes."""
        frame = self.frame
        rest = frame.made[-1] - self.made + frame.weights[-1] - self.weights
        return Stretch(self.count, self.slots, self.rings, self.weights, tuple(self._edges(gone)), rest,
                       dict(self._passing), self.fetched, self.twice)  # fmt: skip

    def _edges(self, gone: Gone) -> Iterator[Edge]:
        """The layers that move whole maps."""
        parts, leaving = self.frame.parts, self._leaving
        reading: dict[int, tuple[float, float]] = {}
        for map_, (pixels, reader) in self._entering.items():
            here = self.frame.makers_of.get(map_, 0) & self.members
            if here:  # the rest of it was made before: it stands whole, whoever looks at it
                leaving = {**{number: parts[number].made for number in bits(here)}, **leaving}
            size = _pixel_bytes(self.network.maps[map_], pixels)
            entering, away = reading.get(reader, (0.0, 0.0))
            reading[reader] = entering + size, away + size * gone(map_, size)
        for number, (entering, away) in reading.items():
            yield Edge(parts[number].slots, entering, away, leaving.get(number, 0.0))
        for number, size in leaving.items():
            if number not in reading:
                yield Edge(parts[number].slots, 0.0, 0.0, size)


_Sums = tuple[int, int, float, float, float, float, float, float]


def looked_bytes(maps: Sequence[Map], layer: Rows) -> dict[int, float]:
    """Of each map the bytes that a layer looks at, at most."""
    return {map_: _pixel_bytes(maps[map_], pixels) for map_, pixels in looked_pixels(maps, layer).items()}


def looked_pixels(maps: Sequence[Map], layer: Rows) -> dict[int, Pixels]:
    """Of each map the pixels that a layer looks at."""
    found: dict[int, Pixels] = {}
    for look in layer.looks:
        there = maps[look.map]
        pixels = _pixels(replace(look, map=0, channel=0), layer.size, (there.height, there.width))
        found[look.map] = found[look.map] | pixels if look.map in found else pixels
    return found


@lru_cache(maxsize=4096)
def _pixels(look: Look, size: tuple[int, int], there: tuple[int, int]) -> Pixels:
    """Those of a map of (height, width) that so many rows of so many pixels look at."""
    rows = {row for y in range(size[0]) for row in look.rows(y)}
    slides = range(0, look.slide * size[0], look.slide) if look.slide else (0,)
    columns = {x * look.stride[1] + look.at[1] + i * look.dilation[1] + slide
               for slide in slides for x in range(size[1]) for i in range(look.taps[1])}  # fmt: skip
    seen = [sum(1 << k for k in some if 0 <= k < end) for some, end in zip((rows, columns), there, strict=True)]
    return Pixels(seen[0], seen[1], math.prod(size) * math.prod(look.taps))


def _pixel_bytes(map_: Map, pixels: Pixels) -> float:
    """Of so many pixels of a map."""
    return pixels.many * map_.row_bytes / max(map_.width, 1)
