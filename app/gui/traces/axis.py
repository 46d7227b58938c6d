"""An axis whose numbers can be read: plain ones on a logarithmic axis, none where nothing is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph
from pyqtgraph.Qt import QtGui

ROUND = (1, 2, 5)
"""First digits that are written at a logarithmic axis; the others would stand too close."""
WIDE = 3.5
"""Powers of ten from which on an axis has those only."""


class Axis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """See the module.

    Attributes:
        silent: whether no numbers are written.
    """

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.silent = False

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """What stands at ticks."""
        if self.silent:
            return [""] * len(values)
        every = self._every(spacing)
        words = super().tickStrings(values, scale, spacing)
        return [word if round(value / spacing) % every == 0 else "" for word, value in zip(words, values, strict=True)]

    def _every(self, spacing: float) -> int:
        """Of how many ticks one gets its number: in a low plot numbers would lie over each other."""
        low, high = self.range
        if self.orientation != "left" or self.height() <= 0 or high <= low or spacing <= 0 or self.logMode:
            return 1
        gap = spacing / (high - low) * self.height()
        needed = QtGui.QFontMetrics(self.style["tickFont"] or QtGui.QFont()).height()
        return next((many for many in (1, 2, 5, 10) if many * gap >= needed), 20)

    def logTickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Numbers, not powers of ten with a factor."""
        del scale, spacing
        few = self.range[1] - self.range[0] > WIDE
        return [_number(value, few) for value in values]


def _number(logarithm: float, few: bool) -> str:
    """10 to this power, "" where it is no round number."""
    value = 10.0**logarithm
    exponent = math.floor(logarithm + 1e-9)
    digit = round(value / 10.0**exponent, 6)
    if digit not in ((1,) if few else ROUND):
        return ""
    return f"{value:g}" if -4 < exponent < 6 else f"{digit:g}e{exponent}"
