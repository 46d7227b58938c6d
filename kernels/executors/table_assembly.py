"""The tables that a compiled pass fills: every strip its part, put together after each batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kernels.codegen.reduction_state import BEGINS, BLOCK, COLUMNS, ENDS, FLAGS, counted, most_held, neutral
from kernels.executors.memory import untouched
from kernels.ir.body import Output
from kernels.ir.table import Candidates, Reduction, Regions, Table, TableType, joint_table_size
from kernels.param import Value

LINE = 64
MOST_HELD = 32 << 20
"""Bytes of running values of a strip. Regions that overlap so much that they need more are slower, not wrong."""

SPARSE = 16
"""The part of the addresses of lists of candidates that counts as memory: strips are not all full at once."""


class Arguments(Protocol):
    """The argument blocks of all strips of a pass."""

    def set(self, slot: str, values: np.ndarray | int) -> None:
        """Put an address into a slot: one for each strip, or one for all."""
        ...


class TableAssembly(Protocol):
    """One table over the frames of a batch."""

    frame_bytes: int
    """Bytes that all strips' parts of one frame are expected to take."""

    def begin(self, frames: int, arguments: Arguments, params: Mapping[str, Value]) -> None:
        """Make the parts ready and tell the strips where they are; they are kept from batch to batch."""
        ...

    def tables(self) -> list[Table]:
        """What the strips have filled in, a table a frame."""
        ...


def filler(output: Output, index: int, strips: int) -> TableAssembly:
    """For output `index` of a body, which is a table."""
    table = output.table
    assert isinstance(output.type, TableType)
    if isinstance(table, Candidates):
        return _CandidatesFiller(table, output.type, index, strips)
    assert isinstance(table, Reduction)
    return _ReductionFiller(table, output.type, index, strips)


def _parts(array: np.ndarray) -> np.ndarray:
    """The address of every strip's part of an array."""
    return array.ctypes.data + array.strides[0] * np.arange(len(array))


@dataclass(frozen=True, slots=True)
class _Regions:
    """Regions as the code takes them (see `kernels.codegen.reduction_state`), and how many were too many.

    Args:
        pixels: of each region, inside the image.
        held: columns of running values.
    """

    count: int
    overflow: int
    rows: np.ndarray
    listed: np.ndarray
    spans: np.ndarray
    pixels: np.ndarray
    held: int

    @staticmethod
    def of(regions: Regions, size: tuple[int, int], given: object, most: int) -> _Regions:
        """Regions that hold no more than `most` columns; what does not fit keeps its running values for one row."""
        height, width = size
        boxes, overflow = regions.rectangles(size, given)
        tops = np.array([min(max(0, y), height) for _, y, _, _ in boxes], np.int64)
        ends = np.array([min(max(0, y + h), height) for _, y, _, h in boxes], np.int64)
        starts = np.array([min(max(0, x), width) for x, _, _, _ in boxes], np.int64)
        stops = np.array([min(max(0, x + w), width) for x, _, w, _ in boxes], np.int64)
        wide, tall = np.maximum(stops - starts, 0), np.maximum(ends - tops, 0)
        # An empty region has no rows to visit.
        tall[wide == 0] = 0
        parts, held = _parts_held(regions, size, wide, tall, most)
        # Every row of every region once: (region, row within it).
        region = np.repeat(np.arange(len(boxes)), tall)
        down = np.arange(tall.sum()) - np.repeat(np.cumsum(tall) - tall, tall)
        # Without running values each row is added by itself: it begins and ends.
        alone = parts[region] == 0
        flags = np.where(alone | (down % BLOCK == 0), BEGINS, 0)
        flags |= np.where(alone | (down % BLOCK == BLOCK - 1) | (down == tall[region] - 1), ENDS, 0)
        row = down + tops[region]
        # Where each image row's regions begin in the list: a counting sort by rows.
        rows = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=height)))).astype(np.int64)
        # Region and flags in one number, in the order of rows.
        listed = (FLAGS * region + flags)[np.argsort(row, kind="stable")].astype(np.int64)
        # `parts - starts`: the column of running values less that of the image, so that code adds x alone.
        spans = np.stack((starts, stops, parts - starts, tops), axis=-1)
        return _Regions(len(boxes), overflow, rows, listed, np.ascontiguousarray(spans), wide * tall, held)


def _parts_held(
    regions: Regions, size: tuple[int, int], wide: np.ndarray, tall: np.ndarray, most: int
) -> tuple[np.ndarray, int]:
    """The column at which each region's running values begin, and how many columns there are. The first part is for
    those that keep nothing from row to row."""
    taken = -(-wide // COLUMNS) * COLUMNS
    taken[tall <= 1] = 0
    common = -(-size[1] // COLUMNS) * COLUMNS
    across = -(-size[1] // regions.width) if regions.kind == "grid" else max(1, len(wide))
    ends = np.cumsum(taken.reshape(-1, across), axis=1)  # cells below one another have no row in common
    fits = (taken.reshape(-1, across) > 0) & (ends <= most - common)
    parts = np.where(fits, common + ends - taken.reshape(-1, across), 0).ravel()
    return parts, common + int(ends[fits].max(initial=0))


class _ReductionFiller:
    """Regional sums and extrema: rows of the table's own type, which the first strip's part becomes."""

    def __init__(self, table: Reduction, type_: TableType, index: int, strips: int) -> None:
        self.table, self.type, self.index, self.strips = table, type_.numpy, index, strips
        self.size = joint_table_size(table)
        places = table.regions.count(self.size)
        self.columns = [column for column in table.columns if not counted(column)]
        self.neutral = np.zeros(places, self.type)
        for column in self.columns:
            self.neutral[column.name] = neutral(column.kind, column.dtype)
        self.first = self.neutral.copy()
        self.frame_bytes = strips * self.first.nbytes
        self.parts = np.empty((strips, 0, places), self.type)
        self.given: object = self  # nothing that anybody gives
        self.regions: _Regions
        self.item = max(1, most_held(table))
        self.hold = np.empty((strips, 0), np.uint8)

    def begin(self, frames: int, arguments: Arguments, params: Mapping[str, Value]) -> None:
        given = params[self.table.regions.boxes] if self.table.regions.boxes else None
        # Boxes that did not move keep their lists.
        if self.given is self or self.given != given:
            self.given = given
            self._place(_Regions.of(self.table.regions, self.size, given, MOST_HELD // self.item), arguments)
        if self.parts.shape[1] != frames:
            self.parts = np.empty((self.strips, frames, len(self.first)), self.type)
            fields = self.type.fields
            assert fields is not None
            for column in self.columns:
                arguments.set(f"table:{self.index}:{column.name}", _parts(self.parts) + fields[column.name][1])
        raw = self.parts.view(np.uint8)  # NumPy copies rows with fields field by field
        # Counts are known beforehand: the first strip's part begins with them, the others with what changes nothing.
        raw[0] = self.first.view(np.uint8)
        if self.strips > 1:
            raw[1:] = self.neutral.view(np.uint8)

    def _place(self, regions: _Regions, arguments: Arguments) -> None:
        self.regions = regions
        for column in self.table.columns:
            if counted(column):
                self.first[column.name][: regions.count] = regions.pixels
        arguments.set(f"rows:{self.index}", regions.rows.ctypes.data)
        arguments.set(f"list:{self.index}", regions.listed.ctypes.data)
        arguments.set(f"spans:{self.index}", regions.spans.ctypes.data)
        room = regions.held * self.item + LINE
        if self.hold.shape[1] < room:  # its pages become real where the code writes
            self.hold = np.empty((self.strips, -(-room // LINE) * LINE), np.uint8)
            arguments.set(f"hold:{self.index}", -(-_parts(self.hold) // LINE) * LINE)

    def tables(self) -> list[Table]:
        size = self.regions.count * self.type.itemsize
        rows = self.parts.view(np.uint8)[0, :, :size].copy().view(self.type)
        for column in self.columns:
            every = self.parts[column.name][:, :, : self.regions.count]
            if self.strips > 1:
                fold = {"min": np.minimum, "max": np.maximum}.get(column.kind, np.add)
                rows[column.name] = fold.reduce(every, axis=0)
            if column.dtype.is_float:
                rows[column.name] += column.dtype.numpy.type(0)  # no -0
        return [Table(row, self.regions.overflow) for row in rows]


class _CandidatesFiller:
    """Lists of candidates: the strips' lists one after another. Each has addresses for `capacity` rows of every frame,
    of which those that are written become memory."""

    def __init__(self, table: Candidates, type_: TableType, index: int, strips: int) -> None:
        self.capacity, self.type, self.index, self.strips = table.capacity, type_.numpy, index, strips
        self.frame_bytes = -(-strips * table.capacity * self.type.itemsize // SPARSE)
        self.frames = -1
        self.rows, self.counts = np.empty(0), np.empty(0)

    def begin(self, frames: int, arguments: Arguments, params: Mapping[str, Value]) -> None:
        del params
        if self.frames != frames:
            self.frames = frames
            self.rows = untouched((self.strips, frames, self.capacity), self.type)
            self.counts = np.empty((self.strips, frames), np.int64)
            arguments.set(f"table:{self.index}", _parts(self.rows))
            arguments.set(f"count:{self.index}", _parts(self.counts))
        self.counts.fill(0)

    def tables(self) -> list[Table]:
        made = []
        for t in range(self.frames):
            counts = [int(n) for n in self.counts[:, t]]
            # Strips go from top to bottom: their lists in turn are in raster order.
            parts: Sequence[np.ndarray] = [self.rows[i, t, : min(n, self.capacity)] for i, n in enumerate(counts)]
            made.append(Table(np.concatenate(parts)[: self.capacity], max(0, sum(counts) - self.capacity)))
        return made
