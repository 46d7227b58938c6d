"""First derivatives in x and y, their length and direction."""

from __future__ import annotations

from kernels.ir.expr import Expr, sqrt
from kernels.ir.filters import derivative_weights, separable
from kernels.ir.functions import atan2
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage

WEIGHTS = {
    "central": ((-1, 0, 1), (1,)),
    "sobel": derivative_weights(3),
    "scharr": ((-1, 0, 1), (3, 10, 3)),
    "sobel5": derivative_weights(5),
}
"""Operator -> weights along the derivative, weights across it."""


@stage(
    category="Edges and spots",
    params=(
        Param("operator", "choice", "sobel", "the weights", choices=tuple(WEIGHTS), structural=True),
        Param("normalize", "bool", False, "divide by the weights, to get gray values per pixel in f32",
              structural=True),
    ),
    per_channel=True,
    border=True,
)  # fmt: skip
def gradient(image: Plane, operator: str, normalize: bool) -> dict[str, Expr]:
    """Gradient: x and y (i32 for whole numbers, i64 for i32, else f32), magnitude, l1 and orientation.

    magnitude = sqrt(x^2 + y^2), f32; l1 = |x| + |y|; orientation = atan2(y, x), f32, radians, y down. Outputs that
    are not used cost nothing. Equal to cv2.Sobel (ksize 1, 3, 5) and cv2.Scharr; with `normalize` x and y are the
    derivative itself. Scharr: Optimale Operatoren in der digitalen Bildverarbeitung, Heidelberg 2000.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> ramp = np.tile(np.arange(0, 50, 10, dtype=np.uint8), (3, 1))
    >>> evaluate(gradient, ramp)["x"][1]
    array([ 0, 80, 80, 80,  0], dtype=int32)
    >>> evaluate(gradient, ramp, normalize=True)["magnitude"][1]
    array([ 0., 10., 10., 10.,  0.], dtype=float32)
    """
    along, across = WEIGHTS[operator]
    x = separable(image.expr, image.border, along, across)
    y = separable(image.expr, image.border, across, along)
    if normalize:
        per_pixel = sum(abs(k - len(along) // 2) * abs(w) for k, w in enumerate(along)) * sum(across)
        x, y = (d.to(F32) * (1.0 / per_pixel) for d in (x, y))
    fx, fy = x.to(F32), y.to(F32)
    return {
        "x": x,
        "y": y,
        "magnitude": sqrt(fx * fx + fy * fy),
        "l1": abs(x) + abs(y),
        "orientation": atan2(fy, fx),
    }
