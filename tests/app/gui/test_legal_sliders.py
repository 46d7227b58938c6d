"""Sliders stop on values that the pipeline takes, and keys of the window hold while the graph has the focus."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.gui.pipeline.parameter_row import ParameterRow
from app.gui.pipeline.scales import STEPS, scale_of
from kernels.errors import DefinitionError
from kernels.param import Param
from kernels.plugins import registry
from pipelines.trackers.base import registry as trackers
from tests.app.gui.conftest import Desk

ODD = [(name, param) for kinds in (registry(), trackers()) for name, kind in kinds.items() for param in kind.params
       if param.kind == "int" and ", odd" in param.doc]  # fmt: skip


@pytest.mark.parametrize(("name", "param"), ODD, ids=[f"{name}.{param.name}" for name, param in ODD])
def test_a_slider_of_odd_numbers_offers_odd_ones_alone(name: str, param: Param) -> None:
    assert param.odd, name
    assert isinstance(param.default, int)
    scale = scale_of(param, float(param.default))
    offered = {scale.value(place) for place in range(STEPS + 1)}
    assert all(value % 2 == 1 or value == 0 == scale.low for value in offered)
    assert min(offered) == scale.low
    assert len(offered) > 3
    assert max(offered) <= scale.high


@pytest.mark.parametrize(("name", "param"), ODD, ids=[f"{name}.{param.name}" for name, param in ODD])
def test_a_slider_offers_no_window_that_is_larger_than_the_picture(name: str, param: Param) -> None:
    assert isinstance(param.default, int)
    scale = scale_of(param, float(param.default), side=40.0)
    assert scale.value(STEPS) <= (40 if param.unit == "px" else param.high), name
    assert scale_of(param, 61.0, side=40.0).high >= min(61, param.high), "what was typed is in its range"


def test_a_slider_is_that_of_the_clip_that_is_open(desk: Desk) -> None:
    desk.bench.files.choose("template")
    assert desk.window.panels["parameters"].sections  # rows are made in turns of their own, or when they are asked for
    rows = desk.window.panels["parameters"].findChildren(ParameterRow)
    row = next(row for row in rows if (row.node, row.param.name) == ("track", "window"))
    assert row.scale.high > 288
    desk.open()
    assert row.scale.high == 288
    assert row.scale.value(STEPS) == 287


def test_arrows_on_a_window_go_from_odd_to_odd(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    assert desk.window.panels["parameters"].sections
    rows = desk.window.panels["parameters"].findChildren(ParameterRow)
    row = next(row for row in rows if (row.node, row.param.name) == ("track", "window"))
    window: object = 0
    for slid in (row.slider, row.control):
        assert slid is not None
        slid.setFocus()
        for _ in range(3):
            QtTest.QTest.keyClick(slid, QtCore.Qt.Key.Key_Up)
            row._tell()
            window = desk.bench.pipeline.trackers[0].params["window"]
            assert isinstance(window, int)
            assert window % 2 == 1
    assert isinstance(window, int)
    assert window > 25
    assert not desk.bench.trouble


def test_what_says_that_it_is_odd_refuses_even_ones(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    desk.bench.editor.set_param("track", "window", 24)
    assert "odd" in desk.bench.trouble
    with pytest.raises(DefinitionError):
        desk.bench.editor.set_param("track", "window", 3)


def test_ctrl_return_runs_the_clip_while_the_graph_has_the_focus(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.open()
    ran: list[bool] = []
    monkeypatch.setattr(desk.window.batch, "run_clip", lambda: ran.append(True))
    graph = desk.window.pipeline.graph
    graph.setFocus()
    QtTest.QTest.mouseClick(graph.viewport(), QtCore.Qt.MouseButton.LeftButton)
    graph.setFocus()
    QtWidgets.QApplication.processEvents()
    assert QtWidgets.QApplication.focusWidget() in (graph, graph.viewport())
    QtTest.QTest.keyClick(QtWidgets.QApplication.focusWidget(), QtCore.Qt.Key.Key_Return,
                          QtCore.Qt.KeyboardModifier.ControlModifier)  # fmt: skip
    QtWidgets.QApplication.processEvents()
    assert ran == [True]
