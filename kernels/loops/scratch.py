"""Memory that a thread works in again and again: fresh pages cost more than the work on them."""

from __future__ import annotations

import math
import threading
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_KEPT = threading.local()
_LARGEST = (32 << 20) - (1 << 16)  # bytes of a block that glibc learns from, with room for its own
LINE = 64  # bytes that a cache moves at once; a vector of eight f64 across two takes twice the time


@cache
def keep_freed() -> None:
    """Have glibc keep freed memory for who asks next, tables that leave the loops above all: given back to the system
    in each batch it comes again as fresh pages, 4 % of following 1000 blobs.

    A block that is freed, of up to 32 MiB, tells glibc what sizes a program uses: smaller ones come from its heaps, and
    twice as much may lie free at the end of each. (mallopt(3), M_MMAP_THRESHOLD; it heeds $MALLOC_TRIM_THRESHOLD_ and
    its like instead.) Elsewhere it does nothing.
    """
    with suppress(MemoryError):
        np.empty(_LARGEST, np.uint8)  # never touched, it has no pages


def scratch(name: str, count: int, dtype: npt.DTypeLike = np.float64) -> Array:
    """Memory of the thread's own with anything in it, until the same name is asked for again."""
    kept: dict[str, Array] = _KEPT.__dict__
    if name not in kept or len(kept[name]) < count:
        # Twice as much as is asked for: counts that rise from frame to frame would else ask for new pages in each.
        kept[name] = from_line(np.empty(2 * count * np.dtype(dtype).itemsize + LINE, np.uint8), 2 * count, dtype)
    return kept[name][:count]


def held(name: str) -> int:
    """For how many elements the thread has memory of that name."""
    return len(_KEPT.__dict__.get(name, ()))


def lined(shape: int | tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> Array:
    """Zeros that begin with a line of the cache, in memory that is touched: pages come now."""
    sizes = (shape,) if isinstance(shape, int) else shape
    count = math.prod(sizes)
    return from_line(np.full(count * np.dtype(dtype).itemsize + LINE, 0, np.uint8), count, dtype).reshape(sizes)


def aligned(values: Array) -> Array:
    """A copy that begins with a line of the cache."""
    made = from_line(np.empty(values.nbytes + LINE, np.uint8), values.size, values.dtype)
    made[:] = values.reshape(-1)
    return made.reshape(values.shape)


def from_line(memory: Array, count: int, dtype: npt.DTypeLike) -> Array:
    """So many elements of bytes (LINE more than they take), from where a line of the cache begins."""
    # Bytes up to the next multiple of LINE.
    start = -memory.ctypes.data % LINE
    return memory[start : start + count * np.dtype(dtype).itemsize].view(dtype)
