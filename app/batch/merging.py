"""All tracks of all clips in one Parquet table, with a column that names the clip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from app.exports.columns import COLUMNS, META_KEY, columns_of, schema_of, with_axes
from app.files.atomic import replacing
from app.files.summary import json_text
from pipelines.measures import FIELDS, in_order

COLUMN = "clip"
_DOC = {"description": "the clip's name in the batch"}
CLIP = pa.field(COLUMN, pa.dictionary(pa.int32(), pa.string()), metadata=_DOC)


def merge(target: Path, tables: Sequence[tuple[str, Path]], meta: Mapping[str, object]) -> tuple[int, list[str]]:
    """Write the rows of many tables into one, in their order, a row group of a clip at a time.

    Args:
        target: the file; it appears when it is whole.
        tables: names of clips and their tables of tracks, Parquet.
        meta: for the file's metadata, JSON-able.

    Returns:
        Rows written, and a sentence for each table that could not be read: its rows are left out, or, where it is
        damaged farther on, those behind the number that is told.

    Raises:
        InputError: the file cannot be written.
    """
    rows, lost = 0, []
    schema = schema_of(_measures(tables))
    merged = pa.schema([CLIP, *schema])
    with replacing(target) as temporary, pyarrow.parquet.ParquetWriter(temporary, merged, compression="zstd") as writer:
        for name, file in tables:
            try:
                opened = pyarrow.parquet.ParquetFile(file)
            except (OSError, pa.ArrowException) as error:
                lost.append(f"{file} cannot be read: {_reason(error)}")
                continue
            begin = rows
            with opened:
                for group in range(opened.num_row_groups):
                    try:
                        table = _with_all(with_axes(opened.read_row_group(group)), schema)
                    # The writer has the groups before: what is damaged farther on costs only what follows.
                    except (OSError, pa.ArrowException, ValueError) as error:
                        part = f" behind its first {rows - begin} rows, which are merged" if rows > begin else ""
                        lost.append(f"{file} cannot be read{part}: {_reason(error)}")
                        break
                    # Names of files may hold bytes that are no UTF-8, which Parquet refuses.
                    plain = name.encode("utf-8", "backslashreplace").decode()
                    # A dictionary of one word: the name is stored once a row group.
                    named = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), table.num_rows), [plain])
                    writer.write_table(table.add_column(0, CLIP, named))
                    rows += table.num_rows
        writer.add_key_value_metadata({META_KEY: json_text(meta, indent=None).encode()})
    return rows, lost


def _measures(tables: Sequence[tuple[str, Path]]) -> tuple[str, ...]:
    """The measures that any of the tables has; those that cannot be read are told of where they are merged."""
    names: set[str] = set()
    for _, file in tables:
        with suppress(OSError, pa.ArrowException):
            names.update(pyarrow.parquet.read_schema(file).names)
    return in_order(column.field for column in columns_of(FIELDS) if column.name in names and column.field in FIELDS)


def _with_all(table: Any, schema: Any) -> Any:
    """The table with all columns of a schema; measures that it lacks are unknown.

    Raises:
        ValueError: it has other columns.
    """
    # Columns that all tables have come first; measures are what may lack.
    for place in range(len(COLUMNS), len(schema)):
        field = schema.field(place)
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    names = [*schema.names, *(name for name in table.column_names if name not in schema.names)]
    return (table.select(names) if {*names} == {*table.column_names} else table).cast(schema)


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
