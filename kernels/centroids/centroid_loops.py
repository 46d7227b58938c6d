"""A step of the iterated Gaussian-weighted centroid as a loop."""

from __future__ import annotations

from kernels.centroids.structs import Window
from kernels.loops.exponential import bell
from kernels.loops.language import F64, at, load, loop, splat, sqrt, store

TWO_PI = 6.283185307179586
SETTLED = 2e-4  # px; a centre that moves less has arrived
WIDTHS = (0.5, 2.0)  # range of a blob's width, in units of sigma
NARROW, WIDE = WIDTHS
ARRIVED = 0.01  # px; a step by Newton's rule leaves about its square: who moves less is where it belongs
OBLIQUE = 0.75  # share of the product of two axes' rests up to which what mixes them is believed
LOW_PART, HIGH_PART = 1.0 / (1.0 + NARROW**-2), 1.0 / (1.0 + WIDE**-2)


@loop
def moved(i: int, on: Window, x: F64, y: F64, sigma: float) -> int:
    """One step of blob i: x, y, amplitude and width into `out`, then half the difference of what the weights leave of
    an offset along x and along y, 1 - M / sigma^2, and the mixed element of M / sigma^2; returns whether it moved.
    `work`: 16 rows."""
    scale = 0.5 / (sigma * sigma)
    bell(on.work, on.iota, on.left, x[i], scale, on.pitch)
    bell(at(on.work, on.pitch), on.iota, on.top, y[i], scale, on.pitch)
    # Weights times the offset and its square, of rows (2, 3) and of columns (4, 5).
    for k in range(0, on.pitch, 8):
        d = load(on.iota, k) + float(on.top) - y[i]
        w = load(on.work, on.pitch + k)
        store(on.work, 2 * on.pitch + k, w * d)
        store(on.work, 3 * on.pitch + k, w * d * d)
        d = load(on.iota, k) + float(on.left) - x[i]
        w = load(on.work, k)
        store(on.work, 4 * on.pitch + k, w * d)
        store(on.work, 5 * on.pitch + k, w * d * d)
    # Separable: each column is summed down its rows with three weights, then columns are added up once.
    for k in range(0, on.pitch, 8):
        s0, s1, s2 = splat(0.0), splat(0.0), splat(0.0)
        for r in range(on.size):
            v = load(on.clear, r * on.pitch + k)
            s0 += v * on.work[on.pitch + r]
            s1 += v * on.work[2 * on.pitch + r]
            s2 += v * on.work[3 * on.pitch + r]
        w = load(on.work, k)
        store(on.work, 6 * on.pitch + k, s0 * w)
        store(on.work, 7 * on.pitch + k, s0 * load(on.work, 4 * on.pitch + k))
        store(on.work, 8 * on.pitch + k, s0 * load(on.work, 5 * on.pitch + k))
        store(on.work, 9 * on.pitch + k, s1 * w)
        store(on.work, 10 * on.pitch + k, s2 * w)
        store(on.work, 11 * on.pitch + k, s1 * load(on.work, 4 * on.pitch + k))
    # Columns are added one by one in their order, so that bits do not depend on the width of vectors.
    total, ax, axx, ay, ayy, axy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(on.size):
        total += on.work[6 * on.pitch + c]
        ax += on.work[7 * on.pitch + c]
        axx += on.work[8 * on.pitch + c]
        ay += on.work[9 * on.pitch + c]
        ayy += on.work[10 * on.pitch + c]
        axy += on.work[11 * on.pitch + c]
    lit = total > 0.0
    safe = total if lit else 1.0
    mx, my = ax / safe, ay / safe
    square = sigma * sigma
    xx, xy, yy = axx / safe - mx * mx, axy / safe - mx * my, ayy / safe - my * my
    # `part` is the round mean that amplitude and width come from; the axes' own shares solve for the step.
    part = min(max((xx + yy) * (0.5 / square), LOW_PART), HIGH_PART)
    xx, xy, yy = 1.0 - xx / square, xy / square, 1.0 - yy / square
    on.out[4], on.out[5] = 0.5 * (xx - yy), xy
    # An unbounded matrix makes this Newton's step, which leaves about its square (`centroid_simd.settle`).
    enough = ARRIVED if min(xx, yy) > 1.0 - HIGH_PART else SETTLED
    xx, yy = min(max(xx, 1.0 - HIGH_PART), 1.0 - LOW_PART), min(max(yy, 1.0 - HIGH_PART), 1.0 - LOW_PART)
    if not xy * xy < OBLIQUE * (xx * yy):
        xy, enough = 0.0, SETTLED
    det, limit = xx * yy - xy * xy, 0.5 * sigma
    sx = min(max((yy * mx + xy * my) / det, -limit), limit)
    sy = min(max((xx * my + xy * mx) / det, -limit), limit)
    on.out[0] = x[i] + (sx if lit else 0.0)
    on.out[1] = y[i] + (sy if lit else 0.0)
    on.out[2] = (total if lit else 0.0) / (TWO_PI * square * part)
    on.out[3] = sigma * sqrt(part / (1.0 - part)) if lit else sigma
    return 1 if lit and (abs(sx) > enough or abs(sy) > enough) else 0
