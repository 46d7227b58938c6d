"""Everything in the menus is reached by keys, and stands in the sheet of keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.gui.actions import MENUS
from app.gui.dock import PANELS
from app.gui.help_sheet import HelpSheet
from app.gui.strips import Strip
from pipelines.definition import library
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import shown

assert shown  # the fixture

RECENT = "Open &recent"
"""A menu of files, which changes."""


def entries(menu: QtWidgets.QMenu) -> Iterator[QtWidgets.QAction]:
    """All actions of a menu and of those in it."""
    for action in menu.actions():
        inner = action.menu()
        if action.isSeparator() or (inner is not None and inner.title() == RECENT):
            continue
        if inner is not None:
            yield from entries(inner)
        else:
            yield action


def test_every_menu_has_a_letter_of_its_own(desk: Desk) -> None:
    titles = [action.text() for action in desk.window.menuBar().actions()]
    assert titles == [MENUS[name] for name in MENUS]
    letters = Counter(title.partition("&")[2][:1].upper() for title in titles)
    assert set(letters.values()) == {1}
    assert "" not in letters


def test_every_entry_has_a_key_or_a_letter_in_its_menu_and_is_in_the_sheet(desk: Desk) -> None:
    sheet = HelpSheet(desk.window.actions_.table.values())
    keys, missing = {}, []
    for row in range(sheet.tree.topLevelItemCount()):
        item = sheet.tree.topLevelItem(row)
        keys[item.text(1)] = item.text(0).strip()
    for action in desk.window.menuBar().actions():
        for entry in entries(action.menu()):
            known = desk.window.actions_.table.get(entry.objectName())
            if known is None:
                missing.append(f"{entry.text()} is in no table")
            elif not keys.get(known.text.replace("&", "")):
                missing.append(f"{entry.text()} has no key and no letter")
    assert not missing, missing
    assert len(keys) > 80


def test_letters_of_entries_without_a_key_are_their_own(desk: Desk) -> None:
    """Of two entries with one letter the second is reached by pressing it twice; one without a key has it alone."""
    shared = []
    for name in MENUS:
        table = [one for one in desk.window.actions_.table.values() if one.menu == name and not one.sub]
        letters = Counter(one.text.partition("&")[2][:1].upper() for one in table)
        shared += [f"{name}: {one.text}" for one in table
                   if not one.keys and letters[one.text.partition("&")[2][:1].upper()] > 1]  # fmt: skip
    assert not shared, shared


def test_every_action_of_the_table_is_in_its_menu(desk: Desk) -> None:
    found = {entry.objectName() for action in desk.window.menuBar().actions() for entry in entries(action.menu())}
    assert found >= set(desk.window.actions_.table)


def test_shipped_pipelines_are_chosen_in_the_menu(desk: Desk) -> None:
    made = {name: desk.window.actions_.made[f"shipped_{name}"] for name in library()}
    letters = Counter(action.text().partition("&")[2][:1].upper() for action in made.values())
    assert set(letters.values()) == {1}
    for name in ("objects", "background-motion"):
        made[name].trigger()
        assert desk.bench.pipeline.name == name
        assert [one for one, action in made.items() if action.isChecked()] == [name]
    made["background-motion"].trigger()  # the one that is there stays
    assert desk.bench.pipeline.name == "background-motion"
    assert made["background-motion"].isChecked()


def test_a_letter_opens_the_menu_of_the_pipeline(desk: Desk) -> None:
    QtTest.QTest.keyClick(desk.window, QtCore.Qt.Key.Key_I, QtCore.Qt.KeyboardModifier.AltModifier)
    shown = [action.text() for action in desk.window.menuBar().actions() if action.menu().isVisible()]
    for action in desk.window.menuBar().actions():
        action.menu().hide()
    assert shown == ["P&ipeline"]


def test_panels_come_and_go_by_number(desk: Desk) -> None:
    docks, made = desk.window.docks, desk.window.actions_.made
    assert set(PANELS) == set(docks)
    for number, name in enumerate(PANELS, 1):
        action = made[f"panel_{name}"]
        assert action.shortcut() == QtGui.QKeySequence(f"Ctrl+{'Alt+' if number > 10 else ''}{number % 10}")
        if docks[name].visibleRegion().isEmpty():
            action.trigger()
            QtWidgets.QApplication.processEvents()
        assert not docks[name].visibleRegion().isEmpty(), name
        action.trigger()
        assert docks[name].isHidden()
        assert not action.isChecked()
        action.trigger()
        QtWidgets.QApplication.processEvents()
        assert action.isChecked()
        assert not docks[name].visibleRegion().isEmpty()


def test_what_hides_with_the_focus_gives_it_to_the_video(shown: Desk) -> None:
    window = shown.window
    window.activateWindow()
    home = window.video.graphics

    def settle() -> QtWidgets.QWidget | None:
        QtTest.QTest.qWait(5)
        found: QtWidgets.QWidget | None = QtWidgets.QApplication.focusWidget()
        return found

    strip = Strip("a question", buttons=(("Yes", lambda: window.strips.remove("asked")),))
    window.strips.put("asked", strip)
    strip.buttons["Yes"].setFocus(QtCore.Qt.FocusReason.TabFocusReason)
    assert settle() is strip.buttons["Yes"]
    QtTest.QTest.keyClick(strip.buttons["Yes"], QtCore.Qt.Key.Key_Space)
    assert settle() is home
    for name in ("points", "correct", "scale", "template", "roi"):
        window.tracking.tools.take(name)
        form = window.tracking.tools.tool.form
        fields = [w for w in form.findChildren(QtWidgets.QSpinBox) if w.isVisible()] if form is not None else []
        for field in fields:
            field.setFocus()
            assert settle() is field
        window.tracking.tools.take("pick")
        assert settle() is home, name
    chooser = window.panels["pipeline"].findChildren(QtWidgets.QComboBox)[0]
    chooser.setFocus(QtCore.Qt.FocusReason.TabFocusReason)
    assert settle() is chooser, "what is reached with Tab keeps the keys"


def test_tab_goes_to_what_can_be_seen(shown: Desk) -> None:
    """A dock behind another one counts as visible for Qt; Space there would reset a parameter that nobody sees."""
    window = shown.window
    window.activateWindow()
    window.show_panel("tracks")
    QtWidgets.QApplication.processEvents()
    window.video.graphics.setFocus()
    docks, hidden = Counter[str](), []
    for forward in (True, False):
        for _ in range(120):
            window.focusNextPrevChild(forward)
            found = QtWidgets.QApplication.focusWidget()
            assert found is not None
            dock = next((name for name, dock in window.docks.items() if dock.isAncestorOf(found)), "")
            docks[dock] += 1
            if dock and window.docks[dock].visibleRegion().isEmpty():
                hidden.append(dock)
    assert not hidden, Counter(hidden)
    assert {"tracks", "pipeline", "traces"} <= set(docks)


def test_no_word_of_the_sheet_is_cut_and_its_columns_stay(desk: Desk) -> None:
    sheet = HelpSheet(desk.window.actions_.table.values(), desk.window)
    tree, words = sheet.tree, sheet.tree.fontMetrics()
    widths = [tree.columnWidth(column) for column in range(3)]
    for row in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(row)
        if item.text(1):
            for column in range(3):
                assert words.horizontalAdvance(item.text(column)) <= widths[column] - 6, item.text(column)
    sheet.search.setText("mark")
    assert [tree.columnWidth(column) for column in (0, 1)] == widths[:2]
    assert sheet.width() <= QtWidgets.QApplication.primaryScreen().availableSize().width()
