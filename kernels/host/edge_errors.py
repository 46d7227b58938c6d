"""How far noise moves the fitted blobs at the picture's edge (`edge_steps`), a lane each.

A least-squares fit answers its pixels linearly: a pixel's noise moves the centre by the row of the normal matrix's
inverse times the pixel's derivatives, its influence. What there is of a blob that an edge cuts says less of where it is
and mixes that up with how wide and bright it is: the inverse of all five parameters' matrix knows.
"""

from __future__ import annotations

from kernels.host.edge_fit import LEAST_FREE, RIDGE
from kernels.host.edge_steps import axis_eight, gram_eight
from kernels.host.lane_loops import (
    AMPLITUDE,
    ASKEW,
    COVER,
    LEVEL,
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
from kernels.host.loops import F64, at, eight, loop, put, vec, where


@loop
def inverse_eight(gram: F64, out: F64) -> int:
    """The inverses of eight symmetric matrices of five rows, the upper halves of rows of six, which are lost."""
    for a in range(5):
        d = vec(gram, 56 * a)
        put(gram, 56 * a, d + (d * RIDGE + 1e-30))
    for a in range(5):
        one = 1.0 / vec(gram, 56 * a)
        for b in range(a + 1, 5):
            factor = vec(gram, 48 * a + 8 * b) * one
            for k in range(b, 5):
                put(gram, 48 * b + 8 * k, vec(gram, 48 * b + 8 * k) - factor * vec(gram, 48 * a + 8 * k))
            put(gram, 48 * a + 8 * b, factor)
        put(gram, 56 * a, one)
    for n in range(5):
        row = at(out, 40 * n)
        for a in range(5):
            value = eight(1.0 if a == n else 0.0)
            for b in range(n, a):
                value = value - vec(gram, 48 * b + 8 * a) * vec(row, 8 * b)
            put(row, 8 * a, value)
        for k in range(5):
            a = 4 - k
            value = vec(row, 8 * a) * vec(gram, 56 * a)
            for b in range(a + 1, 5):
                value = value - vec(gram, 48 * a + 8 * b) * vec(row, 8 * b)
            put(row, 8 * a, value)
    return 0


@loop
def errors_eight(values: F64, size: int, pitch: int, lane: F64, work: F64) -> int:
    """WHOLE, the variance of the place (the mean of x and y) for pixels of variance 1; ASKEW, its anisotropy; REST, the
    variance of the pixels that moves it: the mean square of the residuals, each weighed by the square of its influence;
    SHARP, its degrees of freedom. TOTAL is above 0 where there are any.

    The residuals are smaller than the noise, the fit having followed it, each by its own share (the hat matrix: HC2 of
    MacKinnon and White, J. Econometrics 29, 1985): shot noise is strongest where the fit follows most. It also makes
    them go together, which takes degrees of freedom: those of others, weighed like it, are put for theirs.
    `values`: the windows, with the model where there is no picture. `work`: 24 numbers, six rows and 704 numbers.
    """
    row = 8 * pitch
    across, down = at(lane, COVER), at(lane, COVER + row)
    w0, w1, w2 = at(work, 24), at(work, 24 + row), at(work, 24 + 2 * row)
    z0, z1, z2 = at(work, 24 + 3 * row), at(work, 24 + 4 * row), at(work, 24 + 5 * row)
    sx, sy = at(work, 24 + 6 * row), at(work, 96 + 6 * row)
    gram, inverse, part = at(work, 168 + 6 * row), at(work, 408 + 6 * row), at(work, 608 + 6 * row)
    height, spread = eight(0.0) + vec(lane, AMPLITUDE), eight(0.0) + vec(lane, SPREAD)
    level = eight(0.0) + vec(lane, LEVEL)
    put(lane, SCALE, 0.5 / (spread * spread))
    bells(w0, size // 2, at(lane, X), at(lane, SCALE), work)
    bells(z0, size // 2, at(lane, Y), at(lane, SCALE), work)
    axis_eight(w0, w1, w2, across, at(lane, X), size, sx)
    axis_eight(z0, z1, z2, down, at(lane, Y), size, sy)
    gram_eight(sx, sy, gram)
    inverse_eight(gram, inverse)
    total, squares, left, askew = eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    for r in range(size):
        y0, y1, y2 = vec(z0, 8 * r), vec(z1, 8 * r), vec(z2, 8 * r)
        for k in range(5):  # a row of the inverse times the derivatives: what w0, w1 and w2 are multiplied by
            one = at(inverse, 40 * k)
            put(part, 24 * k, vec(one, 8) * y1 + vec(one, 16) * y0 + vec(one, 24) * y2)
            put(part, 24 * k + 8, vec(one, 0) * y0)
            put(part, 24 * k + 16, vec(one, 24) * y0)
        line, own = 8 * r * pitch, y0 * height
        for c in range(0, 8 * size, 8):
            x0, x1, x2 = vec(w0, c), vec(w1, c), vec(w2, c)
            gx = x0 * vec(part, 0) + x1 * vec(part, 8) + x2 * vec(part, 16) + vec(inverse, 32)
            gy = x0 * vec(part, 24) + x1 * vec(part, 32) + x2 * vec(part, 40) + vec(inverse, 72)
            gs = x0 * vec(part, 48) + x1 * vec(part, 56) + x2 * vec(part, 64) + vec(inverse, 112)
            gq = x0 * vec(part, 72) + x1 * vec(part, 80) + x2 * vec(part, 88) + vec(inverse, 152)
            gn = x0 * vec(part, 96) + x1 * vec(part, 104) + x2 * vec(part, 112) + vec(inverse, 192)
            followed = gx * (x1 * y0) + gy * (x0 * y1) + gs * (x0 * y0) + gq * (x2 * y0 + x0 * y2) + gn
            gx2, gy2, there = gx * gx, gy * gy, vec(across, c) * vec(down, 8 * r)
            lever = (gx2 + gy2) * there
            askew += (gx2 - gy2) * there
            rest = vec(values, line + c) - level - own * x0
            free = 1.0 - followed
            total += lever
            more = lever / where(free > LEAST_FREE, free, LEAST_FREE)
            squares += lever * more
            left += more * (rest * rest)
    slope = height / (spread * spread)
    put(lane, TOTAL, total)
    put(lane, REST, left / where(total > 1e-300, total, 1e-300))
    put(lane, ASKEW, askew / where(total > 1e-300, total, 1e-300))
    put(lane, SHARP, total * total / where(squares > 1e-300, squares, 1e-300))
    put(lane, WHOLE, total * 0.5 / (slope * slope))
    return 0
