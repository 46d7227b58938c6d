"""How the user's pipeline is drawn: what each box says, which groups there are and what they take. Only words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from app.desk.pipeline import editing
from app.desk.pipeline.graph_layout import layout
from app.desk.plan.planning import PlanReport, per_frame, structure
from app.desk.workbench import Workbench
from app.gui.pipeline.drawn import BoxLook, Drawn, GroupLook
from kernels.errors import FusetrackError
from kernels.plugins import find_stage
from pipelines.definition import loads
from pipelines.graph import SOURCE, Node, Pipeline, TrackerNode, find_tracker
from pipelines.planning.explain import duration


def bad_box(trouble: str, pipeline: Pipeline) -> str:
    """The stage that a sentence of trouble is about: the first that it names, "" for none."""
    names = {member.id for member in pipeline.members}
    named = re.findall(r"'([A-Za-z_]\w*)(?:\.\w+)?'", trouble)
    # Sentences that quote nothing name stages as "name:" or "name (".
    named += re.findall(r"\b([A-Za-z_]\w*)\b(?=[:. ])", trouble) if not names & set(named) else []
    return next((name for name in named if name in names), "")


def drawn(bench: Workbench, report: PlanReport | None, selected: str) -> Drawn:
    """All of the graph as it is now."""
    pipeline = bench.pipeline
    groups = tuple(group_looks(bench, report))
    placed = layout(pipeline, [look.names for look in groups])
    bad = bad_box(bench.trouble, pipeline) if bench.trouble else ""
    types = dict(bench.built.outputs) if bench.built is not None else {}
    shown = bench.output.partition(".")[0] if bench.output else SOURCE
    taps = {tap.node for tap in pipeline.taps}
    boxes = {SOURCE: _source(bench, selected == SOURCE, bench.opened is not None and shown == SOURCE)}
    for member in pipeline.members:
        use = member.stage if isinstance(member, Node) else member.tracker
        boxes[member.id] = BoxLook(
            member.id, "" if use == member.id else use, _tip(member, types, bench.trouble if member.id == bad else ""),
            selected == member.id, member.id == bad, bench.opened is not None and shown == member.id,
            member.id in taps,
        )  # fmt: skip
    pins = {pair: how for how, pairs in (("fuse", pipeline.pins.fuse), ("cut", pipeline.pins.cut)) for pair in pairs}
    pins |= {(b, a): how for (a, b), how in pins.items()}
    return Drawn(placed, boxes, groups, pins, _wire_tips(pipeline, report))


def _source(bench: Workbench, selected: bool, shown: bool) -> BoxLook:
    info = bench.info
    title = f"{info.width} x {info.height}" if info is not None else "clip"
    tip = f"{info.name}: {info.image}" if info is not None else "The pictures of the clip or camera"
    return BoxLook(title, "", tip, selected, shown=shown)


def _tip(member: Node | TrackerNode, types: Mapping[str, str], trouble: str) -> str:
    try:
        found = find_stage(member.stage) if isinstance(member, Node) else find_tracker(member.tracker)
        lines = [f"{member.id}: {found.summary}"]
    except FusetrackError as error:
        lines = [str(error)]
    made = [f"{name}: {words}" for name, words in types.items() if name.partition(".")[0] == member.id]
    return "\n".join([*lines, *made, *([trouble] if trouble else [])])


def _wire_tips(pipeline: Pipeline, report: PlanReport | None) -> dict[tuple[str, str], str]:
    tips = {}
    for member in pipeline.members:
        for port, ref in member.inputs.items():
            tips[ref.node, member.id] = f"{ref} -> {member.id}.{port}"
    if report is not None:
        for edge in report.edges:
            pair = (edge.producer, edge.consumer)
            if pair in tips:
                tips[pair] += f"\n{edge.decision}" + "".join(f"\n{part}" for part in edge.why.split("; ") if part)
    return tips


def group_looks(bench: Workbench, report: PlanReport | None) -> list[GroupLook]:
    """The groups that run; without a run, those that would."""
    pipeline, built = bench.pipeline, bench.built
    ids = {node.id for node in pipeline.nodes}
    if built is None:
        if report is None or report.digest != pipeline.digest:
            return []
        looks = []
        for k, row in enumerate(report.groups):
            if names := _inside(row.name, ids):
                words, tip = group_words(None, row.seconds, row.host)
                tip = tip if row.host else f"would take {duration(row.seconds)} a frame, limited by {row.limit}"
                looks.append(GroupLook(names, words, f"{row.name}\n{tip}", k, True, row.host))
        return looks
    current = not bench.trouble and _structure(built.pipeline) == structure(pipeline)
    measured = per_frame(bench.readings)
    predicted = report.running if report is not None else {}
    looks = []
    for k, name in enumerate(built.groups):
        names = _inside(name, ids)
        if not names:
            continue
        host = all(_opaque(pipeline, one) for one in names)
        words, tip = group_words(measured.get(name), predicted.get(name), host)
        if not current:
            words = ("not running" if bench.trouble else "compiling", "")
        what = "a function on the host" if host else "one program" if "+" in name else "a program of its own"
        looks.append(GroupLook(names, words, f"{name}: {what}\n{tip}", k, not current, host))
    return looks


def runs(bench: Workbench) -> bool:
    """Whether what runs is the pipeline as it is now, not one before that another is compiled in place of."""
    built = bench.built
    return built is not None and not bench.trouble and _compiled(loads(built.pipeline)) == _compiled(bench.pipeline)


def _compiled(pipeline: Pipeline) -> object:
    """All that programs are made of: the structure, and the parameters that are compiled in."""
    values = [(node.id, [(p.name, node.params.get(p.name, p.default)) for p in editing.declared(node) if p.structural])
              for node in pipeline.nodes]  # fmt: skip
    return structure(pipeline), values


@lru_cache(4)
def _structure(text: str) -> object:
    """The structure of a pipeline that is written down; looked at twice a second while it runs."""
    return structure(loads(text))


def _inside(name: str, ids: set[str]) -> tuple[str, ...]:
    return tuple(part for part in name.split("+") if part in ids)


def _opaque(pipeline: Pipeline, name: str) -> bool:
    node = next(node for node in pipeline.nodes if node.id == name)
    try:
        return find_stage(node.stage).opaque
    except FusetrackError:
        return False


def group_words(measured: float | None, predicted: float | None, host: bool = False) -> tuple[tuple[str, str], str]:
    """What stands above a group, left and right, and the same in a sentence.

    Args:
        measured, predicted: seconds a frame.
        host: it is a function on the host, of which the planner knows the way of the data only, not its own work.

    >>> group_words(0.00021, 0.00019)[0], group_words(0.00021, 0.00019, host=True)[0]
    (('210 µs', '~ 190 µs'), ('210 µs', ''))
    """
    said = duration(measured) if measured else "", f"~ {duration(predicted)}" if predicted and not host else ""
    tip = [f"measured {duration(measured)} a frame" if measured else "not measured yet"]
    if host:
        tip += ["not predicted: what it takes depends on the picture"]
    else:
        tip += [f"predicted {duration(predicted)}" if predicted else "no prediction"]
    return said, ", ".join(tip)
