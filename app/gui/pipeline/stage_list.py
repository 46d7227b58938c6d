"""The list of stages and trackers: searchable, by category, with a line of help; keyboard, mouse and drag."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.pipeline import catalogue
from app.desk.pipeline.catalogue import Entry
from app.gui import theme
from app.gui.pipeline.graph_view import STAGE_MIME
from kernels.plugins import registry

WARM = 60
"""Milliseconds between two stages that are looked at beforehand."""
_NAME = QtCore.Qt.ItemDataRole.UserRole


class StageTree(QtWidgets.QTreeWidget):  # type: ignore[misc]
    """The rows; each can be dragged."""

    def mimeTypes(self) -> list[str]:  # noqa: N802
        """What is dragged."""
        return [STAGE_MIME]

    def mimeData(self, items: list[QtWidgets.QTreeWidgetItem]) -> QtCore.QMimeData:  # noqa: N802
        """A stage's name."""
        data = QtCore.QMimeData()
        data.setData(STAGE_MIME, str(items[0].data(0, _NAME) or "").encode())
        return data


class StageList(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Attributes:
        chosen: a signal: a stage or tracker is to be added. closed: the list is not wanted any more.
    """

    chosen = QtCore.pyqtSignal(str)
    closed = QtCore.pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.search = QtWidgets.QLineEdit()
        self.search.setToolTip("Letters of a name or of what it does; Return adds the one that is marked")
        self.search.setPlaceholderText("Search stages: name or what it does")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.refresh)
        self.search.installEventFilter(self)
        self.tree = StageTree()
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(2)
        self.tree.setRootIsDecorated(False)
        self.tree.setItemsExpandable(False)
        self.tree.setIndentation(8)
        self.tree.setUniformRowHeights(True)
        self.tree.setDragEnabled(True)
        self.tree.setDragDropMode(QtWidgets.QAbstractItemView.DragDropMode.DragOnly)
        self.tree.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.header().setStretchLastSection(True)
        self.tree.setColumnWidth(0, 124)
        self.tree.itemDoubleClicked.connect(self._activated)
        self.tree.currentItemChanged.connect(self._describe)
        self.tree.installEventFilter(self)
        self.help = QtWidgets.QLabel()
        self.help.setWordWrap(True)
        self.help.setProperty("muted", True)
        self.help.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.help.setMinimumHeight(3 * self.help.fontMetrics().height())
        self.help.setAlignment(QtCore.Qt.AlignmentFlag.AlignTop | QtCore.Qt.AlignmentFlag.AlignLeft)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        column.setSpacing(4)
        column.addWidget(self.search)
        column.addWidget(self.tree, 1)
        column.addWidget(self.help)
        self._entries: list[Entry] = []
        self.filled = False
        # What a stage looks at follows from its body, some milliseconds each: one after the other while nothing waits.
        self._cold = list(registry())
        self._warming = QtCore.QTimer(self)
        self._warming.setInterval(WARM)
        self._warming.timeout.connect(self._warm)
        self._warming.start()

    def _warm(self) -> None:
        if self._cold:
            catalogue.kind(self._cold.pop())
        else:
            self._warming.stop()

    def open(self) -> None:
        """Make ready for a search."""
        if not self.filled:
            self.refresh()
        self.search.selectAll()
        self.search.setFocus()

    def themed(self) -> None:
        """Take the colours of the theme."""
        if self.filled:
            self.refresh()

    def refresh(self) -> None:
        """Show what the search finds, under its categories; what begins like the search is first without any."""
        self.filled = True
        text = self.search.text()
        self._entries = catalogue.found(text)
        self.tree.clear()
        muted, heads = QtGui.QColor(theme.current().muted), {}
        for entry in self._entries:
            parent: QtWidgets.QTreeWidgetItem | StageTree = self.tree
            if not text.strip():
                if entry.category not in heads:
                    heads[entry.category] = self._head(entry.category)
                parent = heads[entry.category]
            row = QtWidgets.QTreeWidgetItem(parent, [entry.name, entry.summary])
            row.setData(0, _NAME, entry.name)
            row.setForeground(1, muted)
            kind = "" if entry.kind in ("", entry.name) else f"  ({entry.kind})"
            row.setToolTip(0, f"{entry.name}{kind}\n{entry.summary}")
            row.setToolTip(1, entry.summary)
        self.tree.expandAll()
        first = self._rows()
        self.tree.setCurrentItem(first[0] if first else None)
        self.tree.scrollToTop()
        if not first:
            self.help.setText(f"There is no stage for {text.strip()!r}.")

    def _head(self, title: str) -> QtWidgets.QTreeWidgetItem:
        made = QtWidgets.QTreeWidgetItem(self.tree, [title])
        made.setFlags(QtCore.Qt.ItemFlag.ItemIsEnabled)
        made.setFirstColumnSpanned(True)
        made.setForeground(0, QtGui.QColor(theme.current().muted))
        font = made.font(0)
        font.setBold(True)
        made.setFont(0, font)
        return made

    def _rows(self) -> list[QtWidgets.QTreeWidgetItem]:
        """The rows that stand for stages, from above."""
        found = []
        each = QtWidgets.QTreeWidgetItemIterator(self.tree)
        while each.value() is not None:
            if each.value().data(0, _NAME):
                found.append(each.value())
            each += 1
        return found

    @property
    def names(self) -> list[str]:
        """What is shown, from above."""
        return [row.data(0, _NAME) for row in self._rows()]

    @property
    def current(self) -> str:
        """The stage that is picked, "" for none."""
        item = self.tree.currentItem()
        return "" if item is None else str(item.data(0, _NAME) or "")

    def _describe(self) -> None:
        entry = next((e for e in self._entries if e.name == self.current), None)
        if entry is not None:
            kind = f" <i>{entry.kind}</i>" if entry.kind and entry.kind != "tracker" else ""
            self.help.setText(f"<b>{entry.name}</b>{kind} - {_escaped(entry.summary)}")

    def _activated(self, item: QtWidgets.QTreeWidgetItem) -> None:
        name = item.data(0, _NAME)
        if name:
            self.chosen.emit(name)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """From the search line the arrows walk the list, Return adds, Esc closes."""
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and event.key() == QtCore.Qt.Key.Key_Escape:
            event.accept()
            return True
        if event.type() != QtCore.QEvent.Type.KeyPress:
            return bool(super().eventFilter(watched, event))
        keys, key = QtCore.Qt.Key, event.key()
        if key == keys.Key_Escape:
            self.closed.emit()
            return True
        if key in (keys.Key_Return, keys.Key_Enter) and self.current:
            self.chosen.emit(self.current)
            return True
        rows = self._rows()
        if watched is self.search and key in (keys.Key_Down, keys.Key_Up) and rows:
            at = rows.index(self.tree.currentItem()) if self.tree.currentItem() in rows else -1
            step = 1 if key == keys.Key_Down else -1
            self.tree.setCurrentItem(rows[min(max(at + step, 0), len(rows) - 1)])
            return True
        return bool(super().eventFilter(watched, event))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
