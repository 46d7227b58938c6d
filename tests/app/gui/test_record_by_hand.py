"""A recording by a user's clicks: when the click was goes with the order, and what is missing since is said."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtTest

from app.desk.engine import commands, reports
from app.gui import theme
from app.gui.sessions.record_bar import RecordBar
from tests.app.desk.readings import account, live_readings
from tests.app.gui.conftest import Desk
from tests.app.gui.recording import camera_bar, click


@pytest.fixture
def bar(desk: Desk, tmp_path: Path) -> RecordBar:
    return camera_bar(desk, tmp_path)


@pytest.mark.parametrize("by", ["button", "key"])
def test_the_time_of_the_click_goes_with_the_order(desk: Desk, bar: RecordBar, by: str) -> None:
    before = time.time_ns()
    if by == "button":
        click(bar.record)
    else:
        desk.window.activateWindow()
        QtTest.QTest.keyClick(desk.window, QtCore.Qt.Key.Key_R, QtCore.Qt.KeyboardModifier.ControlModifier)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.StartRecording)
    assert before <= order.asked <= time.time_ns()


def test_what_came_between_the_click_and_the_first_frame_is_said_in_the_end(desk: Desk, bar: RecordBar) -> None:
    click(bar.record)
    desk.link.reports += live_readings(3, recording=True)
    desk.bench.tick()
    click(bar.record)
    ended = reports.Recorded(desk.bench.recording, account(500), delay=0.0142, came_before=14)
    desk.link.reports.append(ended)
    desk.bench.tick()
    text = bar.words.text()
    assert "500 frames recorded" in text
    assert "it begins 14 ms after the click, 14 frames that came in between are not in it" in text
    assert theme.current().good in text or "none was lost" in text
    click(bar.record)
    desk.link.reports.append(replace(ended, path=desk.bench.recording, came_before=0))
    desk.bench.tick()
    assert "click" not in bar.words.text()
