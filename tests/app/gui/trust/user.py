"""A user of the real window over the real engine, with a mouse and a keyboard and nothing else: files are dropped,
menus and lists are opened and chosen from, keys go to whatever has the focus. What is asserted is what is seen."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.gui.main_window import MainWindow
from app.gui.video.point_tools import PlacePoints
from pipelines.streaming.common.states import RunState
from tests.app.gui.test_drops import drop, urls
from tests.patience import PATIENCE

LEFT, RIGHT = QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.MouseButton.RightButton
NONE = QtCore.Qt.KeyboardModifier.NoModifier
NAP = 5
"""Milliseconds between two looks of somebody who waits."""
SLOW = 13
"""Milliseconds between two places of a mouse that drags: a scene looks at a drag some eighty times a second."""


class User:
    """See the module.

    Args:
        window: that is shown; its own clock ticks.
    """

    def __init__(self, window: MainWindow) -> None:
        self.window, self.bench = window, window.bench

    # ------------------------------------------------------------------------------------------------------ waiting

    def until(self, done: Callable[[], object], what: str = "") -> None:
        """Let the window live until something holds."""
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, (what, [one.sentence for one in self.bench.messages])
            QtTest.QTest.qWait(NAP)

    def settle(self) -> None:
        """Let it do what it has put off."""
        for _ in range(5):
            QtTest.QTest.qWait(NAP)

    # ------------------------------------------------------------------------------------------- mouse and keyboard

    def key(self, keys: str) -> None:
        """A key with those that are held, such as "Ctrl+Z", to whatever has the focus."""
        code = int(QtGui.QKeySequence(keys)[0])
        held = int(QtCore.Qt.KeyboardModifierMask) & 0xFFFFFFFF
        target = QtWidgets.QApplication.focusWidget()
        assert target is not None
        QtTest.QTest.keyClick(target, code & ~held, QtCore.Qt.KeyboardModifiers(code & held))
        self.settle()

    def type(self, text: str) -> None:
        """Letters and digits."""
        QtTest.QTest.keyClicks(QtWidgets.QApplication.focusWidget(), text)
        self.settle()

    def click(
        self, widget: QtWidgets.QWidget, at: QtCore.QPoint | None = None, button: Any = LEFT, held: Any = NONE
    ) -> None:
        """A click into a widget, its middle unless said otherwise."""
        assert widget.isVisible(), widget.objectName() or type(widget).__name__
        assert widget.isEnabled(), widget.toolTip()
        QtTest.QTest.mouseClick(widget, button, held, at if at is not None else widget.rect().center())
        self.settle()

    def menu(self, title: str, *entries: str) -> None:
        """An entry of a menu of the window, by what its texts begin with."""
        bar = self.window.menuBar()
        chosen = _entry(bar.actions(), title)
        QtTest.QTest.mouseClick(bar, LEFT, NONE, bar.actionGeometry(chosen).center())
        menu = chosen.menu()
        for words in entries:
            self.until(menu.isVisible, f"{words} in a menu")
            chosen = _entry(menu.actions(), words)
            assert chosen.isEnabled(), words
            QtTest.QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(chosen).center())
            menu = chosen.menu() or menu
        self.settle()

    def entry(self, button: QtWidgets.QPushButton, words: str) -> None:
        """An entry of a button's menu, by what its text begins with."""
        menu = button.menu()

        def choose() -> None:
            self.until(menu.isVisible, words)
            chosen = _entry(menu.actions(), words)
            QtTest.QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(chosen).center())

        QtCore.QTimer.singleShot(50, choose)  # a click does not return before the menu is left
        self.click(button)

    def choose(self, combo: QtWidgets.QComboBox, words: str) -> None:
        """An entry of a list of choices, by what it begins with."""
        app = QtWidgets.QApplication
        before = app.doubleClickInterval()
        app.setDoubleClickInterval(0)  # so long after it has opened a list takes no click
        try:
            self.click(combo, QtCore.QPoint(combo.width() // 2, combo.height() // 2))
            view = combo.view()
            self.until(view.isVisible, words)
            row = next(k for k in range(combo.count()) if combo.itemText(k).startswith(words))
            place = view.model().index(row, combo.modelColumn())
            view.scrollTo(place)
            self.settle()
            QtTest.QTest.mouseMove(view.viewport(), view.visualRect(place).center())
            QtTest.QTest.mouseClick(view.viewport(), LEFT, NONE, view.visualRect(place).center())
            self.until(lambda: not view.isVisible(), words)
        finally:
            app.setDoubleClickInterval(before)
        self.settle()

    # --------------------------------------------------------------------------------------------------- the picture

    def place(self, x: float, y: float) -> QtCore.QPoint:
        """Where a place of the picture is on the video."""
        found: QtCore.QPoint = self.window.video.box.mapViewToScene(QtCore.QPointF(x, y)).toPoint()
        return found

    def point(self, x: float, y: float, button: Any = LEFT) -> None:
        """A click at a place of the picture, on whatever lies there over it."""
        port = self.window.video.graphics.viewport()
        at = self.place(x, y)
        seen = self.window.childAt(port.mapTo(self.window, at))
        assert seen is port, f"at {x}, {y} lies {type(seen).__name__} over the picture"
        self.click(port, at, button)

    def hover(self, x: float, y: float) -> None:
        """The mouse at a place of the picture."""
        port = self.window.video.graphics.viewport()
        self._moves(port, [self.place(x, y) + QtCore.QPoint(3, 3), self.place(x, y)], QtCore.Qt.MouseButton.NoButton)

    def drag(self, *way: tuple[float, float]) -> None:
        """Press at a place of the picture, move along, let go."""
        self.pull(self.window.video.graphics.viewport(), *(self.place(*at) for at in way))

    def pull(self, widget: QtWidgets.QWidget, *way: QtCore.QPoint) -> None:
        """Press in a widget, move along, let go."""
        steps = [way[0]]
        for a, b in pairwise(way):
            steps += [a + (b - a) * k / 6 for k in range(1, 7)]
        kinds = QtCore.QEvent.Type
        self._post(widget, kinds.MouseButtonPress, steps[0], LEFT, LEFT)
        self._moves(widget, steps[1:], LEFT)
        self._post(widget, kinds.MouseButtonRelease, steps[-1], LEFT, QtCore.Qt.MouseButton.NoButton)
        self.settle()

    def _moves(self, widget: QtWidgets.QWidget, steps: Sequence[QtCore.QPoint], held: Any) -> None:
        for at in steps:
            self._post(widget, QtCore.QEvent.Type.MouseMove, at, QtCore.Qt.MouseButton.NoButton, held)

    def _post(self, widget: QtWidgets.QWidget, kind: Any, at: QtCore.QPoint, button: Any, held: Any) -> None:
        event = QtGui.QMouseEvent(kind, QtCore.QPointF(at), QtCore.QPointF(widget.mapToGlobal(at)), button, held, NONE)
        QtWidgets.QApplication.postEvent(widget, event)
        QtTest.QTest.qWait(SLOW)

    def place_points(self, *points: tuple[float, float]) -> None:
        """Take the tool, remove what it proposes, click at the places, finish."""
        self.key("B")
        tool = self.window.tracking.tools.tools["points"]
        assert isinstance(tool, PlacePoints)
        if tool.points:
            self.click(tool.clear)
        for at in points:
            self.point(*at)
        self.key("Return")
        self.until(lambda: len(self.bench.pipeline.trackers[0].params.get("points", ())) == len(points))

    # ------------------------------------------------------------------------------------------------------- opening

    def drop(self, *paths: Path) -> None:
        """Files, onto the video or onto what lies there while nothing is open."""
        over = self.window.nothing if self.window.nothing.isVisible() else self.window.video.graphics.viewport()
        assert drop(over, over.rect().center(), urls(*paths))
        self.settle()

    def open(self, clip: Path) -> None:
        """Drop a clip and wait for its first picture."""
        before = self.bench.opened
        self.drop(clip)
        self.until(lambda: self.bench.opened is not before and self.bench.shown is not None, clip.name)
        self.window.video.graphics.setFocus()
        self.settle()

    def pipeline(self, name: str) -> None:
        """Another pipeline, from the list over the graph."""
        built = self.bench.built
        self.choose(self.window.pipeline.choice, name)
        self.until(lambda: self.bench.built is not built or self.bench.trouble, f"{name} is built")
        self.settle()

    def stand(self, frame: int = 0) -> None:
        """Have the clip stand at a frame, by keys."""
        if self.bench.state is RunState.RUNNING:
            self.key("Space")
        self.until(lambda: self.bench.state is RunState.PAUSED)
        self.key("Home")
        for _ in range(frame):
            self.key("Right")
        self.until(lambda: self.bench.shown is not None and self.bench.shown.frame == frame)

    def play_through(self) -> None:
        """Play the clip once from its beginning to its end, as fast as it goes."""
        self.stand()
        self.choose(self.window.transport.speed, "fastest")
        if self.bench.loop:
            self.key("R")
        self.key("Space")
        last = self.bench.range[1] - 1
        self.until(lambda: self.bench.state is RunState.PAUSED and self.bench.store.known(last), "the clip's end")

    # -------------------------------------------------------------------------------------------------- what is seen

    def undo_words(self) -> str:
        """What the menu says that would be undone."""
        return str(self.window.actions_.made["undo"].text()).replace("&", "")

    def told(self, words: str) -> str:
        """The sentence of the strip above the video that has these words; "" where there is none."""
        return next((said for said in self.strips() if words in said), "")

    def strips(self) -> list[str]:
        """The sentences of all strips that are seen."""
        found = [strip.label.text() for strips in (self.window.strips, self.window.refusals)
                 for strip in strips._shown.values() if strip.isVisible()]  # fmt: skip
        return [html.unescape(re.sub("<[^>]+>", "", words)).replace("\xa0", " ") for words in found]

    def press(self, words: str) -> None:
        """The button of a strip that says this."""
        buttons = [button for strips in (self.window.strips, self.window.refusals) for strip in strips._shown.values()
                   for said, button in strip.buttons.items() if said.startswith(words)]  # fmt: skip
        assert buttons, (words, self.strips())
        self.click(buttons[0])

    def mistakes(self) -> list[str]:
        """What was said of mistakes of ours."""
        return [one.sentence for one in self.bench.messages if "mistake in fusetrack" in one.sentence]


def _entry(actions: Sequence[QtWidgets.QAction], words: str) -> QtWidgets.QAction:
    found = [one for one in actions if one.text().replace("&", "").startswith(words)]
    assert found, (words, [one.text() for one in actions])
    return found[0]
