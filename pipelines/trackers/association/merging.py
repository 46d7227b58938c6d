"""Merged measurements: two tracks in one detection (Blackman, Popoli 1999, unresolved measurements)."""

from __future__ import annotations

from kernels.loops.language import loop, sqrt
from pipelines.trackers.association.assignment import GUEST, OWNER, PLAIN
from pipelines.trackers.association.grid import column_of, columns_of
from pipelines.trackers.association.kalman import correct
from pipelines.trackers.association.model import HIDDEN_SHIFT, LASTING, MASS_WANDER, TOGETHER
from pipelines.trackers.association.records import (
    Cells,
    Detections,
    Population,
    Relations,
    Settings,
    Tracks,
    Work,
)
from pipelines.trackers.association.relations import merges


@loop
def neighbour(t: Tracks, i: int, reach: float, d: Detections, across: float, g: Cells, s: Settings) -> int:
    """The nearest detection that another track has, within `reach` px of a track; -1 if there is none."""
    columns, rows, x, y = columns_of(s.right, across), columns_of(s.bottom, across), t.x[i], t.y[i]
    best, nearest = -1, reach * reach
    left, over = column_of(x - reach, across, columns), column_of(x + reach, across, columns)
    for row in range(column_of(y - reach, across, rows), column_of(y + reach, across, rows) + 1):
        for j in range(g.begin[row * columns + left], g.begin[row * columns + over + 1]):
            ex, ey = d.x[j] - x, d.y[j] - y
            if d.owner[j] >= 0 and ex * ex + ey * ey < nearest:
                best, nearest = j, ex * ex + ey * ey
    return best


@loop
def hold(t: Tracks, i: int, d: Detections, j: int, vx: float, vy: float) -> int:
    """Two things that stay one detection go on as one, TOGETHER widths apart at most: whose prediction has left the
    half of that is put back onto its edge (state constraint by projection: Simon, IET Control Theory & Applications 4,
    1303, 2010), with the variance of places all over the disk that it is known to be in."""
    ex, ey, limit = t.x[i] - d.x[j], t.y[i] - d.y[j], 0.5 * TOGETHER * t.width[i]
    squares = ex * ex + ey * ey
    if squares > limit * limit:
        part = limit / sqrt(squares)
        t.x[i], t.y[i], t.vx[i], t.vy[i] = d.x[j] + part * ex, d.y[j] + part * ey, vx, vy
        t.p00[i] = max(t.p00[i], 0.25 * limit * limit)
    return 0


@loop
def merge(t: Tracks, unseen: int, d: Detections, across: float, g: Cells, s: Settings, p: Population, w: Work,
          r: Relations) -> int:  # fmt: skip
    """Each believed track that lost its detection beside one that weighs like both rather than like one: both are
    corrected by it, its centre being their common centre of mass, H = [w1 w2] with the shares of the mass, and off it
    by what is missing or too much of theirs, of either (twice the shift of one)."""
    some = 0
    for k in range(unseen):
        i = w.unseen[k]
        inside = t.x[i] >= 0.0 and t.y[i] >= 0.0 and t.x[i] <= s.right and t.y[i] <= s.bottom
        if w.found[i] >= 0 or t.hits[i] < s.min_hits or t.mass[i] <= 0.0 or not inside:
            continue
        j = neighbour(t, i, TOGETHER * t.width[i], d, across, g, s)
        if j < 0:
            continue
        o = d.owner[j]
        if w.how[o] != PLAIN or t.hits[o] < s.min_hits or t.mass[o] <= 0.0 or d.mass[j] <= 0.0:
            continue
        both, one = t.mass[o] + t.mass[i], max(t.mass[o], t.mass[i])
        if d.mass[j] * d.mass[j] > both * one:  # nearer to both than to one, in their logarithms
            w.how[o], w.how[i], w.choice[i] = OWNER, GUEST, o
            share = t.mass[o] / both
            rest = 1.0 - share
            if t.merged[i] > LASTING:
                vx, vy = share * t.vx[o] + rest * t.vx[i], share * t.vy[o] + rest * t.vy[i]
                hold(t, o, d, j, vx, vy)
                hold(t, i, d, j, vx, vy)
            ex = d.x[j] - share * t.x[o] - rest * t.x[i]
            ey = d.y[j] - share * t.y[o] - rest * t.y[i]
            off = 2.0 * HIDDEN_SHIFT * max(abs(1.0 - d.mass[j] / both), MASS_WANDER)
            noise = d.variance[j] + off * off * t.width[i] * t.width[o]
            variance = share * share * t.p00[o] + rest * rest * t.p00[i] + noise
            correct(t, o, ex, ey, share, variance)
            correct(t, i, ex, ey, rest, variance)
            t.score[o] = min(d.mass[j] / both, both / d.mass[j])
            t.score[i] = t.score[o]
            merges(t, i, o, d, j, p, r)
            some += 1
    return some
