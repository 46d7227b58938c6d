"""Memory for frames that is filled again once it is released: fresh pages cost more than a copy of the frames."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from pipelines.frame import Pixels

KEPT = 6
"""Arrays that are remembered: one that is filled, two that wait, one that is computed, and two for slow readers."""
KEPT_BYTES = 256 << 20
"""And as many that they take at most this, or one."""


class BufferPool:
    """Makes arrays of frames, of any content, again of memory that it made before and that was released.

    A reference to an array, or a view of it, keeps its memory: so results that are a batch's own pixels stay as they
    are. For one thread; others may hold and let go what it makes.
    """

    def __init__(self) -> None:
        self._known: list[Pixels] = []

    def __call__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Pixels:
        """An array, C-contiguous and writable; where one of more frames is free, its first so many."""
        count, *frame = shape
        for array in self._known:
            if (
                # Free if only the list, and this loop, refer to it; views of it count as references, too.
                sys.getrefcount(array) == _UNHELD
                and len(array) >= count
                and array.shape[1:] == tuple(frame)
                and array.dtype == dtype
            ):
                return array[:count]
        made: Pixels = np.empty(shape, dtype)
        kept = max(1, min(KEPT, KEPT_BYTES // max(1, made.nbytes)))
        self._known = [made, *self._known[: kept - 1]]
        return made


def _unheld() -> int:
    """What is counted in the loop above for an array that only its list holds, on this Python."""
    for array in [np.empty(0)]:
        return sys.getrefcount(array)
    return 0


_UNHELD = _unheld()
