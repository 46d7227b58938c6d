"""Write tracks or pictures in the formats of other programs, while the window goes on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.channels.headless import TABLE, numbered
from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.services.channels import AtFrames, Channels
from app.desk.services.exporting import (
    DRAWN,
    WITH_TRACKS,
    What,
    Wish,
    formats,
    order_for,
    own_axes,
    possible,
    suggested,
)
from app.exports.formats.catalogue import TrackFormat
from app.exports.path_picture import By
from app.gui.beside import Beside
from app.gui.sessions.export_form import ExportForm
from app.gui.sessions.video_form import VideoForm
from app.gui.settings import Settings
from app.gui.system import show
from app.gui.video.view import VideoView
from app.gui.wording import EXPORT, in_window
from app.progress import duration
from kernels.errors import FusetrackError, InputError
from pipelines.frame import SourceInfo

GUESSED = 'places where a track was expected but not seen are in it, as "predicted" in the column state'


class ExportDialog(ExportForm):
    """See the module. An export goes on when the dialog is closed; `jobs` has it.

    Args:
        parent: the window.
        bench: the state behind it.
        video: the picture in it.
        jobs: run the export.
        settings: remember folder and format.
        colour: what the colours of paths are proposed to tell.
        channels: data channels beside the clip; None for none.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, bench: Workbench, video: VideoView, jobs: Jobs, settings: Settings,
        colour: By = "track", channels: Channels | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent, VideoForm(bench, video))
        self.colour.setCurrentIndex(self.colour.findData(colour))
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        self._bench, self._jobs, self._settings = bench, jobs, settings
        self._channels = channels
        self._beside = Beside(parent, "export of data channels")  # which goes on where this is closed
        self._beside.came.connect(partial(_wrote_channel, bench))
        self._tables: list[tuple[Path, AtFrames]] = []
        self._job: Job | None = None
        self._closed = self._own_name = False
        self._marked: tuple[SourceInfo | None, tuple[int, int]] | None = None
        for choice in self.what.values():
            choice.toggled.connect(lambda on: self._formats() if on else None)
        self.format.currentIndexChanged.connect(lambda _: self._named())
        self.axes.toggled.connect(lambda _: self._axes())
        self.marks.toggled.connect(lambda _: self._enabled())
        self.file.textEdited.connect(self._typed)
        self.browse.clicked.connect(self.ask_file)
        self.export.clicked.connect(self.begin)
        self.stop.clicked.connect(self._cancel)
        self.show_folder.clicked.connect(self._show)
        self.shut.clicked.connect(self.close)
        jobs.on(self._job_changed)
        for topic in (Topic.OPENED, Topic.VIEW, Topic.TABLES):
            bench.on(topic, self.refresh)
        bench.on(Topic.SELECTION, self._selected)
        self.refresh()
        self._progress()

    # ------------------------------------------------------------------------------------------------------ form

    @property
    def chosen(self) -> What | None:
        """What is to be exported."""
        return next((what for what, choice in self.what.items() if choice.isChecked()), None)

    def refresh(self) -> None:
        """Follow what is open, the marks and the calibration."""
        # Closed dialogs live on until Qt takes them apart, and hear of topics until then.
        if self._closed:
            return
        bench, can = self._bench, possible(self._bench)
        words = {What.SEEN: "the tracks that were seen here", What.RUN: "the tracks of the whole clip",
                 What.VIDEO: "a video with the tracks drawn in",
                 What.PATHS: "a picture of the paths of the tracks", What.FRAMES: "the pictures of the clip",
                 What.SPECTRA: "the spectra that a tracker measures (pipeline vibration)",
                 What.EVENTS: "the events that are marked (key H)"}  # fmt: skip
        for what, choice in self.what.items():
            choice.setText(can.get(what, words[what]))
            choice.setEnabled(what in can)
        # What was chosen cannot be had any more: the first that can.
        if self.chosen not in can and can:
            self.what[next(iter(can))].setChecked(True)
        self._frames()
        unit, per = bench.calibration.unit, bench.calibration.per_px
        physical = bench.calibration.physical
        scaled = f"lengths in {unit}, {per:.5g} {unit} a pixel"
        self.lengths.setText(scaled if physical else "lengths in px, for no scale is set")
        self.lengths.setChecked(physical)
        self.y_up.setChecked(bench.calibration.y_up)
        self.axes.setChecked(own_axes(bench))
        self._formats()

    def _frames(self) -> None:
        """Follow the marks, unless the user typed other frames."""
        bench, info = self._bench, self._bench.info
        now = (info, bench.range)
        if now == self._marked:
            return
        other = self._marked is None or self._marked[0] is not info
        self._marked = now
        if info is None or bench.live:
            self.marks.setChecked(False)
            return
        shift = info.first_number
        for box, frame in ((self.first, bench.range[0]), (self.last, bench.range[1] - 1)):
            box.setRange(shift, shift + max(0, info.frames - 1))
            box.setValue(shift + frame)
        # Marks that were taken away leave the frames that were typed.
        if other or bench.range != (0, info.frames):
            self.marks.setChecked(bench.range != (0, info.frames))

    @property
    def frames(self) -> tuple[int, int] | None:
        """The first frame that is wanted and one past the last, as the clip counts them; None for all."""
        info = self._bench.info
        if info is None or not (self.marks.isChecked() and self.marks.isEnabled()):
            return None
        return self.first.value() - info.first_number, self.last.value() + 1 - info.first_number

    def _selected(self) -> None:
        if not self._closed:
            self.video.refresh()
            count = len(self._bench.selected)
            self.chosen_only.setText(f"only the {count} selected tracks" if count > 1 else "only the selected track")
            self._enabled()

    def _enabled(self) -> None:
        """What makes sense for what is exported."""
        what, clip = self.chosen, self._bench.info is not None and not self._bench.live
        self.marks.setEnabled(clip and what is not What.SPECTRA)
        for box in (self.first, self.last):
            box.setEnabled(self.marks.isEnabled() and self.marks.isChecked())
        self.chosen_only.setEnabled(what in WITH_TRACKS and bool(self._bench.selected))
        for box in (self.guesses, self.every):
            box.setEnabled(what in (What.SEEN, What.RUN) or (what in DRAWN and box is self.every))
        self.guesses.setEnabled(self.guesses.isEnabled() and not self._every_row)
        self.lengths.setEnabled(self._bench.calibration.physical and what is not What.VIDEO)
        self.y_up.setEnabled(what in (What.SEEN, What.RUN))
        self.axes.setEnabled(own_axes(self._bench) and what in (What.SEEN, What.RUN))
        self.channels.setEnabled(what in (What.SEEN, What.RUN) and self._channels is not None and self._channels.timed
                                 and any(entry.loaded for entry in self._channels.entries))  # fmt: skip
        # Only what can be chosen is seen.
        for box in (self.chosen_only, self.y_up, self.axes, self.guesses, self.every, self.channels):
            box.setVisible(box.isEnabled())
        self.colour.setVisible(what is What.PATHS)
        self.video.setVisible(what is What.VIDEO)
        self.lengths.setVisible(what not in (What.VIDEO, What.EVENTS))

    def _formats(self) -> None:
        what = self.chosen
        before = self.format.currentData() or self._settings.text("format")
        self.format.blockSignals(True)
        self.format.clear()
        for form in formats(what) if what is not None else ():
            extra = f"  (needs fusetrack[{form.extra}])" if form.extra else ""
            self.format.addItem(f"{form.name}   {' '.join(form.extensions) or 'a folder'}{extra}", form.name)
        self.format.setCurrentIndex(max(0, self.format.findData(before)))
        self.format.blockSignals(False)
        self._selected()
        self._axes()
        self._named()

    def _axes(self) -> None:
        self._enabled()
        own = self.axes.isChecked() and self.axes.isEnabled()
        self.y_up.setText("y points up" if own else "y points up, from the lowest row of pixels")

    def _named(self) -> None:
        what, to = self.chosen, self.format.currentData()
        self.export.setEnabled(what is not None and (self._job is None or not self._job.running))
        if what is None or to is None:
            self.about.setText("open a clip first")
            return
        about = next(form.summary for form in formats(what) if form.name == to)
        self.about.setText(f"{about}; {GUESSED}" if self._every_row else about)
        self._enabled()
        folder = Path(self.file.text()).parent if self._own_name else Path(self._settings.text("exports") or Path.cwd())
        self.file.setText(str(suggested(self._bench, what, to, folder)))

    @property
    def _every_row(self) -> bool:
        """Whether the format has guessed places in any case, and says which they are."""
        form = next((f for f in formats(self.chosen) if f.name == self.format.currentData()), None) if (
            self.chosen is not None) else None  # fmt: skip
        return isinstance(form, TrackFormat) and form.every_row

    def _typed(self) -> None:
        self._own_name = True

    def choose(self, what: What) -> None:
        """Have something exported, if there is any."""
        if self.what[what].isEnabled():
            self.what[what].setChecked(True)

    def ask_file(self) -> None:
        """Choose the file."""
        path, _ = QtWidgets.QFileDialog.getSaveFileName(self, "Export to", self.file.text())
        if path:
            self.file.setText(path)
            self._own_name = True
            self.force.setChecked(Path(path).exists())  # the dialog has asked

    # ---------------------------------------------------------------------------------------------------- export

    def begin(self) -> None:
        """Export."""
        what, to = self.chosen, self.format.currentData()
        if what is None or to is None:
            return
        chosen = self.chosen_only.isChecked() and self.chosen_only.isEnabled()
        wish = Wish(what, to, self.file.text(), self.frames, self.lengths.isChecked(), self.y_up.isChecked(),
                    self.every.isChecked(), self.guesses.isChecked(), self.force.isChecked(),
                    self.axes.isChecked() and self.axes.isEnabled(),
                    tuple(self._bench.selected) if chosen else (), self.colour.currentData())  # fmt: skip
        try:
            if what is What.VIDEO:
                wish = replace(wish, roi=self.video.roi, video=self.video.look)
            order = order_for(self._bench, wish)
            self._tables = self._beside_tables(Path(order.out), wish)
        except FusetrackError as error:
            self._say(in_window(str(error), EXPORT, "export"), "bad")
            return
        self._settings.set_text("format", to)
        self._settings.set_text("exports", str(Path(order.out).parent))
        self._job = self._jobs.start(f"export {Path(order.out).name}", order)
        self._say("", "")
        self._progress()

    def _beside_tables(self, out: Path, wish: Wish) -> list[tuple[Path, AtFrames]]:
        """The data channels and where each is written.

        Raises:
            InputError: something is there that must not be replaced, or a channel is still being read.
        """
        if self._channels is None or not (self.channels.isEnabled() and self.channels.isChecked()):
            return []
        if any(entry.reading is not None for entry in self._channels.entries):
            raise InputError("a data channel is still being read; export again in a moment")
        entries = [entry for entry in self._channels.entries if entry.loaded is not None]
        paths = [numbered(out.with_name(f"{out.stem}.{TABLE}"), number) for number in range(len(entries))]
        for path in paths:
            if path.exists() and not wish.force:
                raise InputError(f"{path} exists already; choose another name, or “replace the file”")
        return [(path, self._channels.at_frames(entry, wish.frames))
                for path, entry in zip(paths, entries, strict=True)]  # fmt: skip

    def _cancel(self) -> None:
        if self._job is not None:
            self._jobs.stop(self._job)

    def _job_changed(self, job: Job) -> None:
        """An export went on or ended; messages come whether the dialog is there or not."""
        if job is not self._job:
            return
        if not job.running:
            self._ended(job)
        if not self._closed:
            self._progress()

    def _ended(self, job: Job) -> None:
        if job.state is JobState.DONE:
            for path, table in self._tables:
                self._beside.begin(0, partial(_written, path, table))
            made = job.result
            tracks = f"{made['tracks']} track{'' if made['tracks'] == 1 else 's'}"
            count = f"{tracks} in {made['rows']} rows" if made["rows"] else f"{made['frames']} frames"
            if "events" in made:
                count = f"{made['events']} event{'' if made['events'] == 1 else 's'}"
            notes = (in_window(str(note), EXPORT, "export") for note in made["notes"])
            words = "\n".join([f"{made['files'][0]}: {count}", *notes])
            self._bench.speak(Level.NOTE, f"exported {words.splitlines()[0]}", words)
            look = "good"
        else:
            words = in_window(job.sentence, EXPORT, "export")
            look = "warn" if job.state is JobState.STOPPED else "bad"
            level = Level.WARNING if job.state is JobState.STOPPED else Level.ERROR
            self._bench.speak(level, f"{job.title}: {words}", job.details)
        if not self._closed:
            self._say(words, look)

    def _progress(self) -> None:
        job = self._job
        running = job is not None and job.running
        if self.bar.isHidden() == running:
            self.bar.setVisible(running)
            self._fit()
        self.stop.setVisible(running)
        self.stop.setEnabled(job is not None and not job.stopping)
        self.export.setEnabled(not running and self.chosen is not None)
        self.show_folder.setVisible(job is not None and job.state is JobState.DONE)
        if job is not None and running:
            self.bar.setRange(0, job.total)  # 0 of 0 is a bar that says that something is done
            self.bar.setValue(job.done)
            left = f", {duration(job.seconds_left)} left" if job.done and job.total else ""
            self.bar.setFormat(f"%v of %m frames{left}")

    def _say(self, words: str, look: str) -> None:
        for name in ("warn", "bad"):
            self.words.setProperty(name, name == look)
        self.words.style().unpolish(self.words)
        self.words.style().polish(self.words)
        self.words.setText(words)
        self._fit()

    def _fit(self) -> None:
        """Room for what is said: a window is never too narrow for wrapped words, but too low, and presses its rows."""
        self.setMinimumHeight(self.layout().totalHeightForWidth(self.width()))
        # Buttons of choices do not wrap, and are cut where a layout gives them less than their words need.
        short = max(choice.sizeHint().width() - choice.width() for choice in self.what.values() if choice.isVisible())\
            if self.isVisible() else 0
        if short > 0:
            self.setMinimumWidth(min(self.width() + short, self.screen().availableGeometry().width()))

    def event(self, event: QtCore.QEvent) -> bool:
        """Other rows may be there, or other words in them."""
        if event.type() == QtCore.QEvent.Type.LayoutRequest:
            self._fit()
        return bool(super().event(event))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Words wrap anew."""
        super().resizeEvent(event)
        self._fit()

    def _show(self) -> None:
        if self._job is not None and self._job.result.get("files"):
            folder = Path(self._job.result["files"][0]).parent
            try:
                show(folder)
            except FusetrackError as error:
                self._say(str(error), "bad")

    def done(self, result: int) -> None:
        """Close; what runs goes on."""
        self._closed = True
        super().done(result)

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:  # noqa: N802
        """As `done`."""
        self._closed = True
        super().closeEvent(event)


def _wrote_channel(bench: Workbench, _number: int, answer: object) -> None:
    """Say what became of a channel's table, whether the dialog is still there or not."""
    if isinstance(answer, Path):
        bench.speak(Level.NOTE, f"exported {answer}")
    else:
        bench.speak(Level.ERROR, f"a data channel was not exported: {answer}")


def _written(path: Path, table: AtFrames) -> Path:
    table.write(path)
    return path
