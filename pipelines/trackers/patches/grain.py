"""How much more a window's place suffers from the noise that there is than from noise that is white and even."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.patches.fit import Fit, References
from pipelines.trackers.patches.windows import sampled

Array = npt.NDArray[Any]

FAR = 2  # px over which noise is correlated at most (a 0.7 px Gaussian's hardly is beyond)
LEAST, MOST = 0.25, 25.0
MOST_LOST = 0.7  # share of the noise that a fit takes out of the residual beyond which nothing is made up for
TINY = 1e-300


def grain(
    picture: Array, ref: References, slots: Array, averaged: Array, found: Fit, which: Array
) -> tuple[Array, Array]:  # fmt: skip
    """The ratio of the variance of places to that of white noise of one variance, from what fits leave; and gains.

    The variance is P C P' of the solver P = (J'J)^-1 J' and the residual's covariance C. Filters before the tracker and
    the compression of videos correlate neighbours, and noise of low frequencies moves a window most: C has the
    residual's own correlation, up to FAR px. And noise is not the same everywhere: photons make more of it where it is
    bright, and there a marker's outline is. So the squares of P are weighted by those of the residual, each made up for
    what the fit has taken out of it, by its leverage (MacKinnon, White: Journal of Econometrics 29, 1985), which is so
    much larger as the noise is correlated. (The products of neighbours themselves, as in sandwich estimators, are
    biased where a reference is noisy, whose slopes have the same noise.)

    Args:
        picture: as from `ready`.
        ref: references.
        slots: of n windows.
        averaged: frames in their references.
        found: the fits of all windows.
        which: which of those the n are.

    Returns:
        Ratios (n,), 1 where nothing is left; one frame's scatters by its own size: means of many are wanted. And by
        what the light of each window is multiplied to be that of its reference.
    """
    w, x, y, phase = ref.layout.w, found.x[which], found.y[which], found.phase[which]
    f = ref.pixels[slots][:, :, :w]
    g = sampled(picture, x, y, w, ref.layout.pitch)[:, :, :w]
    g = g - g.mean(axis=(1, 2), keepdims=True)
    # The light's gain, given that the reference has `share` of the noise that the frame has: |f|^2 = s + share m,
    # |g|^2 = a^2 (s + m), f g = a s.
    ff, gg, fg = ref.norm[slots] ** 2, np.einsum("nij,nij->n", g, g), np.einsum("nij,nij->n", g, f)
    share = 1.0 / (averaged * phase)
    gain = fg * (1.0 - share) + np.sqrt((fg * (1.0 - share)) ** 2 + 4.0 * ff * gg * share)
    gain = np.where((gain > 0) & (ff > 0), 2.0 * ff / np.where(gain > 0, gain, 1.0), 1.0)
    left = g * gain[:, None, None] - f
    slopes, inverse = ref.jacobian[slots, :, :, :w], ref.inverse[slots]
    solver = np.einsum("npq,nqij->npij", inverse, slopes)
    left -= np.einsum("npij,np->nij", slopes, np.einsum("npij,nij->np", solver, left))  # the fit's last step
    solver = solver[:, :2]
    # What the fit takes out of the residual: gain, bias and steps, as patterns of length 1.
    values, vectors = np.linalg.eigh(inverse)
    steps = np.einsum("nqp,nqij->npij", vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :], slopes)
    light = np.stack((f / np.where(ff > 0, np.sqrt(ff), 1.0)[:, None, None], np.full_like(f, 1.0 / w)), axis=1)
    taken = np.concatenate((light, steps), axis=1)
    alike, lost = np.zeros(len(slots)), np.zeros(len(slots))
    for dy in range(FAR + 1):
        for dx in range(-FAR if dy else 0, FAR + 1):
            one = (..., slice(None, w - dy), slice(max(-dx, 0), w - max(dx, 0)))
            two = (..., slice(dy, None), slice(max(dx, 0), w - max(-dx, 0)))
            weight = np.einsum("npij,npij->n", solver[one], solver[two]) * (2.0 if dx or dy else 1.0)
            weight /= (w - dy) * (w - abs(dx))
            alike += np.einsum("nij,nij->n", left[one], left[two]) * weight
            lost += np.einsum("npij,npij->n", taken[one], taken[two]) * weight
    whole = np.einsum("npij,npij->n", solver, solver)
    alike /= np.maximum(whole - lost, (1.0 - MOST_LOST) * whole + TINY)
    squares = left * left
    spread = alike / np.maximum(squares.sum(axis=(1, 2)) / max(w * w - ref.layout.p - 2, 1), TINY)
    leverage = np.einsum("npij,npij->nij", taken, taken) * np.maximum(spread, 1.0)[:, None, None]
    squares /= np.maximum(1.0 - leverage, 1.0 - MOST_LOST)
    total = alike * np.einsum("npij,npij,nij->n", solver, solver, squares)
    total /= np.maximum(squares.mean(axis=(1, 2)), TINY)
    # The same with white noise, as `Corners.noises` sees it.
    pixels = np.maximum(found.rest[which], 0.0) / (phase + 1.0 / averaged) / max(w * w - ref.layout.p - 2, 1)
    white = pixels * (1.0 + 1.0 / averaged) * (inverse[:, 0, 0] + inverse[:, 1, 1])
    return np.divide(total, white, out=np.ones(len(slots)), where=white > 0), gain
