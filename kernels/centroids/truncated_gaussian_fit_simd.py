"""Blobs at the picture's edge: a least-squares fit of the pixels that exist, of many blobs, a lane each.

There the weighted centroid, whose missing pixels the model fills, creeps towards the same place. A blob's model is a
product of two bells, and what exists of its window a rectangle: all sums of products of its derivatives are products of
sums along the axes, and only what the pixels themselves say has to be summed over the window.

What is left of a faint blob does not tell its width, on which its place depends: the width is expected to be that of
the weights, give or take LIKELY of it, and the fit is the most probable one (a Gaussian prior; Tarantola: Inverse
Problem Theory, 2005, section 3.2), which is the least-squares one where the light tells.
"""

from __future__ import annotations

from kernels.centroids.centroid_loops import NARROW, WIDE
from kernels.centroids.centroid_simd import (
    AMPLITUDE,
    COVER,
    GROUND,
    LEVEL,
    NOISE,
    OPEN,
    SCALE,
    SPREAD,
    X,
    Y,
    bells,
)  # fmt: skip
from kernels.centroids.truncated_gaussian_fit import DAMPING, FIT_STEPS, FITTED, LIKELY
from kernels.loops.language import LANES, at, lane_count, load_row, loop, splat_like, store, where

COUNT, E0, E1, E2, F0, F1, F2, F3, F4 = range(9)


@loop
def axis_lanes(w0: LANES, w1: LANES, w2: LANES, cover: LANES, place: LANES, size: int, out: LANES) -> int:
    """A bell along an axis, 0 where there is no picture, times the offset (w1) and its square (w2); into `out` the sums
    of what is there, of the three, and of the squares of the bell times the powers of the offset, up to the fourth."""
    u, half = load_row(place, 0), size // 2
    n, e0, e1, e2 = splat_like(out, 0.0), splat_like(out, 0.0), splat_like(out, 0.0), splat_like(out, 0.0)
    f0, f1, f2 = splat_like(out, 0.0), splat_like(out, 0.0), splat_like(out, 0.0)
    f3, f4 = splat_like(out, 0.0), splat_like(out, 0.0)
    # m is 1 in the picture and 0 beside it, so that missing columns and rows add nothing to any sum.
    for k in range(size):
        m, d = load_row(cover, k), float(k - half) - u
        w = load_row(w0, k) * m
        x = w * d
        xx = x * d
        store(w0, k, w)
        store(w1, k, x)
        store(w2, k, xx)
        n += m
        e0 += w
        e1 += x
        e2 += xx
        f0 += w * w
        f1 += w * x
        f2 += x * x
        f3 += x * xx
        f4 += xx * xx
    store(out, COUNT, n)
    store(out, E0, e0)
    store(out, E1, e1)
    store(out, E2, e2)
    store(out, F0, f0)
    store(out, F1, f1)
    store(out, F2, f2)
    store(out, F3, f3)
    store(out, F4, f4)
    return 0


@loop
def gram_lanes(sx: LANES, sy: LANES, out: LANES) -> int:
    """Sums, over what is there, of products of the bell times the offset in x, in y, the bell, that times the square of
    the distance, and 1, of what `axis_lanes` gives of the axes: the upper halves of rows of six."""
    # The pixels that exist are a rectangle, so each sum over it is a sum along x times one along y; r^2 = x^2 + y^2
    # makes two or three such products. Entry (a, b) is at 6 a + b, for a <= b alone.
    store(out, 0, load_row(sx, F2) * load_row(sy, F0))
    store(out, 1, load_row(sx, F1) * load_row(sy, F1))
    store(out, 2, load_row(sx, F1) * load_row(sy, F0))
    store(out, 3, load_row(sx, F3) * load_row(sy, F0) + load_row(sx, F1) * load_row(sy, F2))
    store(out, 4, load_row(sx, E1) * load_row(sy, E0))
    store(out, 7, load_row(sx, F0) * load_row(sy, F2))
    store(out, 8, load_row(sx, F0) * load_row(sy, F1))
    store(out, 9, load_row(sx, F2) * load_row(sy, F1) + load_row(sx, F0) * load_row(sy, F3))
    store(out, 10, load_row(sx, E0) * load_row(sy, E1))
    store(out, 14, load_row(sx, F0) * load_row(sy, F0))
    store(out, 15, load_row(out, 0) + load_row(out, 7))
    store(out, 16, load_row(sx, E0) * load_row(sy, E0))
    store(
        out,
        21,
        load_row(sx, F4) * load_row(sy, F0)
        + (load_row(sx, F2) * load_row(sy, F2)) * 2.0
        + load_row(sx, F0) * load_row(sy, F4),
    )
    store(out, 22, load_row(sx, E2) * load_row(sy, E0) + load_row(sx, E0) * load_row(sy, E2))
    store(out, 28, load_row(sx, COUNT) * load_row(sy, COUNT))
    return 0


@loop
def solve_lanes(normal: LANES, out: LANES) -> int:
    """The damped solutions of systems of five equations, a lane each: symmetric, the upper halves of rows of six."""
    # Levenberg's damping: the diagonal is raised by a share of itself, and by a little of the largest entry, so that a
    # parameter of which the pixels say nothing (a diagonal of 0) gets a step of 0 and no division by it.
    most = splat_like(out, 0.0)
    for a in range(5):
        d = load_row(normal, 7 * a) * DAMPING
        most = where(d > most, d, most)
    for a in range(5):
        d = load_row(normal, 7 * a)
        store(normal, 7 * a, d + (d * DAMPING + most * 1e-9 + 1e-30))
    # Gaussian elimination on the upper half, the right side in the sixth column, without pivoting: a symmetric positive
    # definite matrix needs none (Golub, Van Loan: Matrix Computations, 4.2).
    for a in range(5):
        one = 1.0 / load_row(normal, 7 * a)
        for b in range(a + 1, 5):
            factor = load_row(normal, 6 * a + b) * one
            for k in range(b, 6):
                store(normal, 6 * b + k, load_row(normal, 6 * b + k) - factor * load_row(normal, 6 * a + k))
    for k in range(5):
        a = 4 - k
        value = load_row(normal, 6 * a + 5)
        for b in range(a + 1, 5):
            value = value - load_row(normal, 6 * a + b) * load_row(out, 1 * b)
        store(out, 1 * a, value / load_row(normal, 7 * a))
    return 0


@loop
def fit_lanes(values: LANES, size: int, pitch: int, sigma: float, lane: LANES, work: LANES) -> int:
    """Damped Gauss-Newton (Levenberg) steps of centre, amplitude, width and background of the OPEN lanes. GROUND is
    how far the background is above the ring's level; LEVEL becomes both.

    `values`: above LEVEL, 0 where there is no picture. `work`: 5 vectors, six rows and 66 vectors.
    """
    limit = 0.5 * sigma
    across, down = at(lane, COVER), at(lane, COVER + pitch)
    w0, w1, w2 = at(work, 5), at(work, 5 + pitch), at(work, 5 + 2 * pitch)
    z0, z1, z2 = at(work, 5 + 3 * pitch), at(work, 5 + 4 * pitch), at(work, 5 + 5 * pitch)
    sx, sy = at(work, 5 + 6 * pitch), at(work, 14 + 6 * pitch)
    normal, found = at(work, 23 + 6 * pitch), at(work, 53 + 6 * pitch)
    scales, right = at(work, 58 + 6 * pitch), at(work, 63 + 6 * pitch)
    every, ground = splat_like(lane, 0.0), load_row(lane, GROUND)
    prior = load_row(lane, NOISE) * (1.0 / (LIKELY * LIKELY * sigma * sigma))
    for r in range(size):  # the sum of all pixels changes in no step
        s0 = splat_like(lane, 0.0)
        for c in range(size):
            s0 += load_row(values, r * pitch + c)
        every += s0
    for _ in range(FIT_STEPS):
        px, py = load_row(lane, X), load_row(lane, Y)
        height, spread = load_row(lane, AMPLITUDE), load_row(lane, SPREAD)
        store(lane, SCALE, 0.5 / (spread * spread))
        bells(w0, z0, size // 2, at(lane, X), at(lane, SCALE), work)
        axis_lanes(w0, w1, w2, across, at(lane, X), size, sx)
        axis_lanes(z0, z1, z2, down, at(lane, Y), size, sy)
        ps, pu, pv, pq = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
        # The products of pixels with the model's derivatives need a pass over the window: rows first, then down.
        for r in range(size):
            s0, s1, s2 = splat_like(lane, 0.0), splat_like(lane, 0.0), splat_like(lane, 0.0)
            line = r * pitch
            for c in range(size):
                a = load_row(values, line + c)
                s0 += a * load_row(w0, c)
                s1 += a * load_row(w1, c)
                s2 += a * load_row(w2, c)
            w = load_row(z0, r)
            ps += s0 * w
            pu += s1 * w
            pv += s0 * load_row(z1, r)
            pq += s2 * w + s0 * load_row(z2, r)
        gram_lanes(sx, sy, normal)
        # The derivatives of A exp(-r^2 / (2 s^2)) by x, y, A and s are the bell times offsets, 1 and r^2, times these.
        slope = height / (spread * spread)
        store(scales, 0, slope)
        store(scales, 1, slope)
        store(scales, 2, splat_like(lane, 1.0))
        store(scales, 3, slope / spread)
        store(scales, 4, splat_like(lane, 1.0))
        store(right, 0, pu)
        store(right, 1, pv)
        store(right, 2, ps)
        store(right, 3, pq)
        store(right, 4, every)
        # Products with what is left of the pixels: those with the pixels themselves less those with the model, which is
        # a column of the normal matrix (that of the bell, 2; the matrix has its upper half alone).
        # min(6 i + 2, 12 + i) is (i, 2) above the diagonal and (2, i) below it: column 2 of a matrix that has its upper
        # half.
        for i in range(5):
            rest = load_row(right, i) - ground * load_row(normal, 6 * i + 4)
            rest = rest - height * load_row(normal, min(6 * i + 2, 12 + i))
            store(right, i, rest * load_row(scales, i))
        for i in range(5):
            for j in range(i, 5):
                store(normal, 6 * i + j, load_row(normal, 6 * i + j) * (load_row(scales, i) * load_row(scales, j)))
            store(normal, 6 * i + 5, load_row(right, i))
        # The prior of the width is one more observation: sigma, with the variance (LIKELY sigma)^2.
        store(normal, 21, load_row(normal, 21) + prior)
        store(normal, 23, load_row(normal, 23) + prior * (sigma - spread))
        # What follows bounds each step: centre by half the weights, amplitude by 0, width by the range of widths.
        solve_lanes(normal, found)
        # Lanes that have arrived are computed on with the others, and stay as they are.
        was = load_row(lane, OPEN) > 0.0
        mx, my = load_row(found, 0), load_row(found, 1)
        mx = where(mx > -limit, mx, -limit)
        my = where(my > -limit, my, -limit)
        mx = where(mx < limit, mx, limit)
        my = where(my < limit, my, limit)
        store(lane, X, where(was, px + mx, px))
        store(lane, Y, where(was, py + my, py))
        lit = height + load_row(found, 2)
        store(lane, AMPLITUDE, where(was, where(lit > 0.0, lit, 0.0), height))
        wide = spread + load_row(found, 3)
        wide = where(wide > sigma * NARROW, wide, sigma * NARROW)
        store(lane, SPREAD, where(was, where(wide < sigma * WIDE, wide, sigma * WIDE), spread))
        ground = where(was, ground + load_row(found, 4), ground)
        far = where(abs(mx) > abs(my), abs(mx), abs(my))
        still = where(far < FITTED, where(height > 0.0, 0.0, 1.0), 1.0)  # without light there is no slope
        store(lane, OPEN, where(was, still, 0.0))
        more = 0.0
        for k in range(lane_count(lane)):
            more += lane[OPEN, k]
        if not more > 0.0:
            break
    store(lane, GROUND, ground)
    store(lane, LEVEL, load_row(lane, LEVEL) + ground)
    return 0
