"""The panel with every event in a line: go there, rename, delete."""

from __future__ import annotations

from functools import partial

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.events import Event
from app.gui.events.marking import Marking

NAME = 2
"""The column of names."""
_EVENT = QtCore.Qt.ItemDataRole.UserRole
_KEYS = (QtCore.Qt.Key.Key_Delete, QtCore.Qt.Key.Key_F2, QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter)


class EventsPanel(QtWidgets.QTreeWidget):  # type: ignore[misc]
    """See the module. A click goes to the frame, a double click on the name changes it; Del and F2 are those of the
    list while it has the keys.

    Args:
        bench: the state behind the window.
        marking: does what is wanted.
    """

    def __init__(self, bench: Workbench, marking: Marking) -> None:
        super().__init__()
        self._bench, self._marking = bench, marking
        self._drawn: object = None
        self.setHeaderLabels(["Frame", "Time [s]", "Event"])
        tips = ("Which frame", "When, as the times of the tracks", "What happens; F2 changes it")
        for column, tip in enumerate(tips):
            self.headerItem().setToolTip(column, tip)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self.menu().popup(self.viewport().mapToGlobal(at)))
        self.itemClicked.connect(lambda item, _: marking.go_to(item.data(0, _EVENT)))
        self.itemDoubleClicked.connect(lambda item, column: self.editItem(item, NAME) if column == NAME else None)
        self.itemChanged.connect(self._typed)
        self.setToolTip("")
        for topic in (Topic.VIEW, Topic.OPENED):
            bench.on(topic, self.redraw)

    @property
    def chosen(self) -> list[Event]:
        """Those that are selected."""
        return [item.data(0, _EVENT) for item in self.selectedItems()]

    def redraw(self) -> None:
        """Follow the events, if anybody sees them."""
        bench, info = self._bench, self._bench.info
        if self._drawn is bench.events or not self.isVisible():
            return
        chosen, at = set(self.chosen), self.verticalScrollBar().value()
        self._drawn = bench.events
        self.blockSignals(True)
        self.clear()
        for event in bench.events:
            when = f"{info.time.time(event.frame):.4f}" if info is not None and info.time.fps > 0 else ""
            item = QtWidgets.QTreeWidgetItem([str(bench.number(event.frame)), when, event.name])
            item.setFlags(item.flags() | QtCore.Qt.ItemFlag.ItemIsEditable)
            item.setData(0, _EVENT, event)
            item.setToolTip(NAME, event.name)
            self.addTopLevelItem(item)
            item.setSelected(event in chosen)
        self.blockSignals(False)
        self.verticalScrollBar().setValue(at)
        self.viewport().update()

    def rename(self) -> None:
        """Type another name in the list."""
        item = next(iter(self.selectedItems()), None)
        if item is not None:
            self.editItem(item, NAME)

    def delete(self) -> None:
        """Those that are selected."""
        if self.chosen:
            self._marking.delete(self.chosen)

    def _typed(self, item: QtWidgets.QTreeWidgetItem, column: int) -> None:
        if column != NAME:
            return
        event, name = item.data(0, _EVENT), item.text(NAME)
        self._drawn = None  # what was typed may be refused
        # After the field has gone: what is done takes the line away that it stood in.
        QtCore.QTimer.singleShot(0, partial(self._marking.called, event, name))
        QtCore.QTimer.singleShot(0, self.redraw)

    def menu(self) -> QtWidgets.QMenu:
        """What can be done with the events that are selected."""
        menu, chosen = QtWidgets.QMenu(self), self.chosen
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        count = len(chosen)
        for words, work, sense in (
            ("Go there", lambda: self._marking.go_to(chosen[0]), count == 1),
            ("Rename", self.rename, count == 1),
            (f"Delete {count} events" if count > 1 else "Delete", self.delete, count > 0),
        ):
            action = menu.addAction(words)
            action.setEnabled(sense)
            action.triggered.connect(lambda _=False, work=work: work())
        return menu

    def event(self, event: QtCore.QEvent) -> bool:
        """Del and F2 are about events here, not about tracks."""
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and event.key() in _KEYS and self.selectedItems():
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:  # noqa: N802
        """Del deletes, F2 renames, Enter goes there."""
        if event.key() == QtCore.Qt.Key.Key_Delete:
            self.delete()
        elif event.key() == QtCore.Qt.Key.Key_F2:
            self.rename()
        elif event.key() in _KEYS and self.chosen:
            self._marking.go_to(self.chosen[0])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Say how events come here where there are none."""
        super().paintEvent(event)
        if not self.topLevelItemCount():
            painter = QtGui.QPainter(self.viewport())
            painter.setPen(self.palette().color(QtGui.QPalette.ColorRole.PlaceholderText))
            wrapped = QtCore.Qt.AlignmentFlag.AlignCenter | QtCore.Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(8, 8, -8, -8), wrapped,
                             "H marks the frame that is shown with a name")  # fmt: skip
