"""What kernels leave of tables, as tables; the regions that they are told; sizes of memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernels.codegen.cuda_tables import unranked
from kernels.executors.device import Array, Device, Memory
from kernels.ir.body import Body
from kernels.ir.image import BOOL, DType
from kernels.ir.table import Reduction, Regions, Table, TableType, joint_table_size
from kernels.param import Value

Place = tuple[str, int | str, int]
"""Kind, key and depth of an argument (`kernels.codegen.cuda_launch.Argument`): what names a piece of memory."""


def boxes_of(body: Body, name: str, values: Mapping[str, Value]) -> Array:
    """left, top, right, bottom of the regions of table `name`, clipped to the image; (rows, 4) i32."""
    table = body.output(name).table
    assert isinstance(table, Reduction)
    height, width = joint_table_size(table)
    given: Any = values[table.regions.boxes]
    made = []
    for x, y, w, h in ([round(v) for v in box] for box in given[: table.regions.capacity]):
        left, top = max(0, x), max(0, y)
        made.append((left, top, max(left, min(width, x + w)), max(top, min(height, y + h))))
    return np.array(made, np.int64).reshape(-1, 4).astype(np.int32)


def listed(
    device: Device, name: str, type_: TableType, capacity: int, totals: Array, left: Mapping[Place, Memory],
    frames: int,
) -> list[Table]:  # fmt: skip
    """The candidates of each frame: `totals`, their numbers, were downloaded; their columns are fetched as far as
    filled."""
    most = int(np.minimum(totals, capacity).max(initial=0))
    items = [item_bytes(dtype) for _, dtype in type_.columns]
    fetched = device.fetch_all(
        [(left["list", name, k], capacity * item, most * item, frames) for k, item in enumerate(items)]
    )
    columns = [np.ascontiguousarray(rows).view(dtype.numpy)
               for rows, (_, dtype) in zip(fetched, type_.columns, strict=True)]  # fmt: skip
    tables = []
    for t, total in enumerate(totals):
        made = np.zeros(min(int(total), capacity), type_.numpy)
        for (column, _), data in zip(type_.columns, columns, strict=True):
            made[column] = data[t, : len(made)]
        tables.append(Table(made, max(0, int(total) - capacity)))
    return tables


def reduced(
    table: Reduction, type_: TableType, bytes_: Array, values: Mapping[str, Value], frames: int
) -> list[Table]:
    """The rows of a reduction from what the kernels left of it."""
    sums = bytes_.view(np.int64).reshape(frames, -1, len(table.columns))
    regions: Regions = table.regions
    overflow = 0
    if regions.kind == "boxes":
        given: Any = values[regions.boxes]
        overflow = max(0, len(given) - regions.capacity)
        sums = sums[:, : min(len(given), regions.capacity)]
    tables = []
    for frame in sums:
        rows = np.zeros(len(frame), type_.numpy)
        for k, column in enumerate(table.columns):
            rows[column.name] = unranked(frame[:, k], column)
        tables.append(Table(rows, overflow))
    return tables


def padded(boxes: Array, shape: tuple[int, ...]) -> Array:
    """Boxes with empty ones behind them, in the shape that a kernel takes."""
    made = np.zeros(shape, np.int32)
    made[: len(boxes)] = boxes
    return made


def memory_type(dtype: DType) -> np.dtype[Any]:
    """The type of a value in memory: a bool takes a byte."""
    return np.dtype(np.uint8) if dtype == BOOL else dtype.numpy


def item_bytes(dtype: DType) -> int:
    """Its size."""
    return memory_type(dtype).itemsize
