"""Non-maximum suppression."""

from __future__ import annotations

from kernels.ir.expr import Expr, select
from kernels.ir.filters import is_local_maximum
from kernels.stage import Plane, stage


@stage(category="Edges and spots", per_channel=True)
def nms(image: Plane) -> Expr:
    """Keep a value where it is the maximum of its 3x3 neighbourhood, else 0; in the input's type.

    Of equal neighbours the first in raster order wins: a value must be larger than the four before it and not smaller
    than the four behind it. Pixels outside the image do not count. On a plateau wider than the neighbourhood at most
    the first pixel of each run stays.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(nms, np.array([[3, 1, 5, 5, 2]], np.uint8))
    array([[3, 0, 5, 0, 0]], dtype=uint8)
    """
    here = image()
    return select(is_local_maximum(here), here, 0)
