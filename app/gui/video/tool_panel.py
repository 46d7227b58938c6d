"""The strip over the video that says what the tool in hand wants, with its buttons and fields.

It folds to its words while something is dragged, so that the place below it can be reached and seen; what is to be
done next may be in the fields, so they are there at any other time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme
from app.gui.icons import icon

WIDE = 720
"""Pixels; on a wide screen the button is not far from the words."""
HINT_LINES = 2
"""Lines of words that the video gives place to."""
APART = 8
"""Pixels between it and the edges of the video."""


class ToolPanel(QtWidgets.QFrame):  # type: ignore[misc]
    """Floats over the upper edge of the video while a tool is in hand, or over the lower one: a picture that was seen
    whole lies beside it then (`VideoView.make_room`), one that is zoomed into stays where it is.

    Args:
        finish, leave: called by its buttons.

    Attributes:
        low: whether it lies at the lower edge. other: a button that moves it to the other one.
        over: the layout in which it lies.
        moved: a signal: somebody moved it to the other edge.
    """

    moved = QtCore.pyqtSignal()

    def __init__(self, finish: Callable[[], object], leave: Callable[[], object]) -> None:
        super().__init__()
        self.low = False
        self.setObjectName("toolPanel")
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
        self.setMaximumWidth(WIDE)
        # As wide as the video: what it asks for would move the docks.
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.badge = QtWidgets.QLabel()
        self.title = QtWidgets.QLabel()
        self.hint = QtWidgets.QLabel()
        self.hint.setProperty("muted", True)
        self.hint.setWordWrap(True)
        self.hint.setMinimumWidth(84)
        self.hint.setMaximumHeight(HINT_LINES * self.hint.fontMetrics().lineSpacing() + 2)  # the cursor says the rest
        self.done = QtWidgets.QPushButton()
        self.done.setDefault(True)
        self.done.setToolTip("Finish the tool  (Return)")
        self.done.clicked.connect(lambda: finish())
        self.close_button = QtWidgets.QToolButton()
        self.close_button.setToolTip("Leave the tool  (Esc)")
        self.close_button.clicked.connect(lambda: leave())
        self.other = QtWidgets.QToolButton()
        self.other.clicked.connect(self._move)
        self.over: QtWidgets.QBoxLayout | None = None
        self._kept_off: list[float] = []
        self._form: QtWidgets.QWidget | None = None
        head = self._head = QtWidgets.QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.badge)
        head.addWidget(self.title)
        head.addWidget(self.hint, 1)
        head.addWidget(self.done)
        head.addWidget(self.other)
        head.addWidget(self.close_button)
        self._row = QtWidgets.QHBoxLayout()
        self._row.setSpacing(8)
        self._row.addStretch(1)
        self.folded = False
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 6, 7)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addLayout(self._row)
        self.themed()
        self.hide()

    def themed(self) -> None:
        """The colours of the theme."""
        now = theme.current()
        ground = QtGui.QColor(now.panel)
        red, green, blue, _ = ground.getRgb()
        glass = f"rgba({red}, {green}, {blue}, 190)" if self.folded else now.panel
        self.setStyleSheet(f"#toolPanel {{ background: {glass}; border: 1px solid {now.accent}; border-radius: 6px; }}")
        self.close_button.setIcon(icon("close"))
        self.lie(self.low)
        self._badge(self._icon)

    _icon = "pointer"

    def _badge(self, name: str) -> None:
        self._icon = name
        self.badge.setPixmap(icon(name).pixmap(18, 18))

    def show_tool(
        self, name: str, picture: str, finishing: str, form: QtWidgets.QWidget | None, tip: str = ""
    ) -> None:
        """Another tool is in hand."""
        if self._form is not None and self._form is not form:
            self._row.removeWidget(self._form)
            self._form.hide()
        self._form = form
        if form is not None:
            form.setParent(self)
            self._row.insertWidget(0, form)
        self.fold(False)
        self._badge(picture)
        self.title.setText(f"<b>{name}</b>")
        self.done.setText(finishing)
        self.done.setToolTip(f"{tip or finishing}  (Return)")
        self.done.setVisible(bool(finishing))
        self.raise_()

    @property
    def needed(self) -> int:
        """Pixels at the edge of the video that it takes."""
        return int(max(self.height() if self.isVisible() else 0, self.sizeHint().height()) + APART)

    @property
    def most(self) -> int:
        """Pixels at the edge of the video that it takes where its words have all lines that they may have."""
        head = self._head.geometry().height()
        return int(self.height() - head + max(head, self.hint.maximumHeight()) + APART)

    def lie(self, low: bool) -> None:
        """At the lower edge of the video, or at the upper one."""
        self.low = low
        ways = QtWidgets.QBoxLayout.Direction
        if self.over is not None:
            self.over.setDirection(ways.BottomToTop if low else ways.TopToBottom)
        self.other.setToolTip(f"Move this to the {'upper' if low else 'lower'} edge of the video, where it hides "
                              "something else")  # fmt: skip
        self.other.setIcon(icon("up" if low else "down"))

    def _move(self) -> None:
        self.lie(not self.low)
        self.moved.emit()

    def keep_off(self, places: Sequence[float], height: float) -> None:
        """Lie at the other edge if it hides some of what lies so many pixels below the video's upper edge, and would
        hide none of it there; not while something is dragged."""
        if self.folded or places == self._kept_off:  # somebody may have moved it back since
            return
        self._kept_off = list(places)
        hidden = [[y for y in places if y < self.needed], [y for y in places if y > height - self.needed]]
        if hidden[self.low] and not hidden[not self.low]:
            self.lie(not self.low)

    def _fit(self) -> None:
        """Without its name, which the button of the tool has, where the words would need a third line beside it."""
        words = self.hint.fontMetrics().horizontalAdvance(self.hint.text())
        others = [one for one in (self.badge, self.done, self.other, self.close_button) if not one.isHidden()]
        room = self.width() - 60 - sum(one.sizeHint().width() + 8 for one in others)
        self.title.setHidden(words > 1.8 * (room - self.title.sizeHint().width()))
        sides = QtCore.Qt.AlignmentFlag
        cut = self.hint.heightForWidth(self.hint.width()) > self.hint.maximumHeight()
        self.hint.setAlignment(sides.AlignLeft | (sides.AlignTop if cut else sides.AlignVCenter))
        self.badge.setToolTip(self.title.text())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """The words have the room that they need."""
        super().resizeEvent(event)
        self._fit()

    def say(self, hint: str, ready: bool) -> None:
        """What to do next, and whether it can be finished."""
        self.hint.setText(hint)
        self._fit()
        self.hint.setToolTip(hint)
        self.done.setEnabled(ready)

    def fold(self, on: bool) -> None:
        """The words without the fields, or all of it."""
        if on == self.folded and on:
            return
        self.folded = on
        if self._form is not None:
            self._form.setVisible(not on)
        self.layout().setSpacing(0 if on else 6)
        self.themed()
        self.adjustSize()


def floating(panel: ToolPanel, video: QtWidgets.QWidget, strips: QtWidgets.QWidget) -> QtWidgets.QGridLayout:
    """A layout with the video in all of it, over it the panel at its upper or lower edge, and strips beside that."""
    over = QtWidgets.QVBoxLayout()
    over.setContentsMargins(APART, APART, APART, APART)
    panel.over = over
    over.addWidget(panel)
    over.addWidget(strips)
    over.addStretch(1)
    both = QtWidgets.QGridLayout()
    both.setContentsMargins(0, 0, 0, 0)
    both.addWidget(video, 0, 0)
    both.addLayout(over, 0, 0)
    return both
