"""Lines and boxes that are pulled or clicked, kept straight with Shift, broken off by Esc; points begin in the frame
that is seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.engine import commands
from app.gui.video.measure_tools import AngleTool, ScaleTool
from app.gui.video.point_tools import PlacePoints
from app.gui.video.region_tools import RoiTool
from app.gui.video.template_tool import TemplateBox
from app.gui.video.tools import snapped, squared
from pipelines.streaming.common.states import RunState
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import LEFT, click, on_screen, orders, shown, take
from tests.app.gui.test_main_window import press

assert shown  # the fixture
NONE = QtCore.Qt.KeyboardModifier.NoModifier
SHIFT = QtCore.Qt.KeyboardModifier.ShiftModifier


def pull(
    desk: Desk, start: tuple[float, float], end: tuple[float, float], held: Any = NONE,
    before_release: Callable[[], object] = lambda: None,
) -> None:  # fmt: skip
    """Press, move, let go; with keys held, and something done before the button is let go."""
    port, kinds = desk.window.video.graphics.viewport(), QtCore.QEvent.Type
    a, b = on_screen(desk, *start), on_screen(desk, *end)

    def send(kind: QtCore.QEvent.Type, at: QtCore.QPoint, button: Any, down: Any) -> None:
        event = QtGui.QMouseEvent(kind, QtCore.QPointF(at), QtCore.QPointF(port.mapToGlobal(at)), button, down, held)
        QtWidgets.QApplication.sendEvent(port, event)
        time.sleep(0.012)  # the scene looks at a drag some times a second only
        QtWidgets.QApplication.processEvents()

    no = QtCore.Qt.MouseButton.NoButton
    send(kinds.MouseButtonPress, a, LEFT, LEFT)
    for k in range(1, 7):
        send(kinds.MouseMove, a + (b - a) * k / 6, no, LEFT)
    before_release()
    send(kinds.MouseMove, b, no, LEFT)
    send(kinds.MouseButtonRelease, b, LEFT, no)


def hover(desk: Desk, x: float, y: float) -> None:
    desk.window.video.box.hovered.emit(x, y)


def test_a_scale_is_pulled_and_its_length_is_seen_meanwhile(shown: Desk) -> None:
    take(shown, "K")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, ScaleTool)
    view = shown.window.video.box.viewRect()
    seen: list[str] = []
    pull(shown, (100.0, 200.0), (200.0, 200.0), before_release=lambda: seen.append(tool.hint))
    assert float(seen[0].split()[0]) == pytest.approx(100, abs=2)
    assert shown.window.video.box.viewRect() == view  # the picture stays
    assert tool.px == pytest.approx(100, abs=2)
    tool.length.setValue(25.0)
    pull(shown, (200.0, 200.0), (300.0, 200.0))  # its end
    assert tool.px == pytest.approx(200, abs=3)
    pull(shown, (100.0, 100.0), (100.0, 150.0))  # beside both: another line
    assert tool.px == pytest.approx(50, abs=2)
    press(shown, "Return")
    assert shown.bench.calibration.per_px == pytest.approx(0.5, rel=0.05)


def test_a_click_and_a_pull_are_two_points_and_the_line_follows_the_cursor_between(shown: Desk) -> None:
    take(shown, "K")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, ScaleTool)
    click(shown, 100.0, 200.0)
    hover(shown, 160.0, 200.0)
    assert len(tool.points) == 1
    assert "60." in tool.hint or "59." in tool.hint
    shown.window.grab()
    pull(shown, (190.0, 200.0), (200.0, 200.0))
    assert tool.px == pytest.approx(100, abs=2)
    assert tool.points[0] == pytest.approx((100.0, 200.0), abs=1.5)


def test_a_length_and_an_angle_are_pulled_and_said_in_px_and_mm(shown: Desk) -> None:
    take(shown, "K")
    tools = shown.window.tracking.tools
    pull(shown, (100.0, 200.0), (200.0, 200.0))
    tools.tool.length.setValue(10.0)  # type: ignore[attr-defined]
    press(shown, "Return")
    take(shown, "J")
    tool = tools.tool
    assert isinstance(tool, AngleTool)
    pull(shown, (200.0, 100.0), (100.0, 100.0))
    assert "px = " in tool.words
    assert tool.words.endswith("mm")
    assert float(tool.words.split()[3]) == pytest.approx(10.0, abs=0.4)
    click(shown, 100.0, 200.0)
    assert float(tool.words.rstrip("°")) == pytest.approx(90.0, abs=2)
    pull(shown, (250.0, 50.0), (300.0, 50.0))  # begins anew
    assert len(tool.points) == 2


@pytest.mark.parametrize(("end", "straight"), [((300.0, 210.0), (300.0, 200.0)), ((110.0, 250.0), (100.0, 250.0)),
                                               ((160.0, 256.0), (158.0, 258.0))])  # fmt: skip
def test_shift_keeps_a_line_to_45_degrees(shown: Desk, end: tuple[float, float], straight: tuple[float, float]) -> None:
    take(shown, "J")
    tool = shown.window.tracking.tools.tool
    pull(shown, (100.0, 200.0), end, SHIFT)
    assert tool.points[1] == pytest.approx(straight, abs=2.5)
    (x0, y0), (x1, y1) = tool.points
    assert min(abs(x1 - x0), abs(y1 - y0), abs(abs(x1 - x0) - abs(y1 - y0))) < 1e-9


def test_snapping_and_squares() -> None:
    assert snapped((10.0, 1.0), (0.0, 0.0)) == pytest.approx((10.0, 0.0))
    assert snapped((-3.0, -5.0), (0.0, 0.0)) == pytest.approx((-4.0, -4.0))
    assert snapped((2.0, 2.0), (2.0, 2.0)) == (2.0, 2.0)
    assert squared((10.0, -4.0), (0.0, 0.0)) == (10.0, -10.0)


def test_escape_breaks_a_drag_off_and_the_second_one_leaves_the_tool(shown: Desk) -> None:
    take(shown, "K")
    tools = shown.window.tracking.tools
    tool = tools.tool
    pull(shown, (100.0, 200.0), (200.0, 200.0))
    before = list(tool.points)
    pull(shown, (200.0, 200.0), (250.0, 250.0), before_release=lambda: press(shown, "Esc"))
    assert tool.points == before
    assert tools.tool is tool
    press(shown, "Esc")
    assert tools.tool.name == "pick"


def test_escape_puts_points_and_axes_back_where_they_were(shown: Desk) -> None:
    take(shown, "B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    points, frames = list(tool.points), list(tool.frames)
    pull(shown, points[0], (200.0, 200.0), before_release=lambda: press(shown, "Esc"))
    assert (tool.points, tool.frames) == (points, frames)
    take(shown, "Shift+K")
    axes = shown.bench.calibration
    pull(shown, axes.origin, (200.0, 100.0), before_release=lambda: press(shown, "Esc"))
    assert shown.bench.calibration == axes


def test_a_region_is_clicked_by_two_corners_or_pulled_as_a_square(shown: Desk) -> None:
    take(shown, "Q")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, RoiTool)
    click(shown, 80.0, 60.0)
    assert not tool.ready
    hover(shown, 150.0, 150.0)
    shown.window.grab()
    click(shown, 240.0, 200.0)
    assert tool.box_ == pytest.approx((80, 60, 161, 141), abs=3)
    click(shown, 300.0, 250.0)  # a box that is there is not lost by a click
    assert tool.box_ == pytest.approx((80, 60, 161, 141), abs=3)
    pull(shown, (300.0, 220.0), (340.0, 230.0), SHIFT)
    assert tool.box_ is not None
    assert tool.box_[2] == tool.box_[3] == pytest.approx(41, abs=3)


def test_a_template_is_clicked_by_two_corners(shown: Desk) -> None:
    take(shown, "X")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, TemplateBox)
    click(shown, 100.0, 200.0)
    hover(shown, 120.0, 210.0)
    shown.window.grab()
    pull(shown, (125.0, 225.0), (132.0, 230.0))
    assert tool.middle == pytest.approx((116.0, 215.0), abs=2)
    assert tool.side == pytest.approx(33, abs=2)


def test_points_that_are_placed_while_a_clip_plays_begin_in_the_frame_that_was_seen(shown: Desk) -> None:
    take(shown, "B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    tool.clear.click()
    assert "frame 2" in tool.hint
    shown.bench.state = RunState.RUNNING
    shown.link.orders.clear()
    click(shown, 200.0, 200.0)
    assert shown.link.orders == [commands.Pause(), commands.Seek(2)]  # and no further than what was seen
    shown.bench.state = RunState.PAUSED
    shown.frame(5)
    assert "from frame 2 on" in tool.hint
    click(shown, 260.0, 200.0)
    assert tool.frames == [2, 5]
    assert "from frames 2 to 5" in tool.hint
    assert not tool.here.isHidden()
    tool.here.click()
    assert tool.frames == [5, 5]
    assert tool.here.isHidden()
    press(shown, "Return")
    (order,) = orders(shown, commands.SetParam)
    assert [place[2] for place in order.value] == [5.0, 5.0]


def test_points_that_are_asked_for_while_a_clip_plays_begin_in_its_first_frame(shown: Desk) -> None:
    """Nobody chose the frame that it happens to be at; what came before would be lost."""
    shown.bench.state = RunState.RUNNING
    take(shown, "B")
    assert shown.link.orders[-2:] == [commands.Pause(), commands.Seek(0)]
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    first = shown.bench.store.at(0)
    assert tool.points == list(zip(first["x"].tolist(), first["y"].tolist(), strict=True))
    assert (tool.frames, tool.frame) == ([None] * 3, None)
    shown.bench.state = RunState.PAUSED
    shown.frame(0)
    assert tool.whole.isHidden()
    shown.frame(2)
    assert tool.frame == 2, "the frame that is shown once the first one was"
    click(shown, 200.0, 200.0)
    assert not tool.whole.isHidden()
    shown.link.orders.clear()
    tool.whole.click()
    assert shown.link.orders[-1] == commands.Seek(0)
    assert tool.frames == [None] * 4
    press(shown, "Esc")
    shown.bench.state = RunState.RUNNING
    take(shown, "X")
    assert shown.link.orders[-2:] == [commands.Pause(), commands.Seek(0)]


def test_taking_a_tool_while_a_clip_plays_stops_it_at_the_frame_that_is_seen(shown: Desk) -> None:
    shown.bench.state = RunState.RUNNING
    take(shown, "E")
    assert shown.link.orders[-2:] == [commands.Pause(), commands.Seek(2)]
    press(shown, "Esc")
    shown.link.orders.clear()
    take(shown, "J")  # lengths are measured while it plays
    assert shown.link.orders == []


def test_points_of_tracks_begin_in_the_frame_that_is_shown_where_the_tracks_are(shown: Desk) -> None:
    take(shown, "B")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, PlacePoints)
    rows = shown.bench.store.at(2)
    places = list(zip(rows["x"].tolist(), rows["y"].tolist(), strict=True))
    assert (tool.points, tool.frames) == (places, [2, 2, 2])
    press(shown, "Return")
    shown.frame(2)
    shown.frame(8)
    take(shown, "B")  # points that were given keep their frame
    assert tool.frames == [2, 2, 2]
    tool.here.click()
    rows = shown.bench.store.at(8)
    assert tool.frames == [8, 8, 8]
    assert tool.points == list(zip(rows["x"].tolist(), rows["y"].tolist(), strict=True))


def test_the_cursor_says_what_a_press_would_do(shown: Desk) -> None:
    port, shapes = shown.window.video.graphics.viewport(), QtCore.Qt.CursorShape
    take(shown, "K")
    assert port.cursor().shape() == shapes.CrossCursor
    pull(shown, (100.0, 200.0), (200.0, 200.0))
    hover(shown, 200.0, 200.0)
    assert port.cursor().shape() == shapes.SizeAllCursor
    press(shown, "Esc")
    assert port.cursor().shape() == shapes.ArrowCursor
    seen: list[object] = []
    pull(shown, (250.0, 250.0), (260.0, 250.0), before_release=lambda: seen.append(port.cursor().shape()))
    assert seen == [shapes.ClosedHandCursor]
    assert port.cursor().shape() == shapes.ArrowCursor


def test_before_the_first_picture_no_frame_is_named(desk: Desk) -> None:
    desk.open()
    place = desk.window.status.parts["place"]
    assert "frame" not in place.text()
    assert "-1" not in place.text()
    desk.frame(0)
    assert "frame 0 / 479" in place.text()
