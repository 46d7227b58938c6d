"""What the noise of a reference does to how its window answers (`patches.response`), and how noise is correlated.

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

from kernels.host.loop_values import ARRAYS
from pipelines.trackers.patches import noise_loops as loops
from pipelines.trackers.patches.native import run
from pipelines.trackers.patches.noise_loops import FAR, SIDE
from pipelines.trackers.patches.spline_loops import POLE
from pipelines.trackers.patches.subpixel import MARGIN

Array = npt.NDArray[Any]

REACH = 40  # px around a pixel in which its spline is looked at: all of it in double precision


def white(count: int) -> Array:
    """The autocorrelation of white noise, (count, SIDE, SIDE)."""
    made = np.zeros((count, SIDE, SIDE))
    made[:, FAR, FAR] = 1.0
    return made


def autocovariance(image: Array, which: Array, x: Array, y: Array, tiles: Array, mask: Array) -> Array:
    """That of what is left of windows beside their references: light, shifts and what is of second order taken off.

    Args:
        image: the frame.
        which: the tiles of n points.
        x, y: the pixels at their windows' centres, int64 (n,), within a pixel of where the references are.
        tiles: references, (all, w + 2 MARGIN, w + 2 MARGIN).
        mask: as `response.masks`.

    Returns:
        (n, SIDE, SIDE), symmetrical.
    """
    image = np.ascontiguousarray(image)
    if image.dtype.name not in ARRAYS.values():
        image = image.astype(np.float64)
    window = tiles.shape[1] - 2 * MARGIN
    blocks = -(-window // 8)
    made = np.zeros((len(which), SIDE, SIDE))
    room = loops.MAPS + 8 * (window + FAR) * (blocks + 2) + 56 * window * blocks
    run(loops.noise_seen, image.ravel(), *image.shape, which, len(which), x, y, tiles.ravel(), window, blocks, MARGIN,
        mask, made.ravel(), np.zeros(room), pixels=image.dtype)  # fmt: skip
    return made


def normal(covariance: Array) -> Array:
    """Autocorrelations: 1 in the middle; white where there is none."""
    middle = covariance[:, FAR, FAR][:, None, None]
    return np.where(middle > 0, covariance / np.where(middle > 0, middle, 1.0), white(len(covariance)))


@cache
def tables() -> tuple[Array, Array]:
    """What a noisy pixel does by itself, its spline's coefficients being sqrt(3) z^|k| along either axis.

    Returns:
        The products of its slope along x, and of that along y, with themselves moved by -FAR..FAR px, (2, SIDE, SIDE).
        And those of itself, moved by -7..7 px down and -7..16 px across, with itself and its slopes, (3, 15, 24).
    """
    powers = [math.sqrt(3.0)]
    for _ in range(2 * REACH):
        powers.append(powers[-1] * POLE)
    around = range(-REACH, REACH + 1)
    slope = {k: 0.5 * (powers[abs(k + 1)] - powers[abs(k - 1)]) for k in around}
    alike = [math.fsum(slope[k] * slope.get(k - e, 0.0) for k in around) for e in range(-FAR, FAR + 1)]
    level = [float(m == 0) for m in range(-7, 17)]
    steep = [slope[-m] for m in range(-7, 17)]
    slopes, own = np.zeros((2, SIDE, SIDE)), np.zeros((3, 15, 24))
    slopes[0, FAR], slopes[1, :, FAR] = alike, alike
    for m in range(15):
        for k in range(24):
            own[:, m, k] = level[m] * level[k], level[m] * steep[k], steep[m] * level[k]
    return slopes, own
