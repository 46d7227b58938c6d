"""The noise beside a fit, and what it does to a window's place (`patches.grain`), as a loop."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, eight, loop, put, sqrt, vec, where
from pipelines.trackers.patches.noise_loops import dot

FAR = 2  # px over which noise is correlated at most (a 0.7 px Gaussian's hardly is beyond)
MOST_LOST = 0.7  # share of the noise that a fit takes out of the residual beyond which nothing is made up for
TINY = 1e-300


@loop
def noises_of(pixels: F64, norm: F64, jacobian: F64, inverse: F64, slots: I64, count: int, averaged: F64, phase: F64,
              rest: F64, seen: F64, w: int, pitch: int, p: int, mask: F64, ratios: F64, gains: F64,
              work: F64) -> int:  # fmt: skip
    """Ratios and gains of some windows.

    Args:
        pixels, norm, jacobian, inverse: as `fit.References` has them; slots: of `count` windows.
        averaged, phase, rest: of the windows.
        seen: what is seen of them, (count, w, pitch).
        mask: 1 for the pixels of a row, (pitch,).
        ratios, gains: (count,), filled.
        work: 16 + (2 p + 2) planes of (w + FAR + 1) * (pitch + 8).
    """
    wide = pitch + 8  # room of zeros between rows
    plane, size = wide * (w + FAR + 1), float(w * w)
    free = max(size - float(p) - 2.0, 1.0)
    light, left = at(work, 16), at(work, 16 + plane)
    steps, solver = at(work, 16 + 2 * plane), at(work, 16 + (2 + p) * plane)
    for k in range(0, (2 * p + 2) * plane, 8):
        put(work, 16 + k, eight(0.0))
    for n in range(count):
        slot = slots[n]
        matrix = at(inverse, slot * p * p)
        sums = eight(0.0)
        for r in range(w):
            for c in range(0, pitch, 8):
                sums += vec(seen, (n * w + r) * pitch + c) * vec(mask, c)
        put(work, 0, sums)
        mean = (((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7]))) / size
        for r in range(w):
            for c in range(0, pitch, 8):
                o, m = r * wide + c, vec(mask, c)
                put(light, o, vec(pixels, (slot * w + r) * pitch + c) * m)
                put(left, o, (vec(seen, (n * w + r) * pitch + c) - mean) * m)
                for q in range(p):
                    put(steps, q * plane + o, vec(jacobian, ((slot * p + q) * w + r) * pitch + c) * m)
                for q in range(p):
                    one = eight(0.0)
                    for j in range(p):
                        one += vec(steps, j * plane + o) * matrix[q * p + j]
                    put(solver, q * plane + o, one)
        # The light's gain, given that the reference has `share` of the noise that the frame has: |f|^2 = s + share m,
        # |g|^2 = a^2 (s + m), f g = a s.
        ff, gg, fg = norm[slot] * norm[slot], dot(left, left, plane, work), dot(left, light, plane, work)
        share = 1.0 / (averaged[n] * phase[n])
        half = fg * (1.0 - share)
        gain = half + sqrt(half * half + 4.0 * ff * gg * share)
        gain = 2.0 * ff / gain if gain > 0.0 and ff > 0.0 else 1.0
        gains[n] = gain
        for k in range(0, plane, 8):
            put(left, k, vec(left, k) * gain - vec(light, k))
        for q in range(p):  # the fit's last step, of which the others see nothing yet
            work[8 + q] = dot(at(solver, q * plane), left, plane, work)
        for k in range(0, plane, 8):
            rest_ = vec(left, k)
            for q in range(p):
                rest_ = rest_ - vec(steps, q * plane + k) * work[8 + q]
            put(left, k, rest_)
        unit = 1.0 / ff if ff > 0.0 else 1.0
        # What the fit takes out of the residual: gain, bias and steps, as patterns of length 1.
        alike, lost, whole = 0.0, 0.0, 0.0
        for dy in range(FAR + 1):
            for dx in range(-FAR, FAR + 1):
                if dy > 0 or dx >= 0:
                    shift = dy * wide + dx
                    a, b, s = eight(0.0), eight(0.0), eight(0.0)
                    for r in range(w - dy):
                        for c in range(0, pitch, 8):
                            o = r * wide + c
                            a += (vec(solver, o) * vec(solver, o + shift)
                                  + vec(solver, plane + o) * vec(solver, plane + o + shift))  # fmt: skip
                            b += vec(left, o) * vec(left, o + shift)
                            t = vec(light, o) * vec(light, o + shift) * unit
                            for q in range(p):
                                t += vec(steps, q * plane + o) * vec(solver, q * plane + o + shift)
                            s += t
                    put(work, 0, a)
                    weight = ((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7]))
                    if dy == 0 and dx == 0:
                        whole = weight
                    else:
                        weight = 2.0 * weight
                    common = float((w - dy) * (w - max(dx, 0 - dx)))
                    weight = weight / common
                    put(work, 0, b)
                    near = ((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7]))
                    put(work, 0, s)
                    gone = ((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7]))
                    alike += near * weight
                    lost += (gone + common / size) * weight
        alike = alike / max(whole - lost, (1.0 - MOST_LOST) * whole + TINY)
        spread = max(alike / max(dot(left, left, plane, work) / free, TINY), 1.0)
        uneven, even = eight(0.0), eight(0.0)
        for r in range(w):
            for c in range(0, pitch, 8):
                o = r * wide + c
                t = vec(light, o) * vec(light, o) * unit + 1.0 / size
                for q in range(p):
                    t += vec(steps, q * plane + o) * vec(solver, q * plane + o)
                t = 1.0 - t * spread
                square = vec(left, o) * vec(left, o) / where(t > 1.0 - MOST_LOST, t, 1.0 - MOST_LOST)
                even += square
                uneven += (vec(solver, o) * vec(solver, o) + vec(solver, plane + o) * vec(solver, plane + o)) * square
        put(work, 0, uneven)
        total = ((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7]))
        put(work, 0, even)
        squares = ((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7]))
        total = alike * total / max(squares / size, TINY)
        # The same with white noise, as `Corners.noises` sees it.
        each = max(rest[n], 0.0) / (phase[n] + 1.0 / averaged[n]) / free
        white = each * (1.0 + 1.0 / averaged[n]) * (matrix[0] + matrix[p + 1])
        ratios[n] = 1.0
        if white > 0.0:
            ratios[n] = total / white
    return 0
