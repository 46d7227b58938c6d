"""One compiled pass at work: the parts that threads claim, their memory and their argument blocks.

A part is a strip of rows through all frames of a batch, where states go from frame to frame. A pass in which no frame
waits for another (and without tables, of which every strip fills its own) is cut into runs of frames instead, wherever
these share out evenly: nothing beyond a strip is made twice then, and there are more parts than threads, so that a
thread that others keep from its processor holds the batch up by a part at most.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kernels.codegen.layout import FIXED
from kernels.codegen.pool import MOST
from kernels.executors.machine import Library
from kernels.executors.manifest import PassPlan
from kernels.executors.memory import aligned
from kernels.executors.table_assembly import filler
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
PARTS = 4
"""Runs of frames for each thread: each has scratch memory of its own, which it first meets in the second cache."""
UNEVEN = 16
"""A thread may have one frame more than others where each has so many."""


def strip_count(plan: PassPlan, threads: int, near: int, least: int) -> int:
    """Into how many strips the rows of a pass are cut.

    Args:
        threads: that share them.
        near: bytes of the shared cache for the states of the strips at work. If all states together are more than
            `FAR` times that, a batch goes through thinner strips one after another, each with its states still near
            from frame to frame; with less, whole strips are quicker, since their frames are read in one go.
        least: pixels of a strip that is worth handing over.
    """
    # Not more strips than rows, nor smaller ones than worth a hand-over.
    count = min(threads, plan.height, max(1, plan.height * plan.width // least))
    # Very large images without states go in thin strips, so that memory can be given back behind them.
    if not plan.states and not plan.tables and plan.height * plan.width > threads * MUCH:
        return max(count, min(-(-plan.height * plan.width // MUCH), plan.height // THIN))
    if count == threads:
        states = sum(rows.size for rows in plan.states.values())
        if states > FAR * near:
            count *= max(1, min(-(-states // near), plan.height // (THIN * threads), MOST // threads))
    return count


@dataclass(frozen=True, slots=True)
class _Part:
    """What a thread claims: rows [top, end) of the columns [left, right) of the frames [first, last)."""

    top: int
    end: int
    left: int
    right: int
    first: int
    last: int


def frame_runs(frames: int, threads: int, most: int) -> list[tuple[int, int]]:
    """Runs [first, last) of frames for parts 0, 1, ...: those of a thread, which are its own by their number modulo
    `threads`, follow one another. Nothing where frames do not share out evenly.

    Args:
        most: runs.

    >>> frame_runs(8, 2, 4), frame_runs(3, 2, 4)
    ([(0, 2), (4, 6), (2, 4), (6, 8)], [])
    """
    each = min(PARTS, most // threads, frames // threads)
    if threads < 2 or not each or (frames % threads and frames < UNEVEN * threads):
        return []
    edges = [frames * i // (threads * each) for i in range(threads * each + 1)]
    return [(edges[k * each + j], edges[k * each + j + 1]) for j in range(each) for k in range(threads)]


@dataclass(slots=True)
class _Strip:
    """The memory of a part with states: the rows [low, high) of each that it takes."""

    part: _Part
    low: int
    high: int
    states: dict[str, np.ndarray]


class PassRunner:
    """Runs one pass over batches; keeps the states of its recurrences.

    Args:
        body: what the program was made of.
        plan: the pass.
        count: strips, each of which is worked on in the blocks of `plan.columns`, as long as `MOST` allows.
        least: pixels of a batch for each thread that takes part of it.
        workers: who runs them.
        library: the code.
    """

    def __init__(
        self, body: Body, plan: PassPlan, count: int, least: int, workers: Workers, library: Library
    ) -> None:  # fmt: skip
        self.plan, self._least = plan, least
        self._library, self._workers = library, workers
        self._function = library.address(plan.name)
        edges = [plan.height * i // count for i in range(count + 1)]
        together = count if count <= MOST else min(workers.threads, MOST)  # strips that are worked on at a time
        sides = plan.columns if (len(plan.columns) - 1) * together <= MOST else ()
        self._sides = list(itertools.pairwise(sides or (0, plan.width)))
        self._tiles: list[tuple[int, int, int, int]] = []
        self._tile_groups: list[tuple[int, int, int]] = []  # the first tile, how many, the row behind them
        # The pool takes at most MOST strips at a time: groups one after another.
        for at in range(0, count, together):
            some = edges[at : at + together + 1]
            begin = len(self._tiles)
            self._tiles += [(a, b, c, d) for c, d in self._sides for a, b in itertools.pairwise(some)]
            self._tile_groups.append((begin, len(self._tiles) - begin, some[-1]))
        self._groups = self._tile_groups
        count = len(self._tiles)
        self._slots = {name: i for i, name in enumerate(plan.slots)}
        # One block a part; those beyond the strips are for runs of frames.
        waits = any(access.dt and access.kind != "input" for access in plan.accesses)  # a frame for the one before
        self._by_frames = not (plan.states or plan.tables or waits) and workers.threads > 1
        room = max(count, MOST) if self._by_frames else count
        self._arguments = np.zeros((room, -(-len(plan.slots) // 8) * 8), np.int64)
        self._scratch: list[np.ndarray] = []
        self._strips = [self._strip(i, _Part(*tile, 0, 0)) for i, tile in enumerate(self._tiles) if plan.states]
        self._where = self._arguments.ctypes.data + self._arguments.strides[0] * np.arange(room)
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

    def _strip(self, number: int, part: _Part) -> _Strip:
        plan = self.plan
        # A strip brings its neighbours' rows forward itself, as far as it looks at them.
        low, high = max(0, part.top - plan.up), min(plan.height, part.end + plan.down)
        strip = _Strip(part, low, high, {})
        block = self._arguments[number]
        for name, rows in plan.states.items():
            item = rows.dtype.itemsize
            strip.states[name] = aligned((high - low) * rows.pitch * item)
            # The address of row 0 as if it were there: machine code counts rows of the image.
            start = strip.states[name].ctypes.data + (rows.lead_in - low * rows.pitch) * item
            block[self._slots[f"state:{name}"]] = start
        return strip

    def _share_out(self, frames: int) -> None:
        """Cut a batch of `frames` into parts."""
        parts = self._frame_parts(frames) if self._by_frames else []
        self._groups = [(0, len(parts), self.plan.height)] if parts else self._tile_groups
        parts = parts or [_Part(*tile, 0, frames) for tile in self._tiles]
        for number, part in enumerate(parts):
            block = self._arguments[number]
            # Made at the first use: parts of frames may never come.
            if number == len(self._scratch):
                self._scratch.append(self._filled_scratch())
                block[_SLOT["scratch"]] = self._scratch[number].ctypes.data
            block[_SLOT["first_row"]], block[_SLOT["last_row"]] = part.top, part.end
            block[_SLOT["first_frame"]], block[_SLOT["last_frame"]] = part.first, part.last
            if self.plan.columns:
                block[self._slots["first_column"]], block[self._slots["last_column"]] = part.left, part.right

    @property
    def parts(self) -> int:
        """Into how many parts the last batch was cut."""
        return sum(count for _, count, _ in self._groups)

    def _frame_parts(self, frames: int) -> list[_Part]:
        """Whole frames, in their blocks of columns; nothing where strips share a batch more evenly."""
        pixels = frames * self.plan.height * self.plan.width
        threads = min(self._workers.threads, pixels // self._least)
        threads = threads if threads > 1 else 1
        runs = frame_runs(frames, threads, MOST // len(self._sides))
        # Threads side by side take blocks of the same columns.
        return [_Part(0, self.plan.height, *side, *run) for j in range(0, len(runs), threads) for side in self._sides
                for run in runs[j : j + threads]]  # fmt: skip

    def _filled_scratch(self) -> np.ndarray:
        scratch = aligned(self.plan.scratch)
        for offset, value, count in self.plan.fills:
            one = np.frombuffer(bytes.fromhex(value), np.uint8)
            scratch[offset : offset + count * len(one)] = np.tile(one, count)
        return scratch

    def _rows_of(self, strip: _Strip, name: str) -> np.ndarray:
        """The rows [low, high) of a state."""
        known = self.plan.states[name]
        rows = strip.states[name].view(known.dtype.numpy).reshape(strip.high - strip.low, known.pitch)
        return rows[:, known.lead_in : known.lead_in + known.width]

    def state(self, name: str) -> np.ndarray:
        """A copy of a recurrence's value."""
        whole = np.empty((self.plan.height, self.plan.width), self.plan.states[name].dtype.numpy)
        for strip in self._strips:
            part = strip.part
            own, columns = slice(part.top - strip.low, part.end - strip.low), slice(part.left, part.right)
            whole[part.top : part.end, columns] = self._rows_of(strip, name)[own, columns]
        return whole

    def set_state(self, name: str, whole: np.ndarray) -> None:
        for strip in self._strips:
            self._rows_of(strip, name)[...] = whole[strip.low : strip.high]

    def set(self, slot: str, values: np.ndarray | int) -> None:
        """See `kernels.executors.table_assembly.Arguments`."""
        self._arguments[:, self._slots[slot]] = values

    def begin(self, frames: int) -> None:
        """Make room for the addresses of a batch of `frames`."""
        if frames != self._frames:
            self._frames = frames
            self._images = np.zeros((len(self.plan.accesses), frames), np.int64)
            self._steps = np.arange(frames)
            self._bases = [0] * len(self._images)
            self._share_out(frames)
            self.set("frames", frames)
            self.set("images", self._images.ctypes.data)

    def even(self, row: int, base: int, step: int) -> None:
        """The frames of access `row` lie at base, base + step, ..."""
        # Mostly the same arrays come again: no table is written.
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
            # By identity: values that did not change are the same object.
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
