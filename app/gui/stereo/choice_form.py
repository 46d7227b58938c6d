"""A form whose rows depend on what is chosen: those that do not apply are not there, and leave no gap."""

from __future__ import annotations

from dataclasses import dataclass

from pyqtgraph.Qt import QtWidgets


@dataclass(frozen=True, slots=True)
class _Row:
    ways: frozenset[str]
    label: QtWidgets.QLabel
    field: QtWidgets.QWidget


class ChoiceForm(QtWidgets.QFormLayout):  # type: ignore[misc]
    """See the module."""

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setFieldGrowthPolicy(QtWidgets.QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._rows: list[_Row] = []

    def add(self, words: str, field: QtWidgets.QWidget | QtWidgets.QLayout, *ways: str) -> None:
        """One more row, which is there with these choices."""
        holder = field
        if isinstance(field, QtWidgets.QLayout):
            holder = QtWidgets.QWidget()
            field.setContentsMargins(0, 0, 0, 0)
            holder.setLayout(field)
        label = QtWidgets.QLabel(words)
        self._rows.append(_Row(frozenset(ways), label, holder))
        self.addRow(label, holder)

    def arrange(self, way: str) -> None:
        """This is chosen."""
        for row in self._rows:
            if self.indexOf(row.field) >= 0:
                self.takeRow(row.field)
        for row in self._rows:
            there = way in row.ways
            if there:
                self.addRow(row.label, row.field)
            row.label.setVisible(there)
            row.field.setVisible(there)
