"""The window by its actions: menus, keys, drops, messages, layout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import commands, reports
from app.gui import theme
from app.gui.help_sheet import HelpSheet
from app.gui.messages_panel import MessagesPanel
from app.gui.settings import Settings
from kernels.errors import InputError
from pipelines.streaming.common.states import RunState
from tests.app.gui.conftest import CLIP, Desk


def press(desk: Desk, key: str) -> None:
    """A shortcut, as if typed."""
    sequence = QtGui.QKeySequence(key)
    for action in desk.window.actions_.made.values():
        if sequence in action.shortcuts() and action.isEnabled():
            action.trigger()
            return
    raise AssertionError(f"no action has the key {key}")


def test_no_two_actions_have_the_same_key(desk: Desk) -> None:
    keys = [QtGui.QKeySequence(key).toString() for action in desk.window.actions_.table.values() for key in action.keys]
    assert len(keys) == len(set(keys))
    for made in desk.window.actions_.made.values():
        assert made.toolTip()


def test_keys_play_step_and_mark(desk: Desk) -> None:
    desk.open()
    desk.link.reports.append(reports.Stood(RunState.PAUSED, 7))
    desk.bench.tick()
    for key in ("Space", "Right", "Left", "Shift+Right", "Home", "End"):
        press(desk, key)
    last = desk.source.info.frames - 1
    assert desk.link.orders == [
        commands.Play(),
        commands.Step(1),
        commands.Step(-1),
        commands.Step(10),
        commands.Seek(0),
        commands.Seek(last),
    ]
    press(desk, "I")
    desk.link.reports.append(reports.Stood(RunState.RUNNING, 20))
    desk.bench.tick()
    press(desk, "O")
    assert desk.bench.range == (7, 21)
    desk.link.orders.clear()
    press(desk, "Space")
    assert desk.link.orders == [commands.Pause()]


def test_a_key_reaches_the_window_through_the_keyboard(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    app.processEvents()
    QtTest.QTest.keyClick(desk.window, QtCore.Qt.Key.Key_Space)
    assert commands.Play() in desk.link.orders


def test_space_presses_what_tab_reached_and_plays_elsewhere(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    app.processEvents()
    button = desk.window.batch.add_folder
    desk.window.show_panel("batch")
    assert not button.focusPolicy() & QtCore.Qt.FocusPolicy.ClickFocus
    pressed: list[bool] = []
    button.clicked.disconnect()
    button.clicked.connect(lambda: pressed.append(True))
    app.processEvents()
    button.setFocus(QtCore.Qt.FocusReason.TabFocusReason)
    QtTest.QTest.keyClick(button, QtCore.Qt.Key.Key_Space)
    assert pressed
    assert commands.Play() not in desk.link.orders
    desk.window.video.graphics.setFocus()
    QtTest.QTest.keyClick(desk.window.video.graphics, QtCore.Qt.Key.Key_Space)
    assert commands.Play() in desk.link.orders
    assert len(pressed) == 1


def test_arrows_move_a_slider_that_tab_reached(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    desk.window.show_panel("parameters")
    app.processEvents()
    row = desk.window.panels["parameters"].sections["bright"].rows["level"]  # type: ignore[attr-defined]
    row.slider.setFocus(QtCore.Qt.FocusReason.TabFocusReason)
    QtTest.QTest.keyClick(row.slider, QtCore.Qt.Key.Key_Right)
    changes = [order for order in desk.link.orders if isinstance(order, commands.SetParam)]
    assert changes
    assert changes[-1].param == "level"
    assert not any(isinstance(order, commands.Step) for order in desk.link.orders)


def test_with_nothing_open_it_says_what_to_do(desk: Desk, app: QtWidgets.QApplication, tmp_path: Path) -> None:
    window, nothing = desk.window, desk.window.nothing
    assert nothing.isVisible()
    assert not nothing.buttons["sample"].isEnabled()  # there is none
    window.sample = str(CLIP)
    window.settings.add_recent(str(CLIP))
    window.settings.add_recent(str(tmp_path / "gone.cine"))
    window._changed()
    assert [button.isEnabled() for button in nothing.files.values()] == [False, True]
    nothing.files[str(CLIP)].click()
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    assert order.what == str(CLIP)
    assert nothing.title.text() == f"Opening {CLIP.name} …"
    assert not nothing.more.isVisible()
    desk.link.orders.clear()
    desk.open()
    app.processEvents()
    assert not nothing.isVisible()
    desk.link.reports.append(reports.Closed())
    desk.bench.tick()
    assert nothing.isVisible()
    assert nothing.buttons["sample"].isEnabled()
    nothing.buttons["sample"].click()
    assert isinstance(desk.link.orders[-1], commands.Open)


def test_a_click_picks_a_track_and_shows_it(desk: Desk) -> None:
    desk.open()
    for index in range(5):
        desk.frame(index)
    rows = desk.bench.store.at(4)
    video = desk.window.video
    at = video.box.mapViewToScene(QtCore.QPointF(float(rows["x"][1]), float(rows["y"][1])))
    QtTest.QTest.mouseClick(video.graphics.viewport(), QtCore.Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert desk.bench.selected == [1]
    at = video.box.mapViewToScene(QtCore.QPointF(200.0, 250.0))
    QtTest.QTest.mouseClick(video.graphics.viewport(), QtCore.Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert desk.bench.selected == []


def test_what_is_under_the_cursor(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    pixels = desk.window.video.image.pixels
    assert pixels is not None
    words = desk.window.video.words_at(12.4, 8.6)
    assert words.startswith("x 12  y 9")
    assert words.endswith(f"=  {pixels[9, 12]}")
    coloured = np.stack((pixels, pixels, pixels), axis=-1)
    desk.window.video.image.show_picture(coloured)
    words = desk.window.video.words_at(12.4, 8.6)
    assert words.endswith(f"=  {pixels[9, 12]} (gray)")  # three equal channels are said once
    coloured = coloured.copy()
    coloured[9, 12] = 1, 2, 3
    desk.window.video.image.show_picture(coloured)
    assert desk.window.video.words_at(12.4, 8.6).endswith("1, 2, 3")
    assert desk.window.video.words_at(-3, 0) == ""


def test_errors_are_messages_that_can_be_copied_never_boxes(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    desk.link.reports.append(reports.Crashed("the engine ended unexpectedly (signal 11)", "Fatal Python error"))
    desk.bench.tick()
    panel = desk.window.panels["messages"]
    assert isinstance(panel, MessagesPanel)
    QtTest.QTest.qWait(20)
    assert panel.visibleRegion().isEmpty(), "it would cover the traces"
    found = [strips[name] for strips in (desk.window.strips, desk.window.refusals) for name in ("wrong", "ended")
             if name in strips]  # fmt: skip
    (strip,) = found
    strip.buttons["Show messages" if "Show messages" in strip.buttons else "Show details"].click()
    app.processEvents()
    assert not panel.visibleRegion().isEmpty()
    panel.copy_button.click()
    text = app.clipboard().text()
    assert "signal 11" in text
    assert "Fatal Python error" in text
    assert '"fusetrack"' in text
    assert app.activeModalWidget() is None
    panel.clear_button.click()
    assert panel.list.topLevelItemCount() == 0


def test_an_edit_that_is_refused_is_said_in_a_strip_and_leaves_the_traces(desk: Desk) -> None:
    desk.open()
    desk.window.show_panel("traces")
    QtTest.QTest.qWait(20)
    traces, strips = desk.window.panels["traces"], desk.window.refusals
    video = desk.window.video
    place = QtCore.QRect(video.mapToGlobal(QtCore.QPoint()), video.size())

    def refuse() -> None:
        raise InputError("the fields of <this> cannot be 'so'")

    desk.window.guarded(refuse)
    QtTest.QTest.qWait(20)
    assert not traces.visibleRegion().isEmpty()
    assert strips.isVisible()
    assert QtCore.QRect(video.mapToGlobal(QtCore.QPoint()), video.size()) == place, "nothing moves below the mouse"
    upper = QtCore.QRect(strips.mapToGlobal(QtCore.QPoint()), strips.size())
    assert place.contains(upper)
    assert upper.bottom() < place.center().y()
    assert len(desk.window.strips.findChildren(type(strips["wrong"]))) == 0
    seen = QtGui.QTextDocument()
    seen.setHtml(strips["wrong"].label.text())
    assert QtCore.Qt.mightBeRichText(strips["wrong"].label.text()), "else a label shows it letter by letter"
    assert seen.toPlainText() == "the fields of <this> cannot be 'so'"
    desk.window.guarded(lambda: None)
    assert "wrong" not in strips
    desk.window.guarded(refuse)
    QtTest.QTest.qWait(20)
    assert strips["wrong"].cross is not None
    strips["wrong"].cross.click()
    assert "wrong" not in strips
    desk.window.tracking.tools.take("angle")
    desk.window.guarded(refuse)
    QtTest.QTest.qWait(20)
    assert "wrong" not in strips, "it would lie over what is to be clicked"
    assert desk.window.status.toast.isVisible()
    desk.window.tracking.tools.escape()
    desk.window.modes.set_alone(True)
    desk.window.guarded(refuse)
    QtTest.QTest.qWait(20)
    assert "wrong" not in strips


def test_files_are_opened_by_drop_and_remembered(desk: Desk, tmp_path: Path) -> None:
    data = QtCore.QMimeData()
    data.setUrls([QtCore.QUrl.fromLocalFile(str(CLIP))])
    event = QtGui.QDropEvent(QtCore.QPointF(10, 10), QtCore.Qt.DropAction.CopyAction, data,
                             QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.KeyboardModifier.NoModifier)  # fmt: skip
    desk.window.dropEvent(event)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    assert order.what == str(CLIP)
    assert Settings(tmp_path / "settings.ini").recent == [str(CLIP)]


def test_opening_by_dialog(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *a, **k: (str(CLIP), ""))
    press(desk, "Ctrl+O")
    assert isinstance(desk.link.orders[-1], commands.Open)


def test_pipelines_are_saved_by_key(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "mine"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    desk.bench.editor.set_param("bright", "level", 0.2)
    assert desk.window.windowTitle() == "blobs* - fusetrack"
    press(desk, "Ctrl+Alt+S")
    assert "level = 0.2" in path.with_suffix(".toml").read_text()
    assert "*" not in desk.window.windowTitle()
    desk.bench.editor.set_param("bright", "level", 0.3)
    press(desk, "Ctrl+Alt+S")
    assert "level = 0.3" in path.with_suffix(".toml").read_text()
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "no" / "x"), ""))
    desk.window.actions_.made["save_as"].trigger()
    assert desk.bench.messages[-1].level is Level.ERROR


def test_themes_change_everything(desk: Desk) -> None:
    before = desk.window.grab().toImage()
    desk.window.actions_.made["dark"].trigger()
    assert theme.current() is theme.LIGHT
    desk.window.turns.finish()
    after = desk.window.grab().toImage()
    assert after.pixelColor(5, 5).lightness() > before.pixelColor(5, 5).lightness() + 100
    assert desk.window.settings.theme == "light"
    desk.window.actions_.made["dark"].trigger()
    assert theme.current() is theme.DARK


def test_every_key_stands_on_the_sheet(desk: Desk) -> None:
    sheet = HelpSheet(desk.window.actions_.table.values(), desk.window)
    shown = [sheet.tree.topLevelItem(i).text(1) for i in range(sheet.tree.topLevelItemCount())]
    for action in desk.window.actions_.table.values():
        assert action.text.replace("&", "") in shown
        assert action.keys or "&" in action.text, f"no key leads to {action.name}"
    keys = [sheet.tree.topLevelItem(i).text(0).strip() for i in range(sheet.tree.topLevelItemCount())]
    assert keys[shown.index("About fusetrack")] == "Alt+H, A"
    sheet.search.setText("repeat")
    assert sheet.tree.topLevelItemCount() == 2
    sheet.close()


def test_the_layout_comes_back(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.window.docks["parameters"].hide()
    desk.window.close()
    again = type(desk.window)(desk.bench, desk.window.settings)
    again._timer.stop()
    again.show()
    assert not again.docks["parameters"].isVisible()
    again.default_layout()
    assert again.docks["parameters"].isVisible()
    again.close()
    again.deleteLater()


def test_closing_ends_the_engine(desk: Desk) -> None:
    desk.window.actions_.made["quit"].trigger()
    assert desk.link.closed


def test_the_status_bar_says_where_and_how_fast(desk: Desk) -> None:
    desk.open()
    desk.frame(3)
    assert f"frame 3 / {desk.source.info.frames - 1}" in desk.window.status.parts["place"].text()
    assert "0.0050 s" in desk.window.status.parts["place"].text()


def test_ping_pong_is_switched_by_its_key(desk: Desk) -> None:
    desk.open()
    press(desk, "Shift+R")
    assert desk.link.orders[-1] == commands.SetLoop(True, True)
    assert desk.window.actions_.made["ping_pong"].isChecked()
    press(desk, "R")
    assert desk.link.orders[-1] == commands.SetLoop(False, True)
    press(desk, "Shift+R")
    assert desk.link.orders[-1] == commands.SetLoop(False, False)
