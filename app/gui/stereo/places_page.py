"""Places in space of what calibrated cameras followed: what is asked, x, y, z with their sigma, and the things."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.jobs.jobs import Job, Jobs
from app.desk.jobs.orders import ReconstructOrder
from app.desk.jobs.stereo import PLACES
from app.files.atomic import make_folder, write_bytes
from app.gui.beside import Beside
from app.gui.figure_looks import KINDS, SAVE, FigureLooks, figure_path
from app.gui.later import Later
from app.gui.stereo.calibration_page import HERE
from app.gui.stereo.given import OPEN, Given
from app.gui.stereo.places_form import PlacesForm
from app.gui.stereo.places_plots import Drawn, PlacesPlots
from app.gui.stereo.work_page import Task, WorkPage
from app.project import Chosen
from app.stereo.reconstruction_figure import FIGURE, draw_reconstruction
from kernels.errors import InputError

TASK = Task("reconstruct", "Reconstruct", "Find which tracks are one thing, and where it is in space")
_ROLE = QtCore.Qt.ItemDataRole
MOST_ROWS = 400
"""Things in the table: those seen longest."""


class PlacesPage(WorkPage):
    """See the module and `WorkPage`.

    Attributes:
        form: what is asked. plots, table: the answer. save, keep: buttons.
    """

    def __init__(self, given: Given, jobs: Jobs, say: Callable[[str], object]) -> None:
        super().__init__(given, jobs, say, TASK)
        self._result: Mapping[str, Any] = {}
        self._out = Path()
        self._found: Drawn | None = None
        self._first = ""
        self._folder = tempfile.TemporaryDirectory(prefix="fusetrack-places-", ignore_cleanup_errors=True)
        self.form = PlacesForm(given.ask)
        self.save = QtWidgets.QPushButton("Save")
        self.save.setToolTip("Places and things as tables, the figure and, where times are known, places.c3d, as "
                             "`fusetrack reconstruct` writes them; or the figure alone")  # fmt: skip
        menu = QtWidgets.QMenu(self.save)
        menu.addAction("Save tables and figure in a folder…").triggered.connect(lambda: self._ask_where())
        menu.addAction(SAVE).triggered.connect(lambda: self._ask_for_figure())
        self._looks = FigureLooks(menu, endings=True)
        self.save.setMenu(menu)
        self.keep = QtWidgets.QPushButton("Write these pairs down")
        self.keep.setToolTip("Have the pairs that were found in the form, to change some of them")
        self.keep.clicked.connect(lambda: self._write_pairs())
        self._frame = -1
        self._plots, self.table = Later(self._make_plots), QtWidgets.QTableWidget(0, 0)
        self.table.verticalHeader().hide()
        self.table.setAlternatingRowColors(True)
        self.table.setTabKeyNavigation(False)
        self.table.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.table.setToolTip("Things, and their tracks in each camera; those that are selected are drawn, else "
                              "those that are seen longest")
        self.table.itemSelectionChanged.connect(self._draw)
        self._lay_out((self.save, self.keep), (self._plots, 480), (self.table, 160))
        self._beside = Beside(self, "places")
        self._beside.came.connect(self._came)
        self._drawing = Beside(self, "figure of places")
        self._drawing.came.connect(self._figure_came)

    @property
    def plots(self) -> PlacesPlots:
        """The plots, which are made now where they are not there yet."""
        return self._plots.part

    def _make_plots(self) -> PlacesPlots:
        made = PlacesPlots()
        made.wanted.connect(self._go)
        made.show_frame(self._frame)
        return made

    # ------------------------------------------------------------------------------------------------- working out

    def bring(self, chosen: Chosen, own: str) -> None:
        """What a project has: what is chosen, and the file of its calibration, "" for none. The places are there
        again once they are worked out anew."""
        self.stop()
        self._job = None
        self._forget()
        self.work.show_job(None)
        self.work.say("")
        if not own:
            self.form.drop_rig(HERE)
        self.form.choose(chosen)
        if own and not self.form.rig_path:
            self.form.put_rig(own, HERE)

    def _forget(self) -> None:
        """The answer is of another project."""
        self._result, self._found, self._first = {}, None, ""
        self.words.setPlainText("")
        self.save.setEnabled(False)
        self.keep.setEnabled(False)
        self.table.setRowCount(0)
        self._draw()

    def refresh(self) -> None:
        """What is open in the window may have changed."""
        self.form.offer(self._given.tracks(), self._given.rigs())

    def _ask(self) -> None:
        out = Path(self._folder.name) / f"{len(self._jobs.all)}"
        order = self.form.order(self._given.rows, str(out))
        self._first = self.form.tracks.values[0]
        self._start("places in space", order)

    def _done(self, job: Job) -> None:
        order = job.order
        assert isinstance(order, ReconstructOrder)
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
        notes = " ".join(self._worded(str(note)).rstrip(".") + "." for note in result["notes"])
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
        if self._found is not None or self._plots.made is not None:
            self.plots.show_found(self._found, self.chosen)

    def show_frame(self, frame: int) -> None:
        """The window shows this frame of the clip that is open."""
        self._frame = frame
        if self._plots.made is not None:
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
            self._guarded(lambda: self.save_to(Path(folder)))

    def _ask_for_figure(self) -> None:
        path, kind = self._given.ask_save("Save the figure of places in space", f"{FIGURE}.png", KINDS)
        if path:
            self._guarded(lambda: self.save_figure(figure_path(path, kind)))

    def save_to(self, folder: Path) -> None:
        """Write what the command would write into a folder of its own below, `places-3d`; what is there stays. The
        figure comes last.

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
        figure = self._looks.look.name(FIGURE)
        self._draw_figure(home / figure, f"saved {', '.join([*map(str, self._result['files']), figure])} in {home}")

    def save_figure(self, path: Path) -> None:
        """Draw all things into a PNG, SVG or PDF, as its name ends, in a thread.

        Raises:
            InputError: there is nothing yet.
        """
        self._draw_figure(path, f"saved {path}")

    def _draw_figure(self, path: Path, words: str) -> None:
        found, title, look = self._found, str(self._result.get("title", "")), self._looks.look
        if found is None:
            raise InputError("there is nothing to save yet; Reconstruct works it out")
        self.work.say(f"drawing {path.name} …")

        def work() -> str:
            draw_reconstruction(path, found, title, look)
            return words

        self._drawing.begin(0, work)

    def _figure_came(self, _number: int, answer: object) -> None:
        if isinstance(answer, str):
            self._saved(answer)
        elif isinstance(answer, Exception):
            self.work.say(str(answer), bad=True)

    def shut(self) -> None:
        """Leave nothing behind."""
        super().shut()
        self._folder.cleanup()

    def themed(self) -> None:
        """Take the colours of the theme."""
        super().themed()
        if self._plots.made is not None:
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
