"""What kernels leave of tables, as tables; the regions that they are told; sizes of memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from kernels.codegen.cuda_tables import unranked
from kernels.executors.device import Array, Device, Memory, Piece
from kernels.ir.body import Body
from kernels.ir.image import BOOL, DType
from kernels.ir.table import PACKED, Reduction, Regions, Table, TableType, joint_table_size, unpacked
from kernels.param import Value

Place = tuple[str, int | str, int]
"""Kind, key and depth of an argument (`kernels.codegen.cuda_launch.Argument`): what names a piece of memory."""

FIRST, LEAST, LAST, STEPS = 200, 16, 16, 4
"""Rows of lists that come with the first batch, and at least; batches that say how many come with the next; leading
bits that a number of rows has."""


def boxes_of(body: Body, name: str, values: Mapping[str, Value]) -> Array:
    """left, top, right, bottom of the regions of table `name`, clipped to the image; (rows, 4) i32."""
    table = body.output(name).table
    assert isinstance(table, Reduction)
    height, width = joint_table_size(table)
    given: Any = values[table.regions.boxes]
    made = []
    # Clipped, so that kernels need no test: a box outside is empty, not negative.
    for x, y, w, h in ([round(v) for v in box] for box in given[: table.regions.capacity]):
        left, top = max(0, x), max(0, y)
        made.append((left, top, max(left, min(width, x + w)), max(top, min(height, y + h))))
    return np.array(made, np.int64).reshape(-1, 4).astype(np.int32)


class Filling:
    """How far lists of candidates are filled, so that as much of their columns comes down together with the images.

    What is not enough costs a second way over the bus, when the batch is done; what is too much costs its bytes. So
    the rows that come are those of the fullest of the last batches with a quarter to spare, in steps of an eighth of
    the power of two below: at most an eighth more than that, and the same number for batches that differ little.

    Args:
        capacity: rows of a list.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._last: deque[int] = deque((FIRST,), LAST)

    @property
    def rows(self) -> int:
        """Rows of each frame's list that come with the next batch."""
        wanted = max(LEAST, max(self._last) * 5 // 4)
        # The leading bits only: few different sizes, each of which is a graph of its own.
        step = 1 << max(0, wanted.bit_length() - STEPS)
        return min(self._capacity, -(-wanted // step) * step)

    def seen(self, rows: int) -> None:
        """So many did the fullest list of a batch hold."""
        self._last.append(rows)


def listed(
    device: Device, name: str, type_: TableType, capacity: int, totals: Array, left: Mapping[Place, Memory],
    came: Mapping[Place, Array], frames: int,
) -> tuple[list[Table], int]:  # fmt: skip
    """The candidates of each frame, and how many the fullest list holds.

    Args:
        totals: their numbers, which were downloaded.
        left: the columns on the device.
        came: the first rows of each column, a frame a row; where a list holds more, the columns are fetched.
    """
    most = int(np.minimum(totals, capacity).max(initial=0))
    items = [item_bytes(dtype) for _, dtype in type_.columns]
    places: list[Place] = [("list", name, k) for k in range(len(items))]
    # Mostly the rows that came with the images are enough.
    if all(came[place].shape[1] >= most * item for place, item in zip(places, items, strict=True)):
        fetched = [came[place] for place in places]
    else:
        # Once more over the bus, all columns together.
        fetched = device.fetch_all([(left[place], Piece(capacity * item, most * item, frames))
                                    for place, item in zip(places, items, strict=True)])  # fmt: skip
    columns = [np.ascontiguousarray(rows).view(dtype.numpy)
               for rows, (_, dtype) in zip(fetched, type_.columns, strict=True)]  # fmt: skip
    counts = np.minimum(totals, capacity).tolist()
    made = np.zeros(sum(counts), type_.numpy)
    for (column, _), data in zip(type_.columns, columns, strict=True):
        made[column] = _firsts(data, counts)
    return _split(made, counts, np.maximum(totals - capacity, 0).tolist()), most


def decoded(
    device: Device, name: str, type_: TableType, pitch: int, ends: Array, left: Mapping[Place, Memory],
    came: Mapping[Place, Array], packed: bool = False,
) -> tuple[list[Table], int]:  # fmt: skip
    """The tables that a decoder made of each frame, and how many rows the fullest has.

    Args:
        pitch: rows of a frame for which there is room on the device.
        ends: (frames, 2): how many rows, and how many found no room.
        left: the rows on the device, as `came` has the first of them, a frame a row.
        packed: whether they are `PACKED`.
    """
    sent = PACKED if packed else type_.numpy
    most, size, place = int(ends[:, 0].max(initial=0)), sent.itemsize, ("table", name, 0)
    rows = came[place]
    if rows.shape[1] < most * size:
        (rows,) = device.fetch_all([(left[place], Piece(pitch * size, most * size, len(ends)))])
    counts = np.maximum(ends[:, 0], 0).tolist()
    made = _firsts(rows, [many * size for many in counts]).view(sent)
    return _split(unpacked(made) if packed else made, counts, ends[:, 1].tolist()), most


def _firsts(rows: Array, counts: Sequence[int]) -> Array:
    """The first entries of each row, one behind the other; a copy. All frames at once: each by itself takes most of the
    time."""
    return np.concatenate([row[:many] for row, many in zip(rows, counts, strict=True)])


def _split(rows: Array, counts: Sequence[int], more: Sequence[int]) -> list[Table]:
    """Rows of frames one behind the other as tables, of which each has `counts` rows, and `more` found no room."""
    ends = list(accumulate(counts))
    return [Table(rows[end - many : end], beyond) for end, many, beyond in zip(ends, counts, more, strict=True)]


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
        # Rows beyond the boxes of this frame hold only what sums begin with.
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
