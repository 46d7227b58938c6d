"""The tool that says what is followed by a box around it."""

from __future__ import annotations

from app.desk.pipeline.detecting import Point, given, points_of, taker, with_template
from app.gui.video.point_tools import switch_button
from app.gui.video.tools import Box, Brush, Tool
from kernels.errors import InputError


class TemplateBox(Tool):
    """A template by its box: the middle is a point, the side the window."""

    name, text, key, icon = "template", "&Template box…", "X", "template"
    tip = "A box around what to follow: it sets a point and the size of the window"
    finishing = "Add this template"
    most = 2

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
        self.switch = switch_button(self)
        row.addWidget(self.switch)

    @property
    def start(self) -> int:
        """A clip that plays is at no frame that anybody chose: all of it is followed."""
        return self.bench.range[0]

    @property
    def hint(self) -> str:
        """What to do next."""
        if taker(self.bench.pipeline) is None:
            return f"the pipeline {self.bench.pipeline.name} finds its points itself"
        side = self.side
        if side:
            return f"window {side} px for all points · Enter adds it"
        return "click the corner across" if self.points else "drag a box around what to follow, or click two corners"

    @property
    def ready(self) -> bool:
        """Whether there is a box."""
        return self.side > 0 and taker(self.bench.pipeline) is not None

    def enter(self) -> None:
        """Begin with nothing."""
        super().enter()
        self.changed()

    def changed(self) -> None:
        """Whether the pipeline takes points."""
        self.switch.setVisible(taker(self.bench.pipeline) is None)

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
        """Corners are moved; elsewhere a new box begins, or the one that a click has begun is made."""
        if not super().grab(point):
            self.points, self.held = [self.points[0] if len(self.points) == 1 else point, point], 1
        return True

    def finish(self) -> None:
        """One point more, and the window."""
        if len(self.points) < 2:
            raise InputError("drag a box around what to follow first")
        bench = self.bench
        listed = given(bench.pipeline)
        now = bench.shown.frame if bench.shown is not None and not bench.live else 0
        points, frames = [*(point for point, _ in listed), self.middle], [*(frame for _, frame in listed), now or None]
        bench.editor.edit("add a template", with_template(bench.pipeline, points, self.side, frames))
        if not bench.live:
            bench.store.forget_from(0)
            bench.player.seek(min(frame or 0 for frame in frames))
        self.points, self.held = [], -1
        self.box.take("pick")

    def paint(self, brush: Brush) -> None:
        """The box as it was dragged, and the window that it becomes."""
        for x, y in points_of(self.bench.pipeline):
            brush.cross((x, y))
        if len(self.points) == 2:
            x, y = self.middle
            h = self.side / 2
            brush.line([(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)], closed=True)
            brush.cross(self.middle)
            brush.words((x + h, y - h), f"{self.side} px", 6.0, 4.0)
        elif self.points and self.cursor is not None:
            (x0, y0), (x1, y1) = self.points[0], self.cursor
            brush.line([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], closed=True, dashed=True)
        if self.points:
            super().paint(brush)
