"""The mouse and the keys over the video, for tests of tools."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from tests.app.gui.conftest import Desk
from tests.app.gui.test_main_window import press

LEFT, RIGHT = QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.MouseButton.RightButton


def on_screen(desk: Desk, x: float, y: float) -> QtCore.QPoint:
    at: QtCore.QPoint = desk.window.video.box.mapViewToScene(QtCore.QPointF(x, y)).toPoint()
    return at


def take(desk: Desk, key: str) -> None:
    """A tool by its key; its panel takes room above the video."""
    press(desk, key)
    for _ in range(3):
        QtWidgets.QApplication.processEvents()


def click(desk: Desk, x: float, y: float, button: Any = LEFT) -> None:
    QtTest.QTest.mouseClick(desk.window.video.graphics.viewport(), button, pos=on_screen(desk, x, y))
    QtWidgets.QApplication.processEvents()


def drag(desk: Desk, *way: tuple[float, float], held: Any = QtCore.Qt.KeyboardModifier.NoModifier) -> None:
    """Press, move along, let go, with keys that are held."""
    port = desk.window.video.graphics.viewport()
    points = [on_screen(desk, *at) for at in way]
    steps = [points[0]]
    for a, b in pairwise(points):
        steps += [a + (b - a) * k / 6 for k in range(1, 7)]
    kinds = QtCore.QEvent.Type
    for k, at in enumerate(steps):
        kind = kinds.MouseButtonPress if k == 0 else kinds.MouseMove
        button = LEFT if k == 0 else QtCore.Qt.MouseButton.NoButton
        event = QtGui.QMouseEvent(kind, QtCore.QPointF(at), button, LEFT, held)
        QtWidgets.QApplication.sendEvent(port, event)
        time.sleep(0.012)  # the scene looks at a drag some times a second only
        QtWidgets.QApplication.processEvents()
    event = QtGui.QMouseEvent(kinds.MouseButtonRelease, QtCore.QPointF(steps[-1]), LEFT,
                              QtCore.Qt.MouseButton.NoButton, held)  # fmt: skip
    QtWidgets.QApplication.sendEvent(port, event)
    QtWidgets.QApplication.processEvents()


@pytest.fixture
def shown(desk: Desk) -> Desk:
    """With the template pipeline and a few frames of three tracks."""
    desk.bench.files.choose("template")
    desk.open()
    desk.frames(range(3))
    desk.link.orders.clear()
    return desk


def orders(desk: Desk, kind: type) -> list[Any]:
    return [order for order in desk.link.orders if isinstance(order, kind)]
