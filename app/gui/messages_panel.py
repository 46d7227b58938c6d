"""What was said: notes, warnings and errors, newest last; can be copied, never stands in the way."""

from __future__ import annotations

import json
import time

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Message, Topic
from app.desk.workbench import Workbench
from app.exports.summary import versions
from app.gui import theme

MARGIN = 12
"""Pixels beside the words of a message."""
_SIGN = {Level.NOTE: "·", Level.WARNING: "!", Level.ERROR: "✕"}
_RANK = {level: k for k, level in enumerate(Level)}
_LEVELS = (("All messages", Level.NOTE), ("Warnings and errors", Level.WARNING), ("Errors", Level.ERROR))


class MessagesPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """The list of messages, with buttons to copy a report and to clear.

    Args:
        bench: whose messages.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._newest: Message | None = None
        self.list = QtWidgets.QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.setRootIsDecorated(False)
        self.list.setWordWrap(True)
        self.list.setItemDelegateForColumn(1, Wrapped(self.list))
        self.list.header().sectionResized.connect(lambda *_: self.list.scheduleDelayedItemsLayout())
        self.list.setColumnWidth(0, self.fontMetrics().horizontalAdvance("M 00:00:00 MM"))
        self.list.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.copy_button = QtWidgets.QPushButton("Copy report")
        self.copy_button.setToolTip("Copies the messages with versions and pipeline, for a report about a mistake")
        self.copy_button.clicked.connect(self.copy_report)
        self.clear_button = QtWidgets.QPushButton("Clear")
        self.clear_button.clicked.connect(self.clear)
        self.levels = QtWidgets.QComboBox()
        for words, level in _LEVELS:
            self.levels.addItem(words, level)
        self.levels.setToolTip("Which messages are listed")
        self.levels.setFocusPolicy(QtCore.Qt.FocusPolicy.ClickFocus)
        self.levels.currentIndexChanged.connect(lambda _k: self.themed())
        self.clear_button.setToolTip("Forget all messages")
        buttons = QtWidgets.QHBoxLayout()
        buttons.addWidget(self.levels)
        buttons.addStretch()
        buttons.addWidget(self.copy_button)
        buttons.addWidget(self.clear_button)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.list)
        layout.addLayout(buttons)
        bench.on(Topic.MESSAGE, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Add what is new."""
        said = self._bench.messages
        known = next((k for k in range(len(said), 0, -1) if said[k - 1] is self._newest), 0)
        if not known:
            self.list.clear()
        fresh = [m for m in said[known:] if _RANK[m.level] >= _RANK[self.levels.currentData()]]
        self.list.addTopLevelItems([_item(message) for message in fresh])
        self._newest = said[-1] if said else None
        if fresh:
            self.list.scrollToBottom()

    def themed(self) -> None:
        """List all anew, in the colours of the theme."""
        self._newest = None
        self.refresh()

    def show_newest(self) -> None:
        """Select the newest message."""
        count = self.list.topLevelItemCount()
        if count:
            self.list.setCurrentItem(self.list.topLevelItem(count - 1))
            self.list.scrollToBottom()

    def clear(self) -> None:
        """Forget all."""
        self._bench.messages.clear()
        self.refresh()

    def report(self) -> str:
        """Everything that somebody who looks for the mistake wants to know."""
        lines = [f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(m.at))} {m.level.value}: {m.sentence}"
                 + (f"\n{m.details}" if m.details else "") for m in self._bench.messages]  # fmt: skip
        facts = json.dumps({"versions": versions(), **self._bench.facts()}, indent=1, default=str)
        return "\n".join([*lines, "", facts])

    def copy_report(self) -> None:
        """Put the report onto the clipboard."""
        QtWidgets.QApplication.clipboard().setText(self.report())


class Wrapped(QtWidgets.QStyledItemDelegate):  # type: ignore[misc]
    """Gives sentences the lines that they need: a tree asks for their height without telling its width."""

    def sizeHint(  # noqa: N802
        self, option: QtWidgets.QStyleOptionViewItem, index: QtCore.QModelIndex
    ) -> QtCore.QSize:
        """As wide as the column, and high enough."""
        tree = self.parent()
        room = QtCore.QRect(0, 0, max(80, tree.columnWidth(1) - MARGIN), 10_000)
        wrap = QtCore.Qt.TextFlag.TextWordWrap
        needed = option.fontMetrics.boundingRect(room, wrap, str(index.data()))
        return QtCore.QSize(room.width(), needed.height() + 6)


def _item(message: Message) -> QtWidgets.QTreeWidgetItem:
    colours = theme.current()
    ink = {Level.NOTE: colours.text, Level.WARNING: colours.warn, Level.ERROR: colours.bad}
    at = time.strftime("%H:%M:%S", time.localtime(message.at))
    item = QtWidgets.QTreeWidgetItem([f"{_SIGN[message.level]} {at}", message.sentence])
    item.setToolTip(1, message.details or message.sentence)
    item.setForeground(0, QtGui.QColor(ink[message.level]))
    item.setForeground(1, QtGui.QColor(ink[message.level] if message.level is Level.ERROR else colours.text))
    return item
