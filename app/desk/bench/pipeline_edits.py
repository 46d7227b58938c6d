"""The user's pipeline: parameters, edits, undo and redo; what changes goes to the engine."""

from __future__ import annotations

import time
from collections.abc import Sequence

from app.desk.bench.fitting import Fitting
from app.desk.bench.state import BenchState
from app.desk.bench.topics import Topic
from app.desk.engine import commands
from app.desk.pipeline.editing import declared, live_changes, member
from kernels.param import AUTO, Value
from pipelines.graph import Pipeline, TrackerNode
from pipelines.writing import dumps


class PipelineEdits(BenchState):
    """See the module."""

    def set_param(self, node: str, param: str, value: object) -> None:
        """Change a parameter; a live one goes to the engine as it is, others compile.

        Raises:
            DefinitionError: no such parameter, or a bad value.
        """
        made = self.pipeline.with_settings({f"{node}.{param}": value})
        found = member(made, node)
        how = next(p for p in declared(found) if p.name == param)
        checked: Value = found.params.get(param, how.default)
        words = f"{node}.{param} {_short(checked)}"
        self.history.do(words, made, f"{node}.{param}", time.monotonic())
        value = self._number(node, param, checked)
        if self._live_now and value is not None and (not how.structural or isinstance(found, TrackerNode)):
            if isinstance(found, TrackerNode) and self._refused():
                self._tell(Topic.PIPELINE)
                return
            self._link.send(commands.SetParam(node, param, value))
        else:
            self._order_pipeline()
        self._tell(Topic.PIPELINE)

    def edit(self, words: str, pipeline: Pipeline) -> None:
        """Go on to another pipeline (`app.desk.pipeline.editing` makes them); it runs as soon as it is compiled."""
        before = self.pipeline
        self.history.do(words, pipeline)
        self._go_over(before)

    def undo(self) -> None:
        """One edit back; a live parameter compiles nothing on its way back either."""
        before = self.pipeline
        self.history.undo()
        self._go_over(before)

    def redo(self) -> None:
        """One edit on again."""
        before = self.pipeline
        self.history.redo()
        self._go_over(before)

    @property
    def _live_now(self) -> bool:
        """Whether what runs is the user's pipeline, so that a parameter of it can be changed in the run."""
        return self.opened is not None and not self.ended and self._fitting is None and not self.trouble

    def _go_over(self, before: Pipeline) -> None:
        changes = live_changes(before, self.pipeline) if self._live_now else None
        numbers = [(node, param, self._number(node, param, value)) for node, param, value in changes or ()]
        trackers = {tracker.id for tracker in self.pipeline.trackers}
        if changes is None or any(value is None for _, _, value in numbers):
            self._order_pipeline()
        elif not any(node in trackers for node, _, _ in numbers) or not self._refused():
            for node, param, value in numbers:
                assert value is not None
                self._link.send(commands.SetParam(node, param, value))
        self._tell(Topic.PIPELINE)

    def _refused(self) -> bool:
        """Whether a tracker takes no such value (points outside the picture, say), which is the trouble then."""
        assert self.opened is not None
        found = Fitting(self.pipeline, self.opened.info, None if self.asked is None else self.asked.roi)
        self.trouble = found.trouble if found.done else ""
        return bool(self.trouble)

    def _number(self, node: str, param: str, value: Value) -> Value | None:
        """A value as the engine takes it while it runs: what it has found in place of "auto", None if that is to be
        found yet."""
        if value != AUTO:
            return value
        return None if self.built is None else self.built.found.get(f"{node}.{param}")

    def _order_pipeline(self) -> None:
        """Have the engine run it, if it fits what is open; what takes long to look at is ordered by a later tick."""
        self.trouble = ""
        if self._fitting is not None and not self._fitting.done:
            self._again = True
            return
        self._fit()

    def _fit(self) -> None:
        self._again, self._fitting = False, None
        if self.opened is not None:
            self._fitting = Fitting(self.pipeline, self.opened.info, None if self.asked is None else self.asked.roi)
            self._take_fit()

    def _take_fit(self) -> bool:
        """Order what was found to fit; whether something was found out."""
        found = self._fitting
        if found is None or not found.done:
            return False
        if self._again:
            self._fit()
            return self._fitting is None
        self._fitting, self.trouble = None, found.trouble
        if not found.trouble and not self.ended:  # what ended takes the pipeline as it is when it is opened again
            self._link.send(commands.SetPipeline(dumps(found.pipeline)))
        return True

    def _look(self) -> Sequence[Topic]:
        return (Topic.PIPELINE,) if self._take_fit() else ()


def _short(value: Value) -> str:
    """A value as a menu shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return f"({len(value)} values)" if len(value) > 3 or any(isinstance(v, tuple) for v in value) else str(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
