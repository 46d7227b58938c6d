"""Which sets of stages can be a group, and what each costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from kernels.executors.base import DeviceModel
from pipelines.graph import Ref
from pipelines.planning.cost import Costs, GroupCosts, hosted
from pipelines.planning.plan import Tile
from pipelines.planning.tiling import Grid, Vector, grid
from pipelines.planning.workload import Task, Value, Workload


@dataclass(eq=False)
class Candidates:
    """The groups of a workload that can be, and their costs on a device; each is computed once.

    Args:
        batches: batch lengths to consider.
        tile: consider this tile only.
    """

    work: Workload
    device: DeviceModel
    batches: Sequence[int]
    tile: Tile | None = None
    evaluations: int = 0
    _memo: dict[int, Costs | None] = field(default_factory=dict)
    _grids: dict[tuple[int, int], Grid] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.batches = tuple(sorted(set(self.batches)))
        self.made, self.used = self.work.producers(), self.work.consumers()
        self._names = [t.node for t in self.work.tasks]
        self._copied = len(set(self._names)) < len(self._names)

    def best(self, mask: int) -> Vector | None:
        """Seconds a frame of the group of these tasks (bits) with its best tile, for each batch; None: no group."""
        costs = self.costs(mask)
        return None if costs is None else costs.best

    def costs(self, mask: int) -> Costs | None:
        """All about the group; None where these tasks cannot be one."""
        if mask not in self._memo:
            self._memo[mask] = self._evaluate(mask)
        return self._memo[mask]

    def grid_of(self, width: int, height: int) -> Grid:
        if (width, height) not in self._grids:
            self._grids[width, height] = grid(self.device, width, height, self.batches, self.tile)
        return self._grids[width, height]

    def reason(self, mask: int) -> str:
        """Why these tasks cannot be one group whatever the device; empty where they can."""
        tasks = [t for t in range(len(self._names)) if mask >> t & 1]
        if len(tasks) > 1:
            for t in tasks:
                task = self.work.tasks[t]
                if task.opaque:
                    return f"{task.node} runs on the host"
                for read in task.reads:
                    if read.whole and mask >> self.made.get(read.value, len(self._names)) & 1:
                        return f"{task.node} may look anywhere in {self.work.values[read.value].ref}"
        return ""

    def related(self, mask: int) -> bool:
        """Whether every task is linked to every other by edges or common inputs inside the group."""
        rest: list[set[Ref]] = []
        for t in range(len(self._names)):
            if mask >> t & 1:
                task = self.work.tasks[t]
                rest.append({self.work.values[r.value].ref for r in task.reads}
                            | {self.work.values[v].ref for v in task.writes})  # fmt: skip
        links = rest.pop()
        while rest:
            joined = [touched for touched in rest if touched & links]
            if not joined:
                return False
            rest = [touched for touched in rest if not touched & links]
            links = links.union(*joined)
        return True

    def _evaluate(self, mask: int) -> Costs | None:
        if self.reason(mask) or not self.related(mask):
            return None
        self.evaluations += 1
        numbers = [t for t in range(len(self._names)) if mask >> t & 1]
        if self.work.tasks[numbers[0]].opaque:
            task = self.work.tasks[numbers[0]]
            return hosted(task, self.work.values, self.device, self.grid_of(task.width, task.height))
        found = GroupCosts(self.work, self.used, numbers, self.device, self.grid_of).costs()
        return None if np.isinf(found.best).all() else found


def lower_bound(tasks: Sequence[Task], values: Sequence[Value], device: DeviceModel) -> float:
    """Seconds a frame that these tasks take in any grouping: their arithmetic, once, at the full rate."""
    cpu = device.kind == "cpu"
    tapped = sum(values[v].frame for task in tasks for v in task.writes if values[v].tapped)
    return max(sum(t.lanes if cpu else t.operations for t in tasks) / device.rate, tapped / device.dram)
