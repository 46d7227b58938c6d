"""Maximum over a neighbourhood."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.morphology import ELEMENT, extreme
from kernels.stage import Plane, stage


@stage(category="Masks", params=ELEMENT, per_channel=True, border="replicate")
def dilate(image: Plane, size: int, shape: str) -> Expr:
    """Grayscale or binary dilation: the maximum over the structuring element, in the input's type.

    With the border replicate, pixels outside do not count, as in cv2.dilate: the element is convex about its centre, so
    what a pixel outside repeats lies in the element too.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(dilate, np.array([[0, 0, 0, 9, 0]], np.uint8))
    array([[0, 0, 9, 9, 9]], dtype=uint8)
    """
    return extreme("max", image.expr, image.border, size, shape)
