"""What the noise of a reference does to how its window answers (`registration.response.response`), and how noise is
correlated.

Slopes of a noisy reference look steeper than they are, and motions smaller, by their noise's share of their power
(errors in variables; Fuller: Measurement Error Models, 1987). That share is taken off the normal matrices, and off what
a reference answers to itself, for a frame does not have the reference's noise.

Filters before a tracker, and the compression of videos, correlate noise from pixel to pixel. Variances of what is
linear in the pixels follow from its autocorrelation, which is seen in what is left of a frame beside the reference.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.noise.autocovariance_loops import FAR, SIDE
from pipelines.trackers.registration.response.design_loops import STEEPER
from pipelines.trackers.registration.windows.taps import SLOPE1, SLOPE2, SLOPE3

Array = npt.NDArray[Any]


def white(count: int) -> Array:
    """The autocorrelation of white noise, (count, SIDE, SIDE)."""
    made = np.zeros((count, SIDE, SIDE))
    made[:, FAR, FAR] = 1.0
    return made


def normal(covariance: Array) -> Array:
    """Autocorrelations: 1 in the middle; white where there is none."""
    middle = covariance[:, FAR : FAR + 1, FAR : FAR + 1]
    if (middle > 0).all():
        return np.asarray(covariance / middle)
    return np.where(middle > 0, covariance / np.where(middle > 0, middle, 1.0), white(len(covariance)))


@cache
def tables() -> tuple[Array, Array]:
    """What a noisy pixel does by itself.

    Returns:
        The products of its slope along x with itself moved by -FAR..FAR px, of that along y, and of its second
        derivatives xx, xy, yy; and of xx with yy: (6, SIDE, SIDE).
        And those of itself, moved by -7..7 px down and -7..16 px across, with itself, its slopes and its second
        derivatives (xx, xy, yy), (6, 15, 24).
    """
    slope = dict.fromkeys(range(-24, 25), 0.0)
    for k, one in enumerate((SLOPE1, SLOPE2, SLOPE3), 1):
        slope[-k], slope[k] = one, -one
    second = {-1: 1.0, 0: -2.0, 1: 1.0}
    around = range(-FAR, FAR + 1)
    alike = [math.fsum(slope[k] * slope[k - e] for k in around) for e in around]
    places = range(-7, 17)
    level = np.array([float(m == 0) for m in places])
    steep = np.array([slope[-m] for m in places])
    beside = np.array([0.5 * m if abs(m) == 1 else 0.0 for m in places])
    curved = np.array([second.get(m, 0.0) for m in places])
    slopes, own = np.zeros((6, SIDE, SIDE)), np.zeros((6, 15, 24))
    slopes[0, FAR], slopes[1, :, FAR] = alike, alike
    slopes[2, FAR, 1:6] = slopes[4, 1:6, FAR] = np.array((1.0, -4.0, 6.0, -4.0, 1.0)) * STEEPER**2
    slopes[3, 1:6, 1:6] = np.multiply.outer(*[np.array((-0.25, 0.0, 0.5, 0.0, -0.25)) * STEEPER] * 2)
    slopes[5, 2:5, 2:5] = np.multiply.outer(*[np.array((1.0, -2.0, 1.0)) * STEEPER] * 2)
    for out, (down, across) in zip(own, ((level, level), (level, steep), (steep, level), (level, curved),
                                         (beside, beside), (curved, level)), strict=True):  # fmt: skip
        out[...] = down[:15, None] * across
    own[3:] *= STEEPER
    return slopes, own
