"""Places in space of what calibrated cameras followed: what is asked, x, y, z with their sigma, and the things."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import ReconstructOrder
from app.desk.jobs.stereo import PLACES
from app.files.atomic import make_folder, write_bytes
from app.gui.beside import Beside
from app.gui.fixed_font import fixed_font
from app.gui.stereo.given import OPEN, Given
from app.gui.stereo.places_form import PlacesForm
from app.gui.stereo.places_plots import Drawn, PlacesPlots
from app.gui.stereo.wording import in_window
from app.gui.stereo.work_row import WorkRow
from kernels.errors import FusetrackError, InputError

_ROLE = QtCore.Qt.ItemDataRole
MOST_ROWS = 400
"""Things in the table: those seen longest."""


class PlacesPage(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        given: what is open in the window.
        jobs: work it out.
        say: told what was done.

    Attributes:
        form: what is asked. work: begins and stops it. words: what the command prints. plots, table: the answer.
        save, keep: buttons. files: what was written for the answer.
    """

    def __init__(self, given: Given, jobs: Jobs, say: Callable[[str], object]) -> None:
        super().__init__()
        self._given, self._jobs, self._say = given, jobs, say
        self._job: Job | None = None
        self._result: Mapping[str, Any] = {}
        self._out = Path()
        self._found: Drawn | None = None
        self._first = ""
        self._folder = tempfile.TemporaryDirectory(prefix="fusetrack-places-", ignore_cleanup_errors=True)
        self.form = PlacesForm(given.ask)
        self.work = WorkRow("Reconstruct", "Find which tracks are one thing, and where it is in space", self.begin,
                            self.stop)  # fmt: skip
        self.words = QtWidgets.QPlainTextEdit()
        self.words.setReadOnly(True)
        self.words.setFont(fixed_font(2))
        self.words.setToolTip("What `fusetrack reconstruct` prints; can be selected and copied")
        self.words.setMinimumHeight(60)
        self.save = QtWidgets.QPushButton("Save in a folder…")
        self.save.setToolTip("Write places.csv, things.csv, the figure and, where times are known, places.c3d, as "
                             "`fusetrack reconstruct` does")  # fmt: skip
        self.save.clicked.connect(lambda: self._ask_where())
        self.keep = QtWidgets.QPushButton("Write these pairs down")
        self.keep.setToolTip("Have the pairs that were found in the form, to change some of them")
        self.keep.clicked.connect(lambda: self._write_pairs())
        self.plots, self.table = PlacesPlots(), QtWidgets.QTableWidget(0, 0)
        self.table.verticalHeader().hide()
        self.table.setAlternatingRowColors(True)
        self.table.setTabKeyNavigation(False)
        self.table.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setToolTip("Things, and their tracks in each camera; those that are selected are drawn, else "
                              "those that are seen longest")
        self.table.itemSelectionChanged.connect(self._draw)
        left = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(left)
        column.setContentsMargins(0, 0, 6, 0)
        column.setSpacing(8)
        column.addWidget(self.form)
        column.addWidget(self.work)
        column.addWidget(self.words, 1)
        buttons = QtWidgets.QHBoxLayout()
        for button in (self.save, self.keep):
            button.setEnabled(False)
            buttons.addWidget(button, 1)
        column.addLayout(buttons)
        pair = QtWidgets.QSplitter(QtCore.Qt.Orientation.Vertical)
        pair.setChildrenCollapsible(False)
        pair.addWidget(self.plots)
        pair.addWidget(self.table)
        pair.setSizes([480, 160])
        split = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(pair)
        split.setStretchFactor(1, 1)
        split.setSizes([430, 800])
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(split)
        self._beside = Beside(self, "places")
        self._beside.came.connect(self._came)
        self.plots.wanted.connect(self._go)
        jobs.on(self._told)

    # ------------------------------------------------------------------------------------------------- working out

    def refresh(self) -> None:
        """What is open in the window may have changed."""
        self.form.offer(self._given.tracks())

    def begin(self) -> None:
        """Work it out; what is wrong with a field is said."""
        if self._job is not None and self._job.running:
            return
        out = Path(self._folder.name) / f"{len(self._jobs.all)}"
        try:
            order = self.form.order(self._given.rows, str(out))
        except FusetrackError as error:
            self.work.say(in_window(str(error)), bad=True)
            return
        self._first = self.form.tracks.values[0]
        self._job = self._jobs.start("places in space", order)
        self.work.show_job(self._job)

    def stop(self) -> None:
        """End it."""
        if self._job is not None:
            self._jobs.stop(self._job)

    def _told(self, job: Job) -> None:
        if job is not self._job:
            return
        self.work.show_job(job)
        if job.running:
            return
        order = job.order
        assert isinstance(order, ReconstructOrder)
        if job.state is not JobState.DONE:
            self.work.say(in_window(job.sentence), bad=job.state is JobState.FAILED)
            return
        before, self._out, self._result = self._out, Path(order.out), job.result
        if before != Path():
            shutil.rmtree(before, ignore_errors=True)
        self.words.setPlainText("\n".join(map(str, self._result["report"])))
        path = self._out / PLACES
        self._beside.begin(job.number, lambda: _loaded(path))

    def _came(self, number: int, answer: object) -> None:
        """The places are there."""
        if self._job is None or number != self._job.number:
            return
        if not isinstance(answer, dict):
            if isinstance(answer, Exception):
                self.work.say(f"the places cannot be read: {answer}", bad=True)
            return
        result = self._result
        self._found = Drawn(str(result["unit"]), bool(result["timed"]), bool(result["down"]), **answer)
        self._fill()
        self._draw()
        notes = " ".join(in_window(str(note)).rstrip(".") + "." for note in result["notes"])
        self.work.say(f"{len(result['things'])} things in {len(self._found.frame)} places. {notes}")
        self.save.setEnabled(True)
        self.keep.setEnabled(True)

    # ----------------------------------------------------------------------------------------------------- showing

    def _fill(self) -> None:
        columns, things = self._result["columns"], self._result["things"]
        things = sorted(things, key=lambda row: -row[1])[:MOST_ROWS]
        self.table.blockSignals(True)
        self.table.clearSelection()
        self.table.setColumnCount(len(columns))
        self.table.setHorizontalHeaderLabels([_spoken(name) for name in columns])
        self.table.setRowCount(len(things))
        for row, values in enumerate(things):
            for place, value in enumerate(values):
                words = f"{value:.4g}" if isinstance(value, float) else str(value)
                item = QtWidgets.QTableWidgetItem(words)
                item.setData(_ROLE.UserRole, value)
                if not isinstance(value, str):
                    item.setTextAlignment(QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, place, item)
        self.table.blockSignals(False)

    @property
    def chosen(self) -> list[int]:
        """Things that are selected."""
        rows = sorted({index.row() for index in self.table.selectedIndexes()})
        return [int(self.table.item(row, 0).data(_ROLE.UserRole)) for row in rows]

    def _draw(self) -> None:
        self.plots.show_found(self._found, self.chosen)

    def show_frame(self, frame: int) -> None:
        """The window shows this frame of the clip that is open."""
        self.plots.show_frame(frame)

    def _go(self, frame: int) -> None:
        if self._first == OPEN:
            self._given.go(frame)
        self.plots.show_frame(frame)

    def _write_pairs(self) -> None:
        """The pairs that were found as if they were written."""
        columns = list(self._result["columns"])
        places = [at for at, name in enumerate(columns) if name.startswith("tracks_of_camera_")]
        self.form.write_groups([":".join("+".join(str(row[at]).split()) for at in places)
                                for row in self._result["things"]])  # fmt: skip

    # ------------------------------------------------------------------------------------------------------- saving

    def _ask_where(self) -> None:
        folder = self._given.ask("Save places in space in a folder", "", True)
        if folder:
            try:
                self.save_to(Path(folder))
            except FusetrackError as error:
                self.work.say(str(error), bad=True)

    def save_to(self, folder: Path) -> None:
        """Write what the command would write into a folder of its own below, `NAME-3d`; what is there stays.

        Raises:
            InputError: there is nothing yet, or it cannot be written.
        """
        if not self._result:
            raise InputError("there is nothing to save yet; Reconstruct works it out")
        home, number = folder / "places-3d", 2
        while home.exists():
            home, number = folder / f"places-3d-{number}", number + 1
        make_folder(home)
        for name in self._result["files"]:
            try:
                data = (self._out / str(name)).read_bytes()
            except OSError as error:
                raise InputError(f"{name} cannot be read: {error.strerror}; Reconstruct makes it anew") from None
            write_bytes(home / str(name), data)
        words = f"saved {', '.join(map(str, self._result['files']))} in {home}"
        self.work.say(words)
        self._say(words)

    def shut(self) -> None:
        """Leave nothing behind."""
        self.stop()
        self._folder.cleanup()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.form.themed()
        self.plots.themed()


def _loaded(path: Path) -> dict[str, Any]:
    """The arrays of `Drawn`; here, in a thread, as they may be long."""
    with np.load(path) as stored:
        found = {name: stored[name] for name in stored.files}
    numbers, counts = np.unique(found["thing"], return_counts=True)
    moments, at = np.unique(found["frame"], return_index=True)
    return {**found, "longest": numbers[np.argsort(-counts, kind="stable")], "moments": moments,
            "times": found["time"][at]}  # fmt: skip


def _spoken(name: str) -> str:
    """A column's heading.

    >>> _spoken("tracks_of_camera_1"), _spoken("mean_sigma_x_mm"), _spoken("residual_px")
    ('in camera 1', 'sigma x, mm', 'residual, px')
    """
    words = name.replace("mean_sigma_", "sigma ").replace("tracks_of", "in").split("_")
    unit = words[-1] if name.startswith(("mean_sigma", "residual")) else ""
    return " ".join(words[:-1]) + f", {unit}" if unit else " ".join(words)
