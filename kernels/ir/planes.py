"""What looks at images: planes of the inputs, loads, gathers and windows, and the border rules under which they do.

The nodes themselves, and what a load of an expression means: `kernels.ir.expr`.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

from kernels.errors import ExprError
from kernels.ir.expr import Expr, Size, convert, joint_size, select
from kernels.ir.image import I32, DType
from kernels.ir.ops import OPS

BORDERS = ("reflect101", "replicate", "constant", "wrap")


@dataclass(frozen=True, slots=True, eq=False)
class Border:
    """How a plane goes on outside its image, by OpenCV's names.

    reflect101: gfedcb|abcdefgh|gfedcba; replicate: aaaaaa|abcdefgh|hhhhhhh; wrap: cdefgh|abcdefgh|abcdefg;
    constant: `value`, converted to the plane's type (the others drop it). An image of one pixel is constant under the
    first three.
    """

    mode: str = "reflect101"
    value: float = 0.0

    def __post_init__(self) -> None:
        if self.mode not in BORDERS:
            raise ExprError(f"unknown border {self.mode!r}; one of {', '.join(BORDERS)}")
        object.__setattr__(self, "value", float(self.value) if self.mode == "constant" else 0.0)

    def __eq__(self, other: object) -> bool:  # 0 and -0 differ, a NaN is itself
        return isinstance(other, Border) and (self.mode, repr(self.value)) == (other.mode, repr(other.value))

    def __hash__(self) -> int:
        return hash((self.mode, self.value if self.value == self.value else None))


@dataclass(frozen=True, slots=True)
class Input:
    """Channel `channel` of input number `index`, an image of `size` (height, width)."""

    index: int
    channel: int
    size: Size


@dataclass(frozen=True, slots=True)
class Tap:
    """Where a load looks: (x*stride_x + dx, y*stride_y + dy) in frame t + dt; dt <= 0."""

    dt: int
    dy: int
    dx: int
    border: Border
    stride_y: int = 1
    stride_x: int = 1
    size: Size | None = None  # of the result; needed with a stride


@dataclass(frozen=True, slots=True)
class Gather:
    """The size of the result of a gather, and the border rule for coordinates outside the plane."""

    size: Size
    border: Border


@dataclass(frozen=True, slots=True)
class Window:
    """The rectangle y0..y1, x0..x1 (offsets, inclusive) of a windowed sum, min or max.

    It has one order, on which rounding and NaN may depend: fold each row from x0 to x1, then the rows from y0 to y1.
    """

    kind: str
    y0: int
    y1: int
    x0: int
    x1: int
    border: Border


def input_plane(index: int, channel: int, dtype: DType, size: Size) -> Expr:
    """Channel `channel` of input `index`."""
    return Expr("input", (), Input(index, channel, size), dtype, size)


def coord(axis: str, size: Size) -> Expr:
    """This pixel's x (column) or y (row) in an image of `size` (height, width), i32, from 0."""
    if axis not in ("x", "y"):
        raise ExprError(f"coord takes 'x' or 'y', not {axis!r}")
    return Expr("coord", (), axis, I32, size)


def spread(value: Expr, size: Size) -> Expr:
    """`value` as an image of `size` (height, width): itself where it varies over one already."""
    return value if value.size is not None else select(coord("x", size) >= 0, value, value)


def _whole(*values: int) -> tuple[int, ...]:
    try:
        return tuple(operator.index(v) for v in values)
    except TypeError:
        raise ExprError(f"offsets, strides and sizes are whole numbers, not {values}") from None


def load(
    plane: Expr, border: Border, dx: int = 0, dy: int = 0, dt: int = 0, stride: int = 1, size: Size | None = None
) -> Expr:
    """`plane` at an offset in pixels and frames; with a stride or a size, at (stride*x + dx, stride*y + dy).

    Raises:
        ExprError: a look into the future, a plane that is no image, a stride without a size.
    """
    dx, dy, dt, stride = _whole(dx, dy, dt, stride)
    if dt > 0:
        raise ExprError(f"a load looks {dt} frames into the future; stages are causal, so dt must be <= 0")
    if plane.size is None:
        raise ExprError("a load needs an image; this expression is the same for every pixel or is a bare state")
    # A look at the own pixel is the plane: no border is asked there.
    if stride == 1 and size in (None, plane.size):
        if (dx, dy, dt) == (0, 0, 0):
            return plane
        return Expr("load", (plane,), Tap(dt, dy, dx, border), plane.dtype, plane.size)
    if size is None or stride < 1 or min(size) < 1:
        raise ExprError("a strided load needs a stride of at least 1 and the size of its result")
    size = (*_whole(*size),)  # type: ignore[assignment]
    return Expr("load", (plane,), Tap(dt, dy, dx, border, stride, stride, size), plane.dtype, size)


def gather(plane: Expr, y: Expr, x: Expr, size: Size, border: Border) -> Expr:
    """`plane` at row `y`, column `x` (whole numbers, i32), which may be any expression over an image of `size`."""
    if plane.size is None:
        raise ExprError("a gather needs an image")
    if min(size) < 1:
        raise ExprError(f"the result of a gather needs at least one pixel, not {size[1]}x{size[0]}")
    y, x = convert(y, I32), convert(x, I32)
    varying = joint_size((y, x))
    if varying is not None and varying != size:
        raise ExprError(f"the coordinates of a gather vary over {varying[1]}x{varying[0]}, its result over "
                        f"{size[1]}x{size[0]}")  # fmt: skip
    return Expr("gather", (plane, y, x), Gather(size, border), plane.dtype, size)


def window(kind: str, plane: Expr, border: Border, x: tuple[int, int], y: tuple[int, int]) -> Expr:
    """Sum, min or max of `plane` over x[0]..x[1], y[0]..y[1] (inclusive offsets).

    A sum of integers narrower than i32 is i32; of floats it keeps the type (see `Window` for its order).
    """
    if kind not in ("sum", "min", "max"):
        raise ExprError(f"unknown window {kind!r}; one of sum, min, max")
    x0, x1, y0, y1 = _whole(*x, *y)
    if plane.size is None or x0 > x1 or y0 > y1:
        raise ExprError("a window needs an image and a rectangle that is not empty")
    # Sums of short whole numbers are made in i32.
    if kind == "sum":
        plane = convert(plane, OPS["add"].rule(plane.dtype, plane.dtype)[1])
    return Expr("window", (plane,), Window(kind, y0, y1, x0, x1, border), plane.dtype, plane.size)
