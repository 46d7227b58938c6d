"""The histogram under a threshold: what it draws, dragging its line, and the levels that it suggests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import commands
from app.desk.services.levels import look_of
from app.gui.pipeline.level_strip import LevelStrip
from app.gui.pipeline.parameter_editor import ParameterEditor
from tests.app.gui.conftest import Desk

LEFT = QtCore.Qt.MouseButton.LeftButton


def spots() -> np.ndarray:  # type: ignore[type-arg]
    """Noise of 1 about 10, with some pixels at 60."""
    values = np.random.default_rng(2).normal(10, 1, (100, 100))
    values[:5, :10] = 60
    return values


@pytest.fixture
def editor(desk: Desk) -> ParameterEditor:
    desk.open()
    desk.frame(3)
    made = desk.window.panels["parameters"]
    assert isinstance(made, ParameterEditor)
    return made


@pytest.fixture
def strip(desk: Desk, editor: ParameterEditor) -> LevelStrip:
    made = editor.strips["bright"]
    editor.levels.looks = {"bright": look_of(spots(), 3)}
    desk.bench.editor.set_param("bright", "level", 30.0)
    desk.link.orders.clear()
    return made


def test_only_thresholds_have_one_and_it_is_found_by_their_search(desk: Desk, editor: ParameterEditor) -> None:
    assert list(editor.strips) == ["bright"]
    strip = editor.strips["bright"]
    assert not strip.isHidden()
    editor.search.setText("sigma")
    assert strip.isHidden()
    editor.search.setText("")
    assert not strip.isHidden()
    desk.bench.files.choose("template")
    assert editor.strips == {}
    desk.bench.files.choose("corners")
    assert list(editor.strips) == ["candidates"]


def test_it_says_what_passes_and_draws_both_sides(desk: Desk, strip: LevelStrip) -> None:
    assert strip.histogram.passing == "0.5 % of the pixels pass"
    assert strip.look is not None
    width = strip.histogram.width() - 1
    assert strip.histogram.place(30.0) == pytest.approx(
        width * (30 - strip.look.low) / (strip.look.high - strip.look.low))  # fmt: skip
    bright = strip.histogram.grab().toImage()
    desk.bench.editor.set_param("bright", "polarity", "dark")
    assert strip.histogram.passing == "99.5 % of the pixels pass"
    assert strip.histogram.grab().toImage() != bright
    desk.bench.editor.set_param("bright", "level", 1000.0)
    strip.histogram.grab()
    desk.bench.editor.set_param("bright", "polarity", "bright")
    assert strip.histogram.passing == "nothing passes"


def test_the_line_is_dragged_and_nothing_is_compiled(desk: Desk, strip: LevelStrip) -> None:
    histogram = strip.histogram
    x = round(histogram.place(20.0))
    QtTest.QTest.mousePress(histogram, LEFT, QtCore.Qt.KeyboardModifier.NoModifier, QtCore.QPoint(x, 30))
    (order,) = desk.link.orders
    assert isinstance(order, commands.SetParam)
    assert order.value == pytest.approx(20.0, abs=0.3)
    assert histogram.level == order.value
    editor = desk.window.panels["parameters"]
    assert isinstance(editor, ParameterEditor)
    assert editor.sections["bright"].rows["level"].control.value() == order.value
    desk.window.actions_.made["undo"].trigger()
    assert histogram.level == 0.03, "what follows within a second is one step"
    assert all(isinstance(one, commands.SetParam) for one in desk.link.orders)


def test_it_suggests_levels_and_says_how(desk: Desk, strip: LevelStrip) -> None:
    look = strip.look
    assert look is not None
    assert "median absolute deviation" in strip.suggest.toolTip()
    assert "frame 3" in strip.suggest.toolTip()
    strip.suggest.click()
    assert look.above_noise is not None
    assert strip.histogram.level == float(f"{look.above_noise:.3g}")
    assert 16 < strip.histogram.level < 60
    strip.otsu.trigger()
    assert look.otsu is not None
    assert strip.histogram.level == float(f"{look.otsu:.3g}")
    assert "Otsu" in strip.otsu.toolTip()


def test_nothing_is_suggested_where_nothing_stands_out(desk: Desk, editor: ParameterEditor, strip: LevelStrip) -> None:
    editor.levels.looks = {"bright": look_of(np.random.default_rng(2).normal(10, 1, (50, 50)), 3)}
    desk.bench.editor.set_param("bright", "level", 31.0)
    assert not strip.above.isEnabled()
    assert strip.otsu.isEnabled()
    desk.link.orders.clear()
    strip.suggest.click()
    assert desk.link.orders == []
    editor.levels.looks = {"bright": look_of(np.full((5, 5), 3.0), 3)}
    desk.bench.editor.set_param("bright", "level", 32.0)
    assert not strip.suggest.isEnabled()
    strip.histogram.grab()
    QtTest.QTest.mouseClick(strip.histogram, LEFT)
    assert strip.histogram.level == 32.0


def test_a_camera_is_asked_to_show_the_input_by_a_click(desk: Desk) -> None:
    desk.open(live=True)
    desk.frame(3)
    editor = desk.window.panels["parameters"]
    assert isinstance(editor, ParameterEditor)
    strip = editor.strips["bright"]
    editor.show_node("bright")  # what is out of sight is not looked at
    QtWidgets.QApplication.processEvents()
    assert "click" in strip.histogram.words
    desk.link.orders.clear()
    QtTest.QTest.mouseClick(strip.histogram, LEFT)
    assert desk.link.orders == [commands.Show("band")]
    shown = desk.bench.shown
    assert shown is not None
    desk.link.pictures.append(replace(shown, number=99, output="band", pixels=spots()))
    desk.bench.tick()
    editor.levels.poll()
    QtWidgets.QApplication.processEvents()
    assert strip.look is not None
    assert strip.suggest.isEnabled()


def test_an_old_histogram_is_dim_and_suggests_nothing_and_a_failure_says_why(
    desk: Desk, editor: ParameterEditor, strip: LevelStrip
) -> None:
    fresh = strip.histogram.grab().toImage()
    assert strip.suggest.isEnabled()
    desk.bench.editor.set_param("band", "sigma", 2.5)
    assert strip.histogram.stale
    assert not strip.suggest.isEnabled()
    assert strip.histogram.grab().toImage() != fresh
    editor.levels.stale.clear()
    editor.levels._notify()
    assert strip.suggest.isEnabled()
    editor.levels.looks, editor.levels.failed = {}, {"bright": "frame 3 cannot be read"}
    editor.levels._notify()
    assert strip.look is None
    assert strip.histogram.words == "no histogram: frame 3 cannot be read"
    assert "frame 3 cannot be read" in strip.histogram.toolTip()


def test_that_nothing_passes_is_said_above_the_video_with_one_click_that_mends_it(
    desk: Desk, editor: ParameterEditor, strip: LevelStrip
) -> None:
    strips = desk.window.strips
    assert "nothing passes" not in strips
    desk.bench.editor.set_param("bright", "level", 1000.0)
    banner = strips["nothing passes"]
    assert "bright.level = 1000" in banner.label.text()
    (button,) = banner.buttons.values()
    assert button.text() == f"Set it to {strip.look.above_noise:.3g}"  # type: ignore[union-attr]
    QtTest.QTest.mouseClick(button, LEFT)
    assert "nothing passes" not in strips
    assert strip.histogram.passing == "0.5 % of the pixels pass"
    desk.bench.editor.set_param("bright", "level", 1000.0)
    cross = strips["nothing passes"].cross
    QtTest.QTest.mouseClick(cross, LEFT)
    editor.levels._notify()
    assert "nothing passes" not in strips, "it was closed"
    editor.levels.looks = {"bright": look_of(np.random.default_rng(2).normal(10, 1, (50, 50)), 3)}
    desk.bench.editor.set_param("bright", "level", 900.0)
    assert "nothing passes" not in strips, "there is nothing to be found"
