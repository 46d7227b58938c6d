"""The detections of a frame put in order, and what pairs are judged by: `BlobTracker._accept` and parts of `stages.py`
as loops.

`d` is a block of columns of detections, each with room for `wide`; `p` holds the tracker's parameters.
"""

from __future__ import annotations

from kernels.host.logarithm import log
from kernels.host.loops import F64, I64, at, eight, gather, loop, prefetch, put, sqrt, turn, vec, where

DX, DY, LIGHT, AREA, XX, YY, XY, NOISE, UNEVEN, OVALITY, LONGS = range(11)
DETECTION_COLUMNS = 11
"""Columns of detections; the last are half the difference of the second moments along and across, and the square of
that by its noise (`unresolved.py`), -1 where it is unknown and behind the last detection."""
ZX, ZY, ZNOISE, ZUNEVEN, ZLIGHT, ZWIDE, ZHALF, ZLEAN = range(0, 64, 8)
DETECTION = DETECTION_COLUMNS + 8
"""Behind the columns stands what a sighting is booked by, eight floats a detection: place, variance, half the
difference of that of x and of y, mass, squared width, stretch and lean (NOTHING where no shape of its own is
known: `unresolved.py`), and where these are once eight are turned. And the floats of a detection in all."""
(SPEED, GATE, WIDEST, Q, JERK, SPREAD, MIN_MASS, MIN_AREA, GIVEN, CHANGE, RIGHT, BOTTOM, LEAVE, MAX_MISSED, MIN_HITS,
 TURN_MEMORY, FPS, CURVE, MOMENTUM, DRAWN, UNLIKE, RARITY) = range(22)  # fmt: skip
PARAMETERS = 22
"""Entries of `p`: see `BlobTracker._parameters`."""
AHEAD = 640  # floats before a feature is looked at that it is asked for: features come from far away
FIELDS, F_X, F_Y, F_MASS, F_PEAK, F_AREA, F_XX, F_XY, F_YY = 12, 0, 1, 2, 3, 4, 5, 6, 7
F_SIGMA, F_ANISOTROPY, F_STRETCH, F_LEAN = 8, 9, 10, 11
"""Floats of a feature, and where they are."""
MASS_CAP = 9.0  # largest penalty for a different mass: mergers and flashes stay within reach
BRIDGE = 4.0  # largest mass penalty of what comes back somewhere else: two standard deviations
CLEAR = 1.0 - 1e-9  # a ratio of masses is clear if it is so much beyond the one that decides
LOST_GAP = 1.5  # frames without a sighting after which a thing has been out of sight
NOTHING = 1e200  # whose square is no finite number
LENGTHIEST = 1e12  # what is longer has no shape, in squared units of the noise of its moments (`unresolved.py`)
OUTSIDE = 1.0  # px outside the picture up to which a feature is looked at
STRIPS = 256  # features from which on they are put in order by strips first
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
def later(found: F64, a: int, b: int) -> int:
    """Whether the feature at a stands behind that at b, which came after it: by y, x, mass, peak, area."""
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
def sort_rough(count: int, every: I64, y: F64, order: I64, key: F64, strip: I64, cells: I64, bottom: float) -> int:
    """The list `every` of `count` features and their `y` nearly in order, in `order` and `key`: by strips of equal
    height, counted; stable."""
    before_it, scale = 0, float(count) / (bottom + 2.0 * OUTSIDE)
    for c in range(0, count + 1, 8):
        put(cells, c, eight(0.0))  # whose bits are those of the whole number
    for k in range(count):
        c = min(int((y[k] + OUTSIDE) * scale), count - 1)
        strip[k] = c
        cells[c + 1] = cells[c + 1] + 1
    for c in range(count):
        before_it += cells[c]
        cells[c] = before_it
    for k in range(count):
        c = strip[k]
        place = cells[c]
        order[place], key[place], cells[c] = every[k], y[k], place + 1
    return 0


@loop
def sort_features(found: F64, count: int, order: I64, other: I64, key: F64) -> int:
    """Put the list `order` of `count` features in order; stable. By insertion, as they are nearly in order, else by
    merging. `key` holds the y of each, and may do no more afterwards."""
    moves, most = 0, 8 * count + 64
    for k in range(1, count):
        one, y, m = order[k], key[k], k
        while m > 0 and (key[m - 1] > y or (key[m - 1] == y and later(found, order[m - 1], one))):
            order[m], key[m] = order[m - 1], key[m - 1]
            m -= 1
        order[m], key[m] = one, y
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
def accept_loop(found: F64, count: int, p: F64, d: F64, wide: int, order: I64, other: I64, strip: I64,
                cells: I64, z: F64) -> int:  # fmt: skip
    """`_accept` and `_variance` of `count` features; returns how many are usable, of which `wide` is at least seven
    more. `z` has room for 128 floats."""
    m, right, bottom, lightest, least = 0, p[RIGHT] + OUTSIDE, p[BOTTOM] + OUTSIDE, p[MIN_MASS], p[MIN_AREA]
    ys, key = at(d, LIGHT * wide), at(d, NOISE * wide)  # columns that come later
    last = (count - 1) * FIELDS
    for k in range(count):
        a = k * FIELDS
        prefetch(found, min(a + AHEAD, last))
        x, y = found[a + F_X], found[a + F_Y]
        good = x >= -OUTSIDE and x <= right and y >= -OUTSIDE and y <= bottom
        if good and (lightest <= 0.0 or found[a + F_MASS] >= lightest) and (
            least <= 0.0 or found[a + F_AREA] >= least
        ):
            other[m], ys[m] = a, y
            m += 1
    if m > STRIPS:
        sort_rough(m, other, ys, order, key, strip, cells, p[BOTTOM])
    else:
        for j in range(m):
            order[j], key[j] = other[j], ys[j]
    sort_features(found, m, order, other, key)
    for j in range(m, m + 7):
        order[j] = 0
    given, sigmas, shares = p[GIVEN], at(found, F_SIGMA), at(found, F_ANISOTROPY)
    stretches, leans = at(found, F_STRETCH), at(found, F_LEAN)
    booked, columns = at(d, DETECTION_COLUMNS * wide), at(z, 64)
    for k in range(8):
        other[k] = 8 * k
    for j in range(0, m, 8):
        turn(z, 0, found, at(order, j), 0)
        mass, xx, yy, xy = vec(z, 8 * F_MASS), vec(z, 8 * F_XX), vec(z, 8 * F_YY), vec(z, 8 * F_XY)
        put(d, DX * wide + j, vec(z, 8 * F_X))
        put(d, DY * wide + j, vec(z, 8 * F_Y))
        light = where(mass - mass == 0.0, mass, 0.0)
        put(d, LIGHT * wide + j, light)
        put(d, AREA * wide + j, vec(z, 8 * F_AREA))
        put(d, XX * wide + j, xx)
        put(d, YY * wide + j, yy)
        put(d, XY * wide + j, xy)
        sigma, share = gather(sigmas, order, j), gather(shares, order, j)
        usable = where(sigma > 0.0, where(sigma - sigma == 0.0, 1.0, 0.0), 0.0)
        sigma = where(sigma < 0.005, 0.005, sigma)
        sigma = where(usable > 0.0, where(sigma > 100.0, 100.0, sigma), 0.2)
        sigma = where(given > 0.0, eight(given), sigma)
        noise = sigma * sigma
        put(d, NOISE * wide + j, noise)
        share = where(share >= -1.0, where(share <= 1.0, share, 0.0), 0.0)
        uneven = where(usable > 0.0, where(given > 0.0, eight(0.0), share * noise), 0.0)
        put(d, UNEVEN * wide + j, uneven)
        half = 0.5 * (xx - yy)
        put(d, OVALITY * wide + j, sqrt(half * half + xy * xy))
        put(columns, ZX, vec(z, 8 * F_X))
        put(columns, ZY, vec(z, 8 * F_Y))
        put(columns, ZNOISE, noise)
        put(columns, ZUNEVEN, uneven)
        put(columns, ZLIGHT, light)
        broad = 0.5 * (xx + yy)
        put(columns, ZWIDE, broad)
        half, lean = gather(stretches, order, j), gather(leans, order, j)
        long = (half * half + lean * lean) / (2.0 * broad * noise)  # `unresolved.lengths_of`
        long = where(long <= LENGTHIEST, long, -1.0)
        long = where(broad > 0.0, long, -1.0)
        put(d, LONGS * wide + j, long)
        put(columns, ZHALF, where(long < 0.0, NOTHING, half))
        put(columns, ZLEAN, lean)
        turn(booked, 8 * j, columns, other, 0)
    put(d, LONGS * wide + m, eight(-1.0))
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
def alike(mass: float, light: float, area: float, away: float, p: F64) -> int:
    """`stages.alike`."""
    far = p[UNLIKE]  # near which the logarithm decides
    if not (mass > 0.0 and light > 0.0):
        return 1
    if light < far * CLEAR * mass and light * (far * CLEAR) > mass:
        return 1
    if light * CLEAR <= far * mass and light * far >= mass * CLEAR and mass_cost(mass, light, p[SPREAD]) < BRIDGE:
        return 1
    side = sqrt(area)
    return int(side == side and away <= max(side, 2.0))
