"""The bar of a recording: a camera, or a clip with its tracks, into a new session; wait for a trigger, rehearse; how it
goes, and what came of it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from pyqtgraph.Qt import QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.naming import following, suggest
from app.desk.jobs.orders import RehearseOrder
from app.files.atomic import make_folder
from app.gui import theme
from app.gui.icons import icon
from app.gui.sessions import record_words as words
from app.gui.sessions.record_form import RecordForm
from app.gui.sessions.replay_check import ReplayCheck
from app.gui.settings import Settings
from app.gui.strips import Strips
from app.gui.system import show
from app.safe_names import clip_stem
from app.sessions.account import Account
from app.sessions.layout import Picture
from app.sessions.shared import RecorderState
from kernels.errors import InputError

SUFFIX = ".mcap"
REHEARSAL = 3.0
"""Seconds of a rehearsal."""


class RecordBar(RecordForm):
    """See the module.

    Args:
        bench: the state behind the window.
        jobs: run rehearsals and checks.
        settings: remember the folder and the trigger.
        guard: called with what a button does; turns errors into messages.
        strips: tell how the check of a session goes that is open.

    Attributes:
        bench: as given.
        checking: the check of a replay.
        offered: whether it is there for a clip; for a camera it always does.
    """

    def __init__(
        self, bench: Workbench, jobs: Jobs, settings: Settings, guard: Callable[[Callable[[], object]], None],
        strips: Strips,
    ) -> None:  # fmt: skip
        super().__init__(settings.text("triggers"))
        self.bench, self._jobs, self._settings = bench, jobs, settings
        self._rehearsal: Job | None = None
        self._strips, self.checking = strips, ReplayCheck(jobs, strips)
        self._clip: Job | None = None
        self.offered = False
        self._since = 0.0
        self._verdict = ("", "")
        for button, work in ((self.record, self.toggle), (self.trigger, self.pull), (self.rehearse, self.try_disk),
                             (self.open_button, self.open_recorded), (self.show_button, self.show_folder),
                             (self.check, self.check_recorded), (self.folder_button, self.ask_folder),
                             (self.cross, partial(self.offer, False))):  # fmt: skip
            button.clicked.connect(partial(self._guarded, guard, work))
        self.waits.toggled.connect(self.refresh)
        self.before.valueChanged.connect(self.refresh)
        for topic in (Topic.OPENED, Topic.RECORDING):
            bench.on(topic, partial(self._anew, topic))
        for topic in (Topic.MEASURED, Topic.STATE):
            bench.on(topic, self._how)
        jobs.on(self._job)
        self.themed()
        self._anew(Topic.OPENED)

    def _guarded(self, guard: Callable[[Callable[[], object]], None], work: Callable[[], object], _: bool) -> None:
        guard(work)
        self.refresh()

    # ---------------------------------------------------------------------------------------------------- doing

    @property
    def path(self) -> Path:
        """The session that would be recorded."""
        name = self.name.text().strip()
        if not name:
            raise InputError("a session needs a name")
        path = Path(os.path.expanduser(name))
        return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)

    def offer(self, on: bool = True) -> None:
        """Stand there for the clip that is open, or go."""
        self.offered = on
        if on:
            self._verdict = ("", "")
            self._suggest()
        self.refresh()

    @property
    def _going_clip(self) -> Job | None:
        """The job that records a clip now."""
        return self._clip if self._clip is not None and self._clip.running else None

    def toggle(self) -> None:
        """Begin or end a recording; a clip's is offered first, for it may be large."""
        if self._going_clip is not None:
            self._jobs.stop(self._going_clip)
            return
        if self.bench.recording:
            self.bench.recorder.stop()
            return
        if not self.bench.live and not self.offered:
            self.offer()
            return
        if self._rehearsal is not None and self._rehearsal.running:  # it would take the disk's time
            self._jobs.stop(self._rehearsal)
        path = following(self.path)
        make_folder(path.parent)
        if not self.bench.live:
            self._verdict = ("", "")
            self._clip = self._jobs.start(f"record {path.name}", self.bench.recorder.clip_order(str(path)))
            self._settings.set_text("sessions", str(path.parent))
            self.refresh()
            return
        triggers = tuple(self.when.text().split()) if self.waits.isChecked() else ()
        before = self.before.value() if self.waits.isChecked() else None
        after = self.after.value() or None if self.waits.isChecked() else None
        self.bench.recorder.record(str(path), before, after, triggers)
        self.name.setText(str(path))
        self._settings.set_text("sessions", str(path.parent))
        self._settings.set_text("triggers", self.when.text())

    def pull(self) -> None:
        """Trigger."""
        if self.bench.recording:
            self.bench.recorder.trigger("key")

    def try_disk(self) -> None:
        """Rehearse, or break the rehearsal off."""
        if self._rehearsal is not None and self._rehearsal.running:
            self._jobs.stop(self._rehearsal)
            return
        info = self.bench.info
        if info is None:
            return
        fps = info.time.fps if info.time.fps > 0 else 0.0
        self._rehearsal = self._jobs.start("rehearsal", RehearseOrder(
            str(self.path.parent.absolute()), Picture.of(info), fps, REHEARSAL))  # fmt: skip

    def open_recorded(self) -> None:
        """Open what was recorded last."""
        if self.bench.recorded:
            path = self.bench.recorded[-1].path
            self._settings.add_recent(path)
            self.bench.open(path, pipeline="own")

    def show_folder(self) -> None:
        """Show where the last session lies."""
        if self.bench.recorded:
            show(Path(self.bench.recorded[-1].path).absolute().parent)

    @property
    def session(self) -> str:
        """The session whose replay can be checked: the one that is open, or what was recorded last; "" for none."""
        asked = self.bench.asked
        if self.bench.opened is not None and asked is not None and not self.bench.live and asked.what.endswith(SUFFIX):
            return asked.what
        return self.bench.recorded[-1].path if self.bench.recorded else ""

    def check_replay(self) -> None:
        """Process a session again, and compare."""
        session = self.session
        if not session:
            raise InputError("open a recorded session first, or record one; then its replay can be checked")
        told_here = bool(self.bench.recorded) and session == self.bench.recorded[-1].path and not self.isHidden()
        self.checking.begin(session, not told_here)

    def check_recorded(self) -> None:
        """Process what was recorded last again, and compare."""
        if self.bench.recorded:
            self.checking.begin(self.bench.recorded[-1].path, False)

    def ask_folder(self) -> None:
        """Choose where sessions go."""
        folder = QtWidgets.QFileDialog.getExistingDirectory(self, "The folder of the sessions", str(self.path.parent))
        if folder:
            self._settings.set_text("sessions", folder)
            self._suggest()

    # ------------------------------------------------------------------------------------------------- following

    def _suggest(self) -> None:
        folder = Path(self._settings.text("sessions") or Path.cwd())
        info = self.bench.info
        stem = clip_stem(info.name) if info is not None and not self.bench.live else "session"
        self.name.setText(str(suggest(folder, stem, SUFFIX)))

    def _anew(self, topic: Topic) -> None:
        """Something was opened, or a recording began or ended."""
        if topic is Topic.RECORDING:  # what a rehearsal or a check said is of before
            self._verdict, self._rehearsal = ("", ""), None
            self.checking.forget()
        if topic is Topic.RECORDING and self.bench.recording:
            self._since = time.monotonic()
        elif not self.bench.recording and self.bench.live:
            self._suggest()
        if topic is Topic.OPENED and self._going_clip is None:
            self.offered = False
        if topic is Topic.OPENED:
            self.checking.clear()
        self.refresh()

    def refresh(self) -> None:
        """Follow the state."""
        bench = self.bench
        recording, waits = bool(bench.recording or self._going_clip), self.waits.isChecked() and bench.live
        done = bool(bench.recorded) and bench.unkept is None and not recording
        self.setVisible(bench.live or recording or self.offered)
        self.record.setChecked(recording)
        self.record.setText("Stop" if recording else "Record")
        self.record.setIcon(QtGui.QIcon() if recording else icon("record"))  # on its loud ground none can be seen
        self.record.setEnabled(recording or bench.opened is not None)
        what = "what the camera delivers" if bench.live else "the clip with its tracks"
        self.record.setToolTip(f"{'Close the session' if recording else f'Record {what}'} (Ctrl+R)")
        for widget in (self.name, self.folder_button, self.waits, self.rehearse):
            widget.setEnabled(bench.opened is not None and not recording)
        for widget in (self.waits, self.rehearse):
            widget.setVisible(bench.live)
        self.cross.setVisible(not bench.live and not recording)
        for widget in (self.before, self.before_words, self.after, self.when, *self.labels):
            widget.setVisible(waits)
            widget.setEnabled(bench.live and not recording)
        info = bench.info
        fps = info.time.fps if info is not None else math.nan
        self.before_words.setText(f"= {self.before.value() / fps:.3g} s before it," if fps > 0 else "before it,")
        self.trigger.setVisible(waits)
        self.trigger.setEnabled(recording and waits)
        busy = self._rehearsal is not None and self._rehearsal.running
        self.rehearse.setText("Cancel" if busy else "Rehearse")
        self.rehearse.setIcon(icon("close" if busy else "gauge"))
        for widget in (self.open_button, self.show_button, self.check):
            widget.setVisible(done)
        self.check.setEnabled(not self.checking.running)
        self._how()

    def _how(self) -> None:
        """How the recording goes, or what came of the last one."""
        bench, colours = self.bench, theme.current()
        # What a rehearsal or a check said stays until something else begins.
        text, ink = self._verdict
        if self._going_clip is not None:
            text, ink = words.clip_going(self._going_clip), ""
        elif bench.recording:
            text, ink = words.going(bench, time.monotonic() - self._since, self.waits.isChecked(),
                                    self.before.value()), ""  # fmt: skip
        elif not text and bench.unkept is not None and bench.live:
            text, ink = words.done(bench.unkept)
        elif not text and bench.recorded and (bench.live or self._clip is not None):
            text, ink = words.done(bench.recorded[-1])
        elif not text and bench.info is not None:
            text, ink = words.ready(bench, bench.info, self.waits.isChecked()), colours.muted
        self.words.setText(f'<span style="color:{ink or colours.text}">{text}</span>' if text else "")
        self.words.setToolTip(f"<p>{text}</p>" if text else "")  # what there is no room for can be read

    def _job(self, job: Job) -> None:
        """A rehearsal, a check or a recording of a clip went on or ended."""
        colours = theme.current()
        if job is self._clip:
            self._clip_job(job)
            return
        if job is self._rehearsal:
            text, good = "rehearsing: frames of this size are recorded for three seconds …", colours.muted
            if not job.running:
                text = str(job.result.get("sentence", job.sentence))
                good = colours.good if job.result.get("enough") else colours.bad
        elif job is self.checking.job:
            text, good = self.checking.look()
        else:
            return
        # A check of a session that was opened has a strip of its own.
        if job is not self.checking.job or not self.checking.above:
            self._verdict = (text, good)
        if job.state is JobState.FAILED:
            self.bench.speak(Level.ERROR, job.sentence, job.details)
        elif job.state is JobState.DONE:
            self.bench.speak(Level.NOTE if good == colours.good else Level.WARNING, text)
        self.refresh()

    def _clip_job(self, job: Job) -> None:
        """The recording of a clip went on or ended."""
        facts = job.result.get("account")
        if not job.running and isinstance(facts, dict):
            # Jobs give plain numbers: enumerations are made again.
            account = Account(**{**facts, "state": RecorderState(facts["state"])})
            self.bench.recorder.take(str(job.result["path"]), account)
        if job.state in (JobState.FAILED, JobState.STOPPED):
            good = theme.current().bad if job.state is JobState.FAILED else theme.current().warn
            self._verdict = (f"<b>Stopped</b> &nbsp; {escape(job.sentence)}", good)
        if job.state is JobState.FAILED:
            self.bench.speak(Level.ERROR, job.sentence, job.details)
        if not job.running and self.offered:
            self._suggest()
        self.refresh()

    def themed(self) -> None:
        """Take the colours of the theme."""
        for button, name in ((self.folder_button, "open"), (self.trigger, "trigger"), (self.open_button, "play"),
                             (self.show_button, "open"), (self.check, "proof"), (self.cross, "close")):  # fmt: skip
            button.setIcon(icon(name))
        self.refresh()
