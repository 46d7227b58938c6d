"""The down-sets of a graph of tasks, and the groups by which one grows into another. Sets are bits of an integer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.int64]
MOST_TASKS = 62
IDEALS = 3000
"""Down-sets that are gone through."""
PAIRS = 400_000
"""Pairs of down-sets, a group each, that are gone through."""


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


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def lattice(before: Sequence[int], possible: Callable[[Masks], npt.NDArray[np.bool_]]) -> Lattice | None:
    """The lattice of the groups that are possible; None where it is too large to go through.

    Args:
        before: for each task (in an order in which they can run) those that it directly needs, as bits.
        possible: whether each set can be a group.
    """
    found = down_sets(before, IDEALS)
    if found is None:
        return None
    targets: list[npt.NDArray[np.intp]] = []
    masks: list[Masks] = []
    count = 0
    for k, ideal in enumerate(found[:-1]):
        larger = np.flatnonzero((found[k + 1 :] & ideal) == ideal) + k + 1
        targets.append(larger)
        masks.append(found[larger] ^ ideal)
        count += len(larger)
        if count > PAIRS:
            return None
    every, ways = np.unique(np.concatenate(masks), return_inverse=True)
    kept = possible(every)
    groups = every[kept]
    number = np.where(kept, np.cumsum(kept) - 1, len(groups))[ways]
    ends, left, last = np.cumsum([0, *map(len, masks)]), [], len(found) - 1
    for k, larger in enumerate(targets):
        way = number[ends[k] : ends[k + 1]]
        can = way < len(groups)
        targets[k] = np.append(larger[can], last)
        left.append(np.append(way[can], len(groups)))
    starts = np.cumsum([0, *map(len, left)])
    sizes = np.bitwise_count(found)
    layers = np.searchsorted(sizes, np.arange(len(before) + 2))
    return Lattice(found, groups, np.concatenate(targets), np.concatenate(left), starts, layers)


def down_sets(before: Sequence[int], most: int) -> Masks | None:
    """The down-sets in ascending size; None where there are more than `most`."""
    n = len(before)
    if n > MOST_TASKS:
        return None
    layer, found = [0], [0]
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
    return np.asarray(found, np.int64)


def members(masks: Masks, n: int) -> npt.NDArray[np.bool_]:
    """(sets, tasks): which tasks each set has."""
    found: npt.NDArray[Any] = (masks[:, np.newaxis] >> np.arange(n, dtype=np.int64)) & 1
    return found.astype(bool)
