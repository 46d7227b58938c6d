"""Every key, on one sheet; made from the table of actions, so that it is never wrong."""

from __future__ import annotations

from collections.abc import Iterable

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.actions import MENUS, Action

MOUSE = (
    ("Wheel", "zoom at the cursor"), ("Drag", "move the picture"), ("Double click", "fit the picture"),
    ("Click on a marker", "pick the track"), ("Ctrl+click, Shift+click", "pick one more, or one less"),
    ("Right click on a marker", "what can be done with the track: rename, merge, split, swap, delete"),
)  # fmt: skip

KEYS = (
    ("Space", "plays and pauses", "in a field for words it is typed; it presses a button that was reached with Tab"),
    ("Letters, digits", "in a field they are typed, never commands", "a field for numbers refuses letters"),
    ("Enter, Esc", "leave a field: the keys are those of the video again", ""),
    ("Tab, Shift+Tab", "to the next field or button, and back", "there arrows move a slider and open a choice"),
)
"""What keys do in fields and on buttons (`app.gui.focus`)."""


GAP = 24
"""Pixels between columns, and beside the sheet."""


class HelpSheet(QtWidgets.QDialog):  # type: ignore[misc]
    """Shows the keys, filtered by what is typed.

    Args:
        actions: the table.
        parent: the window.
    """

    def __init__(self, actions: Iterable[Action], parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys and mouse")
        listed = tuple(actions)
        self._rows: list[tuple[str, str, str, str]] = [
            (action.menu, ", ".join(_native(key) for key in action.keys) or _by_menu(action),
             action.text.replace("&", ""), action.tip)
            for menu in MENUS for action in listed if action.menu == menu
        ]  # fmt: skip
        self._rows += [("Keys in fields", *row) for row in KEYS]
        self._rows += [("Mouse on the video", keys, words, "") for keys, words in MOUSE]
        self.search = QtWidgets.QLineEdit()
        self.search.setPlaceholderText("Search")
        self.search.setToolTip("Shows only what has these letters in its key, its name or its tip")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._fill)
        self.tree = QtWidgets.QTreeWidget()
        self.tree.setColumnCount(3)
        self.tree.setHeaderLabels(["Key", "Does", "More"])
        for column, tip in enumerate(("What to press, or the keys through the menu", "What it does", "More about it")):
            self.tree.headerItem().setToolTip(column, tip)
        self.tree.setRootIsDecorated(False)
        layout = QtWidgets.QVBoxLayout(self)
        layout.addWidget(self.search)
        layout.addWidget(self.tree)
        self._fill("")
        self._widen()

    def _widen(self) -> None:
        """Columns for the longest of all rows, as wide as the screen allows; they stay so while rows are searched."""
        words = self.tree.fontMetrics()
        for column in range(3):
            longest = max(words.horizontalAdvance(row[column + 1]) for row in self._rows)
            self.tree.setColumnWidth(column, longest + words.horizontalAdvance("   ") + GAP)
        sides = self.layout().contentsMargins()
        width = (self.tree.header().length() + 2 * self.tree.frameWidth() + sides.left() + sides.right()
                 + self.style().pixelMetric(QtWidgets.QStyle.PixelMetric.PM_ScrollBarExtent))  # fmt: skip
        room = QtWidgets.QApplication.primaryScreen().availableSize()
        self.resize(min(width + GAP, room.width() - GAP), min(680, room.height() - GAP))

    def _fill(self, text: str) -> None:
        self.tree.clear()
        last = ""
        for menu, keys, words, tip in self._rows:
            if text.casefold() not in f"{menu} {keys} {words} {tip}".casefold():
                continue
            if menu != last:
                last = menu
                head = QtWidgets.QTreeWidgetItem([menu])
                font = head.font(0)
                font.setBold(True)
                head.setFont(0, font)
                head.setFlags(QtCore.Qt.ItemFlag.ItemIsEnabled)
                self.tree.addTopLevelItem(head)
            item = QtWidgets.QTreeWidgetItem([f"   {keys}", words, tip])
            item.setToolTip(2, tip)  # of a long one the end may have no room
            self.tree.addTopLevelItem(item)


def _by_menu(action: Action) -> str:
    """The keys that lead to an action through its menu."""
    letters = [text.partition("&")[2][:1].upper() for text in (MENUS[action.menu], action.sub, action.text) if text]
    return f"Alt+{', '.join(letters)}" if all(letters) else ""


def _native(key: str) -> str:
    return str(QtGui.QKeySequence(key).toString(QtGui.QKeySequence.SequenceFormat.NativeText))
