"""Second derivative."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.filters import roomy, weighted_sum
from kernels.param import Param
from kernels.stage import Plane, stage

STENCILS = {
    "cross": (((0, -1), 1), ((-1, 0), 1), ((0, 0), -4), ((1, 0), 1), ((0, 1), 1)),
    "diagonal": (((-1, -1), 2), ((1, -1), 2), ((0, 0), -8), ((-1, 1), 2), ((1, 1), 2)),
}
"""Name -> ((dx, dy), weight)."""


@stage(
    category="Edges and spots",
    params=(Param("stencil", "choice", "cross", "cross: the four neighbours; diagonal: the four corners, times 2",
                  choices=tuple(STENCILS), structural=True),),
    per_channel=True,
    border=True,
)  # fmt: skip
def laplacian(image: Plane, stencil: str) -> Expr:
    """Laplacian, i32 for whole numbers (i64 for i32), else f32: cross: left + right + above + below - 4*centre.

    cross is cv2.Laplacian(ksize=1); diagonal is ksize=3 (four times the second derivative).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(laplacian, np.array([[0, 0, 7, 0, 0]], np.uint8))
    array([[  0,   7, -14,   7,   0]], dtype=int32)
    """
    points = STENCILS[stencil]
    plane = image.of(roomy(image.expr, 16))
    return weighted_sum([plane(dx, dy) for (dx, dy), _ in points], [weight for _, weight in points])
