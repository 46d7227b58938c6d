"""Pipelines that are chosen, brought by sessions, saved, and changed by other programs: nothing is lost."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.pipeline import editing
from app.desk.pipeline.history import Origin
from app.desk.pipeline.pipeline_file import PipelineFileChanged
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.graph import Pipeline
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import CLIP, Listening


class Rig:
    """A bench whose engine opens what is ordered."""

    def __init__(self) -> None:
        self.link = Listening()
        self.bench = Workbench(self.link)
        source = open_source(CLIP)
        self.info = source.info
        source.close()

    def answer(self, own: Pipeline | None = None) -> None:
        """What was ordered last is open; `own` is the pipeline of a session."""
        order = self.link.orders[-1]
        assert isinstance(order, commands.Open)
        assert (own is None) == bool(order.pipeline)
        text = order.pipeline if own is None else dumps(own)
        info = replace(self.info, name=Path(order.what).name)
        self.link.reports.append(reports.Opened(info, False, text, "cpu", ("a",), (("a", "u8"),), ""))
        self.bench.tick()
        self.link.orders.clear()

    def open(self, what: str = str(CLIP), own: Pipeline | None = None) -> None:
        self.bench.open(what, pipeline=None if own is None else "own")
        self.answer(own)


@pytest.fixture
def rig() -> Rig:
    return Rig()


OTHER = load("blobs").with_settings({"bright.level": 0.5})


def test_another_clip_takes_the_pipeline_as_it_was_edited(rig: Rig) -> None:
    rig.open()
    rig.bench.editor.set_param("bright", "level", 0.07)
    edited = rig.bench.pipeline
    rig.open("other.mp4")
    assert (rig.bench.pipeline, rig.bench.history.dirty) == (edited, True)
    rig.bench.editor.undo()
    assert (rig.bench.pipeline, rig.bench.history.dirty) == (load("blobs"), False)


def test_a_session_brings_its_pipeline_and_undo_ends_there(rig: Rig) -> None:
    """What was edited before is offered by `ClipPipelines`, and is no step of the session's."""
    rig.open()
    rig.bench.editor.set_param("bright", "level", 0.07)
    rig.bench.editor.set_param("bright", "level", 0.08)
    rig.open("run7.mcap", own=OTHER)
    assert rig.bench.pipeline == OTHER
    assert not rig.bench.history.dirty
    assert rig.link.orders == [], "it runs already"
    assert rig.bench.history.undo_words == ""
    rig.bench.editor.undo()
    assert rig.bench.pipeline == OTHER
    rig.bench.editor.set_param("bright", "level", 0.07)
    rig.bench.editor.undo()
    assert (rig.bench.pipeline, rig.bench.history.undo_words) == (OTHER, "")


def test_a_session_is_silent_where_nothing_was_edited(rig: Rig) -> None:
    rig.open("run7.mcap", own=OTHER)
    assert not any("pipeline" in m.sentence for m in rig.bench.messages)
    assert rig.bench.history.left == ()


def test_what_is_edited_while_a_clip_is_being_opened_stays(rig: Rig) -> None:
    rig.bench.open("other.mp4")
    order = rig.link.orders[-1]
    rig.bench.editor.set_param("bright", "level", 0.07)
    edited = rig.bench.pipeline
    assert rig.link.orders == [order]
    rig.link.orders.clear()
    assert isinstance(order, commands.Open)
    rig.link.reports.append(reports.Opened(rig.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    rig.bench.tick()
    assert rig.bench.pipeline == edited
    assert rig.bench.history.undo_words == "bright.level 0.07"
    assert rig.link.orders == [commands.SetPipeline(dumps(edited))], "the engine follows"


def test_another_pipeline_is_one_step_and_the_one_before_comes_back_with_its_edits_and_file(
    rig: Rig, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dumps(replace(load("blobs"), name="mine")), "utf-8")
    rig.bench.files.begin_with(path)
    assert (rig.bench.history.done, rig.bench.history.dirty, rig.bench.files.path) == ((), False, path)
    rig.open()
    rig.bench.editor.set_param("bright", "level", 0.07)
    rig.bench.editor.edit("more", editing.add_stage(rig.bench.pipeline, "median3"))
    edited = rig.bench.pipeline
    rig.bench.files.choose("template")
    assert (rig.bench.files.path, rig.bench.history.dirty) == (None, False)
    rig.bench.editor.set_param(rig.bench.pipeline.trackers[0].id, "min_score", 0.7)
    rig.bench.editor.undo()
    assert rig.bench.history.undo_words == "pipeline template"
    rig.link.orders.clear()
    rig.bench.editor.undo()
    assert (rig.bench.pipeline, rig.bench.files.path, rig.bench.history.dirty) == (edited, path, True)
    assert rig.link.orders == [commands.SetPipeline(dumps(edited))]
    rig.bench.editor.undo()
    rig.bench.editor.undo()
    assert not rig.bench.history.dirty
    for _ in range(4):
        rig.bench.editor.redo()
    assert rig.bench.pipeline.name == "template"
    assert rig.bench.history.dirty


def test_the_same_pipeline_once_more_is_no_step(rig: Rig) -> None:
    rig.open()
    rig.bench.files.choose("blobs")
    assert rig.bench.history.done == ()
    assert rig.link.orders == [commands.SetPipeline(dumps(load("blobs")))], "but it is computed anew"
    rig.bench.editor.set_param("bright", "level", 0.07)
    edited = rig.bench.pipeline
    rig.bench.files.choose("blobs")
    assert rig.bench.pipeline == load("blobs")
    rig.bench.editor.undo()
    assert rig.bench.pipeline == edited


def test_what_was_left_unsaved_can_be_saved_or_gone_back_to(rig: Rig, tmp_path: Path) -> None:
    rig.bench.editor.set_param("bright", "level", 0.07)
    edited = rig.bench.pipeline
    rig.bench.files.choose("template")
    rig.bench.editor.set_param(rig.bench.pipeline.trackers[0].id, "min_score", 0.7)
    (left,) = rig.bench.history.left
    assert left.pipeline == edited
    rig.bench.files.save(tmp_path / "kept.toml", edit=left)
    assert load(tmp_path / "kept.toml") == replace(edited, name="kept")
    assert rig.bench.history.left == ()
    assert rig.bench.files.path is None, "it is another one that was saved"
    assert rig.bench.history.dirty
    rig.bench.files.go_back_to(left)
    assert (rig.bench.pipeline, rig.bench.files.path) == (left.pipeline, tmp_path / "kept.toml")
    assert not rig.bench.history.dirty
    assert [one.pipeline.name for one in rig.bench.history.left] == ["template"]
    rig.bench.editor.undo()
    assert rig.bench.pipeline.name == "template"


def test_a_file_that_another_program_has_changed_is_not_written_over(rig: Rig, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("# mine\n" + dumps(load("blobs")), "utf-8")
    rig.bench.files.begin_with(path)
    rig.bench.editor.set_param("bright", "level", 0.07)
    rig.bench.files.save(path)
    rig.bench.editor.set_param("bright", "level", 0.08)
    theirs = "# theirs\n" + dumps(OTHER)
    path.write_text(theirs, "utf-8")
    with pytest.raises(PipelineFileChanged, match=r"mine\.toml was changed by another program"):
        rig.bench.files.save(path)
    assert path.read_text("utf-8") == theirs
    assert rig.bench.history.dirty
    rig.bench.files.choose(path)  # what the other one wrote, as a step
    assert rig.bench.pipeline == OTHER
    rig.bench.editor.undo()
    rig.bench.files.save(path, over=True)
    assert "level = 0.08" in path.read_text("utf-8")
    assert path.read_text("utf-8").startswith("# theirs")
    rig.bench.editor.set_param("bright", "level", 0.09)
    rig.bench.files.save(path)
    path.unlink()
    rig.bench.files.save(path)  # a file that is gone is written anew
    assert "level = 0.09" in path.read_text("utf-8")


def test_a_full_disk_leaves_the_file_as_it_was(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("# mine\n" + dumps(load("blobs")), "utf-8")
    before = path.read_bytes()
    rig.bench.files.begin_with(path)
    rig.bench.editor.set_param("bright", "level", 0.07)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="disk is full"):
        rig.bench.files.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["mine.toml"]
    assert rig.bench.history.dirty


def test_a_pipeline_is_called_as_the_file_that_it_was_saved_to(rig: Rig, tmp_path: Path) -> None:
    rig.bench.editor.set_param("bright", "level", 0.07)
    rig.bench.files.save(tmp_path / "mine.toml")
    assert rig.bench.pipeline == load(tmp_path / "mine.toml")
    rig.bench.editor.undo()
    assert (rig.bench.pipeline.name, rig.bench.history.dirty) == ("mine", True)
    rig.bench.history.choose("other", OTHER, Origin())
    rig.bench.files.save(tmp_path / "mine.toml", over=True)  # another pipeline in its place
    rig.bench.editor.undo()
    rig.bench.editor.redo()
    assert not rig.bench.history.dirty
    rig.bench.editor.undo()
    assert rig.bench.history.dirty, "its file holds another one now"
