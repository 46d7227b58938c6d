"""Answers of windows of which a part is beyond the edge of the picture, by the part that is inside, as loops.

The six products of a whole window (`registration.response.response`) are calibrated for all of its pixels, and say
nothing of a part. So such a window is fitted: the reference, which is known in whole, is moved by the taps of
`registration.windows.taps` to where the window is, and least squares of the pixels inside (gain, displacements, and a
ground for each half) say how much farther it went (Gauss and Newton; Lucas and Kanade, 1981). The picture is not
interpolated, so that no pixel is made up. The halves are quadrants across from each other of what is inside: each loses
as much as the other. What noise the reference has is taken off the normal matrices, as in whole windows, as if it were
white.

By how much the variance of an answer is that of the whole window's is the ratio of what their normal matrices say.
"""

from __future__ import annotations

from kernels.loops.language import EIGHTS, F64, at, floor, load, loop, splat, sqrt, store
from pipelines.trackers.registration.noise.autocovariance_loops import total
from pipelines.trackers.registration.response.batch_estimate_loops import (
    BENT,
    BENT_BY,
    CLEAN,
    DIMMER,
    DX,
    DY,
    HALF,
    NX,
    NY,
    OFF_X,
    OFF_Y,
    PIXEL_SEEN,
    POWER,
    S1,
    SCORE,
    WIDER,
)
from pipelines.trackers.registration.response.calibration_loops import inverse_of
from pipelines.trackers.registration.response.response_estimate_loops import GOOD
from pipelines.trackers.registration.windows.structs import Frame, Subset
from pipelines.trackers.registration.windows.window_loops import taps_of

BASIS, AXES, LEFT = 27, 34, 227  # as `response` lays them out; its tests compare
STEP = 0.25  # px, half of what slopes are differences over
AWAY = 0.75  # px; farther the taps would need more of the reference than there is around a window
STEPS = 2  # fits, each from where the one before ended
MOST = 0.5  # of a pattern's power is taken for noise; where there is more in what is inside, it has no texture
BLIND = 1e12  # times the variance of the whole window's answer: that of what has no texture
# Scratch memory: taps along x, along y, their slopes, taps; what a pixel's noise adds to the products; eight sums of
# each; sums of both halves and of all; normal matrices and their inverses; answers; whether there are maps of the
# reference as it is (1, 0); the variance of the reference's noise. Then maps.
ALONG_X, SLOPE_X, ALONG_Y, SLOPE_Y, TAPS, LOST, EIGHTS_, SUMS, NORMALS, INVERSES, FOUND, READY, OWN_NOISE, MAPS = (
    0, 16, 32, 48, 64, 80, 96, 216, 264, 312, 360, 384, 385, 392)  # fmt: skip
HALF_A, HALF_B, BOTH = 0, 1, 2
OUTSIDE, LOW = 2, 3  # pipelines.features.Reason
# Sums: pixels; products of light, slopes 1 and 2 with each other, with what is seen; of that with itself.
N, FF, F1, F2, S11, S12, S22, FG, G1, G2, GG, SUM = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16


@loop
def taps_at(place: float, table: F64, taps: F64, slopes: F64, work: F64) -> int:
    """Nine taps that interpolate a row of the reference `place` px (-1..1) from its pixels, from the fourth pixel
    before on, and the taps of the derivative of that by -`place`."""
    for k in range(16):
        taps[k], slopes[k] = 0.0, 0.0
    first = floor(place)
    taps_of(place - first, table, work)
    for k in range(8):
        taps[int(first) + 1 + k] = work[k]
    # The slope of the taps by a central difference over 2 STEP.
    for turn in range(2):
        away = STEP if turn == 0 else 0.0 - STEP
        first = floor(place - away)
        taps_of(place - away - first, table, work)
        for k in range(8):
            j = int(first) + 1 + k
            slopes[j] = slopes[j] + work[k] / (2.0 * away)
    return 0


@loop
def read(block: F64, apart: int, pitch: int, rows: int, far: int, taps: F64, out: F64) -> int:
    """rows x pitch weighted sums of nine values, `far` apart, by their taps; rows of `block` are `apart` from each
    other."""
    w0, w1, w2, w3, w4 = splat(taps[0]), splat(taps[1]), splat(taps[2]), splat(taps[3]), splat(taps[4])
    w5, w6, w7, w8 = splat(taps[5]), splat(taps[6]), splat(taps[7]), splat(taps[8])
    for r in range(rows):
        for c in range(0, pitch, 8):
            k = r * apart + c
            s = load(block, k) * w0 + load(block, k + far) * w1
            s = s + load(block, k + 2 * far) * w2
            s = s + load(block, k + 3 * far) * w3
            s = s + load(block, k + 4 * far) * w4
            s = s + load(block, k + 5 * far) * w5
            s = s + load(block, k + 6 * far) * w6
            s = s + load(block, k + 7 * far) * w7
            store(out, r * pitch + c, s + load(block, k + 8 * far) * w8)
    return 0


@loop
def lost_of(constants: F64, work: F64) -> int:
    """What noise of variance 1 in the reference's pixels adds to each pixel's products of light and slopes."""
    a, b, c = 0.0, 0.0, 0.0
    d, e, f = 0.0, 0.0, 0.0
    for k in range(9):
        a += work[ALONG_X + k] * work[ALONG_X + k]
        b += work[ALONG_X + k] * work[SLOPE_X + k]
        c += work[SLOPE_X + k] * work[SLOPE_X + k]
        d += work[ALONG_Y + k] * work[ALONG_Y + k]
        e += work[ALONG_Y + k] * work[SLOPE_Y + k]
        f += work[SLOPE_Y + k] * work[SLOPE_Y + k]
    # Reading is separable, so that noise of variance 1 in the reference makes sums of products of taps: a, b, c along x
    # and d, e, f along y. The slopes are turned into the window's own basis (e1, e2) as in `model`.
    fx, fy, xx, xy, yy = b * d, a * e, c * d, b * e, a * f
    # Products of taps along x and along y: what noise of variance 1 makes of light times light, light times slope, and
    # so on.
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    work[LOST + FF] = a * d
    work[LOST + F1], work[LOST + F2] = e1x * fx + e1y * fy, e2x * fx + e2y * fy
    work[LOST + S11] = e1x * e1x * xx + 2.0 * e1x * e1y * xy + e1y * e1y * yy
    work[LOST + S12] = e1x * e2x * xx + (e1x * e2y + e1y * e2x) * xy + e1y * e2y * yy
    work[LOST + S22] = e2x * e2x * xx + 2.0 * e2x * e2y * xy + e2y * e2y * yy
    return 0


@loop
def model(constants: F64, window: int, pitch: int, x: float, y: float, table: F64, slopes: int, made: F64,
          work: F64) -> int:  # fmt: skip
    """The reference moved by x, y px, into the first map of `made`, and, where `slopes` is 1, its derivatives by motion
    along both directions (BASIS), into the second and the third."""
    high, wide, area = window + 8, pitch + 8, window * pitch
    block, across, steep = at(work, MAPS), at(work, MAPS + high * wide), at(work, MAPS + high * (wide + pitch))
    # The reference is moved by x, so it is read at -x.
    taps_at(0.0 - x, table, at(work, ALONG_X), at(work, SLOPE_X), at(work, TAPS))
    taps_at(0.0 - y, table, at(work, ALONG_Y), at(work, SLOPE_Y), at(work, TAPS))
    read(block, wide, pitch, high, 1, at(work, ALONG_X), across)
    read(across, pitch, pitch, window, pitch, at(work, ALONG_Y), made)
    if slopes == 1:
        read(block, wide, pitch, high, 1, at(work, SLOPE_X), steep)
        read(steep, pitch, pitch, window, pitch, at(work, ALONG_Y), at(made, area))
        read(across, pitch, pitch, window, pitch, at(work, SLOPE_Y), at(made, 2 * area))
        e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
        for k in range(area, 2 * area, 8):
            u, v = load(made, k), load(made, area + k)
            store(made, k, u * e1x + v * e1y)
            store(made, area + k, u * e2x + v * e2y)
    return 0


@loop
def split(window: int, pitch: int, left: int, right: int, top: int, bottom: int, halves: F64) -> int:
    """The masks of both halves of a part of a window (1 or 0), two maps of window x pitch values."""
    area = window * pitch
    for k in range(0, 2 * area, 8):
        store(halves, k, splat(0.0))
    # Twice the place from the middle of the part, so that it is a whole number for even sizes, too.
    for r in range(top, bottom):
        v = 2 * r - (top + bottom - 1)
        # Quadrants across from each other have u v of one sign.
        for c in range(left, right):
            u, k = 2 * c - (left + right - 1), r * pitch + c
            mine = 1 if u * v > 0 else 0
            # Of the axes every other pixel, as in `packing.halves`.
            if v == 0:
                mine = 1 - max(u, 0 - u) // 2 % 2
            elif u == 0:
                mine = max(v, 0 - v) // 2 % 2
            halves[k + (1 - mine) * area] = 1.0
    return 0


@loop
def sums_of(half: F64, made: F64, seen: F64, area: int, out: F64, work: F64) -> int:
    """Sums over the pixels of a half, its means taken off: N to GG."""
    # One pass over the pixels, fifteen vectors of eight sums in registers; sums are by lane, then over the lanes
    # (`total`), an order that does not depend on the processor. The means are taken off at the end: with the middle
    # pixel as origin (`glance`) nothing cancels that matters in double precision.
    n, a0, a1, a2, a3 = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    p0, p1, p2, p3, p4 = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    p5, p6, p7, p8, p9 = splat(0.0), splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for k in range(0, area, 8):
        m, f, s, t, g = load(half, k), load(made, k), load(made, area + k), load(made, 2 * area + k), load(seen, k)
        n += m
        mf, ms, mt, mg = m * f, m * s, m * t, m * g
        a0 += mf
        a1 += ms
        a2 += mt
        a3 += mg
        p0 += mf * f
        p1 += mf * s
        p2 += mf * t
        p3 += ms * s
        p4 += ms * t
        p5 += mt * t
        p6 += mf * g
        p7 += ms * g
        p8 += mt * g
        p9 += mg * g
    store(work, 0, n)
    out[N] = total(work)
    store(work, 0, a0)
    store(work, 8, a1)
    store(work, 16, a2)
    store(work, 24, a3)
    part = 1.0 / max(out[N], 1.0)
    f_, s_, t_, g_ = total(work), total(at(work, 8)), total(at(work, 16)), total(at(work, 24))
    store(work, 32, p0)
    store(work, 40, p1)
    store(work, 48, p2)
    store(work, 56, p3)
    store(work, 64, p4)
    store(work, 72, p5)
    store(work, 80, p6)
    store(work, 88, p7)
    store(work, 96, p8)
    store(work, 104, p9)
    out[FF], out[F1] = total(at(work, 32)) - f_ * f_ * part, total(at(work, 40)) - f_ * s_ * part
    out[F2], out[S11] = total(at(work, 48)) - f_ * t_ * part, total(at(work, 56)) - s_ * s_ * part
    out[S12], out[S22] = total(at(work, 64)) - s_ * t_ * part, total(at(work, 72)) - t_ * t_ * part
    out[FG], out[G1] = total(at(work, 80)) - f_ * g_ * part, total(at(work, 88)) - s_ * g_ * part
    out[G2], out[GG] = total(at(work, 96)) - t_ * g_ * part, total(at(work, 104)) - g_ * g_ * part
    return 0


@loop
def normal(constants: F64, which: int, work: F64) -> int:
    """The inverse normal matrix of one half or of both, the reference's noise taken off; 0 where there is none."""
    sums, gram, lost = at(work, SUMS + SUM * which), at(work, NORMALS + 16 * which), at(work, LOST)
    # The reference is a mean of noisy frames, so that its products with itself are too large by noise (errors in
    # variables). That is taken off the normal matrix, but never more than MOST of any pattern's power: what would be
    # left then is decided by the noise's own scatter.
    # The noise in a sum over n pixels is n times that of one.
    noise = sums[N] * work[OWN_NOISE]
    for k in range(3):
        d = FF if k == 0 else S11 if k == 1 else S22
        if noise * lost[d] > MOST * sums[d] and lost[d] > 0.0 and (k < 2 or constants[AXES] == 2.0):
            noise = max(MOST * sums[d], 0.0) / lost[d]
    gram[0], gram[1], gram[2] = sums[FF] - noise * lost[FF], sums[F1] - noise * lost[F1], sums[F2] - noise * lost[F2]
    gram[4], gram[5] = sums[S11] - noise * lost[S11], sums[S12] - noise * lost[S12]
    gram[8] = sums[S22] - noise * lost[S22]
    gram[3], gram[6], gram[7] = gram[1], gram[2], gram[5]
    inverse = at(work, INVERSES + 16 * which)
    for k in range(9):
        inverse[k] = 0.0
    good = inverse_of(gram, constants[AXES], inverse)
    if not inverse[0] > 0.0 or not inverse[4] > 0.0 or (constants[AXES] == 2.0 and not inverse[8] > 0.0):
        good = 0
    return int(good)


@loop
def solved(constants: F64, which: int, work: F64) -> int:
    """Gain and displacements (FOUND) of one half or of both; 0 where there is no light."""
    sums, found = at(work, SUMS + SUM * which), at(work, FOUND + 8 * which)
    if normal(constants, which, work) == 0:
        return 0
    m = at(work, INVERSES + 16 * which)
    # Gain a, and displacements times the gain: g = a (f + d1 s1 + d2 s2).
    found[0] = m[0] * sums[FG] + m[1] * sums[G1] + m[2] * sums[G2]
    found[1] = m[3] * sums[FG] + m[4] * sums[G1] + m[5] * sums[G2]
    found[2] = m[6] * sums[FG] + m[7] * sums[G1] + m[8] * sums[G2]
    if not found[0] > 0.0:
        return 0
    found[1], found[2] = found[1] / found[0], found[2] / found[0]
    return 1


@loop
def fitted(constants: F64, made: F64, seen: F64, halves: F64, area: int, work: F64) -> int:
    """Sums, gain and displacements of the halves and of both; 0 where there is no light in what is inside."""
    one, other, both = at(work, SUMS), at(work, SUMS + SUM), at(work, SUMS + SUM * BOTH)
    sums_of(halves, made, seen, area, one, at(work, EIGHTS_))
    sums_of(at(halves, area), made, seen, area, other, at(work, EIGHTS_))
    for k in range(GG + 1):
        both[k] = one[k] + other[k]
    return int(solved(constants, BOTH, work))


@loop
def explained(work: F64) -> float:
    """Squares that the answer of both halves explains."""
    sums, found = at(work, SUMS + SUM * BOTH), at(work, FOUND + 8 * BOTH)
    a, b = found[0], found[0] * found[1]
    c = found[0] * found[2]
    square = a * a * sums[FF] + b * b * sums[S11] + c * c * sums[S22]
    square = square + 2.0 * (a * b * sums[F1] + a * c * sums[F2] + b * c * sums[S12])
    return float(2.0 * (a * sums[FG] + b * sums[G1] + c * sums[G2]) - square)


@loop
def glance(f: Frame, s: Subset, x: int, y: int, lane: EIGHTS, work: F64) -> int:
    """The first answer of a window centred at x, y, of which a part is beyond the edge, as the first of eight; 0, or
    why there is none: OUTSIDE where its centre is beyond. -1 where a pixel is no number.

    Args:
        reference: the window and 4 px around it.
        work: MAPS + (window + 8) (3 pitch + 8) + 9 window pitch values, where pitch is the window's side rounded up to
            eights; work[READY] is 0 where the reference is another than before.
    """
    lane[CLEAN, 0] = 0.0
    if x < 0 or y < 0 or x >= f.width or y >= f.height:
        return OUTSIDE
    pitch, half, high = (s.window + 7) // 8 * 8, s.window // 2, s.window + 8
    wide, area = pitch + 8, s.window * pitch
    base = at(work, MAPS + high * (wide + 2 * pitch))
    seen, halves = at(base, 6 * area), at(base, 7 * area)
    # Maps of the reference where it is are the same for all starts of a frame: they are made once.
    if work[READY] == 0.0:
        for k in range(0, high * wide, 8):
            store(work, MAPS + k, splat(0.0))
        for r in range(high):
            for c in range(high):
                work[MAPS + r * wide + c] = s.reference[r * high + c]
        model(s.constants, s.window, pitch, 0.0, 0.0, s.table, 1, base, work)
        work[READY] = 1.0
    # The noise of light and slopes where the reference is not moved.
    taps_at(0.0, s.table, at(work, ALONG_X), at(work, SLOPE_X), at(work, TAPS))
    taps_at(0.0, s.table, at(work, ALONG_Y), at(work, SLOPE_Y), at(work, TAPS))
    lost_of(s.constants, work)
    left, top = max(half - x, 0), max(half - y, 0)
    right, bottom = min(f.width + half - x, s.window), min(f.height + half - y, s.window)
    split(s.window, pitch, left, right, top, bottom, halves)
    for k in range(0, area, 8):
        store(seen, k, splat(0.0))
    middle, power = float(f.images[f.start + y * f.width + x]), 0.0
    for r in range(top, bottom):
        place = f.start + (y - half + r) * f.width + x - half
        for c in range(left, right):
            one = float(f.images[place + c]) - middle
            seen[r * pitch + c] = one
            power += one * one
    # 0 times infinity or NaN is NaN: one comparison for all pixels.
    if power * 0.0 != 0.0:
        return -1
    work[OWN_NOISE] = s.constants[LEFT]
    if fitted(s.constants, base, seen, halves, area, work) == 0:
        return LOW
    one, everything = explained(work), work[SUMS + SUM * BOTH + GG]
    if not everything > 0.0 or not one > 0.0:
        return LOW
    found = at(work, FOUND + 8 * BOTH)
    # Correlation is the root of the explained share of squares, as the model holds gain and ground.
    lane[CLEAN, 0], lane[SCORE, 0] = 1.0, sqrt(min(one / everything, 1.0))
    lane[DX, 0] = found[1] * s.constants[BASIS] + found[2] * s.constants[BASIS + 2]
    lane[DY, 0] = found[1] * s.constants[BASIS + 1] + found[2] * s.constants[BASIS + 3]
    return 0


@loop
def settled(constants: F64, share: float, window: int, table: F64, lane: EIGHTS, work: F64) -> int:
    """From the first answer of the first of eight, which `glance` has just seen, to displacement, noise and score, as
    `batch_estimate_loops.refine`, and WIDER; 0, or LOW. `share`: the reference's of a frame's noise."""
    pitch, high = (window + 7) // 8 * 8, window + 8
    area, axes = window * pitch, constants[AXES]
    base = at(work, MAPS + high * (3 * pitch + 8))
    made, seen, halves = at(base, 3 * area), at(base, 6 * area), at(base, 7 * area)
    e1x, e1y, e2x, e2y = constants[BASIS], constants[BASIS + 1], constants[BASIS + 2], constants[BASIS + 3]
    x, y, found = lane[DX, 0], lane[DY, 0], at(work, FOUND + 8 * BOTH)
    for step in range(STEPS):
        if not max(abs(x), abs(y)) <= AWAY:
            return LOW
        model(constants, window, pitch, x, y, table, 1 if step == 0 else 0, made, work)
        lost_of(constants, work)
        # Slopes of the first model serve both steps: what a second one changes is small.
        if fitted(constants, made, seen, halves, area, work) == 0:
            return LOW
        x, y = x + found[1] * e1x + found[2] * e2x, y + found[1] * e1y + found[2] * e2y
        if constants[LEFT] == 0.0:  # the window has learnt nothing yet
            # What is left of a pixel is V gain (1 + share gain): the frame's shot noise V gain, and gain^2 times the
            # reference's share of V.
            left = max(work[SUMS + SUM * BOTH + GG] - explained(work), 0.0) / work[SUMS + SUM * BOTH + N]
            work[OWN_NOISE] = share * left / (found[0] * (1.0 + share * found[0]))
    if solved(constants, HALF_A, work) == 0 or solved(constants, HALF_B, work) == 0:
        return LOW
    sums, one, other = at(work, SUMS + SUM * BOTH), at(work, FOUND), at(work, FOUND + 8)
    all_, first, rest = at(work, INVERSES + 16 * BOTH), at(work, INVERSES), at(work, INVERSES + 16)
    right, bare, noise = explained(work), 0, sums[N] * work[OWN_NOISE]
    if noise * work[LOST + S11] > MOST * sums[S11] or (axes == 2.0 and noise * work[LOST + S22] > MOST * sums[S22]):
        bare = 1
    lane[SCORE, 0] = sqrt(min(max(right / sums[GG], 0.0), 1.0))
    dimmer = 1.0 / found[0]
    seen_by = dimmer + share
    # What the halves differ by has the variance first + rest; scaled it is a sample of the error of the answer of both,
    # without a model of the noise.
    n1 = (one[1] - other[1]) * sqrt(all_[4] / (first[4] + rest[4]))
    n2, spread = 0.0, all_[4]
    if axes == 2.0:
        n2 = (one[2] - other[2]) * sqrt(all_[8] / (first[8] + rest[8]))
        spread = spread + all_[8]
    # Gain, ground of each half and the shifts were fitted: four or five degrees of freedom.
    left = max(sums[GG] - right, 0.0) / max(sums[N] - (5.0 if axes == 2.0 else 4.0), 1.0)
    lane[S1, 0], lane[OFF_X, 0], lane[OFF_Y, 0] = e1x * x + e1y * y, x, y
    lane[NX, 0], lane[NY, 0] = n1 * e1x + n2 * e2x, n1 * e1y + n2 * e2y
    lane[PIXEL_SEEN, 0] = max(left * dimmer * dimmer / seen_by, 1e-30)
    lane[POWER, 0] = (n1 * n1 + n2 * n2) / (seen_by * axes)
    lane[DIMMER, 0], lane[GOOD, 0] = dimmer, 1.0
    near = min((x * x + y * y) / HALF, 1.0)
    lane[BENT_BY, 0] = near * BENT * BENT
    # Once more as if the whole window were inside, for the same model: the ratio of what the two normal matrices say is
    # by how much the cut answer scatters more.
    split(window, pitch, 0, window, 0, window, halves)
    fitted(constants, made, seen, halves, area, work)
    whole = all_[4] + (all_[8] if axes == 2.0 else 0.0)
    if not whole > 0.0:
        return LOW
    lane[WIDER, 0] = BLIND if bare == 1 else max(spread / whole, 1.0)
    return 0
