"""How the user's pipeline is drawn: what each box says, which groups there are and what they take. Only words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.desk.bench.workbench import Workbench
from app.desk.group_names import listed, owner
from app.desk.pipeline import editing
from app.desk.pipeline.graph_layout import layout
from app.desk.plan.planning import PlanReport, per_frame, structure
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
    types = dict(bench.built.outputs) if bench.built is not None else {}
    placed = layout(pipeline, [look.names for look in groups], list(types))
    bad = bad_box(bench.trouble, pipeline) if bench.trouble else ""
    shown = bench.output.partition(".")[0] if bench.output else SOURCE
    taps = {tap.node for tap in pipeline.taps}
    boxes = {SOURCE: _source(bench, selected == SOURCE, bench.opened is not None and shown == SOURCE)}
    running = {part for group in bench.built.groups for part in group.split("+")} if bench.built is not None else ()
    layers = Counter(owner(part) for part in running if "/" in part)
    for member in pipeline.members:
        use = member.stage if isinstance(member, Node) else member.tracker
        boxes[member.id] = BoxLook(
            member.id, _line(member.id, use, layers[member.id]),
            _tip(member, types, bench.trouble if member.id == bad else ""), selected == member.id, member.id == bad,
            bench.opened is not None and shown == member.id, member.id in taps,
        )  # fmt: skip
    pins = {pair: how for how, pairs in (("fuse", pipeline.pins.fuse), ("cut", pipeline.pins.cut)) for pair in pairs}
    pins |= {(b, a): how for (a, b), how in pins.items()}
    return Drawn(placed, boxes, groups, pins, _wire_tips(pipeline, report))


def _line(name: str, use: str, layers: int) -> str:
    """What a box is, under its name; of a network with the number of its layers."""
    words = "" if use == name else use
    return f"{use}, {layers} layers" if layers else words


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
    tips: dict[tuple[str, str], str] = {}
    for member in pipeline.members:
        for port, ref in member.inputs.items():
            said = tips.get((ref.node, member.id))
            tips[ref.node, member.id] = (f"{said}\n" if said else "") + f"{ref} -> {member.id}.{port}"
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
        rows = {row.name: row for row in report.groups}
        looks = []
        for hull in hulls([row.name for row in report.groups], ids):
            seconds, host = sum(rows[name].seconds for name in hull.groups), rows[hull.groups[-1]].host
            words, tip = group_words(None, seconds, host)
            if not host:
                tip = f"would take {duration(seconds)} a frame, limited by {rows[hull.groups[-1]].limit}"
            looks.append(GroupLook(hull.names, words, f"{hull.listed}\n{tip}", hull.number, True, host))
        return looks
    current = not bench.trouble and _structure(built.pipeline) == structure(pipeline)
    measured = per_frame(bench.readings)
    predicted = report.running if report is not None else {}
    looks = []
    for hull in hulls(built.groups, ids):
        host = all(_opaque(pipeline, one) for one in hull.names)
        words, tip = group_words(_total(measured, hull.groups), _total(predicted, hull.groups), host)
        if not current:
            words = ("not running" if bench.trouble else "compiling", "")
        last = hull.groups[-1]
        what = "a function on the host" if host else "one program" if "+" in last else "a program of its own"
        what = f"{len(hull.groups)} programs" if len(hull.groups) > 1 else what
        looks.append(GroupLook(hull.names, words, f"{hull.listed}: {what}\n{tip}", hull.number, not current, host))
    return looks


@dataclass(frozen=True)
class Hull:
    """Boxes that are drawn together.

    Args:
        number: of the group that they are in.
        names: the boxes.
        groups: of stages and layers, joined by "+", that they stand for: last the one that they are in, before it those
            that hold nothing but layers of a network among them.
    """

    number: int
    names: tuple[str, ...]
    groups: tuple[str, ...]

    @property
    def listed(self) -> str:
        """All stages and layers, a group after the other."""
        return "\n".join(listed(group.split("+")) for group in self.groups)


def hulls(groups: Sequence[str], ids: Collection[str]) -> list[Hull]:
    """What is drawn together: a network is one box, whatever programs its layers are in, and stands where it ends.

    >>> [hull.groups for hull in hulls(("gray+net/a", "net/b", "net/c+net"), {"gray", "net"})]
    [('gray+net/a',), ('net/b', 'net/c+net')]
    """
    made: list[Hull] = []
    before: dict[str, list[str]] = {}
    for number, group in enumerate(groups):
        parts = group.split("+")
        names = tuple(part for part in parts if part in ids)
        owners = dict.fromkeys(owner(part) for part in parts)
        if names:
            made.append(Hull(number, names, (*(g for name in names for g in before.pop(name, ())), group)))
        elif len(owners) == 1:
            before.setdefault(next(iter(owners)), []).append(group)
    return made


def _total(seconds: Mapping[str, float], groups: Sequence[str]) -> float | None:
    """Of all groups; None while one is not known."""
    known = [seconds[group] for group in groups if group in seconds]
    return sum(known) if len(known) == len(groups) else None


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


def _opaque(pipeline: Pipeline, name: str) -> bool:
    node = next(node for node in pipeline.nodes if node.id == name)
    try:
        return find_stage(node.stage).opaque
    except FusetrackError:
        return False


def group_words(measured: float | None, predicted: float | None, host: bool = False) -> tuple[tuple[str, str], str]:
    """What is above a group, left and right, and the same in a sentence.

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
