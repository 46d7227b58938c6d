"""Memory that a thread works in again and again: fresh pages cost more than the work on them."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_KEPT = threading.local()


def scratch(name: str, count: int, dtype: npt.DTypeLike = np.float64) -> Array:
    """Memory of the thread's own with anything in it, until the same name is asked for again."""
    kept: dict[str, Array] = _KEPT.__dict__
    if name not in kept or len(kept[name]) < count:
        kept[name] = np.empty(2 * count, dtype)
    return kept[name][:count]


def cleared(name: str, count: int, dtype: npt.DTypeLike = np.float64) -> Array:
    """The same, but full of zeros: who writes cleans up, or calls `drop`."""
    kept: dict[str, Array] = _KEPT.__dict__
    if name not in kept or len(kept[name]) < count:
        kept[name] = np.zeros(count, dtype)
    return kept[name][:count]


def drop(name: str) -> None:
    """Give memory up: what went wrong halfway may have left it unclean."""
    _KEPT.__dict__.pop(name, None)
