"""Edits of the pipeline in its graph, by mouse and keys, through the real widgets."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import commands
from app.desk.pipeline import editing
from app.gui.pipeline.graph_view import STAGE_MIME
from pipelines.definition import load
from pipelines.graph import SOURCE
from tests.app.gui.conftest import Desk
from tests.app.gui.graph_by_hand import KEYS, LEFT, click, drag, entry, middle, panel, place, port, wiring


def test_a_stage_from_the_list_comes_behind_the_one_that_is_picked(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    click(made.graph, "gray")
    QtTest.QTest.keyClick(made.graph, KEYS.Key_Insert)
    assert made.list.isVisible()
    QtTest.QTest.keyClicks(made.list.search, "median")
    QtTest.QTest.keyClick(made.list.search, KEYS.Key_Return)
    assert wiring(desk, "median3") == {"image": "gray"}
    assert wiring(desk, "sound") == {"image": "median3"}
    assert made.node == "median3"
    assert isinstance(desk.link.orders[-1], commands.SetPipeline)
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
    assert wiring(desk, "sound") == {"image": "median3"}
    row = panel(desk).list
    row.open()
    item = next(r for r in row._rows() if r.data(0, QtCore.Qt.ItemDataRole.UserRole) == "harris")
    assert bytes(row.tree.mimeData([item]).data(STAGE_MIME)) == b"harris"


def test_a_tracker_is_added_with_what_suits_it(desk: Desk) -> None:
    panel(desk).add("template")
    assert wiring(desk, "template") == {"image": "gray"}
    desk.bench.files.choose("template")
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
    desk.bench.editor.edit("add", editing.insert(desk.bench.pipeline, "median3", "band", "image"))
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
    assert desk.bench.pipeline.pins.cut == (("sound", "scale"),)
    assert made.graph.wires["scale", "image"].pin == "cut"
    menu = made.menu("", wire)
    assert not entry(menu, "Pin apart").isEnabled()
    entry(menu, "Pin together").trigger()
    assert desk.bench.pipeline.pins.fuse == (("sound", "scale"),)
    entry(made.menu("", wire), "Let the planner").trigger()
    assert not desk.bench.pipeline.pins
    weights = made.graph.wires["spots", "weights"].wire
    entry(made.menu("", weights), "Take the wire off").trigger()
    assert wiring(desk, "spots") == {"mask": "bright"}


def test_escape_puts_a_box_that_is_dragged_back(desk: Desk) -> None:
    graph = panel(desk).graph
    start, before = graph.mapFromScene(middle(graph, "bright")), desk.bench.pipeline
    QtTest.QTest.mousePress(graph.viewport(), LEFT, pos=start)
    for step in (12, 30):
        event = QtGui.QMouseEvent(QtCore.QEvent.Type.MouseMove, QtCore.QPointF(start) + QtCore.QPointF(step, step),
                                  LEFT, LEFT, QtCore.Qt.KeyboardModifier.NoModifier)  # fmt: skip
        QtWidgets.QApplication.sendEvent(graph.viewport(), event)
    item = graph.boxes["bright"]
    assert item.pos() != QtCore.QPointF(item.box.x, item.box.y)
    QtTest.QTest.keyClick(graph, KEYS.Key_Escape)
    assert graph.boxes["bright"] is item
    assert item.pos() == QtCore.QPointF(item.box.x, item.box.y)
    assert item.opacity() == 1.0
    QtTest.QTest.mouseRelease(graph.viewport(), LEFT, pos=start)
    assert desk.bench.pipeline == before
