"""The generated code of each group, coloured; search and copy."""

from __future__ import annotations

from collections.abc import Sequence

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.group_names import brief, listed
from app.gui import theme
from app.gui.fixed_font import fixed_font
from app.gui.plan.highlight import Highlighter

TIP = QtCore.Qt.ItemDataRole.ToolTipRole
MOST_COLOURED = 400_000
"""Characters up to which code is coloured; more of it would hold up the window."""
LINES = 150
"""Lines that are put into the view or coloured anew at once; the rest follows a piece at a time."""


class SourceView(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        alone: whether it has a window of its own, and needs no button to get one.

    Attributes:
        text: the code. find: the search line. tools: a row with what is above the code; where the view has no window of
            its own, it is to be put somewhere.
        enlarged: a signal: a window of its own is wanted.
    """

    enlarged = QtCore.pyqtSignal()

    def __init__(self, alone: bool = False) -> None:
        super().__init__()
        self._sources: Sequence[tuple[str, str]] = ()
        self._rest: list[str] = []
        self._block: QtGui.QTextBlock | None = None
        self.group = QtWidgets.QComboBox()
        self.group.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.group.setToolTip("The group whose code is shown")
        self.group.currentIndexChanged.connect(self._show)
        self.find = QtWidgets.QLineEdit()
        self.find.setPlaceholderText("Search the code  (Ctrl+F)")
        self.find.setToolTip("Ctrl+F; Return goes to the next place")
        self.find.setClearButtonEnabled(True)
        self.find.textChanged.connect(lambda: self.search(again=True))
        self.find.returnPressed.connect(self.search)
        self.count = QtWidgets.QLabel()
        self.count.setProperty("muted", True)
        self.copy_button = QtWidgets.QPushButton("Copy")
        self.copy_button.setToolTip("Copies all of the group's code")
        self.copy_button.clicked.connect(self.copy)
        self.text = QtWidgets.QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setLineWrapMode(QtWidgets.QPlainTextEdit.LineWrapMode.NoWrap)
        fixed = fixed_font(2)
        self.text.setFont(fixed)
        self.text.setPlaceholderText("The code is being generated …")
        self.highlighter = Highlighter(self.text.document())
        self.tools = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.group, 2)
        row.addWidget(self.find, 2)
        row.addWidget(self.count)
        row.addWidget(self.copy_button)
        self.enlarge = QtWidgets.QPushButton("Enlarge")
        self.enlarge.setToolTip("The code in a window of its own  (Ctrl+Shift+G)")
        self.enlarge.clicked.connect(self.enlarged.emit)
        if not alone:
            row.addWidget(self.enlarge)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(4, 0, 4, 2)
        column.setSpacing(4)
        if alone:
            column.addWidget(self.tools)
        column.addWidget(self.text, 1)
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._more)
        shortcut = QtWidgets.QShortcut(QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Find), self)
        shortcut.setContext(QtCore.Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.start_search)
        self._shortcut = shortcut

    def themed(self) -> None:
        """Take the colours of the theme; long code a piece at a time."""
        self.highlighter.themed()
        if self.highlighter.document() is not None:
            self._block = self.text.document().firstBlock()
            self._timer.start()

    @property
    def sources(self) -> Sequence[tuple[str, str]]:
        """What is shown: (group, code)."""
        return self._sources

    def show_sources(self, sources: Sequence[tuple[str, str]] | None) -> None:
        """Show code; None for "it is being made"."""
        if sources is None:
            self._sources = ()
            self.group.clear()
            self.text.clear()
            return
        if tuple(sources) == tuple(self._sources):
            return
        kept = self.group.currentData()
        self._sources = tuple(sources)
        self.group.blockSignals(True)
        self.group.clear()
        for name, _ in sources:
            self.group.addItem(brief(name.split("+")), name)
            self.group.setItemData(self.group.count() - 1, listed(name.split("+")), TIP)
        self.group.setCurrentIndex(max(0, self.group.findData(kept)))
        self.group.blockSignals(False)
        self._show()

    def show_group(self, name: str) -> None:
        """Turn to a group; `name` is that of its stages, with + between."""
        self.group.setCurrentIndex(max(0, self.group.findData(name)))

    @property
    def code(self) -> str:
        """The code of the group that is shown."""
        place = self.group.currentIndex()
        return self._sources[place][1] if 0 <= place < len(self._sources) else ""

    def _show(self) -> None:
        code = self.code
        self.highlighter.language = "cuda" if code.lstrip().startswith("//") else "llvm"
        self.highlighter.setDocument(self.text.document() if len(code) <= MOST_COLOURED else None)
        lines = code.split("\n")
        self._block = None
        self.text.setPlainText("\n".join(lines[:LINES]))
        self._rest = lines[LINES:]
        if self._rest:
            self._timer.start()
        self.search(again=True)

    def _more(self) -> None:
        """The next piece: long code does not hold up the window."""
        if self._block is not None:
            for _ in range(LINES):
                self.highlighter.rehighlightBlock(self._block)
                self._block = self._block.next()
                if not self._block.isValid():
                    self._block = None
                    break
            if self._block is not None:
                return
        piece, self._rest = self._rest[:LINES], self._rest[LINES:]
        if piece:
            cursor = QtGui.QTextCursor(self.text.document())
            cursor.movePosition(QtGui.QTextCursor.MoveOperation.End)
            cursor.insertText("\n" + "\n".join(piece))
        if not self._rest:
            self._timer.stop()

    def start_search(self) -> None:
        """Type into the search line."""
        self.find.setFocus()
        self.find.selectAll()

    def search(self, again: bool = False) -> None:
        """Go to the next place; `again` from the top on."""
        word = self.find.text()
        while word and (self._rest or self._block is not None):
            self._more()
        hits = self.code.casefold().count(word.casefold()) if word else 0
        self.count.setText("" if not word else f"{hits} found" if hits else "not found")
        if not word or not hits:
            self.text.setExtraSelections([])
            return
        if again:
            self.text.moveCursor(QtGui.QTextCursor.MoveOperation.Start)
        if not self.text.find(word):
            self.text.moveCursor(QtGui.QTextCursor.MoveOperation.Start)
            self.text.find(word)
        self._mark()

    def _mark(self) -> None:
        marked = QtWidgets.QTextEdit.ExtraSelection()
        marked.cursor = self.text.textCursor()
        marked.format.setBackground(QtGui.QColor(theme.current().accent))
        marked.format.setForeground(QtGui.QColor(theme.current().on_accent))
        self.text.setExtraSelections([marked])

    def copy(self) -> None:
        """All of the group's code to the clipboard."""
        QtWidgets.QApplication.clipboard().setText(self.code)
