"""Tracks as paths on one clock: a column of slots of equal length, NaN where a thing was not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import State, Tracks, sigmas

Array = npt.NDArray[Any]


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
    """

    track: int
    first: int
    places: Array
    variances: Array
    share: Array | None = None

    @property
    def seen(self) -> int:
        """In how many slots it was seen."""
        return int(np.isfinite(self.places[0]).sum())


def own_share(paths: Sequence[Path]) -> float:
    """Which part of the variance of the things' own motion is left on average; 1 where nothing was taken away.

    Things from which their mean was taken know of each other: what differs between them tells the error of their mean
    too small, by the root of this.
    """
    slots = sum(path.places.shape[1] - 1 for path in paths)
    left = sum(path.places.shape[1] - 1 if path.share is None else float(path.share[-1]) for path in paths)
    return left / slots if slots else 1.0


@dataclass(frozen=True, slots=True)
class Paths:
    """All tracks of a table.

    Args:
        paths: by id.
        interval: length of a slot, s (1 frame without times).
        jitter: farthest that a time stamp lies from its slot, slots.
        timed: whether times are seconds.
    """

    paths: tuple[Path, ...]
    interval: float
    jitter: float
    timed: bool


def paths_of(rows: Tracks, *, fps: float | None = None, least: int = 1) -> Paths:
    """The seen places (TRACKED) of tracks, by their time stamps, not by the numbers of rows or frames: a frame that was
    lost is a slot without a place.

    The slot is the median step between the times of all frames; each step counts as its rounded number of slots.

    Args:
        rows: TRACK_DTYPE.
        fps: in place of the times: frame / fps.
        least: tracks that were seen in fewer frames are left out.
    """
    rows = rows[rows["state"] == State.TRACKED]
    rows = rows[np.lexsort((rows["frame"], rows["track"]))]
    given = rows["frame"] / fps if fps else rows["time"]
    timed = bool(np.isfinite(given).all())
    stamps, place = np.unique(given if timed else rows["frame"].astype(np.float64), return_inverse=True)
    steps = np.diff(stamps)
    middle = float(np.median(steps)) if len(steps) else 1.0
    slots = np.concatenate(([0], np.cumsum(np.maximum(1, np.rint(steps / middle)).astype(np.int64))))
    interval = float(stamps[-1] - stamps[0]) / int(slots[-1]) if len(steps) else middle
    at = (stamps - stamps[0]) / interval if len(stamps) else stamps
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
        places, variances = (np.full((2, int(within[-1]) + 1), math.nan) for _ in range(2))
        places[:, within] = rows["x"][these], rows["y"][these]
        variances[:, within] = uncertain[:, these]
        found.append(Path(track, first, places, variances))
    return Paths(tuple(found), interval, jitter, timed)
