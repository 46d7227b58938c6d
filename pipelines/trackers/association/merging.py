"""Merged measurements: two tracks in one detection (Blackman, Popoli 1999, unresolved measurements)."""

from __future__ import annotations

from kernels.host.logarithm import log
from kernels.host.loops import loop, sqrt
from pipelines.trackers.association.assignment import GUEST, OWNER, PLAIN
from pipelines.trackers.association.gating import column_of, columns_of
from pipelines.trackers.association.kalman import correct
from pipelines.trackers.association.model import MERGER_GAIN, MERGER_MISSES, MERGER_SIGMA, TOGETHER
from pipelines.trackers.association.records import Cells, Detections, Settings, Tracks, Work


@loop
def neighbour(t: Tracks, i: int, reach: float, d: Detections, across: float, g: Cells, s: Settings) -> int:
    """The nearest detection that another track has, within `reach` px of a track; -1 if there is none."""
    columns, rows, x, y = columns_of(s.right, across), columns_of(s.bottom, across), t.x[i], t.y[i]
    best, nearest = -1, reach * reach
    left, over = column_of(x - reach, across, columns), column_of(x + reach, across, columns)
    for row in range(column_of(y - reach, across, rows), column_of(y + reach, across, rows) + 1):
        for c in range(row * columns + left, row * columns + over + 1):
            j = g.head[c]
            while j >= 0:
                ex, ey = d.x[j] - x, d.y[j] - y
                if d.owner[j] >= 0 and ex * ex + ey * ey < nearest:
                    best, nearest = j, ex * ex + ey * ey
                j = d.next[j]
    return best


@loop
def merge(t: Tracks, count: int, d: Detections, across: float, g: Cells, s: Settings, w: Work) -> int:
    """Each believed track that lost its detection beside one that weighs like both rather than like one: both are
    corrected by it, its centre being their common centre of mass, H = [w1 w2] with the shares of the mass."""
    some = 0
    for i in range(count):
        inside = t.x[i] >= 0.0 and t.y[i] >= 0.0 and t.x[i] <= s.right and t.y[i] <= s.bottom
        if w.found[i] >= 0 or t.hits[i] < s.min_hits or t.missed[i] > MERGER_MISSES or t.mass[i] <= 0.0 or not inside:
            continue
        reach = TOGETHER * t.width[i]
        if t.p00[i] > reach * reach / 9.0:
            continue
        j = neighbour(t, i, reach, d, across, g, s)
        if j < 0:
            continue
        o = d.owner[j]
        ex, ey = t.x[o] - t.x[i], t.y[o] - t.y[i]
        if w.how[o] != PLAIN or t.hits[o] < s.min_hits or t.mass[o] <= 0.0 or d.mass[j] <= 0.0 or (
            sqrt(ex * ex + ey * ey) > 1.2 * reach
        ):
            continue
        both, one = t.mass[o] + t.mass[i], max(t.mass[o], t.mass[i])
        if abs(d.mass_log[j] - log(both)) < abs(d.mass_log[j] - log(one)):
            w.how[o], w.how[i], w.choice[i] = OWNER, GUEST, o
            share = t.mass[o] / both
            rest = 1.0 - share
            ex = d.x[j] - share * t.x[o] - rest * t.x[i]
            ey = d.y[j] - share * t.y[o] - rest * t.y[i]
            noise = d.variance[j] + MERGER_SIGMA * MERGER_SIGMA
            variance = share * share * t.p00[o] + rest * rest * t.p00[i] + noise
            correct(t, o, ex, ey, share, variance, MERGER_GAIN)
            correct(t, i, ex, ey, rest, variance, MERGER_GAIN)
            some += 1
    return some
