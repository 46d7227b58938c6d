"""The best ordered partition of a graph of tasks into groups.

Dynamic programming over down-sets (sets that hold, with a task, all that it needs): a partition whose groups can run
one after another is a chain of down-sets, and each group the difference of two. So best(I) = min over down-sets J > I
of cost(J - I) + best(J). All batch lengths are solved at once: costs are vectors.

What a group costs is dear to compute (a vector over its tiles), what it costs at least is cheap (`bounds`). So the
chain is sought by the bounds; the groups on it are computed, which replaces their bounds; and so on until the best
chain has no bounds left. It is then the best of all: every other chain costs at least what its bounds and known costs
sum to (Dellin and Srinivasa 2016, "A unifying formalism for shortest path problems with expensive edge evaluations").

Wide graphs have too many down-sets (k siblings: 2**k). Of these the down-sets are gone through that a few linear orders
begin with, until a partition is within `CLOSE` of what any costs at least; then groups are merged and tasks moved.
Beyond the limits `GROUPS` and `STEPS` the best that was found stands, with what any partition costs at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pipelines.planning.heuristic import Cost, Solution, improved, orders
from pipelines.planning.lattice import Lattice, Masks, number_of

GROUPS = 1000
"""Groups whose cost is computed."""
STEPS = 6_000_000
"""Ways between down-sets that are gone through, each time that a best chain is sought."""
CLOSE = 0.01
"""Share by which a partition of a wide graph may take longer than the least: plans are predicted within 25 %."""
Floats = npt.NDArray[np.float64]


class Model(Protocol):
    """What the search needs to know of groups cheaply."""

    def lattice(self) -> Lattice | None:
        """The graph's down-sets and the groups that can be, but for their tiles; None where it is too wide."""
        ...

    def along(self, orders: Sequence[Sequence[int]]) -> Lattice | None:
        """The part of it that a few linear orders go through."""
        ...

    def least(self, masks: Masks) -> Floats:
        """(groups, batch lengths): what each costs at least."""
        ...

    def rest(self) -> Floats:
        """What any partition costs at least, for each batch length."""
        ...

    def dead(self, mask: int) -> bool:
        """Whether neither this set nor any that contains it can be a group."""
        ...

    def larger(self, mask: int, masks: Masks) -> tuple[npt.NDArray[np.intp], Floats]:
        """What the cost of this group says of those of `masks` that contain it: numbers, (groups, batch lengths)."""
        ...


def partitions(before: Sequence[int], cost: Cost, batches: int, model: Model) -> list[Solution]:
    """The best partition for each batch length.

    Args:
        before: for each task (in an order in which they can run) those that it directly needs, as bits.
        cost: of a group.
        batches: number of batch lengths.
        model: bounds.
    """
    known = model.lattice()
    return _wide(before, cost, batches, model) if known is None else _Search(known, cost, batches, model).run()


def _wide(before: Sequence[int], cost: Cost, batches: int, model: Model) -> list[Solution]:
    """Good partitions of a graph that is too wide to go through."""
    least, lines = model.rest(), orders(before)
    known = model.along(lines) or model.along(lines[:1])  # one where those of all are too many
    found = _Search(known, cost, batches, model, least).run() if known else [Solution((), np.inf)] * batches
    if not all(s.groups for s in found):
        found = [s if s.groups else one for s, one in zip(found, _single(lines[0], cost, batches), strict=True)]
    found = [replace(s, least=float(low)) for s, low in zip(found, least, strict=True)]
    if all(s.seconds <= s.least * (1 + CLOSE) for s in found):
        return found
    return [replace(s, least=float(low)) for s, low in
            zip(improved(found, before, cost, batches), least, strict=True)]  # fmt: skip


def _single(order: Sequence[int], cost: Cost, batches: int) -> list[Solution]:
    """Every task by itself; of a batch length for which one fits nowhere, no partition."""
    groups = tuple(1 << t for t in order)
    total = np.zeros(batches)
    for group in groups:
        seconds = cost(group)
        total = total + (np.inf if seconds is None else seconds)
    return [Solution(groups if np.isfinite(s) else (), float(s)) for s in total]


class _Search:
    """The search over a lattice.

    Args:
        enough: what any partition of the whole graph costs at least, for each batch length, where one within `CLOSE` of
            that is enough; None where the best is sought.
    """

    def __init__(
        self, known: Lattice, cost: Cost, batches: int, model: Model, enough: Floats | None = None
    ) -> None:  # fmt: skip
        self.lattice, self.cost, self.model = known, cost, model
        self.wide = enough is not None
        self.enough = np.zeros(batches) if enough is None else enough * (1 + CLOSE)
        self.costs = np.full((len(known.groups) + 1, batches), np.inf)  # the last for the way that no group has
        self.costs[:-1] = model.least(known.groups)
        self.computed = np.zeros(len(known.groups) + 1, bool)
        self.best = [Solution((), np.inf)] * batches

    def run(self) -> list[Solution]:
        active, steps = list(range(len(self.best))), 0
        # Each turn computes the groups on the chain that looks best by bounds; columns are batch lengths still open.
        while active:
            rest = self.rests(self.costs, active)
            waiting = []
            for column, k in enumerate(active):
                self.best[k] = replace(self.best[k], least=float(rest[0, column]))
                close = self.best[k].seconds <= self.enough[k] or (
                    self.wide and self.best[k].seconds <= rest[0, column] * (1 + CLOSE)
                )
                if not self.best[k].proven and not close and np.isfinite(rest[0, column]):
                    waiting.append((k, self.path(self.costs, rest[:, column], k)))
            active = [k for k, _ in waiting]
            steps += len(self.lattice.ways)
            # Give up the proof, not the result: among what was computed the best chain is still found, and `least` says
            # how far from the best of all it can be.
            if self.computed.sum() >= GROUPS or steps >= STEPS:
                self._settle(active)
                break
            for k, path in waiting:
                self.compute(path)
                self.offer(k, path)
        return self.best

    def _settle(self, active: list[int]) -> None:
        """The best chains of what is computed."""
        costs = np.where(self.computed[:, np.newaxis], self.costs, np.inf)
        rest = self.rests(costs, active)
        for column, k in enumerate(active):
            if np.isfinite(rest[0, column]):
                self.offer(k, self.path(costs, rest[:, column], k))

    def rests(self, costs: Floats, columns: Sequence[int]) -> Floats:
        """(down-sets, columns): the least cost from each down-set to everything."""
        t = self.lattice
        every = np.ascontiguousarray(costs[:, columns])[t.ways]
        rest = np.zeros((len(t.ideals), len(columns)))
        # A down-set grows only to larger ones, so that all of one size can be solved in one vectorised step, from the
        # largest to the empty one.
        for first, end in zip(t.layers[-3::-1], t.layers[-2:0:-1], strict=True):
            a, b = t.starts[first], t.starts[end]
            # Bellman's step: over all ways from each down-set, cost of the group plus the rest from where it leads.
            rest[first:end] = np.minimum.reduceat(every[a:b] + rest[t.targets[a:b]], t.starts[first:end] - a)
        return rest

    def path(self, costs: Floats, rest: Floats, k: int) -> list[int]:
        """The numbers of the groups of a best chain."""
        t, at, chain = self.lattice, 0, []
        while at < len(t.ideals) - 1:
            part = slice(t.starts[at], t.starts[at + 1])
            step = int(np.argmin(costs[t.ways[part], k] + rest[t.targets[part]]))
            chain.append(int(t.ways[part][step]))
            at = int(t.targets[part][step])
        return chain

    def compute(self, chain: Sequence[int]) -> None:
        for g in chain:
            if not self.computed[g]:
                mask = number_of(self.lattice.groups[g])
                seconds = self.cost(mask)
                self.costs[g] = np.inf if seconds is None else seconds
                self.computed[g] = True
                numbers, more = self.model.larger(mask, self.lattice.groups)
                still = ~self.computed[numbers]
                # A computed group says something of those that contain it, which compute at least as much in its halo:
                # raising their bounds now saves computing them. Bounds only ever rise, which keeps the search exact.
                self.costs[numbers[still]] = np.maximum(self.costs[numbers[still]], more[still])

    def offer(self, k: int, chain: Sequence[int]) -> None:
        seconds = float(sum(self.costs[g, k] for g in chain))
        if seconds < self.best[k].seconds:
            groups = tuple(number_of(self.lattice.groups[g]) for g in chain)
            self.best[k] = replace(self.best[k], groups=groups, seconds=seconds)
