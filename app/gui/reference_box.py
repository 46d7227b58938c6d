"""Which points are fixed to a ground whose motion is taken away, and how that moves."""

from __future__ import annotations

import re

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.tracks.motions import Reference
from pipelines.analysis.ground import GROUNDS

WORDS = {"shift": "it shifts", "rigid": "it shifts and turns", "similarity": "it shifts, turns and grows"}


class ReferenceBox(QtWidgets.QWidget):  # type: ignore[misc]
    """A field for numbers of tracks, a button that takes those that are selected, and a choice of the ground.

    Attributes:
        tracks, take, ground: its parts. asked: a signal: the selected tracks are wanted; answer with `put`.
        changed: a signal: another choice was made.
    """

    asked = QtCore.pyqtSignal()
    changed = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.tracks = QtWidgets.QLineEdit()
        self.tracks.setPlaceholderText("beside tracks, such as 0,1,2")
        self.tracks.setClearButtonEnabled(True)
        self.tracks.setToolTip("Numbers of tracks that are fixed to a ground, such as what a shaking camera sees: its "
                               "motion is found by least squares in each frame and taken away; as "
                               "--reference")  # fmt: skip
        self.take = QtWidgets.QPushButton("Selected")
        self.take.setToolTip("Take the tracks that are selected now")
        self.ground = QtWidgets.QComboBox()
        for kind in ("rigid", "shift", "similarity"):
            self.ground.addItem(f"{kind}: {WORDS[kind]}", kind)
        self.ground.setToolTip("How the ground moves; one point tells no more than a shift; as --ground")
        row = QtWidgets.QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.tracks, 1)
        row.addWidget(self.take)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.ground)
        self.tracks.editingFinished.connect(self._edited)
        self.tracks.textChanged.connect(lambda words: None if words else self._edited())
        self.take.clicked.connect(lambda _: self.asked.emit())
        self.ground.activated.connect(lambda _: self.changed.emit())
        self._told = Reference()
        self._edited()

    @property
    def reference(self) -> Reference:
        """What is chosen; what is no number is none."""
        numbers = dict.fromkeys(int(word) for word in re.findall(r"\d{1,10}", self.tracks.text()))
        kind = next(one for one in GROUNDS if one == self.ground.currentData())
        return Reference(tuple(numbers), kind)

    def put(self, tracks: tuple[int, ...]) -> None:
        """Other tracks; () for the picture."""
        self.tracks.setText(", ".join(map(str, tracks)))
        self._edited()

    def _edited(self) -> None:
        self.ground.setEnabled(len(self.reference.tracks) > 1)
        if self.reference != self._told:
            self._told = self.reference
            self.changed.emit()
