"""Binomial smoothing."""

from __future__ import annotations

from math import comb

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.filters import separable
from kernels.ir.image import BOOL, I32
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Smooth and sharpen",
    params=(Param("size", "int", 5, "taps, odd", unit="px", low=3, high=9, structural=True, odd=True),),
    per_channel=True,
    border=True,
)
def binomial(image: Plane, size: int) -> Expr:
    """Smooth with binomial weights, in the input's type: nearly a Gaussian with sigma = sqrt(size - 1) / 2 px.

    The weights are (1 2 1)/4, (1 4 6 4 1)/16 ... in rows and columns; whole numbers of at most 16 bits are summed
    exactly and rounded once, halves up. That is cv2.GaussianBlur(u8, (size, size), 0) to the bit for size 3 and 5.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(binomial, np.array([[0, 0, 0, 160, 160, 160]], np.uint8))
    array([[  0,  10,  50, 110, 150, 160]], dtype=uint8)
    """
    plane, dtype = image.expr, image.expr.dtype
    if size % 2 == 0:
        raise DefinitionError(f"size = {size} must be odd")
    if dtype == BOOL or (not dtype.is_float and dtype.bits > 16):
        raise DefinitionError(f"it takes whole numbers of 8 or 16 bits, or floats, not {dtype}")
    weights = tuple(comb(size - 1, k) for k in range(size))
    total = separable(plane, image.border, weights, weights)
    shift = 2 * (size - 1)
    if dtype.is_float:
        return total * (1.0 / (1 << shift))
    return ((total + (1 << (shift - 1))) >> shift).to(I32).to(dtype)
