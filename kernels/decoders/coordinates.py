"""Points that a network gives as coordinates, as tables (the loop: `kernels.decoders.coordinate_loops`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.decoders.coordinate_loops import Places, Points, coordinate_loop
from kernels.decoders.tables import features, keypoints
from kernels.ir.body import Decoder
from kernels.ir.table import COLUMNS, Table
from kernels.loops.calling import call
from kernels.loops.scratch import scratch
from kernels.param import Value

Floats = npt.NDArray[np.float32]
UNITS: Mapping[str, tuple[float, float]] = {"px": (0.0, 0.0), "unit": (1.0, 0.0), "signed": (2.0, -1.0)}
"""What is the width, and what lies at the left edge; 0 and 0 for px."""
ORIGINS: Mapping[str, float] = {"edge": -0.5, "centre": 0.0}
"""Where coordinate 0 lies, in px whose centres are whole numbers."""


@dataclass(frozen=True)
class Regressor(Decoder):
    """How numbers of a network become points.

    Args:
        points: how many.
        layout: what the numbers of a point are: "x", "y", "s" (score), others are left out.
        scores: scores that come apart: 0, 1 for all points, or one each.
        size: width and height of what the network gets, px; 0: as placements say.
    """

    points: int
    layout: str
    scores: int
    size: tuple[float, float]

    def record(self, params: Mapping[str, Value], frames: int = 0) -> Points:
        """What the loop is told."""
        p = Points()
        p.frames, p.points, p.numbers, p.scores = frames, self.points, len(self.layout), self.scores
        p.x, p.y, p.score = (self.layout.find(name) for name in "xys")
        known = self.scores > 0 or p.score >= 0
        p.logits = known and params["activation"] == "sigmoid"
        p.least = float(params["min_score"]) if known else 0.0  # type: ignore[arg-type]
        p.unit, p.shift = UNITS[str(params["unit"])]
        p.zero, p.nothing = ORIGINS["edge" if p.unit else str(params["origin"])], math.nan
        p.width, p.height = self.size
        return p

    def locate(
        self, values: Floats, scores: Floats, placed: npt.NDArray[np.float64], params: Mapping[str, Value]
    ) -> tuple[list[Table], list[Table]]:
        """A table of FEATURE and one of KEYPOINT for each frame, with the same rows.

        Args:
            values: (frames, points, numbers), contiguous.
            scores: (frames, `self.scores`), contiguous; anything where there are none.
            placed: (frames, `kernels.ir.placement.PARTS`).
            params: of the stage `coordinates`.
        """
        frames, p = len(values), self.record(params, len(values))
        most = frames * self.points
        rows = scratch("coordinates.rows", most * COLUMNS).reshape(most, COLUMNS)
        sure, work = scratch("coordinates.sure", self.points + 8), scratch("coordinates.work", self.points + 8)
        score, point = scratch("coordinates.score", most), scratch("coordinates.point", most, np.int64)
        ends = np.empty(frames, np.int64)
        made = call(coordinate_loop, values, scores, p, placed, sure, work, Places(rows, score, point, ends))
        until, more = ends.tolist(), [0] * frames
        instance = np.zeros(made, np.int32)
        return features(rows[:made], until, more), keypoints(rows[:made], score[:made], point[:made], instance, until,
                                                            more)  # fmt: skip
