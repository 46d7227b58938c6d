"""Tables that a pipeline is tapped for, to CSV and Parquet while they come: a row a thing and frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from app.exports.columns import DECIMALS, META_KEY, key_lines
from app.files.atomic import PendingFile, uninterrupted, write_error
from app.files.summary import json_text
from kernels.errors import InputError
from kernels.ir.table import TableType

GROUP_ROWS = 1 << 16
"""Rows that are gathered before they are written."""
UNITS = {"x": "px", "y": "px", "area": "px2", "xx": "px2", "xy": "px2", "yy": "px2", "sigma": "px", "stretch": "px2",
         "lean": "px2", "width": "px", "height": "px"}  # fmt: skip
"""Of the columns of tables of features, key points and boxes (`kernels.ir.table`)."""
DOCS = {
    "x": "centre, to the right", "y": "centre, down", "mass": "sum of the light above the ground",
    "peak": "largest light above the ground", "area": "area", "xx": "second central moment along x",
    "xy": "mixed second central moment", "yy": "second central moment along y",
    "sigma": "standard uncertainty of the centre: root mean square of those of x and y",
    "anisotropy": "(variance of x - variance of y) / their sum",
    "stretch": "(xx - yy) / 2 by the light near the centre, which noise changes the least",
    "lean": "xy by the light near the centre", "min": "least gray value of its pixels",
    "max": "largest gray value of its pixels", "score": "how sure the network is, 0 to 1",
    "point": "which point of the thing, from 0", "instance": "which of several things", "width": "width of the box",
    "height": "height of the box", "count": "pixels",
}  # fmt: skip
"""What these columns are."""


class TableWriter:
    """Writes the tables of one output of a pipeline to `stem`.csv and `stem`.parquet; whole files, or none.

    Args:
        stem: the files' path without its ending.
        type_: of the table.
        corner: x, y in px of the processed region in the picture, which places are moved by.
        meta: for the Parquet file's metadata, JSON-able.
        timed: whether times are seconds.
        key: whether the CSV file says of each column what it is.

    Raises:
        InputError: here and later, when the system refuses to write.
    """

    def __init__(self, stem: Path, type_: TableType, corner: tuple[int, int], meta: Mapping[str, object],
                 timed: bool = True, key: bool = False) -> None:  # fmt: skip
        self._corner, self._count, self._open = corner, 0, True
        self._waiting: list[tuple[int, float, Any]] = []
        self._meta = {META_KEY: json_text(meta, indent=None).encode()}
        self._placed = {"x", "y"} <= {name for name, _ in type_.columns}
        self._fields = [name for name, _ in type_.columns]
        named = self._placed  # columns of the same names of other tables may be anything
        head = [("frame", "", "index of the frame in the clip"),
                ("time_s" if timed else "time_frames", "s" if timed else "", "time of the frame")]  # fmt: skip
        for name in self._fields:
            unit = UNITS.get(name, "") if named else ""
            head.append((f"{name}_{unit}" if unit else name, unit, DOCS.get(name, name) if named else name))
        types = [pa.int64(), pa.float64(), *(pa.from_numpy_dtype(dtype.numpy) for _, dtype in type_.columns)]
        self._schema = pa.schema([
            pa.field(name, kind, metadata={"description": doc} | ({"unit": unit} if unit else {}))
            for (name, unit, doc), kind in zip(head, types, strict=True)
        ])  # fmt: skip
        lines = [*(key_lines(head) if key else []), ",".join(name for name, _, _ in head)]
        self._pending = [PendingFile(stem.with_name(f"{stem.name}{ending}")) for ending in (".csv", ".parquet")]
        try:
            self._csv = open(self._pending[0].temporary, "wb")  # noqa: SIM115
            self._csv.write("".join(f"{line}\n" for line in lines).encode())
            self._parquet: Any = pyarrow.parquet.ParquetWriter(self._pending[1].temporary, self._schema,
                                                               compression="zstd")  # fmt: skip
        except OSError as error:
            raise self._failed(error) from error

    @property
    def files(self) -> list[Path]:
        return [pending.target for pending in self._pending]

    def append(self, index: int, seconds: float, rows: Any) -> None:
        """Take the table of one frame, a structured array."""
        if len(rows):
            self._waiting.append((index, seconds, rows.copy()))
            self._count += len(rows)
            if self._count >= GROUP_ROWS:
                self._write()

    def close(self) -> None:
        """Finish both files and give them their names; a second call does nothing."""
        if not self._open:
            return
        with uninterrupted():
            self._open = False
            self._write()
            try:
                self._parquet.add_key_value_metadata(self._meta)
                self._parquet.close()
                self._csv.close()
                for pending in self._pending:
                    pending.commit()
            except OSError as error:
                raise self._failed(error) from error

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:  # fmt: skip
        if self._open:
            self.close()

    def _write(self) -> None:
        if not self._waiting:
            return
        sizes = [len(rows) for _, _, rows in self._waiting]
        columns: list[Any] = [np.repeat([one[k] for one in self._waiting], sizes) for k in (0, 1)]
        for name in self._fields:
            values = np.concatenate([rows[name] for _, _, rows in self._waiting])
            if self._placed and name in ("x", "y"):
                values = values + self._corner["xy".index(name)]
            columns.append(values)
        self._waiting, self._count = [], 0
        try:
            self._parquet.write_table(pa.Table.from_arrays(
                [_array(values, kind) for values, kind in zip(columns, self._schema.types, strict=True)],
                schema=self._schema))  # fmt: skip
            plain = [*columns[:2], *(np.round(values.astype(np.float64), DECIMALS) + 0.0 if values.dtype.kind == "f"
                                     else values for values in columns[2:])]  # fmt: skip
            table = pa.Table.from_arrays([_array(values, None) for values in plain], names=self._schema.names)
            pyarrow.csv.write_csv(table, self._csv, pyarrow.csv.WriteOptions(include_header=False))
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> InputError:
        self._open = False
        sentence = write_error(self._pending[0].target, error)
        for pending in self._pending:
            pending.discard()
        return sentence


def _array(values: Any, kind: Any) -> Any:
    """An Arrow array; what is no number is unknown."""
    return pa.array(values, kind, mask=np.isnan(values) if values.dtype.kind == "f" else None)


def table_names(stems: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Names of files for outputs of a pipeline, none of which is taken by what a run writes besides."""
    return [f"table-{stem}" if stem in taken else stem for stem in (stem.replace("/", ".") for stem in stems)]
