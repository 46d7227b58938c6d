"""Pixels as lengths, and the units that every exported file names."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from kernels.errors import InputError
from pipelines.measures import BY_FIELD, MEASURES

METRES = {"m": 1.0, "dm": 1e-1, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "nm": 1e-9, "in": 0.0254, "ft": 0.3048}
"""Units of length that a scale may have, in metres."""
SMALLEST = 1e-30
"""The least number of a scale, and one by the largest: squares of lengths, such as areas, still are numbers."""
_LENGTHS = ("x", "y", "sigma", "sigma_x", "sigma_y", *(one.field for one in MEASURES if one.unit == "px"))
AREAS = tuple(one.field for one in MEASURES if one.unit == "px2")
LENGTHS = tuple(one.field for one in MEASURES if one.unit == "px")
"""The measures that a scale changes."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How long a pixel is: `factor` times `unit`, a word of METRES."""

    factor: float
    unit: str

    @property
    def text(self) -> str:
        return f"{self.factor!r} {self.unit}/px"


@dataclass(frozen=True, slots=True)
class Units:
    """What the numbers of a table count.

    Args:
        length: "px", or a word of METRES.
        time: "s", or "frame" if the capture rate is unknown.
    """

    length: str = "px"
    time: str = "s"

    @property
    def speed(self) -> str:
        return f"{self.length}/{self.time}"

    def of(self, field: str) -> str:
        """The unit of a field of a table (`Column.field`); "" for numbers and words."""
        if field in _LENGTHS:
            return self.length
        if field in ("vx", "vy"):
            return self.speed
        if field in AREAS:
            return f"{self.length}2"
        if field in BY_FIELD:
            return BY_FIELD[field].unit
        return {"time": self.time, "score": "1", "correlation": "1"}.get(field, "")

    def column(self, field: str) -> str:
        """The name of a field as a column: "x_px", "vx_mm_per_s", "time_s" ("time_frames" without a rate)."""
        if field == "time":
            return "time_s" if self.time == "s" else "time_frames"
        unit = self.of(field)
        named = field in (*_LENGTHS, *AREAS, "vx", "vy") or (field in BY_FIELD and BY_FIELD[field].period)
        return f"{field}_{unit.replace('/', '_per_')}" if named else field


def round_length(most: float) -> float:
    """The longest of 1, 2, 5, 10 ... that is at most `most`.

    >>> round_length(25.0), round_length(0.5), round_length(0.0199)
    (20.0, 0.5, 0.01)
    """
    power = 10.0 ** math.floor(math.log10(max(most, 1e-9)) + 1e-9)
    return next((factor * power for factor in (5.0, 2.0) if factor * power <= most * (1 + 1e-9)), power)


def parse_scale(text: str) -> Scale:
    """A scale as people write it.

    >>> parse_scale("0.12 mm/px"), parse_scale("8 px/mm"), parse_scale("4.5um/pixel")
    (Scale(factor=0.12, unit='mm'), Scale(factor=0.125, unit='mm'), Scale(factor=4.5, unit='um'))

    Raises:
        InputError: it is something else.
    """
    plain = text.strip().replace("µ", "u").replace("μ", "u").lower()
    match = re.fullmatch(r"([-+.\de]+?)\s*([a-z]+)\s*/\s*([a-z]+)", plain)
    unit, inverse = "", False
    if match is not None:
        # "px/mm" is the inverse of "mm/px": either way round.
        above, below = (re.sub(r"^(pixels?|px)$", "px", word) for word in match.groups()[1:])
        unit, inverse = (above, False) if below == "px" else (below, True) if above == "px" else ("", False)
    try:
        value = float(match.group(1)) if match is not None else math.nan
    except ValueError:
        value = math.nan
    if unit not in METRES or not SMALLEST <= value <= 1.0 / SMALLEST:
        raise InputError(
            f'--scale takes a length a pixel, such as "0.12 mm/px" or "8.3 px/mm" ({", ".join(METRES)}), not {text!r}'
        )
    return Scale(1.0 / value if inverse else value, unit)
