"""The paths of tracks over all of a clip, drawn once and laid over every picture; and the scale of their colours."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.tracks.clip_paths import ClipPaths
from app.desk.tracks.grades import RAMP
from app.exports.path_picture import By
from app.exports.trajectory_lines import TrajectoryLines, graded
from app.gui import theme
from app.gui.settings import Settings
from app.gui.video.kept_trails import KeptTrails
from app.gui.video.marks import OVER, Layer
from app.gui.video.overlay import draw_trails
from app.gui.video.tools import Brush
from app.gui.video.trails import Drawn, step_paths
from app.gui.video.view import VideoView
from app.gui.video.written import write_words
from pipelines.features import State

BELOW_TRACKS = 9.0
LOOK = 30
"""Milliseconds between two looks at rows, while some wait."""
REST = 300
"""Milliseconds between two drawings while rows come, at least; a drawing that took long is followed by `SHARE` times as
long a pause."""
SHARE = 10
SMOOTH = 1e6
"""Pixels of the screen that all lines are long together, up to which they have smooth edges."""
LONG = 0.008
"""Seconds of a look at rows that leaves no time for drawing in the same turn."""
STEP, HIGH = 4.0, 9.0
"""Pixels of a colour in the scale of colours."""


class PathsItem(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """Draws paths as a picture that is kept until they, or what is seen of them, change."""

    def __init__(self) -> None:
        super().__init__()
        self._bounds = QtCore.QRectF()
        self._trails: Drawn = []
        self._by: By = "track"
        self._some, self._length = False, 0.0
        self._kept: QtGui.QPixmap | None = None
        self._key: object = None
        self.drawn = 0
        """How often it was drawn anew."""
        self.setZValue(BELOW_TRACKS)

    def show_trails(self, trails: Drawn, by: By, some: bool, bounds: QtCore.QRectF, length: float) -> None:
        """Draw these; as `draw_trails`. `length`: of all together, px."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = QtCore.QRectF(bounds)
        self._trails, self._by, self._some, self._key, self._length = trails, by, some, None, length
        self.update()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to be drawn."""
        return not self._trails

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """The picture."""
        return self._bounds

    def shape(self) -> QtGui.QPainterPath:
        """Nothing here takes the mouse."""
        return QtGui.QPainterPath()

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        if not self._trails:
            return
        device, view = painter.device(), self.getViewWidget()
        size = view.viewport().size() if view is not None else QtCore.QSize(device.width(), device.height())
        ratio = device.devicePixelRatioF()
        transform = painter.worldTransform()
        # Millions of steps are drawn once for what is seen of them, not each time the scene is painted.
        key = (transform, size, ratio)
        if key != self._key or self._kept is None:
            self._key, self._kept = (QtGui.QTransform(transform), size, ratio), self._draw(transform, size, ratio)
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(QtCore.QPointF(0, 0), self._kept)
        painter.restore()

    def _draw(self, transform: QtGui.QTransform, size: QtCore.QSize, ratio: float) -> QtGui.QPixmap:
        self.drawn += 1
        made = QtGui.QPixmap(size * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(QtCore.Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(made)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, self._length * abs(transform.m11()) < SMOOTH)
        painter.setTransform(transform)
        painter.setClipRect(self._bounds)
        draw_trails(painter, self._trails, self._by, self._some)
        painter.end()
        return made


class Paths(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        video: over whose picture they lie; its overlay's look says what is wanted.

    Attributes:
        item: what draws. keeper: the rows. words: of the scale of colours, "" for none.
    """

    def __init__(self, bench: Workbench, video: VideoView) -> None:
        super().__init__(video)
        self._bench, self._video = bench, video
        self.look = video.overlay.look
        self.keeper = ClipPaths()
        self.item = PathsItem()
        self.words = ""
        self._built: tuple[object, ...] | None = None
        self._ready = 0.0
        self._later = False
        self._kept: KeptTrails | None = None
        video.box.addItem(self.item, ignoreBounds=True)
        self._scale = Layer(OVER, self._draw_scale)
        video.box.addItem(self._scale, ignoreBounds=True)
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self.refresh)
        for topic in (Topic.ROWS, Topic.SELECTION, Topic.VIEW):
            bench.on(topic, self._due)
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.VIEW, self._units)
        video.pictured.connect(self._scale.update)

    @property
    def on(self) -> bool:
        """Whether paths over all of the clip are wanted."""
        return self.look.trails and self.look.whole

    def _due(self) -> None:
        if self.on and not self._timer.isActive():
            self._timer.start()

    def _opened(self) -> None:
        self.keeper = ClipPaths()
        self._built = None
        self.item.show_trails([], "track", False, QtCore.QRectF(), 0.0)
        self._units(True)

    def _units(self, anew: bool = False) -> None:
        now, info, grades = self._bench.calibration, self._bench.info, self._video.overlay.grades
        timed = info is None or info.time.fps > 0 or self._bench.live
        if anew or (now.per_px, now.unit, timed) != (grades.factor, grades.unit, grades.timed):
            grades.begin(now.per_px, now.unit, timed)
            self._built = None
            if self.look.by == "speed":
                self._video.redraw()
            self._due()

    def remember_with(self, settings: Settings) -> None:
        """Begin as at the last start, and keep what is chosen for the next."""
        self._kept = KeptTrails(settings, self.look)

    def changed(self) -> None:
        """Something else is wanted."""
        if self._kept is not None:
            self._kept.keep()
        self._built = None
        self._video.overlay.grades.top = 0.0
        self._video.redraw()
        self.refresh()
        self._scale.update()

    def refresh(self) -> None:
        """Take in what is new, and draw it if it is time."""
        if not self.on:
            if not self.item.empty:
                self.item.show_trails([], "track", False, QtCore.QRectF(), 0.0)
                self.keeper = ClipPaths()  # memory is for what is seen
            return
        bench, look = self._bench, self.look
        only = frozenset(bench.selected) if look.only and bench.selected else None
        begin = perf_counter()
        self.keeper.look(bench.store, only)
        # A look that took long leaves drawing to the next turn, so that the window stays quick.
        self._later = not self._later and perf_counter() - begin > LONG
        if self._later:  # drawing comes in a turn of its own
            self._timer.start()
            return
        # All that a drawing depends on.
        wanted = (self.keeper.version, id(self.keeper), tuple(bench.selected), look.by, look.guesses,
                  tuple(self._video.overlay.bounds.getRect()))  # fmt: skip
        if wanted != self._built:
            # New rows alone may wait for a while; what somebody chose is drawn at once.
            rows_alone = self._built is not None and wanted[1:] == self._built[1:]
            if rows_alone and perf_counter() < self._ready:
                self._timer.start()
                return
            begin = perf_counter()
            self._build()
            self._built = wanted
            self._ready = perf_counter() + max(REST / 1e3, SHARE * (perf_counter() - begin))
        if self.keeper.behind:
            self._timer.start()

    def _build(self) -> None:
        bench, look, overlay = self._bench, self.look, self._video.overlay
        grades = overlay.grades
        lines = TrajectoryLines(self.keeper.held, "id" if look.by == "track" else look.by, grades.timed)
        line = lines.line
        if look.by == "track":
            count, key = len(theme.TRACK_COLOURS), bench.colours.numbers(line["track"])
        elif look.by == "speed":
            grades.top = 0.0
            grades.take(lines.top_speed)
            count, key = len(RAMP), graded(lines.speed, 0.0, grades.top)
        else:
            low, high = (float(lines.t.min()), float(lines.t.max())) if len(lines.t) else (0.0, 0.0)
            count, key = len(RAMP), graded(lines.t, low, high)
        unit = "" if lines.unit == "frame" else f" {lines.unit}"
        span = f"{'' if unit else 'frame '}{lines.t.min():.4g} to {lines.t.max():.4g}{unit}" if len(lines.t) else ""
        self.words = {"track": "", "speed": grades.speed_words, "time": span}[look.by]
        if bench.selected:
            key = key + count * np.isin(line["track"], bench.selected)
        steps = lines.joined
        if not look.guesses:
            guess = line["state"] == State.PREDICTED
            # A step is a guess if either of its ends is.
            steps = steps[~(guess[steps] | guess[steps + 1])]
        trails = step_paths(line["x"].astype(np.float64), line["y"].astype(np.float64), steps, key, count)
        length = float(np.hypot(line["x"][steps + 1] - line["x"][steps], line["y"][steps + 1] - line["y"][steps]).sum())
        self.item.show_trails(trails, look.by, bool(bench.selected), overlay.bounds, length)

    def _draw_scale(self, brush: Brush) -> None:
        """In the lower left corner of what is seen."""
        look = self.look
        if not look.trails or look.by == "track" or self._bench.shown is None:
            return
        words = self.words if look.whole else self._video.overlay.grades.words(look.by, look.trail)
        box = self._video.box
        corner = box.mapToScene(box.boundingRect().bottomLeft())
        x, y = corner.x() + 14.0, corner.y() - 14.0
        brush.painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)  # no slits between colours
        x, y = round(x), round(y)
        brush.painter.fillRect(QtCore.QRectF(x - 1, y - HIGH - 1, len(RAMP) * STEP + 2, HIGH + 2),
                               QtGui.QColor(0, 0, 0, 170))  # fmt: skip
        for k, colour in enumerate(RAMP):
            brush.painter.fillRect(QtCore.QRectF(x + STEP * k, y - HIGH, STEP, HIGH), QtGui.QColor(colour))
        write_words(brush.painter, x + STEP * len(RAMP) + 8, y, words, theme.DARK.text)
