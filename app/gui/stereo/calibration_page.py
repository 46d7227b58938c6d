"""Cameras are calibrated: what is asked, the pictures with what was found in them, and what is left wrong in each."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.jobs.jobs import Job, Jobs
from app.desk.jobs.orders import CalibrateOrder, SeeBoardOrder, Wand
from app.gui.stereo.calibration_form import BOARD, PLACES, WAND, CalibrationForm
from app.gui.stereo.corner_view import CornerViews
from app.gui.stereo.given import Given
from app.gui.stereo.picture_reader import Picture, PictureReader, Wanted
from app.gui.stereo.view_table import NOTHING, ViewTable
from app.gui.stereo.work_page import Task, WorkPage
from app.project import Chosen
from app.stereo.calibrating import BoardSeen, View
from app.stereo.rig import Rig, describe, parse_rig, rig_of, rig_text, write_rig
from kernels.errors import FusetrackError, InputError
from pipelines.stereo.camera_model import Array

HERE = "as calibrated here"
"""What the calibration is called that is in no file of the user's."""
TASK = Task("calibrate", "Calibrate", "Find how the cameras map space to their pictures")
APPEAR = {BOARD: "Pictures appear here, with the corners that are found in them",
          WAND: "Pictures appear here, with the ends of the wand",
          PLACES: "Pictures appear here, with the known places"}  # fmt: skip
"""What is said before there is something to see."""
LONGEST = 0.06
"""Share of the picture's width that the longest line from a corner to its projection has, about."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A calibration.

    Args:
        by: what it was calibrated by.
        rig: the cameras. text: these as a file has them.
    """

    by: str
    rig: Rig
    text: str


class CalibrationPage(WorkPage):
    """See the module and `WorkPage`.

    Attributes:
        made: a signal: the path of a file with the cameras, and what it is called. changed: a signal: something else
            is chosen or found. written: a signal: they are in a file of the user's. form: what is asked. views, table:
            the pictures. save: the button.
    """

    made = QtCore.pyqtSignal(str, str)
    changed = QtCore.pyqtSignal()
    written = QtCore.pyqtSignal()

    def __init__(self, given: Given, jobs: Jobs, say: Callable[[str], object]) -> None:
        super().__init__(given, jobs, say, TASK)
        self._board: tuple[SeeBoardOrder, BoardSeen] | None = None
        self._views: tuple[View, ...] = ()
        self._every: dict[int, View] = {}
        self._clips: tuple[str, ...] = ()
        self._offsets: tuple[int, ...] = ()
        self._sizes: tuple[tuple[int, int], ...] = ()
        self._rig: Rig | None = None
        self._made: _Made | None = None
        self._stale = False
        self._of: tuple[object, ...] = ()
        self._folder = tempfile.TemporaryDirectory(prefix="fusetrack-cameras-", ignore_cleanup_errors=True)
        self.form = CalibrationForm(given.ask, given.kinds)
        self.save = QtWidgets.QPushButton("Save the calibration…")
        self.save.setToolTip("Write the file that the page “Places in space” and `fusetrack reconstruct` take")
        self.save.clicked.connect(lambda: self._ask_where())
        self.views, self.table = CornerViews(), ViewTable()
        self.large = QtWidgets.QPushButton("Drop large errors")
        self.large.setToolTip("Take away the ticks of pictures with more than twice the median error of a camera, and "
                              "calibrate again")  # fmt: skip
        self.large.setEnabled(False)
        self.large.clicked.connect(self._drop_large)
        self.count = QtWidgets.QLabel()
        self.count.setProperty("muted", True)
        self.count.setWordWrap(True)  # else a long sentence makes the window wider than the screen
        below = QtWidgets.QWidget()
        lower = QtWidgets.QVBoxLayout(below)
        lower.setContentsMargins(0, 0, 0, 0)
        lower.setSpacing(4)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.count, 1)
        row.addWidget(self.large)
        lower.addLayout(row)
        lower.addWidget(self.table, 1)
        self._lay_out((self.save,), (self.views, 420), (below, 260))
        self._reader = PictureReader(self, self._show_pictures)
        self.table.chosen.connect(self._look_at)
        self.table.ticked.connect(self._ticked)
        self.form.changed.connect(self._asked_otherwise)
        self._way = self.form.asked
        self.views.set_count(2)
        self._brought: tuple[Chosen, tuple[int, ...]] | None = None
        self.count.setText(APPEAR[self._way])

    # ------------------------------------------------------------------------------------------------- working out

    @property
    def file(self) -> str:
        """Where the calibration lies that is in no file of the user's, if there is one."""
        return str(Path(self._folder.name) / "calibration.json")

    @property
    def rig_text(self) -> str:
        """The last calibration as a project keeps it, whatever is looked at meanwhile; "" for none."""
        return "" if self._made is None else self._made.text

    def bring(self, chosen: Chosen, left_out: tuple[int, ...], rig: str) -> None:
        """What a project has: what is chosen, which pictures do not count, and the calibration, "" for none. The
        pictures are there again once it is calibrated anew."""
        self.stop()
        # None of what is brought may be taken for a change by the user.
        self._job = self._brought = self._made = None
        self._forget()
        self.form.choose(chosen)
        self.table.leave_out(left_out)
        self._brought = self.form.chosen, left_out
        self.work.show_job(None)
        self.work.say("")
        if rig:
            self._guarded(lambda: self._take(parse_rig(rig, "the calibration in the project"), rig))

    def _take(self, rig: Rig, text: str) -> None:
        self._made = _Made(self.form.asked, rig, text)
        self._show_made(rig)
        self._hand_on()

    def _show_made(self, rig: Rig) -> None:
        """A calibration without its pictures."""
        self._rig, self._stale = rig, False
        self._sizes = tuple(camera.size for camera in rig.cameras)
        self.words.setPlainText("\n".join(describe(rig)))
        self.work.say(f"calibrated before: {rig.rms:.3g} px left wrong; Calibrate looks at the pictures again")
        self.save.setEnabled(True)

    def refresh(self) -> None:
        """What is open in the window may have changed."""
        self.form.offer(self._given.clips(), self._given.tracks())

    def _ask(self) -> None:
        """Find the board, where it is one, and calibrate."""
        of = self._cameras
        if self.form.asked != BOARD and of != self._of:  # other pictures, of which none is dropped yet
            self._forget()
            self._of = of
        if self.form.asked == BOARD:
            wanted = self.form.board_order(self._given.path)
            self.form.clips.put(wanted.clips)  # they are meant, whatever is opened later
            # The board is looked for once: ticks and lenses need no pictures again.
            if self._board is None or self._board[0] != wanted:
                self._forget()
                self._start("board of a calibration", wanted)
                return
        self._calibrate()

    @property
    def _cameras(self) -> tuple[object, ...]:
        """Of what a wand or known places calibrate."""
        if self.form.asked == WAND:
            return (*self.form.tracks.values, *self.form.tracks.offsets)
        return (*self.form.clips.values, self.form.table.text())

    @property
    def _left_out(self) -> tuple[int, ...]:
        """What does not count of the pictures that are known."""
        return tuple(number for number in self.table.without if number in self._every)

    def _calibrate(self) -> None:
        seen = self._board[1] if self._board is not None and self.form.asked == BOARD else None
        order = self.form.order(seen, self._left_out, self._given.path, self._given.rows)
        if isinstance(order.by, Wand):
            self._clips = tuple(self._given.clip_of(value) for value in self.form.tracks.values)
            self._offsets = order.offsets
        elif isinstance(order.by, str):
            self._clips, self._offsets = order.clips, (0,) * len(order.clips)
            self.form.clips.put(order.clips)
            self._of = self._cameras
        self._stale = False
        self._start("calibration", order)

    def _done(self, job: Job) -> None:
        if isinstance(job.order, SeeBoardOrder):
            self._found(job.order, job.result)
        elif isinstance(job.order, CalibrateOrder):
            self._calibrated(job.order, job.result)

    def _failed(self, order: object) -> None:
        if isinstance(order, CalibrateOrder):
            self._rig = None
            self.words.setPlainText("")
            self.save.setEnabled(False)

    def _found(self, order: SeeBoardOrder, result: Mapping[str, Any]) -> None:
        """The board's corners are there; they are shown, and calibrated by."""
        seen = tuple({int(frame): np.array(corners, float) for frame, corners in one} for one in result["seen"])
        sizes = tuple((int(size[0]), int(size[1])) for size in result["sizes"])
        found = BoardSeen(order.board, order.unit, seen, int(result["looked"]), sizes, tuple(result["names"]))
        self._board = order, found
        self._clips, self._offsets, self._sizes = order.clips, order.offsets, sizes
        none = np.full((order.board.columns * order.board.rows, 2), np.nan)
        numbers = sorted(set().union(*seen))
        self._every = {number: View(number, tuple(one.get(number, none) for one in seen), (none,) * len(seen))
                       for number in numbers}  # fmt: skip
        self._show(())
        self._guarded(self._calibrate)

    def _calibrated(self, order: CalibrateOrder, result: Mapping[str, Any]) -> None:
        views = tuple(View(int(one["number"]), _arrays(one["seen"]), _arrays(one["wrong"]), tuple(one["left_out"]))
                      for one in result["views"])  # fmt: skip
        # Of a wand's frames others are taken where some do not count; those that were taken before are no longer asked.
        known = {number: view for number, view in self._every.items()
                 if self.form.asked != WAND or number in order.without}  # fmt: skip
        self._every = known | {view.number: view for view in views}
        if set(self._left_out) - set(order.without):  # they were not known before, and could not be ticked again
            self._guarded(self._calibrate)
            return
        self._rig = rig_of(result["rig"])
        self._made = _Made(self.form.asked, self._rig, rig_text(self._rig))
        self._sizes = tuple(camera.size for camera in self._rig.cameras)
        self._show(views)
        errors = ", ".join(f"camera {at + 1} {float('nan' if error is None else error):.3g} px"
                           for at, error in enumerate(result["rms"]))  # fmt: skip
        self.words.setPlainText("\n".join([*map(str, result["report"]), f"left wrong: {errors}"]))
        self.work.say(f"calibrated: {self._rig.rms:.3g} px left wrong")
        self.save.setEnabled(True)
        self._guarded(self._hand_on)

    def _hand_on(self) -> None:
        """Have the other page have it, and the project."""
        assert self._rig is not None
        write_rig(Path(self.file), self._rig)
        self.made.emit(self.file, HERE)
        self.changed.emit()

    def _forget(self) -> None:
        """Other pictures come."""
        self._board, self._views, self._every, self._rig = None, (), {}, None
        self.table.forget()
        if self._brought is not None and self._brought[0] == self.form.chosen:  # the pictures of the project
            self.table.leave_out(self._brought[1])
        self.save.setEnabled(False)
        self.large.setEnabled(False)
        self.words.setPlainText("")
        self.count.setText(APPEAR[self.form.asked])
        for shown in self.views.views:
            shown.clear()

    # ----------------------------------------------------------------------------------------------------- showing

    def _show(self, views: tuple[View, ...]) -> None:
        self._views = views
        what = "place" if self.form.asked == PLACES else "frame"
        numbers = sorted(self._every)
        cameras = len(self._clips)
        seen = [[bool(np.isfinite(one).any()) for one in self._every[number].seen] for number in numbers]
        self.views.set_count(cameras)
        self.table.show_views(what, numbers, views, cameras, seen)
        self.large.setEnabled(bool(self.table.large))
        both = sum(all(one) for one in seen)
        many = {BOARD: "pictures with the whole board", WAND: "pictures with the wand", PLACES: "known places"}
        without = len(self.table.unused)
        self.count.setText(f"{len(numbers)} {many[self.form.asked]}, {both} seen by all cameras"
                           + (f"; of {without} something was left out, as the notes at the left say" if without
                              else ""))  # fmt: skip

    def _look_at(self, number: int) -> None:
        frame = 0 if self.form.asked == PLACES else number
        if number in self._every:
            self._reader.ask(tuple((clip, frame + ahead) if clip else None
                                   for clip, ahead in zip(self._clips, self._offsets, strict=True)))  # fmt: skip
            self._draw(number)

    def _draw(self, number: int) -> None:
        """What was found in the picture that is looked at."""
        places, known = self.form.asked == PLACES, {view.number: view for view in self._views}
        view = known.get(number, self._every[number])
        for camera, shown in enumerate(self.views.views):
            seen, wrong = view.seen[camera], view.wrong[camera]
            if number not in known:
                wrong = np.full_like(seen, np.nan)
            elif wrong.shape != seen.shape:
                continue
            largest = float(np.nanmax(np.linalg.norm(wrong, axis=1), initial=0.0)) if np.isfinite(wrong).any() else 0.0
            width = self._sizes[camera][0] if camera < len(self._sizes) else 0
            enough = largest > NOTHING and width
            # A power of ten that brings the longest line to about LONGEST of the width.
            shown.times = 10.0 ** math.floor(math.log10(LONGEST * width / largest)) if enough else 1.0
            # All known places are in one picture: the others are drawn, without lines.
            if places:
                seen = np.concatenate([seen, *(one.seen[camera] for n, one in self._every.items() if n != number)])
                wrong = np.concatenate([wrong, np.full((len(seen) - len(wrong), 2), np.nan)])
            error = known[number].rms(camera) if number in known else math.nan
            words = f"camera {camera + 1}"
            longer = "to scale" if shown.times == 1 else f"{shown.times:g} times longer"
            words += f": {error:.3f} px, lines {longer}" if error == error else ""
            shown.show_found(seen, wrong, words, self.form.asked != PLACES)

    def _show_pictures(self, asked: Wanted, answer: list[Picture | None] | Exception) -> None:
        pictures = answer if isinstance(answer, list) else [None] * len(asked)
        for camera, (shown, picture) in enumerate(zip(self.views.views, pictures, strict=False)):
            size = self._sizes[camera] if camera < len(self._sizes) else (640, 480)
            shown.show_picture(picture, size)
        if isinstance(answer, FusetrackError):
            self.work.say(str(answer), bad=True)

    # ---------------------------------------------------------------------------------------------------- changing

    def _asked_otherwise(self) -> None:
        if self.form.asked != self._way:
            self._way = self.form.asked
            self.stop()
            self._job = None
            self._forget()
            self.work.show_job(None)
            self.work.say("")
            if self._made is not None and self._made.by == self._way:  # back from a look at another way
                self._show_made(self._made.rig)
        elif self._rig is not None and not self._stale and not self.busy:
            self._stale = True
            self.work.say("something else is asked now: press Calibrate")
        self.changed.emit()

    def _ticked(self) -> None:
        """Other pictures count: it is calibrated again; while it is, the next tick waits for its end."""
        self.changed.emit()
        if self.form.asked != BOARD and self._cameras != self._of:
            self.work.say("the cameras are others than those of these pictures; press Calibrate", bad=True)
            return
        if self.busy:
            self.stop()
        if self._every:
            self._guarded(self._calibrate)

    def _drop_large(self) -> None:
        self.table.untick(self.table.large)

    # ------------------------------------------------------------------------------------------------------- saving

    def _ask_where(self) -> None:
        path, _ = self._given.ask_save("Save the calibration", "rig.json", "Calibrations (*.json)")
        if path and self._rig is not None:
            self._guarded(lambda: self.save_to(Path(path if Path(path).suffix else f"{path}.json")))

    def save_to(self, path: Path) -> None:
        """Write it.

        Raises:
            InputError: there is nothing yet, or it cannot be written.
        """
        if self._rig is None:
            raise InputError("there is no calibration yet")
        write_rig(path, self._rig)
        self._given.remember_rig(str(path))
        self._saved(f"saved {path}")
        self.made.emit(str(path), "")
        self.written.emit()

    def shut(self) -> None:
        """Leave nothing behind."""
        super().shut()
        self._reader.close()
        self._folder.cleanup()

    def themed(self) -> None:
        """Take the colours of the theme."""
        super().themed()
        self.views.themed()
        if self._every:
            self._show(self._views)


def _arrays(lists: list[Any]) -> tuple[Array, ...]:
    """(N, 2) each; what is no number is nothing in JSON."""
    return tuple(np.array(one, float).reshape(-1, 2) for one in lists)
