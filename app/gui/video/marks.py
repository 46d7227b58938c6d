"""What lies on the picture at any time: the veil over what is not processed, masks, axes, and a scale bar."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.regions import polygons, region
from app.desk.services.units import nice_length
from app.gui import theme
from app.gui.video.tools import Brush
from app.gui.video.written import write_words

AXIS = 70.0
BAR = 150.0
"""Pixels of the screen that a scale bar is long at most."""


GROUND, OVER = 5.0, 20.0
"""Below tracks, and over all that may lie over a picture."""


class Marks:
    """See the module.

    Args:
        bench: the state behind the window.
        box: the scene.

    Attributes:
        scale_bar, axes, masks: whether they are drawn.
    """

    def __init__(self, bench: Workbench, box: pyqtgraph.ViewBox) -> None:
        self._bench, self._box = bench, box
        self.scale_bar = self.axes = self.masks = True
        self._layers = Layer(GROUND, self._draw_below), Layer(OVER, self._draw_above)
        for layer in self._layers:
            box.addItem(layer, ignoreBounds=True)
        for topic in (Topic.OPENED, Topic.VIEW, Topic.PIPELINE):
            bench.on(topic, self.update)

    def update(self) -> None:
        """Draw all of it again."""
        for layer in self._layers:
            layer.update()

    def _draw_below(self, brush: Brush) -> None:
        info = self._bench.info
        if info is None:
            return
        self._veil(brush, info.width, info.height)
        if self.masks:
            self._masks(brush)

    def _draw_above(self, brush: Brush) -> None:
        if self._bench.info is None:
            return
        if self.axes:
            self._axes(brush)
        if self.scale_bar and self._bench.shown is not None:
            self._scale(brush)

    def _veil(self, brush: Brush, width: int, height: int) -> None:
        roi = region(self._bench)
        if roi is None:
            return
        x, y, w, h = roi
        outer = QtCore.QRectF(brush.at((-0.5, -0.5)), brush.at((width - 0.5, height - 0.5)))
        inner = QtCore.QRectF(brush.at((x - 0.5, y - 0.5)), brush.at((x + w - 0.5, y + h - 0.5)))
        path = QtGui.QPainterPath()
        path.addRect(outer)
        path.addRect(inner)
        brush.painter.fillPath(path, QtGui.QColor(8, 10, 13, 150))
        brush.painter.setPen(QtGui.QPen(QtGui.QColor(theme.DARK.accent), 1.2))
        brush.painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        brush.painter.drawRect(inner)

    def _masks(self, brush: Brush) -> None:
        for polygon in polygons(self._bench.pipeline):
            if len(polygon.corners) < 3:
                continue
            path = QtGui.QPainterPath()
            path.addPolygon(QtGui.QPolygonF([brush.at(p) for p in polygon.corners]))
            path.closeSubpath()
            colour = QtGui.QColor(theme.DARK.good if polygon.keep == "inside" else theme.DARK.bad)
            brush.painter.setPen(QtGui.QPen(colour, 1.2, QtCore.Qt.PenStyle.DashLine))
            if polygon.keep == "outside":
                brush.painter.setBrush(QtGui.QBrush(QtGui.QColor(colour.red(), colour.green(), colour.blue(), 110),
                                                    QtCore.Qt.BrushStyle.BDiagPattern))  # fmt: skip
            else:
                brush.painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
            brush.painter.drawPath(path)

    def _axes(self, brush: Brush) -> None:
        now = self._bench.calibration
        if now.origin == (0.0, 0.0) and not now.angle and not now.y_up:
            return
        turn = math.radians(now.angle)
        at = brush.at(now.origin)
        across = turn + math.pi / 2 if now.y_up else turn - math.pi / 2
        for angle, name, colour in ((turn, "x", theme.DARK.bad), (across, "y", theme.DARK.good)):
            along = QtCore.QPointF(math.cos(angle), -math.sin(angle))
            side = QtCore.QPointF(-along.y(), along.x())
            tip = at + along * AXIS
            for ink, width in ((QtGui.QColor(0, 0, 0, 150), 4.0), (QtGui.QColor(colour), 1.8)):
                brush.painter.setPen(QtGui.QPen(ink, width))
                brush.painter.drawLine(at, tip)
                brush.painter.drawLine(tip, tip - along * 8 + side * 4)
                brush.painter.drawLine(tip, tip - along * 8 - side * 4)
            away = tip + along * 15  # beyond the handle that turns the axes
            write_words(brush.painter, away.x() - 4, away.y() + 4, name, colour)

    def _scale(self, brush: Brush) -> None:
        """In the lower right corner of what is seen."""
        px, words = nice_length(self._bench.calibration, BAR / max(brush.scale, 1e-9))
        length = px * brush.scale
        corner = self._box.mapToScene(self._box.boundingRect().bottomRight())
        x1, y = corner.x() - 16.0, corner.y() - 14.0
        for ink, width in ((QtGui.QColor(0, 0, 0, 170), 5.0), (QtGui.QColor(theme.DARK.text), 2.4)):
            pen = QtGui.QPen(ink, width)
            pen.setCapStyle(QtCore.Qt.PenCapStyle.FlatCap)
            brush.painter.setPen(pen)
            brush.painter.drawLine(QtCore.QPointF(x1 - length, y), QtCore.QPointF(x1, y))
        width = QtGui.QFontMetrics(QtGui.QFont()).horizontalAdvance(words)
        write_words(brush.painter, x1 - length / 2 - width / 2, y - 7, words, theme.DARK.text)


class Layer(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """Draws in pixels of the screen, at one height over the picture."""

    def __init__(self, height: float, draw: Callable[[Brush], None]) -> None:
        super().__init__()
        self._draw = draw
        self._bounds = QtCore.QRectF(-1e4, -1e4, 2e4, 2e4)
        self.setZValue(height)

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """Wherever one may look."""
        return self._bounds

    def shape(self) -> QtGui.QPainterPath:
        """Nothing here takes the mouse."""
        return QtGui.QPainterPath()

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        to_screen = painter.worldTransform()
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.resetTransform()
        self._draw(Brush(painter, to_screen))
        painter.restore()
