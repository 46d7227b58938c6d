"""Frames without colour in streams that could have it, as most cameras' and encoders' videos of gray pictures are: red,
green and blue by a table of luma, in a fraction of the time and with the same bits as FFmpeg's conversion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.frame import Pixels

PALETTE = "pal8"
"""FFmpeg's name of pictures whose values are places in a table of colours."""
_ENTRY = np.dtype([("bgr", "u1", 3), ("alpha", "u1")])
_RAMP = np.repeat(np.arange(256, dtype=np.uint8), 3).reshape(256, 3)
_PLANAR = frozenset({"yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p"})
_NEUTRAL = 128
_STEP = 37
"""Luma changes so much from row to row of the trial, so that each level comes to each column."""


class Greys:
    """The table of one stream.

    Args:
        table: the level that each luma becomes.
        meant: how frames are to be read for which it holds.
    """

    def __init__(self, table: npt.NDArray[np.uint8], meant: tuple[object, ...]) -> None:
        self._table, self._meant = table, meant
        self._same = bool((table == np.arange(256)).all())

    @staticmethod
    def of(first: Any) -> Greys | None:
        """That of a stream whose first frame this is; None where there is none: other formats, or a conversion that
        does not depend on the luma alone, for what would be converted is tried on a frame that holds every luma.
        """
        if first.format.name not in _PLANAR:
            return None
        height, width = first.height, first.width
        # Each luma value in some pixel, by a ramp that is shifted from row to row.
        luma = (np.arange(width)[None, :] + _STEP * np.arange(height)[:, None]).astype(np.uint8)
        if not np.bincount(luma.ravel(), minlength=256).all():
            return None  # too few pixels to be worth it
        trial = type(first)(width, height, first.format.name)
        trial.colorspace, trial.color_range = first.colorspace, first.color_range
        for plane, level in zip(trial.planes, (None, _NEUTRAL, _NEUTRAL), strict=True):
            rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
            rows[:] = 0 if level is None else level
            if level is None:
                rows[:height, :width] = luma
        shown = trial.to_ndarray(format="rgb24")
        table = np.zeros(256, np.uint8)
        table[luma] = shown[:, :, 0]
        # A table holds only if all three channels are alike and depend on the luma alone.
        return Greys(table, _meaning(first)) if (table[luma][:, :, None] == shown).all() else None

    def fill(self, frame: Any, out: Pixels) -> bool:
        """Fill `out`, (height, width, 3) bytes in one piece; False if the frame has colour or is meant otherwise."""
        if _meaning(frame) != self._meant:
            return False
        height, width = out.shape[:2]
        planes = [np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size) for plane in frame.planes]
        down, across = frame.format.components[1].height, frame.format.components[1].width
        # Chroma that is not neutral anywhere is colour.
        if not all((plane[:down, :across] == _NEUTRAL).all() for plane in planes[1:]):
            return False
        luma = planes[0][:height, :width]
        from kernels.opencv import cv2  # here: what only tells of a clip does not wait for it

        cv2.cvtColor(luma if self._same else cv2.LUT(luma, self._table), cv2.COLOR_GRAY2RGB, out)
        return True


def _meaning(frame: Any) -> tuple[object, ...]:
    """What a conversion depends on besides the planes' values."""
    return frame.format.name, frame.width, frame.height, frame.colorspace, frame.color_range


def is_gray_palette(frame: Any) -> bool:
    """Whether each colour in a frame's palette is the gray of its place, or none is there: uncompressed AVI files of 8
    bits have a palette by their format, and programs that write gray ones leave it out."""
    colours = np.frombuffer(frame.planes[1], _ENTRY)["bgr"]
    return bool(((colours == _RAMP).all(axis=1) | (colours == 0).all(axis=1)).all())


def places(frame: Any) -> Pixels:
    """The values of a frame with a palette, (height, width), without their colours."""
    table = np.zeros(256, _ENTRY)
    table["bgr"], table["alpha"] = _RAMP, 255
    frame.planes[1].update(table)
    shown: Pixels = frame.to_ndarray(format="rgb24")  # rows may lie in the frame from the last to the first
    return np.ascontiguousarray(shown[:, :, 0])
