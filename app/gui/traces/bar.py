"""The row above the traces: what is drawn of the selected tracks, and how."""

from __future__ import annotations

import json
from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.tracks.signals import Quantity
from app.gui.elided import Elided
from app.gui.icons import icon
from app.gui.settings import Settings

SHOWN = {
    "x": Quantity.X, "y": Quantity.Y, "vx": Quantity.VX, "vy": Quantity.VY, "speed": Quantity.SPEED,
    "ax": Quantity.AX, "ay": Quantity.AY, "acceleration": Quantity.ACCELERATION, "distance of two": Quantity.DISTANCE,
    "angle of three": Quantity.ANGLE, "angle, -180 to 180": Quantity.SIGNED_ANGLE,
    "angle, unwrapped": Quantity.UNWRAPPED_ANGLE, "score": Quantity.SCORE,
}  # fmt: skip
HELP = {
    Quantity.X: "Position, in the unit and along the axes of the scale",
    Quantity.Y: "Position, in the unit and along the axes of the scale",
    Quantity.VX: "Change of x by time", Quantity.VY: "Change of y by time",
    Quantity.SPEED: "Length of the velocity: √(vx² + vy²)",
    Quantity.AX: "Change of vx by time", Quantity.AY: "Change of vy by time",
    Quantity.ACCELERATION: "Length of the acceleration: √(ax² + ay²)",
    Quantity.DISTANCE: "Between the two selected tracks",
    Quantity.ANGLE: "At the second of three selected tracks, between the first and the third: 0 to 180°",
    Quantity.SIGNED_ANGLE: "The same from the first to the third: positive from the x axis towards the y axis",
    Quantity.UNWRAPPED_ANGLE: "The same, counted on beyond 180° where it turns on",
    Quantity.SCORE: "How sure the tracker, or the network before it, is of a point",
}
NONE = "no second plot"
WINDOWS = (0, 5, 7, 11, 15, 21, 31, 51, 101)
"""Frames over which derivatives are smoothed."""
LEAST = 64
"""Pixels of a box with choices; its list has all words, however wide it is."""
KEPT = "traces"
"""The name of what is remembered."""
WAYS = (
    "How velocities and accelerations are made of positions:\n"
    "exact: central differences, (x of the next frame - x of the one before) / time between the two\n"
    "over N frames: cubic polynomials fitted to so many frames (Savitzky-Golay); parts between gaps that are shorter "
    "have none"
)


class TracesBar(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        changed: called when another choice was made.
        settings: remember the choices; without, nothing is remembered.

    Attributes:
        tabs, choice, of, smooth, power, log, follow, every, part: what is chosen. words: what the curves say.
        save: a button.
    """

    def __init__(self, changed: Callable[[], object], settings: Settings | None = None) -> None:
        super().__init__()
        self._settings = settings
        self.tabs = QtWidgets.QTabBar()
        self.tabs.addTab("Time")
        self.tabs.addTab("Spectrum")
        self.tabs.setTabToolTip(0, "What the selected tracks do over time; a click goes to the frame")
        self.tabs.setTabToolTip(1, "How strong each frequency is in what the selected tracks do")
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)  # boxes give way, not they
        self.choice = [QtWidgets.QComboBox(), QtWidgets.QComboBox()]
        self.of = QtWidgets.QComboBox()
        for combo in (*self.choice, self.of):
            combo.addItems(list(SHOWN))
            for place, quantity in enumerate(SHOWN.values()):
                combo.setItemData(place, HELP[quantity], QtCore.Qt.ItemDataRole.ToolTipRole)
            combo.setMaxVisibleItems(len(SHOWN) + 1)
            combo.setMinimumWidth(LEAST)
        self.choice[1].addItem(NONE)
        for k, combo in enumerate(self.choice):
            combo.setCurrentIndex(k)
            combo.setToolTip(f"What the {('first', 'second')[k]} plot shows of the selected tracks")
        self.of.setCurrentText("y")
        self.of.setToolTip("What the spectrum is made of; the plots over time keep what they show")
        self.smooth = QtWidgets.QComboBox()
        for frames in WINDOWS:
            self.smooth.addItem(f"over {frames} frames" if frames else "exact", frames)
        self.smooth.setToolTip(WAYS)
        self.follow = QtWidgets.QCheckBox("follow")
        self.follow.setToolTip(
            "Keep all frames in sight while they come. The wheel zooms (over an axis that axis only, with Ctrl y only, "
            "with Shift time only), dragging moves; a double click shows all again"
        )
        self.follow.setChecked(True)
        self.every = QtWidgets.QCheckBox("guesses")
        self.every.setToolTip("Draw predicted positions too, not only those that were seen")
        self.part = QtWidgets.QCheckBox("statistics")
        self.part.setToolTip("Mean, rms and peak to peak of a part of the curves; drag the part or its edges")
        self.power = QtWidgets.QComboBox()
        self.power.addItems(["amplitude", "power density"])
        self.power.setToolTip("Amplitude of a sine at each frequency, or power in a band of 1 Hz (PSD)")
        self.log = QtWidgets.QCheckBox("log")
        self.log.setToolTip("Logarithmic axes")
        self.log.setChecked(True)
        self.words = Elided()
        self.words.setProperty("muted", True)
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.save = QtWidgets.QToolButton()
        self.save.setIcon(icon("export"))
        self.save.setToolTip("Save or copy the curves as a table or as a picture")
        self.save.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        for widget in (self.tabs, *self.choice, self.of, self.smooth, self.power, self.log, self.follow, self.every,
                       self.part):  # fmt: skip
            row.addWidget(widget)
        row.addWidget(self.words, 1)
        row.addWidget(self.save)
        self._recall()
        self.arrange()
        combos = (*self.choice, self.of, self.power, self.smooth)
        for signal in (self.tabs.currentChanged, *(c.currentIndexChanged for c in combos),
                       *(box.toggled for box in (self.follow, self.every, self.log, self.part))):  # fmt: skip
            signal.connect(lambda *_: self._keep())
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
        return tuple(SHOWN[combo.currentText()] for combo in self.choice if combo.currentText() != NONE)

    @property
    def window(self) -> int:
        """Frames over which derivatives are smoothed; 0 for none."""
        return int(self.smooth.currentData())

    def plot(self, quantity: Quantity) -> None:
        """Show a quantity over time, in the second plot."""
        self.tabs.setCurrentIndex(0)
        self.choice[1].setCurrentText(next(words for words, known in SHOWN.items() if known is quantity))

    def arrange(self) -> None:
        """Show what can be chosen now."""
        for widget in (*self.choice, self.follow, self.part):
            widget.setVisible(self.over_time)
        for widget in (self.of, self.power, self.log):
            widget.setVisible(not self.over_time)
        self.smooth.setVisible(any(quantity.order for quantity in self.quantities))

    def _kept(self) -> dict[str, QtWidgets.QComboBox]:
        return {"first": self.choice[0], "second": self.choice[1], "of": self.of, "height": self.power,
                "smooth": self.smooth}  # fmt: skip

    def _keep(self) -> None:
        """Remember what is chosen for the next start."""
        if self._settings is not None:
            chosen = {name: combo.currentText() for name, combo in self._kept().items()}
            self._settings.set_text(KEPT, json.dumps(chosen))

    def _recall(self) -> None:
        try:
            chosen = dict(json.loads(self._settings.text(KEPT, "{}"))) if self._settings is not None else {}
        except (ValueError, TypeError):  # somebody edited the file
            return
        for name, combo in self._kept().items():
            if combo.findText(str(chosen.get(name))) >= 0:
                combo.setCurrentText(str(chosen[name]))

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.save.setIcon(icon("export"))
