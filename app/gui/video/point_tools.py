"""The tool that says which points are followed, and from which frame on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.desk.pipeline.detecting import Point, detect, for_tracker, given, places, taker
from app.desk.services.regions import region
from app.gui.beside import Beside
from app.gui.video.tools import Box, Brush, Tool
from kernels.errors import InputError
from pipelines.features import State
from pipelines.streaming.common.states import RunState

SOME = 30
"""Points that are looked for, to begin with."""
FAINT = 0.5
"""How much is seen of points that begin in other frames than the one that is shown."""
SAME = 2.0
"""Pixels within which a track in the frame of a point is that point's."""


def switch_button(tool: Tool) -> QtWidgets.QPushButton:
    """Goes over to a pipeline that follows given points."""

    def switch() -> None:
        tool.bench.files.choose("template")
        tool.set_points(tool.points)

    made = QtWidgets.QPushButton("Use the pipeline template")
    made.setToolTip("This pipeline finds its points itself; the pipeline template follows given ones")
    made.clicked.connect(lambda: tool.box.guarded(switch))
    return made


class PlacePoints(Tool):
    """Points that the pipeline's tracker follows."""

    name, text, key, icon = "points", "Place p&oints…", "B", "point"
    tip = "Points of your choice for the tracker to follow (pipeline template); or drop a table with x_px and y_px"
    finishing = "Follow these points"
    numbers = steps = True

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
        self.count = QtWidgets.QSpinBox()
        self.count.setRange(1, 2000)
        self.count.setValue(SOME)
        self.count.setToolTip("How many points are looked for at most")
        self.detect = QtWidgets.QPushButton("Detect")
        self.detect.setToolTip("Add the best places of the picture that is shown: where it has corners (Shi-Tomasi)")
        self.clear = QtWidgets.QPushButton("Remove all")
        self.clear.setToolTip("Remove all points that are placed; Backspace removes the last one")
        self.switch = switch_button(self)
        self.here = QtWidgets.QPushButton("All begin here")
        self.here.setToolTip("Have every point begin in the frame that is shown, where its track is there")
        self.whole = QtWidgets.QPushButton("From the first frame")
        self.whole.setToolTip("Go to the first frame that is played, and have every point begin there, where its track "
                              "is there: points are followed from their frame on, never before it")
        for widget in (self.count, self.detect, self.here, self.whole, self.clear, self.switch):
            row.addWidget(widget)
        for button, work in ((self.here, lambda: self.begin(self.frame or 0)), (self.whole, self.begin_first),
                             (self.clear, lambda: self.set_points([]))):  # fmt: skip
            button.clicked.connect(lambda _, work=work: box.steps.watch(self, work))
        self.detect.clicked.connect(self.look)
        self.frames: list[int | None] = []
        self._beside = Beside(self.count, "detect")
        self._beside.came.connect(self._came)
        self._asked = 0
        self._goal: int | None = None  # a frame on its way
        self._from: tuple[list[Point], list[int | None]] = [], []

    @property
    def start(self) -> int | None:
        """A clip that plays is at no frame that anybody chose: all of it is followed."""
        return min((frame or 0 for _, frame in given(self.bench.pipeline)), default=self.bench.range[0])

    @property
    def hint(self) -> str:
        """What to do next."""
        if taker(self.bench.pipeline) is None:
            return f"the pipeline {self.bench.pipeline.name} finds its points itself"
        now = "" if self.bench.live else f" · they begin in frame {self._number(self.frame)}, the one that is shown"
        if not self.points:
            return f"click on what to follow, or have points detected{now}"
        many = f"{len(self.points)} point{'s' if len(self.points) > 1 else ''}"
        return f"{many}{self._beginnings()} · drag to move (Shift: all), right click to remove"

    def _number(self, frame: int | None) -> int:
        """As it is shown: the trigger is 0."""
        return self.bench.number(frame or 0)

    def _beginnings(self) -> str:
        """In which frames the points begin."""
        if self.bench.live:
            return ""
        found = sorted({frame or 0 for frame in self.frames})
        if len(found) == 1:
            return f" from frame {self._number(found[0])} on"
        return f" from frames {self._number(found[0])} to {self._number(found[-1])} on (@ says which)"

    @property
    def ready(self) -> bool:
        """Whether there is something to follow."""
        return bool(self.points) and taker(self.bench.pipeline) is not None

    def enter(self) -> None:
        """Begin with the points that there are, or with where the tracks are now that are not found in any case."""
        super().enter()
        bench = self.bench
        running = bench.state is RunState.RUNNING and not bench.live
        self._goal = self.start if running else None
        listed = given(bench.pipeline)
        self.points, self.frames = [point for point, _ in listed], [frame for _, frame in listed]
        found = taker(bench.pipeline)
        if not listed and bench.shown is not None and found is not None and not found.besides:
            self.points = places(bench.store.at(self.frame or 0))  # what is seen is what will be followed
        self.held = -1
        self.changed()

    @property
    def frame(self) -> int | None:
        """In which new points are there; None for the first one."""
        shown = self.bench.shown
        if shown is None or self.bench.live:
            return None
        return (shown.frame if self._goal is None else self._goal) or None

    @property
    def state(self) -> object:
        """Points, and from which frames on."""
        return list(self.points), list(self.frames)

    def remember(self) -> Callable[[], None]:
        """The points with their frames."""
        points, frames = list(self.points), list(self.frames)

        def back() -> None:
            self.frames = frames
            self.set_points(points)

        return back

    def begin_first(self) -> None:
        """All points begin in the first frame that is played, which is shown."""
        self._goal = self.bench.range[0]
        self.bench.player.pause()
        self.bench.player.seek(self._goal)
        self.begin(self._goal)

    def begin(self, now: int) -> None:
        """All points begin in a frame: where their tracks are then, else where they were."""
        store = self.bench.store
        rows = store.at(now)
        rows = rows[rows["state"] == State.TRACKED]
        points = list(self.points)
        for k, ((x, y), frame) in enumerate(zip(self.points, self.frames, strict=True)):
            if (frame or 0) == now:
                continue
            then = store.at(frame or 0)
            away = np.hypot(then["x"] - x, then["y"] - y)
            # The track that was at the point in its frame, if one was.
            track = then["track"][int(np.argmin(away))] if len(then) and float(away.min()) <= SAME else -1
            points[k] = next(iter(places(rows[rows["track"] == track])), (x, y))
        self.frames = [now or None] * len(points)
        self.set_points(points)

    def click(self, point: Point, button: QtCore.Qt.MouseButton, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """A point of the frame in which it was seen: a clip that plays stops there."""
        self.box.hold()
        return super().click(point, button, modifiers)

    def grab(self, point: Point) -> bool:
        """From where all points are then."""
        self._from = list(self.points), list(self.frames)
        return super().grab(point)

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """A point that is moved is there in the frame that is shown; with Shift all points go along."""
        del done
        if self.held < 0:
            return
        points, frames = self._from
        dx, dy = point[0] - begun[0], point[1] - begun[1]
        goes = [self.straight or k == self.held for k in range(len(points))]
        self.frames = [self.frame if on else frame for frame, on in zip(frames, goes, strict=True)]
        self.points = [(x + dx, y + dy) if on else (x, y) for (x, y), on in zip(points, goes, strict=True)]
        if not self.straight:
            self.points[self.held] = point
        self._told()

    def remove(self, index: int) -> None:
        """Without a point."""
        del self.frames[index]
        super().remove(index)

    def changed(self) -> None:
        """New points are of this frame; buttons follow."""
        if self.bench.shown is not None and self.bench.shown.frame == self._goal:
            self._goal = None
        # Points that were added since begin in the frame that is shown.
        self.frames = [*self.frames, *([self.frame] * (len(self.points) - len(self.frames)))][: len(self.points)]
        takes = taker(self.bench.pipeline) is not None
        for widget in (self.count, self.detect, self.clear):
            widget.setVisible(takes)
        self.here.setVisible(takes and any((frame or 0) != (self.frame or 0) for frame in self.frames))
        first = self.bench.range[0]
        late = (frame or 0 for frame in (*self.frames, self.frame))
        self.whole.setVisible(takes and not self.bench.live and any(frame > first for frame in late))
        self.clear.setEnabled(bool(self.points))
        self.switch.setVisible(not takes)

    def look(self) -> None:
        """Look for good places in the picture, in a thread of its own."""
        pixels = self.box.video.image.pixels
        found = taker(self.bench.pipeline)
        if pixels is None or found is None:
            return
        self._asked += 1
        number, kept, roi = self._asked, list(self.points), region(self.bench)
        whole = self.bench.info is not None and pixels.shape[:2] == (self.bench.info.height, self.bench.info.width)
        picture, count, window = pixels.copy(), self.count.value(), found.window
        dx, dy = roi[:2] if roi is not None and not whole else (0, 0)
        # A picture of the region alone counts from its corner.
        kept_there = [(x - dx, y - dy) for x, y in kept]
        self.detect.setEnabled(False)

        def work() -> list[Point]:
            points = detect(picture, count, window, roi if whole else None, kept_there)
            return [*kept, *((x + dx, y + dy) for x, y in points)]

        self._beside.begin(number, work)

    def _came(self, number: int, points: object) -> None:
        self.detect.setEnabled(True)
        if number != self._asked or self.box.tool is not self:
            return
        if isinstance(points, list):
            self.box.steps.watch(self, lambda: self.set_points(points))
        else:
            self.bench.speak(Level.ERROR, f"the picture could not be searched for points: {points}")

    def finish(self) -> None:
        """Have them followed, each from its frame on."""
        found = taker(self.bench.pipeline)
        if found is None or not self.points:
            raise InputError("place points first, in a pipeline that follows points (template)")
        bench = self.bench
        bench.editor.set_param(found.name, "points", for_tracker(self.points, self.frames))
        if not bench.live:  # every point begins in its frame, the first of them first
            first = min(0 if frame is None else frame for frame in self.frames)
            bench.store.forget_from(0)
            bench.player.seek(first)
        self.box.take("pick")

    def paint(self, brush: Brush) -> None:
        """A cross each, its number, and the window of the one in hand."""
        found = taker(self.bench.pipeline)
        several = len({frame or 0 for frame in self.frames}) > 1  # else the hint says which
        for k, (x, y) in enumerate(self.points):
            frame = self.frames[k]
            other = not self.bench.live and (frame or 0) != (self.frame or 0)
            brush.painter.setOpacity(FAINT if other and k != self.held else 1.0)
            if found is not None and not other and (k == self.held or len(self.points) <= 40):
                h = found.window / 2
                corners = [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]
                brush.line(corners, closed=True, dashed=k != self.held)
            brush.cross((x, y), k == self.held)
            if len(self.points) <= 200:
                brush.words((x, y), f"{k} @{self._number(frame)}" if other and several else str(k))
        brush.painter.setOpacity(1.0)
