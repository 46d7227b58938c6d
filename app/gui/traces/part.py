"""A part of the curves over time that the user drags, and what its values are: mean, rms, peak to peak."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.tracks.signals import Signal, statistics
from app.gui import theme
from app.gui.traces.entries import Notes

ALPHA = 40
"""Of 255: how much the part is tinted."""
FIRST = (0.25, 0.75)
"""Shares of what is seen between which the part lies at first."""
WHO = "part"
Named = tuple[int, str, Signal]


class Part(QtCore.QObject):  # type: ignore[misc]
    """One region, drawn in each plot.

    Args:
        plots: one above the other, with one time axis.
        words: a label under the plots, for what is said of it.

    Attributes:
        times: first and last one of the part, None before it was asked for.
        shown: whether it is asked for.
        moved: a signal: it was dragged, and let go.
    """

    moved = QtCore.pyqtSignal()

    def __init__(self, plots: Sequence[pyqtgraph.PlotItem], words: Notes) -> None:
        super().__init__()
        self._plots, self.words = plots, words
        self.shown = False
        self.times: tuple[float, float] | None = None
        self._values: Callable[[], Sequence[Named]] = tuple
        self.regions = [pyqtgraph.LinearRegionItem() for _ in plots]
        for region in self.regions:
            region.setZValue(-5)
            region.sigRegionChanged.connect(self._moved)
            region.sigRegionChangeFinished.connect(lambda *_: self.moved.emit())

    def draw(self, values: Callable[[], Sequence[Named]], unit: str) -> None:
        """Show the part over the curves that were drawn.

        Args:
            values: gives the curves: the plot, the name, the signal.
            unit: of times.
        """
        self._values, self._unit = values, unit
        if self.times is None:
            low, high = self._plots[0].vb.viewRange()[0]
            self.times = (low + FIRST[0] * (high - low), low + FIRST[1] * (high - low))
        for plot, region in zip(self._plots, self.regions, strict=True):
            self._set(region)
            if region not in plot.items:
                plot.addItem(region, ignoreBounds=True)
            region.show()
        self.shown = True
        self._say()

    def hide(self) -> None:
        """Nothing is asked for."""
        self.shown = False
        self.words.put(WHO, "", ())
        for region in self.regions:
            region.hide()

    def forget(self) -> None:
        """Another clip."""
        self.times = None

    def _set(self, region: pyqtgraph.LinearRegionItem) -> None:
        region.blockSignals(True)
        region.setRegion(self.times)
        region.blockSignals(False)

    def _moved(self, moved: pyqtgraph.LinearRegionItem) -> None:
        self.times = moved.getRegion()
        for region in self.regions:
            if region is not moved:
                self._set(region)
        self._say()

    def _say(self) -> None:
        assert self.times is not None
        low, high = self.times
        lines = []
        for _, name, signal in self._values():
            quantity, track, unit = parts_of(name)
            made = statistics(signal, low, high)
            lines.append(f"{quantity} of {track}: mean {made.mean:.5g}, rms {made.rms:.3g}, "
                         f"peak to peak {made.peak_to_peak:.4g} {unit} ({made.count} values)"
                         if made.count else f"{quantity} of {track}: no values")  # fmt: skip
        self.words.put(WHO, f"{low:.4g} to {high:.4g} {self._unit}:", lines, "rms: root mean square about the mean")

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        brush = QtGui.QColor(colours.accent)
        brush.setAlpha(ALPHA)
        for region in self.regions:
            region.setBrush(brush)
            region.setHoverBrush(brush)
            for line in region.lines:
                line.setPen(pyqtgraph.mkPen(colours.accent, width=1))


def parts_of(name: str) -> tuple[str, str, str]:
    """Quantity, track and unit of the name of a curve.

    >>> parts_of("x_left_wing_mm"), parts_of("score_3")
    (('x', 'left_wing', 'mm'), ('score', '3', ''))
    """
    quantity, _, rest = name.partition("_")
    track, _, unit = rest.rpartition("_")
    return (quantity, track, unit) if track else (quantity, unit, "")
