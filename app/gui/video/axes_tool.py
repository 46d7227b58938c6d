"""The tool for the user's axes: where their origin is, and where they point."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from pyqtgraph.Qt import QtWidgets

from app.desk.pipeline.detecting import Point
from app.desk.tracks.calibration import Calibration
from app.gui.video.tools import Box, Brush, Tool

ARROW = 70.0
"""Pixels of the screen from the origin to the handle of the x axis."""


class AxesTool(Tool):
    """Where the user's origin is, and where the axes point."""

    name, text, key, icon = "axes", "&Origin and axes…", "Shift+K", "axes"
    tip = "Where coordinates begin, and where the axes point"
    finishing = "Done"
    most = 2
    pauses = False

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
        self.up = QtWidgets.QCheckBox("y up")
        self.up.setToolTip("As in physics books; pictures have y down")
        self.reset = QtWidgets.QPushButton("Picture's own")
        self.reset.setToolTip("Origin at the upper left pixel, y down")
        for widget in (self.up, self.reset):
            row.addWidget(widget)
        self.up.toggled.connect(self._turned)
        self.reset.clicked.connect(self._own)
        self._arrow = 60.0
        self._proposed: tuple[Calibration, Calibration] | None = None  # what there was, and what this tool made of it

    @property
    def hint(self) -> str:
        """What to do next."""
        calibration = self.bench.calibration
        x, y = calibration.origin
        return f"origin at ({x:.1f}, {y:.1f}) px, turned by {calibration.angle:.1f}° · drag the origin or the arrow"

    @property
    def ready(self) -> bool:
        """Always."""
        return True

    def enter(self) -> None:
        """Begin with the axes that there are; new ones are in the lower left."""
        super().enter()
        self._proposed = None
        now, info = self.bench.calibration, self.bench.info
        if now.origin == (0.0, 0.0) and not now.angle and not now.y_up and info is not None:
            origin = (round(0.12 * info.width), round(0.88 * info.height))
            before, now = now, replace(now, origin=(float(origin[0]), float(origin[1])), y_up=True)
            self._proposed = before, now
            self.bench.tracks.set_calibration(now)
        self._arrow = ARROW / max(self.box.video.screen_scale, 1e-6)
        self._place()

    def leave(self) -> None:
        """Axes that were proposed, and neither moved nor taken by "Done", were never there."""
        proposed, self._proposed = self._proposed, None
        if proposed is not None and self.bench.calibration == proposed[1]:
            self.bench.tracks.set_calibration(proposed[0])

    def _place(self) -> None:
        now = self.bench.calibration
        turn = math.radians(now.angle)
        x, y = now.origin
        self.points = [now.origin, (x + self._arrow * math.cos(turn), y - self._arrow * math.sin(turn))]
        self.up.blockSignals(True)
        self.up.setChecked(now.y_up)
        self.up.blockSignals(False)
        self.box.refresh()

    def _turned(self, up: bool) -> None:
        self.bench.tracks.set_calibration(replace(self.bench.calibration, y_up=up))
        self.box.refresh()

    def _own(self) -> None:
        self.bench.tracks.set_calibration(replace(self.bench.calibration, origin=(0.0, 0.0), angle=0.0, y_up=False))
        self._place()

    def remember(self) -> Callable[[], None]:
        """The axes as they are now."""
        before = self.bench.calibration

        def back() -> None:
            self.bench.tracks.set_calibration(before)
            self._place()

        return back

    def click(self, point: Point, *_: object) -> bool:
        """The origin comes there."""
        if self.near(point) < 0:
            self.bench.tracks.set_calibration(replace(self.bench.calibration, origin=point))
            self._place()
        return True

    def drag(self, point: Point, *_: object) -> None:
        """Move the origin, or turn the x axis; near a whole quarter it snaps."""
        now = self.bench.calibration
        if self.held == 0:
            self.bench.tracks.set_calibration(replace(now, origin=point))
        else:
            angle = math.degrees(math.atan2(now.origin[1] - point[1], point[0] - now.origin[0]))
            near = 90.0 * round(angle / 90.0)
            self.bench.tracks.set_calibration(replace(now, angle=(near if abs(angle - near) < 1.5 else angle) + 0.0))
        held = self.held
        self._place()
        self.held = held

    def back(self) -> None:
        """There is nothing to remove."""

    def finish(self) -> None:
        """Leave them so."""
        self._proposed = None
        self.box.take("pick")

    def paint(self, brush: Brush) -> None:
        """Handles; the axes themselves are drawn at any time."""
        super().paint(brush)
