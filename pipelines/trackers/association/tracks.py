"""The life of a track: birth, a sighting, coasting, its end."""

from __future__ import annotations

from kernels.loops.language import F64, load, loop, sqrt, store
from pipelines.trackers.association.assignment import PARTED, PLAIN, TURNED, restart
from pipelines.trackers.association.hidden import lacking, uncover
from pipelines.trackers.association.kalman import adapt, correct, doubt
from pipelines.trackers.association.masses import doubled2, follow_mass, is_whole, lengthening, ratio_of, shift2
from pipelines.trackers.association.model import (
    FIRST_SPEED,
    FIRST_STEP,
    SURPRISE,
    USUAL_WIDTH,
    WAIT,
    YOUNG_MISSES,
)
from pipelines.trackers.association.records import Detections, Pairs, Population, Settings, Tracks, Work

TRACK_FIELDS = len(Tracks.layout.fields)


@loop
def uncover_sighted(t: Tracks, count: int, d: Detections, p: Population, q: Pairs, w: Work) -> int:
    """`uncover` of each track that has a detection by its own prediction which lacks mass; of others nothing is hidden.
    Returns how many."""
    many = 0
    for i in range(count):
        q.hider[many], q.hides[many] = i, w.found[i]
        many += int(w.how[i] == PLAIN)
    some = int(lacking(t, d, p, q, many))
    uncover(t, d, p, q, some, w)
    return some


@loop
def sighted(t: Tracks, i: int, d: Detections, j: int, how: int, unknown: float, s: Settings, p: Population) -> int:
    """A track that has a detection for itself; `unknown` is the variance of a new track's velocity."""
    ratio, p00 = ratio_of(t, i, d.mass[j]), t.p00[i]
    if how == TURNED:
        restart(t, i, d, j)
        t.uneven[i] = d.uneven[j]
    elif how == PARTED:
        t.x[i], t.y[i], t.p00[i], t.p01[i], t.p11[i] = d.x[j], d.y[j], d.variance[j], 0.0, t.p11[i] + unknown
        t.mass[i], t.uneven[i] = d.mass[j], d.uneven[j]
    else:
        ex, ey = d.x[j] - t.x[i], d.y[j] - t.y[i]
        squares, variance, shift = ex * ex + ey * ey, p00 + d.variance[j], shift2(t, i, d, j)
        if d.hidden[j] > 0.0:
            t.doubt2[i], t.axis_x[i], t.axis_y[i] = d.doubt2[j], d.axis_x[j], d.axis_y[j]
            ex, ey = ex - d.off_x[j], ey - d.off_y[j]
            squares, shift = ex * ex + ey * ey, d.off2[j] + d.cut[j] + doubled2(t, i, ratio)
        shift = shift + lengthening(t, i, d, j, p)
        if is_whole(ratio):
            adapt(t, i, squares / variance)
        variance = variance + shift
        if squares > SURPRISE * variance:
            doubt(t, i, squares / variance)
            variance = t.p00[i] + d.variance[j] + shift
        share = t.p00[i] / variance
        correct(t, i, ex, ey, 1.0, variance)
        t.uneven[i] = share * share * d.uneven[j]
    t.score[i] = min(ratio, 1.0 / ratio)
    t.hits[i], t.missed[i], t.gap[i] = t.hits[i] + 1.0, 0.0, 0.0
    t.px[i], t.py[i] = d.x[j], d.y[j]
    follow_mass(t, i, d, j, ratio, s)
    return 0


@loop
def ended(t: Tracks, i: int, s: Settings, p: Population) -> int:
    """Whether a track without a detection ends: it was never believed, it is missed for too long, it could be anywhere,
    or it is far outside the picture."""
    if t.missed[i] > s.max_missed or (t.hits[i] < s.min_hits and t.missed[i] > YOUNG_MISSES * t.hits[i]):
        return 1
    if sqrt(t.p00[i]) > WAIT * p.spacing:
        return 1
    x, y, far = t.x[i], t.y[i], s.leave
    return not (x >= -far and y >= -far and x <= s.right + far and y <= s.bottom + far)


@loop
def first_variance(s: Settings, p: Population) -> float:
    """Variance of the velocity of a new track on each axis, px^2/frame^2: that of the tracks that are believed. The
    standard deviation is at most half of the fastest speed: that of all velocities up to it, each as likely."""
    usual = sqrt(p.speed2) if p.speed2 > 0.0 else FIRST_STEP * p.spacing
    speed = min(max(usual, FIRST_SPEED), 0.5 * s.speed)
    return float(speed * speed)


@loop
def born(t: Tracks, i: int, p: Population, d: Detections, j: int, variance: float) -> int:
    """A track's first row."""
    least = min(FIRST_SPEED * FIRST_SPEED, variance)
    t.track[i], t.hits[i], t.missed[i], t.gap[i] = float(p.next_track), 1.0, 0.0, 0.0
    t.x[i], t.y[i], t.vx[i], t.vy[i] = d.x[j], d.y[j], d.flow_x[j], d.flow_y[j]
    t.px[i], t.py[i] = d.x[j], d.y[j]
    t.p00[i], t.p01[i], t.p11[i], t.scale[i] = d.variance[j], 0.0, max(d.unforetold[j] * variance, least), 1.0
    t.mass[i], t.last_mass[i] = d.mass[j], d.mass[j]
    t.uneven[i], t.score[i] = d.uneven[j], 1.0
    t.merged[i], t.doubt2[i], t.twin[i] = 0.0, 0.0, 0.0
    t.host[i], t.parent[i], t.born_frame[i], t.born_time[i] = 0.0, d.parent[j], float(p.index), p.time
    t.born_x[i], t.born_y[i] = d.x[j], d.y[j]
    if p.moment > 0.0:
        t.width[i] = sqrt(p.moment)
    else:
        t.width[i] = d.width[j] if d.width[j] > 0.0 else USUAL_WIDTH
    return 0


@loop
def move(t: Tracks, columns: F64, here: int, there: int, size: int) -> int:
    """Copy rows of tracks to before where they are; `columns` is all of the block."""
    start, end = 0, TRACK_FIELDS * t.room
    while start < end:
        whole = size - size % 8
        for k in range(0, whole, 8):
            store(columns, start + there + k, load(columns, start + here + k))
        for k in range(whole, size):
            columns[start + there + k] = columns[start + here + k]
        start += t.room
    return 0
