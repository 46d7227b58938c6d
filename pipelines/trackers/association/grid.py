"""A grid over the picture, in whose order detections lie: neighbours are found cell by cell."""

from __future__ import annotations

from kernels.loops.language import loop, sqrt
from pipelines.trackers.association.records import Cells, Settings

MARGIN = 1.0  # px around the picture up to which a detection is looked at


@loop
def cells_across(count: int, g: Cells, s: Settings) -> float:
    """Cells of the grid to a px: about one of `count` things a cell, and no more cells than there is room for."""
    wide, high = s.right + 2.0 * MARGIN, s.bottom + 2.0 * MARGIN
    side = max(sqrt(wide * high / float(count + 1)), 2.0)
    while (int(wide / side) + 2) * (int(high / side) + 2) + 8 > g.room:
        side = side * 1.5
    return float(1.0 / side)


@loop
def column_of(x: float, across: float, columns: int) -> int:
    """The cell of a coordinate, clipped to the grid; that of what is no number is the first."""
    return int(min(max(0.0, (x + MARGIN) * across), float(columns - 1)))


@loop
def columns_of(last: float, across: float) -> int:
    """Cells along an axis."""
    return int((last + 2.0 * MARGIN) * across) + 1
