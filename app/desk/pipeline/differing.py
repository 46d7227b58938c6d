"""In what two pipelines differ, as a person would say it."""

from __future__ import annotations

from dataclasses import dataclass

from app.desk.pipeline.editing import declared
from pipelines.graph import Node, Pipeline, TrackerNode

ABSENT = "-"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same: `what` in words ("bright level"), and how it is in the first and the second."""

    what: str
    first: str
    second: str


def _kind(member: Node | TrackerNode) -> str:
    return member.stage if isinstance(member, Node) else member.tracker


def _words(value: object, unit: str) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        text = f"{value:.5g}"
    elif isinstance(value, list | tuple):
        text = f"{len(value)} of them" if len(str(value)) > 16 else ", ".join(_words(one, "") for one in value)
    else:
        text = str(value)
    return f"{text} {'' if unit == '1' else unit}".strip() if text else ABSENT


def differences(first: Pipeline, second: Pipeline) -> list[Difference]:
    """Parameters with other values, stages that only one of them has, and wiring; [] where both give the same.

    Stages and trackers are compared by their names in the pipeline, in the order of the first one.
    """
    found: list[Difference] = []
    others = {member.id: member for member in second.members}
    for member in first.members:
        other = others.pop(member.id, None)
        if other is None or _kind(other) != _kind(member):
            found.append(Difference(member.id, _kind(member), ABSENT if other is None else _kind(other)))
            continue
        for param in declared(member):
            a, b = (one.params.get(param.name, param.default) for one in (member, other))
            if a != b:
                name = f"{member.id} {param.name.replace('_', ' ')}"
                found.append(Difference(name, _words(a, param.unit), _words(b, param.unit)))
        if dict(member.inputs) != dict(other.inputs):
            a_from, b_from = (", ".join(str(ref) for ref in one.inputs.values()) for one in (member, other))
            found.append(Difference(f"{member.id} input", a_from, b_from))
    found.extend(Difference(name, ABSENT, _kind(member)) for name, member in others.items())
    return found
