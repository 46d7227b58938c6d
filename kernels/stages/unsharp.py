"""Unsharp mask."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.filters import gaussian_weights, separable
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Smooth and sharpen",
    params=(
        Param("sigma", "float", 1.0, "standard deviation of the blur", unit="px", low=0.1, high=50.0, structural=True),
        Param("amount", "float", 1.0, "how much of the fine structure is added", unit="1", low=0.0, high=20.0),
    ),
    per_channel=True,
    border=True,
)
def unsharp(image: Plane, sigma: float, amount: Expr) -> Expr:
    """Sharpen, f32: out = in + amount * (in - G(sigma) * in). Not clipped: edges overshoot.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(unsharp, np.array([[0, 0, 100, 100]], np.uint8), sigma=0.5, amount=1.0).round()
    array([[ -0., -11., 111., 100.]], dtype=float32)
    """
    weights = gaussian_weights(sigma)
    here = image().to(F32)
    return here + amount * (here - separable(image.expr, image.border, weights, weights))
