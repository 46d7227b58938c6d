"""The plots of the traces: curves over time, one plot a quantity, or one plot of spectra with the tracker's noise."""

from __future__ import annotations

from html import escape

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.tracks.signals import Quantity, Signal, Spectrum
from app.desk.tracks.spectra import as_amplitude, noise_floor
from app.desk.workbench import Workbench
from app.gui import theme
from app.gui.traces.axis import Axis
from app.gui.traces.bar import SHOWN, TracesBar
from app.gui.traces.curves import Curve, Found
from app.gui.traces.part import Part
from app.gui.traces.thin import thinned
from app.gui.traces.zoom import Zoom

MANY = 20_000
"""Points from which on lines are drawn piece by piece: Qt takes a second for long smooth ones."""
SIDES = ("left", "bottom")
FLAT = 3
"""Pixels of the time axis between two plots, which has no numbers."""
MOST_NAMED = 8
"""Tracks in the legend."""
AXIS = 58
"""Pixels for numbers such as 1234.56 at the left of a plot."""
FINE = 2.0
"""Points that are drawn for each pixel of the width."""
FLOOR = 1e-9
"""Of the highest line of a spectrum: what is lower is rounding, and would take all the room of a logarithmic axis."""


class Plots(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        bar: what is wanted; its words say what was found.
        look: colours; None for those of the window.

    Attributes:
        found: what is drawn. part: a part of it, whose statistics are told.
        graphics: the widget. plots, cursors: the upper and the lower one.
        curves: by plot and track. signals, spectra, noise: what is drawn, with names. floors: lines of noise by track.
        dots: points that no line reaches. unit: of the spectra.
    """

    def __init__(self, bench: Workbench, bar: TracesBar, look: theme.Theme | None = None) -> None:
        super().__init__()
        self._bench, self._bar, self._look = bench, bar, look
        self.found: Found | None = None
        self.curves: dict[tuple[int, int], pyqtgraph.PlotDataItem] = {}
        self.signals: list[tuple[int, str, Signal]] = []
        self.spectra: list[tuple[str, Spectrum]] = []
        self.noise: list[tuple[str, Spectrum]] = []
        self.unit = "px"
        self.floors: dict[int, pyqtgraph.PlotDataItem] = {}
        self.dots: list[pyqtgraph.PlotDataItem] = []
        self.graphics = pyqtgraph.GraphicsLayoutWidget()
        self.graphics.setMinimumHeight(150)
        ignored, expanding = QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Expanding
        self.graphics.setSizePolicy(ignored, expanding)
        self.graphics.ci.setContentsMargins(0, 2, 4, 0)
        self.graphics.ci.setSpacing(2)
        self.plots = [
            self.graphics.addPlot(row=k, col=0, enableMenu=False, viewBox=Zoom(),
                                  axisItems={side: Axis(side) for side in SIDES})
            for k in range(2)
        ]  # fmt: skip
        self.plots[1].setXLink(self.plots[0])
        self.part = Part(self.plots)
        self.cursors, self.titles = [], []
        for plot in self.plots:
            plot.showGrid(x=True, y=True, alpha=0.15)
            plot.hideButtons()
            plot.setClipToView(True)
            plot.setDownsampling(auto=True, mode="peak")
            plot.getAxis("left").setWidth(AXIS)
            plot.getAxis("left").setStyle(textFillLimits=[(0, 0.55), (2, 0.45), (4, 0.35)], tickLength=-4)
            plot.getAxis("bottom").setStyle(tickLength=-4)
            for side in SIDES:
                plot.getAxis(side).enableAutoSIPrefix(False)
            title = QtWidgets.QGraphicsTextItem(plot.vb)
            title.setPos(4, -4)
            title.setZValue(20)
            self.titles.append(title)
            cursor = pyqtgraph.InfiniteLine(angle=90, movable=False)
            self.cursors.append(cursor)
            plot.vb.sigRangeChangedManually.connect(lambda *_: bar.follow.setChecked(False))
        self.legend = QtWidgets.QGraphicsTextItem(self.plots[0].vb)
        self.legend.setZValue(20)
        self.plots[0].vb.sigResized.connect(lambda *_: self._place_legend())
        self._times = [QtWidgets.QGraphicsTextItem(plot.getAxis("bottom")) for plot in self.plots]
        for words in self._times:
            words.setPos(-AXIS, -2)
            words.setTextWidth(AXIS - 2)
        self.graphics.scene().sigMouseClicked.connect(self.clicked)
        self._long: dict[pyqtgraph.PlotDataItem, tuple[np.ndarray, np.ndarray]] = {}
        self._thinner = QtCore.QTimer(self)
        self._thinner.setSingleShot(True)
        self._thinner.timeout.connect(self._thin)
        self.plots[0].sigXRangeChanged.connect(lambda *_: self._thinner.start(0))

    @property
    def _now(self) -> theme.Theme:
        return theme.current() if self._look is None else self._look

    def draw(self, found: Found) -> None:
        """Draw what was worked out, in place of what was drawn."""
        self.found = found
        bench, tracks = self._bench, found.tracks
        if not tracks:
            self._bar.words.setText("curves of tracks appear here")
        else:
            self._bar.words.setText("" if bench.selected else "click a marker on the video to choose a track")
        for plot, cursor in zip(self.plots, self.cursors, strict=True):
            for side in SIDES:
                plot.getAxis(side).silent = not tracks  # numbers of nothing
            plot.clear()
            plot.addItem(cursor, ignoreBounds=True)
        self.curves.clear()
        self._long.clear()
        self.signals, self.spectra, self.noise, self.floors, self.dots = [], [], [], {}, []
        pieces = found.points > MANY
        if found.wanted.spectra:
            self._draw_spectra(found, pieces)
        else:
            self._draw_time(found, pieces)
        self._draw_legend(found)
        self.cursor()

    def wait(self, words: str) -> None:
        """Nothing to be seen of what was drawn; say what is to come."""
        self.found = None
        for plot in self.plots:
            plot.clear()
            for side in SIDES:
                plot.getAxis(side).silent = True
                plot.getAxis(side).picture = None
                plot.getAxis(side).update()
        self.curves.clear()
        self._long.clear()
        self.signals, self.spectra, self.noise, self.floors, self.dots = [], [], [], {}, []
        self.plots[1].hide()
        self.legend.setHtml("")
        for text in self._times:
            text.setHtml("")
        self.titles[0].setHtml(f"<span style='color: {self._now.muted}'>{escape(words)}</span>")
        self._bar.words.setText(words)

    def _draw_legend(self, found: Found) -> None:
        """Names of the tracks in their colours, as many as have room."""
        shown, seen = [], set()
        for curve in (curve for plot in found.plots for curve in plot):
            if curve.tracks not in seen:
                seen.add(curve.tracks)
                colour = self._now.track(curve.tracks[0])
                shown.append(f"<span style='color: {colour}'>\u25cf</span>&nbsp;{escape(self._name(curve))}")
        more = [f"and {len(shown) - MOST_NAMED} more"] if len(shown) > MOST_NAMED else []
        words = "&nbsp;&nbsp; ".join(shown[:MOST_NAMED] + more)
        now = self._now
        self.legend.setHtml(f"<span style='color: {now.text}; background: {now.plot}'>{words}</span>" if words else "")
        self._place_legend()

    def _place_legend(self) -> None:
        self.legend.setTextWidth(-1)
        wide = self.legend.boundingRect().width()
        self.legend.setPos(max(0.0, self.plots[0].vb.width() - wide), -4)

    def _name(self, curve: Curve) -> str:
        return " - ".join(self._bench.name(track) for track in curve.tracks)

    @property
    def timed(self) -> bool:
        """Whether times are seconds, not frames."""
        return self._bench.info is not None and self._bench.info.time.fps > 0

    def _title(self, k: int, words: str) -> None:
        """What a plot shows, lying in its corner: standing beside its axis it would be longer than a low plot."""
        axis = self.plots[k].getAxis("left")
        axis.setLabel(words)
        axis.showLabel(False)
        now = self._now  # curves may pass behind the words
        self.titles[k].setHtml(f"<span style='color: {now.muted}; background: {now.plot}'>{escape(words)}</span>")

    def _draw_time(self, found: Found, pieces: bool) -> None:
        quantities, window = found.wanted.quantities, found.wanted.window
        self.plots[1].setVisible(len(quantities) > 1)
        for k, (plot, quantity) in enumerate(zip(self.plots, quantities, strict=False)):
            unit, way = quantity.unit(found.wanted.calibration, self.timed), quantity.way(window)
            self._title(k, f"{quantity.value} [{unit}]" + (f", {way}" if way else ""))
            plot.setLogMode(False, False)
            for curve in found.plots[k]:
                made, name = curve.signal, self._name(curve)
                line = self._line(plot, curve, made.time, made.value, pieces)
                self.curves[k, curve.tracks[0]] = line
                self.signals.append((k, f"{quantity.value}_{name}_{unit}", made))
                self._dots(plot, curve.tracks[0], made)
            if len(found.tracks) < quantity.tracks and quantity.tracks > 1:
                what = next(words for words, shown in SHOWN.items() if shown is quantity)
                self._bar.words.setText(f"{what}: select {quantity.tracks} tracks (Ctrl+click)")
        for plot in self.plots:
            if self._bar.follow.isChecked():
                plot.enableAutoRange()
            else:
                plot.disableAutoRange()
        last = len(quantities) - 1
        for k in range(len(self.plots)):
            self._bottom(k, ("time [s]" if self.timed else "frame") if k == last else "")
        if self._bar.part.isChecked() and self.signals:
            self.part.draw(lambda: self.signals, "s" if self.timed else "frames")
        else:
            self.part.hide()

    def _bottom(self, k: int, words: str) -> None:
        """What stands in the corner left of the numbers of the lowest plot: a line below them would take their room."""
        axis = self.plots[k].getAxis("bottom")
        axis.setLabel(words)
        axis.showLabel(False)
        axis.setStyle(showValues=bool(words))
        axis.setHeight(None if words else FLAT)
        colour = f"color: {self._now.muted}"
        self._times[k].setHtml(f"<p align='right' style='{colour}'>{escape(words)}</p>" if words else "")

    def _draw_spectra(self, found: Found, pieces: bool) -> None:
        self.plots[1].hide()
        plot, quantity = self.plots[0], found.wanted.quantities[0]
        each = "Hz" if self.timed else "1/frame"
        unit = self.unit = quantity.unit(found.wanted.calibration, self.timed)
        power = self._bar.power.currentIndex() == 1
        what = f"density [({unit})²·{'s' if self.timed else 'frame'}]"
        self._title(0, f"{quantity.value}: {what}" if power else f"{quantity.value}: amplitude [{unit}]")
        self._bottom(0, f"[{each}]")
        self.part.hide()
        plot.setLogMode(self._bar.log.isChecked(), self._bar.log.isChecked())
        words, short = [], []
        for curve in found.plots[0]:
            name, spectrum = self._name(curve), curve.spectrum
            if spectrum is None:
                words.append(f"{name}: {curve.trouble}")
                continue
            self.spectra.append((name, spectrum))
            height = (spectrum.density if power else spectrum.amplitude)[1:]
            if self._bar.log.isChecked():
                height = np.maximum(height, FLOOR * float(height.max(initial=0.0)) or 1e-300)
            line = self._line(plot, curve, spectrum.frequency[1:], height, pieces)
            line.setDownsampling(auto=False, ds=1)
            self.curves[0, curve.tracks[0]] = line
            self._long[line] = spectrum.frequency[1:], height
            self._draw_floor(plot, curve, quantity, power)
            at, most = spectrum.peak()
            filled = f", {spectrum.filled:.0%} filled in" if spectrum.filled > 0.01 else ""
            words.append(f"{name}: {at:.4g} {each}, {most:.3g} {unit}{filled}")
            short.append(f"{name}: {at:.4g} {each}")
        if self.floors:
            words.append("dashed: noise")
        self._thin()
        plot.enableAutoRange()
        if words:
            told = words if len(short) < 2 else [*short[:4], *(["dashed: noise"] if self.floors else [])]
            self._bar.words.setText("peak  " + ";   ".join(told))  # of several, so that none is cut; the tip has all
            self._bar.words.setToolTip("\n".join(words))

    def _draw_floor(self, plot: object, curve: Curve, quantity: Quantity, power: bool) -> None:
        """What the tracker measured of its own noise, dashed."""
        assert curve.spectrum is not None
        floor = noise_floor(self._bench.tables, curve.tracks[0], quantity, self._bench.calibration)
        if floor is None:
            return
        at, density = floor
        amplitude = as_amplitude(density, curve.spectrum)
        made = Spectrum(at, amplitude, density, curve.spectrum.resolution, 0.0)
        self.noise.append((f"{self._name(curve)}_noise", made))
        height = density if power else amplitude
        pen = pyqtgraph.mkPen(self._now.track(curve.tracks[0]), width=1.0, style=QtCore.Qt.PenStyle.DashLine)
        self.floors[curve.tracks[0]] = plot.plot(at, np.maximum(height, 1e-300), pen=pen)  # type: ignore[attr-defined]

    def _line(self, plot: object, curve: Curve, x: object, y: object, pieces: bool) -> pyqtgraph.PlotDataItem:
        line = plot.plot(x, y, pen=self._pen(curve.tracks[0], pieces), connect="finite", name=self._name(curve))  # type: ignore[attr-defined]
        line.opts["autoDownsampleFactor"] = FINE
        line.curve.setSegmentedLineMode("on" if pieces else "auto")
        return line

    def _dots(self, plot: object, track: int, made: Signal) -> None:
        """Points that no line reaches, as dots: those that were seen in one frame, and not in the frames beside it."""
        alone = lonely(made.value)
        if 0 < len(alone) <= MANY:
            colour = pyqtgraph.mkColor(self._now.track(track))
            dots = plot.plot(made.time[alone], made.value[alone], pen=None, symbol="o", symbolSize=5,  # type: ignore[attr-defined]
                             symbolPen=None, symbolBrush=colour)  # fmt: skip
            self.dots.append(dots)

    def _thin(self) -> None:
        """Draw of long spectra what can be told apart on the screen; again after each change of what is seen."""
        low, high = self.plots[0].vb.viewRange()[0]
        columns = max(100, int(self.plots[0].vb.width()))
        for line, (x, y) in self._long.items():
            at = np.log10(x) if self._bar.log.isChecked() else x
            auto = self.plots[0].vb.autoRangeEnabled()[0]
            few = thinned(at, y, float(at[0]) if auto else low, float(at[-1]) if auto else high, columns)
            line.setData(x[few], y[few])

    def _pen(self, track: int, dense: bool) -> object:
        """Thin where many points come close: Qt fills the outline of any wider line."""
        return pyqtgraph.mkPen(self._now.track(track), width=1.0 if dense else 1.4)

    def cursor(self) -> None:
        """Move the line to the frame that the video shows."""
        shown = self._bench.shown
        for cursor in self.cursors:
            cursor.setVisible(shown is not None and self._bar.over_time)
            if shown is not None:
                cursor.setValue(shown.time)

    def clicked(self, event: object) -> None:
        """Go to the frame under the cursor; show all again."""
        if event.double():  # type: ignore[attr-defined]
            self._bar.follow.setChecked(True)
            for plot in self.plots:
                plot.enableAutoRange()
            return
        at = event.scenePos()  # type: ignore[attr-defined]
        opened = self._bench.opened
        if opened is None or opened.live or not self._bar.over_time or not self.signals:
            return
        for plot in self.plots:
            if plot.isVisible() and plot.sceneBoundingRect().contains(at):
                time = plot.vb.mapSceneToView(at).x()
                _, _, made = self.signals[0]
                self._bench.pause()
                self._bench.seek(int(made.frame[int(np.argmin(np.abs(made.time - time)))]))
                return

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = self._now
        self.part.themed()
        self.graphics.setBackground(colours.plot)
        for plot, cursor in zip(self.plots, self.cursors, strict=True):
            for side in SIDES:
                plot.getAxis(side).setPen(colours.line)
                plot.getAxis(side).setTextPen(colours.muted)
            cursor.setPen(pyqtgraph.mkPen(colours.warn, width=1))


def lonely(value: np.ndarray) -> np.ndarray:
    """Where finite values stand between others that are not.

    >>> lonely(np.array([1.0, np.nan, 2.0, 3.0, np.nan, 4.0])).tolist()
    [0, 5]
    """
    there = np.isfinite(value)
    beside = np.append(False, there[:-1]) | np.append(there[1:], False)
    return np.flatnonzero(there & ~beside)
