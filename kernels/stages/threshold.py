"""Mask of the pixels above or below a level."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage

POLARITY = Param("polarity", "choice", "bright", "whether objects are brighter or darker than their ground",
                 choices=("bright", "dark"), structural=True)  # fmt: skip


@stage(
    params=(Param("level", "float", 128.0, "gray value that divides the two"), POLARITY),
    per_channel=True,
)
def threshold(image: Plane, level: Expr, polarity: str) -> Expr:
    """Fixed threshold, bool: bright: in > level (cv2.THRESH_BINARY); dark: in <= level (cv2.THRESH_BINARY_INV).

    Compared in f32; NaN is in neither.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(threshold, np.array([[99, 100, 101]], np.uint8), level=100.0)
    array([[False, False,  True]])
    """
    value = image().to(F32)
    return value > level if polarity == "bright" else value <= level
