"""The cost of one group for all its tiles: bytes, operations, time.

Counting rules, for a group cut into n boxes of bx x by pixels and bt frames, per frame:

* **Inputs** are read once a box, halo included: n s (bx + 2RX)(by + 2RY)(bt + TAU), less at the image's edges.
* **Outputs**: s bx by bt a box, of what another group or the outside reads.
* **A recurrence's state** is read once every bt frames where the group needs it, halo included, and written once every
  bt frames where the box owns it: s [(bx + 2RX)(by + 2RY) + bx by] / bt a box and frame. Where the recurrence's value
  leaves the group anyway, that output is the state, and is not written twice.
* **A history** (a look back at a value made in the group) is carried like a state, TAU frames of it; or the group
  computes bt + TAU frames, which needs no state. The cheaper of the two is taken.
* These bytes are the *traffic* of the shared cache. DRAM sees less of it: a value between groups stays in the cache
  when two batches of it fit (by the time it is read, about as much of other data has gone by); a state when it and a
  batch of the group's inputs and outputs fit; and the halo is not fetched twice when a row of tiles fits.
* On a CPU a group marches down a strip of whole rows, so nothing is computed twice but at the seams of strips; the
  state of a strip goes through the core's own cache every frame, and through the shared one where it does not fit.
  Arithmetic there counts every instruction: looks and the moving of rows take the same places as sums do, and each
  row of a loop has a price of its own.
* **Layers of networks** on a CPU: a frame goes through all of a group's layers, rows as they are needed; threads share
  frames, or the rows of a single one, so nothing beyond a strip is computed twice to speak of. Where rows and weights
  are more than a core's own cache, the program cuts the way of a frame into runs that fit
  (`kernels.fusion.layers_runs`), so a larger group has no larger share of that. What enters and leaves, and the weights
  once a frame, go through the shared cache, and there the core waits for them.
* **Layers of networks** on a GPU: the program of a group is cut into modules that fit (`kernels.fusion.modules`), so
  that no group of layers is too large. Until that is done, each value between two of its layers counts once, as if
  every other one stayed inside a module.
* A multiply-add counts as the operations that take as long: `arithmetic`.

time = max(DRAM, cache, near memory, arithmetic) + launch / batch. Without a cache (cache_bytes = 0) DRAM is the
traffic: the published figures for the seed chain follow from these rules to the printed digit (tests/pipelines/
planning/test_figures.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np

from kernels.executors.base import DeviceModel
from kernels.fusion.occupancy import SHARED, blocks_held
from pipelines.graph import Ref
from pipelines.planning.plan import Halo
from pipelines.planning.scratchpad import Held, held
from pipelines.planning.tiling import Flags, Grid, Vector
from pipelines.planning.workload import Read, Task, Value, Workload

RESOURCES = ("DRAM", "cache", "near memory", "arithmetic")
FULL_RATE = 0.25
"""Share of a multiprocessor's threads that hides the latency of arithmetic (several independent pixels a thread)."""
MIN_BLOCKS = 2
"""Blocks a multiprocessor must hold, so that one computes while another waits for its tile."""
WRITTEN_BATCHES = 4
"""On a CPU a buffer is written once a batch: what all groups move until it is written again, about this many batches of
it, must fit the cache, or its lines are fetched before and written back after."""
ALONG = 0.15
"""How much longer the rows of a single frame take for each thread that shares them: rows beyond strips are made twice,
and threads wait for the last of them."""
Extent = tuple[float, float, float, float]
"""Left, right, up, down, in pixels."""
NOTHING: Extent = (0.0, 0.0, 0.0, 0.0)


def arithmetic(task: Task, device: DeviceModel) -> float:
    """Operations a frame (CPU: lanes); multiply-adds of convolutions as those that take the device as long."""
    own = task.lanes if device.kind == "cpu" else task.operations
    floats, whole = task.products(device)
    seconds = floats / device.macs + whole / device.macs_int8
    tensor = {"tf32": (device.tensor_tf32, device.macs), "f16": (device.tensor_f16, device.macs),
              "int8": (device.tensor_int8, device.macs_int8)}  # fmt: skip
    # A device without such cores makes these products as all others.
    for kind, macs in task.tensor:
        cores, without = tensor[kind]
        seconds += macs / (cores or without)
    return own + device.rate * seconds


@dataclass(frozen=True, eq=False)
class Costs:
    """One group, all candidates of its grid: vectors, per frame."""

    grid: Grid
    seconds: Vector
    traffic: Vector
    reads: Vector
    dram: Vector
    near: Vector
    operations: Vector
    on_chip: Vector
    occupancy: Vector
    terms: tuple[Vector, ...]
    launches: Vector
    halo: Halo
    leaving: tuple[Ref, ...]
    entering: tuple[Ref, ...]
    axes: tuple[str, str, str]
    again: Flags | None = None
    best: Vector = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "best", np.minimum.reduceat(self.seconds, self.grid.starts))


class GroupCosts:
    """The computation of one group's costs.

    Args:
        work: the workload.
        used: the tasks that read each value.
        numbers: the group's tasks, in order.
        device: where it runs.
        grid_of: the candidates for an image of width x height.
    """

    def __init__(
        self, work: Workload, used: Mapping[int, Sequence[int]], numbers: Sequence[int], device: DeviceModel,
        grid_of: Callable[[int, int], Grid],
    ) -> None:  # fmt: skip
        self.device, values = device, work.values
        self.cpu = device.kind == "cpu"
        first: dict[str, int] = {}
        same: dict[int, int] = {}  # values of copies -> of the one that is computed
        # Copies of one stage in a group are computed once: their values stand for those of the first.
        tasks: list[Task] = []
        for t in numbers:
            task = work.tasks[t]
            if task.node in first:
                same |= dict(zip(task.writes, work.tasks[first[task.node]].writes, strict=True))
            else:
                first[task.node] = t
                tasks.append(task)
        self.tasks, self.values = tasks, values
        members = frozenset(numbers)
        # What is tapped, read outside, or read by nobody leaves the group.
        leaving = {
            v for t in numbers for v in work.tasks[t].writes
            if values[v].tapped or any(c not in members for c in used[v]) or not used[v]
        }  # fmt: skip
        self.leaving = dict.fromkeys(same.get(v, v) for v in sorted(leaving))
        self.leaves = tuple(dict.fromkeys(values[v].ref for v in sorted(leaving)))
        self.tapped = frozenset(values[v].ref for v in leaving if values[v].tapped)
        self.reads = [[(r, same.get(r.value, r.value)) for r in task.reads] for task in tasks]
        self.inside = {v for task in tasks for v in task.writes}
        # Tiles are cut of the largest image; others have a share of it.
        size = max(((t.width, t.height) for t in tasks), key=lambda s: s[0] * s[1])
        self.grid = grid_of(*size)
        layers = any(task.layer for task in tasks)
        self.layers, self.modules = self.cpu and layers, not self.cpu and layers
        self._propagate()
        self.key = (frozenset(task.node for task in tasks), self.leaves, self.tapped, self._entering())

    def _propagate(self) -> None:
        """Pull the reach of each consumer back to what it consumes, along the longest path."""
        self.need: dict[int, Extent] = {}
        self.past: dict[int, int] = {}
        self.extent: list[Extent] = [NOTHING] * len(self.tasks)
        self.depth = [0] * len(self.tasks)
        # Tasks are in an order in which they can run, so that walking it backwards every reader of a value is done
        # before its producer: the reach is the maximum over all paths, computed once an edge.
        for k in range(len(self.tasks) - 1, -1, -1):
            task = self.tasks[k]
            own = [self.need.get(v, NOTHING) for v in task.writes]
            extent = tuple(max(side) for side in zip(*own, strict=True)) if own else NOTHING
            self.extent[k] = extent
            self.depth[k] = max((self.past.get(v, 0) for v in task.writes), default=0)
            for read, v in self.reads[k]:
                value = self.values[v]
                # Any pixel may be looked at: there is no halo, the value must be there whole.
                if read.whole:
                    self.need.setdefault(v, NOTHING)
                else:
                    needed = _pulled(self.extent[k], read, value.width / task.width, value.height / task.height)
                    before = self.need.get(v, NOTHING)
                    self.need[v] = tuple(map(max, before, needed))  # type: ignore[assignment]
                self.past[v] = max(self.past.get(v, 0), self.depth[k] + read.past)
        self.entering = tuple(v for v in self.need if v not in self.inside)
        self.reach = self.need
        # Layers of networks share the rows of one frame and compute nothing beyond a strip twice (see the module), so
        # no halo enters their areas; `reach` keeps the true one for the report.
        if self.layers or self.modules:
            self.need, self.extent = dict.fromkeys(self.need, NOTHING), [NOTHING] * len(self.tasks)

    def _entering(self) -> tuple[Ref, ...]:
        return tuple(dict.fromkeys(self.values[v].ref for v in sorted(self.entering)))

    def costs(self) -> Costs:
        history = any(r.past and v in self.inside for reads in self.reads for r, v in reads)
        carried = self._costs(True)
        # A state cannot be computed again, and without a history there is nothing to choose.
        if not history or any(task.memories for task in self.tasks):
            return carried
        again = self._costs(False)
        # Carrying a history costs its bytes, computing it again costs operations: which is cheaper differs from tile to
        # tile, hence an element-wise choice of all vectors.
        better = again.seconds < carried.seconds
        vectors = {f.name: np.where(better, getattr(again, f.name), getattr(carried, f.name)) for f in fields(Costs)
                   if f.init and isinstance(getattr(carried, f.name), np.ndarray)}  # fmt: skip
        terms = tuple(np.where(better, a, b) for a, b in zip(again.terms, carried.terms, strict=True))
        return replace(carried, **vectors, terms=terms, again=better, halo=again.halo)

    def _costs(self, carry: bool) -> Costs:
        device, g = self.device, self.grid
        tau = max(self.past.values(), default=0)
        # Without carried histories a box of bt frames computes the tau frames before it too.
        repeat = 1.0 if carry else (g.bt + tau) / g.bt
        moved_in, dram = self._inputs(carry)
        moved_out = np.zeros_like(g.bt)
        frames = sum(self.values[v].frame for v in (*self.entering, *self.leaving))
        for v in self.leaving:
            value = self.values[v]
            moved_out = moved_out + value.frame
            # On a GPU two batches of it must fit: by the time it is read, about as much of other data has gone by.
            batches = WRITTEN_BATCHES if self.cpu else 2
            # What is tapped leaves to the host or to a sink and is written to DRAM whatever the cache holds.
            kept = (batches * g.batch * value.frame <= device.cache_bytes) & (value.ref not in self.tapped)
            dram = dram + np.where(kept, 0.0, value.frame)
        operations, near = np.zeros_like(g.bt), np.zeros_like(g.bt)
        state_near = np.zeros_like(g.bt)
        # Arithmetic of a box with its halo, as a share of that without.
        for task, extent in zip(self.tasks, self.extent, strict=True):
            area = task.width * task.height
            share = g.area(task.width, task.height, *extent) * (repeat / area)
            operations = operations + arithmetic(task, device) * share
            near = near + (task.looked if self.cpu else task.loads) * share
        for size, read, written in self._carried(carry):
            # On a CPU the part of a state that belongs to a strip stays in the core's own cache, if half of that holds
            # it; the other half is for what the strip reads and writes. Then the shared cache sees it once every bt
            # frames, else every frame.
            strip = size / g.rows <= device.near_bytes / 2
            each = np.where(strip, (read + written) / g.bt, read + written) if self.cpu else (read + written) / g.bt
            # The tiny divisor keeps 0 / 0 of a state of no bytes from being NaN.
            share = read / np.maximum(read + written, 1e-300)
            moved_in, moved_out = moved_in + each * share, moved_out + each * (1 - share)
            kept = size + g.batch * frames <= device.cache_bytes
            held = device.units * size / g.rows <= device.cache_bytes / 2  # on a CPU, the strips that are at work
            dram = dram + np.where(kept, 0.0, np.where(held, (read + written) / g.bt, each))
            if self.cpu:
                state_near = state_near + read + written
        # What is looked around in is written to near memory, halo included.
        for v in self._stored():
            value = self.values[v]
            near = near + value.bytes * g.area(value.width, value.height, *self.need[v]) * repeat
        weights = self._held.weights + self._held.again if device.scratchpad else self._weights()
        moved_in = moved_in + weights
        # Without a cache weights come from DRAM.
        if device.scratchpad:
            dram = dram + weights
        # Until modules are cut, every value between two layers counts as moved once.
        if self.modules:
            moved_in = moved_in + sum(self.values[v].frame for v in self.inside - self.leaving.keys())
        traffic = moved_in + moved_out
        near = near + state_near
        on_chip, fits, occupancy, busy = self._strip() if self.cpu else self._block(carry)
        # Rings larger than a core's own cache go through the shared one.
        spilled = traffic
        if self.cpu and not self.layers:
            spilled = traffic + np.where(on_chip > device.near_bytes, near, 0.0)
        moving, computing = near / (device.near * busy[0]), operations / (device.rate * busy[1])
        if self.cpu:  # what is read, written and computed shares the core's instructions
            moving = moving + traffic / (device.near * busy[0])
            computing = computing + moving + self._rows() * device.row / (device.units * busy[1])
        if self.layers:
            computing = computing + spilled / (device.cache * busy[1])
        # The roofline model (Williams, Waterman, Patterson, Comm. ACM 52(4), 65, 2009): resources work at the same
        # time, so that the slowest decides.
        terms = (dram / device.dram, spilled / device.cache, moving, computing)
        seconds = np.maximum.reduce(terms) + device.launch / g.batch
        whole = [r.left + r.right + r.up + r.down for reads in self.reads for r, v in reads if v in self.inside]
        wide = any(w > 0 for w in whole)
        states = any(task.memories for task in self.tasks) or (carry and any(True for _ in self._histories()))
        axes = ("cached" if self.cpu else "recomputed", "cached" if self.cpu else "recomputed") if wide else ("-", "-")
        left, right, up, down = (math.ceil(max((self.reach[v][k] for v in self.entering), default=0)) for k in range(4))
        past = max((self._direct(v) if carry else self.past[v] for v in self.entering), default=0)
        return Costs(
            g, np.where(fits, seconds, np.inf), traffic, moved_in, dram, near, operations, on_chip, occupancy, terms,
            1.0 / g.batch, Halo(left, right, up, down, past), self.leaves, self._entering(),
            (*axes, "carried" if states else "-"),
        )  # fmt: skip

    def _inputs(self, carry: bool) -> tuple[Vector, Vector]:
        """Bytes of the inputs that boxes read, and those that come from DRAM."""
        device, g = self.device, self.grid
        moved, dram = np.zeros_like(g.bt), np.zeros_like(g.bt)
        for v in self.entering:
            value = self.values[v]
            past = self.past[v] if not carry else self._direct(v)
            need = self.need[v]
            # Of bt frames together bt + past are looked at.
            bytes_ = value.bytes * g.area(value.width, value.height, *need) * ((g.bt + past) / g.bt) + value.table
            moved = moved + bytes_
            # Bytes of a row of boxes of this input with its halo, for all frames that are looked at.
            row = value.bytes * value.width * (g.by * (value.height / g.height) + need[2] + need[3]) * (past + 1)
            # Neighbouring boxes share their halo. If two rows of boxes of this input fit the cache, the second finds
            # the halo there, and DRAM gives each byte once.
            fetched = np.where(2 * row * (1 if not past else g.rows) <= device.cache_bytes, value.frame, bytes_)
            # What a group before has made may still be in the cache; the source (value 0) never is.
            kept = (2 * g.batch * value.frame <= device.cache_bytes) & (v != 0)
            dram = dram + np.where(kept, 0.0, fetched)
        return moved, dram

    def _direct(self, v: int) -> int:
        """Frames back that input v itself is looked at, where histories of later values are carried."""
        return max((r.past for reads in self.reads for r, value in reads if value == v), default=0)

    def _histories(self) -> list[tuple[int, int]]:
        """Values made here that somebody here looks back at, and how far."""
        back: dict[int, int] = {}
        for reads in self.reads:
            for read, v in reads:
                if read.past and v in self.inside:
                    back[v] = max(back.get(v, 0), read.past)
        return list(back.items())

    def _carried(self, carry: bool) -> list[tuple[float, Vector, Vector]]:
        """For each state: bytes of all of it, bytes read every bt frames (halo included), bytes written then."""
        g, found = self.grid, []
        for task, extent in zip(self.tasks, self.extent, strict=True):
            for memory in task.memories:
                whole = memory.bytes * task.width * task.height
                read = memory.bytes * g.area(task.width, task.height, *extent)
                # On a GPU a state that also leaves is written once, as the output.
                shared = memory.value in self.leaving and not self.cpu  # a CPU's strips keep states of their own
                written = np.zeros_like(read) if shared else whole * np.ones_like(read)
                found.append((whole, read, written))
        for v, past in self._histories() if carry else ():
            value = self.values[v]
            read = past * value.bytes * g.area(value.width, value.height, *self.need[v])
            found.append((past * value.frame, read, np.minimum(past, g.bt) * value.frame))
        return found

    def _stored(self) -> list[int]:
        """Values that are looked around in: they are in near memory, inputs too."""
        return list(dict.fromkeys(
            v for reads in self.reads for r, v in reads
            if not r.point and not r.whole
        ))  # fmt: skip

    def _rows(self) -> float:
        """Rows of all loops of a CPU's program: of intermediates, of what is looked around in, and of the last one."""
        last = max(task.height for task in self.tasks)
        return last + sum(task.rows for task in self.tasks) + sum(self.values[v].height for v in self._stored())

    def _strip(self) -> tuple[Vector, Flags, Vector, tuple[Vector, Vector]]:
        """A CPU's strip: the rings of rows, one row of everything else, and how many cores are at work."""
        if self.layers:
            return self._rings()
        g, rows = self.grid, 0.0
        for reads in self.reads:
            for r, v in reads:
                if not r.whole:
                    rows += self.values[v].bytes * self.values[v].width * (1 + r.up + r.down)
        for task in self.tasks:
            reach = max((r.up + r.down for r in task.reads if not r.whole), default=0.0)
            # A row of each intermediate inside the stage, and those that are looked at above and below.
            rows += task.inner * task.width * (1 + reach)
        # Strips are dealt to cores in rounds; in the last round some cores are idle: strips / (rounds x cores) are
        # busy.
        busy = np.minimum(1.0, g.rows / np.ceil(g.rows / self.device.units) / self.device.units)
        fits = not self.device.scratchpad or rows <= self.device.block_bytes
        return np.full_like(g.bt, rows), np.full(len(g.bt), fits), busy, (busy, busy)

    @cached_property
    def _held(self) -> Held:
        """What near memory that is all there is makes of layers."""
        return held(self.device, self.tasks, self.reads, self.values)

    def _weights(self) -> float:
        """Bytes of weights."""
        return sum(task.weights for task in self.tasks)

    def _ring(self) -> float:
        """Bytes of the rows that layers look at."""
        rows: dict[int, float] = {}
        for reads in self.reads:
            for r, v in reads:
                if not r.whole:
                    # A value's ring serves all its readers: the tallest look counts.
                    rows[v] = max(rows.get(v, 0.0), 1 + r.up + r.down)
        return sum(self.values[v].bytes * self.values[v].width * count for v, count in rows.items())

    def _rings(self) -> tuple[Vector, Flags, Vector, tuple[Vector, Vector]]:
        """The same of layers: rows that are looked at, and weights; threads share frames, or the rows of one."""
        g, alone = self.grid, self.device.scratchpad
        on_chip = self._held.bytes if alone else self._ring() + self._weights()
        busy = busy_with_layers(g.batch, self.device.units)
        return np.full_like(g.bt, on_chip), np.full(len(g.bt), not alone or self._held.fits), busy, (busy, busy)

    def _block(self, carry: bool) -> tuple[Vector, Flags, Vector, tuple[Vector, Vector]]:
        """A GPU's block: shared memory of what lives at once, whether it fits, occupancy, shares of the units."""
        g, device = self.grid, self.device
        if self.modules:  # they are cut as they fit
            full = np.ones_like(g.bt)
            return full * SHARED, full > 0, full, (full, full)
        stored = self._stored()
        back = dict(self._histories()) if carry else {}
        last = {v: k for k, reads in enumerate(self.reads) for _, v in reads}
        first = {v: k for k, task in enumerate(self.tasks) for v in task.writes}
        sizes = {}
        for v in stored:
            value = self.values[v]
            sizes[v] = value.bytes * (1 + back.get(v, 0)) * g.block(value.width, value.height, *self.need[v])
        # A sweep over the tasks in order: a value takes shared memory from where it is made, or first read, to its last
        # reader; the largest sum on the way is what the block needs.
        on_chip, live = np.zeros_like(g.bt), np.zeros_like(g.bt)
        for k, task in enumerate(self.tasks):  # from where it is made, or first read, to where it is last read
            touched = {*task.writes, *(v for _, v in self.reads[k])} & sizes.keys()
            starting = {v for v in touched if first.get(v, k) == k}
            live = live + sum(sizes[v] for v in starting)
            first |= dict.fromkeys(starting, -1)
            # At its largest while a task is at work: what lives then, and the task's own intermediates.
            on_chip = np.maximum(on_chip, live + task.inner * g.block(task.width, task.height, *self.extent[k]))
            live = live - sum(sizes[v] for v in touched if last.get(v) == k)
        area = g.block(g.width, g.height, *NOTHING)
        # About four pixels a thread, rounded up to a power of two.
        threads = np.clip(2.0 ** np.ceil(np.log2(area / 4)), 64, device.block_threads)
        registers = np.full_like(g.bt, 32.0)
        for task, extent in zip(self.tasks, self.extent, strict=True):
            for memory in task.memories:  # a state stays in registers through the march
                registers += np.ceil(g.block(task.width, task.height, *extent) / threads) * memory.bytes / 4
        per_unit = blocks_held(device, threads, registers, on_chip)
        # Blocks of more than half of the threads may be alone.
        enough = per_unit >= np.where(threads * MIN_BLOCKS > device.threads, 1, MIN_BLOCKS)
        fits = (on_chip <= device.block_bytes) & (registers <= device.thread_registers) & enough
        states = any(task.memories for task in self.tasks) or bool(back)
        # With states, blocks march over all frames of a batch; otherwise frames are blocks of their own.
        blocks = g.columns * g.rows * (1.0 if states else g.batch / g.bt)
        fill = np.minimum(1.0, blocks / device.units)
        resident = np.minimum(per_unit, np.ceil(blocks / device.units))
        occupancy = np.minimum(1.0, resident * threads / device.threads)
        rate = np.maximum(fill * np.minimum(1.0, occupancy / FULL_RATE), 1e-6)
        return on_chip, fits, occupancy, (np.maximum(fill, 1e-6), rate)


def _pulled(extent: Extent, read: Read, sx: float, sy: float) -> Extent:
    # The reader's halo in pixels of the value that is read (sizes differ by sx, sy), and its own look.
    left, right, up, down = extent
    return (math.ceil(left * sx + read.left), math.ceil(right * sx + read.right), math.ceil(up * sy + read.up),
            math.ceil(down * sy + read.down))  # fmt: skip


def busy_with_layers(batch: Vector, units: int) -> Vector:
    """The share of a CPU's cores that layers keep at work: they share the frames of a batch, or the rows of a frame.

    >>> busy_with_layers(np.array([1.0, 2.0, 3.0, 16.0]), 2).round(2)
    array([0.87, 1.  , 0.75, 1.  ])
    """
    # Rounds of `units` frames; in the last one some cores are idle.
    frames = batch / np.ceil(batch / units) / units
    # Fewer frames than cores: the rows of a frame are shared, ALONG longer for each thread more.
    return np.asarray(np.where(batch >= units, frames, np.maximum(frames, 1 / (1 + ALONG * (units - 1)))))


def hosted(task: Task, values: Sequence[Value], device: DeviceModel, where: Grid) -> Costs:
    """A host function: it is called for each frame.

    What it computes takes as long as its stage says of a typical frame. The way of its data over a bus is the plan's
    (`Workload.crossing`): it is the same whatever the groups are, and what two host functions read crosses once. A
    decoder stays on a GPU, where a block takes a frame, so that a batch keeps as many multiprocessors at work as it has
    frames; what it reads and writes is counted by its kernel.
    """
    entering = tuple(dict.fromkeys(r.value for r in task.reads))
    ones = np.ones_like(where.batch)
    reads = sum(values[v].frame for v in entering) * ones
    tables = sum(values[v].frame for v in task.writes)
    moved = reads + tables
    zero, launches = 0.0 * ones, ones
    if task.hosted(device):
        # On the host it runs frame by frame: data and function one after the other.
        moving = moved / device.dram if device.kind == "cpu" else zero
        terms = (moving, zero, zero, task.seconds * ones)
        seconds = moving + task.seconds + device.launch
    else:
        launches = 1.0 / where.batch
        # What the decoder's block was counted to move takes the place of whole values.
        if task.loads:
            reads, moved = task.loads * ones, (task.loads + task.stored) * ones
        # A frame is a block: a batch keeps as many multiprocessors at work as it has frames.
        near = reads / (device.near * np.minimum(1.0, where.batch / device.units))
        waiting = task.latency / np.minimum(where.batch, device.units)
        terms = (moved / device.dram, reads / device.cache, near, waiting)
        seconds = np.maximum.reduce(terms) + device.launch * launches
    return Costs(where, seconds, moved, reads, moved, zero, zero, zero, ones, terms, launches,
                 Halo(), tuple(values[v].ref for v in task.writes),
                 tuple(values[v].ref for v in entering), ("-", "-", "-"))  # fmt: skip
