"""What single-shot detectors find, as tables (the loops: `kernels.decoders.anchor_loops`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.decoders.anchor_loops import BOX_COLUMNS, BOX_NUMBERS, AnchorWork, BoxRows, Heads, anchor_loop
from kernels.decoders.tables import boxes, features, keypoints
from kernels.errors import DefinitionError
from kernels.ir.body import Decoder
from kernels.ir.table import COLUMNS, Table
from kernels.loops.calling import call
from kernels.loops.logarithm import logs
from kernels.loops.scratch import scratch
from kernels.param import Value

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
ROOM = 4096
"""Anchors of a frame above the threshold."""
_KNOWN: Mapping[int, tuple[tuple[int, int], ...]] = {
    896: ((16, 2), (8, 6)), 2304: ((48, 1),), 2016: ((24, 2), (12, 6)), 2254: ((28, 2), (14, 2), (7, 6)),
}  # fmt: skip
"""Of MediaPipe's detectors (faces near and far, of both cameras; palms; persons): cells of a side and anchors a cell,
by the number of all. Source: the files *_detection*.pbtxt of MediaPipe."""


def centres(count: int, size: tuple[int, int], strides: Sequence[float], each: Sequence[float]) -> Doubles:
    """x, y of `count` anchors, of the width and the height of what the network gets.

    Args:
        size: (height, width) of that, px; needed with strides.
        strides: of the layers, px; layers of one stride that follow one another share their cells. None: as those of
            MediaPipe's detector that has so many anchors.
        each: anchors a cell of a layer, one number or one a layer.

    Raises:
        DefinitionError: they do not come to so many.
    """
    if not strides:
        if count not in _KNOWN:
            known = ", ".join(map(str, sorted(_KNOWN)))
            raise DefinitionError(f"it gets {count} anchors; strides must say where they lie (known are {known})")
        return _grid([(n, n, k) for n, k in _KNOWN[count]])
    if len(each) not in (1, len(strides)):
        raise DefinitionError(f"per_cell has {len(each)} numbers; it takes one, or one a stride")
    if not all(size):
        raise DefinitionError("with strides it needs size, the width and height that the network takes")
    layers: list[tuple[int, int, int]] = []
    shared: float | None = None
    for k, stride in enumerate(strides):
        many = int(each[k if len(each) > 1 else 0])
        # As in MediaPipe's SsdAnchorsCalculator: layers of one stride that follow one another share their cells.
        if stride == shared:
            layers[-1] = (*layers[-1][:2], layers[-1][2] + many)
        else:
            layers.append((math.ceil(size[0] / stride), math.ceil(size[1] / stride), many))
        shared = stride
    total = sum(h * w * k for h, w, k in layers)
    if total != count:
        raise DefinitionError(f"its strides and per_cell come to {total} anchors, but it gets {count}")
    return _grid(layers)


def _grid(layers: Sequence[tuple[int, int, int]]) -> Doubles:
    made = []
    for height, width, many in layers:
        y, x = np.mgrid[0:height, 0:width]
        middle = np.stack([(x + 0.5) / width, (y + 0.5) / height], -1).reshape(-1, 1, 2)
        # Anchors of a cell lie one behind the other, cells row by row.
        made.append(np.repeat(middle, many, 1).reshape(-1, 2))
    return np.concatenate(made)


@dataclass(frozen=True)
class Detector(Decoder):
    """How numbers of a network become boxes.

    Args:
        anchors: see `centres`.
        numbers: of an anchor.
        score: the number that is its score where boxes and scores come together; None: they come apart.
        capacity: things of a frame.
        size: width and height of what the network gets, px; 0: as placements say.
    """

    anchors: Doubles
    numbers: int
    score: int | None
    capacity: int
    size: tuple[float, float]

    @property
    def points(self) -> int:
        """Key points of a thing."""
        return (self.numbers - (self.score is not None) - BOX_NUMBERS) // 2

    def record(self, params: Mapping[str, Value], frames: int = 0) -> Heads:
        """What the loop is told."""
        count, h = len(self.anchors), Heads()
        h.frames, h.anchors, h.numbers, h.points, h.capacity = frames, count, self.numbers, self.points, self.capacity
        h.score_step, h.score_first = (1, 0) if self.score is None else (self.numbers, self.score)
        h.first, h.room, h.nothing = self.score == 0, min(ROOM, count), math.nan
        h.width, h.height = self.size
        h.logits, h.scale = params["activation"] == "sigmoid", float(params["scale"])  # type: ignore[arg-type]
        h.overlap = float(params["overlap"])  # type: ignore[arg-type]
        least = float(params["min_score"])  # type: ignore[arg-type]
        # The threshold goes through the inverse of the sigmoid once, in place of every score through the sigmoid.
        h.least = float(logs(least) - logs(1.0 - least)) if h.logits else least
        return h

    def detect(
        self, numbers: Floats, scores: Floats, placed: Doubles, params: Mapping[str, Value]
    ) -> tuple[list[Table], list[Table], list[Table]]:
        """Tables of FEATURE, KEYPOINT and BOX, one of each a frame.

        Args:
            numbers: (frames, anchors, numbers), contiguous.
            scores: (frames, anchors); `numbers` where they come together.
            placed: (frames, `kernels.ir.placement.PARTS`).
            params: of the stage `anchors`.
        """
        frames, count, points = len(numbers), len(self.anchors), self.points
        h = self.record(params, frames)
        most, size = frames * h.capacity, BOX_NUMBERS + 2 * points
        rows = scratch("anchors.rows", most * COLUMNS).reshape(most, COLUMNS)
        outlines = scratch("anchors.boxes", most * BOX_COLUMNS).reshape(most, BOX_COLUMNS)
        places = scratch("anchors.points", max(1, most * points) * COLUMNS)[: most * points * COLUMNS]
        work = scratch("anchors.work", 2 * (h.room + 8) + size * (h.room + 3))
        found = scratch("anchors.found", 2 * count, np.int64)
        ends, overflow = np.empty(frames, np.int64), np.empty(frames, np.int64)
        out = BoxRows(rows, outlines, places, ends, overflow)
        made = call(anchor_loop, numbers, scores, self.anchors, h, placed, AnchorWork(found, work), out)
        until, more = ends.tolist(), overflow.tolist()
        rows, outlines = rows[:made], outlines[:made]
        # Ranks within each frame: a running number less that of the frame's first thing.
        first = np.concatenate(([0], ends[:-1]))
        instance = np.arange(made) - np.repeat(first, np.diff(ends, prepend=0))
        table = keypoints(places.reshape(-1, COLUMNS)[: made * points], np.repeat(rows[:, 3], points),
                          np.tile(np.arange(points), made), np.repeat(instance, points),
                          [end * points for end in until], [end * points for end in more])  # fmt: skip
        return features(rows, until, more), table, boxes(outlines, until, more)
