"""Edits of the pipeline behind a window: what goes to an engine that only listens."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.desk.bench import fitting
from app.desk.bench.topics import Topic
from app.desk.engine import commands
from app.desk.pipeline import editing
from kernels.errors import DefinitionError, InputError
from kernels.param import Param, Value
from pipelines.definition import load
from pipelines.frame import SourceInfo
from pipelines.graph import Node, Pipeline, Ref, TrackerNode
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import opened
from tests.patience import PATIENCE


def test_live_parameters_go_as_they_are_and_structural_ones_compile(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    live = next((n, p) for n in bench.pipeline.nodes for p in editing.declared(n) if not p.structural)
    fixed = next((n, p) for n in bench.pipeline.nodes for p in editing.declared(n) if p.structural)
    bench.editor.set_param(live[0].id, live[1].name, live[1].default)
    bench.editor.set_param("bright", "level", 0.07)
    assert link.orders[-1] == commands.SetParam("bright", "level", 0.07)
    assert bench.history.undo_words == "bright.level 0.07"
    with pytest.raises(DefinitionError):
        bench.editor.set_param("bright", "lvel", 1)
    link.orders.clear()
    bench.editor.undo()
    assert value_of(bench.pipeline.members, "bright", "level") == "auto"
    assert link.orders == [commands.SetParam("bright", "level", 0.03)], "what was found for it"
    bench.editor.redo()
    assert link.orders[-1] == commands.SetParam("bright", "level", 0.07)
    link.orders.clear()
    bench.editor.set_param(fixed[0].id, fixed[1].name, another(fixed[1]))
    bench.editor.undo()
    bench.editor.redo()
    assert [type(order) for order in link.orders] == [commands.SetPipeline] * 3
    link.orders.clear()
    bench.editor.edit("both", bench.pipeline.with_settings({"bright.level": 0.5, f"{fixed[0].id}.{fixed[1].name}":
                                                            fixed[1].default}))  # fmt: skip
    bench.editor.undo()
    assert [type(order) for order in link.orders] == [commands.SetPipeline] * 2, "one of them is code"


def value_of(members: Sequence[Node | TrackerNode], node: str, param: str) -> Value:
    found = next(m for m in members if m.id == node)
    return found.params.get(param, next(p.default for p in editing.declared(found) if p.name == param))


def another(param: Param) -> Value:
    """A value that is not the default."""
    if param.kind == "choice":
        return next(c for c in param.choices if c != param.default)
    if param.kind == "bool":
        return not param.default
    assert isinstance(param.default, int | float)
    return param.default + 1 if param.default + 1 <= param.high else param.default - 1


def test_several_live_parameters_of_one_step_go_as_they_are_and_nothing_is_ordered_while_it_does_not_fit(
    info: SourceInfo,
) -> None:
    bench, link, _ = opened(info)
    tracker = bench.pipeline.trackers[0].id
    bench.editor.edit("two", bench.pipeline.with_settings({"bright.level": 0.3, f"{tracker}.max_speed": 31.0}))
    assert link.orders == [commands.SetParam("bright", "level", 0.3), commands.SetParam(tracker, "max_speed", 31.0)]
    link.orders.clear()
    wrong = editing.add_stage(bench.pipeline, "components", Ref(bench.pipeline.nodes[0].id))
    bench.editor.edit("wrong", wrong)
    bench.editor.set_param("bright", "level", 0.4)
    bench.editor.undo()
    assert link.orders == [], "what runs is not what is edited"
    bench.editor.undo()
    assert [type(order) for order in link.orders] == [commands.SetPipeline]


def test_a_pipeline_that_does_not_fit_stays_away_from_the_engine(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    wrong = editing.add_stage(bench.pipeline, "components", Ref(bench.pipeline.nodes[0].id))
    bench.editor.edit("add components", wrong)
    assert bench.trouble
    assert link.orders == []
    bench.editor.undo()
    assert bench.trouble == ""
    assert isinstance(link.orders[-1], commands.SetPipeline)
    assert link.orders[-1].pipeline == dumps(bench.pipeline)


def test_what_takes_long_to_look_at_is_ordered_by_a_later_tick(
    info: SourceInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, link, heard = opened(info)
    go, real = threading.Event(), fitting.bound_for
    looked: list[Pipeline] = []

    def slow(pipeline: Pipeline, *rest: object) -> object:
        looked.append(pipeline)
        assert go.wait(PATIENCE)
        return real(pipeline, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(fitting, "bound_for", slow)
    monkeypatch.setattr(fitting, "AT_ONCE", 0.01)
    first = bench.pipeline
    bench.editor.edit("tap", editing.set_tap(first, Ref("bright"), True))
    bench.editor.edit("tap", editing.set_tap(first, Ref("band"), True))
    bench.editor.set_param("bright", "level", 0.07)  # a live one, but the engine does not have the pipeline yet
    bench.tick()
    assert (link.orders, len(looked), bench.trouble) == ([], 1, "")
    heard.clear()
    go.set()
    end = time.monotonic() + PATIENCE
    while not link.orders:
        assert time.monotonic() < end
        bench.tick()
        time.sleep(0.005)
    assert link.orders == [commands.SetPipeline(dumps(bench.pipeline))]  # the newest alone
    assert looked[1:] == [bench.pipeline]
    assert Topic.PIPELINE in heard
    go.clear()
    bench.editor.edit("add", editing.add_stage(bench.pipeline, "components", Ref(bench.pipeline.nodes[0].id)))
    assert bench.trouble == ""
    go.set()
    while not bench.trouble:
        assert time.monotonic() < end
        bench.tick()
    assert len(link.orders) == 1


def test_pipelines_are_saved_with_their_comments(info: SourceInfo, tmp_path: Path) -> None:
    bench, _, _ = opened(info)
    bench.editor.set_param("bright", "level", 0.07)
    path = tmp_path / "mine.toml"
    path.write_text("# kept\n" + dumps(load("blobs")), "utf-8")
    bench.files.choose(path)
    bench.editor.set_param("bright", "level", 0.08)
    assert bench.history.dirty
    bench.files.save(path)
    assert not bench.history.dirty
    assert path.read_text("utf-8").startswith("# kept")
    assert load(path) == bench.pipeline or load(path).nodes == bench.pipeline.nodes
    with pytest.raises(InputError, match="cannot be written"):
        bench.files.save(tmp_path / "no" / "such.toml")
