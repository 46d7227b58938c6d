"""How fast everything goes, how late, what waits and what was lost; and what limits it."""

from __future__ import annotations

import math

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.limits import Weight, Work, what_limits
from app.desk.engine.throughput import CAPTURED, PROCESSED, RECORDED, SHOWN, Throughput, history, look
from app.desk.group_names import brief
from app.desk.plan.planning import Planning
from app.files.atomic import size_text
from app.frame_counts import WORDS, with_reasons
from app.gui import theme
from app.gui.gauges import Bars, Numbers, Shares
from app.gui.seen import is_seen
from app.progress import until_full
from pipelines.streaming.common.states import RunState

REDRAW = 200
"""Milliseconds between two drawings."""
ROOM = 900
"""Pixels of width from which on there are plots."""
MINUTE = 60.0
"""Seconds that the plots look back on."""
_INK = {CAPTURED: 0, "stages": 1, PROCESSED: 2, RECORDED: 3, SHOWN: 4}
"""Which of the theme's colours a hop has."""


class _Whole(QtWidgets.QScrollArea):  # type: ignore[misc]
    """Shows whole rows only: where there is less room than all need, the rest of a row stays empty."""

    def end_at(self, top: int, line: int) -> None:
        """Rows are so high, the first begins there."""
        # What is left below the last row that fits whole.
        inner, room = self.widget(), self.height()
        rest = (room - top) % line if room < inner.minimumSizeHint().height() and room > top + line else 0
        if self.viewportMargins().bottom() != rest:
            self.setViewportMargins(0, 0, 0, rest)


class ThroughputPanel(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        planning: knows what programs are predicted to take.

    Attributes:
        seen: what is shown.
        verdict: the sentence about what limits; speeds, waits, queues, costs: the instruments.
    """

    def __init__(self, bench: Workbench, planning: Planning | None = None) -> None:
        super().__init__()
        self._bench, self._planning = bench, planning
        self.seen = Throughput()
        self.verdict = QtWidgets.QLabel()
        self.verdict.setWordWrap(True)
        self.verdict.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.device = QtWidgets.QLabel()
        self.device.setProperty("muted", True)
        top = QtWidgets.QHBoxLayout()
        top.addWidget(self.verdict, 1)
        top.addWidget(self.device, 0, QtCore.Qt.AlignmentFlag.AlignTop)
        self.speeds = Numbers(("frames / s", "now", "peak"), 92, 46)
        self.waits = Numbers(("latency, ms", "half", "99 %", "max"), 94, 46)
        self.waits.setToolTip("What half of the last frames took at most, what 99 of 100 took, and the longest")
        self.queues = Bars("queues", 72)
        self.queues.setToolTip("What waits for the pipeline (frames), for tracking and sinks (batches), for the disk")
        self.losses = QtWidgets.QLabel()
        self.losses.setWordWrap(True)
        self.losses.setToolTip("\n".join(f"{word}: {what}" for word, what in WORDS.items()))
        self.disk = QtWidgets.QLabel()
        self.disk.setWordWrap(True)
        for label in (self.losses, self.disk):
            label.setFont(self.queues.font())
        self.costs = Shares()
        self.graphics = pyqtgraph.GraphicsLayoutWidget()
        self.graphics.setMinimumSize(200, 90)
        self.plots = [self.graphics.addPlot(row=0, col=k, enableMenu=False) for k in range(2)]
        self.curves: dict[str, pyqtgraph.PlotDataItem] = {}
        for plot, words in zip(self.plots, ("frames / s", "ms"), strict=True):
            plot.hideButtons()
            plot.setMouseEnabled(False, False)
            plot.showGrid(x=True, y=True, alpha=0.15)
            plot.setLabel("left", words)
            plot.getAxis("left").setWidth(54)
            plot.setLabel("bottom", "seconds")
            plot.setXRange(-MINUTE, 0, padding=0.01)
            for side in ("left", "bottom"):
                plot.getAxis(side).enableAutoSIPrefix(False)
        self._lay_out(top)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REDRAW)
        self._timer.timeout.connect(self.redraw)
        for topic in (Topic.MEASURED, Topic.OPENED, Topic.BUILT, Topic.VIEW):
            bench.on(topic, self._due)
        self.themed()

    def _lay_out(self, top: QtWidgets.QHBoxLayout) -> None:
        middle = QtWidgets.QVBoxLayout()
        middle.setSpacing(4)
        for widget in (self.queues, self.losses, self.disk):
            middle.addWidget(widget)
        middle.addStretch()
        columns = QtWidgets.QHBoxLayout()
        columns.setSpacing(18)
        for widget, stretch in ((self.speeds, 0), (self.waits, 0)):
            columns.addWidget(widget, stretch, QtCore.Qt.AlignmentFlag.AlignTop)
        columns.addLayout(middle, 3)
        inner = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(inner)
        column.setContentsMargins(10, 4, 10, 4)
        column.setSpacing(5)
        column.addWidget(self.costs)
        column.addLayout(columns, 1)
        self._scroll = scroll = _Whole()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        self._numbers = inner
        below = QtWidgets.QHBoxLayout()  # numbers may be scrolled, plots are always seen whole
        below.setContentsMargins(0, 0, 6, 4)
        below.setSpacing(0)
        below.addWidget(scroll, 7)
        below.addWidget(self.graphics, 3)
        top.setContentsMargins(10, 4, 10, 0)
        top.setSpacing(12)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)  # over all the width, so that it takes one line, and is never scrolled away
        layout.addLayout(below, 1)

    def sizeHint(self) -> QtCore.QSize:  # noqa: N802
        """High enough for all instruments."""
        return QtCore.QSize(1000, 260)

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        """Numbers come before plots where there is little room."""
        super().resizeEvent(event)
        self._room()

    def _room(self) -> None:
        """Show the plots where the numbers beside them are not cut."""
        numbers = self._numbers.minimumSizeHint().width() + self.style().pixelMetric(
            QtWidgets.QStyle.PixelMetric.PM_ScrollBarExtent)  # fmt: skip
        wide = self.width() >= ROOM and 0.7 * self.width() >= numbers
        if self.graphics.isHidden() == wide:
            self.graphics.setVisible(wide)
        self._scroll.end_at(self.speeds.y(), self.speeds.line)

    def _due(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def redraw(self) -> None:
        """Show the newest readings."""
        if not is_seen(self):
            self._timer.start()  # nothing tells when a dock comes back
            return
        bench, colours = self._bench, theme.current()
        self.seen = seen = look(bench.readings)
        device = bench.built.device if bench.built is not None else "cpu"
        limits = what_limits(seen, bench.info, bench.live, speed=bench.speed, device=device,
                             paused=bench.state is RunState.PAUSED, work=self._work())  # fmt: skip
        ink = {Weight.FINE: colours.good, Weight.NEAR: colours.warn}.get(limits[0].weight, colours.bad)
        more = f"&nbsp; <span style='color:{colours.muted}'>(and {len(limits) - 1} more)</span>" if limits[1:] else ""
        advice = f" &mdash; {_safe(limits[0].advice)}" if limits[0].advice else ""
        self.verdict.setText(f'<span style="color:{ink}">●</span>&nbsp; <b>{_safe(limits[0].words)}</b>{advice}{more}')
        self.verdict.setToolTip("\n".join(limit.sentence for limit in limits))
        batch = bench.measured.reading.batch if bench.measured is not None else 0
        self.device.setText("" if bench.built is None else device)
        self.device.setToolTip(f"What computes the pipeline; batches have {batch} frames now" if batch else "")
        self.speeds.show_rows([(s.name, f"{s.now:.0f}", f"{s.peak:.0f}") for s in seen.speeds],
                              [self._ink(s.name) for s in seen.speeds])  # fmt: skip
        self.waits.show_rows([(name, *(_ms(s) for s in (w.p50, w.p99, w.max))) for name, w in seen.latencies.items()])
        self.waits.setVisible(bool(seen.latencies))
        self.queues.show_bars([(name, d.now, max(d.deepest, d.now), d.room) for name, d in seen.queues.items()])
        self.queues.setVisible(bool(seen.queues))
        self._show_losses(seen)
        self._show_costs(seen)
        self._show_curves()
        self._room()

    def _work(self) -> Work:
        """What is known of the pipeline."""
        report = None if self._planning is None else self._planning.report
        networks = tuple(node.id for node in self._bench.pipeline.nodes if node.stage == "network")
        return Work(networks, {} if report is None else report.running)

    def _show_losses(self, seen: Throughput) -> None:
        colours, bench = theme.current(), self._bench
        counts, recent = seen.counts, seen.recent
        if bench.live and seen.speeds:
            lost = colours.bad if recent.lost else colours.warn if counts.lost else colours.good
            parts = [(lost, with_reasons("lost", counts.lost))]
            if counts.left_out:
                parts.append((colours.warn if recent.left_out else colours.muted,
                              with_reasons("left out", counts.left_out)))  # fmt: skip
            words = (f'<span style="color:{ink}">{_safe(text)}</span>' for ink, text in parts)
            self.losses.setText(f"of {counts.announced} frames: " + ", ".join(words))
        else:
            self.losses.setText("")
        disk = seen.disk
        if disk is None:
            self.disk.setText("")
            return
        rate = f"{size_text(disk.bytes_a_second)}/s, " if math.isfinite(disk.bytes_a_second) else ""
        left = until_full(disk.seconds_left)
        self.disk.setText(f"recorded {disk.recorded} frames, {rate}disk full in {left}")

    def _show_costs(self, seen: Throughput) -> None:
        palette = theme.current().tracks
        total = sum(cost.seconds for cost in seen.costs)
        self.costs.show_shares([
            (brief(cost.name.split("+")), cost.seconds / total, f"{_ms(cost.seconds)} ms",
             palette[(k + 5) % len(palette)])
            for k, cost in enumerate(seen.costs)
        ] if total > 0 else [])  # fmt: skip

    def _show_curves(self) -> None:
        curves = history(self._bench.readings, MINUTE)
        for name in [*self.curves]:
            if name not in curves:
                self._plot_of(name).removeItem(self.curves.pop(name))
        for name, (times, values) in curves.items():
            if name not in self.curves:
                self.curves[name] = self._plot_of(name).plot()
            late = name.startswith("latency")
            self.curves[name].setData(times, [1e3 * v for v in values] if late else values)
            self.curves[name].setPen(pyqtgraph.mkPen(self._ink(name), width=1.6))
        self.plots[1].setVisible(any(name.startswith("latency") for name in curves))
        # From 0 on, so that heights compare; pyqtgraph's own range would begin at the lowest.
        for plot in self.plots:
            most = max((float(max(item.getData()[1])) for name, item in self.curves.items()
                        if self._plot_of(name) is plot), default=1.0)  # fmt: skip
            plot.setYRange(0, 1.1 * max(most, 1e-3), padding=0)

    def _plot_of(self, name: str) -> pyqtgraph.PlotItem:
        return self.plots[1 if name.startswith("latency") else 0]

    def _ink(self, name: str) -> str:
        colours = theme.current()
        if name.startswith("latency"):
            return colours.warn if name.endswith("p99") else colours.muted
        return colours.tracks[_INK.get(name, 5)]

    def themed(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.graphics.setBackground(colours.plot)
        half, most = (self._ink(f"latency {part}") for part in ("p50", "p99"))
        self.plots[1].setTitle(f'latency: <span style="color:{half}">half</span>, '
                               f'<span style="color:{most}">99 %</span>', color=colours.muted, size="8pt")  # fmt: skip
        for plot in self.plots:
            for side in ("left", "bottom"):
                plot.getAxis(side).setPen(colours.line)
                plot.getAxis(side).setTextPen(colours.muted)
        self.redraw()


def _ms(seconds: float) -> str:
    """Milliseconds with three digits."""
    value = 1e3 * seconds
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
