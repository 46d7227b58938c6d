"""What the engine reports becomes the state of the bench."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy.typing as npt

from app.cautions import compression_hints
from app.desk.bench.aftermath import Aftermath
from app.desk.bench.recorded_words import told, trigger_words
from app.desk.bench.state import BenchState
from app.desk.bench.topics import Level, Topic
from app.desk.engine import commands, reports
from app.desk.tracks.evicted_tracks import evicted_words
from app.exports.skeletons import Skeletons
from app.keypoints import keypoints_of
from pipelines.definition import loads
from pipelines.streaming.common.states import RunState
from pipelines.writing import dumps

MOST_TOLD = 20
"""Triggers of a recording that have a message each."""
ROLL = 600
"""Readings that are kept for rolling plots."""


class Reports(BenchState):
    """See the module."""

    def tick(self) -> None:
        """Look for pictures and reports; who listens to any of what is new is told once, at the last of it."""
        changed: dict[Topic, None] = dict.fromkeys(self._look())
        for report in self._link.poll():
            for topic in self._take(report):
                changed[topic] = None
        # What is opened changes all that the window shows, which is enough for a turn: its first picture has the next.
        shown = self._link.picture() if self.opened is not None and Topic.OPENED not in changed else None
        if shown is not None:
            self.shown = shown
            self._pictures += 1
            changed[Topic.PICTURE] = None
        late = dict.fromkeys(one for topic in reversed(changed) for one in reversed(self._listeners[topic]))
        for listener in reversed(late):
            listener()
        self._look_back()

    def _look_back(self) -> None:
        """Say what became of a recording whose engine has died."""
        said = self._aftermath.look() if self._aftermath is not None else ""
        if said:
            self._aftermath = None
            self.speak(Level.WARNING, said)

    def _known_recorded(self) -> int:
        """Frames that are in the session for sure."""
        last = self.measured if self.measured is not self._before_recording else None
        return last.recording.recorded if last is not None and last.recording is not None else 0

    def _take(self, report: reports.Report) -> Sequence[Topic]:
        if isinstance(report, reports.Rows):
            whole = not self.store.forgotten
            self.store.add(report.first, report.last, report.rows)
            self.owners = report.owners
            if whole and self.store.forgotten:
                first = evicted_words(self.store, self.number)
                self.speak(Level.WARNING, "there are more tracks than memory is kept for; those that came longest ago "
                                          f"are given up from now on, {first} first; run or record the clip to have "
                                          "all in a file")  # fmt: skip
            return (Topic.ROWS,)
        if isinstance(report, reports.Outdated):
            self.store.clear()
            self._know({})
            self.kept = ""
            return (Topic.ROWS, Topic.TABLES)
        if isinstance(report, reports.Tables):
            self._know({**self.tables, **report.tables})
            return (Topic.TABLES,)
        if isinstance(report, reports.Measured):
            self.measured = replace(report, shown=self._pictures)
            self.readings.append(self.measured)
            del self.readings[:-ROLL]
            return (Topic.MEASURED,)
        if isinstance(report, reports.Stood):
            self.state, self.position = report.state, report.position
            return (Topic.STATE,)
        if isinstance(report, reports.Compiles):
            self.compiling = report.now
            return (Topic.STATE,)
        if isinstance(report, reports.Opened):
            return self._take_opened(report)
        if isinstance(report, reports.Built):
            self.built, self.plain = report, False
            return (Topic.BUILT,)
        if isinstance(report, reports.Triggered):
            self.triggered.append(report)
            if len(self.triggered) <= MOST_TOLD:
                more = "; further ones are only counted" if len(self.triggered) == MOST_TOLD else ""
                self.speak(Level.NOTE, f"{trigger_words(report)}{more}")
            return (Topic.MEASURED,)
        if isinstance(report, reports.Recorded):
            self.recording = ""
            self.unkept = None if report.kept else report
            if report.kept:
                self.recorded.append(report)
            self.speak(*told(report))
            return (Topic.RECORDING,)
        if isinstance(report, reports.CameraIs):
            if self.opened is None or self.asked is None:
                return ()
            self.opened = replace(self.opened, info=report.info)
            self.asked = replace(self.asked, what=str(report.info.identity["address"]))
            return (Topic.CAMERA, Topic.VIEW)
        if isinstance(report, reports.Noted):
            self.speak(Level.NOTE, report.sentence)
            return ()
        if isinstance(report, reports.Refused):
            order = self._answered(report.number)
            name = Path(order.what.partition("?")[0]).name if order is not None else ""
            unsaid = name and name not in report.sentence  # the sentence may be about the pipeline alone
            sentence = f"{name} was not opened: {report.sentence}" if unsaid else report.sentence
            self.speak(Level.ERROR, sentence, report.details)
            self.opening = None if self.opening is order else self.opening
            if report.recording and report.recording == self.recording:  # it has not begun
                self.recording = ""
                return (Topic.STATE, Topic.RECORDING)
            if report.ended:
                self.lost = self._lost()
                self.state, self.recording = RunState.FAILED, ""
                return (Topic.STATE, Topic.RECORDING)
            return (Topic.OPENED,) if self.opened is None else (Topic.STATE, Topic.PIPELINE)
        if isinstance(report, reports.Crashed):
            ended, path = self.opening or self._lost() or self.lost, self.recording
            self._aftermath = Aftermath(Path(path), self._known_recorded()) if path else self._aftermath
            self.compiling = None
            self._forget()
            self._ordered.clear()
            self.lost, self.engine_down = ended, report.down
            self.state = RunState.FAILED
            self.speak(Level.ERROR, report.sentence, report.details)
            self._look_back()
            return (Topic.OPENED, Topic.STATE, Topic.ROWS, Topic.RECORDING)
        opening = self.opening
        self._forget()  # Closed
        self.opening = opening  # ordered since
        return (Topic.OPENED, Topic.STATE, Topic.ROWS, Topic.RECORDING)

    def _know(self, tables: Mapping[str, npt.NDArray[Any]]) -> None:
        """What the trackers told, and what of it is about key points."""
        self.tables = tables
        keypoints = keypoints_of(tables)
        self.skeletons, self.point_names = Skeletons(keypoints), keypoints.track_names()

    def _take_opened(self, report: reports.Opened) -> Sequence[Topic]:
        asked, later = self._answered(report.number), self.opening
        clip, begun = self._begun.pop(asked.number) if asked is not None else (report.info.name, self.history)
        self._begun = {number: one for number, one in self._begun.items() if number in self._ordered}
        self._forget()
        self.opened, self.asked, self.clip = report, asked, clip
        self.kept = asked.run if asked is not None else ""
        self.opening = None if later is asked else later
        frames = asked.frames if asked is not None and asked.frames else (0, report.info.frames)
        self.range = frames
        self.built = reports.Built(report.pipeline, report.device, report.groups, report.outputs, 0, found=report.found)
        another, self._clip_before = self.clip != self._clip_before, self.clip
        if not self.brings:
            self.history = self.history.anew() if begun is None else begun
        if (running := loads(report.pipeline)) != self.history.pipeline or (self.brings and another):
            if self.brings:
                whose = report.info.name if asked is None or not asked.run else Path(asked.run).name
                self._bring(running, whose, another)
            else:  # it was edited while the clip was being opened
                self._order_pipeline()
        if report.misfit and running == self.history.pipeline:
            self.trouble, self.plain = report.misfit, True
        for sentence in (*report.info.warnings, *report.notes):
            self.speak(Level.WARNING, sentence)
        for sentence in compression_hints(report.info):
            self.speak(Level.NOTE, "sigma is a lower bound in this clip: its codec rounds small motions away", sentence)
        return (Topic.OPENED, Topic.PIPELINE, Topic.BUILT, Topic.STATE, Topic.ROWS, Topic.SELECTION, Topic.VIEW)

    def _answered(self, number: int) -> commands.Open | None:
        """The order to open something that a report is about."""
        if number == 0:
            number = self.opening.number if self.opening is not None else -1
        return self._ordered.pop(number, None)

    def _lost(self) -> commands.Open | None:
        """What is open, to be opened again with the pipeline as the user has it by now."""
        return None if self.asked is None else replace(self.asked, pipeline=dumps(self.pipeline), run=self.kept)
