"""Tracks as Parquet: exact values, the units in the metadata of the columns."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from app.exports.columns import META_KEY, file_meta, to_arrow
from app.exports.table import TrackTable
from app.files.atomic import replacing
from app.files.summary import json_text
from pipelines.measures import fields_of


def write_parquet(table: TrackTable, path: Path) -> None:
    """The columns of a run's tracks.parquet, named by the units of `table`; `pandas.read_parquet` reads it."""
    made = to_arrow(table.rows)
    fields, units = [], {}
    for column, field in zip(table.columns, made.schema, strict=True):
        name, unit = table.units.column(column.field), table.units.of(column.field)
        about = {"description": table.describe(column)} | ({"unit": unit} if unit else {})
        fields.append(pa.field(name, field.type, metadata=about))
        if unit:
            units[name] = unit
    columns = made.columns
    if table.names:
        fields.append(pa.field("name", pa.string(), metadata={"description": "what the user calls the track"}))
        columns = [*columns, pa.array(table.row_names(table.rows["track"]), pa.string())]
    if table.units.length == "px" and table.units.time == "s" and not table.up and table.axes is None:
        meta = file_meta(table.facts, fields_of(table.rows))
    else:  # not what a run writes: its columns have other names and units
        meta = {META_KEY: json_text({**table.facts, "units": units}, indent=None).encode()}
    whole = pa.Table.from_arrays(columns, schema=pa.schema(fields))
    with replacing(path) as temporary, pyarrow.parquet.ParquetWriter(temporary, whole.schema, compression="zstd") as to:
        to.write_table(whole)
        to.add_key_value_metadata(meta)
