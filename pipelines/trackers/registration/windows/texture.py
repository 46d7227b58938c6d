"""Where a picture has enough texture to be followed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2

Array = npt.NDArray[Any]


def textured_points(
    image: Array, count: int, window: int, apart: float, margin: int, mask: Array | None = None, quality: float = 0.02
) -> Array:
    """The points whose windows are best to follow (Shi, Tomasi: Good Features to Track, CVPR 1994).

    Args:
        image: (height, width) u8 or f32.
        count: at most so many.
        window: side of the window over which the normal matrix is summed, px.
        apart: least distance between two points, px.
        margin: least distance from the picture's edge, px.
        mask: bool (height, width), False where no point may lie.
        quality: smallest eigenvalue of the normal matrix, relative to the best point's.

    Returns:
        int64 (n, 2) of x, y, best first.
    """
    height, width = image.shape
    allowed = np.zeros((height, width), np.uint8)
    allowed[margin : height - margin, margin : width - margin] = 255
    if mask is not None:
        allowed[~mask] = 0
    if not allowed.any() or count < 1:
        return np.zeros((0, 2), np.int64)
    points = cv2.goodFeaturesToTrack(image, count, quality, max(apart, 1.0), mask=allowed, blockSize=window)
    if points is None:
        return np.zeros((0, 2), np.int64)
    whole: Array = np.rint(np.asarray(points).reshape(-1, 2)).astype(np.int64)
    return whole


def far_from(image_shape: tuple[int, int], x: Array, y: Array, distance: float) -> Array:
    """Bool (height, width): True where no point (x, y) is nearer than `distance` px."""
    taken = np.zeros(image_shape, np.uint8)
    for px, py in zip(np.rint(x).astype(int).tolist(), np.rint(y).astype(int).tolist(), strict=True):
        cv2.circle(taken, (px, py), max(int(np.ceil(distance)), 0), 1, -1)
    return np.equal(taken, 0)
