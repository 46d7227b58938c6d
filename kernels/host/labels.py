"""Connected components of the few pixels that a mask holds, of all frames of a batch at once.

The cost follows the pixels of the mask, not those of the picture: rows of pixels become runs, and runs that touch
become components by hooking and pointer jumping (Shiloach and Vishkin, Journal of Algorithms 3, 1982).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.label_loops import foreground_loop, kept_loop, runs_loop
from kernels.host.loops import address
from kernels.host.scratch import scratch

Array = npt.NDArray[Any]
_ROOM = 1 << 17
"""Pixels of all masks for which the compiled way keeps room; those of fuller ones are found by NumPy."""


def foreground(masks: Array) -> Array:
    """Flat indices of the true entries of a bool array, rising; valid until the thread's next call."""
    flat = np.ascontiguousarray(masks).reshape(-1)
    whole = len(flat) // 8 * 8
    native = foreground_loop.native()
    if native is not None and len(flat) and address(flat) % 8 == 0:
        found = scratch("foreground", _ROOM, np.int64)
        count = native(address(flat), whole // 8, address(flat), len(flat), _ROOM, address(found))
        if count >= 0:
            return found[:count]
    # Most words of eight pixels are empty.
    words = np.flatnonzero(flat[:whole].view(np.uint64))
    word, byte = np.nonzero(flat[:whole].reshape(-1, 8)[words])
    return np.concatenate((words[word] * 8 + byte, np.flatnonzero(flat[whole:]) + whole))


def components(pixels: Array, size: tuple[int, int], connectivity: int) -> tuple[Array, int]:
    """Label pixels that touch.

    Args:
        pixels: flat indices in a stack of frames, rising.
        size: (height, width) of a frame.
        connectivity: 4 or 8.

    Returns:
        Each pixel's component, numbered from 0 in the order of the components' first pixels, and how many there are.
    """
    height, width = size
    if not len(pixels):
        return np.zeros(0, np.int64), 0
    new = np.ones(len(pixels), np.bool_)
    new[1:] = (np.diff(pixels) != 1) | (pixels[1:] % width == 0)
    at = np.flatnonzero(new)
    length = np.diff(np.append(at, len(pixels)))
    first = pixels[at]
    last = first + length - 1
    row = first // width
    aside = connectivity == 8
    low = np.searchsorted(last, np.maximum(first - width - aside, (row - 1) * width))
    high = np.searchsorted(first, np.minimum(last - width + aside, row * width - 1), side="right")
    count = np.where(row % height == 0, 0, np.maximum(high - low, 0))
    before = np.cumsum(count) - count
    upper = np.arange(count.sum()) + np.repeat(low - before, count)
    parent = _united(len(at), np.repeat(np.arange(len(at)), count), upper)
    roots = parent == np.arange(len(at))
    number = np.cumsum(roots) - 1  # a root is the first run of its component
    return np.repeat(number[parent], length), int(roots.sum())


def _united(count: int, i: Array, j: Array) -> Array:
    """The smallest of the numbers 0 .. count - 1 with which each is connected by pairs (i, j)."""
    parent = np.arange(count)
    while True:
        a, b = parent[i], parent[j]
        apart = a != b
        if not apart.any():
            return parent
        i, j, a, b = i[apart], j[apart], a[apart], b[apart]
        np.minimum.at(parent, np.maximum(a, b), np.minimum(a, b))
        while True:
            further = parent[parent]
            if np.array_equal(further, parent):
                break
            parent = further


@dataclass(frozen=True, slots=True)
class Kept:
    """The components of a few frames that are measured.

    Args:
        core: their pixels, flat indices in a `Canvas`, rising.
        labels: the component of each, numbered from 0 in the order of their first pixels.
        owner: the frame of each component.
        overflow: of each frame, those that found no room.
    """

    core: Array
    labels: Array
    owner: Array
    overflow: Array


def kept(
    pixels: Array, shape: tuple[int, int, int], connectivity: int, least: int, most: float, capacity: int
) -> Kept:
    """The components of pixels (flat indices in frames, rising) that are wanted.

    Args:
        shape: (frames, height, width).
        connectivity: 4 or 8.
        least, most: their smallest and largest area, px.
        capacity: of a frame: the first ones stay.
    """
    frames, height, width = shape
    n, label, sort = len(pixels), runs_loop.native(), kept_loop.native()
    if label is not None and sort is not None:
        first, last, parent, area, number = scratch("runs", 5 * n, np.int64).reshape(5, n)
        core, labels, owner = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
        overflow = np.empty(frames + 2, np.int64)
        lists = [address(a) for a in (first, last, parent)]
        runs = label(address(np.ascontiguousarray(pixels)), n, height, width, connectivity == 8, *lists)
        sort(*lists, runs, frames, height, width, least, most, capacity, address(area), address(number), address(core),
             address(labels), address(owner), address(overflow))  # fmt: skip
        inside, count = overflow[frames:].tolist()
        return Kept(core[:inside], labels[:inside], owner[:count], overflow[:frames])
    labels, count = components(pixels, (height, width), connectivity)
    area = np.bincount(labels, minlength=count)
    frame = pixels // (height * width)
    owner = np.zeros(count, np.int64)
    owner[labels] = frame
    wanted = (area >= least) & (area <= most)
    before: Array = np.cumsum(wanted) - wanted  # wanted components before each
    start = np.searchsorted(owner, np.arange(frames))
    rank = before - np.append(before, 0)[start][owner]
    stays = wanted & (rank < capacity)
    overflow = np.bincount(owner[wanted & ~stays], minlength=frames)
    labels = np.where(stays, np.cumsum(stays) - 1, -1)[labels]
    inside = labels >= 0
    y, x = np.divmod(pixels[inside], width)
    frame = frame[inside]
    core = (frame * (height + 2) + y - frame * height + 1) * (width + 2) + x + 1
    return Kept(core, labels[inside], owner[stays], overflow)


class Canvas:
    """Frames one above another, each with one pixel more at each side, so that the eight neighbours of any pixel exist.

    Attributes:
        labels: flat i32: 0, or OUTSIDE in the sides; who writes cleans up.
        places: flat i32, with anything in it.
        width: of a row, px.
    """

    OUTSIDE = -1

    def __init__(self, frames: int, size: tuple[int, int]) -> None:
        self.frames, self.size, self.width = frames, size, size[1] + 2
        stack = np.full((frames, size[0] + 2, size[1] + 2), self.OUTSIDE, np.int32)
        stack[:, 1:-1, 1:-1] = 0
        self.labels = stack.reshape(-1)
        self.places = np.empty(stack.size, np.int32)

    @property
    def area(self) -> int:
        """Pixels of one frame with its sides."""
        return (self.size[0] + 2) * self.width

    def inside(self, pixels: Array) -> tuple[Array, Array, Array]:
        """(frame, y, x) of flat indices of the canvas."""
        frame, rest = np.divmod(pixels, self.area)
        y, x = np.divmod(rest, self.width)
        return frame, y - 1, x - 1

    def neighbours(self) -> Array:
        """Offsets of the eight neighbours."""
        w = self.width
        return np.array([-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1])


_KEPT = threading.local()


def canvas(frames: int, size: tuple[int, int]) -> Canvas:
    """A clean canvas with room for so many frames; the thread's last one where it fits."""
    kept: Canvas | None = getattr(_KEPT, "canvas", None)
    if kept is None or kept.size != size or kept.frames < frames:
        kept = _KEPT.canvas = Canvas(frames, size)
    return kept


def forget() -> None:
    """Give the thread's canvas up: what went wrong halfway may have left it unclean."""
    _KEPT.canvas = None
