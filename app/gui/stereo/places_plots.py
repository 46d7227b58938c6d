"""Things in space: seen from one side, and x, y, z over time with their sigma and the cursor of the frame that is
shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui import theme
from app.gui.plain_plot import PlainPlot
from app.gui.traces.lines import Lines
from app.gui.turns import Turns
from app.stereo.reconstruction_figure import VIEWS
from pipelines.stereo.camera_model import Array

MOST = 12
"""Things that are drawn: those seen longest, or chosen."""
MOST_POINTS = 2000
"""Of a way in space, and that a curve over time is drawn with at first: more than the plot has pixels across."""
MANY = 400
"""Frames from which on lines are thin: those of a thousand take Qt seven times as long otherwise."""
MOST_EDGES = 300
"""Places of a band: Qt takes a second to fill long ones."""
BAND = 60
"""Opacity of sigma, of 255."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A reconstruction as it is drawn; rows by thing and frame, as `Reconstruction` has them.

    Args:
        unit: of lengths. timed: whether times are s; they count frames else. down: whether y points down.
        longest: things by how long they are seen. moments, times: frames with a place, rising, and their times.
    """

    unit: str
    timed: bool
    down: bool
    thing: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int64]
    time: Array
    places: Array
    sigma: Array
    residual: Array
    longest: npt.NDArray[np.int64]
    moments: npt.NDArray[np.int64]
    times: Array

    def rows(self, thing: int) -> slice:
        """Of one thing."""
        first, last = np.searchsorted(self.thing, (thing, thing + 1))
        return slice(int(first), int(last))


class _Plot(PlainPlot):
    """Over time.

    Attributes:
        lines: its curves. bands: of their sigma.
    """

    def __init__(self) -> None:
        super().__init__(150, 80)
        self.lines = Lines(self.getPlotItem())
        self.lines.later = lambda: QtCore.QTimer.singleShot(0, self.lines.go_on)
        self.bands: list[pyqtgraph.GraphicsObject] = []
        self.getViewBox().sigXRangeChanged.connect(lambda _, seen: self.lines.seek(tuple(seen), self.width()))
        self.themed()

    def begin(self) -> None:
        """All that is drawn from now on is in place of what was drawn."""
        self.lines.begin()
        for band in self.bands:
            self.removeItem(band)
        self.bands.clear()

    def band(self, time: Array, low: Array, high: Array, colour: pyqtgraph.QtGui.QColor) -> None:
        """Between two curves, through some of their places."""
        some = np.unique(np.linspace(0, len(time) - 1, min(len(time), MOST_EDGES)).astype(int))
        edges = [pyqtgraph.PlotCurveItem(time[some], edge[some], pen=None) for edge in (low, high)]
        made = pyqtgraph.FillBetweenItem(*edges, brush=colour)
        self.addItem(made)
        self.bands.append(made)


class PlacesPlots(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Attributes:
        wanted: a signal: the frame that was clicked at. side: from where it is seen. space, axes: the plots.
        readout: words about what is at the cursor. turns: draw it.
    """

    wanted = QtCore.pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._found: Drawn | None = None
        self._things: list[int] = []
        self.turns = Turns(self)
        self._frame = -1
        self.side = QtWidgets.QComboBox()
        for words, across, up in VIEWS:
            self.side.addItem(words, (across, up))
        self.side.setToolTip("From where space is seen, along an axis of the calibration")
        self.space = PlainPlot(150, 80)
        self.space.themed()
        self.space.setAspectLocked(True)
        self.space.setToolTip("Ways of the things; a dot where each is in the frame that is shown")
        self.axes = [_Plot() for _ in range(3)]
        for plot in self.axes:
            plot.setToolTip("The band is plus and minus sigma. A click shows the frame; the wheel zooms")
            plot.getAxis("left").setWidth(64)
            plot.scene().sigMouseClicked.connect(lambda event, plot=plot: self._clicked(plot, event))
        for plot in self.axes[1:]:
            plot.setXLink(self.axes[0])
        self.cursors = [pyqtgraph.InfiniteLine(angle=90) for _ in self.axes]
        for plot, cursor in zip(self.axes, self.cursors, strict=True):
            cursor.hide()
            plot.addItem(cursor, ignoreBounds=True)
        self.dots = pyqtgraph.ScatterPlotItem(pxMode=True)
        self.readout = QtWidgets.QLabel()
        self.readout.setProperty("muted", True)
        self.readout.setWordWrap(True)
        self.readout.setMinimumHeight(2 * self.readout.fontMetrics().height() + 2)
        self.readout.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        left = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        head = QtWidgets.QHBoxLayout()
        head.addWidget(QtWidgets.QLabel("Seen"))
        head.addWidget(self.side)
        head.addStretch(1)
        column.addLayout(head)
        column.addWidget(self.space, 1)
        right = QtWidgets.QWidget()
        rows = QtWidgets.QVBoxLayout(right)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        for plot in self.axes:
            rows.addWidget(plot, 1)
        split = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(right)
        split.setSizes([400, 400])
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(split, 1)
        layout.addWidget(self.readout)
        self.side.currentIndexChanged.connect(lambda _: self.draw())

    def show_found(self, found: Drawn | None, things: Sequence[int] = ()) -> None:
        """Draw these things; () for those seen longest."""
        self._found = found
        self._things = [] if found is None else list(things or found.longest[:MOST].tolist())[:MOST]
        self.draw()

    def colour(self, thing: int) -> str:
        """Of a thing, as in the figure that is saved."""
        return theme.current().track(thing)

    def draw(self) -> None:
        """Draw it all anew: a thing a turn of the window's loop, and seen once all are there."""
        found = self._found
        self.turns.begin(())
        self.space.clear()
        for plot in self.axes:
            plot.begin()
        for plot in (self.space, *self.axes):
            for side in ("left", "bottom"):
                plot.getAxis(side).silent = found is None
        if found is None:
            self.readout.setText("")
            self._end()
            for cursor in self.cursors:
                cursor.hide()
            return
        across, up = self.side.currentData()
        self.space.setLabel("bottom", f"{'xyz'[across]}, {found.unit}")
        self.space.setLabel("left", f"{'xyz'[up]}, {found.unit}")
        self.space.getViewBox().invertY(found.down and up == 1)
        time = "time, s" if found.timed else "time, frames"
        for along, plot in enumerate(self.axes):
            plot.setLabel("left", f"{'xyz'[along]}, {found.unit}")
            last = along == len(self.axes) - 1
            plot.setLabel("bottom", time if last else "")
            plot.getAxis("bottom").setStyle(showValues=last)
        for plot in (self.space, *self.axes):
            plot.setUpdatesEnabled(False)
        self.turns.begin([*(partial(self._draw, found, thing, across, up) for thing in self._things), self._drawn])

    def _drawn(self) -> None:
        """All of it is there."""
        self._end()
        self.space.addItem(self.dots)
        for plot in (self.space, *self.axes):
            plot.autoRange()
        self.show_frame(self._frame)

    def _end(self) -> None:
        for plot in (self.space, *self.axes):
            plot.setUpdatesEnabled(True)
        for plot, cursor in zip(self.axes, self.cursors, strict=True):
            plot.lines.end()
            cursor.setPen(pyqtgraph.mkPen(theme.current().accent, width=1))

    def _draw(self, found: Drawn, thing: int, across: int, up: int) -> None:
        rows = found.rows(thing)
        places, sigma, time, frames = found.places[rows], found.sigma[rows], found.time[rows], found.frame[rows]
        colour = pyqtgraph.mkColor(self.colour(thing))
        cuts = np.flatnonzero(np.diff(frames) > 1) + 1  # a line ends where a camera lost it
        # NaN at each cut breaks the line there; its time is doubled for it.
        times, pale = np.insert(time, cuts, time[cuts]), pyqtgraph.mkColor(colour)
        pale.setAlpha(BAND)
        many = len(frames) > MANY  # Qt fills the outline of any line that is wider than 1
        for along, plot in enumerate(self.axes):
            value, error = places[:, along], np.nan_to_num(sigma[:, along])
            plot.band(time, value - error, value + error, pale)
            line = plot.lines.line()
            line.look(colour.name(), 1.0 if many else 1.5, pieces=many)
            line.lay(times, np.insert(value, cuts, np.nan))
            line.thin(None, MOST_POINTS // 2)
        step = max(1, -(-len(frames) // MOST_POINTS))
        # Points are joined where no frame is missing between those that are drawn.
        joined = np.append(np.diff(frames[::step]) <= step, False).astype(np.int32)
        way = pyqtgraph.PlotCurveItem(places[::step, across], places[::step, up], connect=joined,
                                      pen=pyqtgraph.mkPen(colour, width=1.0 if many else 1.5))  # fmt: skip
        way.setSegmentedLineMode("on" if many else "auto")
        self.space.addItem(way)

    def show_frame(self, frame: int) -> None:
        """This frame of the first camera is shown in the window."""
        self._frame, found = frame, self._found
        if found is None or not len(found.moments):
            return
        near = min(int(np.searchsorted(found.moments, frame)), len(found.moments) - 1)
        for cursor in self.cursors:
            cursor.setVisible(frame >= 0)
            cursor.setValue(float(found.times[near]))
        across, up = self.side.currentData()
        dots, said = [], []
        for thing in self._things:
            rows = found.rows(thing)
            at = rows.start + int(np.searchsorted(found.frame[rows], frame))
            if at >= rows.stop or found.frame[at] != frame:
                continue
            place, sigma = found.places[at], found.sigma[at]
            dots.append({"pos": (place[across], place[up]), "brush": self.colour(thing), "pen": None, "size": 9})
            said.append(f"thing {thing}: " + ", ".join(f"{axis} {value:.5g} ± {error:.2g}"
                                                       for axis, value, error in zip("xyz", place, sigma, strict=True)))
        self.dots.setData(dots)
        more = f"; and {len(said) - 2} more" if len(said) > 2 else ""
        words = "; ".join(said[:2]) + (f" {found.unit}" if said else "no place") + more
        self.readout.setText(f"frame {frame}: {words}" if frame >= 0 else "")

    def _clicked(self, plot: _Plot, event: object) -> None:
        found = self._found
        place = event.scenePos() if hasattr(event, "scenePos") else None
        if found is None or place is None or not len(found.times):
            return
        time = float(plot.getViewBox().mapSceneToView(place).x())
        self.wanted.emit(int(found.moments[int(np.abs(found.times - time).argmin())]))

    def themed(self) -> None:
        """Take the colours of the theme."""
        for plot in (self.space, *self.axes):
            plot.themed()
        self.draw()
