"""The gate: which detections may be which track, found by a grid over the picture."""

from __future__ import annotations

from kernels.host.logarithm import log
from kernels.host.loops import loop, sqrt
from pipelines.trackers.association.masses import mass_cost, ratio_of, shift2
from pipelines.trackers.association.model import FARTHEST, NEAREST, SPAN
from pipelines.trackers.association.records import Cells, Detections, Pairs, Population, Settings, Tracks, Work

TWO_PI = 6.283185307179586
MARGIN = 1.0  # px around the picture that the grid covers (`detections.OUTSIDE`)
FULL = -1


@loop
def cells_across(m: int, g: Cells, s: Settings) -> float:
    """Cells of the grid to a px: about one detection a cell, and no more cells than there is room for."""
    wide, high = s.right + 2.0 * MARGIN, s.bottom + 2.0 * MARGIN
    side = max(sqrt(wide * high / float(m + 1)), 2.0)
    while (int(wide / side) + 2) * (int(high / side) + 2) > g.room:
        side = side * 1.5
    return float(1.0 / side)


@loop
def column_of(x: float, across: float, columns: int) -> int:
    """The cell of a coordinate, clipped to the grid."""
    return int(min(max((x + MARGIN) * across, 0.0), float(columns - 1)))


@loop
def columns_of(last: float, across: float) -> int:
    """Cells along an axis."""
    return int((last + 2.0 * MARGIN) * across) + 1


@loop
def fill(d: Detections, m: int, across: float, g: Cells, s: Settings) -> int:
    """Put the detections into the grid; those of a cell are a list that rises."""
    columns, rows = columns_of(s.right, across), columns_of(s.bottom, across)
    for c in range(columns * rows):
        g.head[c] = -1
    for k in range(m):
        j = m - 1 - k
        c = column_of(d.y[j], across, rows) * columns + column_of(d.x[j], across, columns)
        d.next[j], g.head[c] = g.head[c], j
    return 0


@loop
def room_around(p: Population) -> float:
    """Farthest candidate of this frame, px."""
    return max(SPAN * p.spacing, NEAREST)


@loop
def gated(t: Tracks, count: int, d: Detections, m: int, across: float, g: Cells, s: Settings, p: Population, q: Pairs,
          w: Work) -> int:  # fmt: skip
    """The pairs within the chi-square gate, and their cost: minus the log likelihood of place and mass.

    The variance of an innovation is the prediction's, the detection's, and what its mass says (`masses.py`). The log
    determinant keeps an uncertain track from buying a certain one's detection.

    Returns:
        How many; those of track i are w.first[i] .. w.first[i + 1]. FULL where there is no room for them.
    """
    columns, rows, most, found = columns_of(s.right, across), columns_of(s.bottom, across), room_around(p), 0
    noise = 0.0
    for j in range(m):
        noise = max(noise, d.variance[j])
    for i in range(count):
        w.first[i] = found
        x, y, p00, mass, wide = t.x[i], t.y[i], t.p00[i], t.mass[i], t.width[i]
        likely = sqrt(s.gate * (p00 + noise)) + FARTHEST * wide
        bound = min(min(likely, s.speed * max(t.gap[i], 1.0)), most)
        if x < -bound - MARGIN or y < -bound - MARGIN or x > s.right + bound + MARGIN or y > s.bottom + bound + MARGIN:
            continue
        left, over = column_of(x - bound, across, columns), column_of(x + bound, across, columns)
        top, under = column_of(y - bound, across, rows), column_of(y + bound, across, rows)
        within = bound * bound
        for row in range(top, under + 1):
            for c in range(row * columns + left, row * columns + over + 1):
                j = g.head[c]
                while j >= 0:
                    ex, ey = d.x[j] - x, d.y[j] - y
                    squares = ex * ex + ey * ey
                    if squares <= within:
                        variance = p00 + d.variance[j] + shift2(ratio_of(t, i, d.mass[j]), wide)
                        if squares <= s.gate * variance:
                            if found == q.room:
                                return FULL
                            unlike = 0.0
                            if mass > 0.0 and d.mass[j] > 0.0:
                                unlike = mass_cost(t, i, d.mass_log[j])
                            q.what[found] = j
                            q.cost[found] = 0.5 * squares / variance + log(TWO_PI * variance) + unlike
                            found += 1
                    j = d.next[j]
    w.first[count] = found
    return found
