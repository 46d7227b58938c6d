"""The plots of the traces: curves over time, one plot a quantity, or one plot of spectra with the tracker's noise."""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt import QtCore

from app.desk.workbench import Workbench
from app.gui import theme
from app.gui.traces.bar import TracesBar
from app.gui.traces.canvas import Canvas
from app.gui.traces.curves import MOST_CURVES, Found
from app.gui.traces.readout import Readout
from app.gui.traces.spectra import draw_spectra
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
        found: what is drawn. readout: what it is worth under the mouse.
    """

    def __init__(self, bench: Workbench, bar: TracesBar, look: theme.Theme | None = None) -> None:
        super().__init__(bench, bar, look)
        self.found: Found | None = None
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
        pieces = found.points > MANY
        if found.wanted.spectra:
            self.plots[1].hide()
            self.part.hide()
            draw_spectra(self, found, pieces)
        else:
            self._draw_time(found, pieces)
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
        quantities, window = found.wanted.quantities, found.wanted.window
        self.plots[1].setVisible(len(quantities) > 1)
        for k, (plot, quantity) in enumerate(zip(self.plots, quantities, strict=False)):
            unit, way = quantity.unit(found.wanted.calibration, self.timed), quantity.way(window)
            words = quantity.value + (f" [{unit}]" if unit else "") + (f", {way}" if way else "")
            self.captions.title(k, words, self.now)
            plot.setLogMode(False, False)
            for curve in found.plots[k]:
                made, track, colour = curve.signal, curve.tracks[0], self.colour(curve.tracks[0])
                self.signals.append((k, f"{quantity.value}_{self.name(curve)}_{unit}".rstrip("_"), made))
                self.curves[k, track] = line = self.lines[k].line()
                line.look(colour, 1.0 if pieces else 1.4, pieces)  # Qt fills the outline of any wider line
                line.lay(curve.time, curve.value, few=curve.few)
                if 0 < len(curve.alone) <= MOST_DOTS:
                    self.dots.append(self.lines[k].dots(curve.time[curve.alone], curve.value[curve.alone], colour))
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
            self.captions.below(k, ("t [s]" if self.timed else "frame") if k == last else "", self.now)
        if self.bar.part.isChecked() and self.signals:
            self.part.draw(lambda: self.signals, "s" if self.timed else "frames")
        else:
            self.part.hide()

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
        if opened is None or opened.live or not self.bar.over_time or not self.signals:
            return
        for plot in self.plots:
            if plot.isVisible() and plot.sceneBoundingRect().contains(at):
                time = plot.vb.mapSceneToView(at).x()
                _, _, made = self.signals[0]
                self.bench.pause()
                self.bench.seek(int(made.frame[int(np.argmin(np.abs(made.time - time)))]))
                return
