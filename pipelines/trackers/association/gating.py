"""The gate: which detections may be which track, and what each choice costs."""

from __future__ import annotations

from kernels.loops.language import clear_lowest_bit, ctz, load, loop, mask, sqrt, store, where
from kernels.loops.logarithm import log
from pipelines.trackers.association.grid import MARGIN, column_of, columns_of
from pipelines.trackers.association.hidden import lacking, uncover
from pipelines.trackers.association.masses import mass_cost, shift2
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
    # How far to look, for eight tracks at once and before any detection is known: the widest gate that one of the
    # frame's detections could have. Only what the cells within it hold is put to the test below, each with its own
    # variance.
    for i in range(0, count, 8):
        likely = sqrt(s.gate * (load(t.p00, i) + noise)) + 2.0 * HIDDEN_SHIFT * load(t.width, i)
        fastest = s.speed * where(load(t.gap, i) > 1.0, load(t.gap, i), 1.0)
        likely = where(fastest < likely, fastest, likely)
        store(w.near, i, where(likely > most, most, likely))
    for i in range(count):
        w.first[i] = found
        x, y, p00, bound = t.x[i], t.y[i], t.p00[i], w.near[i]
        # `column_of` clips to the grid, so a track far outside would be compared with all that lies in the cells at the
        # border.
        if x < -bound - MARGIN or y < -bound - MARGIN or x > s.right + bound + MARGIN or y > s.bottom + bound + MARGIN:
            continue
        left, over = column_of(x - bound, across, columns), column_of(x + bound, across, columns)
        within = bound * bound
        for row in range(column_of(y - bound, across, rows), column_of(y + bound, across, rows) + 1):
            start, stop = g.begin[row * columns + left], g.begin[row * columns + over + 1]
            if found + stop - start + 8 > q.room:
                return FULL
            while start < stop:  # eight at a time, of which those from `stop` on do not count: one round mostly
                dx, dy = load(d.x, start) - x, load(d.y, start) - y
                word = mask(dx * dx + dy * dy <= within) & ((1 << min(stop - start, 8)) - 1)
                while word != 0:  # seldom more than one
                    j = start + ctz(word)
                    word = clear_lowest_bit(word)
                    ex, ey, variance = d.x[j] - x, d.y[j] - y, p00 + d.variance[j] + shift2(t, i, d, j)
                    squares = ex * ex + ey * ey
                    if squares <= s.gate * variance:
                        q.what[found], q.squares[found], q.variance[found] = j, squares, variance
                        d.suitors[j] = d.suitors[j] + 1
                        found += 1
                start += 8
    w.first[count] = found
    return found


@loop
def priced(t: Tracks, count: int, d: Detections, p: Population, q: Pairs, w: Work) -> int:
    """The cost of every pair within the gate: minus the log likelihood of place and mass.

    The log determinant keeps an uncertain track from buying a certain one's detection. Where neither of a pair has
    another choice, all that matters is whether it costs less than `price`, for which log(x) <= x - 1 mostly tells.
    """
    most, contested = price(), 0
    for i in range(count):
        start, end = w.first[i], w.first[i + 1]
        for k in range(start, end):
            j, variance = q.what[k], TWO_PI * q.variance[k]
            apart = PI * q.squares[k] / variance
            if end - start == 1 and d.suitors[j] == 1 and apart + variance - 1.0 + MASS_CAP < most:
                q.cost[k] = 0.0
            else:
                q.cost[k] = apart + log(variance) + mass_cost(t, i, d.mass[j])
                q.hider[contested], q.hides[contested], q.pair[contested] = i, j, k
                contested += 1
    # Only pairs whose cost decides something are looked at for hidden parts: eleven exponentials each.
    many = lacking(t, d, p, q, contested)
    uncover(t, d, p, q, many, w)
    for k in range(many):
        i, j = q.hider[k], q.hides[k]
        q.cost[q.pair[k]] = q.likely[k] + log(q.likelier[k]) + mass_cost(t, i, d.mass[j])
        d.hidden[j] = 0.0  # whose it is is not known yet
    return 0
