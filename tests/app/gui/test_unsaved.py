"""Pipelines that are left, changed elsewhere or kept from start to start, in the window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtWidgets

from app.desk.engine import commands, reports
from app.desk.jobs.batch_queue import DONE, FAILED, RUNNING
from app.gui.settings import Settings
from app.gui.start import begin
from pipelines.definition import load
from pipelines.graph import Pipeline
from pipelines.writing import dumps
from tests.app.gui.conftest import CLIP, Desk

EDITED = load("blobs").with_settings({"bright.level": 0.07})


def session(desk: Desk, name: str = "run7.mcap") -> None:
    """Have a session opened that brings its own pipeline."""
    desk.window.open(name)
    own = dumps(load("blobs").with_settings({"bright.level": 0.5}))
    desk.link.reports.append(reports.Opened(desk.source.info, False, own, "cpu", ("a",), (), ""))
    desk.bench.tick()
    desk.link.orders.clear()


def choose_file(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def test_a_session_leaves_the_edited_pipeline_within_reach(desk: Desk) -> None:
    desk.open()
    desk.bench.editor.set_param("bright", "level", 0.07)
    session(desk)
    assert desk.bench.pipeline == load("blobs").with_settings({"bright.level": 0.5})
    assert "left" not in desk.window.strips, "it is that of its clip, and is there when that is opened again"
    assert "*" not in desk.window.windowTitle()
    assert not desk.window.actions_.made["undo"].isEnabled(), "undo ends where the session was opened"
    desk.open()
    assert desk.bench.pipeline == EDITED
    assert "*" in desk.window.windowTitle()


def test_changes_of_a_sessions_own_pipeline_are_offered_until_they_are_answered(desk: Desk) -> None:
    session(desk)
    desk.bench.editor.set_param("bright", "level", 0.07)
    desk.open()
    session(desk)
    for _ in range(2):
        assert desk.bench.pipeline == load("blobs").with_settings({"bright.level": 0.5})
        assert "blobs" in desk.window.strips["pipeline of before"].label.text()
        desk.open()
        session(desk)
    desk.window.strips["pipeline of before"].buttons["Use blobs"].click()
    assert desk.bench.pipeline == load("blobs").with_settings({"bright.level": 0.07})
    desk.window.actions_.made["undo"].trigger()
    desk.open()
    session(desk)
    assert "pipeline of before" not in desk.window.strips


def test_one_click_goes_back_and_loses_nothing_of_what_came_after(desk: Desk) -> None:
    desk.open()
    desk.bench.editor.set_param("bright", "level", 0.07)
    desk.window.pipeline.choice.setCurrentText("template")
    desk.window.pipeline._choose(desk.window.pipeline.choice.currentIndex())
    tracker = desk.bench.pipeline.trackers[0].id
    desk.bench.editor.set_param(tracker, "min_score", 0.7)
    desk.window.strips["left"].buttons["Back to blobs"].click()
    assert desk.bench.pipeline == EDITED
    assert "left" not in desk.window.strips
    desk.window.actions_.made["undo"].trigger()
    assert desk.bench.pipeline == load("template").with_settings({f"{tracker}.min_score": 0.7})


def test_what_was_left_is_saved_without_going_back(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.open()
    desk.bench.editor.set_param("bright", "level", 0.07)
    desk.bench.files.choose("template")
    choose_file(monkeypatch, tmp_path / "kept")
    desk.window.strips["left"].buttons["Save it…"].click()
    assert load(tmp_path / "kept.toml").nodes == EDITED.nodes
    assert desk.bench.pipeline == load("template")
    assert "left" not in desk.window.strips


def test_pipelines_without_changes_are_left_in_silence(desk: Desk) -> None:
    desk.open()
    desk.bench.files.choose("template")
    session(desk)
    assert "left" not in desk.window.strips
    assert not any("pipeline" in message.sentence for message in desk.bench.messages)


def test_a_file_changed_by_another_program_is_asked_about(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dumps(load("blobs")), "utf-8")
    desk.bench.files.choose(path)
    desk.bench.editor.set_param("bright", "level", 0.07)
    theirs = dumps(load("blobs").with_settings({"bright.level": 0.5}))
    path.write_text(theirs, "utf-8")
    save = desk.window.actions_.made["save"]
    save.trigger()
    assert path.read_text("utf-8") == theirs
    strip = desk.window.strips["changed"]
    assert "mine.toml was changed by another program" in strip.label.text()
    choose_file(monkeypatch, tmp_path / "ours.toml")
    strip.buttons["Save under another name…"].click()
    assert load(tmp_path / "ours.toml").nodes == EDITED.nodes
    assert path.read_text("utf-8") == theirs
    assert "changed" not in desk.window.strips
    desk.bench.files.choose(path)
    path.write_text(dumps(load("blobs").with_settings({"bright.level": 0.6})), "utf-8")
    desk.window.unsaved.look_at_file()  # somebody comes back to the window
    desk.window.strips["changed"].buttons["Take that of the file"].click()
    assert desk.bench.pipeline == load(path)
    desk.window.unsaved.look_at_file()
    assert "changed" not in desk.window.strips
    desk.bench.editor.set_param("bright", "level", 0.07)
    path.write_text(theirs, "utf-8")
    save.trigger()
    desk.window.strips["changed"].buttons["Write over mine.toml"].click()
    assert load(path).nodes == EDITED.nodes
    assert not desk.bench.history.dirty


def test_coming_back_to_the_window_asks_once(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dumps(load("blobs")), "utf-8")
    desk.bench.files.choose(path)
    path.write_text(dumps(load("template")), "utf-8")
    for _ in range(2):
        desk.window.unsaved.look_at_file()
        desk.window.strips.remove("changed")
    desk.window.unsaved.look_at_file()
    assert "changed" not in desk.window.strips
    path.unlink()
    desk.window.unsaved.look_at_file()
    assert "changed" not in desk.window.strips


def test_an_ending_that_is_added_writes_over_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "run.1.toml"
    there.write_text("mine", "utf-8")
    choose_file(monkeypatch, tmp_path / "run.1")  # the dialog sees no such file
    desk.window.actions_.made["save_as"].trigger()
    assert there.read_text("utf-8") == "mine"
    assert "run.1.toml exists already" in desk.bench.messages[-1].sentence
    choose_file(monkeypatch, there)  # about this one it has asked
    desk.window.actions_.made["save_as"].trigger()
    assert load(there).nodes == load("blobs").nodes


def again(desk: Desk) -> Settings:
    """What the next start reads."""
    return Settings(desk.window.settings.path)


def test_what_was_edited_is_kept_while_the_window_lives(desk: Desk) -> None:
    assert desk.window.unsaved._timer.isSingleShot()
    desk.bench.editor.set_param("bright", "level", 0.07)
    assert desk.window.unsaved._timer.isActive()
    desk.window.unsaved._timer.timeout.emit()
    (name,) = again(desk).names("windows/")
    assert "level = 0.07" in again(desk).text(name)


def test_the_next_start_begins_where_this_one_ended(desk: Desk) -> None:
    settings = desk.window.settings
    settings.set_text("windows/old", _left(EDITED, CLIP, (10, 20, 100, 90)))
    settings.add_recent(str(CLIP))
    begin(desk.window, None, None, "", False)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    assert (order.what, order.roi, order.pipeline) == (str(CLIP), (10, 20, 100, 90), dumps(EDITED))
    assert "did not end properly" in desk.bench.messages[-1].sentence
    assert "left" not in desk.window.strips


def test_the_list_of_the_batch_is_there_again_with_what_came_of_it(desk: Desk, tmp_path: Path) -> None:
    queue, panel = desk.window.batch.queue, desk.window.batch
    queue.add(["/clips/a.mp4", "/clips/b.mp4", "/clips/c.mp4", "sim:points"])
    assert desk.window.unsaved._timer.isActive()
    done, failed = queue.lines["/clips/b.mp4"], queue.lines["/clips/c.mp4"]
    done.status, done.tracks, done.fps, done.folder = DONE, 7, 812.0, str(tmp_path)
    failed.status, failed.note = FAILED, "it is cut short"
    queue.lines["/clips/a.mp4"].status = RUNNING
    desk.window.unsaved.keep(ended=True)
    (name,) = desk.window.settings.names("windows/")
    desk.window.settings.set_text("windows/old", desk.window.settings.text(name))
    queue.remove(list(queue.lines))
    queue.lines.clear()
    begin(desk.window, None, None, "", False)
    found = list(queue.lines.values())
    assert [(line.path, line.status) for line in found] == [
        ("/clips/a.mp4", "waiting"), ("/clips/b.mp4", "done"), ("/clips/c.mp4", "failed"), ("sim:points", "waiting")]
    assert (found[1], found[2]) == (done, failed)
    panel.refresh()
    assert panel.words.text() == "2 waiting  1 done  1 failed"
    panel.clear.click()
    assert [line.status for line in queue.lines.values()] == ["waiting", "failed", "waiting"]
    assert not panel.clear.isEnabled()


def test_clips_that_an_earlier_version_kept_are_there_again(desk: Desk) -> None:
    told = json.loads(_left(EDITED, CLIP, ()))
    desk.window.settings.set_text("windows/old", json.dumps({**told, "clips": ["/clips/a.mp4", "sim:points"]}))
    begin(desk.window, None, None, "", False)
    lines = desk.window.batch.queue.lines
    assert [(key, line.name, line.status) for key, line in lines.items()] == [
        ("/clips/a.mp4", "a.mp4", "waiting"), ("sim:points", "sim:points", "waiting")]


def test_a_pipeline_that_is_asked_for_leaves_what_was_unsaved_within_reach(desk: Desk) -> None:
    desk.window.settings.set_text("windows/old", _left(EDITED, CLIP, ()))
    desk.bench.files.begin_with("template")
    begin(desk.window, None, None, "", True)
    assert (desk.bench.pipeline, desk.bench.history.dirty) == (load("template"), False)
    desk.window.actions_.made["undo"].trigger()
    assert desk.bench.pipeline == EDITED


def test_points_stay_where_they_are_in_the_picture_when_another_clip_is_opened(desk: Desk) -> None:
    points = ((60.0, 50.0), (90.0, 80.0))
    desk.bench.files.begin_with("template")
    tracker = desk.bench.pipeline.trackers[0].id
    desk.bench.editor.edit("points", desk.bench.pipeline.with_settings({f"{tracker}.points": points}))
    opened(desk, str(CLIP), roi=(10, 20, 200, 200))
    assert at(desk, tracker) == points
    desk.bench.close()
    desk.link.reports.append(reports.Closed())
    desk.bench.tick()
    desk.window.open("other.mp4")
    desk.link.reports.append(reports.Refused("other.mp4 is no clip"))
    desk.bench.tick()
    opened(desk, "other.mp4")
    assert at(desk, tracker) == points, "chosen before anything was opened"
    assert not desk.window.actions_.made["undo"].isEnabled()
    opened(desk, str(CLIP))
    assert at(desk, tracker) == points


def opened(desk: Desk, what: str, roi: tuple[int, int, int, int] | None = None) -> None:
    desk.window.open(what, roi=roi)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    desk.link.reports.append(reports.Opened(desk.source.info, False, order.pipeline, "cpu", (), (), ""))
    desk.bench.tick()


def at(desk: Desk, tracker: str) -> object:
    return next(one for one in desk.bench.pipeline.trackers if one.id == tracker).params.get("points", ())


def _left(pipeline: Pipeline, clip: Path, roi: tuple[int, ...]) -> str:
    kept = [{"came": "blobs", "text": dumps(pipeline), "unsaved": True, "digest": ""}]
    return json.dumps({"pipelines": kept, "what": str(clip), "roi": roi, "well": True, "ended": False, "pid": 0,
                       "boot": "none", "at": 1.0})  # fmt: skip
