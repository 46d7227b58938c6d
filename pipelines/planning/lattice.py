"""The down-sets of a graph of tasks, and the groups by which one grows into another.

A set is the bits of an integer; many sets are rows of words of 64 bits (`packed`), so that graphs of any number of
tasks go the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.uint64]
"""(sets, words): bit t % 64 of word t // 64 says whether task t is in the set."""
Flags = npt.NDArray[np.bool_]
IDEALS = 3000
"""Down-sets that are gone through."""
PAIRS = 400_000
"""Pairs of down-sets, a group each, that are gone through."""
CUTS = 400
"""Down-sets of a graph that is too wide that are kept: 80,000 groups at most, whose bounds take a second of a core."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """Down-sets in ascending size, the first empty, the last everything.

    Args:
        ideals: the down-sets.
        groups: each set of tasks by which a down-set can grow, once.
        targets: the numbers of the down-sets that each can grow to, one after another (for the last one, none).
        ways: for each of these the number of the group; each down-set's end with one more, which no group has, so
            that none is without.
        starts: where each down-set's begin in `targets` and `ways`, and their end.
        layers: where the down-sets of each size begin, and their end.
    """

    ideals: Masks
    groups: Masks
    targets: npt.NDArray[np.intp]
    ways: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]
    layers: npt.NDArray[np.intp]


def lattice(before: Sequence[int], possible: Callable[[Masks], Flags]) -> Lattice | None:
    """The lattice of the groups that are possible; None where it is too large to go through.

    Args:
        before: for each task (in an order in which they can run) those that it directly needs, as bits.
        possible: whether each set can be a group.
    """
    found = down_sets(before, IDEALS)
    return None if found is None else _lattice_of(found, len(before), possible)


def lattice_along(
    orders: Sequence[Sequence[int]], possible: Callable[[Masks], Flags], dead: Callable[[int], bool]
) -> Lattice | None:
    """The part of a lattice that a few linear orders of the tasks go through: of a graph that is too wide, the
    down-sets that an order begins with. Of orders of many tasks only some are kept, `CUTS` in all: evenly, and where a
    group must end. None where even these are too many.

    Args:
        orders: in which the tasks can run.
        possible: whether each set can be a group.
        dead: whether neither a set nor any that contains it can be a group.
    """
    n, every = len(orders[0]), set[int]()
    # CUTS shared out among all orders.
    stride = max(1, -(-n * len(orders) // CUTS))
    for order in orders:
        done, group = 0, 0
        for place, t in enumerate(order):
            group |= 1 << t
            if dead(group):  # a group must end before it
                group = 1 << t
                every.add(done)
            elif place % stride == 0:
                every.add(done)
            done |= 1 << t
        every.add(done)
    return _lattice_of(packed(sorted(every, key=lambda s: (s.bit_count(), s)), n), n, possible)


def _lattice_of(found: Masks, n: int, possible: Callable[[Masks], Flags]) -> Lattice | None:
    """The lattice of some down-sets, in ascending size, nothing and everything among them."""
    targets: list[npt.NDArray[np.intp]] = []
    masks: list[Masks] = []
    count = 0
    for k, ideal in enumerate(found[:-1]):
        # All down-sets that hold this one are larger, thus behind it.
        larger = np.flatnonzero(holding(found[k + 1 :], ideal)) + k + 1
        targets.append(larger)
        masks.append(found[larger] ^ ideal)
        count += len(larger)
        if count > PAIRS:
            return None
    # The same group is the difference of many pairs of down-sets: whether it is possible, and what it costs, is asked
    # once.
    every, ways = _distinct(np.concatenate(masks))
    kept = possible(every)
    groups = every[kept]
    # Old numbers of groups to those of the ones that are kept; the rest get the number that no group has.
    number = np.where(kept, np.cumsum(kept) - 1, len(groups))[ways]
    ends, left, last = np.cumsum([0, *map(len, masks)]), [], len(found) - 1
    for k, larger in enumerate(targets):
        way = number[ends[k] : ends[k + 1]]
        can = way < len(groups)
        # The way that no group has leads to the end, so that `reduceat` finds no empty segment.
        targets[k] = np.append(larger[can], last)
        left.append(np.append(way[can], len(groups)))
    starts = np.cumsum([0, *map(len, left)])
    sizes = np.bitwise_count(found).sum(1)
    layers = np.searchsorted(sizes, np.arange(n + 2))
    return Lattice(found, groups, np.concatenate(targets), np.concatenate(left), starts, layers)


def _distinct(masks: Masks) -> tuple[Masks, npt.NDArray[np.intp]]:
    """Each set once, and for each of those given which it is."""
    if masks.shape[1] == 1:
        every, ways = np.unique(masks[:, 0], return_inverse=True)
        return every[:, np.newaxis], ways
    order = np.lexsort(masks.T)
    ordered = masks[order]
    first = np.append(True, (ordered[1:] != ordered[:-1]).any(1))
    ways = np.empty(len(masks), np.intp)
    ways[order] = np.cumsum(first) - 1
    return ordered[first], ways


def down_sets(before: Sequence[int], most: int) -> Masks | None:
    """The down-sets in ascending size; None where there are more than `most`."""
    n = len(before)
    layer, found = [0], [0]
    # Breadth first by size: each set of k tasks grows by one task all of whose needs it holds. A dict drops those that
    # were reached on several ways; sorting makes the order independent of how.
    for _ in range(n):
        grown: dict[int, None] = {}
        for ideal in layer:
            for t in range(n):
                if not ideal >> t & 1 and not before[t] & ~ideal:
                    grown[ideal | 1 << t] = None
        layer = sorted(grown)
        found += layer
        if len(found) > most:
            return None
    return packed(found, n)


def packed(sets: Sequence[int], n: int) -> Masks:
    """Sets of n tasks as rows of words."""
    size = 8 * max(1, -(-n // 64))
    raw = b"".join(one.to_bytes(size, "little") for one in sets)
    return np.frombuffer(raw, "<u8").astype(np.uint64).reshape(len(sets), size // 8)


def number_of(row: npt.NDArray[np.uint64]) -> int:
    """A row of words as an integer."""
    return sum(int(word) << 64 * k for k, word in enumerate(row))


def holding(masks: Masks, row: npt.NDArray[np.uint64]) -> Flags:
    """Which sets hold all of one set."""
    found = np.ones(len(masks), bool)
    for column, word in zip(masks.T, row, strict=True):  # far quicker than `all` over an axis of a few
        found &= (column & word) == word
    return found


def members(masks: Masks, n: int) -> Flags:
    """(sets, tasks): which tasks each set has."""
    raw = masks.astype("<u8").view(np.uint8).reshape(len(masks), 8 * masks.shape[1])
    found = np.unpackbits(raw, axis=1, bitorder="little")
    return np.asfortranarray(found[:, :n].astype(bool))  # whoever looks at them looks at a task of all sets
