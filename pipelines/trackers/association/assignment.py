"""Global nearest neighbour, and the second association of what it leaves."""

from __future__ import annotations

from kernels.loops.language import loop, sqrt
from pipelines.trackers.association.gating import FULL, price, room_around
from pipelines.trackers.association.grid import column_of, columns_of
from pipelines.trackers.association.masses import is_whole, ratio_of
from pipelines.trackers.association.matching import matched
from pipelines.trackers.association.model import ALIKE, FEWEST, FIRST_SPEED, REACH, START, TURN_MEMORY
from pipelines.trackers.association.records import Detections, Frame, Pairs, Population, Settings, Spot, Tracks, Work

PI = 3.141592653589793
UNSEEN, PLAIN, TURNED, PARTED, OWNER, GUEST, UNSURE_OWNER, UNSURE_GUEST, GONE = range(9)
"""By which rule a track has its detection: by none, by its own prediction, by the second association, by its own
prediction with a newcomer that came out of it, with another track, and as one of two in another's; the same two where
one of them turned and nothing tells which; or it is GONE, since another track goes on in its place."""
FAR = 1e6


@loop
def first_association(count: int, d: Detections, m: int, q: Pairs, w: Work) -> int:
    """Each track's detection by the cheapest assignment of all, where going without has its `price`. Returns how many
    go without: `w.unseen` lists them."""
    matched(count, m, q, price(), w)
    unseen = 0
    for i in range(count):
        j = w.choice[i]
        w.found[i], w.how[i], w.unseen[unseen] = j, PLAIN if j >= 0 else UNSEEN, i
        unseen += int(j < 0)
        if j >= 0:
            d.owner[j] = i
    return unseen


@loop
def near_place(t: Tracks, i: int, at_: Spot, f: Frame, s: Settings, q: Pairs, found: int) -> int:
    """Free detections within reach of a place that weigh between `least` and ALIKE times what the track does, behind
    `found` pairs."""
    d, g = f.seen, f.cells
    x, y, reach, across = at_.x, at_.y, at_.reach, f.across
    columns, rows = columns_of(s.right, across), columns_of(s.bottom, across)
    left, over = column_of(x - reach, across, columns), column_of(x + reach, across, columns)
    for row in range(column_of(y - reach, across, rows), column_of(y + reach, across, rows) + 1):
        for j in range(g.begin[row * columns + left], g.begin[row * columns + over + 1]):
            if d.owner[j] >= 0:
                continue
            ex, ey, ratio = d.x[j] - x, d.y[j] - y, ratio_of(t, i, d.mass[j])
            away = sqrt(ex * ex + ey * ey)
            if away < reach and ratio > at_.least and ratio < ALIKE:
                if found == q.room:
                    return FULL
                q.what[found], q.cost[found] = j, away / reach
                found += 1
    return found


@loop
def turning_reach(t: Tracks, i: int, s: Settings, p: Population) -> float:
    """How far from its last sighting a thing in the picture may be that turned or started, px: as far as it would have
    gone, and, just lost, as far as a newcomer is unlikely there."""
    speed = sqrt(t.vx[i] * t.vx[i] + t.vy[i] * t.vy[i])
    reach, fastest = max(REACH, speed * t.gap[i]), s.speed * max(t.gap[i], 1.0)
    if t.missed[i] == 0.0 and t.hits[i] >= s.min_hits and (t.mass[i] <= 0.0 or is_whole(t.last_mass[i] / t.mass[i])):
        reach = max(reach, unlikely_beyond(p.newcomers, s))
    return float(min(min(reach, fastest), room_around(p)))


@loop
def unlikely_beyond(newcomers: float, s: Settings) -> float:
    """How far from a place a newcomer is unlikely where so many are expected in a frame, px."""
    density = max(newcomers / ((s.right + 1.0) * (s.bottom + 1.0)), FEWEST)
    return float(sqrt(START / (PI * density)))


@loop
def second_association(t: Tracks, unseen: int, f: Frame, s: Settings, p: Population, q: Pairs, w: Work) -> int:
    """Who turned sharply: the rest of the tracks with the rest of the detections, around the last sighting and around
    the prediction; who left the picture, around where it would come back; and what was seen once, in the last frame,
    as far as none of this frame's newcomers is likely: it may be faster than all that is followed. Returns FULL, or how
    many it helped."""
    d = f.seen
    lost, found, helped, free = 0, 0, 0, 0
    for j in range(f.count if unseen > 0 else 0):
        free += int(d.owner[j] < 0)
    first_step = min(min(unlikely_beyond(max(p.newcomers, float(free)), s), s.speed), room_around(p))
    for k in range(unseen if free > 0 else 0):
        i = w.unseen[k]
        if t.hits[i] < 2.0:
            before = found
            w.lost[lost], w.first[lost] = i, found
            if t.missed[i] == 0.0:
                found = near_place(t, i, Spot(t.px[i], t.py[i], first_step, 1.0 / ALIKE), f, s, q, found)
            if found < 0:
                return FULL
            lost += 1 if found > before else 0
            continue
        out = t.x[i] < 0.0 or t.y[i] < 0.0 or t.x[i] > s.right or t.y[i] > s.bottom
        if t.missed[i] >= TURN_MEMORY and not out:
            continue
        before = found
        w.lost[lost], w.first[lost] = i, found
        x, y, reach, least = t.px[i], t.py[i], turning_reach(t, i, s, p), 1.0 / ALIKE
        if out:  # what comes back is seen in part at first
            least = 0.0
            x, y = min(max(t.x[i], 0.0), s.right), min(max(t.y[i], 0.0), s.bottom)
            reach = min(REACH + sqrt(s.gate * t.p00[i]), room_around(p))
        found = near_place(t, i, Spot(x, y, reach, least), f, s, q, found)
        if found >= 0 and not out:
            found = near_place(t, i, Spot(t.x[i], t.y[i], min(reach, REACH), least), f, s, q, found)
        if found < 0:
            return FULL
        lost += 1 if found > before else 0
    w.first[lost] = found
    if lost == 0:
        return 0
    matched(lost, f.count, q, FAR, w)
    for k in range(lost):
        i, j = w.lost[k], w.choice[k]
        if j >= 0:
            w.found[i], w.how[i], d.owner[j] = j, TURNED, i
            helped += 1
    return helped


@loop
def restart(t: Tracks, i: int, d: Detections, j: int) -> int:
    """After a turn: the filter from the last two sightings, by differencing (Bar-Shalom, Li, Kirubarajan 2001, 5.5.3);
    what turned may do so again, by as much as a new track's velocity is unknown."""
    gap, variance = t.gap[i], d.variance[j]
    t.vx[i], t.vy[i] = (d.x[j] - t.px[i]) / gap, (d.y[j] - t.py[i]) / gap
    t.x[i], t.y[i] = d.x[j], d.y[j]
    t.p00[i], t.p01[i] = variance, variance / gap
    t.p11[i] = 2.0 * variance / (gap * gap) + FIRST_SPEED * FIRST_SPEED
    return 0
