"""A form whose rows depend on what is chosen in its list: those that do not apply are not there, and leave no gap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.stereo.camera_rows import CameraRows, value_of, whole
from app.project import CAMERA_FILES, Chosen, OneCamera
from kernels.errors import InputError

NONE = (OneCamera(""), OneCamera(""))
"""Cameras of which nothing is chosen."""
Ask = Callable[[str, str, bool], str]
"""Asks for a path, "" for none; called with a title, what kinds of files there are, and whether it is a folder."""


@dataclass(frozen=True, slots=True)
class _Row:
    ways: frozenset[str]
    label: QtWidgets.QLabel
    field: QtWidgets.QWidget


class ChoiceForm(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        ways: what can be chosen: a key and its words each.
        tip: of the list.

    Attributes:
        changed: a signal: something else is asked. way: the list, which is a row like others.
    """

    changed = QtCore.pyqtSignal()

    def __init__(self, ways: Sequence[tuple[str, str]], tip: str) -> None:
        super().__init__()
        self._rows: list[_Row] = []
        self._fields: dict[str, QtWidgets.QWidget] = {}
        self._unknown: dict[str, str | int | float] = {}
        self._unknown_rows: dict[str, tuple[OneCamera, ...]] = {}
        self._layout = QtWidgets.QFormLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setFieldGrowthPolicy(QtWidgets.QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.way = QtWidgets.QComboBox()
        for key, words in ways:
            self.way.addItem(words, key)
        self.way.setToolTip(tip)

    @property
    def asked(self) -> str:
        """The key of what is chosen."""
        return str(self.way.currentData())

    def add(self, words: str, /, *ways: str, **fields: QtWidgets.QWidget) -> None:
        """One more row.

        Args:
            words: before it.
            ways: it is there with these choices; () for all.
            fields: side by side, by the names under which a file keeps them; what is changed in one of them is told.
        """
        widgets = list(fields.values())
        holder = widgets[0]
        if len(widgets) > 1:
            holder, row = QtWidgets.QWidget(), QtWidgets.QHBoxLayout()
            row.setContentsMargins(0, 0, 0, 0)
            holder.setLayout(row)
            wide = [isinstance(widget, QtWidgets.QLineEdit | QtWidgets.QComboBox) for widget in widgets]
            for widget, grows in zip(widgets, wide, strict=True):
                row.addWidget(widget, int(grows))
            if not any(wide):
                row.addStretch(1)
        label = QtWidgets.QLabel(words)
        there = ways or [str(self.way.itemData(at)) for at in range(self.way.count())]
        self._rows.append(_Row(frozenset(there), label, holder))
        self._layout.addRow(label, holder)
        self._fields |= fields
        for widget in widgets:
            self._listen(widget)

    def _listen(self, field: QtWidgets.QWidget) -> None:
        match field:
            case CameraRows():
                field.changed.connect(self.changed)
            case QtWidgets.QLineEdit():
                field.textChanged.connect(lambda _: self.changed.emit())
            case QtWidgets.QSpinBox() | QtWidgets.QDoubleSpinBox():
                field.valueChanged.connect(lambda _: self.changed.emit())
            case QtWidgets.QComboBox() if field is self.way:
                field.currentIndexChanged.connect(lambda _: self.arrange())
            case QtWidgets.QComboBox() if field.isEditable():
                field.editTextChanged.connect(lambda _: self.changed.emit())
            case QtWidgets.QComboBox():
                field.currentIndexChanged.connect(lambda _: self.changed.emit())

    def arrange(self) -> None:
        """Have the rows there that belong to what is chosen."""
        for row in self._rows:
            if self._layout.indexOf(row.field) >= 0:
                self._layout.takeRow(row.field)
        for row in self._rows:
            there = self.asked in row.ways
            if there:
                self._layout.addRow(row.label, row.field)
            row.label.setVisible(there)
            row.field.setVisible(there)
        self.changed.emit()

    @property
    def chosen(self) -> Chosen:
        """What is chosen, as a file keeps it."""
        values: dict[str, str | int | float] = dict(self._unknown)
        files: dict[str, str] = {}
        cameras: dict[str, tuple[OneCamera, ...]] = dict(self._unknown_rows)
        for name, field in self._fields.items():
            match field:
                case CameraRows():
                    cameras[name] = field.kept
                case QtWidgets.QComboBox() if field.isEditable():
                    files[name] = whole(value_of(field))
                case QtWidgets.QComboBox():
                    values[name] = str(field.currentData())
                case QtWidgets.QLineEdit() if name in CAMERA_FILES:
                    files[name] = whole(field.text().strip())
                case QtWidgets.QLineEdit():
                    values[name] = field.text()
                case QtWidgets.QSpinBox() | QtWidgets.QDoubleSpinBox():
                    values[name] = field.value()
        return Chosen(values, files, cameras)

    def choose(self, chosen: Chosen) -> None:
        """Choose it again: without a path there is none; what else is not there, or makes no sense, as in a file that
        was edited by hand, is as it was."""
        self._unknown = {name: value for name, value in chosen.values.items() if name not in self._fields}
        self._unknown_rows = {name: rows for name, rows in chosen.cameras.items() if name not in self._fields}
        for name, field in self._fields.items():
            value = chosen.files.get(name, "") if name in CAMERA_FILES else chosen.values.get(name)
            match field:
                case CameraRows():
                    field.bring(chosen.cameras.get(name, NONE))
                case QtWidgets.QComboBox() if field.isEditable():
                    field.setEditText(str(value))
                case QtWidgets.QComboBox() if field.findData(value) >= 0:
                    field.setCurrentIndex(field.findData(value))
                case QtWidgets.QLineEdit() if isinstance(value, str):
                    field.setText(value)
                case QtWidgets.QSpinBox() | QtWidgets.QDoubleSpinBox() if isinstance(value, int | float):
                    field.setValue(type(field.value())(min(max(value, field.minimum()), field.maximum())))

    def filled(self, rows: CameraRows, what: str) -> tuple[str, ...]:
        """What each camera has.

        Raises:
            InputError: one has nothing; `what` says what it lacks.
        """
        for at, value in enumerate(rows.values):
            if not value:
                raise InputError(f"choose the {what} of camera {at + 1}")
        return rows.values

    def themed(self) -> None:
        """Take the colours of the theme."""
        for field in self._fields.values():
            if isinstance(field, CameraRows):
                field.themed()


def browse(take: Callable[[str], object], ask: Callable[[], str]) -> QtWidgets.QPushButton:
    """A button that asks for a path, and hands it on if there is one."""
    button = QtWidgets.QPushButton("Choose…")

    def clicked() -> None:
        if path := ask():
            take(path)

    button.clicked.connect(lambda: clicked())
    return button
