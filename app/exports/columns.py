"""The columns of a table of tracks in files: names with units, their order, and how they become CSV and Parquet.

Every table has those of COLUMNS; behind them come the measures that its rows carry (`pipelines.measures`).

Choices: CSV holds times as the shortest text that reads back as the same number, and pixels, pixels per second and
scores with up to 6 decimals (reading back differs by at most 5e-7), measures with the digits that tell them apart in
single precision; unknown values (NaN) are empty fields; state
and reason are lower-case words. Parquet holds everything exactly.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

from app.files.summary import json_text
from kernels.errors import InputError
from pipelines.features import Reason, State, Tracks, sigmas
from pipelines.measures import BY_FIELD, FIELDS, fields_of, in_order

COORDINATES = "x to the right, y down, origin at the centre of the top left pixel, pixel centres at integers"
FORMAT_VERSION = 1
META_KEY = b"fusetrack"
"""Key of the file-level metadata of a Parquet file; its value is JSON."""
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a file: its name there, its field (of TRACK_DTYPE, of AXES, of `pipelines.measures.MEASURES`), its
    Arrow type, unit and meaning."""

    name: str
    field: str
    type: Any
    unit: str
    doc: str

    def of(self, rows: Tracks) -> npt.NDArray[Any]:
        """Its values, contiguous."""
        if self.field in AXES:
            return sigmas(rows)[AXES.index(self.field)].astype(np.float32)
        return np.ascontiguousarray(rows[self.field])


AXES = ("sigma_x", "sigma_y")
"""Fields that follow from sigma and its anisotropy."""
_WORD = pa.dictionary(pa.int8(), pa.string())
COLUMNS = (
    Column("frame", "frame", pa.int64(), "", "index of the frame in the clip, from 0 wherever times count from"),
    Column("time_s", "time", pa.float64(), "s", "time of the frame"),
    Column("track", "track", pa.int32(), "", "id of the track, never reused"),
    Column("x_px", "x", pa.float64(), "px", "position, to the right"),
    Column("y_px", "y", pa.float64(), "px", "position, down"),
    Column("vx_px_per_s", "vx", pa.float64(), "px/s", "velocity, to the right"),
    Column("vy_px_per_s", "vy", pa.float64(), "px/s", "velocity, down"),
    Column("sigma_px", "sigma", pa.float32(), "px", "standard uncertainty: root mean square of those of x and y"),
    Column("sigma_x_px", "sigma_x", pa.float32(), "px", "standard uncertainty of x"),
    Column("sigma_y_px", "sigma_y", pa.float32(), "px", "standard uncertainty of y"),
    Column("correlation", "correlation", pa.float32(), "1", "correlation of the errors of x and of y, -1 to 1"),
    Column("score", "score", pa.float32(), "1", "how well it was seen, 0 to 1"),
    Column(
        "state",
        "state",
        _WORD,
        "",
        "tracked: seen here; tentative: seen, not yet believed; predicted: a guess; lost: the track ended",
    ),
    Column("reason", "reason", _WORD, "", "why it was not seen by itself or why the track ended"),
)
WORDS: Mapping[str, tuple[str, ...]] = {
    "state": tuple(state.name.lower() for state in State),
    "reason": tuple(reason.name.lower() for reason in Reason),
}
"""The words of the two coded columns; a word's place is its code."""
KEY_MARK = "#"
"""What the lines of a key before the header of a CSV file begin with."""


@cache
def columns_of(fields: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """The columns of rows that carry these measures."""
    return (*COLUMNS, *(_measure_column(name) for name in fields))


def _measure_column(field: str) -> Column:
    one = BY_FIELD[field]
    name = f"{field}_{one.unit}" if one.unit not in ("", "1") else field
    return Column(name, field, pa.float64() if one.type == "f8" else pa.float32(), one.unit, one.doc)


@cache
def schema_of(fields: tuple[str, ...] = ()) -> Any:
    """The Arrow schema of their table, with units and meanings as metadata of the fields."""
    return pa.schema([
        pa.field(c.name, c.type, metadata={"description": c.doc} | ({"unit": c.unit} if c.unit else {}))
        for c in columns_of(fields)
    ])  # fmt: skip


SCHEMA = schema_of()
"""The Arrow schema of a table of tracks without measures."""


def csv_header(fields: tuple[str, ...] = (), key: bool = False) -> bytes:
    """The line of names, before it with `key` a line a column that says what it is."""
    columns = columns_of(fields)
    lines = key_lines(told_columns(fields)) if key else []
    return "".join(f"{line}\n" for line in (*lines, ",".join(c.name for c in columns))).encode()


def told_columns(fields: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """Name, unit and meaning of each column of rows that carry these measures."""
    return [(column.name, column.unit, column.doc) for column in columns_of(fields)]


def key_lines(columns: Sequence[tuple[str, str, str]]) -> list[str]:
    """Lines of a comment that say of each column (name, unit, meaning) what it is."""
    return [f"{KEY_MARK} {name}{f' [{unit}]' if unit else ''}: {doc}" for name, unit, doc in columns]


def chosen_measures(text: str | None, have: Sequence[str]) -> tuple[str, ...]:
    """The measures that --columns names, of those that the pipeline has.

    >>> chosen_measures("diameter, area_px2", ("area", "diameter", "mass"))
    ('area', 'diameter')
    >>> chosen_measures(None, ("area", "mass")), chosen_measures("none", ("area", "mass"))
    (('area', 'mass'), ())

    Raises:
        InputError: one that there is not.
    """
    if text is None or text.strip().lower() == "all":
        return tuple(have)
    if text.strip().lower() == "none":
        return ()
    spelt = {column.name: column.field for column in map(_measure_column, FIELDS)} | {name: name for name in FIELDS}
    always = {column.name for column in COLUMNS} | {column.field for column in COLUMNS}
    wanted = [word.strip().lower() for word in text.split(",") if word.strip()]
    for word in wanted:
        if word not in always and spelt.get(word) not in have:
            there = ", ".join(have) if have else "none: it measures places alone"
            what = "is not measured by this pipeline" if word in spelt else "is no column"
            raise InputError(f"--columns {word} {what}; besides places it has {there}")
    return in_order(spelt[word] for word in wanted if word in spelt)


def file_meta(meta: Mapping[str, object], fields: tuple[str, ...] = ()) -> dict[bytes, bytes]:
    """The file-level metadata of a Parquet file: `meta` (source, time_base, pipeline_hash, versions ...) and the
    conventions of the columns, as JSON under META_KEY.
    """
    units = {column.name: column.unit for column in columns_of(fields) if column.unit}
    whole = {**meta, "coordinates": COORDINATES, "units": units, "format_version": FORMAT_VERSION}
    return {META_KEY: json_text(whole, indent=None).encode()}


def ordered(tracks: Tracks) -> Tracks:
    """A copy of the rows by (frame, track), in their own order where both are the same."""
    frame, track = np.ascontiguousarray(tracks["frame"]), np.ascontiguousarray(tracks["track"])
    # Rows mostly come in order: that is looked at first, for sorting takes far longer.
    later, same = frame[1:] > frame[:-1], frame[1:] == frame[:-1]
    if (later | (same & (track[1:] >= track[:-1]))).all():  # as trackers give them
        return tracks.copy()
    result: Tracks = tracks[np.lexsort((track, frame))]
    return result


def to_arrow(tracks: Tracks) -> Any:
    """The rows as an Arrow table of `schema_of` their measures; values are not changed."""
    arrays, fields = [], fields_of(tracks)
    for column in columns_of(fields):
        values = column.of(tracks)
        if column.field in WORDS:
            arrays.append(_words(column.field, values))
        else:
            arrays.append(_numbers(values, column.type))
    return pa.Table.from_arrays(arrays, schema=schema_of(fields))


def with_axes(table: Any) -> Any:
    """An Arrow table of SCHEMA as it is; one that was written before there were sigmas of x and of y gets that of both
    for each, and one of before there was a correlation gets 0."""
    if "sigma_px" in table.column_names and "sigma_x_px" not in table.column_names:
        place = table.column_names.index("sigma_px")
        for k, name in enumerate(("sigma_x_px", "sigma_y_px")):
            table = table.add_column(place + 1 + k, name, table.column("sigma_px"))
    if "sigma_y_px" in table.column_names and "correlation" not in table.column_names:
        place = table.column_names.index("sigma_y_px")
        none = pa.Array.from_buffers(pa.float32(), table.num_rows, [None, pa.py_buffer(bytes(4 * table.num_rows))])
        table = table.add_column(place + 1, "correlation", none)
    return table


def _known(field: str, codes: npt.NDArray[Any]) -> Sequence[str]:
    """The words of a field, in the order of their codes; there is one for each of `codes`."""
    words = WORDS[field]
    if len(codes) and int(codes.max()) >= len(words):
        raise ValueError(f"{field} {int(codes.max())} is not one of {', '.join(words)}")
    return words


def _words(field: str, codes: npt.NDArray[Any]) -> Any:
    words = _known(field, codes)
    return pa.DictionaryArray.from_arrays(_numbers(codes.astype(np.int8), pa.int8()), _texts(words))


# pyarrow's own way, `pa.array`, imports pandas first where that is installed, which takes longer than many a run.
def _numbers(values: npt.NDArray[Any], type_: Any, unknown: npt.NDArray[np.bool_] | None = None) -> Any:
    """An Arrow array over the memory of a contiguous one; `unknown` values are null."""
    known = None
    # A bit a value, the lowest first: 1 where it is known.
    if unknown is not None and unknown.any():
        known = pa.py_buffer(np.packbits(~unknown, bitorder="little"))
    return pa.Array.from_buffers(type_, len(values), [known, pa.py_buffer(values)])


def _texts(words: Sequence[str]) -> Any:
    data = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, data)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(data), pa.py_buffer(ends), pa.py_buffer(b"".join(data)))


def _spelt(field: str, codes: npt.NDArray[Any]) -> Any:
    """The word of each row. Arrow's own decoding of a dictionary first makes a Python function of each that it has."""
    words = np.array([word.encode() for word in _known(field, codes)])
    # Words are padded with zero bytes to one length: letters are those that are not 0.
    letters = words[codes].view(np.uint8)
    ends = np.zeros(len(codes) + 1, np.int32)
    np.cumsum(np.strings.str_len(words)[codes], out=ends[1:])
    return pa.StringArray.from_buffers(len(codes), pa.py_buffer(ends), pa.py_buffer(letters[letters != 0]))


def to_csv(tracks: Tracks, decimals: int = DECIMALS) -> bytes:
    """The rows as lines of CSV, without the header."""
    if not len(tracks):
        return b""
    arrays, columns = [], columns_of(fields_of(tracks))
    for column in columns:
        values = column.of(tracks)
        if column.field in WORDS:
            arrays.append(_spelt(column.field, values))
            continue
        if column.field in BY_FIELD and values.dtype == np.float32:
            arrays.append(_numbers(values, pa.float32(), np.isnan(values)))  # their shortest digits
        elif values.dtype.kind == "f":
            values = values.astype(np.float64)
            if column.field != "time":
                values = np.round(values, decimals) + 0.0  # + 0.0: no "-0"
            arrays.append(_numbers(values, pa.float64(), np.isnan(values)))
        else:
            arrays.append(_numbers(values, column.type))
    sink = io.BytesIO()
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="none")  # the words need no quotes
    pyarrow.csv.write_csv(pa.Table.from_arrays(arrays, [c.name for c in columns]), sink, options)
    return sink.getvalue()


def codes_of(field: str, words: npt.NDArray[Any], where: str) -> npt.NDArray[np.uint8]:
    """The codes of the words of a column "state" or "reason".

    Raises:
        InputError: a word that is none of them; the first one is named.
    """
    table = {word: code for code, word in enumerate(WORDS[field])}
    unique, inverse = np.unique(np.asarray(words, dtype=str), return_inverse=True)
    unknown = [word for word in unique.tolist() if word.strip().lower() not in table]
    if unknown:
        raise InputError(f"{where} has the {field} {unknown[0]!r}; it must be one of {', '.join(table)}")
    codes = np.array([table[word.strip().lower()] for word in unique.tolist()], np.uint8)
    result: npt.NDArray[np.uint8] = codes[inverse]
    return result
