"""Detections that hold two tracks, as loops: `mergers`."""

from __future__ import annotations

from kernels.host.loops import (
    F64,
    I32,
    I64,
    at,
    eight,
    higher,
    loop,
    lowest,
    mask,
    ones,
    pack,
    put,
    sqrt,
    vec,
    where,
)  # fmt: skip
from pipelines.trackers.linking.columns import FLICKER, GAP, HITS, MASS, P00, X, Y
from pipelines.trackers.linking.cost_loops import logs_loop
from pipelines.trackers.linking.link_loops import (
    AREA,
    BOTTOM,
    DX,
    DY,
    FULL,
    GATE,
    LIGHT,
    MASS_CAP,
    MIN_HITS,
    NOISE,
    SPEED,
    SPREAD,
    inside_loop,
)  # fmt: skip
from pipelines.trackers.linking.matching import FAR
from pipelines.trackers.linking.merger_fits import HEAVIER, HEAVIEST, PI, SMALL, UNSEEN, WIDE, fits_loop
from pipelines.trackers.linking.shared_loops import merged_loop

MERGED_MASS = 1.4  # a detection this much heavier than its track may hold two of them
NEAREST = 4  # tracks of which two may share a detection that nobody has
STRIPS = 60  # of the picture, by which tracks find the detections beside them
FREE = 7  # lists of what is known of these
HEADS = 10  # with those of the ones that nobody has
SLACK = 1.000001  # what leaves out only what would be left out without it


@loop
def heads_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, taken: I64, choice: I64,
               owner: I64, heavy: I64, strip: I64, heads: F64) -> int:  # fmt: skip
    """Detections that may hold two, in `heavy`, and in `heads` (HEADS lists of wide + 8) what pairs are looked for by;
    returns how many they are. `strip` says which of them is the first not above each of STRIPS strips of the picture.
    """
    dx, dy, light, area = at(d, DX * wide), at(d, DY * wide), at(d, LIGHT * wide), at(d, AREA * wide)
    x, y, mass, p00 = at(f, X * room), at(f, Y * room), at(f, MASS * room), at(f, P00 * room)
    noise, step, few = at(d, NOISE * wide), wide + 8, 0
    hx, hy, weights, ax = at(heads, 0), at(heads, step), at(heads, 2 * step), at(heads, 3 * step)
    ay, apart, far = at(heads, 4 * step), at(heads, 5 * step), at(heads, 6 * step)
    ratio, near = at(heads, FREE * step), at(heads, (FREE + 1) * step)
    hits, flicker, least = at(n, HITS * room), at(f, FLICKER * room), p[MIN_HITS]
    for j in range(m):
        owner[j] = -1
    for i in range(count):  # without a branch, as who has one is a surprise
        j = choice[i]
        owner[j if (j >= 0) & (float(hits[i]) >= least) & (mass[i] > 0.0) else m] = i
    # Most detections weigh what their owner does; `fits_loop` would find that of each pair.
    for j in range(m):
        a = max(owner[j], 0)
        good = (owner[j] >= 0) & (light[j] - mass[a] > min(HEAVIER * flicker[a], HEAVIEST) * light[j])
        heavy[few] = j
        few += good | (taken[j] == 0)
    strips, scale = 0, float(STRIPS) / (p[BOTTOM] + 2.0)
    for h in range(few):
        j = heavy[h]
        a = max(owner[j], 0)
        hx[h], hy[h], weights[h], ax[h], ay[h] = dx[j], dy[j], light[j], x[a], y[a]
        inside = max(area[j] / PI, 1.0) if area[j] > 0.0 and area[j] < WIDE else SMALL
        apart[h], far[h], ratio[h] = p00[a] + inside, 1.0 + p00[a] / noise[j], light[j] / mass[a]
        ex, ey = dx[j] - x[a], dy[j] - y[a]
        near[h] = (ex * ex + ey * ey) / (p00[a] + noise[j])
        if not taken[j]:  # it is nobody's, and stands in another list
            weights[h], ay[h], apart[h] = 0.0, dy[j], 0.0
        while strips <= min(int((dy[j] + 1.0) * scale), STRIPS - 1):
            strip[strips] = h
            strips += 1
    for s in range(strips, STRIPS + 1):
        strip[s] = few
    logs_loop(far, few)
    logs_loop(ratio, few)
    gate = p[GATE]
    for h in range(0, few, 8):  # `mergers._less` of the owner, with a little more
        unlike, one = vec(ratio, h) / p[SPREAD], vec(near, h)
        unlike = unlike * unlike
        one = where(one > gate, gate, one) + where(unlike > MASS_CAP, MASS_CAP, unlike)
        put(far, h, one + 2.0 * vec(far, h) + (UNSEEN + 1.0))
    put(hy, few, eight(FAR))
    return few


@loop
def candidates_loop(f: F64, n: I32, room: int, p: F64, missing: I64, some: int, few: int, step: int, strip: I64,
                    heads: F64, free: I64, frees: int, most: int, who: I64, what: I64, count: I64,
                    mine: I64) -> int:  # fmt: skip
    """The pairs of tracks that go without and heads that may hold them, by tracks; returns how many, or FULL. `count`
    has room for as many numbers as there are heads, `mine` for eight. `free` lists those `frees` heads that nobody
    has; they stand by themselves behind the other lists of `heads`, too.

    A track is not paired with a head whose owner is so far from it that `fits_loop` says no, whatever they weigh: the
    way between two things in one detection costs its square in units of `apart`, and that is `far` at least.
    """
    hx, hy, weights, ax = at(heads, 0), at(heads, step), at(heads, 2 * step), at(heads, 3 * step)
    ay, apart, far = at(heads, 4 * step), at(heads, 5 * step), at(heads, 6 * step)
    widest, farthest, off, found, scale = 0.0, 0.0, 0.0, 0, float(STRIPS) / (p[BOTTOM] + 2.0)
    for h in range(few):
        if apart[h] > 0.0:
            widest, farthest, off = max(widest, apart[h]), max(farthest, far[h]), max(off, abs(hy[h] - ay[h]))
    for h in range(few):
        count[h] = h
    for s in range(some):
        i = missing[s]
        mass, x, y, own = f[MASS * room + i], f[X * room + i], f[Y * room + i], f[P00 * room + i]
        if float(n[HITS * room + i]) >= p[MIN_HITS] and mass > 0.0 and inside_loop(x, y, 0.5, p):
            radius = p[SPEED] * max(f[GAP * room + i], 1.0)
            least, squared, top, bottom = MERGED_MASS * mass, radius * radius, y - radius, y + radius
            for k in range(8):
                mine[k] = i
            if found + 64 + frees > most:
                return FULL
            near = min(radius, sqrt((own + widest) * farthest) * SLACK + off)
            last = y + near
            for k in range(strip[int((max(y - near, -1.0) + 1.0) * scale)], few, 8):
                if hy[k] > last:
                    break
                wx, wy, vx, vy = vec(hx, k) - x, vec(hy, k) - y, vec(ax, k) - x, vec(ay, k) - y
                squares = where(vec(hy, k) > bottom, FAR, where(vec(hy, k) < top, FAR, wx * wx + wy * wy))
                limit = (vec(apart, k) + own) * vec(far, k)
                squares = where(vx * vx + vy * vy < limit, squares, FAR)
                # Who is near enough is a surprise: no branch asks whether anybody is.
                word = mask(where(vec(weights, k) > least, squares, FAR) <= squared)
                if found + 64 + frees > most:
                    return FULL
                pack(what, found, count, k, word)
                pack(who, found, mine, 0, word)
                found += ones(word)
            for k in range(0, frees, 8):
                fy = vec(heads, FREE * step + step + k)
                wx, wy = vec(heads, FREE * step + k) - x, fy - y
                squares = where(fy > bottom, FAR, where(fy < top, FAR, wx * wx + wy * wy))
                word = mask(where(vec(heads, FREE * step + 2 * step + k) > least, squares, FAR) <= squared)
                pack(what, found, free, k, word)
                pack(who, found, mine, 0, word)
                found += ones(word)
    return found


@loop
def mergers_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, missing: I64, some: int,
                 taken: I64, most: int, who: I64, what: I64, fits: F64, key: F64, choice: I64, marks: I64, lists: I64,
                 z: F64, blurs: F64, shift_x: F64, shift_y: F64, told: F64, stated: F64,
                 shares: F64) -> int:  # fmt: skip
    """`mergers`; FULL where there is no room for the pairs. `marks`: four lists of `wide`; `who` has twice `most`;
    `lists` has room for RING + 8 numbers, `z` for 64, and `z` behind them for HEADS lists of wide + 8.

    `missing` lists `some` tracks that go without, and may do afterwards.
    """
    for i in range(0, count, 8):
        put(blurs, i, eight(0.0))
        put(shift_x, i, eight(0.0))
        put(shift_y, i, eight(0.0))
    if some == 0:
        return 0
    dx, dy, work, heads = at(d, DX * wide), at(d, DY * wide), at(z, 0), at(z, 64)
    owner, start, heavy, free = at(marks, 0), at(marks, wide), at(marks, 2 * wide), at(marks, 3 * wide)
    few = heads_loop(f, n, room, count, d, wide, m, p, taken, choice, owner, heavy, lists, heads)
    if few == 0:
        return 0
    step, frees = wide + 8, 0
    for h in range(few):
        j = heavy[h]
        free[frees], start[h] = h, 0
        heads[FREE * step + frees], heads[FREE * step + step + frees] = dx[j], dy[j]
        heads[FREE * step + 2 * step + frees] = d[LIGHT * wide + j]
        frees += 1 - taken[j]
    put(heads, FREE * step + step + frees, eight(FAR))
    members = at(who, most)
    found = candidates_loop(f, n, room, p, missing, some, few, step, lists, heads, free, frees, most, who, what,
                            members, at(lists, STRIPS + 1))  # fmt: skip
    if found < 0:
        return FULL
    if found == 0:
        return 0
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
        for k in range(start[h], start[h + 1]):
            what[k], who[k] = heavy[h], max(owner[heavy[h]], 0)
    for k in range(found, found + 8):
        what[k], who[k], members[k] = 0, 0, 0
    fits_loop(f, n, room, d, wide, what, who, members, found, p, work, fits)
    one, two, merged = at(what, few + 8), at(what, 2 * few + 16), 0
    for h in range(few):
        j, begin, end = heavy[h], start[h], start[h + 1]
        if begin == end:
            continue
        best, best_a, best_b = FAR, 0, 0
        if taken[j]:
            for k in range(begin, end, 8):
                word = mask(vec(fits, k) < FAR) & ((1 << min(end - k, 8)) - 1)
                while word != 0:
                    b, fit = members[k + lowest(word)], fits[k + lowest(word)]
                    if (fit < best or (fit == best and b < best_b)) and blurs[b] == 0.0:
                        best, best_a, best_b = fit, owner[j], b
                    word = higher(word)
        else:
            several = begin  # those that have no partner yet, by their distance
            for k in range(begin, end):
                i = members[k]
                if blurs[i] == 0.0:
                    ex, ey = f[X * room + i] - dx[j], f[Y * room + i] - dy[j]
                    away, place = sqrt(ex * ex + ey * ey), several
                    while place > begin and (key[place - 1] > away):
                        key[place], members[place] = key[place - 1], members[place - 1]
                        place -= 1
                    key[place], members[place] = away, i
                    several += 1
            several, twos = min(several, begin + NEAREST), 0
            for s in range(16):
                lists[s], lists[16 + s], lists[32 + s] = j, 0, 0
            for s in range(begin, several):
                for t in range(s + 1, several):
                    lists[16 + twos], lists[32 + twos] = members[s], members[t]
                    twos += 1
            fits_loop(f, n, room, d, wide, lists, at(lists, 16), at(lists, 32), twos, p, work, at(work, 24))
            for s in range(twos):
                a, b, fit = lists[16 + s], lists[32 + s], work[24 + s]
                if fit < best or (fit == best and (a < best_a or (a == best_a and b < best_b))):
                    best, best_a, best_b = fit, a, b
        if best > p[GATE]:
            continue
        a, b = best_a, best_b
        choice[a], choice[b], taken[j], blurs[a], blurs[b] = j, -2 - j, 1, 1.0, 1.0  # until it is known
        what[merged], one[merged], two[merged] = j, a, b
        merged += 1
    for k in range(merged, merged + 8):
        what[k], one[k], two[k] = 0, 0, 0
    return int(merged_loop(f, n, room, d, wide, p, what, one, two, merged, lists, work, blurs, shift_x, shift_y, told,
                           stated, shares))  # fmt: skip
