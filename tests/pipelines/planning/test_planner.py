"""What every plan must hold: whole, in order, deterministic, within pins and limits, or refused in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.ir.image import U8, ImageType
from kernels.plugins import find_stage
from pipelines.graph import Ref
from pipelines.planning.candidates import Candidates
from pipelines.planning.devices import find_device
from pipelines.planning.plan import CALL, Plan
from pipelines.planning.planner import Planner, Wishes
from pipelines.planning.workload import Workload, workload
from tests.pipelines.planning.made import DEVICES, graph, wide, workloads
from tests.pipelines.planning.made import chain as stage_chain


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


def residual(blocks: int) -> Workload:
    """Layers of a network: blocks of three with a sum over them, two heads that look at the middle and the end."""
    edges, head = [(-1, 0, 1)], 0
    for _ in range(blocks):
        edges += [(head, head + 1, 1), (head + 1, head + 2, 0), (head + 2, head + 3, 0), (head, head + 3, 0)]
        head += 3
    edges += [(3 * (blocks // 2), head + 1, 0), (head, head + 2, 0), (head + 1, head + 3, 0), (head + 2, head + 3, 0)]
    n = head + 4
    return graph(edges, n, size=64, ops=[2.0] * n, layers=frozenset(range(n)), weights=5e4)


@pytest.mark.parametrize("device", ["this-cpu", "rtx3060"])
def test_a_network_of_more_layers_than_a_word_has_bits_is_planned_whole(device: str) -> None:
    work = residual(28)
    assert len(work.tasks) == 88
    plan = Planner(work, find_device(device)).plan(Wishes(batch=8))
    assert plan.proven or 0 < plan.gap < 0.5
    if device == "this-cpu":
        assert plan.proven
        assert len(plan.groups) == 1
    names = [n for g in plan.groups for n in g.nodes]
    assert sorted(names) == sorted(t.node for t in work.tasks)


def test_a_copy_that_is_tapped_costs_what_leaves_the_cache() -> None:
    edges = [(-1, 0, 0), (0, 1, 0), (0, 2, 0), (1, 2, 0), (-1, 2, 0), (0, 3, 0)]
    work = graph(edges, 4, size=64, ops=[1.0] * 4, opaque=frozenset({1}), tapped=frozenset({0}), cheap=frozenset({0}))
    device = find_device("this-cpu")
    copied = work.duplicated([0])
    whole = Candidates(copied, device, (1,))
    tapped = next(k for k, t in enumerate(copied.tasks) if t.node == "n0" and copied.values[t.writes[0]].tapped)
    other = next(k for k, t in enumerate(copied.tasks) if t.node == "n0" and not copied.values[t.writes[0]].tapped)
    one, two = whole.costs(1 << tapped), whole.costs(1 << other)
    assert one is not None
    assert two is not None
    assert (one.dram > two.dram).all()


def test_a_wide_graph_gets_a_plan_that_says_it_is_not_proven() -> None:
    work = wide(20)
    plan = Planner(work, find_device("rtx3060")).plan()
    assert not plan.proven
    assert 0 < plan.gap < 10
    assert plan.least <= plan.estimate.seconds
    assert sorted(n for g in plan.groups for n in g.nodes) == sorted(t.node for t in work.tasks)
    unfused = Planner(work, find_device("rtx3060")).price([[t.node] for t in work.tasks])
    assert plan.estimate.seconds < unfused.estimate.seconds


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


def test_a_decoder_stays_on_a_gpu_and_sends_tables_alone() -> None:
    work = graph([(-1, 0, 0), (0, 1, 0), (1, 2, 0)], 3, size=1024, opaque=frozenset({2}))
    maps, rows = work.values[2].frame, work.values[3].frame
    read, written = 1.25 * maps, 3 * rows  # lists in memory besides
    work = replace(work, tasks=(*work.tasks[:2], replace(work.tasks[2], loads=read, stored=written)))
    plain = replace(work, tasks=(*work.tasks[:2], replace(work.tasks[2], decoder=False)))
    h100 = find_device("h100")
    there, here = (Planner(w, h100).plan() for w in (work, plain))
    assert [g.executor for p in (there, here) for g in p.groups] == ["cuda", "cuda", "cuda", "host"]
    near = read / h100.near / min(1.0, there.batch / h100.units)  # a block a frame
    wanted = max((read + written) / h100.dram, read / h100.cache, near) + h100.launch / there.batch
    assert there.groups[-1].estimate.seconds == pytest.approx(wanted)
    assert there.groups[-1].estimate.traffic == read + written
    assert there.proven
    assert here.groups[-1].estimate.seconds == pytest.approx(h100.launch)
    source = work.values[0].frame
    assert [(p.bus.up, p.bus.down) for p in (there, here)] == [(source, rows), (source, maps)]


def test_each_value_crosses_the_bus_once_and_the_slowest_sets_the_pace() -> None:
    """n0 and n4 run on the device; n1, n2 and n3 on the host: two read n0, one another's result, and n4 reads n2."""
    edges = [(-1, 0, 0), (0, 1, 0), (0, 2, 0), (1, 3, 0), (2, 4, 0), (-1, 4, 0)]
    work = graph(edges, 5, size=1024, opaque=frozenset({1, 2, 3}), tapped=frozenset({0}))
    tasks = tuple(replace(t, decoder=False, seconds=1e-5 * t.opaque) for t in work.tasks)
    work = replace(work, tasks=tasks)
    h100, each = find_device("h100"), work.values[0].frame
    plan = Planner(work, h100).plan()
    assert (plan.bus.up, plan.bus.down) == (2 * each, 2 * each)  # the source, n2; n0, n4
    assert plan.bus.seconds == 4 * each / h100.bus
    calls = sum(group.executor == "cuda" for group in plan.groups) * CALL / plan.batch
    assert plan.host == pytest.approx(3 * (1e-5 + h100.launch) + calls)
    assert plan.steady == plan.bus.seconds > plan.host > plan.kernels > 0
    assert plan.host - calls + plan.kernels == pytest.approx(plan.estimate.seconds)
    assert plan.batch > 1  # a call a frame would take longer than the bus
    slow = replace(work, tasks=tuple(replace(t, seconds=1e-3 * t.opaque) for t in tasks))
    assert Planner(slow, h100).plan().steady == pytest.approx(3e-3, rel=0.03)
    cpu = Planner(work, find_device("this-cpu")).plan()
    assert (cpu.bus.up, cpu.bus.down, cpu.bus.seconds) == (0, 0, 0)
    assert cpu.steady == cpu.estimate.seconds


def test_what_a_stage_hands_on_unchanged_crosses_as_what_it_is() -> None:
    """The gray of a gray picture is on the host already."""
    source = ImageType(U8, 40, 60)
    bound = stage_chain([("gray", find_stage("gray"), {}, ""), ("smooth", find_stage("gaussian"), {}, "")], source)
    work = workload(replace(bound, taps=(*bound.taps, Ref("gray"))))
    assert work.values[1].same == 0
    smooth = next(v for v in work.values if v.ref.node == "smooth")
    assert work.crossing(find_device("h100")) == (source.nbytes, smooth.frame)


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
