"""A tour of two minutes: bubbles beside the parts of the window that say what each is for. The window works meanwhile,
so that one can try what is said; the tour is left at any time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme

SHOWN = "toured"
"""Under which name it is remembered that the tour was seen."""
WIDTH, GAP, MARGIN = 340, 12, 8
"""Pixels: of a bubble; between it and what it tells of; of both to the edges of the window."""
FOLLOW = 120
"""Milliseconds between two looks where the part of the window is now: docks are dragged, panels come and go."""
VEIL = 110
"""How dark the rest of the window is, of 255."""


@dataclass(frozen=True, slots=True)
class Step:
    """A bubble.

    Args:
        title, words: what it says; words may be rich text.
        target: what it is beside; None where that is not seen, and the bubble is in the middle.
        before: brings that to the front.
    """

    title: str
    words: str
    target: Callable[[], QtWidgets.QWidget | None]
    before: Callable[[], object] = lambda: None


class Tour(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        window: the window.
        steps: in their order; the first one begins.
        left: called when the tour ends or is left.

    Attributes:
        bubble: what is said, with its buttons; hidden while there is no tour. at: the number of the step, -1 for none.
    """

    def __init__(
        self, window: QtWidgets.QWidget, steps: Sequence[Step], left: Callable[[], object] = lambda: None
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._window, self._steps, self._left = window, steps, left
        self.at = -1
        self._veil = _Veil(window)
        self.bubble = _Bubble(window, self)
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(FOLLOW)
        self._timer.timeout.connect(self.place)

    def begin(self) -> None:
        """From the first step on."""
        self.go(0)

    def go(self, number: int) -> None:
        """Show a step; behind the last one the tour ends."""
        if not 0 <= number < len(self._steps):
            self.leave()
            return
        self.at = number
        step = self._steps[number]
        step.before()
        self.bubble.say(step, number, len(self._steps))
        self._veil.show()
        self.bubble.show()
        self.bubble.next.setFocus()
        self._timer.start()
        self.place()

    def leave(self) -> None:
        """No tour any more."""
        if self.at >= 0:
            self.at = -1
            self._timer.stop()
            self._veil.hide()
            self.bubble.hide()
            self._left()

    def place(self) -> None:
        """Stand beside what is told of, where that is now."""
        target = self._steps[self.at].target()
        whole = self._window.rect()
        spot = QtCore.QRect()
        if target is not None and target.isVisible():
            # Within the window: the part may lie several widgets deep.
            corner = target.mapTo(self._window, QtCore.QPoint(0, 0))
            spot = QtCore.QRect(corner, target.size()).adjusted(-3, -3, 3, 3).intersected(whole)
        self._veil.light(whole, spot)
        # Qt lays the window out anew, with the video on top, where a panel comes to the front.
        parts = [one for one in self._window.children() if isinstance(one, QtWidgets.QWidget) and not one.isWindow()]
        if parts[-2:] != [self._veil, self.bubble]:
            self._veil.raise_()
            self.bubble.raise_()
        width = min(WIDTH, whole.width() - 2 * MARGIN)
        self.bubble.resize(width, self.bubble.layout().totalHeightForWidth(width))  # words that wrap know no other way
        self.bubble.move(beside(spot, self.bubble.size(), whole))

    def themed(self) -> None:
        """Take the colours of the theme."""
        self._veil.update()


def beside(spot: QtCore.QRect, size: QtCore.QSize, whole: QtCore.QRect) -> QtCore.QPoint:
    """Where a bubble goes: below, above, right or left of a spot, where it has room; else over its middle.

    Args:
        spot: what it tells of; empty for nothing.
        size: of the bubble.
        whole: of the window.
    """
    room = whole.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    middle = spot.center() if not spot.isEmpty() else whole.center()
    left = middle.x() - size.width() // 2
    top = middle.y() - size.height() // 2
    places = [QtCore.QPoint(left, spot.bottom() + GAP), QtCore.QPoint(left, spot.top() - GAP - size.height()),
              QtCore.QPoint(spot.right() + GAP, top), QtCore.QPoint(spot.left() - GAP - size.width(), top)]  # fmt: skip
    for at in [] if spot.isEmpty() else places:
        box = QtCore.QRect(_within(at, size, room), size)
        if room.contains(box) and not box.intersects(spot):
            return box.topLeft()
    return _within(QtCore.QPoint(left, top), size, room)


def _within(at: QtCore.QPoint, size: QtCore.QSize, room: QtCore.QRect) -> QtCore.QPoint:
    x = max(room.left(), min(at.x(), room.right() + 1 - size.width()))
    return QtCore.QPoint(x, max(room.top(), min(at.y(), room.bottom() + 1 - size.height())))


class _Veil(QtWidgets.QWidget):  # type: ignore[misc]
    """Makes all of the window darker but one spot; clicks go through it."""

    def __init__(self, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
        self._spot = QtCore.QRect()
        self.hide()

    def light(self, whole: QtCore.QRect, spot: QtCore.QRect) -> None:
        if self.geometry() != whole or spot != self._spot:
            self.setGeometry(whole)
            self._spot = spot
            self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        del event
        painter = QtGui.QPainter(self)
        dark = QtGui.QRegion(self.rect()).subtracted(QtGui.QRegion(self._spot))
        painter.setClipRegion(dark)
        painter.fillRect(self.rect(), QtGui.QColor(0, 0, 0, VEIL))
        painter.setClipping(False)
        if not self._spot.isEmpty():
            painter.setPen(QtGui.QPen(QtGui.QColor(theme.current().accent), 2))
            painter.drawRect(self._spot.adjusted(1, 1, -2, -2))


class _Bubble(QtWidgets.QFrame):  # type: ignore[misc]
    """What a step says, with its buttons."""

    def __init__(self, window: QtWidgets.QWidget, tour: Tour) -> None:
        super().__init__(window)
        self.setObjectName("tour")
        self._tour = tour
        self.title, self.words, self.count = QtWidgets.QLabel(), QtWidgets.QLabel(), QtWidgets.QLabel()
        font = self.title.font()
        font.setWeight(600)
        font.setPointSizeF(1.15 * font.pointSizeF())
        self.title.setFont(font)
        self.words.setWordWrap(True)
        self.count.setProperty("muted", True)
        self.leave, self.back, self.next = (QtWidgets.QPushButton(words) for words in ("&Leave", "&Back", "&Next"))
        self.leave.setToolTip("Leave the tour (Esc); Help > Take the tour begins it again")
        self.back.setToolTip("The step before (Left)")
        self.next.setToolTip("The next step (Enter)")
        self.next.setDefault(True)
        row = QtWidgets.QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (self.leave, self.back, self.next):
            row.addWidget(button)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(14, 10, 12, 10)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addLayout(row)
        self.leave.clicked.connect(lambda _: tour.leave())
        self.back.clicked.connect(lambda _: tour.go(tour.at - 1))
        self.next.clicked.connect(lambda _: tour.go(tour.at + 1))
        for button in (self.leave, self.back, self.next):
            button.installEventFilter(self)
        self.hide()

    def say(self, step: Step, number: int, count: int) -> None:
        self.title.setText(step.title)
        self.words.setText(step.words)
        self.count.setText(f"{number + 1} of {count}")
        self.back.setVisible(number > 0)
        self.next.setText("&Next" if number + 1 < count else "&Done")
        self.leave.setVisible(number + 1 < count)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Esc leaves, arrows and Enter go on and back; the window does not hear of them."""
        kinds, keys = QtCore.QEvent.Type, QtCore.Qt.Key
        if event.type() not in (kinds.ShortcutOverride, kinds.KeyPress):
            return bool(super().eventFilter(watched, event))
        does: dict[Any, Callable[[], object]] = {
            keys.Key_Escape: self._tour.leave, keys.Key_Right: self.next.click,
            keys.Key_Return: watched.click if isinstance(watched, QtWidgets.QPushButton) else self.next.click,
        }  # fmt: skip
        does[keys.Key_Enter] = does[keys.Key_Return]
        if not self.back.isHidden():
            does[keys.Key_Left] = self.back.click
        if event.key() not in does:
            return False
        # Both events are taken: the override keeps the window's actions away, the press does the work.
        event.accept()
        if event.type() == kinds.KeyPress:
            does[event.key()]()
        return True


def steps_of(window: Any) -> Sequence[Step]:
    """The tour of a main window."""

    def tool(name: str) -> Callable[[], QtWidgets.QWidget | None]:
        def find() -> QtWidgets.QWidget | None:
            found: QtWidgets.QWidget | None = window.bar.widgetForAction(window.actions_.made[name])
            return found

        return find

    def panel(name: str) -> Callable[[], QtWidgets.QWidget | None]:
        return lambda: window.docks[name]

    def front(name: str) -> Callable[[], object]:
        return lambda: window.show_panel(name)

    return (
        Step("Welcome", "A sample clip runs and is tracked while it plays. This tour takes two minutes; all works "
             "meanwhile, so try what it says. <b>Leave</b> or Esc ends it.", lambda: window.video),
        Step("Open", "Drop a clip of yours on the window, or press Ctrl+O: videos, raw files of high-speed cameras, "
             "pictures, recorded sessions, projects. Help &gt; Sample scenes has more to try.", tool("open")),
        Step("Pipeline: what do you follow?", "Choose in the list above by what you follow: spots, markers, a ball, "
             "speckle. Below, the stages run from top to bottom, and those in one frame run as one program. A double "
             "click on a stage shows its picture.", panel("pipeline"), front("pipeline")),
        Step("Parameters", "Those of the stage that is picked. Drag a slider: the tracks follow at once, while it "
             "plays. Ctrl+Z takes back anything.", panel("parameters"), front("parameters")),
        Step("Tracks", "Click on a marker to pick its track, with Ctrl several. The tools at the left place points, "
             "regions, a scale; the right button renames, merges and splits tracks.", lambda: window.video),
        Step("Traces", "What the picked tracks do over time, and its spectrum: choose what is drawn above. A click "
             "goes to that frame. Analysis, beside it, fits and finds modes.", panel("traces"), front("traces")),
        Step("Record", "Open a camera here (one is simulated, to try it), then Record: every frame is kept, with its "
             "tracks, and replayed bit for bit.", tool("camera")),
        Step("Run and export", "Run takes the whole clip into a folder of tables and pictures; Export, beside it, "
             "writes what was tracked for other programs, and videos with the tracks drawn in. Ctrl+S saves all as a "
             "project.",
             tool("export")),
        Step("Help", "F1 shows all keys and what the mouse does. Resting the cursor on anything says what it is.",
             tool("keys")),
    )  # fmt: skip
