"""A table of tracks on its way into a file: rows in the wanted units, and all that a format may want to say of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.axes import Axes
from app.exports.columns import AXES, COLUMNS, COORDINATES, Column, columns_of, ordered
from app.exports.scale import AREAS, LENGTHS, Scale, Units
from app.keypoints import Keypoints
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks
from pipelines.measures import BY_FIELD, fields_of

MOST_CELLS = 50_000_000
"""Cells of a table with a column a track (400 MB a quantity) beyond which it is refused."""


@dataclass(frozen=True)
class TrackTable:
    """What a format writes.

    Args:
        rows: TRACK_DTYPE by frame and track, with the measures that they carry, in `units`.
        units: of the rows.
        fps: the capture rate, NaN if unknown.
        name: of the clip.
        size: width and height of the picture in px, None if unknown.
        scale: by which px became lengths, None if they did not.
        up: y points up, from the lowest row of pixels.
        guesses: whether tables with a column a track hold places where nothing was seen (predictions), too.
        clip: the file with the pictures, None if there is none.
        clip_times: seconds of each of its frames, None if unknown.
        start: when the recording began.
        start_note: where `start` comes from.
        meta: source, pipeline, versions; JSON-able.
        about: what the user says about subject and session (--meta), text by name.
        axes: of the user's own, None for the picture's.
        names: what the user calls tracks, by their number.
        keypoints: which of them are points of a skeleton.
        key: whether a CSV begins with lines that say what its columns are.
        events: which tracks merge and split, rows of RELATION_DTYPE by frame, in `units`.
    """

    rows: Tracks
    units: Units = field(default_factory=Units)
    fps: float = math.nan
    name: str = ""
    size: tuple[int, int] | None = None
    scale: Scale | None = None
    up: bool = False
    guesses: bool = False
    clip: Path | None = None
    clip_times: npt.NDArray[np.float64] | None = None
    start: datetime | None = None
    start_note: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    axes: Axes | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    keypoints: Keypoints = field(default_factory=Keypoints)
    key: bool = False
    events: npt.NDArray[Any] | None = None

    def labels(self, tracks: Iterable[int]) -> list[str]:
        """What tracks are called in a file: their names as far as there are some, each once and without marks."""
        found: list[str] = []
        for track in tracks:
            name = re.sub(r"[^\w.-]+", "_", self.names.get(track, "")).strip("_") or f"track_{track}"
            found.append(f"{name}_{track}" if name in found else name)
        return found

    def row_names(self, tracks: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.object_]:
        """What the user calls each of these tracks, "" where it has no name; as it was written, on one line."""
        known, at = np.unique(tracks, return_inverse=True)
        words = [" ".join(self.names.get(track, "").split()) for track in known.tolist()]
        found: npt.NDArray[np.object_] = np.array(words, object)[at]
        return found

    @property
    def coordinates(self) -> str:
        """Where x and y are counted from, in words."""
        if self.axes is not None:
            return self.axes.words(self.up)
        if not self.up:
            return COORDINATES
        return "x to the right, y up, origin at the centre of the bottom left pixel, pixel centres at integers"

    @property
    def facts(self) -> dict[str, Any]:
        """`meta` with the conventions of this table, for files that hold such."""
        scale = {} if self.scale is None else {"scale": self.scale.text}
        rate = self.fps if self.fps > 0 else None
        about = {"about": dict(self.about)} if self.about else {}
        names = {"names": {str(track): name for track, name in self.names.items()}} if self.names else {}
        return {**self.meta, "clip": self.name, "fps": rate, "coordinates": self.coordinates, **scale, **about, **names}

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its rows."""
        return columns_of(fields_of(self.rows))

    @property
    def sigma(self) -> str:
        """What sigma is in this table, in words."""
        return self.describe(next(column for column in COLUMNS if column.field == "sigma"))

    def describe(self, column: Column) -> str:
        """What a column is in this table; sigma is a bound where the clip's compression rounds motion away."""
        cautions = self.meta.get("source", {}).get("cautions") or ()
        doc = column.doc
        if self.axes is not None:
            doc = doc.replace(", to the right", ", along x of the axes").replace(", down", ", along y of the axes")
        elif self.up:
            doc = doc.replace(", down", ", up")
        return "; ".join((doc, *(map(str, cautions) if column.field in ("sigma", *AXES) else ())))

    def rate(self, what: str) -> float:
        """The capture rate, for a format that cannot do without.

        Raises:
            InputError: it is unknown.
        """
        if not self.fps > 0:
            raise InputError(f"{what} needs times in seconds, and the capture rate is not known; give it with --fps")
        return self.fps

    def each(self) -> list[tuple[int, Tracks]]:
        """The rows of every track, by track; without guesses unless they are wanted."""
        rows = self.rows if self.guesses else self.rows[seen(self.rows)]
        rows = rows[np.lexsort((rows["frame"], rows["track"]))]
        tracks, starts = np.unique(rows["track"], return_index=True)
        # Sorted by track, so each track is a slice.
        return list(zip(tracks.tolist(), np.split(rows, starts[1:]) if len(tracks) else [], strict=True))


@dataclass(frozen=True, slots=True)
class Wide:
    """A table with a row a frame and a column a track; NaN where a track has no place.

    Args:
        frames, times: (T,); no frame between the first and the last is left out.
        tracks: (N,) ids.
        x, y, score: (T, N).
    """

    frames: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]
    tracks: npt.NDArray[np.int64]
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]


def seen(rows: Tracks) -> npt.NDArray[np.bool_]:
    """Which rows hold a place where something was seen."""
    return np.isin(rows["state"], (int(State.TENTATIVE), int(State.TRACKED)))


def wide(table: TrackTable) -> Wide:
    """The table with a column a track.

    Raises:
        InputError: it would not fit into memory.
    """
    rows = table.rows if table.guesses else table.rows[seen(table.rows)]
    if not len(table.rows):
        none = np.zeros((0, 0))
        return Wide(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64), none, none, none)
    known, at = np.unique(table.rows["frame"], return_index=True)
    first, count = int(known[0]), int(known[-1]) - int(known[0]) + 1
    tracks = np.unique(rows["track"]).astype(np.int64)
    # Such a table is mostly empty: said before memory is asked for.
    if count * len(tracks) > MOST_CELLS:
        raise InputError(
            f"a table with a column a track would have {count} rows and {len(tracks)} tracks, too many for the memory; "
            "take fewer with --frames or --min-frames, or write the long table (--to csv, parquet or hdf5)"
        )
    frames = np.arange(first, first + count)
    # Frames in which nothing was followed have no row to tell their time.
    times = np.interp(frames, known, table.rows["time"][at])
    row, column = rows["frame"] - first, np.searchsorted(tracks, rows["track"])
    made = {name: np.full((count, len(tracks)), np.nan) for name in ("x", "y", "score")}
    for name, values in made.items():
        values[row, column] = rows[name]
    return Wide(frames, times, tracks, **made)


def physical(
    rows: Tracks, scale: Scale | None, *, fps: float, was: float, up: bool, size: tuple[int, int] | None
) -> Tracks:
    """Rows in px and s (or frames) in the wanted units, by frame and track.

    Args:
        rows: TRACK_DTYPE, with or without measures; not changed.
        scale: by which px become lengths.
        fps: the capture rate that holds, NaN if unknown.
        was: the rate by which the times were counted, NaN if they count frames.
        up: whether y is to point up.
        size: width and height of the picture.

    Raises:
        InputError: `up` without a size.
    """
    rows = ordered(rows)  # a copy
    # Times that count frames become seconds, and those of another rate are brought to this one.
    if fps > 0 and fps != was:
        faster = fps / was if was > 0 else fps
        rows["time"] /= faster
        rows["vx"] *= faster
        rows["vy"] *= faster
    if up:
        if size is None:
            raise InputError("--y-up needs the height of the picture, which a table does not tell; give a run's folder")
        rows["y"] = size[1] - 1 - rows["y"]
        rows["vy"] = -rows["vy"]
        # With y the correlation of both errors changes its sign; 0 - keeps it from being -0.
        rows["correlation"] = 0.0 - rows["correlation"]
        turned_over(rows)
    if scale is not None:
        measures = fields_of(rows)
        for name in ("x", "y", "vx", "vy", "sigma", *(name for name in LENGTHS if name in measures)):
            rows[name] *= scale.factor
        for name in AREAS:
            if name in measures:
                rows[name] *= scale.factor**2
    return rows


def placed(events: npt.NDArray[Any], rows: Tracks, change: Callable[[Tracks], Tracks]) -> npt.NDArray[Any]:
    """Events of the tracks and frames of some rows, with places and times as `change` makes them of rows; a copy."""
    frames, tracks = np.unique(rows["frame"]), np.unique(rows["track"])
    kept = np.isin(events["frame"], frames) & np.isin(events["track"], tracks)
    events = events[kept]
    made = np.zeros(len(events), TRACK_DTYPE)
    for name in ("time", "x", "y"):
        made[name] = events[name]
    made["frame"] = np.arange(len(events))  # so that they stay in their order
    made = change(made)
    for name in ("time", "x", "y"):
        events[name] = made[name]
    return events


def turned_over(rows: Tracks) -> None:
    """Change the angles of rows whose y points up from now on, in place."""
    for name in fields_of(rows):
        if BY_FIELD[name].flips:
            rows[name] = 0.0 - rows[name]
