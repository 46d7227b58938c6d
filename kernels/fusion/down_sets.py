"""The cheapest way to share the tasks of a graph out among groups that run one after another.

A *down-set* holds, with a task, all that it needs. A partition whose groups can run one after another is a chain of
down-sets from nothing to everything, and each group the difference of two neighbours; so the cheapest partition is the
shortest way through them: best(J) = min over I of best(I) + cost(J - I). Nothing is in two groups, whatever branches
and joins the graph has, and two groups that wait for one another are no chain. Sets are the bits of an integer.

A graph of k tasks side by side has 2**k down-sets. Where they are too many, `in_order` goes through the partitions of
one order of the tasks.

Sources: Held and Karp 1962 for the recurrence; Steiner 1990 for partial orders ("On the complexity of dynamic
programming for sequencing problems with precedence constraints").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import getitem

DOWN_SETS = 4000
"""Most of a graph that are gone through; a few thousand take a second."""
Least = Callable[[int], float]
"""What a group costs at least."""
Cost = Callable[[int, float], float]
"""What a group costs; infinite where it cannot be one. Of one that costs no less than a limit it is enough to say so by
any number from the limit to what it costs."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A partition.

    Args:
        groups: sets of tasks in an order in which they can run.
        cost: their sum.
    """

    groups: tuple[int, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Rules:
    """Which sets can be groups, whatever they cost.

    Args:
        longest: the most that a group may weigh.
        weights: of the tasks; each 1 if empty.
        apart: for each task those that it shares no group with; none if empty.
        linked: for each task those that it has to do with, and a group holds together by that; all if empty.
    """

    longest: int
    weights: Sequence[int] = ()
    apart: Sequence[int] = ()
    linked: Sequence[int] = ()

    def together(self, group: int) -> bool:
        """Whether a group holds together."""
        if not self.linked:
            return True
        # A flood fill in bits: start with the lowest task, add what the newest are linked to inside the group, until
        # nothing is new; the group holds together if all was reached.
        reached = fresh = group & -group
        while fresh:
            around = 0
            for t in bits(fresh):
                around |= self.linked[t]
            fresh = around & group & ~reached
            reached |= fresh
        return reached == group


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Totals:
    """Sums over sets of what each member counts, eight members at a time: sets of hundreds are summed by the million.

    >>> Totals([1.0, 2.0, 4.0])(0b101)
    5.0
    """

    def __init__(self, values: Sequence[float]) -> None:
        self._tables: list[list[float]] = []
        for first in range(0, len(values), 8):
            table = [0.0]
            # Sums of all subsets of eight values: twice as many with each value.
            for value in values[first : first + 8]:
                table += [total + value for total in table]
            self._tables.append(table)

    def __call__(self, mask: int) -> float:
        # One look-up a byte of the mask.
        return sum(map(getitem, self._tables, mask.to_bytes(len(self._tables), "little")))


@dataclass(frozen=True, slots=True)
class DownSets:
    """The down-sets of a graph.

    Args:
        count: of tasks.
        ways: each down-set with the groups that may end it, the smaller sets first.
    """

    count: int
    ways: Mapping[int, Sequence[int]]

    def cheapest(self, cost: Cost, least: Least = lambda _: 0.0) -> Chain:
        """The cheapest partition; of infinite cost, with no groups, if there is none.

        Args:
            cost: of a group that may be part of the cheapest; the limit is what it must stay below for that.
            least: asked once of each.
        """
        known: set[int] = set()  # of which the bound is the cost
        bound: dict[int, float] = {}
        best: dict[int, tuple[float, int]] = {0: (0.0, 0)}  # cost, last group
        for ideal, groups in self.ways.items():
            found = best.get(ideal, (math.inf, 0))
            for group in groups:
                before = best[ideal ^ group][0]
                if before == math.inf:
                    continue
                if group not in bound:
                    bound[group] = least(group)
                # What a group must cost less than to be of use here. A cost that reaches the limit need not be known
                # exactly; it is asked again only where another way leaves it more.
                limit = found[0] - before
                if group not in known and bound[group] < limit:
                    bound[group] = cost(group, limit)
                    if bound[group] < limit:
                        known.add(group)
                if bound[group] < limit:
                    found = before + bound[group], group
            best[ideal] = found
        return _chain(best, (1 << self.count) - 1)


def down_sets(before: Sequence[int], rules: Rules, most: int = DOWN_SETS) -> DownSets | None:
    """The down-sets of a graph; None if they are too many.

    Args:
        before: for each task (in an order in which they can run) those that it needs.
        rules: which sets can be groups.
    """
    n = len(before)
    after = [0] * n
    for t, needs in enumerate(before):
        for s in bits(needs):
            after[s] |= 1 << t
    together: dict[int, bool] = {}
    # Of each down-set the tasks whose needs it holds: they can come next.
    ready = {0: sum(1 << t for t in range(n) if not before[t])}
    layers: list[dict[int, list[int]]] = [{} for _ in range(n + 1)]  # by size
    layers[0][0] = []
    # By size: a down-set is reached from smaller ones alone, so that its list is whole when its turn comes.
    for layer in layers:
        for ideal, ends in layer.items():
            ends.sort(key=int.bit_count)  # small ones take little time, and limit the others
            for group, then in _groups(ideal, ready[ideal], before, after, rules):
                grown = ideal | group
                if grown not in ready:
                    if len(ready) == most:
                        return None
                    ready[grown] = then
                    layers[grown.bit_count()][grown] = []
                if group not in together:
                    together[group] = rules.together(group)
                if together[group]:
                    layers[grown.bit_count()][grown].append(group)
    return DownSets(n, {ideal: ends for layer in layers for ideal, ends in layer.items()})


def _groups(
    ideal: int, ready: int, before: Sequence[int], after: Sequence[int], rules: Rules
) -> Iterator[tuple[int, int]]:
    """The sets by which a down-set can grow, and what the larger one can take then."""
    weights = rules.weights or (1,) * len(before)
    seen: set[int] = set()
    waiting = [(0, ready, 0)]
    # Depth first over the sets that can end a chain: a task is added when all that it needs is in the down-set or in
    # the group so far. `seen` drops the orders in which the same set can be built.
    while waiting:
        group, open_, weight = waiting.pop()
        for t in bits(open_):
            more = group | 1 << t
            if more in seen or weight + weights[t] > rules.longest or (rules.apart and rules.apart[t] & group):
                continue
            seen.add(more)
            # A task becomes ready with the last of its needs.
            then, done = open_ & ~(1 << t), ideal | more
            for u in bits(after[t]):
                if not before[u] & ~done:
                    then |= 1 << u
            waiting.append((more, then, weight + weights[t]))
            yield more, then


def in_order(count: int, cost: Cost, longest: int) -> Chain:
    """The cheapest partition into groups of tasks one after another in their order; `DownSets.cheapest` for
    the result."""
    best: dict[int, tuple[float, int]] = {0: (0.0, 0)}
    for first in range(count):
        ideal = (1 << first) - 1
        # Intervals of the order: group = first .. end - 1.
        for end in range(first + 1, min(count, first + longest) + 1):
            grown = (1 << end) - 1
            found = best[ideal][0] + cost(grown ^ ideal, math.inf)
            if found < best.get(grown, (math.inf, 0))[0]:
                best[grown] = (found, grown ^ ideal)
            best.setdefault(grown, (math.inf, 0))
    return _chain(best, (1 << count) - 1)


def _chain(best: dict[int, tuple[float, int]], full: int) -> Chain:
    cost, groups = best.get(full, (math.inf, 0))[0], list[int]()
    at = full if cost < math.inf else 0
    while at:
        groups.append(best[at][1])
        at ^= groups[-1]
    return Chain(tuple(groups[::-1]), cost)
