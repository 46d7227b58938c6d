"""The graph of stages by mouse and keys, for tests."""

from __future__ import annotations

from typing import Any

from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.pipeline import editing
from app.gui.pipeline.graph_view import GraphView
from app.gui.pipeline.panel import PipelinePanel
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
