"""Blobs at the picture's edge: a least-squares fit of the pixels that exist, of many blobs, a lane each.

There the weighted centroid, whose missing pixels the model fills, creeps towards the same place. A blob's model is a
product of two bells, and what exists of its window a rectangle: all sums of products of its derivatives are products of
sums along the axes, and only what the pixels themselves say has to be summed over the window.

What is left of a faint blob does not tell its width, on which its place depends: the width is expected to be that of
the weights, give or take LIKELY of it, and the fit is the most probable one (a Gaussian prior; Tarantola: Inverse
Problem Theory, 2005, section 3.2), which is the least-squares one where the light tells.
"""

from __future__ import annotations

from kernels.host.centroid_loops import NARROW, WIDE
from kernels.host.edge_fit import DAMPING, FIT_STEPS, FITTED, LIKELY
from kernels.host.lane_loops import (
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
from kernels.host.loops import LANES, at, lanes, like, loop, own, put, where

COUNT, E0, E1, E2, F0, F1, F2, F3, F4 = range(9)


@loop
def axis_lanes(w0: LANES, w1: LANES, w2: LANES, cover: LANES, place: LANES, size: int, out: LANES) -> int:
    """A bell along an axis, 0 where there is no picture, times the offset (w1) and its square (w2); into `out` the sums
    of what is there, of the three, and of the squares of the bell times the powers of the offset, up to the fourth."""
    u, half = own(place, 0), size // 2
    n, e0, e1, e2 = like(out, 0.0), like(out, 0.0), like(out, 0.0), like(out, 0.0)
    f0, f1, f2, f3, f4 = like(out, 0.0), like(out, 0.0), like(out, 0.0), like(out, 0.0), like(out, 0.0)
    for k in range(size):
        m, d = own(cover, k), float(k - half) - u
        w = own(w0, k) * m
        x = w * d
        xx = x * d
        put(w0, k, w)
        put(w1, k, x)
        put(w2, k, xx)
        n += m
        e0 += w
        e1 += x
        e2 += xx
        f0 += w * w
        f1 += w * x
        f2 += x * x
        f3 += x * xx
        f4 += xx * xx
    put(out, COUNT, n)
    put(out, E0, e0)
    put(out, E1, e1)
    put(out, E2, e2)
    put(out, F0, f0)
    put(out, F1, f1)
    put(out, F2, f2)
    put(out, F3, f3)
    put(out, F4, f4)
    return 0


@loop
def gram_lanes(sx: LANES, sy: LANES, out: LANES) -> int:
    """Sums, over what is there, of products of the bell times the offset in x, in y, the bell, that times the square of
    the distance, and 1, of what `axis_lanes` gives of the axes: the upper halves of rows of six."""
    put(out, 0, own(sx, F2) * own(sy, F0))
    put(out, 1, own(sx, F1) * own(sy, F1))
    put(out, 2, own(sx, F1) * own(sy, F0))
    put(out, 3, own(sx, F3) * own(sy, F0) + own(sx, F1) * own(sy, F2))
    put(out, 4, own(sx, E1) * own(sy, E0))
    put(out, 7, own(sx, F0) * own(sy, F2))
    put(out, 8, own(sx, F0) * own(sy, F1))
    put(out, 9, own(sx, F2) * own(sy, F1) + own(sx, F0) * own(sy, F3))
    put(out, 10, own(sx, E0) * own(sy, E1))
    put(out, 14, own(sx, F0) * own(sy, F0))
    put(out, 15, own(out, 0) + own(out, 7))
    put(out, 16, own(sx, E0) * own(sy, E0))
    put(out, 21, own(sx, F4) * own(sy, F0) + (own(sx, F2) * own(sy, F2)) * 2.0 + own(sx, F0) * own(sy, F4))
    put(out, 22, own(sx, E2) * own(sy, E0) + own(sx, E0) * own(sy, E2))
    put(out, 28, own(sx, COUNT) * own(sy, COUNT))
    return 0


@loop
def solve_lanes(normal: LANES, out: LANES) -> int:
    """The damped solutions of systems of five equations, a lane each: symmetric, the upper halves of rows of six."""
    most = like(out, 0.0)
    for a in range(5):
        d = own(normal, 7 * a) * DAMPING
        most = where(d > most, d, most)
    for a in range(5):
        d = own(normal, 7 * a)
        put(normal, 7 * a, d + (d * DAMPING + most * 1e-9 + 1e-30))
    for a in range(5):
        one = 1.0 / own(normal, 7 * a)
        for b in range(a + 1, 5):
            factor = own(normal, 6 * a + b) * one
            for k in range(b, 6):
                put(normal, 6 * b + k, own(normal, 6 * b + k) - factor * own(normal, 6 * a + k))
    for k in range(5):
        a = 4 - k
        value = own(normal, 6 * a + 5)
        for b in range(a + 1, 5):
            value = value - own(normal, 6 * a + b) * own(out, 1 * b)
        put(out, 1 * a, value / own(normal, 7 * a))
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
    scales, told = at(work, 58 + 6 * pitch), at(work, 63 + 6 * pitch)
    every, ground = like(lane, 0.0), own(lane, GROUND)
    prior = own(lane, NOISE) * (1.0 / (LIKELY * LIKELY * sigma * sigma))
    for r in range(size):
        s0 = like(lane, 0.0)
        for c in range(size):
            s0 += own(values, r * pitch + c)
        every += s0
    for _ in range(FIT_STEPS):
        px, py = own(lane, X), own(lane, Y)
        height, spread = own(lane, AMPLITUDE), own(lane, SPREAD)
        put(lane, SCALE, 0.5 / (spread * spread))
        bells(w0, z0, size // 2, at(lane, X), at(lane, SCALE), work)
        axis_lanes(w0, w1, w2, across, at(lane, X), size, sx)
        axis_lanes(z0, z1, z2, down, at(lane, Y), size, sy)
        ps, pu, pv, pq = like(lane, 0.0), like(lane, 0.0), like(lane, 0.0), like(lane, 0.0)
        for r in range(size):
            s0, s1, s2 = like(lane, 0.0), like(lane, 0.0), like(lane, 0.0)
            line = r * pitch
            for c in range(size):
                a = own(values, line + c)
                s0 += a * own(w0, c)
                s1 += a * own(w1, c)
                s2 += a * own(w2, c)
            w = own(z0, r)
            ps += s0 * w
            pu += s1 * w
            pv += s0 * own(z1, r)
            pq += s2 * w + s0 * own(z2, r)
        gram_lanes(sx, sy, normal)
        slope = height / (spread * spread)
        put(scales, 0, slope)
        put(scales, 1, slope)
        put(scales, 2, like(lane, 1.0))
        put(scales, 3, slope / spread)
        put(scales, 4, like(lane, 1.0))
        put(told, 0, pu)
        put(told, 1, pv)
        put(told, 2, ps)
        put(told, 3, pq)
        put(told, 4, every)
        for i in range(5):
            rest = own(told, i) - ground * own(normal, 6 * i + 4)
            rest = rest - height * own(normal, min(6 * i + 2, 12 + i))
            put(told, i, rest * own(scales, i))
        for i in range(5):
            for j in range(i, 5):
                put(normal, 6 * i + j, own(normal, 6 * i + j) * (own(scales, i) * own(scales, j)))
            put(normal, 6 * i + 5, own(told, i))
        put(normal, 21, own(normal, 21) + prior)
        put(normal, 23, own(normal, 23) + prior * (sigma - spread))
        solve_lanes(normal, found)
        was = own(lane, OPEN) > 0.0
        mx, my = own(found, 0), own(found, 1)
        mx = where(mx > -limit, mx, -limit)
        my = where(my > -limit, my, -limit)
        mx = where(mx < limit, mx, limit)
        my = where(my < limit, my, limit)
        put(lane, X, where(was, px + mx, px))
        put(lane, Y, where(was, py + my, py))
        lit = height + own(found, 2)
        put(lane, AMPLITUDE, where(was, where(lit > 0.0, lit, 0.0), height))
        wide = spread + own(found, 3)
        wide = where(wide > sigma * NARROW, wide, sigma * NARROW)
        put(lane, SPREAD, where(was, where(wide < sigma * WIDE, wide, sigma * WIDE), spread))
        ground = where(was, ground + own(found, 4), ground)
        far = where(abs(mx) > abs(my), abs(mx), abs(my))
        still = where(far < FITTED, where(height > 0.0, 0.0, 1.0), 1.0)  # without light there is no slope
        put(lane, OPEN, where(was, still, 0.0))
        more = 0.0
        for k in range(lanes(lane)):
            more += lane[OPEN, k]
        if not more > 0.0:
            break
    put(lane, GROUND, ground)
    put(lane, LEVEL, own(lane, LEVEL) + ground)
    return 0
