"""Whether things touch, so that some regions are two or three of them: where what is split falls into parts of the
sizes of what is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.components.blobs import measure, most_area
from kernels.opencv import cv2

Array = npt.NDArray[Any]

SEVERAL = 1.5
"""Times the usual area of what stays whole that what is split has at the least, usually: a thing with a pattern falls
into parts, too, and is no larger than the others."""
APART = 0.5
"""Of the usual diameter: maxima of two things that touch are farther apart, and of one thing are not."""
SMALLEST = 0.1
"""Share of what stays whole that may be smaller than the parts."""
LEFT = 0.8
"""Of the area of these, that a part has at the least: it loses some where it touches another."""
MOST_OF = 0.75
"""Share of the parts that have that."""


def splitting(masks: Sequence[Array], pictures: Sequence[Array], params: Mapping[str, Any]) -> float:
    """The distance of maxima, px, from which on regions are split, since things touch; 0 where they do not.

    Args:
        masks, pictures: (height, width) each.
        params: of `components`, with numbers; its `split` is not heeded.
    """
    inside = np.stack([np.ascontiguousarray(mask, np.bool_) for mask in masks])
    light = np.stack([np.asarray(picture) for picture in pictures])
    limits = float(params["min_area"]), most_area(params, inside[0].size)
    regions = [_regions(mask, *limits) for mask in inside]
    areas = np.concatenate([size[own] for _, size, own in regions])
    usual = float(np.median(areas)) if len(areas) else 0.0
    if not np.any(areas > SEVERAL * usual):
        return 0.0
    apart = float(f"{APART * np.sqrt(4.0 / np.pi * usual):.2g}")
    parts = [rows for rows, _ in measure(inside, light, {**params, "split": apart, "min_area": 1})]
    kept, fallen, pieces = (np.concatenate(one) for one in zip(*map(_told, regions, parts), strict=True))
    if not len(fallen) or len(kept) < len(fallen) or np.median(fallen) < SEVERAL * np.median(kept):
        return 0.0
    return apart if np.mean(pieces >= LEFT * np.quantile(kept, SMALLEST)) >= MOST_OF else 0.0


def _regions(mask: Array, least: float, most: float) -> tuple[Array, Array, Array]:
    """The label of each pixel of a mask, how many pixels each label has, and the labels of regions that count."""
    _, labels = cv2.connectedComponents(mask.view(np.uint8), connectivity=8, ltype=cv2.CV_32S)
    size = np.bincount(np.asarray(labels).ravel())
    own = np.flatnonzero((size >= least) & (size <= most))
    return np.asarray(labels), size, own[own > 0]


def _told(regions: tuple[Array, Array, Array], parts: Array) -> tuple[Array, Array, Array]:
    """Areas of the regions of a mask that stay whole, of those that fall apart, and of their parts."""
    labels, size, own = regions
    height, width = labels.shape
    x, y = (np.rint(parts[name]).astype(np.int64).clip(0, side - 1) for name, side in (("x", width), ("y", height)))
    owner = labels[y, x]
    several = np.bincount(owner, minlength=len(size)) > 1
    of = several[owner] & np.isin(owner, own)
    return size[own][~several[own]], size[own][several[own]], parts["area"][of]
