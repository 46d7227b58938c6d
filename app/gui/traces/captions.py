"""What is in the corners of plots: what is drawn, and what the axis below counts.

Beside the axes words would take the room of low plots.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph
from pyqtgraph.Qt import QtGui, QtWidgets

from app.gui import theme

FLAT = 3
"""Pixels of the time axis between two plots, which has no numbers."""
BELOW = 6
"""Pixels that an axis with numbers is higher than a line of them; brackets reach below digits."""
AXIS, DIGIT = 58, 7.7
"""Pixels for numbers such as 1234.56 at the left of a plot, at least, where a digit is so wide."""


def axis_width() -> int:
    """The same for digits as they are."""
    return max(AXIS, int(AXIS * QtGui.QFontMetrics(QtGui.QFont()).horizontalAdvance("0") / DIGIT))


class Captions:
    """Of plots that are one above the other; nothing is laid out anew that says what it said.

    Args:
        plots: from the top.

    Attributes:
        titles: the words in the upper left corners.
    """

    def __init__(self, plots: Sequence[pyqtgraph.PlotItem]) -> None:
        self._plots = plots
        self._said: dict[tuple[str, int], object] = {}
        self.titles = [QtWidgets.QGraphicsTextItem(plot.vb) for plot in plots]
        for title in self.titles:
            title.setPos(4, -4)
            title.setZValue(20)
        self._below = [QtWidgets.QGraphicsTextItem(plot.getAxis("bottom")) for plot in plots]
        for words in self._below:
            words.setPos(-axis_width(), -2)
            words.setTextWidth(axis_width() - 2)

    def title(self, k: int, words: str, now: theme.Theme) -> None:
        """What a plot shows."""
        if self._new("title", k, (words, now.name)):
            axis = self._plots[k].getAxis("left")
            axis.setLabel(words)
            axis.showLabel(False)
            # Curves that are zoomed may pass behind the words.
            self.titles[k].setHtml(f"<span style='color: {now.muted}; background: {now.plot}'>{escape(words)}</span>")
            self._plots[k].vb.above = 0.65 * self.titles[k].boundingRect().height()  # the rest is the range's own air

    def below(self, k: int, words: str, now: theme.Theme) -> None:
        """What the axis below a plot counts, left of its numbers; "" for an axis without numbers."""
        if self._new("below", k, (words, now.name)):
            axis = self._plots[k].getAxis("bottom")
            axis.setLabel(words)
            axis.showLabel(False)
            axis.setStyle(showValues=bool(words))
            axis.setHeight(QtGui.QFontMetrics(self._below[k].font()).height() + BELOW if words else FLAT)
            self._below[k].setHtml(f"<p align='right' style='color: {now.muted}'>{escape(words)}</p>" if words else "")

    def clear(self, words: str, now: theme.Theme) -> None:
        """Nothing is drawn; the upper plot says why."""
        for k in range(len(self._plots)):
            if self._new("below", k, None):
                self._below[k].setHtml("")
        if self._new("title", 0, None):
            self.titles[0].setHtml(f"<span style='color: {now.muted}'>{escape(words)}</span>")

    def _new(self, what: str, k: int, said: object) -> bool:
        if said is not None and self._said.get((what, k)) == said:
            return False
        self._said[what, k] = said
        return True
