"""Whole-number gray values as fractions of full scale."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.image import F32
from kernels.stage import Image, stage


@stage(category="Grey values")
def normalize(image: Image) -> tuple[Expr, ...]:
    """Fraction of full scale, f32: out = in / white; white = 2**bits - 1 of the samples' significant bits.

    So 4095 of a 12-bit camera becomes 1. f32 passes unchanged, bool becomes 0 and 1.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(normalize, np.array([[0, 1023, 4095]], np.uint16), bits=12)
    array([[0.        , 0.24981685, 1.        ]], dtype=float32)
    """
    white = image.type.white
    if white == 1.0:
        return tuple(plane().to(F32) for plane in image.planes)
    return tuple(plane().to(F32) / white for plane in image.planes)
