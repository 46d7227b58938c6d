"""The widths of a table's columns: as their contents need, until somebody drags one; then as they were left."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.settings import Settings
from app.gui.tracks.model import COLUMNS, NAME, SEEN, WHY

MOST = {NAME: 110, WHY: 150}
"""Pixels that a column of words takes by itself at most; longer words end in dots, and the tip has all of them."""
LEAST = 60
"""Pixels of the reasons where there is no room for all that is important."""
LATER = 400
"""Milliseconds after the last drag until it is remembered."""
_NAME = "tracks_columns"


class Columns(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        view: the table.

    Attributes:
        own: whether the user chose.
    """

    def __init__(self, view: QtWidgets.QTableView) -> None:
        super().__init__(view)
        self._view, self._head = view, view.horizontalHeader()
        self._settings: Settings | None = None
        self._fitting = self.own = False
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LATER)
        self._timer.timeout.connect(self.keep)
        self._head.setResizeContentsPrecision(0)  # only rows that are seen are looked at: there may be thousands
        self._head.sectionResized.connect(self._dragged)
        self._head.sectionMoved.connect(self._moved)
        self._head.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        self._head.customContextMenuRequested.connect(lambda at: self.menu().popup(self._head.mapToGlobal(at)))
        self.fit()

    def remember_with(self, settings: Settings) -> None:
        """Take them as they were at the last end, and remember them from now on."""
        self._settings = settings
        state = settings.bytes(_NAME)
        if state is not None:
            self._fitting = True
            restored = self._head.restoreState(state)
            self._head.setStretchLastSection(True)
            self._fitting, self.own = False, bool(restored)

    def fit(self, wider: bool = False) -> None:
        """As their contents need, unless the user chose; `wider`: never narrower than before, so that nothing jumps."""
        if self.own:
            return
        widths = []
        for column in range(len(COLUMNS)):
            needed = max(self._view.sizeHintForColumn(column), self._title(column))
            width = min(needed, MOST.get(column, needed))
            widths.append(max(width, self._head.sectionSize(column)) if wider and column != WHY else width)
        over = sum(widths[: SEEN + 1]) - self._view.viewport().width()
        widths[WHY] = max(widths[WHY] - max(over, 0), min(widths[WHY], LEAST))
        self._fitting = True
        for column, width in enumerate(widths):
            self._head.resizeSection(column, width)
        self._fitting = False

    def _title(self, column: int) -> int:
        """Pixels that the head of a column needs, the arrow of sorting included where it stands."""
        model = self._view.model()
        words = str(model.headerData(column, QtCore.Qt.Orientation.Horizontal, QtCore.Qt.ItemDataRole.DisplayRole))
        arrow = 18 if self._head.sortIndicatorSection() == column else 0
        return int(self._head.fontMetrics().horizontalAdvance(words)) + 14 + arrow

    def menu(self) -> QtWidgets.QMenu:
        """Which columns are seen."""
        menu = QtWidgets.QMenu(self._view)
        for column, name in enumerate(COLUMNS):
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(not self._head.isSectionHidden(column))
            action.setEnabled(column != NAME)
            action.toggled.connect(lambda on, column=column: self._show(column, on))
        menu.addSeparator()
        menu.addAction("As they were").triggered.connect(self.reset)
        return menu

    def reset(self) -> None:
        """All of them, in their order, as wide as they need to be."""
        self._fitting = True
        for column in range(len(COLUMNS)):
            self._head.setSectionHidden(column, False)
            self._head.moveSection(self._head.visualIndex(column), column)
        self.own = False
        self.fit()
        if self._settings is not None:
            self._settings.set_bytes(_NAME, QtCore.QByteArray())

    def keep(self) -> None:
        """Remember them."""
        if self._settings is not None and self.own:
            self._settings.set_bytes(_NAME, self._head.saveState())

    def _show(self, column: int, on: bool) -> None:
        self._head.setSectionHidden(column, not on)
        self._moved()

    def _dragged(self, column: int, *_: object) -> None:
        # The last one follows the width of the dock.
        if not self._fitting and self._head.visualIndex(column) != len(COLUMNS) - 1:
            self._moved()

    def _moved(self, *_: object) -> None:
        if self._fitting:
            return
        self.own = True
        self._timer.start()
