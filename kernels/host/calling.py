"""Call a loop with arrays: as machine code where there is a compiler, else as the Python that it is."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loop_emitter import ROWS, WIDTH
from kernels.host.loops import Loop, guarded_address
from kernels.host.records import Record

_ADDRESS = ctypes.addressof
_FIRST: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer


def call(
    one: Loop, *values: Any, pixels: npt.DTypeLike = np.float64, lanes: npt.DTypeLike = np.float64
) -> int:
    """What the loop returns, a whole number.

    Args:
        values: arrays (contiguous; the loop sees one dimension, of LANES two), records and numbers, in the order of
            its parameters.
        pixels: the type of its PIXELS.
        lanes: that of its LANES.
    """
    native = one.native(pixels, lanes)
    if native is None:
        with np.errstate(all="ignore"):
            if one.signature.records:
                return int(one(*[v.reshape(-1) if isinstance(v, np.ndarray) else v for v in values]))
            widths = [WIDTH[one.signature.dtype(kind, np.dtype(pixels), np.dtype(lanes).name)] if kind in ROWS else 0
                      for kind in one.signature.kinds]  # fmt: skip
            return int(one(*[(v.reshape(-1, n) if n else v.reshape(-1)) if isinstance(v, np.ndarray) else v
                             for v, n in zip(values, widths, strict=True)]))  # fmt: skip
    given: list[Any] = []
    for value in values:
        if isinstance(value, Record):
            given += value.address, value.room
        else:
            given.append(value)
    for k in one.arrays:
        try:
            given[k] = _ADDRESS(_FIRST(given[k]))  # `address`, without a call
        except (TypeError, ValueError, BufferError):
            given[k] = guarded_address(given[k])
    return int(native(*given))
