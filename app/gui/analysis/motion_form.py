"""What is chosen of motion: the window, what stands still, distances, angles, regions; as the command's options."""

from __future__ import annotations

from collections.abc import Sequence

from pyqtgraph.Qt import QtCore, QtWidgets

from app.analysis.kinematics import Wanted
from app.commands.motion import regions_of, tracks_of
from app.gui.reference_box import ReferenceBox
from kernels.errors import InputError
from pipelines.analysis.travel import Region

ALONG = {"swings along its main direction": "main", "swings along x": "x", "swings along y": "y"}
BETWEEN = ";"
"""What stands between two distances, angles or regions."""


class MotionForm(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Attributes:
        width_box, order, reference, distances, angles, regions, seen, along, marked: its parts.
        changed: a signal: something else is wanted.
    """

    changed = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.width_box = QtWidgets.QDoubleSpinBox()
        self.width_box.setRange(0.0, 1e6)
        self.width_box.setDecimals(6)
        self.width_box.setSingleStep(0.001)
        self.width_box.setSpecialValueText("window: chosen from the tracks")
        self.width_box.setPrefix("window ")
        self.width_box.setSuffix(" s")
        self.width_box.setKeyboardTracking(False)
        self.width_box.setToolTip("Seconds that a polynomial is fitted to for velocities and accelerations; 0: those "
                                  "whose velocities have the least error, found from the tracks; as "
                                  "--window")  # fmt: skip
        self.order = QtWidgets.QComboBox()
        self.order.addItem("order: chosen from the tracks", None)
        for degree in range(1, 7):
            self.order.addItem(f"order {degree}", degree)
        self.order.setToolTip("Degree of the polynomials; as --order")
        self.reference = ReferenceBox()
        self.distances, self.angles, self.regions = (QtWidgets.QLineEdit() for _ in range(3))
        for field, words, tip in (
            (self.distances, "distances, such as 0,1; 2,3", "Pairs of tracks, ; between two pairs: how far they are "
             "apart, and how fast that changes; as --distance"),
            (self.angles, "angles, such as 0,1,2; 3,4", "Two tracks: the direction of the way from one to the other; "
             "three: the angle at the second from the first to the third; as --angle"),
            (self.regions, "regions, such as feeder=circle:120,80,25", "How long tracks stay in circle:X,Y,RADIUS or "
             "rect:X,Y,WIDTH,HEIGHT, in the unit of the scale from the upper left corner of the picture, ; between "
             "two; NAME= before it names one; as --region"),
        ):  # fmt: skip
            field.setPlaceholderText(words)
            field.setToolTip(tip)
            field.setClearButtonEnabled(True)
        self.seen = QtWidgets.QPushButton("Seen part")
        self.seen.setToolTip("Zoom the picture in to a part of it, and take that as a region")
        self.along = QtWidgets.QComboBox()
        for words, along in ALONG.items():
            self.along.addItem(words, along)
        self.along.setToolTip("The direction along which oscillations and decays are fitted; as --along")
        self.marked = QtWidgets.QCheckBox("only from mark to mark")
        self.marked.setToolTip("Leave out frames outside the marks of the timeline, such as those before something "
                               "swings freely; as --frames")  # fmt: skip
        row = QtWidgets.QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.regions, 1)
        row.addWidget(self.seen)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.width_box, self.order, self.reference, self.distances, self.angles):
            column.addWidget(widget)
        column.addLayout(row)
        for widget in (self.along, self.marked):
            column.addWidget(widget)
        for signal in (self.width_box.valueChanged, self.order.activated, self.reference.changed,
                       *(field.editingFinished for field in (self.distances, self.angles, self.regions)),
                       self.along.activated, self.marked.toggled):  # fmt: skip
            # Every field asks; only what differs from what was told is told again.
            signal.connect(lambda *_: self._edited())
        self._told = self._state()

    @property
    def fields(self) -> dict[str, QtWidgets.QWidget]:
        """What can be chosen, by name."""
        return {
            "width": self.width_box, "order": self.order, "beside": self.reference.tracks,
            "ground": self.reference.ground, "distances": self.distances, "angles": self.angles,
            "regions": self.regions, "along": self.along, "marked": self.marked,
        }  # fmt: skip

    def _state(self) -> tuple[object, ...]:
        return (self.width_box.value(), self.order.currentData(), self.reference.reference, self.distances.text(),
                self.angles.text(), self.regions.text(), self.along.currentData(), self.marked.isChecked())  # fmt: skip

    def _edited(self) -> None:
        """A field is left also without a change."""
        if self._state() != self._told:
            self._told = self._state()
            self.changed.emit()

    def add_region(self, region: Region) -> None:
        """One more, under a name that is free."""
        there = self.regions.text().strip()
        numbers = ",".join(f"{number:.6g}" for number in region.area.numbers)
        self.regions.setText(f"{there}{BETWEEN + ' ' if there else ''}{region.name}={region.area.kind}:{numbers}")
        self._edited()

    @property
    def trouble(self) -> str:
        """What of it is not understood; "" where all is."""
        try:
            self._parsed()
        except InputError as error:
            return str(error)
        return ""

    def wanted(self, least: int, model: str, frames: tuple[int, int] | None) -> Wanted:
        """What is asked; without what is not understood.

        Args:
            least: frames in which a track was seen.
            model: that is fitted; "" for none.
            frames: the first mark, and one past the last, for `marked`; None where there are none.
        """
        try:
            distances, angles, regions = self._parsed()
        except InputError:
            distances, angles, regions = (), (), ()
        reference = self.reference.reference
        return Wanted(
            frames=frames if self.marked.isChecked() else None, least=least, width=self.width_box.value() or None,
            order=self.order.currentData(), references=reference.tracks, ground=reference.kind, distances=distances,
            angles=angles, regions=regions, models=(model,) if model else (), along=str(self.along.currentData()),
        )  # fmt: skip

    def _parsed(self) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, ...], ...], tuple[Region, ...]]:
        """Distances, angles and regions.

        Raises:
            InputError: something is not understood.
        """
        pairs = [tracks_of(text, "a distance", (2,)) for text in _parts(self.distances.text())]
        angles = tuple(tracks_of(text, "an angle", (2, 3)) for text in _parts(self.angles.text()))
        return tuple((a, b) for a, b in pairs), angles, regions_of(_parts(self.regions.text()), "a region")


def _parts(text: str) -> Sequence[str]:
    return [part for part in text.split(BETWEEN) if part.strip()]
