"""Median of 3x3 pixels."""

from __future__ import annotations

from kernels.ir.expr import Expr, maximum, minimum
from kernels.stage import Plane, stage

EXCHANGES = (
    (1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 3), (5, 8), (4, 7), (3, 6), (1, 4),
    (2, 5), (4, 7), (4, 2), (6, 4), (4, 2),
)  # fmt: skip
"""Compare and exchange these; the median of nine is then at 4 (Smith 1996; Paeth, Graphics Gems, 1990)."""


@stage(category="Smooth and sharpen", per_channel=True, border="replicate")
def median3(image: Plane) -> Expr:
    """Median of the 3x3 neighbourhood, in the input's type: takes single bright or dark pixels out, keeps edges.

    Nineteen exchanges of minimum and maximum. With the border replicate equal to cv2.medianBlur(ksize=3).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> image = np.full((3, 4), 7, np.uint8)
    >>> image[1, 1] = 255
    >>> evaluate(median3, image)[1]
    array([7, 7, 7, 7], dtype=uint8)
    """
    p = [image(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    for a, b in EXCHANGES:
        p[a], p[b] = minimum(p[a], p[b]), maximum(p[a], p[b])
    return p[4]
