"""Plans in plain values: what `planning` has done in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from app.commands.source import sources
from app.desk.plan.planning import EdgeRow, FrontRow, GroupRow, PlanAsk, PlanReport
from kernels.errors import DefinitionError
from kernels.ir.image import DTYPES, ImageType
from pipelines.definition import loads
from pipelines.graph import Bound, bind
from pipelines.planning.candidates import FEWEST
from pipelines.planning.devices import find_device
from pipelines.planning.explain import Reason, reasons, sentence
from pipelines.planning.launches import as_launched
from pipelines.planning.pareto import Point, front, point
from pipelines.planning.plan import Edge, Plan
from pipelines.planning.planner import Planner, Wishes, planner_of
from pipelines.streaming.common.preparing import bound_for

ASSUMED = ImageType(DTYPES["u8"], 1024, 1024, 1)
"""The picture that is planned for while nothing is open."""
_KEPT = {"recomputed": "r", "cached": "c", "carried": "k", "-": "-"}


def plan(ask: PlanAsk) -> Iterator[PlanReport]:
    """The plan at once, then with reasons, front and comparisons.

    Raises:
        InputError: the pipeline does not fit, the device is not there, or no plan fits it.
    """
    bound = bound_of(ask)
    planner = planner_of(bound, find_device(ask.device))
    info = ask.info
    fps = info.time.fps if info is not None and info.time.fps > 0 else 0.0
    pins = bound.pins
    wishes = Wishes(fps=fps, fuse=pins.fuse, cut=pins.cut)
    best = planner.plan(wishes)
    quick = _report(ask, bound, planner, best)
    quick = replace(quick, running=_running(ask, bound, planner, best))
    yield quick
    why = reasons(planner, best, wishes)
    edges = tuple(_edge(reason, best.pixels) for reason in why)
    found = [p for p in front(planner, wishes) if not _same(p.plan, best)]
    points = tuple(_point(p, best) for p in (*found, point(best)))  # a front may hold another as quick
    # Compiling takes seconds, of which the answer at once knows nothing.
    full = _report(ask, bound, planner, as_launched(planner, bound, best))
    yield replace(full, running=quick.running, edges=edges, front=points, others=_others(planner, best, wishes),
                  complete=True)  # fmt: skip


def _same(one: Plan, other: Plan) -> bool:
    return one.partition == other.partition and one.batch == other.batch


def _point(p: Point, best: Plan) -> FrontRow:
    cuts = " | ".join("+".join(g.nodes) for g in p.plan.groups if g.executor != "host")
    return FrontRow(cuts, p.plan.batch, p.latency, p.plan.estimate.seconds, p.bytes / best.pixels, p.on_chip,
                    p.operations / best.pixels, p.best, p.plan is best)  # fmt: skip


def bound_of(ask: PlanAsk) -> Bound:
    """The pipeline, for the frames of what is open."""
    pipeline = loads(ask.pipeline)
    return bind(pipeline, ASSUMED) if ask.info is None else bound_for(pipeline, ask.info, ask.roi)


def source_text(ask: PlanAsk, groups: Sequence[Sequence[str]], kind: str) -> tuple[tuple[str, str], ...]:
    """(group, generated code) of each group."""
    return tuple(sources(bound_of(ask), groups, kind))


def _report(ask: PlanAsk, bound: Bound, planner: Planner, best: Plan) -> PlanReport:
    e, pixels = best.estimate, best.pixels
    groups = tuple(
        GroupRow("+".join(g.nodes), g.duplicated, g.executor, str(g.tile), str(g.halo),
                 "".join(_KEPT[g.axes[a]] for a in "xyt"), g.input_bytes / pixels, g.output_bytes / pixels,
                 g.estimate.dram / pixels, g.estimate.operations / pixels, g.estimate.on_chip, g.estimate.seconds,
                 g.estimate.limit)
        for g in best.groups
    )  # fmt: skip
    return PlanReport(
        loads(ask.pipeline).digest, str(bound.source), ask.info is None, planner.device.name, planner.device.origin,
        planner.device.kind, best.batch, e.seconds, e.traffic / pixels, e.limit, best.floor, best.latency, best.gap,
        groups, tuple(_bare(edge) for edge in best.edges),
    )  # fmt: skip


def _running(ask: PlanAsk, bound: Bound, planner: Planner, best: Plan) -> dict[str, float]:
    """What the groups that run now are predicted to take on their device, with batches as in the plan."""
    if not ask.running:
        return {}
    with suppress(DefinitionError):
        device = planner.device if ask.running_device == planner.device.name else find_device(ask.running_device)
        # What the window shows leaves the kernels too; the nodes that only that needs are no part of the plan.
        taps = tuple(dict.fromkeys((*bound.taps, *((bound.picture,) if bound.nodes else ()))))
        for seen in (bound, replace(bound, taps=taps)):
            other = planner_of(seen, device)
            known = {task.node for task in other.work.tasks}
            names = [[name for name in group.split("+") if name in known] for group in ask.running]
            if {name for inside in names for name in inside} != known:
                continue
            with suppress(DefinitionError):
                priced = other.price([group for group in names if group], Wishes(batch=best.batch))
                shown = [group for group, inside in zip(ask.running, names, strict=True) if inside]
                return {name: g.estimate.seconds for name, g in zip(shown, priced.groups, strict=True)}
    return {}


def _others(planner: Planner, best: Plan, wishes: Wishes) -> dict[str, tuple[float, float]]:
    same = Wishes(wishes.fps, 0.0, best.batch)
    found: dict[str, tuple[float, float]] = {}
    for name, make in (("without fusing", planner.unfused), ("with all fusing", lambda w: planner.plan(w, FEWEST))):
        with suppress(DefinitionError):
            other = make(same)
            if other.partition != best.partition:
                found[name] = (other.estimate.seconds, other.estimate.traffic / best.pixels)
    return found


def _bare(edge: Edge) -> EdgeRow:
    return EdgeRow(edge.ref.node, edge.consumer, edge.fused, edge.pinned, "fused" if edge.fused else "cut", edge.why)


def _edge(reason: Reason, pixels: int) -> EdgeRow:
    _, _, words = sentence(reason, pixels).partition(": ")
    decision, _, rest = words.partition("; ")
    edge = reason.edge
    return EdgeRow(edge.ref.node, edge.consumer, edge.fused, edge.pinned, decision, rest)
