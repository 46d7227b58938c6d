"""Holes of a mask filled: what a rim encloses belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.bits import Bits, words_of
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import BOOL, U8, ImageType
from kernels.loops.calling import call
from kernels.loops.scratch import scratch
from kernels.param import Param
from kernels.regions.hole_loops import fill_loop
from kernels.regions.labels import as_masks
from kernels.regions.mask_fill import MaskFill
from kernels.regions.structs import Stack
from kernels.stage import stage

# For plans, measured on one core at 3 GHz or so, 100 outlines in 1024x1024: seconds of a call, a pixel of the mask.
CALL, SCANNED = 1e-5, 5e-11
ROOM = 1 << 13
"""Runs of what is outside for which there is room at first."""


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

    def words(inputs: Sequence[Any], params: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"out": filled(inputs[0], int(params["size"]))}

    def batch(inputs: Sequence[Any], params: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"out": np.asarray(filled(np.asarray(inputs[0]), int(params["size"])))}

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Any]) -> Mapping[str, Datum]:
        return {"out": batch([np.asarray(inputs[0])[None]], params)["out"][0]}

    seconds = CALL + mask.height * mask.width * SCANNED
    decoder = MaskFill((mask.height, mask.width))
    return Host({"out": mask.with_(dtype=BOOL, bits=0)}, run, batch, seconds, decoder=decoder, words=words)


def filled(masks: npt.NDArray[Any] | Bits, size: int) -> Bits:
    """The masks (frames, height, width; nonzero inside) with the holes filled that are not wider or higher than `size`
    px (0: all of them)."""
    frames, height, width = masks.shape
    given = masks if isinstance(masks, Bits) or masks.dtype == np.bool_ else masks != 0
    looked = as_masks(given if isinstance(given, Bits) else np.ascontiguousarray(given))
    words, room = words_of(width), ROOM
    out = np.empty((frames, height, words), np.int64)
    for number, own in enumerate(out):
        stack = Stack(number, 1, height, width, 0)
        # Runs of what is outside may be more than fit: again with four times the room.
        while True:
            work = scratch("holes", 7 * (room + 16) + (height + 4) * (words + 1) + 1, np.int64)
            if call(fill_loop, looked, stack, size, room, work, own.reshape(-1)) >= 0:
                break
            room *= 4
    return Bits(out, width)
