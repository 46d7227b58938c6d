"""A crop that moves, turns and scales from frame to frame."""

from __future__ import annotations

from kernels.ir.expr import Expr, const, convert, floor, maximum, minimum, select
from kernels.ir.image import F32, F64, I32
from kernels.ir.placement import check_placement
from kernels.ir.planes import Border, coord, gather
from kernels.param import Param
from kernels.stage import Image, Plane, stage

_FAR = 1e6  # px: coordinates beyond are as far outside as any


@stage(
    category="Geometry",
    inputs=("image", "placement"),
    params=(
        Param("width", "int", 128, "columns of the crop", unit="px", low=1, high=65536, structural=True),
        Param("height", "int", 0, "its rows; 0: as many as columns", unit="px", low=0, high=65536, structural=True),
    ),
    border="constant",
)  # fmt: skip
def warp(image: Image, placement: Image, width: int, height: int) -> tuple[Expr, ...]:
    """What lies where a placement says, in width x height pixels, by bilinear interpolation, in the image's type.

    A pixel (x, y) of the crop is the image at (a x + b y + c, d x + e y + f), with a to f from the placement (one made
    by `place` for a crop of this size, or any image of its type); the coordinates are f64, the weights f32, whole
    numbers are rounded half to even. Where the image shrinks it is not smoothed. Under a placement that is NaN (`place`
    found nothing) the crop is 0.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> ramp = np.tile(np.arange(0, 90, 10, dtype=np.uint8), (3, 1))
    >>> turned = np.array([0, 2, 1.5, -1, 0, 2, 3, 2], np.float64).reshape(1, 1, 8)
    >>> evaluate(warp, ramp, turned, width=3, height=2)
    array([[15, 15, 15],
           [35, 35, 35]], dtype=uint8)
    """
    check_placement(placement.type)
    size = height or width, width
    a, b, c, d, e, f = (gather(p.expr, const(0, I32), const(0, I32), size, Border("replicate"))
                        for p in placement.planes[:6])  # fmt: skip
    column, row = (convert(coord(axis, size), F64) for axis in "xy")
    x, y = a * column + b * row + c, d * column + e * row + f
    # NaN is not equal to itself: one test for all six numbers.
    there = (x + y).eq(x + y)
    # Held before they become whole numbers, which far ones do not fit.
    x, y = (minimum(maximum(v, -_FAR), _FAR) for v in (x, y))
    return tuple(convert(select(there, _between(plane, y, x, size), 0.0), plane.expr.dtype) for plane in image.planes)


def _between(plane: Plane, y: Expr, x: Expr, size: tuple[int, int]) -> Expr:
    left, top = floor(x), floor(y)
    across, down = convert(x - left, F32), convert(y - top, F32)
    column, row = convert(left, I32), convert(top, I32)

    def along(row: Expr) -> Expr:
        near, far = (convert(plane.at(row, at, size), F32) for at in (column, column + 1))
        return near + (far - near) * across

    upper, lower = along(row), along(row + 1)
    return upper + (lower - upper) * down
