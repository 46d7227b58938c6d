"""The plot of an answer: squared displacements by lag, the shape of one peak along the structure, speeds or strains."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph

from app.gui import theme
from app.gui.plain_plot import PlainPlot

Values = npt.NDArray[np.float64]
Row = Mapping[str, Any]
BARS = 40
"""Error bars of a curve at most: side by side they would be a block."""


class AnalysisPlot(PlainPlot):
    """See the module.

    Attributes:
        curves: what is drawn, by name: x and y.
    """

    def __init__(self) -> None:
        super().__init__(160, 90)
        self.curves: dict[str, tuple[Values, Values]] = {}
        self._legend = self.addLegend(offset=(8, 1), labelTextSize="9pt", colCount=4)
        self.themed()

    def themed(self) -> None:
        super().themed()
        self._legend.setLabelTextColor(theme.current().text)

    def _begin(self, log: bool, across: str, up: str) -> None:
        self.clear()
        self._legend.clear()
        self.curves = {}
        self.setLogMode(log, log)
        self.setLabel("bottom", across)
        self.setLabel("left", up)
        for side in ("left", "bottom"):
            self.getAxis(side).silent = not across

    def _curve(self, name: str, x: Values, y: Values, colour: str, width: float = 1.2, dots: bool = False) -> None:
        self.curves[name] = x, y
        if dots:
            self.plot(x, y, pen=None, symbol="o", symbolSize=6, symbolBrush=colour, symbolPen=None, name=name)
        else:
            self.plot(x, y, pen=pyqtgraph.mkPen(colour, width=width), connect="finite", name=name)

    def _bars(self, x: Values, low: Values, high: Values, colour: str) -> None:
        """From low to high, which are values as they are drawn."""
        ends = np.stack((low, high), axis=1).ravel()
        self.plotItem.addItem(pyqtgraph.PlotCurveItem(np.repeat(x, 2), ends, pen=colour, connect="pairs"))

    def show_msd(self, found: Row | None) -> None:
        """Squared displacements by lag, both axes logarithmic; None for nothing."""
        if found is None:
            self._begin(False, "", "")
            return
        units, table, now = found["units"], found["msd"], theme.current()
        area = f"{units['length']}2"
        lag = numbers(table["lag_s" if units["time"] == "s" else "lag_frames"])
        self._begin(True, f"lag [{units['time']}]", f"MSD [{units['length']}²]")
        columns = {name: numbers(table[f"{name}_{area}"]) for name in ("msd", "low95", "high95", "raw", "floor")}
        shown = {name: np.where(values > 0, values, np.nan) for name, values in columns.items()}
        self._curve("with the floor", lag, shown["raw"], now.track(1))
        if np.nanmax(columns["floor"], initial=0.0) > 0.01 * np.nanmin(columns["raw"]):
            self._curve("floor", lag, shown["floor"], now.muted)
        self._curve("all tracks, 95 %", lag, shown["msd"], now.text, 2.0)
        d = found["diffusion"]["d"]
        if d is not None and d > 0:
            self._curve("4 D lag", lag, 4 * d * lag, now.track(0))
        few = np.unique(np.rint(np.geomspace(1, len(lag), BARS)).astype(int)) - 1
        low = np.maximum(columns["low95"], 0.05 * columns["msd"])[few]
        good = np.isfinite(low) & (low > 0) & np.isfinite(columns["high95"][few])
        few, low = few[good], low[good]
        self._bars(np.log10(lag[few]), np.log10(low), np.log10(columns["high95"][few]), now.text)
        self.autoRange()

    def show_motion(self, found: Row | None) -> None:
        """Speeds over time of the first tracks; None for nothing."""
        if found is None:
            self._begin(False, "", "")
            return
        self._begin(False, "time [s]", f"speed [{found['units']['length']}/s]")
        for number, one in enumerate(found["drawn"]):
            # Of wider lines Qt draws the outlines, thirty times as long: ten tracks that vibrate held the window.
            self._curve(f"track {one['track']}", numbers(one["time_s"]), numbers(one["speed"]),
                        theme.current().track(number), 1.0)  # fmt: skip
        self.autoRange()

    def show_strain(self, found: Row | None) -> None:
        """Mean strains over time, with how they differ from point to point, and extensometers; None for nothing."""
        if found is None:
            self._begin(False, "", "")
            return
        unit, frames, now = found["units"]["time"], found["frames"], theme.current()
        times = numbers([one["time_s" if unit == "s" else "time_frames"] for one in frames])
        self._begin(False, f"time [{unit}]", "mean strain")
        few = np.unique(np.linspace(0, len(times) - 1, min(BARS, len(times))).astype(int))
        for number, (name, words) in enumerate((("exx", "εxx"), ("eyy", "εyy"), ("exy", "εxy"))):
            mean, spread = (numbers([one[f"{what}_{name}"] for one in frames]) for what in ("mean", "spread"))
            self._curve(words, times, mean, now.track(number), 1.6, dots=len(times) == 1)
            self._bars(times[few], (mean - spread)[few], (mean + spread)[few], now.track(number))
        for number, one in enumerate(found["extensometers"]):
            self._curve(one["name"], times, numbers(one["strain"]), now.track(3 + number), 2.0)
        self.autoRange()

    def show_peak(self, rows: Sequence[Row]) -> None:
        """One peak along the longer way of the structure; () for nothing."""
        if not rows:
            self._begin(False, "", "")
            return
        axis, now = str(rows[0]["reference_axis"]), theme.current()
        mine = [row for row in rows if row["axis"] == axis]
        places = np.array([(row["x_px"], row["y_px"]) for row in mine], float)
        lying = int(np.ptp(places[:, 1]) > np.ptp(places[:, 0]))
        order = np.argsort(places[:, lying])
        along = places[order, lying]
        real, imaginary, sigma = (numbers([row[name] for row in mine])[order] for name in
                                  ("relative_real", "relative_imaginary", "relative_sigma"))  # fmt: skip
        self._begin(False, f"{'xy'[lying]} [px]", f"{axis} / reference")
        self._curve("a quarter ahead", along, imaginary, now.track(0), dots=True)
        self._curve("in phase, 2 sigma", along, real, now.text, dots=True)
        far = 2.0 * np.nan_to_num(sigma)
        self._bars(along, real - far, real + far, now.text)
        self.autoRange()


def numbers(values: Sequence[float | None]) -> Values:
    """Of JSON: null is NaN."""
    return np.array([math.nan if value is None else value for value in values], float)
