"""What is asked of somebody who wants places in space: the cameras, their tracks, and which of these are one thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.jobs.orders import GivenRows, ReconstructOrder
from app.gui.stereo.calibration_form import TRACKS
from app.gui.stereo.camera_rows import CameraRows, Choice
from app.gui.stereo.choice_form import ChoiceForm
from app.stereo.reconstruction import Wanted, parse_group
from kernels.errors import InputError

LINES, NAMES, GIVEN = "lines", "names", "given"
WAYS = ((LINES, "lines of sight that meet"), (NAMES, "same names or numbers"), (GIVEN, "as I write them"))
RIGS = "Calibrations (*.json);;All files (*)"


class PlacesForm(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        ask: asks for a path; called with a title, what kinds of files there are, and whether it is a folder.

    Attributes:
        changed: a signal: something else is asked. rig, way, within, least, groups, fps: the fields. tracks: the
            cameras.
    """

    changed = QtCore.pyqtSignal()

    def __init__(self, ask: Callable[[str, str, bool], str]) -> None:
        super().__init__()
        self.rig = QtWidgets.QComboBox()
        self.rig.setEditable(True)
        self.rig.setInsertPolicy(QtWidgets.QComboBox.InsertPolicy.NoInsert)
        self.rig.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.rig.setMinimumContentsLength(14)
        self.rig.setCompleter(None)
        self.rig.lineEdit().setPlaceholderText("a calibration's file")
        self.rig.setToolTip("The cameras: as they were calibrated on the other page, or a file that was saved")
        browse = QtWidgets.QPushButton("Choose…")
        browse.clicked.connect(lambda: self.put_rig(ask("A calibration", RIGS, False)))
        rig = QtWidgets.QHBoxLayout()
        rig.addWidget(self.rig, 1)
        rig.addWidget(browse)
        self.tracks = CameraRows(("Choose a table of tracks or a session", "Choose the folder of a run's results"),
                                 lambda folder: ask("Tracks of a camera", TRACKS, folder), 2)  # fmt: skip
        self.way = QtWidgets.QComboBox()
        for key, words in WAYS:
            self.way.addItem(words, key)
        self.way.setToolTip("Which tracks of the cameras are one thing: those whose lines of sight meet (epipolar "
                            "distance), those that are called alike, or those that you say")  # fmt: skip
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
        meet = QtWidgets.QHBoxLayout()
        meet.addWidget(self.within)
        meet.addWidget(QtWidgets.QLabel("in at least"))
        meet.addWidget(self.least)
        meet.addStretch(1)
        self.groups = QtWidgets.QLineEdit()
        self.groups.setPlaceholderText("0:3, 1:0")
        self.groups.setToolTip("A thing after the other: its track in each camera joined by colons, empty where a "
                               "camera does not see it; 0+7:3 where one was lost and found again")  # fmt: skip
        self.fps = QtWidgets.QDoubleSpinBox()
        self.fps.setDecimals(3)
        self.fps.setRange(0.0, 1e8)
        self.fps.setSpecialValueText("as the tracks say")
        self.fps.setToolTip("Frames a second, in place of the first camera's times")
        self._form = form = ChoiceForm(self)
        form.add("Calibration", rig, LINES, NAMES, GIVEN)
        form.add("Tracks", self.tracks, LINES, NAMES, GIVEN)
        form.add("One thing are", self.way, LINES, NAMES, GIVEN)
        form.add("within", meet, LINES)
        form.add("Pairs", self.groups, GIVEN)
        form.add("Frames a second", self.fps, LINES, NAMES, GIVEN)
        self.rig.editTextChanged.connect(lambda _: self.changed.emit())
        self.groups.textChanged.connect(lambda _: self.changed.emit())
        for spin in (self.within, self.least, self.fps):
            spin.valueChanged.connect(lambda _: self.changed.emit())
        self.tracks.changed.connect(self.changed)
        self.way.currentIndexChanged.connect(lambda _: self._arrange())
        self._arrange()

    @property
    def asked(self) -> str:
        """How tracks are paired."""
        return str(self.way.currentData())

    def _arrange(self) -> None:
        self._form.arrange(self.asked)
        self.changed.emit()

    def put_rig(self, path: str, words: str = "") -> None:
        """These cameras; `words` is what is said in place of a path."""
        if not path:
            return
        if words and self.rig.findData(path) < 0:
            self.rig.addItem(words, path)
        at = self.rig.findData(path)
        self.rig.setEditText(self.rig.itemText(at) if at >= 0 else path)

    @property
    def rig_path(self) -> str:
        """The file of the cameras."""
        text = self.rig.currentText().strip()
        at = self.rig.findText(text, QtCore.Qt.MatchFlag.MatchExactly)
        return str(self.rig.itemData(at)) if at >= 0 and self.rig.itemData(at) else text

    def write_groups(self, groups: Sequence[str]) -> None:
        """Have these pairs as if they were written."""
        self.groups.setText(", ".join(groups))
        self.way.setCurrentIndex(self.way.findData(GIVEN))

    def offer(self, tracks: Sequence[Choice]) -> None:
        """What is open can be chosen."""
        self.tracks.offer(tracks)

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
        values = self.tracks.values
        for at, value in enumerate(values):
            if not value:
                raise InputError(f"choose the tracks of camera {at + 1}")
        groups = None
        if self.asked == GIVEN:
            groups = [parse_group(text, len(values)) for text in self.groups.text().split(",") if text.strip()]
            if not groups:
                raise InputError("write which tracks are one thing, such as 0:3")
        wanted = Wanted(self.tracks.offsets, groups, self.within.value(), self.least.value(), self.fps.value() or None)
        path = str(Path(self.rig_path).expanduser())
        return ReconstructOrder(path, tuple(map(tracks, values)), wanted, self.asked == NAMES, out)

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.tracks.themed()
