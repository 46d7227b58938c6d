"""Areas are filled with a grid of points by hand: what is seen before, what is followed, undo, other pipelines."""

from __future__ import annotations

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import commands
from app.desk.pipeline.detecting import given, taker
from app.gui.video.grid_tool import GridTool
from pipelines.analysis.areas import parse_area
from pipelines.streaming.common.states import RunState
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import RIGHT, click, drag, orders, shown, take
from tests.app.gui.test_main_window import press

assert shown  # the fixture


@pytest.fixture
def tool(shown: Desk) -> GridTool:
    take(shown, "Shift+B")
    found = shown.window.tracking.tools.tool
    assert isinstance(found, GridTool)
    return found


def choose(tool: GridTool, shape: str) -> None:
    tool.shape.setCurrentText(shape)
    tool.shape.activated.emit(tool.shape.currentIndex())


def test_a_rectangle_is_filled_and_followed(shown: Desk, tool: GridTool) -> None:
    assert not shown.window.tracking.tools.panel.done.isEnabled()
    assert "drag the area" in tool.hint
    tool.step.setValue(20)
    tool.window.setValue(15)
    drag(shown, (80.0, 60.0), (240.0, 200.0))
    assert tool.outline is not None
    assert tool.outline.numbers == pytest.approx((80, 60, 160, 140), abs=2)
    for axis, count in ((0, 8), (1, 7)):
        lines = np.unique(tool.placed[:, axis])
        assert (np.diff(lines) == 20).all()
        assert count <= len(lines) <= count + 1
    assert f"{len(tool.placed)} points, windows of 15 px that do not overlap" in tool.hint
    shown.window.grab()  # it is drawn
    places = tool.placed
    press(shown, "Return")
    found = taker(shown.bench.pipeline)
    assert found is not None
    assert found.window == 15
    listed = given(shown.bench.pipeline)
    assert np.array_equal([point for point, _ in listed], places)
    assert {frame for _, frame in listed} == {2}, "from the frame that is shown on"
    assert orders(shown, commands.Seek)[-1] == commands.Seek(2)
    assert not shown.window.tracking.tools.active
    press(shown, "Ctrl+Z")
    assert not given(shown.bench.pipeline)
    assert taker(shown.bench.pipeline) != found


def test_what_overlaps_is_said(shown: Desk, tool: GridTool) -> None:
    tool.window.setValue(25)
    tool.step.setValue(10)
    choose(tool, "whole picture")
    assert "windows of 25 px that overlap by 60 %" in tool.hint
    assert tool.placed.min() >= 12
    tool.window.setValue(24)  # typed: an even one is taken as the odd one above it
    assert tool.side == 25


def test_areas_and_holes_and_each_step_back(shown: Desk, tool: GridTool) -> None:
    tool.step.setValue(8)
    choose(tool, "ellipse")
    drag(shown, (60.0, 60.0), (160.0, 160.0))
    ellipse = len(tool.placed)
    assert ellipse == pytest.approx(np.pi * 50**2 / 64, rel=0.1)
    tool.more.click()
    assert (len(tool.within), tool.points) == (1, [])
    choose(tool, "polygon")
    for at in ((200.0, 60.0), (300.0, 60.0), (300.0, 160.0)):
        click(shown, *at)
    assert len(tool.placed) > ellipse + 60
    click(shown, 300.0, 160.0, RIGHT)  # the corner is gone
    assert tool.outline is None
    click(shown, 250.0, 180.0)
    tool.more.click()
    choose(tool, "rectangle")
    drag(shown, (90.0, 90.0), (130.0, 130.0))
    both = len(tool.placed)
    tool.out.click()
    assert len(tool.placed) < both
    hole = parse_area("rect:91,91,37,37")
    assert not hole.holds(tool.placed.T).any()
    shown.window.grab()
    for _ in range(2):  # the hole is an outline again; then that is none
        press(shown, "Ctrl+Z")
    assert (tool.without, tool.points) == ([], [])
    press(shown, "Ctrl+Shift+Z")
    assert len(tool.points) == 2
    tool.again.click()
    assert not len(tool.placed)


def test_a_box_is_square_with_shift_and_its_corners_move(shown: Desk, tool: GridTool) -> None:
    drag(shown, (80.0, 60.0), (200.0, 100.0), held=QtCore.Qt.KeyboardModifier.ShiftModifier)
    assert tool.outline is not None
    _, _, width, height = tool.outline.numbers
    assert width == pytest.approx(height)
    corner = tool.points[1]
    drag(shown, corner, (260.0, 220.0))
    assert tool.outline.bounds[2:] == pytest.approx((260, 220), abs=2)
    drag(shown, (20.0, 230.0), (50.0, 260.0))  # elsewhere a new one begins
    assert tool.outline.bounds == pytest.approx((20, 230, 50, 260), abs=2)
    choose(tool, "ellipse")
    assert tool.outline is not None, "a box stays what it is"
    choose(tool, "polygon")
    assert tool.points == []


def test_it_begins_with_the_grid_that_there_is(shown: Desk, tool: GridTool) -> None:
    tool.step.setValue(17)
    tool.window.setValue(31)
    choose(tool, "whole picture")
    press(shown, "Return")
    tool.step.setValue(5)
    take(shown, "Shift+B")
    assert (tool.step.value(), tool.window.value()) == (17, 31)


def test_of_a_clip_that_plays_all_is_followed(shown: Desk) -> None:
    shown.bench.state = RunState.RUNNING
    take(shown, "Shift+B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, GridTool)
    choose(tool, "whole picture")
    press(shown, "Return")  # before the first frame has come
    assert {frame for _, frame in given(shown.bench.pipeline)} == {None}
    assert orders(shown, commands.Seek)[-1] == commands.Seek(0)


def test_a_pipeline_that_finds_its_points_itself(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    take(desk, "Shift+B")
    tool = desk.window.tracking.tools.tool
    assert isinstance(tool, GridTool)
    assert "finds its points itself" in tool.hint
    assert tool.step.isHidden()
    tool.switch.click()
    assert desk.bench.pipeline.name == "template"
    assert not tool.step.isHidden()


def test_too_small_an_area_holds_no_points(shown: Desk, tool: GridTool) -> None:
    drag(shown, (1.0, 1.0), (4.0, 4.0))
    assert not tool.ready
    press(shown, "Return")
    assert shown.bench.messages[-1].level is Level.ERROR
    assert "room for points" in shown.bench.messages[-1].sentence
    QtWidgets.QApplication.processEvents()
