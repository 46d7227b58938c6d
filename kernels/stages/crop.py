"""Part of the image."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.planes import Border, load
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Geometry",
    params=(
        Param("x", "int", 0, "left column", unit="px", low=0, high=65535, structural=True),
        Param("y", "int", 0, "upper row", unit="px", low=0, high=65535, structural=True),
        Param("width", "int", 0, "columns; 0 for all to the right edge", unit="px", low=0, high=65536, structural=True),
        Param("height", "int", 0, "rows; 0 for all to the lower edge", unit="px", low=0, high=65536, structural=True),
    ),
    per_channel=True,
)
def crop(image: Plane, x: int, y: int, width: int, height: int) -> Expr:
    """The rectangle with the corner (x, y): out(i, j) = in(x + i, y + j), in the input's type.

    Coordinates found in the output count from that corner.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(crop, np.arange(12, dtype=np.uint8).reshape(3, 4), x=1, y=1, width=2)
    array([[ 5,  6],
           [ 9, 10]], dtype=uint8)
    """
    rows, columns = image.size
    width, height = width or columns - x, height or rows - y
    if x + width > columns or y + height > rows or width < 1 or height < 1:
        raise DefinitionError(f"the rectangle {width}x{height} at ({x}, {y}) is not inside the image, {columns}x{rows}")
    return load(image.expr, Border("replicate"), dx=x, dy=y, size=(height, width))
