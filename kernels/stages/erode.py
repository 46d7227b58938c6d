"""Minimum over a neighbourhood."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.morphology import ELEMENT, extreme
from kernels.stage import Plane, stage


@stage(category="Masks", params=ELEMENT, per_channel=True, border="replicate")
def erode(image: Plane, size: int, shape: str) -> Expr:
    """Grayscale or binary erosion: the minimum over the structuring element, in the input's type.

    With the border replicate, pixels outside do not count, as in cv2.erode: the element is convex about its centre, so
    what a pixel outside repeats lies in the element too.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(erode, np.array([[1, 1, 1, 1, 0]], np.uint8))
    array([[1, 1, 1, 0, 0]], dtype=uint8)
    """
    return extreme("min", image.expr, image.border, size, shape)
