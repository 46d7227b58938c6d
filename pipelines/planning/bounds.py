"""What any group costs at least, for thousands of groups at once: what the search looks at first, and never again.

A bound holds for the best tile of a group, so it counts what no tile can avoid: arithmetic once for every task, every
frame that enters or leaves the group moved once, states and values that are looked around in, one launch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.executors.base import DeviceModel
from kernels.fusion.down_sets import bits
from kernels.fusion.occupancy import SHARED
from pipelines.graph import SOURCE, Ref
from pipelines.planning.cost import Costs, arithmetic, busy_with_layers
from pipelines.planning.lattice import Flags, Masks, holding, members, packed
from pipelines.planning.scratchpad import small
from pipelines.planning.workload import Task, Value, Workload

METRICS = ("seconds", "traffic", "on_chip", "operations", "launches")
"""What a plan can be asked to have little of."""
Weights = tuple[float, float, float, float, float]
Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.intp]
ROUNDING = 1 - 1e-9
"""Sums in another order differ in the last digits."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """Of each group: operations, bytes moved near the units, rows of loops, traffic, bytes to DRAM (by batch length),
    pixels of the largest image, whether it is none of the host's, whether it is a decoder that a GPU computes,
    whether it has layers on a CPU, bytes of weights, bytes of a CPU's strip."""

    operations: Floats
    near: Floats
    rows: Floats
    traffic: Floats
    dram: Floats
    area: npt.NDArray[np.int64]
    kernel: Flags
    decoded: Flags
    layers: Flags
    weights: Floats
    strip: Floats


class Bounds:
    """Lower bounds for the groups of one workload.

    Args:
        work: the workload.
        device: where it runs.
        batches: batch lengths, ascending.
        together: sets of tasks (bits of all copies) of which a group has some of both or of none.
        apart: sets of tasks of which a group has of one at most.
    """

    def __init__(
        self, work: Workload, device: DeviceModel, batches: Sequence[int], together: Sequence[tuple[int, int]],
        apart: Sequence[tuple[int, int]],
    ) -> None:  # fmt: skip
        self.work, self.device, self.n = work, device, len(work.tasks)
        self.batch = np.asarray(batches, float)
        self.together, self.apart = together, apart
        made, used = work.producers(), work.consumers()
        tasks, values = work.tasks, work.values
        cpu = device.kind == "cpu"
        names = [t.node for t in tasks]
        self.nodes = sorted(set(names))
        self.node = np.asarray([self.nodes.index(name) for name in names])
        # Of copies of one stage the first stands for all: a group computes it once.
        first = [names.index(name) for name in self.nodes]
        kernel = np.asarray([not tasks[t].opaque for t in first])
        self.operations = np.asarray([arithmetic(tasks[t], device) for t in first]) * kernel
        self.layered = np.asarray([task.layer for task in tasks])
        self.layers = np.asarray([task.layer and cpu for task in tasks])
        self.near = np.asarray([tasks[t].looked if cpu else tasks[t].loads for t in first]) * kernel
        self.rows = np.asarray([tasks[t].rows for t in first]) * kernel
        self.weights = np.asarray([tasks[t].weights for t in first]) * kernel
        self.heights = np.asarray([task.height for task in tasks])
        # On a CPU states are read and written where they are; those that leave count with the output.
        self.near += np.asarray([sum(m.bytes * tasks[t].width * tasks[t].height * (1 + (m.value < 0))
                                     for m in tasks[t].memories) * cpu for t in first]) * kernel  # fmt: skip
        # Values that somebody looks around in: they are in near memory once, whoever of the group looks.
        around: dict[Ref, list[int]] = {}
        for t, task in enumerate(tasks):
            for read in task.reads:
                if not read.point and not read.whole and not task.opaque:
                    around.setdefault(values[read.value].ref, []).append(t)
        of = {value.ref: value for value in values}
        self.stored = [(readers, of[ref].bytes * of[ref].width * of[ref].height, of[ref].height)
                       for ref, readers in around.items()]  # fmt: skip
        looked: dict[Ref, list[tuple[int, float]]] = {}
        for t, task in enumerate(tasks):
            for read in task.reads:
                if not read.whole and not task.opaque:
                    value = values[read.value]
                    row = value.bytes * value.width * (1 + read.up + read.down)
                    looked.setdefault(value.ref, []).append((t, row))
        self.looked = [([t for t, _ in some], np.asarray([row for _, row in some])) for some in looked.values()]
        self.frames = np.asarray([of[ref].bytes * of[ref].width * of[ref].height for ref in looked])
        # Rows of a value that fewer rows of a reader skip: a bound of strips' rows reckons with none of them.
        self.skipped = np.asarray([max(
            of[ref].bytes * of[ref].width * max(0.0, of[ref].height / tasks[t].height - 1) for t, _ in some
        ) for ref, some in looked.items()])  # fmt: skip
        self.weighing = np.asarray([task.weights > 0 for task in tasks])
        self.small = np.asarray([small(device, task) for task in tasks])
        self.cpu = cpu
        sizes = {(t.width, t.height) for t in tasks if not t.opaque}
        self.areas = np.asarray([0 if t.opaque else t.width * t.height for t in tasks])
        # Whether images of one area are of one size, so that areas tell images apart.
        self.grows = len(sizes) == len({w * h for w, h in sizes})
        self.hosts = np.asarray([t.opaque for t in tasks])
        self.decoders = np.asarray([t.opaque and not t.hosted(device) for t in tasks])
        self.counted = np.asarray([t.loads + t.stored if d else 0.0 for t, d in zip(tasks, self.decoders, strict=True)])
        self.host = sum(1 << t for t in np.flatnonzero(self.hosts).tolist())
        self.strip = np.asarray([_strip(tasks[t], values) for t in first]) * kernel
        self._last: tuple[Masks, _Parts] | None = None
        self._ring: tuple[Masks, Floats] | None = None
        self.beside = work.beside_layers()
        self.whole = [(t, ps) for t, ps in enumerate(work.needed_whole()) if ps]
        # Tasks that share a value are linked: a group hangs together by such links.
        links = [{values[r.value].ref for r in t.reads} | {values[v].ref for v in t.writes} for t in tasks]
        self.linked = [sum(1 << u for u in range(self.n) if links[u] & links[t]) for t in range(self.n)]
        # (reader, the copy that it reads, its other copies): what a group computes, it does not read from outside.
        self.copied = [
            (1 << t, 1 << made[r.value], others) for t, task in enumerate(tasks) for r in task.reads if r.value in made
            if (others := sum(1 << k for k, name in enumerate(names)
                              if name == names[made[r.value]] and k != made[r.value]))
        ]  # fmt: skip
        self.flows: dict[Ref, list[tuple[int, int, list[int]]]] = {}
        for v, value in enumerate(values):
            self.flows.setdefault(value.ref, []).append((v, made.get(v, -1), used[v]))

    def possible(self, masks: Masks) -> Flags:
        """Whether each set can be a group, but for its tiles."""
        has = members(masks, self.n)

        def some(tasks: int) -> Flags:
            return _any(has, list(bits(tasks)))

        # Host functions are groups of their own.
        ok = ~some(self.host) | (has.sum(1) == 1)
        for a, b in self.apart:
            ok &= ~(some(a) & some(b))
        for a, b in self.together:
            ok &= some(a) == some(b)
        # Layers of networks and what shares no program with them.
        ok &= ~(some(self.beside[0]) & some(self.beside[1])) | (has.sum(1) == 1)
        for t, producers in self.whole:
            ok &= ~(has[:, t] & some(producers))
        # Of several copies of a producer a reader takes the one in its own group; a group that computes another copy
        # but not that one would read from outside what it computes inside.
        for reader, copy, others in self.copied:
            ok &= ~some(reader) | some(copy) | ~some(others)
        return np.asarray(ok & self._related(has))

    def _related(self, has: Flags) -> Flags:
        """Whether every task of each set is linked to every other by edges or common inputs inside it."""
        # Connected components of thousands of sets at once: start at each set's first task and spread along links until
        # nothing changes. Going through the tasks forwards and backwards in turn makes a chain one round.
        tasks = np.ascontiguousarray(has.T)
        reached = np.zeros_like(tasks)
        reached[tasks.argmax(0), np.arange(len(has))] = True
        around = [[u for u in bits(linked) if u != t] for t, linked in enumerate(self.linked)]
        before = 0
        while (now := int(reached.sum())) > before:
            before = now
            for t in (*range(self.n), *reversed(range(self.n))):  # chains are gone along at once
                for u in around[t]:
                    reached[t] |= reached[u]
                reached[t] &= tasks[t]
        return np.asarray((reached == tasks).all(0))

    def least(self, masks: Masks, weights: Weights, mixed: bool = False) -> Floats:
        """(groups, batch lengths): the weighted metrics at least.

        Args:
            mixed: a set stands for groups of which only some have layers.
        """
        device, parts = self.device, self._parts(masks)
        kernel = parts.kernel
        traffic, dram, operations = parts.traffic, parts.dram, parts.operations
        if device.scratchpad:
            weights_moved, fits = self._held(masks)
            # Which of the groups have layers is not known: nothing is charged for them.
            if mixed:
                weights_moved, fits = parts.weights, np.ones(len(masks), bool)
            traffic = traffic + weights_moved - parts.weights
            dram = dram + np.where(fits, weights_moved, np.inf)[:, np.newaxis]
        near, computing = parts.near / device.near, operations / device.rate
        if self.cpu:  # what is read, written and computed shares the core's instructions
            near = near + traffic / device.near
            computing = computing + near + parts.rows * device.row / device.units
            computing = computing + (parts.layers & (not mixed)) * traffic / device.cache
        # The roofline: what is busy longest.
        once = np.where(kernel, np.maximum(np.maximum(traffic / device.cache, near), computing), 0.0)
        every = once[:, np.newaxis] * np.ones(len(self.batch))
        # Cores that layers leave idle.
        if not mixed:
            every = np.where(parts.layers[:, np.newaxis], every / busy_with_layers(self.batch, device.units), every)
        there = kernel | parts.decoded
        slow = np.where(there | self.cpu, device.dram, np.inf)  # what host functions take crosses in the plan's time
        launches = np.where(there[:, np.newaxis], 1 / self.batch, 1.0)
        seconds = np.maximum(dram / slow[:, np.newaxis], every) + launches * device.launch
        per_frame = weights[1] * traffic + weights[3] * operations
        if weights[2] and not mixed:
            per_frame = per_frame + weights[2] * self._on_chip(masks)
        found = weights[0] * seconds + per_frame[:, np.newaxis] + weights[4] * launches
        return np.asarray(found * ROUNDING)

    def _on_chip(self, masks: Masks) -> Floats:
        """Bytes of near memory that groups take, where that depends on no tile: on a CPU, and of layers; else 0."""
        parts = self._parts(masks)
        if not self.cpu:
            return np.where((members(masks, self.n) & self.layered).any(1), float(SHARED), 0.0)
        rings = self._rings(masks)
        held = rings + parts.weights
        if self.device.scratchpad:
            held = np.where(held <= self.device.block_bytes, held, rings) * ~self._tiled(masks)
        return np.where(parts.kernel, np.where(parts.layers, held, parts.strip), 0.0)

    def _tiled(self, masks: Masks) -> Flags:
        """Whether each is a layer by itself that may go in tiles over channels."""
        has = members(masks, self.n)
        first, last = (np.where(has, self.node, none) for none in (len(self.nodes), -1))
        return np.asarray((first.min(1) == last.max(1)) & (has & self.small).any(1))  # its copies are computed once

    def _rings(self, masks: Masks) -> Floats:
        """Bytes of the rows that layers look at."""
        if self._ring is not None and self._ring[0] is masks:
            return self._ring[1]
        has, rows = members(masks, self.n), np.zeros(len(masks))
        # A value's ring is as tall as the tallest look of the group's.
        for readers, size in self.looked:
            rows += (has[:, readers] * size).max(1)
        self._ring = masks, rows
        return rows

    def _parts(self, masks: Masks) -> _Parts:
        # The same array of sets is asked for several times in turn: by identity.
        if self._last is not None and self._last[0] is masks:
            return self._last[1]
        has = members(masks, self.n)
        once = np.zeros((len(has), len(self.nodes)), bool, order="F")  # copies of one stage are computed once
        for t in range(self.n):
            once[:, self.node[t]] |= has[:, t]
        near, rows = once @ self.near, once @ self.rows + (has * self.heights).max(1)
        for readers, size, height in self.stored:
            looks = _any(has, readers)
            near, rows = near + looks * size, rows + looks * height
        area = (has * self.areas).max(1)
        kernel = ~(has & self.hosts).any(1)
        traffic, dram = self._moved(has)
        weights = once @ self.weights
        counted = has @ self.counted  # a decoder is a group by itself
        traffic = np.where(counted > 0, counted, traffic)
        dram = np.where(counted[:, np.newaxis] > 0, counted[:, np.newaxis], dram)
        self._last = masks, _Parts(once @ self.operations, near, rows, traffic + weights, dram, area, kernel,
                                   (has & self.decoders).any(1), (has & self.layers).any(1), weights,
                                   once @ self.strip)  # fmt: skip
        return self._last[1]

    def _held(self, masks: Masks) -> tuple[Floats, Flags]:
        """What near memory that is all there is does to groups: bytes of weights that come for a frame, at least, where
        they have no room beside the rows once for each strip; and whether these have.

        Of n strips the rows of a map that are held are the n-th part of it, but for those that a stride skips.
        """
        parts, rows, has = self._parts(masks), self._rings(masks), members(masks, self.n)
        room, tiled = self.device.block_bytes, self._tiled(masks)
        looks = np.stack([has[:, readers].any(1) for readers, _ in self.looked], 1) if self.looked else has[:, :0]
        strips = np.ceil(looks @ self.frames / (room + looks @ self.skipped) * ROUNDING)
        least = np.where(has & self.weighing, self.heights, np.inf).min(1)
        again = np.where(tiled | (rows + parts.weights <= room), 1.0, np.maximum(np.minimum(strips, least), 1.0))
        return np.where(parts.weights > 0, again, 1.0) * parts.weights, (rows <= room) | tiled

    def larger(self, mask: int, costs: Costs | None, masks: Masks, weights: Weights) -> tuple[Numbers, Floats]:
        """What the costs of one group say of those that contain it: their numbers, (groups, batch lengths) at least.

        A larger group of the same image computes at least as much in the halo; on a GPU it holds more in shared memory
        and registers, so it runs on as many threads at most. With each tile, its computing takes the smaller group's
        time at least, and that of the other tasks. Where the smaller fits no tile, it does not either.

        Args:
            mask: the group, one of `masks`.
            costs: of it; None where it fits no tile.
            masks: groups.
        """
        if not self.grows or mask & self.host or (costs is not None and costs.again is not None):
            # Of two ways to look back, the smaller group may have chosen the one that computes more.
            return np.zeros(0, np.intp), np.zeros((0, len(self.batch)))
        # Groups with layers have no strips on a CPU, and on a GPU they are cut as they fit; those of images are not.
        if self.layered.any() and not any(self.layered[t] for t in bits(mask)):
            return np.zeros(0, np.intp), np.zeros((0, len(self.batch)))
        row = packed([mask], self.n)[0]
        parts, around = self._parts(masks), np.flatnonzero(holding(masks, row))
        own = int(around[(masks[around] == row).all(1)][0])
        inside = around[parts.area[around] == parts.area[own]]
        if costs is None:
            return inside, np.full((len(inside), len(self.batch)), np.inf)
        device = self.device
        more = (parts.operations[inside] - parts.operations[own]) / device.rate
        near, computing = costs.terms[2:]
        if self.cpu:
            # What the smaller group's traffic took of computing is no part of the bound: a larger group may not move
            # it.
            busy = np.maximum(costs.occupancy, 1e-300)
            shared = costs.traffic / (device.near * busy)
            near, computing = near - shared, computing - shared
            computing = computing - costs.traffic / (device.cache * busy) * parts.layers[own]
            more = more + (parts.near[inside] - parts.near[own] + parts.traffic[inside]) / device.near
            more = more + (parts.rows[inside] - parts.rows[own]) * device.row / device.units
        fits = np.isfinite(costs.seconds)
        # For each batch length the least over all tiles.
        near, computing = (np.minimum.reduceat(np.where(fits, v, np.inf), costs.grid.starts) for v in (near, computing))
        seconds = np.maximum(near, computing + more[:, np.newaxis]) + device.launch / self.batch
        return inside, (seconds * weights[0] + weights[4] / self.batch) * ROUNDING

    def rest(self, weights: Weights) -> Floats:
        """What any partition costs at least, for each batch length."""
        kernels = sum(1 << t for t in np.flatnonzero(~self.hosts).tolist())
        found = self.least(packed([kernels], self.n), weights, True)[0] if kernels else np.zeros(len(self.batch))
        hosts = [1 << t for t in np.flatnonzero(self.hosts).tolist()]
        return np.asarray(found + self.least(packed(hosts, self.n), weights).sum(0) if hosts else found)

    def _moved(self, has: Flags) -> tuple[Floats, Floats]:
        """Bytes into and out of each group, those between layers on a GPU included (see `pipelines.planning.cost`), and
        those into and out of it that reach DRAM for each batch length."""
        traffic = np.zeros(len(has))
        dram = np.zeros((len(has), len(self.batch)))
        nothing: Flags = np.zeros(len(has), bool)
        modules = nothing if self.cpu else (has & self.layered).any(1)
        for ref, copies in self.flows.items():
            # Copies of one value are one frame: it crosses once.
            value = self.work.values[copies[0][0]]
            crosses = tapped = made = nothing
            for v, producer, readers in copies:
                inside = has[:, producer] if producer >= 0 else nothing
                reading, outside = _any(has, readers), ~has[:, readers].all(1)
                # It enters if somebody inside reads what is made outside, and leaves if somebody outside reads what is
                # made inside.
                crosses = crosses | (reading & ~inside) | (inside & outside)
                made = made | inside
                if self.work.values[v].tapped:
                    tapped = tapped | inside
            kept: Any = (2 * self.batch * value.frame <= self.device.cache_bytes) & (ref.node != SOURCE)
            # Layers on a GPU count values between them, too (see `cost`).
            traffic += value.frame * (crosses | tapped | (made & modules))
            dram += value.frame * np.where(tapped[:, np.newaxis], 1.0, crosses[:, np.newaxis] * ~kept)
        return traffic, dram


def _strip(task: Task, values: Sequence[Value]) -> float:
    """Bytes of a task's part of a CPU's strip (`pipelines.planning.cost`)."""
    whole = [values[r.value].bytes * values[r.value].width * (1 + r.up + r.down) for r in task.reads if not r.whole]
    reach = max((r.up + r.down for r in task.reads if not r.whole), default=0.0)
    return sum(whole) + task.inner * task.width * (1 + reach)


def _any(has: Flags, tasks: Sequence[int]) -> Flags:
    return np.asarray(has[:, list(tasks)].any(1))
