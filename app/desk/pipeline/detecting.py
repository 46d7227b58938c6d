"""Points to follow: which tracker takes them, where they are, and finding good ones in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from app.desk.pipeline.editing import member
from kernels.errors import InputError
from pipelines.features import State, Tracks
from pipelines.frame import Pixels
from pipelines.frontend import Roi
from pipelines.graph import Pipeline, TrackerNode, find_tracker
from pipelines.trackers.registration.windows.texture import far_from, textured_points

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Taker:
    """A tracker that follows points of the user's choice: its name, its window (side, px) and the windows allowed;
    `besides`: it finds points of its own, too."""

    name: str
    window: int
    low: int
    high: int
    besides: bool = False

    @property
    def margin(self) -> int:
        """Points need to be so far from the edge of the picture, px."""
        return self.window // 2


def taker(pipeline: Pipeline) -> Taker | None:
    """The first tracker that takes points; None where the pipeline finds its points itself."""
    for node in pipeline.trackers:
        kind = find_tracker(node.tracker)
        params = {p.name: p for p in kind.params}
        if "points" in params:
            how = params.get("window")
            if how is None:
                return Taker(node.id, 1, 1, 1)
            window = int(cast(int, node.params.get("window", how.default)))
            besides = any(one.kind == "features" for one in kind.inputs)
            return Taker(node.id, window, int(how.low), int(how.high), besides)
    return None


def given(pipeline: Pipeline) -> list[tuple[Point, int | None]]:
    """The points of the pipeline's tracker, in px of the whole picture, each with the frame in which it is there; None:
    the first one."""
    found = taker(pipeline)
    if found is None:
        return []
    node = member(pipeline, found.name)
    assert isinstance(node, TrackerNode)
    return [((p[0], p[1]), int(p[2]) if len(p) > 2 else None)
            for p in cast(Sequence[Sequence[float]], node.params.get("points", ()))]  # fmt: skip


def points_of(pipeline: Pipeline) -> list[Point]:
    """The same without frames."""
    return [point for point, _ in given(pipeline)]


def for_tracker(points: Sequence[Point], frames: Sequence[int | None] = ()) -> tuple[tuple[float, ...], ...]:
    """Points of the whole picture as a tracker's parameter holds them.

    Args:
        frames: in which they are there; None, or none given: the first one.
    """
    when = [*frames, *([None] * (len(points) - len(frames)))]
    return tuple((round(float(x), 3), round(float(y), 3), *(() if f is None else (float(f),)))
                 for (x, y), f in zip(points, when, strict=True))  # fmt: skip


def with_template(
    pipeline: Pipeline, points: Sequence[Point], window: int, frames: Sequence[int | None] = ()
) -> Pipeline:
    """Points and the side of their windows set at once.

    Raises:
        InputError: the pipeline's tracker takes no points.
    """
    found = taker(pipeline)
    if found is None:
        raise InputError(f"the pipeline {pipeline.name!r} finds its points itself; open the pipeline 'template'")
    side = min(max(window | 1, found.low), found.high)
    placed = for_tracker(points, frames)
    return pipeline.with_settings({f"{found.name}.points": placed, f"{found.name}.window": side})


def places(rows: Tracks) -> list[Point]:
    """Where the tracks of a frame are, those that were lost left out, by track."""
    live = rows[rows["state"] != State.LOST]
    live = live[np.argsort(live["track"], kind="stable")]
    return list(zip(live["x"].tolist(), live["y"].tolist(), strict=True))


def detect(pixels: Pixels, count: int, window: int, roi: Roi | None = None, taken: Sequence[Point] = ()) -> list[Point]:
    """The places of a picture that are best to follow (`pipelines.trackers.registration.windows.texture`), best first.

    Args:
        pixels: (height, width) or (height, width, 3) of any real type; copied.
        count: at most so many.
        window: side of the windows, px; places are half a window apart at least, and from the edge.
        roi: none outside of it.
        taken: none nearer than half a window to these.
    """
    grey = np.array(pixels[..., :3].mean(axis=2) if pixels.ndim == 3 else pixels, np.float32)
    grey = np.nan_to_num(grey)
    x, y, width, height = roi if roi is not None else (0, 0, grey.shape[1], grey.shape[0])
    part = np.ascontiguousarray(grey[y : y + height, x : x + width])
    near = np.array(taken, np.float64).reshape(-1, 2) - (x, y)
    inside = (near >= 0).all(axis=1) & (near[:, 0] < width) & (near[:, 1] < height)
    apart = max(0.7 * window, 2.0)
    free = far_from(part.shape, near[inside, 0], near[inside, 1], apart) if inside.any() else None
    found = textured_points(part, count, min(window, 31), apart, window // 2 + 1, free)
    return [(float(px) + x, float(py) + y) for px, py in found]
