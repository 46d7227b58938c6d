"""One parameter: its name, a control that suits its kind, its unit, and a way back to the default."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.icons import icon
from app.gui.pipeline.columns import FOUND, GAP, SLIDER, WIDEST, Name
from app.gui.pipeline.scales import STEPS, Scale, decimals, scale_of
from kernels.param import AUTO, Param, Value

MODELS = "Networks (*.onnx);;All files (*)"
_WAIT = 250
"""Milliseconds without a further change before a structural parameter is compiled."""


def unit_words(unit: str) -> str:
    """A unit as people write it.

    >>> unit_words("px/frame^2"), unit_words("1")
    ('px/frame²', '')
    """
    return "" if unit == "1" else unit.replace("^2", "²").replace("^3", "³")


def shortened(value: float) -> float:
    """A number of three digits, or a whole one.

    >>> shortened(0.0053637), shortened(52345.6)
    (0.00536, 52346.0)
    """
    return float(f"{value:.3g}") if abs(value) < 100 else float(round(value))


class NumberBox(QtWidgets.QDoubleSpinBox):  # type: ignore[misc]
    """A field for a number that shows no more digits than it has."""

    def textFromValue(self, value: float) -> str:  # noqa: N802
        """Without zeros at the end; small numbers with a power of ten."""
        if 0 < abs(value) < 1e-3:
            return f"{value:g}".replace("e-0", "e-")
        text = f"{value:.{self.decimals()}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def valueFromText(self, text: str) -> float:  # noqa: N802
        """As Python reads numbers."""
        try:
            return float(text.removesuffix(self.suffix()))
        except ValueError:
            return float(self.value())

    def validate(self, text: str, place: int) -> tuple[QtGui.QValidator.State, str, int]:
        """Numbers within the limits; what may become one while it is typed."""
        states = QtGui.QValidator.State
        number = text.removesuffix(self.suffix())
        try:
            good = self.minimum() <= float(number) <= self.maximum()
        except ValueError:
            return (states.Intermediate if set(number) <= set("0123456789+-.eE") else states.Invalid), text, place
        return (states.Acceptable if good else states.Intermediate), text, place


class ParameterRow(QtWidgets.QWidget):  # type: ignore[misc]
    """A row of the editor.

    Args:
        node: the stage or tracker that it belongs to.
        param: its declaration.
        value: as it is.
        live: whether a change needs no compiling.
        side: the shorter side of the picture, px, beyond which its slider offers nothing that counts pixels.

    Attributes:
        changed: a signal: (node, param, value) was chosen; `reset` (node, param): back to the default.
    """

    changed = QtCore.pyqtSignal(str, str, object)
    reset = QtCore.pyqtSignal(str, str)

    def __init__(self, node: str, param: Param, value: Value, live: bool, side: float = math.inf) -> None:
        super().__init__()
        self.node, self.param, self._live, self._side = node, param, live, side
        self._quiet = False
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tell)
        self._chosen: Value = value
        self.label = Name(param.name.replace("_", " "))
        self.unit = Name(unit_words(param.unit))
        self.unit.setProperty("muted", True)
        self.back = QtWidgets.QToolButton()
        self.file = QtWidgets.QAction("Choose a file", self) if param.content is not None else None
        if self.file is not None:
            self.file.triggered.connect(self.choose_file)
        self.themed()
        self.back.setIconSize(QtCore.QSize(14, 14))
        self.back.setToolTip("Found on the clip again" if param.auto else "Back to the default")
        self.back.clicked.connect(lambda: self.reset.emit(node, param.name))
        # Room for the button stays while it is hidden: columns do not move.
        keep = self.back.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(keep)
        self.slider: QtWidgets.QSlider | None = None
        self.control = self._control(value)
        for turned in (self.slider, self.control):
            if isinstance(turned, QtWidgets.QAbstractSlider | QtWidgets.QAbstractSpinBox | QtWidgets.QComboBox):
                turned.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)  # a wheel alone gives no focus
                turned.installEventFilter(self)
        self._grid = QtWidgets.QGridLayout(self)
        self._grid.setContentsMargins(0, 1, 0, 1)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(2, 1)
        self._above: bool | None = None
        self.arrange(False, 0)
        self.setToolTip(self.help())
        self.set_value(value)

    def arrange(self, above: bool, name: int) -> None:
        """Have the name before what belongs to it, or in a line of its own above that.

        Args:
            above: whether it is above.
            name: its width before the others, px.
        """
        self._grid.setColumnMinimumWidth(0, name if above else 0)
        if above != self._above:
            self._above, line = above, int(above)
            self._grid.addWidget(self.label, 0, 0, 1, 5 if above else 1)
            self._grid.addWidget(self.unit, line, 1)
            if self.slider is not None:
                self._grid.addWidget(self.slider, line, 2)
            first = 2 if self.slider is None else 3
            self._grid.addWidget(self.control, line, first, 1, 4 - first)
            self._grid.addWidget(self.back, line, 4)
        self.label.setMinimumWidth(0 if above else name)
        self.label.setMaximumWidth(WIDEST if above else name)

    def showEvent(self, event: QtGui.QShowEvent) -> None:  # noqa: N802
        """Be as high as the control is in the window's style: Qt keeps what it asked for without it."""
        super().showEvent(event)
        self.control.updateGeometry()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Let a wheel that passes over a control scroll the list: only the control in focus is turned by it."""
        wheel = event.type() == QtCore.QEvent.Type.Wheel
        if wheel and isinstance(watched, QtWidgets.QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return bool(super().eventFilter(watched, event))

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.back.setIcon(icon("reset"))
        if self.file is not None:
            self.file.setIcon(icon("open"))

    def help(self) -> str:
        """What the parameter is, in a few words."""
        param = self.param
        limits = param.range_text()
        unit = f" {unit_words(param.unit)}" if unit_words(param.unit) else ""
        lines = [f"{self.node}.{param.name}", param.doc,
                 f"default {_shown(param.default) or 'none'}{unit}" + (f", {limits}{unit}" if limits else ""),
                 "takes effect at once" if self._live else "compiled anew when it changes"]  # fmt: skip
        return "\n".join(lines)

    def matches(self, text: str) -> bool:
        """Whether a search finds it."""
        return text.casefold() in f"{self.node} {self.param.name} {self.param.doc}".casefold().replace("_", " ")

    def _control(self, value: Value) -> QtWidgets.QWidget:
        param = self.param
        if param.kind == "bool":
            made = QtWidgets.QCheckBox()
            made.toggled.connect(self._choose)
            return made
        if param.kind == "choice":
            made = QtWidgets.QComboBox()
            made.addItems([*param.choices, *([AUTO] if param.auto else [])])
            made.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            made.setMinimumContentsLength(4)  # a long choice is cut rather than the row
            made.currentTextChanged.connect(self._choose)
            return made
        if param.kind in ("int", "float"):
            return self._number(float(value) if isinstance(value, int | float) else 0.0)
        made = QtWidgets.QLineEdit()
        made.setPlaceholderText("none")
        made.editingFinished.connect(self._typed)
        if self.file is not None:
            made.addAction(self.file, QtWidgets.QLineEdit.ActionPosition.TrailingPosition)
        return made

    def _number(self, value: float) -> QtWidgets.QWidget:
        param = self.param
        self.scale: Scale = scale_of(param, value, self._side)
        self.slider = QtWidgets.QSlider(QtCore.Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.setMinimumWidth(SLIDER)
        self.slider.valueChanged.connect(self._slid)
        box: Any = QtWidgets.QSpinBox() if param.kind == "int" else NumberBox()
        # Qt's spin boxes hold i32, and no infinity.
        largest = 2**31 - 1 if param.kind == "int" else 1e12
        box.setRange(*(int(v) if param.kind == "int" else v for v in
                       (max(param.low, -largest), min(param.high, largest))))  # fmt: skip
        if param.odd:
            box.setSingleStep(2)
        if param.kind == "float":
            box.setDecimals(decimals(param, value))
            box.setStepType(QtWidgets.QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        # A number counts when it is typed whole, not each digit.
        box.setKeyboardTracking(False)
        box.setButtonSymbols(QtWidgets.QAbstractSpinBox.ButtonSymbols.NoButtons)
        box.valueChanged.connect(self._choose)
        box.editingFinished.connect(self._settle)
        return box

    def set_value(self, value: Value, found: Value | None = None) -> None:
        """Show a value; nothing is signalled.

        Args:
            value: as the pipeline has it.
            found: what is in place of "auto", if it is known; there is room for three digits of it.
        """
        # Qt signals changes of values by program, too.
        self._quiet = True
        control, usual = self.control, AUTO if self.param.auto else self.param.default
        changed = value != usual
        if isinstance(control, NumberBox):
            control.setSuffix(FOUND if value == AUTO else "")
            if value == AUTO:
                value = self.param.default if found is None else found
                assert isinstance(value, int | float)
                value = shortened(float(value))
                control.setDecimals(max(control.decimals(), decimals(self.param, float(value))))
                self.scale = scale_of(self.param, float(value), self._side)
        if isinstance(control, QtWidgets.QCheckBox):
            control.setChecked(bool(value))
        elif isinstance(control, QtWidgets.QComboBox):
            control.setCurrentText(str(value))
        elif isinstance(control, QtWidgets.QLineEdit):
            control.setText(_shown(value))
            control.setCursorPosition(0 if self.file is None else len(control.text()))  # the end of a path tells more
            if self.file is not None:
                self.setToolTip("\n".join(filter(None, (self.help(), control.text()))))
            if self.param.kind == "points":
                count = len(value) if isinstance(value, tuple) else 0
                self.label.setText(self.param.name.replace("_", " ") + (f" ({count})" if count else ""))
        # While a change waits for its time, an older value that comes back must not undo what is typed.
        elif isinstance(value, int | float) and (not self._timer.isActive() or value == self._chosen):
            own = value == self._chosen
            control.setValue(value)
            self._follow(float(value))
            if not own and self.slider is not None and not self.slider.isSliderDown():  # undone, or the default again
                self._chosen = value
                self._settle()
        self._quiet = False
        self.back.setVisible(changed)
        font = self.label.font()
        if font.bold() != changed:  # a font that is set has the style sheet worked out anew, though it is the same
            font.setBold(changed)
            self.label.setFont(font)

    def fit_to(self, side: float) -> None:
        """Another picture, whose shorter side has so many px."""
        if side == self._side:
            return
        self._side = side
        if self.slider is not None and self.param.unit == "px":
            self._settle()

    def _follow(self, value: float) -> None:
        """Have the slider stand where the number is; its range grows with it."""
        assert self.slider is not None
        if not self.slider.isSliderDown():
            if not self.scale.low <= value <= self.scale.high:
                self.scale = scale_of(self.param, value, self._side)
            self.slider.setValue(self.scale.place(value))

    def _settle(self) -> None:
        """What was typed stands: the slider's range is that about it, whatever was tried before."""
        assert self.slider is not None
        # It may be called within `set_value`, which is quiet already.
        quiet, self._quiet = self._quiet, True
        self.scale = scale_of(self.param, float(self.control.value()), self._side)
        self.slider.setValue(self.scale.place(float(self.control.value())))
        self._quiet = quiet

    def _slid(self, place: int) -> None:
        if self._quiet:
            return
        value = self.scale.value(place)
        self._quiet = True
        self.control.setValue(int(value) if self.scale.whole else value)
        self._quiet = False
        self._choose(self.control.value())

    def choose_file(self) -> None:
        """Ask for the file that the parameter names."""
        start = str(Path(self.control.text()).parent) if self.control.text() else ""
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self, f"Choose {self.param.name} of {self.node}", start, MODELS)
        if path:
            self.control.setText(path)
            self._typed()

    def _typed(self) -> None:
        text = self.control.text()
        if text == _shown(self._chosen):
            return
        if self.param.kind == "text":
            self._choose(text)
            return
        try:
            self._choose(json.loads(text or "[]"))
        except ValueError:
            self._choose(text)  # refused with a sentence

    def _choose(self, value: Any) -> None:
        if self._quiet:
            return
        self._chosen = value
        if self._live:
            self._tell()
        else:
            self._timer.start(_WAIT)

    def _tell(self) -> None:
        self.changed.emit(self.node, self.param.name, self._chosen)


def _shown(value: Value) -> str:
    """A value as its field has it; nothing for none."""
    return "" if value == () else _text(value)


def _text(value: Value) -> str:
    """A value as people write it."""
    if isinstance(value, tuple):
        return json.dumps([list(v) if isinstance(v, tuple) else v for v in value])
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
