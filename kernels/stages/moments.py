"""Sums and moments of regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, const, convert, select
from kernels.ir.filters import largest
from kernels.ir.image import BOOL, I32, I64, DType
from kernels.ir.table import Column, Reduction, Regions, fixed
from kernels.param import Param
from kernels.stage import Image, stage

POWERS = {"m00": (0, 0), "m10": (1, 0), "m01": (0, 1), "m20": (2, 0), "m11": (1, 1), "m02": (0, 2)}
"""Column -> powers of x and y."""


@stage(
    category="Features",
    inputs=("image", "mask"),
    optional=("mask",),
    params=(
        Param("regions", "choice", "whole", "the whole image, the cells of a grid, or given boxes",
              choices=("whole", "grid", "boxes"), structural=True),
        Param("cell_width", "int", 64, "of a grid's cell", unit="px", low=1, high=65536, structural=True),
        Param("cell_height", "int", 64, "of a grid's cell", unit="px", low=1, high=65536, structural=True),
        Param("boxes", "points", (), "rectangles (x, y, width, height), clipped to the image", unit="px",
              low=-1e6, high=1e6, length=4),
        Param("capacity", "int", 64, "most boxes", low=1, high=65536, structural=True),
        Param("fraction_bits", "int", 8, "float images are summed in units of 2**-fraction_bits", low=0,
              high=24, structural=True),
    ),
)  # fmt: skip
def moments(
    image: Image,
    mask: Image | None,
    regions: str,
    cell_width: int,
    cell_height: int,
    boxes: tuple[tuple[float, ...], ...],  # noqa: ARG001 - the reduction sees the live value by its name
    capacity: int,
    fraction_bits: int,
) -> Reduction:
    """Regional moments, one row a region: count, m00, m10, m01, m20, m11, m02 (i64), min, max (the image's type).

    m_pq = sum of x^p y^q v over the region's pixels where the mask is not 0, with x, y in pixels of the whole image.
    Whole numbers are summed exactly; a float v enters as rint(v * 2**fraction_bits), saturated at 2**31, so m_pq is in
    units of 2**-fraction_bits and does not depend on the order of summation. Centre: m10/m00, m01/m00. As cv2.moments
    of the region, except that this takes any weights and does not move the origin. min and max of no pixel are the
    type's largest and smallest value. A bool image counts as 0 and 1, i32.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> spot = np.zeros((6, 8), np.uint8)
    >>> spot[2:4, 5] = 10
    >>> row = evaluate(moments, spot).rows[0]
    >>> [int(row[name]) for name in ("count", "m00", "m10", "m01", "max")]
    [48, 20, 100, 50, 10]
    >>> rows = evaluate(moments, spot, regions="boxes", boxes=((0, 0, 4, 4), (4, 2, 4, 1))).rows
    >>> rows["m00"]
    array([ 0, 10])
    """
    plane = image.mono
    pixel = plane()
    if pixel.dtype == BOOL:
        pixel = pixel.to(I32)
    if pixel.dtype.bits > 32:
        raise DefinitionError(f"it takes pixels of at most 32 bits, not {pixel.dtype}; put a `convert` stage before it")
    within = const(True)
    if mask is not None:
        if mask.mono.size != plane.size:
            raise DefinitionError(f"the mask is {mask.type}, the image {image.type}; they must have one size")
        within = mask.mono().to(BOOL)
    value = fixed(pixel, fraction_bits) if pixel.dtype.is_float else pixel
    value = value if mask is None else select(within, value, 0)
    bound = 1.0 if image.type.dtype == BOOL else largest(value.dtype)

    height, width = plane.size
    columns = [Column("count", "count", within)]
    for name, (p, q) in POWERS.items():
        weights = [plane.x] * p + [plane.y] * q
        # The product in the narrowest type that holds it: i64 costs more everywhere.
        wide: DType = I32 if bound * (width - 1) ** p * (height - 1) ** q < 2.0**31 else I64
        term = convert(value, wide)
        for weight in weights:
            term = term * weight
        columns.append(Column(name, "sum", term))
    for kind in ("min", "max"):
        seen = pixel if mask is None else select(within, pixel, _extreme(pixel, kind))
        columns.append(Column(kind, kind, seen))
    where = Regions(regions, cell_width, cell_height, "boxes", capacity) if regions != "whole" else Regions()
    return Reduction(where, tuple(columns))


def _extreme(pixel: Expr, kind: str) -> Expr:
    """What a masked pixel counts as in a minimum or maximum."""
    limits: Any = np.finfo(pixel.dtype.numpy) if pixel.dtype.is_float else np.iinfo(pixel.dtype.numpy)
    end = limits.max if kind == "min" else limits.min
    return const(float(end) if pixel.dtype.is_float else int(end), pixel.dtype)
