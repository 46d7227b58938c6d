"""Tables of tracks and of truth, written at once and read back; `app.exports.track_writer` writes while they come.

Names, units and digits of the columns are those of `app.exports.columns`.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from app.exports.columns import (
    AXES,
    COLUMNS,
    KEY_MARK,
    META_KEY,
    WORDS,
    codes_of,
    columns_of,
    file_meta,
    ordered,
    schema_of,
    to_arrow,
)
from app.files.atomic import replacing
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks
from pipelines.measures import FIELDS, fields_of, in_order, measured_dtype
from pipelines.truth import TRUTH_DTYPE

Array = npt.NDArray[Any]
Names = Mapping[str, tuple[str, ...]]

TRACK_NAMES: Names = {column.field: (column.name, column.field) for column in COLUMNS} | {
    "frame": ("frame", "frames", "frame_index", "frame_number", "frame_no", "position_t_frame"),
    "time": ("time_s", "time", "seconds", "position_t"),
    "track": ("track", "track_id", "particle", "particle_id", "id", "label", "object", "tid"),
    "x": ("x_px", "x", "x_pixel", "position_x", "pos_x", "cx"),
    "y": ("y_px", "y", "y_pixel", "position_y", "pos_y", "cy"),
} | {column.field: (column.name,) for column in columns_of(FIELDS)[len(COLUMNS) :]}
"""Accepted spellings of each field, lower case with underscores, best first."""
TRUTH_NAMES: Names = {name: TRACK_NAMES[name] for name in ("frame", "time", "track", "x", "y")} | {
    "visible": ("visible", "seen")
}


def write_tracks_parquet(path: str | os.PathLike[str], tracks: Tracks, meta: Mapping[str, object]) -> None:
    """Write all rows as Parquet, by frame and track; the numbers read back exactly.

    Args:
        path: an existing file is replaced once the new one is whole.
        tracks: rows of TRACK_DTYPE, with or without measures.
        meta: JSON-able: source, time_base, pipeline_hash, versions ...; read it back with `read_meta`.

    Raises:
        InputError: the file cannot be written.
    """
    with (
        replacing(path) as temporary,
        pyarrow.parquet.ParquetWriter(temporary, schema_of(fields_of(tracks)), compression="zstd") as writer,
    ):
        writer.write_table(to_arrow(ordered(tracks)))
        writer.add_key_value_metadata(file_meta(meta, fields_of(tracks)))


def as_columns(tracks: Tracks) -> dict[str, Array]:
    """The rows as columns with the names of the files (`x_px`, `time_s` ...); state and reason as words.

    Args:
        tracks: rows of TRACK_DTYPE, with or without measures, in their order.
    """
    words = {name: np.array(of) for name, of in WORDS.items()}
    return {c.name: words[c.field][tracks[c.field]] if c.field in words else c.of(tracks).copy()
            for c in columns_of(fields_of(tracks))}  # fmt: skip


def read_meta(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The metadata of a Parquet file of tracks: what was given as `meta`, coordinates, units; {} for others."""
    try:
        found = pyarrow.parquet.read_metadata(path).metadata or {}
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(Path(path), error) from None
    meta = json.loads(found.get(META_KEY, b"{}"))
    return meta if isinstance(meta, dict) else {}


def read_tracks(path: str | os.PathLike[str]) -> Tracks:
    """Read a table of tracks, our own or a foreign one.

    Args:
        path: CSV (comma, semicolon or tab, with the latter two also decimal commas) or Parquet, recognised by its
            content. Needed are columns for frame (or t), track (particle, id ...), x and y; see TRACK_NAMES. A lone `t`
            is the frame when it is whole.

    Returns:
        Rows of TRACK_DTYPE by frame and track, with the measures that the table has under our names. What a foreign
        file does not tell: time, velocity, sigma and score are NaN, the state is TRACKED.

    Raises:
        InputError: missing, unreadable, without a needed column, a value that is no number, a negative sigma, or a
            track twice in one frame.
    """
    return _tracks_of(Path(path), load_table(Path(path)))


def tracks_of(columns: Mapping[str, Any], name: str) -> Tracks:
    """As `read_tracks`, of columns in memory.

    Args:
        columns: arrays of one length, by the names that a file's columns have.
        name: what an error calls them.
    """
    try:
        table = pa.table({word: pa.array(np.asarray(values)) for word, values in columns.items()})
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise InputError(f"{name} cannot be read as a table: {' '.join(str(error).split())[:160]}") from None
    return _tracks_of(Path(name), table)


def _tracks_of(path: Path, table: Any) -> Tracks:
    columns = _match(path, table, TRACK_NAMES)
    measures = in_order({*FIELDS} & {*columns})
    rows = np.zeros(table.num_rows, measured_dtype(measures))
    _check_deviations(path, columns)
    with np.errstate(over="ignore"):  # what is beyond single precision is infinite
        for name in ("vx", "vy", "sigma", "score", *measures):
            rows[name] = numbers_of(path, columns[name]) if name in columns else np.nan
        # Without a column sigma it follows from those of x and y: the root of their mean square.
        if set(AXES) <= set(columns):
            x, y = (numbers_of(path, columns[name]) ** 2 for name in AXES)
            if "sigma" not in columns:
                rows["sigma"] = np.sqrt(0.5 * (x + y))
    if set(AXES) <= set(columns):
        # Anisotropy is half the difference of the variances by their mean.
        positive = (x + y > 0) & (x + y < np.inf)
        rows["anisotropy"][positive] = (x[positive] - y[positive]) / (x[positive] + y[positive])
    if "correlation" in columns:
        alike = numbers_of(path, columns["correlation"])
        if (np.abs(alike) > 1).any():
            row = int(np.flatnonzero(np.abs(alike) > 1)[0])
            raise InputError(f"{path} has correlation = {alike[row]:g} in row {row + 1}; it lies between -1 and 1")
        rows["correlation"] = np.where(np.isfinite(alike), alike, 0.0)
    rows["state"], rows["reason"] = State.TRACKED, Reason.NONE
    for name in ("state", "reason"):
        if name in columns:
            rows[name] = codes_of(name, _words(path, columns[name]), str(path))
    return _fill(path, rows, columns)


def seen_in_frames(path: str | os.PathLike[str]) -> tuple[Array, Array]:
    """Of a Parquet table that a run wrote: its frames, rising, and how many tracks were seen in each."""
    with pyarrow.parquet.ParquetFile(path) as whole:
        table = whole.read(["frame", "state"])
    codes = codes_of("state", _words(Path(path), table.column("state")), str(path))
    frames, at = np.unique(table.column("frame").to_numpy(), return_inverse=True)
    return frames, np.bincount(at, codes <= int(State.TRACKED), len(frames)).astype(np.int64)


def sightings(path: str | os.PathLike[str]) -> tuple[Array, Array]:
    """Of a Parquet table that a run wrote: frames and tracks of the rows in which a thing is seen, by rising frame."""
    with pyarrow.parquet.ParquetFile(path) as whole:
        table = whole.read(["frame", "track", "state"])
    seen = codes_of("state", _words(Path(path), table.column("state")), str(path)) <= int(State.TRACKED)
    frames, tracks = (table.column(name).to_numpy()[seen] for name in ("frame", "track"))
    order = np.argsort(frames, kind="stable")
    return frames[order], tracks[order]


def rows_of_frame(path: str | os.PathLike[str], frame: int) -> Tracks:
    """Of a Parquet table that a run wrote, the rows of one frame: frame, track, x, y and state; all else is 0.

    Only the groups of rows that may hold the frame are read.
    """
    parts = []
    with pyarrow.parquet.ParquetFile(path) as whole:
        for group in range(whole.num_row_groups):
            # Row groups know the least and the greatest frame in them.
            span = whole.metadata.row_group(group).column(0).statistics
            if span is None or not span.has_min_max or span.min <= frame <= span.max:
                table = whole.read_row_group(group, ["frame", "track", "x_px", "y_px", "state"])
                columns = {name: table.column(name) for name in table.column_names}
                frames = columns["frame"].to_numpy()
                rows = np.zeros(table.num_rows, TRACK_DTYPE)
                rows["frame"], rows["track"] = frames, columns["track"].to_numpy()
                rows["x"], rows["y"] = columns["x_px"].to_numpy(), columns["y_px"].to_numpy()
                rows["state"] = codes_of("state", _words(Path(path), columns["state"]), str(path))
                parts.append(rows[frames == frame])
    return np.concatenate(parts) if parts else np.zeros(0, TRACK_DTYPE)


def _check_deviations(path: Path, columns: Mapping[str, Any]) -> None:
    """See that no sigma is negative: squared it would be as good as any. 0 is that of a followed point's first row."""
    for name in ("sigma", *AXES):
        values = numbers_of(path, columns[name]) if name in columns else np.zeros(0)
        if (values < 0).any():
            row = int(np.flatnonzero(values < 0)[0])
            raise InputError(f"{path} has {TRACK_NAMES[name][0]} = {values[row]:g} in row {row + 1}; a standard "
                             "uncertainty is 0 or more, or empty if unknown")  # fmt: skip


def read_truth(path: str | os.PathLike[str]) -> Array:
    """Read a table of truth: columns frame, time_s, track, x_px, y_px, visible (0 or 1; without it all are visible).

    Returns:
        Rows of TRUTH_DTYPE by frame and track.

    Raises:
        InputError: as in `read_tracks`.
    """
    path = Path(path)
    table = load_table(path)
    columns = _match(path, table, TRUTH_NAMES)
    rows = np.zeros(table.num_rows, TRUTH_DTYPE)
    rows["visible"] = numbers_of(path, columns["visible"]) != 0 if "visible" in columns else True
    return _fill(path, rows, columns)


def _fill(path: Path, rows: Array, columns: Mapping[str, Any]) -> Array:
    rows["frame"] = _whole(path, columns["frame"], np.iinfo(np.int64))
    rows["track"] = _whole(path, columns["track"], np.iinfo(np.int32))
    rows["time"] = numbers_of(path, columns["time"]) if "time" in columns else np.nan
    for name in ("x", "y"):
        rows[name] = numbers_of(path, columns[name])
    rows = ordered(rows)
    twice = np.flatnonzero((np.diff(rows["frame"]) == 0) & (np.diff(rows["track"]) == 0))
    if len(twice):
        row = rows[twice[0]]
        raise InputError(f"{path} has track {row['track']} twice in frame {row['frame']}; remove one of the rows")
    return rows


def load_table(path: Path) -> Any:
    """A CSV or Parquet file as pyarrow's table.

    Raises:
        InputError: missing, empty, or no table.
    """
    try:
        with path.open("rb") as file:
            head = file.read(65536)
        if not head:
            raise InputError(f"{path} is empty (0 bytes)")
        if head[:4] == b"PAR1":
            with pyarrow.parquet.ParquetFile(path) as whole:  # `read_table` loads what reads sets of files
                return whole.read()
        if b"\0" in head:
            raise InputError(f"{path} is neither CSV nor Parquet; give the table that a run wrote (tracks.csv)")
        names, delimiter, skipped = _names_in(head)
        # Spreadsheets put semicolons or tabs where a comma is the decimal point.
        # A comma between digits, and nowhere a point: decimal commas.
        commas = delimiter != "," and re.search(rb"\d,\d", head) and not re.search(rb"\d\.\d", head)
        return pyarrow.csv.read_csv(
            path,
            pyarrow.csv.ReadOptions(skip_rows=skipped),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter),
            convert_options=pyarrow.csv.ConvertOptions(
                # Words stay words; a digit-less column of numbers is no reason to guess dates.
                column_types={name: pa.string() for name in names if plain_name(name) in ("state", "reason")},
                strings_can_be_null=False,
                decimal_point="," if commas else ".",
            ),
        )
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from None


def column_names(path: Path) -> list[str]:
    """The names in the first row of a CSV file, or in the head of a Parquet file; nothing else is read of it.

    Raises:
        InputError: missing, empty, or no table.
    """
    try:
        with path.open("rb") as file:
            head = file.read(65536)
        if head[:4] == b"PAR1":
            with pyarrow.parquet.ParquetFile(path) as whole:
                return list(whole.schema_arrow.names)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from None
    if not head.strip() or b"\0" in head:
        raise InputError(f"{path} is {'neither CSV nor Parquet' if head else 'empty (0 bytes)'}")
    return _names_in(head)[0]


def _names_in(head: bytes) -> tuple[list[str], str, int]:
    """The columns that the beginning of a CSV file names, what is between them, and how many lines of a key
    (`app.exports.columns.key_lines`) come before."""
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines() or [b""]
    mark = f"{KEY_MARK} ".encode()
    skipped = next((k for k, line in enumerate(lines) if not line.startswith(mark)), 0)
    line = lines[skipped]
    # The mark that is most frequent in the line of names.
    delimiter = max(",;\t", key=lambda mark: line.count(mark.encode()))
    return next(csv.reader([line.decode("utf-8", "replace")], delimiter=delimiter), []), delimiter, skipped


def _unreadable(path: Path, error: BaseException) -> InputError:
    reason = " ".join(str(getattr(error, "strerror", None) or error).split())[:160]
    return InputError(f"{path} cannot be read as a table: {reason}")


def plain_name(name: str) -> str:
    """A column's name in lower case with underscores: "Time (s)" is time_s."""
    return "_".join(name.strip().lower().replace("(", " ").replace(")", " ").replace("-", " ").split())


def _match(path: Path, table: Any, names: Names) -> dict[str, Any]:
    """The table's column for each field that it has.

    Raises:
        InputError: frame, track, x or y is missing.
    """
    have: dict[str, Any] = {}
    try:
        names_here = table.column_names
    except UnicodeDecodeError:
        raise InputError(f"{path} has a column whose name is not UTF-8 text; save the table as UTF-8") from None
    # Of names that are alike but for case and marks the first column counts.
    for place, name in enumerate(names_here):
        have.setdefault(plain_name(name), table.column(place))
    found = {
        field: have[next(n for n in spelt if n in have)] for field, spelt in names.items() if set(spelt) & set(have)
    }
    if "t" in have:
        # `t` is the time beside a frame column; alone and whole it is the frame.
        field = "time" if "frame" in found else "frame"
        found.setdefault(field, have["t"])
    missing = [field for field in ("frame", "track", "x", "y") if field not in found]
    if missing:
        columns = ", ".join(names_here[:20]) or "none"
        raise InputError(f"{path} has no column for {' and '.join(missing)}; its columns are {columns}")
    return found


def numbers_of(path: Path, column: Any) -> npt.NDArray[np.float64]:
    """A column as float64; empty fields are NaN."""
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    # Here, as in `_words`: pyarrow's way first makes a Python function of each that it can compute.
    if pa.types.is_integer(column.type) and not column.null_count:
        # Whole numbers beyond 2^53 have no f64 of their own: those go the careful way below.
        numbers = _plain(column, np.dtype(str(column.type)))
        if not len(numbers) or (int(numbers.min()) >= -(2**53) and int(numbers.max()) <= 2**53):
            return numbers.astype(np.float64)
    if column.type == pa.float32():
        return _plain(column, np.dtype(np.float32)).astype(np.float64)
    try:
        return _plain(column if column.type == pa.float64() else column.cast(pa.float64()), np.dtype(np.float64))
    except pa.ArrowException as error:
        raise InputError(f"{path} holds a value that is not a number: {' '.join(str(error).split())[:120]}") from None


# pyarrow's own ways, `to_numpy` and `fill_null`, import pandas first where that is installed.
def _plain(column: Any, dtype: np.dtype[Any]) -> Array:
    """The numbers of a column of that type; NaN where a float is unknown, other types know all."""
    parts = [np.zeros(0, dtype)]
    for chunk in filter(len, getattr(column, "chunks", [column])):
        known, data = chunk.buffers()
        # Chunks may be slices of longer buffers.
        part = np.frombuffer(data, dtype, len(chunk), dtype.itemsize * chunk.offset)
        if chunk.null_count:
            # Arrow keeps a bit a value that says whether it is known, the lowest first.
            bits = np.unpackbits(np.frombuffer(known, np.uint8), bitorder="little")
            part = np.where(bits[chunk.offset :][: len(chunk)] != 0, part, np.nan)
        parts.append(part)
    return np.concatenate(parts)


def _whole(path: Path, column: Any, limits: Any) -> npt.NDArray[np.int64]:
    if pa.types.is_integer(column.type) and not column.null_count:
        numbers = _plain(column, np.dtype(str(column.type)))
        good = (numbers >= limits.min) & (numbers <= limits.max)
    else:
        numbers = numbers_of(path, column)
        # 2**53: beyond it float64 no longer tells whole numbers apart.
        good = (np.abs(numbers) < min(limits.max, 2**53)) & (numbers == np.floor(numbers))
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        raise InputError(f"{path} needs whole numbers as frame and track, but row {row + 1} has {numbers[row]}")
    return numbers.astype(np.int64)


def _words(path: Path, column: Any) -> Array:
    if pa.types.is_dictionary(column.type) and pa.types.is_string(column.type.value_type):
        return np.concatenate([np.zeros(0, np.str_), *map(_decoded, getattr(column, "chunks", [column]))])
    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.string())
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        raise InputError(f"{path} must hold words as state and reason, such as tracked and none")
    return np.asarray([word or "" for word in column.to_pylist()], dtype=str)


def _decoded(chunk: Any) -> Array:
    """The words of a part of a column that has them in a dictionary; "" for what is unknown."""
    words: Array = np.array([*(word or "" for word in chunk.dictionary.to_pylist()), ""], np.str_)
    places = _plain(chunk.indices, np.dtype(str(chunk.indices.type)))
    # A code that is unknown points to the word behind all others, "".
    if chunk.null_count:
        places = np.nan_to_num(places, nan=len(words) - 1).astype(np.int64)
    return np.asarray(words[places])
