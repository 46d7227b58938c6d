"""What `registration.response.response` says of windows, as loops: their normal matrices, and what noise does."""

from __future__ import annotations

from kernels.loops.language import F64, at, load, loop, splat, sqrt, store
from pipelines.trackers.registration.response.design_loops import STEEPER
from pipelines.trackers.registration.response.gram_loops import RAW, RAW_A
from pipelines.trackers.registration.warp.fit_loops import invert
from pipelines.trackers.registration.windows.structs import PATTERNS

# As `response` lays them out; its tests compare.
INVERSE, FIRST, SECOND, BASIS, SCALE, SPREAD, AXES, PIXELS_A, PLAIN, GRAM, GRAM_A, CLEAR, HIDDEN = (
    0, 9, 18, 27, 31, 33, 34, 35, 36, 73, 109, 145, 146)  # fmt: skip
FAR, SIDE = 3, 7
MOST = 0.5  # of a slope's power is taken for noise
NEW = 1e-9  # of a pattern's power, that is left beside the others; less says nothing new
# Scratch memory: powers of noise, normal matrices and inverse ones, sums of eight, what a
# sweep takes.
POWER, GRAMS, PLAINS, ANSWERS, LEAST, SWEPT = 8, 16, 48, 80, 112, 120


@loop
def inverse_of(gram: F64, axes: float, out: F64) -> int:
    """That of a symmetric 3 x 3 matrix, or of its upper left 2 x 2 part (the rest 0); 0 where there is none."""
    a, b, c, d, e, f = gram[0], gram[1], gram[2], gram[4], gram[5], gram[8]
    if axes == 1.0:
        # Of stripes the second direction is taken out by a 1 on its diagonal.
        c, e, f = 0.0, 0.0, 1.0
    # The inverse by cofactors.
    m00, m01, m02 = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * m00 + b * m01 + c * m02
    if not abs(det) > 0.0:
        return 0
    out[0], out[1], out[2] = m00 / det, m01 / det, m02 / det
    out[4], out[5], out[8] = (a * f - c * c) / det, (b * c - a * e) / det, (a * d - b * b) / det
    if axes == 1.0:
        out[8] = 0.0
    out[3], out[6], out[7] = out[1], out[2], out[5]
    return 1


@loop
def largest_of(inverse: F64, count: float, power: F64) -> float:
    """The largest eigenvalue of inverse * count * diag(power); a larger number where it is below MOST."""
    p, q, r = count * max(power[0], 0.0), count * max(power[1], 0.0), count * max(power[2], 0.0)
    a, d, f = inverse[0] * p, inverse[4] * q, inverse[8] * r
    trace = a + d + f
    if not trace > MOST:
        return float(trace)
    # The characteristic polynomial x^3 - trace x^2 + minors x - det.
    bb, cc, ee = inverse[1] * inverse[1] * p * q, inverse[2] * inverse[2] * p * r, inverse[5] * inverse[5] * q * r
    minors = a * d - bb + a * f - cc + d * f - ee
    det = a * (d * f - ee) - bb * f - cc * d + 2.0 * inverse[1] * inverse[2] * inverse[5] * p * q * r
    # The trace is above the largest eigenvalue, as none is negative.
    x = trace
    for _ in range(60):  # Newton's steps from above the largest root never pass it
        slope = (3.0 * x - 2.0 * trace) * x + minors
        if not slope > 0.0:
            break
        step = (((x - trace) * x + minors) * x - det) / slope
        x = x - step
        if not step > 1e-15 * trace:
            break
    return float(x)


@loop
def patterns_of(grain: F64, slopes: F64, noise: float, pixels: float, constants: F64, power: F64, share: float) -> int:
    """Take the reference's noise off the products of all patterns, and say how much of second derivatives is none:
    [GRAM:], [GRAM_A:], [CLEAR]. And how much of the light's noise looks like patterns: [HIDDEN].

    power: the noise of light and slopes, of which `share` is taken.
    """
    xx, xy, yy, both = 0.0, 0.0, 0.0, 0.0
    # Variances and covariance of second differences in noise of this autocorrelation.
    for k in range(SIDE * SIDE):
        xx += grain[k] * slopes[2 * SIDE * SIDE + k]
        xy += grain[k] * slopes[3 * SIDE * SIDE + k]
        yy += grain[k] * slopes[4 * SIDE * SIDE + k]
        both += grain[k] * slopes[5 * SIDE * SIDE + k]
    k = SIDE * FAR + FAR
    x, y = grain[k + 1] - 2.0 * grain[k] + grain[k - 1], grain[k + SIDE] - 2.0 * grain[k] + grain[k - SIDE]
    z = (grain[k + SIDE + 1] - grain[k + SIDE - 1] - grain[k - SIDE + 1] + grain[k - SIDE - 1]) * 0.25
    axes, seen, true = constants[AXES], 0.0, 0.0
    for p in range(PATTERNS):
        # Patterns 3, 4, 5 are second derivatives along directions (1, 1), (1, 2), (2, 2): a and b here, c and d of q.
        a, b = BASIS + 2 * (max(p - 3, 0) // 2), BASIS + 2 * (max(p - 2, 0) // 2)
        ax, ay, bx, by = constants[a], constants[a + 1], constants[b], constants[b + 1]
        for q in range(p, PATTERNS):
            c, d = BASIS + 2 * (max(q - 3, 0) // 2), BASIS + 2 * (max(q - 2, 0) // 2)
            cx, cy, dx, dy = constants[c], constants[c + 1], constants[d], constants[d + 1]
            # What the reference's noise adds to the product of patterns p and q, for one pixel.
            one = 0.0
            if q < 3 and p == q:
                one = power[p] * share
            if p == 0 and q >= 3:  # the light's noise looks like second derivatives, too
                power[q] = (cx * dx * x + (cx * dy + cy * dx) * z + cy * dy * y) * STEEPER
                one = power[q] * noise
            if p >= 3:
                one = (ax * bx * cx * dx * xx + ay * by * cy * dy * yy + (ax * bx * cy * dy + ay * by * cx * dx) * both
                       + (ax * by + ay * bx) * (cx * dy + cy * dx) * xy) * noise  # fmt: skip
            if axes == 1.0 and (q == 2 or q > 3):
                one = 0.0
            low, high = PATTERNS * p + q, PATTERNS * q + p
            if p == q and p >= 3:
                seen += constants[GRAM + low]
                true += max(constants[GRAM + low] - pixels * one, 0.0)
            constants[GRAM + low] = constants[GRAM + low] - pixels * one
            constants[GRAM_A + low] = constants[GRAM_A + low] - constants[PIXELS_A] * one
            constants[GRAM + high], constants[GRAM_A + high] = constants[GRAM + low], constants[GRAM_A + low]
    # The share of second derivatives that is left after their noise is taken off.
    constants[CLEAR] = true / seen if seen > 0.0 else 1.0
    power[0], power[1], power[2] = 1.0, 0.0, 0.0
    hidden = 0.0
    for p in range(PATTERNS):
        for q in range(PATTERNS):
            hidden += power[p] * power[q] * constants[PLAIN + PATTERNS * p + q]
    constants[HIDDEN] = min(pixels * hidden * noise, 1.0)
    return 0


@loop
def plain_of(constants: F64, work: F64) -> int:
    """The inverse of all products of patterns, with the reference's noise in them: [PLAIN:]."""
    # RAW holds the upper half row by row: pair (p, q) is at 6 p - p (p + 1) / 2 + q.
    for p in range(PATTERNS):
        for q in range(p, PATTERNS):
            one = constants[RAW + PATTERNS * p - p * (p + 1) // 2 + q]
            constants[PLAIN + PATTERNS * p + q], constants[PLAIN + PATTERNS * q + p] = one, one
        work[LEAST + p] = constants[PLAIN + (PATTERNS + 1) * p] * NEW
    invert(PATTERNS, at(constants, PLAIN), at(work, LEAST), at(work, SWEPT))
    return 0


@loop
def matrices_of(noise: float, grain: F64, slopes: F64, pixels: float, constants: F64, work: F64) -> float:
    """The inverse normal matrices, the reference's noise taken off; that noise, at most MOST of any slope's power, or
    -1 where a matrix has no inverse.

    Args:
        slopes: `reference_noise.tables`: what a slope's power is by the noise's autocorrelation.
    """
    axes, first = constants[AXES], constants[PIXELS_A]
    along_y, x, y = at(slopes, SIDE * SIDE), 0.0, 0.0
    for k in range(SIDE * SIDE):
        # A slope's noise is a sum over all pairs of its taps: the autocorrelation times a table.
        x += grain[k] * slopes[k]
        y += grain[k] * along_y[k]
    power = at(work, POWER)
    power[0] = 1.0
    for k in range(2):
        e, f = constants[BASIS + 2 * k], constants[BASIS + 2 * k + 1]
        power[1 + k] = e * e * x + f * f * y
    if axes == 1.0:
        power[2] = 0.0
    for p in range(PATTERNS):
        for q in range(p, PATTERNS):
            pair = PATTERNS * p - p * (p + 1) // 2 + q
            one, near = constants[RAW + pair], constants[RAW_A + pair]
            constants[GRAM + PATTERNS * p + q], constants[GRAM + PATTERNS * q + p] = one, one
            constants[GRAM_A + PATTERNS * p + q], constants[GRAM_A + PATTERNS * q + p] = near, near
            # The other half is the whole less the first: normal matrices add up.
            if q < 3:
                work[GRAMS + 3 * p + q], work[GRAMS + 3 * q + p] = near, near
                work[GRAMS + 9 + 3 * p + q], work[GRAMS + 9 + 3 * q + p] = one - near, one - near
                work[GRAMS + 18 + 3 * p + q], work[GRAMS + 18 + 3 * q + p] = one, one
    for p in range(3):
        power[p] = power[p] * noise
    # By the largest eigenvalue of inverse * noise over the whole and both halves: more than MOST of a slope's power
    # must not be taken off, or the matrix might have no positive inverse.
    worst = 0.0
    for h in range(3):
        count = pixels - first if h == 1 else first if h == 0 else pixels
        if inverse_of(at(work, GRAMS + 9 * h), axes, at(work, PLAINS + 9 * h)) == 0:
            return -1.0
        worst = max(worst, largest_of(at(work, PLAINS + 9 * h), count, power))
    share = 1.0
    if worst > MOST:
        share = MOST / worst
    for h in range(3):
        count = pixels - first if h == 1 else first if h == 0 else pixels
        for p in range(3):
            k = GRAMS + 9 * h + 4 * p
            work[k] = work[k] - count * power[p] * share
        place = SECOND if h == 1 else FIRST if h == 0 else INVERSE
        if inverse_of(at(work, GRAMS + 9 * h), axes, at(constants, place)) == 0:
            return -1.0
    patterns_of(grain, slopes, noise * share, pixels, constants, power, share)
    return noise * share


@loop
def spreads_of(columns: F64, part: int, window: int, blocks: int, half: F64, grain: F64, constants: F64, planes: F64,
               work: F64) -> int:  # fmt: skip
    """Variances of answers, and of the halves' difference, for noise of variance 1: [SCALE:], [SPREAD].

    half: 1 for the pixels of the first half; planes: four of (window + FAR) x 8 (blocks + 2) values.
    """
    pitch = 8 * (blocks + 2)
    plane = pitch * (window + FAR)
    for k in range(0, 4 * plane, 8):
        store(planes, k, splat(0.0))
    # Planes 2 k: the influence of each pixel on answer k; planes 2 k + 1: on the difference of the halves' answers k.
    for k in range(2):
        i, a, b = INVERSE + 3 + 3 * k, FIRST + 3 + 3 * k, SECOND + 3 + 3 * k
        i0, i1, i2 = splat(constants[i]), splat(constants[i + 1]), splat(constants[i + 2])
        a0, a1, a2 = splat(constants[a]), splat(constants[a + 1]), splat(constants[a + 2])
        b0, b1, b2 = splat(constants[b]), splat(constants[b + 1]), splat(constants[b + 2])
        for r in range(window):
            for n in range(blocks):
                o, t = (r * blocks + n) * 8, 2 * k * plane + r * pitch + 8 + min(8 * n, window - 8)
                u0, u1, u2 = load(columns, o), load(columns, part + o), load(columns, 2 * part + o)
                store(planes, t, load(planes, t) + u0 * i0 + u1 * i1 + u2 * i2)
                t = t + plane
                other = u0 * b0 + u1 * b1 + u2 * b2
                store(planes, t, load(planes, t) + (u0 * a0 + u1 * a1 + u2 * a2 + other) * load(half, o) - other)
    # A variance is the influences' autocorrelation times the noise's, summed over lags; those of a pair of opposite
    # lags are alike.
    s0, s1, s2, s3 = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
    for dy in range(FAR + 1):
        for dx in range(-FAR, FAR + 1):
            much = grain[(FAR + dy) * SIDE + FAR + dx]
            if dy > 0 or dx > 0:
                much = much + grain[(FAR - dy) * SIDE + FAR - dx]
            if much != 0.0 and (dy > 0 or dx >= 0):
                p0, p1, p2, p3 = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
                for r in range(window):
                    for c in range(8, 8 * blocks + 8, 8):
                        g, h = r * pitch + c, (r + dy) * pitch + c + dx
                        p0 += load(planes, g) * load(planes, h)
                        p1 += load(planes, plane + g) * load(planes, plane + h)
                        p2 += load(planes, 2 * plane + g) * load(planes, 2 * plane + h)
                        p3 += load(planes, 3 * plane + g) * load(planes, 3 * plane + h)
                s0 += p0 * much
                s1 += p1 * much
                s2 += p2 * much
                s3 += p3 * much
    store(work, ANSWERS, s0)
    store(work, ANSWERS + 8, s1)
    store(work, ANSWERS + 16, s2)
    store(work, ANSWERS + 24, s3)
    both = 0.0
    for k in range(2):
        spread, apart = 0.0, 0.0
        for j in range(8):
            spread += work[ANSWERS + 16 * k + j]
            apart += work[ANSWERS + 16 * k + 8 + j]
        spread = max(spread, 0.0)
        both += spread
        constants[SCALE + k] = sqrt(spread / apart) if apart > 0.0 else 0.0
    constants[SPREAD] = both / constants[AXES]
    return 0
