"""The row above the traces: what is drawn of the selected tracks, and how."""

from __future__ import annotations

from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.tracks.signals import Quantity
from app.gui.icons import icon

SHOWN = {
    "x": Quantity.X, "y": Quantity.Y, "speed": Quantity.SPEED, "acceleration": Quantity.ACCELERATION,
    "distance of two": Quantity.DISTANCE, "angle of three": Quantity.ANGLE,
}  # fmt: skip


class TracesBar(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        changed: called when another choice was made.

    Attributes:
        tabs, choice, of, power, log, follow, every: what is chosen. words: what the curves say. save: a button.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        super().__init__()
        self.tabs = QtWidgets.QTabBar()
        self.tabs.addTab("Time")
        self.tabs.addTab("Spectrum")
        self.tabs.setTabToolTip(0, "What the selected tracks do over time; a click goes to the frame")
        self.tabs.setTabToolTip(1, "How strong each frequency is in what the selected tracks do")
        self.tabs.setDrawBase(False)
        self.choice = [QtWidgets.QComboBox(), QtWidgets.QComboBox()]
        for k, combo in enumerate(self.choice):
            combo.addItems(list(SHOWN))
            combo.setCurrentIndex(k)
            combo.setToolTip(f"What the {('first', 'second')[k]} plot shows of the selected tracks")
        self.of = QtWidgets.QComboBox()
        self.of.addItems(list(SHOWN))
        self.of.setCurrentText("y")
        self.of.setToolTip("What the spectrum is made of; the plots over time keep what they show")
        self.follow = QtWidgets.QCheckBox("follow")
        self.follow.setToolTip("Keep all frames in sight while they come")
        self.follow.setChecked(True)
        self.every = QtWidgets.QCheckBox("guesses")
        self.every.setToolTip("Draw predicted positions too, not only those that were seen")
        self.power = QtWidgets.QComboBox()
        self.power.addItems(["amplitude", "power density"])
        self.power.setToolTip("Amplitude of a sine at each frequency, or power in a band of 1 Hz (PSD)")
        self.log = QtWidgets.QCheckBox("log")
        self.log.setToolTip("Logarithmic axes")
        self.log.setChecked(True)
        self.words = QtWidgets.QLabel()
        self.words.setProperty("muted", True)
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.save = QtWidgets.QToolButton()
        self.save.setIcon(icon("export"))
        self.save.setToolTip("Save the curves as a table (CSV) or as a picture (PNG, SVG)")
        self.save.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        for widget in (self.tabs, *self.choice, self.of, self.power, self.log, self.follow, self.every):
            row.addWidget(widget)
        row.addWidget(self.words, 1)
        row.addWidget(self.save)
        for signal in (self.tabs.currentChanged, *(c.currentIndexChanged for c in (*self.choice, self.of, self.power)),
                       *(box.toggled for box in (self.follow, self.every, self.log))):  # fmt: skip
            signal.connect(lambda *_: changed())

    @property
    def over_time(self) -> bool:
        """Whether signals are drawn, not spectra."""
        return bool(self.tabs.currentIndex() == 0)

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """What the plots show, or what the spectrum is made of."""
        if not self.over_time:
            return (SHOWN[self.of.currentText()],)
        return tuple(SHOWN[combo.currentText()] for combo in self.choice)

    def arrange(self) -> None:
        """Show what can be chosen now."""
        for widget in (*self.choice, self.follow):
            widget.setVisible(self.over_time)
        for widget in (self.of, self.power, self.log):
            widget.setVisible(not self.over_time)

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.save.setIcon(icon("export"))
