"""The graph of stages: what it shows, what is picked in it, menus, files."""

from __future__ import annotations

from typing import Any

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import commands, reports
from app.desk.services.foresight import Hint
from app.gui import theme
from app.gui.pipeline.broken import BROKEN
from app.gui.pipeline.looks import bad_box
from app.gui.pipeline.parameter_editor import ParameterEditor
from pipelines.definition import library, load
from pipelines.graph import SOURCE, Ref
from pipelines.streaming.common.meter import MeterReading, Rate
from pipelines.writing import dumps
from tests.app.gui.conftest import Desk
from tests.app.gui.graph_by_hand import KEYS, LEFT, click, entry, middle, panel, place


def test_every_stage_and_wire_is_drawn(desk: Desk) -> None:
    for name in library():
        desk.bench.files.choose(name)
        graph = panel(desk).graph
        assert set(graph.boxes) == {SOURCE, *(m.id for m in desk.bench.pipeline.members)}
        assert set(graph.wires) == {(m.id, port) for m in desk.bench.pipeline.members for port in m.inputs}
        assert panel(desk).choice.currentText() == name


def test_a_shipped_pipeline_is_chosen(desk: Desk) -> None:
    combo = panel(desk).choice
    combo.setFocus()
    combo.setCurrentIndex(combo.findText("objects"))
    combo.activated.emit(combo.currentIndex())
    assert desk.bench.pipeline == load("objects")


def test_a_click_picks_a_stage_and_shows_its_parameters(desk: Desk, app: QtWidgets.QApplication) -> None:
    made = panel(desk)
    click(made.graph, "bright")
    assert made.node == "bright"
    assert made.graph.boxes["bright"].look.selected
    app.processEvents()
    editor = desk.window.panels["parameters"]
    assert isinstance(editor, ParameterEditor)
    section = editor.sections["bright"]
    top = section.mapTo(editor._scroll.viewport(), QtCore.QPoint(0, 0)).y()
    assert -section.height() < top < editor._scroll.viewport().height()


def test_the_arrows_walk_and_do_not_step_the_video(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    click(made.graph, "gray")
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Down)
    assert made.node == "sound"
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Down)
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Up)
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Left)
    assert made.node == "sound"
    assert not any(isinstance(order, commands.Step) for order in desk.link.orders)


def test_a_right_click_asks_for_the_menu_of_what_is_there(desk: Desk) -> None:
    graph = panel(desk).graph
    asked: list[tuple[str, object]] = []
    graph.asked_menu.disconnect()
    graph.asked_menu.connect(lambda name, wire, at: asked.append((name, wire)))
    for at in (middle(graph, "band"), graph.wires["spots", "weights"].middle):
        here = place(graph, at)
        reason = QtGui.QContextMenuEvent.Reason.Mouse
        event = QtGui.QContextMenuEvent(reason, here, graph.viewport().mapToGlobal(here))
        QtWidgets.QApplication.sendEvent(graph.viewport(), event)
    assert asked[0] == ("band", None)
    assert getattr(asked[1][1], "key", None) == ("spots", "weights")


def test_a_stage_is_kept_as_a_result_by_its_menu(desk: Desk) -> None:
    made = panel(desk)
    entry(made.menu("band", None), "Keep as a result").trigger()
    assert desk.bench.pipeline.taps == (Ref("band"),)
    assert made.graph.boxes["band"].look.tapped
    keep = entry(made.menu("band", None), "Keep as a result")
    assert keep.isChecked()
    keep.trigger()
    assert desk.bench.pipeline.taps == ()


def test_the_picture_of_a_stage_is_shown(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    pos = place(made.graph, middle(made.graph, "band"))
    QtTest.QTest.mouseDClick(made.graph.viewport(), LEFT, pos=pos)
    assert desk.link.orders[-1] == commands.Show("band")
    QtTest.QTest.qWait(60)
    assert made.graph.boxes["band"].look.shown
    click(made.graph, "scale")
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Return)
    assert desk.link.orders[-1] == commands.Show("scale")
    entry(made.menu("gray", None), "Show this picture").trigger()
    assert desk.link.orders[-1] == commands.Show("gray")
    made.graph.opened.emit(SOURCE)
    assert desk.link.orders[-1] == commands.Show("")
    made.graph.opened.emit("follow")
    assert "no picture" in desk.bench.messages[-1].sentence


def spent(*seconds: float) -> list[reports.Measured]:
    """Readings of 1000 frames, in which the groups took so long."""
    begun, done = (MeterReading(rates={"engine": Rate(500, 500, frames)}) for frames in (0, 1000))
    groups = ("gray+sound+scale+band+bright", "spots")
    taken = dict(zip(groups, seconds, strict=True))
    return [reports.Measured(begun, dict.fromkeys(groups, 0.0)), reports.Measured(done, taken)]


def test_groups_have_hulls_with_predicted_and_measured_time(desk: Desk) -> None:
    desk.open()  # groups: gray+smooth, of which only gray is there
    made = panel(desk)
    built = reports.Built(dumps(desk.bench.pipeline), "cpu", ("gray+sound+scale+band+bright", "spots"), (), 0)
    desk.link.reports += [built, *spent(0.25, 0.1)]
    desk.bench.tick()
    made.redraw()
    looks = [hull.look for hull in made.graph.hulls]
    assert [look.names for look in looks] == [("gray", "sound", "scale", "band", "bright"), ("spots",)]
    assert [look.words[0] for look in looks] == ["250 µs", "100 µs"]
    assert [look.host for look in looks] == [False, True]
    assert not looks[0].faint
    outline = made.graph.hulls[0].path
    for name in ("gray", "scale", "band", "bright"):
        assert outline.contains(made.graph.boxes[name].sceneBoundingRect().center())
    assert not outline.contains(made.graph.boxes["spots"].sceneBoundingRect().center())
    made.add("median3")
    assert all(look.look.faint and look.look.words[0] == "compiling" for look in made.graph.hulls)


def test_only_what_is_new_is_drawn_anew(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    groups = ("gray+sound+scale+band+bright", "spots")
    desk.link.reports += [reports.Built(dumps(desk.bench.pipeline), "cpu", groups, (), 0), *spent(0.25, 0.2)]
    desk.bench.tick()
    made.redraw()
    boxes, hulls = [*made.graph.boxes.values()], [*made.graph.hulls]
    desk.link.reports += spent(0.5, 0.1)
    desk.bench.tick()
    made.redraw()
    made.redraw()
    assert [*made.graph.boxes.values()] == boxes
    assert made.graph.hulls == hulls
    assert [hull.look.words[0] for hull in hulls] == ["500 µs", "100 µs"]
    assert "measured 100 µs" in hulls[1].toolTip()
    made.select("band")
    assert made.graph.boxes["band"] not in boxes
    assert made.graph.boxes["band"].look.selected
    made.add("median3")
    assert [hull.look.faint for hull in made.graph.hulls] == [True, True]


def test_a_pipeline_that_does_not_fit_is_marked_where_it_does_not(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    click(made.graph, "gray")
    made.add("components")  # of which the next stage makes nothing
    assert made.graph.boxes["sound"].look.bad
    assert not made.graph.boxes["components"].look.bad
    assert made.trouble.text() == desk.bench.trouble
    assert not made.trouble.isHidden()
    strip = desk.window.strips[BROKEN]
    assert "Picture and tracks are still those of the pipeline before the edit" in strip.label.text()
    assert "Change sound" in strip.label.text()
    strip.buttons["Undo the edit"].click()
    assert BROKEN not in desk.window.strips
    assert made.trouble.isHidden()
    assert not any(item.look.bad for item in made.graph.boxes.values())
    assert bad_box("tracker 'follow': it takes 'x'", desk.bench.pipeline) == "follow"
    assert bad_box("there is no memory", desk.bench.pipeline) == ""


def test_open_and_save_buttons(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    made = panel(desk)
    made.add("median3")
    made.buttons["save"].click()
    assert "median3" in path.read_text()
    desk.bench.files.choose("objects")
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *a, **k: (str(path), ""))
    made.buttons["open"].click()
    assert "median3" in made.graph.boxes


def test_zoom_by_the_wheel_and_both_themes_paint(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.open()
    made = panel(desk)
    before = made.graph.transform().m11()
    at = QtCore.QPointF(made.graph.viewport().rect().center())
    event = QtGui.QWheelEvent(at, at, QtCore.QPoint(), QtCore.QPoint(0, 120), QtCore.Qt.MouseButton.NoButton,
                              QtCore.Qt.KeyboardModifier.ControlModifier, QtCore.Qt.ScrollPhase.NoScrollPhase,
                              False)  # fmt: skip
    made.graph.wheelEvent(event)
    assert made.graph.transform().m11() > before
    pictures = []
    for colours in (theme.LIGHT, theme.DARK):
        monkeypatch.setattr(theme, "_current", colours)
        made.themed()
        pictures.append(made.grab().toImage().pixelColor(3, made.height() // 2).lightness())
    assert pictures[0] > 200 > 100 > pictures[1]


def test_what_cannot_be_as_precise_as_is_asked_stands_under_the_graph_with_its_cure(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    panel, foresight = desk.window.pipeline, desk.window.foresight
    foresight._show((Hint("3 of 3 points <cannot> be measured, take track.window = 31", "track", "window", 31.0),))
    assert not panel.hint.isHidden()
    assert "&lt;cannot&gt;" in panel.hint.text()
    assert "<cannot>" in panel.hint.toolTip()
    desk.link.orders.clear()
    panel.hint.linkActivated.emit("0")
    assert desk.link.orders == [commands.SetParam("track", "window", 31)]
    foresight._show(())
    assert panel.hint.isHidden()


def test_a_graph_grows_where_all_of_it_has_room_and_says_where_a_stage_went(desk: Desk) -> None:
    made = panel(desk)
    graph = made.graph
    scene = graph.sceneRect()
    graph.resize(int(2.5 * scene.width()), int(1.1 * scene.height()))
    letters = graph.transform().m11()
    graph.resize(int(2.5 * scene.width()), int(2.5 * scene.height()))
    grown = graph.transform().m11()
    assert letters < grown <= 1.6 * letters
    assert graph.horizontalScrollBar().maximum() == graph.verticalScrollBar().maximum() == 0
    before = desk.bench.pipeline.nodes[0].id
    made.node = before
    made.add("gaussian")
    new = next(node for node in desk.bench.pipeline.nodes if next(iter(node.inputs.values())).node == before)
    assert f"{new.id} was added behind {before}" in desk.bench.messages[-1].sentence
