"""The window at its smallest, with larger letters, and with docks that float, are closed and come back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.elided import Elided, ElidedRich
from app.gui.main_window import MainWindow
from app.gui.pipeline.columns import Head
from app.gui.pipeline.parameter_editor import ParameterEditor
from app.gui.pipeline.parameter_row import NumberBox
from app.gui.traces.panel import TracesPanel
from app.gui.traces.transport import LEAST
from tests.app.gui.conftest import Desk

FIELD_MARGIN = 2
"""Pixels that Qt leaves on both sides of the words in a field."""


@pytest.fixture
def large(app: QtWidgets.QApplication) -> Iterator[None]:
    """Letters of one and a half times the size, for windows that are made meanwhile."""
    before = app.font()
    font = QtGui.QFont(before)
    font.setPointSizeF(1.5 * before.pointSizeF())
    app.setFont(font)
    yield
    app.setFont(before)


def settle() -> None:
    for _ in range(5):
        QtWidgets.QApplication.processEvents()


def inside(part: QtWidgets.QWidget, whole: QtWidgets.QWidget) -> bool:
    """Whether all of a widget lies within another one, from its left to its right."""
    left = part.mapTo(whole, QtCore.QPoint(0, 0)).x()
    return bool(left >= 0 and left + part.width() <= whole.width())


def check_rows(window: MainWindow) -> None:
    """No row of parameters is cut, whatever the width."""
    editor = window.panels["parameters"]
    assert isinstance(editor, ParameterEditor)
    view = editor._scroll.viewport()
    for section in editor.sections.values():
        assert inside(section.more, view) or section.more.isHidden()
        for row in section.rows.values():
            if row.isVisible():
                assert inside(row.back, view), row.param.name
                assert row.control.height() >= row.control.sizeHint().height(), row.param.name
                assert row.unit.width() >= row.unit.fontMetrics().horizontalAdvance(row.unit.text())
                if isinstance(row.control, NumberBox):  # also with " (auto)" behind it
                    field = row.control.lineEdit()
                    words = row.control.text() if row.control.suffix() else row.control.text()[:7]
                    room = field.width() - 2 * FIELD_MARGIN
                    assert room >= field.fontMetrics().horizontalAdvance(words), (row.param.name, words)


def check_traces(window: MainWindow) -> None:
    """No choice above the traces is cut."""
    traces = window.panels["traces"]
    assert isinstance(traces, TracesPanel)
    bar = traces.bar
    for part in (bar.tabs, *bar.choice, bar.follow, bar.model, bar.part, bar.options, bar.save):
        assert inside(part, traces)
    assert bar.tabs.width() >= sum(bar.tabs.tabRect(k).width() for k in range(bar.tabs.count()))


def test_nothing_is_cut_at_the_smallest_size(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    for width in (4000, 1):
        desk.window.resize(width, width)
        settle()
        check_rows(desk.window)
        check_traces(desk.window)
    assert desk.window.width() < 1280


def test_a_number_that_is_found_on_the_clip_is_not_cut(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    rows = [row for section in desk.window.panels["parameters"].sections.values() for row in section.rows.values()]
    found = [row for row in rows if isinstance(row.control, NumberBox) and row.isVisible() and row.control.suffix()
             and row.param.low < 0]  # fmt: skip
    assert found
    for width, level in ((4000, 0.0053637), (1280, -1.6734e-05), (1280, 52345.6), (1, -0.0053637)):
        for row in found:
            row.set_value("auto", level)
            assert row.control.value() == pytest.approx(level, rel=0.005)
        desk.window.resize(width, 900)
        settle()
        check_rows(desk.window)


def test_the_timeline_has_room_in_a_small_window(desk: Desk) -> None:
    """At 1024 px it was gone: its row had buttons and lists alone."""
    desk.open()
    desk.frame(0)
    transport = desk.window.transport
    for wide in (1, 4000, 1):
        desk.window.resize(wide, 700)
        settle()
        assert transport.timeline.width() >= LEAST, wide
        for part in (transport.buttons["play"], transport.timeline, transport.speed, transport.output):
            assert inside(part, transport)
        seen = [name for name, button in transport.buttons.items() if button.isVisible()]
        assert ("ping_pong" in seen) == (wide == 4000)
    desk.window.actions_.made["last"].trigger()
    assert desk.link.orders, "also what has no button then can be done"


def test_nothing_is_cut_with_large_letters(large: None, desk: Desk) -> None:
    del large
    desk.open()
    desk.frame(0)
    settle()
    check_rows(desk.window)
    check_traces(desk.window)
    speed = desk.window.transport.speed
    assert speed.width() > speed.fontMetrics().horizontalAdvance(speed.currentText()) + 20


def test_docks_float_are_closed_and_come_back_as_they_were_left(desk: Desk) -> None:
    window = desk.window
    window.docks["traces"].setFloating(True)
    window.docks["parameters"].setFloating(True)
    window.docks["parameters"].setGeometry(40, 60, 420, 500)
    window.docks["pipeline"].close()
    settle()
    assert window.docks["traces"].isFloating()
    window.close()
    again = MainWindow(desk.bench, window.settings)
    again._timer.stop()
    again.show()
    settle()
    assert {name for name, dock in again.docks.items() if dock.isFloating()} == {"traces", "parameters"}
    assert again.docks["parameters"].size() == QtCore.QSize(420, 500)
    assert not again.docks["pipeline"].isVisible()
    check_rows(again)
    again.show_panel("pipeline")
    assert again.docks["pipeline"].isVisible()
    again.default_layout()
    settle()
    assert not any(dock.isFloating() for dock in again.docks.values())
    assert all(again.docks[name].isVisible() for name in ("pipeline", "parameters", "traces"))
    again.close()
    again.deleteLater()


def test_a_window_of_a_larger_screen_comes_back_within_this_one(desk: Desk) -> None:
    window = desk.window
    free, least = window.screen().availableGeometry(), window.minimumSizeHint()
    window.setGeometry(free.right() - 200, free.bottom() - 100, free.width() + 600, free.height() + 400)
    settle()
    window.close()
    again = MainWindow(desk.bench, window.settings)
    again._timer.stop()
    assert again.width() <= max(free.width(), least.width()) < window.width()
    assert again.height() <= max(free.height(), least.height()) < window.height()
    assert again.pos() == free.topLeft()
    again.close()
    again.deleteLater()


def test_a_label_without_room_says_so_with_dots(app: QtWidgets.QApplication) -> None:
    del app
    label = Elided()
    label.setText("peak at 22.0 Hz; dashed: noise")
    label.resize(400, 20)
    assert label.shown == label.text()
    label.resize(90, 20)
    assert label.shown.endswith("…")
    assert label.shown[:-1] in label.text()
    rich = ElidedRich("<b>Stopped</b> &nbsp; 2482 frames recorded")
    rich.resize(400, 20)
    whole = rich.grab().toImage()
    assert not rich.cut
    rich.resize(90, 20)
    assert rich.cut
    assert rich.grab().toImage() != whole.copy(0, 0, 90, 20), "dots stand where it is cut"
    head = Head("a very long name of a stage  (components)", "what it does")
    assert head.minimumSizeHint().width() < head.sizeHint().width()
    assert head.text() in head.toolTip()
