"""Opening: Erosion, then dilation."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.morphology import ELEMENT, extreme
from kernels.stage import Plane, stage


@stage(category="Masks", params=ELEMENT, per_channel=True, border="replicate")
def open_(image: Plane, size: int, shape: str) -> Expr:
    """Opening, in the input's type: erosion, then dilation. Takes bright spots away that are smaller than the element.

    With the border replicate equal to cv2.morphologyEx (pixels outside do not count).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(open_, np.array([[0, 9, 0, 9, 9, 9]], np.uint8))
    array([[0, 0, 0, 9, 9, 9]], dtype=uint8)
    """
    inner = extreme("min", image.expr, image.border, size, shape)
    return extreme("max", inner, image.border, size, shape)
