"""How well a run tracks, frame by frame, for the shading of a timeline; nothing here knows a window."""

from __future__ import annotations

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
    made = np.full(places, UNKNOWN)
    if end <= first or not len(rows):
        return made
    rows = rows[(rows["frame"] >= first) & (rows["frame"] < end)]
    place = (rows["frame"] - first) * places // (end - first)
    believed = rows["state"] != State.TENTATIVE
    count = np.bincount(place[believed], minlength=places)
    seen = np.bincount(place[rows["state"] == State.TRACKED], minlength=places)
    there = np.bincount(place, minlength=places) > 0
    made[there] = np.where(count[there] > 0, seen[there] / np.maximum(count[there], 1), 1.0)
    return made
