"""A track that is put right by hand, and followed anew from there."""

from __future__ import annotations

import pytest

from app.desk.jobs.orders import RetrackOrder
from app.gui.video.correct_tool import CorrectTool
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import click, take
from tests.app.gui.test_main_window import press


def test_a_track_is_moved_by_hand_and_the_move_is_undone(desk: Desk) -> None:
    desk.open()
    desk.window.tracking.corrector.path = None  # keeps no file beside the sample
    for index in range(12):
        desk.frame(index)
    take(desk, "E")
    tool = desk.window.tracking.tools.tool
    assert isinstance(tool, CorrectTool)
    rows = desk.bench.store.at(11)
    click(desk, float(rows["x"][1]), float(rows["y"][1]))
    assert desk.bench.selected == [1]
    tool.follow.click()
    click(desk, 120.0, 200.0)
    assert desk.bench.store.at(11)["x"][desk.bench.store.at(11)["track"] == 1] == pytest.approx(120.0, abs=1.5)
    assert "set by hand in 1 frame" in desk.window.tracking.tools.panel.hint.text()
    drawn = desk.window.video.overlay.rows
    assert drawn["x"][drawn["track"] == 1] == pytest.approx(120.0, abs=1.5)
    press(desk, "Esc")
    press(desk, "Ctrl+Z")
    assert desk.bench.store.at(11)["x"].tolist() == rows["x"].tolist()


def test_a_track_that_is_put_right_is_followed_anew_until_that_is_stopped(desk: Desk) -> None:
    desk.open()
    desk.window.tracking.corrector.path = None
    for index in range(12):
        desk.frame(index)
    take(desk, "E")
    tool = desk.window.tracking.tools.tool
    assert isinstance(tool, CorrectTool)
    desk.bench.select([1])
    assert tool.follow.isChecked()
    click(desk, 120.0, 200.0)
    (job,) = desk.window.jobs.all
    order = job.order
    assert isinstance(order, RetrackOrder)
    assert (order.track, order.frame, order.frames[1]) == (1, 11, desk.source.info.frames)
    assert (order.x, order.y) == pytest.approx((120.0, 200.0), abs=1.5)
    assert "following 1" in desk.window.tracking.tools.panel.hint.text()
    assert not desk.window.tracking.corrector.corrections.undo_words
    press(desk, "Ctrl+Alt+.")
    assert job.stopping
    assert "following" not in desk.window.tracking.tools.panel.hint.text()
    tool.on.click()  # frame by frame by hand
    assert not tool.follow.isChecked()
