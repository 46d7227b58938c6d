"""Where boxes and wires stand."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.pipeline import editing
from app.desk.pipeline.graph_layout import MIDDLE, Layout, layout
from kernels.errors import DefinitionError
from pipelines.definition import library, load, loads, with_files
from pipelines.graph import SOURCE, Node, Pipeline, Ref


def check(pipeline: Pipeline, made: Layout) -> None:
    boxes = made.boxes
    assert set(boxes) == {SOURCE, *(m.id for m in pipeline.members)}
    for a, b in combinations(boxes.values(), 2):
        apart = a.x + a.width < b.x or b.x + b.width < a.x or a.y + a.height < b.y or b.y + b.height < a.y
        assert apart, (a, b)
    wires = {wire.key: wire for wire in made.wires}
    assert set(wires) == {(m.id, port) for m in pipeline.members for port in m.inputs}
    for wire in made.wires:
        first, last = boxes[wire.ref.node], boxes[wire.consumer]
        assert wire.points[0][1] == first.y + first.height
        assert wire.points[-1][1] == last.y
        assert wire.points[-1][0] in [x for _, x in last.inputs]
        for (x0, y0), (x1, y1) in zip(wire.points, wire.points[1:], strict=False):
            assert x0 == x1 or y0 == y1 or abs(x0 - x1) < 0.5
            for box in boxes.values():
                beside = max(x0, x1) <= box.x or min(x0, x1) >= box.x + box.width
                beside |= max(y0, y1) <= box.y or min(y0, y1) >= box.y + box.height
                assert beside, (wire, box.id)
    for box in boxes.values():
        assert box.x >= 0
        assert box.x + box.width <= made.width + 0.01
        assert box.y + box.height <= made.height + 0.01
    for member in pipeline.members:
        for ref in member.needs if isinstance(member, Node) else member.inputs.values():
            assert boxes[ref.node].layer < boxes[member.id].layer


@pytest.mark.parametrize("name", [*library(), *with_files()])
def test_shipped_pipelines(name: str) -> None:
    pipeline = load(name)
    check(pipeline, layout(pipeline))
    check(pipeline, layout(pipeline, [[node.id for node in pipeline.nodes]]))


@given(st.data())
def test_random_graphs(data: st.DataObject) -> None:
    pipeline = load("facial-markers")
    for _ in range(data.draw(st.integers(0, 5))):
        names = [node.id for node in pipeline.nodes]
        stage = data.draw(st.sampled_from(["median3", "gradient", "components"]))
        try:
            pipeline = editing.add_stage(pipeline, stage, Ref(data.draw(st.sampled_from([SOURCE, *names]))))
            target = data.draw(st.sampled_from([m for m in pipeline.members if m.inputs]))
            port = data.draw(st.sampled_from(list(target.inputs)))
            name = data.draw(st.sampled_from([SOURCE, *(n.id for n in pipeline.nodes)]))
            pipeline = editing.rewire(pipeline, target.id, port, Ref(name))
        except DefinitionError:
            continue
    check(pipeline, layout(pipeline))


def test_a_wire_that_passes_layers_runs_beside_the_boxes() -> None:
    made = layout(load("blobs"))
    long = next(wire for wire in made.wires if wire.key == ("spots", "weights"))
    assert max(x for x, _ in long.points) > max(box.x + box.width for box in made.boxes.values())
    short = next(wire for wire in made.wires if wire.key == ("band", "image"))
    assert len(short.points) == 2


NETWORK = """
[stages.heat]
use = "network"
model = "shipped:quadrant_targets.onnx"
[stages.faces]
use = "anchors"
inputs = { boxes = "heat.boxes", scores = "heat.scores", placement = "heat.placement" }
"""


def test_outputs_that_only_a_model_knows_have_a_port_each() -> None:
    pipeline = loads(NETWORK)
    taken = layout(pipeline)
    assert [name for name, _ in taken.boxes["heat"].outputs] == ["boxes", "scores", "placement"]
    assert len({wire.points[0][0] for wire in taken.wires if wire.ref.node == "heat"}) == 3
    made = layout(pipeline, outputs=["heat.boxes", "heat.scores", "heat.points"])
    assert [name for name, _ in made.boxes["heat"].outputs] == ["boxes", "scores", "points", "placement"]
    check(pipeline, taken)


def test_ports_leave_room_for_the_times_of_a_group() -> None:
    for box in layout(loads(NETWORK)).boxes.values():
        if box.kind == "source":
            continue
        middle = box.x + box.width / 2
        for ends in (box.inputs, box.outputs):
            xs = [x for _, x in ends]
            assert all(abs(x - middle) <= MIDDLE / 2 + 0.01 for x in xs)
            assert all(b - a > 10 for a, b in pairwise(xs))
