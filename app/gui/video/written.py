"""Words over the picture, with a dark edge, to be read on any ground."""

from __future__ import annotations

from functools import lru_cache

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

WORDS_HEIGHT = 14.0
"""Of a name, in pixels of the screen, at least."""
SMALLER = 0.94
"""Names of tracks, of the size of words elsewhere."""


def extent(device: QtGui.QPaintDevice) -> tuple[float, float]:
    """Width and height of what is painted on, as its painter counts; pictures say theirs in the screen's own pixels."""
    ratio = 1.0 if isinstance(device, QtWidgets.QWidget) else device.devicePixelRatioF()
    return device.width() / ratio, device.height() / ratio


def write_words(painter: QtGui.QPainter, x: float, y: float, text: str, colour: str) -> None:
    """Words with a dark edge, to be read on any ground; y is that of their base line."""
    picture, descent = _words(text, colour, painter.device().devicePixelRatioF())
    painter.drawPixmap(QtCore.QPointF(round(x) - 1, round(y) + descent - picture.height() / picture.devicePixelRatio()),
                       picture)  # fmt: skip


def _font() -> QtGui.QFont:
    """Of names, a little smaller than words elsewhere."""
    font = QtGui.QFont()
    font.setPointSizeF(SMALLER * QtGui.QFontInfo(font).pointSizeF())
    return font


@lru_cache(1)
def height() -> float:
    """Of any words."""
    return max(WORDS_HEIGHT, float(QtGui.QFontMetrics(_font()).height()))


@lru_cache(8192)
def width_of(text: str) -> int:
    """Of some words, without drawing them."""
    return int(QtGui.QFontMetrics(_font()).horizontalAdvance(text)) + 3


@lru_cache(4096)
def _words(text: str, colour: str, ratio: float) -> tuple[QtGui.QPixmap, int]:
    """A picture of some words, drawn once: with their edge they cost five drawings of text."""
    font = _font()
    metrics = QtGui.QFontMetrics(font)
    width, height, descent = metrics.horizontalAdvance(text) + 3, metrics.height() + 2, metrics.descent() + 1
    picture = QtGui.QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(QtCore.Qt.GlobalColor.transparent)
    painter = QtGui.QPainter(picture)
    painter.setFont(font)
    painter.setPen(QtGui.QColor(0, 0, 0, 200))
    base = height - descent
    for dx, dy in ((0, 0), (2, 0), (1, -1), (1, 1)):
        painter.drawText(QtCore.QPointF(dx, base + dy), text)
    painter.setPen(QtGui.QColor(colour))
    painter.drawText(QtCore.QPointF(1, base), text)
    painter.end()
    return picture, descent
