"""The table of tracks as Qt wants it: thousands of lines cost no more than those that are seen."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.bench.workbench import Workbench
from app.desk.services.corrector import Corrector
from app.desk.tracks.problems import WORDS
from app.desk.tracks.table import LINE, Lines, TrackTable, found
from app.gui import theme
from app.plots.words import measured
from pipelines.features import Reason, State
from pipelines.measures import BY_FIELD, FIELDS

MEASURED = tuple(field for field in FIELDS if not field.startswith("sigma_"))
"""Measures that have a column; their uncertainties stand beside them."""
COLUMNS = ("name", "state", "why", "frames", "seen", "score", "sigma", *MEASURED)
"""The most important ones first; in a narrow dock the last ones are reached by scrolling."""
NAME, STATE, WHY, FRAMES, SEEN, SCORE, SIGMA = range(7)
FIRST_MEASURE = 7
HELP = (
    "Double click goes to its first frame; F2 renames it", "Its state in its last frame; double click goes there",
    "Why it is lost, or guessed, in its last frame; double click goes there", "First and last frame",
    "Frames in which it was seen, the first ones included, before it was believed (as in the summary of a run)",
    "Mean score of these frames",
    "Mean standard uncertainty of x and of y in these frames",
    *(f"{BY_FIELD[field].sentence}: "
      + ("as it was measured last" if BY_FIELD[field].period else "mean of the frames in which it was measured")
      + (", and the mean standard uncertainty of one frame" if f"sigma_{field}" in BY_FIELD else "")
      for field in MEASURED),
)  # fmt: skip
PAUSE = 10
"""While rows wait, lines are shown anew after a pause of so many times as long as that took."""
_STATES = {State.TENTATIVE: "unsure", State.TRACKED: "seen", State.PREDICTED: "guessed", State.LOST: "lost"}
_KEYS = ("track", "state", "reason", "first", "seen", "score", "sigma", *MEASURED)
_Role = QtCore.Qt.ItemDataRole
_USUAL = QtCore.Qt.ItemFlag.ItemIsEnabled | QtCore.Qt.ItemFlag.ItemIsSelectable  # asked for all that is selected
_NAMED = _USUAL | QtCore.Qt.ItemFlag.ItemIsEditable


class TracksModel(QtCore.QAbstractTableModel):  # type: ignore[misc]
    """Lines of tracks, searched and sorted.

    Args:
        bench: the state behind the window.
        corrector: renames.
        guard: called with what may go wrong.
    """

    def __init__(self, bench: Workbench, corrector: Corrector, guard: Callable[[Callable[[], object]], object]) -> None:
        super().__init__()
        self._bench, self._corrector, self._guard = bench, corrector, guard
        self._table = TrackTable()
        self._all: Lines = np.zeros(0, LINE)
        self.lines: Lines = np.zeros(0, LINE)
        self.text, self._state, self._column, self._down = "", "", NAME, False
        self._stale, self._next = False, 0.0

    # -------------------------------------------------------------------------------------------------- following

    def look(self) -> bool:
        """Take in what is new; whether more waits."""
        self._stale |= self._table.look(self._bench.store)
        begin = time.monotonic()
        # While rows pour in, most of the time stays with the rest of the window.
        if self._stale and (not self._table.behind or begin >= self._next):
            self._all, self._stale = self._table.lines(), False
            self.arrange()
            self._next = time.monotonic() + PAUSE * (time.monotonic() - begin)
        return self._table.behind

    @property
    def behind(self) -> bool:
        """Whether rows wait to be looked at: lines are those of the rows before them."""
        return self._table.behind

    def search(self, text: str, state: str = "") -> None:
        """Show those only that a text finds, and that stand so; "" for all states."""
        self.text, self._state = text, state
        self.arrange()

    def sort(self, column: int, order: QtCore.Qt.SortOrder = QtCore.Qt.SortOrder.AscendingOrder) -> None:
        """By a column."""
        self._column, self._down = column, order == QtCore.Qt.SortOrder.DescendingOrder
        self.arrange()

    @property
    def count(self) -> int:
        """Of all tracks."""
        return len(self._all)

    def arrange(self) -> None:
        """Search and sort anew; lines that only changed stay where they are selected."""
        names = [self._bench.tracks.name(int(t)) for t in self._all["track"]] if self.text else []
        chosen = found(self._all, names, self.text)
        if self._state:
            chosen &= found(self._all, names, self._state)
        lines = self._all[chosen]
        named = _KEYS[self._column]
        key = lines[named if named in (lines.dtype.names or ()) else "track"]
        with np.errstate(invalid="ignore"):
            # The last key counts first: by the column, tracks of one value by number. NaN goes to the end.
            order = np.lexsort((lines["track"], -key.astype(float) if self._down else key))
        lines = lines[order]
        same = len(lines) == len(self.lines) and np.array_equal(lines["track"], self.lines["track"])
        if same:
            self.lines = lines
            # The same tracks in the same order: cells changed, no line moved.
            if len(lines):
                self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, len(COLUMNS) - 1))
            return
        fewer = min(len(lines), len(self.lines))
        # Mostly tracks come at the end: Qt is told of these alone, and the selection stays by itself.
        if np.array_equal(lines["track"][:fewer], self.lines["track"][:fewer]):
            self._end_with(lines)
            return
        # Otherwise selections, which are persistent indexes, are led to the new places of their tracks.
        self.layoutAboutToBeChanged.emit()
        before, kept = self.lines["track"], self.persistentIndexList()
        self.lines = lines
        place = {int(track): k for k, track in enumerate(lines["track"].tolist())} if kept else {}
        for index in kept:
            row = place.get(int(before[index.row()]), -1)
            self.changePersistentIndex(index, self.index(row, index.column()) if row >= 0 else QtCore.QModelIndex())
        self.layoutChanged.emit()

    def _end_with(self, lines: Lines) -> None:
        """More lines at the end than before, or fewer; all others stand where they stood."""
        before, now = len(self.lines), len(lines)
        none = QtCore.QModelIndex()
        if now > before:
            self.beginInsertRows(none, before, now - 1)
            self.lines = lines
            self.endInsertRows()
        else:
            self.beginRemoveRows(none, now, before - 1)
            self.lines = lines
            self.endRemoveRows()
        if before and now:
            self.dataChanged.emit(self.index(0, 0), self.index(min(before, now) - 1, len(COLUMNS) - 1))

    def rows_of(self, tracks: list[int]) -> npt.NDArray[np.int64]:
        """Where tracks stand."""
        return np.flatnonzero(np.isin(self.lines["track"], tracks))

    # -------------------------------------------------------------------------------------------------------- Qt

    def rowCount(self, parent: QtCore.QModelIndex | None = None) -> int:  # noqa: N802
        """Lines."""
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def columnCount(self, parent: QtCore.QModelIndex | None = None) -> int:  # noqa: N802
        """Columns."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, side: QtCore.Qt.Orientation, role: int = 0) -> Any:  # noqa: N802
        """Names of columns."""
        if side == QtCore.Qt.Orientation.Horizontal and role == _Role.DisplayRole:
            unit = self._unit(section)
            return f"{COLUMNS[section]} [{unit}]" if unit else COLUMNS[section]
        if side == QtCore.Qt.Orientation.Horizontal and role == _Role.TextAlignmentRole and section >= FRAMES:
            return int(QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter)
        if side == QtCore.Qt.Orientation.Horizontal and role == _Role.ToolTipRole:
            return HELP[section]
        return None

    def flags(self, index: QtCore.QModelIndex) -> QtCore.Qt.ItemFlags:
        """Names can be changed."""
        return _NAMED if index.column() == NAME else _USUAL

    def data(self, index: QtCore.QModelIndex, role: int = 0) -> Any:
        """What is in a cell."""
        line, column = self.lines[index.row()], index.column()
        if role in (_Role.DisplayRole, _Role.EditRole):
            return self._words(line, column)
        if role == _Role.DecorationRole and column == NAME:
            return _disk(theme.TRACK_COLOURS[self._bench.colours.number(int(line["track"]))])
        if role == _Role.TextAlignmentRole and column >= FRAMES:
            return int(QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter)
        if role == _Role.ForegroundRole and column == STATE:
            now = theme.current()
            return QtGui.QColor({State.LOST: now.bad, State.TRACKED: now.good}.get(State(int(line["state"])), now.warn))
        if role == _Role.ToolTipRole:
            words = f"track {int(line['track'])}, {int(line['rows'])} rows"
            if column == NAME:
                return f"{words}\n{HELP[NAME]}"
            why = self._words(line, WHY)
            return f"{_STATES[State(int(line['state']))]}: {why}" if why and column in (STATE, WHY) else HELP[column]
        return None

    def _unit(self, column: int) -> str:
        """Of a column; "" for none."""
        calibration = self._bench.calibration
        if column >= FIRST_MEASURE:
            return calibration.measure_unit(MEASURED[column - FIRST_MEASURE])
        return calibration.unit if column == SIGMA else ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The measures that lines have."""
        return tuple(name for name in self._all.dtype.names or () if name in BY_FIELD and name != "sigma")

    def measure(self, line: np.void, field: str) -> tuple[float, float]:
        """A measure of a line and its uncertainty, in the user's unit; NaN where unknown."""
        made = []
        for name in (field, f"sigma_{field}"):
            there = name in (line.dtype.names or ())
            value = np.array([line[name] if there else math.nan], np.float64)
            made.append(float(self._bench.calibration.measure(name, value)[0]) if there else math.nan)
        return made[0], made[1]

    def copied(self, rows: Sequence[int], columns: Sequence[int]) -> list[list[str]]:
        """Lines as a table for spreadsheets: a head with units, plain numbers, uncertainties in columns of their own.

        Args:
            rows: these lines. columns: these of them, in this order.
        """
        of_measure = {column: MEASURED[column - FIRST_MEASURE] for column in columns if column >= FIRST_MEASURE}
        sigmas = {column: f"sigma_{field}" for column, field in of_measure.items() if f"sigma_{field}" in self.fields}
        head, lines = list[str](), []
        for column in columns:
            names = [COLUMNS[column], *([sigmas[column]] if column in sigmas else [])]
            unit = self._unit(column)
            head += [f"{name} [{unit}]" if unit else name for name in names]
        for row in rows:
            line, cells = self.lines[row], list[str]()
            for column in columns:
                if column not in of_measure:
                    cells.append(self._words(line, column))
                    continue
                found = self.measure(line, of_measure[column])[: 2 if column in sigmas else 1]
                cells += ["" if math.isnan(value) else f"{value:.6g}" for value in found]
            lines.append(cells)
        return [head, *lines]

    def _words(self, line: np.void, column: int) -> str:
        if column == NAME:
            return self._bench.tracks.name(int(line["track"]))
        if column == FRAMES:
            first, last = (self._bench.number(int(line[end])) for end in ("first", "last"))
            return f"{first} to {last}" if first < 0 else f"{first}-{last}"
        if column == SEEN:
            return str(int(line["seen"]))
        if column == SCORE:
            return "" if math.isnan(line["score"]) else f"{line['score']:.2f}"
        if column == SIGMA:
            value = float(line["sigma"]) * self._bench.calibration.per_px
            return f"{value:.2g}" if value > 0 else ""  # a reference alone has none, for nothing was measured
        if column >= FIRST_MEASURE:
            value, sigma = self.measure(line, MEASURED[column - FIRST_MEASURE])
            return "" if math.isnan(value) else measured(value, sigma)
        state, reason = State(int(line["state"])), int(line["reason"])
        if column == STATE:
            return _STATES[state]
        return WORDS[Reason(reason)] if state in (State.LOST, State.PREDICTED) and reason != Reason.NONE else ""

    def setData(self, index: QtCore.QModelIndex, value: object, role: int = 0) -> bool:  # noqa: N802
        """Rename."""
        if index.column() != NAME or role != _Role.EditRole:
            return False
        track = int(self.lines["track"][index.row()])
        name = str(value).strip()
        self._guard(lambda: self._corrector.rename(track, "" if name == str(track) else name))
        return True


_DISKS: dict[str, QtGui.QIcon] = {}


def _disk(colour: str) -> QtGui.QIcon:
    """The colour of a track."""
    if colour not in _DISKS:
        picture = QtGui.QPixmap(24, 24)
        picture.fill(QtCore.Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(picture)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setBrush(QtGui.QColor(colour))
        painter.setPen(QtCore.Qt.PenStyle.NoPen)
        painter.drawEllipse(4, 4, 16, 16)
        painter.end()
        _DISKS[colour] = QtGui.QIcon(picture)
    return _DISKS[colour]
