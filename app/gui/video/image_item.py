"""The picture as an item of a scene: screen colours in a buffer of its own, drawn in one go.

pyqtgraph's ImageItem hands the painter an indexed image, which costs two to three times as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.gui.video.colours import Levels, full_levels, to_screen
from pipelines.frame import Pixels


class ImageItem(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """Draws one picture; pixel centres lie at integers.

    Pictures that are drawn much smaller than they are get thinned out first, so that the cost follows the screen.
    """

    def __init__(self) -> None:
        super().__init__()
        self._pixels: Pixels | None = None
        self._size = (0, 0)
        self._buffer = np.zeros((0, 0), np.uint32)
        self._image = QtGui.QImage()
        self._levels, self._table = full_levels(8), "gray"
        self._stale = True
        self._thin = 1
        self.smooth = False

    @property
    def pixels(self) -> Pixels | None:
        """A copy of what is shown."""
        return self._pixels

    def show_picture(self, pixels: Pixels) -> None:
        """Show a picture; it is copied."""
        if self._pixels is None or self._pixels.shape != pixels.shape or self._pixels.dtype != pixels.dtype:
            self._pixels = np.array(pixels)
        else:
            np.copyto(self._pixels, pixels)
        size = (pixels.shape[1], pixels.shape[0])
        if size != self._size:
            self.prepareGeometryChange()
            self._size = size
        self._stale = True
        self.update()

    def set_look(self, levels: Levels, table: str) -> None:
        """How samples are drawn."""
        self._levels, self._table = levels, table
        self._stale = True
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        self.prepareGeometryChange()
        self._pixels, self._size = None, (0, 0)
        self.update()

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """The whole picture, in its own pixels."""
        return QtCore.QRectF(-0.5, -0.5, *self._size)

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        if self._pixels is None:
            return
        scale = abs(painter.worldTransform().m11()) * painter.device().devicePixelRatioF()
        thin = max(1, int(0.75 / scale)) if scale > 0 else 1
        if self._stale or thin != self._thin:
            self._thin = thin
            self._convert(self._pixels[::thin, ::thin])
        painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform, self.smooth or scale < 1.0)
        height, width = self._buffer.shape
        painter.drawImage(QtCore.QRectF(-0.5, -0.5, width * thin, height * thin), self._image)

    def _convert(self, pixels: Pixels) -> None:
        if self._buffer.shape != pixels.shape[:2]:
            # The image looks into the buffer, which is written anew for each picture of this size.
            self._buffer = np.zeros(pixels.shape[:2], np.uint32)
            height, width = self._buffer.shape
            self._image = QtGui.QImage(self._buffer.data, width, height, 4 * width, QtGui.QImage.Format.Format_RGB32)
        to_screen(pixels, self._levels, self._table, self._buffer)
        self._stale = False
