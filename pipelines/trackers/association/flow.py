"""What begins moves as what is near does: the velocity of a new track, foretold by the nearest believed one.

The best linear prediction of a velocity from that of the nearest thing, v' = rho v, leaves 1 - rho^2 of its variance
(kriging by one neighbour: Cressie, Statistics for Spatial Data, 1993). rho is the correlation of the velocities of
neighbours, learnt on the tracks that are believed; of things that go each its own way it is 0, and nothing is foretold.
"""

from __future__ import annotations

from kernels.loops.language import clear_lowest_bit, ctz, load, loop, mask
from pipelines.trackers.association.assignment import PLAIN
from pipelines.trackers.association.grid import column_of, columns_of
from pipelines.trackers.association.model import NEAR, RATE
from pipelines.trackers.association.records import Cells, Detections, Population, Settings, Tracks, Work


@loop
def beside(t: Tracks, d: Detections, j: int, reach: float, across: float, g: Cells, s: Settings, w: Work) -> int:
    """The believed track whose detection, seen where it was expected, is the nearest to another; -1 if there is none
    within `reach` px."""
    columns, rows, x, y = columns_of(s.right, across), columns_of(s.bottom, across), d.x[j], d.y[j]
    best, nearest = -1, reach * reach
    left, over = column_of(x - reach, across, columns), column_of(x + reach, across, columns)
    for row in range(column_of(y - reach, across, rows), column_of(y + reach, across, rows) + 1):
        for k in range(g.begin[row * columns + left], g.begin[row * columns + over + 1]):
            i, ex, ey = d.owner[k], d.x[k] - x, d.y[k] - y
            if i >= 0 and k != j and ex * ex + ey * ey < nearest and w.how[i] == PLAIN and t.hits[i] >= s.min_hits:
                best, nearest = i, ex * ex + ey * ey
    return best


@loop
def learn_flow(t: Tracks, count: int, d: Detections, across: float, g: Cells, s: Settings, p: Population,
               w: Work) -> int:  # fmt: skip
    """Of each track that was just believed: how alike its velocity and that of the nearest are. Returns how many."""
    met = 0
    for first in range(0, count if s.min_hits >= 2.0 else 0, 8):
        word = mask(load(t.hits, first) == s.min_hits) & ((1 << min(count - first, 8)) - 1)
        while word != 0:  # seldom
            i = first + ctz(word)
            word = clear_lowest_bit(word)
            if w.how[i] != PLAIN:
                continue
            o = beside(t, d, w.found[i], NEAR * p.spacing, across, g, s, w)
            if o >= 0:
                p.neighbours += 1.0
                rate = max(RATE, 1.0 / p.neighbours)
                shared = t.vx[i] * t.vx[o] + t.vy[i] * t.vy[o]
                own, other = t.vx[i] * t.vx[i] + t.vy[i] * t.vy[i], t.vx[o] * t.vx[o] + t.vy[o] * t.vy[o]
                p.shared2 = p.shared2 + rate * (shared - p.shared2)
                p.moving2 = p.moving2 + rate * (0.5 * (own + other) - p.moving2)
                met += 1
    return met


@loop
def foretell(t: Tracks, d: Detections, m: int, across: float, g: Cells, s: Settings, p: Population, w: Work) -> int:
    """The velocity with which each detection that no track has begins, and the share of its variance that is left."""
    rho = min(max(p.shared2 / p.moving2, 0.0), 1.0) if p.moving2 > 0.0 else 0.0
    for j in range(m):
        d.flow_x[j], d.flow_y[j], d.unforetold[j] = 0.0, 0.0, 1.0
        if d.owner[j] < 0 and rho > 0.0:
            i = beside(t, d, j, NEAR * p.spacing, across, g, s, w)
            if i >= 0:
                d.flow_x[j], d.flow_y[j], d.unforetold[j] = rho * t.vx[i], rho * t.vy[i], 1.0 - rho * rho
    return 0
