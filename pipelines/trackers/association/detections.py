"""The usable detections of a frame, in order."""

from __future__ import annotations

from kernels.ir.table import COLUMNS
from kernels.loops.language import F64, loop, prefetch, sqrt
from pipelines.trackers.association.grid import MARGIN, column_of, columns_of
from pipelines.trackers.association.model import LEAST_SIGMA, MOST_SIGMA, NO_LIGHT, SURPRISE, UNKNOWN_SIGMA
from pipelines.trackers.association.records import Cells, Detections, Settings, Tracks

FIELDS, F_X, F_Y, F_MASS, F_PEAK, F_AREA, F_XX, F_XY, F_YY, F_SIGMA, F_ANISOTROPY, F_STRETCH, F_LEAN = (
    COLUMNS, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
"""Floats of a feature, and where they are."""
AHEAD = 640  # floats before a feature is looked at that it is asked for: features come from far away


@loop
def compared(a: float, b: float) -> int:
    """-1, 0 or 1 as a is before, beside or behind b; what is no number is last."""
    if a < b:
        return -1
    if a > b:
        return 1
    return int(a != a) - int(b != b)  # NumPy's truths cannot be subtracted


@loop
def later(found: F64, a: int, b: int) -> int:
    """Whether the feature at a is behind that at b: by y, x, mass, peak, area."""
    order = compared(found[a + F_Y], found[b + F_Y])
    if order == 0:
        order = compared(found[a + F_X], found[b + F_X])
    if order == 0:
        order = compared(found[a + F_MASS], found[b + F_MASS])
    if order == 0:
        order = compared(found[a + F_PEAK], found[b + F_PEAK])
    if order == 0:
        order = compared(found[a + F_AREA], found[b + F_AREA])
    return int(order > 0)


@loop
def put_in_order(found: F64, m: int, across: float, d: Detections, g: Cells, s: Settings) -> int:
    """The list `d.order` of `m` features: cell after cell of the grid, by counting, and within a cell by `later`."""
    columns, rows = columns_of(s.right, across), columns_of(s.bottom, across)
    # A counting sort by cells: the order follows from the features alone, so that rows do not depend on how they came.
    for c in range(columns * rows + 1):
        g.begin[c] = 0
    for k in range(m):
        a = d.order[k]
        c = column_of(found[a + F_Y], across, rows) * columns + column_of(found[a + F_X], across, columns)
        d.cell[k] = c
        g.begin[c] = g.begin[c] + 1
    end = 0
    for c in range(columns * rows + 1):  # where each ends ...
        end += g.begin[c]
        g.begin[c] = end
    for k in range(m):  # ... and, filled from its end, begins
        c = d.cell[k]
        g.begin[c] = g.begin[c] - 1
        d.other[g.begin[c]] = d.order[k]
    for k in range(m):
        d.order[k] = d.other[k]
    first, end = 0, 0
    for c in range(columns * rows):
        first, end = g.begin[c], g.begin[c + 1]
        for k in range(first + 1, end):
            one, place = d.order[k], k
            while place > first and later(found, d.order[place - 1], one):
                d.order[place] = d.order[place - 1]
                place -= 1
            d.order[place] = one
    return 0


@loop
def usual_mass(t: Tracks, count: int, s: Settings) -> float:
    """Mean running mass of the believed tracks; 0 where most have none."""
    believed, many, total = 0, 0, 0.0
    for i in range(count):
        if t.hits[i] >= s.min_hits:
            believed += 1
            many += int(t.mass[i] > 0.0)
            total += t.mass[i]
    return total / float(many) if 2 * many > believed else 0.0


@loop
def dark_track(t: Tracks, count: int, x: float, y: float, s: Settings) -> int:
    """Whether a believed track without mass is expected within the gate of a place."""
    for i in range(count):
        dx, dy = t.x[i] - x, t.y[i] - y
        if t.hits[i] >= s.min_hits and t.mass[i] <= 0.0 and dx * dx + dy * dy <= SURPRISE * (t.p00[i] + 1.0):
            return 1
    return 0


@loop
def lit(found: F64, m: int, usual: float, t: Tracks, tracks: int, d: Detections, s: Settings) -> int:
    """Leave out of the list `d.order` of `m` features those without light where tracks have a `usual` mass: the rim of
    something on the ground, but no light above that. What is as dark as they are bright is a thing, and so is what is
    followed already. Returns how many are left."""
    kept = 0
    for k in range(m):
        a = d.order[k]
        unlit = usual > 0.0 and found[a + F_MASS] < 0.0 and found[a + F_MASS] > -NO_LIGHT * usual
        if not unlit or dark_track(t, tracks, found[a + F_X], found[a + F_Y], s) > 0:
            d.order[kept] = a
            kept += 1
    return kept


@loop
def accept(found: F64, count: int, t: Tracks, tracks: int, light: float, across: float, s: Settings, d: Detections,
           g: Cells) -> int:  # fmt: skip
    """Fill `d` from `count` features, FIELDS floats each, in the order of the grid `g`; returns how many are usable:
    those with a place in the picture, heavy and large enough, and not without light where `tracks` of `t` have some.
    Masses are divided by `light`."""
    m, last, dark = 0, (count - 1) * FIELDS, 0
    for k in range(count):
        a = k * FIELDS
        prefetch(found, min(a + AHEAD, last))
        x, y = found[a + F_X], found[a + F_Y]
        # Written so that NaN is not good: every comparison with it is false.
        good = x >= -MARGIN and x <= s.right + MARGIN and y >= -MARGIN and y <= s.bottom + MARGIN
        if good and (s.min_mass <= 0.0 or found[a + F_MASS] >= s.min_mass) and (
            s.min_area <= 0.0 or found[a + F_AREA] >= s.min_area
        ):
            d.order[m] = a
            m += 1
            dark += int(found[a + F_MASS] < 0.0)  # 0: not known
    if dark > 0:  # seldom
        m = lit(found, m, light * usual_mass(t, tracks, s), t, tracks, d, s)
    put_in_order(found, m, across, d, g, s)
    for j in range(m):
        a = d.order[j]
        mass, sigma, share = found[a + F_MASS], found[a + F_SIGMA], found[a + F_ANISOTROPY]
        width2 = 0.5 * (found[a + F_XX] + found[a + F_YY])
        known, own = sigma > 0.0 and sigma - sigma == 0.0, s.sigma <= 0.0
        sigma = sigma if known else UNKNOWN_SIGMA
        sigma = min(max(sigma if own else s.sigma, LEAST_SIGMA), MOST_SIGMA)
        d.x[j], d.y[j], d.variance[j] = found[a + F_X], found[a + F_Y], sigma * sigma
        d.uneven[j] = share * sigma * sigma if known and own and share >= -1.0 and share <= 1.0 else 0.0
        d.mass[j] = mass / light if mass > 0.0 and mass - mass == 0.0 else 0.0
        d.width[j] = sqrt(width2) if width2 > 0.0 and width2 < 1e12 else 0.0
        shape = found[a + F_STRETCH] - found[a + F_STRETCH] + found[a + F_LEAN] - found[a + F_LEAN]
        shaped = d.width[j] > 0.0 and shape == 0.0  # of what is no number or has no bounds it is no number
        d.longer[j], d.skew[j] = found[a + F_STRETCH] if shaped else 0.0, found[a + F_LEAN] if shaped else 0.0
        d.owner[j], d.suitors[j], d.hidden[j] = -1, 0, 0.0
    return m
