"""The row above an answer: what is asked of the tracks, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyqtgraph.Qt import QtCore, QtWidgets

from app.analysis.frf_input import Signal, drivers_of
from app.desk.jobs.orders import FRF, MOTION, MSD, SHAPES, STRAIN, Question
from app.gui.analysis.fields import FieldChoice
from app.gui.analysis.motion_form import MotionForm
from app.gui.analysis.responses import KINDS
from app.gui.icons import icon
from pipelines.analysis.curve_fits import MODELS
from pipelines.analysis.frf import Estimator
from pipelines.analysis.strain import MEASURES, Measure

QUESTIONS = (MSD, SHAPES, FRF, MOTION, STRAIN)
FLOORS = {"floor: what suits": "", "floor: the stated sigma": "stated", "floor: what the steps show": "seen",
          "floor: none": "none"}  # fmt: skip
AXES = {"axis: along which it moves more": "", "axis: x": "x", "axis: y": "y"}
FIELDS = {"u": "u: displacement along x", "v": "v: displacement along y", "magnitude": "|u|: how far",
          "exx": "εxx: strain along x", "eyy": "εyy: strain along y", "exy": "εxy: shear", "e1": "ε1: larger principal",
          "e2": "ε2: smaller principal", "von_mises": "εvM: von Mises"}  # fmt: skip
FRAME, ALL, FIXED = "frame", "all", "fixed"
SPANS = {"colours: of this frame": FRAME, "colours: of all frames that were shown": ALL, "colours: between": FIXED}
WORDS = 190
"""px of lists whose words are longer than they are wide."""
BY_SELECTION = "beside what is selected"
MOST_TIMES = 100_000
ARROW = 48
"""Pixels of a list beside its words."""
SHORTEST, LONGEST = 7, 420
"""Letters of a choice that are seen at least, and the px that it takes at most."""
MOST_COLUMNS = 100
"""Columns of a table that are offered."""
TABLES = "Tables (*.csv *.tsv *.txt *.parquet);;All files (*)"


class AnalysisBar(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Attributes:
        asked: a signal: work it out. turned: another question. looked: another field over the video, or other colours.
        tabs, chosen, least, lags, floor, drift, peak, reference, over, moving, times, driver, table, axis, delay, kind,
            resolution, estimator, uff, model, motion, quantity, arrows, window, measure, span, low, high, vtk, compute,
            save: its parts.
        more: the button of those that are needed rarely.
        drives: the table whose columns are offered as what drives the structure; None without.
        marks: the first frame between the marks, and one past the last; None without a clip.
    """

    asked = QtCore.pyqtSignal()
    turned = QtCore.pyqtSignal()
    looked = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.tabs = QtWidgets.QTabBar()
        self.tabs.addTab("Diffusion")
        self.tabs.addTab("Shapes")
        self.tabs.setTabToolTip(0, "Mean squared displacement by lag, D, exponent; as fusetrack msd")
        self.tabs.setTabToolTip(1, "How all points move at each peak, beside one of them; as fusetrack shapes")
        self.tabs.addTab("Responses")
        self.tabs.setTabToolTip(2, "What points do beside one of them or a force, at all frequencies: responses, "
                                "coherence, natural frequencies and damping; as fusetrack frf")  # fmt: skip
        self.tabs.addTab("Motion")
        self.tabs.setTabToolTip(3, "Smoothed velocities, accelerations, path lengths, and fits with errors: g, "
                                "frequency and damping of what swings freely; as fusetrack motion")  # fmt: skip
        self.tabs.addTab("Strain")
        self.tabs.setTabToolTip(4, "Displacement and strain of a grid of points: as colours and arrows over the video, "
                                "and their means over time; as fusetrack strain")  # fmt: skip
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        self.chosen = QtWidgets.QCheckBox("selected only")
        self.chosen.setToolTip("Only the selected tracks; else all that were believed")
        self.least, self.lags = QtWidgets.QSpinBox(), QtWidgets.QSpinBox()
        for box, low, high, value, words, tip in (
            (self.least, 3, 1_000_000, 10, "seen in ", "Leave out tracks that were seen in fewer frames"),
            (self.lags, 1, 1_000_000, 100, "lags up to ", "The longest lag, in frames"),
        ):  # fmt: skip
            box.setRange(low, high)
            box.setValue(value)
            box.setPrefix(words)
            box.setToolTip(tip)
            box.setKeyboardTracking(False)
        self.least.setSuffix(" frames at least")
        self.floor = QtWidgets.QComboBox()
        for words, floor in FLOORS.items():
            self.floor.addItem(words, floor)
        self.floor.setToolTip(
            "Errors of positions raise every squared displacement. What of that is taken away: what the stated sigma "
            "says (best, where every row states it), or what the steps themselves show"
        )
        self.drift = QtWidgets.QCheckBox("take drift away")
        self.drift.setToolTip("Take away the mean step of all tracks from frame to frame")
        self.peak, self.reference = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        self.peak.setToolTip("The peak that is drawn")
        self.reference.setToolTip("The point that phases are beside; by itself that which moves most")
        self.reference.addItem("beside what moves most", -1)
        self.over = QtWidgets.QCheckBox("on video")
        self.over.setToolTip("Draw the points as they move at this peak, magnified, with ellipses of 2 sigma")
        self.over.setChecked(True)
        self.moving = QtWidgets.QCheckBox("moving")
        self.moving.setChecked(True)
        self.moving.setToolTip("Two seconds a turn; still: arrows to where the reference point is farthest out")
        self.times = QtWidgets.QSpinBox()
        self.times.setRange(0, MOST_TIMES)
        self.times.setSpecialValueText("magnified to be seen")
        self.times.setPrefix("magnified ")
        self.times.setSuffix(" times")
        self.times.setToolTip("How many times larger than it is a motion is drawn over the picture; auto: to be seen")
        self.driver, self.axis, self.kind = (QtWidgets.QComboBox() for _ in range(3))
        self.driver.setToolTip("What drives the points: one of them, such as the table of a shaker (select it in the "
                               "picture or in the table of tracks, or choose it here), or a column of a table of "
                               "yours")  # fmt: skip
        self.driver.addItem(BY_SELECTION, -1)
        # As narrow as the room is: by itself a list is as wide as its longest words, and so is the window.
        self.driver.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.driver.setMinimumContentsLength(SHORTEST)
        self.driver.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        self.table = QtWidgets.QToolButton()
        self.table.setText("Force…")
        self.table.setToolTip("Open a table (CSV, Parquet) of a force, an acceleration or whatever drives the points, "
                              "with a column of times in seconds on the clock of the tracks (time_s), at a rate of its "
                              "own; as --input")  # fmt: skip
        self.delay = QtWidgets.QDoubleSpinBox()
        self.delay.setRange(-1e6, 1e6)
        self.delay.setDecimals(6)
        self.delay.setSingleStep(0.001)
        self.delay.setPrefix("times of the table + ")
        self.delay.setSuffix(" s")
        self.delay.setKeyboardTracking(False)
        self.delay.setToolTip("Added to the times of the table, where its clock began at another moment than that of "
                              "the tracks")  # fmt: skip
        self.uff = QtWidgets.QCheckBox("write a universal file, too (UFF 58)")
        self.uff.setToolTip("Responses and coherence for programs of modal analysis, among what is saved: frf.uff; as "
                            "--uff (needs the package pyuff)")  # fmt: skip
        self.drives: Path | None = None
        self.marks: tuple[int, int] | None = None
        self._columns: list[str] = []
        self._tracks: list[int] = []
        self.axis.setToolTip("Which of its coordinates; by itself that along which it moves more")
        for words, axis in AXES.items():
            self.axis.addItem(words, axis)
        self.kind.setToolTip("What is drawn of the points that answer most")
        for kind, words in {"": "all three", **dict(zip(KINDS, KINDS, strict=True))}.items():
            self.kind.addItem(f"drawn: {words}", kind)
        self.resolution = QtWidgets.QDoubleSpinBox()
        self.resolution.setRange(0.0, 1e6)
        self.resolution.setDecimals(3)
        self.resolution.setSpecialValueText("bins: 8 to 16 segments")
        self.resolution.setPrefix("bins of ")
        self.resolution.setSuffix(" Hz")
        self.resolution.setKeyboardTracking(False)
        self.resolution.setToolTip("Width of a bin: narrow ones show narrow peaks, wide ones are more certain")
        self.estimator = QtWidgets.QComboBox()
        self.estimator.addItem("H1: noise is in the points", "h1")
        self.estimator.addItem("H2: noise is in the reference", "h2")
        self.estimator.setToolTip("H1 = S_xy / S_xx, H2 = S_yy / S_yx; what is true lies between them")
        self.model = QtWidgets.QComboBox()
        self.model.addItem("no fit", "")
        for model in MODELS:
            self.model.addItem(f"fit: {model}", model)
        self.model.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.model.setMinimumContentsLength(SHORTEST)
        self.model.view().setMinimumWidth(WORDS)
        self.model.setToolTip("A curve through each track, with standard errors: a parabola gives g, a damped sine the "
                              "frequency and damping of a point that swings freely; as --fit")  # fmt: skip
        self._fields()
        self.motion = MotionForm()
        self.compute = QtWidgets.QPushButton("Compute")
        self.compute.setToolTip("Work it out from the tracks that are known now")
        self.save = QtWidgets.QToolButton()
        self.save.setToolTip("Save or copy what was found: the tables and the picture that the command writes")
        self.save.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.peak.setMinimumContentsLength(8)
        self.more = QtWidgets.QToolButton()
        self.more.setText("Options")
        self.more.setToolTip("How it is worked out and drawn")
        self.more.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self._form = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(self._form)
        column.setContentsMargins(10, 8, 10, 8)
        for widget in (self.chosen, self.least, self.lags, self.floor, self.reference, self.moving, self.times,
                       self.kind, self.axis, self.delay, self.resolution, self.estimator, self.uff, self.arrows,
                       self.window, self.measure, self.span, self.low, self.high, self.vtk,
                       self.motion):  # fmt: skip
            column.addWidget(widget)
        # A menu with the form in it closes by a click elsewhere, as no dialog does.
        menu = QtWidgets.QMenu(self.more)
        inside = QtWidgets.QWidgetAction(menu)
        inside.setDefaultWidget(self._form)
        menu.addAction(inside)
        self.more.setMenu(menu)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        for widget in (self.tabs, self.drift, self.peak, self.quantity, self.over, self.driver, self.table, self.model,
                       self.more):  # fmt: skip
            row.addWidget(widget, 4 if widget in (self.driver, self.quantity) else 0)
        row.addStretch(1)
        for widget in (self.compute, self.save):
            row.addWidget(widget)
        self.themed()
        self.offer_drivers(())
        self.tabs.currentChanged.connect(lambda _: self._turn())
        self.compute.clicked.connect(lambda _: self.asked.emit())
        for signal in (self.least.valueChanged, self.lags.valueChanged, self.floor.currentIndexChanged,
                       self.drift.toggled, self.chosen.toggled, self.reference.activated, self.driver.activated,
                       self.axis.activated, self.resolution.valueChanged, self.estimator.activated,
                       self.delay.valueChanged, self.uff.toggled, self.model.activated,
                       self.motion.changed):  # fmt: skip
            signal.connect(lambda *_: self.asked.emit())
        self.driver.currentIndexChanged.connect(lambda _: self._arrange())

    def _turn(self) -> None:
        self._arrange()
        self.turned.emit()

    def _arrange(self) -> None:
        parts = {
            MSD: (self.least, self.lags, self.floor, self.drift),
            SHAPES: (self.peak, self.reference, self.over, self.moving, self.times),
            FRF: (self.driver, self.table, self.axis, self.delay, self.kind, self.resolution, self.estimator, self.uff),
        }
        parts[MOTION] = (self.model, self.least, self.motion)
        parts[STRAIN] = (self.quantity, self.window, self.over, self.arrows, self.measure, self.span, self.low,
                         self.high, self.vtk)  # fmt: skip
        now = self.question.question
        every = [widget for widgets in parts.values() for widget in widgets]
        for seen in (False, True):  # what is shown is laid out at once, beside what is still to be hidden
            for widget in every:
                if (widget in parts[now]) is seen:
                    widget.setVisible(seen)
        signal = self._signal is not None
        self.axis.setEnabled(not signal)
        self.delay.setEnabled(signal)
        self._form.adjustSize()

    @property
    def fields(self) -> dict[str, QtWidgets.QWidget]:
        """What can be chosen, by name; peaks and tracks are found again where there are the same."""
        names = ("chosen", "least", "lags", "floor", "drift", "peak", "reference", "over", "moving", "times", "axis",
                 "delay", "kind", "resolution", "estimator", "uff", "model")  # fmt: skip
        return {"tab": self.tabs, **{name: getattr(self, name) for name in names},
                **{f"motion_{name}": field for name, field in self.motion.fields.items()}}  # fmt: skip

    @property
    def question(self) -> Question:
        """What is asked; of responses the reference is -1 for what is selected, and where there is a signal."""
        kind = QUESTIONS[self.tabs.currentIndex()]
        if kind == MSD:
            return Question(MSD, self.chosen.isChecked(), self.least.value(), self.lags.value(),
                            str(self.floor.currentData()), self.drift.isChecked())  # fmt: skip
        if kind == MOTION:
            asked = self.motion.wanted(self.least.value(), str(self.model.currentData()), self.marks)
            return Question(MOTION, self.chosen.isChecked(), self.least.value(), motion=asked)
        if kind == STRAIN:
            # Odd, whatever was typed.
            return Question(STRAIN, self.chosen.isChecked(), window=self.window.value() | 1, measure=self._measure,
                            vtk=self.vtk.isChecked())  # fmt: skip
        if kind == FRF:
            estimator: Estimator = "h2" if self.estimator.currentData() == "h2" else "h1"
            signal, beside = self._signal, self.driver.currentData()
            return Question(FRF, self.chosen.isChecked(), reference=beside if isinstance(beside, int) else -1,
                            resolution=self.resolution.value(),
                            axis=str(self.axis.currentData()) if signal is None else "", estimator=estimator,
                            signal=signal, uff=self.uff.isChecked())  # fmt: skip
        return Question(SHAPES, self.chosen.isChecked(), reference=int(self.reference.currentData()))

    @property
    def _measure(self) -> Measure:
        measure: Measure = self.measure.currentData()
        return measure

    @property
    def field(self) -> FieldChoice | None:
        """The field that is wanted over the video; None for none."""
        if QUESTIONS[self.tabs.currentIndex()] != STRAIN or not self.over.isChecked():
            return None
        span, low, high = self.span.currentData(), self.low.value(), self.high.value()
        ends = (min(low, high), max(low, high)) if span == FIXED and low != high else None
        return FieldChoice(str(self.quantity.currentData()), self.window.value() | 1, self._measure, ends, span == ALL)

    def _fields(self) -> None:
        """What is asked of strain."""
        self.quantity, self.measure = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        for quantity, words in FIELDS.items():
            self.quantity.addItem(words, quantity)
        self.quantity.setCurrentIndex(self.quantity.findData("exx"))
        self.quantity.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.quantity.setMinimumContentsLength(SHORTEST - 2)
        self.quantity.setMaximumWidth(WORDS)
        self.quantity.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        self.quantity.view().setMinimumWidth(WORDS)
        self.quantity.setToolTip("The field that is drawn over the video")
        for measure in MEASURES:
            self.measure.addItem(f"{measure} strain", measure)
        self.measure.setToolTip("Which strain: Green-Lagrange is free of rotation, small strain is not; as --measure")
        self.window = QtWidgets.QSpinBox()
        self.window.setRange(3, 99)
        self.window.setSingleStep(2)
        self.window.setValue(5)
        self.window.setPrefix("strain window ")
        self.window.setSuffix(" points")
        self.window.setKeyboardTracking(False)
        self.window.setToolTip("Points along a side of the windows in which planes are fitted, odd: larger ones are "
                               "less noisy and flatten what is shorter; with the step and the subset they are the "
                               "gauge length; as --window")  # fmt: skip
        self.arrows, self.vtk = (QtWidgets.QCheckBox(words) for words in (
            "arrows: where points have moved", "write files for ParaView, too (VTK)"))
        self.span = QtWidgets.QComboBox()
        for words, span in SPANS.items():
            self.span.addItem(words, span)
        self.span.setToolTip("What the first and the last colour stand for: nearly the least and the largest value of "
                             "the frame that is shown, of all frames that were shown, or the values below")  # fmt: skip
        self.arrows.setChecked(True)
        self.arrows.setToolTip("Displacements as arrows over the video, as many times longer as the bar says")
        self.vtk.setToolTip("A file a frame for ParaView, VisIt or PyVista, among what is saved; as --vtk")
        self.low, self.high = QtWidgets.QDoubleSpinBox(), QtWidgets.QDoubleSpinBox()
        for box, words, value in ((self.low, "from ", 0.0), (self.high, "to ", 0.01)):
            box.setRange(-1e6, 1e6)
            box.setDecimals(6)
            box.setSingleStep(0.001)
            box.setValue(value)
            box.setPrefix(words)
            box.setKeyboardTracking(False)
            box.setToolTip("Value of the first colour" if box is self.low else "Value of the last colour")
        self.quantity.activated.connect(lambda _: self.looked.emit())
        self.arrows.toggled.connect(lambda _: self.looked.emit())
        for box in (self.low, self.high):
            box.valueChanged.connect(lambda _: self.looked.emit())
        self.span.activated.connect(lambda _: self._fix())
        for signal in (self.window.valueChanged, self.measure.activated, self.vtk.toggled):
            signal.connect(lambda _: self.asked.emit())
            signal.connect(lambda _: self.looked.emit())
        self._fix()

    def _fix(self) -> None:
        for box in (self.low, self.high):
            box.setEnabled(self.span.currentData() == FIXED)
        self.looked.emit()

    @property
    def _signal(self) -> Signal | None:
        """What drives the structure, if it is a column of the table."""
        column = self.driver.currentData()
        if self.drives is None or not isinstance(column, str):
            return None
        return Signal(self.drives, column, self.delay.value())

    @property
    def at_peak(self) -> int:
        """The number of the peak that is drawn; -1 for none."""
        data = self.peak.currentData()
        return -1 if data is None else int(data)

    def offer(self, peaks: Sequence[float], rows: Sequence[Mapping[str, Any]]) -> None:
        """These peaks (Hz), and these points as references; what was chosen stays."""
        before, beside = self.peak.currentText(), self.reference.currentData()
        # Filling a list changes what is chosen, which would be taken for the user's wish.
        for combo in (self.peak, self.reference):
            combo.blockSignals(True)
        self.peak.clear()
        for number, frequency in enumerate(peaks):
            self.peak.addItem(f"{frequency:.5g} Hz", number)
        self.peak.setCurrentIndex(max(0, self.peak.findText(before)))
        _fill(self.reference, sorted({int(row["track"]) for row in rows}), beside)
        for combo in (self.peak, self.reference):
            combo.blockSignals(False)

    def offer_drivers(self, tracks: Sequence[int]) -> None:
        """These points as references of responses, below the columns of the table; what was chosen stays."""
        self._tracks = list(tracks)
        self.driver.blockSignals(True)
        _fill(self.driver, tracks, self.driver.currentData(), {name: self._named(name) for name in self._columns})
        self.driver.blockSignals(False)
        self.driver.setMaximumWidth(min(LONGEST, self._wanted()))
        self._arrange()

    def _wanted(self) -> int:
        """Pixels in which all that can be chosen is seen whole."""
        letters = self.driver.fontMetrics()
        words = (self.driver.itemText(at) for at in range(self.driver.count()))
        return int(max(map(letters.horizontalAdvance, words))) + ARROW

    def _named(self, column: str) -> str:
        return f"beside {column} of {self.drives.name}" if self.drives is not None else column

    def ask_table(self) -> None:
        """Choose a table of what drives the structure.

        Raises:
            InputError: it is none.
        """
        begin = "" if self.drives is None else str(self.drives.parent)
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self, "Open a table of what drives the points", begin, TABLES)
        if path:
            self.take_table(Path(path))

    def take_table(self, path: Path | None) -> None:
        """Offer the columns of a table, the first of them chosen, and ask; None: offer none.

        Raises:
            InputError: it is no table, or has no column beside the times.
        """
        self._columns = [] if path is None else drivers_of(path)[:MOST_COLUMNS]
        self.drives = path
        self.offer_drivers(self._tracks)
        if path is not None:
            self.driver.setCurrentIndex(1)
            self._arrange()
            self.asked.emit()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.save.setIcon(icon("export"))


def _fill(
    combo: QtWidgets.QComboBox, tracks: Sequence[int], chosen: object, columns: Mapping[str, str] | None = None
) -> None:  # fmt: skip
    """Below its first line one a column of a table, and one a track."""
    while combo.count() > 1:
        combo.removeItem(1)
    for name, words in (columns or {}).items():
        combo.addItem(words, name)
    for track in tracks:
        combo.addItem(f"beside track {track}", track)
    combo.setCurrentIndex(max(0, combo.findData(chosen)))
