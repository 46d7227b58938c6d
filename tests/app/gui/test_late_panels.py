"""Panels behind others are made when they are first seen or asked for, and know what was before."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.gui import theme
from app.gui.analysis.panel import AnalysisPanel
from app.gui.main_window import MainWindow
from app.gui.messages_panel import MessagesPanel
from app.gui.settings import Settings
from app.gui.video.levels import LevelsPanel
from tests.app.gui.conftest import Desk

LATE = ("levels", "labels", "analysis", "plan", "throughput", "batch", "messages")


class Watched(QtCore.QObject):  # type: ignore[misc]
    """Which widgets had an event of a kind."""

    def __init__(self, kind: QtCore.QEvent.Type) -> None:
        super().__init__()
        self.kind = kind
        self.had: list[QtWidgets.QWidget] = []

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        if event.type() == self.kind and isinstance(watched, QtWidgets.QWidget):
            self.had.append(watched)
        return False


def settle() -> None:
    for _ in range(5):
        QtWidgets.QApplication.processEvents()


def test_panels_behind_others_are_made_when_they_come_to_the_front(desk: Desk) -> None:
    window = desk.window
    settle()
    assert set(window.panels) == set(window.docks) == {*window.panels.made, *LATE}
    assert len(window.panels) == len(window.docks)
    assert not {*LATE} & {*window.panels.made}
    before = window.docks["levels"].widget()
    window.docks["levels"].raise_()  # as a click on its tab does
    settle()
    panel = window.panels.made["levels"]
    assert isinstance(panel, LevelsPanel)
    assert before is not panel
    assert window.docks["levels"].widget() is panel is window.panels["levels"]
    assert panel.isVisible()
    assert panel.width() == window.docks["levels"].width()
    assert {*LATE} & {*window.panels.made} == {"levels"}


def test_a_window_that_comes_back_with_a_late_panel_in_front_makes_it(desk: Desk) -> None:
    desk.window.show_panel("throughput")
    settle()
    desk.window.close()
    again = MainWindow(desk.bench, desk.window.settings)
    again._timer.stop()
    again.show()
    settle()
    assert {*LATE} & {*again.panels.made} == {"throughput"}
    assert again.docks["throughput"].widget() is again.panels["throughput"]
    again.close()
    again.deleteLater()


@pytest.mark.parametrize("first", LATE)
def test_no_panel_opens_a_window_or_moves_the_video(app: QtWidgets.QApplication, desk: Desk, first: str) -> None:
    """A widget that is shown before it lies in its panel is a window of its own for a moment, and takes the keys."""
    settle()
    before = desk.window.video.graphics.geometry(), desk.window.docks["traces"].geometry()
    watched = Watched(QtCore.QEvent.Type.Show)
    app.installEventFilter(watched)
    desk.window.show_panel(first)
    settle()
    app.removeEventFilter(watched)
    assert [type(widget).__name__ for widget in watched.had if widget.isWindow()] == []
    assert app.activeWindow() is desk.window
    desk.window.show_panel("traces")
    settle()
    assert (desk.window.video.graphics.geometry(), desk.window.docks["traces"].geometry()) == before


def test_a_late_panel_knows_what_was_before(desk: Desk) -> None:
    desk.open()
    desk.frame(3)
    desk.bench.speak(Level.WARNING, "said before there was a list")
    desk.window.video.set_table("clipping")
    desk.window.set_theme("light")
    desk.window.turns.finish()
    messages, levels, analysis = (desk.window.panels[name] for name in ("messages", "levels", "analysis"))
    assert isinstance(messages, MessagesPanel)
    assert isinstance(levels, LevelsPanel)
    assert isinstance(analysis, AnalysisPanel)
    assert messages.list.topLevelItem(messages.list.topLevelItemCount() - 1).text(1) == "said before there was a list"
    assert desk.window.video.table == levels.colours.currentText() == "clipping"
    assert levels.plot.backgroundBrush().color().name() == theme.LIGHT.plot
    assert analysis.bar.compute.isEnabled()
    assert desk.window.labels.training.out.text().endswith("vortex_600fps-network.onnx")
    theme.apply(QtWidgets.QApplication.instance(), theme.DARK)
    desk.window.themed()
    assert levels.plot.backgroundBrush().color().name() == theme.DARK.plot


def test_a_click_on_a_late_panel_leaves_the_keys_to_the_video(desk: Desk) -> None:
    policy = QtCore.Qt.FocusPolicy
    for name in ("levels", "analysis", "throughput", "batch"):
        panel = desk.window.panels[name]
        for button in panel.findChildren((QtWidgets.QAbstractButton, QtWidgets.QComboBox, QtWidgets.QAbstractSlider)):
            assert button.focusPolicy() in (policy.NoFocus, policy.TabFocus), name
    assert desk.window.panels["levels"].findChildren(QtWidgets.QComboBox)


def test_the_theme_is_worked_out_once_for_each_widget(
    app: QtWidgets.QApplication, desk: Desk, tmp_path: Path
) -> None:  # fmt: skip
    """It takes a third of the time of a window to work it out: each style sheet that comes after a widget does so."""
    watched = Watched(QtCore.QEvent.Type.StyleChange)
    app.installEventFilter(watched)
    window = MainWindow(desk.bench, Settings(tmp_path / "settings.ini"))
    window._timer.stop()
    window.show()
    settle()
    app.removeEventFilter(watched)
    times = Counter(id(widget) for widget in watched.had)
    rows = [row for section in window.panels["parameters"].sections.values() for row in section.rows.values()]
    assert len(rows) > 20
    for widget in (*(row.control for row in rows), window.panels["traces"].bar.save, window.bar, window.record_bar):
        assert times[id(widget)] <= 2, widget
        assert widget.isVisible() or widget.parentWidget() is not None
    window.close()
    window.deleteLater()
