"""Named events in the window: keys, the field for names, the timeline, the list, the curves."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import commands
from app.desk.events import Event
from app.desk.services.exporting import What
from app.gui.events.panel import NAME, EventsPanel
from app.gui.help_sheet import HelpSheet
from app.gui.sessions.export_dialog import ExportDialog
from kernels.errors import InputError
from tests.app.gui.conftest import Desk
from tests.app.gui.test_main_window import press
from tests.app.gui.traces import panel as traces_of
from tests.app.gui.traces import play, until

KEYS = QtCore.Qt.Key


def settle() -> None:
    for _ in range(3):
        QtWidgets.QApplication.processEvents()


def named(desk: Desk, frame: int, name: str) -> None:
    desk.frame(frame)
    press(desk, "H")
    field = desk.window.marking.namer.field
    assert field.isVisible()
    QtTest.QTest.keyClicks(field, name)
    QtTest.QTest.keyClick(field, KEYS.Key_Return)


def panel(desk: Desk) -> EventsPanel:
    desk.window.show_panel("events")
    settle()
    made = desk.window.panels["events"]
    assert isinstance(made, EventsPanel)
    made.redraw()
    return made


def test_a_key_marks_the_frame_and_the_last_name_is_proposed(desk: Desk) -> None:
    desk.open()
    named(desk, 5, "onset")
    assert desk.bench.events == (Event(5, "onset"),)
    named(desk, 9, "")
    assert desk.bench.events == (Event(5, "onset"), Event(9, "onset"))
    desk.frame(12)
    press(desk, "Shift+H")
    assert desk.bench.events[-1] == Event(12, "onset")
    press(desk, "Ctrl+Z")
    assert len(desk.bench.events) == 2
    press(desk, "Ctrl+Z")
    press(desk, "Ctrl+Shift+Z")
    assert desk.bench.events == (Event(5, "onset"), Event(9, "onset"))


def test_numbers_choose_names_used_before_and_are_typed_behind_letters(desk: Desk) -> None:
    desk.open()
    named(desk, 1, "onset")
    named(desk, 2, "contact")
    desk.frame(3)
    press(desk, "H")
    namer = desk.window.marking.namer
    assert [button.text() for button in namer.choices] == ["1   contact", "2   onset"]
    QtTest.QTest.keyClicks(namer.field, "2")
    assert not namer.isVisible()
    assert desk.bench.events[-1] == Event(3, "onset")
    named(desk, 4, "saccade 2")
    assert desk.bench.events[-1] == Event(4, "saccade 2")
    desk.frame(6)
    press(desk, "H")
    namer.choices[1].click()
    assert desk.bench.events[-1] == Event(6, "onset")


def test_escape_marks_nothing_and_a_name_twice_is_told(desk: Desk) -> None:
    desk.open()
    desk.frame(5)
    press(desk, "H")
    field = desk.window.marking.namer.field
    QtTest.QTest.keyClick(field, KEYS.Key_Escape)
    assert not field.isVisible()
    assert desk.bench.events == ()
    named(desk, 5, "onset")
    named(desk, 5, "onset")
    assert "marked as onset already" in desk.bench.messages[-1].sentence
    assert len(desk.bench.events) == 1


def test_keys_go_from_event_to_event(desk: Desk) -> None:
    desk.open()
    named(desk, 5, "onset")
    named(desk, 50, "contact")
    desk.frame(20)
    desk.link.orders.clear()
    press(desk, "Ctrl+Right")
    assert desk.link.orders == [commands.Pause(), commands.Seek(50)]
    assert desk.bench.messages[-1].sentence == "contact, frame 50 (event 2 of 2)"
    press(desk, "Ctrl+Left")
    assert desk.link.orders[-1] == commands.Seek(5)
    desk.frame(50)
    press(desk, "Ctrl+Right")
    assert desk.bench.messages[-1].sentence == "no event after frame 50"


def test_the_sheet_of_keys_and_the_menus_have_them(desk: Desk) -> None:
    desk.open()
    sheet = HelpSheet(desk.window.actions_.table.values())
    rows = {sheet.tree.topLevelItem(k).text(1): sheet.tree.topLevelItem(k).text(0).strip()
            for k in range(sheet.tree.topLevelItemCount())}  # fmt: skip
    assert rows["Mark an event here…"] == "H"
    assert desk.window.actions_.made["mark_event"] in desk.window.tracking.table.menu().actions()


def test_the_timeline_shows_names_and_its_menu_changes_them(desk: Desk) -> None:
    desk.open()
    line = desk.window.transport.timeline
    before = line.grab().toImage()
    named(desk, 100, "onset & go")
    desk.frame(0)
    assert "event onset & go, frame 100" in line._words(line.place(100))
    assert "event" not in line._words(line.place(200))
    after = line.grab().toImage()
    x = round(line.place(100))
    assert after.pixel(x, 6) != before.pixel(x, 6)
    menu = desk.window.marking.menu(101, 2)
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts == ["Mark frame 101 as an event…", "Go to onset && go (100)", "Rename onset && go (100)…",
                     "Delete onset && go (100)"]  # fmt: skip
    menu.actions()[3].trigger()
    namer = desk.window.marking.namer
    QtTest.QTest.keyClicks(namer.field, "contact")
    QtTest.QTest.keyClick(namer.field, KEYS.Key_Return)
    assert desk.bench.events == (Event(100, "contact"),)
    desk.window.marking.menu(100, 0).actions()[-1].trigger()
    assert desk.bench.events == ()
    asked: list[tuple[int, int]] = []
    line.asked.disconnect()
    line.asked.connect(lambda frame, reach, _: asked.append((frame, reach)))
    at = QtCore.QPoint(x, 10)
    line.contextMenuEvent(QtGui.QContextMenuEvent(QtGui.QContextMenuEvent.Reason.Mouse, at, line.mapToGlobal(at)))
    assert abs(asked[0][0] - 100) <= asked[0][1]


def test_the_list_goes_there_renames_and_deletes(desk: Desk) -> None:
    desk.open()
    named(desk, 5, "onset")
    named(desk, 60, "contact")
    made = panel(desk)
    lines = [[made.topLevelItem(k).text(c) for c in range(3)] for k in range(2)]
    assert lines == [["5", "0.0083", "onset"], ["60", "0.1000", "contact"]]
    desk.link.orders.clear()
    box = made.visualItemRect(made.topLevelItem(1)).center()
    QtTest.QTest.mouseClick(made.viewport(), QtCore.Qt.MouseButton.LeftButton, pos=box)
    assert commands.Seek(60) in desk.link.orders
    assert made.chosen == [Event(60, "contact")]
    made.topLevelItem(1).setText(NAME, "saccade")
    settle()
    assert desk.bench.events[-1] == Event(60, "saccade")
    made.topLevelItem(1).setText(NAME, " ")
    settle()
    assert "needs a name" in desk.bench.messages[-1].sentence
    assert made.topLevelItem(1).text(NAME) == "saccade"
    desk.bench.tracks.select([0])
    made.topLevelItem(0).setSelected(True)
    made.setFocus()
    QtTest.QTest.keyClick(made, KEYS.Key_Delete)  # about the list, not the track
    settle()
    assert Event(5, "onset") not in desk.bench.events
    assert len(desk.window.tracking.corrector.corrections) == 0
    press(desk, "Ctrl+Z")
    assert Event(5, "onset") in desk.bench.events


def test_cameras_have_none(desk: Desk) -> None:
    desk.open(live=True)
    assert not desk.window.actions_.made["mark_event"].isEnabled()


def test_the_name_of_an_event_at_the_beginning_is_not_under_the_caption(desk: Desk) -> None:
    play(desk)
    named(desk, 0, "onset")
    traces, dock = traces_of(desk), desk.window.docks["traces"]
    for high in (170, 420):
        desk.window.resizeDocks([dock], [high], QtCore.Qt.Orientation.Vertical)
        traces.redraw()
        until(lambda: traces.drawn.events.lines[0])
        settle()
        label = traces.drawn.events.lines[0][0].label
        air, caption = 4, traces.drawn.captions.titles[0]
        words, above = (item.mapToScene(item.boundingRect()).boundingRect().adjusted(0, air, 0, -air)
                        for item in (label, caption))  # fmt: skip
        assert words.top() >= above.bottom() - 1, high


def test_the_curves_have_dotted_lines_and_the_table_lies_beside_theirs(desk: Desk, tmp_path: Path) -> None:
    desk.open()
    desk.frames(range(12))
    named(desk, 6, "onset {1}")
    traces = desk.window.panels["traces"]
    desk.window.show_panel("traces")
    desk.bench.tracks.select([0])
    settle()
    traces.redraw()
    for _ in range(200):
        settle()
        if traces.drawn.signals and traces.drawn.events.shown:
            break
        QtTest.QTest.qWait(10)
    assert traces.drawn.events.shown == ((6 / 600, "onset {1}"),)
    first, second = traces.drawn.events.lines
    assert first[0].value() == second[0].value() == pytest.approx(0.01)
    assert first[0].label.toPlainText() == "onset {1}"
    traces.save_to(tmp_path / "a.traces.svg")
    until(lambda: traces.saved.words.text().startswith("saved"))
    assert "onset {1}" in (tmp_path / "a.traces.svg").read_text()
    traces.save_events(tmp_path / "a.events.csv")
    assert (tmp_path / "a.events.csv").read_text().splitlines() == ["frame,time_s,name", "6,0.01,onset {1}"]
    desk.bench.player.set_range(8, 12)
    traces.marked.setChecked(True)
    with pytest.raises(InputError, match="no event"):
        traces.save_events(tmp_path / "b.events.csv")
    press(desk, "Ctrl+Z")
    assert traces.drawn.events.shown == ()
    assert traces.drawn.events.lines == [[], []]


def test_they_can_be_exported(desk: Desk) -> None:
    desk.open()
    named(desk, 6, "onset")
    dialog = ExportDialog(desk.window, desk.bench, desk.window.video, desk.window.jobs, desk.window.settings)
    dialog.choose(What.EVENTS)
    assert dialog.chosen is What.EVENTS
    assert dialog.what[What.EVENTS].text() == "the event that is marked"
    assert dialog.file.text().endswith("vortex_600fps.events.csv")
    dialog.close()
