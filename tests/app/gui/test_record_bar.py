"""The recording bar, by its buttons and keys."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import commands, reports
from app.desk.jobs.jobs import JobState
from app.desk.jobs.orders import ReplayOrder
from app.gui import theme
from app.gui.sessions.record_bar import RecordBar
from pipelines.streaming.common.states import RunState
from tests.app.desk.readings import account, live_readings
from tests.app.gui.conftest import Desk
from tests.app.gui.recording import camera_bar, click, ended, until


@pytest.fixture
def bar(desk: Desk, tmp_path: Path) -> RecordBar:
    return camera_bar(desk, tmp_path)


def test_it_shows_for_cameras_and_where_it_is_asked_for(desk: Desk) -> None:
    bar, record = desk.window.record_bar, desk.window.actions_.made["record"]
    assert not bar.isVisible()
    assert not record.isEnabled()
    desk.open()
    assert not bar.isVisible()
    record.trigger()
    assert bar.isVisible()
    assert not desk.window.jobs.all  # it is offered first
    assert "480 frames" in bar.words.text()
    for widget in (bar.waits, bar.rehearse, bar.trigger, bar.before):
        assert not widget.isVisible()
    click(bar.cross)
    assert not bar.isVisible()
    record.trigger()
    desk.open()
    assert not bar.isVisible()
    desk.open(live=True)
    assert desk.window.record_bar.isVisible()
    desk.window.default_layout()
    assert desk.window.record_bar.isVisible()


def test_a_click_records_into_a_new_file_and_another_ends_it(desk: Desk, bar: RecordBar, tmp_path: Path) -> None:
    name = f"session_{datetime.now():%Y-%m-%d}_001.mcap"
    assert bar.name.text() == str(tmp_path / name)
    click(bar.record)
    assert desk.link.orders == [commands.StartRecording(str(tmp_path / name))]
    assert bar.record.text() == "Stop"
    assert not bar.name.isEnabled()
    (tmp_path / name).touch()
    click(bar.record)
    assert desk.link.orders[-1] == commands.StopRecording()
    ended(desk)
    assert bar.record.text() == "Record"
    assert bar.name.text().endswith("_002.mcap")
    assert "500 frames" in bar.words.text()
    click(bar.open_button)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    assert (order.what, order.pipeline) == (str(tmp_path / name), "")
    assert desk.window.settings.recent[0] == str(tmp_path / name)


def test_a_name_that_is_taken_is_counted_on(desk: Desk, bar: RecordBar, tmp_path: Path) -> None:
    (tmp_path / "mine.mcap").touch()
    bar.name.setText(str(tmp_path / "mine"))
    click(bar.record)
    assert desk.link.orders == [commands.StartRecording(str(tmp_path / "mine_001.mcap"))]


def test_keys_record_and_trigger(desk: Desk, bar: RecordBar) -> None:
    bar.waits.setChecked(True)
    bar.before.setValue(250)
    bar.after.setValue(100)
    bar.when.setText("speed>200 lost")
    assert "0.25 s" in bar.before_words.text()
    desk.window.activateWindow()
    desk.window.setFocus()
    QtTest.QTest.keyClick(desk.window, QtCore.Qt.Key.Key_R, QtCore.Qt.KeyboardModifier.ControlModifier)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.StartRecording)
    assert (order.before, order.after, order.triggers) == (250, 100, ("speed>200", "lost"))
    desk.link.reports += live_readings(4, recording=True)
    desk.link.reports.append(replace(live_readings(5)[-1], recording=replace(account(0), state=1)))
    desk.bench.tick()
    assert "Armed" in bar.words.text()
    assert "paused" not in bar.words.text()
    desk.link.reports.append(reports.Stood(RunState.PAUSED, 5))
    desk.bench.tick()
    assert "Armed" in bar.words.text()
    assert "paused: kept, but without tracks (Space)" in bar.words.text()
    QtTest.QTest.keyClick(desk.window, QtCore.Qt.Key.Key_G)
    assert desk.link.orders[-1] == commands.Trigger("key")
    click(bar.trigger)
    assert desk.link.orders[-2:] == [commands.Trigger("key"), commands.Trigger("key")]
    QtTest.QTest.keyClick(desk.window, QtCore.Qt.Key.Key_R, QtCore.Qt.KeyboardModifier.ControlModifier)
    assert desk.link.orders[-1] == commands.StopRecording()


def test_the_state_follows_triggers_also_those_that_came_early(desk: Desk, bar: RecordBar) -> None:
    bar.waits.setChecked(True)
    click(bar.record)
    assert "Beginning" in bar.words.text()
    QtTest.QTest.keyClick(desk.window, QtCore.Qt.Key.Key_G)
    desk.bench.tick()
    bar.refresh()
    assert "the trigger is taken" in bar.words.text()
    one = replace(live_readings(1, recording=True)[0], recording=account(0))
    desk.link.reports.append(one)
    desk.bench.tick()
    assert "Armed" not in bar.words.text()
    assert "Triggered" in bar.words.text()
    desk.link.reports.append(reports.Triggered("key", 3, 0.015, 403))
    desk.link.reports.append(replace(one, recording=account(200)))
    desk.bench.tick()
    assert "Recording" in bar.words.text()
    assert "<b>200</b>" in bar.words.text()
    desk.link.reports.append(replace(one, recording=replace(account(403), announced=500)))
    desk.bench.tick()
    assert "Armed again" in bar.words.text()
    assert "triggered at frame 3 (0.015 s) by key" in bar.words.text()
    # What tracks trigger comes late: it may be about an earlier frame than a key that is pressed meanwhile.
    desk.link.reports += [reports.Triggered("key", 600, 3.0, 1000), reports.Triggered("speed", 550, 2.75, 950)]
    desk.link.reports.append(replace(one, recording=replace(account(870), announced=970)))
    desk.bench.tick()
    assert "Recording" in bar.words.text()
    came = (reports.Triggered("key", 3, 0.015),)
    desk.link.reports.append(reports.Recorded(desk.bench.recording, account(403), triggers=came))
    desk.bench.tick()
    assert "triggered at frame 3 (0.015 s) by key" in bar.words.text()


def test_frames_that_were_recorded_but_not_processed_are_no_loss_and_said(desk: Desk, bar: RecordBar) -> None:
    click(bar.record)
    desk.link.reports.append(reports.Recorded(desk.bench.recording, account(1122), processed=374,
                                          left_out={"the engine was behind": 748}))  # fmt: skip
    desk.bench.tick()
    text = bar.words.text()
    assert "1122 frames recorded" in text
    assert "374 processed, 748 left out (the engine was behind)" in text
    assert "none was lost" not in text


def test_a_trigger_that_is_none_is_a_message(desk: Desk, bar: RecordBar) -> None:
    bar.waits.setChecked(True)
    bar.when.setText("fast")
    click(bar.record)
    assert desk.bench.messages[-1].level is Level.ERROR
    assert "speed>200" in desk.bench.messages[-1].sentence
    assert not bar.record.isChecked()
    assert desk.link.orders == []


def test_while_it_records_it_says_how_it_goes(desk: Desk, bar: RecordBar) -> None:
    click(bar.record)
    desk.link.reports += live_readings(20, recording=True, dropped=2, waiting=200)
    desk.bench.tick()
    text = bar.words.text()
    assert "<b>4960</b> frames" in text
    assert "MB/s" in text
    assert "queue 200 of 256" in text
    assert f'color:{theme.current().bad}">40 lost' in text
    assert "disk full in 1:06 h" in text or "disk full in 1:07 h" in text
    assert "paused" not in text
    desk.link.reports += [reports.Stood(RunState.PAUSED, 5), *live_readings(20, recording=True)]
    desk.bench.tick()
    assert "paused: recorded, but without tracks" in bar.words.text()
    ended(desk, dropped=40)
    assert "40 lost (found no room before the disk)" in bar.words.text()
    assert theme.current().bad in bar.words.text()


def test_what_no_trigger_came_for_is_said_to_be_empty(desk: Desk, bar: RecordBar) -> None:
    click(bar.record)
    desk.link.reports.append(reports.Recorded(desk.bench.recording, replace(account(0, 0), recorded=0)))
    desk.bench.tick()
    assert "nothing was recorded" in bar.words.text()
    assert "no trigger came" in bar.words.text()


def test_what_was_lost_in_between_is_said_with_counts(desk: Desk, bar: RecordBar) -> None:
    click(bar.record)
    desk.link.reports.append(reports.Recorded(desk.bench.recording, replace(account(500), restarts=1), 2, 2, 31))
    desk.bench.tick()
    text = bar.words.text()
    for words in ("500 frames", "the camera was lost 2 times and came back",
                  "31 frames lost (never came from the camera)",
                  "the recorder ended once and was started again"):  # fmt: skip
        assert words in text
    assert "none was lost" not in text
    assert theme.current().warn in text


def test_what_there_is_no_room_for_can_be_read_in_the_tip(desk: Desk, bar: RecordBar) -> None:
    """It ended in the middle of a word beside the buttons: "42 frames never came from the came"."""
    click(bar.record)
    click(bar.record)
    ended(desk)
    desk.window.resize(700, 600)
    QtWidgets.QApplication.processEvents()
    assert bar.words.sizeHint().width() > bar.words.width()
    assert "500 frames" in bar.words.toolTip()
    assert str(Path(desk.bench.recorded[-1].path).parent.name) in bar.words.toolTip()


def test_the_picture_stands_still_when_a_recording_begins_and_ends(desk: Desk, bar: RecordBar) -> None:
    def height() -> int:
        for _ in range(3):
            QtWidgets.QApplication.processEvents()
        return int(bar.height())

    before = height()
    click(bar.record)
    assert height() == before
    desk.link.reports += live_readings(3, recording=True)
    desk.bench.tick()
    assert height() == before
    ended(desk)
    assert bar.open_button.isVisible()
    assert height() == before


def test_the_replay_of_what_was_recorded_can_be_checked(desk: Desk, bar: RecordBar, tmp_path: Path) -> None:
    click(bar.record)
    ended(desk)
    click(bar.check)
    job = desk.window.jobs.all[-1]
    assert isinstance(job.order, ReplayOrder)
    until(desk, lambda: not job.running)
    assert job.state is JobState.FAILED  # there is no such file
    assert desk.bench.messages[-1].level is Level.ERROR


def test_the_folder_can_be_chosen(desk: Desk, bar: RecordBar, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getExistingDirectory", lambda *a, **k: str(other))
    click(bar.folder_button)
    assert bar.path.parent == other
    click(bar.record)
    assert other.is_dir()


def test_a_recording_without_a_frame_cannot_be_opened(desk: Desk, bar: RecordBar) -> None:
    click(bar.record)
    ended(desk)
    assert bar.open_button.isVisible()
    click(bar.record)
    empty = replace(account(0), recorded=0, announced=0)
    desk.link.reports.append(reports.Recorded(desk.bench.recording, empty, kept=False))
    desk.bench.tick()
    assert "no frame came; there is no such file" in bar.words.text()
    assert not bar.open_button.isVisible()
    assert not bar.check.isVisible()
    assert len(desk.bench.recorded) == 1
    click(bar.record)
    desk.link.reports.append(reports.Refused("no room", recording=desk.bench.recording))
    desk.bench.tick()
    assert "there is no such file" not in bar.words.text()  # that was of the one before
    click(bar.record)
    ended(desk)
    assert "500 frames" in bar.words.text()
    assert bar.open_button.isVisible()
