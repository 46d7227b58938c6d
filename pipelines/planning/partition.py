"""The best ordered partition of a graph into groups: exact, by dynamic programming over its down-sets.

A down-set (order ideal) holds with each task all that the task needs. A sequence of growing down-sets cuts the graph
into groups that are convex and never wait for each other in a circle, and every such partition is one of these
sequences. So the best way to a down-set J is, over all down-sets I inside it, the best way to I and the group J - I.
Sets are bits of an integer. All batch lengths are solved at once: costs are vectors.

What cannot beat the best that a quick search found, by a bound that is cheap to compute, is not looked at. Wide graphs
have too many down-sets even so (k siblings: 2**k): beyond `PAIRS` of them and `GROUPS` whose cost had to be computed,
the quick search's result stands. It goes over the cuts of a few linear orders, then merges groups and moves tasks while
that helps; the result says that it is not proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.planning.tiling import Vector

PAIRS = 70_000
"""Pairs of down-sets, a group each, that are gone through."""
GROUPS = 1200
"""Groups among them whose cost is computed."""
EFFORT = 400
"""Groups that the search beyond looks at."""
Cost = Callable[[int], Vector | None]
"""Cost of a group for each batch length (infinite where it does not fit), None where it cannot be one."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The best partition for one batch length.

    Args:
        groups: the groups' tasks as bits, in order.
        seconds: the sum of their costs; infinite, with no groups, where there is none.
        proven: whether no partition is better.
    """

    groups: tuple[int, ...]
    seconds: float
    proven: bool


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def partitions(
    before: Sequence[int], cost: Cost, batches: int, dead: Callable[[int], bool],
    least: Callable[[int], Vector | float], rest: Callable[[int], Vector | float],
) -> list[Solution]:  # fmt: skip
    """The best partition for each batch length.

    Args:
        before: for each task (in an order in which they can run) those that it directly needs, as bits.
        cost: of a group.
        batches: number of batch lengths.
        dead: whether neither this set nor any that contains it can be a group.
        least: what a group costs at least (cheaper to compute than its cost).
        rest: what the tasks of a set cost at least, however they are grouped.
    """
    first = _linear(before, cost, batches, dead)
    pairs = _pairs(before, dead)
    found = None if pairs is None else _exact(before, cost, batches, pairs, least, rest, first)
    return _improved(first, before, cost, batches) if found is None else found


def _pairs(before: Sequence[int], dead: Callable[[int], bool]) -> dict[int, list[int]] | None:
    """Down-set -> the larger ones that it can grow to by one group; None if there are too many."""
    n, everything = len(before), (1 << len(before)) - 1
    grown: dict[int, tuple[int, ...]] = {}
    found: dict[int, list[int]] = {}
    layer, count = [0], 0
    seen = {0}
    while layer:
        following = []
        for ideal in layer:
            reached, stack, groups = {ideal}, [ideal], []
            while stack:
                at = stack.pop()
                if at not in grown:
                    grown[at] = tuple(at | 1 << t for t in range(n) if not at >> t & 1 and not before[t] & ~at)
                for larger in grown[at]:
                    if larger not in reached:
                        reached.add(larger)
                        if not dead(larger ^ ideal):
                            groups.append(larger)
                            stack.append(larger)
                            count += 1
                            if count > PAIRS:
                                return None
            found[ideal] = groups
            for larger in groups:
                if larger not in seen and larger != everything:
                    seen.add(larger)
                    following.append(larger)
        layer = following
    return dict(sorted(found.items(), key=lambda pair: (pair[0].bit_count(), pair[0])))


def _exact(
    before: Sequence[int], cost: Cost, batches: int, pairs: dict[int, list[int]],
    least: Callable[[int], Vector | float], rest: Callable[[int], Vector | float], first: list[Solution],
) -> list[Solution] | None:  # fmt: skip
    everything = (1 << len(before)) - 1
    known = np.asarray([s.seconds for s in first]) * (1 + 1e-12)  # nothing worse than this is looked at
    best: dict[int, Vector] = {0: np.zeros(batches)}
    way: dict[int, list[int]] = {0: [0] * batches}
    looked: set[int] = set()
    for ideal, larger in pairs.items():
        if ideal not in best:
            continue
        here = best[ideal]
        room = known - here
        if not (rest(everything & ~ideal) <= room).any():
            continue
        for to in larger:
            group = to ^ ideal
            if not (least(group) + rest(everything & ~to) <= room).any():
                continue
            looked.add(group)
            if len(looked) > GROUPS:
                return None
            seconds = cost(group)
            if seconds is None:
                continue
            total = here + seconds
            if to not in best:
                best[to], way[to] = total, [ideal] * batches
                continue
            better = total < best[to]
            if better.any():
                best[to] = np.where(better, total, best[to])
                way[to] = [ideal if b else w for b, w in zip(better, way[to], strict=True)]
    if everything not in best:  # then the first search has found none either
        return [Solution((), float("inf"), True)] * batches
    solutions = []
    for k in range(batches):
        at, groups = everything, []
        while at and np.isfinite(best[everything][k]):
            groups.append(at ^ way[at][k])
            at = way[at][k]
        solutions.append(Solution(tuple(reversed(groups)), float(best[everything][k]), True))
    return solutions


def _orders(before: Sequence[int]) -> list[list[int]]:
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
    orders = [list(range(n)), deep, sorted(range(n), key=lambda t: (level[t], t))][: 3 if n <= 16 else 2]
    return [order for k, order in enumerate(orders) if order not in orders[:k]]


def _linear(before: Sequence[int], cost: Cost, batches: int, dead: Callable[[int], bool]) -> list[Solution]:
    """The best cuts of a few linear orders into runs."""
    found = [Solution((), float("inf"), False)] * batches
    for order in _orders(before):
        best: list[Vector] = [np.zeros(batches)]
        way: list[list[int]] = [[0] * batches]
        for end in range(1, len(order) + 1):
            total, ways, group = np.full(batches, np.inf), [0] * batches, 0
            for start in range(end - 1, -1, -1):
                group |= 1 << order[start]
                if dead(group):
                    break
                seconds = cost(group)
                if seconds is None:
                    continue
                better = best[start] + seconds < total
                total = np.where(better, best[start] + seconds, total)
                ways = [start if b else w for b, w in zip(better, ways, strict=True)]
            best.append(total)
            way.append(ways)
        for k in range(batches):
            if best[-1][k] < found[k].seconds:
                end, groups = len(order), []
                while end:
                    start = way[end][k]
                    groups.append(sum(1 << t for t in order[start:end]))
                    end = start
                found[k] = Solution(tuple(reversed(groups)), float(best[-1][k]), False)
    return found


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
    rest = sorted(groups, key=lambda g: g & -g)
    while rest:
        ready = next((g for g in rest if not needs[g] & ~done), None)
        if ready is None:
            return None
        rest.remove(ready)
        order.append(ready)
        done |= ready
    return tuple(order)


def _improved(first: list[Solution], before: Sequence[int], cost: Cost, batches: int) -> list[Solution]:
    """Merge groups and move tasks between them as long as that helps the best batch length."""
    target = min(range(batches), key=lambda k: first[k].seconds)
    if not first[target].groups:
        return first
    groups, seconds = list(first[target].groups), first[target].seconds
    looked: set[int] = set()

    def price(group: int) -> float:
        if len(looked) > EFFORT and group not in looked:
            return float("inf")
        looked.add(group)
        found = cost(group) if group else np.zeros(batches)
        return float("inf") if found is None else float(found[target])

    improved = True
    while improved and len(looked) <= EFFORT:
        improved = False
        for a, b, moved in _changes(groups, before):
            if a not in groups or b not in groups or not moved & a:
                continue
            new = [g for g in (a & ~moved, b | moved) if g]
            gain = price(a) + price(b) - sum(price(g) for g in new)
            if gain > seconds * 1e-12:
                changed = ordered([*(g for g in groups if g not in (a, b)), *new], before)
                if changed is not None:
                    groups, seconds, improved = list(changed), seconds - gain, True
    result = list(first)
    result[target] = Solution(tuple(groups), sum(price(g) for g in groups), False)
    return result


def _changes(groups: Sequence[int], before: Sequence[int]) -> list[tuple[int, int, int]]:
    """(from, to, tasks): whole groups into others, then single tasks to groups that they touch."""
    merges = [(a, b, a) for k, a in enumerate(groups) for b in groups[:k]]
    moves = []
    for a in groups:
        for t in bits(a):
            around = before[t] | sum(1 << u for u in range(len(before)) if before[u] >> t & 1)
            moves += [(a, b, 1 << t) for b in groups if b != a and b & around]
    return [*merges, *moves]
