"""The bar of a camera: record into a new session, wait for a trigger, rehearse; how it goes, and what came of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from html import escape
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.engine.throughput import look
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.naming import following, suggest
from app.desk.jobs.orders import RehearseOrder, ReplayOrder
from app.desk.workbench import Workbench
from app.exports.atomic import make_folder, size_text
from app.gui import theme
from app.gui.icons import icon
from app.gui.settings import Settings
from app.progress import duration
from app.sessions.asking import SPELLINGS
from app.sessions.layout import Picture
from kernels.errors import InputError

SUFFIX = ".mcap"
BEFORE, MOST_FRAMES = 1000, 10_000_000
"""Frames that are kept before a trigger unless something else is asked for; frames that can be asked for."""
REHEARSAL = 3.0
"""Seconds of a rehearsal."""


class RecordBar(QtWidgets.QToolBar):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        jobs: run rehearsals and checks.
        settings: remember the folder and the trigger.
        guard: called with what a button does; turns errors into messages.

    Attributes:
        bench: as given.
        record, trigger, rehearse, check, open_button, show_button, folder_button: buttons.
        name: of the session.
        waits: whether a trigger is waited for; before, after, when: frames to keep before it, to record from it on
            (0: all), and what triggers.
        words: how it goes: ready, armed, recording, or what was recorded and where. Its row is there at any time, so
            that the picture stands still.
    """

    def __init__(
        self, bench: Workbench, jobs: Jobs, settings: Settings, guard: Callable[[Callable[[], object]], None]
    ) -> None:
        super().__init__("Recording")
        self.setObjectName("recording")
        self.setMovable(False)
        self.bench, self._jobs, self._settings = bench, jobs, settings
        self._rehearsal: Job | None = None
        self._check: Job | None = None
        self._since = 0.0
        self._verdict = ("", "")
        self.record = QtWidgets.QPushButton("Record")
        self.record.setCheckable(True)
        self.name = QtWidgets.QLineEdit()
        self.name.setToolTip("The session: a new file, never one that is there")
        self.name.setMinimumWidth(120)
        self.folder_button = _tool("open", "Choose the folder of the sessions")
        self.waits = QtWidgets.QCheckBox("wait for a trigger")
        self.waits.setToolTip("Keep the last frames in memory, and record them with what follows once a trigger comes")
        self.before = _count("Frames from before the trigger", BEFORE)
        self.before_words = QtWidgets.QLabel()
        self.labels = [QtWidgets.QLabel(words) for words in ("keep", "record", "when")]
        self.after = _count("Frames to record from a trigger on; 0 for all that come", 0)
        self.after.setSpecialValueText("to the end")
        self.when = QtWidgets.QLineEdit(settings.text("triggers"))
        self.when.setPlaceholderText("key, or speed>200, lost …")
        self.when.setToolTip(f"What triggers besides the key G: {SPELLINGS}; several with blanks between them")
        self.when.setMinimumWidth(90)
        self.trigger = QtWidgets.QPushButton("Trigger")
        self.trigger.setToolTip("Record what was kept, and what follows  (G)")
        self.rehearse = QtWidgets.QPushButton("Rehearse")
        self.rehearse.setToolTip("What will this disk sustain? Records frames of this size for three seconds, then "
                                 "deletes them")  # fmt: skip
        self.words = QtWidgets.QLabel()
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.open_button = QtWidgets.QPushButton("Open it")
        self.open_button.setToolTip("Open what was recorded, with its own pipeline")
        self.show_button = QtWidgets.QPushButton("Show folder")
        self.show_button.setToolTip("Show where the session lies, in the file manager")
        self.check = QtWidgets.QPushButton("Check the replay")
        self.check.setToolTip("Process the session again and compare: the tracks have to be the same, bit by bit")
        self._lay_out()
        for button, work in ((self.record, self.toggle), (self.trigger, self.pull), (self.rehearse, self.try_disk),
                             (self.open_button, self.open_recorded), (self.show_button, self.show_folder),
                             (self.check, self.check_replay), (self.folder_button, self.ask_folder)):  # fmt: skip
            button.clicked.connect(partial(self._guarded, guard, work))
        self.waits.toggled.connect(self.refresh)
        self.before.valueChanged.connect(self.refresh)
        for topic in (Topic.OPENED, Topic.RECORDING):
            bench.on(topic, partial(self._anew, topic))
        bench.on(Topic.MEASURED, self._how)
        jobs.on(self._job)
        self.themed()
        self._anew(Topic.OPENED)

    def _guarded(self, guard: Callable[[Callable[[], object]], None], work: Callable[[], object], _: bool) -> None:
        guard(work)
        self.refresh()

    def _lay_out(self) -> None:
        inner = QtWidgets.QWidget()
        rows = QtWidgets.QVBoxLayout(inner)
        rows.setContentsMargins(6, 2, 6, 4)
        rows.setSpacing(4)
        keep, record, when = self.labels
        for widgets in (
            (self.record, self.name, self.folder_button, self.waits, self.rehearse),
            (keep, self.before, self.before_words, record, self.after, when, self.when, self.trigger),
            (self.words, self.open_button, self.show_button, self.check),
        ):  # fmt: skip
            row = QtWidgets.QHBoxLayout()
            row.setSpacing(6)
            for widget in widgets:
                row.addWidget(widget, int(widget in (self.name, self.when, self.words)))
            rows.addLayout(row)
        keeps = self.open_button.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)  # the row is as high without it
        self.open_button.setSizePolicy(keeps)
        self.addWidget(inner)

    # ---------------------------------------------------------------------------------------------------- doing

    @property
    def path(self) -> Path:
        """The session that would be recorded."""
        name = self.name.text().strip()
        if not name:
            raise InputError("a session needs a name")
        path = Path(name).expanduser()
        return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)

    def toggle(self) -> None:
        """Begin or end a recording."""
        if self.bench.recording:
            self.bench.stop_recording()
            return
        if self._rehearsal is not None and self._rehearsal.running:  # it would take the disk's time
            self._jobs.stop(self._rehearsal)
        path = following(self.path)
        make_folder(path.parent)
        triggers = tuple(self.when.text().split()) if self.waits.isChecked() else ()
        before = self.before.value() if self.waits.isChecked() else None
        after = self.after.value() or None if self.waits.isChecked() else None
        self.bench.record(str(path), before, after, triggers)
        self.name.setText(str(path))
        self._settings.set_text("sessions", str(path.parent))
        self._settings.set_text("triggers", self.when.text())

    def pull(self) -> None:
        """Trigger."""
        if self.bench.recording:
            self.bench.trigger("key")

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
            self.bench.open(path, own_pipeline=True)

    def show_folder(self) -> None:
        """Show where the last session lies."""
        if self.bench.recorded:
            folder = str(Path(self.bench.recorded[-1].path).absolute().parent)
            QtGui.QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(folder))

    def check_replay(self) -> None:
        """Process what was recorded last again, and compare."""
        if self.bench.recorded and (self._check is None or not self._check.running):
            self._check = self._jobs.start("replay", ReplayOrder(self.bench.recorded[-1].path))

    def ask_folder(self) -> None:
        """Choose where sessions go."""
        folder = QtWidgets.QFileDialog.getExistingDirectory(self, "The folder of the sessions", str(self.path.parent))
        if folder:
            self._settings.set_text("sessions", folder)
            self._suggest()

    # ------------------------------------------------------------------------------------------------- following

    def _suggest(self) -> None:
        folder = Path(self._settings.text("sessions") or Path.cwd())
        self.name.setText(str(suggest(folder, "session", SUFFIX)))

    def _anew(self, topic: Topic) -> None:
        """Something was opened, or a recording began or ended."""
        if topic is Topic.RECORDING:  # what a rehearsal or a check said is of before
            self._verdict, self._rehearsal, self._check = ("", ""), None, None
        if topic is Topic.RECORDING and self.bench.recording:
            self._since = time.monotonic()
        elif not self.bench.recording and self.bench.live:
            self._suggest()
        self.refresh()

    def refresh(self) -> None:
        """Follow the state."""
        bench = self.bench
        recording, waits = bool(bench.recording), self.waits.isChecked()
        done = bool(bench.recorded) and not recording
        self.setVisible(bench.live or recording)
        self.record.setChecked(recording)
        self.record.setText("Stop" if recording else "Record")
        self.record.setIcon(QtGui.QIcon() if recording else icon("record"))  # on its loud ground none can be seen
        self.record.setEnabled(bench.live)
        self.record.setToolTip(f"{'Close the session' if recording else 'Record what the camera delivers'} (Ctrl+R)")
        for widget in (self.name, self.folder_button, self.waits, self.rehearse):
            widget.setEnabled(bench.live and not recording)
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
        self.check.setEnabled(self._check is None or not self._check.running)
        self._how()

    def _how(self) -> None:
        """How the recording goes, or what came of the last one."""
        bench, colours = self.bench, theme.current()
        text, ink = self._verdict
        if bench.recording:
            text, ink = self._going(), ""
        elif not text and bench.recorded:
            text, ink = self._done()
        elif not text and bench.live:
            what = "what comes goes into a new session" if not self.waits.isChecked() else (
                "Record arms it: frames are kept in memory until a trigger comes")  # fmt: skip
            text, ink = f"<b>Ready</b> &nbsp; {what}", colours.muted
        self.words.setText(f'<span style="color:{ink or colours.text}">{text}</span>' if text else "")

    def _done(self) -> tuple[str, str]:
        """What was recorded last, and where it is; and a colour."""
        last, colours = self.bench.recorded[-1], theme.current()
        account, path = last.account, Path(last.path).absolute()
        if not account.recorded:
            return f"<b>Stopped</b> &nbsp; nothing was recorded into {escape(path.name)}: no trigger came", colours.warn
        lost = f"; {account.dropped} had no room" if account.dropped else ", none was lost"
        text = f"<b>Stopped</b> &nbsp; {escape(path.name)}: {account.recorded} frames, {size_text(account.bytes)}{lost}"
        text += f"; {escape(account.problem)}" if account.problem else f" &nbsp; in {escape(_short(path.parent))}"
        return text, colours.bad if account.dropped or account.problem else colours.good

    def _going(self) -> str:
        bench, colours = self.bench, theme.current()
        elapsed = time.monotonic() - self._since
        clock = f"{int(elapsed) // 60}:{int(elapsed) % 60:02d}"
        disk = look(bench.readings).disk
        head = f'<span style="color:{colours.bad}">●</span> <b>Recording</b> {clock}'
        if disk is None:
            return f"<b>Beginning</b> {clock}"
        if not disk.recorded and self.waits.isChecked():
            kept = f"the last {self.before.value()} frames are kept; G or the button triggers"
            return f'<span style="color:{colours.warn}">●</span> <b>Armed</b> {clock} &nbsp; {kept}'
        left = duration(disk.seconds_left) if math.isfinite(disk.seconds_left) else "…"
        lost = colours.bad if disk.dropped else colours.muted
        late = colours.warn if disk.queue.room and disk.queue.now > disk.queue.room / 2 else colours.muted
        return (
            f"{head} &nbsp; <b>{disk.recorded}</b> frames &nbsp; {size_text(disk.bytes_a_second)}/s &nbsp; "
            f'<span style="color:{late}">queue {disk.queue.now} of {disk.queue.room}</span> &nbsp; '
            f'<span style="color:{lost}">{disk.dropped} dropped</span> &nbsp; disk full in {left}'
        )

    def _job(self, job: Job) -> None:
        """A rehearsal or a check went on or ended."""
        colours = theme.current()
        if job is self._rehearsal:
            words, good = "rehearsing: frames of this size are recorded for three seconds …", colours.muted
            if not job.running:
                words = str(job.result.get("sentence", job.sentence))
                good = colours.good if job.result.get("enough") else colours.bad
        elif job is self._check:
            words, good = f"checking the replay … {job.share:.0%}", colours.muted
            if not job.running:
                words = f"Replayed: {job.result.get('sentence', job.sentence)}"
                good = colours.good if job.result.get("identical") else colours.bad
        else:
            return
        self._verdict = (words, good)
        if job.state is JobState.FAILED:
            self.bench.speak(Level.ERROR, job.sentence, job.details)
        elif job.state is JobState.DONE:
            self.bench.speak(Level.NOTE if good == colours.good else Level.WARNING, words)
        self.refresh()

    def themed(self) -> None:
        """Take the colours of the theme."""
        for button, name in ((self.folder_button, "open"), (self.trigger, "trigger"), (self.open_button, "play"),
                             (self.show_button, "open"), (self.check, "proof")):  # fmt: skip
            button.setIcon(icon(name))
        self.refresh()


def _short(folder: Path, most: int = 48) -> str:
    """A folder in few letters: "~" for the home, its end if it is long."""
    with suppress(ValueError, RuntimeError):
        folder = "~" / folder.relative_to(Path.home())
    text = str(folder)
    return text if len(text) <= most else "…" + text[-most:]


def _tool(name: str, tip: str) -> QtWidgets.QToolButton:
    made = QtWidgets.QToolButton()
    made.setIcon(icon(name))
    made.setToolTip(tip)
    return made


def _count(tip: str, value: int) -> QtWidgets.QSpinBox:
    made = QtWidgets.QSpinBox()
    made.setRange(0, MOST_FRAMES)
    made.setValue(value)
    made.setSuffix(" frames")
    made.setToolTip(tip)
    made.setGroupSeparatorShown(True)
    made.setFixedWidth(150)
    return made
