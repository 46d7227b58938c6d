"""A step of the iterated Gaussian-weighted centroid as a loop."""

from __future__ import annotations

from kernels.host.bell_loops import bell
from kernels.host.loops import F64, at, eight, loop, put, sqrt, vec

TWO_PI = 6.283185307179586
SETTLED = 2e-4  # px; a centre that moves less has arrived
WIDTHS = (0.5, 2.0)  # range of a blob's width, in units of sigma
NARROW, WIDE = WIDTHS
ARRIVED = 0.01  # px; a step by Newton's rule leaves about its square: who moves less is where it belongs
OBLIQUE = 0.75  # share of the product of two axes' rests up to which what mixes them is believed
LOW_PART, HIGH_PART = 1.0 / (1.0 + NARROW**-2), 1.0 / (1.0 + WIDE**-2)


@loop
def moved(i: int, window: F64, left: int, top: int, x: F64, y: F64, sigma: float, size: int, pitch: int, iota: F64,
          work: F64, out: F64) -> int:  # fmt: skip
    """One step of blob i: x, y, amplitude and width into `out`, then half the difference of what the weights leave of
    an offset along x and along y, 1 - M / sigma^2, and the mixed element of M / sigma^2; returns whether it moved.
    `work`: 16 rows."""
    scale = 0.5 / (sigma * sigma)
    bell(work, iota, left, x[i], scale, pitch)
    bell(at(work, pitch), iota, top, y[i], scale, pitch)
    for k in range(0, pitch, 8):
        d = vec(iota, k) + float(top) - y[i]
        w = vec(work, pitch + k)
        put(work, 2 * pitch + k, w * d)
        put(work, 3 * pitch + k, w * d * d)
        d = vec(iota, k) + float(left) - x[i]
        w = vec(work, k)
        put(work, 4 * pitch + k, w * d)
        put(work, 5 * pitch + k, w * d * d)
    for k in range(0, pitch, 8):
        s0, s1, s2 = eight(0.0), eight(0.0), eight(0.0)
        for r in range(size):
            v = vec(window, r * pitch + k)
            s0 += v * work[pitch + r]
            s1 += v * work[2 * pitch + r]
            s2 += v * work[3 * pitch + r]
        w = vec(work, k)
        put(work, 6 * pitch + k, s0 * w)
        put(work, 7 * pitch + k, s0 * vec(work, 4 * pitch + k))
        put(work, 8 * pitch + k, s0 * vec(work, 5 * pitch + k))
        put(work, 9 * pitch + k, s1 * w)
        put(work, 10 * pitch + k, s2 * w)
        put(work, 11 * pitch + k, s1 * vec(work, 4 * pitch + k))
    total, ax, axx, ay, ayy, axy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(size):
        total += work[6 * pitch + c]
        ax += work[7 * pitch + c]
        axx += work[8 * pitch + c]
        ay += work[9 * pitch + c]
        ayy += work[10 * pitch + c]
        axy += work[11 * pitch + c]
    lit = total > 0.0
    safe = total if lit else 1.0
    mx, my = ax / safe, ay / safe
    square = sigma * sigma
    xx, xy, yy = axx / safe - mx * mx, axy / safe - mx * my, ayy / safe - my * my
    part = min(max((xx + yy) * (0.5 / square), LOW_PART), HIGH_PART)
    xx, xy, yy = 1.0 - xx / square, xy / square, 1.0 - yy / square
    out[4], out[5] = 0.5 * (xx - yy), xy
    enough = ARRIVED if min(xx, yy) > 1.0 - HIGH_PART else SETTLED
    xx, yy = min(max(xx, 1.0 - HIGH_PART), 1.0 - LOW_PART), min(max(yy, 1.0 - HIGH_PART), 1.0 - LOW_PART)
    if not xy * xy < OBLIQUE * (xx * yy):
        xy, enough = 0.0, SETTLED
    det, limit = xx * yy - xy * xy, 0.5 * sigma
    sx = min(max((yy * mx + xy * my) / det, -limit), limit)
    sy = min(max((xx * my + xy * mx) / det, -limit), limit)
    out[0] = x[i] + (sx if lit else 0.0)
    out[1] = y[i] + (sy if lit else 0.0)
    out[2] = (total if lit else 0.0) / (TWO_PI * square * part)
    out[3] = sigma * sqrt(part / (1.0 - part)) if lit else sigma
    return 1 if lit and (abs(sx) > enough or abs(sy) > enough) else 0
