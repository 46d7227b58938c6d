"""Points that are joined by a line: clicked one after another, or pulled from the first to the second."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pyqtgraph.Qt import QtCore

from app.desk.pipeline.detecting import Point
from app.gui.video.tools import Brush, Button, Tool, snapped


class LineTool(Tool):
    """A tool whose first two points are the ends of a line.

    A press beside its points, a drag and a release make a line, as two clicks do; until the second click the line
    follows the cursor. With Shift it keeps to multiples of 45 degrees.
    """

    def anchor(self, index: int) -> Point | None:
        """The other end of the line to a point; None where there is none."""
        other = index - 1 if index > 0 else 1
        return self.points[other] if 0 <= other < len(self.points) and other != index else None

    def _kept(self, point: Point, index: int) -> Point:
        anchor = self.anchor(index)
        return snapped(point, anchor) if self.straight and anchor is not None else point

    @property
    def open_end(self) -> Point | None:
        """Where the next point would be, were there a click now; None where no line is begun."""
        begun = 0 < len(self.points) < self.most and len(self.points) < 2
        return self._kept(self.cursor, len(self.points)) if begun and self.cursor is not None else None

    @property
    def ends(self) -> list[Point]:
        """The points, with the one that follows the cursor."""
        free = self.open_end
        return self.points if free is None else [*self.points, free]

    def words_of(self, first: Point, second: Point) -> str:
        """The length between two points: px, and the user's unit where there is a scale."""
        px, calibration = math.dist(first, second), self.bench.calibration
        return f"{px:.1f} px" + (f" = {px * calibration.per_px:.5g} {calibration.unit}" if calibration.physical else "")

    def add(self, point: Point) -> None:
        """One point more, on the line's direction if it is kept straight."""
        super().add(self._kept(point, len(self.points)))

    def click(self, point: Point, button: QtCore.Qt.MouseButton, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """As ever; a second point on the first one is none."""
        if button == Button.LeftButton and len(self.points) == 1 and self.near(point) == 0:
            return True
        return super().click(point, button, modifiers)

    def grab(self, point: Point) -> bool:
        """A point that is there, the second end of the line that is begun, or a new line."""
        if not super().grab(point):
            self.points = [*(self.points if len(self.points) == 1 else [point]), point]
            self.held = 1
        return True

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """Move it."""
        if 0 <= self.held < len(self.points):
            super().drag(self._kept(point, self.held), begun, done)

    def line(self, brush: Brush) -> None:
        """Draw the line as far as it is there."""
        brush.line(self.points)
        free = self.open_end
        if free is not None:
            brush.line([self.points[-1], free], dashed=True)

    def middle(self, brush: Brush, ends: Sequence[Point], text: str) -> None:
        """Words beside the middle of a line, of which the first two points are the ends."""
        (x0, y0), (x1, y1) = ends[:2]
        brush.words(((x0 + x1) / 2, (y0 + y1) / 2), text)
