"""Which sets of stages can be a group, and what each costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kernels.executors.base import DeviceModel
from kernels.fusion.down_sets import bits
from pipelines.graph import Ref
from pipelines.pins import Pair
from pipelines.planning.bounds import METRICS, Bounds, Floats, Numbers, Weights
from pipelines.planning.cost import Costs, GroupCosts, hosted
from pipelines.planning.lattice import Lattice, Masks, lattice, lattice_along
from pipelines.planning.plan import Tile
from pipelines.planning.tiling import Grid, Vector, grid
from pipelines.planning.workload import Workload

FASTEST: Weights = (1.0, 0.0, 0.0, 0.0, 0.0)
FEWEST: Weights = (1e-6, 0.0, 0.0, 0.0, 1.0)
"""The fewest groups, and of as many the fastest: all the fusing that the device holds."""


@dataclass(eq=False)
class Candidates:
    """The groups of a workload that can be, and their costs on a device; each is computed once.

    Args:
        batches: batch lengths to consider.
        tile: consider this tile only.
        fuse: pairs of nodes that must share a group.
        cut: pairs of nodes that must not.
        known: costs by what a group is, to share between workloads that differ in their copies.
        lattices: by workload (`id`) and pins: which sets can be groups depends on no device, batch or tile.
    """

    work: Workload
    device: DeviceModel
    batches: Sequence[int]
    tile: Tile | None = None
    fuse: Sequence[Pair] = ()
    cut: Sequence[Pair] = ()
    known: dict[object, Costs | None] = field(default_factory=dict)
    grids: dict[tuple[int, int], Grid] = field(default_factory=dict)
    lattices: dict[object, Lattice | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.batches = tuple(sorted(set(self.batches)))
        self.made, self.used = self.work.producers(), self.work.consumers()
        self.names = [task.node for task in self.work.tasks]
        self._together = [(self._named(a), self._named(b)) for a, b in self.fuse]
        self._apart = [(self._named(a), self._named(b)) for a, b in self.cut]
        tasks = self.work.tasks
        self._hosts = sum(1 << k for k, task in enumerate(tasks) if task.opaque)
        self._whole = self.work.needed_whole()
        self._layers, self._others = self.work.beside_layers()
        self._lookers = sum(1 << k for k, whole in enumerate(self._whole) if whole)
        self._memo: dict[int, Costs | None] = {}
        self._reads = [tuple(dict.fromkeys(r.value for r in t.reads)) for t in tasks]
        self.bounds = Bounds(self.work, self.device, self.batches, self._together, self._apart)

    def _named(self, name: str) -> int:
        return sum(1 << k for k, other in enumerate(self.names) if other == name)

    @cached_property
    def lattice(self) -> Lattice | None:
        """The down-sets and the possible groups; None where the graph is too wide."""
        key = id(self.work), tuple(self.fuse), tuple(self.cut)
        if key not in self.lattices:
            self.lattices[key] = lattice(self.work.before(), self.bounds.possible)
        return self.lattices[key]

    def along(self, orders: Sequence[Sequence[int]]) -> Lattice | None:
        """The down-sets that a few linear orders begin with, and their possible groups; see `lattice_along`."""
        key = id(self.work), tuple(self.fuse), tuple(self.cut), tuple(map(tuple, orders))
        if key not in self.lattices:
            self.lattices[key] = lattice_along(orders, self.bounds.possible, self.dead)
        return self.lattices[key]

    def costs(self, mask: int) -> Costs | None:
        """All about the group of these tasks (bits); None where they cannot be one."""
        if mask not in self._memo:
            self._memo[mask] = self._costs(mask)
        return self._memo[mask]

    def value(self, mask: int, weights: Weights = FASTEST) -> Vector | None:
        """The least weighted sum of the metrics over the group's tiles, for each batch length; None: no group."""
        costs = self.costs(mask)
        if costs is None or weights == FASTEST:
            return None if costs is None else costs.best
        return np.asarray(np.minimum.reduceat(weighted(costs, weights), costs.grid.starts))

    def grid_of(self, width: int, height: int) -> Grid:
        if (width, height) not in self.grids:
            self.grids[width, height] = grid(self.device, width, height, self.batches, self.tile)
        return self.grids[width, height]

    def dead(self, mask: int) -> bool:
        """Whether neither these tasks nor any more can be a group."""
        # mask & (mask - 1) is not 0 where the set has more than one task.
        if mask & self._hosts and mask & (mask - 1):
            return True
        if any(mask & a and mask & b for a, b in self._apart):
            return True
        if mask & self._layers and mask & self._others and mask & (mask - 1):
            return True
        return any(self._whole[t] & mask for t in bits(mask & self._lookers))

    def reason(self, mask: int) -> str:
        """Why these tasks cannot be a group whatever the tile; empty where they can."""
        if mask & self._layers and (other := mask & self._others) and mask & (mask - 1):
            node = self.work.tasks[next(bits(other))].node
            return f"{node} remembers frames or makes a table, which layers of networks have no program with"
        for t in bits(mask):
            task = self.work.tasks[t]
            if task.opaque and mask & (mask - 1):
                where = "on the host" if task.hosted(self.device) else "by itself, a block a frame"
                return f"{task.node} runs {where}"
            if self._whole[t] & mask:
                values = (self.work.values[r.value] for r in task.reads if r.whole and r.value in self.made
                          and self._whole[t] >> self.made[r.value] & 1)  # fmt: skip
                return f"{task.node} may look anywhere in {next(values).ref}"
        return ""

    def related(self, mask: int) -> bool:
        """Whether every task is linked to every other by edges or common inputs inside the group."""
        # A flood fill in bits from the lowest task along links inside the set.
        reached, fresh = 0, mask & -mask
        while fresh:
            reached |= fresh
            around = 0
            for t in bits(fresh):
                around |= self.bounds.linked[t]
            fresh = around & mask & ~reached
        return reached == mask

    def _read_once(self, mask: int) -> Workload:
        """The workload in which all the group reads of one producer outside, whatever its copy, is one value."""
        first: dict[Ref, int] = {}
        other: dict[int, int] = {}
        for t in bits(mask):
            for v in self._reads[t]:
                # A value that is made outside the group (or nowhere): copies of one value enter once.
                if not mask >> self.made.get(v, len(self.names)) & 1:
                    known = first.setdefault(self.work.values[v].ref, v)
                    if known != v:
                        other[v] = known
        if not other:
            return self.work
        tasks = tuple(replace(task, reads=tuple(replace(r, value=other.get(r.value, r.value)) for r in task.reads))
                      if mask >> t & 1 else task for t, task in enumerate(self.work.tasks))  # fmt: skip
        return replace(self.work, tasks=tasks)

    def _costs(self, mask: int) -> Costs | None:
        if self.dead(mask) or any(bool(mask & a) != bool(mask & b) for a, b in self._together):
            return None
        # A reader takes the copy in its own group (see `Bounds.possible`).
        if any(mask & t and mask & others and not mask & copy for t, copy, others in self.bounds.copied):
            return None
        if not self.related(mask):
            return None
        numbers = list(bits(mask))
        task = self.work.tasks[numbers[0]]
        if task.opaque:
            return hosted(task, self.work.values, self.device, self.grid_of(task.width, task.height))
        group = GroupCosts(self._read_once(mask), self.used, numbers, self.device, self.grid_of)
        if group.key not in self.known:
            found = group.costs()
            self.known[group.key] = None if np.isinf(found.best).all() else found
        return self.known[group.key]


def weighted(costs: Costs, weights: Weights) -> Vector:
    """The weighted sum of the metrics for each candidate; infinite where it does not fit."""
    total = sum(w * getattr(costs, name) for w, name in zip(weights, METRICS, strict=True) if w)
    return np.where(np.isfinite(costs.seconds), total, np.inf)


@dataclass(frozen=True, eq=False)
class Sought:
    """What the search asks of candidates for one weighting (`pipelines.planning.partition.Model`)."""

    candidates: Candidates
    weights: Weights = FASTEST

    def lattice(self) -> Lattice | None:
        return self.candidates.lattice

    def along(self, orders: Sequence[Sequence[int]]) -> Lattice | None:
        return self.candidates.along(orders)

    def least(self, masks: Masks) -> Floats:
        return self.candidates.bounds.least(masks, self.weights)

    def rest(self) -> Floats:
        return self.candidates.bounds.rest(self.weights)

    def dead(self, mask: int) -> bool:
        return self.candidates.dead(mask)

    def larger(self, mask: int, masks: Masks) -> tuple[Numbers, Floats]:
        return self.candidates.bounds.larger(mask, self.candidates.costs(mask), masks, self.weights)

    def cost(self, mask: int) -> Vector | None:
        return self.candidates.value(mask, self.weights)
