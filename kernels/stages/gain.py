"""Factor and offset."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Grey values",
    params=(
        Param("gain", "float", 1.0, "factor", unit="1"),
        Param("offset", "float", 0.0, "what is added after the factor, in gray values"),
    ),
    per_channel=True,
)
def gain(image: Plane, gain: Expr, offset: Expr) -> Expr:
    """Linear gray scale, f32: out = in * gain + offset, each operation rounded to f32.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(gain, np.array([[0, 10]], np.uint8), gain=0.5, offset=-1.0)
    array([[-1.,  4.]], dtype=float32)
    """
    return image().to(F32) * gain + offset
