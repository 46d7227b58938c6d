"""Changes as people ask for them, checked against the pipeline that they are for."""

from __future__ import annotations

from collections.abc import Iterable

from kernels.param import Param
from kernels.plugins import find_stage
from pipelines.frontend import Roi, corner_of
from pipelines.graph import Bound, Node, Pipeline, find_tracker
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.engine.tracking import with_tracker_param


def declared(pipeline: Pipeline, node: str, param: str, value: object) -> tuple[Param, bool]:
    """What a parameter is declared as, and whether it is a tracker's.

    Raises:
        DefinitionError: there is no such node or parameter, or the value is refused.
    """
    pipeline.with_settings({f"{node}.{param}": value})
    member = next(m for m in pipeline.members if m.id == node)
    params = find_stage(member.stage).params if isinstance(member, Node) else find_tracker(member.tracker).params
    return next(p for p in params if p.name == param), not isinstance(member, Node)


def checked(pipeline: Pipeline, node: str, param: str, value: object, frame: int = -1) -> AnyChange:
    """The change of a parameter; of the pipeline, where it changes the code.

    Raises:
        DefinitionError: there is no such node or parameter, or the value is refused.
    """
    found, tracker = declared(pipeline, node, param, value)
    if found.structural and not tracker:
        return Structure(frame, pipeline.with_settings({f"{node}.{param}": value}))
    return Change(frame, node, param, found.check(value, f"{node}.{param}"))


def is_tracker(pipeline: Pipeline, node: str) -> bool:
    """Whether `node` is a tracker's name."""
    return any(t.id == node for t in pipeline.trackers)


def after(pipeline: Pipeline, change: AnyChange) -> Pipeline:
    """The pipeline with a change made."""
    if isinstance(change, Structure):
        return change.pipeline
    return pipeline.with_settings({f"{change.node}.{change.param}": change.value})


def resolved(pipeline: Pipeline, changes: Iterable[AnyChange]) -> list[AnyChange]:
    """Changes by frame, each checked against what the ones before make of `pipeline`.

    Raises:
        DefinitionError: as `checked`.
    """
    found: list[AnyChange] = []
    for change in sorted(changes, key=lambda c: c.frame):
        made = change
        if isinstance(change, Change):
            made = checked(pipeline, change.node, change.param, change.value, change.frame)
        found.append(made)
        pipeline = after(pipeline, made)
    return found


def check_tracker(bound: Bound, change: Change, roi: Roi | None = None) -> None:
    """Raise DefinitionError where a tracker refuses a value (points outside the picture, say)."""
    with_tracker_param(bound, change.node, change.param, change.value, corner=corner_of(roi))
