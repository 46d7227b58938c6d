"""Whether the light of a clip is uneven, and how much there is of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.stages.light import GROUND, looked_at

UNEVEN = 0.06
"""Share by which the darkest of some frames is darker than the brightest, from which on their light is made even: a
ripple of less moves no threshold past anything that stands out, and less may come from things that move."""
ALIKE = 0.6
"""Share of a picture's light that changes with the lamp, at least, where it is one: a lamp dims all that it lights by
one factor, of which noise, black parts and what moves leave .7 and more, a lamp that is nearer to one side .75. What
comes before a ground that stays (sparks, smoke, bubbles) changes no more than it covers."""


def reference(lights: Sequence[float], pictures: Sequence[npt.NDArray[Any]] = ()) -> float:
    """The most light of some frames; 0 where they are all about as bright, or where most of the picture stays.

    Args:
        lights: of the frames, fractions of full scale.
        pictures: the frames, if they are at hand.
    """
    most, least = max(lights, default=0.0), min(lights, default=0.0)
    if most <= 0 or least >= (1.0 - UNEVEN) * most:
        return 0.0
    if pictures and not lit_alike(pictures[lights.index(least)], pictures[lights.index(most)]):
        return 0.0
    return most


def lit_alike(dim: npt.NDArray[Any], bright: npt.NDArray[Any]) -> bool:
    """Whether most of the light of one frame comes from pixels that are brighter in another by the factor of the light
    of both, or nearer to that than to staying as they are.

    Each pixel counts by its light in the frame in which it has less, so that black ones, which tell nothing, hardly do,
    nor bright things that are in one frame alone.
    """
    one, other = (looked_at(picture).astype(np.float64).ravel() for picture in (dim, bright))
    finite = np.isfinite(one) & np.isfinite(other)
    one, other = one[finite], other[finite]
    least, most = (_light(values) if len(values) else 0.0 for values in (one, other))
    if least <= 0:
        return False
    changed = other - one >= 0.5 * (most / least - 1.0) * one
    ground = np.minimum(one, other)
    return float(ground[changed].sum()) >= ALIKE * float(ground.sum())


def _light(values: npt.NDArray[np.float64]) -> float:
    """Mean of the pixels of which `light` takes the mean."""
    return float(np.sort(values)[: math.ceil(GROUND * len(values))].mean())
