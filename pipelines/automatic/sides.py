"""Whether things are brighter or darker than what is around them, by their light: where a mask comes from edges or from
motion, nothing in it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2

Array = npt.NDArray[Any]

AROUND = 3
"""Px around a region that are its ground."""
REGIONS = 32
"""Of a mask that are looked at, the largest ones."""


def brighter_inside(masks: Sequence[Array], pictures: Sequence[Array], least: float, most: float) -> bool:
    """Whether the regions of masks are brighter than their ground, by the sum over all of area and contrast.

    Args:
        masks, pictures: (height, width) each.
        least, most: pixels of the regions that count.
    """
    total = 0.0
    for mask, picture in zip(masks, pictures, strict=True):
        inside = np.ascontiguousarray(mask, np.bool_).view(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=8, ltype=cv2.CV_32S)
        areas = stats[:, cv2.CC_STAT_AREA]
        counted = np.flatnonzero((areas >= least) & (areas <= most))
        for k in counted[counted > 0][np.argsort(-areas[counted[counted > 0]], kind="stable")][:REGIONS].tolist():
            x, y, width, height, area = stats[k].tolist()
            here = np.s_[max(y - AROUND, 0) : y + height + AROUND, max(x - AROUND, 0) : x + width + AROUND]
            own, light = labels[here] == k, np.asarray(picture[here], np.float64)
            side = 2 * AROUND + 1
            near = cv2.dilate(own.astype(np.uint8), np.ones((side, side), np.uint8)).view(np.bool_)
            ring, own = near & (labels[here] == 0) & np.isfinite(light), own & np.isfinite(light)
            if ring.any() and own.any():
                total += area * float(light[own].mean() - np.median(light[ring]))
    return total >= 0.0
