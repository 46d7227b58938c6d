"""Holes of a mask filled: what a rim encloses belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.host.opencv import cv2
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import BOOL, U8, ImageType
from kernels.param import Param
from kernels.stage import stage

# For plans, measured on one core at 3 GHz or so: seconds of a call, a pixel of the mask.
CALL, SCANNED = 1e-5, 2e-10


@stage(
    category="Masks",
    inputs=("mask",),
    params=(
        Param("size", "int", 24, "holes wider or higher than this stay; 0 for no limit", unit="px", low=0),
    ),
    opaque=True,
)  # fmt: skip
def fill(mask: ValueType, size: int) -> Host:  # noqa: ARG001 - a value of each run
    """A mask (bool or u8, nonzero inside) with its holes filled, bool.

    A hole is what is outside, connects by the four sides of its pixels and does not touch the picture's edge: the
    dual of regions that connect by eight neighbours, as those of `components` do. `size` is the larger of the width
    and height of the largest that is filled, so that a frame around the picture does not fill it. Islands in a hole
    are one region with what encloses them.

    Put between a gradient's threshold and `components`, so that the inside of an outline counts as the thing, not as
    the ground around it. Objects with a true hole (rings) whose ground shows in it are better left as they are.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> rim = np.array([[0, 1, 1, 0, 0], [1, 0, 0, 1, 0], [0, 1, 1, 0, 1]], np.uint8)
    >>> evaluate(fill, rim).astype(int)
    array([[0, 1, 1, 0, 0],
           [1, 1, 1, 1, 0],
           [0, 1, 1, 0, 1]])
    """
    if not isinstance(mask, ImageType) or mask.channels != 1 or mask.dtype not in (BOOL, U8):
        raise DefinitionError(f"it takes a mask of one channel, bool or u8, not {mask}")

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Any]) -> Mapping[str, Datum]:
        return {"out": filled(np.asarray(inputs[0]), int(params["size"]))}

    seconds = CALL + mask.height * mask.width * SCANNED
    return Host({"out": mask.with_(dtype=BOOL, bits=0)}, run, seconds=seconds)


def filled(mask: npt.NDArray[Any], size: int) -> npt.NDArray[np.bool_]:
    """The mask (height, width) with the holes filled that are not wider or higher than `size` px (0: all of them)."""
    out = np.array(mask if mask.dtype == np.bool_ else mask != 0, order="C")
    inside = out.view(np.uint8)
    # Borders of regions of eight neighbours; those of holes (with a parent) run over the pixels around the hole.
    borders, family = cv2.findContours(inside, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if not borders:
        return out
    for border, (_, _, _, parent) in zip(borders, family[0].tolist(), strict=True):
        if parent >= 0 and _fits(border, size):
            # One by one: of holes in islands in holes, drawn together, every other one could stay.
            cv2.drawContours(inside, (border,), 0, 1, cv2.FILLED)
    return out


def _fits(border: npt.NDArray[Any], size: int) -> bool:
    """Whether a hole is small enough: its border is 2 px wider and higher."""
    if not size:
        return True
    _, _, width, height = cv2.boundingRect(border)
    return bool(max(width, height) - 2 <= size)
