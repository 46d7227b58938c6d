"""Scales, lengths, angles and axes, drawn by hand."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.bench.topics import Level
from app.desk.tracks.signals import Quantity
from app.gui.traces.panel import TracesPanel
from app.gui.video.axes_tool import AxesTool
from app.gui.video.measure_tools import PIXEL, POINTS, TRACKS, AngleTool, ScaleTool
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import click, drag, shown, take
from tests.app.gui.test_main_window import press

assert shown  # the fixture


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


def test_no_scale_is_set_with_a_length_that_nobody_typed(shown: Desk) -> None:
    take(shown, "K")
    tools = shown.window.tracking.tools
    tool, panel = tools.tool, tools.panel
    assert isinstance(tool, ScaleTool)
    assert tool.length.text() == ""
    shown.window.activateWindow()
    drag(shown, (100.0, 200.0), (150.0, 210.0), (200.0, 200.0))
    assert len(tool.points) == 2
    assert tool.length.isVisible()
    assert QtWidgets.QApplication.focusWidget() is tool.length
    assert not panel.done.isEnabled()
    assert "type how long that is" in panel.hint.text()
    QtTest.QTest.keyClick(tool.length, QtCore.Qt.Key.Key_Return)
    assert not shown.bench.calibration.physical
    assert tools.tool is tool
    QtTest.QTest.keyClicks(tool.length, "25")
    assert panel.done.isEnabled()
    assert "a pixel is 0.2" in panel.hint.text()  # as near to .25 mm as the mouse's pixels are
    QtTest.QTest.keyClick(tool.length, QtCore.Qt.Key.Key_Backspace)
    QtTest.QTest.keyClick(tool.length, QtCore.Qt.Key.Key_Backspace)
    assert not panel.done.isEnabled(), "the field is empty again"
    QtTest.QTest.keyClicks(tool.length, "50")
    QtTest.QTest.keyClick(tool.length, QtCore.Qt.Key.Key_Return)
    assert shown.bench.calibration.per_px == pytest.approx(0.5, rel=0.03)
    assert tools.tool.name == "pick"
    QtWidgets.QApplication.processEvents()
    assert QtWidgets.QApplication.focusWidget() is shown.window.video.graphics, "not the next field"
    take(shown, "K")
    assert tool.length.text() == "", "and no length is left over"


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


def test_what_is_measured_between_tracks_is_seen_over_time(shown: Desk) -> None:
    take(shown, "J")
    tools = shown.window.tracking.tools
    tool = tools.tool
    assert isinstance(tool, AngleTool)
    assert not tool.ready
    click(shown, 43.0, 51.0)  # the tracks are at (42, 50), (72, 60) and (102, 70)
    assert tool.points == [(42.0, 50.0)], "a point beside a track is that track's"
    click(shown, 103.0, 71.0)
    assert tool.ready
    click(shown, 200.0, 200.0)
    assert not tool.ready, "there is no track"
    tools.take("angle")
    click(shown, 43.0, 51.0)
    click(shown, 103.0, 71.0)
    click(shown, 72.0, 61.0)
    shown.window.show_panel("batch")
    press(shown, "Return")
    assert tools.tool.name == "pick"
    assert list(shown.bench.selected) == [0, 2, 1], "in the order of the clicks: the second is the corner"
    traces = shown.window.panels["traces"]
    assert isinstance(traces, TracesPanel)
    assert traces.bar.quantities[1] is Quantity.ANGLE
    assert not shown.window.docks["traces"].visibleRegion().isEmpty()


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


def test_axes_that_nobody_moved_or_took_go_with_the_tool(shown: Desk) -> None:
    tools, bench = shown.window.tracking.tools, shown.bench
    before, undone = bench.calibration, shown.window.undoing.undo_words
    take(shown, "Shift+K")
    assert bench.calibration.y_up
    assert bench.calibration != before
    tools.escape()
    assert bench.calibration == before
    assert shown.window.undoing.undo_words == undone
    take(shown, "Shift+K")
    tools.finish()
    assert bench.calibration.y_up  # "Done" takes what is proposed
    take(shown, "Shift+K")
    tools.escape()
    assert bench.calibration.y_up  # and what was there before is left alone
