"""Blobs on dead pixels: a least-squares fit of the pixels that exist. (At the picture's edge:
`truncated_gaussian_fit_simd`.)

There the weighted centroid, whose missing pixels the model fills, creeps towards the same place.
"""

from __future__ import annotations

from kernels.centroids.structs import Gaussian, Window
from kernels.loops.exponential import bell
from kernels.loops.language import F64, at, load, loop, splat, store, where
from kernels.regions.tile_loops import summed

FIT_STEPS = 12
DAMPING = 0.01
LIKELY = 0.433  # standard deviation of a blob's width before it is seen, in those of the weights: what is anywhere in
# `centroid_loops.WIDTHS` has it
RIDGE = 1e-9  # share of its diagonal that keeps a matrix of too few pixels from being singular
LEAST_FREE = 1e-3  # share of its noise that a pixel's residual keeps at least
FITTED = 4e-3  # px; who moves less has arrived: the next step is a fiftieth or so


@loop
def sums_loop(on: Window, g: Gaussian, first: int, last: int, normal: F64) -> int:
    """Sums of products of the bell times the offset in x, in y, the bell, that times the square of the distance, 1, and
    what the model leaves: the upper halves of 5 rows of 6. `work`: two rows, which become the bells, and 240."""
    scale = 0.5 / (g.width * g.width)
    bell(on.work, on.iota, on.left, g.x, scale, on.pitch)
    bell(at(on.work, on.pitch), on.iota, on.top, g.y, scale, on.pitch)
    sums = at(on.work, 2 * on.pitch)
    n_, nr, ss, s_, sr = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    # Named by their two factors: u, v the bell times offsets, s the bell, q that times r^2, _ a 1, r the residual.
    uu, uv, us, uq, u_, ur = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    vv, vs, vq, v_, vr = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    qq, qs, q_, qr = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for k in range(0, on.pitch, 8):
        dx = load(on.iota, k) + (float(on.left) - g.x)
        square = dx * dx
        across = load(on.work, k)
        for r in range(first, last):
            dy = float(on.top + r) - g.y
            m = load(on.there, r * on.pitch + k)
            s = across * on.work[on.pitch + r] * m
            u, v, q = s * dx, s * dy, s * (square + dy * dy)
            rest = (load(on.values, r * on.pitch + k) - g.background) * m - s * g.height
            n_ += m
            nr += rest
            ss += s * s
            s_ += s
            sr += s * rest
            uu += u * u
            uv += u * v
            us += u * s
            uq += u * q
            u_ += u
            ur += u * rest
            vv += v * v
            vs += v * s
            vq += v * q
            v_ += v
            vr += v * rest
            qq += q * q
            qs += q * s
            q_ += q
            qr += q * rest
    # Sum (a, b) of a matrix of rows of six lies at 8 (6 a + b), eight lanes each; the lower half is never read.
    store(sums, 0, uu)
    store(sums, 8, uv)
    store(sums, 16, us)
    store(sums, 24, uq)
    store(sums, 32, u_)
    store(sums, 40, ur)
    store(sums, 56, vv)
    store(sums, 64, vs)
    store(sums, 72, vq)
    store(sums, 80, v_)
    store(sums, 88, vr)
    store(sums, 112, ss)
    store(sums, 120, qs)
    store(sums, 128, s_)
    store(sums, 136, sr)
    store(sums, 168, qq)
    store(sums, 176, q_)
    store(sums, 184, qr)
    store(sums, 224, n_)
    store(sums, 232, nr)
    summed(sums, 30, normal)
    return 0


@loop
def step_loop(on: Window, g: Gaussian, first: int, last: int, sigma: float, prior: float, normal: F64, out: F64) -> int:
    """The damped Gauss-Newton (Levenberg) step of centre, amplitude, width and background of a blob, into `out`.

    `prior`: variance of a pixel by that of the width before it was seen, `sigma` px
    (`truncated_gaussian_fit_simd.fit_lanes`). `valid`: 1 where a pixel exists, in rows first..last - 1 alone; `normal`:
    room for 5 x 6 sums; `work`: two rows and 240.
    """
    sums_loop(on, g, first, last, normal)
    sums = at(on.work, 2 * on.pitch)
    # The sums are of the bell times offsets; parameters' derivatives are these times the factors below.
    # Derivatives by x and y, the amplitude, the width and the background, from those of the bell.
    slope = g.height / (g.width * g.width)
    sums[0], sums[1], sums[2], sums[3], sums[4], sums[5] = slope, slope, 1.0, slope / g.width, 1.0, 1.0
    for a in range(5):
        for b in range(a, 6):
            normal[a * 6 + b] = normal[a * 6 + b] * (sums[a] * sums[b])
    # The prior of the width is one more observation of it, of the value sigma.
    normal[21], normal[23] = normal[21] + prior, normal[23] + prior * (sigma - g.width)
    most = 0.0
    # The elimination runs over full rows, so the lower half is filled in.
    for a in range(5):
        for b in range(a):
            normal[a * 6 + b] = normal[b * 6 + a]
        most = max(most, DAMPING * normal[a * 6 + a])
    for a in range(5):
        d = normal[a * 6 + a]
        normal[a * 6 + a] = d + (DAMPING * d + 1e-9 * most + 1e-30)
    # Gaussian elimination and back substitution; a positive definite matrix needs no pivoting.
    for a in range(5):
        for b in range(a + 1, 5):
            factor = normal[b * 6 + a] / normal[a * 6 + a]
            for k in range(a, 6):
                normal[b * 6 + k] = normal[b * 6 + k] - factor * normal[a * 6 + k]
    for k in range(5):
        a = 4 - k
        value = normal[a * 6 + 5]
        for b in range(a + 1, 5):
            value = value - normal[a * 6 + b] * out[b]
        out[a] = value / normal[a * 6 + a]
    return 0


@loop
def inverse_loop(gram: F64, out: F64) -> int:
    """The inverse of a symmetric matrix of five rows, the upper half of rows of six, which is lost."""
    # L D L' without pivots: factors go where the upper half was, reciprocals of the pivots on the diagonal.
    for a in range(5):
        gram[a * 7] = gram[a * 7] + (gram[a * 7] * RIDGE + 1e-30)
    for a in range(5):
        one = 1.0 / gram[a * 7]
        for b in range(a + 1, 5):
            factor = gram[a * 6 + b] * one
            for k in range(b, 5):
                gram[b * 6 + k] = gram[b * 6 + k] - factor * gram[a * 6 + k]
            gram[a * 6 + b] = factor
        gram[a * 7] = one
    # Column n of the inverse: unit vector n through L (0 before n), D and L'.
    for n in range(5):
        row = at(out, 5 * n)
        for a in range(5):
            value = 1.0 if a == n else 0.0
            for b in range(n, a):
                value = value - gram[b * 6 + a] * row[b]
            row[a] = value
        for k in range(5):
            a = 4 - k
            value = row[a] * gram[a * 7]
            for b in range(a + 1, 5):
                value = value - gram[a * 6 + b] * row[b]
            row[a] = value
    return 0


@loop
def errors_loop(on: Window, g: Gaussian, first: int, last: int, noise: float, prior: float, out: F64) -> int:
    """How far noise moves a fitted blob (`truncated_gaussian_errors`): `out` becomes the variance of the place (the
    mean of x and y) for pixels of variance 1; a number above 0 where there are pixels; degrees of freedom of the
    residuals, and the variance of the pixels by them; behind two more the anisotropy of the place. `work`: two rows and
    328 numbers; `noise`: variance of the ground's pixels; `prior`: as for `step_loop`."""
    normal, inverse = at(on.work, 2 * on.pitch + 240), at(on.work, 2 * on.pitch + 272)
    sums_loop(on, g, first, last, normal)
    unit, high = g.width * g.width * g.width / max(g.height, 1e-300), max(g.height, 1e-300)
    unknown = prior * unit * unit
    normal[21] = normal[21] + unknown
    inverse_loop(normal, inverse)
    t, q, s, a = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for k in range(0, on.pitch, 8):
        dx, across = load(on.iota, k) + (float(on.left) - g.x), load(on.work, k)
        square = dx * dx
        for r in range(first, last):
            dy = float(on.top + r) - g.y
            m = load(on.there, r * on.pitch + k)
            # The influence of a pixel on each parameter is a row of the inverse times its derivatives.
            e = across * on.work[on.pitch + r] * m
            u, v, w = e * dx, e * dy, e * (square + dy * dy)
            gx = u * inverse[0] + v * inverse[1] + e * inverse[2] + w * inverse[3] + inverse[4]
            gy = u * inverse[5] + v * inverse[6] + e * inverse[7] + w * inverse[8] + inverse[9]
            ge = u * inverse[10] + v * inverse[11] + e * inverse[12] + w * inverse[13] + inverse[14]
            gw = u * inverse[15] + v * inverse[16] + e * inverse[17] + w * inverse[18] + inverse[19]
            gn = u * inverse[20] + v * inverse[21] + e * inverse[22] + w * inverse[23] + inverse[24]
            gx2, gy2 = gx * gx, gy * gy
            lever = (gx2 + gy2) * m
            a += (gx2 - gy2) * m
            # 1 less the hat matrix' diagonal: the share of its noise that a residual keeps (HC2).
            free = 1.0 - (gx * u + gy * v + ge * e + gw * w + gn)
            rest = load(on.values, r * on.pitch + k) - g.background - e * g.height
            t += lever
            more = lever / where(free > LEAST_FREE, free, LEAST_FREE)
            q += lever * more
            s += more * (rest * rest)
    sums = at(on.work, 2 * on.pitch)
    store(sums, 0, t)
    store(sums, 8, q)
    store(sums, 16, s)
    store(sums, 24, a)
    summed(sums, 4, out)
    # Units: derivatives were those of the bell, so variances of places are divided by the slope's square.
    slope, total = g.height / (g.width * g.width), out[0]
    unknown_x, unknown_y = inverse[3] * inverse[3] * unknown, inverse[8] * inverse[8] * unknown
    every, wide = max(total, 1e-300) + unknown_x + unknown_y, g.width * g.width * 2.0
    # The variance of height - 2 width^2 q, q the bell's r^2 coefficient: that of the slope by the slope.
    chance = inverse[12] - wide * (inverse[13] + inverse[17]) + wide * wide * inverse[18]
    out[6] = (out[3] + unknown_x - unknown_y) / every
    out[3] = out[2] / max(total, 1e-300)
    out[2] = total * total / max(out[1], 1e-300)
    out[0], out[1] = every * 0.5 / (slope * slope) * (1.0 + chance * noise / (high * high)), total
    return 0
