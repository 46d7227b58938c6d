"""An axis whose numbers can be read: plain ones on a logarithmic axis, none where nothing is drawn."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import pyqtgraph
from pyqtgraph.Qt import QtGui

ROUND = (1, 2, 5)
"""First digits that are written at a logarithmic axis; the others would stand too close."""
AIR = 0.85
"""Heights of a line from one number at the side to the next, at least: digits are lower than a line."""
MOST = 6
"""Numbers at the side, about."""
WIDE = 3.5
"""Powers of ten from which on an axis has those only."""


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALLEST, LARGEST = -3.0, 6.0
"""Powers of ten between which an axis lies that has plain numbers."""


class Axis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """See the module.

    Attributes:
        silent: whether no numbers are written.
    """

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.silent = False

    def tickSpacing(  # noqa: N802
        self, low: float, high: float, size: float
    ) -> list[tuple[float, float]]:
        """How far ticks are apart: at a side, where plots are low, so far that numbers do not lie over each other."""
        if self.orientation != "left" or self.logMode or size <= 0 or high <= low:
            return list(super().tickSpacing(low, high, size))
        line = QtGui.QFontMetrics(self.style["tickFont"] or QtGui.QFont()).height()
        least = max(AIR * line, size / MOST) * (high - low) / size
        power = 10.0 ** math.floor(math.log10(least))
        return [(next(power * nice for nice in (*ROUND, 10) if power * nice >= least), 0.0)]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """What is at ticks."""
        return [""] * len(values) if self.silent else list(super().tickStrings(values, scale, spacing))

    def logTickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Numbers, not powers of ten with a factor."""
        del scale, spacing
        if self.silent:
            return [""] * len(values)
        low, high = self.range
        powers = low < SMALLEST or high >= LARGEST
        return [_number(value, high - low > WIDE, powers) for value in values]


def _number(logarithm: float, few: bool, powers: bool) -> str:
    """10 to this power, "" where it is no round number, or none at all; of an axis all with powers of ten, or none."""
    if abs(logarithm) >= sys.float_info.max_10_exp:
        return ""
    value = 10.0**logarithm
    # A logarithm that is a hair below a whole number is that number.
    exponent = math.floor(logarithm + 1e-9)
    digit = round(value / 10.0**exponent, 6)
    if digit not in ((1,) if few else ROUND):
        return ""
    if not powers:
        return f"{value:g}"
    return f"{'' if digit == 1 else f'{digit:g}·'}10{str(exponent).translate(_RAISED)}"
