"""Host memory that is used again once it is released: pinned memory for a device, plain memory without one.

Whoever holds an array, or any view of it, holds its memory; a copy that is under way holds the array that it reads or
writes (`kernels.executors.ring`). So memory is never written while something still reads it, and nothing has to be
given back by hand.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

MOST = 512 << 20
"""Bytes that `offer` hands out of memory that cannot be swapped out; what is wanted beyond is not pinned."""
WASTE = 2
"""A piece of memory serves requests of at least this part of its size."""


@dataclass(eq=False, slots=True)
class _Piece:
    memory: memoryview
    size: int
    given: weakref.ref[Array] | None = None  # the array over it that was handed out last

    @property
    def free(self) -> bool:
        return self.given is None or self.given() is None


class HostMemory:
    """Pieces of host memory, handed out as arrays. Safe from any thread.

    Args:
        allocate: makes a piece of so many bytes: an object with a writable buffer.
        most: bytes that `offer` goes up to.
    """

    def __init__(self, allocate: Callable[[int], Any], most: int = MOST) -> None:
        self._allocate, self._most = allocate, most
        self._pieces: list[_Piece] = []
        self._known: dict[int, _Piece] = {}
        self._lock = threading.Lock()

    @property
    def bytes(self) -> int:
        """Of all pieces."""
        return sum(piece.size for piece in self._pieces)

    def take(self, shape: Sequence[int], dtype: npt.DTypeLike = np.uint8) -> Array:
        """An array of any content, C-contiguous and writable."""
        made = self._found(shape, dtype, None)
        assert made is not None
        return made

    def offer(self, shape: Sequence[int], dtype: npt.DTypeLike = np.uint8) -> Array | None:
        """The same; None if there would be more than `most` bytes then."""
        return self._found(shape, dtype, self._most)

    def _found(self, shape: Sequence[int], dtype: npt.DTypeLike, most: int | None) -> Array | None:
        kind = np.dtype(dtype)
        size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
        with self._lock:
            fit = [p for p in self._pieces if size <= p.size <= max(WASTE * size, 4096) and p.free]
            piece = min(fit, key=lambda p: p.size, default=None)
            if piece is None:
                if most is not None and self.bytes + size > most:
                    self._forget()
                    if self.bytes + size > most:
                        return None
                piece = self._added(max(size, 1))
            # The array's base is a memoryview, which NumPy does not look through: views of the array, and views of
            # those, hold the array itself.
            flat = np.frombuffer(piece.memory, np.uint8, size)
            piece.given = weakref.ref(flat)
        return flat.view(kind).reshape(tuple(shape))

    def _added(self, size: int) -> _Piece:
        try:
            memory = memoryview(self._allocate(size))
        except Exception:
            self._forget()  # pieces of sizes that are not asked for any more may be in the way
            memory = memoryview(self._allocate(size))
        piece = _Piece(memory, size)
        self._pieces.append(piece)
        self._known[id(memory.obj)] = piece
        return piece

    def _forget(self) -> None:
        """Give up what is not in use."""
        for piece in [p for p in self._pieces if p.free]:
            self._pieces.remove(piece)
            del self._known[id(piece.memory.obj)]

    def holds(self, array: Array) -> bool:
        """Whether an array lies in one of the pieces."""
        base: Any = array
        while isinstance(base, np.ndarray):
            base = base.base
        return isinstance(base, memoryview) and id(base.obj) in self._known
