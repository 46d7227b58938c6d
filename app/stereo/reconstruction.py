"""Tracks of several cameras as things in space."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.formats.c3d import Markers
from app.files.atomic import write_bytes
from app.stereo.rig import Rig
from kernels.errors import InputError
from pipelines.features import Tracks, sigmas
from pipelines.stereo.camera_model import Array
from pipelines.stereo.matching import Seen, match_tracks
from pipelines.stereo.triangulation import by_calibration, triangulate

PLACES, THINGS = "places.csv", "things.csv"
UNKNOWN_SIGMA = 0.1
"""px, of tracks that state none: what a marker of some pixels commonly has. It scales sigma, hardly places."""
Groups = Sequence[Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Args:
    offsets: by how many frames each camera is ahead of the first, whose own is 0.
    groups: things, each as (camera, track) of those that see it; None to find them.
    within: px by which lines of sight may miss each other, on average.
    least: frames in which two tracks have to be seen at once.
    fps: in place of the first camera's times; None for these.
    """

    offsets: tuple[int, ...]
    groups: Groups | None = None
    within: float = 2.0
    least: int = 5
    fps: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reconstruction:
    """Rows by thing and frame, and what is known of each thing.

    Args:
        unit: of lengths. timed: whether times are seconds; they count frames else.
        thing, frame, time: (N,), frames as the first camera counts them.
        places: (N, 3). covariance: (N, 3, 3), of the stated uncertainties of the tracks alone: what differs from row to
            row. calibration: (N, 3, 3), what the uncertainty of the cameras adds: nearly alike for rows that are near
            each other, whatever their time; NaN where the calibration does not state it.
        residual: (N,) px, root of the mean squared distance between what cameras saw and what is projected.
        cameras: (N,), how many saw it.
        groups: of each thing its tracks, (camera, track).
        ambiguous: things for which another track would have done nearly as well.
        alone: of each camera the tracks that belong to no thing.
        lost: rows of tracks of things that only one camera saw at their time.
        chi_square: mean of squared residuals by their variances, a degree of freedom; NaN for no sigma.
        sigma_known: whether all tracks state their sigma.
        down: whether space is that of the first camera, y down and z away from it.
    """

    unit: str
    timed: bool
    thing: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int64]
    time: Array
    places: Array
    covariance: Array
    calibration: Array
    residual: Array
    cameras: npt.NDArray[np.int64]
    groups: tuple[tuple[tuple[int, int], ...], ...]
    ambiguous: int
    alone: tuple[int, ...]
    lost: int
    chi_square: float
    sigma_known: bool
    down: bool

    @property
    def sigma(self) -> Array:
        """Standard uncertainties of one place along x, y, z, (N, 3): of tracks and calibration, which are independent
        of each other."""
        return np.asarray(np.sqrt(self.sigma_tracks**2 + np.nan_to_num(self.sigma_calibration) ** 2))

    @property
    def sigma_tracks(self) -> Array:
        """The part of the tracks, (N, 3)."""
        return _spreads(self.covariance)

    @property
    def sigma_calibration(self) -> Array:
        """The part of the calibration, (N, 3)."""
        return _spreads(self.calibration)

    def markers(self) -> Markers:
        """As C3D has them: evenly timed frames from the first to the last that has a place."""
        first, last = int(self.frame.min()), int(self.frame.max())
        numbers, at = np.unique(self.thing, return_inverse=True)
        places = np.full((3, len(numbers), last - first + 1), np.nan)
        places[:, at, self.frame - first] = self.places.T
        # Frames may be missing: each step is divided by how many frames it spans.
        steps: Array = np.diff(np.unique(self.time)) / np.diff(np.unique(self.frame).astype(float))
        rate = 1.0 / float(np.median(steps)) if len(steps) and np.median(steps) > 0 else 1.0
        return Markers(tuple(f"thing_{number}" for number in numbers), rate, self.unit, places)

    @property
    def notes(self) -> list[str]:
        """Sentences to read with the numbers."""
        notes = []
        if not self.sigma_known:
            notes.append(f"some tracks state no sigma; {UNKNOWN_SIGMA:g} px was taken for them")
        elif self.chi_square > 4.0:
            notes.append(f"lines of sight miss each other by {math.sqrt(self.chi_square):.2g} times what the tracks' "
                         "sigma says: the calibration, the synchronisation (--offset) or what is followed differs, and "
                         "the errors of places are larger than their sigma by as much or more")  # fmt: skip
        if not np.isfinite(self.calibration).any():
            notes.append("the calibration does not state its own uncertainty, so that sigma of places is that of the "
                         "tracks alone; calibrate again to have it")  # fmt: skip
        if self.ambiguous:
            notes.append(f"{self.ambiguous} things could as well have been made of other tracks: a third camera, or "
                         "--match, tells them apart")  # fmt: skip
        if not self.timed:
            notes.append("the capture rate is not known, so times count frames; give it with --fps")
        return notes


def reconstruct(rig: Rig, tracks: Sequence[Tracks], wanted: Wanted, timed: bool = True) -> Reconstruction:
    """Places in space.

    Args:
        rig: the cameras.
        tracks: of each, believed rows.
        wanted: see there.
        timed: whether the rows' times are seconds.

    Raises:
        InputError: numbers of tables and cameras differ, a wanted track is not there, or nothing is seen by two.
    """
    if len(tracks) != len(rig.cameras):
        raise InputError(f"the calibration has {len(rig.cameras)} cameras, and there are {len(tracks)} tables of "
                         "tracks; give one of each, in its order")  # fmt: skip
    seen = [_seen(rows, offset) for rows, offset in zip(tracks, wanted.offsets, strict=True)]
    groups, ambiguous, alone = _grouped(rig, seen, wanted)
    times = _Times(tracks, wanted)
    parts = [_one(rig, number, group, seen) for number, group in enumerate(groups)]
    if not parts or not sum(len(part.frame) for part in parts):
        raise InputError("no thing is seen by two cameras at once with lines of sight that meet: are the tables in the "
                         "order of the calibration, and their frames of one moment (--offset)? --within PX allows "
                         "more")  # fmt: skip
    names = ("thing", "frame", "places", "covariance", "calibration", "residual", "cameras", "chi_square",
             "freedom")  # fmt: skip
    whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    timed = (timed or wanted.fps is not None) and times.known
    freedom = float(whole["freedom"].sum())
    known = all(bool(np.isfinite(one.sigma).all()) for one in seen)
    return Reconstruction(
        rig.unit, timed, whole["thing"], whole["frame"],
        times(whole["frame"]) if timed else whole["frame"].astype(float), whole["places"], whole["covariance"],
        whole["calibration"], whole["residual"], whole["cameras"], groups, ambiguous, alone,
        sum(part.lost for part in parts),
        float(whole["chi_square"].sum()) / freedom if known and freedom else math.nan, known,
        bool((rig.cameras[0].rotation == np.eye(3)).all()),
    )  # fmt: skip


class _Times:
    """The time of each frame of the first camera: as its rows say, and between and beside them evenly."""

    def __init__(self, tracks: Sequence[Tracks], wanted: Wanted) -> None:
        frames, at = np.unique(tracks[0]["frame"], return_index=True)
        self._fps, self._frames, self._times = wanted.fps, frames, tracks[0]["time"][at].astype(float)
        good = np.isfinite(self._times)
        self._frames, self._times = self._frames[good], self._times[good]
        self.known = wanted.fps is not None or len(self._frames) > 1

    def __call__(self, frames: npt.NDArray[np.int64]) -> Array:
        if self._fps is not None:
            return np.asarray(frames / self._fps)
        # Before the first and after the last known frame time goes on with the mean step; `np.interp` would stand
        # still.
        step = (self._times[-1] - self._times[0]) / (self._frames[-1] - self._frames[0])
        inside = np.interp(frames, self._frames, self._times)
        beside = np.minimum(frames - self._frames[0], 0) + np.maximum(frames - self._frames[-1], 0)
        return np.asarray(inside + step * beside)


def _spreads(covariance: Array) -> Array:
    return np.asarray(np.sqrt(np.maximum(np.diagonal(covariance, axis1=1, axis2=2), 0.0)))


def _seen(rows: Tracks, offset: int) -> Seen:
    x, y = sigmas(rows)
    return Seen(rows["frame"].astype(np.int64) - offset, rows["track"].astype(np.int64),
                np.column_stack((rows["x"], rows["y"])).astype(float), np.column_stack((x, y)))  # fmt: skip


def _grouped(
    rig: Rig, seen: Sequence[Seen], wanted: Wanted
) -> tuple[tuple[tuple[tuple[int, int], ...], ...], int, tuple[int, ...]]:
    if wanted.groups is None:
        found = match_tracks(rig.cameras, seen, wanted.within, wanted.least)
        return found.groups, found.ambiguous, found.alone
    for group in wanted.groups:
        for camera, track in group:
            if not (seen[camera].track == track).any():
                raise InputError(f"camera {camera + 1} has no track {track} that is seen")
    groups = tuple(tuple(group) for group in wanted.groups)
    taken = {one for group in groups for one in group}
    return groups, 0, tuple(sum((at, int(track)) not in taken for track in np.unique(one.track))
                            for at, one in enumerate(seen))  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A thing's rows."""

    thing: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int64]
    places: Array
    covariance: Array
    calibration: Array
    residual: Array
    cameras: npt.NDArray[np.int64]
    chi_square: Array
    freedom: Array
    lost: int


def _one(rig: Rig, number: int, group: Sequence[tuple[int, int]], seen: Sequence[Seen]) -> _Part:
    mine = [np.isin(one.track, [track for camera, track in group if camera == at]) for at, one in enumerate(seen)]
    # All frames in which any camera saw the thing; places come where two did.
    frames = np.unique(np.concatenate([one.frame[its] for one, its in zip(seen, mine, strict=True)]))
    pixels = np.full((len(seen), len(frames), 2), np.nan)
    sigma = np.full(pixels.shape, UNKNOWN_SIGMA)
    for at, (one, its) in enumerate(zip(seen, mine, strict=True)):
        rows = np.searchsorted(frames, one.frame[its])
        pixels[at, rows] = one.pixels[its]
        stated = one.sigma[its]
        sigma[at, rows] = np.where(np.isfinite(stated) & (stated > 0), stated, UNKNOWN_SIGMA)
    found = triangulate(rig.cameras, pixels, sigma)
    common = np.full(found.covariance.shape, np.nan)
    if rig.covariance is not None:
        common = by_calibration(rig.cameras, found.places, pixels, sigma, rig.covariance)
    good = np.isfinite(found.places).all(axis=1)
    count = np.isfinite(pixels).all(axis=2).sum(axis=0)
    # Root of the mean square over the cameras that saw it, both coordinates together.
    squared = np.nansum(found.residual**2, axis=(0, 2)) / np.maximum(count, 1)
    return _Part(np.full(int(good.sum()), number), frames[good], found.places[good], found.covariance[good],
                 common[good], np.sqrt(squared)[good], count[good], found.chi_square[good], found.freedom[good],
                 int((~good).sum()))  # fmt: skip


def write_reconstruction(folder: Path, found: Reconstruction) -> list[str]:
    """Write the two tables; their names.

    Raises:
        InputError: a file cannot be written.
    """
    _write(folder / PLACES, place_columns(found), place_rows(found))
    _write(folder / THINGS, *thing_table(found))
    return [PLACES, THINGS]


def called_alike(tracks: Sequence[Tracks], names: Sequence[Mapping[int, str]]) -> Groups:
    """Things whose tracks have one name in two cameras or more; a track without a name is called by its number.

    Args:
        tracks: of each camera its rows.
        names: of each camera what its tracks are called.

    Raises:
        InputError: there are none.
    """
    things: dict[str, list[tuple[int, int]]] = {}
    for camera, (rows, its) in enumerate(zip(tracks, names, strict=True)):
        for track in np.unique(rows["track"]).tolist():
            things.setdefault(its.get(track, str(track)), []).append((camera, track))
    groups = [group for group in things.values() if len({camera for camera, _ in group}) > 1]
    if not groups:
        raise InputError("no two cameras have tracks of one name or number")
    return groups


def parse_group(text: str, cameras: int) -> list[tuple[int, int]]:
    """Tracks of one thing as people write them, joined by colons; empty where a camera does not see it.

    >>> parse_group("0:3", 2), parse_group("0+7:3:", 3)
    ([(0, 0), (1, 3)], [(0, 0), (0, 7), (1, 3)])

    Raises:
        InputError: it is something else.
    """
    words = text.split(":")
    try:
        group = [(at, int(track)) for at, word in enumerate(words) for track in word.split("+") if word.strip()]
    except ValueError:
        group = []
    if len(words) != cameras or len({at for at, _ in group}) < 2:
        raise InputError(f"--match takes a track of each of the {cameras} cameras joined by colons, such as "
                         f"{':'.join('0123456789'[:cameras])}, two or more of them, not {text!r}")  # fmt: skip
    return group


def place_columns(found: Reconstruction) -> tuple[str, ...]:
    """Names with units."""
    unit = found.unit
    return ("frame", "time_s" if found.timed else "time_frames", "thing", *(f"{axis}_{unit}" for axis in "xyz"),
            *(f"sigma_{axis}_{unit}" for axis in "xyz"), *(f"sigma_tracks_{axis}_{unit}" for axis in "xyz"),
            *(f"sigma_calibration_{axis}_{unit}" for axis in "xyz"), "residual_px", "cameras")  # fmt: skip


def place_rows(found: Reconstruction) -> list[tuple[Any, ...]]:
    """Rows by thing and frame."""
    return list(zip(found.frame.tolist(), found.time.tolist(), found.thing.tolist(), *found.places.T.tolist(),
                    *found.sigma.T.tolist(), *found.sigma_tracks.T.tolist(), *found.sigma_calibration.T.tolist(),
                    found.residual.tolist(), found.cameras.tolist(), strict=True))  # fmt: skip


def thing_table(found: Reconstruction) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Names with units, and a row a thing."""
    count = len(found.alone)
    columns = ("thing", "frames", "from", "to", *(f"tracks_of_camera_{at + 1}" for at in range(count)), "residual_px",
               *(f"mean_sigma_{axis}_{found.unit}" for axis in "xyz"))  # fmt: skip
    rows = []
    sigma = found.sigma
    for number, group in enumerate(found.groups):
        mine = found.thing == number
        if not mine.any():
            continue
        tracks = (" ".join(str(track) for camera, track in group if camera == at) for at in range(count))
        frames, residual = found.frame[mine], math.sqrt(float((found.residual[mine] ** 2).mean()))
        rows.append((number, len(frames), int(frames.min()), int(frames.max()), *tracks, residual,
                     *sigma[mine].mean(axis=0).tolist()))  # fmt: skip
    return columns, rows


def as_json(found: Reconstruction) -> Mapping[str, Any]:
    """All of it."""
    columns, things = thing_table(found)
    return {
        "unit": found.unit, "things": [dict(zip(columns, row, strict=True)) for row in things],
        "places": dict(zip(place_columns(found), map(list, zip(*place_rows(found), strict=True)), strict=True)),
        "tracks_left_alone": list(found.alone), "rows_seen_by_one_camera": found.lost, "notes": found.notes,
        "chi_square_a_degree_of_freedom": found.chi_square,
    }  # fmt: skip


def report(found: Reconstruction) -> list[str]:
    """What is printed."""
    whole, tracks, common = (", ".join(f"{value:.3g}" for value in np.sqrt((one**2).mean(axis=0)))
                             for one in (found.sigma, found.sigma_tracks, found.sigma_calibration))  # fmt: skip
    parts = f"{tracks} by the tracks' own, {common} by the calibration (alike for places that are near each other)"
    parts = parts if np.isfinite(found.calibration).any() else "by the tracks' own alone"
    lines = [
        f"things   {len(np.unique(found.thing))} in {len(found.frame)} places; tracks that belong to none: "
        + ", ".join(f"{count} of camera {at + 1}" for at, count in enumerate(found.alone)),
        f"sigma    {whole} {found.unit} along x, y, z: {parts}",
        f"residual {math.sqrt(float((found.residual**2).mean())):.3g} px between what was seen and what is projected",
    ]  # fmt: skip
    if found.lost:
        lines.append(f"left out {found.lost} moments of these things that one camera alone saw")
    return lines


def _write(path: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    # NaN is the only value that differs from itself; it becomes an empty cell.
    writer.writerows(["" if value != value else value for value in row] for row in rows)
    write_bytes(path, text.getvalue().encode())
