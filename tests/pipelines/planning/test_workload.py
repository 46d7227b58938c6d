"""What the planner derives from stages' bodies, and how it counts it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.base import DeviceModel
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const
from kernels.ir.image import F32, U8, U16, ImageType
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, stack
from kernels.plugins import find_stage
from kernels.stage import Image
from pipelines.definition import library, load
from pipelines.graph import SOURCE, Bound, BoundNode, Ref, bind
from pipelines.planning.candidates import Candidates
from pipelines.planning.devices import devices, find_device, this_cpu
from pipelines.planning.plan import Halo, Tile
from pipelines.planning.planner import Planner, Wishes, planner_of
from pipelines.planning.tiling import depths, grid, span
from pipelines.planning.workload import Memory, Workload, workload
from tests.pipelines.planning.made import BARE, PAD, chain, graph, own_stage
from tests.shipped import fixed

GRAY = ImageType(U8, 60, 80)


def of(*stages: tuple[str, dict[str, object], str], source: ImageType = GRAY) -> Bound:
    """A chain of shipped stages: (stage, parameters, output)."""
    return chain([(f"{k}{s}", find_stage(s), p, o) for k, (s, p, o) in enumerate(stages)], source)


def alone(bound: Bound, tile: Tile, device: DeviceModel = BARE) -> Planner:
    return Planner(workload(bound), device)


def test_reach_bytes_and_state_come_from_the_body() -> None:
    work = workload(of(("gaussian", {"size": 7}, ""), ("iir_lowpass", {}, ""), ("threshold", {}, "")))
    blur, low, mask = work.tasks
    assert (blur.reads[0].left, blur.reads[0].right, blur.reads[0].up, blur.reads[0].down) == (3, 3, 3, 3)
    assert blur.inner == 4.0  # the rows that were blurred, f32
    assert low.memories == (Memory(4.0, low.writes[0]),)
    assert low.kind == "recurrent"
    assert mask.duplicable
    assert not low.duplicable
    assert [v.bytes for v in work.values] == [1.0, 4.0, 4.0, 1.0]
    assert [v.tapped for v in work.values] == [False, False, False, True]


def test_operations_are_counted_from_the_expression() -> None:
    def body(image: Image) -> Expr:
        x = image[0]().to(F32)  # 1: a conversion
        return (x + 1.0) * (x + 1.0) / 3.0  # the sum once, the product, a division of 8

    work = workload(chain([("own", own_stage(body), {}, "")], GRAY))
    assert work.tasks[0].operations == pytest.approx((1 + 1 + 1 + 8) * 60 * 80)


def test_narrow_types_share_a_lane() -> None:
    erode = workload(of(("erode", {}, ""))).tasks[0]
    assert erode.lanes == pytest.approx(erode.operations / 4)


def test_outputs_that_nobody_takes_cost_nothing() -> None:
    little = workload(of(("gradient", {}, "x"))).tasks[0]
    much = workload(of(("gradient", {}, "orientation"))).tasks[0]
    assert len(little.writes) == 1
    assert much.operations > 3 * little.operations


def test_a_state_is_kept_for_outputs_that_look_at_it() -> None:
    work = workload(of(("background", {}, "foreground")))
    assert [m.bytes for m in work.tasks[0].memories] == [4.0, 4.0]
    assert {m.value for m in work.tasks[0].memories} == {-1}


def test_nodes_that_nothing_needs_are_left_out() -> None:
    bound = of(("gain", {}, ""), ("invert", {}, ""))
    work = workload(replace(bound, taps=(Ref("0gain"),)))
    assert [task.node for task in work.tasks] == ["0gain"]
    with pytest.raises(DefinitionError, match="nothing to plan"):
        planner_of(replace(bound, taps=()), BARE)


def test_halo_is_asymmetric_and_scaled_through_resampling() -> None:
    def right(image: Image) -> Expr:
        return image[0](2, 0) + image[0](0, -1)

    bound = chain([("down", find_stage("pyramid_down"), {}, ""), ("own", own_stage(right), {}, "")], GRAY)
    plan = planner_of(bound, BARE).plan(Wishes(batch=1))
    assert plan.partition == (("down", "own"),)
    # own looks 2 to the right and 1 up in the half-size image: 4 and 2 px of the source, and 2 px of the binomial.
    assert plan.groups[0].halo == Halo(2, 6, 4, 2, 0)


def test_a_gather_needs_the_whole_image() -> None:
    bound = of(("gaussian", {}, ""), ("undistort", {}, ""), ("invert", {}, ""))
    plan = planner_of(bound, find_device("h100")).plan()
    assert plan.partition == (("0gaussian",), ("1undistort", "2invert"))
    assert plan.edges[0].why == "1undistort may look anywhere in 0gaussian"


def test_history_is_carried_or_computed_again() -> None:
    bound = of(("gain", {}, ""), ("difference", {"lag": 2}, ""))
    work = workload(bound)
    assert work.tasks[1].reads[0].past == 2
    for bt, expected in ((1, "recomputed"), (2, "recomputed")):
        plan = Planner(work, BARE).price([["0gain", "1difference"]], Wishes(batch=bt, tile=Tile(16, 12, bt)))
        # Carried: 2 frames of 4 bytes read and min(2, bt) written every bt frames. Again: the input's bt + 2 frames.
        carried = 1 + 4 + (2 * 4 + min(2, bt) * 4) / bt
        again = (bt + 2) / bt + 4
        assert plan.estimate.traffic == pytest.approx(min(carried, again) * 80 * 60)
        assert plan.groups[0].axes["t"] == expected
    with_state = of(("iir_lowpass", {}, ""), ("difference", {"lag": 1}, ""))
    plan = Planner(workload(with_state), BARE).plan(Wishes(batch=1))
    assert len(plan.groups) > 1 or plan.groups[0].axes["t"] == "carried"


def test_frames_that_fit_the_cache_do_not_reach_dram() -> None:
    bound = of(("gain", {}, ""), ("gain", {}, ""), source=ImageType(U16, 512, 512))
    big = replace(BARE, cache_bytes=1 << 26)
    cut = [["0gain"], ["1gain"]]
    for device, frames in ((BARE, 2 + 4 + 4 + 4), (big, 2 + 4)):
        plan = Planner(workload(bound), device).price(cut, Wishes(batch=1, tile=Tile(64, 64, 1)))
        assert plan.estimate.dram == pytest.approx(frames * 512 * 512)
        assert plan.estimate.traffic == pytest.approx(14 * 512 * 512)
    # A batch too long for the cache goes to DRAM after all.
    plan = Planner(workload(bound), big).price(cut, Wishes(batch=64, tile=Tile(64, 64, 1)))
    assert plan.estimate.dram == pytest.approx(14 * 512 * 512)


def test_shared_memory_limits_the_tile() -> None:
    bound = of(("gaussian", {"sigma": 4.0}, ""), ("gaussian", {"sigma": 4.0}, ""), source=ImageType(U8, 1024, 1024))
    small = Planner(workload(bound), find_device("gtx1660")).price([["0gaussian", "1gaussian"]])
    large = Planner(workload(bound), find_device("h100")).price([["0gaussian", "1gaussian"]])
    assert small.estimate.on_chip <= find_device("gtx1660").block_bytes
    assert large.estimate.on_chip > small.estimate.on_chip
    assert large.groups[0].halo == Halo(32, 32, 32, 32)


def test_a_cpu_owns_strips_of_whole_rows() -> None:
    bound = bind(fixed("facial-markers"), ImageType(U8, 512, 640, 3))
    plan = planner_of(bound, this_cpu(4)).plan()
    kernel = plan.groups[0]
    assert kernel.tile.bx == 640
    assert kernel.tile.by <= 128
    assert kernel.axes == {"x": "cached", "y": "cached", "t": "carried"}
    # Only the seams of strips are computed twice.
    unfused = planner_of(bound, this_cpu(4)).price([[t.node] for t in workload(bound).tasks])
    assert kernel.estimate.operations < 1.1 * unfused.estimate.operations


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 300), st.integers(1, 80), st.integers(0, 90), st.integers(0, 90))
def test_spans_are_those_of_boxes_counted_one_by_one(n: int, tile: int, low: int, high: int) -> None:
    touched = sum(min(n, x + tile + high) - max(0, x - low) for x in range(0, n, tile))
    # The last box may be cut by the image: its halo begins at the image's edge.
    given = span(n, np.array([np.ceil(n / tile)]), np.array([float(tile)]), low, high)
    assert given[0] == touched


def test_grids() -> None:
    device = find_device("rtx3060")
    made = grid(device, 100, 50, (4, 1))
    assert made.batches == (1, 4)
    assert (made.batch[made.segment(1)] == 4).all()
    assert set(made.bt[made.segment(1)]) == {1.0, 2.0, 4.0}
    assert made.bx.max() == 100
    assert made.by.max() == 50
    assert depths(6) == (1, 2, 6)
    only = grid(device, 100, 50, (4,), Tile(32, 8, 2))
    assert [only.tile(k) for k in range(len(only.bt))] == [Tile(32, 8, 2)]


def test_devices() -> None:
    gpus = {"gtx1660", "rtx3060", "rtx4090", "rtx5090", "a100", "h100", "h200", "b200", "jetson-orin"}
    assert {"this-cpu", *gpus} == set(devices())
    assert {name for name in gpus if devices()[name].origin != "datasheet"} == {"b200"}
    assert find_device("b200").origin == find_device("cuda:sm_100").origin == "reported"
    with pytest.raises(DefinitionError, match="did you mean 'h200'"):
        find_device("h20")
    with pytest.raises(DefinitionError, match="device 'h100' has no positive dram: -1"):
        replace(find_device("h100"), dram=-1)
    with pytest.raises(DefinitionError, match="a device is a cpu or a cuda device"):
        replace(find_device("h100"), kind="tpu")


@pytest.mark.parametrize("name", library())
def test_copies_keep_the_graph(name: str) -> None:
    work = workload(bind(fixed(name), ImageType(U8, 64, 64, 3)))
    copied = work.duplicated(work.duplicables())
    assert_sound(copied)
    assert {t.node for t in copied.tasks} == {t.node for t in work.tasks}
    used = copied.consumers()
    for task in copied.tasks:
        if task.duplicable:
            assert all(len(used[v]) + copied.values[v].tapped <= 1 for v in task.writes)


def assert_sound(work: Workload) -> None:
    made: set[int] = {0}
    for task in work.tasks:
        assert {read.value for read in task.reads} <= made
        assert not made & set(task.writes)
        made |= set(task.writes)
    assert made == set(range(len(work.values)))


def layer(features: int, channels: int, taps: int, source: ImageType) -> Body:
    """A convolution of as many pixels, without a bias."""
    weights = np.ones((features, taps, taps, channels), np.float32)
    how = Contract(Weights(weights), (source.height, source.width), -(taps // 2), -(taps // 2))
    type_ = ImageType(F32, source.height, source.width, features)
    out = contract(input_volume(0, source), const(0.0, F32), how)
    return Body((source,), (Output("out", type_, (out,)),), {}, {})


def test_of_a_layer_multiply_adds_and_weights_are_known() -> None:
    source = ImageType(F32, 20, 30, 8)
    body = layer(24, 8, 3, source)
    stage = own_stage(lambda image: image[0]())
    types = {Ref(SOURCE): source, Ref("conv"): body.outputs[0].type}
    bound = Bound(source, (BoundNode("conv", stage, body, (Ref(SOURCE),)),), (), types, (Ref("conv"),), Ref(SOURCE))
    (task,) = workload(bound).tasks
    assert task.layer
    assert task.macs == task.products(this_cpu(2))[0] == 20 * 30 * 24 * 72
    assert task.module == "conv"
    assert task.macs_int8 == 0
    assert task.weights == 24 * 72 * 4
    assert task.operations == 0
    assert task.looked == 20 * 30 * (8 + 24) * 4
    assert task.reads[0].up == 1


def test_of_a_depthwise_layer_looks_are_counted_and_half_a_vector_is_a_whole_one() -> None:
    source = ImageType(F32, 20, 30, 24)
    how = Contract(Weights(np.ones((24, 3, 3, 1), np.float32)), (20, 30), -1, -1, groups=24)
    out = contract(input_volume(0, source), const(0.0, F32), how)
    body = Body((source,), (Output("out", source, (out,)),), {}, {})
    types = {Ref(SOURCE): source, Ref("dw"): source}
    node = BoundNode("dw", own_stage(lambda image: image[0]()), body, (Ref(SOURCE),))
    (task,) = workload(Bound(source, (node,), (), types, (Ref("dw"),), Ref(SOURCE))).tasks
    assert task.module == "DW"
    assert task.macs == 20 * 30 * 24 * 9
    assert task.products(this_cpu(2)) == (20 * 30 * 32 * 9, 0)
    assert task.products(PAD) == (20 * 30 * 24 * 9, 0)
    assert task.looked == 20 * 30 * 24 * 4 * (3 * 4 / 2 + 1)


def test_a_picture_made_ready_for_layers_is_counted_as_planes() -> None:
    source = ImageType(U8, 20, 30, 3)
    image = [part(input_volume(0, source), k).to(F32) / 255 for k in range(3)]
    volume = Body((source,), (Output("out", ImageType(F32, 20, 30, 3), (stack(image),)),), {}, {})
    planes = Body((source,), (Output("out", ImageType(F32, 20, 30, 3), tuple(image)),), {}, {})
    made = []
    for body in (volume, planes):
        types = {Ref(SOURCE): source, Ref("in"): body.outputs[0].type}
        node = BoundNode("in", own_stage(lambda image: image[0]()), body, (Ref(SOURCE),))
        made += workload(Bound(source, (node,), (), types, (Ref("in"),), Ref(SOURCE))).tasks
    assert made[0].layer
    assert not made[1].layer
    assert (made[0].lanes, made[0].looked, made[0].rows) == (made[1].lanes, made[1].looked, made[1].rows)


def test_layers_take_the_time_of_their_multiply_adds() -> None:
    work = graph([(-1, 0, 0), (0, 1, 1), (1, 2, 0)], 3, size=64, layers=frozenset(range(3)), macs=1e7, weights=4e4)
    cpu = this_cpu(2)
    one = Planner(work, cpu).plan(Wishes(batch=16))
    assert len(one.groups) == 1
    apart = Planner(work, cpu).unfused(Wishes(batch=16))
    macs = sum(t.macs / cpu.macs + t.macs_int8 / cpu.macs_int8 for t in work.tasks)
    assert macs < one.estimate.seconds < 1.2 * macs
    assert apart.estimate.seconds > one.estimate.seconds + 1.5 * cpu.launch / 16
    quick = Planner(work, replace(cpu, macs=4 * cpu.macs, macs_int8=4 * cpu.macs)).plan(Wishes(batch=16))
    assert quick.estimate.seconds < 0.5 * one.estimate.seconds
    single = Planner(work, cpu).plan(Wishes(batch=1))  # two threads share its rows, with some made twice
    assert 1.1 < (single.estimate.seconds - cpu.launch) / (one.estimate.seconds - cpu.launch / 16) < 1.3


def test_layers_share_no_program_with_memories() -> None:
    work = graph([(-1, 0, 0), (0, 1, 1), (1, 2, 0)], 3, states=frozenset({0}), layers=frozenset({1, 2}))
    cpu = this_cpu(2)
    assert Candidates(work, cpu, (1,)).reason(3).startswith("n0 remembers frames")
    assert Planner(work, cpu).plan().partition == (("n0",), ("n1", "n2"))
    assert Candidates(work, find_device("h100"), (1,)).reason(3).startswith("n0 remembers frames")


def test_layers_may_look_anywhere_in_a_layer() -> None:
    work = graph([(-1, 0, 0), (0, 1, math.inf)], 2, layers=frozenset({0, 1}))
    assert Candidates(work, this_cpu(2), (1,)).reason(3) == ""
    assert Candidates(work, find_device("h100"), (1,)).reason(3) == ""
    mixed = graph([(-1, 0, 0), (0, 1, math.inf)], 2, layers=frozenset({1}))
    assert Candidates(mixed, this_cpu(2), (1,)).reason(3) == "n1 may look anywhere in n0"


def test_a_table_input_does_not_disturb() -> None:
    bound = bind(load("corners"), ImageType(U8, 64, 64))
    model = Candidates(workload(bound), BARE, (1,))
    reduction = next(k for k, t in enumerate(model.work.tasks) if t.kind == "reduction")
    costs = model.costs(1 << reduction)
    assert costs is not None
    assert 0 < float(costs.traffic.min()) < 1e7


def test_the_source_alone_can_be_tapped_through_a_node() -> None:
    stage = find_stage("invert")
    body = stage.build([GRAY], {})
    bound = Bound(GRAY, (BoundNode("a", stage, body, (Ref(SOURCE),)),), (), {Ref("a"): GRAY}, (Ref("a"),), Ref(SOURCE))
    plan = planner_of(bound, BARE, "abc").plan()
    assert plan.digest == "abc"
    assert [str(b.ref) for b in plan.buffers] == ["source", "a"]
