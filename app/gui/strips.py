"""Strips above the video: a sentence with buttons that asks or tells something and never stands in the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level
from app.gui.icons import icon

READABLE = 300
"""Pixels that a sentence gets beside the buttons, if it needs them; else the buttons stand below it."""


class Strip(QtWidgets.QFrame):  # type: ignore[misc]
    """One strip.

    Args:
        words: the sentence; may be rich text.
        level: how loud.
        middle: widgets behind the sentence, such as a field.
        buttons: what stands on a button and what it does; the first one is the usual answer.
        closed: called when the strip is closed by its cross; None for a strip without a cross.
        tip: more words, for the cursor.

    Attributes:
        label, buttons: the sentence, and the buttons by what stands on them. `tail` holds the fields and the buttons.
        cross: closes the strip; None where there is none.
    """

    def __init__(
        self, words: str, level: Level = Level.NOTE, *, middle: Sequence[QtWidgets.QWidget] = (),
        buttons: Sequence[tuple[str, Callable[[], object]]] = (), closed: Callable[[], object] | None = None,
        tip: str = "",
    ) -> None:
        super().__init__()
        self.setProperty("strip", level.value)
        self.label = QtWidgets.QLabel(words)
        self.label.setWordWrap(True)
        self.label.setToolTip(tip)
        # A label that wraps asks for a narrow, high place; here it gets the width that is left.
        wide = QtWidgets.QSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        wide.setHeightForWidth(True)
        self.label.setSizePolicy(wide)
        self.tail = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout(self.tail)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in middle:
            row.addWidget(widget)
        self.buttons: dict[str, QtWidgets.QPushButton] = {}
        for k, (text, work) in enumerate(buttons):
            button = QtWidgets.QPushButton(text)
            button.setDefault(k == 0)
            button.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _checked, work=work: work())
            self.buttons[text] = button
            row.addWidget(button)
        self.cross: QtWidgets.QToolButton | None = None
        if closed is not None:
            self.cross = QtWidgets.QToolButton()
            self.cross.setIcon(icon("close"))
            self.cross.setIconSize(QtCore.QSize(14, 14))
            self.cross.setToolTip("Close this line")
            self.cross.clicked.connect(lambda _checked: closed())
        self._grid = QtWidgets.QGridLayout(self)
        self._grid.setContentsMargins(10, 5, 6, 5)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(self.label, 0, 0)
        self._grid.addWidget(self.tail, 0, 1)
        if self.cross is not None:
            self._grid.addWidget(self.cross, 0, 2)
        self.tail.setVisible(bool(row.count()))
        self.stacked = False
        line = QtGui.QTextDocument()
        line.setDefaultFont(self.label.font())
        line.setHtml(words)
        self._length = int(line.idealWidth()) + 2  # of the sentence in one line

    def _room(self, width: int) -> tuple[int, int]:
        """Pixels for the sentence alone, and beside the buttons, in a strip of some width."""
        edges, gap = self._grid.contentsMargins(), self._grid.horizontalSpacing()
        alone = width - edges.left() - edges.right() - 3  # the line at the left
        if self.cross is not None:
            alone -= self.cross.sizeHint().width() + gap
        buttons = self.tail.sizeHint().width() + gap if self.tail.layout().count() else 0
        return alone, alone - buttons

    def _stacks(self, width: int) -> bool:
        alone, beside = self._room(width)
        return beside < min(self._length, READABLE, alone)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """The buttons stand beside the sentence, or below it."""
        super().resizeEvent(event)
        stacked = self._stacks(self.width())
        if stacked == self.stacked:
            return
        self.stacked = stacked
        self._grid.removeWidget(self.tail)
        if stacked:
            self._grid.addWidget(self.tail, 1, 0, 1, 2, QtCore.Qt.AlignmentFlag.AlignLeft)
        else:
            self._grid.addWidget(self.tail, 0, 1)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Sentences wrap."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """As high as the sentence needs."""
        edges = self._grid.contentsMargins()
        alone, beside = self._room(width)
        tail = self.tail.sizeHint().height() if self.tail.layout().count() else 0
        cross = self.cross.sizeHint().height() if self.cross is not None else 0
        if self._stacks(width):
            inner = max(self.label.heightForWidth(alone), cross) + self._grid.verticalSpacing() + tail
        else:
            inner = max(self.label.heightForWidth(beside), tail, cross)
        return int(inner + edges.top() + edges.bottom())


class Strips(QtWidgets.QWidget):  # type: ignore[misc]
    """The strips that are shown, one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[str, Strip] = {}
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        self.setVisible(False)

    def __contains__(self, name: str) -> bool:
        return name in self._shown

    def __getitem__(self, name: str) -> Strip:
        return self._shown[name]

    def put(self, name: str, strip: Strip) -> None:
        """Show a strip, in place of another one of this name."""
        self.remove(name)
        self._shown[name] = strip
        self.layout().addWidget(strip)
        self.setVisible(True)

    def remove(self, name: str) -> None:
        """Take a strip away, if it is there."""
        strip = self._shown.pop(name, None)
        if strip is not None:
            strip.hide()
            self.layout().removeWidget(strip)
            strip.deleteLater()
        self.setVisible(bool(self._shown))

    def themed(self) -> None:
        """Take the colours of the theme."""
        for strip in self._shown.values():
            cross: Any = strip.cross
            if cross is not None:
                cross.setIcon(icon("close"))
