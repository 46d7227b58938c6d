"""The planner: from a bound pipeline and a device to the best plan."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from kernels.errors import DefinitionError
from kernels.executors.base import DeviceModel
from kernels.fusion.down_sets import bits
from pipelines.graph import SOURCE, Bound, Ref
from pipelines.pins import Pair, Pins, linked
from pipelines.planning.bounds import Weights
from pipelines.planning.candidates import FASTEST, FEWEST, Candidates, Sought, weighted
from pipelines.planning.cost import FULL_RATE, RESOURCES, Costs
from pipelines.planning.heuristic import Solution
from pipelines.planning.lattice import Lattice, down_sets
from pipelines.planning.launches import Launch, slowest
from pipelines.planning.partition import partitions
from pipelines.planning.plan import Buffer, Bus, Edge, Estimate, Group, Plan, Tile
from pipelines.planning.tiling import Grid
from pipelines.planning.workload import Workload, workload

BATCHES = (1, 2, 4, 8, 16, 32)
SHORTER = 0.02
"""A shorter batch is taken where it costs at most this share of time: it answers sooner and needs less memory."""
MOST_COPIES = 12
"""Copies of cheap producers, the cheapest first, that a plan may choose among."""
MOST_KEPT = 8
"""Candidates of other wishes that are kept, each with the groups of its graph."""
MOST_SETS = 600
"""Down-sets of a graph with copies: where there would be more, no further producer is copied."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asks of a plan.

    Args:
        fps: frames a second of the source; 0 when unknown.
        latency: seconds from the first frame of a batch to its result, at most; 0 for no limit.
        batch: frames a batch; 0 for the planner's choice.
        fuse: pairs of nodes that share a kernel.
        cut: pairs of nodes that do not.
        tile: the only tile to consider.
        copies: whether a cheap producer may be computed in several groups.
    """

    fps: float = 0.0
    latency: float = 0.0
    batch: int = 0
    fuse: tuple[Pair, ...] = ()
    cut: tuple[Pair, ...] = ()
    tile: Tile | None = None
    copies: bool = True

    def batches(self) -> tuple[int, ...]:
        """The batch lengths to consider.

        Raises:
            DefinitionError: a wish that cannot be, alone.
        """
        if self.batch < 0 or self.fps < 0 or self.latency < 0:
            raise DefinitionError("batch, frame rate and latency are positive")
        if self.latency and not self.fps:
            raise DefinitionError("a latency limit needs the frame rate: filling a batch takes batch / fps seconds")
        lengths: tuple[int, ...] = (self.batch,) if self.batch else BATCHES
        # Marching over bt frames needs batches of whole marches.
        if self.tile is not None:
            lengths = tuple(b for b in lengths if b % self.tile.bt == 0) or (self.tile.bt,)
        if self.latency:
            short = tuple(b for b in lengths if b / self.fps <= self.latency)
            if not short:
                raise DefinitionError(f"filling a batch of {lengths[0]} takes {lengths[0] / self.fps:.3g} s at "
                                      f"{self.fps:g} fps, longer than the latency of {self.latency:g} s")  # fmt: skip
            lengths = short
        return lengths


@dataclass(eq=False)
class Planner:
    """Plans one workload on one device; what a group costs is computed once, whatever is asked.

    Args:
        work: the workload (of a bound pipeline: `planner_of`).
        device: the device.
        digest: of the pipeline's definition.
    """

    work: Workload
    device: DeviceModel
    digest: str = ""
    _known: dict[object, dict[object, Costs | None]] = field(default_factory=dict)
    _grids: dict[object, dict[tuple[int, int], Grid]] = field(default_factory=dict)
    _made: dict[object, Candidates] = field(default_factory=dict)
    _copied: dict[object, list[Workload]] = field(default_factory=dict)
    _lattices: dict[object, Lattice | None] = field(default_factory=dict)

    def plan(self, wishes: Wishes | None = None, weights: Weights = FASTEST) -> Plan:
        """The best plan.

        Args:
            weights: of (seconds, traffic, on-chip bytes, operations, launches); the fastest plan else.

        Raises:
            DefinitionError: a pin names no node or contradicts another, or no plan fulfils the wishes.
        """
        found = self.plans(wishes, weights)
        wishes = wishes or Wishes()
        within = [p for p in found if not wishes.latency or p.latency <= wishes.latency]
        if not within:
            soonest = min(found, key=lambda p: p.latency)
            raise DefinitionError(f"no plan on {self.device.name} keeps within {wishes.latency:g} s; the quickest "
                                  f"takes {soonest.latency:.3g} s with batches of {soonest.batch}")  # fmt: skip
        # `plans` are ordered by batch length, so that the first within SHORTER of the fastest is the shortest batch of
        # these.
        paces = [p.steady - p.trackers for p in within]  # trackers are the same in all
        return next(p for p, pace in zip(within, paces, strict=True) if pace <= min(paces) * (1 + SHORTER))

    def plans(self, wishes: Wishes | None = None, weights: Weights = FASTEST) -> list[Plan]:
        """The best plan for each batch length, shortest first; see `plan`."""
        wishes = wishes or Wishes()
        self._check(wishes)
        batches = tuple(sorted(wishes.batches()))
        best: list[tuple[Solution, Candidates]] = []
        for work in self._variants(wishes):
            candidates = self._candidates(work, batches, wishes)
            sought = Sought(candidates, weights)
            # One search finds the best partition of all batch lengths at once: costs are vectors over them. The graph
            # with copies contains all plans of the one without; if its search was complete (`proven`) the second is not
            # needed.
            new = [(found, candidates) for found in partitions(work.before(), sought.cost, len(batches), sought)]
            # What holds for any plan with copies holds for those without.
            best = [b if b[0].seconds <= n[0].seconds * (1 + 1e-12) else (replace(n[0], least=b[0].least), n[1])
                    for b, n in zip(best, new, strict=True)] if best else new  # fmt: skip
            if all(found.proven for found, _ in best):
                break
        plans = [self._assembled(s, c, k, wishes, weights) for k, (s, c) in enumerate(best) if s.groups]
        if not plans:
            pinned = "; the pins allow none" if wishes.fuse or wishes.cut else ""
            raise DefinitionError(f"no plan fits {self.device.name}{pinned}")
        return plans

    def on(self, device: DeviceModel) -> Planner:
        """The planner of the same workload on another device; what depends on the graph alone is found for both."""
        return Planner(self.work, device, self.digest, _copied=self._copied, _lattices=self._lattices)

    def price(self, groups: Sequence[Iterable[str]], wishes: Wishes | None = None) -> Plan:
        """The plan with these groups (ids, in order) and their best tiles, for the best batch length.

        Raises:
            DefinitionError: they are no partition into groups that can run.
        """
        wishes = wishes or Wishes()
        batches = tuple(sorted(wishes.batches()))
        candidates = self._candidates(self.work, batches, replace(wishes, fuse=(), cut=()))
        number = {task.node: 1 << t for t, task in enumerate(self.work.tasks)}
        masks = tuple(sum(number[name] for name in group) for group in groups)
        values = [candidates.value(mask) for mask in masks]
        totals = [sum(float(v[k]) for v in values if v is not None) for k in range(len(batches))]
        best = int(np.argmin(totals))
        if None in [v if v is None else 0 for v in values] or not np.isfinite(totals[best]):
            raise DefinitionError(f"on {self.device.name} {' | '.join('+'.join(g) for g in groups)} cannot run")
        return self._assembled(Solution(masks, totals[best]), candidates, best, wishes, FASTEST)

    def launched(self, plan: Plan, found: Mapping[tuple[str, ...], tuple[Launch, ...]]) -> Plan:
        """The same plan with the tiles that the code has, priced with what they leave of the card.

        Args:
            plan: for a GPU.
            found: the kernels of groups, by their nodes; groups without any, and those that share copies, stay.
        """
        groups = tuple(self._as_launched(group, plan.batch, found.get(group.nodes, ())) for group in plan.groups)
        estimate = _sum([g.estimate for g in groups], self.device.launch / plan.batch)
        # The latency has one batch's computation in it.
        longer = (estimate.seconds - plan.estimate.seconds) * plan.batch
        return replace(plan, groups=groups, estimate=estimate, latency=plan.latency + longer)

    def _as_launched(self, group: Group, batch: int, found: tuple[Launch, ...]) -> Group:
        main = slowest(found)
        if main is None or group.duplicated:
            return replace(group, launches=found)
        tile = Tile(*main.tile, group.tile.bt)
        number = {task.node: 1 << t for t, task in enumerate(self.work.tasks)}
        candidates = self._candidates(self.work, (batch,), Wishes(tile=tile))
        mask = sum(number[name] for name in group.nodes)
        if candidates.value(mask) is not None:
            group = self._group(candidates, mask, 0, group.nodes, (), FASTEST)
        e = group.estimate
        # What a multiprocessor issues is as much less as it has threads too few, by what it really holds.
        slower = min(1.0, e.occupancy / FULL_RATE) / min(1.0, max(main.share, 1e-6) / FULL_RATE)
        terms = {name: seconds * (1.0 if name in ("DRAM", "cache", "launch") else max(1.0, slower)) * (
            1.0 if name == "launch" else main.tail) for name, seconds in e.terms.items()}  # fmt: skip
        limit = max(terms, key=lambda name: terms[name])
        # Groups' terms overlap (roofline), the launch does not.
        seconds = max(seconds for name, seconds in terms.items() if name != "launch") + terms["launch"]
        estimate = replace(e, seconds=seconds, terms=terms, limit=limit, occupancy=main.share, on_chip=main.shared)
        return replace(group, tile=tile, estimate=estimate, launches=found)

    def unfused(self, wishes: Wishes | None = None) -> Plan:
        """Each stage alone.

        Raises:
            DefinitionError: a stage alone does not fit.
        """
        return self.price([[task.node] for task in self.work.tasks], wishes)

    def ranked(self, count: int, wishes: Wishes | None = None, patience: float = math.inf) -> list[Plan]:
        """Different plans that are worth timing on the device, the fastest by prediction first.

        They are the best for each batch length, those that decide one edge of the best the other way, the one with the
        fewest groups, and the one without fusing.

        Args:
            patience: seconds after which no further edge is decided the other way: of a network with a hundred of
                them each takes about a second.
        """
        begin = time.perf_counter()
        wishes = wishes or Wishes()
        best = self.plan(wishes)
        fixed = replace(wishes, batch=best.batch, latency=0.0)
        found = [*self.plans(wishes), self.plan(fixed, FEWEST)]
        for edge in best.edges:
            if time.perf_counter() - begin > patience:
                break
            # Pinned edges are the user's, and those with a reason cannot be fused.
            if not edge.pinned and not (edge.why and not edge.fused):
                pair = ((edge.ref.node, edge.consumer),)
                turned = replace(fixed, cut=fixed.cut + pair) if edge.fused else replace(fixed, fuse=fixed.fuse + pair)
                with suppress(DefinitionError):
                    found.append(self.plan(turned))
        if not (wishes.fuse or wishes.cut):
            with suppress(DefinitionError):
                found.append(self.unfused(fixed))
        within = [p for p in found if not wishes.latency or p.latency <= wishes.latency]
        # Reversed, so that of equal plans the first found stays.
        different = {(p.partition, p.batch): p for p in reversed(within)}
        return sorted(different.values(), key=lambda p: (p.estimate.seconds, p.batch))[:count]

    def _candidates(self, work: Workload, batches: tuple[int, ...], wishes: Wishes) -> Candidates:
        # What a group costs depends on batch lengths and tile, not on pins: it is kept by these alone and shared by all
        # wishes. Candidates hold what depends on pins too.
        key = (batches, wishes.tile)
        known, grids = self._known.setdefault(key, {}), self._grids.setdefault(key, {})
        asked = (id(work), batches, wishes.tile, wishes.fuse, wishes.cut)
        if asked not in self._made:
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            self._made[asked] = Candidates(work, self.device, batches, wishes.tile, wishes.fuse, wishes.cut, known,
                                           grids, self._lattices)  # fmt: skip
        return self._made[asked]

    def _alone(self) -> Candidates:
        """Candidates without pins, for what depends on the graph alone."""
        return self._candidates(self.work, (1,), Wishes())

    def _variants(self, wishes: Wishes) -> list[Workload]:
        """The workload with a copy of each cheap producer for each of its readers; and without copies, if that differs.

        The first holds all plans of the second, and all with some of the copies: copies that share a group are computed
        once. Its graph is wider, though.
        """
        key = wishes.fuse, wishes.copies
        if key not in self._copied:
            self._copied[key] = self._with_copies(wishes)
        return self._copied[key]

    def _with_copies(self, wishes: Wishes) -> list[Workload]:
        pinned = {name for pair in wishes.fuse for name in pair}
        chosen: list[int] = []
        # Each copy widens the graph, and the number of its down-sets, which the search walks, grows with that,
        # exponentially at worst. So the cheapest producers are copied first and no more once MOST_COPIES tasks or
        # MOST_SETS sets are reached.
        for t in sorted(self.work.duplicables(), key=lambda t: (self.work.tasks[t].operations, t)):
            more = [*chosen, t]
            wider = self.work.duplicated(more)
            added = len(wider.tasks) - len(self.work.tasks)
            free = wishes.copies and self.work.tasks[t].node not in pinned and added <= MOST_COPIES
            if free and down_sets(wider.before(), MOST_SETS) is not None:
                chosen = more
        return [self.work.duplicated(chosen), self.work] if chosen else [self.work]

    def _check(self, wishes: Wishes) -> None:
        names = [task.node for task in self.work.tasks]
        Pins(wishes.fuse, wishes.cut).check(names)
        for together in linked(wishes.fuse):
            mask = sum(1 << k for k, name in enumerate(names) if name in together)
            reason = self._alone().reason(mask)
            if reason:
                raise DefinitionError(f"{' + '.join(sorted(together, key=names.index))} cannot be fused: {reason}")

    def _assembled(self, found: Solution, candidates: Candidates, k: int, wishes: Wishes, weights: Weights) -> Plan:
        batch = candidates.batches[k]
        masks = found.groups
        nodes = [tuple(dict.fromkeys(candidates.names[t] for t in bits(mask))) for mask in masks]
        copies = {name for name in candidates.names if sum(name in group for group in nodes) > 1}
        groups = tuple(
            self._group(candidates, mask, k, names, tuple(n for n in names if n in copies), weights)
            for mask, names in zip(masks, nodes, strict=True)
        )
        estimate = _sum([g.estimate for g in groups], self.device.launch / batch)
        taps = [v for v in self.work.values[1:] if v.tapped]
        # What any plan moves: the source and what leaves.
        moved = self.work.values[0].frame + sum(v.frame for v in taps)
        source = self.work.values[0]
        latency = (batch / wishes.fps if wishes.fps else 0.0) + estimate.seconds * batch
        up, down = self.work.crossing(self.device)
        return Plan(groups, self._buffers(groups, batch), self._edges(groups, wishes), batch, estimate,
                    moved / self.device.dram, latency, source.width * source.height, self.device.name, self.digest,
                    found.proven, found.least if weights == FASTEST else 0.0,
                    Bus(up, down, (up + down) / self.device.bus), self.work.tracking(self.device))  # fmt: skip

    def _group(
        self, candidates: Candidates, mask: int, k: int, names: tuple[str, ...], copies: tuple[str, ...],
        weights: Weights,
    ) -> Group:  # fmt: skip
        costs = candidates.costs(mask)
        assert costs is not None
        part = costs.grid.segment(k)
        # Ties within rounding are decided by the sum of all resource terms: of two tiles that the same limit makes
        # equally fast the one that leaves more of the other resources.
        values = weighted(costs, weights)[part]
        others = sum(term[part] for term in costs.terms)  # of tiles that are as good, the one that leaves most to spare
        i = part.start + int(np.argmin(np.where(values <= values.min() * (1 + 1e-9), others, np.inf)))
        terms = {name: float(term[i]) for name, term in zip(RESOURCES, costs.terms, strict=True)}
        launch = float(costs.launches[i]) * self.device.launch
        host = any(candidates.work.tasks[t].hosted(self.device) for t in bits(mask))
        limit = max(terms, key=lambda name: terms[name])
        if host:
            terms, limit = {"host": terms["DRAM"] + terms["arithmetic"], "launch": launch}, "host"
        else:
            terms["launch"] = launch
            limit = limit if terms[limit] >= launch else "launch"
        estimate = Estimate(
            float(costs.seconds[i]), float(costs.traffic[i]), float(costs.dram[i]), float(costs.near[i]),
            float(costs.operations[i]), float(costs.launches[i]), int(costs.on_chip[i]), float(costs.occupancy[i]),
            terms, limit,
        )  # fmt: skip
        x, y, t = costs.axes
        if costs.again is not None and costs.again[i]:
            t = "recomputed"
        return Group(names, costs.entering, costs.leaving, costs.halo, costs.grid.tile(i), {"x": x, "y": y, "t": t},
                     copies, "host" if host else self.device.kind, estimate, float(costs.reads[i]),
                     float(costs.traffic[i] - costs.reads[i]))  # fmt: skip

    def _edges(self, groups: Sequence[Group], wishes: Wishes) -> tuple[Edge, ...]:
        made, edges = self.work.producers(), []
        reasons = self._alone()
        pins = {frozenset(pair) for pair in (*wishes.fuse, *wishes.cut)}
        for c, task in enumerate(self.work.tasks):
            for v in dict.fromkeys(read.value for read in task.reads if read.value in made):
                producer = self.work.tasks[made[v]].node
                holding = [g for g in groups if task.node in g.nodes]
                fused = all(producer in g.nodes for g in holding)
                edges.append(Edge(self.work.values[v].ref, task.node, fused, frozenset((producer, task.node)) in pins,
                                  reasons.reason(1 << c | 1 << made[v])))  # fmt: skip
        return tuple(edges)

    def _buffers(self, groups: Sequence[Group], batch: int) -> tuple[Buffer, ...]:
        """What is between the groups; a slot is free once its value was read for the last time."""
        values = {value.ref: value for value in reversed(self.work.values)}
        past: dict[Ref, int] = {}
        for task in self.work.tasks:
            for read in task.reads:
                ref = self.work.values[read.value].ref
                past[ref] = max(past.get(ref, 0), read.past)
        refs = [Ref(SOURCE), *dict.fromkeys(ref for group in groups for ref in group.outputs)]
        free_after: list[int] = []
        buffers = []
        for ref in refs:
            # From the group that makes it (-1: the source, before all) to the last that reads it; tapped ones to the
            # end.
            first = next((g for g, group in enumerate(groups) if ref in group.outputs), -1)
            last = max((g for g, group in enumerate(groups) if ref in group.inputs), default=first)
            last = len(groups) if values[ref].tapped else last
            # Interval graph colouring in order of the intervals' starts: the first slot that is free uses as few as
            # possible, which is the largest number of values alive at once.
            slot = next((s for s, free in enumerate(free_after) if free < first), len(free_after))
            if slot == len(free_after):
                free_after.append(last)
            free_after[slot] = last
            # Frames that are looked back at stay beside the batch.
            frames = batch + past.get(ref, 0)
            size = int(values[ref].frame * frames)
            buffers.append(Buffer(ref, values[ref].type, frames, first, last, slot, size))
        return tuple(buffers)


def _sum(parts: Sequence[Estimate], launch: float) -> Estimate:
    names = dict.fromkeys(name for part in parts for name in part.terms)
    terms = {name: sum(part.terms.get(name, 0.0) for part in parts) for name in names}
    decides: dict[str, float] = {}
    # Which resource decides, by the time of the groups that it limits.
    for part in parts:
        decides[part.limit] = decides.get(part.limit, 0.0) + part.seconds - launch
    return Estimate(
        sum(p.seconds for p in parts), sum(p.traffic for p in parts), sum(p.dram for p in parts),
        sum(p.near for p in parts), sum(p.operations for p in parts), sum(p.launches for p in parts),
        max(p.on_chip for p in parts), min(p.occupancy for p in parts), terms, max(decides, key=lambda n: decides[n]),
    )  # fmt: skip


def planner_of(
    bound: Bound, device: DeviceModel, digest: str = "", tensor: Mapping[str, str] | None = None
) -> Planner:  # fmt: skip
    """The planner of a bound pipeline.

    Args:
        tensor: what tensor cores make, as `workload` takes it; GPUs alone have them.

    Raises:
        DefinitionError: nothing of the pipeline leaves it.
    """
    work = workload(bound, tensor if device.kind == "cuda" else None)
    if not work.tasks:
        raise DefinitionError("the pipeline has nothing to plan: no stage's output is tapped or tracked")
    return Planner(work, device, digest)
