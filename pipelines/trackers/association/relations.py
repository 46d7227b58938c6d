"""Which tracks merge and split: a merger is two tracks in one detection, a split a track that comes out of another.

A split is told of a track that has a detection of its own again after a merger, and of a newcomer that is believed and
began beside a track which lost as much mass as it brought (a cell that divides, a drop that breaks): that one is its
parent (Blackman, Popoli 1999, 6.7 on spawned tracks; the parents of the Cell Tracking Challenge).
"""

from __future__ import annotations

from kernels.loops.language import loop
from pipelines.trackers.association.assignment import PARTED, PLAIN
from pipelines.trackers.association.grid import column_of, columns_of
from pipelines.trackers.association.model import MASS_WANDER, TOGETHER
from pipelines.trackers.association.records import Cells, Detections, Population, Relations, Settings, Tracks, Work

MERGE, SPLIT = 1.0, 2.0


@loop
def relate(p: Population, r: Relations, kind: float, frame: float, time: float, track: float, other: float,
           x: float, y: float) -> int:  # fmt: skip
    """Write one down."""
    k = p.relations
    r.kind[k], r.frame[k], r.time[k], r.track[k], r.other[k], r.x[k], r.y[k] = kind, frame, time, track, other, x, y
    p.relations = k + 1
    return 0


@loop
def merges(t: Tracks, i: int, o: int, d: Detections, j: int, p: Population, r: Relations) -> int:
    """Track i shares the detection j of track o; told when it begins, whichever of both has it later."""
    if t.host[o] == t.track[i] + 1.0:
        t.host[o] = 0.0
    elif t.host[i] != t.track[o] + 1.0:
        relate(p, r, MERGE, float(p.index), p.time, t.track[i], t.track[o], d.x[j], d.y[j])
    t.host[i] = t.track[o] + 1.0
    return 0


@loop
def splits(t: Tracks, i: int, s: Settings, p: Population, r: Relations) -> int:
    """Track i was just seen by itself: it comes out of a merger, or is believed from now on and has a parent."""
    if t.host[i] > 0.0:
        relate(p, r, SPLIT, float(p.index), p.time, t.track[i], t.host[i] - 1.0, t.x[i], t.y[i])
        t.host[i] = 0.0
    if t.parent[i] > 0.0 and t.hits[i] >= s.min_hits:
        relate(p, r, SPLIT, t.born_frame[i], t.born_time[i], t.track[i], t.parent[i] - 1.0, t.born_x[i], t.born_y[i])
        t.parent[i] = 0.0
    return 0


@loop
def find_parents(t: Tracks, d: Detections, m: int, across: float, g: Cells, s: Settings, w: Work) -> int:
    """Of each detection that no track has: the track beside it whose own detection and this one weigh together what it
    weighed, rather than its own alone. The track is PARTED: what was followed until now was the middle of both;
    `d.parent` is its id + 1 if it is believed, else 0."""
    columns, rows = columns_of(s.right, across), columns_of(s.bottom, across)
    for j in range(m):
        d.parent[j] = 0.0
        if d.owner[j] >= 0 or d.mass[j] <= 0.0 or d.width[j] <= 0.0:
            continue
        x, y, nearest, best = d.x[j], d.y[j], 1e300, -1
        reach = 2.0 * TOGETHER * d.width[j]  # a part is half as wide as the whole, at least
        left, over = column_of(x - reach, across, columns), column_of(x + reach, across, columns)
        for row in range(column_of(y - reach, across, rows), column_of(y + reach, across, rows) + 1):
            for k in range(g.begin[row * columns + left], g.begin[row * columns + over + 1]):
                i = d.owner[k]
                if i >= 0:
                    ex, ey, both = d.x[k] - x, d.y[k] - y, d.mass[k] + d.mass[j]
                    away, within = ex * ex + ey * ey, TOGETHER * t.width[i]
                    if away < nearest and away < within * within and w.how[i] == PLAIN and w.found[i] == k and (
                        d.mass[k] < (1.0 - MASS_WANDER) * t.mass[i]
                    ) and both > (1.0 - MASS_WANDER) * t.mass[i] and both * (1.0 - MASS_WANDER) < t.mass[i]:
                        nearest, best = away, i
        if best >= 0:
            w.how[best], d.parent[j] = PARTED, t.track[best] + 1.0 if t.hits[best] >= s.min_hits else 0.0
    return 0
