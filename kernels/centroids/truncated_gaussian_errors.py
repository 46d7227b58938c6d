"""How far noise moves the fitted blobs at the picture's edge (`truncated_gaussian_fit_simd`), a lane each.

A least-squares fit answers its pixels linearly: a pixel's noise moves the centre by the row of the normal matrix's
inverse times the pixel's derivatives, its influence. What there is of a blob that an edge cuts says less of where it is
and mixes that up with how wide and bright it is: the inverse of all five parameters' matrix knows. With P for what is
expected of the width (`truncated_gaussian_fit_simd`) the covariance is V (G + P)^-1, of which V (G + P)^-1 G (G + P)^-1
is the pixels' and the rest the unknown width's.

Its scale is that of 1 / slope^2, the slope of the bell that was fitted, and noise makes squares larger: by the variance
of the slope, by which what is faint would seem surer than it is. That is put back to first order.
"""

from __future__ import annotations

from kernels.centroids.centroid_simd import (
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
from kernels.centroids.truncated_gaussian_fit import LEAST_FREE, LIKELY, RIDGE
from kernels.centroids.truncated_gaussian_fit_simd import axis_lanes, gram_lanes
from kernels.loops.language import LANES, at, is_f32, load_row, loop, splat_like, store, where

RIDGE_F32 = 1e-6  # share of a diagonal: rounding makes pivots of f32 differ by a tenth of it


@loop
def inverse_lanes(gram: LANES, out: LANES) -> int:
    """The inverses of symmetric matrices, a lane each, of five rows, the upper halves of rows of six, which go."""
    ridge = RIDGE
    if is_f32(gram):
        ridge = RIDGE_F32
    # A little is added to each diagonal: rectangles of few pixels make matrices that are singular but for rounding.
    for a in range(5):
        d = load_row(gram, 7 * a)
        store(gram, 7 * a, d + (d * ridge + 1e-30))
    # L D L' without pivots: factors go where the upper half was, reciprocals of the pivots on the diagonal.
    for a in range(5):
        one = 1.0 / load_row(gram, 7 * a)
        for b in range(a + 1, 5):
            factor = load_row(gram, 6 * a + b) * one
            for k in range(b, 5):
                store(gram, 6 * b + k, load_row(gram, 6 * b + k) - factor * load_row(gram, 6 * a + k))
            store(gram, 6 * a + b, factor)
        store(gram, 7 * a, one)
    # Column n of the inverse: unit vector n through L (0 before n), then back through D and L'.
    for n in range(5):
        row = at(out, 5 * n)
        for a in range(5):
            value = splat_like(out, 1.0 if a == n else 0.0)
            for b in range(n, a):
                value = value - load_row(gram, 6 * b + a) * load_row(row, b)
            store(row, a, value)
        for k in range(5):
            a = 4 - k
            value = load_row(row, a) * load_row(gram, 7 * a)
            for b in range(a + 1, 5):
                value = value - load_row(gram, 6 * a + b) * load_row(row, b)
            store(row, a, value)
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
    height, spread = load_row(lane, AMPLITUDE), load_row(lane, SPREAD)
    level = load_row(lane, LEVEL)
    store(lane, SCALE, 0.5 / (spread * spread))
    bells(w0, z0, size // 2, at(lane, X), at(lane, SCALE), work)
    axis_lanes(w0, w1, w2, across, at(lane, X), size, sx)
    axis_lanes(z0, z1, z2, down, at(lane, Y), size, sy)
    gram_lanes(sx, sy, gram)
    # The prior of the width, in the units of the bell's derivatives: height / width^3 is the width's.
    unit = spread * spread * spread / (where(height > 0.0, height, 1.0) * (LIKELY * sigma))
    prior = load_row(lane, NOISE) * unit * unit
    store(gram, 21, load_row(gram, 21) + prior)
    inverse_lanes(gram, inverse)
    total, squares = splat_like(lane, 0.0), splat_like(lane, 0.0)
    left, askew = splat_like(lane, 0.0), splat_like(lane, 0.0)
    for r in range(size):
        y0, y1, y2 = load_row(z0, r), load_row(z1, r), load_row(z2, r)
        for k in range(5):  # a row of the inverse times the derivatives: what w0, w1 and w2 are multiplied by
            one = at(inverse, 5 * k)
            store(part, 3 * k, load_row(one, 1) * y1 + load_row(one, 2) * y0 + load_row(one, 3) * y2)
            store(part, 3 * k + 1, load_row(one, 0) * y0)
            store(part, 3 * k + 2, load_row(one, 3) * y0)
        # Derivatives are products of a part along x and one along y: a row's factors are multiplied in once.
        line, high = r * pitch, y0 * height
        for c in range(size):
            x0, x1, x2 = load_row(w0, c), load_row(w1, c), load_row(w2, c)
            gx = x0 * load_row(part, 0) + x1 * load_row(part, 1) + x2 * load_row(part, 2) + load_row(inverse, 4)
            gy = x0 * load_row(part, 3) + x1 * load_row(part, 4) + x2 * load_row(part, 5) + load_row(inverse, 9)
            gs = x0 * load_row(part, 6) + x1 * load_row(part, 7) + x2 * load_row(part, 8) + load_row(inverse, 14)
            gq = x0 * load_row(part, 9) + x1 * load_row(part, 10) + x2 * load_row(part, 11) + load_row(inverse, 19)
            gn = x0 * load_row(part, 12) + x1 * load_row(part, 13) + x2 * load_row(part, 14) + load_row(inverse, 24)
            # The hat matrix' diagonal: the part of a pixel's noise that the fit follows.
            followed = gx * (x1 * y0) + gy * (x0 * y1) + gs * (x0 * y0) + gq * (x2 * y0 + x0 * y2) + gn
            gx2, gy2, there = gx * gx, gy * gy, load_row(across, c) * load_row(down, r)
            lever = (gx2 + gy2) * there
            askew += (gx2 - gy2) * there
            rest = load_row(values, line + c) - level - high * x0
            free = 1.0 - followed
            total += lever
            more = lever / where(free > LEAST_FREE, free, LEAST_FREE)
            squares += lever * more
            left += more * (rest * rest)
    # The normal matrix has the bell's derivatives: a place's are `slope` times as large.
    slope = height / (spread * spread)
    unknown_x, unknown_y = load_row(inverse, 3), load_row(inverse, 8)
    unknown_x, unknown_y = unknown_x * unknown_x * prior, unknown_y * unknown_y * prior
    store(lane, TOTAL, total)
    least = 1e-300
    if is_f32(lane):
        least = 1e-35
    some = where(total > least, total, least)
    store(lane, REST, left / some)
    # The unknown width moves the centre along x and y by the elements (x, width), (y, width) of the inverse.
    every = some + unknown_x + unknown_y
    store(lane, ASKEW, (askew + unknown_x - unknown_y) / every)
    store(lane, SHARP, total * total / where(squares > least, squares, least))
    wide = spread * spread * 2.0
    # The variance of slope = height / width^2 relative to its square, to first order: that of height - 2 width^2 q.
    high = where(height > 0.0, height, 1.0)
    chance = (
        load_row(inverse, 12)
        - wide * (load_row(inverse, 13) + load_row(inverse, 17))
        + wide * wide * load_row(inverse, 18)
    )
    chance = chance * load_row(lane, NOISE) / (high * high)
    store(lane, WHOLE, every * 0.5 / (slope * slope) * (1.0 + chance))
    return 0
