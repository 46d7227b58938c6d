"""The detections of a frame put in order, the pairs within the gates by a grid, and the first stage of the assignment:
`BlobTracker._accept`, `pairs` and `stages.first_stage` as loops.

`d` is a block of columns of detections, each with room for `wide`; `p` holds the tracker's parameters.
"""

from __future__ import annotations

from kernels.host.logarithm import log
from kernels.host.loops import F64, I32, I64, at, floor, loop, sqrt
from pipelines.trackers.linking.columns import GAP, MASS, P00, PX, PY, X, Y
from pipelines.trackers.linking.matching import matched
from pipelines.trackers.linking.momentum_loops import momentum_loop
from pipelines.trackers.linking.unseen_loops import reach_loop

DX, DY, LIGHT, AREA, XX, YY, NOISE = range(7)
DETECTION_COLUMNS = 7
"""Columns of detections."""
(SPEED, GATE, WIDEST, Q, JERK, SPREAD, MIN_MASS, MIN_AREA, GIVEN, CHANGE, RIGHT, BOTTOM, LEAVE, MAX_MISSED, MIN_HITS,
 TURN_MEMORY, FPS, CURVE, MOMENTUM) = range(19)  # fmt: skip
PARAMETERS = 19
"""Entries of `p`: see `BlobTracker._parameters`."""
FIELDS, F_X, F_Y, F_MASS, F_PEAK, F_AREA, F_XX, F_YY, F_SIGMA = 9, 0, 1, 2, 3, 4, 5, 7, 8
"""Floats of a feature, and where they are."""
MASS_CAP = 9.0  # largest penalty for a different mass: mergers and flashes stay within reach
BRIDGE = 4.0  # largest mass penalty of what comes back somewhere else: two standard deviations
LOST_GAP = 1.5  # frames without a sighting after which a thing has been out of sight
FULL = -2  # no room, or too long a search: NumPy takes over


@loop
def before(a: float, b: float) -> int:
    """-1, 0 or 1 as a stands before, beside or behind b; what is no number stands last."""
    if a < b:
        return -1
    if a > b:
        return 1
    return (a != a) - (b != b)


@loop
def later(found: F64, i: int, j: int) -> int:
    """Whether feature i stands behind feature j, which came after it: by y, x, mass, peak, area."""
    a, b = i * FIELDS, j * FIELDS
    order = before(found[a + F_Y], found[b + F_Y])
    if order == 0:
        order = before(found[a + F_X], found[b + F_X])
    if order == 0:
        # A mass that is no finite number was 0 when they were put in order.
        u, v = found[a + F_MASS], found[b + F_MASS]
        order = before(u if u - u == 0.0 else 0.0, v if v - v == 0.0 else 0.0)
    if order == 0:
        order = before(found[a + F_PEAK], found[b + F_PEAK])
    if order == 0:
        order = before(found[a + F_AREA], found[b + F_AREA])
    return int(order > 0)


@loop
def sort_features(found: F64, count: int, order: I64, other: I64) -> int:
    """Put the list `order` of `count` features in order; stable. By insertion, as they come nearly in order, else by
    merging."""
    moves, most = 0, 8 * count + 64
    for k in range(1, count):
        one, m = order[k], k
        while m > 0 and later(found, order[m - 1], one):
            order[m] = order[m - 1]
            m -= 1
        order[m] = one
        moves += k - m
        if moves > most:
            break
    if moves <= most:
        return 0
    run = 1
    while run < count:
        for start in range(0, count, 2 * run):
            middle, end = min(start + run, count), min(start + 2 * run, count)
            i, j = start, middle
            for k in range(start, end):
                if i < middle and (j >= end or not later(found, order[i], order[j])):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
        for k in range(count):
            order[k] = other[k]
        run *= 2
    return 0


@loop
def accept_loop(found: F64, start: int, count: int, p: F64, d: F64, wide: int, order: I64, other: I64) -> int:
    """`_accept` and `_variance` of the features from `start` on; returns how many are usable."""
    m = 0
    for k in range(start, start + count):
        a = k * FIELDS
        x, y = found[a + F_X], found[a + F_Y]
        good = x >= -1.0 and x <= p[RIGHT] + 1.0 and y >= -1.0 and y <= p[BOTTOM] + 1.0
        if good and (p[MIN_MASS] <= 0.0 or found[a + F_MASS] >= p[MIN_MASS]) and (
            p[MIN_AREA] <= 0.0 or found[a + F_AREA] >= p[MIN_AREA]
        ):
            order[m] = k
            m += 1
    sort_features(found, m, order, other)
    given = p[GIVEN]
    for j in range(m):
        a = order[j] * FIELDS
        d[DX * wide + j], d[DY * wide + j] = found[a + F_X], found[a + F_Y]
        mass = found[a + F_MASS]
        d[LIGHT * wide + j] = mass if mass - mass == 0.0 else 0.0
        d[AREA * wide + j], d[XX * wide + j], d[YY * wide + j] = found[a + F_AREA], found[a + F_XX], found[a + F_YY]
        sigma = found[a + F_SIGMA]
        usable = sigma > 0.0 and sigma - sigma == 0.0
        sigma = min(max(sigma, 0.005), 100.0) if usable else 0.2
        sigma = given if given > 0.0 else sigma
        d[NOISE * wide + j] = sigma * sigma
    return m


@loop
def inside_loop(x: float, y: float, margin: float, p: F64) -> int:
    """`Tracker.inside`, by how far outside counts too."""
    return x >= -margin and x <= p[RIGHT] + margin and y >= -margin and y <= p[BOTTOM] + margin


@loop
def mass_cost(track: float, light: float, spread: float) -> float:
    """`stages.mass_cost`."""
    if track > 0.0 and light > 0.0:
        ratio = log(light / track) / spread
        return float(min(ratio * ratio, MASS_CAP))
    return 0.0


@loop
def alike(mass: float, light: float, area: float, away: float, spread: float) -> int:
    """`stages.alike`."""
    if mass_cost(mass, light, spread) < BRIDGE:
        return 1
    side = sqrt(area)
    return int(side == side and away <= max(side, 2.0))


@loop
def grid(d: F64, wide: int, m: int, scale: float, columns: int, rows: int, cells: I64, inside: I64, cell: I64) -> int:
    """Detections by cells of a grid, `scale` to a px, whose first one's corner is (-1, -1): those of cell c are
    inside[cells[c]:cells[c + 1]], rising."""
    count = columns * rows
    for c in range(count + 1):
        cells[c] = 0
    for j in range(m):
        column = min(int((d[DX * wide + j] + 1.0) * scale), columns - 1)
        row = min(int((d[DY * wide + j] + 1.0) * scale), rows - 1)
        cell[j] = row * columns + column
        cells[cell[j] + 1] = cells[cell[j] + 1] + 1
    for c in range(count):
        cells[c + 1] = cells[c + 1] + cells[c]
    for k in range(m):
        j = m - 1 - k
        c = cell[j] + 1
        # From the end of each cell to its beginning, so that cells[c + 1] becomes where it begins.
        cells[c] = cells[c] - 1
        inside[cells[c]] = j
    for c in range(count):
        cells[c] = cells[c + 1]
    cells[count] = m
    return 0


@loop
def pairs_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, cells: I64, most_cells: int,
               inside: I64, cell: I64, most: int, first: I64, what: I64, distance: F64, cost: F64) -> int:  # fmt: skip
    """`pairs`, and those of tracks that were out of sight that `plausible` leaves; `cost` gets the variances.

    Returns:
        How many; the pairs of track i are first[i]..first[i + 1]. FULL where there is no room for them.
    """
    x, y, gap, p00 = at(f, X * room), at(f, Y * room), at(f, GAP * room), at(f, P00 * room)
    px, py, mass = at(f, PX * room), at(f, PY * room), at(f, MASS * room)
    dx, dy, noise = at(d, DX * wide), at(d, DY * wide), at(d, NOISE * wide)
    largest = 0.0
    for j in range(m):
        largest = max(largest, noise[j])
    side = max(sqrt((p[RIGHT] + 3.0) * (p[BOTTOM] + 3.0) / float(min(m, most_cells // 4) + 1)), 2.0)
    columns, rows = int((p[RIGHT] + 2.0) / side) + 1, int((p[BOTTOM] + 2.0) / side) + 1
    while (columns + 1) * (rows + 1) > most_cells:  # a picture that is all width
        side = side * 2.0
        columns, rows = int((p[RIGHT] + 2.0) / side) + 1, int((p[BOTTOM] + 2.0) / side) + 1
    scale = 1.0 / side
    grid(d, wide, m, scale, columns, rows, cells, inside, cell)
    found = 0
    for i in range(count):
        first[i] = found
        radius = p[SPEED] * max(gap[i], 1.0)
        # Nothing beyond the second gate either; a little more, as its rounding is another.
        near = min(radius, sqrt(p[GATE] * (p00[i] + largest)) * 1.000001)
        low, high = y[i] - radius, y[i] + radius
        lost, limit = gap[i] > LOST_GAP, 0.0
        if lost:
            limit = reach_loop(f, n, room, i, p[CHANGE], p[SPEED])
        left = max(floor((x[i] - near + 1.0) * scale), 0.0)
        right = min(floor((x[i] + near + 1.0) * scale), float(columns - 1))
        top = max(floor((y[i] - near + 1.0) * scale), 0.0)
        bottom = min(floor((y[i] + near + 1.0) * scale), float(rows - 1))
        if left <= right and top <= bottom:
            # What lies beyond the last cell stands in it.
            for row in range(int(top), int(bottom) + 1):
                for k in range(cells[row * columns + int(left)], cells[row * columns + int(right) + 1]):
                    j = inside[k]
                    ex, ey = dx[j] - x[i], dy[j] - y[i]
                    squares = ex * ex + ey * ey
                    if squares <= radius * radius and dy[j] >= low and dy[j] <= high:
                        both = p00[i] + noise[j]
                        one = squares / both
                        good = one <= p[GATE]
                        if good and lost:
                            ax, ay = dx[j] - px[i], dy[j] - py[i]
                            away = sqrt(ax * ax + ay * ay)
                            good = away <= limit and alike(mass[i], d[LIGHT * wide + j], d[AREA * wide + j], away,
                                                           p[SPREAD])  # fmt: skip
                        if good:
                            if found == most:
                                return FULL
                            place = found
                            while place > first[i] and what[place - 1] > j:
                                what[place], distance[place] = what[place - 1], distance[place - 1]
                                cost[place] = cost[place - 1]
                                place -= 1
                            what[place], distance[place], cost[place] = j, one, both
                            found += 1
    first[count] = found
    return found


@loop
def link_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, m: int, p: F64, first: I64, what: I64,
              distance: F64, cost: F64, choice: I64, nis: F64, marks: I64, u: F64, v: F64,
              near: F64) -> int:  # fmt: skip
    """`first_stage` from the pairs on; FULL where NumPy has to do it. `marks`: five lists of `wide`."""
    mass = at(f, MASS * room)
    single = 1
    for j in range(m):
        marks[j] = 0
    for i in range(count):
        choice[i], nis[i] = -1, 0.0
        if first[i + 1] - first[i] > 1:
            single = 0
        for k in range(first[i], first[i + 1]):
            marks[what[k]] = marks[what[k]] + 1
            if marks[what[k]] > 1:
                single = 0
    if single:
        for i in range(count):
            if first[i] < first[i + 1]:
                choice[i], nis[i] = what[first[i]], distance[first[i]]
        return 0
    miss = p[GATE] + p[WIDEST] + MASS_CAP + p[MOMENTUM]
    for i in range(count):
        for k in range(first[i], first[i + 1]):
            if first[i + 1] - first[i] == 1 and marks[what[k]] == 1:
                cost[k] = miss  # whatever it costs, it is within the gate, and nobody has a choice
            else:
                one = distance[k] + min(2.0 * log(cost[k]), p[WIDEST])
                one = one + mass_cost(mass[i], d[LIGHT * wide + what[k]], p[SPREAD])
                x, y, noise = d[DX * wide + what[k]], d[DY * wide + what[k]], d[NOISE * wide + what[k]]
                cost[k] = one + momentum_loop(f, n, room, i, x, y, noise, p[MOMENTUM])
    held = matched(count, m, first, what, cost, miss, choice, marks, u, v, near, at(marks, wide), at(marks, 2 * wide),
                   at(marks, 3 * wide))  # fmt: skip
    if held < 0:
        return FULL
    for i in range(count):
        for k in range(first[i], first[i + 1]):
            if choice[i] == what[k]:
                nis[i] = distance[k]
    return 0
