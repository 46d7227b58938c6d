"""What can be set of the camera that is open: exposure, gain, rate, trigger, region on the sensor, as it says itself.

To set something is to open the camera again by an address that says so; presets are kept with the window's settings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from pyqtgraph.Qt import QtCore, QtWidgets

from app.cameras.controls import Control, with_settings
from app.gui.settings import Settings

KEPT = "camera_presets"
"""Name of the presets among the window's settings."""
NONE = "preset …"


class CameraSettingsDialog(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module. It does not block the window.

    Args:
        parent: the window.
        address: of the camera that is open.
        controls: what it says can be set.
        settings: hold the presets.
        open_camera: called with the address that was chosen.

    Attributes:
        fields: by control. presets: chooses one. apply_button, save_button: what they say.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, address: str, controls: Sequence[Control], settings: Settings,
        open_camera: Callable[[str], object],
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle("Settings of the camera")
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        self._address, self._controls, self._settings, self._open = address, tuple(controls), settings, open_camera
        self.fields: dict[str, QtWidgets.QWidget] = {}
        form = QtWidgets.QFormLayout()
        form.setLabelAlignment(QtCore.Qt.AlignmentFlag.AlignRight)
        for control in controls:
            field = _field(control)
            field.setToolTip(control.words[:1].upper() + control.words[1:] + _limits(control))
            self.fields[control.name] = field
            form.addRow(control.name, field)
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
        self.save_button.setToolTip("Keep what the fields say under a name, for this camera and others")
        self.save_button.setAutoDefault(False)
        self.save_button.clicked.connect(self._ask_name)
        self.presets.activated.connect(lambda _: self._take_preset())
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.presets, 1)
        row.addWidget(self.save_button)
        self.note = QtWidgets.QLabel("The camera is opened again with them; its frames count from 0 then.")
        self.note.setWordWrap(True)
        self.note.setProperty("muted", True)
        buttons = QtWidgets.QDialogButtonBox()
        roles = QtWidgets.QDialogButtonBox.ButtonRole
        self.apply_button = buttons.addButton("Set", roles.AcceptRole)
        self.apply_button.setDefault(True)
        buttons.addButton("Cancel", roles.RejectRole)
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

    def set_values(self, values: Mapping[str, str]) -> list[str]:
        """Fill fields; the names that this camera does not have."""
        for name, value in values.items():
            field = self.fields.get(name)
            if isinstance(field, QtWidgets.QComboBox):
                field.setCurrentText(value)
            elif isinstance(field, QtWidgets.QDoubleSpinBox):
                field.setValue(_number(value) or 0.0)
            elif isinstance(field, QtWidgets.QLineEdit):
                field.setText(value)
        return [name for name in values if name not in self.fields]

    def accept(self) -> None:
        """Open the camera so, if anything is otherwise."""
        changed = self.changed
        super().accept()
        if changed:
            self._open(with_settings(self._address, changed))

    # --------------------------------------------------------------------------------------------------- presets

    def _kept(self) -> dict[str, dict[str, str]]:
        try:
            found = json.loads(self._settings.text(KEPT, "{}"))
        except ValueError:
            return {}
        if not isinstance(found, dict):
            return {}
        return {str(name): {str(k): str(v) for k, v in values.items()}
                for name, values in found.items() if isinstance(values, dict)}  # fmt: skip

    def _fill_presets(self) -> None:
        self.presets.clear()
        self.presets.addItems([NONE, *self._kept()])
        self.presets.setEnabled(self.presets.count() > 1)

    def keep_preset(self, name: str) -> None:
        """Keep what the fields say under a name, in the place of one that had it."""
        kept = self._kept()
        kept[name] = {one.name: self.value(one.name) for one in self._controls}
        self._settings.set_text(KEPT, json.dumps(kept, ensure_ascii=False))
        self._fill_presets()
        self.presets.setCurrentText(name)

    def _ask_name(self) -> None:
        name, agreed = QtWidgets.QInputDialog.getText(self, "Keep as preset", "Name")
        if agreed and name.strip():
            self.keep_preset(name.strip())

    def _take_preset(self) -> None:
        values = self._kept().get(str(self.presets.currentText()))
        if values is not None:
            absent = self.set_values(values)
            self.note.setText(f"This camera has no {', '.join(absent)}; the others are taken." if absent else
                              "The camera is opened again with them; its frames count from 0 then.")  # fmt: skip


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
