"""Whether there is anything in a clip's frames at all, in numbers that can be computed with: what hints say where no
setting is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.graph import Bound, Ref

Array = npt.NDArray[Any]
LEAST, MOST = 1e-15, 1e17
"""Contrasts of which squares of single precision can be summed."""


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
        value = f", {values[0]:g}" if len(values) == 1 else ""
        each = f"all pixels of {which}" if len(frames) == 1 else f"in each of {which} all pixels"
        return [f"{each} have the same value{value}: there is nothing to follow; look at light, lens cap and exposure, "
                "or take another part of the clip (--frames)"]  # fmt: skip
    if len(frames) > 1 and all(np.array_equal(one, pictures[0]) for one in pictures[1:]):
        return [f"{which} are the same in every pixel, so nothing moves there; "
                "take another part of the clip (--frames)"]  # fmt: skip
    return []


def lost_words(frames: Sequence[int], pictures: Sequence[Array]) -> list[str]:
    """A sentence if the pictures hold no numbers, or none that single precision tells apart, in which stages compute.

    Args:
        frames, pictures: as for `blank_words`.
    """
    low, high = _range_of(pictures)
    if not frames or not all(one.dtype.kind == "f" for one in pictures):
        return []
    which = f"frame {frames[0]}" if len(frames) == 1 else f"frames {frames[0]} to {frames[-1]}"
    if not low <= high:
        return [f"no pixel of {which} is a number (all are NaN or infinite): there is nothing to follow"]
    with np.errstate(over="ignore", under="ignore"):
        least, most = np.float32(low), np.float32(high)
    if low < high and (least == most or not np.isfinite(most - least)):
        return [f"the pixels of {which} run from {low:.3g} to {high:.3g}, which single precision, in which stages "
                "compute, does not hold: bring them to about 0 to 1 first"]  # fmt: skip
    return []


def contrast_words(frames: Sequence[int], pictures: Sequence[Array]) -> list[str]:
    """A sentence if the pictures' contrast is too small or too large for trackers of points to sum its squares."""
    low, high = _range_of(pictures)
    if not frames or not low < high or LEAST <= high - low <= MOST:
        return []
    return [f"the pixels of frames {frames[0]} to {frames[-1]} run from {low:.3g} to {high:.3g}: contrasts must lie "
            f"between {LEAST:g} and {MOST:g}, so bring them to about 0 to 1 first"]  # fmt: skip


def _range_of(pictures: Sequence[Array]) -> tuple[float, float]:
    """The least and the largest number in pictures; infinity and its negative where there is none."""
    low, high = np.inf, -np.inf
    for one in pictures:
        fine = one[np.isfinite(one)] if one.dtype.kind == "f" else one
        if fine.size:
            low, high = min(low, float(fine.min())), max(high, float(fine.max()))
    return low, high
