"""Before anything is measured: which points cannot be as precise as is asked (`app.foresight`), found out beside.

Looked at when a clip is opened and when points, window or precision change; nothing waits for it.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.observable import Observable
from app.desk.subprocess_worker import SubprocessWorker
from app.sources.reading import Reading
from pipelines.frontend import Roi
from pipelines.graph import Pipeline, TrackerNode
from pipelines.writing import dumps

QUIET = 0.6
"""Seconds without a further change before it is looked at."""
WORK = "app.desk.services.foresight_work:hints"
_ADVICE = re.compile(r"\s*--set (\w+)\.(\w+)=(\S+)$")


@dataclass(frozen=True)
class ForesightAsk:
    """The clip, the pipeline (TOML), and the frames: first, and one past the last."""

    what: str
    reading: Reading
    roi: Roi | None
    pipeline: str
    frames: tuple[int, int]


@dataclass(frozen=True)
class Hint:
    """A sentence, and the parameter that would help: its stage or tracker, its name, its value; "" for none."""

    text: str
    node: str = ""
    param: str = ""
    value: float = 0.0

    @staticmethod
    def of(sentence: str) -> Hint:
        """A sentence as the command line says it."""
        found = _ADVICE.search(sentence)
        if found is None:
            return Hint(sentence)
        node, param, value = found.groups()
        return Hint(f"{sentence[: found.start()]} {node}.{param} = {value}", node, param, float(value))


def asking(pipeline: Pipeline) -> list[TrackerNode]:
    """The trackers that are asked for some precision."""
    found = []
    for tracker in pipeline.trackers:
        value = tracker.params.get("precision", 0.0)
        if isinstance(value, int | float) and value > 0:
            found.append(tracker)
    return found


class Foresight(Observable):
    """Keeps the hints for what is open; whoever owns a clock calls `poll`. Listeners hear when `hints` has changed.

    Args:
        bench: the state behind the window.
        aside: the process, one of its own without.

    Attributes:
        hints: of the pipeline as it is; empty while they are not known.
    """

    def __init__(self, bench: Workbench, aside: SubprocessWorker | None = None) -> None:
        super().__init__()
        self._bench, self._worker = bench, SubprocessWorker() if aside is None else aside
        self._asked: ForesightAsk | None = None
        self._number, self._due = -1, 0.0
        self._said: set[str] = set()
        self.hints: tuple[Hint, ...] = ()
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.PIPELINE, self._changed)

    def close(self) -> None:
        """End the process."""
        self._worker.cancel()

    def _opened(self) -> None:
        self._said.clear()
        self._changed()

    def _changed(self) -> None:
        self._due = time.monotonic() + QUIET
        if self._question() != self._asked:
            self._number = -1
            self._show(())

    def _show(self, hints: tuple[Hint, ...]) -> None:
        if hints != self.hints:
            self.hints = hints
            self._notify()

    def _question(self) -> ForesightAsk | None:
        """What is to be found out; None for nothing. A camera's frames are not there before they are measured."""
        bench = self._bench
        if bench.opened is None or bench.asked is None or bench.live or not asking(bench.pipeline):
            return None
        last = bench.opened.info.frames
        bare = replace(bench.pipeline, trackers=tuple(asking(bench.pipeline)))
        return ForesightAsk(bench.asked.what, bench.asked.reading, bench.asked.roi, dumps(bare), (0, last))

    def _possible(self, hint: Hint) -> Hint:
        """Without a cure that the picture has no room for."""
        info = self._bench.info
        if info is None or hint.param != "window" or 2 * hint.value <= min(info.width, info.height):
            return hint
        return Hint(hint.text[: hint.text.rfind(":")] + ", if there is room for one")

    def poll(self) -> None:
        """Ask if something changed, and take what has come."""
        for answer in self._worker.poll():
            if answer.number == self._number and answer.value is not None:
                self._show(tuple(self._possible(Hint.of(sentence)) for sentence in answer.value))
                for hint in self.hints:
                    if hint.text not in self._said:
                        self._said.add(hint.text)
                        self._bench.speak(Level.WARNING, hint.text)
        if not self._due or time.monotonic() < self._due or self._bench.trouble:
            return
        self._due = 0.0
        asked = self._question()
        if asked != self._asked or self._number < 0:
            self._asked = asked
            if asked is not None:
                self._number = self._worker.ask(WORK, asked)
