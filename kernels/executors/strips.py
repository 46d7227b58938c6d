"""One compiled pass at work: its strips, their memory and argument blocks, and the tables that they fill."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.codegen.layout import FIXED, Kernel
from kernels.codegen.tables import neutral
from kernels.errors import DefinitionError
from kernels.executors.machine import Library
from kernels.executors.workers import Workers
from kernels.fusion.rows import Access
from kernels.ir.body import Body, Output
from kernels.ir.image import DType
from kernels.ir.table import Candidates, Reduction, Regions, Table, TableType, joint_table_size
from kernels.param import Value

_SLOT = {name: i for i, name in enumerate(FIXED)}
Box = tuple[int, int, int, int]


def aligned(size: int) -> np.ndarray:
    """Zeroed bytes from a multiple of 64 on."""
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


@dataclass(slots=True)
class _Strip:
    """Rows [first, last), and memory for the rows [low, high) that they take."""

    first: int
    last: int
    low: int
    high: int
    arguments: np.ndarray
    scratch: np.ndarray
    states: dict[str, np.ndarray]


class PassRunner:
    """Runs one pass over batches; keeps the states of its recurrences."""

    def __init__(self, body: Body, kernel: Kernel, workers: Workers, library: Library) -> None:
        self.body, self.kernel = body, kernel
        self._function, self._workers, self._library = library.address(kernel.name), workers, library
        height = kernel.plan.size[0]
        count = min(workers.threads, height)
        edges = [height * i // count for i in range(count + 1)]
        self._strips = [self._strip(a, b) for a, b in itertools.pairwise(edges)]
        self._where = np.array([strip.arguments.ctypes.data for strip in self._strips], np.int64)
        self._params = [(i, name.partition(":")[2]) for i, name in enumerate(kernel.slots) if name.startswith("param:")]
        items = [item for group in kernel.plan.groups for item in group.items]
        tables = {item.index for item in items if item.kind in ("reduction", "candidates")}
        self._tables = [(i, body.outputs[i]) for i in sorted(tables)]
        self._given: dict[int, Value] = {}
        self._regions: dict[int, tuple[object, _Regions]] = {}

    def _strip(self, first: int, last: int) -> _Strip:
        kernel = self.kernel
        low, high = kernel.plan.strip(first, last)
        strip = _Strip(first, last, low, high, np.zeros(len(kernel.slots), np.int64), aligned(kernel.scratch), {})
        for name, store in kernel.states.items():
            item = store.plane.dtype.itemsize
            strip.states[name] = aligned((high - low) * store.pitch * item)
            start = strip.states[name].ctypes.data + (store.lead_in - low * store.pitch) * item
            strip.arguments[kernel.slots.index(f"state:{name}")] = start
        for fill in kernel.fills:
            type_ = fill.dtype.numpy
            end = fill.offset + fill.count * type_.itemsize
            strip.scratch[fill.offset : end].view(type_)[:] = fill.value
        strip.arguments[_SLOT["first_row"]], strip.arguments[_SLOT["last_row"]] = first, last
        strip.arguments[_SLOT["scratch"]] = strip.scratch.ctypes.data
        return strip

    def _rows_of(self, strip: _Strip, name: str) -> np.ndarray:
        """The rows [low, high) of a state."""
        store = self.kernel.states[name]
        rows = strip.states[name].view(store.plane.dtype.numpy).reshape(strip.high - strip.low, store.pitch)
        return rows[:, store.lead_in : store.lead_in + store.size[1]]

    def forget(self) -> None:
        """Nothing to do: the first frame writes every state before it is read."""

    def state(self, name: str) -> np.ndarray:
        """A copy of a recurrence's value."""
        whole = np.empty(self.kernel.plan.size, self.kernel.states[name].plane.dtype.numpy)
        for strip in self._strips:
            own = slice(strip.first - strip.low, strip.last - strip.low)
            whole[strip.first : strip.last] = self._rows_of(strip, name)[own]
        return whole

    def set_state(self, name: str, whole: np.ndarray) -> None:
        for strip in self._strips:
            self._rows_of(strip, name)[...] = whole[strip.low : strip.high]

    def run(
        self, frames: int, first: bool, addresses: Callable[[Access], Sequence[int]], params: Mapping[str, Value]
    ) -> dict[int, list[Table]]:
        """One batch; returns the tables by the number of their output."""
        kernel = self.kernel
        images = np.array([addresses(access) for access in kernel.accesses], np.int64)
        for i, name in self._params:
            value = params[name]
            if self._given.get(i) is not value:
                self._given[i] = value
                bits = _bits(value, self.body.live[name])
                for strip in self._strips:
                    strip.arguments[i] = bits
        makers = [(i, _maker(output, params, frames, self)) for i, output in self._tables]
        for number, strip in enumerate(self._strips):
            block = strip.arguments
            block[_SLOT["frames"]], block[_SLOT["is_first"]] = frames, first
            block[_SLOT["images"]] = images.ctypes.data
            for i, maker in makers:
                maker.arm(number, len(self._strips), lambda name, block=block: self._slot(block, name), i)
        self._workers.run(self._function, self._where)
        return {i: maker.tables() for i, maker in makers}

    def _slot(self, block: np.ndarray, name: str) -> Callable[[int], None]:
        def put(value: int) -> None:
            block[self.kernel.slots.index(name)] = value

        return put

    def regions(self, index: int, regions: Regions, size: tuple[int, int], params: Mapping[str, Value]) -> _Regions:
        """The regions of a reduction as lists by row; made again when the boxes change."""
        given = params[regions.boxes] if regions.boxes else None
        known = self._regions.get(index)
        if known is None or known[0] != given:
            known = self._regions[index] = (given, _Regions.of(regions, size, given))
        return known[1]


def _bits(value: Value, dtype: DType | None) -> int:
    assert dtype is not None
    raw = np.zeros(8, np.uint8)
    one = np.asarray(value, dtype.numpy).reshape(1).view(np.uint8)
    raw[: len(one)] = one
    return int(raw.view(np.int64)[0])


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


class _ReductionMaker:
    """Tables of regional sums and extrema over a batch."""

    def __init__(self, table: Reduction, type_: TableType, frames: int, regions: _Regions, places: int) -> None:
        self.table, self.type, self.frames, self.regions, self.places = table, type_, frames, regions, places
        self.parts: list[list[np.ndarray]] = []

    def arm(self, _strip: int, _strips: int, slot: Callable[[str], Callable[[int], None]], index: int) -> None:
        slot(f"rows:{index}")(self.regions.rows.ctypes.data)
        slot(f"list:{index}")(self.regions.listed.ctypes.data)
        slot(f"spans:{index}")(self.regions.spans.ctypes.data)
        part = []
        for column in self.table.columns:
            start = neutral(column.kind, column.dtype)
            part.append(np.full((self.frames, self.places), start, column.dtype.numpy))
            slot(f"table:{index}:{column.name}")(part[-1].ctypes.data)
        self.parts.append(part)

    def tables(self) -> list[Table]:
        rows = np.zeros((self.frames, self.regions.count), self.type.numpy)
        for i, column in enumerate(self.table.columns):
            every = np.stack([part[i] for part in self.parts])[:, :, : self.regions.count]
            if column.kind in ("sum", "count"):
                rows[column.name] = every.sum(axis=0)
            else:
                best = every.min(axis=0) if column.kind == "min" else every.max(axis=0)
                rows[column.name] = best + best.dtype.type(0)  # no -0
        return [Table(row, self.regions.overflow) for row in rows]


class _CandidatesMaker:
    """Lists of candidates over a batch: the strips' lists one after another."""

    def __init__(self, table: Candidates, type_: TableType, frames: int) -> None:
        self.table, self.type, self.frames = table, type_, frames
        self.parts: list[tuple[np.ndarray, np.ndarray]] = []

    def arm(self, _strip: int, _strips: int, slot: Callable[[str], Callable[[int], None]], index: int) -> None:
        part = np.empty((self.frames, self.table.capacity), self.type.numpy), np.zeros(self.frames, np.int64)
        self.parts.append(part)
        slot(f"table:{index}")(part[0].ctypes.data)
        slot(f"count:{index}")(part[1].ctypes.data)

    def tables(self) -> list[Table]:
        capacity, made = self.table.capacity, []
        for t in range(self.frames):
            rows = np.concatenate([part[t, : min(int(n[t]), capacity)] for part, n in self.parts])[:capacity]
            made.append(Table(rows, max(0, sum(int(n[t]) for _, n in self.parts) - capacity)))
        return made


def _maker(output: Output, params: Mapping[str, Value], frames: int, runner: PassRunner) -> Any:
    table = output.table
    assert isinstance(output.type, TableType)
    if isinstance(table, Candidates):
        return _CandidatesMaker(table, output.type, frames)
    assert isinstance(table, Reduction)
    size = joint_table_size(table)
    index = runner.body.outputs.index(output)
    return _ReductionMaker(table, output.type, frames, runner.regions(index, table.regions, size, params),
                           table.regions.count(size))  # fmt: skip
