"""Mean over a rectangle."""

from __future__ import annotations

from kernels.ir.expr import Expr, const
from kernels.ir.filters import largest, roomy
from kernels.ir.image import F32, F64
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Smooth and sharpen",
    params=(
        Param("width", "int", 3, "columns of the rectangle", unit="px", low=1, high=401, structural=True),
        Param("height", "int", 3, "rows of the rectangle", unit="px", low=1, high=401, structural=True),
        Param("round", "bool", False, "round to the input's type instead of f32", structural=True),
    ),
    per_channel=True,
    border=True,
)
def box(image: Plane, width: int, height: int, round: bool) -> Expr:  # noqa: A002
    """Mean of width x height pixels, f32 (or rounded to the input's type, halves to even).

    The rectangle covers -(width // 2) .. width - 1 - width // 2, as cv2.blur does. Whole numbers are summed exactly
    and rounded once or, where the sum passes 2^24, to f32 before the division too.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(box, np.array([[0, 0, 30, 0, 0]], np.uint8), height=1)
    array([[ 0., 10., 10., 10.,  0.]], dtype=float32)
    """
    x = (-(width // 2), width - 1 - width // 2)
    y = (-(height // 2), height - 1 - height // 2)
    total = Plane(roomy(image.expr, width * height), image.border).window("sum", x, y)
    area, dtype = width * height, image.expr.dtype
    if not round:
        return total.to(F32) / float(area)
    exact = F32 if dtype.is_float or largest(dtype) * area <= 2.0**24 else F64
    return (total.to(exact) / const(float(area), exact)).to(dtype)
