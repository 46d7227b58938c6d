"""Displacements of points from where they are in a reference frame, as fields: frames by points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.analysis.paths import check_places, frame_times
from pipelines.analysis.strain import overlap
from pipelines.features import State, Tracks, sigmas

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Displacements:
    """Of points that were seen in the reference frame, the first of `frames`.

    Args:
        tracks: (P,) i8 their ids, rising.
        points: (P, 2) f8 where they are in the reference frame, px.
        frames: (F,) i8. times: (F,) f8 s, frames where `timed` is false.
        moved: (F, P, 2) f8 px along x and y since then; NaN where a point was not seen.
        sigmas: (F, P, 2) f4 standard uncertainties of it; NaN where none is stated.
        correlation: (F, P) f4 of their errors along x and y.
        late: tracks that were not seen in the reference frame, and are left out.
        timed: whether times are seconds.
    """

    tracks: Array
    points: Array
    frames: Array
    times: Array
    moved: Array
    sigmas: Array
    correlation: Array
    late: int
    timed: bool

    @property
    def seen(self) -> Array:
        """(F,) how many of the points were seen in each frame."""
        return np.asarray(np.isfinite(self.moved[:, :, 0]).sum(axis=1))


def displacements_of(rows: Tracks, fps: float | None = None) -> Displacements:
    """The displacements of tracks since the first frame in which there are any.

    Errors in the first frame of a run are part of what its rows state (`template`: 0 in that frame, and of the way
    since then in all others); of a later reference frame its own uncertainty is added to those of the others.

    Args:
        rows: TRACK_DTYPE; those that are TRACKED count.
        fps: in place of the times: frame / fps.

    Raises:
        InputError: there are no rows, a place is not a number, a track has two places in a frame, or as in
            `frame_times`.
    """
    seen = rows["state"] == State.TRACKED
    if not seen.any():
        raise InputError("no track was seen in any of these frames")
    rows = rows[rows["frame"] >= rows["frame"][seen].min()]  # those in which all are lost among them
    stamps, at, timed = frame_times(rows, fps)
    seen = rows["state"] == State.TRACKED
    frames, rows, at = np.unique(rows["frame"]), rows[seen], at[seen]
    check_places(rows)
    tracks = np.unique(rows["track"][at == 0]).astype(np.int64)
    place = np.minimum(np.searchsorted(tracks, rows["track"]), len(tracks) - 1)
    # Only points that were seen in the first frame have a reference.
    known = tracks[place] == rows["track"]
    late = len(np.unique(rows["track"][~known]))
    rows, at, place = rows[known], at[known], place[known]
    if len(np.unique(at * len(tracks) + place)) != len(rows):
        raise InputError("a track has two places in one frame; numbers of frames or tracks are wrong")
    shape = (len(frames), len(tracks))
    places, spread = np.full((*shape, 2), np.nan), np.full((*shape, 2), np.nan, np.float32)
    correlation = np.zeros(shape, np.float32)
    places[at, place] = np.stack((rows["x"], rows["y"]), axis=1)
    spread[at, place] = np.stack(sigmas(rows), axis=1)
    correlation[at, place] = rows["correlation"]
    points = places[0].copy()
    if np.nanmax(spread[0], initial=0.0) > 0.0:
        spread[1:] = np.hypot(spread[1:], spread[0])
        spread[0] = 0.0
    return Displacements(tracks, points, frames, stamps, places - points, spread, correlation, late, timed)


APART = 1e-6
"""px between the ends of an extensometer at least."""


@dataclass(frozen=True, slots=True)
class Extension:
    """What a virtual extensometer shows: the distance between the means of two groups of points.

    Args:
        name: of it.
        length: (F,) f8 px; NaN in frames in which an end has no point that was seen.
        strain: (F,) length / length in the reference, of the same points, - 1.
        sigma: (F,) standard uncertainty of the strain.
        points: (F,) i8 how many were seen.
    """

    name: str
    length: Array
    strain: Array
    sigma: Array
    points: Array


def extension_of(
    field: Displacements, name: str, ends: tuple[Array, Array], subset: float | None = None
) -> Extension:  # fmt: skip
    """Follow the distance between two groups of points.

    Args:
        field: displacements.
        name: what it is called.
        ends: numbers of the points at either end, places in `field.tracks`.
        subset: side of the windows that points were followed with, px, by which errors of neighbours are alike; None
            where it is not known.

    Raises:
        InputError: an end has no points, or both are at one place.
    """
    if not len(ends[0]) or not len(ends[1]):
        raise InputError(f"extensometer {name}: there is no point at its {'second' if len(ends[0]) else 'first'} end")
    near = np.concatenate(ends)
    moved, points = field.moved[:, near], field.points[near]
    seen = np.isfinite(moved[:, :, 0])
    second = np.arange(len(near)) >= len(ends[0])
    counts = np.stack([(seen & part).sum(axis=1) for part in (~second, second)])
    # Mean of the second end less mean of the first, of points seen in this frame; `begun` is of the same points, so
    # that one that is missing makes no step.
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = seen * np.where(second, 1.0 / counts[1][:, None], -1.0 / counts[0][:, None])
        begun = weights @ points
        now = begun + (weights[:, :, None] * np.nan_to_num(moved)).sum(axis=1)
        before, after = np.hypot(*begun.T), np.hypot(*now.T)
        strain, along = after / before - 1.0, now / after[:, None]
    if not before[0] > APART:
        raise InputError(f"extensometer {name}: both of its ends are at one place")
    spread = np.nan_to_num(field.sigmas[:, near].astype(np.float64), nan=np.inf)
    spread[~seen] = 0.0
    with np.errstate(invalid="ignore"):
        # The variance of a place along the direction between the ends, its axes correlated.
        both = 2.0 * along[:, :1] * along[:, 1:] * field.correlation[:, near] * spread[:, :, 0] * spread[:, :, 1]
        mine = np.sqrt(np.maximum((np.square(along)[:, None] * np.square(spread)).sum(axis=2) + both, 0.0))
        errors = np.nan_to_num(weights) * mine
    alike = np.eye(len(near))
    if subset is not None:
        x, y = points.T
        alike = overlap(x[:, None] - x, y[:, None] - y, subset)
    with np.errstate(invalid="ignore"):
        sigma = np.sqrt(np.maximum(((errors @ alike) * errors).sum(axis=1), 0.0)) / before
    sigma[~np.isfinite(sigma) | ~np.isfinite(strain)] = np.nan
    return Extension(name, after, strain, sigma, seen.sum(axis=1))
