"""What all tools of the video have in common: keys, hints, the panel; the note beside a track."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.gui import theme
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import RIGHT, click, drag, shown, take
from tests.app.gui.test_main_window import press

assert shown  # the fixture


def lies_beside(desk: Desk) -> tuple[bool, bool]:
    """Whether the picture lies below the panel, and whether above it."""
    QtTest.QTest.qWait(20)
    video, over = desk.window.video, desk.window.tracking.tools.panel.geometry()
    lies = video.image.mapRectToScene(video.image.boundingRect())
    over.translate(-desk.window.tracking.compare.geometry().topLeft())
    return lies.top() >= over.bottom(), lies.bottom() <= over.top()


def test_every_tool_has_a_key_a_hint_and_is_left_by_escape(shown: Desk) -> None:
    tools = shown.window.tracking.tools
    video = shown.window.video
    view = video.box.viewRect()
    for name, tool in tools.tools.items():
        if name == "pick":
            continue
        take(shown, tool.key)
        assert tools.tool is tool
        assert shown.window.actions_.made[f"tool_{name}"].isChecked()
        assert tools.panel.isVisible()
        assert tools.panel.hint.text()
        assert not shown.window.video.picking
        beside = video.box.viewRect()
        shown.window.grab()  # draws it
        assert True in lies_beside(shown), name
        tools.dragging(True)
        QtTest.QTest.qWait(5)
        tools.dragging(False)
        tools.panel.say("words " * 60, True)
        QtTest.QTest.qWait(5)
        assert video.box.viewRect() == beside, f"{name}: the picture stands still, whatever the panel does"
        assert tools.panel.geometry().top() >= shown.window.tracking.compare.geometry().top()
        take(shown, "Esc")
        assert tools.tool.name == "pick"
        assert not tools.panel.isVisible()
        assert shown.window.video.picking
        assert video.box.viewRect() == view, name
    take(shown, "B")
    press(shown, "V")
    assert tools.tool.name == "pick"


def test_without_a_clip_a_tool_says_why_it_is_of_no_use(desk: Desk) -> None:
    take(desk, "B")
    assert desk.window.tracking.tools.tool.name == "pick"
    assert not desk.window.actions_.made["tool_points"].isChecked()
    assert "open a clip" in desk.bench.messages[-1].sentence


def test_the_note_beside_a_track_says_what_is_known_of_it(shown: Desk) -> None:
    tip = shown.window.tracking.tip
    row = shown.bench.store.at(2)[1]
    shown.window.video.box.hovered.emit(float(row["x"]), float(row["y"]))
    assert tip.isVisible()
    for words in ("1", f"x {row['x']:.5g}", "seen", "score 0.90"):
        assert words in tip.text()
    shown.window.video.box.hovered.emit(300.0, 250.0)
    assert not tip.isVisible()


def test_tools_take_the_colours_of_the_theme(shown: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    take(shown, "B")
    monkeypatch.setattr(theme, "_current", theme.LIGHT)
    shown.window.tracking.themed()
    assert theme.LIGHT.panel in shown.window.tracking.tools.panel.styleSheet()


def test_the_panel_of_a_tool_folds_while_something_is_dragged(shown: Desk) -> None:
    tools = shown.window.tracking.tools
    panel = tools.panel
    take(shown, "K")
    QtWidgets.QApplication.processEvents()
    high = panel.sizeHint().height()
    assert tools.tool.form is not None
    assert tools.tool.form.isVisible()
    tools.dragging(True)
    assert panel.folded
    assert not tools.tool.form.isVisible()
    assert panel.done.isVisible()
    assert panel.hint.toolTip() == panel.hint.text() != ""
    QtWidgets.QApplication.processEvents()
    assert panel.sizeHint().height() < high - 15
    tools.dragging(False)
    assert tools.tool.form.isVisible()
    seen = []
    refresh = tools.refresh
    tools.refresh = lambda: (seen.append(panel.folded), refresh())  # type: ignore
    drag(shown, (100.0, 200.0), (150.0, 210.0), (200.0, 200.0))
    assert True in seen, "folded while the line was pulled"
    assert not panel.folded, "what comes next stands in it"
    assert tools.tool.form.isVisible()
    tools.take("polygon")
    assert not panel.folded


def test_a_right_click_on_a_marker_offers_what_can_be_done_with_its_track(shown: Desk) -> None:
    asked: list[QtCore.QPoint] = []
    shown.window.video.asked.connect(asked.append)
    click(shown, 200.0, 200.0, RIGHT)
    assert asked == []
    click(shown, 102.0, 70.0, RIGHT)
    assert list(shown.bench.selected) == [2]
    assert len(asked) == 1
    menus = [menu for menu in shown.window.tracking.table.findChildren(QtWidgets.QMenu) if menu.isVisible()]
    assert [action.text() for menu in menus for action in menu.actions()].count("Swap from frame 2 on") == 1
    for menu in menus:
        menu.hide()
    shown.bench.tracks.select([0, 2])
    click(shown, 102.0, 70.0, RIGHT)
    assert list(shown.bench.selected) == [0, 2], "those that are selected stay"


def test_the_panel_of_a_tool_moves_off_what_the_tool_is_about(shown: Desk) -> None:
    window, tools = shown.window, shown.window.tracking.tools
    panel, height = tools.panel, window.video.graphics.height()
    shown.bench.tracks.select([])
    window.video.zoom(2.0)  # it lies over the picture
    seen = window.video.box.viewRect()
    take(shown, "J")
    assert not panel.low
    at = window.video.box.mapSceneToView(QtCore.QPointF(200, 20))
    tools.tool.points = [(at.x(), at.y())]
    tools.refresh()
    QtTest.QTest.qWait(20)
    assert panel.low
    assert panel.geometry().bottom() > height - 20
    low = window.video.box.mapSceneToView(QtCore.QPointF(200, height - 20))
    tools.tool.points = [(at.x(), at.y()), (low.x(), low.y())]
    tools.refresh()
    assert panel.low, "it would hide something in either place"
    QtTest.QTest.mouseClick(panel.other, QtCore.Qt.MouseButton.LeftButton)
    assert not panel.low
    assert "lower edge" in panel.other.toolTip()
    assert window.video.box.viewRect() == seen, "what is zoomed into stays where it is"


def test_a_picture_that_is_seen_whole_lies_beside_the_panel_wherever_somebody_moves_it(shown: Desk) -> None:
    video, tools = shown.window.video, shown.window.tracking.tools
    panel = tools.panel
    shown.bench.tracks.select([])
    before = video.box.viewRect()
    take(shown, "J")
    assert lies_beside(shown) == (True, False)
    seen = video.box.viewRect()
    panel.lie(True)  # as where it would hide what the tool is about
    QtTest.QTest.qWait(20)
    assert video.box.viewRect() == seen, "nobody moved it by hand"
    panel.lie(False)
    QtTest.QTest.mouseClick(panel.other, QtCore.Qt.MouseButton.LeftButton)
    assert lies_beside(shown) == (False, True)
    video.zoom(3.0)
    video.fit()
    assert lies_beside(shown) == (False, True)
    size = shown.window.size()
    shown.window.resize(size.width() + 80, size.height() + 60)
    assert lies_beside(shown) == (False, True)
    shown.window.resize(size)
    assert lies_beside(shown) == (False, True)
    take(shown, "Esc")
    assert video.box.viewRect() == before


def test_the_button_that_plots_says_what_it_plots(shown: Desk) -> None:
    take(shown, "J")
    panel = shown.window.tracking.tools.panel
    assert panel.done.text() == "Over time"
    assert "distance of two tracks" in panel.done.toolTip()
    assert "Return" in panel.done.toolTip()
