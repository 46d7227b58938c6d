"""Tracks as samples at their own times, which need not be even: what is smoothed, fitted and measured."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.paths import check_places, frame_times
from pipelines.features import State, Tracks, sigmas

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Trail:
    """Values of one thing over time: the two coordinates of a track, or a single distance or angle.

    Args:
        name: the id of a track, or what a measure is called.
        frames: (n,) i8, rising.
        times: (n,) f8 s, rising (frames without a rate).
        values: (c, n) f8, c = 2 for x and y; finite.
        sigmas: (c, n) f8 standard uncertainties in the unit of the values; NaN where none is stated.
    """

    name: str
    frames: Array
    times: Array
    values: Array
    sigmas: Array

    def part(self, rows: Array | slice) -> Trail:
        """Some of its rows: a slice, a mask or rising indices."""
        return replace(self, frames=self.frames[rows], times=self.times[rows], values=self.values[:, rows],
                       sigmas=self.sigmas[:, rows])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trails:
    """All tracks of a table.

    Args:
        trails: by track.
        timed: whether times are seconds.
        step: the median time between frames, s; NaN of a single frame.
    """

    trails: tuple[Trail, ...]
    timed: bool
    step: float


def trails_of(rows: Tracks, *, fps: float | None = None) -> Trails:
    """The places at which tracks were seen (TRACKED), at the times of their frames.

    Args:
        rows: TRACK_DTYPE.
        fps: in place of the times: frame / fps.

    Raises:
        InputError: a place is not a number, or the times of frames do not rise or are not all told.
    """
    rows = rows[rows["state"] == State.TRACKED]
    rows = rows[np.lexsort((rows["frame"], rows["track"]))]
    check_places(rows)
    stamps, place, timed = frame_times(rows, fps)
    times, spread = stamps[place], np.stack(sigmas(rows))
    tracks, starts = np.unique(rows["track"], return_index=True)
    ends = [*starts[1:].tolist(), len(rows)]
    found = tuple(
        Trail(str(track), rows["frame"][first:end].astype(np.int64), times[first:end],
              np.stack((rows["x"][first:end], rows["y"][first:end])), spread[:, first:end])
        for track, first, end in zip(tracks.tolist(), starts.tolist(), ends, strict=True)
    )  # fmt: skip
    return Trails(found, timed, float(np.median(np.diff(stamps))) if len(stamps) > 1 else math.nan)
