"""Tools that say where: the box that is processed, and polygons that hide parts from detection."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.pipeline import editing
from app.desk.pipeline.detecting import Point
from app.desk.services.regions import box_between, polygons, region, with_polygon
from app.gui.video.tools import Box, Brush, Button, Tool, squared
from kernels.errors import InputError
from pipelines.frontend import Roi


class RoiTool(Tool):
    """The part of the picture that is processed."""

    name, text, key, icon = "roi", "&Region of interest…", "Q", "box"
    tip = "Process a part of the picture only: faster, and nothing outside is found"
    finishing = "Process this region"
    most = 2
    pauses = False

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
        self.whole = QtWidgets.QPushButton("Whole picture")
        self.whole.setToolTip("Process all of it again")
        self.whole.clicked.connect(lambda: box.guarded(self.clear))
        row.addWidget(self.whole)
        self._edge = -1

    @property
    def box_(self) -> Roi | None:
        """What was dragged, on whole pixels; None for nothing yet."""
        info = self.bench.info
        if len(self.points) < 2 or info is None:
            return None
        try:
            return box_between(self.points[0], self.points[1], info.width, info.height)
        except InputError:
            return None

    @property
    def hint(self) -> str:
        """What to do next."""
        made = self.box_
        if made is None:
            if len(self.points) == 1:
                return "click the corner across · Shift makes a square"
            return "drag a box, or click two corners; what lies outside is not processed · Shift makes a square"
        x, y, width, height = made
        info = self.bench.info
        share = 100.0 * width * height / (info.width * info.height) if info is not None else 100.0
        return f"{width} x {height} px at ({x}, {y}), {share:.0f} % of the picture · drag corners or the middle"

    @property
    def ready(self) -> bool:
        """Whether there is a box."""
        return self.box_ is not None

    def enter(self) -> None:
        """Begin with the region that there is."""
        super().enter()
        now = region(self.bench)
        if now is not None:
            x, y, width, height = now
            # Pixel k reaches from k - 0.5 to k + 0.5.
            self.points = [(x - 0.5, y - 0.5), (x + width - 0.5, y + height - 0.5)]
        self.whole.setEnabled(now is not None)

    def corners(self) -> list[Point]:
        """Of the box, clockwise from the first."""
        (x0, y0), (x1, y1) = self.points
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]

    def click(self, point: Point, button: QtCore.Qt.MouseButton, *_: object) -> bool:
        """One corner after the other; a box that is there is only dragged."""
        if button == Button.LeftButton and len(self.points) < 2:
            self.set_points([*self.points, self._square(point, self.points[0]) if self.points else point])
        return True

    def _square(self, point: Point, anchor: Point) -> Point:
        return squared(point, anchor) if self.straight else point

    def grab(self, point: Point) -> bool:
        """A corner, the whole box, or a new one."""
        self._edge = -1
        if len(self.points) == 2:
            # `near` looks at `points`: all four corners can be taken, though two are kept.
            marks, self.points = self.points, self.corners()
            self._edge = self.near(point)
            self.points = marks
            (x0, x1), (y0, y1) = sorted((marks[0][0], marks[1][0])), sorted((marks[0][1], marks[1][1]))
            if self._edge < 0 and x0 < point[0] < x1 and y0 < point[1] < y1:
                self._edge = 4
        if self._edge < 0:
            # A new box: its second corner goes with the cursor.
            self.points, self._edge = [self.points[0] if len(self.points) == 1 else point, point], 2
        self._from = list(self.points)
        return True

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """Move what was taken."""
        del done
        (x0, y0), (x1, y1) = self._from
        dx, dy = point[0] - begun[0], point[1] - begun[1]
        if self._edge == 4:
            self.points = [(x0 + dx, y0 + dy), (x1 + dx, y1 + dy)]
        else:
            left, upper = self._edge in (0, 3), self._edge in (0, 1)
            if self.straight:
                corner = (x0 if left else x1, y0 if upper else y1)
                ends = self._square((corner[0] + dx, corner[1] + dy), (x1 if left else x0, y1 if upper else y0))
                dx, dy = ends[0] - corner[0], ends[1] - corner[1]
            self.points = [(x0 + dx * left, y0 + dy * upper), (x1 + dx * (not left), y1 + dy * (not upper))]
        self._told()

    def finish(self) -> None:
        """Open the clip again with it."""
        info = self.bench.info
        if len(self.points) < 2 or info is None:
            raise InputError("drag a box first")
        self.box.reopener.reopen(box_between(self.points[0], self.points[1], info.width, info.height))
        self.box.take("pick")

    def clear(self) -> None:
        """All of the picture again."""
        self.box.reopener.reopen(None)
        self.box.take("pick")

    def paint(self, brush: Brush) -> None:
        """The box and its corners."""
        if len(self.points) == 2:
            brush.line(self.corners(), closed=True)
            for corner in self.corners():
                brush.handle(corner)
            made = self.box_
            if made is not None:
                brush.words((min(p[0] for p in self.points), min(p[1] for p in self.points)),
                            f"{made[2]} x {made[3]} px", 9.0, 19.0)  # fmt: skip
        elif self.points:
            if self.cursor is not None:
                (x0, y0), (x1, y1) = self.points[0], self._square(self.cursor, self.points[0])
                brush.line([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], closed=True, dashed=True)
            super().paint(brush)


class PolygonTool(Tool):
    """A mask stage by its outline."""

    name, text, key, icon = "polygon", "&Mask (polygon)…", "Shift+M", "polygon"
    tip = "An outline around where to look, or around what to leave out"
    finishing = "Use this mask"
    steps = True

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
        self.which, self.keep = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        self.which.setToolTip("Which mask is drawn: a new one, or one that the pipeline has")
        self.keep.addItems(["look inside", "leave this out"])
        self.keep.setToolTip("Whether what lies inside or outside of the polygon is processed")
        self.gone = QtWidgets.QPushButton("Remove mask")
        self.gone.setToolTip("Take the mask that is chosen out of the pipeline")
        for widget in (self.which, self.keep, self.gone):
            row.addWidget(widget)
        self.which.activated.connect(lambda _: self._choose())
        self.gone.clicked.connect(lambda: box.guarded(self._remove))

    @property
    def hint(self) -> str:
        """What to do next."""
        count = len(self.points)
        if count < 3:
            return f"click the corners of the outline ({count} of 3 at least)"
        return f"{count} corners · drag to move, right click to remove, Enter uses it"

    @property
    def ready(self) -> bool:
        """Whether it is an outline."""
        return len(self.points) >= 3

    def enter(self) -> None:
        """Begin with the newest mask of the pipeline, or a new one."""
        super().enter()
        self.which.clear()
        names = [found.name for found in polygons(self.bench.pipeline)]
        self.which.addItems(["new mask", *names])
        self.which.setCurrentIndex(len(names))
        self._choose()

    def _choose(self) -> None:
        name = self.which.currentText() if self.which.currentIndex() > 0 else ""
        found = [p for p in polygons(self.bench.pipeline) if p.name == name]
        self.points = list(found[0].corners) if found else []
        self.keep.setCurrentIndex(1 if found and found[0].keep == "outside" else 0)
        self.gone.setEnabled(bool(found))
        self.held = -1
        self.box.steps.begin(self)
        self._told()

    def add(self, point: Point) -> None:
        """A corner: into the edge that it lies on, else behind the last one."""
        reach = 6.0 / self.box.video.screen_scale
        # A polygon takes a new corner into the edge it lies on; a line of two points has no edge to close it.
        for k, (a, b) in enumerate(zip(self.points, [*self.points[1:], *self.points[:1]], strict=True)):
            if len(self.points) >= 3 and _beside(point, a, b) <= reach:
                self.points.insert(k + 1, point)
                self.held = k + 1
                self._told()
                return
        super().add(point)

    def finish(self) -> None:
        """Put it into the pipeline."""
        name = self.which.currentText() if self.which.currentIndex() > 0 else ""
        keep = "outside" if self.keep.currentIndex() else "inside"
        made = with_polygon(self.bench.pipeline, self.points, keep, name)
        self.bench.editor.edit("change the mask" if name else "add a mask", made)
        self.box.take("pick")

    def _remove(self) -> None:
        self.bench.editor.edit("remove the mask", editing.remove(self.bench.pipeline, self.which.currentText()))
        self.enter()

    def paint(self, brush: Brush) -> None:
        """The outline and its corners."""
        if len(self.points) > 1:
            brush.line(self.points, closed=len(self.points) > 2)
        super().paint(brush)


def _beside(point: Point, a: Point, b: Point) -> float:
    """How far a point is from the line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square if square else 0.0
    share = min(max(share, 0.0), 1.0)
    return float(((a[0] + share * dx - point[0]) ** 2 + (a[1] + share * dy - point[1]) ** 2) ** 0.5)
