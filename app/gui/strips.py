"""Strips above the video: a sentence with buttons that asks or tells something and never blocks the video."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level
from app.gui.icons import icon

READABLE = 300
"""Pixels that a sentence gets beside the buttons, if it needs them; else the buttons are below it."""
MOST_LINES = 4
"""Lines of a sentence that are seen until it is clicked, of which buttons that are below it take `TAIL`: the video is
what people look at."""
TAIL = 2


class Strip(QtWidgets.QFrame):  # type: ignore[misc]
    """One strip.

    Args:
        words: the sentence; may be rich text.
        level: how loud.
        middle: widgets behind the sentence, such as a field.
        buttons: what is on a button and what it does; the first one is the usual answer.
        closed: called when the strip is closed by its cross; None for a strip without a cross.
        tip: more words, for the cursor.

    Attributes:
        label, buttons: the sentence, and the buttons by what is on them. `tail` holds the fields and the buttons.
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
        self.label.setAlignment(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter)
        self.label.installEventFilter(self)
        self.whole, self._tip = False, tip
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
        self._plain = line.toPlainText()

    def _room(self, width: int) -> tuple[int, int]:
        """Pixels for the sentence alone, and beside the buttons, in a strip of some width."""
        edges, gap = self._grid.contentsMargins(), self._grid.horizontalSpacing()
        alone = width - edges.left() - edges.right() - 3  # the line at the left
        if self.cross is not None:
            alone -= self.cross.sizeHint().width() + gap
        buttons = self.tail.sizeHint().width() + gap if self.tail.layout().count() else 0
        return alone, alone - buttons

    def _high(self, width: int, stacked: bool) -> int:
        """Pixels of the sentence in lines of some width: of the first few, unless it was clicked."""
        needed = int(self.label.heightForWidth(width))
        return needed if self.whole else min(needed, self._most(stacked))

    @property
    def most(self) -> int:
        """Pixels of the sentence until it is clicked."""
        return self._most(self.stacked)

    def _most(self, stacked: bool) -> int:
        below = stacked and bool(self.tail.layout().count())
        return int((MOST_LINES - TAIL * below) * self.label.fontMetrics().lineSpacing()) + 2

    def _cut(self) -> None:
        """See to it that what has no room can be seen by a click, and is said by the cursor."""
        width = self.label.width()
        cut = self.label.heightForWidth(width) > self.most
        sides = QtCore.Qt.AlignmentFlag
        self.label.setAlignment(sides.AlignLeft | (sides.AlignTop if cut else sides.AlignVCenter))
        self.label.setMaximumHeight(self._high(width, self.stacked) if cut else 16777215)  # Qt's own for none
        self.label.setToolTip(self._tip or (self._plain if cut else ""))
        shapes = QtCore.Qt.CursorShape
        self.label.setCursor(shapes.PointingHandCursor if cut else shapes.ArrowCursor)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """A click on a sentence that is cut shows all of it, and the next one as much as before."""
        if watched is self.label and event.type() == QtCore.QEvent.Type.MouseButtonRelease:
            self.whole = not self.whole
            self._cut()
            self.updateGeometry()
        elif watched is self.label and event.type() == QtCore.QEvent.Type.Resize:
            self._cut()
        return False

    def _stacks(self, width: int) -> bool:
        alone, beside = self._room(width)
        # Below where the sentence would get less than it needs, less than READABLE, and less than it has alone.
        return beside < min(self._length, READABLE, alone)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """The buttons are beside the sentence, or below it."""
        super().resizeEvent(event)
        stacked = self._stacks(self.width())
        if stacked == self.stacked:
            return
        self.stacked = stacked
        self._cut()
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
            inner = max(self._high(alone, True), cross) + self._grid.verticalSpacing() + tail
        else:
            inner = max(self._high(beside, False), tail, cross)
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
