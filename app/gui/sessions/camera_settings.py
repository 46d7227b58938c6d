"""What can be set of the camera that is open: exposure, gain, rate, trigger, region on the sensor, as it says itself.

What it takes while it delivers is set as soon as a field says so, and a recording has it as an event. For everything
else the camera is opened again by an address that says so, when "Set" is pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.cameras.controls import Control, controls_of, with_settings
from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.gui.sessions.camera_presets import CameraPresets

NONE = "preset …"


class CameraSettingsDialog(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module. It does not block the window.

    Args:
        parent: the window.
        bench: its camera is open.
        presets: settings that are kept.
        open_camera: called with the address that was chosen.

    Attributes:
        fields: by control. presets: chooses one. apply_button, save_button: what they say.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, bench: Workbench, presets: CameraPresets,
        open_camera: Callable[[str], object],
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle("Settings of the camera")
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        self._bench, self._kept, self._open = bench, presets, open_camera
        assert bench.opened is not None
        self._begun = bench.clip
        self._controls = controls_of(bench.opened.info.metadata)
        self._telling = False
        controls = self._controls
        self.fields: dict[str, QtWidgets.QWidget] = {}
        form = QtWidgets.QFormLayout()
        form.setLabelAlignment(QtCore.Qt.AlignmentFlag.AlignRight)
        for control in controls:
            field = _field(control)
            at_once = "; set at once" if control.live else ""
            field.setToolTip(control.words[:1].upper() + control.words[1:] + _limits(control) + at_once)
            if control.live:
                _changed(field).connect(partial(self._adjust, control.name))
            self.fields[control.name] = field
            form.addRow(control.name if control.live or not self._some_live else f"{control.name} *", field)
        inside = QtWidgets.QWidget()
        inside.setLayout(form)
        scroll = QtWidgets.QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        self.presets = QtWidgets.QComboBox()
        self.presets.setToolTip("Settings that were kept under a name; what this camera has of them is taken")
        self.save_button = QtWidgets.QPushButton("Keep as preset…")
        whose = f"with {presets.whose}" if presets.whose else "with the window's settings"
        self.save_button.setToolTip(f"Keep what the fields say under a name, for this camera and others, {whose}")
        self.save_button.setAutoDefault(False)
        self.save_button.clicked.connect(self._ask_name)
        self.presets.activated.connect(lambda _: self._take_preset())
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.presets, 1)
        row.addWidget(self.save_button)
        self.note = QtWidgets.QLabel(self._plain_note)
        self.note.setWordWrap(True)
        self.note.setProperty("muted", True)
        buttons = QtWidgets.QDialogButtonBox()
        roles = QtWidgets.QDialogButtonBox.ButtonRole
        self.apply_button = buttons.addButton("Set", roles.AcceptRole)
        buttons.addButton("Close" if self._some_live else "Cancel", roles.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(10)
        layout.addLayout(row)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.note)
        layout.addWidget(buttons)
        self.resize(520, min(640, 190 + 34 * len(self._controls)))
        self._fill_presets()
        bench.on(Topic.CAMERA, self._look)
        bench.on(Topic.OPENED, self._look)
        bench.on(Topic.STATE, self._look)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:  # noqa: N802
        """Enter in a field sets what that says, where it is set at once; the box of buttons would press one."""
        if self._some_live and event.key() in (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """It hears of the camera no more."""
        for topic in (Topic.CAMERA, Topic.OPENED, Topic.STATE):
            self._bench.off(topic, self._look)
        super().done(result)

    @property
    def _some_live(self) -> bool:
        return any(one.live for one in self._controls)

    @property
    def _plain_note(self) -> str:
        anew = "the camera is opened again; its frames count from 0 then."
        if not self._some_live:
            return f"With what is set {anew}"
        return f"What has no * acts at once, also while it is recorded. For the others {anew}"

    def _adjust(self, name: str, *_: object) -> None:
        """A field says otherwise; the camera takes it while it delivers."""
        if not self._telling and name in self.changed:
            self._bench.set_camera({name: self.value(name)})

    def _look(self) -> None:
        """What the camera says now; a field that nobody is in follows it."""
        bench = self._bench
        if bench.opened is None or bench.clip != self._begun:
            self.close()
            return
        before, self._controls = self._controls, controls_of(bench.opened.info.metadata)
        was = {one.name: one.value for one in before}
        self.set_values({one.name: one.value for one in self._controls
                         if one.live and was.get(one.name) != one.value}, quietly=True)  # fmt: skip

    def value(self, name: str) -> str:
        """What a field says, in the address's words."""
        field = self.fields[name]
        if isinstance(field, QtWidgets.QComboBox):
            return str(field.currentText())
        if isinstance(field, QtWidgets.QDoubleSpinBox):
            return f"{field.value():.10g}"
        assert isinstance(field, QtWidgets.QLineEdit)
        return str(field.text()).strip()

    @property
    def changed(self) -> dict[str, str]:
        """What the fields say otherwise than the camera."""
        return {one.name: self.value(one.name) for one in self._controls if not _same(one.value, self.value(one.name))}

    def set_values(self, values: Mapping[str, str], quietly: bool = False) -> list[str]:
        """Fill fields; the names that this camera does not have.

        Args:
            values: by name.
            quietly: whether the camera has them anyway.
        """
        before, self._telling = self._telling, quietly or self._telling
        for name, value in values.items():
            field = self.fields.get(name)
            if isinstance(field, QtWidgets.QComboBox):
                field.setCurrentText(value)
            elif isinstance(field, QtWidgets.QDoubleSpinBox):
                field.setValue(_number(value) or 0.0)
            elif isinstance(field, QtWidgets.QLineEdit):
                field.setText(value)
                field.editingFinished.emit()
        self._telling = before
        return [name for name in values if name not in self.fields]

    def accept(self) -> None:
        """Open the camera so, if anything is otherwise."""
        changed = {name: value for name, value in self.changed.items() if name not in self._live}
        opened = self._bench.opened
        super().accept()
        if changed and opened is not None:
            self._open(with_settings(str(opened.info.identity["address"]), changed))

    @property
    def _live(self) -> set[str]:
        return {one.name for one in self._controls if one.live}

    # --------------------------------------------------------------------------------------------------- presets

    def _fill_presets(self) -> None:
        self.presets.clear()
        self.presets.addItems([NONE, *self._kept.all()])
        self.presets.setEnabled(self.presets.count() > 1)

    def keep_preset(self, name: str) -> None:
        """Keep what the fields say under a name, in the place of one that had it."""
        self._kept.keep(name, {one.name: self.value(one.name) for one in self._controls})
        self._fill_presets()
        self.presets.setCurrentText(name)

    def _ask_name(self) -> None:
        name, agreed = QtWidgets.QInputDialog.getText(self, "Keep as preset", "Name")
        if agreed and name.strip():
            self.keep_preset(name.strip())

    def _take_preset(self) -> None:
        name = str(self.presets.currentText())
        values = self._kept.all().get(name)
        if values is None:
            return
        absent = self.set_values(values)
        if self._kept.whose:  # what was used on it belongs to it
            self._kept.keep(name, values)
        self.note.setText(f"This camera has no {', '.join(absent)}; the others are taken. {self._plain_note}" if absent
                          else self._plain_note)  # fmt: skip


def _changed(field: QtWidgets.QWidget) -> QtCore.pyqtBoundSignal:
    """The signal of a field that says otherwise."""
    if isinstance(field, QtWidgets.QComboBox):
        return field.currentTextChanged
    return field.valueChanged if isinstance(field, QtWidgets.QDoubleSpinBox) else field.editingFinished


def _field(control: Control) -> QtWidgets.QWidget:
    if control.choices:
        made = QtWidgets.QComboBox()
        made.addItems(list(control.choices))
        made.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.setMinimumContentsLength(12)
        made.setCurrentText(control.value)
        return made
    number = _number(control.value)
    if control.is_number and number is not None:
        spin = QtWidgets.QDoubleSpinBox()
        spin.setKeyboardTracking(False)
        spin.setDecimals(0 if control.step is not None and control.step == int(control.step) else 3)
        spin.setRange(-1e12 if control.low is None else control.low, 1e12 if control.high is None else control.high)
        spin.setSingleStep(control.step or 1.0)
        spin.setSuffix(f" {control.unit}" if control.unit not in ("", "1") else "")
        spin.setValue(number)
        return spin
    return QtWidgets.QLineEdit(control.value)


def _limits(control: Control) -> str:
    if control.choices or control.low is None or control.high is None:
        return ""
    return f", {control.low:g} to {control.high:g}{f' {control.unit}' if control.unit not in ('', '1') else ''}"


def _same(one: str, other: str) -> bool:
    """Whether two texts say the same: as numbers where they are such."""
    a, b = _number(one), _number(other)
    return one == other if a is None or b is None else abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
