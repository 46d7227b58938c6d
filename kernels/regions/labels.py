"""Connected components of the few pixels that a mask holds, of all frames of a batch at once.

The cost follows the pixels of the mask, not those of the picture: rows of pixels become runs, and runs that touch
become components by union-find with path halving (Tarjan and van Leeuwen, Journal of the ACM 31, 245, 1984).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.ir.bits import Bits
from kernels.loops.calling import call
from kernels.loops.scratch import scratch
from kernels.regions.label_loops import foreground_loop, kept_loop, runs_loop
from kernels.regions.structs import KeptPixels, Masks, Spans, Stack, Wanted

Array = npt.NDArray[Any]
_NO_FLAGS, _NO_WORDS = np.zeros(1, np.uint8), np.zeros(1, np.int64)
_ROOM = 1 << 17
"""Pixels of all masks for which there is room at first."""


def foreground(masks: Array) -> Array:
    """Flat indices of the true entries of a bool array, rising; valid until the thread's next call."""
    flat = np.ascontiguousarray(masks).reshape(-1)
    if flat.__array_interface__["data"][0] % 8:
        flat = flat.copy()  # loops read words of eight
    words, room = flat[: len(flat) // 8 * 8].view(np.int64), _ROOM
    while True:
        found = scratch("foreground", room, np.int64)
        # -1: no room. Memory of a thread stays as large as its largest mask, so that this is rare.
        count = call(foreground_loop, words, len(words), flat.view(np.uint8), len(flat), room, found)
        if count >= 0:
            return found[:count]
        room *= 4


def as_masks(masks: Array | Bits) -> Masks:
    """Masks (frames, height, width; bool, contiguous) as loops take them."""
    if isinstance(masks, Bits):
        return Masks(_NO_FLAGS, masks.words.reshape(-1), 1)
    return Masks(masks.reshape(-1).view(np.uint8), _NO_WORDS, 0)


def components(pixels: Array, size: tuple[int, int], connectivity: int) -> tuple[Array, int]:
    """Label pixels that touch.

    Args:
        pixels: flat indices in a stack of frames, rising.
        size: (height, width) of a frame.
        connectivity: 4 or 8.

    Returns:
        Each pixel's component, numbered from 0 in the order of the components' first pixels, and how many there are.
    """
    spans, runs = _spans(pixels, Stack(0, 0, *size, connectivity == 8))
    parent = spans.parent[:runs]
    roots = parent == np.arange(runs)  # a root is the first run of its component
    # Roots in reading order are numbered one after the other; runs then spread their numbers to their pixels.
    number = np.cumsum(roots) - 1
    return np.repeat(number[parent], spans.last[:runs] - spans.first[:runs] + 1), int(roots.sum())


def _spans(pixels: Array, stack: Stack) -> tuple[Spans, int]:
    """Runs of pixels, and how many there are; valid until the thread's next call."""
    spans = Spans(*scratch("runs", 3 * len(pixels), np.int64).reshape(3, len(pixels)))
    return spans, call(runs_loop, np.ascontiguousarray(pixels, np.int64), len(pixels), stack, spans)


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


def kept(pixels: Array, shape: tuple[int, int, int], connectivity: int, least: int, most: float, capacity: int) -> Kept:
    """The components of pixels (flat indices in frames, rising) that are wanted.

    Args:
        shape: (frames, height, width).
        connectivity: 4 or 8.
        least, most: their smallest and largest area, px.
        capacity: of a frame: the first ones stay.
    """
    frames, height, width = shape
    stack, n = Stack(0, frames, height, width, connectivity == 8), len(pixels)
    spans, runs = _spans(pixels, stack)
    core, label, owner = np.empty((3, n), np.int64)
    found = KeptPixels(core, label, owner, np.empty(frames + 2, np.int64))
    area, number = scratch("runs.kept", 2 * n, np.int64).reshape(2, n)
    call(kept_loop, spans, runs, stack, Wanted(least, most, capacity), area, number, found)
    inside, count = found.overflow[frames:].tolist()
    return Kept(found.core[:inside], found.label[:inside], found.owner[:count], found.overflow[:frames])


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
