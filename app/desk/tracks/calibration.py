"""Pixels and millimetres: a scale, an origin and axes, as set by two points of known distance.

Pictures have x right and y down. User axes have their origin where the user put it, are turned by an angle, and may
have y up, as physics books draw it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.features import State, Tracks
from pipelines.measures import BY_FIELD

Values = npt.NDArray[np.float64]
UNITS = ("um", "mm", "cm", "m", "in")
_POWERS = {"px": 1, "px2": 2}


@dataclass(frozen=True, slots=True)
class Calibration:
    """How user coordinates come from pixels.

    Args:
        per_px: units a pixel; 1 in pixels.
        unit: "px", "mm" ...
        origin: x, y in px.
        angle: of the user's x axis against the picture's, in degrees, counter-clockwise on the screen.
        y_up: whether the user's y axis points up on the screen.
    """

    per_px: float = 1.0
    unit: str = "px"
    origin: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    y_up: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.per_px) and self.per_px > 0):
            raise InputError(f"a scale needs a positive number of {self.unit} a pixel, not {self.per_px}")

    @property
    def physical(self) -> bool:
        """Whether lengths are other than pixels."""
        return self.unit != "px"

    def points(self, x: Values, y: Values) -> tuple[Values, Values]:
        """User coordinates of points in px."""
        return self.vectors(x - self.origin[0], y - self.origin[1])

    def vectors(self, dx: Values, dy: Values) -> tuple[Values, Values]:
        """User coordinates of differences (velocities, too) in px."""
        turn = math.radians(self.angle)
        up = -dy
        along = (dx * math.cos(turn) + up * math.sin(turn)) * self.per_px
        across = (-dx * math.sin(turn) + up * math.cos(turn)) * self.per_px
        return along, across if self.y_up else -across

    def spreads(self, x: Values, y: Values, correlation: Values) -> tuple[Values, Values]:
        """Standard uncertainties of user coordinates, by those of x and y in px and the correlation of their errors."""
        turn = math.radians(self.angle)
        along, across = math.cos(turn) ** 2, math.sin(turn) ** 2
        x2, y2, both = x * x, y * y, math.sin(2.0 * turn) * (correlation * x * y)  # y points down
        right, above = along * x2 + across * y2 - both, across * x2 + along * y2 + both
        return tuple(np.sqrt(np.maximum(one, 0.0)) * self.per_px for one in (right, above))  # type: ignore[return-value]

    def length(self, px: Values) -> Values:
        """A length in the user's unit."""
        return px * self.per_px

    def measure(self, field: str, values: Values) -> Values:
        """A measure of rows (`pipelines.measures`) in the user's unit; angles as the user's axes count them."""
        measure = BY_FIELD[field]
        turned = values + self.angle if measure.turns else values * self.per_px ** _POWERS.get(measure.unit, 0)
        # Not `-turned`, which would give -0 for 0.
        return 0.0 - turned if self.y_up and measure.flips else turned

    def measure_unit(self, field: str) -> str:
        """The unit of a measure; "" for ratios and for what counts in the grey values of the picture."""
        unit = BY_FIELD[field].unit
        return {"px": self.unit, "px2": f"{self.unit}²", "deg": "°"}.get(unit, "")


def by_length(px: float, length: float, unit: str, before: Calibration) -> Calibration:
    """The scale by which `px` pixels are a known `length`; the rest stays as it was `before`.

    Raises:
        InputError: there are no pixels, or the length is none.
    """
    if not px >= 1e-6:
        raise InputError("the two points of a scale need to be apart")
    if not (math.isfinite(length) and length > 0):
        raise InputError(f"the known distance needs to be a positive number, not {length}")
    return Calibration(length / px, unit, before.origin, before.angle, before.y_up)


def apart(first: Tracks, second: Tracks) -> tuple[float, float, int]:
    """How far two tracks are apart in px: the median over all frames in which both were seen, the robust standard
    deviation (1.4826 of the median deviation), and how many frames those are.

    Args:
        first, second: the rows of each.

    Raises:
        InputError: there is no such frame.
    """
    a, b = (rows[rows["state"] == State.TRACKED] for rows in (first, second))
    _, i, j = np.intersect1d(a["frame"], b["frame"], return_indices=True)
    if not len(i):
        raise InputError("the two tracks were never seen in the same frame; choose others")
    far = np.hypot(a["x"][i] - b["x"][j], a["y"][i] - b["y"][j])
    middle = float(np.median(far))
    return middle, 1.4826 * float(np.median(np.abs(far - middle))), len(i)


def angle_at(first: tuple[float, float], corner: tuple[float, float], second: tuple[float, float]) -> float:
    """The angle at `corner` between two points, in degrees from 0 to 180."""
    ax, ay = first[0] - corner[0], first[1] - corner[1]
    bx, by = second[0] - corner[0], second[1] - corner[1]
    if math.hypot(ax, ay) < 1e-9 or math.hypot(bx, by) < 1e-9:
        raise InputError("the points of an angle need to be apart")
    return math.degrees(abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))
