"""What a kernel is given: NumPy arrays with their part in it, laid into guarded device memory."""

from __future__ import annotations

import ctypes
import mmap
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
GUARD = 65536  # bytes on both sides of an array: a row too far still falls into them
FENCE = 1 << 20  # the same, where nobody may touch it; nothing stands behind these bytes
ALIGNMENT = 256  # of cudaMalloc


@dataclass(frozen=True, slots=True)
class In:
    """An array the kernel only reads."""

    array: Array


@dataclass(frozen=True, slots=True)
class Out:
    """An array the kernel writes; it holds poison before.

    Args:
        whole: every byte of it must be written.
    """

    array: Array
    whole: bool = True


@dataclass(frozen=True, slots=True)
class InOut:
    """An array the kernel reads and writes, as a state or a counter."""

    array: Array


Buffer = In | Out | InOut


class DeviceMemory:
    """One array in device memory: aligned like cudaMalloc's, with guards around it.

    Args:
        given: the array; C-contiguous.
        seed: of the poison in an output.
        fenced: whether pages that nobody may touch lie before and behind it, so that a kernel that goes there stops.
            Of less than a page before the array and of less than a word of 16 bytes behind it only writes are noticed.
            It is aligned to 16 bytes then.

    Raises:
        ValueError: the array is not C-contiguous, or an output is read-only.
    """

    def __init__(self, given: Buffer, seed: int, fenced: bool = False) -> None:
        array = given.array
        if not array.flags.c_contiguous:
            raise ValueError("an array must be C-contiguous; pass np.ascontiguousarray(...)")
        if not isinstance(given, In) and not array.flags.writeable:
            raise ValueError("an output array is read-only")
        self.given = given
        self.size = array.nbytes
        self._fenced = False
        if fenced:
            taken = -(-self.size // 16) * 16
            self._all = _between_fences(taken)
            self._first = len(self._all) - taken
            self._fenced = True
        else:
            self._all = np.empty(self.size + 2 * GUARD + ALIGNMENT, np.uint8)
            self._first = -(self._all.ctypes.data + GUARD) % ALIGNMENT + GUARD
        self.address = self._all.ctypes.data + self._first
        random = np.random.default_rng([seed, self.size])
        self._canary = int(random.integers(1, 255))
        self._all[: self._first] = self._canary
        self._all[self._first + self.size :] = self._canary
        if isinstance(given, Out):
            self._inside[:] = np.resize(random.integers(0, 256, min(self.size, 4099), dtype=np.uint8), self.size)
        elif self.size:
            self._inside[:] = array.reshape(-1).view(np.uint8)

    @property
    def _inside(self) -> NDArray[np.uint8]:
        return self._all[self._first : self._first + self.size]

    @property
    def mode(self) -> int:
        """The Mode of machine.hpp."""
        if isinstance(self.given, Out):
            return 1 if self.given.whole else 3
        return 0 if isinstance(self.given, In) else 2

    def spoiled(self) -> int | None:
        """Offset in bytes from the array's start of a guard that was written, or None."""
        end = self._first + self.size
        for start, guard in ((0, self._all[: self._first]), (end, self._all[end:])):
            touched = np.flatnonzero(guard != self._canary)
            if touched.size:
                return int(touched[0] if start else touched[-1]) + start - self._first
        return None

    def changed(self) -> bool:
        """An input that was written."""
        if not isinstance(self.given, In) or not self.size:
            return False
        return not np.array_equal(self._inside, self.given.array.reshape(-1).view(np.uint8))

    def give_back(self) -> None:
        """Copy what the kernel wrote into the caller's array."""
        if self.size and not isinstance(self.given, In):
            self.given.array.reshape(-1).view(np.uint8)[:] = self._inside

    def leave(self) -> None:
        """Let later arrays have the memory between the fences; this one is not to be used any more."""
        if self._fenced and len(_FREE[len(self._all)]) < MOST_FREE:
            _FREE[len(self._all)].append(self._all)


MOST_FREE = 8
_FREE: defaultdict[int, list[Array]] = defaultdict(list)
"""Memory between fences that nobody uses, by its size: to have the system make it anew takes longer than most launches
on small arrays. Every byte of it is written before it is used again."""


def _between_fences(size: int) -> Array:
    """At least `size` bytes, to the end of their last page, and `FENCE` bytes on both sides that fault."""
    pages = max(1, -(-size // mmap.PAGESIZE)) * mmap.PAGESIZE
    with suppress(IndexError):
        return _FREE[pages].pop()
    whole = _mapped(pages + 2 * FENCE, (0, FENCE + pages), FENCE)
    return whole[FENCE : FENCE + pages]


def _mapped(size: int, closed: Iterable[int], length: int) -> Array:
    """Memory of the system, of which `length` bytes from each of `closed` on fault."""
    whole = np.frombuffer(mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), np.uint8)
    protect = ctypes.CDLL(None).mprotect
    for start in closed:
        if protect(ctypes.c_void_p(whole.ctypes.data + start), ctypes.c_size_t(length), 0):
            raise MemoryError("no fence around an array: mprotect refuses")
    return whole


STACK = 128 * 1024
"""As in fiber.hpp."""
_STACKS: list[Array] = []


def stacks(threads: int) -> int:
    """Where the stacks of `threads` fibers lie, the lowest page of each closed. They are the process's, for one launch
    at a time: to have the system make them anew takes longer than most launches."""
    if not _STACKS or len(_STACKS[0]) < threads * STACK:
        _STACKS[:] = [_mapped(threads * STACK, range(0, threads * STACK, STACK), mmap.PAGESIZE)]
    return int(_STACKS[0].ctypes.data)
