"""The tables of a plan: its groups with predicted and measured times, and its edges with the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.group_names import brief, listed
from app.desk.plan.planning import EdgeRow, GroupRow, PlanReport
from app.gui import theme
from pipelines.planning.explain import duration, size

_BARS = QtCore.Qt.ItemDataRole.UserRole
COLUMNS = (
    ("group", "The stages that become one program; * is computed in several"),
    ("predicted", "Time a frame by the planner's model"),
    ("measured", "Time a frame of the groups that run now, since the start"),
    ("", "Predicted (upper) and measured (lower) time"),
    ("predicted share", "Of the plan's predicted time"),
    ("measured share", "Of the measured time of all groups that run now"),
    ("limited by", "The resource that decides the predicted time: arithmetic, the main memory, or the host's own code"),
    ("tile", "What one block of the computation owns: width x height in pixels x frames"),
    ("border", "How far a block looks beyond its tile: pixels in x, pixels in y, frames back in time"),
    ("values there", "What becomes of values in the border: computed again by each block, cached from the block "
                     "before, or kept from frame to frame"),
    ("reads", "Bytes that are read for each pixel of the source"),
    ("writes", "Bytes that are written for each pixel of the source"),
    ("main memory", "Bytes for each pixel of the source that go through the main memory (DRAM), not only caches"),
    ("operations", "Arithmetic operations for each pixel of the source"),
    ("near memory", "Cache, or memory on the chip, that one block takes"),
)  # fmt: skip
SIMPLE = 7
"""The first columns, which say what the plan costs; the others say how it works."""
_RIGHT = {"predicted", "measured", "predicted share", "measured share", "reads", "writes", "main memory", "operations",
          "near memory"}  # fmt: skip
_KEPT = {"r": "computed again", "c": "cached", "k": "kept"}
_AIR = 8
"""Pixels between columns."""
LEAST_BAR = 90
_BAR = 3


class BarDelegate(QtWidgets.QStyledItemDelegate):  # type: ignore[misc]
    """Two bars in a cell: predicted above measured, both of one scale."""

    def paint(self, painter: QtGui.QPainter, option: Any, index: QtCore.QModelIndex) -> None:
        """The bars."""
        super().paint(painter, option, index)
        bars = index.data(_BARS)
        if not bars:
            return
        predicted, measured, most = bars
        colours = theme.current()
        field = QtCore.QRectF(option.rect).adjusted(6, 5, -8, -5)
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(QtCore.Qt.PenStyle.NoPen)
        height = (field.height() - 2) / 2
        for k, (value, colour) in enumerate(((predicted, colours.accent), (measured, colours.good))):
            if value and most > 0:
                painter.setBrush(QtGui.QColor(colour))
                width = max(2.0, field.width() * value / most)
                painter.drawRoundedRect(QtCore.QRectF(field.x(), field.y() + k * (height + 2), width, height), 2, 2)
        painter.restore()


def table(columns: Sequence[tuple[str, str]]) -> QtWidgets.QTableWidget:
    """An empty table that is only looked at."""
    made = QtWidgets.QTableWidget(0, len(columns))
    made.setHorizontalHeaderLabels([name for name, _ in columns])
    for k, (name, tip) in enumerate(columns):
        head = made.horizontalHeaderItem(k)
        head.setToolTip(tip)
        side = QtCore.Qt.AlignmentFlag.AlignRight if name in _RIGHT else QtCore.Qt.AlignmentFlag.AlignLeft
        head.setTextAlignment(int(side | QtCore.Qt.AlignmentFlag.AlignVCenter))
    made.verticalHeader().hide()
    made.verticalHeader().setDefaultSectionSize(made.fontMetrics().height() + 10)
    made.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
    made.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
    made.setShowGrid(False)
    made.setStyleSheet("QTableView::item { padding: 0 4px; border: 0; }")  # else words follow numbers closely
    made.setAlternatingRowColors(True)
    made.setWordWrap(False)
    made.setTextElideMode(QtCore.Qt.TextElideMode.ElideRight)
    made.horizontalHeader().setHighlightSections(False)
    made.horizontalHeader().setMinimumSectionSize(24)
    made.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
    return made


def cell(text: str, column: str = "", tip: str = "", colour: str = "") -> QtWidgets.QTableWidgetItem:
    """A cell of a table."""
    made = QtWidgets.QTableWidgetItem(text)
    side = QtCore.Qt.AlignmentFlag.AlignRight if column in _RIGHT else QtCore.Qt.AlignmentFlag.AlignLeft
    made.setTextAlignment(int(side | QtCore.Qt.AlignmentFlag.AlignVCenter))
    if tip:
        made.setToolTip(tip)
    if colour:
        made.setForeground(QtGui.QColor(colour))
    return made


class GroupTable(QtWidgets.QWidget):  # type: ignore[misc]
    """The groups; a row each.

    Attributes:
        details: a box: show how the groups work, too. It is to be put where there is room.
    """

    def __init__(self) -> None:
        super().__init__()
        self.view = table(COLUMNS)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.setItemDelegateForColumn(_BAR, BarDelegate(self.view))
        self.details = QtWidgets.QCheckBox("details")
        self.details.setToolTip("How each group works, too: tiles, what lies beyond them, bytes and operations")
        self.details.toggled.connect(lambda _: self._arrange())
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    def show_plan(
        self, report: PlanReport | None, measured: Mapping[str, float], running: Sequence[str] = ()
    ) -> None:
        """Show a plan, and what its groups take where they run as they are planned.

        Args:
            measured: seconds a frame, by group.
            running: the groups that run now; all of them together are what measured shares are of.
        """
        view = self.view
        rows = report.groups if report is not None else ()
        view.setRowCount(len(rows))
        if report is None:
            return
        times = [measured.get(row.name, 0.0) for row in rows]
        whole = sum(measured.get(name, 0.0) for name in running)
        most = max([row.seconds for row in rows] + times, default=0.0)
        for k, (row, took) in enumerate(zip(rows, times, strict=True)):
            for j, ((name, _), text) in enumerate(zip(COLUMNS, _texts(row, took, report, whole), strict=True)):
                tip = listed(row.name.split("+")) if name == "group" else ""
                muted = theme.current().muted if row.host and name != "group" else ""
                view.setItem(k, j, cell(text, name, tip, muted))
            view.item(k, _BAR).setData(_BARS, (row.seconds, took, most))
        self._arrange()

    def _arrange(self) -> None:
        """The columns that are wanted, as wide as what is in them; the bars take the rest."""
        view = self.view
        for k in range(len(COLUMNS)):
            view.setColumnHidden(k, k >= SIMPLE and not self.details.isChecked())
        shown = [k for k in range(len(COLUMNS)) if not view.isColumnHidden(k)]
        head = view.horizontalHeader()
        wide = {k: max(view.sizeHintForColumn(k), head.sectionSizeHint(k)) + _AIR for k in shown}
        wide[0] = min(wide[0], 300)
        room = view.viewport().width() - sum(wide.values()) + wide[_BAR]
        if room < LEAST_BAR and not self.details.isChecked():  # names give way, whose tips have all of them
            wide[0] = max(120, wide[0] + room - LEAST_BAR)
        wide[_BAR] = max(LEAST_BAR, min(320, room))
        for k in shown:
            view.setColumnWidth(k, wide[k])

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Other room for the bars."""
        super().resizeEvent(event)
        self._arrange()


def _texts(row: GroupRow, took: float, report: PlanReport, whole: float) -> list[str]:
    names = brief([f"{n}*" if n in row.duplicated else n for n in row.name.split("+")])
    return [
        names + ("  (host)" if row.host else ""), duration(row.seconds), duration(took) if took else "-", "",
        f"{row.seconds / report.seconds:.0%}" if report.seconds else "-",
        f"{took / whole:.0%}" if took and whole else "-", row.limit, "-" if row.host else row.tile.replace("x", " x "),
        row.halo.replace(",", ", "), "-" if row.host else kept_words(row.kept), f"{row.read:.2f}",
        f"{row.written:.2f}", f"{row.dram:.2f}",
        "-" if row.host else f"{row.operations:.1f}", "-" if row.host else size(row.on_chip),
    ]  # fmt: skip


def kept_words(kept: str) -> str:
    """What becomes of values in the border, in x, in y and in time.

    >>> kept_words("cr-"), kept_words("cck"), kept_words("---")
    ('x cached, y computed again', 'x, y cached, time kept', 'none needed')
    """
    found: dict[str, list[str]] = {}
    for letter, axis in zip(kept, ("x", "y", "time"), strict=False):
        if letter in _KEPT:
            found.setdefault(_KEPT[letter], []).append(axis)
    return ", ".join(f"{', '.join(axes)} {what}" for what, axes in found.items()) or "none needed"


class EdgeTable(QtWidgets.QWidget):  # type: ignore[misc]
    """The edges: what was decided, and why."""

    def __init__(self) -> None:
        super().__init__()
        self.view = table((("edge", "From a stage to another"), ("", "Whether the value stays inside one program"),
                           ("why", "What the decision saves, and what would turn it round")))  # fmt: skip
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.setWordWrap(True)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    def show_plan(self, edges: Sequence[EdgeRow]) -> None:
        """Show the edges of a plan."""
        colours = theme.current()
        self.view.setRowCount(len(edges))
        for k, edge in enumerate(edges):
            sign = colours.good if edge.fused else colours.warn
            self.view.setItem(k, 0, cell(f"{edge.producer} → {edge.consumer}"))
            self.view.setItem(k, 1, cell(edge.decision, colour=sign))
            self.view.setItem(k, 2, cell(edge.why or "…", tip=edge.why.replace("; ", "\n")))
        self.view.resizeColumnToContents(0)
        self.view.resizeColumnToContents(1)
        self.view.resizeRowsToContents()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Break the lines anew."""
        super().resizeEvent(event)
        self.view.resizeRowsToContents()
