"""The gate: which detections may be which track, and what each choice costs."""

from __future__ import annotations

from kernels.loops.language import compress, load, loop, mask, popcount, sqrt
from kernels.loops.logarithm import log
from pipelines.trackers.association.grid import MARGIN, column_of, columns_of
from pipelines.trackers.association.hidden import lacks_mass, uncover
from pipelines.trackers.association.masses import mass_cost, ratio_of, shift2
from pipelines.trackers.association.model import HIDDEN_SHIFT, MASS_CAP, NEW_DENSITY, REACH
from pipelines.trackers.association.records import Detections, Frame, Pairs, Population, Settings, Tracks, Work

PI, TWO_PI = 3.141592653589793, 6.283185307179586
FULL = -1


@loop
def room_around(p: Population) -> float:
    """Farthest candidate of this frame, px."""
    return max(p.spacing, REACH)


@loop
def price() -> float:
    """The cost of a track without a detection: minus the log likelihood that its place is taken by something new."""
    return float(-log(NEW_DENSITY))


@loop
def gated(t: Tracks, count: int, f: Frame, s: Settings, p: Population, q: Pairs, w: Work) -> int:
    """The pairs within the chi-square gate, and the variance of their innovation: the prediction's, the
    detection's, and what mass and shape say (`masses.py`).

    Returns:
        How many; those of track i are w.first[i] .. w.first[i + 1]. FULL where there is no room for them.
    """
    d, g = f.seen, f.cells
    across, most, found, noise = f.across, room_around(p), 0, 0.0
    columns, rows = columns_of(s.right, across), columns_of(s.bottom, across)
    for j in range(f.count):
        noise = max(noise, d.variance[j])
    for i in range(count):
        w.first[i] = found
        x, y, p00 = t.x[i], t.y[i], t.p00[i]
        likely = sqrt(s.gate * (p00 + noise)) + 2.0 * HIDDEN_SHIFT * t.width[i]
        bound = min(min(likely, s.speed * max(t.gap[i], 1.0)), most)
        if x < -bound - MARGIN or y < -bound - MARGIN or x > s.right + bound + MARGIN or y > s.bottom + bound + MARGIN:
            continue
        left, over = column_of(x - bound, across, columns), column_of(x + bound, across, columns)
        within, end = bound * bound, found
        for row in range(column_of(y - bound, across, rows), column_of(y + bound, across, rows) + 1):
            start, stop = g.begin[row * columns + left], g.begin[row * columns + over + 1]
            if end + stop - start + 8 > q.room:
                return FULL
            while True:  # eight at a time, of which those from `stop` on do not count: one round mostly
                dx, dy = load(d.x, start) - x, load(d.y, start) - y
                word = mask(dx * dx + dy * dy <= within) & ((1 << min(stop - start, 8)) - 1)
                compress(q.what, end, d.own, start, word)
                end += popcount(word)
                start += 8
                if start >= stop:
                    break
        for k in range(found, end):
            j = q.what[k]
            ex, ey, variance = d.x[j] - x, d.y[j] - y, p00 + d.variance[j] + shift2(t, i, d, j)
            squares = ex * ex + ey * ey
            if squares <= s.gate * variance:
                q.what[found], q.squares[found], q.variance[found] = j, squares, variance
                d.suitors[j] = d.suitors[j] + 1
                found += 1
    w.first[count] = found
    return found


@loop
def priced(t: Tracks, count: int, d: Detections, p: Population, q: Pairs, w: Work) -> int:
    """The cost of every pair within the gate: minus the log likelihood of place and mass.

    The log determinant keeps an uncertain track from buying a certain one's detection. Where neither of a pair has
    another choice, all that matters is whether it costs less than `price`, for which log(x) <= x - 1 mostly tells.
    """
    most = price()
    for i in range(count):
        start, end = w.first[i], w.first[i + 1]
        for k in range(start, end):
            j, variance = q.what[k], TWO_PI * q.variance[k]
            apart = PI * q.squares[k] / variance
            if end - start == 1 and d.suitors[j] == 1 and apart + variance - 1.0 + MASS_CAP < most:
                q.cost[k] = 0.0
            else:
                place = apart + log(variance)
                ratio = ratio_of(t, i, d.mass[j])
                if lacks_mass(t, i, d, j, ratio, p):
                    place = uncover(t, i, d, j, ratio, p, w)
                q.cost[k] = place + mass_cost(t, i, d.mass[j])
    return 0
