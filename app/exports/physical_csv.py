"""Rows of tracks as lines of CSV in the user's units and axes, block by block."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.exports.axes import Axes
from app.exports.columns import DECIMALS, columns_of, key_lines, to_csv
from app.exports.scale import Scale, Units, parse_scale
from app.exports.table import TrackTable, physical
from kernels.errors import InputError
from pipelines.features import Tracks


@dataclass(frozen=True, slots=True)
class Counting:
    """How people want positions counted.

    Args:
        scale: how long a pixel is; None for pixels.
        origin: from where positions count, in axes of the picture; None for the top left pixel (with `up` the bottom
            left one).
        up: y points up.
    """

    scale: Scale | None = None
    origin: Axes | None = None
    up: bool = False

    def __bool__(self) -> bool:
        return self != Counting()

    def facts(self) -> dict[str, Any]:
        """For the summary, JSON-able."""
        origin = None if self.origin is None else [self.origin.x, self.origin.y]
        return {"scale": None if self.scale is None else self.scale.text, "origin_px": origin, "y_up": self.up}

    def rows(self, rows: Tracks, size: tuple[int, int]) -> Tracks:
        """Rows in px of a picture of that size (width, height) as they count; a copy, by frame and track."""
        if self.origin is not None:
            rows = self.origin.turned(rows, self.up)
        flip = self.up and self.origin is None
        return physical(rows, self.scale, fps=math.nan, was=math.nan, up=flip, size=size)


def counting_told(facts: object) -> Counting:
    """How a run counts positions: what `Counting.facts` wrote into its summary; pixels of anything else.

    >>> counting_told({"scale": "0.5 mm/px", "origin_px": [3, 4], "y_up": True}).scale
    Scale(factor=0.5, unit='mm')
    >>> counting_told(None) == counting_told({"scale": "?"}) == Counting()
    True
    """
    if not isinstance(facts, Mapping):
        return Counting()
    try:
        scale, origin = facts.get("scale"), facts.get("origin_px")
        axes = None if origin is None else Axes(float(origin[0]), float(origin[1]))
        return Counting(None if scale is None else parse_scale(str(scale)), axes, bool(facts.get("y_up")))
    except (InputError, TypeError, ValueError, IndexError):
        return Counting()


class PhysicalCsv:
    """Header and lines of such a file.

    Args:
        counting: how positions count.
        size: of the picture, px.
        timed: whether times are seconds.
    """

    def __init__(self, counting: Counting, size: tuple[int, int], timed: bool) -> None:
        self.counting, self.size = counting, size
        self.units = Units(counting.scale.unit if counting.scale else "px", "s" if timed else "frame")
        factor = 1.0 if counting.scale is None else counting.scale.factor
        self._decimals = DECIMALS if counting.scale is None else DECIMALS + max(0, math.ceil(-math.log10(factor)))

    def header(self, fields: tuple[str, ...], key: bool) -> bytes:
        """The line of names; as `app.exports.columns.csv_header`."""
        names = [self.units.column(column.field) for column in columns_of(fields)]
        table = TrackTable(np.zeros(0), self.units, scale=self.counting.scale, up=self.counting.up,
                           axes=self.counting.origin)  # fmt: skip
        described = [(name, self.units.of(column.field), table.describe(column))
                for name, column in zip(names, columns_of(fields), strict=True)]  # fmt: skip
        lines = key_lines(described) if key else []
        return "".join(f"{line}\n" for line in (*lines, ",".join(names))).encode()

    def lines(self, rows: Tracks) -> bytes:
        """Rows in px, by frame and track, as lines."""
        return to_csv(self.counting.rows(rows, self.size), self._decimals)


def counting_of(scale: str | Scale | None, origin: tuple[float, float] | Axes | None, up: bool) -> Counting:
    """From what users write.

    Raises:
        InputError: a scale or an origin that is none.
    """
    if origin is not None and not isinstance(origin, Axes):
        try:
            origin = Axes(*map(float, origin))
        except (TypeError, ValueError):
            raise InputError(f"an origin is two numbers x, y in px of the picture, not {origin!r}") from None
    return Counting(parse_scale(scale) if isinstance(scale, str) else scale, origin, up)
