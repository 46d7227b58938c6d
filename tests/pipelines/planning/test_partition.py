"""The search against brute force over every ordered partition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.fusion.down_sets import bits
from pipelines.planning import lattice
from pipelines.planning.bounds import Weights
from pipelines.planning.candidates import FASTEST, Candidates, Sought
from pipelines.planning.devices import find_device
from pipelines.planning.heuristic import Solution, ordered, orders
from pipelines.planning.lattice import Lattice, Masks, lattice_along, number_of, packed
from pipelines.planning.pareto import front
from pipelines.planning.partition import CLOSE, partitions
from pipelines.planning.planner import BATCHES as LENGTHS
from pipelines.planning.planner import Planner, Wishes
from pipelines.planning.workload import Workload
from tests.pipelines.planning.made import DEVICES, WITH_PAD, device_of, graph, layered, workloads

BATCHES = (1, 2, 8)


def set_partitions(items: list[int]) -> Iterator[list[int]]:
    """Every way to share the items out among groups, as bits."""
    if not items:
        yield []
        return
    one, rest = 1 << items[0], items[1:]
    for groups in set_partitions(rest):
        yield [one, *groups]
        for k in range(len(groups)):
            yield [*groups[:k], groups[k] | one, *groups[k + 1 :]]


def can_run(groups: list[int], before: tuple[int, ...]) -> bool:
    """Whether running the groups one after the other, each as soon as it can, ends."""
    rest, done = list(groups), 0
    while rest:
        ready = [g for g in rest if all(not before[t] & ~(done | g) for t in bits(g))]
        if not ready:
            return False
        done |= ready[0]
        rest.remove(ready[0])
    return True


def brute_force(candidates: Candidates, weights: Weights = FASTEST) -> np.ndarray:
    before = candidates.work.before()
    best = np.full(len(candidates.batches), np.inf)
    for groups in set_partitions(list(range(len(before)))):
        if can_run(groups, before):
            costs = [candidates.value(group, weights) for group in groups]
            if all(c is not None for c in costs):
                best = np.minimum(best, np.sum(costs, axis=0))
    return best


def searched(candidates: Candidates) -> list[Solution]:
    return partitions(candidates.work.before(), candidates.value, len(candidates.batches), Sought(candidates))


METRICS = ((1.0, 0.0, 0.0, 0.0, 0.0), (1e-6, 0.0, 0.0, 0.0, 1.0), (0.5, 1e-10, 1e-9, 1e-12, 0.0))


@settings(max_examples=60, deadline=None)
@given(workloads(6), WITH_PAD, st.sampled_from(METRICS), st.booleans())
def test_no_bound_is_above_what_it_bounds(work: Workload, device: str, weights: Weights, copies: bool) -> None:
    work = work.duplicated(work.duplicables()[:2]) if copies else work
    candidates = Candidates(work, device_of(device), BATCHES)
    sought = Sought(candidates, weights)
    sets = range(1, 1 << min(len(work.tasks), 8))
    masks = packed(sets, len(work.tasks))
    costs = [sought.cost(mask) for mask in sets]
    every = np.asarray([np.full(len(BATCHES), np.inf) if c is None else c for c in costs])
    assert (sought.least(masks) <= every).all()
    possible = candidates.bounds.possible(masks)
    assert (possible | np.isinf(every).all(1)).all()
    for k in np.flatnonzero(possible):
        numbers, larger = sought.larger(sets[k], masks)
        assert (larger <= every[numbers]).all()
    if weights == METRICS[0] and len(work.tasks) <= 6:
        assert (sought.rest() <= brute_force(candidates)).all()


@settings(max_examples=40, deadline=None)
@given(workloads(8), WITH_PAD)
def test_no_ordered_partition_is_better(work: Workload, device: str) -> None:
    candidates = Candidates(work, device_of(device), BATCHES)
    found = searched(candidates)
    assert all(s.proven for s in found)
    np.testing.assert_allclose([s.seconds for s in found], brute_force(candidates), rtol=1e-9)
    for k, solution in enumerate(found):
        assert ordered(solution.groups, work.before()) is not None
        assert sum(solution.groups) == (1 << len(work.tasks)) - 1
        spent = [candidates.value(group) for group in solution.groups]
        assert sum(float(s[k]) for s in spent if s is not None) == pytest.approx(solution.seconds)


def runs_of_orders(before: tuple[int, ...]) -> set[frozenset[int]]:
    """The partitions that are the runs into which any order of the tasks is cut."""
    found = set()
    for order in permutations(range(len(before))):
        if any(before[t] & ~sum(1 << s for s in order[:k]) for k, t in enumerate(order)):
            continue
        for cuts in range(1 << len(order) - 1):
            groups, now = [], 0
            for k, t in enumerate(order):
                now |= 1 << t
                if cuts >> k & 1 or k == len(order) - 1:
                    groups.append(now)
                    now = 0
            found.add(frozenset(groups))
    return found


@settings(max_examples=20, deadline=None)
@given(layered(5))
def test_brute_force_goes_through_the_runs_of_every_order(work: Workload) -> None:
    before = work.before()
    every = [groups for groups in set_partitions(list(range(len(before)))) if can_run(groups, before)]
    assert {frozenset(groups) for groups in every} == runs_of_orders(before)
    assert len(every) == len({frozenset(groups) for groups in every})


@settings(max_examples=25, deadline=None)
@given(layered(8), WITH_PAD)
def test_of_layers_no_partition_of_any_order_is_better(work: Workload, device: str) -> None:
    candidates = Candidates(work, device_of(device), BATCHES)
    found = searched(candidates)
    np.testing.assert_allclose([s.seconds for s in found], brute_force(candidates), rtol=1e-9)
    for solution in found:
        members = sorted(t for group in solution.groups for t in bits(group))
        assert solution.proven
        assert members == (list(range(len(work.tasks))) if np.isfinite(solution.seconds) else [])  # each once


@st.composite
def pins(draw: st.DrawFn, work: Workload) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    names = [task.node for task in work.tasks]
    pairs = [(a, b) for k, b in enumerate(names) for a in names[:k]]
    some = st.lists(st.sampled_from(pairs), max_size=1) if pairs else st.just([])
    return tuple(draw(some)), tuple(draw(some))


@settings(max_examples=40, deadline=None)
@given(st.data(), workloads(6), DEVICES, st.sampled_from(METRICS))
def test_no_plan_is_better_with_any_copies_pins_and_limit(
    data: st.DataObject, work: Workload, device: str, weights: Weights
) -> None:
    fuse, cut = data.draw(pins(work))
    planner = Planner(work, find_device(device))
    pinned = {name for pair in fuse for name in pair}
    chosen = [t for t in work.duplicables() if work.tasks[t].node not in pinned]
    best = np.full(len(BATCHES), np.inf)
    for pick in range(1 << len(chosen)):
        variant = work.duplicated(t for k, t in enumerate(chosen) if pick >> k & 1)
        if len(variant.tasks) <= 8:  # brute force over all partitions of nine takes seconds
            candidates = Candidates(variant, find_device(device), BATCHES, None, fuse, cut)
            best = np.minimum(best, brute_force(candidates, weights))
    for k, batch in enumerate(BATCHES):
        try:
            plan = planner.plans(Wishes(batch=batch, fuse=fuse, cut=cut), weights)[0]
        except DefinitionError:
            assert np.isinf(best[k])
            continue
        assert plan.proven
        assert plan.gap == 0
        if weights == METRICS[0]:
            assert plan.estimate.seconds <= best[k] * (1 + 1e-9)
            if len(work.duplicated(chosen).tasks) <= 8:
                assert plan.estimate.seconds == pytest.approx(best[k])
        elif weights == METRICS[1]:
            assert plan.estimate.launches * weights[4] + plan.estimate.seconds * weights[0] <= best[k] * (1 + 1e-9)
        for group in plan.partition:
            assert not any({a, b} <= set(group) for a, b in cut)
            assert all((a in group) == (b in group) for a, b in fuse)
    if not np.isinf(best).any() and weights == METRICS[0]:  # the limit leaves out what is too slow, and no more
        fps = 1000.0
        latency = np.asarray(BATCHES) * (1 / fps + best)
        for limit in latency:
            wishes = Wishes(fps, float(limit) * (1 + 1e-9), fuse=fuse, cut=cut)
            for batch, seconds in zip(BATCHES, latency, strict=True):
                if seconds <= limit:
                    assert planner.plan(replace(wishes, batch=batch)).latency <= limit * (1 + 1e-9)


@settings(max_examples=15, deadline=None)
@given(workloads(5), DEVICES)
def test_the_front_holds_the_best_of_time_bytes_and_operations(work: Workload, device: str) -> None:
    work = replace(work, tasks=tuple(replace(task, duplicable=False) for task in work.tasks))
    points = front(Planner(work, find_device(device)), Wishes(batch=8))
    candidates = Candidates(work, find_device(device), (8,))
    for axis, values in enumerate(((1.0, 0, 0, 0, 0), (0, 1.0, 0, 0, 0), (0, 0, 0, 1.0, 0))):
        least = brute_force(candidates, values)[0]
        key = ("latency", "bytes", "operations")[axis]
        reached = min(p.plan.estimate.seconds if key == "latency" else getattr(p, key) for p in points)
        assert reached >= least * (1 - 1e-9)
        assert reached <= least * (1 + (1e-9 if axis == 0 else 0.01))  # a trace of the others tells equals apart


@pytest.mark.parametrize("limit", ["PAIRS", "IDEALS"], ids=["each-by-itself", "along-orders"])
@settings(max_examples=15, deadline=None)
@given(workloads(6), DEVICES)
def test_the_search_beyond_the_limit_stays_near_the_best(limit: str, work: Workload, device: str) -> None:
    candidates = Candidates(work, find_device(device), (8,))
    exact = searched(candidates)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice, limit, -1)
        rough = searched(Candidates(work, find_device(device), (8,)))[0]
    assert rough.least <= exact.seconds
    # Sums of the same costs in another order differ in the last digit.
    assert exact.seconds * (1 - 1e-12) <= rough.seconds <= 2.0 * exact.seconds
    assert sum(float(v[0]) for g in rough.groups if (v := candidates.value(g, FASTEST)) is not None) == pytest.approx(
        rough.seconds
    )


def best_cuts(candidates: Candidates, order: list[int]) -> float:
    """The best cuts of an order into runs, every run looked at: best(end) = min best(start) + cost(start .. end)."""
    best = [0.0]
    for end in range(1, len(order) + 1):
        runs = [(best[k], candidates.value(sum(1 << t for t in order[k:end]))) for k in range(end)]
        best.append(min((done + float(v[0]) for done, v in runs if v is not None), default=np.inf))
    return best[-1]


@settings(max_examples=20, deadline=None)
@given(workloads(7), WITH_PAD)
def test_along_orders_no_cuts_are_better_than_is_said(work: Workload, device: str) -> None:
    candidates = Candidates(work, device_of(device), (8,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice, "IDEALS", -1)
        rough = searched(candidates)[0]
    least = min(best_cuts(candidates, order) for order in orders(work.before()))
    assert rough.seconds <= least * (1 + CLOSE) or not np.isfinite(least)


def test_of_orders_of_many_tasks_some_cuts_are_kept_and_those_that_must_be() -> None:
    n, alone = 1000, 500
    found = lattice_along([list(range(n))], lambda masks: np.ones(len(masks), bool),
                          lambda mask: bool(mask >> alone & 1 and mask != 1 << alone))  # fmt: skip
    assert found is not None
    sizes = np.bitwise_count(found.ideals).sum(1)
    assert 300 <= len(sizes) <= 400
    assert {0, alone, alone + 1, n} <= set(sizes.tolist())


class Two:
    """A chain of two tasks, of which both together seem to take less than each by itself."""

    def __init__(self, together: float) -> None:
        self.costs = {0b01: 0.5015, 0b10: 0.5015, 0b11: together}

    def lattice(self) -> None:
        return None

    def along(self, some: Sequence[Sequence[int]]) -> Lattice | None:
        return lattice_along(some, lambda masks: np.ones(len(masks), bool), lambda _: False)

    def least(self, masks: Masks) -> np.ndarray:
        return np.asarray([[0.501 if number_of(mask).bit_count() == 1 else 1.0] for mask in masks])

    def rest(self) -> np.ndarray:
        return np.ones(1)

    def dead(self, _: int) -> bool:
        return False

    def larger(self, _: int, __: Masks) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(0, np.intp), np.zeros((0, 1))


@pytest.mark.parametrize(("together", "found"), [(1.008, (0b11,)), (1.015, (0b01, 0b10))])
def test_of_a_wide_graph_a_partition_within_a_hundredth_is_enough(together: float, found: tuple[int, ...]) -> None:
    two = Two(together)
    (best,) = partitions((0, 0b01), lambda mask: np.asarray([two.costs[mask]]), 1, two)
    assert best.groups == found


def test_two_groups_never_wait_for_each_other() -> None:
    # 0 -> 1, 2 -> 3: {0, 3} and {1, 2} are convex each, but each would wait for the other.
    assert ordered([0b1001, 0b0110], (0, 0b0001, 0, 0b0100)) is None
    assert ordered([0b0011, 0b1100], (0, 0b0001, 0, 0b0100)) is not None


@pytest.mark.parametrize("device", ["this-cpu", "rtx3060"])
def test_of_layers_bounds_tell_nearly_all(device: str) -> None:
    """A front over all batch lengths asks what few groups cost: of 20 layers in a row there are 210."""
    layers = 20
    planner = Planner(graph([(k - 1, k, k % 2) for k in range(layers)], layers, layers=frozenset(range(layers))),
                      find_device(device))  # fmt: skip
    front(planner)
    assert len(planner._known[LENGTHS, None]) < 2 * layers
