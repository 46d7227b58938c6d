"""Which places of a track a line joins: the one rule for curves over time, trails on the video and derivatives.

Of frames of which nothing is known (a camera was too fast for the pipeline, a clip was played in steps) no straight
line shall tell, so none is drawn over them, unless they are what is usual there: with every n-th frame processed, all
places are n frames apart and belong together. Usual is the median of the `AROUND` distances before and behind, the
lower one where there are two; two places are joined if they are less than twice as far apart. What no line reaches is
a dot.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Frames = npt.NDArray[np.int64]
AROUND = 4
"""Distances on each side that say what is usual."""
_NONE = np.iinfo(np.int64).max


def joined(frame: Frames, track: Frames | None = None) -> npt.NDArray[np.bool_]:
    """Whether each place goes on to the next one.

    Args:
        frame: (n,) of the places, rising within each track.
        track: (n,) of the places, those of one track together; None for one.

    Returns:
        (n - 1,); never between two tracks.

    >>> joined(np.array([0, 1, 2, 10, 11, 12])).tolist(), joined(np.array([0, 8, 16, 24])).tolist()
    ([True, True, False, True, True], [True, True, True])
    """
    if len(frame) < 2:
        return np.zeros(max(0, len(frame) - 1), bool)
    same = np.ones(len(frame) - 1, bool) if track is None else np.diff(track) == 0
    made = same & (np.diff(frame) <= 1)
    wide = np.flatnonzero(same & ~made)
    if len(wide):
        made[wide] = np.diff(frame)[wide] < 2 * usual_steps(frame, track, wide)
    return made


def usual_steps(frame: Frames, track: Frames | None, at: npt.NDArray[np.intp]) -> Frames:
    """How many frames apart the places around some steps are; 1 where there are no others.

    Args:
        frame, track: as above.
        at: steps: k is that from place k to place k + 1.
    """
    steps = np.diff(frame)
    same = np.ones(len(steps), bool) if track is None else np.diff(track) == 0
    around = at[:, None] + np.array([k for k in range(-AROUND, AROUND + 1) if k])
    there = (around >= 0) & (around < len(steps))
    around = np.where(there, around, 0)
    there &= same[around]
    if track is not None:
        there &= track[around] == track[at][:, None]
    found = np.sort(np.where(there, steps[around], _NONE), axis=1)
    count = there.sum(axis=1)
    usual = np.take_along_axis(found, np.maximum(0, (count - 1) // 2)[:, None], axis=1)[:, 0]
    return np.where(count > 0, np.maximum(usual, 1), 1)
