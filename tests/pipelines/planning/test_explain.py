"""Reasons, the Pareto front, and drawings."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings

from kernels.ir.image import U8, ImageType
from pipelines.definition import library
from pipelines.graph import Ref, bind
from pipelines.planning.candidates import FEWEST
from pipelines.planning.devices import find_device
from pipelines.planning.drawing import dot, slots, svg
from pipelines.planning.explain import duration, reasons, sentence, size
from pipelines.planning.pareto import AXES, front, point, undominated
from pipelines.planning.planner import Planner, Wishes, planner_of
from pipelines.planning.workload import Workload
from tests.pipelines.planning.made import BARE, graph, seed_chain, wide, workloads
from tests.shipped import fixed


def planner(name: str, device: str) -> Planner:
    return planner_of(bind(fixed(name), ImageType(U8, 512, 512)), find_device(device))


@pytest.mark.parametrize("name", library())
def test_the_other_decision_is_never_faster_unless_forbidden(name: str) -> None:
    made = planner(name, "rtx3060")
    plan = made.plan(Wishes(batch=8))
    found = reasons(made, plan, Wishes(batch=8))
    assert [r.edge for r in found] == list(plan.edges)
    for reason in found:
        if reason.possible:
            assert reason.seconds >= -1e-12
        else:
            assert reason.edge.why
        text = sentence(reason, plan.pixels)
        assert text.startswith(f"{reason.producer} -> {reason.edge.consumer}: ")
        assert "\n" not in text


def test_a_reason_is_the_difference_of_two_plans() -> None:
    made = planner("facial-markers", "h100")
    wishes = Wishes(batch=4)
    plan = made.plan(wishes)
    cut = made.plan(Wishes(batch=4, cut=(("smooth", "edges"),)))
    reason = next(r for r in reasons(made, plan, wishes) if str(r.edge) == "smooth -> edges")
    assert reason.edge.fused
    assert reason.seconds == pytest.approx(cut.estimate.seconds - plan.estimate.seconds)
    assert reason.bytes == pytest.approx(cut.estimate.traffic - plan.estimate.traffic)
    assert reason.operations == pytest.approx(plan.estimate.operations - cut.estimate.operations)
    assert reason.halo == (4, 4)
    assert "a halo wider by 4,4 px" in sentence(reason, plan.pixels)


def test_what_turns_a_decision_does_turn_it() -> None:
    # Two filters of a wide reach and much arithmetic: fused they compute too much in the halo.
    work = graph([(-1, 0, 16), (0, 1, 16)], 2, ops=[400.0, 400.0], size=2048)
    made = Planner(work, find_device("h100"))
    plan = made.plan(Wishes(batch=8))
    assert not plan.edges[0].fused
    reason = reasons(made, plan, Wishes(batch=8))[0]
    assert reason.possible
    assert reason.seconds > 0
    assert reason.operations < 0
    pinned = made.plan(Wishes(batch=8, fuse=(("n0", "n1"),)))
    assert pinned.edges[0].fused
    back = reasons(made, pinned, Wishes(batch=8, fuse=(("n0", "n1"),)))[0]
    assert back.seconds < 0
    assert "(pinned)" in sentence(back, pinned.pixels)
    assert "cutting it would save" in sentence(back, pinned.pixels)


def test_ranked_plans_differ_and_the_best_comes_first() -> None:
    made = planner("facial-markers", "rtx3060")
    plans = made.ranked(6, Wishes(batch=8))
    assert len({(p.partition, p.batch) for p in plans}) == len(plans) == 6
    assert plans[0] == made.plan(Wishes(batch=8))
    times = [p.estimate.seconds for p in plans]
    assert times == sorted(times)
    everything = made.ranked(1000, Wishes(batch=8))
    assert made.unfused(Wishes(batch=8)).partition in [p.partition for p in everything]


def test_all_the_fusing_that_fits() -> None:
    made = Planner(graph([(-1, 0, 16), (0, 1, 16)], 2, ops=[400.0, 400.0], size=2048), find_device("h100"))
    assert len(made.plan(Wishes(batch=8)).groups) == 2
    assert len(made.plan(Wishes(batch=8), FEWEST).groups) == 1


def test_depth_in_time_turns_the_seed_chain() -> None:
    """Deeper in time, less of the state and its halo is moved a frame."""
    work = planner_of(seed_chain(1024, 1024), BARE)
    shallow, deep = work.plan(Wishes(batch=1)), work.plan(Wishes(batch=8))
    assert shallow.estimate.traffic > deep.estimate.traffic
    assert deep.partition == (("gray", "iir", "smooth", "edges", "mask"),)


@settings(max_examples=12, deadline=None)
@given(workloads(5))
def test_no_plan_of_the_front_is_beaten(work: Workload) -> None:
    made = Planner(work, find_device("rtx3060"))
    points = front(made)
    for p in points:
        for q in points:
            if p is not q:
                assert any(a < b for a, b in zip(p.values, q.values, strict=True))
    for k, axis in enumerate(AXES):
        assert min(p.values[k] for p in points) == next(p for p in points if axis in p.best).values[k]
    every = [point(plan) for plan in made.plans()]
    assert min(p.latency for p in points) <= min(p.latency for p in every)
    for alone in every:  # nothing that the planner itself proposes beats the front
        assert any(all(a <= b for a, b in zip(p.values, alone.values, strict=True)) for p in points)


def test_equal_points_are_one() -> None:
    plan = planner("template", "h100").plan()
    assert len(undominated([point(plan), point(plan)])) == 1
    assert undominated([]) == []


def test_a_latency_limit_holds_for_the_front() -> None:
    made = planner("facial-markers", "rtx3060")
    wishes = Wishes(fps=1000.0, latency=0.005)
    assert all(p.latency <= 0.005 for p in front(made, wishes))


@pytest.mark.parametrize("name", library())
@pytest.mark.parametrize("device", ["this-cpu", "h100"])
def test_pictures_show_every_stage_inside_the_frame(name: str, device: str) -> None:
    check_picture(planner(name, device))


@settings(max_examples=12, deadline=None)
@given(workloads())
def test_pictures_of_any_graph(work: Workload) -> None:
    check_picture(Planner(work, find_device("rtx3060")))


def test_a_picture_of_a_wide_graph() -> None:
    check_picture(Planner(wide(12), find_device("rtx3060")))


def check_picture(made: Planner) -> None:
    plan = made.plan()
    root = ElementTree.fromstring(svg(plan, "a <title> & more"))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    names = {e.text for e in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {node for group in plan.groups for node in group.nodes} <= names
    cards = []
    for box in root.iter("{http://www.w3.org/2000/svg}rect"):
        if box.attrib["width"] != "100%" and "fill-opacity" not in box.attrib:
            x, y, w, h = (float(box.attrib[k]) for k in ("x", "y", "width", "height"))
            assert 0 <= x <= x + w <= width
            assert 0 <= y <= y + h <= height
            if box.attrib["rx"] == "10":
                cards.append((y, y + h))
    assert len(cards) == len(plan.groups)
    assert all(a[1] < b[0] for a, b in zip(sorted(cards), sorted(cards)[1:], strict=False))
    text = dot(plan)
    assert text.count("subgraph") == len(plan.groups)
    assert text.count("{") == text.count("}")


def test_slots_hold_their_largest_buffer() -> None:
    plan = planner("facial-markers", "this-cpu").plan(Wishes(batch=2))
    sizes = slots(plan.buffers)
    assert set(sizes) == {b.slot for b in plan.buffers}
    assert all(sizes[b.slot] >= b.nbytes for b in plan.buffers)
    source = next(b for b in plan.buffers if b.ref == Ref("source"))
    assert source.nbytes == 2 * 512 * 512


def test_units() -> None:
    assert [duration(v) for v in (1.5, 2e-3, 3.456e-6, 7e-9)] == ["1.5 s", "2 ms", "3.46 µs", "7 ns"]
    assert [size(v) for v in (0, 999, 1023, 1536, 5 * 2**20)] == ["0 B", "999 B", "0.999 KB", "1.5 KB", "5 MB"]
    assert [size(v) for v in (1000 * 2**10, 3 * 2**30)] == ["0.977 MB", "3 GB"]  # never more than three digits
