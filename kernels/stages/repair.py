"""Broken pixels of a sensor, replaced."""

from __future__ import annotations

from functools import reduce

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, maximum, minimum, select
from kernels.param import Param
from kernels.stage import Image, Picture, Plane, stage

MOST = 64
"""Pixels that are replaced, at most: each is a comparison for every pixel of the picture."""


@stage(
    category="Smooth and sharpen",
    params=(
        Param("points", "points", (), "pixels that are replaced [[x, y], ...]; auto finds single ones that are far off "
              "all around them in every frame", unit="px", low=-65536.0, high=65536.0, length=2, structural=True,
              auto=True),
    ),
    border=True,
)  # fmt: skip
def repair(image: Image, points: tuple[tuple[float, ...], ...]) -> Picture:
    """Named pixels replaced by a middle one of the four beside them, in the input's type; the rest unchanged.

    Of left, right, upper and lower neighbour a, b, c, d the smaller of max(a, b) and max(c, d), which a broken pixel
    among them does not raise and a dark one does not lower by itself. Hot pixels otherwise are spots that never move.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(repair, np.array([[7, 8, 9], [7, 255, 9], [7, 8, 9]], np.uint8), points=((1, 1),))
    array([[7, 8, 9],
           [7, 8, 9],
           [7, 8, 9]], dtype=uint8)
    """
    if len(points) > MOST:
        raise DefinitionError(f"at most {MOST} pixels are replaced, not {len(points)}")
    places = sorted({(round(x), round(y)) for x, y in points})
    bits = image.type.bits
    if not places:
        return Picture(tuple(plane() for plane in image.planes), bits)
    return Picture(tuple(_repaired(plane, places) for plane in image.planes), bits)


def _repaired(plane: Plane, places: list[tuple[int, int]]) -> Expr:
    at = (plane.x.eq(x) & plane.y.eq(y) for x, y in places)
    broken = reduce(lambda a, b: a | b, at)
    across, along = maximum(plane(-1, 0), plane(1, 0)), maximum(plane(0, -1), plane(0, 1))
    return select(broken, minimum(across, along), plane())
