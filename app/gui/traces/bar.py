"""The row above the traces: what is drawn of the selected tracks, and how."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.tracks.motions import CENTRAL
from app.desk.tracks.signals import Quantity
from app.gui.elided import Elided
from app.gui.icons import icon
from app.gui.settings import Settings
from app.gui.traces.curves import View
from app.gui.traces.options import TracesOptions
from pipelines.analysis.curve_fits import MODELS
from pipelines.measures import BY_FIELD

SHOWN = {
    "x": Quantity.X, "y": Quantity.Y, "vx": Quantity.VX, "vy": Quantity.VY, "speed": Quantity.SPEED,
    "ax": Quantity.AX, "ay": Quantity.AY, "acceleration": Quantity.ACCELERATION, "distance of two": Quantity.DISTANCE,
    "rate of the distance": Quantity.DISTANCE_RATE, "direction of two": Quantity.DIRECTION,
    "turning of two": Quantity.TURN_RATE, "angle of three": Quantity.ANGLE,
    "angle, -180 to 180": Quantity.SIGNED_ANGLE, "angle, unwrapped": Quantity.UNWRAPPED_ANGLE,
    "turning of three": Quantity.ANGLE_RATE, "score": Quantity.SCORE,
    **{quantity.measure: quantity for quantity in Quantity if quantity.measure},
}  # fmt: skip
"""What can be chosen: of measures those that tracks carry (`TracesBar.offer`)."""
HELP = {
    Quantity.X: "Position, in the unit and along the axes of the scale",
    Quantity.Y: "Position, in the unit and along the axes of the scale",
    Quantity.VX: "Change of x by time", Quantity.VY: "Change of y by time",
    Quantity.SPEED: "Length of the velocity: √(vx² + vy²)",
    Quantity.AX: "Change of vx by time", Quantity.AY: "Change of vy by time",
    Quantity.ACCELERATION: "Length of the acceleration: √(ax² + ay²)",
    Quantity.DISTANCE: "Between the two selected tracks",
    Quantity.DISTANCE_RATE: "Change of the distance between the two selected tracks by time",
    Quantity.DIRECTION: "Of the way from the first to the second selected track: 0 along x, rising towards y, "
                        "counted on beyond 180°",
    Quantity.TURN_RATE: "Change of the direction by time: how fast a body with both tracks on it turns",
    Quantity.ANGLE: "At the second of three selected tracks, between the first and the third: 0 to 180°",
    Quantity.SIGNED_ANGLE: "The same from the first to the third: positive from the x axis towards the y axis",
    Quantity.UNWRAPPED_ANGLE: "The same, counted on beyond 180° where it turns on",
    Quantity.ANGLE_RATE: "Change of the unwrapped angle by time",
    Quantity.SCORE: "How sure the tracker, or the network before it, is of a point",
    **{quantity: BY_FIELD[quantity.measure].sentence for quantity in Quantity if quantity.measure},
}  # fmt: skip
NONE = "no second plot"
WINDOWS = (0, CENTRAL, 5, 7, 11, 15, 21, 31, 51, 101)
"""Frames over which derivatives are smoothed; 0 for what suits."""
LEAST = 64
"""Pixels of a box with choices; its list has all words, however wide it is."""
KEPT = "traces"
"""The name of what is remembered."""
_NAMED = {0: "chosen", CENTRAL: "exact"}
WAYS = (
    "How velocities and accelerations are made of positions, as by fusetrack motion: polynomials are fitted to a\n"
    "window around each place, on the real times (Savitzky-Golay)\n"
    "chosen: the window and order whose velocities have the least error, found from the tracks themselves\n"
    "exact: central differences, (x of the next frame - x of the one before) / time between the two\n"
    "over N frames: cubic polynomials over so many frames"
)
FITS = (
    "A curve through each that is drawn, with standard errors: a parabola gives an acceleration, a damped sine the\n"
    "frequency and damping of what swings freely, a circle (through x and y) radius and angular velocity.\n"
    "With statistics on, it goes through that part"
)

class TracesBar(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        changed: called when another choice was made.
        settings: remember the choices; without, nothing is remembered.

    Attributes:
        tabs, choice, of, smooth, model, power, log, follow, part, cursors: what is chosen. words: what the curves say.
        options: what is chosen more seldom. save: a button.
    """

    def __init__(self, changed: Callable[[], object], settings: Settings | None = None) -> None:
        super().__init__()
        self._settings = settings
        self.tabs = QtWidgets.QTabBar()
        self.tabs.addTab("Time")
        self.tabs.addTab("Spectrum")
        self.tabs.addTab("Spectrogram")
        self.tabs.setTabToolTip(0, "What the selected tracks do over time; a click goes to the frame")
        self.tabs.setTabToolTip(1, "How strong each frequency is in what the selected tracks do")
        self.tabs.setTabToolTip(2, "How strong each frequency is as time goes on, of the track that was selected first")
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
        self.offer(())
        for k, combo in enumerate(self.choice):
            combo.setCurrentIndex(k)
            combo.setToolTip(f"What the {('first', 'second')[k]} plot shows of the selected tracks")
        self.of.setCurrentText("y")
        self.of.setToolTip("What the spectrum is made of; the plots over time keep what they show")
        self.smooth = QtWidgets.QComboBox()
        for frames in WINDOWS:
            self.smooth.addItem(_NAMED.get(frames, f"over {frames} frames"), frames)
        self.smooth.setToolTip(WAYS)
        self.follow = QtWidgets.QCheckBox("follow")
        self.follow.setToolTip(
            "Keep all frames in sight while they come. The wheel zooms (over an axis that axis only, with Ctrl y only, "
            "with Shift time only), dragging moves; a double click shows all again"
        )
        self.follow.setChecked(True)
        self.model = QtWidgets.QComboBox()
        self.model.addItem("no fit", "")
        for model in MODELS:
            self.model.addItem(model.replace("-", " "), model)
        self.model.setToolTip(FITS)
        for combo in (self.smooth, self.model):
            combo.setMinimumWidth(LEAST)
        self.part = QtWidgets.QCheckBox("statistics")
        self.part.setToolTip("Mean, rms and peak to peak of a part of the curves, and a fit through it; drag the part "
                             "or its edges")  # fmt: skip
        self.cursors = QtWidgets.QCheckBox("cursors")
        self.cursors.setToolTip("Two lines that you drag: the values at A and at B, their difference, and the time "
                                "between both")  # fmt: skip
        self.options = TracesOptions()
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
        row.setSpacing(4)
        for widget in (self.tabs, *self.choice, self.of, self.smooth, self.model, self.power, self.log, self.follow,
                       self.part, self.cursors):  # fmt: skip
            row.addWidget(widget)
        row.addWidget(self.words, 1)
        row.addWidget(self.options)
        row.addWidget(self.save)
        self._recall()
        self.arrange()
        combos = (*self.choice, self.of, self.power, self.smooth, self.model)
        for signal in (self.tabs.currentChanged, *(c.currentIndexChanged for c in combos), self.options.changed,
                       *(box.toggled for box in (self.follow, self.log, self.part, self.cursors))):  # fmt: skip
            signal.connect(lambda *_: self._keep())
            signal.connect(lambda *_: changed())

    @property
    def over_time(self) -> bool:
        """Whether signals are drawn, not spectra."""
        return self.view is View.TIME

    @property
    def view(self) -> View:
        """What is drawn."""
        return tuple(View)[int(self.tabs.currentIndex())]

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """What the plots show, or what the spectrum is made of."""
        if not self.over_time:
            return (SHOWN[self.of.currentText()],)
        return tuple(SHOWN[combo.currentText()] for combo in self.choice if combo.currentText() != NONE)

    @property
    def window(self) -> int:
        """Frames over which derivatives are smoothed; 0 for what suits."""
        return int(self.smooth.currentData())

    def plot(self, quantity: Quantity) -> None:
        """Show a quantity over time, in the second plot."""
        self.tabs.setCurrentIndex(0)
        self.choice[1].setCurrentText(next(words for words, known in SHOWN.items() if known is quantity))

    def offer(self, fields: Sequence[str]) -> None:
        """Offer only measures that tracks carry."""
        for combo in (*self.choice, self.of):
            for place, quantity in enumerate(SHOWN.values()):
                there = not quantity.measure or quantity.measure in fields
                combo.view().setRowHidden(place, not there)
                combo.model().item(place).setEnabled(there)  # else keys and the wheel would reach it

    def arrange(self) -> None:
        """Show what can be chosen now."""
        for widget in (*self.choice, self.follow, self.part, self.cursors, self.model):
            widget.setVisible(self.over_time)
        for widget in (self.of, self.log):
            widget.setVisible(not self.over_time)
        self.power.setVisible(self.view is View.SPECTRUM)
        self.smooth.setVisible(any(quantity.order for quantity in self.quantities))

    @property
    def fields(self) -> dict[str, QtWidgets.QWidget]:
        """What can be chosen, by name."""
        return {
            "tab": self.tabs, **self._kept(), "log": self.log, "statistics": self.part, "cursors": self.cursors,
            "model": self.model, **self.options.fields,
        }  # fmt: skip

    def _kept(self) -> dict[str, QtWidgets.QComboBox]:
        return {"first": self.choice[0], "second": self.choice[1], "of": self.of, "height": self.power,
                "smooth": self.smooth, "form": self.options.form}  # fmt: skip

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
