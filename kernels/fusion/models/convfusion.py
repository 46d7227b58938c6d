"""ConvFusion's model of external accesses, internal footprint and compute of schedules, as it was published.

Source: L. Waeijen, S. Sioutas, M. Peemen, M. Lindwer, H. Corporaal, "ConvFusion: A Model for Layer Fusion in
Convolutional Neural Networks", IEEE Access 9, 2021. In elements and multiply-adds.

**One layer** is four loops over tiles, of rows, columns, output and input channels (y, x, o, i; 24 orders), each with a
*store level* for data and for weights: what the loops inside a level look at stands inside, and comes once for every
turn of those outside.

    accesses  = volume at the level x turns of the loops outside it;
                the map itself once, or 2 n_i - 1 times where sums of a part of the input channels leave and come back
    footprint = the volumes that stand inside; where the outermost loop inside a level goes along rows or columns, a
                window of K + (T - 1) S of them slides along (folding)

**A segment** of fused layers goes through tiles (Tx, Ty) of its last map; a producer's tile is Tx_i = K_x + (Tx_o - 1)
S_x. Along each axis what two tiles both look at is made again, or kept: the last K - S rows of a tile's width, or of
the whole map's. Weights are kept inside, or come again for every tile.

    accesses  = maps that enter (tiles that look at the same, each for itself, if made again) and leave, and weights
    footprint = tiles of all maps, rows that are kept, weights
    compute   = multiply-adds of all tiles

**A network** is segments one after another: the sum of accesses and of compute, the largest footprint.

Residual sums are read as `Layer.added` says, which the model does not have: a segment that holds the branch does not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from kernels.fusion.down_sets import Rules, bits, down_sets, in_order
from kernels.fusion.models.layer import Layer, readers, up_to

LOOPS = "yxoi"
LONGEST = 16
"""Layers of a segment at most; besides, all layers may be one."""
SMALL = 16
"""Of columns and channels, tiles of so many are tried, and all; of rows, powers of four, and all."""
LIMITS = 6
"""Footprints for which a front looks for the fewest accesses, at most."""
LOWER = 0.5
"""Each of them is this part of what the last one took."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a segment costs a frame.

    Args:
        layers: their numbers.
        accesses: elements that come from outside and go there, weights included.
        weights: of them.
        footprint: elements inside.
        macs: multiply-adds.
        tile: (rows, columns) of the last map.
        how: of one layer the order of its loops, outermost first, with a bar where data and weights are stored; of
            several what becomes of what tiles share.
    """

    layers: tuple[int, ...]
    accesses: int
    weights: int
    footprint: int
    macs: int
    tile: tuple[int, int]
    how: str

    @property
    def values(self) -> tuple[int, int, int]:
        """(accesses, footprint, macs)."""
        return self.accesses, self.footprint, self.macs


@dataclass(frozen=True, slots=True)
class NetworkSchedule:
    """Segments one after another."""

    segments: tuple[Schedule, ...]

    @property
    def values(self) -> tuple[int, int, int]:
        """(accesses, footprint, macs)."""
        every = self.segments
        return sum(s.accesses for s in every), max(s.footprint for s in every), sum(s.macs for s in every)


@dataclass(frozen=True, slots=True)
class NetworkFront:
    """What the model says of a network.

    Args:
        alone: the fewest accesses, layer by layer.
        front: of which no other is better in accesses, footprint and compute; the fewest accesses first.
    """

    alone: NetworkSchedule
    front: tuple[NetworkSchedule, ...]


def plan(layers: Sequence[Layer]) -> NetworkFront:
    """The front of a network: for one footprint after another the partition into segments of the fewest accesses, of
    any compute and of the least; every partition is considered, of the schedules those above."""
    known: dict[int, list[Schedule]] = {}
    alike: dict[Layer, list[Schedule]] = {}
    uses = readers(layers)
    # Sets of layers are the bits of whole numbers (`kernels.fusion.down_sets`).
    before = [sum(1 << b for b in layer.before) for layer in layers]
    linked = [before[k] | sum(1 << r for r in uses[k]) for k in range(len(layers))]

    def schedules(group: int) -> list[Schedule]:
        if group not in known:
            numbers = list(bits(group))
            own = [layers[k] for k in numbers]
            if len(numbers) > 1:
                leaving = [k for k in numbers if layers[k].leaves or set(uses[k]) - set(numbers)]
                known[group] = segment_schedules(own, numbers, leaving)
            else:
                # Layers that differ in name and place alone have the same schedules.
                bare = replace(own[0], name="", before=(), leaves=False)
                if bare not in alike:
                    alike[bare] = layer_schedules(bare)
                known[group] = [replace(one, layers=tuple(numbers)) for one in alike[bare]]
        return known[group]

    every = {longest: down_sets(before, Rules(longest, linked=linked)) for longest in (1, LONGEST)}

    def found(limit: float, least: bool, longest: int) -> NetworkSchedule | None:
        """The fewest accesses within a footprint, perhaps without computing anything twice."""

        def chosen(group: int) -> Schedule | None:
            # Multiply-adds without any of them twice.
            needed = sum(layers[k].ofm * layers[k].macs for k in bits(group))
            # Schedules come by rising accesses: the first that fits is the best.
            return next((one for one in schedules(group)
                         if one.footprint <= limit and (one.macs <= needed or not least)), None)  # fmt: skip

        def cost(group: int, _: float) -> float:
            one = chosen(group)
            return math.inf if one is None else float(one.accesses)

        sets = every[longest]
        # Too many down-sets: partitions of one order of the layers alone.
        chain = in_order(len(layers), cost, longest) if sets is None else sets.cheapest(cost)
        whole = (1 << len(layers)) - 1
        # All layers in one segment, which may be longer than any segment of the partition found.
        groups = (whole,) if longest > 1 and cost(whole, 0.0) < chain.cost else chain.groups
        made = tuple(one for group in groups if (one := chosen(group)) is not None)
        return NetworkSchedule(made) if made else None

    alone = found(math.inf, False, 1)
    assert alone is not None
    points = []
    for least in (False, True):
        # A front: after each footprint the next must take at most half of it.
        limit, more = math.inf, 0
        while more < LIMITS and (one := found(limit, least, LONGEST)) is not None:
            points.append(one)
            limit, more = LOWER * one.values[1], more + 1
    return NetworkFront(alone, tuple(undominated(points)))


def layer_schedules(layer: Layer) -> list[Schedule]:
    """Those of a layer by itself of which no other is better in accesses and footprint at once."""
    sizes = (*layer.size, layer.channels, layer.channels if layer.kind == "DW" else _depth(layer))
    # bit_length odd: 1, 4, 16 ... of powers of two; see SMALL.
    rows = [n for n in up_to(sizes[0]) if n.bit_length() % 2 or n == sizes[0]]
    tried = [rows, *([min(SMALL, n), n] for n in sizes[1:])]
    if layer.kind == "DW":
        tried[3] = [sizes[3]]  # channels are those of the output
    found: list[Schedule] = []
    for tile in itertools.product(*(sorted(set(some)) for some in tried)):
        turns = dict(zip(LOOPS, (-(-n // t) for n, t in zip(sizes, tile, strict=True)), strict=True))
        # Loops of one turn have no place in the order.
        for order in itertools.permutations(loop for loop in LOOPS if turns[loop] > 1):
            found += _stored(layer, 0, tile, "".join(order))
    return undominated(found)


def _depth(layer: Layer) -> int:
    """Input channels of a filter."""
    return layer.weights // layer.channels // math.prod(layer.taps)


def _stored(layer: Layer, number: int, tile: Sequence[int], order: str) -> Iterator[Schedule]:
    """A layer's schedules with one order of its loops of several turns, by store levels."""
    depthwise = layer.kind == "DW"
    full = dict(zip(LOOPS, (*layer.size, layer.channels, layer.channels if depthwise else _depth(layer)), strict=True))
    own = dict(zip(LOOPS, tile, strict=True))
    turns = {loop: -(-full[loop] // own[loop]) for loop in order}

    def inside(level: int) -> dict[str, int]:
        """What the loops inside a level go through."""
        return {loop: own[loop] if loop in order[:level] else full[loop] for loop in LOOPS}

    def outside(level: int) -> int:
        return math.prod(turns[loop] for loop in order[:level])

    # Sums are partial where a loop inside the one over input channels leaves the tile of the output before it is done.
    at = order.find("i")
    partial = at >= 0 and any(loop in "yxo" for loop in order[at + 1 :])
    # The first pass writes alone; each later one reads and writes.
    made = layer.ofm * (2 * turns["i"] - 1 if partial else 1)
    sums = own["y"] * own["x"] * own["o"]
    for data in range(len(order) + 1):
        extent = inside(data)
        channels = extent["o" if depthwise else "i"]
        read = math.prod(layer.seen(extent["y"], extent["x"])) * channels * outside(data)
        # Folding: along the outermost loop inside the level a window of one tile slides, in place of the whole extent.
        if order[data : data + 1] in ("y", "x"):
            extent[order[data]] = own[order[data]]
        window = math.prod(layer.seen(extent["y"], extent["x"])) * channels
        for level in range(len(order) + 1):
            part = inside(level)["o"] * (1 if depthwise else inside(level)["i"]) * math.prod(layer.taps)
            moved = part * outside(level)
            text = f"data {order[:data]}|{order[data:]}, weights {order[:level]}|{order[level:]}"
            yield Schedule((number,), read + made + moved + layer.added, moved, window + part + sums,
                           layer.ofm * layer.macs, (own["y"], own["x"]), text)  # fmt: skip


def segment_schedules(layers: Sequence[Layer], numbers: Sequence[int], leaving: Sequence[int]) -> list[Schedule]:
    """Those of several layers fused of which no other is better in all; `leaving` are those that others look at."""
    height, width = layers[-1].size
    rows = [n for n in up_to(height) if n.bit_length() % 2 or n == height]
    # Strips of whole rows, and squares.
    tiles = dict.fromkeys([*((n, width) for n in rows), *((n, min(n, width)) for n in rows)])
    return undominated(one for tile in tiles for keep in ("again", "rows", "all") if keep != "rows" or tile[1] < width
                       for one in _fused(layers, numbers, leaving, tile, keep))  # fmt: skip


def _fused(
    layers: Sequence[Layer], numbers: Sequence[int], leaving: Sequence[int], tile: tuple[int, int], keep: str
) -> list[Schedule]:
    """A segment's schedules with one tile.

    Args:
        keep: what tiles share is made "again"; kept from tile to tile down a strip of the tile's width ("rows"), or
            also from strip to strip, as whole rows ("all").
    """
    at = {number: k for k, number in enumerate(numbers)}
    last = layers[-1]
    down, across = (-(-n // t) for n, t in zip(last.size, tile, strict=True))
    wanted = [(0, 0)] * len(layers)  # (rows, columns) of each map that a tile needs
    entering: dict[object, int] = {}
    macs = inside = 0
    # From the last layer back: what a tile of its output needs of each map before.
    for k in reversed(range(len(layers))):
        layer = layers[k]
        own = [math.ceil(t * n / m) for t, n, m in zip(tile, layer.size, last.size, strict=True)]
        # A map that leaves is made wholly: at least its share of the tile.
        if numbers[k] in leaving or wanted[k] == (0, 0):
            wanted[k] = max(wanted[k][0], own[0]), max(wanted[k][1], own[1])
        # Made again, each tile has its halo; kept, each place is made once.
        places = (layer.size[0] if keep != "again" else wanted[k][0] * down) * (
            layer.size[1] if keep == "all" else wanted[k][1] * across)  # fmt: skip
        macs += places * layer.channels * layer.macs
        seen = layer.seen(*wanted[k])
        inside += seen[0] * (layer.size_in[1] if keep == "all" else seen[1]) * layer.channels_in
        held = [at[b] for b in layer.before if b in at]
        for b in held:
            # Where rows are kept, a tile makes those alone that are new.
            once = [-(-t * s // u) for t, s, u in zip(own, layer.stride, layer.up, strict=True)]
            new = seen if keep == "again" else (once[0], seen[1] if keep == "rows" else once[1])
            grown = [min(n, math.ceil(s * n / m)) for n, s, m in zip(layers[b].size, new, layer.size_in, strict=True)]
            wanted[b] = max(wanted[b][0], grown[0]), max(wanted[b][1], grown[1])
        if not held:
            rows = layer.size_in[0] if keep != "again" else seen[0] * down
            columns = layer.size_in[1] if keep == "all" else seen[1] * across
            key = layer.before, layer.size_in, layer.channels_in
            # Several layers may look at the same map: it enters once, with the larger halo.
            entering[key] = max(entering.get(key, 0), rows * columns * layer.channels_in)
        if len(held) < max(1, len(layer.before)):
            entering[k] = layer.added
    leaves = sum(layer.ofm for layer, number in zip(layers, numbers, strict=True) if number in leaving)
    every = [layer.weights for layer in layers]
    maps, inside = sum(entering.values()) + leaves, inside + math.prod(tile) * last.channels
    how = {"again": "made again", "rows": "kept down strips", "all": "kept as whole rows"}[keep]
    return [
        Schedule(tuple(numbers), maps + sum(every), sum(every), inside + sum(every), macs, tile, how),
        Schedule(tuple(numbers), maps + sum(every) * down * across, sum(every) * down * across, inside + max(every),
                 macs, tile, how + ", weights for every tile"),
    ]  # fmt: skip


T = TypeVar("T", Schedule, NetworkSchedule)


def undominated(some: Iterable[T]) -> list[T]:
    """Those of which no other is at least as good in accesses, footprint and compute; the fewest accesses first."""
    kept: list[T] = []
    # Sorted, none can be dominated by one that comes later.
    for one in sorted(some, key=lambda s: s.values):
        if not any(all(a <= b for a, b in zip(other.values, one.values, strict=True)) for other in kept):
            kept.append(one)
    return kept
