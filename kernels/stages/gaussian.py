"""Gaussian blur."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.filters import gaussian_weights, separable
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Smooth and sharpen",
    params=(
        Param("sigma", "float", 1.0, "standard deviation", unit="px", low=0.1, high=50.0, structural=True),
        Param("size", "int", 0, "taps, odd; 0 for 2*ceil(4*sigma) + 1", unit="px", low=0, high=401, structural=True,
              odd=True),
    ),
    per_channel=True,
    border=True,
)
def gaussian(image: Plane, sigma: float, size: int) -> Expr:
    """Gaussian blur, f32: g(x, y) = exp(-(x^2 + y^2) / (2 sigma^2)), sampled and normalised.

    Separable: rows first, then columns. Agrees with cv2.GaussianBlur on float images.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> dot = np.zeros((5, 5), np.uint8)
    >>> dot[2, 2] = 100
    >>> evaluate(gaussian, dot, sigma=0.6, size=3).round(1)[1:4, 1:4]
    array([[ 2.8, 11.1,  2.8],
           [11.1, 44.5, 11.1],
           [ 2.8, 11.1,  2.8]], dtype=float32)
    """
    if size and size % 2 == 0:
        raise DefinitionError(f"size = {size} must be odd (or 0)")
    weights = gaussian_weights(sigma, size)
    return separable(image.expr, image.border, weights, weights)
