"""The plots of the traces: curves over time, one plot a quantity, or one plot of spectra with the tracker's noise, or
of a spectrogram."""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt import QtCore

from app.desk.bench.workbench import Workbench
from app.desk.tracks.signals import Signal
from app.gui import theme
from app.gui.traces.bar import TracesBar
from app.gui.traces.canvas import FITS, Canvas
from app.gui.traces.curves import COLUMNS, MOST_CURVES, Curve, Found, View, caption
from app.gui.traces.fit_figures import FitFigures
from app.gui.traces.lines import DASH, Line
from app.gui.traces.part import Named
from app.gui.traces.readout import Readout
from app.gui.traces.spectra import draw_spectra
from app.gui.traces.spectrograms import draw_spectrogram
from app.gui.traces.thin import thinned_evenly
from app.gui.traces.wanted_tracks import ask_for_tracks

MANY = 6_000
"""Points of all curves from which on lines are thin and drawn piece by piece: Qt takes long for smooth ones."""
MOST_DOTS = 20_000
"""Of one curve."""
FEWEST = 10
"""Frames that the axis of times shows at least."""


class Plots(Canvas):
    """See the module.

    Args:
        bench: the state behind the window.
        bar: what is wanted; its words say what was found.
        look: colours; None for those of the window.

    Attributes:
        found: what is drawn. readout: what it is worth under the mouse. fits: curves that were fitted, by plot and
            track. figures: what they are made for.
    """

    def __init__(self, bench: Workbench, bar: TracesBar, look: theme.Theme | None = None) -> None:
        super().__init__(bench, bar, look)
        self.found: Found | None = None
        self.figures = [FitFigures(plot) for plot in self.plots]
        self.fits: dict[tuple[int, int], Line] = {}
        self.readout = Readout(self)
        self.graphics.scene().sigMouseClicked.connect(self.clicked)

    def draw(self, found: Found) -> None:
        """Draw what was worked out, in place of what was drawn."""
        self.found = found
        bench, tracks = self.bench, found.tracks
        self.bar.words.setToolTip("")
        if not tracks:
            self.bar.words.setText("curves of tracks appear here")
        else:
            self.bar.words.setText("" if bench.selected else "click a marker to choose it")
        self.begin(silent=not tracks)  # numbers of nothing
        self.fits = {}
        for label in self.figures:
            label.say((), self.now)
        pieces = found.points > MANY
        self.gram.draw(None)
        if found.wanted.view is View.TIME:
            self._draw_time(found, pieces)
        else:
            self.plots[1].hide()
            self.quiet()
            if found.wanted.spectra:
                draw_spectra(self, found, pieces)
            else:
                draw_spectrogram(self, found)
        if found.trouble:
            self.bar.words.setText(found.trouble)
            self.bar.words.setToolTip(found.trouble)
            self.captions.title(0, found.trouble, self.now)
        for lines in self.lines:
            lines.end()
        self.thin(anew=True)
        self._draw_legend(found)
        self.mark_events()
        self.cursor()
        self.readout.tell(found)

    def wait(self, words: str) -> None:
        """Nothing to be seen of what was drawn; say what is to come."""
        self.found = None
        for label in self.figures:
            label.say((), self.now)
        self.readout.tell(None)
        super().wait(words)

    def colour(self, track: int) -> str:
        """Of a track, as in every other view."""
        return self.now.track(self.bench.colours.number(track))

    def _draw_legend(self, found: Found) -> None:
        """Names of the tracks in their colours, and how many of those that are selected are drawn."""
        named = {curve.tracks: curve for plot in found.plots for curve in plot}
        names = [(self.name(curve), self.colour(curve.tracks[0])) for curve in named.values()]
        most = max(MOST_CURVES if q.tracks == 1 else q.tracks for q in found.wanted.quantities)
        all_of_them, drawn = len(found.wanted.tracks), min(len(found.tracks), most)
        head = f"first {drawn} of {all_of_them} selected" if all_of_them > drawn and names else ""
        self.legend.name(names, head, self.now, self.captions.titles[0].boundingRect().width())

    def _draw_time(self, found: Found, pieces: bool) -> None:
        quantities, wanted = found.wanted.quantities, found.wanted
        self.plots[1].setVisible(len(quantities) > 1)
        for k, (plot, quantity) in enumerate(zip(self.plots, quantities, strict=False)):
            unit = quantity.unit(wanted.calibration, self.timed)
            self.captions.title(k, caption(found, k, unit), self.now)
            plot.setLogMode(False, False)
            for curve in found.plots[k]:
                made, track, colour = curve.signal, curve.tracks[0], self.colour(curve.tracks[0])
                self.signals.append((k, f"{quantity.value}_{self.name(curve)}_{unit}".rstrip("_"), made))
                self.curves[k, track] = line = self.lines[k].line()
                line.look(colour, 1.0 if pieces else 1.4, pieces)  # Qt fills the outline of any wider line
                line.lay(curve.time, curve.value, few=curve.few)
                if 0 < len(curve.alone) <= MOST_DOTS:
                    self.dots.append(self.lines[k].dots(curve.time[curve.alone], curve.value[curve.alone], colour))
                self._draw_fit(k, curve)
            if found.tracks and not found.plots[k] and quantity.tracks > 1:
                ask_for_tracks(self, k, quantity)
        for plot in self.plots:
            if self.bar.follow.isChecked():
                plot.enableAutoRange()
            else:
                plot.disableAutoRange()
        self._widen(found)
        last = len(quantities) - 1
        for k in range(len(self.plots)):
            lowest = k == last and not self.beneath
            self.captions.below(k, ("t [s]" if self.timed else "frame") if lowest else "", self.now)
        if self.bar.part.isChecked() and self.signals:
            self.part.draw(lambda: self.signals, "s" if self.timed else "frames")
        else:
            self.part.hide()
        if self.bar.cursors.isChecked() and self.signals:
            self.pair.draw(lambda: self.signals, self.timed)
        else:
            self.pair.hide()
        self._tell_fits(found)

    def _draw_fit(self, k: int, curve: Curve) -> None:
        """The curve that was fitted, over that of the track, broken where that is."""
        made = curve.fitted
        if made is None or made.trouble or not len(made.time):
            return
        line = self.fits[k, curve.tracks[0]] = self.lines[k].line()
        line.look(self.now.text, 1.0, True, DASH)
        few = thinned_evenly(made.time, made.value, made.time[0], made.time[-1], COLUMNS)
        line.lay(made.time, made.value, few=few)

    def fit_signals(self) -> list[Named]:
        """The curves that were fitted, as signals with names."""
        found, made = self.found, []
        for k, plot in enumerate(found.plots if found is not None else ()):
            for curve in plot:
                fitted = curve.fitted
                if found is None or fitted is None or not len(fitted.time):
                    continue
                quantity = found.wanted.quantities[k]
                unit = quantity.unit(found.wanted.calibration, self.timed)
                name = f"{fitted.model} fit of {quantity.value}_{self.name(curve)}_{unit}".rstrip("_")
                # A fit may cover a part of the samples: those with its times.
                frames = curve.signal.frame[np.isin(curve.signal.time, fitted.time)]
                made.append((k, name, Signal(fitted.time, fitted.value, frames, np.full(len(frames), np.nan))))
        return made

    def _tell_fits(self, found: Found) -> None:
        """The figures of fits: those that they are made for in the plots, all of them below."""
        first, past = self.bench.range
        known, lines = self.bench.store.frames, []
        unknown = f" ({known} of {past - first} frames are known; play the clip for the others)"
        if self.bench.live or known >= past - first:
            unknown = ""
        for k, label in enumerate(self.figures):
            texts = []
            for curve in found.plots[k] if k < len(found.plots) else ():
                if curve.fitted is None:
                    continue
                name, quantity = self.name(curve), found.wanted.quantities[k].value
                words = f"{curve.fitted.trouble}{unknown}" if curve.fitted.trouble else curve.fitted.words
                lines.append(f"{curve.fitted.model.replace('-', ' ')} through {quantity} of {name}: {words}")
                if curve.fitted.figures:
                    texts.append((f"{name}: {curve.fitted.figures}", self.colour(curve.tracks[0])))
            label.say(texts, self.now)
        self.words.put(FITS, "", lines, "fits, with one standard error each" if lines else "")

    def _widen(self, found: Found) -> None:
        """Of one frame or a few show no more time than that of `FEWEST`."""
        times = [curve.time[[0, -1]] for plot in found.plots for curve in plot if len(curve.time)]
        if not times or not self.bar.follow.isChecked():
            return
        low, high = min(float(at[0]) for at in times), max(float(at[1]) for at in times)
        least = FEWEST / (self.bench.info.time.fps if self.timed and self.bench.info is not None else 1.0)
        if high - low < least:
            for plot in self.plots:
                plot.setXRange(0.5 * (low + high - least), 0.5 * (low + high + least), padding=0)

    def clicked(self, event: object) -> None:
        """Go to the frame under the cursor; show all again. The right button is the menu's."""
        if event.button() != QtCore.Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            return
        if event.double():  # type: ignore[attr-defined]
            self.bar.follow.setChecked(True)
            for plot in self.plots:
                plot.enableAutoRange()
            return
        at = event.scenePos()  # type: ignore[attr-defined]
        opened = self.bench.opened
        if opened is None or opened.live or self.bar.view is View.SPECTRUM or self.found is None:
            return
        curves = [curve for plot in self.found.plots for curve in plot if len(curve.signal.time)]
        if not curves:
            return
        for plot in self.plots:
            if plot.isVisible() and plot.sceneBoundingRect().contains(at):
                time = plot.vb.mapSceneToView(at).x()
                made = curves[0].signal
                self.bench.player.pause()
                self.bench.player.seek(int(made.frame[int(np.argmin(np.abs(made.time - time)))]))
                return
