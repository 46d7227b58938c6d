"""How much more a window's place suffers from the noise that there is than from noise that is white and even.

The variance of a place is P C P' of the solver P = (J'J)^-1 J' and the noise's covariance C. Filters before the tracker
and the compression of videos correlate neighbours, and noise of low frequencies moves a window most: C has the noise's
own correlation, up to FAR px. And noise is not the same everywhere: photons make more of it where it is bright, and
there a marker's outline is. So C_ij = rho_(i - j) (1 + slope (f_i + f_j) / 2), f the light: filtered noise of photons.

What a fit leaves is M r of the noise r, where M takes out the light, the mean and the slopes: of a small window a good
part of the noise, most of it where there is most, and so much more as it is correlated. The squares and the products of
neighbours that are left have the expectations of M C M, linear in C: C is what makes them those that were seen, found
by putting back what was taken out of the last C that was found. (White's and MacKinnon's corrections by the leverage,
Journal of Econometrics 29, 1985, are for noise that is the same everywhere: of markers they left 0.72 of the variance.
The products of neighbours themselves, as in sandwich estimators, are biased where a reference is noisy, whose slopes
have the same noise.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.noise import noise_correlation_loops as loops
from pipelines.trackers.registration.warp.fit import References
from pipelines.trackers.registration.windows.native import call

Array = npt.NDArray[Any]

LEAST, MOST = 0.25, 25.0


def grain(ref: References, slots: Array, moments: Array) -> Array:
    """The ratio of the variance of places to that of white noise of one variance.

    Args:
        ref: references.
        slots: of n windows.
        moments: (n, MOMENTS), means of those of single frames (`noise_correlation_loops.moments_of`), in units of
            the white noise that leaves as much.

    Returns:
        Ratios (n,), 1 where nothing is left.
    """
    o, ratios = ref.layout, np.ones(len(slots))
    room = loops.PLANES + (1 + 4 * (o.p + 2)) * (o.w + loops.FAR + 1) * (o.pitch + 8)
    call(loops.ratios_of, ref.arrays(), np.ascontiguousarray(slots), len(slots), np.ascontiguousarray(moments), ratios,
         np.zeros(room))  # fmt: skip
    return ratios
