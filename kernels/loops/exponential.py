"""Exponentials as loops."""

from __future__ import annotations

from kernels.loops.language import (
    F64,
    LANES,
    as_f64_rows,
    is_f32,
    load,
    load_row,
    loop,
    power_of_two,
    rint,
    store,
    where,
)

LOG2E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
E13, E12, E11, E10, E9, E8, E7, E6, E5, E4, E3 = (
    1 / 6227020800, 1 / 479001600, 1 / 39916800, 1 / 3628800, 1 / 362880, 1 / 40320, 1 / 5040, 1 / 720, 1 / 120, 1 / 24,
    1 / 6)  # fmt: skip
LN2_HIGH_F32, LN2_LOW_F32 = 0.693359375, -0.00021219444005469057  # a number of nine bits, so that k times it is exact
LEAST, LEAST_F32 = -700.0, -87.0


@loop
def exponentials(values: LANES, count: int) -> int:
    """e to each value of `count` vectors, not above 0 (or, of f32, 87), in place, within two units in the last place;
    below -700 that of -700, of f32 below -87 that of -87.

    Two parts of ln 2 (Cody and Waite) take the value into -0.35..0.35, where the series up to the 13th power serves, of
    f32 up to the 7th.
    """
    for i in range(count):
        t = load_row(values, i)
        if is_f32(values):
            t = where(t > LEAST_F32, t, LEAST_F32)
            # e^t = 2^k e^r with r = t - k ln 2, |r| <= ln 2 / 2.
            k = rint(t * LOG2E)
            r = t - k * LN2_HIGH_F32 - k * LN2_LOW_F32
            p = (((((r * E7 + E6) * r + E5) * r + E4) * r + E3) * r + 0.5) * r * r + r + 1.0
        else:
            t = where(t > LEAST, t, LEAST)
            k = rint(t * LOG2E)
            # LN2_HIGH ends in zeros, so that k times it is exact; to round k ln 2 as a whole would cost the last bits
            # of r.
            r = t - k * LN2_HIGH - k * LN2_LOW
            # Horner's rule, from the highest power down: the same order on all machines.
            p = (((((r * E13 + E12) * r + E11) * r + E10) * r + E9) * r + E8) * r + E7
            p = ((((((p * r + E6) * r + E5) * r + E4) * r + E3) * r + 0.5) * r + 1.0) * r + 1.0
        store(values, i, p * power_of_two(k))
    return 0


@loop
def bell(out: F64, iota: F64, first: int, centre: float, scale: float, pitch: int) -> int:
    """exp(-scale (first + i - centre)^2)."""
    for i in range(0, pitch, 8):
        d = load(iota, i) + float(first) - centre
        store(out, i, -(scale * (d * d)))
    exponentials(as_f64_rows(out), pitch // 8)
    return 0
