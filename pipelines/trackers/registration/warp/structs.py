"""What loops that fit windows work on beside references: when they end, and what they find."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.language import F64, I64
from kernels.loops.structs import Struct, struct

Array = npt.NDArray[Any]


@struct
class Criteria(Struct):
    """When a fit ends."""

    reach: float  # px from its start, along x or y, beyond which a window is lost
    steps: int  # of Gauss and Newton, at most
    settled: float  # px; a shorter step is the last one


@struct
class Fit(Struct):
    """Where n windows were found; arrays of n.

    Args:
        x, y: centres, px.
        bend: du/dx, du/dy, dv/dx, dv/dy of the reference's deformation times half a window, px, (n, 4).
        score: zero-normalised cross-correlation, -1..1.
        phase: variance of interpolated pixels for pixels of variance 1.
        rest: squares that the model leaves, in the reference's light.
        converged: 1 where the steps ended within reach of the start.
    """

    x: F64
    y: F64
    bend: F64
    score: F64
    phase: F64
    rest: F64
    converged: I64

    NAMES = ("x", "y", "bend", "score", "phase", "rest", "converged")

    @staticmethod
    def empty(x: Array, y: Array) -> Fit:
        """Nothing found yet from the starts (x, y)."""
        n = len(x)
        return Fit(x.copy(), y.copy(), np.zeros((n, 4)), np.zeros(n), np.ones(n), np.zeros(n), np.zeros(n, np.int64))

    def take(self, other: Fit, which: Array) -> None:
        """The rows `which` of another."""
        for name in self.NAMES:
            getattr(self, name)[which] = getattr(other, name)[which]

    def spread(self, good: Array, rows: Array, count: int) -> Fit:
        """The fits `good` at the places `rows` of `count`."""
        out = Fit.empty(np.zeros(count), np.zeros(count))
        for name in self.NAMES:
            getattr(out, name)[rows] = getattr(self, name)[good]
        return out
