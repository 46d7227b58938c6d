"""Points that are placed, found, followed; the box of a template: mouse, keys, the panel."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.engine import commands
from app.gui.video.point_tools import PlacePoints
from app.gui.video.template_tool import TemplateBox
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import RIGHT, click, drag, orders, shown, take
from tests.app.gui.test_main_window import press
from tests.patience import PATIENCE

assert shown  # the fixture


def test_points_are_placed_dragged_removed_and_followed(shown: Desk) -> None:
    tools = shown.window.tracking.tools
    take(shown, "B")
    tool = tools.tool
    assert isinstance(tool, PlacePoints)
    assert len(tool.points) == 3  # where the tracks are
    tool.clear.click()
    for at in ((60.0, 200.0), (150.0, 220.0), (250.0, 210.0)):
        click(shown, *at)
    assert len(tool.points) == 3
    drag(shown, (150.0, 220.0), (170.0, 180.0))
    assert tool.points[1] == pytest.approx((170.0, 180.0), abs=1.5)
    click(shown, 60.0, 200.0, RIGHT)
    assert len(tool.points) == 2
    click(shown, 300.0, 60.0)
    press(shown, "Backspace")
    assert len(tool.points) == 2
    shown.link.orders.clear()
    press(shown, "Return")
    (order,) = orders(shown, commands.SetParam)
    assert (order.node, order.param) == ("track", "points")
    assert order.value[0] == pytest.approx((170.0, 180.0, 2.0), abs=1.5)
    assert order.value[0][2] == 2.0  # the frame that was shown
    assert shown.link.orders[-1] == commands.Seek(2)
    assert tools.tool.name == "pick"
    press(shown, "Ctrl+Z")
    assert "points" not in shown.bench.pipeline.trackers[0].params


def test_undo_takes_back_points_one_by_one_while_the_tool_is_in_hand(shown: Desk) -> None:
    """It took back the choice of the pipeline: nothing that was done to points was known to it."""
    pipeline = shown.bench.pipeline
    take(shown, "B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    begun = list(tool.points)
    tool.clear.click()
    press(shown, "Ctrl+Z")
    assert tool.points == begun, "removing all is taken back"
    tool.clear.click()
    click(shown, 60.0, 200.0)
    click(shown, 150.0, 220.0)
    placed = list(tool.points)
    drag(shown, (150.0, 220.0), (170.0, 180.0))
    moved = list(tool.points)
    assert moved != placed
    click(shown, 60.0, 200.0, RIGHT)
    assert len(tool.points) == 1
    assert shown.window.undoing.undo_words == "points"
    for wanted in (moved, placed, placed[:1], [], begun):
        press(shown, "Ctrl+Z")
        assert tool.points == wanted
        assert len(tool.frames) == len(wanted)
    for wanted in ([], placed[:1], placed, moved, moved[1:]):
        press(shown, "Ctrl+Shift+Z")
        assert tool.points == wanted
    press(shown, "Ctrl+Z")
    assert shown.bench.pipeline is pipeline
    press(shown, "Escape")
    assert shown.window.undoing.undo_words != "points", "what was done with a tool that was left is no step"


def test_all_points_go_along_while_shift_is_held(shown: Desk) -> None:
    take(shown, "B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    tool.clear.click()
    for at in ((60.0, 200.0), (150.0, 220.0), (250.0, 210.0)):
        click(shown, *at)
    before = list(tool.points)
    drag(shown, (150.0, 220.0), (170.0, 190.0), held=QtCore.Qt.KeyboardModifier.ShiftModifier)
    moved = [(x - a, y - b) for (x, y), (a, b) in zip(tool.points, before, strict=True)]
    assert moved[0] == pytest.approx((20.0, -30.0), abs=1.5)
    assert all(one == pytest.approx(moved[0]) for one in moved)
    press(shown, "Ctrl+Z")
    assert tool.points == before, "it is one step"
    drag(shown, (150.0, 220.0), (170.0, 190.0))
    assert [tool.points[0], tool.points[2]] == [before[0], before[2]]
    assert tool.points[1] == pytest.approx((170.0, 190.0), abs=1.5)


def test_a_drag_beside_the_handles_moves_the_picture(shown: Desk) -> None:
    take(shown, "B")
    before = shown.window.video.box.viewRect().center().x()
    drag(shown, (200.0, 250.0), (240.0, 250.0))
    assert shown.window.video.box.viewRect().center().x() == pytest.approx(before - 40, abs=8)


def test_points_are_found_automatically_without_holding_up_the_window(shown: Desk, app: QtWidgets.QApplication) -> None:
    take(shown, "B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    tool.clear.click()
    tool.count.setValue(12)
    tool.detect.click()
    until = time.monotonic() + PATIENCE
    while not tool.points and time.monotonic() < until:
        app.processEvents()
        time.sleep(0.01)
    assert 3 <= len(tool.points) <= 12
    assert tool.detect.isEnabled()
    assert all(13 <= x <= 371 and 13 <= y <= 275 for x, y in tool.points)


def test_a_pipeline_that_finds_its_points_is_exchanged_for_template(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    take(desk, "B")
    tool = desk.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    assert tool.detect.isHidden()
    tool.switch.click()
    assert desk.bench.pipeline.name == "template"
    assert not tool.detect.isHidden()


def test_a_template_box_sets_a_point_and_the_window(shown: Desk) -> None:
    take(shown, "X")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, TemplateBox)
    drag(shown, (100.0, 200.0), (132.0, 230.0))
    assert tool.side == pytest.approx(33, abs=2)
    shown.window.tracking.tools.panel.done.click()
    params = shown.bench.pipeline.trackers[0].params
    assert params["window"] == tool_side(params)
    assert params["points"][0] == pytest.approx((116.0, 215.0, 2.0), abs=1.5)  # type: ignore[index]
    assert len(orders(shown, commands.SetPipeline)) == 1
    assert shown.link.orders[-1] == commands.Seek(2)
    press(shown, "Ctrl+Z")
    assert "points" not in shown.bench.pipeline.trackers[0].params


def tool_side(params: Any) -> int:
    side = int(params["window"])
    assert side % 2 == 1
    assert 31 <= side <= 35
    return side


class Numbers:
    """A brush that notes words, and draws nothing."""

    def __init__(self) -> None:
        self.painter, self.said = self, list[str]()

    def words(self, _point: tuple[float, float], text: str) -> None:
        self.said.append(text)

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_more: None


def test_frames_stand_beside_points_only_where_they_begin_in_several(shown: Desk) -> None:
    take(shown, "B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)

    def said() -> list[str]:
        brush = Numbers()
        tool.paint(brush)  # type: ignore[arg-type]
        return brush.said

    assert said() == ["0", "1", "2"]
    shown.frame(5, 3)
    assert said() == ["0", "1", "2"]  # all begin in frame 2, which the hint says
    assert "from frame 2 on" in tool.hint
    click(shown, 300.0, 60.0)
    assert said() == ["0 @2", "1 @2", "2 @2", "3"]
