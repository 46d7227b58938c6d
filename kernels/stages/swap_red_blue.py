"""BGR to RGB."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.stage import Image, Picture, stage


@stage(category="Grey values")
def swap_red_blue(image: Image) -> Picture:
    """Swap the first and the third channel: BGR to RGB and back; a fourth channel stays.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(swap_red_blue, np.array([[[1, 2, 3]]], np.uint8))
    array([[[3, 2, 1]]], dtype=uint8)
    """
    if len(image.planes) not in (3, 4):
        raise DefinitionError(f"it takes three or four channels, not {len(image.planes)}")
    order = (2, 1, 0, 3)[: len(image.planes)]
    planes: tuple[Expr, ...] = tuple(image[c]() for c in order)
    return Picture(planes, image.type.bits)
