"""Regions of the picture: the box that is processed, and polygons that hide parts from detection."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline import editing
from app.desk.pipeline.detecting import Point, given, points_of, taker
from kernels.errors import InputError
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.common.states import RunState

LEAST = 16
"""The smallest side of a region, px."""


def box_between(a: Point, b: Point, width: int, height: int) -> Roi:
    """The whole pixels between two corners, inside the picture.

    Raises:
        InputError: hardly anything lies between them.
    """
    x0, x1 = sorted((a[0], b[0]))
    y0, y1 = sorted((a[1], b[1]))
    # Pixel k reaches from k - 0.5 to k + 0.5: a box ends at edges of pixels.
    left, top = max(0, math.floor(x0 + 0.5)), max(0, math.floor(y0 + 0.5))
    right, bottom = min(width, math.floor(x1 + 0.5)), min(height, math.floor(y1 + 0.5))
    if right - left < LEAST or bottom - top < LEAST:
        raise InputError(f"a region needs {LEAST} px at least on each side; drag a larger box")
    wide, high = right - left, bottom - top
    if abs(wide - high) == 1 and math.isclose(x1 - x0, y1 - y0):  # a square, whose corners are rounded differently
        wide = high = min(wide, high)
    return left, top, wide, high


@dataclass(frozen=True, slots=True)
class Polygon:
    """A mask stage as the window draws it: its name, corners in px of the whole picture, and what it keeps."""

    name: str
    corners: tuple[Point, ...]
    keep: str


def polygons(pipeline: Pipeline) -> list[Polygon]:
    """The mask stages, by their place in the pipeline."""
    found = []
    for node in pipeline.nodes:
        if node.stage == "mask":
            points = cast(Sequence[Sequence[float]], node.params.get("points", ()))
            corners = tuple((p[0], p[1]) for p in points)
            found.append(Polygon(node.id, corners, str(node.params.get("keep", "inside"))))
    return found


def _wire(pipeline: Pipeline) -> tuple[str, str]:
    """The stage and input in front of which a polygon hides what must not be found."""
    for stage, port in (("components", "mask"), ("peaks", "image")):
        for node in pipeline.nodes:
            if node.stage == stage and port in node.inputs:
                return node.id, port
    found = taker(pipeline)
    if found is not None:
        raise InputError(f"{found.name} follows the points that you place; to leave something out, place none there")
    raise InputError(f"the pipeline {pipeline.name!r} detects nothing that a polygon could hide")


def with_polygon(pipeline: Pipeline, corners: Sequence[Point], keep: str, name: str = "") -> Pipeline:
    """A polygon put in front of the detection, or the one of the stage `name` changed.

    Args:
        corners: px of the whole picture, three at least.
        keep: "inside" or "outside".

    Raises:
        InputError: the pipeline detects nothing, or the polygon has too few corners.
    """
    if len(corners) < 3:
        raise InputError("a polygon needs three corners at least")
    points = tuple((round(x, 2), round(y, 2)) for x, y in corners)
    if not name:
        consumer, port = _wire(pipeline)
        before = {node.id for node in pipeline.nodes}
        pipeline = editing.insert(pipeline, "mask", consumer, port)
        name = next(node.id for node in pipeline.nodes if node.id not in before)
    return pipeline.with_settings({f"{name}.points": points, f"{name}.keep": keep})


def outside(pipeline: Pipeline, roi: Roi) -> list[int]:
    """The points of the pipeline's tracker that do not lie in a region with their windows."""
    found = taker(pipeline)
    if found is None:
        return []
    half = found.window / 2
    x, y, width, height = roi
    return [k for k, (px, py) in enumerate(points_of(pipeline))
            if not (x - 0.5 <= px - half and px + half <= x + width - 0.5
                    and y - 0.5 <= py - half and py + half <= y + height - 0.5)]  # fmt: skip


def strangers(bench: Workbench) -> bool:
    """Whether points of the pipeline lie outside what is processed of the clip, or begin after its last frame: they
    were placed on something else."""
    info = bench.info
    if info is None:
        return False
    late = not bench.live and any((frame or 0) >= info.frames for _, frame in given(bench.pipeline))
    return late or bool(outside(bench.pipeline, region(bench) or (0, 0, info.width, info.height)))


def drop_points(bench: Workbench) -> None:
    """The pipeline without its points: a step that can be undone."""
    found = taker(bench.pipeline)
    if found is not None:
        bench.editor.edit("drop the points", editing.set_param(bench.pipeline, found.name, "points", ()))


def region(bench: Workbench) -> Roi | None:
    """The box of the picture that is processed; None for all of it."""
    return bench.asked.roi if bench.asked is not None else None


class Reopener:
    """Opens what is open again in another way, and goes back to where it stood.

    Points and polygons count from the picture's corner whatever is processed of it, so that nothing happens to them.

    Args:
        bench: the state behind the window.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._waiting: tuple[object, int, bool] | None = None
        bench.on(Topic.OPENED, self._opened)

    def reopen(self, roi: Roi | None) -> None:
        """With another region.

        Raises:
            InputError: nothing is open, a recording goes on, or a point that is followed lies outside.
        """
        bench = self._bench
        asked = bench.asked
        if asked is None or bench.opened is None:
            raise InputError("open a clip first; a region is a part of its picture")
        if bench.recording:
            raise InputError("a recording goes on; the region can be changed when it is stopped")
        if roi is not None:
            self._inside(roi)
        frame = bench.shown.frame if bench.shown is not None else bench.position
        playing = bench.state is RunState.RUNNING
        own = not asked.pipeline and not bench.history.undo_words  # else a session's would come back
        bench.open(asked.what, reading=asked.reading, roi=roi, frames=asked.frames, device=asked.device, play=False,
                   pipeline="own" if own else None, again=True)  # fmt: skip
        self._waiting = (bench.opening, frame, playing)

    def _inside(self, roi: Roi) -> None:
        """Points that are followed need their window in the region."""
        found, points = taker(self._bench.pipeline), points_of(self._bench.pipeline)
        for k in outside(self._bench.pipeline, roi)[:1]:
            assert found is not None
            px, py = points[k]
            raise InputError(f"point {k} at ({px:.1f}, {py:.1f}) px and its window of {found.window} px do not lie "
                             "in this region; make it larger, or move or remove the point first")  # fmt: skip

    def _opened(self) -> None:
        bench, waiting = self._bench, self._waiting
        if waiting is None or bench.opened is None or bench.asked is not waiting[0]:
            if bench.opening is None:
                self._waiting = None
            return
        self._waiting = None
        if not bench.live and waiting[1] > 0:
            bench.player.seek(waiting[1])
        if waiting[2] or bench.live:
            bench.player.play()
