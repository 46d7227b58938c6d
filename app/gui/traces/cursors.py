"""Two lines that the user drags: the values of the curves at both, their difference, and the time between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore

from app.desk.tracks.signals import Signal
from app.gui import theme
from app.gui.traces.entries import Notes
from app.gui.traces.part import Named, parts_of
from app.plots.words import measured

FIRST = (1.0 / 3.0, 2.0 / 3.0)
"""Shares of what is seen at which the lines stand at first."""
NAMES = ("A", "B")
WHO = "cursors"
ABOVE = 12


class Cursors(QtCore.QObject):  # type: ignore[misc]
    """Two lines, drawn in each plot; each at a frame.

    Args:
        plots: one above the other, with one time axis.
        words: a label under the plots, for what is said of them.

    Attributes:
        times: of A and B, None before they were asked for.
        lines: of each plot, A and B.
    """

    def __init__(self, plots: Sequence[pyqtgraph.PlotItem], words: Notes) -> None:
        super().__init__()
        self._plots, self.words = plots, words
        self.times: tuple[float, float] | None = None
        self._values: Callable[[], Sequence[Named]] = tuple
        self._timed = True
        self.lines = [tuple(self._line(k, name) for name in NAMES) for k in range(len(plots))]

    def _line(self, plot: int, name: str) -> pyqtgraph.InfiniteLine:
        options = {"position": 0.06, "movable": False}
        line = pyqtgraph.InfiniteLine(angle=90, movable=True, label=name if plot == 0 else None, labelOpts=options)
        line.setZValue(ABOVE)
        line.setCursor(QtCore.Qt.CursorShape.SizeHorCursor)
        line.sigDragged.connect(lambda moved: self._dragged(NAMES.index(name), float(moved.value())))
        return line

    def draw(self, values: Callable[[], Sequence[Named]], timed: bool) -> None:
        """Show them over the curves that were drawn.

        Args:
            values: gives the curves: the plot, the name, the signal.
            timed: whether times are seconds.
        """
        self._values, self._timed = values, timed
        if self.times is None:
            low, high = self._plots[0].vb.viewRange()[0]
            a, b = (self._nearest(low + share * (high - low)) for share in FIRST)
            self.times = a, b
        for plot, lines in zip(self._plots, self.lines, strict=True):
            for line in lines:
                if line not in plot.items:
                    plot.addItem(line, ignoreBounds=True)
                line.show()
        self._say()

    def hide(self) -> None:
        """Nothing is asked for."""
        self.words.put(WHO, "", ())
        for lines in self.lines:
            for line in lines:
                line.hide()

    def forget(self) -> None:
        """Another clip."""
        self.times = None

    def _nearest(self, time: float) -> float:
        """The time of the frame that is nearest."""
        times = [signal.time[int(np.argmin(np.abs(signal.time - time)))] for _, _, signal in self._values()
                 if len(signal.time)]  # fmt: skip
        return float(min(times, key=lambda one: abs(one - time), default=time))

    def _dragged(self, which: int, time: float) -> None:
        assert self.times is not None
        moved = list(self.times)
        moved[which] = self._nearest(time)
        self.times = moved[0], moved[1]
        self._say()

    def _say(self) -> None:
        assert self.times is not None
        for lines in self.lines:
            for line, time in zip(lines, self.times, strict=True):
                line.setValue(time)
        a, b = self.times
        unit = "s" if self._timed else "frames"
        rate = f", {1.0 / abs(b - a):.5g} {'Hz' if self._timed else '1/frame'}" if a != b else ""
        head = f"A {a:.6g}, B {b:.6g} {unit}: B - A = {b - a:.6g} {unit}{rate};"
        self.words.put(WHO, head, [self._told(name, signal) for _, name, signal in self._values()])

    def _told(self, name: str, signal: Signal) -> str:
        quantity, track, unit = parts_of(name)
        assert self.times is not None
        (va, sa), (vb, sb) = (_value(signal, time) for time in self.times)
        difference = measured(vb - va, math.hypot(sa, sb), unit)
        slope = ""
        if self.times[0] != self.times[1] and math.isfinite(vb - va):
            each = "s" if self._timed else "frame"
            slope = f", {(vb - va) / (self.times[1] - self.times[0]):.5g} {unit}/{each}"
        return f"{quantity} of {track}: A {measured(va, sa)}, B {measured(vb, sb, unit)}, B - A {difference}{slope}"

    def themed(self) -> None:
        """Take the colours of the theme."""
        now = theme.current()
        for lines in self.lines:
            for line in lines:
                line.setPen(pyqtgraph.mkPen(now.text, width=1, style=QtCore.Qt.PenStyle.DashLine))
                line.setHoverPen(pyqtgraph.mkPen(now.accent, width=2))
                if hasattr(line, "label"):
                    line.label.setColor(now.text)


def _value(signal: Signal, time: float) -> tuple[float, float]:
    """The value at the frame of that time and its standard uncertainty, NaN where there is none."""
    k = int(np.argmin(np.abs(signal.time - time))) if len(signal.time) else -1
    if k < 0 or abs(signal.time[k] - time) > 1e-9 * max(1.0, abs(time)):
        return math.nan, math.nan
    sigma = float(signal.sigma[k])
    return float(signal.value[k]), sigma if sigma > 0 else math.nan
