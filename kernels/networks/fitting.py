"""How a picture is brought to the size that a network takes, and where what the network gets lies in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernels.ir.expr import Expr, const, convert, select
from kernels.ir.image import F32
from kernels.ir.placement import scaled
from kernels.ir.planes import coord
from kernels.networks.operators.pooling import between

RESIZES = ("stretch", "letterbox", "crop", "none")
Size = tuple[int, int]


def fitted(
    planes: Sequence[Expr], size: Size, resize: str, padding: float
) -> tuple[tuple[Expr, ...], tuple[float, ...]]:
    """A picture in another size, f32, between neighbours with half-pixel centres; and its placement, numbers
    (`kernels.ir.placement`).

    Args:
        planes: of the picture.
        size: (height, width) wanted.
        resize: stretch: each axis by its own factor. letterbox: all of the picture by one factor, in the middle,
            `padding` beside it. crop: by one factor, too, its middle alone. none: as it is.
        padding: a sample.
    """
    old = planes[0].size
    assert old is not None
    if resize == "none" or size == old:
        return tuple(planes), scaled(old, old)
    down, across = old[0] / size[0], old[1] / size[1]
    if resize != "stretch":
        down = across = max(down, across) if resize == "letterbox" else min(down, across)
    corner = 0.5 * (old[1] - across * size[1]), 0.5 * (old[0] - down * size[0])
    made = []
    for plane in planes:
        plane = convert(plane, F32)
        for axis, step, first in ((0, down, corner[1]), (1, across, corner[0])):
            places = (np.arange(size[axis]) + 0.5) * step + first - 0.5
            plane = _padded(between(plane, axis, places), axis, places, old[axis], padding)
        made.append(plane)
    return tuple(made), scaled(old, size, corner, (across, down))


def _padded(plane: Expr, axis: int, places: np.ndarray, length: int, padding: float) -> Expr:
    """`padding` where a pixel's centre lies beside the picture, along one axis."""
    inside = np.flatnonzero((places > -0.5 - 1e-9) & (places < length - 0.5 + 1e-9))
    assert plane.size is not None
    here = coord("yx"[axis], plane.size)
    if inside[0] > 0:
        plane = select(here >= int(inside[0]), plane, const(padding, F32))
    if inside[-1] < len(places) - 1:
        plane = select(here <= int(inside[-1]), plane, const(padding, F32))
    return plane
