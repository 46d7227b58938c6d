"""All tracks of all clips in one Parquet table, with a column that names the clip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from app.exports.atomic import replacing
from app.exports.columns import META_KEY, SCHEMA, with_axes
from app.exports.summary import json_text

COLUMN = "clip"
MERGED_SCHEMA = pa.schema(
    [pa.field(COLUMN, pa.dictionary(pa.int32(), pa.string()), metadata={"description": "the clip's name in the batch"}),
     *SCHEMA]
)  # fmt: skip


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
    with replacing(target) as temporary, pyarrow.parquet.ParquetWriter(temporary, MERGED_SCHEMA,
                                                                      compression="zstd") as writer:  # fmt: skip
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
                        table = with_axes(opened.read_row_group(group)).cast(SCHEMA)
                    except (OSError, pa.ArrowException, ValueError) as error:
                        part = f" behind its first {rows - begin} rows, which are merged" if rows > begin else ""
                        lost.append(f"{file} cannot be read{part}: {_reason(error)}")
                        break
                    plain = name.encode("utf-8", "backslashreplace").decode()
                    named = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), table.num_rows), [plain])
                    writer.write_table(table.add_column(0, MERGED_SCHEMA.field(0), named))
                    rows += table.num_rows
        writer.add_key_value_metadata({META_KEY: json_text(meta, indent=None).encode()})
    return rows, lost


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
