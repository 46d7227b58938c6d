"""Who turned while nobody saw it: a track that is about to be believed goes on one that was lost before it began, if a
path that bends once leads from the one to the other.

It is looked for when the new track is about to be believed, since only then its direction is known, and since rows that
are not believed yet do not count: nobody sees an id that comes and goes. The residual is weighed along the narrow axis
of the newest sighting, along which an edge that it comes out of hides a part of it, apart from across it.
"""

from __future__ import annotations

from kernels.loops.language import clear_lowest_bit, ctz, load, loop, mask, sqrt
from pipelines.trackers.association.assignment import GONE, PLAIN, UNSEEN
from pipelines.trackers.association.masses import ratio_of
from pipelines.trackers.association.model import ALIKE, HIDDEN_SHIFT, TURN_GATE, TURN_SPREAD
from pipelines.trackers.association.records import Detections, Population, Settings, Tracks, Work


@loop
def bend(t: Tracks, o: int, i: int, d: Detections, j: int, age: float) -> float:
    """How unlikely it is that track i, which began `age` frames ago and is detection j now, is track o after a turn:
    the normalised square of what a path that bends once leaves, at the best time to turn."""
    gap = t.gap[o] - age
    vx, vy = (d.x[j] - t.born_x[i]) / age, (d.y[j] - t.born_y[i]) / age
    ax, ay = vx * gap - (t.born_x[i] - t.px[o]), vy * gap - (t.born_y[i] - t.py[o])
    bx, by = t.vx[o] - vx, t.vy[o] - vy
    turned = bx * bx + by * by
    when = -(ax * bx + ay * by) / turned if turned > 0.0 else 0.0
    when = min(max(when, 0.0), gap)
    rx, ry = ax + when * bx, ay + when * by
    after = (gap - when) / age
    spread = TURN_SPREAD * t.width[o]
    place = d.variance[j] + spread * spread
    variance = place * ((1.0 + after) * (1.0 + after) + after * after) + t.p11[o] * when * when
    # What of it was hidden in its first sighting, `mass` being the mean of the first two, and is now, as its mass says.
    first = max(1.0 - ratio_of(t, o, max(2.0 * t.mass[i] - t.last_mass[i], 0.01 * t.mass[i])), 0.0)
    now = max(1.0 - ratio_of(t, o, d.mass[j]), 0.0)
    hidden = HIDDEN_SHIFT * t.width[o] * (first + after * abs(first - now))
    rho, squares = sqrt(d.longer[j] * d.longer[j] + d.skew[j] * d.skew[j]), rx * rx + ry * ry
    along = 0.5 * squares
    if rho > 0.0:
        along = along - 0.5 * (d.longer[j] * (rx * rx - ry * ry) + d.skew[j] * 2.0 * rx * ry) / rho
    return float(along / (variance + hidden * hidden) + (squares - along) / variance)


@loop
def rejoin(t: Tracks, count: int, unseen: int, d: Detections, s: Settings, p: Population, w: Work) -> int:
    """Give what is about to be believed to the track that it goes on, in whose place it then is. Returns how many."""
    some = 0
    for first in range(0, count if s.min_hits >= 2.0 else 0, 8):
        word = mask(load(t.hits, first) == s.min_hits - 1.0) & ((1 << min(count - first, 8)) - 1)
        while word != 0:  # seldom
            i = first + ctz(word)
            word = clear_lowest_bit(word)
            if w.how[i] != PLAIN:
                continue
            age = (p.time - t.born_time[i]) * p.rate
            if not age > 0.5:
                continue
            j, best, least = w.found[i], -1, TURN_GATE
            for k in range(unseen):
                o = w.unseen[k]
                if w.found[o] >= 0 or w.how[o] != UNSEEN or t.hits[o] < s.min_hits or t.gap[o] < age + 0.5:
                    continue
                ratio = ratio_of(t, o, max(d.mass[j], t.mass[i]))
                if ratio > ALIKE:
                    continue
                cost = bend(t, o, i, d, j, age)
                if cost < least:
                    best, least = o, cost
            if best >= 0:
                o = best
                t.x[o], t.y[o], t.vx[o], t.vy[o] = t.x[i], t.y[i], t.vx[i], t.vy[i]
                t.p00[o], t.p01[o], t.p11[o] = t.p00[i], t.p01[i], t.p11[i]
                w.found[o], w.how[o], w.how[i], w.found[i], d.owner[j] = j, PLAIN, GONE, -1, o
                some += 1
    return some
