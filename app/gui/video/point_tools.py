"""Tools that say what is followed: points, a template's box, and a track that is put right by hand."""

from __future__ import annotations

import threading
from functools import partial

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.desk.pipeline.detecting import Point, detect, for_tracker, given, places, points_of, taker, with_template
from app.desk.pipeline.regions import region
from app.gui.video.tools import Box, Brush, Button, Tool
from kernels.errors import InputError
from pipelines.features import State

SOME = 30
"""Points that are looked for, to begin with."""


class _Found(QtCore.QObject):  # type: ignore[misc]
    """Brings what another thread found to the window's."""

    came = QtCore.pyqtSignal(int, object)


class PlacePoints(Tool):
    """Points that the pipeline's tracker follows."""

    name, text, key, icon = "points", "Place p&oints…", "B", "point"
    tip = "Points of your choice for the tracker to follow (pipeline template)"
    finishing = "Follow these points"

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self.form = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout(self.form)
        row.setContentsMargins(0, 0, 0, 0)
        self.count = QtWidgets.QSpinBox()
        self.count.setRange(1, 2000)
        self.count.setValue(SOME)
        self.count.setToolTip("How many points are looked for at most")
        self.detect = QtWidgets.QPushButton("Detect")
        self.detect.setToolTip("Add the best places of the picture that is shown: where it has corners (Shi-Tomasi)")
        self.clear = QtWidgets.QPushButton("Remove all")
        self.clear.setToolTip("Remove all points that are placed; Backspace removes the last one")
        self.switch = QtWidgets.QPushButton("Use the pipeline template")
        self.switch.setToolTip("This pipeline finds its points itself; the pipeline template follows given ones")
        for widget in (self.count, self.detect, self.clear, self.switch):
            row.addWidget(widget)
        self.detect.clicked.connect(self.look)
        self.clear.clicked.connect(lambda: self.set_points([]))
        self.switch.clicked.connect(lambda: box.guarded(self._take_template))
        self.frames: list[int | None] = []
        self._found = _Found()
        self._found.came.connect(self._came)
        self._asked = 0

    @property
    def hint(self) -> str:
        """What to do next."""
        if taker(self.bench.pipeline) is None:
            return f"the pipeline {self.bench.pipeline.name} finds its points itself"
        if not self.points:
            return "click on what to follow, or have points detected"
        return f"{len(self.points)} point{'s' if len(self.points) > 1 else ''} · drag to move, right click to remove"

    @property
    def ready(self) -> bool:
        """Whether there is something to follow."""
        return bool(self.points) and taker(self.bench.pipeline) is not None

    def enter(self) -> None:
        """Begin with the points that there are, or with where the tracks are now that are not found in any case."""
        super().enter()
        bench = self.bench
        listed = given(bench.pipeline, region(bench))
        self.points, self.frames = [point for point, _ in listed], [frame for _, frame in listed]
        found = taker(bench.pipeline)
        if not listed and bench.shown is not None and found is not None and not found.besides:
            self._take_tracks(bench.shown.frame)
        self.held = -1
        self.changed()

    def _take_tracks(self, frame: int) -> None:
        """The tracks that are seen, from where each began on: followed again they are the same."""
        bench = self.bench
        rows = bench.store.at(frame)
        if bench.live:
            self.points = places(rows)
            return
        for track in rows["track"][rows["state"] == State.TRACKED].tolist():
            seen = bench.store.track(track)
            first = seen[seen["state"] == State.TRACKED][:1]
            self.points += places(first)
            self.frames += [int(row["frame"]) or None for row in first]

    @property
    def frame(self) -> int | None:
        """In which new points are there; None for the first one."""
        shown = self.bench.shown
        return shown.frame if shown is not None and shown.frame > 0 and not self.bench.live else None

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """A point that is moved is there in the frame that is shown."""
        if self.held >= 0:
            self.frames[self.held] = self.frame
        super().drag(point, begun, done)

    def remove(self, index: int) -> None:
        """Without a point."""
        del self.frames[index]
        super().remove(index)

    def changed(self) -> None:
        """New points are of this frame; buttons follow."""
        self.frames = [*self.frames, *([self.frame] * (len(self.points) - len(self.frames)))][: len(self.points)]
        takes = taker(self.bench.pipeline) is not None
        for widget in (self.count, self.detect, self.clear):
            widget.setVisible(takes)
        self.clear.setEnabled(bool(self.points))
        self.switch.setVisible(not takes)

    def _take_template(self) -> None:
        self.bench.choose_pipeline("template")
        self._told()

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
        kept_there = [(x - dx, y - dy) for x, y in kept]
        self.detect.setEnabled(False)

        def work() -> None:
            try:
                points = detect(picture, count, window, roi if whole else None, kept_there)
            except Exception as error:
                self._found.came.emit(number, error)
                return
            self._found.came.emit(number, [*kept, *((x + dx, y + dy) for x, y in points)])

        threading.Thread(target=work, name="detect", daemon=True).start()

    def _came(self, number: int, points: object) -> None:
        self.detect.setEnabled(True)
        if number != self._asked or self.box.tool is not self:
            return
        if isinstance(points, list):
            self.set_points(points)
        else:
            self.bench.speak(Level.ERROR, f"the picture could not be searched for points: {points}")

    def finish(self) -> None:
        """Have them followed, each from its frame on."""
        found = taker(self.bench.pipeline)
        if found is None or not self.points:
            raise InputError("place points first, in a pipeline that follows points (template)")
        bench = self.bench
        bench.set_param(found.name, "points", for_tracker(self.points, region(bench), self.frames))
        if not bench.live:  # every point begins in its frame, the first of them first
            first = min(0 if frame is None else frame for frame in self.frames)
            bench.store.forget_from(0)
            bench.seek(first)
        self.box.take("pick")

    def paint(self, brush: Brush) -> None:
        """A cross each, its number, and the window of the one in hand."""
        found = taker(self.bench.pipeline)
        for k, (x, y) in enumerate(self.points):
            if found is not None and (k == self.held or len(self.points) <= 40):
                h = found.window / 2
                corners = [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]
                brush.line(corners, closed=True, dashed=k != self.held)
            brush.cross((x, y), k == self.held)
            if len(self.points) <= 200:
                frame = self.frames[k]
                other = frame != self.frame and (frame is not None or self.bench.shown is not None)
                brush.words((x, y), f"{k} @{frame or 0}" if other else str(k))


class TemplateBox(Tool):
    """A template by its box: the middle is a point, the side the window."""

    name, text, key, icon = "template", "&Template box…", "X", "template"
    tip = "A box around what to follow: it sets a point and the size of the window"
    finishing = "Add this template"
    most = 2

    @property
    def hint(self) -> str:
        """What to do next."""
        if taker(self.bench.pipeline) is None:
            return "this pipeline finds its points itself; take Place points (B) to go over to the pipeline template"
        side = self.side
        return f"window {side} px for all points · Enter adds it" if side else "drag a box around what to follow"

    @property
    def ready(self) -> bool:
        """Whether there is a box."""
        return self.side > 0 and taker(self.bench.pipeline) is not None

    @property
    def side(self) -> int:
        """Of the window, px, odd; 0 for none yet."""
        found = taker(self.bench.pipeline)
        if len(self.points) < 2 or found is None:
            return 0
        (x0, y0), (x1, y1) = self.points
        side = round(max(abs(x1 - x0), abs(y1 - y0))) | 1
        return min(max(side, found.low), found.high)

    @property
    def middle(self) -> Point:
        """The point."""
        (x0, y0), (x1, y1) = self.points
        return (x0 + x1) / 2, (y0 + y1) / 2

    def grab(self, point: Point) -> bool:
        """Corners are moved; elsewhere a new box begins."""
        if not super().grab(point):
            self.points, self.held = [point, point], 1
        return True

    def finish(self) -> None:
        """One point more, and the window."""
        if len(self.points) < 2:
            raise InputError("drag a box around what to follow first")
        bench, roi = self.bench, region(self.bench)
        listed = given(bench.pipeline, roi)
        now = bench.shown.frame if bench.shown is not None and not bench.live else 0
        points, frames = [*(point for point, _ in listed), self.middle], [*(frame for _, frame in listed), now or None]
        bench.edit("add a template", with_template(bench.pipeline, points, self.side, roi, frames))
        if not bench.live:
            bench.store.forget_from(0)
            bench.seek(min(frame or 0 for frame in frames))
        self.points, self.held = [], -1
        self.box.take("pick")

    def paint(self, brush: Brush) -> None:
        """The box as it was dragged, and the window that it becomes."""
        for x, y in points_of(self.bench.pipeline, region(self.bench)):
            brush.cross((x, y))
        if len(self.points) == 2:
            x, y = self.middle
            h = self.side / 2
            brush.line([(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)], closed=True)
            brush.cross(self.middle)
            brush.words((x + h, y - h), f"{self.side} px", 6.0, 4.0)
            super().paint(brush)


class CorrectTool(Tool):
    """A track that is put where it belongs, by hand."""

    name, text, key, icon = "correct", "Correct by &hand…", "E", "hand"
    tip = "Put the selected track where it belongs in this frame"
    most = 1

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self.form = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout(self.form)
        row.setContentsMargins(0, 0, 0, 0)
        self.follow = QtWidgets.QCheckBox("re-track from here on")
        self.follow.setChecked(True)
        self.follow.setToolTip("What follows is found anew from the place that you click; without, only this frame is "
                               "set, and between two frames set by hand runs a straight line")  # fmt: skip
        self.on = QtWidgets.QCheckBox("then go on by")
        self.on.setToolTip("Ten frames on after each click; between two frames set by hand runs a straight line")
        for one, other in ((self.follow, self.on), (self.on, self.follow)):
            one.toggled.connect(partial(lambda other, on: other.setChecked(other.isChecked() and not on), other))
        self.stride = QtWidgets.QSpinBox()
        self.stride.setToolTip("How many frames to go on after each click")
        self.stride.setRange(1, 1000)
        self.stride.setValue(10)
        self.stride.setSuffix(" frames")
        for widget in (self.follow, self.on, self.stride):
            row.addWidget(widget)

    @property
    def track(self) -> int | None:
        """The one that is put right."""
        return self.bench.selected[0] if self.bench.selected else None

    @property
    def hint(self) -> str:
        """What to do next."""
        if self.track is None:
            return "click a track to select it first"
        frames = self.box.corrector.corrections.hand_frames(self.track)
        told = f" · set by hand in {len(frames)} frame{'s' if len(frames) > 1 else ''}" if frames else ""
        going = self.box.corrector.progress()
        return f"click where {self.bench.name(self.track)} is in this frame{told}{going and ' · ' + going}"

    def click(self, point: Point, button: QtCore.Qt.MouseButton, *_: object) -> bool:
        """Select a track, or put it there."""
        shown = self.bench.shown
        if button != Button.LeftButton or shown is None:
            return False
        if self.track is None:
            found = self.box.video.overlay.nearest(*point, 20 / self.box.video.screen_scale)
            if found is not None:
                self.bench.select([found])
            self.box.refresh()
            return True
        correct = self.box.corrector.correct if self.follow.isChecked() else self.box.corrector.move
        correct(self.track, shown.frame, *point)
        if self.on.isChecked():
            self.bench.seek(min(shown.frame + self.stride.value(), self.bench.range[1] - 1))
        self.box.refresh()
        return True

    def grab(self, *_: object) -> bool:
        """Drags move the picture."""
        return False

    def paint(self, brush: Brush) -> None:
        """Where it was set by hand, and the lines between."""
        if self.track is None:
            return
        places = self.box.corrector.corrections.hand_places(self.track)
        brush.line(list(places.values()), dashed=True)
        for frame, place in places.items():
            brush.handle(place, self.bench.shown is not None and frame == self.bench.shown.frame)
