"""The parameter editor: values both ways, undo, search, refusals, sliders."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import commands
from app.desk.pipeline import editing
from app.gui.pipeline.parameter_editor import ParameterEditor
from app.gui.pipeline.parameter_row import ParameterRow
from app.gui.pipeline.scales import STEPS, Scale, decimals, scale_of
from kernels.param import Param
from kernels.plugins import registry
from tests.app.gui.conftest import Desk


def editor(desk: Desk) -> ParameterEditor:
    made = desk.window.panels["parameters"]
    assert isinstance(made, ParameterEditor)
    return made


def turn(widget: QtWidgets.QWidget, step: int) -> None:
    """Turn the wheel over a widget, an eighth of a degree a step."""
    place, none = QtCore.QPointF(widget.rect().center()), QtCore.QPoint()
    phase = QtCore.Qt.ScrollPhase.NoScrollPhase
    event = QtGui.QWheelEvent(
        place, QtCore.QPointF(widget.mapToGlobal(place.toPoint())), none, QtCore.QPoint(0, step),
        QtCore.Qt.MouseButton.NoButton, QtCore.Qt.KeyboardModifier.NoModifier, phase, False,
    )  # fmt: skip
    QtWidgets.QApplication.sendEvent(widget, event)


def test_every_parameter_of_the_pipeline_has_a_row(desk: Desk) -> None:
    for member in desk.bench.pipeline.members:
        for param in editing.declared(member):
            row = editor(desk).sections[member.id].rows[param.name]
            assert param.doc in row.toolTip()


def test_rows_of_another_pipeline_are_made_a_stage_in_a_turn(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    made = editor(desk)
    wanted = list(made.sections)
    desk.bench.files.choose("objects")
    seen: list[int] = []
    while made._late.isActive():
        assert list(made._sections) == wanted, "those of before are seen until all are there"
        seen.append(len(made._ready))
        made._late.stop()
        made._make_next()
    assert seen == list(range(seen[-1] + 1))
    assert seen[-1] >= 3
    assert list(made._sections) == [m.id for m in desk.bench.pipeline.members if editing.declared(m)]
    assert made._ready == {}
    desk.bench.files.choose("corners")
    made._late.stop()
    made._make_next()
    assert made._late.isActive()
    desk.bench.files.choose("blobs")
    sections = made.sections
    assert list(sections) == wanted, "what is asked for is made at once"
    assert made._ready == {}
    for name, section in sections.items():
        assert section.isVisibleTo(made), name


def test_a_slider_changes_a_running_pipeline_without_compiling(desk: Desk) -> None:
    desk.open()
    row = editor(desk).sections["bright"].rows["level"]
    assert row.slider is not None
    before = desk.bench.pipeline
    for place in (300, 400, 500):
        row.slider.setValue(place)
    assert all(isinstance(order, commands.SetParam) for order in desk.link.orders)
    value = editing.member(desk.bench.pipeline, "bright").params["level"]
    assert desk.link.orders[-1] == commands.SetParam("bright", "level", value)
    assert row.control.value() == pytest.approx(value)
    desk.bench.editor.undo()  # the whole drag is one step
    assert desk.bench.pipeline == before
    assert row.control.value() == pytest.approx(0.03)


def test_a_wheel_that_passes_over_a_control_changes_nothing(desk: Desk) -> None:
    desk.open()
    before = desk.bench.pipeline
    rows = [row for section in editor(desk).sections.values() for row in section.rows.values()]
    passed = [w for row in rows for w in (row.slider, row.control) if w is not None]
    kinds = (QtWidgets.QSlider, QtWidgets.QAbstractSpinBox, QtWidgets.QComboBox)
    assert all(any(isinstance(w, kind) for w in passed) for kind in kinds)
    for widget in passed:
        for step in (-120, 120):
            turn(widget, step)
        assert not widget.hasFocus()
    assert desk.bench.pipeline == before
    assert desk.link.orders == []


def test_a_wheel_turns_the_control_in_focus(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.open()
    row = editor(desk).sections["bright"].rows["level"]
    assert row.slider is not None
    before = row.control.value()
    monkeypatch.setattr(row.slider, "hasFocus", lambda: True)  # no test has a true window in front
    turn(row.slider, 120)
    assert row.control.value() > before


def test_structural_parameters_wait_until_the_hand_rests(desk: Desk) -> None:
    desk.open()
    row = editor(desk).sections["band"].rows["sigma"]
    row.control.setValue(1.5)
    row.control.setValue(2.0)
    assert desk.link.orders == []
    for _ in range(100):  # a quarter of a second, more on a busy machine
        QtTest.QTest.qWait(50)
        if desk.link.orders:
            break
    assert len(desk.link.orders) == 1
    assert isinstance(desk.link.orders[0], commands.SetPipeline)
    assert "sigma = 2.0" in desk.link.orders[0].pipeline


def test_choices_boxes_and_texts(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    points = editor(desk).sections["track"].rows["points"]
    points.control.setText("[[20, 20], [30.5, 40]]")
    points.control.editingFinished.emit()
    assert desk.link.orders[-1] == commands.SetParam("track", "points", ((20.0, 20.0), (30.5, 40.0)))
    points.control.setText("[[20, 20")
    points.control.editingFinished.emit()
    assert "points" in desk.bench.messages[-1].sentence
    assert points.control.text() == "[[20, 20], [30.5, 40]]"
    model = editor(desk).sections["track"].rows["model"]
    assert isinstance(model.control, QtWidgets.QComboBox)
    model.control.setCurrentIndex(1)
    assert desk.link.orders[-1] == commands.SetParam("track", "model", model.param.choices[1])


def test_back_to_the_default(desk: Desk) -> None:
    desk.open()
    row = editor(desk).sections["spots"].rows["min_area"]
    assert not row.back.isHidden()
    QtTest.QTest.mouseClick(row.back, QtCore.Qt.MouseButton.LeftButton)
    assert row.back.isHidden()
    assert row.control.value() == row.param.default
    assert editing.member(desk.bench.pipeline, "spots").params.get("min_area", row.param.default) == row.param.default


def test_search_finds_by_name_and_by_help(desk: Desk) -> None:
    made = editor(desk)
    made.search.setText("split depth")
    shown = [row for section in made.sections.values() for row in section.rows.values() if not row.isHidden()]
    assert [row.param.name for row in shown] == ["split_depth"]
    made.search.clear()
    assert not made.sections["spots"].rows["min_area"].isHidden()
    assert made.sections["spots"].rows["capacity"].isHidden()
    made.sections["spots"].more.click()
    assert not made.sections["spots"].rows["capacity"].isHidden()


def test_a_pipeline_that_does_not_fit_says_why(desk: Desk) -> None:
    desk.open()
    wrong = editing.add_stage(desk.bench.pipeline, "components", editing.Ref(desk.bench.pipeline.nodes[0].id))
    desk.bench.editor.edit("add", wrong)
    assert not editor(desk).trouble.isHidden()
    assert editor(desk).trouble.text() == desk.bench.trouble
    desk.bench.editor.undo()
    assert editor(desk).trouble.isHidden()


@given(st.data())
def test_every_declared_number_has_a_slider_that_holds_it(data: st.DataObject) -> None:
    numbers = [p for stage in registry().values() for p in stage.params if p.kind in ("int", "float")]
    param = data.draw(st.sampled_from(numbers))
    low, high = max(param.low, -1e6), min(param.high, 1e6)
    value = data.draw(st.integers(math.ceil(low), math.floor(high)) if param.kind == "int" else st.floats(low, high))
    scale = scale_of(param, float(value))
    assert scale.low <= value <= scale.high
    assert max(param.low, -math.inf) <= scale.low < scale.high
    assert scale.high <= param.high or param.low == param.high
    for place in (0, 1, STEPS // 3, STEPS - 1, STEPS):
        found = scale.value(place)
        assert scale.low <= found <= scale.high or math.isclose(found, scale.low) or math.isclose(found, scale.high)
        param.check(int(found) if param.kind == "int" else found, "x")
        if not scale.whole:
            assert abs(scale.place(found) - place) <= 1


def test_wide_ranges_are_logarithmic() -> None:
    alpha = Param("alpha", "float", 0.02, "help", low=1e-5, high=1.0)
    assert scale_of(alpha, 0.02).logarithmic
    assert scale_of(Param("n", "int", 3, "help", low=1, high=5), 3) == Scale(1, 5, False, True)
    assert decimals(alpha, 0.02) >= 6


def test_small_numbers_are_typed_and_shown_with_a_power_of_ten(desk: Desk) -> None:
    desk.bench.files.choose("corners")
    row = editor(desk).sections["candidates"].rows["threshold"]
    assert row.control.text() == "1e-6"
    row.control.selectAll()
    QtTest.QTest.keyClicks(row.control, "2.5e-5x")
    QtTest.QTest.keyClick(row.control, QtCore.Qt.Key.Key_Return)
    assert row.control.value() == pytest.approx(2.5e-5)
    row.control.selectAll()
    QtTest.QTest.keyClicks(row.control, "0.50")
    QtTest.QTest.keyClick(row.control, QtCore.Qt.Key.Key_Return)
    assert row.control.text() == "0.5"
    value = editing.member(desk.bench.pipeline, "candidates").params["threshold"]
    assert value == pytest.approx(0.5) or row._timer.isActive()


@pytest.mark.parametrize("width", [300, 620])
def test_columns_of_all_rows_are_of_one_width_and_no_name_is_cut(desk: Desk, width: int) -> None:
    desk.open()
    made = editor(desk)
    made.resize(width, 900)
    QtWidgets.QApplication.processEvents()
    rows = [row for section in made.sections.values() for row in section.rows.values() if row.slider is not None]
    assert any("²" in row.unit.text() for row in rows)
    named = [row for row in rows if row.isVisible()]
    assert len({row.control.mapTo(made, QtCore.QPoint(0, 0)).x() for row in named}) == 1
    assert all(row.back.mapTo(made, QtCore.QPoint(row.back.width(), 0)).x() <= made.width() for row in named)
    assert all(row.unit.width() == row.unit.sizeHint().width() for row in rows if row.unit.text())
    assert all(row.label.width() >= row.label.full() for row in named)
    above = [row for row in named if row.label.geometry().bottom() < row.control.geometry().top()]
    assert bool(above) == (width < 400)
    assert len({row.label.width() + row.unit.width() for row in named if row not in above}) == 1
    made.resize(620, 900)  # and beside it again where there is room
    QtWidgets.QApplication.processEvents()
    assert all(row.label.geometry().bottom() > row.control.geometry().top() for row in named)


def test_no_points_are_called_so_and_some_are_counted(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    row = editor(desk).sections["track"].rows["points"]
    assert (row.control.text(), row.control.placeholderText(), row.label.text()) == ("", "none", "points")
    row.set_value(((1.0, 2.0), (3.0, 4.0)))
    assert row.label.text() == "points (2)"
    assert "default none" in row.help()


def test_after_a_large_number_the_slider_is_about_the_value_again(desk: Desk) -> None:
    desk.open()
    changed: list[object] = []
    row = ParameterRow("node", Param("gain", "float", 2.0, "a gain", "", low=0.0), 2.0, live=True)
    row.changed.connect(lambda *told: changed.append(told[2]))
    assert row.slider is not None
    before = row.scale
    row.control.setValue(5000.0)
    assert row.scale == before or row.scale.high >= 5000
    row.set_value(5000.0)
    assert row.scale.high >= 5000
    row.set_value(2.0)  # undone, or the default again
    assert row.scale == before
    assert row.slider.value() == before.place(2.0)
    row.control.setValue(5000.0)
    row.set_value(5000.0)
    row.control.setValue(3.0)
    row.set_value(3.0)
    row.control.editingFinished.emit()
    assert row.scale.high == pytest.approx(12.0)
    assert changed == [5000.0, 5000.0, 3.0], "the range alone changes no number"




def test_what_was_found_on_the_clip_stands_there_and_a_number_fixes_it(desk: Desk) -> None:
    desk.open()
    rows = editor(desk).sections["bright"].rows
    row = rows["level"]
    assert row.control.text() == "0.03 (auto)"
    assert row.back.isHidden()
    assert rows["polarity"].control.currentText() == "auto"
    assert editor(desk).strips["bright"].histogram.level == 0.03
    row.control.setValue(0.05)
    assert desk.link.orders[-1] == commands.SetParam("bright", "level", 0.05)
    assert editing.member(desk.bench.pipeline, "bright").params["level"] == 0.05
    assert row.control.text() == "0.05"
    assert not row.back.isHidden()
    row.back.click()
    assert editing.member(desk.bench.pipeline, "bright").params["level"] == "auto"
    assert desk.link.orders[-1] == commands.SetParam("bright", "level", 0.03)
    assert row.control.text() == "0.03 (auto)"
    typed = row.control.valueFromText("0.25 (auto)")
    assert typed == 0.25
