"""Memory of a cpu program outside its strips: whole frames from pass to pass, and the past of its inputs."""

from __future__ import annotations

import ctypes
import math
import mmap
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

import numpy as np

from kernels.executors.manifest import Rows


def aligned(size: int) -> np.ndarray:
    """Zeroed bytes from a multiple of 64 on."""
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


def untouched(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """An array of any content of which a page becomes memory when it is written to, by itself: NumPy's come in blocks
    of 2 MB where the system has such."""
    size = max(1, math.prod(shape) * dtype.itemsize)
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
    try:
        memory = mmap.mmap(-1, size, **own)
    except OSError:
        raise MemoryError(f"{size} bytes for tables") from None
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # a system without such blocks
            memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, dtype, math.prod(shape)).reshape(shape)


def address(array: np.ndarray) -> int:
    """Where an array begins; quicker than `array.ctypes`, of which a call takes several."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(cast(Any, array)))
    except (TypeError, ValueError):  # read-only, or empty
        return int(array.__array_interface__["data"][0])


def delayed(here: Sequence[int], past: Sequence[int], dt: int) -> list[int]:
    """The address for each frame of what stood dt < 0 frames before: before the first it is the first."""
    every = [*past, *here]
    return [every[max(0, len(past) + i + dt)] for i in range(len(here))]


class FrameBuffer:
    """The frames of a plane that later passes look at: those of a chunk, after `depth` frames before them.

    Args:
        rows: of one frame.
        depth: how many frames back it is looked at.
    """

    def __init__(self, rows: Rows, depth: int) -> None:
        self.rows, self.depth = rows, depth
        self._memory = aligned(0)
        self._start = 0
        self._room = 0

    def make_room(self, count: int) -> None:
        """Have room for `count` frames besides the past."""
        if count <= self._room:
            return
        size, kept = self.rows.size, self.depth * self.rows.size
        new = aligned((count + self.depth) * size)
        if self._room:
            new[:kept] = self._memory[:kept]
        self._memory, self._room = new, count
        self._start = address(new) + self.rows.lead_in * self.rows.dtype.itemsize

    def address(self, frame: int) -> int:
        """Of the first pixel of a frame of the chunk; negative numbers are the past."""
        return self._start + (frame + self.depth) * self.rows.size

    def keep(self, count: int) -> None:
        """Move the last frames of a chunk of `count` to where the next looks for the past."""
        if self.depth:
            kept, step = self.depth * self.rows.size, count * self.rows.size
            if count < self.depth:  # the two overlap
                self._memory[:kept] = self._memory[step : step + kept].copy()
            else:
                self._memory[:kept] = self._memory[step : step + kept]

    def view(self) -> np.ndarray:
        """All frames as images (frame, height, width), the past first."""
        self.make_room(1)
        rows = self.rows
        images = self._memory.view(rows.dtype.numpy).reshape(-1, rows.height, rows.pitch)
        return images[:, :, rows.lead_in : rows.lead_in + rows.width]


class InputPast:
    """The last frames of an input.

    Args:
        depth: how many.
        shape: of a frame.
        dtype: NumPy's.
    """

    def __init__(self, depth: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.depth = depth
        self._memory = np.zeros((depth, *shape), dtype)
        self.known = 0

    @property
    def frames(self) -> np.ndarray:
        """Those known, the oldest first."""
        return self._memory[self.depth - self.known :]

    def addresses(self) -> list[int]:
        start, step = self._memory.ctypes.data, self._memory.strides[0]
        return [start + i * step for i in range(self.depth - self.known, self.depth)]

    def add(self, frames: np.ndarray) -> None:
        """Take the last of consecutive frames in."""
        new = frames[-self.depth :]
        stay = self.depth - len(new)
        if stay:
            self._memory[:stay] = self._memory[len(new) :].copy()
        self._memory[stay:] = new
        self.known = min(self.depth, self.known + len(new))

    def restore(self, images: Sequence[np.ndarray], channel: int) -> None:
        """Take a channel of its last frames from a snapshot."""
        self.known = max(self.known, len(images))
        for k, image in enumerate(reversed(images), start=1):
            frame = self._memory[-k]
            (frame if frame.ndim == 2 else frame[:, :, channel])[...] = image


SPARES = 3
"""Results of an output that are remembered, at most."""
SPARE_BYTES = 128 << 20
"""And as many that they take at most this: larger ones go back to the system, which may need them between batches."""


class Spares:
    """Results that are no longer in use, to be written again: fresh pages cost more than the work."""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype = shape, dtype
        self._known: list[np.ndarray] = []
        self._addresses: list[int] = []

    def take(self, frames: int) -> tuple[np.ndarray, int]:
        """Memory for a result of `frames` frames, and where it is."""
        for array, where in zip(self._known, self._addresses, strict=True):
            # CPython counts references: an array that only this list holds is free. Views hold their base, so that a
            # row that somebody kept counts, too.
            if len(array) == frames and sys.getrefcount(array) == _UNHELD:
                return array, where
        made = np.empty((frames, *self.shape), self.dtype)
        where, kept = address(made), min(SPARES, SPARE_BYTES // max(1, made.nbytes))
        self._known = [made, *self._known][:kept]
        self._addresses = [where, *self._addresses][:kept]
        return made, where


def _unheld() -> int:
    """What is counted in the loop of `take` for an array that only its list holds, on this Python."""
    known, where = [np.empty(0)], [0]
    for array, _ in zip(known, where, strict=True):
        return sys.getrefcount(array)
    return 0


_UNHELD = _unheld()
