"""Minimum and maximum over a structuring element."""

from __future__ import annotations

import math

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, apply
from kernels.ir.planes import Border, window
from kernels.param import Param

SHAPES = ("rect", "cross", "ellipse")
ELEMENT = (
    Param("size", "int", 3, "width and height of the structuring element, odd", unit="px", low=1, high=101,
          structural=True, odd=True),
    Param("shape", "choice", "rect", "the structuring element", choices=SHAPES, structural=True),
)  # fmt: skip
"""The parameters of erode, dilate, open and close."""


def half_widths(size: int, shape: str) -> tuple[int, ...]:
    """Half width of the element's row dy, for dy = 0 .. size // 2; as cv2.getStructuringElement.

    Raises:
        DefinitionError: the size is even.
    """
    if size % 2 == 0:
        raise DefinitionError(f"size = {size} must be odd")
    r = size // 2
    if shape == "rect":
        return (r,) * (r + 1)
    if shape == "cross":
        return (r,) + (0,) * r
    return tuple(round(r * math.sqrt((r * r - dy * dy) / (r * r))) if r else 0 for dy in range(r + 1))


def extreme(kind: str, plane: Expr, border: Border, size: int, shape: str) -> Expr:
    """Minimum or maximum ("min", "max") over the element.

    The element is a union of rectangles about the centre, one for each half width that occurs.
    """
    widths = half_widths(size, shape)
    # Of each half width the tallest rectangle that fits: their union is the element.
    rectangles = [(w, max(dy for dy, wide in enumerate(widths) if wide >= w)) for w in sorted(set(widths))]
    w, h = rectangles[0]
    total = window(kind, plane, border, (-w, w), (-h, h))
    for w, h in rectangles[1:]:
        total = apply(kind, total, window(kind, plane, border, (-w, w), (-h, h)))
    return total
