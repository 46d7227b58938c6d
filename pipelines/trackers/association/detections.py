"""The usable detections of a frame, in order."""

from __future__ import annotations

from kernels.host.logarithm import log
from kernels.host.loops import F64, loop, prefetch, sqrt
from pipelines.trackers.association.model import LEAST_SIGMA, MOST_SIGMA, UNKNOWN_SIGMA
from pipelines.trackers.association.records import Detections, Settings

FIELDS, F_X, F_Y, F_MASS, F_PEAK, F_AREA, F_XX, F_YY, F_SIGMA, F_ANISOTROPY = 12, 0, 1, 2, 3, 4, 5, 7, 8, 9
"""Floats of a feature, and where they are."""
OUTSIDE = 1.0  # px outside the picture up to which a detection is looked at
AHEAD = 640  # floats before a feature is looked at that it is asked for: features come from far away


@loop
def compared(a: float, b: float) -> int:
    """-1, 0 or 1 as a stands before, beside or behind b; what is no number stands last."""
    if a < b:
        return -1
    if a > b:
        return 1
    return (a != a) - (b != b)


@loop
def later(found: F64, a: int, b: int) -> int:
    """Whether the feature at a stands behind that at b: by y, x, mass, peak, area."""
    order = compared(found[a + F_Y], found[b + F_Y])
    if order == 0:
        order = compared(found[a + F_X], found[b + F_X])
    if order == 0:
        order = compared(found[a + F_MASS], found[b + F_MASS])
    if order == 0:
        order = compared(found[a + F_PEAK], found[b + F_PEAK])
    if order == 0:
        order = compared(found[a + F_AREA], found[b + F_AREA])
    return int(order > 0)


@loop
def put_in_order(found: F64, count: int, d: Detections) -> int:
    """Sort the list `d.order` of `count` features, stable: by insertion, as detections come nearly in order, else by
    merging. `d.key` holds the y of each."""
    moves = 0
    for k in range(1, count):
        one, y, m = d.order[k], d.key[k], k
        while m > 0 and (d.key[m - 1] > y or (d.key[m - 1] == y and later(found, d.order[m - 1], one))):
            d.order[m], d.key[m] = d.order[m - 1], d.key[m - 1]
            m -= 1
        d.order[m], d.key[m] = one, y
        moves += k - m
        if moves > 8 * count + 64:
            break
    if moves <= 8 * count + 64:
        return 0
    run = 1
    while run < count:
        for start in range(0, count, 2 * run):
            middle, end = min(start + run, count), min(start + 2 * run, count)
            i, j = start, middle
            for k in range(start, end):
                if i < middle and (j >= end or not later(found, d.order[i], d.order[j])):
                    d.other[k] = d.order[i]
                    i += 1
                else:
                    d.other[k] = d.order[j]
                    j += 1
        for k in range(count):
            d.order[k] = d.other[k]
        run *= 2
    return 0


@loop
def accept(found: F64, count: int, s: Settings, d: Detections) -> int:
    """Fill `d` from `count` features, FIELDS floats each; returns how many are usable: those with a place in the
    picture, heavy and large enough."""
    m, last = 0, (count - 1) * FIELDS
    for k in range(count):
        a = k * FIELDS
        prefetch(found, min(a + AHEAD, last))
        x, y = found[a + F_X], found[a + F_Y]
        good = x >= -OUTSIDE and x <= s.right + OUTSIDE and y >= -OUTSIDE and y <= s.bottom + OUTSIDE
        if good and (s.min_mass <= 0.0 or found[a + F_MASS] >= s.min_mass) and (
            s.min_area <= 0.0 or found[a + F_AREA] >= s.min_area
        ):
            d.order[m], d.key[m] = a, y
            m += 1
    put_in_order(found, m, d)
    for j in range(m):
        a = d.order[j]
        mass, sigma, share = found[a + F_MASS], found[a + F_SIGMA], found[a + F_ANISOTROPY]
        width2 = 0.5 * (found[a + F_XX] + found[a + F_YY])
        known = sigma > 0.0 and sigma - sigma == 0.0
        sigma = min(max(sigma, LEAST_SIGMA), MOST_SIGMA) if known else UNKNOWN_SIGMA
        own = s.sigma <= 0.0
        sigma = sigma if own else s.sigma
        d.x[j], d.y[j], d.variance[j] = found[a + F_X], found[a + F_Y], sigma * sigma
        d.uneven[j] = share * sigma * sigma if known and own and share >= -1.0 and share <= 1.0 else 0.0
        d.mass[j] = mass if mass > 0.0 and mass - mass == 0.0 else 0.0
        d.mass_log[j] = log(d.mass[j]) if d.mass[j] > 0.0 else 0.0
        d.width[j] = sqrt(width2) if width2 > 0.0 and width2 < 1e12 else 0.0
        d.owner[j] = -1
    return m
