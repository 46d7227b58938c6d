"""Merged measurements: two tracks in one detection (Blackman, Popoli 1999, unresolved measurements).

Where between the two the detection is their masses say. Spots are centred by the iterated Gaussian-weighted centroid
(`kernels/centroids/centroid.py`), which of two is nearer to the heavier one than their centre of mass is, the more the
farther they are apart: for spots as wide as the weight, at the part f of the way from one to the other that has

    log(f / (1 - f)) = log(share / (1 - share)) + (2 f - 1) distance^2 / (4 width^2).
"""

from __future__ import annotations

from kernels.loops.language import loop, sqrt
from kernels.loops.logarithm import log
from pipelines.trackers.association.assignment import (
    GUEST,
    OWNER,
    PLAIN,
    UNSEEN,
    UNSURE_GUEST,
    UNSURE_OWNER,
)
from pipelines.trackers.association.grid import column_of, columns_of
from pipelines.trackers.association.kalman import correct
from pipelines.trackers.association.model import HIDDEN_SHIFT, LASTING, MASS_WANDER, SURPRISE, TOGETHER, TWIN
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

STEPS, END = 4, 0.02
"""Of Newton's method for the part of the way: how many, and how near it comes to either end."""
FARTHEST = 1.0
"""Square of the distance, in units of (2 width)^2, up to which the part follows the formula; from 2 on two equal spots
have two centres, and what is centred by its mass (regions) stays within its scatter."""


@loop
def weighted_part(share: float, apart: float) -> float:
    """The part of the way from the lighter of two spots to the other at which their Gaussian-weighted centre is.

    Args:
        share: of the other in the mass of both.
        apart: square of their distance, in units of (2 width)^2.
    """
    part = min(max(share, END), 1.0 - END)
    logit = log(part / (1.0 - part))
    for _ in range(STEPS):
        miss = log(part / (1.0 - part)) - logit - apart * (2.0 * part - 1.0)
        slope = 1.0 / (part * (1.0 - part)) - 2.0 * apart
        part = min(max(part - miss / slope, END), 1.0 - END)
    return float(part)


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
    # Without a measurement of the difference the two predictions drift apart for as long as the merger lasts, and the
    # one that comes out would be looked for where nothing is.
    if squares > limit * limit:
        part = limit / sqrt(squares)
        t.x[i], t.y[i], t.vx[i], t.vy[i] = d.x[j] + part * ex, d.y[j] + part * ey, vx, vy
        t.p00[i] = max(t.p00[i], 0.25 * limit * limit)
    return 0


@loop
def twins(t: Tracks, i: int, o: int, d: Detections, j: int, s: Settings, w: Work) -> int:
    """Track i is without a detection beside one of track o that weighs like one thing. Where their states cannot be
    told apart in more than TWIN frames of late, they are one thing, and the younger ends: deletion of redundant tracks
    (Blackman, Popoli 1999)."""
    dx, dy, dvx, dvy = t.x[o] - t.x[i], t.y[o] - t.y[i], t.vx[o] - t.vx[i], t.vy[o] - t.vy[i]
    if dx * dx + dy * dy > SURPRISE * (t.p00[i] + t.p00[o]) or dvx * dvx + dvy * dvy > SURPRISE * (t.p11[i] + t.p11[o]):
        return 0
    t.twin[i], t.twin[o] = t.twin[i] + 1.0, t.twin[o] + 1.0
    if min(t.twin[i], t.twin[o]) > TWIN:
        t.twin[i], t.twin[o] = 0.0, 0.0
        if t.track[i] > t.track[o]:
            t.missed[i] = s.max_missed + 1.0
        else:
            w.found[i], w.how[i], d.owner[j], t.host[i] = j, PLAIN, i, 0.0  # nothing comes apart
            w.found[o], w.how[o], t.missed[o] = -1, UNSEEN, s.max_missed + 1.0
    return 1


@loop
def merge(t: Tracks, unseen: int, d: Detections, across: float, g: Cells, s: Settings, p: Population, w: Work,
          r: Relations) -> int:  # fmt: skip
    """Each believed track that lost its detection beside one that weighs like both rather than like one: both are
    corrected by it, which is between them, H = [part, 1 - part], and off by what is missing or too much of their mass
    (twice the shift of one) and by what their shares are uncertain (the same in many frames, so that it counts twice as
    much as it scatters). Where it contradicts what both were expected to be, it is one alone if that is where it is;
    else one of them turned, nothing tells which, and neither is corrected: UNSURE_OWNER and UNSURE_GUEST."""
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
        if d.mass[j] * d.mass[j] <= both * one:
            twins(t, i, o, d, j, s, w)
        if d.mass[j] * d.mass[j] > both * one:  # nearer to both than to one, in their logarithms
            share = t.mass[o] / both
            rest = 1.0 - share
            if t.merged[i] > LASTING:
                vx, vy = share * t.vx[o] + rest * t.vx[i], share * t.vy[o] + rest * t.vy[i]
                hold(t, o, d, j, vx, vy)
                hold(t, i, d, j, vx, vy)
            dx, dy, widths = t.x[o] - t.x[i], t.y[o] - t.y[i], t.width[i] * t.width[o]
            apart2 = dx * dx + dy * dy
            part = weighted_part(share, min(apart2 / (4.0 * widths), FARTHEST))
            rest = 1.0 - part
            ex, ey = d.x[j] - t.x[i] - part * dx, d.y[j] - t.y[i] - part * dy
            # What is within the wander of a mass says nothing; beyond it, all of it is off, as faint spots need.
            lacks = abs(1.0 - d.mass[j] / both)
            off = 2.0 * HIDDEN_SHIFT * lacks if lacks > MASS_WANDER else 0.0
            known = part * part * t.p00[o] + rest * rest * t.p00[i] + d.variance[j] + off * off * widths
            shares2, centring = MASS_WANDER * MASS_WANDER * apart2, part - share
            w.how[o], w.how[i], w.choice[i] = OWNER, GUEST, o
            if ex * ex + ey * ey > SURPRISE * (known + 0.25 * shares2 + centring * centring * apart2):
                ox, oy = d.x[j] - t.x[o], d.y[j] - t.y[o]
                if ox * ox + oy * oy < SURPRISE * (t.p00[o] + d.variance[j]):
                    w.how[o], w.how[i] = PLAIN, UNSEEN  # where the one is that has it: a heavy one of one alone
                    continue
                w.how[o], w.how[i] = UNSURE_OWNER, UNSURE_GUEST
            else:
                correct(t, o, ex, ey, part, known + shares2)
                correct(t, i, ex, ey, rest, known + shares2)
            t.score[o] = min(d.mass[j] / both, both / d.mass[j])
            t.score[i] = t.score[o]
            merges(t, i, o, d, j, p, r)
            some += 1
    return some
