"""Whether things are oblong, by the moments of their regions: a weighted centroid for round spots finds one of several
places along such a thing, and noise splits it anew in every frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2

Array = npt.NDArray[Any]

OBLONG = 1.5
"""Times as long as wide from which on a region is no round spot: the noise of SNR 4 has them at 1.3."""
MOST_OF = 0.75
"""Share of the regions that are longer than that at the least, if things are oblong: where round ones crowd, up to a
third of the regions are pairs, and of a face's more are texture."""
LEAST = 9
"""Pixels of a region that has a shape."""
SPOT = 1.4
"""Width of the weights for round spots, px (standard deviation)."""
APART = 2.5
"""Px between maxima of two round spots for such weights."""
FARTHEST = 200.0
"""Px between maxima that `components` splits at most."""


def usual_length(masks: Sequence[Array], least: float, most: float) -> float:
    """The usual length (four standard deviations along it, px) of what is oblong; 0 where things are not.

    Args:
        masks: (height, width) each.
        least, most: pixels of the regions that count.
    """
    shapes = np.concatenate([np.zeros((0, 2)), *(_shapes(mask, max(least, LEAST), most) for mask in masks)])
    if not len(shapes) or np.mean(shapes[:, 0] >= OBLONG * shapes[:, 1]) < MOST_OF:
        return 0.0
    return float(np.median(shapes[:, 0]))


def _shapes(mask: Array, least: float, most: float) -> Array:
    """Length and width of each region, (n, 2) px; a pixel is a square."""
    inside = np.ascontiguousarray(mask, np.bool_)
    count, labels = cv2.connectedComponents(inside.view(np.uint8), connectivity=8, ltype=cv2.CV_32S)
    y, x = np.nonzero(inside)
    which = np.asarray(labels)[y, x]
    area = np.bincount(which, minlength=count).astype(np.float64)

    def mean(values: Array) -> Array:
        return np.bincount(which, values, count) / np.maximum(area, 1.0)

    dx, dy = x - mean(x)[which], y - mean(y)[which]
    xx, yy, xy = mean(dx * dx) + 1 / 12, mean(dy * dy) + 1 / 12, mean(dx * dy)
    half, bend = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy)
    counted = (area >= least) & (area <= most)
    made: Array = 4.0 * np.sqrt(np.stack((half + bend, half - bend), axis=1))
    return made[counted]


def windows(length: float, sigma: float | None) -> tuple[float, float]:
    """`refine_sigma` and `split` of regions, px.

    Args:
        length: `usual_length`.
        sigma: the width of the weights, where it is given, more than 0.

    >>> windows(0.0, None), windows(8.04, None), windows(0.0, 2.8)
    ((1.4, 2.5), (0.0, 8.0), (2.8, 5.0))
    """
    if length:
        return 0.0 if sigma is None else sigma, min(float(f"{length:.2g}"), FARTHEST)
    width = SPOT if sigma is None else sigma
    return width, float(f"{APART / SPOT * width:.3g}")
