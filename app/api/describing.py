"""Help about stages, trackers and their parameters, as text and as signatures of functions."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from kernels.param import Param, Value
from kernels.plugins import find_stage
from kernels.stage import Stage
from pipelines.graph import Node, Pipeline, find_tracker
from pipelines.trackers.base import Tracker

_TYPES: dict[str, Any] = {"bool": bool, "int": int, "float": float, "choice": str, "text": str, "vector": list[float],
                          "points": list[list[float]]}  # fmt: skip


def signature_of(params: Sequence[Param], before: Sequence[inspect.Parameter], returns: Any) -> inspect.Signature:
    """A signature with the parameters of a stage as keywords, behind other arguments."""
    keywords = [
        inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=p.default,
                          annotation=_TYPES[p.kind] | str if p.auto else _TYPES[p.kind])
        for p in params if p.name not in {one.name for one in before}
    ]  # fmt: skip
    return inspect.Signature([*before, *keywords], return_annotation=returns)


def lines_of(params: Sequence[Param], values: Mapping[str, Value] | None = None, prefix: str = "") -> list[str]:
    """A line a parameter: name, value, unit, range, meaning; an indented one where that is long."""
    made = []
    for p in params:
        value = p.default if values is None else values.get(p.name, p.default)
        unit = "" if p.unit in ("", "1") else f" {p.unit}"
        span = f" ({p.range_text()})" if p.range_text() else ""
        made.append(f"    {prefix}{p.name} = {value!r}{unit}{span}: {p.doc}")
    return made


def help_of(kind: Stage | type[Tracker]) -> str:
    """What a stage or a tracker does, and its parameters, for a docstring."""
    doc = kind.doc if isinstance(kind, Stage) else kind.__doc__ or kind.summary
    inputs = kind.inputs if isinstance(kind, Stage) else tuple(one.name for one in kind.inputs)
    parts = [inspect.cleandoc(doc), f"Inputs: {', '.join(inputs)}"]
    if kind.params:
        parts.append("\n".join(["Parameters:", *lines_of(kind.params)]))
    return "\n\n".join(parts)


def text_of(pipeline: Pipeline) -> str:
    """A pipeline whole: each node with what it takes and all of its parameters, defaults included."""
    lines = [f"{pipeline.name}: {pipeline.summary}" if pipeline.summary else pipeline.name]
    if pipeline.notes:
        lines += ["", " ".join(pipeline.notes.split())]
    for node in pipeline.members:
        use = node.stage if isinstance(node, Node) else node.tracker
        declared = find_stage(use).params if isinstance(node, Node) else find_tracker(use).params
        lines.append(f"{node.id} = {use}({', '.join(str(ref) for ref in node.inputs.values())})")
        lines += lines_of(declared, node.params, f"{node.id}.")
    return "\n".join(lines)
