"""What is asked of somebody who wants places in space: the cameras, their tracks, and which of these are one thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pyqtgraph.Qt import QtWidgets

from app.desk.jobs.orders import GivenRows, ReconstructOrder
from app.gui.stereo.calibration_form import TRACKS
from app.gui.stereo.camera_rows import Choice, path_box, track_rows, value_of
from app.gui.stereo.choice_form import Ask, ChoiceForm, browse
from app.project import Chosen
from app.stereo.reconstruction import Wanted, parse_group
from kernels.errors import InputError

LINES, NAMES, GIVEN = "lines", "names", "given"
WAYS = ((LINES, "lines of sight that meet"), (NAMES, "same names or numbers"), (GIVEN, "as I write them"))
RIGS = "Calibrations (*.json);;All files (*)"


class PlacesForm(ChoiceForm):
    """See the module.

    Args:
        ask: asks for a path.

    Attributes:
        rig, within, least, groups, fps: the fields. tracks: the cameras.
    """

    def __init__(self, ask: Ask) -> None:
        super().__init__(WAYS, "Which tracks of the cameras are one thing: those whose lines of sight meet (epipolar "
                               "distance), those that are called alike, or those that you say")  # fmt: skip
        self.rig = path_box("a calibration's file")
        self.rig.setToolTip("The cameras: as they were calibrated on the other page, or a file that was saved")
        self.tracks = track_rows(partial(ask, "Tracks of a camera", TRACKS))
        self.within = QtWidgets.QDoubleSpinBox()
        self.within.setRange(0.01, 1000.0)
        self.within.setValue(2.0)
        self.within.setSuffix(" px")
        self.within.setToolTip("How far lines of sight may miss each other, on average")
        self.least = QtWidgets.QSpinBox()
        self.least.setRange(1, 1_000_000)
        self.least.setValue(5)
        self.least.setSuffix(" frames")
        self.least.setToolTip("In how many frames two tracks have to meet")
        self.groups = QtWidgets.QLineEdit()
        self.groups.setPlaceholderText("0:3, 1:0")
        self.groups.setToolTip("A thing after the other: its track in each camera joined by colons, empty where a "
                               "camera does not see it; 0+7:3 where one was lost and found again")  # fmt: skip
        self.fps = QtWidgets.QDoubleSpinBox()
        self.fps.setDecimals(3)
        self.fps.setRange(0.0, 1e8)
        self.fps.setSpecialValueText("as the tracks say")
        self.fps.setToolTip("Frames a second, in place of the first camera's times")
        ask_rig = browse(self.put_rig, partial(ask, "A calibration", RIGS, False))
        self.add("Calibration", calibration=self.rig, browse=ask_rig)
        self.add("Tracks", tracks=self.tracks)
        self.add("One thing are", by=self.way)
        self.add(
            "within", LINES, within_px=self.within, between=QtWidgets.QLabel("in at least"), least_frames=self.least
        )
        self.add("Pairs", GIVEN, pairs=self.groups)
        self.add("Frames a second", fps=self.fps)
        self.arrange()

    def put_rig(self, path: str, words: str = "") -> None:
        """These cameras; `words` is what is said in place of a path."""
        if not path:
            return
        if words and self.rig.findData(path) < 0:
            self.rig.addItem(words, path)
        at = self.rig.findData(path)
        self.rig.setEditText(self.rig.itemText(at) if at >= 0 else path)

    def drop_rig(self, words: str) -> None:
        """The cameras that are called so are there no longer."""
        if (at := self.rig.findText(words)) >= 0:
            self.rig.removeItem(at)

    @property
    def rig_path(self) -> str:
        """The file of the cameras."""
        return value_of(self.rig)

    def chosen_with(self, own: str) -> Chosen:
        """What is chosen, as a file keeps it that has the calibration in the file `own` itself."""
        chosen = self.chosen
        kept = "" if self.rig_path == own else chosen.files["calibration"]
        return replace(chosen, files={**chosen.files, "calibration": kept})

    def write_groups(self, groups: Sequence[str]) -> None:
        """Have these pairs as if they were written."""
        self.groups.setText(", ".join(groups))
        self.way.setCurrentIndex(self.way.findData(GIVEN))

    def offer(self, tracks: Sequence[Choice], rigs: Sequence[str]) -> None:
        """What is open, and calibrations that were used last, can be chosen."""
        self.tracks.offer(tracks)
        text = self.rig.currentText()
        self.rig.blockSignals(True)
        for path in rigs:
            if self.rig.findData(path) < 0:
                self.rig.addItem(path, path)
        self.rig.setEditText(text)  # the first one would come into an empty field by itself
        self.rig.blockSignals(False)

    def order(self, tracks: Callable[[str], GivenRows], out: str) -> ReconstructOrder:
        """What is asked.

        Args:
            tracks: of what is chosen its tracks.
            out: the folder.

        Raises:
            InputError: a field says nothing that makes sense.
        """
        if not self.rig_path:
            raise InputError("choose the calibration of the cameras, or make one on the other page")
        values = self.filled(self.tracks, "tracks")
        groups = None
        if self.asked == GIVEN:
            groups = [parse_group(text, len(values)) for text in self.groups.text().split(",") if text.strip()]
            if not groups:
                raise InputError("write which tracks are one thing, such as 0:3")
        wanted = Wanted(self.tracks.offsets, groups, self.within.value(), self.least.value(), self.fps.value() or None)
        path = str(Path(self.rig_path).expanduser())
        return ReconstructOrder(path, tuple(map(tracks, values)), wanted, self.asked == NAMES, out)
