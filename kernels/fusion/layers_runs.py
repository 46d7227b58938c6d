"""Where the way of a frame through a network is cut, so that the rows and weights at hand stay in a core's own cache.

Between two cuts rows are pulled through all layers, each made when it is needed: a map needs a few rows then, but the
weights of all these layers come by for every row. At a cut a map stands whole. The cuts that cost least are found by
dynamic programming over the layers in their order; of a stretch of layers it counts

* the maps that enter and leave it, where two such do not fit the cache, so that they are gone when they are read: they
  go through the shared one;
* where its rings and weights do not fit: its weights again for each row, and the rows that are looked at again, in
  proportion to what is too much;
* of several threads: the rows that two strips make, and the wait at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kernels.fusion.layers import Layers, Look, Map, Rows

MACS = 60e9
"""Multiply-adds a second and core, about: an AVX-512 core at 3.7 GHz. Only its ratio to the others matters."""
NEAR, SHARED = 150e9, 60e9
"""Bytes a second that a core moves in its own caches, and to and from the shared one."""
WAIT = 4e-6
"""Seconds that threads wait for one another at the end of a phase, about."""


class Weighed(Rows, Protocol):
    """A layer of which is known what its rows take."""

    @property
    def macs(self) -> int:
        """Multiply-adds of a row."""
        ...

    @property
    def weight_bytes(self) -> int: ...


class WeighedLayers(Layers, Protocol):
    """A network of such layers."""

    @property
    def layers(self) -> Sequence[Weighed]: ...


@dataclass(slots=True)
class Stretch:
    """Layers one after another, rows streamed through them.

    Args:
        rings: bytes of the rows at hand.
        weights: bytes.
        moved: bytes of the maps that enter and leave; `far`, of those that a cache does not hold until they are read.
        again: bytes that are read again where the cache does not hold it all.
        twice: seconds of one strip's rows beyond its part.
    """

    rings: float = 0.0
    weights: float = 0.0
    moved: float = 0.0
    far: float = 0.0
    again: float = 0.0
    twice: float = 0.0

    def moves(self, count: float, room: float) -> None:
        """A map enters or leaves; a negative number, it does not after all."""
        self.moved += count
        self.far += count * (2 * abs(count) > room)

    def seconds(self, room: float, threads: int) -> float:
        """What it costs besides its work."""
        found = self.far / SHARED
        held = self.rings + self.weights
        if held > room:
            found += self.again / SHARED * min(1.0, held / room - 1)
        if threads > 1:
            found = found / threads + self.twice + WAIT
        return found


def row_bytes(map_: Map) -> int:
    """Of a row of a map."""
    return map_.width * map_.pitch * map_.dtype.itemsize


def map_bytes(map_: Map) -> int:
    """Of a whole map."""
    return map_.height * row_bytes(map_)


def chosen_cuts(network: WeighedLayers, room: float, threads: int = 1) -> tuple[int, ...]:
    """The cuts that cost least: numbers of layers before which all maps are whole.

    Args:
        room: bytes of a core's own cache.
        threads: that share the rows of a frame.
    """
    n = len(network.layers)
    last = _last_readers(network)
    best, way = [0.0] + [float("inf")] * n, [0] * (n + 1)
    for end in range(1, n + 1):
        for first, stretch in _ending(network, end, last, room):
            seconds = best[first] + stretch.seconds(room, threads)
            if seconds <= best[end] * (1 + 1e-12):  # of equals the fewest cuts
                best[end], way[end] = seconds, first
    cuts: list[int] = []
    end = way[n] if n else 0
    while end:
        cuts.append(end)
        end = way[end]
    return tuple(reversed(cuts))


def stretches(network: WeighedLayers, cuts: Sequence[int], room: float = 0.0) -> list[Stretch]:
    """Of each stretch between two cuts what it takes, of a core with so much cache."""
    last = _last_readers(network)
    ends = [*cuts, len(network.layers)]
    return [
        next(one for at, one in _ending(network, end, last, room) if at == first)
        for first, end in zip([0, *cuts], ends, strict=True)
    ]


def _last_readers(network: WeighedLayers) -> dict[int, int]:
    return {look.map: number for number, layer in enumerate(network.layers) for look in layer.looks}


def _ending(network: WeighedLayers, end: int, last: dict[int, int], room: float) -> list[tuple[int, Stretch]]:
    """The stretches that end before a layer, by their first layer; each is the one before and a layer more.

    How far rows of a map must be ahead of the last map's is pulled back from look to look; between the row that is
    made and the one that is looked at by the layer that is least ahead are the rows at hand.
    """
    found: list[tuple[int, Stretch]] = []
    ahead: dict[int, float] = {}  # rows that are made beyond those of the same height in the last maps
    behind: dict[int, float] = {}
    beyond: dict[int, float] = {}  # rows above and below a strip's part that it makes, too
    read: set[int] = set()
    made: set[int] = set()
    now = Stretch()
    for first in range(end - 1, -1, -1):
        layer = network.layers[first]
        target = layer.place.map
        there = network.maps[target]
        now = replace(now, weights=now.weights + layer.weight_bytes)
        lead, extra = ahead.get(target, 0.0), beyond.get(target, 0.0)
        share = 1 / layer.place.stride[0]
        seconds = layer.macs / MACS
        for look in layer.looks:
            map_ = network.maps[look.map]
            seconds += row_bytes(map_) * layer.size[1] / max(map_.width, 1) / NEAR
            low, high = _rows(look, lead * share)
            ahead[look.map] = max(ahead.get(look.map, high), high)
            behind[look.map] = min(behind.get(look.map, low), low)
            scale = look.stride[0] / look.repeat
            beyond[look.map] = max(beyond.get(look.map, 0.0), extra * share * scale + (look.taps[0] - 1) / look.repeat)
            if look.map not in read:
                read.add(look.map)
                now.moves(map_bytes(map_) * (map_.bank == 0), room)  # until its layer is of the stretch, it enters
            now.again += map_bytes(map_) * max(0, look.taps[0] - look.stride[0])
        now.again += layer.weight_bytes * layer.size[0]
        if target not in made:
            made.add(target)
            leaves = last.get(target, end) >= end or there.kept
            if target in read:
                now.moves(-map_bytes(there) * (there.bank == 0), room)
                rows = min(there.height, ahead[target] - behind[target] + 1)
                now.rings += rows * row_bytes(there)
            if leaves:
                now.moves(map_bytes(there), room)
        now.twice += min(extra * share, layer.size[0] / 2) * seconds / 2
        found.append((first, now))
    return found


def _rows(look: Look, lead: float) -> tuple[float, float]:
    """The first and the last row that a layer needs when its own is so far ahead, by rows of the map."""
    first = (lead * look.stride[0] + look.at[0]) / look.repeat
    return first, first + (look.taps[0] - 1) * look.dilation[0] / look.repeat
