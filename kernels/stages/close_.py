"""Closing: Dilation, then erosion."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.morphology import ELEMENT, extreme
from kernels.stage import Plane, stage


@stage(category="Masks", params=ELEMENT, per_channel=True, border="replicate")
def close_(image: Plane, size: int, shape: str) -> Expr:
    """Closing, in the input's type: dilation, then erosion. Takes dark spots away that are smaller than the element.

    With the border replicate equal to cv2.morphologyEx (pixels outside do not count).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(close_, np.array([[9, 0, 9, 0, 0, 0]], np.uint8))
    array([[9, 9, 9, 0, 0, 0]], dtype=uint8)
    """
    inner = extreme("max", image.expr, image.border, size, shape)
    return extreme("min", inner, image.border, size, shape)
