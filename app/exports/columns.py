"""The columns of a table of tracks in files: names with units, their order, and how they become CSV and Parquet.

Choices: CSV holds times as the shortest text that reads back as the same number, and pixels, pixels per second and
scores with up to 6 decimals (reading back differs by at most 5e-7); unknown values (NaN) are empty fields; state
and reason are lower-case words. Parquet holds everything exactly.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

from app.exports.summary import json_text
from kernels.errors import InputError
from pipelines.features import Reason, State, Tracks, sigmas

COORDINATES = "x to the right, y down, origin at the centre of the top left pixel, pixel centres at integers"
FORMAT_VERSION = 1
META_KEY = b"fusetrack"
"""Key of the file-level metadata of a Parquet file; its value is JSON."""
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a file: its name there, its field of TRACK_DTYPE or of AXES, its Arrow type, unit and meaning."""

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
    Column("reason", "reason", _WORD, "", "why it was not seen or why the track ended"),
)
WORDS: Mapping[str, tuple[str, ...]] = {
    "state": tuple(state.name.lower() for state in State),
    "reason": tuple(reason.name.lower() for reason in Reason),
}
"""The words of the two coded columns; a word's place is its code."""
CSV_HEADER = (",".join(column.name for column in COLUMNS) + "\n").encode()


SCHEMA = pa.schema(
    [pa.field(c.name, c.type, metadata={"description": c.doc} | ({"unit": c.unit} if c.unit else {})) for c in COLUMNS]
)
"""The Arrow schema of a table of tracks, with units and meanings as metadata of the fields."""


def file_meta(meta: Mapping[str, object]) -> dict[bytes, bytes]:
    """The file-level metadata of a Parquet file: `meta` (source, time_base, pipeline_hash, versions ...) and the
    conventions of the columns, as JSON under META_KEY.
    """
    units = {column.name: column.unit for column in COLUMNS if column.unit}
    whole = {**meta, "coordinates": COORDINATES, "units": units, "format_version": FORMAT_VERSION}
    return {META_KEY: json_text(whole, indent=None).encode()}


def ordered(tracks: Tracks) -> Tracks:
    """A copy of the rows by (frame, track), in their own order where both are the same."""
    frame, track = np.ascontiguousarray(tracks["frame"]), np.ascontiguousarray(tracks["track"])
    later, same = frame[1:] > frame[:-1], frame[1:] == frame[:-1]
    if (later | (same & (track[1:] >= track[:-1]))).all():  # as trackers give them
        return tracks.copy()
    result: Tracks = tracks[np.lexsort((track, frame))]
    return result


def to_arrow(tracks: Tracks) -> Any:
    """The rows as an Arrow table of SCHEMA; values are not changed."""
    arrays = []
    for column in COLUMNS:
        values = column.of(tracks)
        if column.field in WORDS:
            arrays.append(_words(column.field, values))
        else:
            arrays.append(_numbers(values, column.type))
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


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
    letters = words[codes].view(np.uint8)
    ends = np.zeros(len(codes) + 1, np.int32)
    np.cumsum(np.strings.str_len(words)[codes], out=ends[1:])
    return pa.StringArray.from_buffers(len(codes), pa.py_buffer(ends), pa.py_buffer(letters[letters != 0]))


def to_csv(tracks: Tracks) -> bytes:
    """The rows as lines of CSV, without the header."""
    if not len(tracks):
        return b""
    arrays = []
    for column in COLUMNS:
        values = column.of(tracks)
        if column.field in WORDS:
            arrays.append(_spelt(column.field, values))
            continue
        if values.dtype.kind == "f":
            values = values.astype(np.float64)
            if column.field != "time":
                values = np.round(values, DECIMALS) + 0.0  # + 0.0: no "-0"
            arrays.append(_numbers(values, pa.float64(), np.isnan(values)))
        else:
            arrays.append(_numbers(values, column.type))
    sink = io.BytesIO()
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="none")  # the words need no quotes
    pyarrow.csv.write_csv(pa.Table.from_arrays(arrays, [c.name for c in COLUMNS]), sink, options)
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
