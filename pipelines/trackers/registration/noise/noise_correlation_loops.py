"""The noise beside a fit, and what it does to a window's place (`registration.noise.noise_correlation`), as loops."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, sqrt, store, where
from pipelines.trackers.registration.noise.autocovariance_loops import dot, total
from pipelines.trackers.registration.noise.structs import Residuals
from pipelines.trackers.registration.windows.structs import Templates

FAR = 2  # px over which noise is correlated at most (a 0.7 px Gaussian's hardly is beyond)
LAGS = 13  # of half a square of FAR px around a pixel, (0, 0) first: by rows, what lies behind in the own one
MOMENTS = 14  # the residual's products with itself at each lag, and its squares weighted by the light
ROUNDS, SETTLED = 16, 5e-3  # of putting back what fits take out of the residual; part of the ratio that is nothing
REACH = FAR + 1  # rows before a pattern; the last pads what vectors read beside the others
STEEP = 0.95  # share of the mean noise that may be missing where the light is at its extremes
TINY = 1e-300
# Scratch memory: sums of eight, sums of the residual with the slopes, the moments of the noise and the products of
# patterns, sums of eight by lag, then planes.
STEPS, COUNTS, TILTS, RHO, MADE, PRODUCTS, LAGGED, PLANES = 8, 16, 32, 48, 64, 80, 144, 248


@loop
def highest(work: F64) -> float:
    """The largest of the first eight."""
    a, b = max(max(work[0], work[1]), max(work[2], work[3])), max(max(work[4], work[5]), max(work[6], work[7]))
    return float(max(a, b))


@loop
def rows_dot(a: F64, wide: int, b: F64, apart: int, rows: int, columns: int, work: F64) -> float:
    """The sum of products of rows of a and b, so far from one to the next."""
    s, t = splat(0.0), splat(0.0)  # two sums: else each waits for the one before
    for c in range(0, columns, 8):
        for r in range(0, rows - 1, 2):
            s += load(a, r * wide + c) * load(b, r * apart + c)
            t += load(a, (r + 1) * wide + c) * load(b, (r + 1) * apart + c)
        if rows % 2 == 1:
            s += load(a, (rows - 1) * wide + c) * load(b, (rows - 1) * apart + c)
    store(work, 0, s + t)
    return float(total(work))


@loop
def lagged(a: F64, b: F64, count: int, wide: int, sums: F64) -> int:
    """Add to the sums of eight, one a lag, the products of `count` values of a with those of b so far behind. One pass:
    what is done for each lag alone takes most of its time to load."""
    # LAGS = 13 of the 25 places within FAR = 2 px: the other 12 are these mirrored, since an autocovariance is even.
    # The lags are by rows: (0, 0) (0, 1) (0, 2), then (1, -2) to (1, 2), then (2, -2) to (2, 2).
    s0, s1, s2, s3, s4 = load(sums, 0), load(sums, 8), load(sums, 16), load(sums, 24), load(sums, 32)
    s5, s6, s7, s8, s9 = load(sums, 40), load(sums, 48), load(sums, 56), load(sums, 64), load(sums, 72)
    s10, s11, s12 = load(sums, 80), load(sums, 88), load(sums, 96)
    for k in range(0, count, 8):
        v, g, h = load(a, k), k + wide, k + 2 * wide
        s0 += v * load(b, k)
        s1 += v * load(b, k + 1)
        s2 += v * load(b, k + 2)
        s3 += v * load(b, g - 2)
        s4 += v * load(b, g - 1)
        s5 += v * load(b, g)
        s6 += v * load(b, g + 1)
        s7 += v * load(b, g + 2)
        s8 += v * load(b, h - 2)
        s9 += v * load(b, h - 1)
        s10 += v * load(b, h)
        s11 += v * load(b, h + 1)
        s12 += v * load(b, h + 2)
    store(sums, 0, s0)
    store(sums, 8, s1)
    store(sums, 16, s2)
    store(sums, 24, s3)
    store(sums, 32, s4)
    store(sums, 40, s5)
    store(sums, 48, s6)
    store(sums, 56, s7)
    store(sums, 64, s8)
    store(sums, 72, s9)
    store(sums, 80, s10)
    store(sums, 88, s11)
    store(sums, 96, s12)
    return 0


@loop
def lagged_both(a: F64, b: F64, count: int, wide: int, sums: F64) -> int:
    """And those of b with those of a."""
    lagged(a, b, count, wide, sums)
    lagged(b, a, count, wide, sums)
    return 0


@loop
def summed(sums: F64, lag: int) -> float:
    """The sum of the eight of a lag."""
    s = at(sums, 8 * lag)
    return float(((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])))


@loop
def nothing(sums: F64) -> int:
    """0 at all lags."""
    for k in range(0, 8 * LAGS, 8):
        store(sums, k, splat(0.0))
    return 0


@loop
def spread(a: F64, light: F64, rho: F64, level: float, tilt: float, kept: float, refs: Templates, out: F64) -> int:
    """out = (kept out + (rho * a) (level + tilt f)) mask: a pattern a of w rows convolved with the autocorrelation rho.

    Args:
        rho: at the LAGS of one half; the other half is its mirror image.
        a: rows pitch + 8 values apart, REACH rows of something and FAR of zeros before them.
        light, out: f, and what is filled, without rows before.
    """
    wide = refs.pitch + 8
    r0, r1, r2, r3 = splat(rho[0]), splat(rho[1]), splat(rho[2]), splat(rho[3])
    r4, r5, r6, r7 = splat(rho[4]), splat(rho[5]), splat(rho[6]), splat(rho[7])
    r8, r9, r10, r11, r12 = splat(rho[8]), splat(rho[9]), splat(rho[10]), splat(rho[11]), splat(rho[12])
    for row in range(refs.w):
        for c in range(0, refs.pitch, 8):
            o, k = row * wide + c, (row + REACH) * wide + c
            g, h, e, d = k + wide, k + 2 * wide, k - wide, k - 2 * wide
            # A symmetric convolution: each lag is applied to the sum of the two places across from each other, 13
            # products in place of 25.
            s = load(a, k) * r0
            s += (load(a, k + 1) + load(a, k - 1)) * r1
            s += (load(a, k + 2) + load(a, k - 2)) * r2
            s += (load(a, g - 2) + load(a, e + 2)) * r3
            s += (load(a, g - 1) + load(a, e + 1)) * r4
            s += (load(a, g) + load(a, e)) * r5
            s += (load(a, g + 1) + load(a, e - 1)) * r6
            s += (load(a, g + 2) + load(a, e - 2)) * r7
            s += (load(a, h - 2) + load(a, d + 2)) * r8
            s += (load(a, h - 1) + load(a, d + 1)) * r9
            s += (load(a, h) + load(a, d)) * r10
            s += (load(a, h + 1) + load(a, d - 1)) * r11
            s += (load(a, h + 2) + load(a, d - 2)) * r12
            store(out, o, (load(out, o) * kept + s * (load(light, o) * tilt + level)) * load(refs.mask, c))
    return 0


@loop
def moved(a: F64, b: F64, light: F64, rho: F64, slope: float, refs: Templates, out: F64) -> int:
    """The noise's covariance times a pattern, C_ij = rho_(i - j) (1 + slope (f_i + f_j) / 2).

    Args:
        a: the pattern, b: times the light f; as `spread` takes them, and the others.
    """
    spread(a, light, rho, 1.0, 0.5 * slope, 0.0, refs, out)
    if slope != 0.0:
        spread(b, light, rho, 0.5 * slope, 0.0, 1.0, refs, out)
    return 0


@loop
def moments_of(refs: Templates, left_by: Residuals, moments: F64, gains: F64, work: F64) -> int:
    """Moments of the residuals of some windows, in units of the white noise that leaves as large ones; and gains.

    With a gain g of the light and a fit's last step d the residual is r = g (seen - mean) - f - J d. Its moments are
    its autocovariance at each of the LAGS, sum r_i r_(i + lag), and sum r_i^2 f_i, divided by the largest |f|.

    Args:
        moments: (count, MOMENTS), gains: (count,), filled.
        work: PLANES and 2 planes of (w + FAR + 1) * (pitch + 8), zeros.
    """
    w, pitch, p = refs.w, refs.pitch, refs.p
    wide = pitch + 8  # room of zeros between rows
    plane, size = wide * (w + FAR + 1), float(w * w)
    free = max(size - float(p) - 2.0, 1.0)
    light, left, near = at(work, PLANES), at(work, PLANES + plane), at(work, LAGGED)
    for n in range(left_by.count):
        slot = left_by.slots[n]
        own, slopes = slot * w * pitch, slot * p * w * pitch
        # A window's mean is over its own pixels: the mask is 0 in the columns that pad a row.
        mean = rows_dot(at(left_by.seen, n * w * pitch), pitch, refs.mask, 0, w, pitch, work) / size
        most = splat(0.0)
        for r in range(w):
            for c in range(0, pitch, 8):
                o, m = r * wide + c, load(refs.mask, c)
                store(light, o, load(refs.pixels, own + r * pitch + c) * m)
                store(left, o, (load(left_by.seen, (n * w + r) * pitch + c) - mean) * m)
                high = abs(load(light, o))
                most = where(high > most, high, most)
        store(work, 0, most)
        top = highest(work)
        # The light's gain, given that the reference has `share` of the noise that the frame has: |f|^2 = s + share m,
        # |g|^2 = a^2 (s + m), f g = a s.
        ff, gg, fg = refs.norm[slot] * refs.norm[slot], dot(left, left, plane, work), dot(left, light, plane, work)
        number = float(left_by.averaged[n])
        share = 1.0 / (number * left_by.phase[n])
        half = fg * (1.0 - share)
        gain = half + sqrt(half * half + 4.0 * ff * gg * share)
        # The root of a quadratic in the form 2 c / (b + sqrt(...)), which does not cancel where `share` is small.
        gain = 2.0 * ff / gain if gain > 0.0 and ff > 0.0 else 1.0
        gains[n] = gain
        # r = gain g - f; the step that a fit would take from here is taken off below.
        for k in range(0, plane, 8):
            store(left, k, load(left, k) * gain - load(light, k))
        for q in range(p):  # the fit's last step, of which the others see nothing yet
            work[PRODUCTS + q] = rows_dot(at(refs.jacobian, slopes + q * w * pitch), pitch, left, wide, w, pitch, work)
        for q in range(p):
            one = 0.0
            for j in range(p):
                one += refs.inverse[(slot * p + q) * p + j] * work[PRODUCTS + j]
            work[STEPS + q] = one
        for r in range(w):
            for c in range(0, pitch, 8):
                rest_ = load(left, r * wide + c)
                for q in range(p):
                    rest_ = rest_ - load(refs.jacobian, slopes + (q * w + r) * pitch + c) * work[STEPS + q]
                store(left, r * wide + c, rest_)
        # What fits leave holds the frame's noise, made less by interpolation (phase), and the reference's, 1 / number
        # of a frame's; in white noise of the frame as it is that is `each` a pixel. Moments in these units can be
        # averaged over frames of different light and phase.
        each = max(left_by.rest[n], 0.0) / (left_by.phase[n] + 1.0 / number) / free * (1.0 + 1.0 / number)
        unit = 1.0 / each if each > TINY else 0.0
        mine = at(moments, n * MOMENTS)
        nothing(near)
        lagged(left, left, w * wide, wide, near)
        for k in range(LAGS):
            mine[k] = summed(near, k) * unit
        # Rows two at a time; behind the last there are rows of zeros.
        one_, other = splat(0.0), splat(0.0)
        for k in range(0, w * wide, 2 * wide):
            for c in range(k, k + wide, 8):
                one_ += load(left, c) * load(left, c) * load(light, c)
                other += load(left, c + wide) * load(left, c + wide) * load(light, c + wide)
        store(work, 0, one_ + other)
        bright = total(work)
        mine[LAGS] = bright / top * unit if top > 0.0 else 0.0
    return 0


@loop
def ratios_of(refs: Templates, slots: I64, count: int, moments: F64, ratios: F64, work: F64) -> int:
    """Ratios P C P' / P P' of some windows (`noise_correlation`): the variances of their places by the noise's
    covariance C to those by white noise of one variance.

    Args:
        slots: of the references of `count` windows.
        moments: means of those of `moments_of`, (count, MOMENTS).
        ratios: (count,), filled; 1 where nothing is left.
        work: PLANES and 1 + 4 (p + 2) planes of (w + FAR + 1) * (pitch + 8), zeros.
    """
    w, pitch, p = refs.w, refs.pitch, refs.p
    wide = pitch + 8
    plane, size, patterns = wide * (w + FAR + 1), float(w * w), p + 2
    block = patterns * plane
    light, sums = at(work, PLANES), at(work, LAGGED)
    # What a fit takes out of the residual is sum_q taken_q (solver_q' left): its light, its mean, its slopes.
    taken, solver = at(work, PLANES + plane), at(work, PLANES + plane + block)
    lit, mixed = at(work, PLANES + plane + 2 * block), at(work, PLANES + plane + 3 * block)
    for n in range(count):
        slot = slots[n]
        mine, matrix = at(moments, n * MOMENTS), at(refs.inverse, slot * p * p)
        ratios[n] = 1.0
        bright, dark = splat(0.0), splat(0.0)
        # The brightest and the darkest light of the reference bound how much noise may depend on it.
        for k in range(slot * w * pitch, (slot + 1) * w * pitch, 8):  # beside the window's columns they are 0
            one_ = load(refs.pixels, k)
            bright = where(one_ > bright, one_, bright)
            dark = where(0.0 - one_ > dark, 0.0 - one_, dark)
        store(work, 0, bright)
        high = highest(work)
        store(work, 0, dark)
        low = 0.0 - highest(work)
        top = max(high, 0.0 - low)
        # Without a residual, or without texture, the ratio stays 1.
        if mine[0] > 0.0 and top > 0.0 and matrix[0] + matrix[p + 1] > 0.0:
            brightest, each = 1.0 / top, 1.0 / size
            for r in range(w):
                for c in range(0, pitch, 8):
                    o, m = r * wide + c, load(refs.mask, c)
                    f = load(refs.pixels, (slot * w + r) * pitch + c) * m * brightest
                    store(light, o, f)
                    store(taken, o, f)
                    store(taken, plane + o, m)
                    # The solver of the mean is 1 / pixels; those of the slopes are the rows of (J'J)^-1 J'.
                    store(solver, plane + o, m * each)
                    for q in range(p):
                        store(taken, (2 + q) * plane + o, load(refs.jacobian, ((slot * p + q) * w + r) * pitch + c) * m)
                    for q in range(p):
                        one_ = splat(0.0)
                        for j in range(p):
                            one_ += load(taken, (2 + j) * plane + o) * matrix[q * p + j]
                        store(solver, (2 + q) * plane + o, one_)
            power = dot(light, light, plane, work)
            faint = 1.0 / power
            # f is orthogonal to 1 and to J, so its own solver is f / |f|^2.
            for k in range(0, plane, 8):
                store(solver, k, load(light, k) * faint)
                for q in range(patterns):
                    store(lit, q * plane + k, load(solver, q * plane + k) * load(light, k))
            # At each lag a moment has the expectation rho (pairs + slope * sum of their mean light): COUNTS and TILTS.
            nothing(sums)
            lagged_both(light, at(taken, plane), w * wide, wide, sums)
            lag = 0
            for dy in range(FAR + 1):
                for dx in range(0 - FAR, FAR + 1):
                    if dy > 0 or dx >= 0:
                        common = float((w - dy) * (w - max(dx, 0 - dx)))
                        work[TILTS + lag] = 0.5 * summed(sums, lag)
                        work[COUNTS + lag] = common
                        work[RHO + lag] = mine[lag] / common
                        lag += 1
            # rho and slope are a fixed point: the moments that were seen, plus what the fit took out of them, which
            # depends on rho and slope.
            slope, before, last = 0.0, 0.0, 0.0
            for _ in range(ROUNDS):
                # The noise is C_ij = rho_(i - j) (1 + slope (f_i + f_j) / 2); mixed: C times each pattern of `solver`.
                for q in range(patterns):
                    o = block + q * plane - REACH * wide  # of `solver` and, a block on, of `lit`, seen from `taken`
                    moved(at(taken, o), at(taken, block + o), light, at(work, RHO), slope, refs, at(mixed, q * plane))
                for q in range(patterns):
                    for j in range(patterns):
                        one = dot(at(solver, q * plane), at(mixed, j * plane), plane, work)
                        # Patterns 2 and 3 are the shifts: P C P' of x and y.
                        work[PRODUCTS + q * patterns + j] = one
                now = work[PRODUCTS + 2 * patterns + 2] + work[PRODUCTS + 3 * patterns + 3]
                # If changes shrink by one factor, those still to come add up to change^2 / (last - change).
                change = abs(now - before)
                if change * change <= SETTLED * abs(now) * (last - change):  # all that are still to come
                    break
                before, last = now, change
                # What fits take out of the noise's moments: of each of `taken` with its `mixed`, and with what of that
                # is not of `taken` itself.
                # The residual's covariance is (1 - H) C (1 - H)', H = sum_q taken_q solver_q': what is missing is H C +
                # (C H' - H C H').
                nothing(sums)
                tilt = splat(0.0)
                for q in range(patterns):
                    o = q * plane
                    lagged(at(taken, o), at(mixed, o), w * wide, wide, sums)
                    for k in range(0, plane, 8):
                        one_ = load(mixed, o + k)
                        other = one_
                        for j in range(patterns):
                            other = other - load(taken, j * plane + k) * work[PRODUCTS + j * patterns + q]
                        tilt += load(taken, o + k) * (one_ + other) * load(light, k)
                        store(mixed, o + k, other)
                    lagged(at(mixed, o), at(taken, o), w * wide, wide, sums)
                for k in range(LAGS):
                    work[MADE + k] = mine[k] + summed(sums, k)
                store(work, 0, tilt)
                lost = total(work)
                # The sum of r^2 f is rho_0 slope |f|^2, since the mean of f is 0.
                slope = (mine[LAGS] + lost) / work[MADE] * size / power
                # The variance 1 + slope f must stay positive at the darkest and the brightest pixel.
                slope = max(min(slope, STEEP * top / max(0.0 - low, TINY)), 0.0 - STEEP * top / max(high, TINY))
                for k in range(LAGS):
                    work[RHO + k] = work[MADE + k] / (work[COUNTS + k] + slope * work[TILTS + k])
            ratios[n] = now / (matrix[0] + matrix[p + 1])
    return 0
