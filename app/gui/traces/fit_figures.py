"""The figures of fits in a corner of their plot, with a dash in the colour of the curve that each goes through."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph
from pyqtgraph.Qt import QtGui, QtWidgets

from app.gui import theme

DASHES = "\u254c\u254c"
MOST = 4
"""Fits that are said in a plot; all are below it."""
SHARE = 0.5
"""Of a plot's height that they take at most, but for one of them."""
AIR = 4
"""Pixels between the words and the edge."""


class FitFigures(QtWidgets.QGraphicsTextItem):  # type: ignore[misc]
    """In the lower right corner of a plot.

    Args:
        plot: where it lies.
    """

    def __init__(self, plot: pyqtgraph.PlotItem) -> None:
        super().__init__(plot.vb)
        self._box = plot.vb
        self.setZValue(19)
        self._shown: tuple[tuple[str, str], ...] = ()
        self._now = theme.current()
        plot.vb.sigResized.connect(lambda *_: self._fill())
        self.hide()

    def say(self, shown: Sequence[tuple[str, str]], now: theme.Theme) -> None:
        """Words and the colour of each; () for nothing."""
        self._shown, self._now = tuple(shown), now
        self.setVisible(bool(shown))
        self._fill()

    def _fill(self) -> None:
        shown, now = self._shown, self._now
        if not shown:
            return
        room = int(SHARE * self._box.height() / QtGui.QFontMetrics(self.font()).lineSpacing())
        most = max(1, min(MOST, room))
        lines = [f"<span style='color: {colour}'>{DASHES}</span>&nbsp;{escape(words)}"
                 for words, colour in shown[:most]]  # fmt: skip
        if len(shown) > most:
            lines[-1] += f"; and {len(shown) - most} more below"
        self.setTextWidth(-1)
        self.setHtml(f"<div align='right' style='color: {now.text}'><span style='background: {now.plot}'>"
                     f"{'<br>'.join(lines)}</span></div>")  # fmt: skip
        # Words are put to the right within a width, which is that of the longest line.
        self.setTextWidth(self.document().idealWidth())
        size = self.boundingRect()
        self.setPos(self._box.width() - size.width() - AIR, self._box.height() - size.height())
