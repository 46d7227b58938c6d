"""The order in which the rows of a network are made, and the table of steps and the memory that follow from it.

A *unit* is a row of a layer. Any order in which each unit finds the rows it looks at is a schedule: layer by layer, two
layers fused over a ring of one row, rows pulled through a whole network. The number of rows that a map must hold is
counted from the order.

Threads share the rows of a frame by *strips*: between two cuts, a *phase*, each strip makes its part of the rows of the
maps that later phases look at, and whatever else it needs for them. So strips of a phase never wait for one another;
rows beyond a part are made by two strips, in memory of their own.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.fusion.layers import Layers, Look, Map, Rows
from kernels.ir.image import DType

Unit = tuple[int, int]
"""The number of a layer, and the row."""
Phases = Sequence[Sequence[Sequence[Unit]]]
"""For each phase the order of the rows of each strip."""
LINE = 16
"""Values that rows begin at multiples of: a cache line of f32."""
NO_ROW = -1
"""In a step, in place of a row that is not made."""
_MOST = 1 << 31


def _rows_seen(network: Layers, look: Look, y: int) -> Iterable[int]:
    """The rows of a map that a look needs, those within it."""
    height = network.maps[look.map].height
    return (row for row in look.rows(y) if 0 <= row < height)


def writers(network: Layers) -> dict[tuple[int, int], list[Unit]]:
    """(map, row) -> who makes it."""
    made: dict[tuple[int, int], list[Unit]] = {}
    for number, layer in enumerate(network.layers):
        for y in range(layer.size[0]):
            for row in layer.place.rows(y):
                made.setdefault((layer.place.map, row), []).append((number, y))
    return made


def pulled(
    network: Layers, cuts: Sequence[int] = (), together: float = 0.0, order: Sequence[int] = ()
) -> list[Unit]:  # fmt: skip
    """Each row when somebody needs it, of the layers between two cuts.

    Args:
        cuts: places in the order before which all maps are whole: () streams rows through everything,
            range(1, len(network.layers)) makes layer after layer.
        together: bytes of a map's rows that are made one after another when the first of them is needed.
        order: of the layers; as they are numbered, if empty.
    """
    return [unit for (strip,) in striped(network, cuts, 1, together, order) for unit in strip]


def striped(
    network: Layers, cuts: Sequence[int] = (), count: int = 1, together: float = 0.0, order: Sequence[int] = ()
) -> list[list[list[Unit]]]:
    """The same in phases, the rows of each in so many strips of equal height, some of which may have none."""
    made_by = writers(network)
    rows_of = [map_.together(together) for map_ in network.maps]
    readers: dict[int, list[int]] = {}
    for number, layer in enumerate(network.layers):
        for look in layer.looks:
            readers.setdefault(look.map, []).append(number)
    phases: list[list[list[Unit]]] = []
    order = order or range(len(network.layers))
    for first, last in pairwise([0, *cuts, len(order)]):
        group = dict.fromkeys(order[first:last])
        inside = {network.layers[n].place.map for n in group}
        ends = [
            m for m in dict.fromkeys(network.layers[n].place.map for n in group)
            if network.maps[m].kept or network.maps[m].bank  # leaves, whoever looks at it, or at nothing but its edge
            or not readers.get(m) or any(n not in group for n in readers[m])
        ]  # fmt: skip
        made = []
        for strip in range(count):
            rows = sorted(
                ((y + 1) / network.maps[m].height, m, y) for m in ends
                for y in range(*(network.maps[m].height * k // count for k in (strip, strip + 1)))
            )  # fmt: skip
            made.append(_pulled(network, made_by, group, inside, rows, rows_of))
        phases.append(made)
    return phases


def _pulled(
    network: Layers, made_by: dict[tuple[int, int], list[Unit]], group: Collection[int], inside: set[int],
    rows: Sequence[tuple[float, int, int]], rows_of: Sequence[int],
) -> list[Unit]:  # fmt: skip
    """Some rows of maps, in order, and before each what it needs: of each map so many rows at once, as far as they are
    needed at all."""

    def order(rows_of: Sequence[int], needed: Collection[Unit] | None) -> list[Unit]:
        done: dict[Unit, None] = {}
        for _, map_, y in rows:
            waiting = [unit for unit in reversed(made_by.get((map_, y), [])) if unit[0] in group and unit not in done]
            while waiting:  # a network may be deeper than Python's own stack
                layer = network.layers[waiting[-1][0]]
                missing = [
                    unit
                    for look in layer.looks if look.map in inside
                    for row in _rows_seen(network, look, waiting[-1][1])
                    for unit in _made_with(made_by, look.map, row, rows_of[look.map])
                    if unit[0] in group and unit not in done and (needed is None or unit in needed)
                ]  # fmt: skip
                if missing:
                    waiting += reversed(missing)
                    continue
                done[waiting.pop()] = None
        return list(done)

    one_by_one = order([1] * len(rows_of), None)
    return one_by_one if max(rows_of, default=1) == 1 else order(rows_of, set(one_by_one))


def _made_with(made_by: dict[tuple[int, int], list[Unit]], map_: int, row: int, count: int) -> Iterable[Unit]:
    """Who makes a row that is missing, and those behind it up to a multiple of so many."""
    return (unit for y in range(row, row - row % count + count) for unit in made_by.get((map_, y), []))


@dataclass(frozen=True, slots=True)
class Ring:
    """Where the rows of a map lie.

    Args:
        rows: that there is room for; row y takes place y % rows.
        offset: of pixel 0 of the first, in values (of the map's type) from the start of its bank.
        size: values from row to row.
        left: pixels before pixel 0 of each row.
        edge: offset of pixel 0 of a row of what is beyond the map; -1 if nothing looks there.
        channel: values from channel to channel of a pixel.
    """

    rows: int
    offset: int
    size: int
    left: int
    edge: int
    channel: int = 1

    def place(self, y: int) -> int:
        """The offset of pixel 0 of row y."""
        return self.offset + y % self.rows * self.size


@dataclass(frozen=True, slots=True)
class Schedule:
    """Tables of steps and the memory that they work in.

    Args:
        steps: of each phase and strip the table, i32 (see `kernels.codegen.layers_record`).
        words: of a step of each layer.
        rings: of each map, a ring a strip; the same one for all where the map is more than one strip's.
        values: words of 4 bytes that the program's own bank holds.
        fills: (offset, how many, value, its type) of what lies beyond maps and is not 0.
    """

    steps: tuple[tuple[npt.NDArray[np.int32], ...], ...]
    words: tuple[int, ...]
    rings: tuple[tuple[Ring, ...], ...]
    values: int
    fills: tuple[tuple[int, int, float, DType], ...]


def schedule(network: Layers, phases: Phases) -> Schedule:
    """The tables for the orders of all strips of all phases.

    Raises:
        DefinitionError: a row is looked at that is not there (yet), beyond a map of another bank, or the program needs
            more than 8 GB.
    """
    strips = max(len(phase) for phase in phases)
    own = own_maps(network, phases)
    depths = _all_depths(network, phases, own)
    reach = _reach(network)
    rings: list[tuple[Ring, ...]] = []
    fills: list[tuple[int, int, float, DType]] = []
    values = 0
    for number, map_ in enumerate(network.maps):
        left, right, beyond = reach[number]
        if map_.bank:
            if left or right or beyond:
                raise DefinitionError("what lies in memory of others cannot be looked at beyond its edges; copy it")
            rings.append((Ring(map_.height, 0, map_.width * map_.pitch, 0, -1),) * strips)
            continue
        each = 4 // map_.dtype.itemsize  # values of a word
        line = -(-(left + map_.width + right) * map_.pitch // (LINE * each)) * LINE * each
        size = line * (map_.channels if map_.planes else 1)
        made: list[Ring] = []
        for rows in depths[number] if number in own else [map_.height]:
            begin, values = values * each, values + (rows + beyond) * size // each
            edge = begin + rows * size + left * map_.pitch if beyond else -1
            made.append(Ring(rows, begin + left * map_.pitch, size, left, edge, line if map_.planes else 1))
            if map_.outside:
                for y in range(rows):
                    row, type_ = begin + y * size, map_.dtype
                    fills.append((row, left * map_.pitch, map_.outside, type_))
                    fills.append((row + (left + map_.width) * map_.pitch, right * map_.pitch, map_.outside, type_))
                fills.append((begin + rows * size, beyond * size, map_.outside, map_.dtype))
        rings.append(tuple(made) if number in own else (made[0],) * strips)
    if values >= _MOST:
        raise DefinitionError("the maps of the network take more than 8 GB")
    tables = tuple(
        tuple(_table(network, [ring[strip] for ring in rings], order) for strip, order in enumerate(phase))
        for phase in phases
    )
    words = tuple(1 + layer.place.together + sum(look.words for look in layer.looks) for layer in network.layers)
    values += LINE  # kernels may load whole words behind the last value
    return Schedule(tables, words, tuple(rings), values, tuple(f for f in fills if f[1]))


def plane_steps(network: Layers) -> list[int]:
    """Of each map the values from plane to plane; 0 where it has none."""
    return [-(-(left + map_.width + right) // LINE) * LINE if map_.planes else 0
            for map_, (left, right, _) in zip(network.maps, _reach(network), strict=True)]  # fmt: skip


def _table(network: Layers, rings: Sequence[Ring], order: Sequence[Unit]) -> npt.NDArray[np.int32]:
    steps: list[int] = []
    for number, y in order:
        steps += [number, *_offsets(network, rings, network.layers[number], y)]
    return np.array(steps, np.int32)


def _offsets(network: Layers, rings: Sequence[Ring], layer: Rows, y: int) -> list[int]:
    """The words of a step behind its first."""
    place, there = layer.place, network.maps[layer.place.map]
    ring = rings[place.map]
    made = [ring.place(row) + place.at[1] * there.pitch + place.channel * ring.channel for row in place.rows(y)]
    made += [NO_ROW] * (place.together - len(made))
    for look in layer.looks:
        map_, ring = network.maps[look.map], rings[look.map]
        for seen in look.rows(y):
            begin = ring.place(seen) if 0 <= seen < map_.height else ring.edge
            made.append(begin + (look.at[1] + look.slide * y) * map_.pitch + look.channel * ring.channel)
    return made


def _reach(network: Layers) -> list[tuple[int, int, int]]:
    """Of each map how many pixels to the left and right of it are looked at, and whether rows beyond it are (0, 1)."""
    made = [(0, 0, 0)] * len(network.maps)
    for layer in network.layers:
        for look in layer.looks:
            left, right, beyond = made[look.map]
            map_ = network.maps[look.map]
            first, last = look.columns(layer.size[1])
            ends = (*look.rows(0), *look.rows(layer.size[0] - 1))
            outside = min(ends) < 0 or max(ends) >= map_.height
            made[look.map] = max(left, -first), max(right, last - map_.width + 1), max(beyond, int(outside))
    return made


def own_maps(network: Layers, phases: Phases) -> set[int]:
    """Maps that each strip has for itself: made and looked at in one phase, nowhere from outside."""
    where: dict[int, set[int]] = {n: set() for n in range(len(network.maps))}
    made: set[int] = set()
    for number, phase in enumerate(phases):
        for layer in {unit[0] for order in phase for unit in order}:
            made.add(network.layers[layer].place.map)
            for map_ in (network.layers[layer].place.map, *(look.map for look in network.layers[layer].looks)):
                where[map_].add(number)
    return {n for n, map_ in enumerate(network.maps) if n in made and len(where[n]) == 1 and not map_.kept}


def _all_depths(network: Layers, phases: Phases, own: set[int]) -> dict[int, list[int]]:
    """Of each map that strips have for themselves, the rows that each of them must hold."""
    found: dict[int, list[int]] = {n: [] for n in own}
    missing = {key: set(units) for key, units in writers(network).items()}
    made = {map_ for map_, _ in missing}
    for look in (look for layer in network.layers for look in layer.looks if look.map in made):
        for y in range(network.maps[look.map].height):
            missing.setdefault((look.map, y), {(-1, y)})  # rows that no layer makes
    for phase in phases:
        depths = [_depths(network, order, missing) for order in phase]
        for order in phase:
            for number, y in order:
                place = network.layers[number].place
                for row in place.rows(y):
                    missing[place.map, row].discard((number, y))
        here = {network.layers[number].place.map for order in phase for number, _ in order} & own
        for number in here:
            found[number] = [one.get(number, 1) for one in depths]
    return found


def _depths(
    network: Layers, order: Sequence[Unit], waiting: Mapping[tuple[int, int], Collection[Unit]]
) -> dict[int, int]:
    """How many rows each map must hold: row y + depth must not be begun before row y has been looked at for the last
    time.

    Args:
        waiting: (map, row) -> who has still to make it; none for what is filled from outside.

    Raises:
        DefinitionError: a row is looked at before it is finished.
    """
    begun: dict[int, dict[int, int]] = {}
    last: dict[int, dict[int, int]] = {}
    done: dict[tuple[int, int], set[Unit]] = {}
    for now, (number, y) in enumerate(order):
        layer = network.layers[number]
        for look in layer.looks:
            for row in _rows_seen(network, look, y):
                if len(waiting.get((look.map, row), ())) > len(done.get((look.map, row), ())):
                    raise DefinitionError(f"row {y} of layer {number} looks at row {row} of map {look.map} before it "
                                          "is made")  # fmt: skip
                last.setdefault(look.map, {})[row] = now
        map_ = layer.place.map
        for row in layer.place.rows(y):
            begun.setdefault(map_, {}).setdefault(row, now)
            done.setdefault((map_, row), set()).add((number, y))
            last.setdefault(map_, {})[row] = now
    return {m: _depth(network.maps[m], rows, last[m]) for m, rows in begun.items()}


def _depth(map_: Map, begun: dict[int, int], last: dict[int, int]) -> int:
    """The smallest number of rows for which no row is begun while one of the same place is needed."""
    rows = sorted(begun)  # some may not be looked at
    starts = [begun[y] for y in rows]
    if any(a > b for a, b in pairwise(starts)):
        return map_.height  # not made from the top down
    return max((rows[bisect.bisect_right(starts, last.get(y, begun[y])) - 1] - y + 1 for y in rows), default=1)


def filled(values: npt.NDArray[Any], made: Schedule) -> None:
    """Write into the program's own bank, f32, what lies beyond maps."""
    for offset, count, value, dtype in made.fills:
        values.view(dtype.numpy)[offset : offset + count] = value
