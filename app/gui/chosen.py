"""What is chosen in fields, as plain values that a file can hold, and chosen again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyqtgraph.Qt import QtWidgets


def chosen(fields: Mapping[str, QtWidgets.QWidget]) -> dict[str, Any]:
    """What is chosen: the words of lists, tabs and lines, whether boxes are checked, numbers."""
    made: dict[str, Any] = {}
    for name, field in fields.items():
        match field:
            case QtWidgets.QComboBox():
                made[name] = field.currentText()
            case QtWidgets.QTabBar():
                made[name] = field.tabText(field.currentIndex())
            case QtWidgets.QCheckBox():
                made[name] = field.isChecked()
            case QtWidgets.QLineEdit():
                made[name] = field.text()
            case QtWidgets.QSpinBox() | QtWidgets.QDoubleSpinBox():
                made[name] = field.value()
    return made


def choose(fields: Mapping[str, QtWidgets.QWidget], found: Any) -> None:
    """Choose it again; what there is not, or is of another type, stays as it is.

    Args:
        fields: by name.
        found: as `chosen` made it; anything else, of a file that was edited by hand.
    """
    for name, value in (found.items() if isinstance(found, Mapping) else ()):
        field, number = fields.get(name), isinstance(value, int | float) and not isinstance(value, bool)
        match field:
            case QtWidgets.QComboBox() if field.findText(str(value)) >= 0:
                field.setCurrentText(str(value))
            case QtWidgets.QTabBar():
                titles = [field.tabText(k) for k in range(field.count())]
                if value in titles:
                    field.setCurrentIndex(titles.index(value))
            case QtWidgets.QLineEdit() if isinstance(value, str):
                field.setText(value)
                field.editingFinished.emit()
            case QtWidgets.QCheckBox() if isinstance(value, bool):
                field.setChecked(value)
            case QtWidgets.QSpinBox() | QtWidgets.QDoubleSpinBox() if number and abs(value) < 1 << 31:
                field.setValue(type(field.value())(value))
