"""Calls of compiled loops with arrays."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import Loop, address
from kernels.host.scratch import lined
from pipelines.trackers.patches.fit_loops import fit

Array = npt.NDArray[Any]
_KEPT = threading.local()


def compiled() -> bool:
    """Whether loops are machine code here."""
    return fit.native() is not None


def call(one: Loop, *values: Any, pixels: npt.DTypeLike = np.float64) -> int:
    """Call a loop; arrays go as their addresses, so they must be contiguous."""
    native = one.native(pixels)
    assert native is not None
    return int(native(*[address(v) if isinstance(v, np.ndarray) else v for v in values]))


def run(one: Loop, *values: Any, pixels: npt.DTypeLike = np.float64) -> int:
    """Call a loop; where nobody compiles it as Python, slowly."""
    if one.native(pixels) is None:
        return int(one(*(v.reshape(-1) if isinstance(v, np.ndarray) else v for v in values)))
    return call(one, *values, pixels=pixels)


def scratch(count: int) -> Array:
    """Memory of the thread's own with anything in it, until the next call."""
    kept: Array | None = getattr(_KEPT, "memory", None)
    if kept is None or len(kept) < count:
        kept = _KEPT.memory = lined(2 * count)
    return kept
