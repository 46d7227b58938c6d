"""The curves of data channels, in plots below those of the tracks: one for each unit, on the clip's time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.channels.channel import ChannelColumn, Values, split_unit
from app.channels.envelope import Envelope
from app.channels.resampling import resampled
from app.desk.services.channels import Channels, Entry, Loaded
from app.desk.services.clip_times import nearest_frame
from app.desk.tracks.signals import Signal
from app.gui import theme
from app.gui.traces.axis import Axis
from app.gui.traces.canvas import SIDES, Canvas
from app.gui.traces.captions import BELOW, FLAT, axis_width
from app.gui.traces.figures import ChannelPanel
from app.gui.traces.zoom import Zoom

MOST_LANES = 3
"""Units that have a plot each; columns of further ones are not drawn, which is said."""
FIGURE_COLUMNS = 2000
"""Of a figure's pixels, for which curves are thinned: 6 inches at 300 a inch, and some."""
LEAST_COLUMNS = 100
"""Of pixels, for which curves are thinned in plots that are narrower or not laid out yet."""
AIR = 0.06
"""Of a plot's height above and below its curves."""
_LEFT = QtCore.Qt.MouseButton.LeftButton


@dataclass(frozen=True, eq=False)
class Drawn:
    """A column of a channel that is drawn.

    Args:
        entry, loaded, column: which. name: its curve's; that of the column, with its file's where others have it, too.
    """

    entry: Entry
    loaded: Loaded
    column: ChannelColumn
    name: str

    @property
    def envelope(self) -> Envelope:
        """What is drawn of it."""
        return self.loaded.envelopes[self.column.name]

    def at(self, times: Values) -> Values:
        """Its values at times of the clip, interpolated linearly; NaN outside."""
        return resampled(self.loaded.samples, self.column.name, times - self.entry.channel.offset)

    @property
    def what(self) -> tuple[str, str]:
        """Its name without its unit, and that; with its file's name where others have the name, too."""
        name, unit = split_unit(self.column.name)
        file = self.name.removeprefix(self.column.name)
        return name + file, self.column.unit or unit


class Lane:
    """One plot.

    Args:
        canvas: below whose plots it lies. row: from the top of all.
        moved: called with the time (s of the clip) to which the mark was dragged.
    """

    def __init__(self, canvas: Canvas, row: int, moved: Callable[[float], object]) -> None:
        self.plot = canvas.graphics.addPlot(row=row, col=0, enableMenu=False, viewBox=Zoom(),
                                            axisItems={side: Axis(side) for side in SIDES})  # fmt: skip
        self.plot.setXLink(canvas.plots[0])
        self.plot.showGrid(x=True, y=True, alpha=0.15)
        self.plot.hideButtons()
        left = self.plot.getAxis("left")
        left.setWidth(axis_width())
        left.setStyle(textFillLimits=[(0, 0.55), (2, 0.45), (4, 0.35)], tickLength=-4)
        self.plot.getAxis("bottom").setStyle(tickLength=-4)
        for side in SIDES:
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self.cursor = pyqtgraph.InfiniteLine(angle=90, movable=False)
        self.mark = pyqtgraph.InfiniteLine(angle=90, movable=True)
        self.mark.setCursor(QtCore.Qt.CursorShape.SizeHorCursor)
        self.mark.setZValue(12)
        self.mark.sigDragged.connect(lambda line: moved(float(line.value())))
        for line in (self.cursor, self.mark):
            self.plot.addItem(line, ignoreBounds=True)
        self.title = QtWidgets.QGraphicsTextItem(self.plot.vb)
        self.title.setPos(4, -4)
        self.title.setZValue(20)
        self.below = QtWidgets.QGraphicsTextItem(self.plot.getAxis("bottom"))
        self.below.setPos(-axis_width(), -2)
        self.below.setTextWidth(axis_width() - 2)
        self.columns: tuple[Drawn, ...] = ()
        self.curves: dict[str, pyqtgraph.PlotCurveItem] = {}
        self._said = ""

    def show_columns(self, columns: tuple[Drawn, ...]) -> None:
        """These are drawn in it, and no others."""
        for curve in self.curves.values():
            self.plot.removeItem(curve)
        self.columns, self.curves = columns, {}
        for column in columns:
            curve = pyqtgraph.PlotCurveItem(connect="finite")
            curve.setSegmentedLineMode("on")  # Qt takes a second for a long smooth line
            self.plot.addItem(curve)
            self.curves[column.name] = curve

    def say(self, html: str) -> None:
        """The text in its corner."""
        if html != self._said:
            self._said = html
            self.title.setHtml(html)


class ChannelLanes(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        canvas: the plots of the tracks, whose time axis they share.
        channels: what is drawn.

    Attributes:
        lanes: those that are seen, from the top.
        marking: whether a sample is being marked: a click puts the mark there.
        sample: that is marked; -1 for none.
        marked: a signal: another sample is marked.
        laid: a signal: there are others, so that the plots above may have to be drawn anew.
    """

    marked = QtCore.pyqtSignal()
    laid = QtCore.pyqtSignal()

    def __init__(self, canvas: Canvas, channels: Channels) -> None:
        super().__init__(canvas.graphics)
        self._canvas, self._channels = canvas, channels
        self._bench = canvas.bench
        self._made: list[Lane] = []
        self._drawn: object = None
        self._chosen: object = None
        self._left_out = 0
        self._seen: object = None
        self.lanes: list[Lane] = []
        self.marking = False
        self.sample = -1
        self._thinner = QtCore.QTimer(canvas.graphics)
        self._thinner.setSingleShot(True)
        self._thinner.setInterval(0)
        self._thinner.timeout.connect(self.thin)
        canvas.plots[0].sigXRangeChanged.connect(lambda *_: self._thinner.start())
        canvas.graphics.scene().sigMouseClicked.connect(self._clicked)
        channels.on(self.refresh)

    # -------------------------------------------------------------------------------------------------- drawing

    def refresh(self) -> None:
        """Draw what there is, where it lies now."""
        every = self._every() if self._channels.timed and self._canvas.bar.over_time else []
        units: dict[str, list[Drawn]] = {}
        for one in every:
            units.setdefault(one.what[1], []).append(one)
        # Columns of one unit share a plot.
        wanted = [tuple(columns) for columns in units.values()][:MOST_LANES]
        self._left_out = len(every) - sum(map(len, wanted))
        if self._chosen is not self._channels.loaded:
            self._chosen, self.sample = self._channels.loaded, -1
        drawn = [[(one.loaded, one.column, one.name) for one in columns] for columns in wanted]
        if drawn != self._drawn:
            self._drawn, self._seen = drawn, None
            self._lay_out(wanted)
        self.place()
        self._place_mark()
        self.cursor()
        self.thin()

    def _every(self) -> list[Drawn]:
        """All columns of all channels that are read."""
        found = [(entry, loaded, column) for entry in self._channels.entries if (loaded := entry.loaded) is not None
                 for column in loaded.columns]  # fmt: skip
        names = Counter(column.name for _, _, column in found)
        made, used = [], Counter[str]()
        for entry, loaded, column in found:
            file = f" ({Path(entry.channel.path).stem})" if names[column.name] > 1 else ""
            name = f"{column.name}{file}"
            used[name] += 1  # files of one stem in two folders
            made.append(Drawn(entry, loaded, column, f"{name} {used[name]}" if used[name] > 1 else name))
        return made

    def _lay_out(self, wanted: list[tuple[Drawn, ...]]) -> None:
        while len(self._made) < len(wanted):
            lane = Lane(self._canvas, len(self._canvas.plots) + len(self._made), self._mark_time)
            lane.plot.vb.sigRangeChangedManually.connect(lambda *_: self._canvas.bar.follow.setChecked(False))
            lane.plot.vb.sigResized.connect(lambda *_: self._thinner.start())
            self._made.append(lane)
        for k, lane in enumerate(self._made):
            seen = k < len(wanted)
            lane.plot.setVisible(seen)
            lane.show_columns(wanted[k] if seen else ())
            if seen:
                envelopes = [one.envelope for one in lane.columns]
                low, high = min(one.low for one in envelopes), max(one.high for one in envelopes)
                # A constant has no height of its own: half of its size, and 1 for 0.
                air = AIR * (high - low) if high > low else 0.5 * abs(high) or 1.0
                lane.plot.setYRange(low - air, high + 2 * air, padding=0)  # words stand at the top
        before, self.lanes = len(self.lanes), self._made[: len(wanted)]
        self.themed()
        self._canvas.beneath = bool(self.lanes)
        if before != len(self.lanes):
            self.laid.emit()

    def place(self) -> None:
        """The numbers of the time axis stand below the lowest plot; where no curves of tracks say which part is seen,
        all of the clip is."""
        canvas = self._canvas
        for lane in self.lanes:
            last = lane is self.lanes[-1]
            axis = lane.plot.getAxis("bottom")
            axis.setStyle(showValues=last)
            axis.setHeight(QtGui.QFontMetrics(lane.below.font()).height() + BELOW if last else FLAT)
            words = f"<p align='right' style='color: {canvas.now.muted}'>t [s]</p>" if last else ""
            lane.below.setHtml(words)
        info = self._bench.info
        if self.lanes and not canvas.signals and info is not None and canvas.bar.follow.isChecked():
            low, high = info.time.time(0), info.time.time(max(0, info.frames - 1))
            canvas.plots[0].setXRange(low, high if high > low else low + 1.0, padding=0.01)

    def thin(self) -> None:
        """Draw of the curves what can be told apart in the part that is seen."""
        if not self.lanes:
            return
        low, high = self._canvas.plots[0].vb.viewRange()[0]
        columns = max(LEAST_COLUMNS, int(self.lanes[0].plot.vb.width()))
        seen = (low, high, self._channels.all, columns)
        if seen == self._seen:
            return
        self._seen = seen
        for lane in self.lanes:
            for one in lane.columns:
                lane.curves[one.name].setData(*_seen(one, low, high, columns))

    def cursor(self) -> None:
        """The line at the frame that the video shows, and what the channel is worth there."""
        shown, now = self._bench.shown, self._canvas.now
        for number, lane in enumerate(self.lanes):
            lane.cursor.setVisible(shown is not None)
            if shown is not None:
                lane.cursor.setValue(shown.time)
            parts = []
            for k, one in enumerate(lane.columns):
                name, unit = one.what
                value = math.nan if shown is None else self._channels.value_at(shown.time, one.entry, one.column)
                worth = "" if shown is None else f": {value:.5g} {unit}" if math.isfinite(value) else ": -"
                dot = f"<span style='color: {self._colour(lane, k)}'>●</span>&nbsp;" if len(lane.columns) > 1 else ""
                axis = f" [{unit}]" if unit and not worth.endswith(unit) else ""
                parts.append(f"{dot}<span style='color: {now.muted}'>{escape(name)}{axis}</span>{escape(worth)}")
            if self._left_out and number == len(self.lanes) - 1:
                words = f"{self._left_out} more in other units: choose fewer"
                parts.append(f"<span style='color: {now.muted}'>{words}</span>")
            lane.say(f"<span style='color: {now.text}; background: {now.plot}'>{'&nbsp;&nbsp; '.join(parts)}</span>")

    def _colour(self, lane: Lane, k: int) -> str:
        before = sum(len(one.columns) for one in self.lanes[: self.lanes.index(lane)])
        return self._canvas.now.track(before + k)

    def signals(self, beside: Sequence[Signal]) -> list[tuple[str, Signal]]:
        """What is drawn at the frames of other signals, with names that say how; for a table beside them."""
        if not beside:
            return []
        frames, first = np.unique(np.concatenate([one.frame for one in beside]), return_index=True)
        times = np.concatenate([one.time for one in beside])[first]
        made = []
        for one in (one for lane in self.lanes for one in lane.columns):
            file = one.name.removeprefix(one.column.name)
            name = f"{one.column.label}{file}, interpolated linearly"
            made.append((name, Signal(times, one.at(times), frames, np.full(len(frames), np.nan))))
        return made

    def panels(self) -> list[ChannelPanel]:
        """What is drawn, for a figure: of the part that is seen all that can be told apart there."""
        low, high = self._canvas.plots[0].vb.viewRange()[0]
        made = []
        for lane in self.lanes:
            curves = [(one.what[0], *_seen(one, low, high, FIGURE_COLUMNS)) for one in lane.columns]
            bottom, top = lane.plot.vb.viewRange()[1]
            made.append(ChannelPanel(lane.columns[0].what[1], tuple(curves), (low, high), (bottom, top)))
        return made

    # -------------------------------------------------------------------------------------------------- marking

    def set_marking(self, on: bool) -> None:
        """Whether a sample is being marked."""
        self.marking = on
        loaded = self._channels.loaded
        if on and loaded is not None and self.sample < 0:
            low, high = self._canvas.plots[0].vb.viewRange()[0]
            self.mark_sample(loaded.samples.nearest(0.5 * (low + high) - self._channels.offset))
        self._place_mark()

    def mark_sample(self, sample: int) -> None:
        """Another one is marked."""
        self.sample = sample
        self._place_mark()
        self.marked.emit()

    def _mark_time(self, time: float) -> None:
        loaded = self._channels.loaded
        if loaded is not None:
            self.mark_sample(loaded.samples.nearest(time - self._channels.offset))

    def _place_mark(self) -> None:
        loaded = self._channels.loaded
        for lane in self.lanes:
            lane.mark.setVisible(self.marking and self.sample >= 0)
            if loaded is not None and self.sample >= 0:
                lane.mark.setValue(loaded.samples.time_of(self.sample) + self._channels.offset)

    def _clicked(self, event: object) -> None:
        """Put the mark there, or go to the frame; a double click shows all again."""
        if event.button() != _LEFT:  # type: ignore[attr-defined]
            return
        at, opened = event.scenePos(), self._bench.opened  # type: ignore[attr-defined]
        lane = next((one for one in self.lanes if one.plot.vb.sceneBoundingRect().contains(at)), None)
        if lane is None or opened is None:
            return
        if event.double():  # type: ignore[attr-defined]
            self._seen = None
            self._lay_out([one.columns for one in self.lanes])
            self._canvas.bar.follow.setChecked(True)
            self.refresh()
            return
        time = float(lane.plot.vb.mapSceneToView(at).x())
        if self.marking:
            self._mark_time(time)
            return
        self._bench.player.pause()
        self._bench.player.seek(nearest_frame(opened.info, time))

    def themed(self) -> None:
        """Take the colours of the theme."""
        now: theme.Theme = self._canvas.now
        for lane in self._made:
            for side in SIDES:
                lane.plot.getAxis(side).setPen(now.line)
                lane.plot.getAxis(side).setTextPen(now.muted)
            lane.cursor.setPen(pyqtgraph.mkPen(now.warn, width=1))
            lane.mark.setPen(pyqtgraph.mkPen(now.accent, width=2, style=QtCore.Qt.PenStyle.DashLine))
            lane.mark.setHoverPen(pyqtgraph.mkPen(now.accent, width=3))
        for lane in self.lanes:
            for k, curve in enumerate(lane.curves.values()):
                curve.setPen(pyqtgraph.mkPen(self._colour(lane, k), width=1))
            lane._said = ""
        self.place()
        self.cursor()


def _seen(one: Drawn, low: float, high: float, columns: int) -> tuple[Values, Values]:
    """Of a column between two times of the clip what can be told apart in so many columns of pixels."""
    offset = one.entry.channel.offset
    x, y = one.envelope.seen(one.loaded.samples, low - offset, high - offset, columns)
    return x + offset, y
