"""A theme is changed a piece at a time, and in the end everything wears it: what is there, what comes, what goes."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme
from app.gui.help_sheet import HelpSheet
from app.gui.icons import icon
from app.gui.sessions.camera_dialog import CameraDialog
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.turns import Turns
from tests.app.gui.conftest import Desk


def wears(part: QtWidgets.QWidget, which: theme.Theme) -> bool:
    """Whether a part of the window wears a theme: a sheet of its own, or else that of the window."""
    return bool((part.styleSheet() or part.parentWidget().styleSheet()).endswith(theme.sheet(which)))


def wearing(desk: Desk, which: theme.Theme) -> int:
    """How many of the window's parts wear a theme."""
    return sum(wears(part, which) for part in theme.parts(desk.window))


def live(desk: Desk) -> None:
    while not desk.window.turns.done:
        QtWidgets.QApplication.processEvents()


def test_one_piece_a_turn_and_the_newest_theme_wins(desk: Desk) -> None:
    parts = theme.parts(desk.window)
    assert wearing(desk, theme.DARK) == len(parts) > 9
    desk.window.set_theme("light")
    assert wearing(desk, theme.DARK) == len(parts), "the palette alone"
    QtWidgets.QApplication.processEvents()
    desk.window.set_theme("dark")
    desk.window.set_theme("light")
    live(desk)
    assert wearing(desk, theme.LIGHT) == len(theme.parts(desk.window))
    light = desk.window.grab().toImage()
    desk.window.set_theme("dark")
    desk.window.turns.finish()
    assert wearing(desk, theme.DARK) == len(theme.parts(desk.window))
    dark = desk.window.grab().toImage()
    row, column = dark.height() // 3, dark.width() - 20
    assert light.pixelColor(column, row).lightness() > 200 > 60 > dark.pixelColor(column, row).lightness()


def test_what_can_be_seen_comes_first(desk: Desk) -> None:
    seen = [not part.visibleRegion().isEmpty() for part in theme.parts(desk.window)]
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {True, False}


def test_icons_of_open_dialogs_take_the_colours(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    desk.window.actions_.made["export"].trigger()
    desk.window.actions_.made["camera"].trigger()
    (export,), (camera,) = desk.window.findChildren(ExportDialog), desk.window.findChildren(CameraDialog)
    for name in ("light", "dark"):
        desk.window.set_theme(name)
        desk.window.turns.finish()
        for button, picture in ((export.browse, "open"), (camera.again, "reset")):
            assert button.icon().cacheKey() == icon(picture).cacheKey(), name
    for dialog in (export, camera):
        dialog.close()


def test_dialogs_that_come_later_wear_the_theme_and_those_that_go_do_no_harm(desk: Desk) -> None:
    desk.window.show_help()
    (sheet,) = desk.window.findChildren(HelpSheet)
    assert wears(sheet, theme.DARK)
    desk.window.set_theme("light")
    sheet.close()
    sheet.deleteLater()
    QtWidgets.QApplication.sendPostedEvents(sheet, QtCore.QEvent.Type.DeferredDelete)
    live(desk)
    desk.window.show_help()
    (sheet,) = desk.window.findChildren(HelpSheet)
    assert wears(sheet, theme.LIGHT)
    sheet.close()
    desk.window.set_theme("dark")
    live(desk)


def test_a_dock_that_stands_alone_wears_it_too(desk: Desk) -> None:
    dock = desk.window.docks["levels"]
    dock.setFloating(True)
    desk.window.set_theme("light")
    live(desk)
    assert wears(dock, theme.LIGHT)
    assert dock.palette().color(QtGui.QPalette.ColorRole.Window).name() == theme.LIGHT.window
    desk.window.set_theme("dark")
    live(desk)


def test_what_is_begun_anew_takes_the_place_of_what_waits(app: QtWidgets.QApplication) -> None:
    done: list[int] = []
    turns = Turns(app)
    turns.begin([lambda: done.append(1), lambda: done.append(2)])
    turns.begin([lambda: done.append(3), lambda: done.append(4)])
    assert done == []
    while not turns.done:
        app.processEvents()
    assert done == [3, 4]
    turns.begin([lambda: done.append(5)])
    turns.finish()
    assert done[2:] == [5]
    turns.deleteLater()
