"""How far noise moves the fitted blobs at the picture's edge (`edge_steps`), a lane each.

A least-squares fit answers its pixels linearly: a pixel's noise moves the centre by the row of the normal matrix's
inverse times the pixel's derivatives, its influence. What there is of a blob that an edge cuts says less of where it is
and mixes that up with how wide and bright it is: the inverse of all five parameters' matrix knows. With P for what is
expected of the width (`edge_steps`) the covariance is V (G + P)^-1, of which V (G + P)^-1 G (G + P)^-1 is the pixels'
and the rest the unknown width's.

Its scale is that of 1 / slope^2, the slope of the bell that was fitted, and noise makes squares larger: by the variance
of the slope, by which what is faint would seem surer than it is. That is put back to first order.
"""

from __future__ import annotations

from kernels.host.edge_fit import LEAST_FREE, LIKELY, RIDGE
from kernels.host.edge_steps import axis_lanes, gram_lanes
from kernels.host.lane_loops import (
    AMPLITUDE,
    ASKEW,
    COVER,
    LEVEL,
    NOISE,
    REST,
    SCALE,
    SHARP,
    SPREAD,
    TOTAL,
    WHOLE,
    X,
    Y,
    bells,
)  # fmt: skip
from kernels.host.loops import LANES, at, like, loop, narrow, own, put, where

RIDGE_F32 = 1e-6  # share of a diagonal: rounding makes pivots of f32 differ by a tenth of it


@loop
def inverse_lanes(gram: LANES, out: LANES) -> int:
    """The inverses of symmetric matrices, a lane each, of five rows, the upper halves of rows of six, which go."""
    ridge = RIDGE
    if narrow(gram):
        ridge = RIDGE_F32
    for a in range(5):
        d = own(gram, 7 * a)
        put(gram, 7 * a, d + (d * ridge + 1e-30))
    for a in range(5):
        one = 1.0 / own(gram, 7 * a)
        for b in range(a + 1, 5):
            factor = own(gram, 6 * a + b) * one
            for k in range(b, 5):
                put(gram, 6 * b + k, own(gram, 6 * b + k) - factor * own(gram, 6 * a + k))
            put(gram, 6 * a + b, factor)
        put(gram, 7 * a, one)
    for n in range(5):
        row = at(out, 5 * n)
        for a in range(5):
            value = like(out, 1.0 if a == n else 0.0)
            for b in range(n, a):
                value = value - own(gram, 6 * b + a) * own(row, b)
            put(row, a, value)
        for k in range(5):
            a = 4 - k
            value = own(row, a) * own(gram, 7 * a)
            for b in range(a + 1, 5):
                value = value - own(gram, 6 * a + b) * own(row, b)
            put(row, a, value)
    return 0


@loop
def errors_lanes(values: LANES, size: int, pitch: int, sigma: float, lane: LANES, work: LANES) -> int:
    """WHOLE, the variance of the place (the mean of x and y) for pixels of variance 1; ASKEW, its anisotropy; REST, the
    variance of the pixels that moves it: the mean square of the residuals, each weighed by the square of its influence;
    SHARP, its degrees of freedom. TOTAL is above 0 where there are any.

    The residuals are smaller than the noise, the fit having followed it, each by its own share (the hat matrix: HC2 of
    MacKinnon and White, J. Econometrics 29, 1985): shot noise is strongest where the fit follows most. It also makes
    them go together, which takes degrees of freedom: those of others, weighed like it, are put for theirs.
    `values`: the windows, with the model where there is no picture. `work`: 5 vectors, six rows and 88 vectors.
    """
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    w0, w1, w2 = at(work, 5), at(work, 5 + pitch), at(work, 5 + 2 * pitch)
    z0, z1, z2 = at(work, 5 + 3 * pitch), at(work, 5 + 4 * pitch), at(work, 5 + 5 * pitch)
    sx, sy = at(work, 5 + 6 * pitch), at(work, 14 + 6 * pitch)
    gram, inverse, part = at(work, 23 + 6 * pitch), at(work, 53 + 6 * pitch), at(work, 78 + 6 * pitch)
    height, spread = own(lane, AMPLITUDE), own(lane, SPREAD)
    level = own(lane, LEVEL)
    put(lane, SCALE, 0.5 / (spread * spread))
    bells(w0, z0, size // 2, at(lane, X), at(lane, SCALE), work)
    axis_lanes(w0, w1, w2, across, at(lane, X), size, sx)
    axis_lanes(z0, z1, z2, down, at(lane, Y), size, sy)
    gram_lanes(sx, sy, gram)
    unit = spread * spread * spread / (where(height > 0.0, height, 1.0) * (LIKELY * sigma))
    prior = own(lane, NOISE) * unit * unit
    put(gram, 21, own(gram, 21) + prior)
    inverse_lanes(gram, inverse)
    total, squares, left, askew = like(lane, 0.0), like(lane, 0.0), like(lane, 0.0), like(lane, 0.0)
    for r in range(size):
        y0, y1, y2 = own(z0, r), own(z1, r), own(z2, r)
        for k in range(5):  # a row of the inverse times the derivatives: what w0, w1 and w2 are multiplied by
            one = at(inverse, 5 * k)
            put(part, 3 * k, own(one, 1) * y1 + own(one, 2) * y0 + own(one, 3) * y2)
            put(part, 3 * k + 1, own(one, 0) * y0)
            put(part, 3 * k + 2, own(one, 3) * y0)
        line, high = r * pitch, y0 * height
        for c in range(size):
            x0, x1, x2 = own(w0, c), own(w1, c), own(w2, c)
            gx = x0 * own(part, 0) + x1 * own(part, 1) + x2 * own(part, 2) + own(inverse, 4)
            gy = x0 * own(part, 3) + x1 * own(part, 4) + x2 * own(part, 5) + own(inverse, 9)
            gs = x0 * own(part, 6) + x1 * own(part, 7) + x2 * own(part, 8) + own(inverse, 14)
            gq = x0 * own(part, 9) + x1 * own(part, 10) + x2 * own(part, 11) + own(inverse, 19)
            gn = x0 * own(part, 12) + x1 * own(part, 13) + x2 * own(part, 14) + own(inverse, 24)
            followed = gx * (x1 * y0) + gy * (x0 * y1) + gs * (x0 * y0) + gq * (x2 * y0 + x0 * y2) + gn
            gx2, gy2, there = gx * gx, gy * gy, own(across, c) * own(down, r)
            lever = (gx2 + gy2) * there
            askew += (gx2 - gy2) * there
            rest = own(values, line + c) - level - high * x0
            free = 1.0 - followed
            total += lever
            more = lever / where(free > LEAST_FREE, free, LEAST_FREE)
            squares += lever * more
            left += more * (rest * rest)
    slope = height / (spread * spread)
    unknown_x, unknown_y = own(inverse, 3), own(inverse, 8)
    unknown_x, unknown_y = unknown_x * unknown_x * prior, unknown_y * unknown_y * prior
    put(lane, TOTAL, total)
    least = 1e-300
    if narrow(lane):
        least = 1e-35
    some = where(total > least, total, least)
    put(lane, REST, left / some)
    every = some + unknown_x + unknown_y
    put(lane, ASKEW, (askew + unknown_x - unknown_y) / every)
    put(lane, SHARP, total * total / where(squares > least, squares, least))
    wide = spread * spread * 2.0
    high = where(height > 0.0, height, 1.0)
    chance = own(inverse, 12) - wide * (own(inverse, 13) + own(inverse, 17)) + wide * wide * own(inverse, 18)
    chance = chance * own(lane, NOISE) / (high * high)
    put(lane, WHOLE, every * 0.5 / (slope * slope) * (1.0 + chance))
    return 0
