"""A blob's row: what its errors follow from."""

from __future__ import annotations

from kernels.centroids.centroid_loops import HIGH_PART, LOW_PART, OBLIQUE, SETTLED
from kernels.centroids.structs import Blobs, Gaussian, Method, Window, Windows
from kernels.ir.table import COLUMNS
from kernels.loops.exponential import bell
from kernels.loops.language import F64, at, load, loop, rint, splat, sqrt, store, where
from kernels.regions.shot_noise_loops import variance_of
from kernels.regions.tile_loops import summed

NEVER, ALWAYS, CHOSEN = 0, 1, 2
ROOMY = 3  # px, the least radius of a window with gradients enough for radial symmetry
NEXT, SECOND = 0.8, 0.2  # of the differences of next and second neighbours: what makes a slope of them, at rims, too
ROUGH = 0.04  # the square of what such a slope is wrong by, by its own
BELL, TABLE = 0.98, 0.91  # light by that of the bell that fits: of a blob that shows the ground beneath, and none of it
TOP = 1.15  # height of the bell that fits a flat disc by the disc's
GUESS = 0.35  # how far that may be wrong: share of the ground's slope that shows beneath a blob
SLIMMEST = 0.6  # squared ratio of what is oblong and what is round, beyond which noise would move a centre any distance
STILL = 0.5  # of a centroid's anisotropy: what radial symmetry lacks in even noise; in a blob's own shot noise nothing
ROUND = 0.14  # half the difference, by the mean, of what the weights leave of an offset along a blob and across it,
# from which on the blob is not round: lines along its gradients miss its centre, if it is bright by more than its noise
NOTED = 16  # where a blob's NOISES are behind its sums, or its columns
BRIGHT, LEAST, SMALL = 30.0, 1.1, 1.7  # peak over noise from which, px of width within which radial symmetry is better


@loop
def summary(i: int, on: Window, whole: int, x: float, y: float, amplitude: F64, spread: F64, background: float,
            sigma: float) -> int:  # fmt: skip
    """Into `out`: mass, peak, and sums of the lever w^2 r^2: of all pixels, of those that are there, of its square, and
    with the square of what the odd part of the residuals is.

    Only the odd part moves a centre. A blob that is no Gaussian but symmetric leaves an even residual: no noise.
    """
    narrow, scale = 0.5 / (spread[i] * spread[i]), 0.5 / (sigma * sigma)
    bell(on.work, on.iota, on.left, x, narrow, on.pitch)
    bell(at(on.work, on.pitch), on.iota, on.top, y, narrow, on.pitch)
    bell(at(on.work, 2 * on.pitch), on.iota, on.left, x, scale, on.pitch)
    bell(at(on.work, 3 * on.pitch), on.iota, on.top, y, scale, on.pitch)
    m, a, t, s, high = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for k in range(0, on.pitch, 8):
        dx = load(on.iota, k) + (float(on.left) - x)
        dx = dx * dx
        wx = load(on.work, 2 * on.pitch + k)
        wx = wx * wx * load(on.inner, k)
        own_x = load(on.work, k)
        for r in range(on.size):
            here = r * on.pitch + k
            own = own_x * (amplitude[i] * on.work[on.pitch + r])
            v = load(on.values, here) - background
            dy = float(on.top + r) - y
            one = on.work[3 * on.pitch + r]
            # The variance of a weighted centroid in noise of variance v is v sum(w^2 d^2) / (sum of w light)^2: the
            # lever w^2 r^2 is that of both axes together.
            lever = wx * (one * one) * (dx + dy * dy)
            a += lever
            if not whole:
                v = where(load(on.there, here) > 0.0, v, own)
                lever = lever * load(on.there, here)
            t += lever
            s += lever * lever
            light = v * load(on.core, here)
            m += light
            high = where(light > high, light, high)
            store(on.mask, here, v - own)
            store(on.clear, here, lever)
    # Four sums of eight lanes each are added up together; the peak is a maximum, not a sum.
    store(on.work, 0, m)
    store(on.work, 8, a)
    store(on.work, 16, t)
    store(on.work, 24, s)
    store(on.work, 32, high)
    summed(on.work, 4, on.out)
    mass, all_, total, sharp, peak = on.out[0], on.out[1], on.out[2], on.out[3], 0.0
    for k in range(32, 40):
        peak = max(peak, on.work[k])
    far = 3.0 * sigma
    # Twice the middle in whole numbers: pixel p and its mirror image m - p, about the nearest half pixel.
    # c1 and r1 are the mirror images of c0 and r0: the last column and row that have a partner within 3 sigma.
    m_r, m_c = int(rint(2.0 * (y - float(on.top)))), int(rint(2.0 * (x - float(on.left))))
    c0 = max(max(0, m_c - on.size + 1), int(rint(0.5 * float(m_c) - far)))
    r0 = max(max(0, m_r - on.size + 1), int(rint(0.5 * float(m_r) - far)))
    last, odd = m_r * on.pitch + m_c, 0.0
    c1, r1 = m_c - c0, m_r - r0
    # What is even about the blob's middle is not quite so about the half pixel beside it:
    # `error_sums_simd.summed_lanes`.
    du, dv = 0.5 * (x - float(on.left) - 0.5 * float(m_c)), 0.5 * (y - float(on.top) - 0.5 * float(m_r))
    # p < q visits each pair of mirrored pixels once.
    for r in range(r0, m_r // 2 + 1):
        for c in range(c0, m_c - c0 + 1):
            p = r * on.pitch + c
            q = last - p
            if p < q:
                # Half the difference of a pair is the odd part; `tilt` is what the even part's slope adds to it between
                # the half pixel and the true centre.
                half = 0.5 * (on.mask[p] - on.mask[q])
                n, k = p - c + min(c + 1, c1), p - c + max(c - 1, c0)
                tilt = NEXT * du * ((on.mask[n] + on.mask[last - n]) - (on.mask[k] + on.mask[last - k]))
                n, k = p - c + min(c + 2, c1), p - c + max(c - 2, c0)
                tilt -= SECOND * du * ((on.mask[n] + on.mask[last - n]) - (on.mask[k] + on.mask[last - k]))
                n, k = min(r + 1, r1) * on.pitch + c, max(r - 1, r0) * on.pitch + c
                tilt += NEXT * dv * ((on.mask[n] + on.mask[last - n]) - (on.mask[k] + on.mask[last - k]))
                n, k = min(r + 2, r1) * on.pitch + c, max(r - 2, r0) * on.pitch + c
                tilt -= SECOND * dv * ((on.mask[n] + on.mask[last - n]) - (on.mask[k] + on.mask[last - k]))
                half += tilt
                odd += (on.clear[p] + on.clear[q]) * (half * half - tilt * tilt * ROUGH)
    on.out[0], on.out[1], on.out[2], on.out[3], on.out[4], on.out[5] = mass, peak, all_, total, sharp, max(odd, 0.0)
    return 0


@loop
def row_of(i: int, b: Blobs, g: Gaussian, w: Windows, how: Method, lost: int, fitted: int, noise: float,
           sums: F64) -> int:  # fmt: skip
    """The row of blob i; behind the `sums` the variance of a pixel, and that of the ground's pixels, and NOISES.

    Args:
        fitted: mass and peak of the `sums` are followed by what `errors_loop` gives.
        level: of the ground; below 0 where the light is its negative (`dark`).
        noise: variance of the ground's pixels.
    """
    o = COLUMNS * i
    mass, whole, total, sharp, odd = sums[0], sums[2], sums[3], sums[4], sums[5]
    square = g.width * g.width
    b.rows[o + 2], b.rows[o + 3] = mass, sums[1]
    sums[6] = -1.0
    b.rows[o + 4] = 4.355172180607204 * square  # pi 2 ln 2
    b.rows[o + 5], b.rows[o + 6], b.rows[o + 7] = square, 0.0, square
    b.rows[o + 10], b.rows[o + 11] = how.nothing, how.nothing
    if lost or not (mass > 0.0 and g.height > 0.0 and total > 0.0):
        b.rows[o], b.rows[o + 1], b.rows[o + 8], b.rows[o + 9] = b.start[i], b.start[b.count + i], how.nothing, 0.0
        return 0
    # (sum of weights)^2 / sum of squares is the effective number of pixels (Kish 1965).
    free = total * total / max(sharp, 1e-300)  # pixels that matter; four of them are spent on the fit
    residual, free = 2.0 * odd / max(total, 1e-300) * free / max(free - 4.0, 1.0), max(0.5 * free - 2.0, 1.0)
    part = square / (square + w.sigma * w.sigma)
    light = g.height * 6.283185307179586 * (w.sigma * w.sigma) * part * (1.0 - part)
    if g.background < 0.0 and g.height <= -g.background:
        # Where a dark blob hides the light it hides its shot noise: as far as it does where the centre comes from.
        core = 2.0 * square / (2.0 * square + w.sigma * w.sigma)
        noise = noise * (1.0 + core * core * (g.height / g.background))
    if fitted:
        residual, free = odd, max(sharp, 1.0)
    pixel = variance_of(max(noise, how.grain), residual, free)
    sums[6], sums[7] = pixel, max(noise, how.grain)
    core = 2.0 * square / (2.0 * square + w.sigma * w.sigma)
    sums[NOTED], sums[NOTED + 1], sums[NOTED + 2], sums[NOTED + 3] = residual, free, sums[7], g.height * core * core
    sums[NOTED + 4] = 0.0
    ratio = whole / light
    # The lever sums of all pixels, by what a unit move of the centre changes: see `rows_simd.rows_lanes`.
    error, uneven = sqrt(0.5 * pixel / total * ratio * ratio), 0.0
    if fitted:
        both, most = pixel * whole, float(w.radius * w.radius)
        vx, vy = both * (1.0 + sums[8]), both * (1.0 - sums[8])
        vx, vy = vx if vx < most else most, vy if vy < most else most  # farther from its start it were lost
        error, uneven = sqrt(0.5 * (vx + vy)), (vx - vy) / max(vx + vy, 1e-300)
    b.rows[o], b.rows[o + 1], b.rows[o + 8], b.rows[o + 9] = g.x, g.y, max(error, SETTLED), uneven
    return 0


@loop
def shape_of(i: int, half: float, xy: float, rest: float, given: float, rows: F64) -> int:
    """(xx - yy) / 2 and xy of a blob, from what the weights, of the variance `given`, leave of an offset.

    Light of the covariance C has under weights of the variance v the covariance M = (1 / C + 1 / v)^-1, and leaves
    1 - M / v. A small change of C changes M by (1 - M / v)^2 of it; two equal things that lie s apart have along their
    line by s^2 / 4 more in C, and in M by (1 - m / v)^2 of that however large it is, m being that of one of them, which
    is that across their line.

    Args:
        half, xy: half the difference of 1 - M / v, and the mixed element of M / v.
        rest: half the trace of 1 - M / v.
    """
    across, o = rest + sqrt(half * half + xy * xy), COLUMNS * i
    scale = given / (across * across)
    rows[o + 10], rows[o + 11] = -(half * scale), xy * scale
    return 0


@loop
def oblong(i: int, half: float, xy: float, spread: float, sigma: float, rows: F64) -> int:
    """sigma and anisotropy of a blob that may be oblong, from those of a round one, and its shape, as in
    `rows_simd.rows_lanes`; returns whether it is none for radial symmetry.

    Args:
        half, xy: as for `shape_of`.
    """
    o, given, square = COLUMNS * i, sigma * sigma, spread * spread
    rest, alike = given / (square + given), rows[o + 8] * rows[o + 8]
    shape_of(i, half, xy, rest, given, rows)
    # What the weights leave of an offset is the matrix R = 1 - M / sigma^2, and a centre is the weighted mean times
    # R^-1: noise that is alike in x and y becomes R^-1 R^-T, an ellipse along a long blob.
    xx = min(max(rest + half, 1.0 - HIGH_PART), 1.0 - LOW_PART)
    yy = min(max(rest - half, 1.0 - HIGH_PART), 1.0 - LOW_PART)
    p, q = 0.5 * (xx - yy), (xy if xy * xy < OBLIQUE * (xx * yy) else 0.0)
    # Noise makes round blobs look oblong by about alike / given: only the part beyond it is believed (a Wiener filter),
    # Bounded so that R stays away from being singular, where noise would move a centre any distance.
    # and no more than SLIMMEST.
    seen = p * p + q * q
    every = rest * rest
    believed, most = seen / (seen + alike * every / given + 1e-300), every * SLIMMEST / max(seen, 1e-300)
    if not believed * believed < most:
        believed = sqrt(most)
    seen = seen * believed * believed
    det = every - seen
    rows[o + 8] = max(sqrt(alike * ((every + seen) * every / (det * det))), SETTLED)
    rows[o + 9] = -2.0 * rest * (p * believed) / (every + seen)
    return int(seen > every * (ROUND * ROUND))


@loop
def chosen(lines: int, alone: int, amplitude: float, spread: float, noise: float, radius: int) -> int:
    """Whether radial symmetry is better for a blob."""
    enough = BRIGHT if spread >= LEAST else 3.0 * BRIGHT
    bright = amplitude * amplitude >= enough * enough * noise
    return int(lines == ALWAYS or (lines == CHOSEN and alone and bright and spread <= SMALL and radius >= ROOMY))
