"""Where a number is on a slider; nothing here knows a window."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernels.param import Param

STEPS = 1000
"""Places of a slider."""
LEAST = 1e-12
"""Numbers nearer to 0 are 0 for a slider."""
DECADES = 30.0
"""A range whose ends lie so many times apart is drawn logarithmically."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A slider's range.

    Args:
        low, high: its ends.
        logarithmic: whether equal steps are equal factors.
        whole: whether only whole numbers are meant.
        odd: whether only odd ones of them, and 0 at the lower end.
    """

    low: float
    high: float
    logarithmic: bool
    whole: bool
    odd: bool = False

    def place(self, value: float) -> int:
        """Where a value stands, 0 to STEPS; the ends stand for what lies beyond."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(STEPS * share)

    def value(self, place: int) -> float:
        """The value at a place, with no more digits than a step is worth."""
        share = place / STEPS
        if self.logarithmic:
            value: float = self.low * float((self.high / self.low) ** share)
            step = value * ((self.high / self.low) ** (1 / STEPS) - 1)
        else:
            value, step = self.low + share * (self.high - self.low), (self.high - self.low) / STEPS
        if self.odd and value >= 0.5:
            least, most = math.ceil(self.low), math.floor(self.high)
            return float(min(max(2 * math.floor(value / 2) + 1, least | 1), most - 1 + most % 2))
        if self.whole:
            return float(min(max(round(value), math.ceil(self.low)), math.floor(self.high)))
        if place in (0, STEPS):
            return self.low if place == 0 else self.high
        return round(value, max(0, 1 - math.floor(math.log10(step)))) if step > 0 else value


def scale_of(param: Param, value: float, side: float = math.inf) -> Scale:
    """The slider's range for a number: the declared one, or what lies about its value where that is open.

    Args:
        param: an "int" or "float".
        value: as it is now; the range holds it.
        side: the shorter side of the picture, px: windows, radii and distances end there.
    """
    default = float(param.default) if isinstance(param.default, int | float) else 0.0
    reach = (abs(value) if abs(value) > LEAST else 0.0) or abs(default) or 1.0
    reach = max(reach, 2.0) if param.kind == "int" else reach
    low = param.low if math.isfinite(param.low) and (param.low >= -4 * reach or math.isfinite(param.high)) else (
        0.0 if default >= 0 and value >= 0 else -4 * reach)  # fmt: skip
    high = param.high if math.isfinite(param.high) and param.high <= 1000 * max(reach, 1e-6) else low + 4 * reach
    if param.unit == "px" and low < side:
        high = min(high, side)
    low, high = max(min(low, value), param.low), min(max(high, value), param.high)
    if high <= low:
        high = low + 1.0
    logarithmic = low > 0 and high / low >= DECADES
    return Scale(low, high, logarithmic, param.kind == "int", param.odd)


def decimals(param: Param, value: float) -> int:
    """Digits behind the point that a field for this number needs."""
    if param.kind == "int":
        return 0
    sizes = [abs(v) for v in (value, param.low) if isinstance(v, int | float) and v and math.isfinite(v)]
    smallest = min([*sizes, 1.0])
    return min(9, max(2, 2 - math.floor(math.log10(smallest))))
