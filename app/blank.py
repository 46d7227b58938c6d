"""Whether there is anything in a clip's frames at all: what hints say where no setting is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.graph import Bound, Ref

Array = npt.NDArray[Any]


def picture_of(bound: Bound) -> Ref:
    """The clip as a pipeline sees it: unpacked, and cropped to the region of interest."""
    return next((Ref(node.id) for node in bound.nodes if node.id == "@crop"), bound.picture)


def blank_words(frames: Sequence[int], pictures: Sequence[Array]) -> list[str]:
    """A sentence if every picture holds one value, or if all are the same; else nothing.

    Args:
        frames: numbers of the pictures, rising.
        pictures: (height, width) or (height, width, channels), any type; pixels that are no numbers equal none.
    """
    if not frames:
        return []
    which = f"frame {frames[0]}" if len(frames) == 1 else f"frames {frames[0]} to {frames[-1]}"
    if all(bool((one == one[:1, :1]).all()) for one in pictures):
        values = np.unique([one[0, 0] for one in pictures])
        told = f", {values[0]:g}" if len(values) == 1 else ""
        each = f"all pixels of {which}" if len(frames) == 1 else f"in each of {which} all pixels"
        return [f"{each} have the same value{told}: there is nothing to follow; look at light, lens cap and exposure, "
                "or take another part of the clip (--frames)"]  # fmt: skip
    if len(frames) > 1 and all(np.array_equal(one, pictures[0]) for one in pictures[1:]):
        return [f"{which} are the same in every pixel, so nothing moves there; "
                "take another part of the clip (--frames)"]  # fmt: skip
    return []
