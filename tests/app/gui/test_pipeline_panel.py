"""The graph of stages by mouse and keys: every edit through the real widgets."""

from __future__ import annotations

from typing import Any

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import messages as say
from app.desk.pipeline import editing
from app.desk.pipeline.foresight import Hint
from app.gui import theme
from app.gui.pipeline.graph_view import STAGE_MIME, GraphView
from app.gui.pipeline.looks import bad_box
from app.gui.pipeline.panel import PipelinePanel
from app.gui.pipeline.parameter_editor import ParameterEditor
from pipelines.definition import library, load
from pipelines.graph import SOURCE, Ref
from pipelines.streaming.meter import MeterReading, Rate
from pipelines.writing import dumps
from tests.app.gui.conftest import Desk

LEFT = QtCore.Qt.MouseButton.LeftButton
KEYS = QtCore.Qt.Key


def panel(desk: Desk) -> PipelinePanel:
    made = desk.window.panels["pipeline"]
    assert isinstance(made, PipelinePanel)
    return made


def wiring(desk: Desk, name: str) -> dict[str, str]:
    return {port: str(ref) for port, ref in editing.member(desk.bench.pipeline, name).inputs.items()}


def place(graph: GraphView, at: QtCore.QPointF) -> QtCore.QPoint:
    graph.ensureVisible(QtCore.QRectF(at.x() - 5, at.y() - 5, 10, 10))
    return graph.mapFromScene(at)


def middle(graph: GraphView, name: str) -> QtCore.QPointF:
    box = graph.boxes[name].box
    return QtCore.QPointF(box.x + box.width / 2 - 40, box.y + box.height / 2)


def port(graph: GraphView, box: str, name: str, gives: bool) -> QtCore.QPointF:
    return next(p.at for p in graph.ports() if (p.box, p.name, p.gives) == (box, name, gives))


def drag(graph: GraphView, start: QtCore.QPointF, end: QtCore.QPointF) -> None:
    view = graph.viewport()
    QtTest.QTest.mousePress(view, LEFT, pos=graph.mapFromScene(start))
    for share in (0.3, 0.6, 1.0):
        at = graph.mapFromScene(start + (end - start) * share)
        event = QtGui.QMouseEvent(QtCore.QEvent.Type.MouseMove, QtCore.QPointF(at), LEFT, LEFT,
                                  QtCore.Qt.KeyboardModifier.NoModifier)  # fmt: skip
        QtWidgets.QApplication.sendEvent(view, event)
    QtTest.QTest.mouseRelease(view, LEFT, pos=graph.mapFromScene(end))


def click(graph: GraphView, name: str) -> None:
    QtTest.QTest.mouseClick(graph.viewport(), LEFT, pos=place(graph, middle(graph, name)))


def entry(menu: QtWidgets.QMenu, text: str) -> Any:
    return next(action for action in menu.actions() if action.text().startswith(text))


def test_every_stage_and_wire_is_drawn(desk: Desk) -> None:
    for name in library():
        desk.bench.choose_pipeline(name)
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
    assert made.node == "scale"
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Down)
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Up)
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Left)
    assert made.node == "scale"
    assert not any(isinstance(order, say.Step) for order in desk.link.orders)


def test_a_stage_from_the_list_comes_behind_the_one_that_is_picked(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    click(made.graph, "gray")
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Insert)
    assert made.list.isVisible()
    QtTest.QTest.keyClicks(made.list.search, "median")
    QtTest.QTest.keyClick(made.list.search, KEYS.Key_Return)
    assert wiring(desk, "median3") == {"image": "gray"}
    assert wiring(desk, "scale") == {"image": "median3"}
    assert made.node == "median3"
    assert isinstance(desk.link.orders[-1], say.SetPipeline)
    QtTest.QTest.keyClick(made.list.search, KEYS.Key_Escape)
    assert not made.list.isVisible()
    desk.window.actions_.made["undo"].trigger()
    assert desk.bench.pipeline == load("blobs")
    assert "median3" not in made.graph.boxes


def test_the_list_shows_categories_search_and_help_and_takes_a_double_click(desk: Desk) -> None:
    made = panel(desk)
    made.buttons["add"].click()
    names = made.list.names
    assert {"gaussian", "components", "blob"} <= set(names)
    QtTest.QTest.keyClick(made.list.search, KEYS.Key_Down)
    assert made.list.current == names[1]
    assert names[1] in made.list.help.text()
    made.list.search.setText("no such stage")
    assert made.list.names == []
    assert "no such stage" in made.list.help.text()
    made.list.search.setText("sobel")
    made.list.search.setText("blur")
    assert made.list.current == "gaussian"
    QtWidgets.QApplication.processEvents()
    row = made.list.tree.currentItem()
    at = made.list.tree.visualItemRect(row).center()
    QtTest.QTest.mouseClick(made.list.tree.viewport(), LEFT, pos=at)
    QtTest.QTest.mouseDClick(made.list.tree.viewport(), LEFT, pos=at)
    assert [n.id for n in desk.bench.pipeline.nodes].count("gaussian") == 1
    made.buttons["add"].click()
    assert not made.list.isVisible()


def test_a_stage_is_dropped_onto_a_wire_and_onto_a_box(desk: Desk) -> None:
    graph = panel(desk).graph

    def drop(name: str, at: QtCore.QPointF) -> None:
        data = QtCore.QMimeData()
        data.setData(STAGE_MIME, name.encode())
        here, copy = QtCore.QPointF(place(graph, at)), QtCore.Qt.DropAction.CopyAction
        none = QtCore.Qt.KeyboardModifier.NoModifier
        move = QtGui.QDragMoveEvent(here.toPoint(), copy, data, LEFT, none)
        graph.dragMoveEvent(move)
        graph.dropEvent(QtGui.QDropEvent(here, copy, data, LEFT, none))

    drop("gaussian", graph.wires["spots", "weights"].middle)
    assert wiring(desk, "spots") == {"mask": "bright", "weights": "gaussian"}
    assert wiring(desk, "band") == {"image": "scale"}
    drop("median3", middle(graph, "gray"))
    assert wiring(desk, "scale") == {"image": "median3"}
    row = panel(desk).list
    row.open()
    item = next(r for r in row._rows() if r.data(0, QtCore.Qt.ItemDataRole.UserRole) == "harris")
    assert bytes(row.tree.mimeData([item]).data(STAGE_MIME)) == b"harris"


def test_a_tracker_is_added_with_what_suits_it(desk: Desk) -> None:
    panel(desk).add("template")
    assert wiring(desk, "template") == {"image": "gray"}
    desk.bench.choose_pipeline("template")
    before = desk.bench.pipeline
    panel(desk).add("blob")
    assert desk.bench.pipeline == before
    assert "components" in desk.bench.messages[-1].sentence


def test_del_removes_and_picks_the_neighbour(desk: Desk) -> None:
    made = panel(desk)
    click(made.graph, "band")
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Delete)
    assert "band" not in made.graph.boxes
    assert wiring(desk, "bright") == {"image": "scale"}
    assert made.node == "scale"
    click(made.graph, SOURCE)
    before = desk.bench.pipeline
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Delete)
    assert desk.bench.pipeline == before


def test_f2_renames_in_the_box_and_esc_leaves_it(desk: Desk) -> None:
    made = panel(desk)
    click(made.graph, "band")
    QtTest.QTest.keyClick(made.graph, KEYS.Key_F2)
    assert made._name is not None
    QtTest.QTest.keyClicks(made._name, "spots_pass")
    QtTest.QTest.keyClick(made._name, KEYS.Key_Return)
    assert wiring(desk, "bright") == {"image": "spots_pass"}
    assert made.node == "spots_pass"
    QtTest.QTest.keyClick(made.graph, KEYS.Key_F2)
    assert made._name is not None
    QtTest.QTest.keyClicks(made._name, "other")
    QtTest.QTest.keyClick(made._name, KEYS.Key_Escape)
    assert "spots_pass" in made.graph.boxes
    QtTest.QTest.keyClick(made.graph, KEYS.Key_F2)
    assert made._name is not None
    QtTest.QTest.keyClicks(made._name, "a b")
    QtTest.QTest.keyClick(made._name, KEYS.Key_Return)
    assert "letters" in desk.bench.messages[-1].sentence
    assert "spots_pass" in made.graph.boxes


def test_a_wire_is_drawn_from_an_output_to_an_input_and_back(desk: Desk) -> None:
    graph = panel(desk).graph
    drag(graph, port(graph, "gray", "", True), port(graph, "spots", "weights", False))
    assert wiring(desk, "spots")["weights"] == "gray"
    drag(graph, port(graph, "spots", "weights", False), port(graph, "band", "", True))
    assert wiring(desk, "spots")["weights"] == "band"
    before = desk.bench.pipeline
    drag(graph, port(graph, "bright", "", True), port(graph, "gray", "image", False))
    assert desk.bench.pipeline == before  # a circle
    assert "circle" in desk.bench.messages[-1].sentence
    drag(graph, port(graph, "scale", "", True), port(graph, "band", "", True))
    assert desk.bench.pipeline == before  # two outputs
    box = graph.boxes["spots"].box
    drag(graph, port(graph, "spots", "weights", False), QtCore.QPointF(box.x + box.width + 12, box.y + 60))
    assert wiring(desk, "spots") == {"mask": "bright"}


def test_a_box_is_dragged_into_another_wire_or_springs_back(desk: Desk) -> None:
    graph = panel(desk).graph
    drag(graph, middle(graph, "band"), graph.wires["spots", "weights"].middle)
    assert wiring(desk, "bright") == {"image": "scale"}
    assert wiring(desk, "spots") == {"mask": "bright", "weights": "band"}
    before = desk.bench.pipeline
    start = middle(graph, "bright")
    drag(graph, start, start + QtCore.QPointF(-30, 12))
    assert desk.bench.pipeline == before
    item = graph.boxes["bright"]
    assert (item.pos().x(), item.pos().y()) == (item.box.x, item.box.y)


def test_ctrl_and_arrows_reorder(desk: Desk) -> None:
    made = panel(desk)
    desk.bench.edit("add", editing.insert(desk.bench.pipeline, "median3", "band", "image"))
    click(made.graph, "band")
    control = QtCore.Qt.KeyboardModifier.ControlModifier
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Up, control)
    assert wiring(desk, "median3") == {"image": "band"}
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Down, control)
    assert wiring(desk, "band") == {"image": "median3"}


def test_pins_by_the_menu_of_a_wire_are_drawn(desk: Desk) -> None:
    made = panel(desk)
    wire = made.graph.wires["scale", "image"].wire
    entry(made.menu("", wire), "Pin apart").trigger()
    assert desk.bench.pipeline.pins.cut == (("gray", "scale"),)
    assert made.graph.wires["scale", "image"].pin == "cut"
    menu = made.menu("", wire)
    assert not entry(menu, "Pin apart").isEnabled()
    entry(menu, "Pin together").trigger()
    assert desk.bench.pipeline.pins.fuse == (("gray", "scale"),)
    entry(made.menu("", wire), "Let the planner").trigger()
    assert not desk.bench.pipeline.pins
    weights = made.graph.wires["spots", "weights"].wire
    entry(made.menu("", weights), "Take the wire off").trigger()
    assert wiring(desk, "spots") == {"mask": "bright"}


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
    assert desk.link.orders[-1] == say.Show("band")
    QtTest.QTest.qWait(60)
    assert made.graph.boxes["band"].look.shown
    click(made.graph, "scale")
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Return)
    assert desk.link.orders[-1] == say.Show("scale")
    entry(made.menu("gray", None), "Show this picture").trigger()
    assert desk.link.orders[-1] == say.Show("gray")
    made.graph.opened.emit(SOURCE)
    assert desk.link.orders[-1] == say.Show("")
    made.graph.opened.emit("follow")
    assert "no picture" in desk.bench.messages[-1].sentence


def test_groups_have_hulls_with_predicted_and_measured_time(desk: Desk) -> None:
    desk.open()  # groups: gray+smooth, of which only gray is there
    made = panel(desk)
    built = say.Built(dumps(desk.bench.pipeline), "cpu", ("gray+scale+band+bright", "spots"), (), 0)
    reading = MeterReading(rates={"engine": Rate(500, 500, 1000)})
    desk.link.reports += [built, say.Measured(reading, {"gray+scale+band+bright": 0.25, "spots": 0.1})]
    desk.bench.tick()
    made.redraw()
    looks = [hull.look for hull in made.graph.hulls]
    assert [look.names for look in looks] == [("gray", "scale", "band", "bright"), ("spots",)]
    assert [look.words[0] for look in looks] == ["250 us", "100 us"]
    assert [look.host for look in looks] == [False, True]
    assert not looks[0].faint
    outline = made.graph.hulls[0].path
    for name in ("gray", "scale", "band", "bright"):
        assert outline.contains(made.graph.boxes[name].sceneBoundingRect().center())
    assert not outline.contains(made.graph.boxes["spots"].sceneBoundingRect().center())
    made.add("median3")
    assert all(look.look.faint and look.look.words[0] == "compiling" for look in made.graph.hulls)


def test_a_pipeline_that_does_not_fit_is_marked_where_it_does_not(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    click(made.graph, "gray")
    made.add("components")  # of which the next stage makes nothing
    assert made.graph.boxes["scale"].look.bad
    assert not made.graph.boxes["components"].look.bad
    assert made.trouble.text() == desk.bench.trouble
    assert not made.trouble.isHidden()
    desk.bench.undo()
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
    desk.bench.choose_pipeline("objects")
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
    desk.bench.choose_pipeline("template")
    desk.open()
    panel, foresight = desk.window.pipeline, desk.window.foresight
    foresight._show((Hint("3 of 3 points <cannot> be measured, take track.window = 31", "track", "window", 31.0),))
    assert not panel.hint.isHidden()
    assert "&lt;cannot&gt;" in panel.hint.text()
    assert "<cannot>" in panel.hint.toolTip()
    desk.link.orders.clear()
    panel.hint.linkActivated.emit("0")
    assert desk.link.orders == [say.SetParam("track", "window", 31)]
    foresight._show(())
    assert panel.hint.isHidden()
