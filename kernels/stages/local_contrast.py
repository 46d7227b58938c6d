"""Gray values by the mean and the spread of their neighbourhood."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, maximum, sqrt
from kernels.ir.filters import largest, roomy
from kernels.ir.image import F32, I32
from kernels.ir.planes import window
from kernels.param import Param
from kernels.stage import Image, Plane, stage


@stage(
    category="Grey values",
    params=(
        Param("size", "int", 25, "side of the square that is the neighbourhood, odd; two to three times as wide as "
              "what is looked for", unit="px", low=3, high=181, structural=True, odd=True),
        Param("floor", "float", 0.01, "added to the spread, as a share of full scale, so that noise on even ground "
              "stays small", unit="1", low=1e-6, high=1.0),
    ),
    border=True,
)  # fmt: skip
def local_contrast(image: Image, size: int, floor: Expr) -> tuple[Expr, ...]:
    """Local contrast normalisation, f32: out = (in - mean) / (spread + floor * full scale).

    mean and spread (standard deviation) are those of size x size pixels. What a lamp, a shadow or the fall-off of a
    lens does to a neighbourhood as a whole is gone, so that levels behind it, and networks, need not know the light.
    The spread is the root of the mean square less the squared mean. Sums of u8 are exact, all else is f32, which is
    wrong by less than .0005 of full scale where the spread is 0. Jarrett et al., What is the best multi-stage
    architecture for object recognition?, ICCV 2009.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> bright = np.array([[60, 60, 60, 80, 80, 80]], np.uint8)
    >>> evaluate(local_contrast, bright, size=3, floor=1e-4).round(1)
    array([[ 0. ,  0. , -0.7,  0.7,  0. ,  0. ]], dtype=float32)
    >>> evaluate(local_contrast, bright // 4, size=3, floor=1e-4).round(1)
    array([[ 0. ,  0. , -0.7,  0.7,  0. ,  0. ]], dtype=float32)
    """
    if size % 2 == 0:
        raise DefinitionError(f"size = {size} must be odd")
    return tuple(_normalised(plane, size, floor * image.type.white) for plane in image.planes)


def _normalised(plane: Plane, size: int, floor: Expr) -> Expr:
    here, area = plane().to(F32), size * size
    reach = (-(size // 2), size // 2)

    def mean(of: Expr) -> Expr:
        return window("sum", of, plane.border, reach, reach).to(F32) / float(area)

    exact = largest(plane.expr.dtype) ** 2 * area < 2.0**31
    value = plane.expr.to(I32 if exact else F32)
    middle = mean(roomy(plane.expr, area))
    spread = sqrt(maximum(mean(value * value) - middle * middle, 0.0))
    return (here - middle) / (spread + floor)
