"""Traces that are analysed in the window: forms, fits with figures, a ground, cursors, spectrograms, figures; by
events of mouse and keyboard."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.tracks.calibration import Calibration
from app.gui.chosen import choose as choose_again
from app.gui.chosen import chosen
from app.gui.figure_looks import LOOKS
from app.gui.traces.bar import TracesBar
from app.gui.traces.figures import as_file
from app.gui.traces.panel import TracesPanel
from app.plots.look import SINGLE
from tests.app.gui.conftest import Desk
from tests.app.gui.traces import panel, play, until

_Key = QtCore.Qt.Key


def choose(combo: QtWidgets.QComboBox, words: str) -> None:
    """Choose an entry with the keyboard."""
    combo.setFocus()
    way = combo.findText(words) - combo.currentIndex()
    for _ in range(abs(way)):
        QtTest.QTest.keyClick(combo, _Key.Key_Down if way > 0 else _Key.Key_Up)
    assert combo.currentText() == words


def fit(made: TracesPanel, model: str) -> None:
    """Choose a fit, and wait until that one is drawn."""
    choose(made.bar.model, model)
    until(lambda: made.drawn.fits and made.drawn.found is not None and made.drawn.found.wanted.model == model)
    until(lambda: not made._finder.busy)


def notes(made: TracesPanel) -> str:
    """What stands below the plots."""
    return made.drawn.words.toolTip() if made.drawn.words.isVisible() else ""


def figures(made: TracesPanel, k: int) -> str:
    """What a plot says of fits."""
    label = made.drawn.figures[k]
    return label.toPlainText().replace("\N{NO-BREAK SPACE}", " ") if label.isVisible() else ""


def test_a_fit_through_a_clip_that_was_not_played_says_that_it_is_to_be_played(desk: Desk) -> None:
    play(desk, 6)
    made = panel(desk)
    choose(made.bar.model, "damped sine")
    past = desk.bench.range[1]
    words = ("damped sine through x of 0: a damped sine needs 10 samples, and there are 6 "
             f"(6 of {past} frames are known; play the clip for the others)")  # fmt: skip
    until(lambda: words in notes(made))
    play(desk, past)
    desk.bench.tracks.select([0])
    until(lambda: "damped sine through x of 0: frequency" in notes(made) and "play the clip" not in notes(made))


def test_a_sine_is_fitted_and_its_figures_stand_at_the_curve(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    fit(made, "sine")
    told = re.search(r"0: frequency ([\d.]+)(?: ± \S+)? Hz, amplitude ([\d.]+)(?: ± \S+)? px", figures(made, 0))
    assert told is not None
    assert [float(number) for number in told.groups()] == pytest.approx([75.0, 2.0])
    x, y = made.drawn.fits[0, 0].getOriginalDataset()
    np.testing.assert_allclose(y, 100 + 2 * np.sin(2 * np.pi * 75 * x), atol=1e-6)
    assert "sine through x of 0: frequency" in notes(made)
    choose(made.bar.model, "no fit")
    until(lambda: not figures(made, 0))
    assert not made.drawn.words.isVisible()


def test_a_parabola_through_a_part_gives_the_acceleration_of_that_part(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.set_calibration(Calibration(1.0, "mm"))
    desk.bench.tracks.select([2])
    made = panel(desk)
    made.bar.part.click()
    until(lambda: made.drawn.part.shown)
    made.drawn.part.regions[0].setRegion((10 / 600, 40 / 600))
    fit(made, "parabola")
    assert made.drawn.fits[1, 2].getOriginalDataset()[0][[0, -1]] == pytest.approx((10 / 600, 40 / 600))
    told = re.search(r"acceleration ([\d.]+)(?: ± \S+)? mm/s²", figures(made, 1))
    assert told is not None
    assert float(told[1]) == pytest.approx(1000.0)
    assert "m/s²; 31 values" in notes(made)
    assert re.search(r"that is (1|1\.0|0\.9)\d*(?: ± \S+)? m/s²", notes(made))
    made.drawn.part.regions[0].setRegion((20 / 600, 30 / 600))
    made.drawn.part.regions[0].sigRegionChangeFinished.emit(made.drawn.part.regions[0])
    until(lambda: "11 values, leaves" in notes(made))


def test_a_circle_needs_x_and_y_and_says_so(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    choose(made.bar.choice[0], "speed")
    choose(made.bar.model, "circle")
    until(lambda: "circle through speed of 0: a circle goes through x and y" in notes(made))
    assert not figures(made, 0)
    desk.bench.tracks.select([1])
    until(lambda: "circle through y of 1: " in notes(made))


def test_values_count_from_the_first_one_and_lose_their_line(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select([2])
    made = panel(desk)
    choose(made.bar.choice[0], "y")
    choose(made.bar.options.form, "values from the first one")
    until(lambda: "from the first one" in made.drawn.captions.titles[0].toPlainText())
    t = np.arange(64) / 600
    np.testing.assert_allclose(made.drawn.curves[0, 2].getData()[1], 500 * t**2, atol=1e-9)
    choose(made.bar.options.form, "values without their line")
    until(lambda: "without their line" in made.drawn.captions.titles[0].toPlainText())
    made_line = made.drawn.curves[0, 2].getData()[1]
    assert np.polyfit(t, made_line, 1) == pytest.approx([0, 0], abs=1e-8)
    second = TracesBar(lambda: None, desk.window.settings)
    assert second.options.form.currentText() == "values without their line", "remembered"


def test_a_point_beside_another_and_what_is_no_ground(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select([0])
    made = panel(desk)
    box = made.bar.options.reference
    QtTest.QTest.keyClicks(box.tracks, "2")
    QtTest.QTest.keyClick(box.tracks, _Key.Key_Return)
    until(lambda: "beside 2" in made.drawn.captions.titles[1].toPlainText())
    t = np.arange(64) / 600
    y = made.drawn.curves[1, 0].getOriginalDataset()[1]
    np.testing.assert_allclose(y - y[0], -500 * t**2, atol=1e-6)
    assert not box.ground.isEnabled(), "one point shifts"
    desk.bench.tracks.select([0, 1])
    QtTest.QTest.mouseClick(box.take, QtCore.Qt.MouseButton.LeftButton)
    assert box.tracks.text() == "0, 1"
    assert box.ground.isEnabled()
    until(lambda: "beside 0, 1 (rigid)" in made.drawn.captions.titles[0].toPlainText())
    box.put((0, 77))
    until(lambda: "are in no frame seen together" in made.bar.words.text())
    box.tracks.clear()
    until(lambda: "beside" not in made.drawn.captions.titles[0].toPlainText())


def test_two_cursors_tell_values_difference_and_rate(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select([2])
    made = panel(desk)
    made.bar.cursors.click()
    until(lambda: made.drawn.pair.lines[0][0].isVisible())
    a, b = made.drawn.pair.lines[1]
    for line, frame in ((a, 12), (b, 42)):
        line.setValue(frame / 600 + 0.0003)
        line.sigDragged.emit(line)
        assert line.value() == pytest.approx(frame / 600), "it stands at a frame"
    words = notes(made)
    assert "B - A = 0.05 s, 20 Hz" in words
    low, high = (20 + 500 * (frame / 600) ** 2 for frame in (12, 42))
    assert f"y of 2: A {low:.4g}, B {high:.4g} px, B - A {high - low:.4g} px, {(high - low) / 0.05:.5g} px/s" in words
    assert [line.value() for line in made.drawn.pair.lines[0]] == [a.value(), b.value()]
    made.bar.cursors.click()
    until(lambda: not made.drawn.words.isVisible())
    assert not a.isVisible()


def test_a_spectrogram_is_drawn_told_and_saved(desk: Desk, tmp_path: Path) -> None:
    play(desk, 256)
    made = panel(desk)
    bar = made.bar.tabs
    QtTest.QTest.mouseClick(bar, QtCore.Qt.MouseButton.LeftButton, pos=bar.tabRect(2).center())
    choose(made.bar.of, "x")
    until(lambda: made.drawn.gram.shown is not None and "of x of" in made.drawn.captions.titles[0].toPlainText())
    gram = made.drawn.gram.shown
    assert gram.frequency[np.argmax(gram.amplitude.mean(axis=1))] == pytest.approx(75.0, abs=10.0)
    assert made.drawn.captions.titles[0].toPlainText().startswith("frequency [Hz] of x of 0; amplitude")
    assert made.bar.options.segment.count() > 3
    time, height = gram.time[len(gram.time) // 2], gram.amplitude[:, len(gram.time) // 2].max()
    QtWidgets.QApplication.processEvents()
    made.drawn.graphics.scene().sigMouseMoved.emit(made.drawn.plots[0].vb.mapViewToScene(QtCore.QPointF(time, 75.0)))
    assert f"{height:.4g} px" in made.drawn.readout.words[0].toPlainText()
    made.save_to(tmp_path / "x.csv")
    until(lambda: made.saved.words.text().startswith("saved"))
    with (tmp_path / "x.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time_s", "frequency_hz", "x_0_amplitude_px"]
    assert len(rows) == 1 + gram.amplitude.size
    QtTest.QTest.mouseClick(bar, QtCore.Qt.MouseButton.LeftButton, pos=bar.tabRect(0).center())
    until(lambda: made.drawn.signals)
    assert made.drawn.gram.shown is None


def test_fits_are_columns_of_the_table(desk: Desk, tmp_path: Path) -> None:
    play(desk)
    made = panel(desk)
    fit(made, "sine")
    made.save_to(tmp_path / "x.csv")
    head = (tmp_path / "x.csv").read_text().splitlines()[0].split(",")
    assert head[:5] == ["frame", "time_s", "x_0_px", "y_0_px", "sine fit of x_0_px"]


def test_figures_are_as_wide_as_a_column_and_hold_what_is_seen(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select([0, 2])
    made = panel(desk)
    fit(made, "line")
    for action in made.looks.menu.actions():
        if action.text() == "for a paper, one column":
            action.trigger()
    sheet = made.sheet()
    assert sheet.look is LOOKS["for a paper, one column"]
    picture = QtGui.QImage.fromData(as_file(sheet, ".png"))
    assert picture.width() == pytest.approx(SINGLE * sheet.look.dpi, abs=2)
    assert picture.hasAlphaChannel(), "a paper has its own ground"
    text = as_file(sheet, ".svg").decode()
    for words in ("time (s)", "x (px)", "y (px)", "0: velocity", "2: velocity"):
        assert words in text, words
    assert sheet.limits is None
    made.drawn.plots[0].vb.setXRange(0.02, 0.05, padding=0)
    made.bar.follow.setChecked(False)
    zoomed = made.sheet()
    assert zoomed.limits is not None
    assert zoomed.limits[0] == pytest.approx((0.02, 0.05))


def test_choices_are_kept_and_chosen_again(desk: Desk) -> None:
    """As a project file does."""
    play(desk)
    made = panel(desk)
    fit(made, "parabola")
    made.bar.options.reference.put((2,))
    made.bar.options.every.setChecked(True)
    kept = chosen(made.bar.fields)
    assert (kept["model"], kept["beside"], kept["guesses"]) == ("parabola", "2", True)
    made.bar.options.reference.put(())
    choose_again(made.bar.fields, {**kept, "model": "sine"})
    assert made.bar.options.reference.reference.tracks == (2,)
    assert made.bar.model.currentData() == "sine"
    until(lambda: "beside 2" in made.drawn.captions.titles[0].toPlainText())
