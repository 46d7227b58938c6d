"""Mirror image."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Geometry",
    params=(Param("direction", "choice", "horizontal", "horizontal: left and right change places",
                  choices=("horizontal", "vertical", "both"), structural=True),),
    per_channel=True,
)  # fmt: skip
def flip(image: Plane, direction: str) -> Expr:
    """Mirror the image, in the input's type; both is half a turn.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(flip, np.array([[1, 2, 3]], np.uint8))
    array([[3, 2, 1]], dtype=uint8)
    """
    height, width = image.size
    x = image.x if direction == "vertical" else width - 1 - image.x
    y = image.y if direction == "horizontal" else height - 1 - image.y
    return image.at(y, x, image.size)
