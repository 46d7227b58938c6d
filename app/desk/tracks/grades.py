"""Which colours speeds and times of trails have, and the words beside the scale of colours."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from app.exports.path_picture import By, above
from app.exports.trajectory_lines import graded, time_colours
from pipelines.features import State, Tracks

RAMP = tuple(f"#{red:02x}{green:02x}{blue:02x}" for blue, green, red in time_colours())
"""From slow to fast, from early to late."""


class Grades:
    """The range of speeds grows with what is seen and does not shrink, so that colours stand still while a clip plays.

    Attributes:
        factor, unit: how many units a px is, and its name. timed: whether times are seconds.
        top: the speed of the last colour, px a second (a frame).
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self, factor: float = 1.0, unit: str = "px", timed: bool = True) -> None:
        """Another clip, or another unit: nothing is known of speeds."""
        self.factor, self.unit, self.timed = factor, unit, timed
        self.top = 0.0

    def take(self, speed: float) -> None:
        """A speed that hardly any is above, px a second."""
        if speed > self.top:
            self.top = above(speed * self.factor) / self.factor

    def shades(self, by: By, rows: Tracks, trail: int) -> Callable[[Tracks], npt.NDArray[np.int64]]:
        """A function from rows to numbers of `RAMP`.

        Args:
            by: speed, or time: how long ago it was.
            rows: all that may be drawn, by frame.
            trail: frames that a trail is long.
        """
        if by == "time":
            last = float(rows["frame"][-1]) if len(rows) else 0.0
            return lambda some: graded(some["frame"].astype(np.float64), last - trail, last)
        few = rows[:: max(1, len(rows) // 2000)]
        few = speeds(few[few["state"] == State.TRACKED])
        self.take(float(np.quantile(few, 0.99)) if len(few) else 0.0)
        return lambda some: graded(speeds(some), 0.0, self.top)

    def words(self, by: By, trail: int) -> str:
        """What the scale of colours says of the last frames; "" where each track has a colour."""
        if by == "time":
            return f"{trail} frames ago to now"
        return self.speed_words if by == "speed" else ""

    @property
    def speed_words(self) -> str:
        """The range of speeds."""
        return f"0 to {self.top * self.factor:.10g} {self.unit}/{'s' if self.timed else 'frame'}"


def speeds(rows: Tracks) -> npt.NDArray[np.float64]:
    """px a second (a frame if the rate is unknown); 0 where it is not known."""
    return np.asarray(np.nan_to_num(np.hypot(rows["vx"], rows["vy"]).astype(np.float64)))
