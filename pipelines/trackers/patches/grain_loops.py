"""The noise beside a fit, and what it does to a window's place (`patches.grain`), as loops."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, eight, loop, put, sqrt, vec, where
from pipelines.trackers.patches.noise_loops import dot, total

FAR = 2  # px over which noise is correlated at most (a 0.7 px Gaussian's hardly is beyond)
LAGS = 13  # of half a square of FAR px around a pixel, (0, 0) first: by rows, what lies behind in the own one
MOMENTS = 14  # the residual's products with itself at each lag, and its squares weighted by the light
ROUNDS, SETTLED = 16, 5e-3  # of putting back what fits take out of the residual; part of the ratio that is nothing
REACH = FAR + 1  # rows before a pattern; the last has values beside what is looked at
STEEP = 0.95  # of the noise that light at the window's extremes may take away
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
    s, t = eight(0.0), eight(0.0)  # two sums: else each waits for the one before
    for c in range(0, columns, 8):
        for r in range(0, rows - 1, 2):
            s += vec(a, r * wide + c) * vec(b, r * apart + c)
            t += vec(a, (r + 1) * wide + c) * vec(b, (r + 1) * apart + c)
        if rows % 2 == 1:
            s += vec(a, (rows - 1) * wide + c) * vec(b, (rows - 1) * apart + c)
    put(work, 0, s + t)
    return float(total(work))


@loop
def lagged(a: F64, b: F64, count: int, wide: int, sums: F64) -> int:
    """Add to the sums of eight, one a lag, the products of `count` values of a with those of b so far behind. One pass:
    what is done for each lag alone takes most of its time to load."""
    s0, s1, s2, s3, s4 = vec(sums, 0), vec(sums, 8), vec(sums, 16), vec(sums, 24), vec(sums, 32)
    s5, s6, s7, s8, s9 = vec(sums, 40), vec(sums, 48), vec(sums, 56), vec(sums, 64), vec(sums, 72)
    s10, s11, s12 = vec(sums, 80), vec(sums, 88), vec(sums, 96)
    for k in range(0, count, 8):
        v, g, h = vec(a, k), k + wide, k + 2 * wide
        s0 += v * vec(b, k)
        s1 += v * vec(b, k + 1)
        s2 += v * vec(b, k + 2)
        s3 += v * vec(b, g - 2)
        s4 += v * vec(b, g - 1)
        s5 += v * vec(b, g)
        s6 += v * vec(b, g + 1)
        s7 += v * vec(b, g + 2)
        s8 += v * vec(b, h - 2)
        s9 += v * vec(b, h - 1)
        s10 += v * vec(b, h)
        s11 += v * vec(b, h + 1)
        s12 += v * vec(b, h + 2)
    put(sums, 0, s0)
    put(sums, 8, s1)
    put(sums, 16, s2)
    put(sums, 24, s3)
    put(sums, 32, s4)
    put(sums, 40, s5)
    put(sums, 48, s6)
    put(sums, 56, s7)
    put(sums, 64, s8)
    put(sums, 72, s9)
    put(sums, 80, s10)
    put(sums, 88, s11)
    put(sums, 96, s12)
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
        put(sums, k, eight(0.0))
    return 0


@loop
def spread(a: F64, light: F64, rho: F64, level: float, tilt: float, kept: float, w: int, pitch: int, mask: F64,
           out: F64) -> int:  # fmt: skip
    """A pattern of w rows, spread by rho at each lag to both sides, times level + tilt f, into out, of which the part
    `kept` stays.

    Args:
        a: rows pitch + 8 values apart, REACH rows of something and FAR of zeros before them.
        light, out: f, and what is filled, without rows before.
    """
    wide = pitch + 8
    r0, r1, r2, r3 = eight(rho[0]), eight(rho[1]), eight(rho[2]), eight(rho[3])
    r4, r5, r6, r7 = eight(rho[4]), eight(rho[5]), eight(rho[6]), eight(rho[7])
    r8, r9, r10, r11, r12 = eight(rho[8]), eight(rho[9]), eight(rho[10]), eight(rho[11]), eight(rho[12])
    for row in range(w):
        for c in range(0, pitch, 8):
            o, k = row * wide + c, (row + REACH) * wide + c
            g, h, e, d = k + wide, k + 2 * wide, k - wide, k - 2 * wide
            s = vec(a, k) * r0
            s += (vec(a, k + 1) + vec(a, k - 1)) * r1
            s += (vec(a, k + 2) + vec(a, k - 2)) * r2
            s += (vec(a, g - 2) + vec(a, e + 2)) * r3
            s += (vec(a, g - 1) + vec(a, e + 1)) * r4
            s += (vec(a, g) + vec(a, e)) * r5
            s += (vec(a, g + 1) + vec(a, e - 1)) * r6
            s += (vec(a, g + 2) + vec(a, e - 2)) * r7
            s += (vec(a, h - 2) + vec(a, d + 2)) * r8
            s += (vec(a, h - 1) + vec(a, d + 1)) * r9
            s += (vec(a, h) + vec(a, d)) * r10
            s += (vec(a, h + 1) + vec(a, d - 1)) * r11
            s += (vec(a, h + 2) + vec(a, d - 2)) * r12
            put(out, o, (vec(out, o) * kept + s * (vec(light, o) * tilt + level)) * vec(mask, c))
    return 0


@loop
def moved(a: F64, b: F64, light: F64, rho: F64, slope: float, w: int, pitch: int, mask: F64, out: F64) -> int:
    """The noise's covariance times a pattern, C_ij = rho_(i - j) (1 + slope (f_i + f_j) / 2).

    Args:
        a: the pattern, b: times the light f; as `spread` takes them, and the others.
    """
    spread(a, light, rho, 1.0, 0.5 * slope, 0.0, w, pitch, mask, out)
    if slope != 0.0:
        spread(b, light, rho, 0.5 * slope, 0.0, 1.0, w, pitch, mask, out)
    return 0


@loop
def moments_of(pixels: F64, norm: F64, jacobian: F64, inverse: F64, slots: I64, count: int, averaged: I64, phase: F64,
               rest: F64, seen: F64, w: int, pitch: int, p: int, mask: F64, moments: F64, gains: F64,
               work: F64) -> int:  # fmt: skip
    """Moments of what fits leave of some windows, in units of white noise that leaves as much; and gains.

    Args:
        pixels, norm, jacobian, inverse: as `fit.References` has them; slots: of `count` windows.
        averaged, phase, rest: of the windows.
        seen: what is seen of them, (count, w, pitch).
        mask: 1 for the pixels of a row, (pitch,).
        moments: (count, MOMENTS), gains: (count,), filled.
        work: PLANES and 2 planes of (w + FAR + 1) * (pitch + 8), zeros.
    """
    wide = pitch + 8  # room of zeros between rows
    plane, size = wide * (w + FAR + 1), float(w * w)
    free = max(size - float(p) - 2.0, 1.0)
    light, left, near = at(work, PLANES), at(work, PLANES + plane), at(work, LAGGED)
    for n in range(count):
        slot = slots[n]
        own, slopes = slot * w * pitch, slot * p * w * pitch
        mean = rows_dot(at(seen, n * w * pitch), pitch, mask, 0, w, pitch, work) / size
        most = eight(0.0)
        for r in range(w):
            for c in range(0, pitch, 8):
                o, m = r * wide + c, vec(mask, c)
                put(light, o, vec(pixels, own + r * pitch + c) * m)
                put(left, o, (vec(seen, (n * w + r) * pitch + c) - mean) * m)
                high = abs(vec(light, o))
                most = where(high > most, high, most)
        put(work, 0, most)
        top = highest(work)
        # The light's gain, given that the reference has `share` of the noise that the frame has: |f|^2 = s + share m,
        # |g|^2 = a^2 (s + m), f g = a s.
        ff, gg, fg = norm[slot] * norm[slot], dot(left, left, plane, work), dot(left, light, plane, work)
        number = float(averaged[n])
        share = 1.0 / (number * phase[n])
        half = fg * (1.0 - share)
        gain = half + sqrt(half * half + 4.0 * ff * gg * share)
        gain = 2.0 * ff / gain if gain > 0.0 and ff > 0.0 else 1.0
        gains[n] = gain
        for k in range(0, plane, 8):
            put(left, k, vec(left, k) * gain - vec(light, k))
        for q in range(p):  # the fit's last step, of which the others see nothing yet
            work[PRODUCTS + q] = rows_dot(at(jacobian, slopes + q * w * pitch), pitch, left, wide, w, pitch, work)
        for q in range(p):
            one = 0.0
            for j in range(p):
                one += inverse[(slot * p + q) * p + j] * work[PRODUCTS + j]
            work[STEPS + q] = one
        for r in range(w):
            for c in range(0, pitch, 8):
                rest_ = vec(left, r * wide + c)
                for q in range(p):
                    rest_ = rest_ - vec(jacobian, slopes + (q * w + r) * pitch + c) * work[STEPS + q]
                put(left, r * wide + c, rest_)
        each = max(rest[n], 0.0) / (phase[n] + 1.0 / number) / free * (1.0 + 1.0 / number)
        unit = 1.0 / each if each > TINY else 0.0
        mine = at(moments, n * MOMENTS)
        nothing(near)
        lagged(left, left, w * wide, wide, near)
        for k in range(LAGS):
            mine[k] = summed(near, k) * unit
        one_, other = eight(0.0), eight(0.0)
        for k in range(0, w * wide, 2 * wide):
            for c in range(k, k + wide, 8):
                one_ += vec(left, c) * vec(left, c) * vec(light, c)
                other += vec(left, c + wide) * vec(left, c + wide) * vec(light, c + wide)
        put(work, 0, one_ + other)
        bright = total(work)
        mine[LAGS] = bright / top * unit if top > 0.0 else 0.0
    return 0


@loop
def ratios_of(pixels: F64, jacobian: F64, inverse: F64, slots: I64, count: int, w: int, pitch: int, p: int, mask: F64,
              moments: F64, ratios: F64, work: F64) -> int:  # fmt: skip
    """Ratios of some windows.

    Args:
        pixels, jacobian, inverse, slots, count, mask: as for `moments_of`.
        moments: means of those, (count, MOMENTS).
        ratios: (count,), filled; 1 where nothing is left.
        work: PLANES and 1 + 4 (p + 2) planes of (w + FAR + 1) * (pitch + 8), zeros.
    """
    wide = pitch + 8
    plane, size, patterns = wide * (w + FAR + 1), float(w * w), p + 2
    block = patterns * plane
    light, sums = at(work, PLANES), at(work, LAGGED)
    # What a fit takes out of the residual is sum_q taken_q (solver_q' left): its light, its mean, its slopes.
    taken, solver = at(work, PLANES + plane), at(work, PLANES + plane + block)
    lit, mixed = at(work, PLANES + plane + 2 * block), at(work, PLANES + plane + 3 * block)
    for n in range(count):
        slot = slots[n]
        mine, matrix = at(moments, n * MOMENTS), at(inverse, slot * p * p)
        ratios[n] = 1.0
        bright, dark = eight(0.0), eight(0.0)
        for k in range(slot * w * pitch, (slot + 1) * w * pitch, 8):  # beside the window's columns they are 0
            one_ = vec(pixels, k)
            bright = where(one_ > bright, one_, bright)
            dark = where(0.0 - one_ > dark, 0.0 - one_, dark)
        put(work, 0, bright)
        high = highest(work)
        put(work, 0, dark)
        low = 0.0 - highest(work)
        top = max(high, 0.0 - low)
        if mine[0] > 0.0 and top > 0.0 and matrix[0] + matrix[p + 1] > 0.0:
            brightest, each = 1.0 / top, 1.0 / size
            for r in range(w):
                for c in range(0, pitch, 8):
                    o, m = r * wide + c, vec(mask, c)
                    f = vec(pixels, (slot * w + r) * pitch + c) * m * brightest
                    put(light, o, f)
                    put(taken, o, f)
                    put(taken, plane + o, m)
                    put(solver, plane + o, m * each)
                    for q in range(p):
                        put(taken, (2 + q) * plane + o, vec(jacobian, ((slot * p + q) * w + r) * pitch + c) * m)
                    for q in range(p):
                        one_ = eight(0.0)
                        for j in range(p):
                            one_ += vec(taken, (2 + j) * plane + o) * matrix[q * p + j]
                        put(solver, (2 + q) * plane + o, one_)
            power = dot(light, light, plane, work)
            faint = 1.0 / power
            for k in range(0, plane, 8):
                put(solver, k, vec(light, k) * faint)
                for q in range(patterns):
                    put(lit, q * plane + k, vec(solver, q * plane + k) * vec(light, k))
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
            slope, before, last = 0.0, 0.0, 0.0
            for _ in range(ROUNDS):
                # The noise is C_ij = rho_(i - j) (1 + slope (f_i + f_j) / 2); mixed: C times each pattern of `solver`.
                for q in range(patterns):
                    o = block + q * plane - REACH * wide  # of `solver` and, a block on, of `lit`, seen from `taken`
                    moved(at(taken, o), at(taken, block + o), light, at(work, RHO), slope, w, pitch, mask,
                          at(mixed, q * plane))  # fmt: skip
                for q in range(patterns):
                    for j in range(patterns):
                        one = dot(at(solver, q * plane), at(mixed, j * plane), plane, work)
                        work[PRODUCTS + q * patterns + j] = one
                now = work[PRODUCTS + 2 * patterns + 2] + work[PRODUCTS + 3 * patterns + 3]
                change = abs(now - before)
                if change * change <= SETTLED * abs(now) * (last - change):  # all that are still to come
                    break
                before, last = now, change
                # What fits take out of the noise's moments: of each of `taken` with its `mixed`, and with what of that
                # is not of `taken` itself.
                nothing(sums)
                tilt = eight(0.0)
                for q in range(patterns):
                    o = q * plane
                    lagged(at(taken, o), at(mixed, o), w * wide, wide, sums)
                    for k in range(0, plane, 8):
                        one_ = vec(mixed, o + k)
                        other = one_
                        for j in range(patterns):
                            other = other - vec(taken, j * plane + k) * work[PRODUCTS + j * patterns + q]
                        tilt += vec(taken, o + k) * (one_ + other) * vec(light, k)
                        put(mixed, o + k, other)
                    lagged(at(mixed, o), at(taken, o), w * wide, wide, sums)
                for k in range(LAGS):
                    work[MADE + k] = mine[k] + summed(sums, k)
                put(work, 0, tilt)
                lost = total(work)
                slope = (mine[LAGS] + lost) / work[MADE] * size / power
                slope = max(min(slope, STEEP * top / max(0.0 - low, TINY)), 0.0 - STEEP * top / max(high, TINY))
                for k in range(LAGS):
                    work[RHO + k] = work[MADE + k] / (work[COUNTS + k] + slope * work[TILTS + k])
            ratios[n] = now / (matrix[0] + matrix[p + 1])
    return 0
