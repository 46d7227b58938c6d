"""Who goes without, and turns, as loops: `stages.second_stage`."""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, at, eight, higher, loop, lowest, mask, put, sqrt, vec
from pipelines.trackers.linking.columns import GAP, HITS, MASS, MISSED, PX, PY, X, Y
from pipelines.trackers.linking.link_loops import (
    AREA,
    BOTTOM,
    CHANGE,
    DX,
    DY,
    FULL,
    LIGHT,
    MASS_CAP,
    MIN_HITS,
    RIGHT,
    SPEED,
    SPREAD,
    TURN_MEMORY,
    alike,
    inside_loop,
    mass_cost,
)  # fmt: skip
from pipelines.trackers.linking.matching import FAR, matched
from pipelines.trackers.linking.newcomers import AWAY, SCALES
from pipelines.trackers.linking.unseen_loops import reach_loop

FEW = 64  # detections that are looked at without a search for the first one
BACK = 0.5  # of how far a thing that left the picture may have gone: by how much it may miss where it comes back


@loop
def first_from(dy: F64, m: int, least: float) -> int:
    """The first of rising values that is not below `least`."""
    low, high = 0, m
    while low < high:
        middle = (low + high) // 2
        if dy[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


@loop
def missing_loop(count: int, m: int, choice: I64, taken: I64, missing: I64) -> int:
    """Which detections are taken, and which tracks go without; returns how many these are."""
    some = 0
    for j in range(m):
        taken[j] = 0
    for i in range(count):  # without a branch, as who goes without is a surprise; there is an entry behind the last
        j = choice[i]
        missing[some] = i
        some += j < 0
        taken[j if j >= 0 else m] = 1
    return some


@loop
def spare_loop(m: int, taken: I64, spare: I64) -> int:
    """The detections that nobody has; returns how many they are."""
    free = 0
    for j in range(m):
        spare[free] = j
        free += 1 - taken[j]
    return free


@loop
def turns_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, missing: I64, several: int,
               taken: I64, spare: I64, free: int, most: int, first: I64, what: I64, cost: F64, choice: I64, blurs: F64,
               lost: I64, turned: I64, marks: I64, u: F64, v: F64, near: F64, strange: float,
               z: F64) -> int:  # fmt: skip
    """`second_stage`; FULL where NumPy has to do it. `marks`: four lists of `wide`; `lost` has twice `room`, `z` room
    for two lists of wide + 8 and 17 more. `missing` lists `several` tracks, `spare` the detections that are free."""
    for i in range(0, count, 8):
        put(turned, i, eight(0.0))  # whose bits are those of the whole number
    if free == 0:
        return 0
    some = 0
    for s in range(several):
        i = missing[s]
        if choice[i] < 0 and blurs[i] == 0.0 and float(n[HITS * room + i]) >= p[MIN_HITS] and (
            float(n[MISSED * room + i]) < p[TURN_MEMORY] or not inside_loop(f[X * room + i], f[Y * room + i], 0.5, p)
        ):
            lost[some] = i
            some += 1
    if some == 0:
        return 0
    xs, ys, near_by = at(z, 0), at(z, wide + 8), 0.0
    if strange > 0.0:
        near_by = 1.0 / sqrt(SCALES * (strange * AWAY))
    for k in range(free):
        xs[k], ys[k] = d[DX * wide + spare[k]], d[DY * wide + spare[k]]
    put(ys, free, eight(FAR))
    found = 0
    for s in range(some):
        i = lost[s]
        first[s] = found
        x, y, mass = f[X * room + i], f[Y * room + i], f[MASS * room + i]
        back, still = 1.0, n[MISSED * room + i] == 0
        if inside_loop(x, y, 0.5, p):
            x, y = f[PX * room + i], f[PY * room + i]
        else:
            back, still = BACK, False
            x, y = min(max(x, 0.0), p[RIGHT]), min(max(y, 0.0), p[BOTTOM])
        # Nothing is faster than this; most that are lost have nothing so near, and their steps need not be looked at.
        most_far, radius, begin = back * (p[SPEED] * max(f[GAP * room + i], 1.0)), -1.0, 0
        nearest, bottom = most_far * most_far, y + most_far
        if still and strange * AWAY * (most_far * most_far) < 1.0:
            radius = most_far
        if free > FEW:
            begin = first_from(ys, free, y - most_far)
        for k in range(begin, free, 8):
            if ys[k] > bottom:
                break
            wx, wy = vec(xs, k) - x, vec(ys, k) - y
            word = mask(wx * wx + wy * wy <= nearest)
            while word != 0:
                here = k + lowest(word)
                word = higher(word)
                j, ex, ey = spare[here], xs[here] - x, ys[here] - y
                squares = ex * ex + ey * ey
                if radius < 0.0:
                    radius = back * reach_loop(f, n, room, i, p[CHANGE], p[SPEED], at(z, 2 * wide + 16))
                    if still:
                        radius = max(radius, min(near_by, most_far))
                if squares <= radius * radius and ys[here] >= y - radius and ys[here] <= y + radius and alike(
                    mass, d[LIGHT * wide + j], d[AREA * wide + j], sqrt(squares), p
                ):
                    if found == most:
                        return FULL
                    what[found] = j
                    cost[found] = squares / (radius * radius) + mass_cost(mass, d[LIGHT * wide + j], p[SPREAD])
                    found += 1
    if found == 0:
        return 0
    first[some] = found
    picked = at(lost, room)
    if matched(some, m, first, what, cost, 1.0 + MASS_CAP, picked, marks, u, v, near, at(marks, wide),
               at(marks, 2 * wide), at(marks, 3 * wide)) < 0:  # fmt: skip
        return FULL
    for s in range(some):
        if picked[s] >= 0:
            choice[lost[s]], turned[lost[s]], taken[picked[s]] = picked[s], 1, 1
    return 0
