"""Tracks as paths on one clock: a column of slots of equal length, NaN where a thing was not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.features import State, Tracks, sigmas
from pipelines.frame import STEPS

Array = npt.NDArray[Any]
FAR = 1e9
"""px beyond which there is no picture."""
LONGEST = 2.0**40
"""Frames between the first and the last."""
MANY, SPARSE = 1_000_000, 1000
"""A track of more frames than MANY was seen in one of SPARSE at least."""
LITTLE = 1e-3
"""`told_apart` of paths that do not tell their mean's error."""
ONE_TIME = 0.01
"""How far the times of one frame's rows may lie apart, frames."""


@dataclass(frozen=True, slots=True)
class Path:
    """One track.

    Args:
        track: its id.
        first: slot of its first row.
        places: (2, n) x and y, px; NaN in slots without a row.
        variances: (2, n) squares of the stated uncertainties, px^2; NaN where none is stated.
        share: (n,) where something common was taken away: which part of the variance of its own motion is left, summed
            over the slots from the first on (`pipelines.analysis.drift`).
        part: (n,) places with different numbers cannot be compared, because what they have in common is unknown.
    """

    track: int
    first: int
    places: Array
    variances: Array
    share: Array | None = None
    part: Array | None = None

    @property
    def seen(self) -> int:
        """In how many slots it was seen."""
        return int(np.isfinite(self.places[0]).sum())

    def ways(self, lag: int) -> Array:
        """(2, n - lag) from each place to that `lag` slots later, px; NaN where one is not known."""
        ways: Array = self.places[:, lag:] - self.places[:, :-lag]
        return ways if self.part is None else np.where(self.part[lag:] == self.part[:-lag], ways, math.nan)


def own_share(paths: Sequence[Path]) -> float:
    """Which part of the variance of the things' own motion is left on average; 1 where nothing was taken away."""
    slots = sum(path.places.shape[1] - 1 for path in paths)
    left = sum(path.places.shape[1] - 1 if path.share is None else float(path.share[-1]) for path in paths)
    return left / slots if slots else 1.0


def told_apart(share: float) -> float:
    """Which part of the squared error of their mean things tell by how they differ, whose share is `own_share`.

    Of N things less their mean, the ways r of any two have the covariance -1 / (N - 1) of their variances (given back
    what they lost), and sums of squares of ways the square of that: 1 / (N - 1)^2. So the variance of a mean of
    such sums is N / (N - 1) times as large as that of things that do not know of each other, and what they differ by
    1 - 1 / (N - 1)^2 times. With two things nothing differs: 0.
    """
    lost = (1.0 - share) / share
    return max(0.0, share * (1.0 - lost * lost))


@dataclass(frozen=True, slots=True)
class Paths:
    """All tracks of a table.

    Args:
        paths: by id.
        interval: length of a slot, s (1 frame without times).
        jitter: farthest that a time stamp lies from its slot, slots.
        timed: whether times are seconds.
        start: time of the first slot.
    """

    paths: tuple[Path, ...]
    interval: float
    jitter: float
    timed: bool
    start: float = 0.0


def paths_of(rows: Tracks, *, fps: float | None = None, least: int = 1) -> Paths:
    """The seen places (TRACKED) of tracks, by their time stamps, not by the numbers of rows or frames: a frame that was
    lost is a slot without a place.

    The slot is the median step between the times of all frames; each step counts as its rounded number of slots.

    Args:
        rows: TRACK_DTYPE.
        fps: in place of the times: frame / fps.
        least: tracks that were seen in fewer frames are left out.

    Raises:
        InputError: a place is not a number, or the times of frames do not rise, are not all told, or lie too far apart
            or too near.
    """
    rows = rows[rows["state"] == State.TRACKED]
    rows = rows[np.lexsort((rows["frame"], rows["track"]))]
    check_places(rows)
    stamps, place, timed = frame_times(rows, fps)
    steps = np.diff(stamps)
    middle = float(np.median(steps)) if len(steps) else 1.0
    if len(steps) and not float(stamps[-1] - stamps[0]) < LONGEST * middle:
        raise InputError(f"the times reach from {stamps[0]:g} to {stamps[-1]:g}, in steps of {middle:g}: they are no "
                         "even clock; give the capture rate with --fps")  # fmt: skip
    # Each step is rounded by itself, so that jitter of single stamps does not add up to a slot.
    slots = np.concatenate(([0], np.cumsum(np.maximum(1, np.rint(steps / middle)).astype(np.int64))))
    # The mean step over the whole record, not the median one: that has the error of a single stamp.
    interval = float(stamps[-1] - stamps[0]) / int(slots[-1]) if len(steps) else middle
    at = (stamps - stamps[0]) / interval if len(stamps) else stamps
    if timed and not STEPS[0] <= interval <= STEPS[1]:
        raise InputError(f"the frames lie {interval:g} s apart, which no capture rate does; give it with --fps")
    jitter = float(np.abs(at - slots).max()) if len(stamps) else 0.0
    slot = slots[place]
    uncertain = np.square(np.stack(sigmas(rows)))
    found = []
    tracks, starts, counts = np.unique(rows["track"], return_index=True, return_counts=True)
    for track, start, count in zip(tracks.tolist(), starts.tolist(), counts.tolist(), strict=True):
        if count < least:
            continue
        these = slice(start, start + count)
        first = int(slot[start])
        within = slot[these] - first
        # Wrong frame numbers or times would ask for arrays of any size.
        if within[-1] > max(MANY, SPARSE * count):
            raise InputError(f"track {track} has {count} rows in {within[-1] + 1} frames; numbers or times are wrong")
        places, variances = (np.full((2, int(within[-1]) + 1), math.nan) for _ in range(2))
        places[:, within] = rows["x"][these], rows["y"][these]
        variances[:, within] = uncertain[:, these]
        found.append(Path(track, first, places, variances))
    return Paths(tuple(found), interval, jitter, timed, float(stamps[0]) if len(stamps) else 0.0)


def check_places(rows: Tracks) -> None:
    """Whether all places are places.

    Raises:
        InputError: one is not.
    """
    bad = np.flatnonzero(~((np.abs(rows["x"]) <= FAR) & (np.abs(rows["y"]) <= FAR)))
    if len(bad):
        row = rows[bad[0]]
        raise InputError(f"track {row['track']} has no position in frame {row['frame']} (x is {row['x']:g}, y is "
                         f"{row['y']:g}); remove such rows")  # fmt: skip


def frame_times(rows: Tracks, fps: float | None) -> tuple[Array, Array, bool]:
    """The time of every frame, rising; which of them is each row's; whether they are seconds.

    Raises:
        InputError: they do not rise with the frames, or are not all told.
    """
    frames, firsts, place = np.unique(rows["frame"], return_index=True, return_inverse=True)
    if fps:
        return frames / fps, place, True
    known = np.isfinite(rows["time"])
    if not known.any():
        return frames.astype(np.float64), place, False
    if not known.all():
        row = rows[np.flatnonzero(~known)[0]]
        raise InputError(f"track {row['track']} has no time in frame {row['frame']}, others have; give --fps")
    stamps: Array = rows["time"][firsts]
    steps = np.diff(stamps)
    if len(steps) and not steps.min() > 0:
        k = int(np.argmin(steps))
        raise InputError(f"the times do not rise with the frames: {stamps[k]:g} s in frame {frames[k]}, "
                         f"{stamps[k + 1]:g} s in frame {frames[k + 1]}; give the capture rate with --fps")  # fmt: skip
    away = np.abs(rows["time"] - stamps[place])
    if len(steps) and not away.max() <= ONE_TIME * float(np.median(steps)):
        k = int(np.argmax(away))
        raise InputError(f"rows of frame {rows['frame'][k]} have different times, {stamps[place[k]]:g} s and "
                         f"{rows['time'][k]:g} s; give the capture rate with --fps")  # fmt: skip
    return stamps, place, True
