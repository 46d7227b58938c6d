"""Which columns of a table are seen, and how wide: as their contents need, until somebody drags one; then as they were
left. Measures have columns where tracks carry them; which of these are seen is the user's choice, too."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.settings import Settings
from app.gui.tracks.model import COLUMNS, FIRST_MEASURE, HELP, MEASURED, NAME, SEEN, WHY

MOST = {NAME: 110, WHY: 150}
"""Pixels that a column of words takes by itself at most; longer words end in dots, and the tip has all of them."""
LEAST = 60
"""Pixels of the reasons where there is no room for all that is important."""
LATER = 400
"""Milliseconds after the last drag until it is remembered."""
USUAL: tuple[str, ...] = ("diameter", "rotation")
"""Measures that are seen until somebody chooses: what most people ask of regions and blobs, and of bodies."""
_NAME, _MEASURES = "tracks_columns", "tracks_measures"


class Columns(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        view: the table.

    Attributes:
        own: whether the user chose.
        chosen: measures that are seen where tracks carry them.
    """

    def __init__(self, view: QtWidgets.QTableView) -> None:
        super().__init__(view)
        self._view, self._head = view, view.horizontalHeader()
        self._settings: Settings | None = None
        self._fitting = self.own = False
        self.chosen = USUAL
        self._fields: tuple[str, ...] | None = None
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LATER)
        self._timer.timeout.connect(self.keep)
        self._head.setResizeContentsPrecision(0)  # only rows that are seen are looked at: there may be thousands
        self._head.sectionResized.connect(self._dragged)
        self._head.sectionMoved.connect(self._moved)
        self._head.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        self._head.customContextMenuRequested.connect(lambda at: self.menu().popup(self._head.mapToGlobal(at)))
        self.offer(())

    def remember_with(self, settings: Settings) -> None:
        """Take them as they were at the last end, and remember them from now on."""
        self._settings = settings
        state = settings.bytes(_NAME)
        if state is not None:
            self._fitting = True
            restored = self._head.restoreState(state)
            self._head.setStretchLastSection(True)
            self._fitting, self.own = False, bool(restored)
        wanted = settings.text(_MEASURES, ",".join(USUAL)).split(",")
        self.chosen = tuple(field for field in MEASURED if field in wanted)
        self._arrange()

    def offer(self, fields: tuple[str, ...]) -> None:
        """Tracks carry these measures; nothing else has a column."""
        if fields != self._fields:
            self._fields = fields
            self._arrange()
            self.fit()

    def _arrange(self) -> None:
        """Show measures that were chosen and are there."""
        self._fitting = True
        shown = {*(self._fields or ())} & {*self.chosen}
        for k, field in enumerate(MEASURED):
            self._head.setSectionHidden(FIRST_MEASURE + k, field not in shown)
        self._fitting = False

    @property
    def seen(self) -> list[int]:
        """The columns that are seen, from left to right."""
        order = [self._head.logicalIndex(place) for place in range(len(COLUMNS))]
        return [column for column in order if not self._head.isSectionHidden(column)]

    def fit(self, wider: bool = False) -> None:
        """As their contents need, unless the user chose; `wider`: never narrower than before, so that nothing jumps."""
        if self.own:
            return
        widths = []
        for column in range(len(COLUMNS)):
            if self._head.isSectionHidden(column):
                widths.append(0)
                continue
            needed = max(self._view.sizeHintForColumn(column), self._title(column))
            width = min(needed, MOST.get(column, needed))
            widths.append(max(width, self._head.sectionSize(column)) if wider and column != WHY else width)
        over = sum(widths[: SEEN + 1]) - self._view.viewport().width()
        widths[WHY] = max(widths[WHY] - max(over, 0), min(widths[WHY], LEAST))
        self._fitting = True
        for column in self.seen:
            self._head.resizeSection(column, widths[column])
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
        menu.setToolTipsVisible(True)
        for column, name in enumerate(COLUMNS):
            if column >= FIRST_MEASURE and name not in (self._fields or ()):
                continue
            action = menu.addAction(name)
            action.setToolTip(HELP[column])
            action.setCheckable(True)
            action.setChecked(not self._head.isSectionHidden(column))
            action.setEnabled(column != NAME)
            action.toggled.connect(lambda on, column=column: self._show(column, on))
        menu.addSeparator()
        menu.addAction("As they were").triggered.connect(self.reset)
        return menu

    def reset(self) -> None:
        """All of them, in their order, as wide as they need to be, and the usual measures."""
        self._fitting = True
        self.chosen = USUAL
        for column in range(len(COLUMNS)):
            self._head.setSectionHidden(column, False)
            self._head.moveSection(self._head.visualIndex(column), column)
        self.own = False
        self._arrange()
        self.fit()
        if self._settings is not None:
            self._settings.set_bytes(_NAME, QtCore.QByteArray())
            self._settings.set_text(_MEASURES, ",".join(self.chosen))

    def keep(self) -> None:
        """Remember them."""
        if self._settings is not None and self.own:
            self._settings.set_bytes(_NAME, self._head.saveState())

    def _show(self, column: int, on: bool) -> None:
        if column < FIRST_MEASURE:
            self._head.setSectionHidden(column, not on)
            self._moved()
            return
        chosen = {*self.chosen} | {COLUMNS[column]} if on else {*self.chosen} - {COLUMNS[column]}
        self.chosen = tuple(field for field in MEASURED if field in chosen)
        if self._settings is not None:
            self._settings.set_text(_MEASURES, ",".join(self.chosen))
        self._arrange()
        self.fit()

    def _dragged(self, column: int, *_: object) -> None:
        # The last one follows the width of the dock.
        if not self._fitting and column != self.seen[-1]:
            self._moved()

    def _moved(self, *_: object) -> None:
        if self._fitting:
            return
        self.own = True
        self._timer.start()
