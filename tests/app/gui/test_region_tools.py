"""The box that is processed, and polygons that hide parts of the picture, drawn by hand."""

from __future__ import annotations

import pytest

from app.desk.bench.topics import Level
from app.desk.engine import commands, reports
from app.desk.services.regions import polygons
from app.gui.video.region_tools import PolygonTool, RoiTool
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import click, drag, orders, shown, take
from tests.app.gui.test_main_window import press

assert shown  # the fixture


def test_a_region_is_dragged_changed_and_taken_back(shown: Desk) -> None:
    take(shown, "Q")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, RoiTool)
    press(shown, "Return")
    assert shown.bench.messages[-1].level is Level.ERROR
    drag(shown, (80.0, 60.0), (240.0, 200.0))
    drag(shown, (240.0, 200.0), (260.0, 180.0))  # a corner
    drag(shown, (150.0, 100.0), (160.0, 110.0))  # the middle
    x, y, width, height = tool.box_ or (0, 0, 0, 0)
    assert (x, y, width, height) == pytest.approx((90, 70, 180, 120), abs=3)
    press(shown, "Return")
    (order,) = orders(shown, commands.Open)
    assert order.roi == (x, y, width, height)
    info = shown.source.info
    shown.link.reports.append(reports.Opened(info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    shown.bench.tick()
    assert shown.link.orders[-1] == commands.Seek(2)
    shown.frame(2)
    shown.window.grab()  # the veil
    take(shown, "Q")
    tool.whole.click()
    assert orders(shown, commands.Open)[-1].roi is None


def test_a_polygon_becomes_a_mask_that_can_be_changed_and_removed(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    take(desk, "Shift+M")
    tools = desk.window.tracking.tools
    tool = tools.tool
    assert isinstance(tool, PolygonTool)
    for at in ((60.0, 40.0), (200.0, 50.0), (180.0, 200.0)):
        assert not tools.panel.done.isEnabled()
        click(desk, *at)
    tool.keep.setCurrentIndex(1)
    press(desk, "Return")
    (made,) = polygons(desk.bench.pipeline)
    assert made.keep == "outside"
    assert made.corners[1] == pytest.approx((200.0, 50.0), abs=1.5)
    assert isinstance(desk.link.orders[-1], commands.SetPipeline)
    desk.window.grab()
    take(desk, "Shift+M")
    assert len(tool.points) == 3
    click(desk, 130.0, 45.0)  # on an edge: between its ends
    assert tool.points[1] == pytest.approx((130.0, 45.0), abs=1.5)
    press(desk, "Return")
    assert len(polygons(desk.bench.pipeline)[0].corners) == 4
    take(desk, "Shift+M")
    tool.gone.click()
    assert polygons(desk.bench.pipeline) == []
    press(desk, "Esc")
    press(desk, "Ctrl+Z")
    assert len(polygons(desk.bench.pipeline)) == 1
