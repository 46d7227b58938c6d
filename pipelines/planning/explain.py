"""Why a plan is as it is: for each edge what the other decision would cost, and what would turn it round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kernels.errors import DefinitionError
from kernels.executors.base import DeviceModel
from pipelines.planning.plan import Edge, Plan
from pipelines.planning.planner import Planner, Wishes

MOST_EDGES = 20
"""Edges of which it is asked what would turn the decision round; each takes several plans."""
MOST_LAYERED = 40
"""Edges of a plan for a GPU up to which those between layers are asked about, too; each takes a plan, of large networks
a second."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One edge, against the best plan that decides it the other way.

    Args:
        edge: the edge.
        producer: the node that makes the value.
        possible: whether the other decision has a plan at all.
        seconds: time a frame that the other decision adds (negative: it would be faster, but something forbids it).
        bytes: traffic a frame that the decision saves (negative: costs).
        operations: operations a frame that the decision adds, in the halo for instance (negative: saves).
        halo: how much wider the group looks because of the decision, px in x and y; 0 where the edge is cut.
        limit: the resource that decides the time of the group that takes the value.
        turns: what would turn the decision round; empty where nothing that was tried does.
    """

    edge: Edge
    producer: str
    possible: bool
    seconds: float
    bytes: float
    operations: float
    halo: tuple[int, int]
    limit: str
    turns: str


def reasons(planner: Planner, plan: Plan, wishes: Wishes | None = None) -> list[Reason]:
    """One for each edge of the plan, in order, but for those between layers of a group on a CPU, or of a large one on a
    GPU: it is cut further into runs or modules, which explain themselves (`pipelines.planning.layers`,
    `pipelines.planning.modules`)."""
    wishes = wishes or Wishes()
    others: list[tuple[str, Planner, Wishes]] = []
    if len(plan.edges) <= MOST_EDGES:
        others = _others(planner, plan, wishes)
    changed = [(what, _fused(other, wish)) for what, other, wish in others]
    explained = planner.device.kind == "cpu" or len(plan.edges) > MOST_LAYERED
    layers = {task.node for task in planner.work.tasks if task.layer and explained}
    edges = [e for e in plan.edges if e.pinned or not (e.fused and {e.ref.node, e.consumer} <= layers)]
    return [_reason(planner, plan, wishes, edge, changed) for edge in edges]


def _reason(
    planner: Planner, plan: Plan, wishes: Wishes, edge: Edge, changed: list[tuple[str, dict[str, bool]]]
) -> Reason:
    producer = edge.ref.node
    pair = (producer, edge.consumer)
    group = next(g for g in plan.groups if edge.consumer in g.nodes)
    # The same wishes but for this edge, on which the opposite is decided; what was asked for about it is taken out.
    fixed = replace(wishes, batch=plan.batch, latency=0.0)
    fixed = replace(fixed, fuse=tuple(p for p in fixed.fuse if set(p) != set(pair)),
                    cut=tuple(p for p in fixed.cut if set(p) != set(pair)))  # fmt: skip
    opposite = replace(fixed, cut=(*fixed.cut, pair)) if edge.fused else replace(fixed, fuse=(*fixed.fuse, pair))
    turns = next((what for what, fused in changed if fused.get(str(edge), edge.fused) != edge.fused), "")
    try:
        if edge.why and not edge.fused:
            raise DefinitionError(edge.why)
        other = planner.plan(opposite)
    except DefinitionError:
        return Reason(edge, producer, False, 0.0, 0.0, 0.0, (0, 0), group.estimate.limit, turns)
    mine, theirs = plan.estimate, other.estimate
    halo = (0, 0)
    if edge.fused:
        alone = next(g for g in other.groups if edge.consumer in g.nodes)
        halo = (max(group.halo.left, group.halo.right) - max(alone.halo.left, alone.halo.right),
                max(group.halo.up, group.halo.down) - max(alone.halo.up, alone.halo.down))  # fmt: skip
    return Reason(edge, producer, True, theirs.seconds - mine.seconds, theirs.traffic - mine.traffic,
                  mine.operations - theirs.operations, (max(0, halo[0]), max(0, halo[1])), group.estimate.limit,
                  turns)  # fmt: skip


def _fused(planner: Planner, wishes: Wishes) -> dict[str, bool]:
    try:
        return {str(edge): edge.fused for edge in planner.plan(wishes).edges}
    except DefinitionError:
        return {}


def _others(planner: Planner, plan: Plan, wishes: Wishes) -> list[tuple[str, Planner, Wishes]]:
    """Other circumstances, the nearest first."""
    device = planner.device
    level = "L2" if device.kind == "cuda" else "L3"

    def on(what: str, change: Callable[[DeviceModel], DeviceModel]) -> tuple[str, Planner, Wishes]:
        return what, planner.on(change(device)), replace(wishes, batch=plan.batch, latency=0.0)

    def batch(length: int) -> tuple[str, Planner, Wishes]:
        return f"batches of {length}", planner, replace(wishes, batch=length, latency=0.0)

    found = [batch(length) for length in (2 * plan.batch, 4 * plan.batch) if length <= 64]
    found += [batch(length) for length in (plan.batch // 2, 1) if 1 <= length < plan.batch]
    for factor in (2, 4):
        found += [
            on(f"{factor} x the DRAM bandwidth", lambda d, f=factor: replace(d, dram=d.dram * f)),  # type: ignore[misc]
            on(f"1/{factor} of the DRAM bandwidth", lambda d, f=factor: replace(d, dram=d.dram / f)),  # type: ignore[misc]
            on(f"{factor} x the arithmetic", lambda d, f=factor: _arithmetic(d, f)),  # type: ignore[misc]
            on(f"1/{factor} of the arithmetic", lambda d, f=factor: _arithmetic(d, 1 / f)),  # type: ignore[misc]
            on(f"{factor} x the near memory's bandwidth", lambda d, f=factor: replace(d, near=d.near * f)),  # type: ignore[misc]
        ]
    found.append(on(f"no {level} to hold a frame", lambda d: replace(d, cache_bytes=0)))
    return found


def _arithmetic(device: DeviceModel, factor: float) -> DeviceModel:
    """The same device with so many times the arithmetic."""
    return replace(device, rate=device.rate * factor, macs=device.macs * factor, macs_int8=device.macs_int8 * factor,
                   tensor_tf32=device.tensor_tf32 * factor, tensor_f16=device.tensor_f16 * factor,
                   tensor_int8=device.tensor_int8 * factor)


def sentence(reason: Reason, pixels: int) -> str:
    """A reason in words; bytes and operations a pixel of the source."""
    edge, did = reason.edge, "fused" if reason.edge.fused else "cut"
    text = f"{reason.producer} -> {edge.consumer}: {did}"
    if edge.pinned:
        text += " (pinned)"
    if edge.why and not edge.fused:
        return f"{text}; {edge.why}"
    if not reason.possible:
        return f"{text}; the other way has no plan on this device"
    parts = [_moved(reason, pixels)]
    if edge.fused and reason.halo != (0, 0):
        parts.append(f"a halo wider by {reason.halo[0]},{reason.halo[1]} px")
    if abs(reason.operations) >= 0.05 * pixels:
        word = "more" if reason.operations > 0 else "fewer"
        parts.append(f"{abs(reason.operations) / pixels:.1f} {word} operations/px")
    other = "cutting" if edge.fused else "fusing"
    if abs(reason.seconds) < 0.5e-9:
        parts.append(f"{other} it would cost nothing")
    elif reason.seconds < 0:
        parts.append(f"{other} it would save {duration(-reason.seconds)}")
    else:
        parts.append(f"{other} it would add {duration(reason.seconds)}")
    parts.append(f"{edge.consumer}'s group is limited by {reason.limit}")
    if not edge.pinned and reason.turns:
        parts.append(f"it would be otherwise with {reason.turns}")
    return f"{text}; " + "; ".join(parts)


def _moved(reason: Reason, pixels: int) -> str:
    word = "saves" if reason.bytes >= 0 else "costs"
    return f"{word} {abs(reason.bytes) / pixels:.2f} B/px"


def duration(seconds: float) -> str:
    """Three digits and a unit.

    >>> duration(0.00123), duration(4.5e-6), duration(2.0)
    ('1.23 ms', '4.5 µs', '2 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= 0.9995 * size:  # what three digits round up to the unit
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def size(count: float) -> str:
    """Bytes, three digits.

    >>> size(512), size(49152), size(3.2e7), size(1048575)
    ('512 B', '48 KB', '30.5 MB', '1 MB')
    """
    for unit, one in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if count >= 0.9765 * one:  # 1000 of the unit below, which are more than three digits
            return f"{count / one:.3g} {unit}"
    return f"{count:.0f} B"
