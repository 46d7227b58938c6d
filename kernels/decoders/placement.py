"""Where to cut a thing out of a frame: from its box or its key points to a placement (`kernels.ir.placement`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.ir.placement import PARTS

Rows = npt.NDArray[Any]
_MOMENT = 12.0  # the square of an even rectangle's side, of its second moment along it


@dataclass(frozen=True)
class Cutting:
    """How a thing is cut out.

    Args:
        width, height: of the crop, px of it.
        instance: the thing's rank among those of its frame, from 0.
        size: width and height of a thing whose table has none, px; empty: those of a rectangle with its moments.
        around: the points whose extent is the box where there is none; empty: all.
        level: two points; the crop is turned so that the second lies to the right of the first. Empty: not turned.
        margin: what is added at each side, of the box's width and height.
        shift: of the middle, to the right and down in the crop, of the box's width and height.
    """

    width: int
    height: int
    instance: int
    size: tuple[float, ...]
    around: tuple[int, ...]
    level: tuple[int, ...]
    margin: float
    shift: tuple[float, ...]

    def place(self, boxes: Rows | None, points: Rows | None) -> npt.NDArray[np.float64]:
        """The placement of the crop, (1, 1, PARTS); NaN where there is no such thing, or it has no extent.

        Args:
            boxes: rows with x, y, and width and height or xx and yy; None: `points` tell.
            points: rows with x, y, point and instance.
        """
        made = np.full((1, 1, PARTS), np.nan)
        # (across, down): unit vector of the crop's rows in the frame, cos and sin.
        across, down = self._turn(points)
        box = self._extent(points, across, down) if boxes is None else self._box(boxes)
        if box is None:
            return made
        x, y, width, height = box
        whole = 1.0 + 2.0 * self.margin
        # px of the frame a px of the crop, the same along both axes: the box fits in, nothing is stretched.
        step = max(whole * width / self.width, whole * height / self.height)
        if not (0.0 < step < math.inf and all(map(math.isfinite, box))):
            return made
        right, below = self.shift[0] * width, self.shift[1] * height
        x, y = x + across * right - down * below, y + down * right + across * below
        # Similarity: crop (u, v) to frame (a u - d v + c, d u + a v + f); c and f put the crop's middle at x, y.
        a, d = step * across, step * down
        u, v = 0.5 * (self.width - 1), 0.5 * (self.height - 1)
        made[0, 0] = a, -d, x - a * u + d * v, d, a, y - d * u - a * v, self.width, self.height
        return made

    def _box(self, rows: Rows) -> tuple[float, float, float, float] | None:
        names = rows.dtype.names or ()
        if len(rows) <= self.instance:
            return None
        by = "score" if "score" in names else "mass"
        number = self.instance
        # Rank by score or mass, the largest first; `stable` keeps equal ones in the table's order.
        if len(rows) > 1 and by in names:
            number = int(np.argsort(-rows[by], kind="stable")[number])
        row = rows[number]
        if self.size:
            return float(row["x"]), float(row["y"]), self.size[0], self.size[1]
        if "width" in names:
            return float(row["x"]), float(row["y"]), float(row["width"]), float(row["height"])
        width, height = (math.sqrt(_MOMENT * max(float(row[name]), 0.0)) for name in ("xx", "yy"))
        return float(row["x"]), float(row["y"]), width, height

    def _turn(self, points: Rows | None) -> tuple[float, float]:
        """The direction of the crop's rows in the frame."""
        if points is None or not self.level:
            return 1.0, 0.0
        ends = [_point(points, number, self.instance) for number in self.level]
        if ends[0] is None or ends[1] is None:
            return 1.0, 0.0
        dx, dy = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
        length = math.sqrt(dx * dx + dy * dy)
        return (dx / length, dy / length) if 0.0 < length < math.inf else (1.0, 0.0)

    def _extent(
        self, points: Rows | None, across: float, down: float
    ) -> tuple[float, float, float, float] | None:  # fmt: skip
        """The box around points, along the crop's rows and columns."""
        if points is None:
            return None
        kept = points["instance"] == self.instance
        if self.around:
            kept &= np.isin(points["point"], self.around)
        x, y = points["x"][kept], points["y"][kept]
        if not len(x):
            return None
        # Along the crop's own axes: a box of turned points is smaller than one along the frame's.
        u, v = across * x + down * y, across * y - down * x
        left, right, top, bottom = float(u.min()), float(u.max()), float(v.min()), float(v.max())
        u, v = 0.5 * (left + right), 0.5 * (top + bottom)
        return across * u - down * v, down * u + across * v, right - left, bottom - top


def _point(points: Rows, number: int, instance: int) -> Sequence[float] | None:
    found = np.flatnonzero((points["point"] == number) & (points["instance"] == instance))
    return (float(points["x"][found[0]]), float(points["y"][found[0]])) if len(found) else None
