"""Detections that hold two tracks, as loops: `mergers`."""

from __future__ import annotations

from kernels.host.logarithm import log
from kernels.host.loops import F64, I32, I64, at, eight, loop, put, sqrt
from pipelines.trackers.linking.columns import FLICKER, GAP, HITS, MASS, MISSED, OVAL, P00, X, Y
from pipelines.trackers.linking.link_loops import (
    AREA,
    DRAWN,
    DX,
    DY,
    FULL,
    GATE,
    LIGHT,
    MASS_CAP,
    MIN_HITS,
    NOISE,
    OVALITY,
    SPEED,
    SPREAD,
    XX,
    XY,
    YY,
    inside_loop,
)  # fmt: skip
from pipelines.trackers.linking.matching import FAR
from pipelines.trackers.linking.second_loops import first_from

BLUR = 0.15**2  # variance of a merger's place for two things that are 1 px apart
MERGED_MASS = 1.4  # a detection this much heavier than its track may hold two of them
UNKNOWN = 0.25  # standard deviation of the places in a merger whose shape says nothing, in units of their distance
LONGER = 3.0  # how much longer than what it holds a merger must be, so that its shape says where they are
ROUGH = 0.02  # standard deviation of the distance that a shape tells, in units of its square, 1/px: thresholds cut both
THIN = 0.25  # px^2; the least variance across that a merger's shape is taken to have
TURNS = 3  # of Newton's search for where a merger is centred
STEEP = 0.25  # and the least slope that it believes
OFF = 0.3  # of how far a centre is drawn to the heavier of two: by how much that may be wrong
SHARES = 0.04  # standard deviation of the difference of two things' shares of their mass
HEAVIER = 3.0  # by how many of its usual changes of mass a thing must be lighter than what it shares with another
HEAVIEST = 0.3  # and by which share of that at most: two that weigh the same make half of it each
NEAREST = 4  # tracks of which two may share a detection that nobody has
PI = 3.141592653589793
WIDE = 1e6  # px^2; no detection is larger that says how far apart two in it may be
SMALL = 4.0  # px^2; the squared distance that two in one detection may be apart where its area is unknown
NOISY = 1.0  # of the variance of its own place: by what that of its place in a merger is larger than the filter's
LOOSE = 0.2  # and of that of its last velocity, for each frame in which it is not seen alone
UNSEEN = 7.0  # -2 ln of how often a thing in sight goes unseen: in 3 % of the frames
GONE = 0.2  # and of how often one that was out of sight stays so: 9 frames of 10


@loop
def fit_loop(ratio: float, spread: float) -> float:
    """`stages.mass_cost` of the logarithm of a ratio."""
    return float(min((ratio / spread) * (ratio / spread), MASS_CAP))


@loop
def alone_loop(f: F64, n: I32, room: int, d: F64, wide: int, j: int, i: int, other: int, fit: float, both: float,
               density: float, p: F64) -> int:  # fmt: skip
    """`mergers._less`."""
    ex, ey = d[DX * wide + j] - f[X * room + i], d[DY * wide + j] - f[Y * room + i]
    total = f[P00 * room + i] + d[NOISE * wide + j]
    unseen = UNSEEN if n[MISSED * room + other] == 0 else GONE
    alone = min((ex * ex + ey * ey) / total, p[GATE]) + fit + unseen
    return int(both + 2.0 * log(density / total) >= alone)


@loop
def merger_distance(f: F64, n: I32, room: int, d: F64, wide: int, j: int, a: int, b: int, p: F64) -> float:
    """`mergers._distance`."""
    ma, mb, mass = f[MASS * room + a], f[MASS * room + b], d[LIGHT * wide + j]
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    xa, xb, ya, yb = f[X * room + a], f[X * room + b], f[Y * room + a], f[Y * room + b]
    dx, dy = d[DX * wide + j] - wa * xa - wb * xb, d[DY * wide + j] - wa * ya - wb * yb
    across, high = xa - xb, ya - yb
    blur = BLUR * (across * across + high * high)
    spread = wa * wa * f[P00 * room + a] + wb * wb * f[P00 * room + b] + d[NOISE * wide + j] + blur
    distance = (dx * dx + dy * dy) / spread
    if distance > p[GATE]:  # first, as that is most of them
        return FAR
    # The usual change of a mass is no second thing.
    usual_a, usual_b = HEAVIER * f[FLICKER * room + a], HEAVIER * f[FLICKER * room + b]
    if mass - ma <= min(usual_a, HEAVIEST) * mass or mass - mb <= min(usual_b, HEAVIEST) * mass:
        return FAR
    like_both, like_a, like_b = log(mass / (ma + mb)), log(mass / ma), log(mass / mb)
    if abs(like_both) > min(abs(like_a), abs(like_b)):
        return FAR
    # Both, against one of them.
    pa, pb, area = f[P00 * room + a], f[P00 * room + b], d[AREA * wide + j]
    inside = max(area / PI, 1.0) if area > 0.0 and area < WIDE else SMALL
    squares, apart = across * across + high * high, pa + pb + inside
    nearer = wa * pa - wb * pb
    slope = nearer / apart
    ex = d[DX * wide + j] - (wa * xa + wb * xb - slope * across)
    ey = d[DY * wide + j] - (wa * ya + wb * yb - slope * high)
    total = wa * wa * pa + wb * wb * pb - slope * nearer + d[NOISE * wide + j] + BLUR * min(squares, 4.0 * inside)
    both = squares / apart + min((ex * ex + ey * ey) / total, p[GATE]) + fit_loop(like_both, p[SPREAD])
    density = total * apart / inside
    if alone_loop(f, n, room, d, wide, j, a, b, fit_loop(like_a, p[SPREAD]), both, density, p):
        return FAR
    if alone_loop(f, n, room, d, wide, j, b, a, fit_loop(like_b, p[SPREAD]), both, density, p):
        return FAR
    return float(distance)


@loop
def merged_loop(f: F64, room: int, d: F64, wide: int, j: int, a: int, b: int, p: F64, blurs: F64,
                shift_x: F64, shift_y: F64) -> int:  # fmt: skip
    """`mergers._between` of tracks a and b, and what follows from it."""
    ex, ey = f[X * room + a] - f[X * room + b], f[Y * room + a] - f[Y * room + b]
    away = sqrt(ex * ex + ey * ey)
    ma, mb = f[MASS * room + a], f[MASS * room + b]
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    both = wa * wb
    xx, yy, q = d[XX * wide + j], d[YY * wide + j], d[XY * wide + j]
    skew, size, oval = 0.5 * (xx - yy), xx + yy, d[OVALITY * wide + j]
    of_a, of_b = f[OVAL * room + a], f[OVAL * room + b]
    own = wa * of_a + wb * of_b
    blur, drawn, astray = UNKNOWN * away, 0.0, 0.0
    if of_a > 0.0 and of_b > 0.0 and size > 0.0 and size - size == 0.0 and oval - oval == 0.0:
        if oval > LONGER * own:
            most = sqrt(2.0 * oval / both)
            ux, uy = sqrt(max(0.5 + 0.5 * (skew / oval), 0.0)), sqrt(max(0.5 - 0.5 * (skew / oval), 0.0))
            uy = -uy if q < 0.0 else uy
            most = -most if ex * ux + ey * uy < 0.0 else most
            ex, ey = most * ux, most * uy
            vague, rough = own / (both * most), ROUGH * most * most
            blur = 0.5 * sqrt(vague * vague + rough * rough)
        else:
            most = sqrt(2.0 * (oval + own) / both)
            scale = most / away if away > most else 1.0
            ex, ey, blur = scale * ex, scale * ey, UNKNOWN * (scale * away)
        if p[DRAWN] > 0.0:
            squares = ex * ex + ey * ey
            odds = squares / (8.0 * max(0.5 * size - oval, THIN))
            uneven = wa - wb
            side = uneven
            for _ in range(TURNS):
                x = odds * side
                pull = max(min(x * (15.0 + x * x) / (15.0 + 6.0 * x * x), 1.0), -1.0)
                fixed = (uneven + pull) / (1.0 + uneven * pull)
                side = side + (fixed - side) / max(1.0 - odds * (1.0 - fixed * fixed), STEEP)
                side = max(min(side, 1.0), -1.0)
            drawn = 0.5 * (side - uneven)
            astray = sqrt(squares) * (OFF * abs(drawn) + 0.5 * SHARES * min(odds, 1.0) / max(1.0 - odds, 0.1))
    of_a, of_b = 2.0 * wb * blur, 2.0 * wa * blur
    blurs[a] = max(sqrt(of_a * of_a + astray * astray), 1e-9)
    blurs[b] = max(sqrt(of_b * of_b + astray * astray), 1e-9)
    shift_x[a], shift_y[a] = (wb - drawn) * ex, (wb - drawn) * ey
    shift_x[b], shift_y[b] = (wb - 1.0 - drawn) * ex, (wb - 1.0 - drawn) * ey
    return 0


@loop
def mergers_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, missing: I64, some: int,
                 taken: I64, most: int, who: I64, what: I64, key: F64, choice: I64, marks: I64, blurs: F64,
                 shift_x: F64, shift_y: F64) -> int:  # fmt: skip
    """`mergers`; FULL where there is no room for the pairs. `marks`: three lists of `wide`; `who` has twice `most`.

    `missing` lists `some` tracks that go without, and may do afterwards.
    """
    for i in range(0, count, 8):
        put(blurs, i, eight(0.0))
        put(shift_x, i, eight(0.0))
        put(shift_y, i, eight(0.0))
    if some == 0:
        return 0
    dy, light, found, few = at(d, DY * wide), at(d, LIGHT * wide), 0, 0
    owner, start, heavy, ys = at(marks, 0), at(marks, wide), at(marks, 2 * wide), at(key, 0)
    for j in range(m):
        owner[j] = -1
    for i in range(count):
        if choice[i] >= 0 and float(n[HITS * room + i]) >= p[MIN_HITS] and f[MASS * room + i] > 0.0:
            owner[choice[i]] = i
    # Most detections weigh what their owner does; `merger_distance` would find that of each pair.
    for j in range(m):
        a, good = max(owner[j], 0), 1
        if taken[j]:
            more = light[j] - f[MASS * room + a]
            good = (owner[j] >= 0) & (more > min(HEAVIER * f[FLICKER * room + a], HEAVIEST) * light[j])
        heavy[few], ys[few], start[few] = j, dy[j], 0
        few += good
    for s in range(some):
        i = missing[s]
        mass = f[MASS * room + i]
        x, y = f[X * room + i], f[Y * room + i]
        if float(n[HITS * room + i]) >= p[MIN_HITS] and mass > 0.0 and inside_loop(x, y, 0.5, p):
            radius = p[SPEED] * max(f[GAP * room + i], 1.0)
            for k in range(first_from(ys, few, y - radius), few):
                if ys[k] > y + radius:
                    break
                j = heavy[k]
                if light[j] > MERGED_MASS * mass:
                    ex, ey = d[DX * wide + j] - x, ys[k] - y
                    if ex * ex + ey * ey <= radius * radius:
                        if found == most:
                            return FULL
                        who[found], what[found] = i, k
                        found += 1
    if found == 0:
        return 0
    members = at(who, most)
    start[few] = 0
    for k in range(found):
        start[what[k]] = start[what[k]] + 1
    for k in range(few):
        start[k + 1] = start[k + 1] + start[k]
    for k in range(found):  # the last first, so that start[h] becomes where those of h begin
        i = found - 1 - k
        h = what[i]
        start[h] = start[h] - 1
        members[start[h]] = who[i]
    for h in range(few):
        j, begin, end = heavy[h], start[h], start[h + 1]
        if begin == end:
            continue
        best, best_a, best_b = FAR, 0, 0
        if taken[j]:
            a = owner[j]
            for k in range(begin, end):
                b = members[k]
                if blurs[b] == 0.0:
                    fit = merger_distance(f, n, room, d, wide, j, a, b, p)
                    if fit < best or (fit == best and b < best_b):
                        best, best_a, best_b = fit, a, b
        else:
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
            last = min(several, begin + NEAREST)
            for s in range(begin, last):
                for t in range(s + 1, last):
                    a, b = members[s], members[t]
                    fit = merger_distance(f, n, room, d, wide, j, a, b, p)
                    if fit < best or (fit == best and (a < best_a or (a == best_a and b < best_b))):
                        best, best_a, best_b = fit, a, b
        if best > p[GATE]:
            continue
        a, b = best_a, best_b
        choice[a], choice[b], taken[j] = j, -2 - j, 1
        merged_loop(f, room, d, wide, j, a, b, p, blurs, shift_x, shift_y)
    return 0
