"""The pairs within the gates by a grid, and the first stage of the assignment: `gating.pairs` and `stages.first_stage`
as loops.

The cells of the grid are much higher than wide: those of a row that a gate touches are one list, and most gates touch
one row.
"""

from __future__ import annotations

from kernels.host.loops import (
    F64,
    I32,
    I64,
    at,
    eight,
    floor,
    gather,
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
from pipelines.trackers.linking.columns import GAP, HX, HY, MASS, MISSED, P00, PVAR, PX, PY, SEEN, X, Y
from pipelines.trackers.linking.cost_loops import (
    ALONG,
    CHUNK,
    FURTHER,
    NEAR,
    RATIO,
    SQUARES,
    SURELY,
    TOTAL,
    WAY,
    costs_loop,
)  # fmt: skip
from pipelines.trackers.linking.link_loops import (
    AREA,
    BOTTOM,
    CHANGE,
    DX,
    DY,
    FULL,
    GATE,
    LIGHT,
    LOST_GAP,
    MASS_CAP,
    MOMENTUM,
    NOISE,
    RIGHT,
    SPEED,
    SPREAD,
    WIDEST,
    alike,
)  # fmt: skip
from pipelines.trackers.linking.matching import FAR, matched
from pipelines.trackers.linking.momentum import DELTA, SURE
from pipelines.trackers.linking.newcomers import returns_loop
from pipelines.trackers.linking.unseen import PLACES
from pipelines.trackers.linking.unseen_loops import reach_loop, within_loop

TALL = 4.0
SLACK = 1.000001  # a gate that only leaves out what the exact ones would leave out


@loop
def side_loop(p: F64, m: int, most_cells: int) -> float:
    """How large the grid's cells are for m detections, px: as wide as that by TALL, and TALL times as high."""
    side = max(sqrt((p[RIGHT] + 3.0) * (p[BOTTOM] + 3.0) / float(min(m, most_cells // 4) + 1)), 2.0)
    columns, rows = int((p[RIGHT] + 2.0) * TALL / side) + 1, int((p[BOTTOM] + 2.0) / (TALL * side)) + 1
    while (columns + 1) * (rows + 1) > most_cells:  # a picture that is all width
        side = side * 2.0
        columns, rows = int((p[RIGHT] + 2.0) * TALL / side) + 1, int((p[BOTTOM] + 2.0) / (TALL * side)) + 1
    return float(side)


@loop
def grid(d: F64, wide: int, m: int, across: float, down: float, columns: int, rows: int, cells: I64, inside: I64,
         cell: I64, gx: F64, gy: F64) -> int:  # fmt: skip
    """Detections by cells of a grid, `across` and `down` to a px, whose first one's corner is (-1, -1): those of cell c
    are inside[cells[c]:cells[c + 1]], rising, at gx, gy. Seven behind the last are places of detections, too."""
    dx, dy = at(d, DX * wide), at(d, DY * wide)
    count, earlier = columns * rows, 0
    for c in range(0, count + 2, 8):
        put(cells, c, eight(0.0))  # whose bits are those of the whole number
    for j in range(m):
        column = min(int((dx[j] + 1.0) * across), columns - 1)
        row = min(int((dy[j] + 1.0) * down), rows - 1)
        cell[j] = row * columns + column
        cells[cell[j] + 2] = cells[cell[j] + 2] + 1
    # cells[c + 1] is where cell c begins until it is filled, and then where it ends.
    for c in range(2, count + 2):
        earlier += cells[c]
        cells[c] = earlier
    for j in range(m):
        c = cell[j] + 1
        k = cells[c]
        cells[c] = k + 1
        inside[k], gx[k], gy[k] = j, dx[j], dy[j]
    for k in range(m, m + 7):
        inside[k] = 0
    return 0


@loop
def gates_loop(f: F64, room: int, count: int, p: F64, largest: float, across: float, down: float, columns: int,
               rows: int, left: F64, right: F64, several: F64, bound: F64, odd: F64) -> int:  # fmt: skip
    """The cells that the gate of each track touches: the first and the last one of its first row, and how many rows;
    a squared distance beyond which nothing is within it; and whether more than the second gate is to be asked.

    Nothing beyond the second gate either; a little more, as its rounding is another.
    """
    x, y, gap, p00 = at(f, X * room), at(f, Y * room), at(f, GAP * room), at(f, P00 * room)
    last_column, last_row, width = float(columns - 1), float(rows - 1), float(columns)
    for i in range(0, count, 8):  # rows behind the last are as good as any
        since = vec(gap, i)
        widest, likely = p[SPEED] * where(since > 1.0, since, 1.0), sqrt(p[GATE] * (vec(p00, i) + largest)) * SLACK
        near8 = where(widest < likely, widest, likely)
        put(bound, i, near8 * near8 * SLACK)
        put(odd, i, where(likely * (SLACK * SLACK) < widest, where(since > LOST_GAP, 1.0, 0.0), 1.0))
        a, b = floor((vec(x, i) - near8 + 1.0) * across), floor((vec(x, i) + near8 + 1.0) * across)
        a, b = where(a > 0.0, a, 0.0), where(b < last_column, b, last_column)
        top, bottom = floor((vec(y, i) - near8 + 1.0) * down), floor((vec(y, i) + near8 + 1.0) * down)
        top, bottom = where(top > 0.0, top, 0.0), where(bottom < last_row, bottom, last_row)
        high = where(a <= b, where(top <= bottom, bottom - top + 1.0, 0.0), 0.0)
        put(several, i, high)
        put(left, i, where(high > 0.0, top * width + a, 0.0))
        put(right, i, where(high > 0.0, top * width + b, 0.0))
    return 0


@loop
def asked_loop(f: F64, n: I32, room: int, i: int, d: F64, wide: int, p: F64, cells: I64, columns: int, begin: int,
               over: int, several: int, inside: I64, gx: F64, gy: F64, far: float, most: int, found: int, what: I64,
               distance: F64, cost: F64, strange: float, z: F64) -> int:  # fmt: skip
    """The pairs of a track of which more than the second gate is to be asked, behind `found` others: the first gate,
    and `plausible` and `returns` of one that was out of sight. Returns how many there are with them, or FULL."""
    xi, yi, own, gap = f[X * room + i], f[Y * room + i], f[P00 * room + i], f[GAP * room + i]
    mass, speed, gate, noise = f[MASS * room + i], p[SPEED], p[GATE], at(d, NOISE * wide)
    radius, limit, surely = speed * max(gap, 1.0), -1.0, 0.0
    top, bottom, widest, unseen = yi - radius, yi + radius, radius * radius, gap > LOST_GAP
    asked = n[MISSED * room + i] > 0 and strange > 0.0
    if unseen:
        surely = within_loop(f, room, i, p[CHANGE], speed)
    for _ in range(several):
        a, b = cells[begin], cells[over]
        begin += columns
        over += columns
        if found + (b - a) + 8 > most:
            return FULL
        for k in range(a, b, 8):
            wx, wy, both = vec(gx, k) - xi, vec(gy, k) - yi, gather(noise, inside, k) + own
            squares = wx * wx + wy * wy
            one = squares / both
            put(z, 0, one)
            put(z, 8, both)
            one = where(vec(gy, k) >= top, where(vec(gy, k) <= bottom, one, FAR), FAR)
            one = where(squares <= widest, where(squares <= far, one, FAR), FAR)
            word = mask(one <= gate) & ((1 << min(b - k, 8)) - 1)
            if word == 0:
                continue
            if unseen:
                wx, wy = vec(gx, k) - f[PX * room + i], vec(gy, k) - f[PY * room + i]
                away = sqrt(wx * wx + wy * wy)
                put(z, 16, away)
                # However slow it was, it may be as far as that: its steps need not be looked at.
                near = word & mask(away <= surely)
                if near != word:
                    if limit < 0.0:
                        limit = reach_loop(f, n, room, i, p[CHANGE], speed, at(z, 24))
                    near = near | (word & mask(away <= limit))
                word, rest = near, near
                while rest != 0:
                    lane, before = lowest(rest), rest
                    rest, j = higher(rest), inside[k + lane]
                    light, good = d[LIGHT * wide + j], 1
                    if asked:
                        good = returns_loop(strange, z[8 + lane], z[lane], mass, light, p[SPREAD])
                    if not good or not alike(mass, light, d[AREA * wide + j], z[16 + lane], p):
                        word = word - (before - rest)
            pack(what, found, inside, k, word)
            pack(distance, found, z, 0, word)
            pack(cost, found, z, 8, word)
            found += ones(word)
    return found


@loop
def pairs_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, cells: I64, most_cells: int,
               inside: I64, cell: I64, gx: F64, gy: F64, most: int, first: I64, what: I64, distance: F64, cost: F64,
               left: F64, right: F64, several: F64, bound: F64, odd: F64, strange: float, z: F64) -> int:  # fmt: skip
    """`pairs`, and those of tracks that were out of sight that `plausible` and `returns` leave; `cost` gets the
    variances. The last five before `strange` have room for an entry a track, `z` has it for 41 floats.

    Returns:
        How many; the pairs of track i are first[i]..first[i + 1]. FULL where there is no room for them.
    """
    x, y, p00, noise = at(f, X * room), at(f, Y * room), at(f, P00 * room), at(d, NOISE * wide)
    many, largest = eight(0.0), 0.0
    for j in range(0, m - 7, 8):
        many = where(vec(noise, j) > many, vec(noise, j), many)
    put(left, 0, many)
    for k in range(8):
        largest = max(largest, left[k])
    for j in range(m - m % 8, m):
        largest = max(largest, noise[j])
    side = side_loop(p, m, most_cells)
    columns, rows = int((p[RIGHT] + 2.0) * TALL / side) + 1, int((p[BOTTOM] + 2.0) / (TALL * side)) + 1
    across, down = TALL / side, 1.0 / (TALL * side)
    grid(d, wide, m, across, down, columns, rows, cells, inside, cell, gx, gy)
    gates_loop(f, room, count, p, largest, across, down, columns, rows, left, right, several, bound, odd)
    found, gate = 0, p[GATE]
    for i in range(count):
        start = found
        first[i] = start
        # What lies beyond the last cell stands in it.
        begin, over = int(left[i]), int(right[i]) + 1
        if odd[i] > 0.0:
            found = asked_loop(f, n, room, i, d, wide, p, cells, columns, begin, over, int(several[i]), inside, gx, gy,
                               bound[i], most, found, what, distance, cost, strange, z)  # fmt: skip
            if found < 0:
                return FULL
        else:
            xi, yi, far, own = x[i], y[i], bound[i], p00[i]
            for _ in range(int(several[i])):
                a, b = cells[begin], cells[over]
                begin += columns
                over += columns
                if found + (b - a) + 8 > most:
                    return FULL
                for k in range(a, b, 8):
                    wx, wy = vec(gx, k) - xi, vec(gy, k) - yi
                    word = mask(wx * wx + wy * wy <= far) & ((1 << min(b - k, 8)) - 1)
                    while word != 0:
                        here = k + lowest(word)
                        word = higher(word)
                        j, ex, ey = inside[here], gx[here] - xi, gy[here] - yi
                        squares, both = ex * ex + ey * ey, own + noise[j]
                        one = squares / both
                        what[found], distance[found], cost[found] = j, one, both
                        found += one <= gate
        for k in range(start + 1, found):  # by track, then detection
            j, one, both, place = what[k], distance[k], cost[k], k
            while place > start and what[place - 1] > j:
                what[place], distance[place], cost[place] = what[place - 1], distance[place - 1], cost[place - 1]
                place -= 1
            what[place], distance[place], cost[place] = j, one, both
    first[count] = found
    return found


@loop
def link_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, first: I64, what: I64,
              distance: F64, cost: F64, choice: I64, nis: F64, own: I64, some: I64, picked: I64, names: I64, named: I64,
              marks: I64, u: F64, v: F64, near: F64, wait: F64) -> int:  # fmt: skip
    """`first_stage` from the pairs on; FULL where NumPy has to do it. `marks`: five lists of `wide`, `wait`: WAITING of
    CHUNK.

    Only those of which somebody has a choice are matched: `own` lists these tracks (twice `room`), `named` their
    detections, `some` the numbers of these in their pairs.
    """
    mass = at(f, MASS * room)
    for j in range(0, m, 8):  # the list behind it comes later
        put(marks, j, eight(0.0))
    for k in range(first[count]):
        marks[what[k]] = marks[what[k]] + 1
    owners = 0
    for i in range(count):
        k, end = first[i], first[i + 1]
        j = what[k] if end > k else 0
        # Whatever it costs, it is within the gate, and nobody has a choice. (No branch: who has one is a surprise.)
        alone = (end == k + 1) & (marks[j] == 1)
        choice[i], nis[i], own[owners] = j if alone else -1, distance[k] if alone else 0.0, i
        owners += (end > k) & (alone == 0)
    if owners == 0:
        return 0
    firsts, count_named, pair = at(own, room), 0, 0
    for s in range(owners):
        i = own[s]
        for k in range(first[i], first[i + 1]):
            names[what[k]] = -1
    dx, dy, light, noise = at(d, DX * wide), at(d, DY * wide), at(d, LIGHT * wide), at(d, NOISE * wide)
    waiting = 0
    for s in range(owners):
        i = own[s]
        firsts[s] = pair
        # `momentum`: what is the track's alone.
        px, py, pvar, heavy = f[PX * room + i], f[PY * room + i], f[PVAR * room + i], mass[i]
        last = n[SEEN * room + i] - 1
        slot = i * PLACES + (last - min(DELTA, last)) % PLACES
        ax, ay = px - f[HX * room + slot], py - f[HY * room + slot]
        aa = ax * ax + ay * ay
        way = aa + SURE * (pvar + pvar)
        sure = aa / (way if way > 0.0 else 1.0)
        for k in range(first[i], first[i + 1]):
            j = what[k]
            if names[j] < 0:
                names[j], named[count_named] = count_named, j
                count_named += 1
            bx, by = dx[j] - px, dy[j] - py
            bb, known = bx * bx + by * by, (heavy > 0.0) & (light[j] > 0.0)
            wait[TOTAL * CHUNK + waiting], wait[NEAR * CHUNK + waiting] = cost[k], distance[k]
            wait[RATIO * CHUNK + waiting] = (light[j] if known else 1.0) / (heavy if known else 1.0)
            wait[ALONG * CHUNK + waiting], wait[SQUARES * CHUNK + waiting] = ax * bx + ay * by, aa * bb
            wait[WAY * CHUNK + waiting], wait[FURTHER * CHUNK + waiting] = bb, bb + SURE * (pvar + noise[j])
            wait[SURELY * CHUNK + waiting], some[pair] = sure, names[j]
            waiting += 1
            pair += 1  # which is no pair that is still to be looked at
            if waiting == CHUNK:
                costs_loop(wait, waiting, p, at(cost, pair - waiting))
                waiting = 0
    costs_loop(wait, waiting, p, at(cost, pair - waiting))
    firsts[owners] = pair
    miss = p[GATE] + p[WIDEST] + MASS_CAP + p[MOMENTUM]
    held = matched(owners, count_named, firsts, some, cost, miss, picked, marks, u, v, near, at(marks, wide),
                   at(marks, 2 * wide), at(marks, 3 * wide))  # fmt: skip
    if held < 0:
        return FULL
    for s in range(owners):
        if picked[s] >= 0:
            i = own[s]
            choice[i] = named[picked[s]]
            for k in range(first[i], first[i + 1]):
                if what[k] == choice[i]:
                    nis[i] = distance[k]
    return 0
