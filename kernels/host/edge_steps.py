"""Blobs at the picture's edge: a least-squares fit of the pixels that exist, of eight blobs, a lane each.

There the weighted centroid, whose missing pixels the model fills, creeps towards the same place. A blob's model is a
product of two bells, and what exists of its window a rectangle: all sums of products of its derivatives are products of
sums along the axes, and only what the pixels themselves say has to be summed over the window.
"""

from __future__ import annotations

from kernels.host.centroid_loops import NARROW, WIDE
from kernels.host.edge_fit import DAMPING, FIT_STEPS, FITTED
from kernels.host.lane_loops import (
    AMPLITUDE,
    COVER,
    GROUND,
    LEVEL,
    OPEN,
    SCALE,
    SPREAD,
    X,
    Y,
    bells,
)  # fmt: skip
from kernels.host.loops import F64, at, eight, loop, put, vec, where

COUNT, E0, E1, E2, F0, F1, F2, F3, F4 = range(0, 72, 8)


@loop
def axis_eight(w0: F64, w1: F64, w2: F64, cover: F64, place: F64, size: int, out: F64) -> int:
    """A bell along an axis, 0 where there is no picture, times the offset (w1) and its square (w2); into `out` the sums
    of what is there, of the three, and of the squares of the bell times the powers of the offset, up to the fourth."""
    u, half = vec(place, 0), size // 2
    n, e0, e1, e2 = eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    f0, f1, f2, f3, f4 = eight(0.0), eight(0.0), eight(0.0), eight(0.0), eight(0.0)
    for k in range(size):
        m, d = vec(cover, 8 * k), float(k - half) - u
        w = vec(w0, 8 * k) * m
        x = w * d
        xx = x * d
        put(w0, 8 * k, w)
        put(w1, 8 * k, x)
        put(w2, 8 * k, xx)
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
def gram_eight(sx: F64, sy: F64, out: F64) -> int:
    """Sums, over what is there, of products of the bell times the offset in x, in y, the bell, that times the square of
    the distance, and 1, of what `axis_eight` gives of the axes: the upper halves of rows of six."""
    put(out, 0, vec(sx, F2) * vec(sy, F0))
    put(out, 8, vec(sx, F1) * vec(sy, F1))
    put(out, 16, vec(sx, F1) * vec(sy, F0))
    put(out, 24, vec(sx, F3) * vec(sy, F0) + vec(sx, F1) * vec(sy, F2))
    put(out, 32, vec(sx, E1) * vec(sy, E0))
    put(out, 56, vec(sx, F0) * vec(sy, F2))
    put(out, 64, vec(sx, F0) * vec(sy, F1))
    put(out, 72, vec(sx, F2) * vec(sy, F1) + vec(sx, F0) * vec(sy, F3))
    put(out, 80, vec(sx, E0) * vec(sy, E1))
    put(out, 112, vec(sx, F0) * vec(sy, F0))
    put(out, 120, vec(out, 0) + vec(out, 56))
    put(out, 128, vec(sx, E0) * vec(sy, E0))
    put(out, 168, vec(sx, F4) * vec(sy, F0) + (vec(sx, F2) * vec(sy, F2)) * 2.0 + vec(sx, F0) * vec(sy, F4))
    put(out, 176, vec(sx, E2) * vec(sy, E0) + vec(sx, E0) * vec(sy, E2))
    put(out, 224, vec(sx, COUNT) * vec(sy, COUNT))
    return 0


@loop
def solve_eight(normal: F64, out: F64) -> int:
    """The damped solutions of eight systems of five equations: symmetric, the upper halves of rows of six."""
    most = eight(0.0)
    for a in range(5):
        d = vec(normal, 56 * a) * DAMPING
        most = where(d > most, d, most)
    for a in range(5):
        d = vec(normal, 56 * a)
        put(normal, 56 * a, d + (d * DAMPING + most * 1e-9 + 1e-30))
    for a in range(5):
        one = 1.0 / vec(normal, 56 * a)
        for b in range(a + 1, 5):
            factor = vec(normal, 48 * a + 8 * b) * one
            for k in range(b, 6):
                put(normal, 48 * b + 8 * k, vec(normal, 48 * b + 8 * k) - factor * vec(normal, 48 * a + 8 * k))
    for k in range(5):
        a = 4 - k
        value = eight(0.0) + vec(normal, 48 * a + 40)
        for b in range(a + 1, 5):
            value = value - vec(normal, 48 * a + 8 * b) * vec(out, 8 * b)
        put(out, 8 * a, value / vec(normal, 56 * a))
    return 0


@loop
def fit_eight(values: F64, size: int, pitch: int, sigma: float, lane: F64, work: F64) -> int:
    """Damped Gauss-Newton (Levenberg) steps of centre, amplitude, width and background of the OPEN lanes. GROUND is
    how far the background is above the ring's level; LEVEL becomes both.

    `values`: above LEVEL, 0 where there is no picture. `work`: 24 numbers, six rows and 528 numbers.
    """
    row, limit = 8 * pitch, 0.5 * sigma
    across, down = at(lane, COVER), at(lane, COVER + row)
    w0, w1, w2 = at(work, 24), at(work, 24 + row), at(work, 24 + 2 * row)
    z0, z1, z2 = at(work, 24 + 3 * row), at(work, 24 + 4 * row), at(work, 24 + 5 * row)
    sx, sy = at(work, 24 + 6 * row), at(work, 96 + 6 * row)
    normal, found = at(work, 168 + 6 * row), at(work, 408 + 6 * row)
    scales, told = at(work, 448 + 6 * row), at(work, 488 + 6 * row)
    every, ground = eight(0.0), eight(0.0) + vec(lane, GROUND)
    for r in range(size):
        s0 = eight(0.0)
        for c in range(0, 8 * size, 8):
            s0 += vec(values, 8 * r * pitch + c)
        every += s0
    for _ in range(FIT_STEPS):
        px, py = eight(0.0) + vec(lane, X), eight(0.0) + vec(lane, Y)
        height, spread = eight(0.0) + vec(lane, AMPLITUDE), eight(0.0) + vec(lane, SPREAD)
        put(lane, SCALE, 0.5 / (spread * spread))
        bells(w0, size // 2, at(lane, X), at(lane, SCALE), work)
        bells(z0, size // 2, at(lane, Y), at(lane, SCALE), work)
        axis_eight(w0, w1, w2, across, at(lane, X), size, sx)
        axis_eight(z0, z1, z2, down, at(lane, Y), size, sy)
        ps, pu, pv, pq = eight(0.0), eight(0.0), eight(0.0), eight(0.0)
        for r in range(size):
            s0, s1, s2 = eight(0.0), eight(0.0), eight(0.0)
            line = 8 * r * pitch
            for c in range(0, 8 * size, 8):
                a = vec(values, line + c)
                s0 += a * vec(w0, c)
                s1 += a * vec(w1, c)
                s2 += a * vec(w2, c)
            w = vec(z0, 8 * r)
            ps += s0 * w
            pu += s1 * w
            pv += s0 * vec(z1, 8 * r)
            pq += s2 * w + s0 * vec(z2, 8 * r)
        gram_eight(sx, sy, normal)
        slope = height / (spread * spread)
        put(scales, 0, slope)
        put(scales, 8, slope)
        put(scales, 16, eight(1.0))
        put(scales, 24, slope / spread)
        put(scales, 32, eight(1.0))
        put(told, 0, pu)
        put(told, 8, pv)
        put(told, 16, ps)
        put(told, 24, pq)
        put(told, 32, every)
        for i in range(5):
            rest = vec(told, 8 * i) - ground * vec(normal, 48 * i + 32)
            rest = rest - height * vec(normal, 8 * min(6 * i + 2, 12 + i))
            put(told, 8 * i, rest * vec(scales, 8 * i))
        for i in range(5):
            for j in range(i, 5):
                put(normal, 48 * i + 8 * j, vec(normal, 48 * i + 8 * j) * (vec(scales, 8 * i) * vec(scales, 8 * j)))
            put(normal, 48 * i + 40, vec(told, 8 * i))
        solve_eight(normal, found)
        was = vec(lane, OPEN) > 0.0
        mx, my = vec(found, 0), vec(found, 8)
        mx = where(mx > -limit, mx, -limit)
        my = where(my > -limit, my, -limit)
        mx = where(mx < limit, mx, limit)
        my = where(my < limit, my, limit)
        put(lane, X, where(was, px + mx, px))
        put(lane, Y, where(was, py + my, py))
        lit = height + vec(found, 16)
        put(lane, AMPLITUDE, where(was, where(lit > 0.0, lit, 0.0), height))
        wide = spread + vec(found, 24)
        wide = where(wide > sigma * NARROW, wide, sigma * NARROW)
        put(lane, SPREAD, where(was, where(wide < sigma * WIDE, wide, sigma * WIDE), spread))
        ground = where(was, ground + vec(found, 32), ground)
        far = where(abs(mx) > abs(my), abs(mx), abs(my))
        still = where(far < FITTED, where(height > 0.0, 0.0, 1.0), 1.0)  # without light there is no slope
        put(lane, OPEN, where(was, still, 0.0))
        more = 0.0
        for k in range(8):
            more += lane[OPEN + k]
        if not more > 0.0:
            break
    put(lane, GROUND, ground)
    put(lane, LEVEL, vec(lane, LEVEL) + ground)
    return 0
