"""The tool that puts a track where it belongs by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import dist

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.pipeline.detecting import Point
from app.gui.video.tools import GRAB, Box, Brush, Button, Tool
from pipelines.features import State

PASSED = 0.45
"""How much is seen of places in other frames than the one that is shown."""


class CorrectTool(Tool):
    """A track that is put where it belongs, by hand."""

    name, text, key, icon = "correct", "Correct by &hand…", "E", "correct"
    tip = "Put the selected track where it belongs in this frame"
    most = 1

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
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
        self._from: Point | None = None
        self._at: Point | None = None

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
        by_hand = f" · set by hand in {len(frames)} frame{'s' if len(frames) > 1 else ''}" if frames else ""
        going = self.box.corrector.progress()
        name = self.bench.tracks.name(self.track)
        return f"click where {name} is in this frame, or drag its mark{by_hand}{going and ' · ' + going}"

    def click(self, point: Point, button: QtCore.Qt.MouseButton, *_: object) -> bool:
        """Select a track, or put it there."""
        shown = self.bench.shown
        if button != Button.LeftButton or shown is None:
            return False
        if self.track is None:
            found = self.box.video.overlay.nearest(*point, 20 / self.box.video.screen_scale)
            if found is not None:
                self.bench.tracks.select([found])
            self.box.refresh()
            return True
        self._put(point)
        return True

    def _put(self, point: Point) -> None:
        """The track is there, in the frame that is shown."""
        shown, track = self.bench.shown, self.track
        if shown is None or track is None:
            return
        correct = self.box.corrector.correct if self.follow.isChecked() else self.box.corrector.move
        correct(track, shown.frame, *point)
        if self.on.isChecked():
            self.bench.player.seek(min(shown.frame + self.stride.value(), self.bench.range[1] - 1))
        self.box.refresh()

    def _place(self, track: int) -> Point | None:
        """Where a track is in the frame that is shown: as it was put there last, or as it was found."""
        shown = self.bench.shown
        going = [] if shown is None else [p for frame, p in self.box.corrector.pending(track) if frame == shown.frame]
        rows = self.box.video.overlay.rows
        rows = rows[(rows["track"] == track) & (rows["state"] != State.LOST)]
        found = (float(rows["x"][0]), float(rows["y"][0])) if len(rows) else None
        return going[-1] if going else found

    def _under(self, point: Point) -> int | None:
        """The track whose mark is under a point, the selected one first."""
        reach = GRAB / self.box.video.screen_scale
        place = None if self.track is None else self._place(self.track)
        if place is not None and dist(place, point) <= reach:
            return self.track
        return self.box.video.overlay.nearest(*point, reach)

    def near(self, point: Point) -> int:
        """0 where a mark can be taken, -1 elsewhere."""
        return -1 if self._under(point) is None else 0

    def grab(self, point: Point) -> bool:
        """The mark of a track is moved; drags elsewhere move the picture."""
        found = self._under(point)
        place = None if found is None else self._place(found)
        if found is None or place is None:
            return False
        if found != self.track:
            self.bench.tracks.select([found])
        self._from = self._at = place
        return True

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """The mark goes with the cursor; where it is let go the track is."""
        if self._from is None:
            return
        self._at = self._from[0] + point[0] - begun[0], self._from[1] + point[1] - begun[1]
        if done:
            there, self._at, self._from = self._at, None, None
            self._put(there)
        self.box.refresh()

    def remember(self) -> Callable[[], None]:
        """A drag that is broken off moves nothing."""

        def back() -> None:
            self._at = self._from = None
            self.box.refresh()

        return back

    def enter(self) -> None:
        """Nothing is dragged yet."""
        super().enter()
        self._at = self._from = None

    def paint(self, brush: Brush) -> None:
        """Where it was set by hand, and the lines between; where it was put and is being followed from; what is
        dragged."""
        if self.track is None:
            return
        now = -1 if self.bench.shown is None else self.bench.shown.frame
        places = self.box.corrector.corrections.hand_places(self.track)
        brush.line(list(places.values()), dashed=True)
        for frame, place in places.items():
            brush.handle(place, frame == now)
        for frame, place in self.box.corrector.pending(self.track):
            brush.painter.setOpacity(1.0 if frame == now else PASSED)
            brush.cross(place, frame == now)
            brush.words(place, f"{self.bench.tracks.name(self.track)} …", 14.0)
        brush.painter.setOpacity(1.0)
        if self._at is not None and self._from is not None:
            brush.line([self._from, self._at], dashed=True)
            brush.cross(self._at, True)
