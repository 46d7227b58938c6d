"""Axes of the user's own: an origin in the picture, and how far the x axis is turned."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.measures import BY_FIELD, fields_of


@dataclass(frozen=True, slots=True)
class Axes:
    """Where positions are counted from.

    Args:
        x, y: the origin, px of the picture.
        angle: of the x axis against the picture's, degrees, counter-clockwise on the screen.
    """

    x: float
    y: float
    angle: float = 0.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(value) for value in (self.x, self.y, self.angle)):
            raise InputError(f"axes need finite numbers, not an origin at {self.x}, {self.y} turned by {self.angle}")

    def turned(self, rows: Tracks, up: bool) -> Tracks:
        """Rows in px of the picture in these axes, y up or down; a copy."""
        made = rows.copy()
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        for x, y, origin in (("x", "y", (self.x, self.y)), ("vx", "vy", (0.0, 0.0))):
            right, above = rows[x] - origin[0], origin[1] - rows[y]
            across = above * cos - right * sin
            made[x] = right * cos + above * sin + 0.0
            made[y] = np.where(across == 0, 0.0, across if up else -across)
        for name in fields_of(made):
            if BY_FIELD[name].turns:
                made[name] += self.angle
            if up and BY_FIELD[name].flips:
                made[name] = 0.0 - made[name]
        # In these axes, x' = x cos - y sin and y' = -(x sin + y cos) of the picture's, y' up.
        part = rows["anisotropy"].astype(np.float64)
        both = rows["correlation"] * np.sqrt(np.maximum(1.0 - part * part, 0.0))
        twice, once = math.cos(2.0 * turn), math.sin(2.0 * turn)
        made["anisotropy"] = part * twice - both * once
        left = np.sqrt(np.maximum(1.0 - np.square(made["anisotropy"], dtype=np.float64), 0.0))
        turned = -(both * twice + part * once) if up else both * twice + part * once
        made["correlation"] = np.clip(np.where(left > 0, turned / np.where(left > 0, left, 1.0), 0.0), -1.0, 1.0)
        return made

    def words(self, up: bool) -> str:
        """For files that say where their positions are counted from."""
        turned = f", x turned by {self.angle:g} degrees counter-clockwise" if self.angle else ", x to the right"
        return f"origin at ({self.x:g}, {self.y:g}) px of the picture{turned}, y {'up' if up else 'down'}"
