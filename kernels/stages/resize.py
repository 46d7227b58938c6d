"""Another size."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, const, lookup
from kernels.ir.filters import roomy
from kernels.ir.image import F32, I32
from kernels.ir.planes import Tap, coord
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Geometry",
    params=(
        Param("width", "int", 0, "new columns; 0: as the height asks, for the same shape", unit="px", low=0,
              high=65536, structural=True),
        Param("height", "int", 0, "new rows; 0: as the width asks, for the same shape", unit="px", low=0,
              high=65536, structural=True),
        Param("method", "choice", "linear", "how a pixel between pixels is found",
              choices=("nearest", "linear", "area"), structural=True),
    ),
    per_channel=True,
)  # fmt: skip
def resize(image: Plane, width: int, height: int, method: str) -> Expr:
    """The image in width x height pixels; half-pixel centres: column x lies at (x + 0.5) * old / new - 0.5.

    nearest: the pixel at floor(x * old / new), in the input's type, as cv2.INTER_NEAREST (which rounds old / new first:
    now and then it takes the pixel before, where x * old / new is a whole number). linear: between the two
    (four) neighbours, f32, as cv2.INTER_LINEAR on floats (no smoothing when the image shrinks). area: mean of the
    pixels that a new one covers, f32, as cv2.INTER_AREA; the old size must be a multiple of the new one.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(resize, np.array([[0, 10, 20, 30]], np.uint8), width=2, height=1, method="area")
    array([[ 5., 25.]], dtype=float32)
    >>> evaluate(resize, np.array([[0, 10]], np.uint8), width=4, height=1)
    array([[ 0. ,  2.5,  7.5, 10. ]], dtype=float32)
    """
    rows, columns = image.size
    if not width and not height:
        width, height = columns, rows
    size = (height or max(1, round(rows * width / columns)), width or max(1, round(columns * height / rows)))
    if method == "linear":
        return _linear(image, size)
    if method == "nearest" and _whole(image, size):
        return _strided(image, size, 0, 0)
    if method == "nearest":
        y, x = (lookup([k * old // new for k in range(new)], coord(axis, size), I32)
                for axis, old, new in (("y", rows, size[0]), ("x", columns, size[1])))  # fmt: skip
        return image.at(y, x, size)
    if rows % size[0] or columns % size[1]:
        raise DefinitionError(f"area needs a whole factor, but {columns}x{rows} is no multiple of {size[1]}x{size[0]}; "
                              "use linear, or crop before it")  # fmt: skip
    return _area(image, size)


def _area(image: Plane, size: tuple[int, int]) -> Expr:
    down, across = image.size[0] // size[0], image.size[1] // size[1]
    # Sums of bytes would wrap: a type in which all of them fit.
    total = image.of(roomy(image.expr, down * across)).window("sum", (0, across - 1), (0, down - 1))
    sums = image.of(total)
    # One stride for both axes; where they differ pixels are picked one by one.
    if down == across:
        picked = sums.strided(down, 0, 0, size)
    else:
        picked = sums.at(coord("y", size) * down, coord("x", size) * across, size)
    return picked.to(F32) / float(down * across)


def _whole(image: Plane, size: tuple[int, int]) -> bool:
    """Whether the picture shrinks by whole factors. Then pixels lie at strides, which what makes them is fused with;
    looks by tables may go anywhere."""
    return all(old % new == 0 and old > new for old, new in zip(image.size, size, strict=True))


def _strided(image: Plane, size: tuple[int, int], y: int, x: int) -> Expr:
    """Pixel (y, x) of the pixels that a new one covers."""
    down, across = image.size[0] // size[0], image.size[1] // size[1]
    return Expr("load", (image.expr,), Tap(0, y, x, image.border, down, across, size), image.expr.dtype, size)


def _middle(factor: int) -> tuple[int, float]:
    """Of so many pixels: the one at or before the middle, and the weight of the next."""
    return (factor - 1) // 2, 0.5 * (factor % 2 == 0)


def _linear_whole(image: Plane, size: tuple[int, int]) -> Expr:
    (y, fy), (x, fx) = (_middle(old // new) for old, new in zip(image.size, size, strict=True))

    def row(dy: int) -> Expr:
        left, right = (_strided(image, size, dy, dx).to(F32) for dx in (x, x + 1))
        return left * const(1.0 - fx, F32) + right * const(fx, F32)

    return row(y) * const(1.0 - fy, F32) + row(y + 1) * const(fy, F32)


def _linear(image: Plane, size: tuple[int, int]) -> Expr:
    if _whole(image, size):
        return _linear_whole(image, size)
    y0, y1, fy = _between("y", image.size[0], size)
    x0, x1, fx = _between("x", image.size[1], size)

    def row(y: Expr) -> Expr:
        left, right = (image.at(y, x, size).to(F32) for x in (x0, x1))
        return left * (1.0 - fx) + right * fx

    return row(y0) * (1.0 - fy) + row(y1) * fy


def _between(axis: str, old: int, size: tuple[int, int]) -> tuple[Expr, Expr, Expr]:
    """The two neighbours along an axis, clamped to the image, and the second one's weight."""
    new = size[0] if axis == "y" else size[1]
    # Positions as whole numbers over 2 * new, then tabulated: no error grows with x.
    first, over = zip(*(divmod((2 * k + 1) * old - new, 2 * new) for k in range(new)), strict=True)
    here = coord(axis, size)
    clamp = [[min(max(k + side, 0), old - 1) for k in first] for side in (0, 1)]
    weight = [part / (2 * new) for part in over]
    return lookup(clamp[0], here, I32), lookup(clamp[1], here, I32), lookup(weight, here, F32)
