"""What is chosen more seldom of traces: what is taken away from them, what stands still, guesses, segments."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.tracks.signals import Form
from app.gui.reference_box import ReferenceBox

SEGMENTS = (0, 32, 64, 128, 256, 512, 1024, 2048)
"""Samples of a segment of a spectrogram; 0 for what suits."""


class TracesOptions(QtWidgets.QToolButton):  # type: ignore[misc]
    """A button with a form.

    Attributes:
        form, reference, every, segment: what is chosen.
        changed: a signal: another choice was made.
    """

    changed = QtCore.pyqtSignal()

    @property
    def fields(self) -> dict[str, QtWidgets.QWidget]:
        """What can be chosen, by name."""
        return {"guesses": self.every, "segment": self.segment, "beside": self.reference.tracks,
                "ground": self.reference.ground}  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.setText("Options")
        self.setToolTip("What is taken away from the curves: their first value, their mean, their line, the motion of "
                        "a ground; guesses; segments of spectrograms")  # fmt: skip
        self.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.form = QtWidgets.QComboBox()
        for form in Form:
            self.form.addItem(f"values {form.value}", form)
        self.form.setToolTip("from the first one: x - its value in the first frame in which it was seen\n"
                             "without their line: less the line of least squares, so that a drift is gone")  # fmt: skip
        self.reference = ReferenceBox()
        self.every = QtWidgets.QCheckBox("guesses")
        self.every.setToolTip("Draw predicted positions too, not only those that were seen")
        self.segment = QtWidgets.QComboBox()
        for samples in SEGMENTS:
            self.segment.addItem(f"segments of {samples} frames" if samples else "segments: an eighth of all", samples)
        self.segment.setToolTip("Of spectrograms: long segments tell frequencies apart, short ones times")
        form_box = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(form_box)
        column.setContentsMargins(10, 8, 10, 8)
        for widget in (self.form, self.reference, self.every, self.segment):
            column.addWidget(widget)
        menu = QtWidgets.QMenu(self)
        inside = QtWidgets.QWidgetAction(menu)
        inside.setDefaultWidget(form_box)
        menu.addAction(inside)
        self.setMenu(menu)
        for signal in (self.form.currentIndexChanged, self.segment.currentIndexChanged, self.every.toggled,
                       self.reference.changed):  # fmt: skip
            signal.connect(lambda *_: self.changed.emit())
