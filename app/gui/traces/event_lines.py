"""Events over the curves: a dotted line for each, with its name above it."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.gui import theme

MOST = 300
"""Lines that are drawn: Qt lays each of them out with every change of the axes."""
MOST_NAMED = 40
UNDER = 1.5
"""Lines from the top of the plot to the middle of a name: below the caption."""
LOWEST = 0.4
"""Of the height: no name is lower, however low the plot."""
BEHIND = -2


class EventLines:
    """See the module.

    Args:
        plots: one above the other, with one time axis; names are in the first.

    Attributes:
        shown: the times and names that are drawn.
        lines: of each plot.
    """

    def __init__(self, plots: Sequence[pyqtgraph.PlotItem]) -> None:
        self._plots = plots
        self._look = ""
        self.shown: tuple[tuple[float, str], ...] = ()
        self.lines: list[list[pyqtgraph.InfiniteLine]] = [[] for _ in plots]
        plots[0].vb.sigResized.connect(lambda *_: self._place_names())

    def draw(self, events: Sequence[tuple[float, str]], look: theme.Theme) -> None:
        """Draw these in place of those that were drawn; of very many the first.

        Args:
            events: time and name, by time.
            look: colours.
        """
        wanted = tuple(events[:MOST])
        if (wanted, look.name) == (self.shown, self._look):
            return
        self.shown, self._look = wanted, look.name
        pen = pyqtgraph.mkPen(look.warn, width=1, style=QtCore.Qt.PenStyle.DotLine)
        for k, (plot, lines) in enumerate(zip(self._plots, self.lines, strict=True)):
            for line in lines:
                plot.removeItem(line)
            lines.clear()
            for time, name in wanted:
                named = k == 0 and len(wanted) <= MOST_NAMED
                options = {"position": self._height, "color": look.warn, "anchors": [(0, 0.5), (0, 0.5)]}
                line = pyqtgraph.InfiniteLine(time, angle=90, pen=pen, movable=False,
                                              label=_plain(name) if named else None, labelOpts=options)  # fmt: skip
                line.setZValue(BEHIND)
                plot.addItem(line, ignoreBounds=True)
                lines.append(line)

    @property
    def _height(self) -> float:
        """Of names, of that of the plot."""
        under = UNDER * float(QtGui.QFontMetrics(QtGui.QFont()).height())
        return max(LOWEST, 1.0 - under / max(1.0, float(self._plots[0].vb.height())))

    def _place_names(self) -> None:
        for line in self.lines[0]:
            if (label := getattr(line, "label", None)) is not None:
                label.setPosition(self._height)


def _plain(name: str) -> str:
    """A label of pyqtgraph is a pattern for numbers."""
    return name.replace("{", "{{").replace("}", "}}")
