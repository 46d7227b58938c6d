"""A field of displacement or strain over the picture: colours, arrows, and a bar that says what they mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.analysis.strain import SYMBOLS
from app.desk.tracks.field_map import HIGHEST, FieldMap
from app.gui import theme
from app.gui.video.colours import table
from app.gui.video.marks import OVER, Layer
from app.gui.video.tools import Brush
from app.gui.video.written import write_words
from app.plots.words import symbol
from pipelines.analysis.strain import NAMES

COLOURS = "viridis"
OPACITY = 0.7
BAR = (14.0, 180.0)
"""Width and height of the colour bar, px of the screen; less high where the video is low."""
EDGE = 96.0
"""px of the screen from the bar to the right edge: room for its numbers."""
TICKS = 5
LONGEST = 1.0
"""Arrows: the longest is as long as they are apart."""


class FieldItem(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """See the module.

    Args:
        box: the scene.
        number: of a frame, as people see it.

    Attributes:
        shown: the map that is drawn; None for none. arrows: whether these are drawn. opacity: of the colours.
    """

    def __init__(self, box: pyqtgraph.ViewBox, number: Callable[[int], int] = int) -> None:
        super().__init__()
        self.shown: FieldMap | None = None
        self.arrows, self.opacity = True, OPACITY
        self._box, self._number = box, number
        self._bounds = QtCore.QRectF()
        self._words: npt.NDArray[np.uint32] = np.zeros((0, 0), np.uint32)
        self._image = QtGui.QImage()
        self._table = np.append(table(COLOURS)[np.rint(np.linspace(0, 255, HIGHEST + 1)).astype(int)],
                                np.uint32(0)).astype(np.uint32)  # fmt: skip
        self._bar = Layer(OVER, self._draw_bar)
        self._lines = Layer(OVER, self._draw_arrows)
        self.setZValue(3)
        box.addItem(self, ignoreBounds=True)
        for layer in (self._lines, self._bar):
            box.addItem(layer, ignoreBounds=True)

    def show_map(self, shown: FieldMap | None) -> None:
        """Draw a map; None for nothing."""
        self.shown = shown
        height, width = shown.colours.shape if shown is not None else (0, 0)
        bounds = QtCore.QRectF(-0.5, -0.5, width, height) if shown is not None else QtCore.QRectF()
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        if shown is not None:
            # The image does not copy the words: they are kept as long as it is.
            self._words = self._table[shown.colours]
            self._image = QtGui.QImage(self._words.data, width, height, 4 * width, QtGui.QImage.Format.Format_ARGB32)
        self.refresh()

    def refresh(self) -> None:
        """Draw it again."""
        self.update()
        self._bar.update()
        self._lines.update()

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """The picture."""
        return self._bounds

    def shape(self) -> QtGui.QPainterPath:
        """Nothing here takes the mouse."""
        return QtGui.QPainterPath()

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw the colours."""
        if self.shown is not None:
            painter.setOpacity(self.opacity)
            painter.drawImage(self._bounds, self._image)

    # -------------------------------------------------------------------------------------------- in px of the screen

    def _draw_arrows(self, brush: Brush) -> None:
        shown = self.shown
        if shown is None or not self.arrows or not len(shown.ways):
            return
        times = self.times
        starts = shown.starts + shown.ways
        ends = starts + times * shown.ways
        painter = brush.painter
        lines, heads = [], []
        for a, b in zip(starts.tolist(), ends.tolist(), strict=True):
            p, q = brush.at((a[0], a[1])), brush.at((b[0], b[1]))
            way = q - p
            length = math.hypot(way.x(), way.y())
            if length < 1.0:
                continue
            lines.append(QtCore.QLineF(p, q))
            along = way / length * min(5.0, 0.4 * length)
            side = QtCore.QPointF(-along.y(), along.x()) * 0.5
            heads += [QtCore.QLineF(q, q - along + side), QtCore.QLineF(q, q - along - side)]
        for ink, width in ((QtGui.QColor(0, 0, 0, 150), 2.6), (QtGui.QColor(theme.DARK.text), 1.1)):
            painter.setPen(QtGui.QPen(ink, width))
            painter.drawLines(lines + heads)

    @property
    def times(self) -> float:
        """How many times longer than displacements arrows are: a round number."""
        shown = self.shown
        longest = float(np.hypot(*shown.ways.T).max(initial=0.0)) if shown is not None and len(shown.ways) else 0.0
        if shown is None or not longest > 0 or len(shown.starts) < 2:
            return 1.0
        # The largest of 1, 2, 5, 10, 20 ... with which the longest arrow reaches no farther than the next one.
        raw = LONGEST * self._apart / longest
        power = 10.0 ** math.floor(math.log10(raw))
        return next(f * power for f in (5.0, 2.0, 1.0) if f * power <= raw * (1 + 1e-9))

    @property
    def _apart(self) -> float:
        """px between arrows, as for points that fill their box evenly."""
        assert self.shown is not None
        wide, high = np.ptp(self.shown.starts, axis=0)
        return float(max(math.sqrt(wide * high / len(self.shown.starts)), (wide + high) / len(self.shown.starts)))

    def _draw_bar(self, brush: Brush) -> None:
        shown = self.shown
        if shown is None:
            return
        rect = self._box.mapRectToScene(self._box.boundingRect())
        high = min(BAR[1], 0.5 * rect.height())
        left, top = rect.right() - EDGE, rect.center().y() - 0.5 * high - 10
        painter, ink = brush.painter, theme.DARK.text
        painter.fillRect(QtCore.QRectF(left - 10, top - 40, EDGE + 4, high + 112), QtGui.QColor(8, 10, 13, 150))
        ramp = QtGui.QLinearGradient(0.0, top + high, 0.0, top)
        for k in range(17):
            ramp.setColorAt(k / 16, QtGui.QColor.fromRgba(int(self._table[round(HIGHEST * k / 16)])))
        painter.setPen(QtGui.QPen(QtGui.QColor(ink), 0.8))
        painter.setBrush(QtGui.QBrush(ramp))
        painter.drawRect(QtCore.QRectF(left, top, BAR[0], high))
        low, most = shown.ends
        for k in range(TICKS):
            y = top + high * (1.0 - k / (TICKS - 1))
            painter.drawLine(QtCore.QPointF(left + BAR[0], y), QtCore.QPointF(left + BAR[0] + 3, y))
            write_words(painter, left + BAR[0] + 6, y + 4, spelt(low + (most - low) * k / (TICKS - 1), most - low), ink)
        unit = f" ({symbol(shown.unit)})" if shown.unit else ""
        write_words(painter, left - 4, top - 22, f"{SYMBOLS[shown.quantity]}{unit}", ink)
        below = [f"{shown.missing} missing" if shown.missing else f"{shown.points} points"]
        below.append(f"since frame {self._number(shown.reference)}")
        if shown.quantity in NAMES:
            below.append(f"gauge {shown.gauge_length:.3g} {symbol(shown.length)}")
        if self.arrows and len(shown.ways):
            below.append(f"arrows {self.times:g} x")
        for number, words in enumerate(below):
            write_words(painter, left - 6, top + high + 17 + 14 * number, words, ink)


def spelt(value: float, span: float) -> str:
    """A number of a bar whose ends are `span` apart; strains in parts of a thousand and less as powers of ten. It has
    the digits in which the numbers of the bar differ.

    >>> spelt(0.01234, 0.002), spelt(-3.2e-5, 1e-4), spelt(1.5, 3.0), spelt(0.0, 1e-3)
    ('0.01234', '-3.2e-05', '1.5', '0')
    >>> spelt(0.00956, 9e-5), spelt(0.00952, 9e-5)
    ('9.560e-03', '9.520e-03')
    """
    if abs(value) < 1e-3 * span:
        return "0"
    if span < 1e-3:
        more = math.floor(math.log10(abs(value))) - math.floor(math.log10(span))
        return f"{value:.{min(max(1, 1 + more), 5)}e}"
    digits = max(0, 2 - math.floor(math.log10(span)) - (span >= 1))
    return f"{value:.{min(digits, 5)}f}"
