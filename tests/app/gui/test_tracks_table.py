"""The table of tracks through its widgets."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import commands, reports
from app.desk.services.exporting import What, possible
from app.desk.tracks import store
from app.desk.tracks.steps import FIRST_OWN
from app.desk.tracks.store import TrackStore
from app.gui.settings import Settings
from app.gui.tracks.model import FRAMES, NAME, SCORE, SEEN, SIGMA, STATE, WHY, TracksModel
from app.gui.tracks.table import TracksTable
from pipelines.features import TRACK_DTYPE, Reason, State
from tests.app.gui.conftest import Desk
from tests.app.gui.test_main_window import press

CONTROL = QtCore.Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def table(desk: Desk) -> TracksTable:
    """In front, with five tracks of twenty frames."""
    desk.open()
    desk.window.tracking.corrector.kept.path = None  # keeps no file beside the sample
    desk.frames(range(20), 5)
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
    assert [cell(table, 2, column) for column in range(7)] == ["2", "seen", "", "0-19", "20", "0.90", "0.05"]
    assert table.count.text() == "5 tracks"
    assert table.model.data(table.model.index(0, 0), QtCore.Qt.ItemDataRole.DecorationRole) is not None
    desk.frame(20, 3)
    table.redraw()
    assert cell(table, 2, FRAMES) == "0-20"
    assert cell(table, 3, FRAMES) == "0-19"


def test_selection_goes_both_ways(desk: Desk, table: TracksTable) -> None:
    choose(table, 3)
    choose(table, 1, adding=True)
    assert desk.bench.selected == [3, 1]
    assert table.count.text() == "5 tracks, 2 selected"
    desk.bench.tracks.select([4, 0])
    rows = sorted(index.row() for index in table.view.selectionModel().selectedRows())
    assert rows == [0, 4]
    assert desk.bench.selected == [4, 0]


def test_search_and_sort_keep_the_selection(desk: Desk, table: TracksTable) -> None:
    desk.window.tracking.corrector.rename(3, "wing")
    desk.bench.tracks.select([3])
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
    desk.bench.tracks.select([2])
    press(desk, "F2")
    QtWidgets.QApplication.processEvents()
    editor = table.view.findChild(QtWidgets.QLineEdit)
    assert editor is not None
    editor.setText("tip")
    QtTest.QTest.keyClick(editor, QtCore.Qt.Key.Key_Return)
    QtWidgets.QApplication.processEvents()
    assert desk.bench.tracks.name(2) == "tip"
    assert cell(table, 2, 0) == "tip"
    press(desk, "Ctrl+Z")
    assert cell(table, 2, 0) == "2"


def test_merge_split_and_delete_by_keys_and_buttons(desk: Desk, table: TracksTable) -> None:
    desk.frame(8, 5)
    choose(table, 1)
    press(desk, "Ctrl+K")
    table.redraw()
    assert desk.bench.selected == [FIRST_OWN]  # so that Del takes the rest alone
    assert "ends before frame 8; from there on it is 1b" in desk.bench.messages[-1].sentence
    desk.bench.tracks.select([1, FIRST_OWN])
    assert [cell(table, row, 0) for row in range(6)] == ["0", "1", "2", "3", "4", "1b"]
    assert [cell(table, row, FRAMES) for row in (1, 5)] == ["0-7", "8-19"]
    table.buttons["merge"].click()
    table.redraw()
    assert table.model.rowCount() == 5
    assert cell(table, 1, FRAMES) == "0-19"
    assert desk.bench.messages[-1].sentence == "1 and 1b are one track now: 1"
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
    desk.bench.tracks.select([1])
    desk.link.orders.clear()
    actions = {action.text(): action for action in table.menu().actions() if action.text()}
    assert list(actions) == ["Rename", "Go to first frame", "Go to last frame", "Merge", "Split at frame 19",
                             "Swap from frame 19 on", "Delete", "Copy the line", "Mark an event &here…"]  # fmt: skip
    assert not actions["Merge"].isEnabled()
    actions["Go to first frame"].trigger()
    actions["Go to last frame"].trigger()
    assert [order for order in desk.link.orders if isinstance(order, commands.Seek)] == [
        commands.Seek(0),
        commands.Seek(19),
    ]
    desk.bench.tracks.select([1, 2, 3])
    assert "Delete 3 tracks" in [action.text() for action in table.menu().actions()]


def test_what_makes_no_sense_is_said(desk: Desk, table: TracksTable) -> None:
    desk.frame(0, 5)
    desk.bench.tracks.select([1])
    press(desk, "Ctrl+K")
    assert "cannot be split at frame 0" in desk.bench.messages[-1].sentence


def test_ten_thousand_tracks_are_no_burden(desk: Desk, table: TracksTable) -> None:
    desk.frame(20, 10_000)
    while table.model.look():
        pass
    assert table.model.rowCount() == 10_000
    desk.bench.tracks.select([9_999])
    assert [index.row() for index in table.view.selectionModel().selectedRows()] == [9_999]


def some_are_lost(desk: Desk, table: TracksTable) -> None:
    """In frame 20: track 1 is guessed, track 3 has left the picture, track 4 was not detected."""
    rows = np.zeros(5, TRACK_DTYPE)
    rows["frame"], rows["time"], rows["track"], rows["state"] = 20, 20 / 600, np.arange(5), State.TRACKED
    rows["state"][[1, 3, 4]] = State.PREDICTED, State.LOST, State.LOST
    rows["reason"][[1, 3, 4]] = Reason.NOT_DETECTED, Reason.LEFT_IMAGE, Reason.NOT_DETECTED
    desk.link.reports.append(reports.Rows(20, 20, rows))
    desk.bench.tick()
    table.redraw()


def test_columns_are_fitted_to_the_rows_that_are_seen(
    desk: Desk, table: TracksTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand tracks that grow must not be looked through each time some rows come."""
    desk.frame(20, 1000)
    table.redraw()
    while table.model.look():
        pass
    looked: set[int] = set()
    data = TracksModel.data

    def noted(self: TracksModel, index: QtCore.QModelIndex, role: int = 0) -> object:
        looked.add(index.row())
        return data(self, index, role)

    monkeypatch.setattr(TracksModel, "data", noted)
    table.columns.fit()
    assert 0 < len(looked) < 100


def test_states_are_filtered_and_sorted(desk: Desk, table: TracksTable) -> None:
    some_are_lost(desk, table)
    assert [cell(table, row, STATE) for row in range(5)] == ["seen", "guessed", "seen", "lost", "lost"]
    assert [cell(table, row, WHY) for row in range(5)] == ["", "not detected", "", "left the picture", "not detected"]
    tip = table.model.data(table.model.index(3, STATE), QtCore.Qt.ItemDataRole.ToolTipRole)
    assert tip == "lost: left the picture"
    table.states.setCurrentText("lost")
    assert [cell(table, row, NAME) for row in range(table.model.rowCount())] == ["3", "4"]
    desk.window.tracking.corrector.rename(4, "wing")
    table.search.setText("wi")
    assert [cell(table, row, NAME) for row in range(table.model.rowCount())] == ["wing"]
    table.search.setText("")
    table.states.setCurrentText("all")
    table.view.sortByColumn(STATE, QtCore.Qt.SortOrder.DescendingOrder)
    assert [cell(table, row, STATE) for row in range(5)] == ["lost", "lost", "guessed", "seen", "seen"]


def test_a_double_click_goes_to_the_track(desk: Desk, table: TracksTable) -> None:
    some_are_lost(desk, table)
    desk.bench.tracks.select([0])
    for column, frame in ((NAME, 0), (STATE, 20)):
        desk.link.orders.clear()
        at = table.view.visualRect(table.model.index(3, column)).center()
        QtTest.QTest.mouseClick(table.view.viewport(), QtCore.Qt.MouseButton.LeftButton, pos=at)
        QtTest.QTest.mouseDClick(table.view.viewport(), QtCore.Qt.MouseButton.LeftButton, pos=at)
        assert desk.bench.selected == [3]
        assert [order for order in desk.link.orders if isinstance(order, commands.Seek)] == [commands.Seek(frame)]
    assert table.view.findChild(QtWidgets.QLineEdit) is None  # nothing is renamed


def test_columns_fit_what_stands_in_them_until_they_are_dragged(desk: Desk, table: TracksTable) -> None:
    head, columns = table.head, table.columns
    some_are_lost(desk, table)
    columns.fit()
    for column in sorted({*range(SIGMA)} - {WHY}):  # reasons give way where there is no room; the tip has them
        assert head.sectionSize(column) >= table.view.sizeHintForColumn(column)
    seen = table.view.viewport().width()
    assert head.sectionViewportPosition(SEEN) + head.sectionSize(SEEN) <= seen, "the important ones are in sight"
    assert not columns.own
    head.resizeSection(WHY, 47)
    assert columns.own
    head.moveSection(head.visualIndex(SCORE), 1)
    menu = {action.text(): action for action in columns.menu().actions()}
    menu["seen"].setChecked(False)
    columns.fit()
    assert head.sectionSize(WHY) == 47
    columns.keep()
    columns.reset()
    assert head.sectionSize(WHY) != 47
    assert head.visualIndex(SCORE) == SCORE
    assert not head.isSectionHidden(SEEN)


def test_columns_are_remembered(desk: Desk, table: TracksTable, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "columns.ini")
    table.columns.remember_with(settings)
    assert not table.columns.own
    table.head.resizeSection(WHY, 47)
    table.columns.keep()
    table.head.resizeSection(WHY, 90)
    table.columns.remember_with(settings)
    assert table.head.sectionSize(WHY) == 47
    table.columns.reset()
    table.columns.remember_with(settings)
    assert not table.columns.own


def test_tracks_that_come_and_go_at_the_end_leave_lines_and_selection(desk: Desk, table: TracksTable) -> None:
    desk.bench.tracks.select([1, 4])
    layouts: list[object] = []
    table.model.layoutChanged.connect(lambda *_: layouts.append(1))
    desk.frame(20, 9)
    table.redraw()
    assert table.model.rowCount() == 9
    assert not layouts
    table.search.setText("no such name")
    assert table.model.rowCount() == 0
    table.search.setText("")
    desk.link.reports.append(reports.Outdated())  # rows are computed anew, and come again
    desk.bench.tick()
    table.redraw()
    assert table.model.rowCount() == 0
    assert desk.bench.selected == [1, 4]
    desk.frame(0, 9)
    table.redraw()
    assert [index.row() for index in table.view.selectionModel().selectedRows()] == [1, 4]


def test_all_of_very_many_tracks_are_selected_both_ways(desk: Desk, table: TracksTable) -> None:
    desk.frame(20, 3000)
    while table.model.look():
        pass
    table.view.selectAll()
    assert desk.bench.selected == list(range(3000))
    desk.bench.tracks.select(list(range(0, 3000, 2)))
    chosen = table.view.selectionModel().selection()
    assert sum(part.bottom() - part.top() + 1 for part in chosen) == 1500


def test_what_is_given_up_for_want_of_memory_is_counted_and_named(desk: Desk) -> None:
    desk.open()
    desk.bench.store = TrackStore(most_bytes=30 * TRACK_DTYPE.itemsize)
    desk.window.show_panel("tracks")
    with patch.object(store, "PIECE", 6):
        desk.frames(range(10))
        table = desk.window.tracking.table
        table.redraw()
        assert "given up" not in table.count.text()
        desk.frames(range(10, 14))
    (said,) = [m.sentence for m in desk.bench.messages if "given up" in m.sentence]
    assert "frames 0 to 1 first" in said
    table.redraw()
    assert table.count.text().endswith("some given up")
    assert "frames 0 to 3" in table.count.toolTip()
    assert "(frames 0 to 3 were given up for want of memory)" in possible(desk.bench)[What.SEEN]


def test_ctrl_a_selects_all_tracks_or_those_that_were_searched_for(desk: Desk) -> None:
    desk.open()
    desk.frame(0, tracks=5)
    window = desk.window
    action = window.actions_.made["select_all"]
    assert action.shortcut() == QtGui.QKeySequence("Ctrl+A")
    action.trigger()
    assert sorted(desk.bench.selected) == [0, 1, 2, 3, 4]
    window.show_panel("tracks")
    window.tracking.table.search.setText("3")
    desk.bench.tracks.select([])
    window.tracking.table.view.setFocus()
    action.trigger()
    assert list(desk.bench.selected) == [3]
