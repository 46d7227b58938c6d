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
    MIDDLE_X,
    MIDDLE_Y,
    OPEN,
    SCALE,
    SPREAD,
    U,
    V,
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

    `values`: above LEVEL, 0 where there is no picture. `work`: 24 numbers, six rows and 424 numbers.
    """
    row, limit = 8 * pitch, 0.5 * sigma
    across, down = at(lane, COVER), at(lane, COVER + row)
    w0, w1, w2 = at(work, 24), at(work, 24 + row), at(work, 24 + 2 * row)
    z0, z1, z2 = at(work, 24 + 3 * row), at(work, 24 + 4 * row), at(work, 24 + 5 * row)
    sx, sy = at(work, 24 + 6 * row), at(work, 96 + 6 * row)
    normal, found = at(work, 168 + 6 * row), at(work, 408 + 6 * row)
    every, ground = eight(0.0), eight(0.0) + vec(lane, GROUND)
    for r in range(size):
        s0 = eight(0.0)
        for c in range(0, 8 * size, 8):
            s0 += vec(values, 8 * r * pitch + c)
        every += s0
    for _ in range(FIT_STEPS):
        px, py = eight(0.0) + vec(lane, X), eight(0.0) + vec(lane, Y)
        height, spread = eight(0.0) + vec(lane, AMPLITUDE), eight(0.0) + vec(lane, SPREAD)
        put(lane, U, px - vec(lane, MIDDLE_X))
        put(lane, V, py - vec(lane, MIDDLE_Y))
        put(lane, SCALE, 0.5 / (spread * spread))
        bells(w0, size // 2, at(lane, U), at(lane, SCALE), work)
        bells(z0, size // 2, at(lane, V), at(lane, SCALE), work)
        axis_eight(w0, w1, w2, across, at(lane, U), size, sx)
        axis_eight(z0, z1, z2, down, at(lane, V), size, sy)
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
        # s is the bell, u and v that times the offsets, q times the square of the distance.
        n_, s_ = vec(sx, COUNT) * vec(sy, COUNT), vec(sx, E0) * vec(sy, E0)
        u_, v_ = vec(sx, E1) * vec(sy, E0), vec(sx, E0) * vec(sy, E1)
        q_ = vec(sx, E2) * vec(sy, E0) + vec(sx, E0) * vec(sy, E2)
        ss, us, vs = vec(sx, F0) * vec(sy, F0), vec(sx, F1) * vec(sy, F0), vec(sx, F0) * vec(sy, F1)
        uu, uv, vv = vec(sx, F2) * vec(sy, F0), vec(sx, F1) * vec(sy, F1), vec(sx, F0) * vec(sy, F2)
        qs = uu + vv
        uq = vec(sx, F3) * vec(sy, F0) + vec(sx, F1) * vec(sy, F2)
        vq = vec(sx, F2) * vec(sy, F1) + vec(sx, F0) * vec(sy, F3)
        qq = vec(sx, F4) * vec(sy, F0) + (vec(sx, F2) * vec(sy, F2)) * 2.0 + vec(sx, F0) * vec(sy, F4)
        slope = height / (spread * spread)
        wider = slope / spread
        put(normal, 0, uu * (slope * slope))
        put(normal, 8, uv * (slope * slope))
        put(normal, 16, us * slope)
        put(normal, 24, uq * (slope * wider))
        put(normal, 32, u_ * slope)
        put(normal, 40, (pu - ground * u_ - height * us) * slope)
        put(normal, 56, vv * (slope * slope))
        put(normal, 64, vs * slope)
        put(normal, 72, vq * (slope * wider))
        put(normal, 80, v_ * slope)
        put(normal, 88, (pv - ground * v_ - height * vs) * slope)
        put(normal, 112, ss)
        put(normal, 120, qs * wider)
        put(normal, 128, s_)
        put(normal, 136, ps - ground * s_ - height * ss)
        put(normal, 168, qq * (wider * wider))
        put(normal, 176, q_ * wider)
        put(normal, 184, (pq - ground * q_ - height * qs) * wider)
        put(normal, 224, n_)
        put(normal, 232, every - ground * n_ - height * s_)
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
