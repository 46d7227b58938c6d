"""The user's pipeline: parameters, edits, undo and redo; what changes goes to the engine."""

from __future__ import annotations

import time
from collections.abc import Sequence

from app.desk.bench.fitting import Fitting
from app.desk.bench.state import BenchState
from app.desk.bench.topics import Link, Topic
from app.desk.engine import commands
from app.desk.pipeline.editing import declared, live_changes, member
from kernels.param import AUTO, Value
from pipelines.graph import Pipeline, TrackerNode
from pipelines.writing import dumps


class PipelineEditor:
    """See the module.

    Args:
        bench: the state that it changes.
        link: to the engine's process.
    """

    def __init__(self, bench: BenchState, link: Link) -> None:
        self._bench, self._link = bench, link

    def set_param(self, node: str, param: str, value: object) -> None:
        """Change a parameter; a live one goes to the engine as it is, others compile.

        Raises:
            DefinitionError: no such parameter, or a bad value.
        """
        bench = self._bench
        made = bench.pipeline.with_settings({f"{node}.{param}": value})
        found = member(made, node)
        how = next(p for p in declared(found) if p.name == param)
        checked: Value = found.params.get(param, how.default)
        words = f"{node}.{param} {_short(checked)}"
        bench.history.do(words, made, f"{node}.{param}", time.monotonic())
        value = self._number(node, param, checked)
        if self._live_now and value is not None and (not how.structural or isinstance(found, TrackerNode)):
            if isinstance(found, TrackerNode) and self._refused():
                bench.tell(Topic.PIPELINE)
                return
            self._link.send(commands.SetParam(node, param, value))
        else:
            self.order()
        bench.tell(Topic.PIPELINE)

    def edit(self, words: str, pipeline: Pipeline) -> None:
        """Go on to another pipeline (`app.desk.pipeline.editing` makes them); it runs as soon as it is compiled."""
        bench = self._bench
        before = bench.pipeline
        bench.history.do(words, pipeline)
        self.go_over(before)

    def undo(self) -> None:
        """One edit back; a live parameter compiles nothing on its way back either."""
        bench = self._bench
        before = bench.pipeline
        bench.history.undo()
        self.go_over(before)

    def redo(self) -> None:
        """One edit on again."""
        bench = self._bench
        before = bench.pipeline
        bench.history.redo()
        self.go_over(before)

    @property
    def _live_now(self) -> bool:
        """Whether what runs is the user's pipeline, so that a parameter of it can be changed in the run."""
        bench = self._bench
        return bench.opened is not None and not bench.ended and bench.fitting is None and not bench.trouble

    def go_over(self, before: Pipeline) -> None:
        """From the pipeline `before` to the one that holds now; the engine compiles nothing where it need not."""
        bench = self._bench
        changes = live_changes(before, bench.pipeline) if self._live_now else None
        numbers = [(node, param, self._number(node, param, value)) for node, param, value in changes or ()]
        trackers = {tracker.id for tracker in bench.pipeline.trackers}
        if changes is None or any(value is None for _, _, value in numbers):
            self.order()
        elif not any(node in trackers for node, _, _ in numbers) or not self._refused():
            for node, param, value in numbers:
                assert value is not None
                self._link.send(commands.SetParam(node, param, value))
        bench.tell(Topic.PIPELINE)

    def _refused(self) -> bool:
        """Whether a tracker takes no such value (points outside the picture, say), which is the trouble then."""
        bench = self._bench
        assert bench.opened is not None
        found = Fitting(bench.pipeline, bench.opened.info, None if bench.asked is None else bench.asked.roi)
        bench.trouble = found.trouble if found.done else ""
        return bool(bench.trouble)

    def _number(self, node: str, param: str, value: Value) -> Value | None:
        """A value as the engine takes it while it runs: what it has found in place of "auto", None if that is to be
        found yet."""
        bench = self._bench
        if value != AUTO:
            return value
        return None if bench.built is None else bench.built.found.get(f"{node}.{param}")

    def order(self) -> None:
        """Have the engine run it, if it fits what is open; what takes long to look at is ordered by a later tick."""
        bench = self._bench
        bench.trouble = ""
        if bench.fitting is not None and not bench.fitting.done:
            bench.fit_again = True
            return
        self._fit()

    def _fit(self) -> None:
        bench = self._bench
        bench.fit_again, bench.fitting = False, None
        if bench.opened is not None:
            bench.fitting = Fitting(bench.pipeline, bench.opened.info, None if bench.asked is None else bench.asked.roi)
            self._take_fit()

    def _take_fit(self) -> bool:
        """Order what was found to fit; whether something was found out."""
        bench = self._bench
        found = bench.fitting
        if found is None or not found.done:
            return False
        if bench.fit_again:
            self._fit()
            return bench.fitting is None
        bench.fitting, bench.trouble = None, found.trouble
        if not found.trouble and not bench.ended:  # what ended takes the pipeline as it is when it is opened again
            self._link.send(commands.SetPipeline(dumps(found.pipeline)))
        return True

    def look(self) -> Sequence[Topic]:
        """What was found out beside since the last call."""
        return (Topic.PIPELINE,) if self._take_fit() else ()


def _short(value: Value) -> str:
    """A value as a menu shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return f"({len(value)} values)" if len(value) > 3 or any(isinstance(v, tuple) for v in value) else str(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
