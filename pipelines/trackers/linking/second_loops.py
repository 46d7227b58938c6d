"""Mergers and turns of the blob tracker as loops: `mergers` and `stages.second_stage`."""

from __future__ import annotations

from kernels.host.logarithm import log
from kernels.host.loops import F64, I32, I64, at, eight, loop, put, sqrt
from pipelines.trackers.linking.columns import FLICKER, GAP, HITS, MASS, MISSED, OVAL, P00, PX, PY, X, Y
from pipelines.trackers.linking.link_loops import (
    AREA,
    BOTTOM,
    CHANGE,
    DX,
    DY,
    FULL,
    GATE,
    LIGHT,
    MASS_CAP,
    MIN_HITS,
    NOISE,
    OVALITY,
    RIGHT,
    SPEED,
    SPREAD,
    TURN_MEMORY,
    XX,
    XY,
    YY,
    alike,
    inside_loop,
    mass_cost,
)  # fmt: skip
from pipelines.trackers.linking.matching import FAR, matched
from pipelines.trackers.linking.pair_loops import SLACK, side_loop
from pipelines.trackers.linking.unseen_loops import reach_loop

BLUR = 0.15**2  # variance of a merger's place for two things that are 1 px apart
MERGED_MASS = 1.4  # a detection this much heavier than its track may hold two of them
BACK = 0.5  # of how far a thing that left the picture may have gone: by how much it may miss where it comes back
UNKNOWN = 0.25  # standard deviation of the places in a merger whose shape says nothing, in units of their distance
LONGER = 3.0  # how much longer than what it holds a merger must be, so that its shape says where they are
ROUGH = 0.06  # standard deviation of the distance that a shape tells, in units of its square, 1/px: thresholds cut both
HEAVIER = 3.0  # by how many of its usual changes of mass a thing must be lighter than what it shares with another
HEAVIEST = 0.3  # and by which share of that at most: two that weigh the same make half of it each
NEAREST = 4  # tracks of which two may share a detection that nobody has


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
def merger_distance(f: F64, room: int, d: F64, wide: int, j: int, a: int, b: int) -> float:
    """`mergers._distance`."""
    ma, mb, mass = f[MASS * room + a], f[MASS * room + b], d[LIGHT * wide + j]
    if abs(log(mass / (ma + mb))) > min(abs(log(mass / ma)), abs(log(mass / mb))):
        return FAR
    # The usual change of a mass is no second thing.
    usual_a, usual_b = HEAVIER * f[FLICKER * room + a], HEAVIER * f[FLICKER * room + b]
    if mass - ma <= min(usual_a, HEAVIEST) * mass or mass - mb <= min(usual_b, HEAVIEST) * mass:
        return FAR
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    xa, xb, ya, yb = f[X * room + a], f[X * room + b], f[Y * room + a], f[Y * room + b]
    dx, dy = d[DX * wide + j] - wa * xa - wb * xb, d[DY * wide + j] - wa * ya - wb * yb
    across, high = xa - xb, ya - yb
    blur = BLUR * (across * across + high * high)
    spread = wa * wa * f[P00 * room + a] + wb * wb * f[P00 * room + b] + d[NOISE * wide + j] + blur
    return float((dx * dx + dy * dy) / spread)


@loop
def merged_loop(f: F64, room: int, d: F64, wide: int, j: int, a: int, b: int, blurs: F64, shift_x: F64,
                shift_y: F64) -> int:  # fmt: skip
    """`mergers._between` of tracks a and b, and what follows from it."""
    ex, ey = f[X * room + a] - f[X * room + b], f[Y * room + a] - f[Y * room + b]
    away = sqrt(ex * ex + ey * ey)
    ma, mb = f[MASS * room + a], f[MASS * room + b]
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    both = wa * wb
    xx, yy, q = d[XX * wide + j], d[YY * wide + j], d[XY * wide + j]
    p, size, oval = 0.5 * (xx - yy), xx + yy, d[OVALITY * wide + j]
    of_a, of_b = f[OVAL * room + a], f[OVAL * room + b]
    own = wa * of_a + wb * of_b
    blur = UNKNOWN * away
    if of_a > 0.0 and of_b > 0.0 and size > 0.0 and size - size == 0.0 and oval - oval == 0.0:
        if oval > LONGER * own:
            most = sqrt(2.0 * oval / both)
            ux, uy = sqrt(max(0.5 + 0.5 * (p / oval), 0.0)), sqrt(max(0.5 - 0.5 * (p / oval), 0.0))
            uy = -uy if q < 0.0 else uy
            most = -most if ex * ux + ey * uy < 0.0 else most
            ex, ey = most * ux, most * uy
            vague, rough = own / (both * most), ROUGH * most * most
            blur = 0.5 * sqrt(vague * vague + rough * rough)
        else:
            most = sqrt(2.0 * (oval + own) / both)
            scale = most / away if away > most else 1.0
            ex, ey, blur = scale * ex, scale * ey, UNKNOWN * (scale * away)
    blurs[a], blurs[b] = max(2.0 * wb * blur, 1e-9), max(2.0 * wa * blur, 1e-9)
    shift_x[a], shift_y[a] = wb * ex, wb * ey
    shift_x[b], shift_y[b] = (wb - 1.0) * ex, (wb - 1.0) * ey
    return 0


@loop
def missing_loop(count: int, m: int, choice: I64, taken: I64, missing: I64) -> int:
    """Which detections are taken, and which tracks go without; returns how many these are."""
    some = 0
    for j in range(m):
        taken[j] = 0
    for i in range(count):
        missing[some] = i
        some += choice[i] < 0
        if choice[i] >= 0:
            taken[choice[i]] = 1
    return some


@loop
def mergers_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, cells: I64, most_cells: int,
                 inside: I64, missing: I64, some: int, taken: I64, most: int, who: I64, what: I64, key: F64,
                 choice: I64, marks: I64, blurs: F64, shift_x: F64, shift_y: F64) -> int:  # fmt: skip
    """`mergers`; FULL where there is no room for the pairs. `marks`: two lists of `wide`; `who` has twice `most`.

    `cells` and `inside` are those of `grid`; `missing` lists `some` tracks that go without, and may do afterwards.
    """
    for i in range(0, count, 8):
        put(blurs, i, eight(0.0))
        put(shift_x, i, eight(0.0))
        put(shift_y, i, eight(0.0))
    dy, found = at(d, DY * wide), 0
    side = side_loop(p, m, most_cells)
    across, down = 2.0 / side, 0.5 / side
    columns, rows = int((p[RIGHT] + 2.0) / (0.5 * side)) + 1, int((p[BOTTOM] + 2.0) / (2.0 * side)) + 1
    for s in range(some):
        i = missing[s]
        mass = f[MASS * room + i]
        x, y = f[X * room + i], f[Y * room + i]
        if float(n[HITS * room + i]) >= p[MIN_HITS] and mass > 0.0 and inside_loop(x, y, 0.5, p):
            radius = p[SPEED] * max(f[GAP * room + i], 1.0)
            wider = radius * SLACK + SLACK
            left, right = max((x - wider + 1.0) * across, 0.0), min((x + wider + 1.0) * across, float(columns - 1))
            top, bottom = max((y - wider + 1.0) * down, 0.0), min((y + wider + 1.0) * down, float(rows - 1))
            low, high = y - radius, y + radius
            for row in range(int(top), int(bottom) + 1):
                for k in range(cells[row * columns + int(left)], cells[row * columns + int(right) + 1]):
                    j = inside[k]
                    if d[LIGHT * wide + j] > MERGED_MASS * mass:
                        ex, ey = d[DX * wide + j] - x, dy[j] - y
                        if ex * ex + ey * ey <= radius * radius and dy[j] >= low and dy[j] <= high:
                            if found == most:
                                return FULL
                            who[found], what[found] = i, j
                            found += 1
    if found == 0:
        return 0
    owner, start = at(marks, 0), at(marks, wide)
    members = at(who, most)
    for j in range(m):
        owner[j], start[j] = -1, 0
    start[m] = 0
    for i in range(count):
        if choice[i] >= 0 and float(n[HITS * room + i]) >= p[MIN_HITS] and f[MASS * room + i] > 0.0:
            owner[choice[i]] = i
    for k in range(found):
        start[what[k]] = start[what[k]] + 1
    for j in range(m):
        start[j + 1] = start[j + 1] + start[j]
    for k in range(found):  # the last first, so that start[j] becomes where those of j begin
        i = found - 1 - k
        j = what[i]
        start[j] = start[j] - 1
        members[start[j]] = who[i]
    for j in range(m):
        begin, end = start[j], start[j + 1]
        if begin == end or (taken[j] and owner[j] < 0):
            continue
        several = begin  # those that have no partner yet, by their distance
        for k in range(begin, end):
            i = members[k]
            if blurs[i] == 0.0:
                ex, ey = f[X * room + i] - d[DX * wide + j], f[Y * room + i] - dy[j]
                away, place = sqrt(ex * ex + ey * ey), several
                while place > begin and (key[place - 1] > away):
                    key[place], members[place] = key[place - 1], members[place - 1]
                    place -= 1
                key[place], members[place] = away, i
                several += 1
        best, best_a, best_b = FAR, 0, 0
        if not taken[j]:
            last = min(several, begin + NEAREST)
            for s in range(begin, last):
                for t in range(s + 1, last):
                    a, b = members[s], members[t]
                    fit = merger_distance(f, room, d, wide, j, a, b)
                    if fit < best or (fit == best and (a < best_a or (a == best_a and b < best_b))):
                        best, best_a, best_b = fit, a, b
        else:
            for s in range(begin, several):
                a, b = owner[j], members[s]
                fit = merger_distance(f, room, d, wide, j, a, b)
                if fit < best or (fit == best and b < best_b):
                    best, best_a, best_b = fit, a, b
        if best > p[GATE]:
            continue
        a, b = best_a, best_b
        choice[a], choice[b], taken[j] = j, -2 - j, 1
        merged_loop(f, room, d, wide, j, a, b, blurs, shift_x, shift_y)
    return 0


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
               lost: I64, turned: I64, marks: I64, u: F64, v: F64, near: F64, ys: F64) -> int:  # fmt: skip
    """`second_stage`; FULL where NumPy has to do it. `marks`: four lists of `wide`; `lost` has twice `room`, `ys` room
    for an entry a detection. `missing` lists `several` tracks, `spare` the detections that are free."""
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
    for k in range(free):
        ys[k] = d[DY * wide + spare[k]]
    found = 0
    for s in range(some):
        i = lost[s]
        first[s] = found
        x, y, mass = f[X * room + i], f[Y * room + i], f[MASS * room + i]
        back = 1.0
        if inside_loop(x, y, 0.5, p):
            x, y = f[PX * room + i], f[PY * room + i]
        else:
            back = BACK
            x, y = min(max(x, 0.0), p[RIGHT]), min(max(y, 0.0), p[BOTTOM])
        # Nothing is faster than this; most that are lost have nothing so near, and their steps need not be looked at.
        most_far, radius = back * (p[SPEED] * max(f[GAP * room + i], 1.0)), -1.0
        for k in range(first_from(ys, free, y - most_far), free):
            if ys[k] > y + most_far:
                break
            j = spare[k]
            ex, ey = d[DX * wide + j] - x, ys[k] - y
            squares = ex * ex + ey * ey
            if squares <= most_far * most_far:
                if radius < 0.0:
                    radius = back * reach_loop(f, n, room, i, p[CHANGE], p[SPEED])
                if squares <= radius * radius and ys[k] >= y - radius and ys[k] <= y + radius and alike(
                    mass, d[LIGHT * wide + j], d[AREA * wide + j], sqrt(squares), p[SPREAD]
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
