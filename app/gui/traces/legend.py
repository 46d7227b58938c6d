"""The names of the tracks in the colours of their lines, as many as have room."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph
from pyqtgraph.Qt import QtWidgets

from app.gui import theme

MOST_NAMED = 8
"""Tracks that are named."""
DOT = "\u25cf"
GAP = "&nbsp;&nbsp; "


class Legend(QtWidgets.QGraphicsTextItem):  # type: ignore[misc]
    """In the upper right corner of a plot.

    Args:
        plot: where it lies.
    """

    def __init__(self, plot: pyqtgraph.PlotItem) -> None:
        super().__init__(plot.vb)
        self._box = plot.vb
        self._names: tuple[tuple[str, str], ...] = ()
        self._head = ""
        self._look = theme.current()
        self._said: object = None
        self.left = 0.0
        self.setZValue(20)
        plot.vb.sigResized.connect(lambda *_: self._place())

    def name(self, names: Sequence[tuple[str, str]], head: str, look: theme.Theme, left: float) -> None:
        """Say others.

        Args:
            names: with their colours.
            head: what is said before them, "" for nothing.
            look: colours of words and ground.
            left: pixels at the left that are taken.
        """
        self._names, self._head, self._look, self.left = tuple(names), head, look, left
        self._place()

    def _place(self) -> None:
        room = max(0.0, self._box.width() - self.left - 12)
        said = self._names, self._head, self._look.name, room
        if said != self._said:
            self._said = said
            # Fewer names, until they have room.
            for count in range(min(MOST_NAMED, len(self._names)), -1, -1):
                self._say(count)
                if self.boundingRect().width() <= room:
                    break
        self.setPos(max(0.0, self._box.width() - self.boundingRect().width()), -4)

    def _say(self, count: int) -> None:
        now, rest = self._look, len(self._names) - count
        parts = [f"<span style='color: {now.muted}'>{escape(self._head)}</span>"] if self._head else []
        parts += [f"<span style='color: {colour}'>{DOT}</span>&nbsp;{escape(name)}"
                  for name, colour in self._names[:count]]  # fmt: skip
        parts += [f"and {rest} more"] if rest and count else []
        self.setTextWidth(-1)
        words = GAP.join(parts)
        self.setHtml(f"<span style='color: {now.text}; background: {now.plot}'>{words}</span>" if words else "")
