"""How much more a window's place suffers from the noise that there is than from noise that is white and even."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.patches import grain_loops as loops
from pipelines.trackers.patches.fit import Fit, References
from pipelines.trackers.patches.native import run
from pipelines.trackers.patches.windows import sampled

Array = npt.NDArray[Any]

LEAST, MOST = 0.25, 25.0


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
    o, n = ref.layout, len(slots)
    seen = sampled(picture, found.x[which], found.y[which], o.w, o.pitch)
    ratios, gains = np.ones(n), np.ones(n)
    room = 16 + (2 * o.p + 2) * (o.w + loops.FAR + 1) * (o.pitch + 8)
    run(loops.noises_of, ref.pixels.ravel(), ref.norm, ref.jacobian.ravel(), ref.inverse.ravel(),
        np.ascontiguousarray(slots), n, averaged.astype(np.float64), np.ascontiguousarray(found.phase[which]),
        np.ascontiguousarray(found.rest[which]), seen.ravel(), o.w, o.pitch, o.p, o.mask, ratios, gains,
        np.zeros(room))  # fmt: skip
    return ratios, gains
