"""The Pareto front: plans of which none is better in latency, bytes, on-chip memory and operations at once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from kernels.errors import DefinitionError
from pipelines.planning.bounds import Weights
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Planner, Wishes

MANY = 60
"""Stages of a pipeline of which no pairs of quantities are weighed: each takes seconds."""
HALVES = 4
"""How often near memory is halved to find plans of networks that do with less."""
AXES = ("latency", "bytes", "on_chip", "operations")


@dataclass(frozen=True, slots=True)
class Point:
    """A plan on the front.

    Args:
        latency: seconds from a batch's first frame to its result (only its computation where the rate is unknown).
        bytes: traffic a frame.
        on_chip: bytes of near memory of the largest block or strip.
        operations: a frame.
        plan: the plan.
        best: the axes in which no other plan of the front is better.
    """

    latency: float
    bytes: float
    on_chip: int
    operations: float
    plan: Plan
    best: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[float, ...]:
        return (self.latency, self.bytes, float(self.on_chip), self.operations)


def point(plan: Plan) -> Point:
    """Where a plan stands."""
    e = plan.estimate
    return Point(plan.latency, e.traffic, e.on_chip, e.operations, plan)


def front(planner: Planner, wishes: Wishes | None = None) -> list[Point]:
    """The front over the best plans for each batch length by time, bytes, memory and operations alone and in pairs, the
    plans without any fusing, and those of networks that do with less memory; the lowest latency first.

    It holds every plan that is best in one quantity; a plan between them that none of these weightings prefers is not
    found.
    """
    wishes = wishes or Wishes()
    fastest = planner.plans(wishes)
    # Weights are shares of the best that was found, so that quantities of different units meet as equals.
    scales = [_scale(p.estimate.seconds for p in fastest), _scale(p.estimate.traffic for p in fastest),
              _scale(p.estimate.on_chip for p in fastest), _scale(p.estimate.operations for p in fastest),
              1.0]  # fmt: skip
    plans = list(fastest)
    single, pairs = _mixes()
    for mix in single + (pairs if len(planner.work.tasks) <= MANY else []):
        weights: Weights = tuple(m / s for m, s in zip(mix, scales, strict=True))  # type: ignore[assignment]
        plans += planner.plans(wishes, weights)
    if not (wishes.fuse or wishes.cut):
        plans += _extremes(planner, wishes) + _tighter(planner, wishes, min(fastest, key=lambda p: p.estimate.seconds))
    within = [p for p in plans if not wishes.latency or p.latency <= wishes.latency]
    return undominated(point(p) for p in within)


def _scale(values: Iterable[float]) -> float:
    return max(min(values), 1e-12)


def _mixes() -> tuple[list[Weights], list[Weights]]:
    """One quantity alone (and a trace of the others, so that equals are told apart), and every two."""
    trace = 1e-4
    single = [(*(1.0 if k == axis else trace for k in range(4)), 0.0) for axis in (1, 2, 3)]
    pairs = [(*(0.5 if k in (a, b) else trace for k in range(4)), 0.0) for a in range(4) for b in range(a)]
    return single, pairs  # type: ignore[return-value]


def _extremes(planner: Planner, wishes: Wishes) -> list[Plan]:
    """No fusing, for each batch length."""
    found = []
    for batch in wishes.batches():
        with suppress(DefinitionError):  # a stage alone may not fit a tile that the user set
            found.append(planner.unfused(replace(wishes, batch=batch)))
    return found


def _tighter(planner: Planner, wishes: Wishes, fastest: Plan) -> list[Plan]:
    """Where rows are streamed through layers: the fastest plans of which no group holds more than a half, a quarter ...
    of what the fastest plan holds."""
    if planner.device.kind != "cpu" or not any(task.layer for task in planner.work.tasks):
        return []
    found: list[Plan] = []
    room, batch = fastest.estimate.on_chip, min(wishes.batches())
    for _ in range(HALVES):
        room //= 2
        # Near memory that is all there is, and smaller: groups that do not fit are impossible.
        tight = planner.on(replace(planner.device, scratchpad=True, block_bytes=max(1, room)))
        with suppress(DefinitionError):  # a layer alone may hold more
            best = tight.plan(replace(wishes, batch=batch, latency=0.0))
            # Priced on the real device: only the partition is taken over.
            found.append(planner.price(best.partition, replace(wishes, batch=batch)))
    return found


def undominated(points: Iterable[Point]) -> list[Point]:
    """Those of which no other is at least as good in all and better in one; of equal ones the first."""
    kept: list[Point] = []
    for p in points:
        if any(_as_good(q, p) for q in kept):
            continue
        kept = [q for q in kept if not _as_good(p, q)]
        kept.append(p)
    kept.sort(key=lambda p: p.values)
    least = [min((p.values[k] for p in kept), default=math.inf) for k in range(4)]
    return [replace(p, best=tuple(a for a, v, low in zip(AXES, p.values, least, strict=True) if v == low))
            for p in kept]  # fmt: skip


def _as_good(a: Point, b: Point) -> bool:
    return all(x <= y for x, y in zip(a.values, b.values, strict=True))


