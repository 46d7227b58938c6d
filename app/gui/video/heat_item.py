"""A heat map over the picture: one colour table, the more opaque the higher its values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

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
        self._bounds, self._clip = QtCore.QRectF(), QtCore.QRectF()
        self._words = np.zeros((0, 0), np.uint32)
        self._image = QtGui.QImage()
        self._output = ""
        self.setZValue(2)

    def show_map(
        self, heat: npt.NDArray[np.float32], output: str, place: QtCore.QRectF, picture: QtCore.QRectF
    ) -> None:
        """Show a map.

        Args:
            heat: (height, width).
            output: of which it is; of another one the highest value is found anew.
            place: where it lies, px; what is outside of the `picture` is not drawn.
        """
        heat = np.nan_to_num(heat, nan=0.0, posinf=0.0)
        if output != self._output:
            self.highest, self._output = 1.0, output
        self.highest = max(self.highest, float(heat.max(initial=0.0)))
        if (place, picture) != (self._bounds, self._clip):
            self.prepareGeometryChange()
            self._bounds, self._clip = QtCore.QRectF(place), QtCore.QRectF(picture)
        level = np.rint(255.0 * np.clip(heat / self.highest, 0.0, 1.0)).astype(np.uint32)
        self._words = table(COLOURS)[level] & np.uint32(0x00FFFFFF) | level << np.uint32(24)
        height, width = heat.shape
        self._image = QtGui.QImage(self._words.data, width, height, 4 * width, QtGui.QImage.Format.Format_ARGB32)
        self.update()

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
        """Where it lies."""
        return self._bounds

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        if not self.shown:
            return
        painter.setClipRect(self._clip, QtCore.Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(self.opacity)
        painter.drawImage(self._bounds, self._image)
