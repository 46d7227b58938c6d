"""Correlation with given weights."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.filters import weighted_sum
from kernels.param import Param
from kernels.stage import Plane, stage

LIMIT = 31
"""Most rows and columns of a kernel."""


@stage(
    category="Smooth and sharpen",
    params=(Param("kernel", "points", ((0, -1, 0), (-1, 5, -1), (0, -1, 0)), "rows of weights, from the top",
                  structural=True),),
    per_channel=True,
    border=True,
)  # fmt: skip
def conv(image: Plane, kernel: tuple[tuple[float, ...], ...]) -> Expr:
    """Correlation, f32: out(x, y) = sum over i, j of kernel[j][i] * in(x + i - columns // 2, y + j - rows // 2).

    The kernel is not mirrored, as in cv2.filter2D. Summed row by row as `weighted_sum` says. For a smoothing or a
    derivative the stages `gaussian`, `box` and `gradient` are faster.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(conv, np.array([[0, 0, 8, 0, 0]], np.uint8), kernel=((0.25, 0.5, 1.0),))
    array([[0., 8., 4., 2., 0.]], dtype=float32)
    """
    rows, columns = len(kernel), len(kernel[0]) if kernel else 0
    if not 1 <= rows <= LIMIT or not 1 <= columns <= LIMIT or any(len(row) != columns for row in kernel):
        raise DefinitionError(f"the kernel must be 1 to {LIMIT} rows of equal length of 1 to {LIMIT} weights")
    loads = [image(i - columns // 2, j - rows // 2) for j in range(rows) for i in range(columns)]
    return weighted_sum(loads, [float(w) for row in kernel for w in row])
