"""One compiled pass at work: its strips, their memory and their argument blocks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kernels.codegen.layout import FIXED
from kernels.codegen.pool import MOST
from kernels.executors.filling import filler
from kernels.executors.machine import Library
from kernels.executors.manifest import PassPlan
from kernels.executors.memory import aligned
from kernels.executors.workers import Workers
from kernels.ir.body import Body
from kernels.ir.image import DType
from kernels.ir.table import Table
from kernels.param import Value

_SLOT = {name: i for i, name in enumerate(FIXED)}
FAR = 4
"""How many times the room for states near the processors leave none of them near."""
MUCH = 4_000_000
"""Pixels of a strip of a very large image whose memory is spared (`kernels.executors.sparing`)."""
THIN = 32
"""Rows of a strip that is made thinner than the threads need."""



def strip_count(plan: PassPlan, threads: int, near: int, least: int) -> int:
    """Into how many strips the rows of a pass are cut.

    Args:
        threads: that share them.
        near: bytes of the shared cache for the states of the strips at work. If all states together are more than
            `FAR` times that, a batch goes through thinner strips one after another, each with its states still near
            from frame to frame; with less, whole strips are quicker, since their frames are read in one go.
        least: pixels of a strip that is worth handing over.
    """
    count = min(threads, plan.height, max(1, plan.height * plan.width // least))
    if not plan.states and not plan.tables and plan.height * plan.width > threads * MUCH:
        return max(count, min(-(-plan.height * plan.width // MUCH), plan.height // THIN))
    if count == threads:
        states = sum(rows.size for rows in plan.states.values())
        if states > FAR * near:
            count *= max(1, min(-(-states // near), plan.height // (THIN * threads), MOST // threads))
    return count


@dataclass(slots=True)
class _Strip:
    """Rows [first, last) of the columns [left, right), and memory for the rows [low, high) that they take."""

    first: int
    last: int
    left: int
    right: int
    low: int
    high: int
    scratch: np.ndarray
    states: dict[str, np.ndarray]


class PassRunner:
    """Runs one pass over batches; keeps the states of its recurrences.

    Args:
        body: what the program was made of.
        plan: the pass.
        count: strips, each of which is worked on in the blocks of `plan.columns`, as long as `MOST` allows.
        workers: who runs them.
        library: the code.
    """

    def __init__(self, body: Body, plan: PassPlan, count: int, workers: Workers, library: Library) -> None:
        self.plan = plan
        self._library, self._workers = library, workers
        self._function = library.address(plan.name)
        edges = [plan.height * i // count for i in range(count + 1)]
        together = count if count <= MOST else min(workers.threads, MOST)  # strips that are worked on at a time
        sides = plan.columns if (len(plan.columns) - 1) * together <= MOST else ()
        sides = sides or (0, plan.width)
        tiles: list[tuple[int, int, int, int]] = []
        self._groups: list[tuple[int, int, int]] = []  # the first tile, how many, the row behind them
        for at in range(0, count, together):
            some = edges[at : at + together + 1]
            begin = len(tiles)
            tiles += [(a, b, c, d) for c, d in itertools.pairwise(sides) for a, b in itertools.pairwise(some)]
            self._groups.append((begin, len(tiles) - begin, some[-1]))
        count = len(tiles)
        self._slots = {name: i for i, name in enumerate(plan.slots)}
        self._arguments = np.zeros((count, -(-len(plan.slots) // 8) * 8), np.int64)
        self._strips = [self._strip(i, *tile) for i, tile in enumerate(tiles)]
        self._where = self._arguments.ctypes.data + self._arguments.strides[0] * np.arange(count)
        self._where_at = self._where.ctypes.data
        names = [(i, name.partition(":")[2]) for i, name in enumerate(plan.slots) if name.startswith("param:")]
        self._params = [(i, name, body.live[name]) for i, name in names]
        self._given: dict[int, Value] = {}
        self._fillers = [(i, filler(body.outputs[i], i, count)) for i in plan.tables]
        self.table_bytes = sum(f.frame_bytes for _, f in self._fillers)
        self._frames = -1
        self._first: bool | None = None
        self._images = np.zeros((len(plan.accesses), 0), np.int64)
        self._steps = np.zeros(0, np.int64)
        self._bases: list[int] = []

    def _strip(self, number: int, first: int, last: int, left: int, right: int) -> _Strip:
        plan = self.plan
        low, high = max(0, first - plan.up), min(plan.height, last + plan.down)
        strip = _Strip(first, last, left, right, low, high, aligned(plan.scratch), {})
        block = self._arguments[number]
        for name, rows in plan.states.items():
            item = rows.dtype.itemsize
            strip.states[name] = aligned((high - low) * rows.pitch * item)
            start = strip.states[name].ctypes.data + (rows.lead_in - low * rows.pitch) * item
            block[self._slots[f"state:{name}"]] = start
        for offset, value, count in plan.fills:
            one = np.frombuffer(bytes.fromhex(value), np.uint8)
            strip.scratch[offset : offset + count * len(one)] = np.tile(one, count)
        block[_SLOT["first_row"]], block[_SLOT["last_row"]] = first, last
        block[_SLOT["scratch"]] = strip.scratch.ctypes.data
        if plan.columns:
            block[self._slots["first_column"]], block[self._slots["last_column"]] = left, right
        return strip

    def _rows_of(self, strip: _Strip, name: str) -> np.ndarray:
        """The rows [low, high) of a state."""
        known = self.plan.states[name]
        rows = strip.states[name].view(known.dtype.numpy).reshape(strip.high - strip.low, known.pitch)
        return rows[:, known.lead_in : known.lead_in + known.width]

    def state(self, name: str) -> np.ndarray:
        """A copy of a recurrence's value."""
        whole = np.empty((self.plan.height, self.plan.width), self.plan.states[name].dtype.numpy)
        for strip in self._strips:
            own, columns = slice(strip.first - strip.low, strip.last - strip.low), slice(strip.left, strip.right)
            whole[strip.first : strip.last, columns] = self._rows_of(strip, name)[own, columns]
        return whole

    def set_state(self, name: str, whole: np.ndarray) -> None:
        for strip in self._strips:
            self._rows_of(strip, name)[...] = whole[strip.low : strip.high]

    def set(self, slot: str, values: np.ndarray | int) -> None:
        """See `kernels.executors.filling.Arguments`."""
        self._arguments[:, self._slots[slot]] = values

    def begin(self, frames: int) -> None:
        """Make room for the addresses of a batch of `frames`."""
        if frames != self._frames:
            self._frames = frames
            self._images = np.zeros((len(self.plan.accesses), frames), np.int64)
            self._steps = np.arange(frames)
            self._bases = [0] * len(self._images)
            self.set("frames", frames)
            self.set("images", self._images.ctypes.data)

    def even(self, row: int, base: int, step: int) -> None:
        """The frames of access `row` lie at base, base + step, ..."""
        if self._bases[row] != base:
            self._bases[row] = base
            if self._frames == 1:
                self._images[row, 0] = base
            else:
                self._images[row] = base + step * self._steps

    def anywhere(self, row: int, addresses: list[int]) -> None:
        """The frames of access `row` lie at these addresses."""
        self._bases[row] = 0
        self._images[row] = addresses

    def run(
        self, first: bool, params: Mapping[str, Value], made: Callable[[int], None] | None = None
    ) -> dict[int, list[Table]]:
        """The batch for which `begin` was called; returns the tables by the number of their output.

        Args:
            made: told, from the top down, before which row all is made.
        """
        if first is not self._first:
            self._first = first
            self.set("is_first", int(first))
        for i, name, dtype in self._params:
            value = params[name]
            if self._given.get(i) is not value:
                self._given[i] = value
                self._arguments[:, i] = _bits(value, dtype)
        for _, table in self._fillers:
            table.begin(self._frames, self, params)
        for begin, count, row in self._groups:
            self._workers.run(self._function, self._where_at + begin * self._where.itemsize, count)
            if made is not None:
                made(row)
        return {i: table.tables() for i, table in self._fillers}


def _bits(value: Value, dtype: DType | None) -> int:
    assert dtype is not None
    raw = np.zeros(8, np.uint8)
    one = np.asarray(value, dtype.numpy).reshape(1).view(np.uint8)
    raw[: len(one)] = one
    return int(raw.view(np.int64)[0])
