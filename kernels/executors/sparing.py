"""Memory of a very large image of which somebody looks only at what is near a mask's pixels.

The image is made in strips of rows; as soon as a mask shows that some part of the image will not be looked
at, the pages of that part go back to the system. They read as zeros then.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
ROWS = 64
"""Rows that are given back together, where nothing near them counts."""
PAGE = mmap.PAGESIZE
DONTNEED = getattr(mmap, "MADV_DONTNEED", 0)


class Sparing:
    """An image while it is made from the top down.

    Args:
        mask: (height, width), true where something is.
        image: (height, width, ...), C-contiguous, in memory of its own.
        reach: px beyond true pixels, along each axis, at which the image is looked at.
    """

    def __init__(self, mask: Array, image: Array, reach: int) -> None:
        self.mask, self.image, self.reach = mask, image, reach
        self._width = max(1, PAGE // image.strides[1])  # columns that share a page, about
        self._seen: list[Array] = []  # by rows of tiles whether something is in them
        self._done = 0

    def upto(self, row: int) -> None:
        """All rows before this one are made; called in order, at last with the height."""
        height, width = self.mask.shape
        while len(self._seen) < -(-height // ROWS) and min(height, (len(self._seen) + 1) * ROWS) <= row:
            first = len(self._seen) * ROWS
            columns = self.mask[first : first + ROWS].any(axis=0)
            self._seen.append(np.logical_or.reduceat(columns, np.arange(0, width, self._width)))
        rows, beside = -(-self.reach // ROWS), -(-self.reach // self._width)
        while self._done < len(self._seen) and (self._done + rows < len(self._seen) or row >= height):
            near = np.any(self._seen[max(0, self._done - rows) : self._done + rows + 1], axis=0)
            wide = np.convolve(near, np.ones(2 * beside + 1, np.int64))[beside : beside + len(near)] > 0
            self._leave(self._done * ROWS, min(height, (self._done + 1) * ROWS), wide)
            self._done += 1

    def _leave(self, first: int, last: int, near: Array) -> None:
        """Give back the parts of some rows where `near`, by blocks of columns, is not."""
        if not near.any():
            give_back(self.image[first:last])
            return
        edges = np.flatnonzero(np.diff(np.concatenate(([True], near, [True])).astype(np.int8)))
        for left, right in edges.reshape(-1, 2) * self._width:
            for line in self.image[first:last, left:right]:
                give_back(line)


def give_back(part: Array) -> None:
    """Give the pages that lie inside of some C-contiguous memory back to the system; nothing where it takes none."""
    give = _madvise()
    begin = part.__array_interface__["data"][0]
    start, end = -(-begin // PAGE) * PAGE, (begin + part.nbytes) // PAGE * PAGE
    if give is not None and end > start:
        give(start, end - start, DONTNEED)


@cache
def _madvise() -> Any:
    """The system's; only Linux drops such pages at once, and reads zeros afterwards."""
    if not sys.platform.startswith("linux") or not DONTNEED:
        return None
    try:
        give = ctypes.CDLL(None).madvise
    except (OSError, AttributeError):
        return None
    give.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return give
