"""Edits of pipelines, and their history."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.bench.workbench import Workbench
from app.desk.pipeline import editing
from app.desk.pipeline.history import History
from app.desk.services.edits import Edits
from kernels.errors import DefinitionError
from kernels.ir.image import DTYPES, ImageType
from pipelines.definition import load, loads
from pipelines.graph import Pipeline, Ref, bind
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import Listening

U8 = ImageType(DTYPES["u8"], 64, 64, 1)


def chain(pipeline: Pipeline) -> list[str]:
    return [node.id for node in pipeline.nodes]


def test_a_stage_put_in_takes_the_place_of_what_it_takes_from() -> None:
    blobs = load("blobs")
    first = blobs.nodes[0]
    takers = [m.id for m in blobs.members for ref in m.inputs.values() if ref == Ref(first.id)]
    assert takers
    made = editing.add_stage(blobs, "median3", Ref(first.id))
    assert chain(made).index("median3") == 1
    for name in takers:
        assert Ref("median3") in editing.member(made, name).inputs.values()
    bind(made, U8)
    assert editing.remove(made, "median3") == blobs


def test_names_stay_unique_and_renaming_follows_every_wire() -> None:
    blobs = load("blobs")
    made = editing.add_stage(editing.add_stage(blobs, "median3"), "median3")
    assert {"median3", "median32"} <= set(chain(made))
    renamed = editing.rename(made, "median3", "quiet")
    bind(renamed, U8)
    assert "median3" not in chain(renamed)
    with pytest.raises(DefinitionError, match="another"):
        editing.rename(made, "median3", "median32")
    with pytest.raises(DefinitionError, match="letters"):
        editing.rename(made, "median3", "a b")


def test_circles_and_loose_ends_are_refused() -> None:
    made = editing.add_stage(editing.add_stage(load("blobs"), "median3"), "gaussian")
    with pytest.raises(DefinitionError, match="circle"):
        editing.rewire(made, "gaussian", "image", Ref("median3"))
    with pytest.raises(DefinitionError, match="no stage"):
        editing.rewire(made, "gaussian", "image", Ref("nothing"))


def test_pins_follow_names_and_go_with_their_stages() -> None:
    made = editing.add_stage(editing.add_stage(load("blobs"), "median3"), "gaussian")
    pinned = editing.pin(made, ("gaussian", "median3"), "cut")
    assert pinned.pins.cut == (("gaussian", "median3"),)
    assert editing.pin(pinned, ("median3", "gaussian"), None).pins.cut == ()
    assert editing.rename(pinned, "gaussian", "soft").pins.cut == (("soft", "median3"),)
    assert editing.remove(pinned, "gaussian").pins.cut == ()


def test_moving_a_stage_keeps_a_pipeline_that_binds() -> None:
    made = editing.add_stage(editing.add_stage(load("blobs"), "median3"), "gaussian")
    assert chain(made)[:2] == ["gaussian", "median3"]
    moved = editing.move(made, "gaussian", None if chain(made)[-1] == "median3" else chain(made)[2])
    assert chain(moved)[0] == "median3"
    bind(moved, U8)


@given(st.data())
def test_random_edits_can_be_undone_and_written(data: st.DataObject) -> None:
    history = History(load("facial-markers"))
    seen = [history.pipeline]
    for _ in range(data.draw(st.integers(1, 8))):
        now = history.pipeline
        kind = data.draw(st.sampled_from(["add", "remove", "set", "rename"]))
        try:
            if kind == "add":
                stage = data.draw(st.sampled_from(["median3", "gaussian", "invert"]))
                made = editing.add_stage(now, stage, Ref(data.draw(st.sampled_from(["source", *chain(now)]))))
            elif kind == "remove":
                made = editing.remove(now, data.draw(st.sampled_from(chain(now))))
            elif kind == "rename":
                made = editing.rename(now, data.draw(st.sampled_from(chain(now))), f"n{len(seen)}")
            else:
                name = data.draw(st.sampled_from([m.id for m in now.members if editing.declared(m)]))
                param = data.draw(st.sampled_from(list(editing.declared(editing.member(now, name)))))
                made = editing.set_param(now, name, param.name, param.default)
        except DefinitionError:
            continue
        assert loads(dumps(made)) == made
        if made != now:
            history.do(kind, made)
            seen.append(made)
    for expected in reversed(seen[:-1]):
        assert history.undo() == expected
    assert history.undo() == seen[0]
    for expected in seen[1:]:
        assert history.redo() == expected


def test_a_dragged_slider_is_one_step() -> None:
    first = load("blobs")
    name = next(n for n in first.nodes if n.id == "bright").id
    history = History(first)
    for k in range(5):
        history.do("level", editing.set_param(history.pipeline, name, "level", 0.01 * (k + 1)), "bright.level", 0.1 * k)
    assert history.undo() == first
    history.redo()
    history.do("level", editing.set_param(history.pipeline, name, "level", 0.5), "bright.level", 9.0)
    assert history.undo() != first
    assert history.undo_words == "level"


def test_dirty_means_different_from_what_was_saved() -> None:
    history = History(load("blobs"))
    history.do("more", editing.add_stage(history.pipeline, "median3"))
    assert history.dirty
    history.saved()
    assert not history.dirty
    history.undo()
    assert history.dirty
    history.redo()
    assert not history.dirty


def wiring(pipeline: Pipeline, name: str) -> dict[str, str]:
    return {port: str(ref) for port, ref in editing.member(pipeline, name).inputs.items()}


def test_a_stage_put_into_one_wire_changes_no_other() -> None:
    blobs = load("blobs")
    made = editing.insert(blobs, "gaussian", "spots", "weights")
    assert wiring(made, "gaussian") == {"image": "scale"}
    assert wiring(made, "spots") == {"mask": "bright", "weights": "gaussian"}
    assert wiring(made, "band") == wiring(blobs, "band")
    bind(made, U8)
    with pytest.raises(DefinitionError, match="takes nothing"):
        editing.insert(blobs, "gaussian", "spots", "nothing")


def test_a_stage_of_several_outputs_gives_its_main_one() -> None:
    made = editing.insert(load("blobs"), "gradient", "bright", "image")
    assert wiring(made, "bright") == {"image": "gradient.magnitude"}
    bind(made, U8)


def test_a_stage_moves_into_another_wire() -> None:
    moved = editing.move_into(load("blobs"), "band", "spots", "weights")
    assert wiring(moved, "bright") == {"image": "scale"}
    assert wiring(moved, "band") == {"image": "scale"}
    assert wiring(moved, "spots") == {"mask": "bright", "weights": "band"}
    bind(moved, U8)
    blobs = load("blobs")
    assert editing.move_into(blobs, "band", "bright", "image") is blobs  # it is there
    with pytest.raises(DefinitionError, match="trackers"):
        editing.move_into(blobs, "follow", "bright", "image")


def test_neighbours_are_exchanged() -> None:
    blobs = editing.insert(load("blobs"), "median3", "band", "image")
    up = editing.shift(blobs, "band", down=False)
    assert wiring(up, "band") == {"image": "scale"}
    assert wiring(up, "median3") == {"image": "band"}
    assert wiring(up, "bright") == {"image": "median3"}
    bind(up, U8)
    assert editing.shift(blobs, "median3", down=True) == up
    with pytest.raises(DefinitionError, match="'spots' makes features"):
        editing.shift(editing.shift(up, "median3", down=True), "median3", down=True)
    with pytest.raises(DefinitionError, match="first"):
        editing.shift(blobs, "gray", down=False)
    with pytest.raises(DefinitionError, match="last"):
        editing.shift(blobs, "spots", down=True)


def test_a_stage_that_moves_down_past_a_fork_leaves_the_other_branch_alone() -> None:
    """The weights of the centres are the clip's gray values, wherever the band pass is prepared."""
    blobs = load("blobs")
    made = editing.shift(editing.add_stage(blobs, "median3", Ref("gray")), "median3", down=True)
    made = editing.shift(made, "median3", down=True)
    assert wiring(made, "median3") == {"image": "scale"}
    assert wiring(made, "spots") == {"mask": "bright", "weights": "median3"}  # behind the fork's stage all take it
    past = editing.shift(made, "median3", down=True)
    assert wiring(past, "bright") == {"image": "median3"}
    assert wiring(past, "spots") == wiring(blobs, "spots")
    assert chain(past) == ["gray", "sound", "scale", "band", "median3", "bright", "spots"]
    bind(past, U8)
    last = editing.shift(past, "median3", down=True)
    assert wiring(last, "spots") == {"mask": "median3", "weights": "scale"}


def test_what_a_new_tracker_takes() -> None:
    blobs = load("blobs")
    assert editing.tracker_inputs(blobs, "blob") == {"features": Ref("spots")}
    assert editing.tracker_inputs(blobs, "template", near="band") == {"image": Ref("band")}
    corners = editing.tracker_inputs(load("corners"), "klt")
    assert corners == {"image": Ref("gray"), "features": Ref("candidates")}
    bind(editing.add_tracker(blobs, "template", editing.tracker_inputs(blobs, "template")), U8)
    with pytest.raises(DefinitionError, match="components"):
        editing.tracker_inputs(load("template"), "blob")


def test_where_something_new_comes() -> None:
    bench = Workbench(Listening())
    edits = Edits(bench)
    assert edits.place("gray") == Ref("gray")
    assert edits.place("source") == Ref("source")
    assert edits.place("follow") == Ref("spots")
    assert edits.place("follow", pictures=True) == Ref("bright")
    assert edits.place("", pictures=True) == Ref("bright")
    assert edits.place("spots", pictures=True) == Ref("bright")
    assert edits.add("median3") == "median3"
    assert wiring(bench.pipeline, "spots") == {"mask": "median3", "weights": "scale"}
    assert edits.add_into("invert", ("spots", "weights")) == "invert"
    assert edits.add("no_such_stage") == ""
    assert "no_such_stage" in bench.messages[-1].sentence
    assert not edits.rename("gray", "spots")
    assert edits.remove("invert")
    bench.editor.undo()
    assert wiring(bench.pipeline, "spots")["weights"] == "invert"
    assert bench.history.undo_words == "add invert"
