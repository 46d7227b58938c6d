"""Tracks as text: CSV with a row a place (long) or a column pair a track (wide), the table of trackpy.

Unknown values are empty fields. Times are written so that they read back as the same number; places and speeds are
rounded to a millionth of a pixel.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from app.exports.columns import DECIMALS, WORDS, key_lines
from app.exports.table import TrackTable, seen, wide
from app.files.atomic import replacing


def write_csv(table: TrackTable, path: Path) -> None:
    """A row a place: the columns of a run's tracks.csv, named by the units of `table`; where the user has named tracks,
    a column `name` comes last. Before them with `key` what each column is."""
    names, arrays = [], []
    for column in table.columns:
        values = column.of(table.rows)
        names.append(table.units.column(column.field))
        if column.field in WORDS:
            arrays.append(np.array(WORDS[column.field], dtype=object)[values])
        elif table.units.of(column.field) in ("", "1", "deg", table.units.time) or values.dtype.kind != "f":
            plain = column.field != "time" and values.dtype.kind == "f"
            arrays.append(np.round(values.astype(np.float64), DECIMALS) if plain else values)
        else:
            arrays.append(rounded(table, values))
    key = []
    if table.key:
        described = [(name, table.units.of(column.field), table.describe(column))
                for name, column in zip(names, table.columns, strict=True)]  # fmt: skip
        key = key_lines([*described, *([("name", "", "what the user calls the track")] if table.names else [])])
    _write_named(table, path, names, arrays, table.rows["track"], key)


def write_trackpy(table: TrackTable, path: Path) -> None:
    """A row a seen place, by frame and particle, with trackpy's names: frame, particle, x, y and ep, the standard
    uncertainty of a place; its x, y and centres of pixels are ours.

    Of its other columns tracks know none (mass and size are of features). https://soft-matter.github.io/trackpy/
    """
    rows = table.rows if table.guesses else table.rows[seen(table.rows)]
    places = [rounded(table, rows[field]) for field in ("x", "y", "sigma")]
    arrays: list[Any] = [rows["frame"], rows["track"], *places]
    _write_named(table, path, ["frame", "particle", "x", "y", "ep"], arrays, rows["track"])


def write_wide(table: TrackTable, path: Path) -> None:
    """A row a frame, a column pair a track: frame, time, then track_ID_x and track_ID_y with their unit."""
    made, unit = wide(table), table.units.length
    names = ["frame", table.units.column("time")]
    arrays: list[Any] = [made.frames, made.times]
    for k, label in enumerate(table.labels(made.tracks.tolist())):
        names += [f"{label}_x_{unit}", f"{label}_y_{unit}"]
        arrays += [rounded(table, made.x[:, k]), rounded(table, made.y[:, k])]
    write_text(path, [",".join(names)], arrays)


def rounded(table: TrackTable, values: Any) -> Any:
    """Places or speeds to DECIMALS of a pixel, whatever they are counted in."""
    digits = DECIMALS if table.scale is None else DECIMALS + max(0, math.ceil(-math.log10(table.scale.factor)))
    return np.round(values.astype(np.float64), digits) + 0.0  # + 0.0: no "-0"


def _write_named(table: TrackTable, path: Path, names: Sequence[str], arrays: Sequence[Any], tracks: Any,
                 key: Sequence[str] = ()) -> None:  # fmt: skip
    """One line of names, then the rows; where the user has named tracks, a column `name` comes last."""
    if table.names:
        names, arrays = [*names, "name"], [*arrays, table.row_names(tracks)]
    quotes = any(set(name) & set(',"') for name in table.names.values())
    write_text(path, [*key, ",".join(names)], arrays, quotes)


def write_text(path: Path, heads: Sequence[str], arrays: Sequence[Any], quotes: bool = False) -> None:
    """A CSV file, whole or not at all.

    Args:
        path: an existing file is replaced.
        heads: lines before the rows.
        arrays: the columns; NaN is an empty field.
        quotes: whether fields need quotes.
    """
    columns = [pa.array(a, mask=np.isnan(a) if a.dtype.kind == "f" else None) for a in arrays]
    sink = io.BytesIO()
    sink.write("".join(f"{head}\n" for head in heads).encode())
    if len(arrays[0]):
        options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed" if quotes else "none")
        pyarrow.csv.write_csv(pa.Table.from_arrays(columns, [str(k) for k in range(len(columns))]), sink, options)
    with replacing(path) as temporary:
        temporary.write_bytes(sink.getvalue())  # a buffer lent by the sink would outlive it when the disk is full
