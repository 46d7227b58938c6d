"""The tool that puts a track where it belongs by hand."""

from __future__ import annotations

from functools import partial

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.pipeline.detecting import Point
from app.gui.video.tools import Box, Brush, Button, Tool


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
