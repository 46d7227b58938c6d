"""Calls of loops with arrays (`call`), and their memory."""

from __future__ import annotations

import threading
from typing import Any

import numpy.typing as npt

from kernels.loops.calling import call as call
from kernels.loops.scratch import lined
from pipelines.trackers.registration.windows.window_loops import taps_of

__all__ = ["call", "compiled", "scratch"]

Array = npt.NDArray[Any]
_KEPT = threading.local()


def compiled() -> bool:
    """Whether loops are machine code here."""
    return taps_of.native() is not None


def scratch(count: int) -> Array:
    """Memory of the thread's own with anything in it, until the next call."""
    kept: Array | None = getattr(_KEPT, "memory", None)
    if kept is None or len(kept) < count:
        kept = _KEPT.memory = lined(2 * count)
    return kept
