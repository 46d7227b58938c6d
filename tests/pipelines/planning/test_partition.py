"""The search against brute force over every ordered partition, and what every plan must hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from pipelines.planning import lattice
from pipelines.planning.bounds import Weights
from pipelines.planning.candidates import FASTEST, Candidates, Sought
from pipelines.planning.devices import find_device
from pipelines.planning.heuristic import Solution, ordered
from pipelines.planning.lattice import bits
from pipelines.planning.pareto import front
from pipelines.planning.partition import partitions
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Planner, Wishes
from pipelines.planning.workload import Workload
from tests.pipelines.planning.made import graph

BATCHES = (1, 2, 8)
DEVICES = st.sampled_from(("this-cpu", "gtx1660", "h100"))


@st.composite
def workloads(draw: st.DrawFn, most: int = 7) -> Workload:
    n = draw(st.integers(1, most))
    edges = []
    for b in range(n):
        sources = draw(st.sets(st.integers(-1, b - 1), min_size=1, max_size=3))
        edges += [(a, b, draw(st.sampled_from((0, 0, 1, 3, 9)))) for a in sources]
    some = st.frozensets(st.integers(0, n - 1), max_size=2)
    ops = draw(st.lists(st.sampled_from((1.0, 8.0, 60.0, 2000.0)), min_size=n, max_size=n))
    opaque = draw(some)
    return graph(edges, n, size=draw(st.sampled_from((64, 256, 1500))), ops=ops, states=draw(some), opaque=opaque,
                 tapped=draw(some), cheap=draw(some) - opaque)  # fmt: skip


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
@given(workloads(6), DEVICES, st.sampled_from(METRICS), st.booleans())
def test_no_bound_is_above_what_it_bounds(work: Workload, device: str, weights: Weights, copies: bool) -> None:
    work = work.duplicated(work.duplicables()[:2]) if copies else work
    candidates = Candidates(work, find_device(device), BATCHES)
    sought = Sought(candidates, weights)
    masks = np.arange(1, 1 << min(len(work.tasks), 8), dtype=np.int64)
    costs = [sought.cost(int(mask)) for mask in masks]
    every = np.asarray([np.full(len(BATCHES), np.inf) if c is None else c for c in costs])
    assert (sought.least(masks) <= every).all()
    possible = sought.possible(masks)
    assert (possible | np.isinf(every).all(1)).all()
    for mask in masks[possible]:
        numbers, larger = sought.larger(int(mask), masks)
        assert (larger <= every[numbers]).all()
    if weights == METRICS[0] and len(work.tasks) <= 6:
        assert (sought.rest() <= brute_force(candidates)).all()


@settings(max_examples=60, deadline=None)
@given(workloads(), DEVICES)
def test_no_ordered_partition_is_better(work: Workload, device: str) -> None:
    candidates = Candidates(work, find_device(device), BATCHES)
    found = searched(candidates)
    assert all(s.proven for s in found)
    np.testing.assert_allclose([s.seconds for s in found], brute_force(candidates), rtol=1e-9)
    for k, solution in enumerate(found):
        assert ordered(solution.groups, work.before()) is not None
        assert sum(solution.groups) == (1 << len(work.tasks)) - 1
        spent = [candidates.value(group) for group in solution.groups]
        assert sum(float(s[k]) for s in spent if s is not None) == pytest.approx(solution.seconds)


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


def test_a_copy_saves_a_frame_between_two_groups() -> None:
    # A cheap producer of two heavy stages that cannot share a kernel: its frame need not be written.
    work = graph([(-1, 0, 0), (0, 1, 0), (0, 2, 0)], 3, size=4000, cheap=frozenset({0}))
    planner = Planner(work, find_device("gtx1660"))
    plan = planner.plan(Wishes(batch=1, cut=(("n1", "n2"),)))
    assert sorted(plan.partition) == [("n0", "n1"), ("n0", "n2")]
    assert all(group.duplicated == ("n0",) for group in plan.groups)
    assert all(str(ref) in ("n1", "n2") for group in plan.groups for ref in group.outputs)
    once = planner.plan(Wishes(batch=1, cut=(("n1", "n2"),), copies=False))
    assert not any(group.duplicated for group in once.groups)
    dear = replace(work, tasks=tuple(replace(t, duplicable=False) for t in work.tasks))
    single = Planner(dear, find_device("gtx1660")).plan(Wishes(batch=1, cut=(("n1", "n2"),)))
    assert single.estimate.seconds == once.estimate.seconds > plan.estimate.seconds


@settings(max_examples=25, deadline=None)
@given(workloads(), DEVICES)
def test_every_plan_is_whole_and_runs_in_order(work: Workload, device: str) -> None:
    plan = Planner(work, find_device(device)).plan()
    every = [name for group in plan.groups for name in group.nodes]
    assert set(every) == {task.node for task in work.tasks}
    duplicated = {name for group in plan.groups for name in group.duplicated}
    assert {name for name in every if every.count(name) > 1} == duplicated
    assert duplicated <= {task.node for task in work.tasks if task.duplicable}
    there = {"source"}
    for group in plan.groups:
        assert {ref.node for ref in group.inputs} <= there
        there |= {ref.node for ref in group.outputs}
    assert {str(v.ref) for v in work.values if v.tapped} <= {str(r) for g in plan.groups for r in g.outputs}
    assert_buffers(plan)


def assert_buffers(plan: Plan) -> None:
    for k, one in enumerate(plan.buffers):
        for other in plan.buffers[:k]:
            if one.slot == other.slot:
                assert one.first > other.last or other.first > one.last
    for n, group in enumerate(plan.groups):
        for ref in group.inputs:
            buffer = next(b for b in plan.buffers if b.ref == ref)
            assert buffer.first < n <= buffer.last
            assert buffer.frames >= plan.batch


@settings(max_examples=20, deadline=None)
@given(workloads(), DEVICES, st.sampled_from(("dram", "cache", "near", "rate", "bus")))
def test_a_better_device_is_never_slower(work: Workload, device: str, what: str) -> None:
    weak = find_device(device)
    strong = replace(weak, **{what: 2 * getattr(weak, what)})
    for slow, fast in zip(Planner(work, weak).plans(), Planner(work, strong).plans(), strict=True):
        assert fast.estimate.seconds <= slow.estimate.seconds * (1 + 1e-12)


@settings(max_examples=15, deadline=None)
@given(workloads(), DEVICES)
def test_plans_are_deterministic(work: Workload, device: str) -> None:
    assert Planner(work, find_device(device)).plan() == Planner(work, find_device(device)).plan()


def wide(n: int) -> Workload:
    """A source, n siblings and what joins them: 2**n down-sets."""
    edges = [(-1, 0, 0), *((0, k, 1) for k in range(1, n - 1)), *((k, n - 1, 1) for k in range(1, n - 1))]
    return graph(edges, n, size=512, ops=[float(3 + k % 5) for k in range(n)])


@pytest.mark.parametrize("device", ["this-cpu", "rtx3060", "h100"])
def test_a_pipeline_of_thirty_stages_is_proven(device: str) -> None:
    # Five times: a stage, then four siblings, of which two look further, and what joins them.
    edges, head = [(-1, 0, 0)], 0
    for _ in range(5):
        edges += [(head, head + k, (0, 1, 1, 2)[k - 1]) for k in range(1, 5)]
        edges += [(head + k, head + 5, k % 2) for k in range(1, 5)] + [(head + 5, head + 6, 1)]
        head += 6
    work = graph(edges[:-1], 30, size=512, ops=[float(3 + k % 7) for k in range(30)], states=frozenset({1, 14}))
    plan = Planner(work, find_device(device)).plan(Wishes(batch=8))
    assert plan.proven
    assert plan.least == pytest.approx(plan.estimate.seconds)


def test_a_wide_graph_gets_a_plan_that_says_it_is_not_proven() -> None:
    work = wide(20)
    plan = Planner(work, find_device("rtx3060")).plan()
    assert not plan.proven
    assert 0 < plan.gap < 10
    assert plan.least <= plan.estimate.seconds
    assert sorted(n for g in plan.groups for n in g.nodes) == sorted(t.node for t in work.tasks)
    unfused = Planner(work, find_device("rtx3060")).price([[t.node] for t in work.tasks])
    assert plan.estimate.seconds < unfused.estimate.seconds


@settings(max_examples=15, deadline=None)
@given(workloads(6), DEVICES)
def test_the_search_beyond_the_limit_stays_near_the_best(work: Workload, device: str) -> None:
    candidates = Candidates(work, find_device(device), (8,))
    exact = searched(candidates)[0]
    old = lattice.PAIRS
    try:
        lattice.PAIRS = -1
        rough = searched(candidates)[0]
    finally:
        lattice.PAIRS = old
    assert rough.least <= exact.seconds
    # Sums of the same costs in another order differ in the last digit.
    assert exact.seconds * (1 - 1e-12) <= rough.seconds <= 2.0 * exact.seconds
    assert sum(float(v[0]) for g in rough.groups if (v := candidates.value(g, FASTEST)) is not None) == pytest.approx(
        rough.seconds
    )


def test_two_groups_never_wait_for_each_other() -> None:
    # 0 -> 1, 2 -> 3: {0, 3} and {1, 2} are convex each, but each would wait for the other.
    assert ordered([0b1001, 0b0110], (0, 0b0001, 0, 0b0100)) is None
    assert ordered([0b0011, 0b1100], (0, 0b0001, 0, 0b0100)) is not None


@pytest.fixture(scope="module")
def chain() -> Planner:
    return Planner(graph([(-1, 0, 0), (0, 1, 1), (1, 2, 1), (2, 3, 0)], 4), find_device("rtx3060"))


def test_pins_are_kept(chain: Planner) -> None:
    free = chain.plan()
    assert free.partition == (("n0", "n1", "n2", "n3"),)
    cut = chain.plan(Wishes(cut=(("n1", "n2"),)))
    assert not any({"n1", "n2"} <= set(group) for group in cut.partition)
    assert next(e for e in cut.edges if e.consumer == "n2").pinned
    assert cut.estimate.seconds >= free.estimate.seconds
    heavy = Planner(graph([(-1, 0, 0), (0, 1, 60), (1, 2, 60)], 3, ops=[900.0] * 3, size=2048), find_device("h100"))
    assert len(heavy.plan().groups) > 1
    fused = heavy.plan(Wishes(fuse=(("n0", "n1"),)))
    assert any({"n0", "n1"} <= set(group) for group in fused.partition)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        (Wishes(fuse=(("n0", "m1"),)), "names 'm1', which is no stage of the pipeline; did you mean 'n"),
        (Wishes(cut=(("n0", "n0"),)), "takes two stages, not 'n0' twice"),
        (Wishes(fuse=(("n0", "n1"), ("n1", "n2")), cut=(("n0", "n2"),)), "pinned together and apart"),
        (Wishes(latency=0.1), "needs the frame rate"),
        (Wishes(latency=0.001, fps=100.0), "filling a batch of 1 takes 0.01 s at 100 fps"),
        (Wishes(fuse=(("n0", "n3"),), cut=(("n1", "n2"),)), "no plan fits rtx3060; the pins allow none"),
    ],
)
def test_wishes_that_cannot_be(chain: Planner, wishes: Wishes, sentence: str) -> None:
    with pytest.raises(DefinitionError, match=sentence):
        chain.plan(wishes)


def test_a_host_stage_cannot_be_fused() -> None:
    planner = Planner(graph([(-1, 0, 0), (0, 1, 0)], 2, opaque=frozenset({1})), find_device("h100"))
    with pytest.raises(DefinitionError, match=r"n0 \+ n1 cannot be fused: n1 runs on the host"):
        planner.plan(Wishes(fuse=(("n0", "n1"),)))
    plan = planner.plan()
    assert [g.executor for g in plan.groups] == ["cuda", "host"]
    assert plan.edges[0].why == "n1 runs on the host"


def test_a_shorter_latency_makes_shorter_batches(chain: Planner) -> None:
    loose = chain.plan(Wishes(fps=1000.0))
    for limit in (0.02, 0.005, 0.0015):
        plan = chain.plan(Wishes(fps=1000.0, latency=limit))
        assert plan.latency <= limit
        assert plan.latency == pytest.approx(plan.batch / 1000 + plan.batch * plan.estimate.seconds)
        assert plan.batch <= loose.batch
        assert plan.estimate.seconds >= min(p.estimate.seconds for p in chain.plans(Wishes(fps=1000.0)))
    slow = replace(find_device("this-cpu"), rate=1e6)
    with pytest.raises(DefinitionError, match=r"no plan on this-cpu keeps within 0\.002 s; the quickest takes"):
        Planner(chain.work, slow).plan(Wishes(fps=1000.0, latency=0.002))
