"""A region of the picture: what lies outside (or inside) a polygon becomes nothing."""

from __future__ import annotations

import math
from functools import reduce

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, const, select
from kernels.ir.image import BOOL, F32
from kernels.param import Param
from kernels.stage import Plane, stage

MOST_CORNERS = 64
_GRID = 64.0
"""Corners are rounded to a 64th of a pixel, so that differences of them are exact in f32."""


@stage(
    category="Masks",
    params=(
        Param("points", "points", (), "corners of the polygon [[x, y], ...]; none: the whole picture", unit="px",
              low=-65536.0, high=65536.0, length=2, structural=True),
        Param("keep", "choice", "inside", "what stays; the rest becomes 0", choices=("inside", "outside"),
              structural=True),
    ),
    per_channel=True,
)  # fmt: skip
def mask(image: Plane, points: tuple[tuple[float, ...], ...], keep: str) -> Expr:
    """The picture inside (or outside) a polygon, 0 elsewhere, in the input's type.

    A pixel is inside where a ray from its centre to the left crosses an odd number of edges (Shimrat, Algorithm 112,
    CACM 1962); a centre on a left or upper edge is inside. Edges are straight lines in f32, corners are rounded to a
    64th of a pixel. No corners: everything is inside.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(mask, np.full((3, 4), 7, np.uint8), points=((1, 0), (3, 0), (3, 2), (1, 2)))
    array([[0, 7, 7, 0],
           [0, 7, 7, 0],
           [0, 0, 0, 0]], dtype=uint8)
    """
    value = image()
    if not points:
        return value if keep == "inside" else _or_nothing(const(False), value)
    if not 3 <= len(points) <= MOST_CORNERS:
        raise DefinitionError(f"a polygon has 3 to {MOST_CORNERS} corners, not {len(points)}")
    corners = [(round(x * _GRID) / _GRID, round(y * _GRID) / _GRID) for x, y in points]
    edges = [_crosses(image, *a, *b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
             if math.ceil(a[1]) != math.ceil(b[1])]  # fmt: skip
    inside = reduce(lambda a, b: a ^ b, edges, const(False, BOOL))
    return _or_nothing(inside if keep == "inside" else ~inside, value)


def _crosses(image: Plane, x0: float, y0: float, x1: float, y1: float) -> Expr:
    """Whether the ray to the left from this pixel crosses an edge; its upper end belongs to it, its lower one not."""
    if y0 > y1:
        x0, y0, x1, y1 = x1, y1, x0, y0
    rows = (image.y >= math.ceil(y0)) & (image.y < math.ceil(y1))
    if x0 == x1:
        return rows & (image.x >= math.ceil(x0))
    slope = (x1 - x0) / (y1 - y0)
    at = (image.y.to(F32) - const(y0, F32)) * const(slope, F32) + const(x0, F32)
    return rows & (image.x.to(F32) >= at)


def _or_nothing(condition: Expr, value: Expr) -> Expr:
    return condition & value if value.dtype == BOOL else select(condition, value, const(0, value.dtype))
