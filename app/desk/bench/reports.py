"""What the engine reports becomes the state of the bench."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy.typing as npt

from app.cautions import compression_hints
from app.desk.bench.aftermath import Aftermath
from app.desk.bench.openings import Begun, Openings
from app.desk.bench.pipeline_editor import PipelineEditor
from app.desk.bench.pipeline_files import PipelineFiles
from app.desk.bench.recorded_words import outcome, trigger_words
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


class Reports:
    """See the module.

    Args:
        bench: the state that it changes.
        openings: what was ordered to be opened, which reports answer.
        editor, files: take the pipeline that an opened session brings, or order the user's.

    Attributes:
        pictures: how many have come, which readings are given.
    """

    def __init__(self, bench: BenchState, openings: Openings, editor: PipelineEditor, files: PipelineFiles) -> None:
        self._bench, self._openings, self._editor, self._files = bench, openings, editor, files
        self.pictures = 0
        self._clip_before = ""
        self._aftermath: Aftermath | None = None
        self._takers: dict[type, Callable[[Any], Sequence[Topic]]] = {
            reports.Rows: self._rows, reports.Outdated: self._outdated, reports.Tables: self._tables,
            reports.Measured: self._measured, reports.Stood: self._stood, reports.Compiles: self._compiles,
            reports.Opened: self._opened, reports.Closed: self._closed, reports.Built: self._built,
            reports.Triggered: self._triggered, reports.Recorded: self._recorded, reports.CameraIs: self._camera,
            reports.Noted: self._noted, reports.Refused: self._refused, reports.Crashed: self._crashed,
        }  # fmt: skip

    def take(self, report: reports.Report) -> Sequence[Topic]:
        """Change the state by a report; the kinds of what has changed, of which who listens is still to be told."""
        return self._takers[type(report)](report)

    def look_back(self) -> None:
        """Say what became of a recording whose engine has died."""
        said = self._aftermath.look() if self._aftermath is not None else ""
        if said:
            self._aftermath = None
            self._bench.speak(Level.WARNING, said)

    def _rows(self, report: reports.Rows) -> Sequence[Topic]:
        bench = self._bench
        whole = not bench.store.forgotten
        bench.store.add(report.first, report.last, report.rows)
        bench.owners = report.owners
        if whole and bench.store.forgotten:
            first = evicted_words(bench.store, bench.number)
            bench.speak(Level.WARNING, "there are more tracks than memory is kept for; those that came longest ago "
                                       f"are given up from now on, {first} first; run or record the clip to have "
                                       "all in a file")  # fmt: skip
        return (Topic.ROWS,)

    def _outdated(self, _: reports.Outdated) -> Sequence[Topic]:
        self._bench.store.clear()
        self._know({})
        self._bench.kept = ""
        return (Topic.ROWS, Topic.TABLES)

    def _tables(self, report: reports.Tables) -> Sequence[Topic]:
        self._know({**self._bench.tables, **report.tables})
        return (Topic.TABLES,)

    def _know(self, tables: Mapping[str, npt.NDArray[Any]]) -> None:
        """What the trackers say beside their rows, and what of it is about key points."""
        self._bench.tables = tables
        keypoints = keypoints_of(tables)
        self._bench.skeletons, self._bench.point_names = Skeletons(keypoints), keypoints.track_names()

    def _measured(self, report: reports.Measured) -> Sequence[Topic]:
        bench = self._bench
        bench.measured = replace(report, shown=self.pictures)
        bench.readings.append(bench.measured)
        del bench.readings[:-ROLL]
        return (Topic.MEASURED,)

    def _stood(self, report: reports.Stood) -> Sequence[Topic]:
        self._bench.state, self._bench.position = report.state, report.position
        return (Topic.STATE,)

    def _compiles(self, report: reports.Compiles) -> Sequence[Topic]:
        self._bench.compiling = report.now
        return (Topic.STATE,)

    def _built(self, report: reports.Built) -> Sequence[Topic]:
        self._bench.built, self._bench.plain = report, False
        return (Topic.BUILT,)

    def _triggered(self, report: reports.Triggered) -> Sequence[Topic]:
        seen = self._bench.triggered
        seen.append(report)
        if len(seen) <= MOST_TOLD:
            more = "; further ones are only counted" if len(seen) == MOST_TOLD else ""
            self._bench.speak(Level.NOTE, f"{trigger_words(report)}{more}")
        return (Topic.MEASURED,)

    def _recorded(self, report: reports.Recorded) -> Sequence[Topic]:
        bench = self._bench
        bench.recording = ""
        bench.unkept = None if report.kept else report
        if report.kept:
            bench.recorded.append(report)
        bench.speak(*outcome(report))
        return (Topic.RECORDING,)

    def _camera(self, report: reports.CameraIs) -> Sequence[Topic]:
        bench = self._bench
        if bench.opened is None or bench.asked is None:
            return ()
        bench.opened = replace(bench.opened, info=report.info)
        bench.asked = replace(bench.asked, what=str(report.info.identity["address"]))
        return (Topic.CAMERA, Topic.VIEW)

    def _noted(self, report: reports.Noted) -> Sequence[Topic]:
        self._bench.speak(Level.NOTE, report.sentence)
        return ()

    def _refused(self, report: reports.Refused) -> Sequence[Topic]:
        bench = self._bench
        order, _ = self._answered(report.number)
        name = Path(order.what.partition("?")[0]).name if order is not None else ""
        unsaid = name and name not in report.sentence  # the sentence may be about the pipeline alone
        sentence = f"{name} was not opened: {report.sentence}" if unsaid else report.sentence
        bench.speak(Level.ERROR, sentence, report.details)
        bench.opening = None if bench.opening is order else bench.opening
        if report.recording and report.recording == bench.recording:  # it has not begun
            bench.recording = ""
            return (Topic.STATE, Topic.RECORDING)
        if report.ended:
            bench.lost = self._lost()
            bench.state, bench.recording = RunState.FAILED, ""
            return (Topic.STATE, Topic.RECORDING)
        return (Topic.OPENED,) if bench.opened is None else (Topic.STATE, Topic.PIPELINE)

    def _crashed(self, report: reports.Crashed) -> Sequence[Topic]:
        bench = self._bench
        ended, path = bench.opening or self._lost() or bench.lost, bench.recording
        self._aftermath = Aftermath(Path(path), self._known_recorded()) if path else self._aftermath
        bench.compiling = None
        bench.forget()
        self._openings.clear()
        bench.lost, bench.engine_down = ended, report.down
        bench.state = RunState.FAILED
        bench.speak(Level.ERROR, report.sentence, report.details)
        self.look_back()
        return (Topic.OPENED, Topic.STATE, Topic.ROWS, Topic.RECORDING)

    def _closed(self, _: reports.Closed) -> Sequence[Topic]:
        opening = self._bench.opening
        self._bench.forget()
        self._bench.opening = opening  # ordered since
        return (Topic.OPENED, Topic.STATE, Topic.ROWS, Topic.RECORDING)

    def _opened(self, report: reports.Opened) -> Sequence[Topic]:
        bench, later = self._bench, self._bench.opening
        asked, begun = self._answered(report.number)
        clip, history = (begun.clip, begun.history) if begun is not None else (report.info.name, bench.history)
        bench.forget()
        bench.opened, bench.asked, bench.clip = report, asked, clip
        bench.kept = asked.run if asked is not None else ""
        bench.opening = None if later is asked else later
        bench.range = asked.frames if asked is not None and asked.frames else (0, report.info.frames)
        bench.built = reports.Built(report.pipeline, report.device, report.groups, report.outputs, 0,
                                    found=report.found)  # fmt: skip
        another, self._clip_before = clip != self._clip_before, clip
        if not bench.brings:
            bench.history = bench.history.anew() if history is None else history
        if (running := loads(report.pipeline)) != bench.pipeline or (bench.brings and another):
            if bench.brings:
                whose = report.info.name if asked is None or not asked.run else Path(asked.run).name
                self._files.bring(running, whose, another)
            else:  # it was edited while the clip was being opened
                self._editor.order()
        if report.misfit and running == bench.pipeline:
            bench.trouble, bench.plain = report.misfit, True
        for sentence in (*report.info.warnings, *report.notes):
            bench.speak(Level.WARNING, sentence)
        for sentence in compression_hints(report.info):
            bench.speak(Level.NOTE, "sigma is a lower bound in this clip: its codec rounds small motions away",
                        sentence)  # fmt: skip
        return (Topic.OPENED, Topic.PIPELINE, Topic.BUILT, Topic.STATE, Topic.ROWS, Topic.SELECTION, Topic.VIEW)

    def _answered(self, number: int) -> tuple[commands.Open | None, Begun | None]:
        """The order to open something that a report is about, and with what that begins."""
        if number == 0:
            number = self._bench.opening.number if self._bench.opening is not None else -1
        return self._openings.answered(number)

    def _lost(self) -> commands.Open | None:
        """What is open, to be opened again with the pipeline as the user has it by now."""
        bench = self._bench
        return None if bench.asked is None else replace(bench.asked, pipeline=dumps(bench.pipeline), run=bench.kept)

    def _known_recorded(self) -> int:
        """Frames that are in the session for sure."""
        last = self._bench.measured if self._bench.measured is not self._bench.before_recording else None
        return last.recording.recorded if last is not None and last.recording is not None else 0
