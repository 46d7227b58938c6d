"""Gaussian blur."""

from __future__ import annotations

import math

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage


def gaussian_weights(sigma: float, size: int = 0) -> tuple[float, ...]:
    """Samples of exp(-k^2 / (2 sigma^2)) at k = -r .. r, normalised to the sum 1 (in float64).

    `size` is odd; 0 takes 2*ceil(4*sigma) + 1 taps, which leaves less than 1e-4 of the weight outside.
    """
    radius = size // 2 if size else max(1, math.ceil(4 * sigma))
    raw = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(-radius, radius + 1)]
    return tuple(w / math.fsum(raw) for w in raw)


def separable(image: Plane, across: tuple[float, ...], down: tuple[float, ...]) -> Expr:
    """Correlation with the outer product of two odd-sized weight vectors, in f32: rows first, then columns.

    Each sum runs from the smallest offset to the largest, so its rounding is the same everywhere.
    """
    rows = image.of(weighted_sum([image(dx=k - len(across) // 2).to(F32) for k in range(len(across))], across))
    return weighted_sum([rows(dy=k - len(down) // 2) for k in range(len(down))], down)


def weighted_sum(values: list[Expr], weights: tuple[float, ...]) -> Expr:
    """values[0]*weights[0] + values[1]*weights[1] + ..., from the left, without the zero weights."""
    terms = [v * w for v, w in zip(values, weights, strict=True) if w != 0.0]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


@stage(
    params=(
        Param("sigma", "float", 1.0, "standard deviation", unit="px", low=0.1, high=50.0, structural=True),
        Param("size", "int", 0, "taps, odd; 0 for 2*ceil(4*sigma) + 1", unit="px", low=0, high=401, structural=True),
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
    return separable(image, weights, weights)
