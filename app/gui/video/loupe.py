"""A loupe: what is under the cursor, many times larger, with the sub-pixel position of the nearest track."""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme
from app.gui.video.colours import to_screen
from app.gui.video.view import VideoView
from pipelines.features import State

SIDE = 190
HALF = 9
"""Pixels of the picture on each side of the one under the cursor."""


class Loupe(QtWidgets.QWidget):  # type: ignore[misc]
    """Lies in a corner of the video while it is switched on.

    Args:
        video: what it looks at.
    """

    def __init__(self, video: VideoView) -> None:
        super().__init__(video)
        self._video = video
        self._at: tuple[float, float] | None = None
        self.setFixedSize(SIDE, SIDE)
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        video.box.hovered.connect(self._hover)
        video.pictured.connect(self.update)

    def switch(self, on: bool) -> None:
        """Show it, or not."""
        self.setVisible(on)
        self._place()

    def _hover(self, x: float, y: float) -> None:
        self._at = (x, y)
        if self.isVisible():
            self._place()
            self.update()

    def _place(self) -> None:
        """In the upper right corner, or the left one while the cursor is near."""
        cursor = self._video.mapFromGlobal(QtGui.QCursor.pos())
        right = self._video.width() - SIDE - 8
        away = cursor.x() > right - 40 and cursor.y() < SIDE + 60
        self.move(8 if away else right, 8)
        self.raise_()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Draw."""
        del event
        pixels = self._video.image.pixels
        painter = QtGui.QPainter(self)
        colours = theme.current()
        painter.fillRect(self.rect(), QtGui.QColor(colours.surround))
        if pixels is not None and self._at is not None:
            self._draw(painter, pixels)
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.accent), 2))
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _draw(self, painter: QtGui.QPainter, pixels: np.ndarray) -> None:
        assert self._at is not None
        inside = self._video.image.pos()  # of a part that is processed alone
        ox, oy = round(inside.x()), round(inside.y())
        # The middle of pixel k lies at k: it reaches from k - 0.5 to k + 0.5.
        column, row = round(self._at[0]) - ox, round(self._at[1]) - oy
        y0, y1 = max(0, row - HALF), min(pixels.shape[0], row + HALF + 1)
        x0, x1 = max(0, column - HALF), min(pixels.shape[1], column + HALF + 1)
        if y0 >= y1 or x0 >= x1:
            return
        part = pixels[y0:y1, x0:x1]
        words = np.zeros(part.shape[:2], np.uint32)
        to_screen(part, self._video.levels, self._video.table, words)
        # The image does not copy `words`: they must be there until it is drawn.
        image = QtGui.QImage(words.data, part.shape[1], part.shape[0], 4 * part.shape[1],
                             QtGui.QImage.Format.Format_RGB32)  # fmt: skip
        scale = SIDE / (2 * HALF + 1)

        def to_loupe(x: float, y: float) -> QtCore.QPointF:
            return QtCore.QPointF((x - column + HALF + 0.5) * scale, (y - row + HALF + 0.5) * scale)

        corner = to_loupe(x0 - 0.5, y0 - 0.5)
        painter.drawImage(QtCore.QRectF(corner.x(), corner.y(), part.shape[1] * scale, part.shape[0] * scale), image)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        centre = to_loupe(column, row)
        painter.setPen(QtGui.QPen(QtGui.QColor(255, 255, 255, 120), 1))
        painter.drawRect(QtCore.QRectF(centre.x() - scale / 2, centre.y() - scale / 2, scale, scale))
        for track in self._video.overlay.rows:
            x, y = float(track["x"]) - ox, float(track["y"]) - oy
            if track["state"] != State.LOST and abs(x - column) <= HALF and abs(y - row) <= HALF:
                colour = self._video.overlay.colour(int(track["track"]))
                painter.setPen(QtGui.QPen(QtGui.QColor(colour), 1.5))
                at = to_loupe(x, y)
                painter.drawLine(at + QtCore.QPointF(-7, 0), at + QtCore.QPointF(7, 0))
                painter.drawLine(at + QtCore.QPointF(0, -7), at + QtCore.QPointF(0, 7))
        words_ = self._video.words_at(*self._at).partition("   ")[0]
        painter.fillRect(0, SIDE - 18, SIDE, 18, QtGui.QColor(0, 0, 0, 170))
        painter.setPen(QtGui.QColor("#ffffff"))
        room, end = SIDE - 12, QtCore.Qt.TextElideMode.ElideRight
        if painter.fontMetrics().horizontalAdvance(words_) > room:
            font = painter.font()
            font.setPointSizeF(0.82 * font.pointSizeF())
            painter.setFont(font)
        words_ = painter.fontMetrics().elidedText(words_.replace("  ", " "), end, room)
        painter.drawText(QtCore.QRect(6, SIDE - 18, room, 18), QtCore.Qt.AlignmentFlag.AlignVCenter, words_)
