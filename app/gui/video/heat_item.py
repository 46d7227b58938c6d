"""A heat map over the picture: one colour table, the more opaque the higher its values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.pipeline.heat_maps import HeatMap
from app.gui.video.colours import table

COLOURS = "inferno"
OPACITY = 0.7
"""Of the highest values, at first."""


class HeatItem(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """Draws one map; 0 and less is clear, 1 or what was highest since the map was chosen is as opaque as `opacity`.

    Attributes:
        highest: the value of the brightest colour.
    """

    def __init__(self) -> None:
        super().__init__()
        self.opacity = OPACITY
        self.highest = 1.0
        self._bounds, self._clip, self._place = QtCore.QRectF(), QtCore.QRectF(), QtGui.QTransform()
        self._words = np.zeros((0, 0), np.uint32)
        self._image = QtGui.QImage()
        self._output = ""
        self.setZValue(2)

    def show_map(self, shown: HeatMap, output: str, picture: QtCore.QRectF) -> None:
        """Show a map.

        Args:
            shown: it.
            output: of which it is; of another one the highest value is found anew.
            picture: what is outside of it is not drawn, px.
        """
        heat = np.nan_to_num(shown.values, nan=0.0, posinf=0.0)
        if output != self._output:
            self.highest, self._output = 1.0, output
        self.highest = max(self.highest, float(heat.max(initial=0.0)))
        height, width = heat.shape
        a, b, c, d, e, f = shown.place
        # Qt takes the matrix by columns.
        place = QtGui.QTransform(a, d, b, e, c, f)
        bounds = place.mapRect(self._whole(width, height)).intersected(picture)
        if (bounds, picture, place) != (self._bounds, self._clip, self._place):
            self.prepareGeometryChange()
            self._bounds, self._clip, self._place = bounds, QtCore.QRectF(picture), place
        level = np.rint(255.0 * np.clip(heat / self.highest, 0.0, 1.0)).astype(np.uint32)
        # Values are opacities, too: 0xAARRGGBB.
        self._words = table(COLOURS)[level] & np.uint32(0x00FFFFFF) | level << np.uint32(24)
        self._image = QtGui.QImage(self._words.data, width, height, 4 * width, QtGui.QImage.Format.Format_ARGB32)
        self.update()

    @staticmethod
    def _whole(width: int, height: int) -> QtCore.QRectF:
        """A map in its own pixels, whose centres are at integers."""
        return QtCore.QRectF(-0.5, -0.5, width, height)

    def set_opacity(self, opacity: float) -> None:
        """Of the highest values, from 0 to 1."""
        self.opacity = opacity
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        if not self._bounds.isNull():
            self.prepareGeometryChange()
            self._bounds = QtCore.QRectF()
            self.update()

    @property
    def shown(self) -> bool:
        """Whether there is a map."""
        return not self._bounds.isNull()

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """The part of the picture that it lies over."""
        return self._bounds

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        if not self.shown:
            return
        painter.setClipRect(self._clip, QtCore.Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(self.opacity)
        painter.setTransform(self._place, True)
        painter.drawImage(self._whole(self._image.width(), self._image.height()), self._image)
