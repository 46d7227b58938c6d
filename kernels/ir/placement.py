"""Placements: where the pixels of one picture lie in another.

A placement is an image of one pixel and eight channels (`PLACEMENT`): a, b, c, d, e, f of the affine map

    x' = a x + b y + c,    y' = d x + e y + f

from pixels of a crop, or of what a network gets, to pixels of the frame (px, centres at whole numbers), then the width
and the height of that crop. It goes along edges as other images do; one that is NaN says that there is no crop: what
takes it finds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, const
from kernels.ir.image import F64, ImageType
from kernels.ir.planes import spread

Array = npt.NDArray[Any]
PARTS = 8
PLACEMENT = ImageType(F64, 1, 1, PARTS)


def check_placement(type_: object) -> None:
    """Whether an input is a placement.

    Raises:
        DefinitionError: it is not.
    """
    if type_ is not None and type_ != PLACEMENT:
        raise DefinitionError(f"its placement is an image of one pixel with {PARTS} channels of f64, as `place` and "
                              f"`network` make it, not {type_}")  # fmt: skip


def scaled(given: tuple[float, float], made: tuple[int, int], first: tuple[float, float] = (0.0, 0.0),
           ratio: tuple[float, float] | None = None) -> tuple[float, ...]:
    """The placement of a picture of the size `made` in one of the size `given`, (height, width), px.

    Args:
        first: the edges (x, y) of the given picture that the made one's upper left corner lies on, px from its own
            upper left corner (half a pixel before the centre of the first pixel).
        ratio: given pixels a made one along x and y; that of the sizes where not given.
    """
    # Edges, not centres, of both pictures coincide: a centre lies half a pixel behind its edge.
    across, down = ratio or (given[1] / made[1], given[0] / made[0])
    return (across, 0.0, first[0] + 0.5 * across - 0.5, 0.0, down, first[1] + 0.5 * down - 0.5,
            float(made[1]), float(made[0]))  # fmt: skip


def composed(outer: Sequence[Any] | None, inner: Sequence[float]) -> tuple[Any, ...]:
    """Where what lies as `inner` says in a picture, lies in that in which this picture lies as `outer` says; channels
    of a placement, expressions or numbers. None: in itself."""
    if outer is None:
        return tuple(inner)
    # Product of the two affine maps, as 3 x 3 matrices with the last row (0, 0, 1).
    a, b, c, d, e, f = outer[:6]
    p, q, r, s, t, u = inner[:6]
    return (a * p + b * s, a * q + b * t, a * r + b * u + c, d * p + e * s, d * q + e * t, d * r + e * u + f,
            inner[6], inner[7])  # fmt: skip


def placements(batch: Array | None, frames: int) -> Array:
    """Rows of PARTS numbers, a frame each, of the batch of a placement; the frame itself where there is none."""
    if batch is None:
        identity = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, np.nan, np.nan])
        return np.repeat(identity[None], frames, 0)
    return np.ascontiguousarray(np.asarray(batch, np.float64).reshape(frames, PARTS))


def planes_of(values: Sequence[Expr | float]) -> tuple[Expr, ...]:
    """A placement as an image: its channels."""
    return tuple(spread(v if isinstance(v, Expr) else const(v, F64), (1, 1)) for v in values)
