"""What windows learn from a frame in which they were found, as loops: noise, its variances, a further frame of means.

They do what `corners.Corners` does with NumPy, with the same operations in the same order.
"""

from __future__ import annotations

from kernels.host.loops import F64, I32, I64, PIXELS, at, eight, loop, put, vec
from pipelines.trackers.patches.grain_loops import FAR, MOMENTS, PLANES, moments_of
from pipelines.trackers.patches.window_loops import lanes, window_at

LEAST_PART = 0.25  # of the noise that a frame would have if its reference had the same
TINY = 1e-300


@loop
def look(image: PIXELS, height: int, width: int, which: I64, count: int, x: F64, y: F64, phase: F64, rest: F64,
         slot: I64, averaged: I64, looks: I32, left: F64, pixels: F64, norm: F64, jacobian: F64, inverse: F64, w: int,
         pitch: int, p: int, mask: F64, table: F64, gains: F64, work: F64) -> int:  # fmt: skip
    """One more look at the noise of the windows `which`: their means `left` (MOMENTS a row), `looks`, and gains.

    Args:
        x, y, phase, rest: of the fits of all windows.
        gains: (count,), filled.
        work: PLANES, 2 planes of (w + FAR + 1) * (pitch + 8), MOMENTS and 2, a window, and room for `window_at`.
    """
    planes = PLANES + 2 * (w + FAR + 1) * (pitch + 8)
    mine, seen = at(work, planes), at(work, planes + 16)
    room = at(work, planes + 16 + w * pitch)
    for k in range(0, planes, 8):
        put(work, k, eight(0.0))
    for n in range(count):
        i = which[n]
        window_at(image, height, width, x[i], y[i], w, pitch, table, seen, room)
        moments_of(pixels, norm, jacobian, inverse, at(slot, i), 1, at(averaged, i), at(phase, i), at(rest, i), seen, w,
                   pitch, p, mask, mine, at(gains, n), work)  # fmt: skip
        looks[i] = looks[i] + 1
        number = float(looks[i])
        for k in range(MOMENTS):
            left[i * MOMENTS + k] = left[i * MOMENTS + k] + (mine[k] - left[i * MOMENTS + k]) / number
    return 0


@loop
def uneven(grain: float, looks: int, few: int, least: float, most: float) -> float:
    """By how much the variance of a place is that of even white noise (`Corners._grained`)."""
    low = 1.0 if looks < few else least
    return min(max(grain, low), most) if grain > 0.0 else 1.0


@loop
def reference_noise(offset: float, spread: float, ratio: float, number: float, slopes: float) -> float:
    """Variance of the pixels of a reference's first frame, from that of its place (`offset`, px^2), which is that times
    spread and ratio / (1 - slopes noise spread / number), the last not below a half."""
    share = min(slopes * offset / (ratio * number), 1.0)
    return offset / max(spread * ratio * (1.0 + share), TINY)


@loop
def pixels_noise(left: float, phase: float, number: float, known: float) -> float:
    """Variance of a frame's pixels, in their reference's light.

    Args:
        left: squares that a fit leaves, for each of its degrees of freedom.
        phase: variance of interpolated pixels for pixels of variance 1.
        number: frames in the reference.
        known: variance of the pixels of the reference's first frame, in whose light it is; where it is not above 0, as
            this frame's. In a frame of more light there is less noise, in that light. Nobody knows of the reference's
            other frames: as this one's.
    """
    even, first = left / (phase + 1.0 / number), 1.0 / (number * number)
    brought = (left - known * first) / (phase + (number - 1.0) * first)
    return max(brought, LEAST_PART * even) if known > 0.0 else even


@loop
def weigh(which: I64, count: int, phase: F64, rest: F64, slot: I64, averaged: I64, looks: I32, fresh: I64, gains: F64,
          grain: F64, offset: F64, inverse: F64, textured: I64, p: int, how: F64, made: F64) -> int:  # fmt: skip
    """Variances of the places of the windows `which` (`Corners.variances`).

    Args:
        phase, rest: of the fits of all windows.
        fresh: of each of `which`: its place among those just looked at (`gains`), or -1.
        how: degrees of freedom, w^2 SLOPE_NOISE, FLOOR^2, FEW, LEAST, MOST.
        made: (count,), filled.
    """
    for n in range(count):
        i = which[n]
        own = slot[i]
        spread = (inverse[p * p * own] + inverse[p * p * own + p + 1]) / 2.0 * float(textured[own])
        number = float(averaged[i])
        left = max(rest[i], 0.0) / how[0]
        ratio = uneven(grain[i], looks[i], int(how[3]), how[4], how[5])
        if fresh[n] >= 0:
            # Brought to the reference's light, the noise of photons is so many times what it is in that light.
            gain, first = gains[fresh[n]], 1.0 / (number * number)
            noise = left / (gain * (phase[i] + (number - 1.0) * first) + first)
            mine = noise * spread / (1.0 - min(how[1] * noise / number * spread, 0.5)) * ratio
            offset[i] = offset[i] + (mine - offset[i]) / float(looks[i])
        known = reference_noise(offset[i], spread, ratio, number, how[1]) if looks[i] > 0 else 0.0
        noise = pixels_noise(left, phase[i], number, known)
        true = 1.0 - min(how[1] * noise / number * spread, 0.5)
        if looks[i] == 0:  # until it is its turn: as if the light were the reference's
            offset[i] = noise * spread / true * ratio
        made[n] = max(noise * spread / (true * true) * ratio + offset[i], 0.0) + how[2]
    return 0


@loop
def normals(jacobian: F64, slots: I64, count: int, w: int, pitch: int, p: int, out: F64, work: F64) -> int:
    """Sums of products of the slopes of references, (count, 3): along x, mixed, along y, as `windows.total` adds."""
    area = w * pitch
    for n in range(count):
        first = slots[n] * p * area
        for k in range(3):
            a, b = first + (k // 2) * area, first + ((k + 1) // 2) * area
            for c in range(0, pitch, 8):
                s = eight(0.0)
                for r in range(w):
                    s += vec(jacobian, a + r * pitch + c) * vec(jacobian, b + r * pitch + c)
                put(work, c, s)
            lanes(work, pitch)
            out[3 * n + k] = work[pitch]
    return 0
