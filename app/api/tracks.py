"""`fusetrack.Tracks`: what was followed, as columns of arrays."""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.exports.columns import WORDS, Column, columns_of, ordered
from app.exports.formats.catalogue import TrackFormat, format_of
from app.exports.scale import Units, parse_scale
from app.exports.table import TrackTable, physical
from app.exports.tables import read_meta, tracks_of
from app.given_tracks import given_tracks
from app.keypoints import Keypoints, keypoints_of
from app.path_kinds import run_facts
from app.run_windows import subset_of
from kernels.errors import ArgumentTypeError, InputError, NameOfNothing
from pipelines.features import TRACK_DTYPE, State
from pipelines.measures import FIELDS, fields_of

from .figures import axes_for, plot_tracks
from .wording import for_python, worded

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

Array = npt.NDArray[Any]


class Tracks:
    """Followed features: a row per feature and frame, sorted by frame and track.

    Columns, each an array of one value a row, as in `tracks["x"]`:

    ============== ========= ==================================================================
    frame                    number of the frame in the clip, from 0
    time           s         time of the frame; counts frames if the rate is unknown
    track                    number of the track, never used again
    x, y           px        position, to the right and down; centres of pixels are whole numbers
    vx, vy         px/s      velocity (px/frame if the rate is unknown)
    sigma          px        standard uncertainty: root mean square of those of x and y
    sigma_x, _y    px        standard uncertainty of x, of y
    correlation    1         of the errors of x and of y, -1 to 1
    score          1         how well it was seen, 0 to 1
    state                    "tracked"; "tentative" (not believed yet), "predicted" (a guess), "lost"
    reason                   why it was not seen by itself, or why the track ended
    area           px^2      and sigma_area, diameter, sigma_diameter, major, minor, sigma_major, sigma_minor (px),
                             orientation, sigma_orientation (deg), mass, peak, of blobs and bodies; rotation (deg) and
                             scale of windows; NaN where nothing was measured
    ============== ========= ==================================================================

    The names of files ("x_px", "time_s") are known, too. Use the rows whose state is "tracked": `tracks.tracked`.

    `len(tracks)` counts rows, iteration goes through those of `rows`; `tracks[5]` is one of them, `tracks[10:20]` and
    `tracks[tracks["score"] > 0.9]` are Tracks; `tracks.by_track()` gives each track by its number.

    Args:
        rows: what is to be looked at: another Tracks, an array with these fields, a pandas DataFrame or a dictionary
            of columns (also of other programs: frame, particle, x, y are known), a run's folder, or a table (CSV,
            Parquet).

    Attributes:
        rows: the rows as one structured array, states and reasons as numbers.
        fps: capture rate of the clip, frames a second; NaN if unknown.
        size: (width, height) of its pictures in px, None if unknown.
        name: of the clip.
        pipeline: name of the pipeline, "" if unknown.
        exposure: seconds of one frame, None if unknown.
        notes: sentences that are worth reading.
        taps: outputs of the pipeline that were asked for, by name (see `fusetrack.track`).
        tables: what else trackers tell, by name: structured arrays.
        found: what is in the place of "auto", by "node.param".
        subset: side of the windows with which points were followed, px; None where it is not known, or none were.
    """

    rows: Array
    fps: float
    size: tuple[int, int] | None
    name: str
    pipeline: str
    exposure: float | None
    notes: tuple[str, ...]
    taps: Mapping[str, Any]
    tables: Mapping[str, Array]
    found: Mapping[str, Any]
    subset: float | None

    def __init__(
        self, rows: Any, *, fps: float | None = None, size: tuple[int, int] | None = None, name: str = "",
        pipeline: str = "", exposure: float | None = None, timed: bool | None = None, notes: Sequence[str] = (),
        taps: Mapping[str, Any] | None = None, tables: Mapping[str, Array] | None = None,
        found: Mapping[str, Any] | None = None, folder: Path | None = None, subset: float | None = None,
    ) -> None:  # fmt: skip
        with worded():
            made = _rows_of(rows)
        self.rows = made.rows
        self.fps = made.fps if fps is None else float(fps)
        self.size, self.name = size or made.size, name or made.name
        self.pipeline, self.exposure = pipeline or made.pipeline, made.exposure if exposure is None else exposure
        self.timed = made.timed if timed is None else timed
        self.folder = made.folder if folder is None else folder
        self.notes, self.taps, self.tables = tuple(notes) or made.notes, taps or made.taps, tables or made.tables
        self.found = found or made.found
        self.subset = made.subset if subset is None else subset

    def _part(self, rows: Array) -> Tracks:
        """Some of the rows, of the same clip."""
        return Tracks(rows, fps=self.fps, size=self.size, name=self.name, pipeline=self.pipeline, timed=self.timed,
                      exposure=self.exposure, tables=self.tables, found=self.found, folder=self.folder,
                      subset=self.subset)  # fmt: skip

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.field for column in self._columns)

    @property
    def _columns(self) -> tuple[Column, ...]:
        return columns_of(fields_of(self.rows))

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns that have one: "px", "s", "px/s" (where times count frames "frame", "px/frame")."""
        known = Units("px", "s" if self.timed else "frame")
        return {column.field: known.of(column.field) for column in self._columns if column.unit}

    @property
    def ids(self) -> Array:
        """The numbers of the tracks, rising, (tracks,) i4."""
        return np.unique(self.rows["track"])

    @property
    def tracked(self) -> Tracks:
        """The rows in which something was seen and believed (state "tracked"): those to count with."""
        return self._part(self.rows[self.rows["state"] == State.TRACKED])

    @property
    def shape(self) -> tuple[int]:
        """(rows,)."""
        return (len(self.rows),)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of `rows`."""
        return self.rows.dtype

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[np.void]:
        return iter(self.rows)

    def __contains__(self, name: object) -> bool:
        return any(name in (column.field, column.name) for column in self._columns)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What there is not: columns are asked for otherwise."""
            if "rows" in self.__dict__ and name in self.columns:
                raise AttributeError(f'a column is tracks["{name}"], not tracks.{name}')
            raise AttributeError(f"Tracks have no attribute {name!r}")

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._column(key)
        if isinstance(key, list) and key and all(isinstance(one, str) for one in key):
            return {name: self._column(name) for name in key}
        if isinstance(key, int | np.integer):
            return self.rows[key]
        if isinstance(key, tuple | float | dict):
            raise ArgumentTypeError(f"rows are chosen by a slice, a mask or numbers, columns by a name, not by {key!r}")
        return self._part(self.rows[np.asarray(key) if isinstance(key, list) or hasattr(key, "__array__") else key])

    def _column(self, name: str) -> Array:
        column = next((one for one in self._columns if name in (one.field, one.name)), None)
        if column is None and name in (self.rows.dtype.names or ()):
            return np.ascontiguousarray(self.rows[name])
        if column is None:
            if any(name in (one.field, one.name) for one in columns_of(FIELDS)):
                raise NameOfNothing(f"{name!r} was not measured by this pipeline; there are {', '.join(self.columns)}")
            known = [*self.columns, *(one.name for one in self._columns)]
            near = get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.columns)}"
            raise NameOfNothing(f"tracks have no column {name!r}; {hint}")
        return _values(column, self.rows)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        del copy
        return self.rows if dtype is None else self.rows.astype(dtype)

    def to_numpy(self) -> Array:
        """The rows as one structured array (`rows`), a copy."""
        return self.rows.copy()

    def to_dict(self) -> dict[str, Array]:
        """The columns by the names of files ("x_px", "time_s" ...), state and reason as words."""
        return {column.name: _values(column, self.rows) for column in self._columns}

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with a row a row and the columns of tracks.csv ("frame", "time_s", "track", "x_px" ...); state
        and reason are categories. Equal to `pandas.read_parquet` of the table that `fusetrack run` writes.

        Raises:
            InputError: pandas is not installed.
        """
        frame = needed("pandas")
        data: dict[str, Any] = {}
        for column in self._columns:
            words = WORDS.get(column.field)
            data[column.name] = _values(column, self.rows) if words is None else frame.Categorical.from_codes(
                column.of(self.rows).astype(np.int8), list(words))  # fmt: skip
        return frame.DataFrame(data)

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with the dimensions frame and track: variables x, y, vx, vy, sigma, sigma_x, sigma_y, correlation
        and score (NaN where a track has no row), state and reason (words, "" there), the coordinate time (s), and units
        as attributes. Frames without a row between the first and the last are there, too.

        Raises:
            InputError: xarray is not installed, or the table would have no room in memory.
        """
        made = needed("xarray")
        rows, ids = self.rows, self.ids
        first = int(rows["frame"].min()) if len(rows) else 0
        count = int(rows["frame"].max()) - first + 1 if len(rows) else 0
        if count * len(ids) > 50_000_000:
            raise InputError(f"{count} frames of {len(ids)} tracks are too many for a table; take some tracks first")
        # One assignment scatters a column into the table: (frame, track) of each row.
        at = rows["frame"] - first, np.searchsorted(ids, rows["track"])
        units, variables = self.units, {}
        for column in self._columns:
            if column.field in ("frame", "time", "track"):
                continue
            values = _values(column, rows)
            whole = np.full((count, len(ids)), "" if column.field in WORDS else np.nan,
                            values.dtype if column.field in WORDS else np.float64)  # fmt: skip
            whole[at] = values
            about = {"description": column.doc} | ({"units": units[column.field]} if column.field in units else {})
            variables[column.field] = (("frame", "track"), whole, about)
        frames = np.arange(first, first + count)
        known, where = np.unique(rows["frame"], return_index=True)
        # Frames without a row lie between those with one.
        times = np.interp(frames, known, rows["time"][where]) if len(known) else np.zeros(0)
        whence: dict[str, Any] = {"clip": self.name, "pipeline": self.pipeline}
        whence |= {"fps": self.fps} if self.fps > 0 else {}
        time = ("frame", times, {"units": units["time"]})
        return made.Dataset(variables, {"frame": frames, "track": ids, "time": time}, whence)

    def by_track(self) -> dict[int, Tracks]:
        """Each track by its number, rising: its rows by frame."""
        # Sorted by track, then frame: each track is a piece.
        rows = self.rows[np.lexsort((self.rows["frame"], self.rows["track"]))]
        ids, starts = np.unique(rows["track"], return_index=True)
        return dict(zip(ids.tolist(), map(self._part, np.split(rows, starts[1:])) if len(ids) else (), strict=True))

    def by_frame(self) -> dict[int, Tracks]:
        """The rows of each frame that has some, by its number, rising."""
        frames, starts = np.unique(self.rows["frame"], return_index=True)
        parts = np.split(self.rows, starts[1:]) if len(frames) else ()
        return dict(zip(frames.tolist(), map(self._part, parts), strict=True))

    @for_python
    def save(self, path: str | os.PathLike[str], *, scale: str | None = None, y_up: bool = False,
             start: datetime | None = None) -> Path:  # fmt: skip
        """Write the tracks in a format of other programs, by the file's ending: .csv, .parquet, .h5, .mat, .nwb, .c3d,
        .trc, .xml (TrackMate) and more (`fusetrack export --list`). An existing file is replaced.

        Args:
            path: the file.
            scale: how long a pixel is, such as "0.12 mm/px"; columns are then named and counted in mm.
            y_up: y points up, from the lowest row of pixels.
            start: when the recording began, which .nwb has to know.

        Returns:
            The file.

        Raises:
            InputError: no such format, a package that it needs is missing, or the file cannot be written.
        """
        target = Path(os.path.expanduser(path))
        one = format_of(target)
        if not isinstance(one, TrackFormat):
            raise InputError(f"{target} is named as a file of frames ({one.name}); tracks are written as .csv, "
                             ".parquet, .h5, .mat ...")  # fmt: skip
        found = None if scale is None else parse_scale(scale)
        rows = physical(self.rows, found, fps=self.fps, was=self.fps, up=y_up, size=self.size)
        units = Units(found.unit if found else "px", "s" if self.timed else "frame")
        table = TrackTable(rows, units, self.fps, self.name or target.stem, self.size, found, y_up,
                           start=start, start_note="the user" if start else "", keypoints=self.keypoints,
                           names=self.keypoints.track_names())  # fmt: skip
        if one.check is not None:
            one.check(table)
        one.write(table, target)
        return target

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw where the tracks went: a line a track, y down, broken where nothing was seen.

        Args:
            ax: matplotlib's axes to draw on; None for new ones (those of pyplot where it is loaded, as in a notebook).

        Returns:
            The axes; `tracks.plot().figure.savefig("paths.png")` writes them.
        """
        return plot_tracks(self.rows, self.size, axes_for(ax), self.name)

    @property
    def keypoints(self) -> Keypoints:
        """Which point of which animal each track is, where a network of key points was followed."""
        return keypoints_of(self.tables)

    def __repr__(self) -> str:
        n, ids = len(self.rows), len(self.ids)
        of = f" of {self.name!r}" if self.name else ""
        through = f" through {self.pipeline!r}" if self.pipeline else ""
        span = f" in frames {self.rows['frame'].min()} to {self.rows['frame'].max()}" if n else ""
        rate = f" at {self.fps:.6g} fps" if self.fps > 0 else ""
        notes = "".join(f"\n  note: {note}" for note in self.notes)
        return f"<Tracks: {n} row{'s' * (n != 1)}, {ids} track{'s' * (ids != 1)}{span}{of}{through}{rate}{notes}>"


class _Table:
    """A table's rows, and what is known besides."""

    def __init__(self, rows: Array) -> None:
        self.rows = rows
        self.fps, self.timed = math.nan, True
        self.size: tuple[int, int] | None = None
        self.name = self.pipeline = ""
        self.exposure: float | None = None
        self.folder: Path | None = None
        self.notes: tuple[str, ...] = ()
        self.taps: Mapping[str, Any] = {}
        self.tables: Mapping[str, Array] = {}
        self.found: Mapping[str, Any] = {}
        self.subset: float | None = None


def _rows_of(given: Any) -> Any:
    if isinstance(given, Tracks):
        return given
    if isinstance(given, str | os.PathLike):
        return _from_file(given)
    if isinstance(given, np.ndarray) and {*(TRACK_DTYPE.names or ())} <= {*(given.dtype.names or ())}:
        return _Table(ordered(given))
    if isinstance(given, np.ndarray) and given.dtype.names:
        given = {name: given[name] for name in given.dtype.names}
    if hasattr(given, "to_dict") and hasattr(given, "columns"):  # a DataFrame
        given = {str(name): given[name].to_numpy() for name in given.columns}
    if not isinstance(given, Mapping):
        raise ArgumentTypeError("tracks are a run's folder, a table (CSV, Parquet), a DataFrame, an array with the "
                                f"fields frame, track, x, y, or Tracks, not {type(given).__name__}")  # fmt: skip
    table = _Table(tracks_of(given, "the table"))
    table.timed = bool(np.isfinite(table.rows["time"]).all()) if len(table.rows) else True
    return table


def _from_file(path: str | os.PathLike[str]) -> _Table:
    given = given_tracks(os.fspath(path))
    table = _Table(given.rows)
    table.folder, table.timed, table.exposure = given.home, given.times.timed, given.times.exposure
    table.subset = subset_of(given.home)
    facts: Mapping[str, Any] = run_facts(given.home) or _facts_in(given.source)
    try:
        source = facts["source"]
        rate = source["time_base"]["fps"]
        table.fps = math.nan if rate is None else float(rate)
        table.name, table.size = str(source["name"]), (int(source["width_px"]), int(source["height_px"]))
        table.pipeline, table.notes = str(facts["pipeline"]["name"]), tuple(map(str, facts.get("hints", ())))
    except (KeyError, TypeError, ValueError):  # a foreign table
        table.name = table.name or given.title
    return table


def _facts_in(table: Path) -> Mapping[str, Any]:
    """What a Parquet file says of its clip; {} for others."""
    try:
        return read_meta(table)
    except InputError:
        return {}


def _values(column: Column, rows: Array) -> Array:
    """A column's values; codes as their words."""
    values = column.of(rows)
    return np.array(WORDS[column.field])[values] if column.field in WORDS else values.copy()


def needed(package: str) -> Any:
    """A module that only some functions need.

    Raises:
        InputError: it is not installed.
    """
    try:
        return importlib.import_module(package)
    except ImportError:
        raise InputError(f"this needs the package {package}, which is not installed; pip install {package}") from None
