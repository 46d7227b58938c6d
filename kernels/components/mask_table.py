"""Components of a mask alone as a table that a device can make, too: whole-number sums, so that no order shows.

A = number of pixels, Sx = sum of (x - left), Sxx = sum of (x - left)^2 ..., with the component's box at (left, top)
x = left + Sx / A        xx = Sxx / A - (Sx / A)^2        xy = Sxy / A - (Sx / A) (Sy / A)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import FEATURE_DTYPE
from kernels.ir.body import Decoder

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class MaskComponents(Decoder):
    """What a device must know of the stage `components` without weights.

    Args:
        size: (height, width) of the mask.
        aside: 1 where all eight neighbours belong together, 0 for four.
        capacity: rows of a frame's table, at most.
    """

    size: tuple[int, int]
    aside: int
    capacity: int
    packed: ClassVar[bool] = True


def mask_rows(x: Array, y: Array, labels: Array, count: int) -> Array:
    """A row of `FEATURE` a component, from its pixels alone: mass is the area, peak is 1; sigma, min and max are NaN.

    Args:
        x, y: whole numbers, px.
        labels: the component of each pixel, from 0; each has one.
    """
    rows = np.zeros(count, FEATURE_DTYPE)
    area = np.bincount(labels, minlength=count).astype(np.float64)
    left, top = (np.full(count, np.iinfo(np.int64).max) for _ in "xy")
    np.minimum.at(left, labels, x)
    np.minimum.at(top, labels, y)
    # Relative to the box's corner: sums of squares stay small and exact.
    dx, dy = x - left[labels], y - top[labels]

    def mean(products: Array) -> Array:  # f64 holds these sums of whole numbers
        return np.bincount(labels, products, count) / area

    rows["area"] = rows["mass"] = area
    rows["peak"] = 1.0
    rows["sigma"] = rows["min"] = rows["max"] = np.nan
    mx, my = mean(dx), mean(dy)
    rows["x"], rows["y"] = left + mx, top + my
    rows["xx"], rows["xy"], rows["yy"] = mean(dx * dx) - mx * mx, mean(dx * dy) - mx * my, mean(dy * dy) - my * my
    rows["stretch"], rows["lean"] = 0.5 * (rows["xx"] - rows["yy"]), rows["xy"]
    return rows
