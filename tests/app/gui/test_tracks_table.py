"""The table of tracks through its widgets."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import messages as say
from app.desk.tracks.steps import FIRST_OWN
from app.gui.tracks.table import TracksTable
from tests.app.gui.conftest import Desk
from tests.app.gui.test_main_window import press

CONTROL = QtCore.Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def table(desk: Desk) -> TracksTable:
    """In front, with five tracks of twenty frames."""
    desk.open()
    desk.window.tracking.corrector.path = None  # keeps no file beside the sample
    for index in range(20):
        desk.frame(index, 5)
    desk.window.show_panel("tracks")
    QtWidgets.QApplication.processEvents()
    made = desk.window.tracking.table
    made.redraw()
    return made


def cell(table: TracksTable, row: int, column: int) -> str:
    return str(table.model.data(table.model.index(row, column), QtCore.Qt.ItemDataRole.DisplayRole))


def choose(table: TracksTable, row: int, adding: bool = False) -> None:
    at = table.view.visualRect(table.model.index(row, 1)).center()
    modifiers = CONTROL if adding else QtCore.Qt.KeyboardModifier.NoModifier
    QtTest.QTest.mouseClick(table.view.viewport(), QtCore.Qt.MouseButton.LeftButton, modifiers, at)


def test_what_stands_in_a_line(desk: Desk, table: TracksTable) -> None:
    assert [cell(table, 2, column) for column in range(6)] == ["2", "seen", "0-19", "20", "0.90", "0.05"]
    assert table.count.text() == "5 tracks"
    assert table.model.data(table.model.index(0, 0), QtCore.Qt.ItemDataRole.DecorationRole) is not None
    desk.frame(20, 3)
    table.redraw()
    assert cell(table, 2, 2) == "0-20"
    assert cell(table, 3, 2) == "0-19"


def test_selection_goes_both_ways(desk: Desk, table: TracksTable) -> None:
    choose(table, 3)
    choose(table, 1, adding=True)
    assert desk.bench.selected == [3, 1]
    assert table.count.text() == "5 tracks, 2 selected"
    desk.bench.select([4, 0])
    rows = sorted(index.row() for index in table.view.selectionModel().selectedRows())
    assert rows == [0, 4]
    assert desk.bench.selected == [4, 0]


def test_search_and_sort_keep_the_selection(desk: Desk, table: TracksTable) -> None:
    desk.window.tracking.corrector.rename(3, "wing")
    desk.bench.select([3])
    table.search.setText("win")
    assert table.model.rowCount() == 1
    assert table.count.text() == "1 of 5 tracks, 1 selected"
    assert desk.bench.selected == [3]
    table.search.setText("")
    table.view.sortByColumn(0, QtCore.Qt.SortOrder.DescendingOrder)
    assert [cell(table, row, 0) for row in range(5)] == ["4", "wing", "2", "1", "0"]
    assert [index.row() for index in table.view.selectionModel().selectedRows()] == [1]
    table.search.setText("lost")
    assert table.model.rowCount() == 0


def test_a_track_is_renamed_in_its_cell(desk: Desk, table: TracksTable) -> None:
    desk.bench.select([2])
    press(desk, "F2")
    QtWidgets.QApplication.processEvents()
    editor = table.view.findChild(QtWidgets.QLineEdit)
    assert editor is not None
    editor.setText("tip")
    QtTest.QTest.keyClick(editor, QtCore.Qt.Key.Key_Return)
    QtWidgets.QApplication.processEvents()
    assert desk.bench.name(2) == "tip"
    assert cell(table, 2, 0) == "tip"
    press(desk, "Ctrl+Z")
    assert cell(table, 2, 0) == "2"


def test_merge_split_and_delete_by_keys_and_buttons(desk: Desk, table: TracksTable) -> None:
    desk.frame(8, 5)
    choose(table, 1)
    press(desk, "Ctrl+K")
    table.redraw()
    assert desk.bench.selected == [1, FIRST_OWN]
    assert [cell(table, row, 0) for row in range(6)] == ["0", "1", "2", "3", "4", "1b"]
    assert [cell(table, row, 2) for row in (1, 5)] == ["0-7", "8-19"]
    table.buttons["merge"].click()
    table.redraw()
    assert table.model.rowCount() == 5
    assert cell(table, 1, 2) == "0-19"
    choose(table, 4)
    press(desk, "Del")
    table.redraw()
    assert table.model.rowCount() == 4
    assert desk.bench.selected == []
    assert not table.buttons["delete"].isEnabled()
    for _ in range(3):
        press(desk, "Ctrl+Z")
    table.redraw()
    assert table.model.rowCount() == 5
    press(desk, "Ctrl+Shift+Z")
    table.redraw()
    assert table.model.rowCount() == 6
    desk.window.actions_.made["forget_corrections"].trigger()
    assert len(desk.window.tracking.corrector.corrections) == 0


def test_the_context_menu_and_the_ends_of_a_track(desk: Desk, table: TracksTable) -> None:
    desk.bench.select([1])
    desk.link.orders.clear()
    actions = {action.text(): action for action in table.menu().actions() if action.text()}
    assert list(actions) == ["Rename", "Go to first frame", "Go to last frame", "Merge", "Split at frame 19", "Delete"]
    assert not actions["Merge"].isEnabled()
    actions["Go to first frame"].trigger()
    actions["Go to last frame"].trigger()
    assert [order for order in desk.link.orders if isinstance(order, say.Seek)] == [say.Seek(0), say.Seek(19)]
    desk.bench.select([1, 2, 3])
    assert "Delete 3 tracks" in [action.text() for action in table.menu().actions()]


def test_what_makes_no_sense_is_said(desk: Desk, table: TracksTable) -> None:
    desk.frame(0, 5)
    desk.bench.select([1])
    press(desk, "Ctrl+K")
    assert "cannot be split at frame 0" in desk.bench.messages[-1].sentence


def test_ten_thousand_tracks_are_no_burden(desk: Desk, table: TracksTable) -> None:
    desk.frame(20, 10_000)
    while table.model.look():
        pass
    assert table.model.rowCount() == 10_000
    desk.bench.select([9_999])
    assert [index.row() for index in table.view.selectionModel().selectedRows()] == [9_999]
