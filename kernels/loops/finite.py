"""Whether all of a picture are numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.language import LANES, address, lane_count, load_row, loop, splat_like, store

Array = npt.NDArray[Any]
_KINDS = (np.dtype(np.float32), np.dtype(np.float64))


@loop
def strange(values: LANES, count: int, work: LANES) -> int:
    """1 where a number of so many vectors, a multiple of four, is infinite or none. work: a vector."""
    # Four sums side by side, so that additions need not wait for each other.
    a, b, c, d = splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0), splat_like(values, 0.0)
    zero = splat_like(values, 0.0)
    for k in range(0, count, 4):
        # v * 0 is 0, but NaN of NaN and of infinities, and NaN stays in a sum.
        a += load_row(values, k) * zero
        b += load_row(values, k + 1) * zero
        c += load_row(values, k + 2) * zero
        d += load_row(values, k + 3) * zero
    store(work, 0, (a + b) + (c + d))
    for k in range(lane_count(values)):
        if work[0, k] != 0.0:  # also where it is no number
            return 1
    return 0


def finite(picture: Array) -> bool:
    """Whether a picture of floats has no NaN and nothing infinite."""
    native = None
    if picture.flags.c_contiguous and picture.dtype in _KINDS:
        native = strange.native(lanes=picture.dtype)
    if native is None:  # a number that is none wins here, too
        return not picture.size or math.isfinite(float(picture.max()) - float(picture.min()))
    vector = 64 // picture.itemsize
    whole = picture.size - picture.size % (4 * vector)
    work = np.empty(vector, picture.dtype)
    if whole and native(address(picture), whole // vector, address(work)):
        return False
    # Numbers behind the last four vectors.
    return whole == picture.size or bool(np.isfinite(picture.reshape(-1)[whole:]).all())
