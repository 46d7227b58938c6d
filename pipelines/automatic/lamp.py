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
ALIKE = 0.25
"""Share of what a frame's light changes by that the median pixel changes by, at least, where a lamp changes: it dims
all that it lights by one factor, and much of a picture is not much darker than the mean. Where bright things come
before a dark ground, or dark ones before a bright ground, the median pixel stays as it is."""


def reference(lights: Sequence[float], pictures: Sequence[npt.NDArray[Any]] = ()) -> float:
    """The most light of some frames; 0 where they are all about as bright, or where not all of the picture changes.

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
    """Whether more than half of the pixels are brighter in one frame than in another by about what its light is more.
    """
    one, other = (looked_at(picture).astype(np.float64).ravel() for picture in (dim, bright))
    finite = np.isfinite(one) & np.isfinite(other)
    one, other = one[finite], other[finite]
    return len(one) > 0 and float(np.median(other - one)) >= ALIKE * (_light(other) - _light(one))


def _light(values: npt.NDArray[np.float64]) -> float:
    """Mean of the pixels of which `light` takes the mean."""
    return float(np.sort(values)[: math.ceil(GROUND * len(values))].mean())
