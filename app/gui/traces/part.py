"""A part of the curves over time that the user drags, and what its values are: mean, rms, peak to peak."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.tracks.signals import Signal, statistics
from app.gui import theme
from app.gui.traces.entries import Entries

ALPHA = 40
"""Of 255: how much the part is tinted."""
FIRST = (0.25, 0.75)
"""Shares of what is seen between which the part lies at first."""
Named = tuple[int, str, Signal]


class Part(QtCore.QObject):  # type: ignore[misc]
    """One region, drawn in each plot.

    Args:
        plots: one above the other, with one time axis.

    Attributes:
        words: a label under the plots; hidden while nothing is asked for.
        times: first and last one of the part, None before it was asked for.
    """

    def __init__(self, plots: Sequence[pyqtgraph.PlotItem]) -> None:
        super().__init__()
        self._plots = plots
        self.times: tuple[float, float] | None = None
        self._values: Callable[[], Sequence[Named]] = tuple
        self._frames = ""
        self.words = Entries()
        self.words.hide()
        self.regions = [pyqtgraph.LinearRegionItem() for _ in plots]
        for region in self.regions:
            region.setZValue(-5)
            region.sigRegionChanged.connect(self._moved)

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
        self.words.show()
        self._say()

    def hide(self) -> None:
        """Nothing is asked for."""
        self.words.hide()
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
            quantity, _, rest = name.partition("_")
            track, _, unit = rest.rpartition("_")
            made = statistics(signal, low, high)
            lines.append(f"{quantity} of {track}: mean {made.mean:.5g}, rms {made.rms:.3g}, "
                         f"peak to peak {made.peak_to_peak:.4g} {unit} ({made.count} values)"
                         if made.count else f"{quantity} of {track}: no values")  # fmt: skip
        self.words.say(f"{low:.4g} to {high:.4g} {self._unit}:", lines)
        self.words.setToolTip("\n".join(["rms: root mean square about the mean", *lines]))

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
