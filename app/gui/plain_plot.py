"""A plot with the window's axes and colours, and nothing in it."""

from __future__ import annotations

import pyqtgraph

from app.gui import theme
from app.gui.traces.axis import Axis

SIDES = ("left", "bottom")


class PlainPlot(pyqtgraph.PlotWidget):  # type: ignore[misc]
    """See the module.

    Args:
        width, height: at least, px.
    """

    def __init__(self, width: int, height: int) -> None:
        super().__init__(enableMenu=False, axisItems={side: Axis(side) for side in SIDES})
        self.hideButtons()
        self.showGrid(x=True, y=True, alpha=0.15)
        for side in SIDES:
            self.getAxis(side).enableAutoSIPrefix(False)
        self.setMinimumSize(width, height)

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.setBackground(colours.plot)
        for side in SIDES:
            self.getAxis(side).setPen(colours.line)
            self.getAxis(side).setTextPen(colours.muted)
