"""How much more a window's place suffers from noise that is correlated from pixel to pixel than from white noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.patches.fit import Fit, References
from pipelines.trackers.patches.windows import sampled

Array = npt.NDArray[Any]

FAR = 3  # px over which noise is correlated at most (a 0.7 px Gaussian's is over 2)
LEAST, MOST = 0.25, 25.0


def grain(picture: Array, ref: References, slots: Array, averaged: Array, found: Fit, which: Array) -> Array:
    """The ratio of the variance of places to that of white noise, from what fits leave.

    The variance is P C P' of the solver P = (J'J)^-1 J'
    and the residual's covariance C, taken from the residual itself (White, Econometrica 48, 1980, for neighbours).

    Filters before the tracker and the compression of videos correlate noise; that of low frequencies moves a window
    most. The noise of the interpolation's taps is correlated, too, and is accounted for likewise.

    Args:
        picture: as from `ready`.
        ref: references.
        slots: of n windows.
        averaged: frames in their references.
        found: the fits of all windows.
        which: which of those the n are.

    Returns:
        (n,), LEAST to MOST; 1 where nothing is left.
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
    left = g * (2.0 * ff / np.where(gain > 0, gain, 1.0))[:, None, None] - f
    slopes = ref.jacobian[slots, :, :, :w]
    solver = np.einsum("npq,nqij->npij", ref.inverse[slots], slopes)
    left -= np.einsum("npij,np->nij", slopes, np.einsum("npij,nij->np", solver, left))  # the fit's last step
    solver = solver[:, :2]
    total = np.zeros(len(slots))
    for dy in range(FAR + 1):
        for dx in range(-FAR if dy else 0, FAR + 1):
            one = (slice(None, w - dy), slice(max(-dx, 0), w - max(dx, 0)))
            two = (slice(dy, None), slice(max(dx, 0), w - max(-dx, 0)))
            alike = np.einsum("nij,nij->n", left[:, *one], left[:, *two]) / ((w - dy) * (w - abs(dx)))
            weight = np.einsum("npij,npij->n", solver[:, :, *one], solver[:, :, *two])
            total += (2.0 if dx or dy else 1.0) * alike * weight
    # The same with white noise, as `Corners.noise` sees it.
    pixels = np.maximum(found.rest[which], 0.0) / (phase + 1.0 / averaged)
    white = pixels * (1.0 + 1.0 / averaged) * (ref.inverse[slots, 0, 0] + ref.inverse[slots, 1, 1])
    ratio = np.divide(total * w * w, white, out=np.ones(len(slots)), where=white > 0)
    made: Array = np.clip(ratio, LEAST, MOST)
    return made
