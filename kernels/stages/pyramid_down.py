"""Half the size, smoothed."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.filters import after, weighted_sum
from kernels.ir.image import BOOL, I32
from kernels.ir.planes import load
from kernels.param import Param
from kernels.stage import Plane, stage

BINOMIAL = (1, 4, 6, 4, 1)


@stage(
    category="Geometry",
    params=(Param("levels", "int", 1, "how often the size is halved", low=1, high=8, structural=True),),
    per_channel=True,
    border=True,
)
def pyramid_down(image: Plane, levels: int) -> Expr:
    """Gaussian pyramid: binomial 5x5 smoothing, then every second pixel: size (w + 1) // 2 x (h + 1) // 2.

    In the input's type; whole numbers of at most 16 bits are rounded as (sum + 128) >> 8, which is cv2.pyrDown to the
    bit. Pixel (x, y) of the output lies at (2x, 2y) of the input. Burt and Adelson, IEEE Trans. Comm. 31, 1983.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(pyramid_down, np.array([[0, 0, 0, 16, 16, 16]], np.uint8))
    array([[ 0,  5, 15]], dtype=uint8)
    """
    plane = image.expr
    if plane.dtype == BOOL or (not plane.dtype.is_float and plane.dtype.bits > 16):
        raise DefinitionError(f"it takes whole numbers of 8 or 16 bits, or floats, not {plane.dtype}")
    for _ in range(levels):
        plane = _halve(Plane(plane, image.border))
    return plane


def _halve(image: Plane) -> Expr:
    height, width = image.size
    dtype, border = image.expr.dtype, image.border
    rows = weighted_sum([image(dx=k - 2) for k in range(5)], BINOMIAL)
    size = ((height + 1) // 2, (width + 1) // 2)
    beyond = after(border, dtype, sum(BINOMIAL))
    total = weighted_sum([load(rows, beyond, dy=k - 2, stride=2, size=size) for k in range(5)], BINOMIAL)
    if dtype.is_float:
        return total * (1.0 / 256.0)
    return ((total.to(I32) + 128) >> 8).to(dtype)
