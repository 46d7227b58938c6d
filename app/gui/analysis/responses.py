"""The plots of frequency responses: magnitude, phase and coherence over one axis of frequencies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme
from app.gui.analysis.plots import numbers
from app.gui.traces.axis import Axis
from app.gui.turns import Turns

Values = npt.NDArray[np.float64]
Row = Mapping[str, Any]
MAGNITUDE, PHASE, COHERENCE = "magnitude", "phase", "coherence"
KINDS = (MAGNITUDE, PHASE, COHERENCE)
SURE = 2.0
"""Standard errors above which a response must be for its phase to be drawn; as the picture of the command."""
LOW = 260
"""Pixels of height below which plots lie side by side: one above the other nothing could be read in them."""
WIDTH = 66
"""Pixels of the numbers at the side, so that the plots begin at the same place."""


class ResponsePlot(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module. What a point does along x is dashed where y is drawn, too.

    Args:
        number: of a track's colour.

    Attributes:
        plots: by kind; each is drawn in a turn of its own.
        curves: what is drawn, by kind and name: x and y.
        turns: the plots that are still to be drawn.
    """

    def __init__(self, number: Callable[[int], int] = int) -> None:
        super().__init__()
        self._number = number
        self.plots: dict[str, pyqtgraph.PlotWidget] = {}
        self.curves: dict[tuple[str, str], tuple[Values, Values]] = {}
        self._found: Row | None = None
        self.turns = Turns(self)
        self._only = ""
        self._row = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        for kind in KINDS:
            plot = pyqtgraph.PlotWidget(enableMenu=False, axisItems={side: Axis(side) for side in ("left", "bottom")})
            plot.hideButtons()
            plot.showGrid(x=True, y=True, alpha=0.15)
            plot.setMinimumSize(60, 40)
            for side in ("left", "bottom"):
                plot.getAxis(side).enableAutoSIPrefix(False)
            self.plots[kind] = plot
            self._row.addWidget(plot, 2 if kind == MAGNITUDE else 1)
        self._legend = self.plots[MAGNITUDE].addLegend(offset=(-2, 1), labelTextSize="8pt", colCount=3)
        self._legend.setZValue(20)
        for kind in (PHASE, COHERENCE):
            self.plots[kind].setXLink(self.plots[MAGNITUDE])
            self.plots[kind].setMouseEnabled(y=False)
        self.plots[MAGNITUDE].setLogMode(False, True)
        self.setMinimumSize(160, 90)
        self._arrange()
        self.themed()

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        for plot in self.plots.values():
            plot.setBackground(colours.plot)
            for side in ("left", "bottom"):
                plot.getAxis(side).setPen(colours.line)
                plot.getAxis(side).setTextPen(colours.muted)
        self._legend.setLabelTextColor(colours.text)
        self.show_found(self._found)

    def show_only(self, kind: str) -> None:
        """Draw one of KINDS; "" for all."""
        self._only = kind
        self._arrange()

    def _arrange(self) -> None:
        """One above the other; side by side where it is low."""
        beside = self.height() < LOW
        way = QtWidgets.QBoxLayout.Direction
        self._row.setDirection(way.LeftToRight if beside else way.TopToBottom)
        shown = [kind for kind in KINDS if self._only in ("", kind)]
        for kind, plot in self.plots.items():
            plot.setVisible(kind in shown)
            below = beside or kind == shown[-1]
            plot.getAxis("bottom").setStyle(showValues=below)
            plot.getAxis("bottom").showLabel(below and self._found is not None)
            plot.getAxis("left").setWidth(None if beside else WIDTH)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """What is low enough to lie side by side may be another thing now."""
        super().resizeEvent(event)
        self._arrange()

    def show_found(self, found: Row | None) -> None:
        """Draw what `app.desk.jobs.analysing` found of responses; None for nothing."""
        self._found, self.curves = found, {}
        self.turns.begin(())
        self._legend.clear()
        for plot in self.plots.values():
            plot.clear()
            for side in ("left", "bottom"):
                plot.getAxis(side).silent = found is None
        unit = f" [{found['unit']}]" if found is not None and found["unit"] else ""
        for kind, words in zip(KINDS, (f"|H|{unit}", "ahead [°]", "coherence"), strict=True):
            self.plots[kind].setLabel("left", words if found is not None else "")
            self.plots[kind].setLabel("bottom", "frequency [Hz]" if found is not None else "")
        self._arrange()
        if found is None:
            return
        f = numbers(found["frequency_hz"])
        for one in found["drawn"]:
            name, size, sigma = _name(one), numbers(one["magnitude"]), numbers(one["sigma"])
            self.curves[MAGNITUDE, name] = f, np.where(size > 0, size, np.nan)
            self.curves[PHASE, name] = f, np.where(size > SURE * sigma, numbers(one["phase_deg"]), np.nan)
            self.curves[COHERENCE, name] = f, numbers(one["coherence"])
        self.turns.begin([partial(self._draw, kind, found) for kind in KINDS])

    def _draw(self, kind: str, found: Row) -> None:
        """Draw one of the plots."""
        plot, now = self.plots[kind], theme.current()
        both = {one["axis"] for one in found["drawn"]} == {"x", "y"}
        dash, solid = QtCore.Qt.PenStyle.DashLine, QtCore.Qt.PenStyle.SolidLine
        plot.disableAutoRange()  # else each curve has it worked out anew
        for one in found["drawn"]:
            name, colour = _name(one), now.track(self._number(one["track"]))
            pen = pyqtgraph.mkPen(colour, width=1.2, style=dash if both and one["axis"] == "x" else solid)
            look = {"pen": pen, "connect": "finite"} if kind != PHASE else {
                "pen": None, "symbol": "o", "symbolSize": 3, "symbolBrush": colour, "symbolPen": None}  # fmt: skip
            plot.plot(*self.curves[kind, name], name=name if kind == MAGNITUDE else None, **look)
        dashed = pyqtgraph.mkPen(now.muted, width=1, style=dash)
        for mode in found["modes"]:
            plot.addItem(pyqtgraph.InfiniteLine(mode["frequency_hz"], 90, pen=dashed), ignoreBounds=True)
        if kind == COHERENCE:
            chance = pyqtgraph.InfiniteLine(found["coherence_of_chance_95"], 0, pen=dashed)
            plot.addItem(chance, ignoreBounds=True)
        if kind == MAGNITUDE:
            plot.autoRange()
        else:
            low, high = (-180.0, 180.0) if kind == PHASE else (0.0, 1.0)
            plot.setYRange(low, high, padding=0.02)
        f = numbers(found["frequency_hz"])
        plot.setXRange(float(f[0]), float(f[-1]), padding=0.01)


def _name(one: Row) -> str:
    """Of a curve: its track and axis."""
    return f"{one['track']} {one['axis']}"
