"""The pictures by which cameras are calibrated, in a table: whether each counts, and what is left wrong in each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme
from app.stereo.calibrating import View

BAD = 2.0
"""Errors of more than so many times the median are written in red."""
NOTHING = 0.001
"""px below which an error is none: it is what the table writes as 0.000."""
_ROLE = QtCore.Qt.ItemDataRole


class _Number(QtWidgets.QTableWidgetItem):  # type: ignore[misc]
    """A number that is sorted as one; what is not known comes first."""

    def __init__(self, value: float, words: str) -> None:
        super().__init__(words)
        self.setData(_ROLE.UserRole, value)
        self.setFlags(QtCore.Qt.ItemFlag.ItemIsEnabled | QtCore.Qt.ItemFlag.ItemIsSelectable)
        self.setTextAlignment(QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter)

    def __lt__(self, other: QtWidgets.QTableWidgetItem) -> bool:
        return bool(self.data(_ROLE.UserRole) < other.data(_ROLE.UserRole))


class ViewTable(QtWidgets.QTableWidget):  # type: ignore[misc]
    """See the module. A tick says that a picture counts; Space changes it.

    Attributes:
        chosen: a signal: the number of the picture that is looked at. ticked: a signal: other pictures count.
        unused: pictures with a tick of which something was left out all the same, or all.
    """

    chosen = QtCore.pyqtSignal(int)
    ticked = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__(0, 1)
        self._errors: dict[int, list[float]] = {}
        self._out: set[int] = set()
        self.unused: list[int] = []
        self.verticalHeader().hide()
        self.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Stretch)
        self.setToolTip("What counts has a tick (Space changes it). Errors: root of the mean squared distance between "
                        "what was seen and what is projected; click a heading to sort by it")  # fmt: skip
        self.sortByColumn(0, QtCore.Qt.SortOrder.AscendingOrder)
        self.itemSelectionChanged.connect(self._selected)
        self.itemChanged.connect(self._changed)
        self.show_views("frame", (), (), 2, ())

    @property
    def at(self) -> int | None:
        """The number of the picture that is looked at."""
        row = self.currentRow()
        return None if row < 0 or self.item(row, 0) is None else int(self.item(row, 0).data(_ROLE.UserRole))

    @property
    def without(self) -> tuple[int, ...]:
        """Pictures that do not count."""
        return tuple(sorted(self._out))

    def show_views(self, what: str, numbers: Sequence[int], views: Sequence[View], cameras: int,
                   seen: Sequence[Sequence[bool]]) -> None:  # fmt: skip
        """Show pictures; those that were unticked stay so.

        Args:
            what: they are called: frame, place.
            numbers: of all pictures.
            views: what counted.
            cameras: how many there are.
            seen: of each picture whether each camera sees something in it.
        """
        at = self.at
        by_number = {view.number: view for view in views}
        self._errors = {number: [view.rms(camera) for camera in range(cameras)] for number, view in by_number.items()}
        # Filling ticks is no wish of the user; sorting while rows come would move them under the loop.
        self.blockSignals(True)
        self.setSortingEnabled(False)
        self.setColumnCount(1 + cameras)
        self.setHorizontalHeaderLabels([what, *(f"camera {camera + 1}, px" for camera in range(cameras))])
        self.setRowCount(len(numbers))
        self.unused = []
        limits = [self.limit(camera) for camera in range(cameras)]
        for row, number in enumerate(numbers):
            first = _Number(float(number), str(number))
            first.setFlags(first.flags() | QtCore.Qt.ItemFlag.ItemIsUserCheckable)
            first.setTextAlignment(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter)
            unticked = number in self._out
            first.setCheckState(QtCore.Qt.CheckState.Unchecked if unticked else QtCore.Qt.CheckState.Checked)
            self.setItem(row, 0, first)
            for camera in range(cameras):
                error = self._errors[number][camera] if number in self._errors else math.nan
                # error == error is False for NaN: nothing is known.
                words = f"{error:.3f}" if error == error else "" if not by_number else "left out"
                words = "not seen" if not seen[row][camera] else "dropped" if unticked and error != error else words
                lost = by_number[number].left_out[camera : camera + 1] if number in by_number else ()
                words += f", {lost[0]} left out" if any(lost) else ""
                item = _Number(error if error == error else -1.0, words)
                if "left out" in words:
                    item.setToolTip("Does not fit the cameras; the notes of the calibration say why")
                    self.unused += [number] if number not in (*self.unused, *self._out) else []
                if error > limits[camera]:
                    item.setForeground(QtGui.QColor(theme.current().bad))
                elif error != error:
                    item.setForeground(QtGui.QColor(theme.current().muted))
                self.setItem(row, 1 + camera, item)
        self.setSortingEnabled(True)
        if numbers:
            rows = [row for row in range(len(numbers)) if self.item(row, 0).data(_ROLE.UserRole) == at]
            self.setCurrentCell(rows[0] if rows else 0, 0)
        self.blockSignals(False)
        self._selected()

    def limit(self, camera: int) -> float:
        """px above which an error of a camera is large."""
        known = [errors[camera] for errors in self._errors.values() if errors[camera] == errors[camera]]
        return max(BAD * float(np.median(known)), NOTHING) if known else math.inf

    @property
    def large(self) -> list[int]:
        """Pictures with an error that is large."""
        return [number for number, errors in self._errors.items()
                if any(error > self.limit(camera) for camera, error in enumerate(errors))]  # fmt: skip

    def untick(self, numbers: Sequence[int]) -> None:
        """These do not count."""
        self.leave_out((*self._out, *numbers))
        self.blockSignals(True)
        for row in range(self.rowCount()):
            if int(self.item(row, 0).data(_ROLE.UserRole)) in self._out:
                self.item(row, 0).setCheckState(QtCore.Qt.CheckState.Unchecked)
        self.blockSignals(False)
        self.ticked.emit()

    def leave_out(self, numbers: Iterable[int]) -> None:
        """These do not count once they are there."""
        self._out = set(numbers)

    def forget(self) -> None:
        """There are none."""
        self._errors, self._out, self.unused = {}, set(), []
        self.setRowCount(0)

    def _selected(self) -> None:
        if (at := self.at) is not None:
            self.chosen.emit(at)

    def _changed(self, item: QtWidgets.QTableWidgetItem) -> None:
        if item.column() == 0:
            number = int(item.data(_ROLE.UserRole))
            if item.checkState() == QtCore.Qt.CheckState.Checked:
                self._out.discard(number)
            else:
                self._out.add(number)
            self.ticked.emit()
