"""How well a run tracks, frame by frame, for the shading of a timeline; nothing here knows a window."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pipelines.features import State, Tracks

UNKNOWN = -1.0


def quality(rows: Tracks, first: int, end: int, places: int) -> npt.NDArray[np.float64]:
    """Shares of the points that were seen, for each place of a strip of frames.

    Args:
        rows: of the frames that are known, by frame.
        first, end: frames that the strip spans.
        places: how many; each stands for the frames that fall into it.

    Returns:
        (places,): 0 to 1, `UNKNOWN` where there is no row.
    """
    return quality_of((rows,), first, end, places)


def quality_of(parts: Iterable[Tracks], first: int, end: int, places: int) -> npt.NDArray[np.float64]:
    """The same of rows that come in parts."""
    count, seen, there = (np.zeros(places, np.int64) for _ in range(3))
    for part in parts:
        if end <= first or not len(part):
            continue
        rows = part[(part["frame"] >= first) & (part["frame"] < end)]
        place = (rows["frame"] - first) * places // (end - first)
        count += np.bincount(place[rows["state"] != State.TENTATIVE], minlength=places)
        seen += np.bincount(place[rows["state"] == State.TRACKED], minlength=places)
        there += np.bincount(place, minlength=places)
    return np.where(there > 0, np.where(count > 0, seen / np.maximum(count, 1), 1.0), UNKNOWN)
