"""Opening: the capture rate that a file does not know, recent files, drops, what a crash leaves, the first start."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtWidgets

from app.desk.engine import commands, reports
from app.gui.open_dialog import doubtful
from app.gui.settings import Settings
from app.gui.start import begin
from app.sources.reading import AS_STORED, Reading
from pipelines.definition import load, loads
from pipelines.frame import TimeBase
from pipelines.writing import dumps
from tests.app.exports.made import random_tracks
from tests.app.gui.conftest import CLIP, Desk
from tests.tracks_csv import write_tracks_csv


def opened(desk: Desk, time: TimeBase, live: bool = False, what: str = str(CLIP)) -> None:
    """Have a clip opened whose time base is another one."""
    desk.window.open(what)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    info = replace(desk.source.info, time=time)
    desk.link.reports.append(reports.Opened(info, live, dumps(desk.bench.pipeline), "cpu", ("a",), (), ""))
    desk.bench.tick()


def last_open(desk: Desk) -> commands.Open:
    return next(order for order in reversed(desk.link.orders) if isinstance(order, commands.Open))


@pytest.mark.parametrize(
    ("origin", "fps", "asked"),
    [("container", 30.0, True), ("container", 125.0, True), ("container", 600.0, False),
     ("unknown", float("nan"), True), ("header", 30.0, False), ("user", 30.0, False), ("stamps", 24.0, False)],
)  # fmt: skip
def test_a_rate_is_asked_for_where_the_file_hardly_knows_it(origin: str, fps: float, asked: bool) -> None:
    assert doubtful(TimeBase(fps, origin, "")) is asked


def test_a_rate_that_is_given_opens_the_clip_again_and_is_remembered(desk: Desk) -> None:
    opened(desk, TimeBase(30.0, "container", "30 fps, the container's"))
    assert "30 fps" in desk.window.strips["rate"].label.text()
    desk.window.opening.rate.setValue(4000.0)
    desk.window.strips["rate"].buttons["Apply"].click()
    assert "rate" not in desk.window.strips
    assert last_open(desk).reading.fps == 4000.0
    assert last_open(desk).pipeline == dumps(desk.bench.pipeline)
    desk.window.open(str(CLIP))
    assert last_open(desk).reading.fps == 4000.0
    assert Settings(desk.window.settings.path).readings == {str(CLIP): Reading(fps=4000.0)}


def test_a_rate_that_is_right_is_not_asked_for_again(desk: Desk) -> None:
    opened(desk, TimeBase(30.0, "container", ""))
    orders = len(desk.link.orders)
    desk.window.strips["rate"].buttons["It was 30"].click()
    assert len(desk.link.orders) == orders
    opened(desk, TimeBase(30.0, "container", ""))
    assert last_open(desk).reading.fps is None
    assert "rate" not in desk.window.strips


def test_a_camera_is_not_asked_for_its_rate(desk: Desk) -> None:
    opened(desk, TimeBase(30.0, "container", ""), live=True, what="cam:0")
    assert "rate" not in desk.window.strips


def test_sessions_bring_their_own_pipeline(desk: Desk) -> None:
    desk.window.open("run7.mcap")
    assert last_open(desk).pipeline == ""


def test_recent_files_are_in_a_menu_that_can_be_cleared(desk: Desk) -> None:
    for what in (str(CLIP), "cam:sim?fps=500", "/no/such/clip.cine"):
        desk.window.open(what)
    menu = desk.window.opening.menu
    menu.aboutToShow.emit()
    shown = menu.actions()
    assert [action.text().split("  ")[1] for action in shown[:3]] == ["clip.cine", "cam:sim?fps=500", CLIP.name]
    assert [action.isEnabled() for action in shown[:3]] == [False, True, True]
    desk.link.orders.clear()
    shown[2].trigger()
    assert last_open(desk).what == str(CLIP)
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    assert desk.window.settings.recent == []
    menu.aboutToShow.emit()
    assert not menu.actions()[-1].isEnabled()


def test_of_several_files_that_are_dropped_the_first_clip_opens(desk: Desk, tmp_path: Path) -> None:
    pipeline = tmp_path / "mine.toml"
    pipeline.write_text(dumps(load("template")))
    desk.window.opening.dropped([str(pipeline), str(CLIP), "/b.mp4", "/c.mp4"])
    assert last_open(desk).what == str(CLIP)
    assert desk.bench.files.path == pipeline
    assert [Path(what).name for what in desk.window.settings.recent] == [CLIP.name, "b.mp4", "c.mp4"]
    assert "2" in desk.bench.messages[-1].sentence


def test_a_crash_leaves_the_window_and_one_click_opens_the_clip_again(desk: Desk) -> None:
    desk.open()
    desk.bench.editor.set_param("bright", "level", 0.2)
    desk.link.orders.clear()
    desk.link.reports.append(reports.Crashed("the engine ended unexpectedly (signal 11)", "Fatal Python error"))
    desk.bench.tick()
    strip = desk.window.strips["ended"]
    assert "signal 11" in strip.label.text()
    assert desk.window.isVisible()
    strip.buttons[f"Open {CLIP.name} again"].click()
    assert last_open(desk).what == str(CLIP)
    assert "level = 0.2" in last_open(desk).pipeline
    assert "ended" not in desk.window.strips


def test_a_run_that_failed_can_be_begun_again(desk: Desk) -> None:
    desk.open()
    desk.link.reports.append(reports.Refused("the camera is gone", ended=True))
    desk.bench.tick()
    assert "the camera is gone" in desk.window.strips["ended"].label.text()
    desk.open()
    assert "ended" not in desk.window.strips


def test_the_first_start_shows_a_sample_and_the_tour_once(desk: Desk) -> None:
    begin(desk.window, None, AS_STORED, str(CLIP), False)
    assert last_open(desk).what == str(CLIP)
    assert desk.window.settings.recent == []
    assert desk.window.tour.bubble.isVisible()
    desk.window.tour.bubble.leave.click()
    assert not desk.window.tour.bubble.isVisible()
    begin(desk.window, None, AS_STORED, str(CLIP), False)
    assert not desk.window.tour.bubble.isVisible()


def test_the_next_start_opens_what_was_open_last(desk: Desk) -> None:
    desk.window.settings.add_recent(str(CLIP))
    begin(desk.window, None, AS_STORED, "sample.mp4", False)
    assert last_open(desk).what == str(CLIP)
    desk.link.orders.clear()
    desk.window.settings.add_recent("/gone.mp4")
    begin(desk.window, None, AS_STORED, "sample.mp4", False)
    desk.window.settings.add_recent("cam:0")
    begin(desk.window, None, AS_STORED, "sample.mp4", False)
    assert desk.link.orders == []
    begin(desk.window, "cam:sim", Reading(fps=500.0), "", False)
    assert last_open(desk).reading.fps == 500.0
    assert not desk.window.tour.bubble.isVisible(), "it is for who has never been here"


def test_what_is_being_opened_is_named_at_once_though_another_clip_is_still_shown(desk: Desk) -> None:
    desk.open()
    desk.frame(3, 0)
    place = desk.window.status.parts["place"]
    assert "frame 3" in place.text()
    desk.window.open("cam:sim?fps=200")
    assert place.text() == "opening cam:sim …"


def test_no_row_of_the_files_that_were_open_is_cut(desk: Desk, tmp_path: Path) -> None:
    for k in range(5):
        (tmp_path / f"clip{k}.mp4").touch()
        desk.window.settings.add_recent(str(tmp_path / f"clip{k}.mp4"))
    desk.window.nothing.refresh()
    parent = desk.window.nothing.parentWidget()
    counts = set()
    for height in (900, 460, 420, 380, 330, 200):
        parent.resize(700, height)
        desk.window.nothing.setGeometry(parent.rect())
        desk.window.nothing._room()
        desk.window.nothing.layout().activate()
        desk.window.nothing.more.layout().activate()
        shown = [button for button in desk.window.nothing.files.values() if not button.isHidden()]
        counts.add(len(shown))
        for button in shown:
            assert button.height() >= button.sizeHint().height()
            bottom = button.mapTo(desk.window.nothing, button.rect().bottomLeft()).y()
            assert bottom <= height, (height, len(shown))
        assert desk.window.nothing.head.isHidden() == (not shown)
    assert max(counts) == 5
    assert len(counts) > 2


def test_all_that_is_odd_about_a_clip_is_shown_and_it_can_be_read_otherwise(desk: Desk) -> None:
    """A few words each, with a way to the sentences and to the dialog; what is said there holds for the file from then
    on."""
    desk.window.open(str(CLIP))
    odd = ("it is interlaced & torn: odd", "the pixels are not square", "frame 0 holds none (0), ha", "a fourth",
           "a fifth")  # fmt: skip
    info = replace(desk.source.info, warnings=odd)
    desk.link.reports.append(reports.Opened(info, False, dumps(desk.bench.pipeline), "cpu", ("a",), (), ""))
    desk.bench.tick()
    strip = desk.window.strips["odd"]
    words = "it is interlaced &amp; torn · the pixels are not square · frame 0 holds none · a fourth · a fifth"
    assert strip.label.text() == words
    strip.buttons["All about it"].click()
    assert not desk.window.messages.visibleRegion().isEmpty()
    assert strip.label.toolTip().splitlines() == list(odd)
    dialog = desk.window.opening.ask_reading()
    assert dialog is not None
    assert dialog.reading == AS_STORED
    dialog.rate.setValue(900.0)
    dialog.gaps.setChecked(False)
    dialog.bits.setValue(7)
    dialog.turn.setCurrentIndex(1)
    dialog.accept()
    assert last_open(desk).reading == Reading(900.0, 7, 90, False)
    desk.window.open(str(CLIP))
    assert last_open(desk).reading == Reading(900.0, 7, 90, False)
    opened(desk, desk.source.info.time)
    assert "odd" not in desk.window.strips


def test_rates_that_earlier_versions_kept_still_hold(desk: Desk) -> None:
    desk.window.settings.set_text("rates", '{"/a.mp4": 500.0, "/b.mp4": 0.0}')
    assert desk.window.settings.readings == {"/a.mp4": Reading(500.0), "/b.mp4": AS_STORED}
    desk.window.settings.set_reading("/c.mp4", Reading(bits=12))
    assert desk.window.settings.readings == {"/a.mp4": Reading(500.0), "/b.mp4": AS_STORED, "/c.mp4": Reading(bits=12)}


def a_run_of(clip: Path, folder: Path) -> Path:
    """A folder of results of a clip, with its pipeline and two tracks."""
    facts = {"name": clip.name, "kind": "video", "width_px": 384, "height_px": 288, "frames": 480,
             "time_base": {"fps": 600.0, "origin": "user"}, "identity": {"path": str(clip)},
             "metadata": {}}  # fmt: skip
    made = load("template").with_settings({"track.points": ((40.0, 50.0), (70.0, 60.0))})
    folder.mkdir()
    write_tracks_csv(str(folder / "tracks.csv"), random_tracks(5, 2, mixed=False))
    summary = {"source": facts, "pipeline": {"name": "template"}, "definition": dumps(made), "range": [3, 8],
               "roi": [10, 20, 200, 100], "frames": {"processed": 5}}  # fmt: skip
    (folder / "summary.json").write_text(json.dumps(summary))
    return folder


def shown_run(desk: Desk) -> None:
    """The engine has opened what was ordered."""
    order = last_open(desk)
    desk.link.reports.append(reports.Opened(desk.source.info, False, order.pipeline, "cpu", (), (), ""))
    desk.bench.tick()


def test_the_folder_of_a_run_is_opened_with_its_clip_pipeline_and_tracks(desk: Desk, tmp_path: Path) -> None:
    folder, before = a_run_of(CLIP, tmp_path / "out"), desk.bench.pipeline
    for given in (folder, folder / "summary.json"):
        desk.window.opening.dropped([str(given)])
        order = last_open(desk)
        assert (order.what, order.run) == (str(CLIP), str(folder))
        assert (order.reading, order.roi, order.frames) == (Reading(fps=600.0), (10, 20, 200, 100), (3, 8))
        shown_run(desk)
        assert desk.bench.pipeline.name == "template"
        assert desk.bench.kept == str(folder)
        assert "nothing is computed" in desk.window.strips["kept"].label.text()
        assert desk.window.settings.recent[0] == str(folder)
    assert not [order for order in desk.link.orders if isinstance(order, commands.SetPipeline)]
    desk.window.strips["kept"].buttons["Compute anew"].click()
    (order,) = [order for order in desk.link.orders if isinstance(order, commands.SetPipeline)]
    assert loads(order.pipeline) == desk.bench.pipeline
    assert "kept" in desk.window.strips  # until they come
    built = reports.Built(order.pipeline, "cpu", ("gray",), (), 3)
    desk.link.reports += [reports.Outdated(), built]
    desk.bench.tick()
    assert (desk.bench.kept, "kept" in desk.window.strips) == ("", False)
    desk.bench.editor.undo()
    words = desk.bench.history.undo_words
    assert (desk.bench.pipeline.name, words) == ("template", ""), "undo ends where it was opened"
    desk.open()
    assert desk.bench.pipeline == before, "that of the clip alone"


def test_a_run_whose_clip_is_gone_asks_where_it_is(desk: Desk, tmp_path: Path, monkeypatch) -> None:
    folder = a_run_of(tmp_path / "gone.mp4", tmp_path / "out")
    desk.window.open(str(folder))
    shown_run(desk)
    strip = desk.window.strips["kept"]
    assert f"is no longer at {tmp_path}/gone.mp4" in strip.label.text()
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_: (str(CLIP), ""))
    strip.buttons["Find the clip…"].click()
    assert (last_open(desk).what, last_open(desk).run) == (str(CLIP), str(folder))
    shown_run(desk)
    assert "Compute anew" in desk.window.strips["kept"].buttons


def test_what_has_no_frames_is_refused_in_a_sentence(desk: Desk, tmp_path: Path) -> None:
    a_run_of(CLIP, tmp_path / "a")
    (tmp_path / "report.json").write_text('{"clips": [], "totals": {}}')
    desk.window.guarded(lambda: desk.window.open(str(tmp_path)))
    said = desk.bench.messages[-1].sentence
    wanted = "a clip, a session, a run's folder or a project"
    assert said.startswith(f"{tmp_path} is a batch's folder, and {wanted} is wanted here")
    assert f"such as {tmp_path / 'a'}" in said
    assert not desk.link.orders
