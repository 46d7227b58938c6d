"""The noise of windows and the variances of their places, from the residuals of their fits, as loops.

They are what `uncertainty.Uncertainty` does with NumPy, with the same operations in the same order.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, store
from pipelines.trackers.registration.noise.noise_correlation_loops import FAR, MOMENTS, PLANES, moments_of
from pipelines.trackers.registration.noise.structs import Learnt, NoiseModel, Residuals
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.structs import Chosen, Picture, Templates
from pipelines.trackers.registration.windows.window_loops import lanes, window_at

LEAST_PART = 0.25  # of the noise that a frame would have if its reference had the same
TINY = 1e-300


@loop
def look(picture: Picture, chosen: Chosen, fits: Fit, learnt: Learnt, refs: Templates, gains: F64, work: F64) -> int:
    """One more look at the noise of some windows: their means `left`, `looks`, and gains.

    Args:
        fits: of all windows.
        gains: of these windows, filled: by what their light is multiplied to be that of their references.
        work: PLANES, 2 planes of (w + FAR + 1) * (pitch + 8), MOMENTS and 2, a window, and room for `window_at`.
    """
    planes = PLANES + 2 * (refs.w + FAR + 1) * (refs.pitch + 8)
    mine, seen = at(work, planes), at(work, planes + 16)
    room = at(work, planes + 16 + refs.w * refs.pitch)
    # Planes hold zeros around their windows, which `moments_of` leaves as they are.
    for k in range(0, planes, 8):
        store(work, k, splat(0.0))
    for n in range(chosen.count):
        i = chosen.which[n]
        window_at(picture, fits.x[i], fits.y[i], refs.w, refs.pitch, seen, room)
        moments_of(refs,
                   Residuals(at(learnt.slot, i), 1, at(learnt.averaged, i), at(fits.phase, i), at(fits.rest, i), seen),
                   mine, at(gains, n), work)  # fmt: skip
        learnt.looks[i] = learnt.looks[i] + 1
        number = float(learnt.looks[i])
        for k in range(MOMENTS):
            learnt.left[i * MOMENTS + k] = (
                learnt.left[i * MOMENTS + k] + (mine[k] - learnt.left[i * MOMENTS + k]) / number
            )
    return 0


@loop
def uneven(grain: float, looks: int, few: int, least: float, most: float) -> float:
    """The ratio of the variance of a place to that by even white noise, within `least` and `most`; not below 1 after
    fewer than `few` looks (`Uncertainty._grained`)."""
    low = 1.0 if looks < few else least
    return min(max(grain, low), most) if grain > 0.0 else 1.0


@loop
def reference_noise(offset: float, spread: float, ratio: float, number: float, slopes: float) -> float:
    """Variance s of a pixel's noise in a reference's first frame, from the variance of its place,

        offset = s spread ratio / (1 - slopes s spread / number),

    whose denominator is not below a half.

    Args:
        offset: px^2.
        spread: px^2, variance of a place for pixels of variance 1.
        ratio: of the variance of a place to that by even white noise.
        number: frames in the reference.
        slopes: as in `NoiseModel`.
    """
    share = min(slopes * offset / (ratio * number), 1.0)
    return offset / max(spread * ratio * (1.0 + share), TINY)


@loop
def pixels_noise(left: float, phase: float, number: float, known: float) -> float:
    """Variance s of a pixel's noise in a frame, in the light of its reference. A fit to a mean of n frames, of which
    the first has noise `known` and the others as much as this one, leaves

        left = s phase + (known + (n - 1) s) / n^2.

    Args:
        left: squares that the fit leaves, divided by its degrees of freedom.
        phase: variance of interpolated pixels for pixels of variance 1.
        number: n.
        known: not above 0 where it is not known: then the first frame is as noisy as this one. It is another where the
            light has changed: brought to the reference's, a brighter frame has less noise.
    """
    even, first = left / (phase + 1.0 / number), 1.0 / (number * number)
    brought = (left - known * first) / (phase + (number - 1.0) * first)
    return max(brought, LEAST_PART * even) if known > 0.0 else even


@loop
def weigh(
    chosen: Chosen, fits: Fit, learnt: Learnt, refs: Templates, fresh: I64, gains: F64, model: NoiseModel, made: F64
) -> int:
    """Variances of the places of some windows, px^2 (`Corners.variances`).

    Args:
        fits: of all windows.
        fresh: of each of these windows its place among those just looked at (`gains`), or -1.
        made: of these windows, filled.
    """
    p = refs.p
    for n in range(chosen.count):
        i = chosen.which[n]
        own = learnt.slot[i]
        # `textured` is 2 for stripes, of which one direction has all of the variance: the mean over both counts twice.
        spread = (refs.inverse[p * p * own] + refs.inverse[p * p * own + p + 1]) / 2.0 * float(refs.textured[own])
        number = float(learnt.averaged[i])
        left = max(fits.rest[i], 0.0) / model.free
        ratio = uneven(learnt.grain[i], learnt.looks[i], model.few, model.least, model.most)
        # A fresh look shows the variance of the reference's own place; its running mean is `offset`.
        if fresh[n] >= 0:
            # Brought to the reference's light, the noise of photons is so many times what it is in that light.
            gain, first = gains[fresh[n]], 1.0 / (number * number)
            noise = left / (gain * (fits.phase[i] + (number - 1.0) * first) + first)
            mine = noise * spread / (1.0 - min(model.slopes * noise / number * spread, 0.5)) * ratio
            learnt.offset[i] = learnt.offset[i] + (mine - learnt.offset[i]) / float(learnt.looks[i])
        known = reference_noise(learnt.offset[i], spread, ratio, number, model.slopes) if learnt.looks[i] > 0 else 0.0
        noise = pixels_noise(left, fits.phase[i], number, known)
        # Noise makes slopes steeper: the normal matrix is too large by this share, the variance too small by its
        # square.
        true = 1.0 - min(model.slopes * noise / number * spread, 0.5)
        if learnt.looks[i] == 0:  # until it is its turn: as if the light were the reference's
            learnt.offset[i] = noise * spread / true * ratio
        made[n] = max(noise * spread / (true * true) * ratio + learnt.offset[i], 0.0) + model.floor
    return 0


@loop
def normals(refs: Templates, slots: I64, count: int, out: F64, work: F64) -> int:
    """The normal matrices of shifts, sum gx gx, sum gx gy, sum gy gy, of some references, (count, 3), in the order in
    which `windows.total` adds."""
    pitch = refs.pitch
    area = refs.w * pitch
    for n in range(count):
        first = slots[n] * refs.p * area
        for k in range(3):
            # k = 0, 1, 2 are the pairs (x, x), (x, y), (y, y) of slopes.
            a, b = first + (k // 2) * area, first + ((k + 1) // 2) * area
            for c in range(0, pitch, 8):
                s = splat(0.0)
                for r in range(refs.w):
                    s += load(refs.jacobian, a + r * pitch + c) * load(refs.jacobian, b + r * pitch + c)
                store(work, c, s)
            lanes(work, pitch)
            out[3 * n + k] = work[pitch]
    return 0
