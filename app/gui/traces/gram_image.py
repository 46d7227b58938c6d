"""The picture of a spectrogram: time across, frequency upwards, amplitude as colours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore

from app.desk.tracks.signals import Spectrogram

DECADES = 3.0
"""Of amplitudes below the highest that have colours of their own on a logarithmic scale: 60 dB."""
COLOURS = "viridis"
"""Rises evenly in lightness, and is told apart with colour-blind eyes (van der Walt, Smith 2015)."""
BEHIND = -10


class GramImage:
    """The picture of one spectrogram.

    Args:
        plot: where it lies.

    Attributes:
        shown: what is drawn, None for nothing. item: the picture.
    """

    def __init__(self, plot: pyqtgraph.PlotItem) -> None:
        self._plot = plot
        self.shown: Spectrogram | None = None
        self.item = pyqtgraph.ImageItem(axisOrder="row-major")
        self.item.setZValue(BEHIND)
        self.item.setColorMap(pyqtgraph.colormap.get(COLOURS))

    def draw(self, gram: Spectrogram | None, log: bool = True) -> None:
        """Another one; None for nothing."""
        self.shown = gram
        if gram is None:
            if self.item in self._plot.items:
                self._plot.removeItem(self.item)
            return
        heights, low, high = levels(gram, log)
        self.item.setImage(heights, levels=(low, high), autoLevels=False)
        across = gram.time[1] - gram.time[0] if len(gram.time) > 1 else 1.0
        # Lines begin with the first above 0: its frequency is their distance.
        up = gram.frequency[0]
        self.item.setRect(QtCore.QRectF(gram.time[0] - 0.5 * across, gram.frequency[0] - 0.5 * up,
                                        across * len(gram.time), up * len(gram.frequency)))  # fmt: skip
        if self.item not in self._plot.items:
            self._plot.addItem(self.item)

    def at(self, time: float, frequency: float) -> tuple[float, float, float] | None:
        """Time, frequency and amplitude of the cell there; None outside."""
        gram = self.shown
        if gram is None:
            return None
        k = int(np.argmin(np.abs(gram.frequency - frequency)))
        m = int(np.argmin(np.abs(gram.time - time)))
        step = gram.time[1] - gram.time[0] if len(gram.time) > 1 else 1.0
        if abs(gram.frequency[k] - frequency) > gram.frequency[0] or abs(gram.time[m] - time) > step:
            return None
        return float(gram.time[m]), float(gram.frequency[k]), float(gram.amplitude[k, m])


def levels(gram: Spectrogram, log: bool) -> tuple[npt.NDArray[np.float64], float, float]:
    """What has colours, (k, m), and between which values: amplitudes, or their logarithms."""
    top = float(gram.amplitude.max(initial=0.0)) or 1.0
    if not log:
        return gram.amplitude, 0.0, top
    high = float(np.log10(top))
    # Amplitudes of 0 have no logarithm: a decade below the darkest colour is enough for them.
    return np.log10(np.maximum(gram.amplitude, top * 10.0 ** (-DECADES - 1.0))), high - DECADES, high
