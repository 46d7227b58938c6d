"""The tool that fills areas with a grid of points: for fields of displacement and strain."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtGui, QtWidgets

from app.desk.pipeline.detecting import Point, points_of, taker, with_template
from app.desk.services.regions import region
from app.gui import theme
from app.gui.video.point_tools import switch_button
from app.gui.video.tools import Box, Brush, Tool, squared
from kernels.errors import InputError
from pipelines.analysis.areas import Area, Kind
from pipelines.analysis.point_grid import PointGrid
from pipelines.streaming.common.states import RunState

SHAPES: dict[str, Kind | None] = {"rectangle": "rect", "ellipse": "ellipse", "polygon": "polygon",
                                  "whole picture": None}  # fmt: skip
STEP = 12
"""px between points, to begin with: half of the usual window, so that windows overlap by half."""
MOST_DOTS = 30_000
"""Points that are drawn before they are followed."""
ROUND = 48
"""Corners of an ellipse as it is drawn."""


class GridTool(Tool):
    """Areas, and the points of a grid in them, which are seen before they are followed."""

    name, text, key, icon = "grid", "Fill with a &grid of points…", "Shift+B", "grid"
    tip = "Points on a grid in a rectangle, an ellipse, a polygon or all of the picture: fields of displacement, strain"
    finishing = "Follow these points"
    alone = steps = True

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
        self.shape, self.step, self.window = QtWidgets.QComboBox(), QtWidgets.QSpinBox(), QtWidgets.QSpinBox()
        self.shape.addItems([*SHAPES])
        self.shape.setToolTip("What is drawn: the area that is filled with points")
        self.step.setRange(1, 1000)
        self.step.setValue(STEP)
        self.step.setPrefix("step ")
        self.step.setSuffix(" px")
        self.step.setToolTip("Distance of neighbouring points along x and y")
        self.window.setPrefix("subset ")
        self.window.setSuffix(" px")
        self.window.setSingleStep(2)
        self.window.setToolTip("Side of the window around each point, odd: three speckles or more should lie along it")
        self.more = QtWidgets.QPushButton("Add area")
        self.more.setToolTip("Keep this area, and draw another one that is filled, too")
        self.out = QtWidgets.QPushButton("Leave out")
        self.out.setToolTip("Make a hole of what is drawn: no points lie there; areas that are filled are drawn before "
                            "or after it, without any all of the picture is")  # fmt: skip
        self.again = QtWidgets.QPushButton("Clear")
        self.again.setToolTip("Remove all areas and holes")
        self.switch = switch_button(self)
        lines = QtWidgets.QVBoxLayout()  # two, as no tool may be wider than the video between both docks
        for widgets in ((self.shape, self.step, self.window), (self.more, self.out, self.again, self.switch)):
            line = QtWidgets.QHBoxLayout()
            for widget in widgets:
                line.addWidget(widget)
            lines.addLayout(line)
        row.addLayout(lines)
        self.within: list[Area] = []
        self.without: list[Area] = []
        self._goal: int | None = None  # a frame on its way
        self._known: tuple[object, npt.NDArray[np.float64]] = (None, np.zeros((0, 2)))
        self.shape.activated.connect(lambda _: self._reshape())
        for spin in (self.step, self.window):
            spin.valueChanged.connect(lambda _: box.refresh())
        for button, work in ((self.more, self.keep), (self.out, self.leave_out), (self.again, self.begin_anew)):
            button.clicked.connect(lambda _, work=work: box.guarded(lambda: box.steps.watch(self, work)))

    # ------------------------------------------------------------------------------------------------------ what it is

    @property
    def kind(self) -> Kind | None:
        """What is drawn; None for all of the picture."""
        return SHAPES[self.shape.currentText()]

    @property
    def outline(self) -> Area | None:
        """What is being drawn, once it is an area."""
        points = self.points
        if self.kind == "polygon":
            flat = tuple(float(number) for point in points for number in point)
            return Area("polygon", flat) if len(points) >= 3 else None
        if self.kind is None or len(points) < 2:
            return None
        (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(*points[:2], strict=True))
        if not (x1 - x0 >= 1 and y1 - y0 >= 1):
            return None
        if self.kind == "rect":
            return Area("rect", (x0, y0, x1 - x0, y1 - y0))
        return Area("ellipse", ((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2))

    @property
    def side(self) -> int:
        """Of the windows, px, odd."""
        return int(self.window.value()) | 1

    @property
    def grid(self) -> PointGrid | None:
        """The grid, as far as it is known what it fills."""
        drawn = self.outline
        within = [*self.within, *([drawn] if drawn is not None else [])]
        if not within and self.kind is not None and not self.without:
            return None
        return PointGrid(int(self.step.value()), tuple(within), tuple(self.without))

    @property
    def placed(self) -> npt.NDArray[np.float64]:
        """The points that there would be, (n, 2) px."""
        grid, info = self.grid, self.bench.info
        if grid is None or info is None:
            return np.zeros((0, 2))
        # Large grids take a while: they are kept until something changes.
        key = grid, info.width, info.height, self.side, region(self.bench)
        if key != self._known[0]:
            self._known = key, grid.points(*key[1:])
        return self._known[1]

    @property
    def hint(self) -> str:
        """What to do next."""
        if taker(self.bench.pipeline) is None:
            return f"the pipeline {self.bench.pipeline.name} finds its points itself"
        count = len(self.placed)
        if not count:
            words = {"polygon": "click the corners of the area", None: "there is no room for these windows"}
            return words.get(self.kind, "drag the area, or click two corners · Shift makes it as wide as high")
        share = max(0.0, 1.0 - self.step.value() / self.side)
        apart = f"overlap by {100 * share:.0f} %" if share else "do not overlap"
        return f"{count} points, windows of {self.side} px that {apart} · Enter follows them"

    @property
    def ready(self) -> bool:
        """Whether there is something to follow."""
        return len(self.placed) > 0 and taker(self.bench.pipeline) is not None

    @property
    def start(self) -> int:
        """A clip that plays is at no frame that anybody chose: all of it is followed."""
        return self.bench.range[0]

    # ------------------------------------------------------------------------------------------------------- handling

    def enter(self) -> None:
        """Begin without areas, with the window of the pipeline, and the step of the points that it has on a grid."""
        super().enter()
        self.within, self.without = [], []
        self._goal = self.start if self.bench.state is RunState.RUNNING and not self.bench.live else None
        found, listed = taker(self.bench.pipeline), points_of(self.bench.pipeline)
        if found is not None and found.high > 1:
            self.window.setRange(found.low, found.high)
            self.window.setValue(found.window)
            # Points lie on a grid if all columns are a whole number of pixels apart, the same everywhere.
            columns = np.diff(np.unique([x for x, _ in listed]))
            if len(columns) > 1 and columns.min() == columns.max() == round(columns.max()):
                self.step.setValue(round(columns.max()))
        self.changed()

    def changed(self) -> None:
        """Buttons follow."""
        if self.bench.shown is not None and self.bench.shown.frame == self._goal:
            self._goal = None
        takes = taker(self.bench.pipeline) is not None
        for widget in (self.shape, self.step, self.window, self.more, self.out, self.again):
            widget.setVisible(takes)
        self.switch.setVisible(not takes)
        for button in (self.more, self.out):
            button.setEnabled(self.outline is not None)
        self.again.setEnabled(bool(self.within or self.without or self.points))

    @property
    def most(self) -> int:  # type: ignore[override]
        """Points that the shape takes."""
        return {"polygon": 1 << 30, None: 0}.get(self.kind, 2)

    @property
    def state(self) -> object:
        """What is other after each change."""
        return list(self.points), list(self.within), list(self.without), self.shape.currentIndex()

    def remember(self) -> Callable[[], None]:
        """What puts everything back."""
        points, within, without = list(self.points), list(self.within), list(self.without)
        shape = self.shape.currentIndex()

        def back() -> None:
            self.within, self.without = within, without
            self.shape.setCurrentIndex(shape)
            self.set_points(points)

        return back

    def _reshape(self) -> None:
        """Another shape is drawn; a box stays what it is."""
        boxes = self.kind in ("rect", "ellipse") and len(self.points) == 2
        self.held = -1
        self.set_points(self.points if boxes else [])

    def keep(self) -> None:
        """What is drawn is an area; another one is drawn."""
        self._take(self.within)

    def leave_out(self) -> None:
        """What is drawn is a hole; another outline is drawn."""
        self._take(self.without)

    def _take(self, areas: list[Area]) -> None:
        drawn = self.outline
        if drawn is None:
            raise InputError("draw an area first")
        areas.append(drawn)
        self.held = -1
        self.set_points([])

    def begin_anew(self) -> None:
        """Without areas."""
        self.within.clear()
        self.without.clear()
        self.held = -1
        self.set_points([])

    def _square(self, point: Point, anchor: Point) -> Point:
        return squared(point, anchor) if self.straight else point

    def add(self, point: Point) -> None:
        """A corner."""
        if self.kind != "polygon" and self.points:
            point = self._square(point, self.points[0])
        super().add(point)

    def grab(self, point: Point) -> bool:
        """Corners are moved; elsewhere a new box begins, or the one that a click has begun is made."""
        if super().grab(point) or self.kind in ("polygon", None):
            return self.held >= 0
        self.points, self.held = [self.points[0] if len(self.points) == 1 else point, point], 1
        return True

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """The corner goes along."""
        if self.kind != "polygon" and len(self.points) == 2 and self.held >= 0:
            point = self._square(point, self.points[1 - self.held])
        super().drag(point, begun, done)

    def finish(self) -> None:
        """Have them followed, from the frame that is shown on."""
        points, bench = self.placed, self.bench
        if not len(points):
            raise InputError("draw an area that has room for points first")
        now = 0 if bench.shown is None or bench.live else bench.shown.frame if self._goal is None else self._goal
        places = [(x, y) for x, y in points.tolist()]
        made = with_template(bench.pipeline, places, self.side, [now or None] * len(places))
        bench.editor.edit(f"follow a grid of {len(places)} points", made)
        if not bench.live:
            bench.store.forget_from(0)
            bench.player.seek(now)
        self.box.take("pick")

    # -------------------------------------------------------------------------------------------------------- drawing

    def paint(self, brush: Brush) -> None:
        """Areas, holes dashed, the points, and the window of one of them."""
        for areas, dashed in ((self.within, False), (self.without, True)):
            for area in areas:
                brush.line(corners_of(area), closed=True, dashed=dashed)
        drawn = self.outline
        if drawn is not None:
            brush.line(corners_of(drawn), closed=True)
        elif len(self.points) == 1 and self.cursor is not None and self.kind in ("rect", "ellipse"):
            (x0, y0), (x1, y1) = self.points[0], self._square(self.cursor, self.points[0])
            brush.line([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], closed=True, dashed=True)
        elif len(self.points) > 1:
            brush.line(self.points)
        self._dots(brush)
        super().paint(brush)

    def _dots(self, brush: Brush) -> None:
        placed = self.placed[:MOST_DOTS]
        if not len(placed):
            return
        to = brush.to_screen
        x = to.m11() * placed[:, 0] + to.m21() * placed[:, 1] + to.dx()
        y = to.m12() * placed[:, 0] + to.m22() * placed[:, 1] + to.dy()
        smooth = QtGui.QPainter.RenderHint.Antialiasing
        brush.painter.setRenderHint(smooth, False)
        polygon = pyqtgraph.functions.arrayToQPolygonF(x, y)
        wide = min(4.0, max(2.0, 0.35 * self.step.value() * brush.scale))
        for ink, width in ((QtGui.QColor(0, 0, 0, 170), wide + 1.5), (QtGui.QColor(theme.DARK.warn), wide)):
            brush.painter.setPen(QtGui.QPen(ink, width))
            brush.painter.drawPoints(polygon)
        brush.painter.setRenderHint(smooth, True)
        middle = placed.mean(axis=0)
        cx, cy = placed[int(np.argmin(np.hypot(*(placed - middle).T)))].tolist()
        half = self.side / 2
        brush.line([(cx - half, cy - half), (cx + half, cy - half), (cx + half, cy + half), (cx - half, cy + half)],
                   closed=True, colour=theme.DARK.text)  # fmt: skip
        brush.words((cx + half, cy - half), f"{self.side} px", 5.0, 5.0)


def corners_of(area: Area) -> list[Point]:
    """The outline of an area as a polygon."""
    if area.kind == "polygon":
        return list(zip(area.numbers[::2], area.numbers[1::2], strict=True))
    left, top, right, bottom = area.bounds
    if area.kind == "rect":
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    cx, cy, rx, ry = (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
    turns = (2 * math.pi * k / ROUND for k in range(ROUND))
    return [(cx + rx * math.cos(turn), cy + ry * math.sin(turn)) for turn in turns]
