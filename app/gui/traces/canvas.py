"""What the traces are drawn on: two plots one above the other with one time axis, the upper one alone for spectra."""

from __future__ import annotations

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.tracks.peaks import PeaksOf
from app.desk.tracks.signals import Signal, Spectrum
from app.gui import theme
from app.gui.traces.axis import Axis
from app.gui.traces.bar import TracesBar
from app.gui.traces.captions import Captions, axis_width
from app.gui.traces.cursors import Cursors
from app.gui.traces.curves import Curve, View
from app.gui.traces.entries import Notes
from app.gui.traces.event_lines import MOST as MOST_EVENTS
from app.gui.traces.event_lines import EventLines
from app.gui.traces.gram_image import GramImage
from app.gui.traces.legend import Legend
from app.gui.traces.lines import Line, Lines
from app.gui.traces.part import Part
from app.gui.traces.zoom import Zoom

SIDES = ("left", "bottom")
FITS = "fit"
"""The name under which the words about fits stand in `words`."""
LEAST_COLUMNS = 100
"""Of pixels, which plots are thinned for that are narrower or not laid out yet."""


class Canvas(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        bar: what is wanted; its words say what was found.
        look: colours; None for those of the window.

    Attributes:
        graphics: the widget. plots, cursors: the upper and the lower one. lines: what is drawn in each. captions: words
            in their corners. words: below them. part: a part of the curves, whose statistics are told. pair: two
            lines at which values are told. gram: the picture of a spectrogram.
        curves: by plot and track. signals, spectra, noise: what is drawn, with names. peaks: of each spectrum. floors:
            lines of noise by track. dots: points that no line reaches. events: lines where frames are marked. unit: of
            the spectra.
        beneath: whether plots of others lie below, which have the numbers of the time axis.
    """

    def __init__(self, bench: Workbench, bar: TracesBar, look: theme.Theme | None = None) -> None:
        super().__init__()
        self.bench, self.bar, self._look = bench, bar, look
        self.unit = "px"
        self.beneath = False
        self.forget()
        self.graphics = pyqtgraph.GraphicsLayoutWidget()
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
        self.gram = GramImage(self.plots[0])
        self.words = Notes()
        self.part = Part(self.plots, self.words)
        self.pair = Cursors(self.plots, self.words)
        self.lines = [Lines(plot) for plot in self.plots]
        self.captions = Captions(self.plots)
        self.legend = Legend(self.plots[0])
        self.cursors = []
        for plot in self.plots:
            plot.showGrid(x=True, y=True, alpha=0.15)
            plot.hideButtons()
            plot.getAxis("left").setWidth(axis_width())
            plot.getAxis("left").setStyle(textFillLimits=[(0, 0.55), (2, 0.45), (4, 0.35)], tickLength=-4)
            plot.getAxis("bottom").setStyle(tickLength=-4)
            for side in SIDES:
                plot.getAxis(side).enableAutoSIPrefix(False)
            self.cursors.append(pyqtgraph.InfiniteLine(angle=90, movable=False))
            plot.addItem(self.cursors[-1], ignoreBounds=True)
            plot.vb.sigRangeChangedManually.connect(lambda *_: bar.follow.setChecked(False))
        self.events = EventLines(self.plots)
        self._thinner = QtCore.QTimer(self.graphics)  # goes with it
        self._thinner.setSingleShot(True)
        self._thinner.timeout.connect(self.thin)
        for lines in self.lines:
            lines.later = lambda: self._thinner.start(0)
        self.plots[0].sigXRangeChanged.connect(lambda *_: self._thinner.start(0))

    def forget(self) -> None:
        """Nothing is drawn that has a name."""
        self.curves: dict[tuple[int, int], Line] = {}
        self.signals: list[tuple[int, str, Signal]] = []
        self.spectra: list[tuple[str, Spectrum]] = []
        self.noise: list[tuple[str, Spectrum]] = []
        self.peaks: list[PeaksOf] = []
        self.floors: dict[int, Line] = {}
        self.dots: list[pyqtgraph.ScatterPlotItem] = []

    @property
    def now(self) -> theme.Theme:
        """The colours."""
        return theme.current() if self._look is None else self._look

    def begin(self, silent: bool) -> None:
        """What is drawn from now on is in place of what was drawn; `silent`: there is nothing to number."""
        for plot, lines in zip(self.plots, self.lines, strict=True):
            lines.begin()
            for side in SIDES:
                _silence(plot.getAxis(side), silent)
        self.forget()

    def silence(self, k: int, *sides: str) -> None:
        """One plot has nothing to number until the next drawing, at its left if nothing else is said."""
        for side in sides or ("left",):
            _silence(self.plots[k].getAxis(side), True)

    def wait(self, words: str) -> None:
        """Nothing to be seen of what was drawn; say what is to come."""
        self.begin(silent=True)
        for lines in self.lines:
            lines.end()
        self.plots[1].hide()
        self.gram.draw(None)
        self.quiet()
        self.legend.name((), "", self.now, 0.0)
        self.captions.clear(words, self.now)
        self.bar.words.setText(words)

    def quiet(self) -> None:
        """Nothing is said below the plots, and nothing lies over them."""
        self.part.hide()
        self.pair.hide()
        self.words.put(FITS, "", ())

    def name(self, curve: Curve) -> str:
        """What the tracks of a curve are called."""
        return " - ".join(self.bench.tracks.name(track) for track in curve.tracks)

    @property
    def timed(self) -> bool:
        """Whether times are seconds, not frames."""
        return self.bench.info is not None and self.bench.info.time.fps > 0

    def thin(self, anew: bool = False) -> None:
        """Draw of long curves what can be told apart on the screen; again after each change of what is seen."""
        low, high = self.plots[0].vb.viewRange()[0]
        seen = None if self.plots[0].vb.autoRangeEnabled()[0] else (float(low), float(high))
        for plot, lines in zip(self.plots, self.lines, strict=True):
            for line in lines if anew and seen is not None else ():
                line.due = True  # another part is seen than was thinned beforehand
            lines.seek(seen, max(LEAST_COLUMNS, int(plot.vb.width())))

    def cursor(self) -> None:
        """Move the line to the frame that the video shows."""
        shown = self.bench.shown
        for cursor in self.cursors:
            cursor.setVisible(shown is not None and self.bar.view is not View.SPECTRUM)
            if shown is not None:
                cursor.setValue(shown.time)

    def mark_events(self) -> None:
        """Lines where the events are, while curves are drawn over time."""
        info = self.bench.info if self.bar.over_time and self.signals and not self.bench.live else None
        shown = () if info is None else [(info.time.time(e.frame), e.name) for e in self.bench.events]
        self.events.draw(shown, self.now)
        if len(shown) > MOST_EVENTS:
            self.bar.words.setText(f"lines of the first {MOST_EVENTS} of {len(shown)} events")

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = self.now
        self.part.themed()
        self.pair.themed()
        self.mark_events()
        self.graphics.setBackground(colours.plot)
        for plot, cursor in zip(self.plots, self.cursors, strict=True):
            for side in SIDES:
                plot.getAxis(side).setPen(colours.line)
                plot.getAxis(side).setTextPen(colours.muted)
            cursor.setPen(pyqtgraph.mkPen(colours.warn, width=1))


def _silence(axis: Axis, silent: bool) -> None:
    if axis.silent != silent:
        axis.silent, axis.picture = silent, None
        axis.update()
