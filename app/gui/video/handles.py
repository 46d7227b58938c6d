"""The item over the picture that draws the points of the tool in hand and hands it the mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.pipeline.detecting import Point
from app.gui.video.tools import Box, Brush, Button


class Handles(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """Draws the points of the tool in hand, and hands it the mouse.

    Args:
        box: the tools.
    """

    def __init__(self, box: Box) -> None:
        super().__init__()
        self._box = box
        self._bounds = QtCore.QRectF(-1e4, -1e4, 2e4, 2e4)
        self._back: Callable[[], None] | None = None
        self._broken = False
        self.setZValue(30)

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """Also beside the picture: drags may begin there."""
        return self._bounds

    def _point(self, at: QtCore.QPointF) -> Point:
        mapped = self.mapFromScene(at)
        return mapped.x(), mapped.y()

    def mouseClickEvent(self, event: Any) -> None:  # noqa: N802
        """A click."""
        self._look(event)
        tool, at = self._box.tool, self._point(event.scenePos())
        taken = self._box.guarded(
            lambda: self._box.steps.watch(tool, lambda: tool.click(at, event.button(), event.modifiers()))
        )
        if taken:
            event.accept()
        else:
            event.ignore()

    def mouseDragEvent(self, event: Any) -> None:  # noqa: N802
        """A drag; what no handle takes moves the picture."""
        begun = self._point(event.buttonDownScenePos())
        self._look(event)
        if event.button() != Button.LeftButton:
            event.ignore()
            return
        if event.isStart():
            # What puts everything back comes before `grab`, which may change points already.
            self._broken, back = False, self._box.tool.remember()
            if not self._box.tool.grab(begun):
                event.ignore()
                return
            self._back = back
            self._box.dragging(True)
        event.accept()
        # The rest of a drag that was broken off moves nothing.
        if self._broken:
            return
        tool, now = self._box.tool, self._point(event.scenePos())
        done = self._back
        if event.isFinish():
            self._back = None
            self._box.dragging(False)
        self._box.guarded(lambda: tool.drag(now, begun, event.isFinish()))
        if event.isFinish() and done is not None and tool.steps and tool is self._box.tool:
            self._box.steps.add(done)

    def _look(self, event: Any) -> None:
        self._box.tool.straight = bool(event.modifiers() & QtCore.Qt.KeyboardModifier.ShiftModifier)
        self._box.tool.cursor = self._point(event.scenePos())

    def break_off(self) -> bool:
        """Put back what is being dragged; whether something was."""
        back, self._back = self._back, None
        if back is None:
            return False
        self._broken = True
        self._box.dragging(False)
        back()
        return True

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        to_screen = painter.worldTransform()
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.resetTransform()
        self._box.tool.paint(Brush(painter, to_screen))
        painter.restore()
