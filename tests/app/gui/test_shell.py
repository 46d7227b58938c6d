"""What surrounds the panels: closing while recording, full screen, typing, messages."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.gui.main_window import MainWindow
from app.gui.messages_panel import MessagesPanel
from app.gui.modes import dock_sizes, first_size
from app.gui.settings import Settings
from app.project import SeveralCameras
from tests.app.desk.readings import account
from tests.app.gui.conftest import Desk, Listening


def recording(desk: Desk, tmp_path: Path) -> str:
    desk.open(live=True)
    path = str(tmp_path / "run7.mcap")
    desk.bench.recorder.record(path)
    desk.link.orders.clear()
    return path


def test_closing_while_recording_asks_in_a_strip(desk: Desk, tmp_path: Path, app: QtWidgets.QApplication) -> None:
    path = recording(desk, tmp_path)
    desk.window.close()
    assert desk.window.isVisible()
    assert not desk.link.closed
    assert app.activeModalWidget() is None
    strip = desk.window.strips["leaving"]
    assert "run7.mcap" in strip.label.text()
    strip.buttons["Go on recording"].click()
    assert "leaving" not in desk.window.strips
    assert desk.link.orders == []
    desk.window.close()
    desk.window.strips["leaving"].buttons["Stop and close"].click()
    assert desk.link.orders == [commands.StopRecording()]
    assert desk.window.isVisible()
    desk.link.reports.append(reports.Recorded(path, account(100)))
    desk.bench.tick()
    assert desk.link.closed
    assert not desk.window.isVisible()


def test_a_recording_that_is_stopped_to_close_takes_nothing_else_with_it(desk: Desk, tmp_path: Path) -> None:
    path = recording(desk, tmp_path)
    desk.window.camera_setup.keep(SeveralCameras(rig="made here"))
    desk.window.close()
    desk.window.strips["leaving"].buttons["Stop and close"].click()
    desk.link.reports.append(reports.Recorded(path, account(100)))
    desk.bench.tick()
    assert desk.window.isVisible()
    desk.window.strips["cameras unsaved"].buttons["Do not save"].click()
    assert desk.link.closed
    assert not desk.window.isVisible()


def test_the_system_may_end_the_window_that_was_to_close_and_would_ask(desk: Desk, tmp_path: Path) -> None:
    """A session that is being closed, and a calibration that is in no file: nobody is there to answer a signal."""
    recording(desk, tmp_path)
    desk.window.camera_setup.keep(SeveralCameras(rig="made here"))
    desk.window.close()
    desk.window.strips["leaving"].buttons["Stop and close"].click()
    leaving = desk.window.leaving
    leaving.take_signals()
    try:
        hear = signal.getsignal(signal.SIGTERM)
        assert callable(hear)
        hear(signal.SIGTERM, None)
    finally:
        leaving.give_signals_back()
    assert not desk.window.isVisible()
    assert desk.link.closed


def test_the_system_may_end_the_window_while_it_records(desk: Desk, tmp_path: Path) -> None:
    path = recording(desk, tmp_path)
    desk.window.leaving.stop_and_close()
    assert desk.link.orders == [commands.StopRecording()]
    assert not desk.link.closed
    desk.link.reports.append(reports.Recorded(path, account(100)))
    desk.bench.tick()
    assert desk.link.closed


def test_the_video_stands_alone_and_the_panels_come_back(desk: Desk, app: QtWidgets.QApplication) -> None:
    window = desk.window
    before = {name for name, dock in window.docks.items() if dock.isVisible()}
    window.actions_.made["alone"].trigger()
    assert not any(dock.isVisible() for dock in window.docks.values())
    assert not window.menuBar().isVisible()
    assert not window.bar.isVisible()
    assert window.video.isVisible()
    assert window.transport.isVisible()
    window.actions_.made["alone"].trigger()
    app.processEvents()
    assert {name for name, dock in window.docks.items() if dock.isVisible()} == before
    assert window.menuBar().isVisible()
    window.actions_.made["full"].trigger()
    assert window.isFullScreen()
    window.actions_.made["full"].trigger()
    assert not window.isFullScreen()


def test_the_window_fits_its_screen(desk: Desk) -> None:
    assert first_size(QtCore.QSize(1229, 768)) == QtCore.QSize(1229, 768)
    assert first_size(QtCore.QSize(1280, 800)) == QtCore.QSize(1280, 800)
    large = first_size(QtCore.QSize(2560, 1440))
    assert 1280 < large.width() < 2560
    assert 800 < large.height() < 1440
    least = desk.window.minimumSizeHint()
    assert least.width() <= 1200
    assert least.height() <= 740


def test_a_large_window_has_larger_docks(desk: Desk, app: QtWidgets.QApplication) -> None:
    assert dock_sizes(QtCore.QSize(1280, 800)) == (250, 372, 240)
    left, right, below = dock_sizes(QtCore.QSize(2560, 1440))
    assert left > 250
    assert right > 372
    assert below > 400
    window = desk.window
    window.resize(2200, 1400)
    app.processEvents()
    before = window.docks["traces"].height()
    window.default_layout()
    app.processEvents()
    assert window.docks["traces"].height() > before + 100


def test_space_plays_wherever_the_focus_is(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    app.processEvents()
    seen = set()
    for widget in desk.window.findChildren(QtWidgets.QWidget):
        kind = type(widget).__name__
        takes = isinstance(widget, QtWidgets.QAbstractSpinBox | QtWidgets.QComboBox | QtWidgets.QAbstractSlider)
        if not takes or not widget.isVisible() or not widget.isEnabled() or kind in seen:
            continue
        if widget.focusPolicy() == QtCore.Qt.FocusPolicy.NoFocus:
            continue
        if isinstance(widget, QtWidgets.QComboBox) and widget.isEditable():
            continue
        seen.add(kind)
        widget.setFocus()
        app.processEvents()
        desk.link.orders.clear()
        QtTest.QTest.keyClick(QtWidgets.QApplication.focusWidget(), QtCore.Qt.Key.Key_Space)
        assert commands.Play() in desk.link.orders, kind
    assert len(seen) >= 3


def test_digits_go_to_the_field_and_enter_gives_the_keys_back(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    field = next(w for w in desk.window.findChildren(QtWidgets.QAbstractSpinBox) if w.isVisible() and w.isEnabled())
    field.setFocus()
    field.selectAll()
    app.processEvents()
    QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_1)
    assert "1" in field.text()
    QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_Return)
    app.processEvents()
    assert QtWidgets.QApplication.focusWidget() is desk.window.video.graphics


def test_letters_go_into_fields_for_words(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    field = next(w for w in desk.window.findChildren(QtWidgets.QLineEdit)
                 if w.isVisible() and not isinstance(w.parent(), QtWidgets.QAbstractSpinBox | QtWidgets.QComboBox))
    field.setFocus()
    app.processEvents()
    desk.link.orders.clear()
    QtTest.QTest.keyClicks(field, "a b")
    assert field.text() == "a b"
    assert desk.link.orders == []
    QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_Escape)
    app.processEvents()
    assert QtWidgets.QApplication.focusWidget() is desk.window.video.graphics


def test_the_newest_message_stands_in_the_status_bar_and_leads_to_all(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.bench.speak(Level.NOTE, "a note")
    desk.bench.speak(Level.WARNING, "a warning that is " + 40 * "long ")
    toast, panel = desk.window.status.toast, desk.window.messages
    assert toast.isVisible()
    assert toast.message.startswith("a warning")
    assert toast.width() < desk.window.width()
    QtTest.QTest.mouseClick(toast, QtCore.Qt.MouseButton.LeftButton)
    app.processEvents()
    assert not panel.visibleRegion().isEmpty()
    assert panel.list.currentItem().text(1).startswith("a warning")
    desk.window.guarded(lambda: None)
    assert not toast.isVisible()


def test_messages_are_filtered_by_level(desk: Desk) -> None:
    panel: MessagesPanel = desk.window.messages
    for level in Level:
        desk.bench.speak(level, level.value)
    assert panel.list.topLevelItemCount() == 3
    panel.levels.setCurrentIndex(1)
    assert panel.list.topLevelItemCount() == 2
    panel.levels.setCurrentIndex(2)
    desk.bench.speak(Level.NOTE, "more")
    desk.bench.speak(Level.ERROR, "worse")
    assert [panel.list.topLevelItem(k).text(1) for k in range(2)] == ["error", "worse"]
    panel.levels.setCurrentIndex(0)
    assert panel.list.topLevelItemCount() == 5


def test_messages_beyond_the_most_are_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.desk.bench.state.MOST_MESSAGES", 5)
    for k in range(12):
        desk.bench.speak(Level.NOTE, f"note {k}")
    items = desk.window.messages.list
    assert items.topLevelItem(items.topLevelItemCount() - 1).text(1) == "note 11"


def test_every_button_and_field_says_what_it_is_for(desk: Desk) -> None:
    desk.open()
    kinds = QtWidgets.QToolButton | QtWidgets.QAbstractSpinBox | QtWidgets.QComboBox | QtWidgets.QAbstractSlider
    silent = [
        f"{type(widget.parent()).__name__} > {type(widget).__name__} {widget.objectName()}"
        for widget in desk.window.findChildren(QtWidgets.QWidget)
        if isinstance(widget, kinds) and widget.isVisible() and not _explained(widget)
    ]
    assert not silent


def _explained(widget: QtWidgets.QWidget | None) -> bool:
    """Whether it or something around it has a tip; scroll bars and the corners of docks explain themselves."""
    own = isinstance(widget, QtWidgets.QScrollBar) or (widget is not None and widget.objectName().startswith("qt_"))
    while widget is not None and not own and not isinstance(widget, QtWidgets.QMainWindow | QtWidgets.QDockWidget):
        if widget.toolTip() or (isinstance(widget, QtWidgets.QToolButton) and widget.text()):
            return True
        widget = widget.parentWidget()
    return own


def test_a_window_can_be_made_before_anything_is_known(app: QtWidgets.QApplication, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "s.ini")
    settings.set_text("rates", "{nonsense")
    settings.set_bytes("layout", QtCore.QByteArray(b"nonsense"))
    window = MainWindow(Workbench(Listening()), settings)
    window._timer.stop()
    window.show()
    assert settings.readings == {}
    assert window.docks["parameters"].isVisible()
    window.close()
    window.deleteLater()


def test_a_report_counts_what_was_said_again_and_is_bounded(desk: Desk) -> None:
    panel: MessagesPanel = desk.window.messages
    desk.bench.speak(Level.NOTE, "an old note")
    for _ in range(300):
        desk.bench.speak(Level.ERROR, "a mistake in fusetrack: FileNotFoundError", "Traceback\n" + "x" * 3000)
    desk.bench.speak(Level.ERROR, "the engine ended unexpectedly", "y" * 100_000 + "\nValueError: the last words")
    desk.bench.speak(Level.WARNING, "it is closed")
    report = panel.report()
    lines = report.splitlines()
    assert "it is closed" in lines[0], "the newest first"
    assert "the engine ended" in lines[1]
    assert "ValueError: the last words" in report
    assert report.count("a mistake in fusetrack") == 1
    assert "(300 times since " in report
    assert report.index("an old note") > report.index("a mistake in fusetrack")
    assert len(report) < 30_000
    for k in range(900):
        desk.bench.speak(Level.ERROR, f"number {k}", "z" * 3000)
    report = panel.report()
    assert len(report) < 80_000
    assert " older" in report
    assert "number 899" in report.splitlines()[0]
    assert '"python"' in report


def test_details_of_a_crash_are_shown(desk: Desk) -> None:
    panel: MessagesPanel = desk.window.messages
    desk.bench.speak(Level.ERROR, "the engine ended unexpectedly", "one\nValueError: the last words")
    desk.bench.speak(Level.ERROR, "not opened")
    desk.bench.speak(Level.WARNING, "it is closed")
    assert panel.details.isHidden()
    desk.window.show_cause()
    assert "ValueError: the last words" in panel.details.toPlainText()
    assert "ValueError: the last words" in panel.report()
    assert not panel.details.isHidden()
    assert panel.details.lineWrapMode() == QtWidgets.QPlainTextEdit.LineWrapMode.WidgetWidth
    panel.show_newest()
    assert panel.details.isHidden(), "that one has none"


def test_a_word_that_is_typed_into_a_field_for_numbers_does_nothing(desk: Desk, app: QtWidgets.QApplication) -> None:
    desk.open()
    field = next(w for w in desk.window.findChildren(QtWidgets.QAbstractSpinBox) if w.isVisible() and w.isEnabled())
    field.setFocus()
    app.processEvents()
    before = field.text()
    called: list[str] = []
    for name, made in desk.window.actions_.made.items():
        made.triggered.connect(lambda *_, name=name: called.append(name))
    desk.link.orders.clear()
    for key in range(QtCore.Qt.Key.Key_A, QtCore.Qt.Key.Key_Z + 1):
        QtTest.QTest.keyClick(field, chr(key).lower())
        QtTest.QTest.keyClick(field, chr(key), QtCore.Qt.KeyboardModifier.ShiftModifier)
    assert not called
    assert not desk.link.orders
    assert field.text().strip("eE") == before
    QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_Return)
    app.processEvents()
    QtTest.QTest.keyClick(QtWidgets.QApplication.focusWidget(), "l")
    assert called, "out of the field letters are commands"
