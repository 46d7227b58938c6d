"""What was said: notes, warnings and errors, newest last; can be copied, and never blocks anything."""

from __future__ import annotations

import json
import time

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Message, Topic
from app.desk.bench.workbench import Workbench
from app.files.summary import versions
from app.gui import theme
from app.gui.fixed_font import fixed_font

MARGIN = 12
"""Pixels beside the words of a message."""
MOST_DETAILS, MOST_REPORT = 6000, 60_000
"""Characters of one message's details, and of all messages, in a report: what somebody can still read, and paste."""
CRASH = "Fatal Python error"
"""What the first line of a dump says; what follows is where each thread was."""
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
        self.details = QtWidgets.QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setLineWrapMode(QtWidgets.QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.details.setFont(fixed_font())
        self.details.setToolTip("More about the message that is selected, such as the last words of an engine")
        self.details.hide()
        self.list.currentItemChanged.connect(lambda item, _before: self._detail(item))
        parts = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal)
        parts.addWidget(self.list)
        parts.addWidget(self.details)
        parts.setChildrenCollapsible(False)
        layout.addWidget(parts)
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

    def show_cause(self) -> None:
        """Select the newest error, one that has details if there is one, and show them."""
        items = [self.list.topLevelItem(k) for k in range(self.list.topLevelItemCount() - 1, -1, -1)]
        messages = [item.data(0, QtCore.Qt.ItemDataRole.UserRole) for item in items]
        errors = [k for k, one in enumerate(messages) if one.level is Level.ERROR]
        found = next((k for k in errors if messages[k].details), next(iter(errors), None))
        if found is not None:
            self.list.setCurrentItem(items[found])
            QtCore.QTimer.singleShot(0, lambda: self.list.scrollToItem(self.list.currentItem()))  # details take room

    def _detail(self, item: QtWidgets.QTreeWidgetItem | None) -> None:
        message = None if item is None else item.data(0, QtCore.Qt.ItemDataRole.UserRole)
        text = "" if message is None else message.details
        self.details.setPlainText(text)
        self.details.setVisible(bool(text))
        crash = text.rfind(CRASH)
        cursor = self.details.textCursor()
        cursor.setPosition(crash if crash >= 0 else len(text.rstrip()))  # last words come last, but for a dump's
        self.details.setTextCursor(cursor)
        if crash >= 0:
            below = self.details.document().findBlock(crash).blockNumber()
            self.details.verticalScrollBar().setValue(below)
        self.details.horizontalScrollBar().setValue(0)

    def clear(self) -> None:
        """Forget all."""
        self._bench.messages.clear()
        self.refresh()

    def report(self) -> str:
        """Everything that somebody who looks for the mistake wants to know: what was said, the newest first and what
        was said again counted, then versions and pipeline. Old messages are left out of a report that is too long."""
        kinds: dict[tuple[Level, str, str], list[float]] = {}
        for one in reversed(self._bench.messages):
            kinds.setdefault((one.level, one.sentence, one.details), []).append(one.at)
        newest, room = [], MOST_REPORT
        for (level, sentence, details), times in kinds.items():
            again = f" ({len(times)} times since {_clock(times[-1])})" if len(times) > 1 else ""
            cut = f"[... {len(details) - MOST_DETAILS} characters before]\n" if len(details) > MOST_DETAILS else ""
            words = f"{_clock(times[0])} {level.value}: {sentence[:MOST_DETAILS]}{again}"
            words += f"\n{cut}{details[-MOST_DETAILS:]}" if details else ""
            room -= len(words) + 1
            if room < 0:
                break
            newest.append(words)
        left = len(kinds) - len(newest)
        newest += [f"... and {left} older"] if left else []
        known = {name: value for name, value in self._bench.facts().items() if name != "messages"}
        facts = json.dumps({"versions": versions(), **known}, indent=1, default=str)
        return "\n".join([*newest, "", facts])

    def copy_report(self) -> None:
        """Put the report onto the clipboard."""
        QtWidgets.QApplication.clipboard().setText(self.report())


def _clock(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


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
    item.setData(0, QtCore.Qt.ItemDataRole.UserRole, message)
    item.setToolTip(1, message.details[-2000:] or message.sentence)
    item.setForeground(0, QtGui.QColor(ink[message.level]))
    item.setForeground(1, QtGui.QColor(ink[message.level] if message.level is Level.ERROR else colours.text))
    return item
