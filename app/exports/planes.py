"""Pictures as video encoders take them: a plane of luma, and two of colour for every second column of every second row
(YUV 4:2:0 of ITU-R BT.601, 16 to 235). What is drawn is drawn there, so that no whole picture is converted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.drawing import resized
from kernels.opencv import cv2

Bytes = npt.NDArray[np.uint8]
NEUTRAL = 128
"""Of both planes of colour where there is none."""


class Planes:
    """A picture of `height` x `width`, both even, in memory that belongs to others.

    Args:
        y, u, v: whole planes, one dimension each.
        pitches: bytes from row to row of `y`, and of `u` and `v`.
        height, width: in px.
    """

    def __init__(self, y: Bytes, u: Bytes, v: Bytes, pitches: tuple[int, int], height: int, width: int) -> None:
        self.y, self.u, self.v, self.pitches = y, u, v, pitches
        self.height, self.width = height, width

    @staticmethod
    def of(frame: Any) -> Planes:
        """Those of a frame of PyAV in yuv420p."""
        y, u, v = (np.frombuffer(plane, np.uint8) for plane in frame.planes)
        sizes = [plane.line_size for plane in frame.planes]
        assert sizes[1] == sizes[2]
        return Planes(y, u, v, (sizes[0], sizes[1]), frame.height, frame.width)

    @property
    def luma(self) -> Bytes:
        """(height, width)."""
        return self.y.reshape(-1, self.pitches[0])[: self.height, : self.width]

    @property
    def colours(self) -> tuple[Bytes, Bytes]:
        """(height / 2, width / 2) each: blue and red against luma."""
        size = slice(self.height // 2), slice(self.width // 2)
        return self.u.reshape(-1, self.pitches[1])[size], self.v.reshape(-1, self.pitches[1])[size]

    def bgr(self) -> Bytes:
        """(height, width, 3): blue, green, red, for people and tests."""
        joined = np.concatenate([plane.ravel() for plane in (self.luma, *self.colours)])
        whole = joined.reshape(3 * self.height // 2, self.width)
        return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YUV2BGR_I420), np.uint8)


@lru_cache(1)
def luma_of_greys() -> Bytes:
    """The luma of each of the 256 greys."""
    ramp = np.ascontiguousarray(np.broadcast_to(np.arange(256, dtype=np.uint8)[None, :, None], (2, 256, 3)))
    return np.asarray(cv2.cvtColor(ramp, cv2.COLOR_BGR2YUV_I420)[0], np.uint8)


@lru_cache(1024)
def yuv_of(colour: Sequence[int]) -> tuple[int, int, int]:
    """Luma and the two of colour, of blue, green, red.

    >>> yuv_of((255, 255, 255)), yuv_of((24, 24, 24))
    ((235, 128, 128), (37, 128, 128))
    """
    patch = cv2.cvtColor(np.full((2, 2, 3), colour, np.uint8), cv2.COLOR_BGR2YUV_I420)
    return int(patch[0, 0]), int(patch[2, 0]), int(patch[2, 1])


def show(picture: Bytes, planes: Planes, factor: float = 1.0) -> None:
    """Put a picture, (h, w) or (h, w, 3) of blue, green, red, at `factor` times its size into the upper left corner;
    what is not covered of the colour becomes neutral. Grey ones get their luma while they are small."""
    if picture.ndim == 2:
        # Gray values become luma by a table while the picture is small.
        luma = cv2.LUT(picture, luma_of_greys())
        height, width = (round(side * factor) for side in picture.shape) if factor > 1 else picture.shape
        if factor > 1:
            cv2.resize(luma, (width, height), planes.luma[:height, :width], interpolation=cv2.INTER_CUBIC)
        elif factor < 1:
            small = resized(luma, factor)
            planes.luma[: small.shape[0], : small.shape[1]] = small
        else:
            planes.luma[:height, :width] = luma
        for plane in planes.colours:
            plane[:] = NEUTRAL
        return
    picture = resized(picture, factor)
    height, width = picture.shape[:2]
    # Colour takes even sides: the last row and column are repeated.
    even = np.empty(((height + 1) // 2 * 2, (width + 1) // 2 * 2, 3), np.uint8)
    even[:height, :width] = picture
    even[height:, :width] = picture[-1:]
    even[:, width:] = even[:, width - 1 : width]
    whole = np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420), np.uint8)
    planes.luma[:height, :width] = whole[:height, :width]
    rows, columns = even.shape[0] // 2, even.shape[1] // 2
    parts = whole[even.shape[0] :].reshape(2, rows, columns)
    for plane, part in zip(planes.colours, parts, strict=True):
        plane[rows:], plane[:rows, columns:] = NEUTRAL, NEUTRAL
        plane[:rows, :columns] = part
