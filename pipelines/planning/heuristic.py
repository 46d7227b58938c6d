"""Of graphs that are too wide to go through: a few orders, along which the best cuts are sought, and what merging and
moving makes of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kernels.fusion.down_sets import bits
from pipelines.planning.tiling import Vector

EFFORT = 400
"""Groups that merging and moving looks at."""
Cost = Callable[[int], Vector | None]
"""Cost of a group for each batch length (infinite where it does not fit), None where it cannot be one."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A partition for one batch length.

    Args:
        groups: the groups' tasks as bits, in order; none where there is no partition.
        seconds: the sum of their costs; infinite where there is none.
        least: what any partition costs at least.
    """

    groups: tuple[int, ...]
    seconds: float
    least: float = 0.0

    @property
    def proven(self) -> bool:
        """No partition is better."""
        return self.seconds <= self.least * (1 + 1e-12)


def orders(before: Sequence[int]) -> list[list[int]]:
    """A few linear orders: as given; by level; and depth first, which keeps chains together."""
    n = len(before)
    level = [0] * n
    for t in range(n):
        level[t] = 1 + max((level[p] for p in bits(before[t])), default=-1)
    deep: list[int] = []
    done = 0
    while len(deep) < n:  # of the tasks that can run, the one whose needs were met last
        ready = [t for t in range(n) if not done >> t & 1 and not before[t] & ~done]
        t = max(ready, key=lambda t: (max((deep.index(p) for p in bits(before[t])), default=-1), -t))
        deep.append(t)
        done |= 1 << t
    some = [list(range(n)), deep, sorted(range(n), key=lambda t: (level[t], t))][: 3 if n <= 16 else 2]
    return [order for k, order in enumerate(some) if order not in some[:k]]


def ordered(groups: Sequence[int], before: Sequence[int]) -> tuple[int, ...] | None:
    """The groups in an order in which they can run, or None where they wait for each other in a circle."""
    needs = {}
    for group in groups:
        needed = 0
        for t in bits(group):
            needed |= before[t]
        needs[group] = needed & ~group
    order: list[int] = []
    done = 0
    # By the lowest task, so that equal choices come out in the given order.
    rest = sorted(groups, key=lambda g: g & -g)
    while rest:
        ready = next((g for g in rest if not needs[g] & ~done), None)
        if ready is None:
            return None
        rest.remove(ready)
        order.append(ready)
        done |= ready
    return tuple(order)


def improved(first: list[Solution], before: Sequence[int], cost: Cost, batches: int) -> list[Solution]:
    """Merge groups and move tasks between them as long as that helps the best batch length."""
    # Only the best batch length is improved: effort is for one.
    target = min(range(batches), key=lambda k: first[k].seconds)
    if not first[target].groups:
        return first
    groups, seconds = list(first[target].groups), first[target].seconds
    looked: set[int] = set()

    def price(group: int) -> float:
        # A group that was never priced costs infinity once the effort is spent: no change to it can win, so that the
        # search ends by itself.
        if len(looked) > EFFORT and group not in looked:
            return float("inf")
        looked.add(group)
        found = cost(group) if group else np.zeros(batches)
        return float("inf") if found is None else float(found[target])

    better = True
    while better and len(looked) <= EFFORT:
        better = False
        # Groups change on the way: what is no group any more, or has lost the task, is passed over.
        for a, b, moved in _changes(groups, before):
            if a not in groups or b not in groups or not moved & a:
                continue
            new = [g for g in (a & ~moved, b | moved) if g]
            gain = price(a) + price(b) - sum(price(g) for g in new)
            if gain > seconds * 1e-12:
                # Merging may make two groups wait for each other: then it is no partition.
                changed = ordered([*(g for g in groups if g not in (a, b)), *new], before)
                if changed is not None:
                    groups, seconds, better = list(changed), seconds - gain, True
    result = list(first)
    result[target] = Solution(tuple(groups), sum(price(g) for g in groups))
    return result


def _changes(groups: Sequence[int], before: Sequence[int]) -> list[tuple[int, int, int]]:
    """(from, to, tasks): whole groups into others, then single tasks to groups that they touch."""
    merges = [(a, b, a) for k, a in enumerate(groups) for b in groups[:k]]
    moves = []
    for a in groups:
        for t in bits(a):
            # A task moves only to groups that it touches, by what it needs or who needs it.
            around = before[t] | sum(1 << u for u in range(len(before)) if before[u] >> t & 1)
            moves += [(a, b, 1 << t) for b in groups if b != a and b & around]
    return [*merges, *moves]
