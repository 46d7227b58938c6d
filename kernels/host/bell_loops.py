"""Exponentials, and the middle of many values, as loops."""

from __future__ import annotations

from kernels.host.loops import F64, I64, LANES, eights, loop, narrow, own, power_of_two, put, rint, vec, where

LOG2E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
E13, E12, E11, E10, E9, E8, E7, E6, E5, E4, E3 = (
    1 / 6227020800, 1 / 479001600, 1 / 39916800, 1 / 3628800, 1 / 362880, 1 / 40320, 1 / 5040, 1 / 720, 1 / 120, 1 / 24,
    1 / 6)  # fmt: skip
LN2_HIGH_F32, LN2_LOW_F32 = 0.693359375, -0.00021219444005469057  # a number of nine bits, so that k times it is exact
LEAST, LEAST_F32 = -700.0, -87.0
BINS = 1024  # whole values that lie closer than this are sorted by counting


@loop
def exponentials(values: LANES, count: int) -> int:
    """e to each value of `count` vectors, not above 0 (or, of f32, 87), in place, within two units in the last place;
    below -700 that of -700, of f32 below -87 that of -87.

    Two parts of ln 2 (Cody and Waite) take the value into -0.35..0.35, where the series up to the 13th power serves, of
    f32 up to the 7th.
    """
    for i in range(count):
        t = own(values, i)
        if narrow(values):
            t = where(t > LEAST_F32, t, LEAST_F32)
            k = rint(t * LOG2E)
            r = t - k * LN2_HIGH_F32 - k * LN2_LOW_F32
            p = (((((r * E7 + E6) * r + E5) * r + E4) * r + E3) * r + 0.5) * r * r + r + 1.0
        else:
            t = where(t > LEAST, t, LEAST)
            k = rint(t * LOG2E)
            r = t - k * LN2_HIGH - k * LN2_LOW
            p = (((((r * E13 + E12) * r + E11) * r + E10) * r + E9) * r + E8) * r + E7
            p = ((((((p * r + E6) * r + E5) * r + E4) * r + E3) * r + 0.5) * r + 1.0) * r + 1.0
        put(values, i, p * power_of_two(k))
    return 0


@loop
def bell(out: F64, iota: F64, first: int, centre: float, scale: float, pitch: int) -> int:
    """exp(-scale (first + i - centre)^2)."""
    for i in range(0, pitch, 8):
        d = vec(iota, i) + float(first) - centre
        put(out, i, -(scale * (d * d)))
    exponentials(eights(out), pitch // 8)
    return 0


@loop
def ordered(buffer: F64, count: int) -> int:
    """Sort the first values of a buffer of at least twice as many and one; return where they begin then."""
    here, there, run = 0, count, 1
    while run < count:
        for start in range(0, count, 2 * run):
            middle, end = min(start + run, count), min(start + 2 * run, count)
            i, j = start, middle
            for k in range(start, end):
                a, b = buffer[here + i], buffer[here + j]
                first = (i < middle) & ((j >= end) | (a <= b))
                buffer[there + k] = a if first else b
                i += first
                j += 1 - first
        here, there = there, here
        run *= 2
    return here


@loop
def middle(buffer: F64, count: int, lowest: float, highest: float, whole: int, bins: I64, out: F64) -> int:
    """Mean of the middle half of `count` values within lowest..highest, and their robust variance.

    `whole`: they are whole numbers. The buffer has room for twice as many and one.
    """
    low, high = count // 4, count - count // 4
    upper = min(high, count - 1)
    total, a, b = 0.0, 0.0, 0.0
    if whole and highest - lowest < float(BINS):
        used = int(highest - lowest) + 1
        for k in range(used):
            bins[k] = 0
        for n in range(count):
            k = int(buffer[n] - lowest)
            bins[k] = bins[k] + 1
        seen = 0
        for k in range(used):
            following = seen + bins[k]
            v = lowest + float(k)
            share = min(following, high) - max(seen, low)
            total += float(max(share, 0)) * v
            a = v if (seen <= low) & (low < following) else a
            b = v if (seen <= upper) & (upper < following) else b
            seen = following
    else:
        start = ordered(buffer, count)
        for n in range(low, high):
            total += buffer[start + n]
        a, b = buffer[start + low], buffer[start + upper]
    out[0] = total / float(max(high - low, 1))
    spread = (b - a) / 1.349
    out[1] = spread * spread
    return 0
