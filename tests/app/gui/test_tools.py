"""The tools of the video through the real widget: mouse, keys, the panel; orders and state are looked at."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import messages as say
from app.desk.jobs.orders import RetrackOrder
from app.desk.pipeline.regions import polygons
from app.gui import theme
from app.gui.video.correct_tool import CorrectTool
from app.gui.video.measure_tools import PIXEL, POINTS, TRACKS, AngleTool, AxesTool, ScaleTool
from app.gui.video.point_tools import PlacePoints, TemplateBox
from app.gui.video.region_tools import PolygonTool, RoiTool
from tests.app.gui.conftest import Desk
from tests.app.gui.test_main_window import press

LEFT, RIGHT = QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.MouseButton.RightButton


def on_screen(desk: Desk, x: float, y: float) -> QtCore.QPoint:
    at: QtCore.QPoint = desk.window.video.box.mapViewToScene(QtCore.QPointF(x, y)).toPoint()
    return at


def take(desk: Desk, key: str) -> None:
    """A tool by its key; its panel takes room above the video."""
    press(desk, key)
    for _ in range(3):
        QtWidgets.QApplication.processEvents()


def click(desk: Desk, x: float, y: float, button: Any = LEFT) -> None:
    QtTest.QTest.mouseClick(desk.window.video.graphics.viewport(), button, pos=on_screen(desk, x, y))
    QtWidgets.QApplication.processEvents()


def drag(desk: Desk, *way: tuple[float, float]) -> None:
    """Press, move along, let go."""
    port = desk.window.video.graphics.viewport()
    points = [on_screen(desk, *at) for at in way]
    steps = [points[0]]
    for a, b in pairwise(points):
        steps += [a + (b - a) * k / 6 for k in range(1, 7)]
    kinds = QtCore.QEvent.Type
    for k, at in enumerate(steps):
        kind = kinds.MouseButtonPress if k == 0 else kinds.MouseMove
        button = LEFT if k == 0 else QtCore.Qt.MouseButton.NoButton
        event = QtGui.QMouseEvent(kind, QtCore.QPointF(at), button, LEFT, QtCore.Qt.KeyboardModifier.NoModifier)
        QtWidgets.QApplication.sendEvent(port, event)
        time.sleep(0.012)  # the scene looks at a drag some times a second only
        QtWidgets.QApplication.processEvents()
    event = QtGui.QMouseEvent(kinds.MouseButtonRelease, QtCore.QPointF(steps[-1]), LEFT,
                              QtCore.Qt.MouseButton.NoButton, QtCore.Qt.KeyboardModifier.NoModifier)  # fmt: skip
    QtWidgets.QApplication.sendEvent(port, event)
    QtWidgets.QApplication.processEvents()


@pytest.fixture
def shown(desk: Desk) -> Desk:
    """With the template pipeline and a few frames of three tracks."""
    desk.bench.choose_pipeline("template")
    desk.open()
    for index in range(3):
        desk.frame(index)
    desk.link.orders.clear()
    return desk


def orders(desk: Desk, kind: type) -> list[Any]:
    return [order for order in desk.link.orders if isinstance(order, kind)]


def test_every_tool_has_a_key_a_hint_and_is_left_by_escape(shown: Desk) -> None:
    tools = shown.window.tracking.tools
    view = shown.window.video.box.viewRect()
    for name, tool in tools.tools.items():
        if name == "pick":
            continue
        take(shown, tool.key)
        assert tools.tool is tool
        assert shown.window.actions_.made[f"tool_{name}"].isChecked()
        assert tools.panel.isVisible()
        assert tools.panel.hint.text()
        assert not shown.window.video.picking
        shown.window.grab()  # draws it
        assert shown.window.video.box.viewRect() == view, name  # the strip lies over the picture, it moves nothing
        assert tools.panel.geometry().top() >= shown.window.tracking.compare.geometry().top()
        take(shown, "Esc")
        assert tools.tool.name == "pick"
        assert not tools.panel.isVisible()
        assert shown.window.video.picking
    assert shown.window.video.box.viewRect() == view
    take(shown, "B")
    press(shown, "V")
    assert tools.tool.name == "pick"


def test_without_a_clip_a_tool_says_why_it_is_of_no_use(desk: Desk) -> None:
    take(desk, "B")
    assert desk.window.tracking.tools.tool.name == "pick"
    assert not desk.window.actions_.made["tool_points"].isChecked()
    assert "open a clip" in desk.bench.messages[-1].sentence


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
    (order,) = orders(shown, say.SetParam)
    assert (order.node, order.param) == ("track", "points")
    assert order.value[0] == pytest.approx((170.0, 180.0, 2.0), abs=1.5)
    assert order.value[0][2] == 2.0  # the frame that was shown
    assert shown.link.orders[-1] == say.Seek(2)
    assert tools.tool.name == "pick"
    press(shown, "Ctrl+Z")
    assert "points" not in shown.bench.pipeline.trackers[0].params


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
    until = time.monotonic() + 20
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
    assert len(orders(shown, say.SetPipeline)) == 1
    assert shown.link.orders[-1] == say.Seek(2)
    press(shown, "Ctrl+Z")
    assert "points" not in shown.bench.pipeline.trackers[0].params


def tool_side(params: Any) -> int:
    side = int(params["window"])
    assert side % 2 == 1
    assert 31 <= side <= 35
    return side


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
    (order,) = orders(shown, say.Open)
    assert order.roi == (x, y, width, height)
    info = shown.source.info
    shown.link.reports.append(say.Opened(info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    shown.bench.tick()
    assert shown.link.orders[-1] == say.Seek(2)
    shown.frame(2)
    shown.window.grab()  # the veil
    take(shown, "Q")
    tool.whole.click()
    assert orders(shown, say.Open)[-1].roi is None


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
    assert isinstance(desk.link.orders[-1], say.SetPipeline)
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


def test_a_scale_by_two_points_and_units(shown: Desk) -> None:
    press(shown, "Shift+U")
    assert "set one by two points" in shown.bench.messages[-1].sentence
    take(shown, "K")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, ScaleTool)
    click(shown, 100.0, 200.0)
    click(shown, 200.0, 200.0)
    click(shown, 250.0, 250.0)  # a third is not taken
    assert len(tool.points) == 2
    tool.length.setValue(25.0)
    tool.unit.setCurrentText("mm")
    press(shown, "Return")
    assert shown.bench.calibration.per_px == pytest.approx(0.25, rel=0.03)
    unit = shown.window.tracking.unit
    assert unit.text() == "mm"
    unit.click()
    assert (unit.text(), shown.bench.calibration.per_px) == ("px", 1.0)
    press(shown, "Shift+U")
    assert unit.text() == "mm"
    shown.window.grab()


def test_a_scale_by_two_tracks_of_known_distance(shown: Desk) -> None:
    take(shown, "K")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, ScaleTool)
    tool.how.setCurrentIndex(TRACKS)
    press(shown, "Return")
    assert shown.bench.messages[-1].level is Level.ERROR
    click(shown, 42.0, 50.0)
    click(shown, 102.0, 70.0)
    assert tool.pair == (0, 2)
    tool.length.setValue(4 * 10**0.5)  # they are 60 and 20 px apart
    assert "in 3 frames" in tool.hint
    shown.window.grab()
    press(shown, "Return")
    assert shown.bench.calibration.per_px == pytest.approx(0.2, rel=1e-4)
    assert tool.points == []


def test_the_length_of_a_pixel_is_typed_in(shown: Desk) -> None:
    take(shown, "K")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, ScaleTool)
    tool.how.setCurrentIndex(PIXEL)
    tool.length.setValue(0.0123)
    tool.unit.setCurrentText("cm")
    click(shown, 60.0, 60.0)  # is of no use
    press(shown, "Return")
    assert (shown.bench.calibration.per_px, shown.bench.calibration.unit) == (0.0123, "cm")
    take(shown, "K")
    tool.how.setCurrentIndex(POINTS)
    tool.how.setCurrentIndex(PIXEL)
    assert (tool.length.value(), tool.unit.currentText()) == (0.0123, "cm")


def test_lengths_and_angles_are_measured(shown: Desk) -> None:
    take(shown, "J")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, AngleTool)
    click(shown, 200.0, 100.0)
    click(shown, 100.0, 100.0)
    assert float(tool.words.split()[0]) == pytest.approx(100.0, abs=2)
    click(shown, 100.0, 200.0)
    assert float(tool.words.rstrip("°")) == pytest.approx(90.0, abs=2)
    assert tool.words in shown.window.tracking.tools.panel.hint.text()
    shown.window.grab()
    click(shown, 300.0, 250.0)
    assert len(tool.points) == 1


def test_enter_belongs_to_the_list_that_is_open_and_to_the_number_that_is_typed(shown: Desk) -> None:
    take(shown, "K")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, ScaleTool)
    click(shown, 100.0, 100.0)
    click(shown, 200.0, 100.0)
    before = tool.unit.currentIndex()
    tool.unit.showPopup()
    QtWidgets.QApplication.processEvents()
    for key in (QtCore.Qt.Key.Key_Down, QtCore.Qt.Key.Key_Return):
        QtTest.QTest.keyClick(tool.unit.view(), key)
    assert tool.unit.currentIndex() == before + 1
    assert shown.window.tracking.tools.tool is tool
    tool.length.setFocus()
    tool.length.selectAll()
    QtTest.QTest.keyClicks(tool.length, "25")
    QtTest.QTest.keyClick(tool.length, QtCore.Qt.Key.Key_Enter)
    assert shown.window.tracking.tools.tool is tool
    assert not shown.bench.calibration.physical
    QtTest.QTest.qWait(1)  # the field gives the keys back
    press(shown, "Return")
    assert shown.window.tracking.tools.tool.name == "pick"
    assert shown.bench.calibration.per_px == pytest.approx(0.25, abs=0.005)
    assert shown.bench.calibration.unit == "cm"


def test_origin_and_axes_are_dragged(shown: Desk) -> None:
    take(shown, "Shift+K")
    tool = shown.window.tracking.tools.tool
    assert isinstance(tool, AxesTool)
    assert shown.bench.calibration.y_up
    start = shown.bench.calibration.origin
    drag(shown, start, (120.0, 150.0))
    assert shown.bench.calibration.origin == pytest.approx((120.0, 150.0), abs=1.5)
    x, y = tool.points[1]
    reach = x - 120.0
    drag(shown, (x, y), (120.0 + reach, 150.0 - reach))
    assert shown.bench.calibration.angle == pytest.approx(45.0, abs=3)
    tool.up.setChecked(False)
    assert not shown.bench.calibration.y_up
    shown.window.grab()
    tool.reset.click()
    assert shown.bench.calibration.origin == (0.0, 0.0)


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


def test_the_note_beside_a_track_says_what_is_known_of_it(shown: Desk) -> None:
    tip = shown.window.tracking.tip
    row = shown.bench.store.at(2)[1]
    shown.window.video.box.hovered.emit(float(row["x"]), float(row["y"]))
    assert tip.isVisible()
    for words in ("1", f"x {row['x']:.5g}", "seen", "score 0.90"):
        assert words in tip.text()
    shown.window.video.box.hovered.emit(300.0, 250.0)
    assert not tip.isVisible()


def test_tools_take_the_colours_of_the_theme(shown: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    take(shown, "B")
    monkeypatch.setattr(theme, "_current", theme.LIGHT)
    shown.window.tracking.themed()
    assert theme.LIGHT.panel in shown.window.tracking.tools.panel.styleSheet()


def test_the_panel_of_a_tool_folds_while_nobody_is_at_it(shown: Desk) -> None:
    tools = shown.window.tracking.tools
    panel = tools.panel
    tools.take("points")
    QtWidgets.QApplication.processEvents()
    high = panel.sizeHint().height()
    assert not panel.folded
    assert tools.tool.form is not None
    assert tools.tool.form.isVisible()
    panel._rested()
    assert panel.folded
    assert not tools.tool.form.isVisible()
    assert panel.done.isVisible()
    assert panel.hint.toolTip() == panel.hint.text() != ""
    QtWidgets.QApplication.processEvents()
    assert panel.sizeHint().height() < high - 15
    QtWidgets.QApplication.sendEvent(panel, QtGui.QEnterEvent(*[QtCore.QPointF(5, 5)] * 3))
    assert not panel.folded
    assert tools.tool.form.isVisible()
    shown.window.activateWindow()
    field = next(w for w in tools.tool.form.findChildren(QtWidgets.QSpinBox))
    field.setFocus()
    if QtWidgets.QApplication.focusWidget() is field:
        panel._rested()
        assert not panel.folded, "somebody types"
    tools.take("polygon")
    assert not panel.folded
