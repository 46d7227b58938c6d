"""Frame numbers of two tables that count differently: a clip that lacks frames counts those that it has.

A table of tracks numbers the frames of its clip from 0; where the camera (or a folder of images) lost some, only the
times tell. A truth that numbers what the camera should have delivered is then paired with the wrong frames, one off
after each loss. Both tables are counted by their times instead: a step of two intervals is a frame that is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import Tracks

Array = npt.NDArray[Any]
OFF = 0.2
"""By how many intervals a step of the times may differ from a whole number of them; else the times count nothing."""
MOST = 1e7
"""Frames that may lack; times that tell of more are damaged."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """Two tables that count frames alike.

    Args:
        tracks: rows of TRACK_DTYPE.
        truth: rows of TRUTH_DTYPE.
        before, behind: by how much frames are later now, before the tracks' first loss and behind their last.
        words: a sentence about what was done or could not be; "" if the tables counted alike.
    """

    tracks: Tracks
    truth: Array
    before: int = 0
    behind: int = 0
    words: str = ""


def numbered_alike(tracks: Tracks, truth: Array) -> Numbered:
    """Number both tables by their times, if these say that the same number is not the same frame.

    True positions of a frame that the tracks' clip lacks are left out: they could not be seen.

    Args:
        tracks: rows of TRACK_DTYPE, any order.
        truth: rows of TRUTH_DTYPE, any order.
    """
    as_they_are = Numbered(tracks, truth)
    claimed, real = _counted(tracks), _counted(truth)
    if claimed is None or not (claimed.late.any() or (real is not None and real.late.any())):
        return as_they_are
    if real is None:
        if np.isfinite(truth["time"]).any():
            return as_they_are
        words = "the clip of the tracks lacks frames, as its times say; the truth has no times (time_s), so its frame "
        return Numbered(tracks, truth, words=f"{words}numbers must count the frames that are there")
    # Frames that both tables have tell: where each is equally late in both, the same number is the same frame already.
    _, here, there = np.intersect1d(claimed.frames, real.frames, return_indices=True)
    if (claimed.late[here] == real.late[there]).all():
        return as_they_are
    tracks, truth = tracks.copy(), truth.copy()
    tracks["frame"] += claimed.late[np.searchsorted(claimed.frames, tracks["frame"])]
    truth["frame"] += real.late[np.searchsorted(real.frames, truth["frame"])]
    lost = np.isin(truth["frame"], claimed.missing)
    left_out = f"; {len(np.unique(truth['frame'][lost]))} frames that the tracks' clip lacks are left out"
    words = "the same frame numbers have other times in the two tables, so frames were paired by their times"
    return Numbered(
        tracks, truth[~lost], int(claimed.late[0]), int(claimed.late[-1]), words + (left_out if lost.any() else "")
    )


@dataclass(frozen=True, slots=True)
class _Counted:
    frames: Array
    """The numbers that the table has, rising."""
    late: Array
    """By how much each is later by its time than by its number."""
    missing: Array
    """Numbers by time of frames that are missing between two that follow one another by number."""


def _counted(table: Array) -> _Counted | None:
    """The frames of a table counted by its times; None where these cannot count: none, jittering, standing still."""
    frames, first = np.unique(table["frame"], return_index=True)
    times = table["time"][first]
    if len(frames) < 2 or not np.isfinite(times).all():
        return None
    numbers, steps = np.diff(frames), np.diff(times)
    typical = float(np.median(steps / numbers))
    if not typical > 0:
        return None
    # Stamps that are rounded (to ms, say) have a median that is off; all steps that lack no frame tell the interval.
    usual = np.abs(steps / numbers - typical) < 0.3 * typical
    interval = steps[usual].sum() / numbers[usual].sum()
    # Intervals that a step is longer than its numbers say: frames that are missing.
    extra = steps / interval - numbers
    whole = np.rint(extra)
    if (whole < 0).any() or (np.abs(extra - whole) > OFF).any() or not whole.sum() < MOST:
        return None
    # Some may be lost before a first row that is not of frame 0; without any loss behind it times begin elsewhere.
    begin = max(0, round(times[0] / interval) - int(frames[0])) if frames[0] > 0 and whole.any() else 0
    late = begin + np.concatenate(([0], np.cumsum(whole))).astype(np.int64)
    # Only gaps between numbers that follow one another: a gap in the numbers has been told by these.
    gaps = np.flatnonzero((numbers == 1) & (whole > 0))
    missing = [np.arange(frames[i] + late[i] + 1, frames[i + 1] + late[i + 1]) for i in gaps]
    return _Counted(frames, late, np.concatenate(missing) if missing else np.zeros(0, np.int64))
