"""The tables that a compiled pass fills: every strip its part, put together after each batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kernels.codegen.tables import neutral
from kernels.errors import DefinitionError
from kernels.ir.body import Output
from kernels.ir.table import Candidates, Reduction, Regions, Table, TableType, joint_table_size
from kernels.param import Value

Box = tuple[int, int, int, int]


class Arguments(Protocol):
    """The argument blocks of all strips of a pass."""

    def set(self, slot: str, values: np.ndarray | int) -> None:
        """Put an address into a slot: one for each strip, or one for all."""
        ...


class Filler(Protocol):
    """One table over the frames of a batch."""

    frame_bytes: int
    """Bytes of all strips' parts of one frame."""

    def begin(self, frames: int, arguments: Arguments, params: Mapping[str, Value]) -> None:
        """Make the parts ready and tell the strips where they are; they are kept from batch to batch."""
        ...

    def tables(self) -> list[Table]:
        """What the strips have filled in, a table a frame."""
        ...


def filler(output: Output, index: int, strips: int) -> Filler:
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
    """Regions as the code takes them, and how many were too many."""

    count: int
    overflow: int
    rows: np.ndarray
    listed: np.ndarray
    spans: np.ndarray

    @staticmethod
    def of(regions: Regions, size: tuple[int, int], given: object) -> _Regions:
        height, width = size
        boxes, overflow = _boxes(regions, size, given)
        tops = np.array([min(max(0, y), height) for _, y, _, _ in boxes], np.int64)
        ends = np.array([min(max(0, y + h), height) for _, y, _, h in boxes], np.int64)
        spans = np.array([(min(max(0, x), width), min(max(0, x + w), width)) for x, _, w, _ in boxes], np.int64)
        tall = np.maximum(ends - tops, 0)
        region = np.repeat(np.arange(len(boxes)), tall)
        row = np.arange(tall.sum()) - np.repeat(np.cumsum(tall) - tall, tall) + np.repeat(tops, tall)
        rows = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=height)))).astype(np.int64)
        listed = region[np.argsort(row, kind="stable")].astype(np.int64)
        return _Regions(len(boxes), overflow, rows, listed, spans)


def _boxes(regions: Regions, size: tuple[int, int], given: object) -> tuple[list[Box], int]:
    if regions.kind == "whole":
        return [(0, 0, size[1], size[0])], 0
    if regions.kind == "grid":
        w, h = regions.width, regions.height
        return [(x, y, w, h) for y in range(0, size[0], h) for x in range(0, size[1], w)], 0
    boxes: list[Box] = []
    for box in given if isinstance(given, tuple) else ():
        if not isinstance(box, tuple) or len(box) != 4:
            raise DefinitionError(f"a region is (x, y, width, height), not {box!r}")
        left, top, w, h = (round(v) for v in box)
        boxes.append((left, top, w, h))
    return boxes[: regions.capacity], max(0, len(boxes) - regions.capacity)


class _ReductionFiller:
    """Regional sums and extrema."""

    def __init__(self, table: Reduction, type_: TableType, index: int, strips: int) -> None:
        self.table, self.type, self.index, self.strips = table, type_, index, strips
        self.size = joint_table_size(table)
        self.places = table.regions.count(self.size)
        self.starts = [neutral(column.kind, column.dtype) for column in table.columns]
        self.frame_bytes = strips * self.places * sum(column.dtype.itemsize for column in table.columns)
        self.parts: list[np.ndarray] = []
        self.frames = -1
        self.given: object = self  # nothing that anybody gives
        self.regions: _Regions

    def begin(self, frames: int, arguments: Arguments, params: Mapping[str, Value]) -> None:
        given = params[self.table.regions.boxes] if self.table.regions.boxes else None
        if self.given is self or self.given != given:
            self.given, self.regions = given, _Regions.of(self.table.regions, self.size, given)
            arguments.set(f"rows:{self.index}", self.regions.rows.ctypes.data)
            arguments.set(f"list:{self.index}", self.regions.listed.ctypes.data)
            arguments.set(f"spans:{self.index}", self.regions.spans.ctypes.data)
        if self.frames != frames:
            self.frames = frames
            shape = (self.strips, frames, self.places)
            self.parts = [np.empty(shape, column.dtype.numpy) for column in self.table.columns]
            for column, part in zip(self.table.columns, self.parts, strict=True):
                arguments.set(f"table:{self.index}:{column.name}", _parts(part))
        for part, start in zip(self.parts, self.starts, strict=True):
            part.fill(start)

    def tables(self) -> list[Table]:
        rows = np.zeros((self.frames, self.regions.count), self.type.numpy)
        for column, part in zip(self.table.columns, self.parts, strict=True):
            every = part[:, :, : self.regions.count]
            if column.kind in ("sum", "count"):
                rows[column.name] = every.sum(axis=0)
            else:
                best = every.min(axis=0) if column.kind == "min" else every.max(axis=0)
                rows[column.name] = best + best.dtype.type(0)  # no -0
        return [Table(row, self.regions.overflow) for row in rows]


class _CandidatesFiller:
    """Lists of candidates: the strips' lists one after another."""

    def __init__(self, table: Candidates, type_: TableType, index: int, strips: int) -> None:
        self.capacity, self.type, self.index, self.strips = table.capacity, type_.numpy, index, strips
        self.frame_bytes = strips * table.capacity * self.type.itemsize
        self.frames = -1
        self.rows, self.counts = np.empty(0), np.empty(0)

    def begin(self, frames: int, arguments: Arguments, params: Mapping[str, Value]) -> None:
        del params
        if self.frames != frames:
            self.frames = frames
            self.rows = np.empty((self.strips, frames, self.capacity), self.type)
            self.counts = np.empty((self.strips, frames), np.int64)
            arguments.set(f"table:{self.index}", _parts(self.rows))
            arguments.set(f"count:{self.index}", _parts(self.counts))
        self.counts.fill(0)

    def tables(self) -> list[Table]:
        made = []
        for t in range(self.frames):
            counts = [int(n) for n in self.counts[:, t]]
            parts: Sequence[np.ndarray] = [self.rows[i, t, : min(n, self.capacity)] for i, n in enumerate(counts)]
            made.append(Table(np.concatenate(parts)[: self.capacity], max(0, sum(counts) - self.capacity)))
        return made
