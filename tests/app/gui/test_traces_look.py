"""Axes, legend, zoom and statistics of the traces; what is drawn is remembered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.tracks.signals import Quantity
from app.gui import theme
from app.gui.settings import Settings
from app.gui.traces.axis import Axis
from app.gui.traces.bar import NONE, TracesBar
from app.gui.traces.curves import MOST_CURVES
from app.gui.traces.entries import Entries
from app.gui.traces.lines import HEAD
from app.gui.traces.plots import FEWEST
from tests.app.gui.conftest import Desk
from tests.app.gui.traces import panel, play, until


def test_logarithmic_axes_have_plain_numbers(app: QtWidgets.QApplication) -> None:
    axis = Axis("bottom")
    axis.setRange(0.0, 2.5)
    assert axis.logTickStrings([0.0, np.log10(2), np.log10(3), 1.0, 2.0], 1, 1) == ["1", "2", "", "10", "100"]
    axis.setRange(-3.0, 2.5)
    assert axis.logTickStrings([-3.0, np.log10(2), 0.0], 1, 1) == ["0.001", "", "1"]
    axis.setRange(-4.2, -1.0)  # all in one way
    assert axis.logTickStrings([-4.0, -2.0, -2 + np.log10(5)], 1, 1) == ["10⁻⁴", "10⁻²", "5·10⁻²"]
    axis.setRange(4.0, 7.0)
    assert axis.logTickStrings([5.0, 6.0], 1, 1) == ["10⁵", "10⁶"]


def test_a_single_frame_has_an_axis_of_some_frames(desk: Desk) -> None:
    play(desk, 1)
    made = panel(desk)
    made.redraw()
    QtWidgets.QApplication.processEvents()
    low, high = made.drawn.plots[0].vb.viewRange()[0]
    assert high - low == pytest.approx(FEWEST / 600)
    assert low < 0 < high
    play(desk)
    QtWidgets.QApplication.processEvents()
    low, high = made.drawn.plots[0].vb.viewRange()[0]
    assert high - low > 60 / 600


def test_no_curve_begins_behind_the_words_of_its_plot(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    made.drawn.graphics.resize(600, 400)
    made.redraw()
    for _ in range(3):
        QtWidgets.QApplication.processEvents()
    for k, plot in enumerate(made.drawn.plots):
        highest = max(float(np.nanmax(signal.value)) for at, _, signal in made.drawn.signals if at == k)
        top = plot.vb.mapFromView(QtCore.QPointF(0, highest)).y()
        title = made.drawn.captions.titles[k]
        words = title.pos().y() + title.boundingRect().height()
        assert top >= words - 4, "but for the frame around the words"


def test_what_was_saved_of_another_clip_is_said_no_more(desk: Desk, tmp_path: Path) -> None:
    play(desk)
    made = panel(desk)
    made.save_to(tmp_path / "x.csv")
    assert not made.saved.isHidden()
    desk.open()
    assert made.saved.isHidden()


@pytest.mark.parametrize("height", [34, 60, 120, 400])
def test_numbers_at_the_side_of_a_plot_do_not_lie_over_each_other(desk: Desk, height: int) -> None:
    axis, low, high = Axis("left"), 0.0, 480.0
    written = []
    for spacing, values in axis.tickValues(low, high, height):
        written += [v for v, word in zip(values, axis.tickStrings(values, 1.0, spacing), strict=True) if word]
    places = np.sort(written) / (high - low) * height
    assert len(places) >= 2 if height > 60 else len(places) >= 1
    assert (np.diff(places) >= QtGui.QFontMetrics(QtGui.QFont()).capHeight() + 2).all()


def test_a_zoom_by_hand_stays_until_a_double_click(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    QtWidgets.QApplication.processEvents()

    class Wheel:
        def modifiers(self) -> QtCore.Qt.KeyboardModifiers:
            return QtCore.Qt.KeyboardModifier.ControlModifier

        def pos(self) -> QtCore.QPointF:
            return made.drawn.plots[0].vb.rect().center()

        def delta(self) -> int:
            return 120

        def accept(self) -> None:
            pass

    made.drawn.plots[0].vb.updateAutoRange()
    before = made.drawn.plots[0].vb.viewRange()
    made.drawn.plots[0].vb.wheelEvent(Wheel())
    after = made.drawn.plots[0].vb.viewRange()
    assert after[0] == before[0]
    assert np.ptp(after[1]) < np.ptp(before[1])
    assert not made.bar.follow.isChecked()
    made._anew()
    assert made.drawn.plots[0].vb.viewRange() == after

    class Click:
        def button(self) -> QtCore.Qt.MouseButton:
            return QtCore.Qt.MouseButton.LeftButton

        def double(self) -> bool:
            return True

    made.drawn.clicked(Click())
    assert made.bar.follow.isChecked()
    made.drawn.plots[0].vb.updateAutoRange()
    assert made.drawn.plots[0].vb.viewRange()[1] == pytest.approx(before[1], abs=0.2)


def test_the_legend_names_tracks_in_the_colours_of_their_lines(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.corrected({2: "wing <tip>"})
    desk.bench.tracks.select([0, 2])
    made = panel(desk)
    made.redraw()
    assert made.drawn.legend.toPlainText().replace("\xa0", " ") == "● 0   ● wing <tip>"
    for track in (0, 2):
        colour = theme.current().track(track)
        assert colour in made.drawn.legend.toHtml()
        assert made.drawn.curves[0, track].opts["pen"].color().name() == colour


def test_one_plot_has_all_the_room_until_a_second_is_asked_for(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    before = made.drawn.plots[0].vb.height()
    made.bar.choice[1].setCurrentText(NONE)
    QtWidgets.QApplication.processEvents()
    assert not made.drawn.plots[1].isVisible()
    assert made.drawn.plots[0].vb.height() > 1.8 * before
    assert [name for _, name, _ in made.drawn.signals] == ["x_0_px"]


def test_statistics_of_a_part_are_those_of_its_values(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select([2])
    made = panel(desk)
    assert not made.drawn.part.words.isVisible()
    made.bar.choice[0].setCurrentText("y")
    made.bar.part.setChecked(True)
    made.drawn.part.regions[0].setRegion((10 / 600, 30 / 600))
    value = desk.bench.store.track(2)["y"][10:31]
    words = made.drawn.part.words.text().replace("\xa0", " ")
    assert f"y of 2: mean {value.mean():.5g}, rms {value.std():.3g}, peak to peak {np.ptp(value):.4g} px" in words
    assert "(21 values)" in words
    assert made.drawn.part.regions[1].getRegion() == (10 / 600, 30 / 600)
    made.bar.part.setChecked(False)
    assert not made.drawn.part.words.isVisible()


def test_what_is_drawn_is_remembered(desk: Desk, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "own.ini")
    first = TracesBar(lambda: None, settings)
    assert first.quantities == (Quantity.X, Quantity.Y)
    first.choice[0].setCurrentText("speed")
    first.choice[1].setCurrentText(NONE)
    first.of.setCurrentText("vx")
    first.smooth.setCurrentText("over 7 frames")
    second = TracesBar(lambda: None, settings)
    assert second.quantities == (Quantity.SPEED,)
    assert (second.of.currentText(), second.window) == ("vx", 7)
    settings.set_text("traces", "[1")
    assert TracesBar(lambda: None, settings).quantities == (Quantity.X, Quantity.Y)


def test_of_very_many_tracks_the_first_are_drawn_and_the_legend_says_so(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select(list(range(1000)))
    made = panel(desk)
    made.redraw()
    words = made.drawn.legend.toPlainText().replace("\xa0", " ")
    assert words.startswith(f"first {MOST_CURVES} of 1000 selected")
    desk.bench.tracks.select([0, 1])
    made.redraw()
    assert "first" not in made.drawn.legend.toPlainText()


def test_lines_stay_from_drawing_to_drawing_and_those_that_are_left_go(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select([0, 1, 2])
    made = panel(desk)
    made.redraw()
    before = list(made.drawn.curves.values())
    desk.bench.tracks.select([2])
    made.redraw()
    assert list(made.drawn.curves) == [(0, 2), (1, 2)]
    assert {line for line in before if line.isVisible()} == set(made.drawn.curves.values())
    np.testing.assert_allclose(made.drawn.curves[1, 2].getData()[1], desk.bench.store.track(2)["y"])


def test_a_zoomed_curve_is_drawn_finely_where_it_is_seen(desk: Desk) -> None:
    play(desk, 20_000)
    made = panel(desk)
    QtWidgets.QApplication.processEvents()
    line = made.drawn.curves[0, 0]
    assert len(line.getData()[0]) < 20_000
    made.drawn.plots[0].vb.setXRange(10.0, 10.1, padding=0)
    until(lambda: (line.getData()[0] > 9.99).sum() - (line.getData()[0] > 10.11).sum() >= 60)
    x, y = line.getData()
    seen = (x > 10.0) & (x < 10.1)
    np.testing.assert_allclose(y[seen], 100 + 2 * np.sin(2 * np.pi * 75 * x[seen]), atol=1e-9)


def test_curves_leave_room_for_the_words_above_them(desk: Desk) -> None:
    play(desk)
    box = panel(desk).drawn.plots[0].vb
    QtWidgets.QApplication.processEvents()
    box.updateAutoRange()
    low, high = box.viewRange()[1]
    assert (high - 102.0) / (high - low) * box.height() >= HEAD


def test_statistics_of_many_curves_end_between_two_of_them(app: QtWidgets.QApplication) -> None:
    made = Entries()
    made.resize(600, 40)
    entries = [f"x of {k}: mean 1.234, rms 0.123, peak to peak 4.321 px (21 values)" for k in range(24)]
    made.say("0.1 to 0.2 s:", entries)
    words = made.text().replace("\xa0", " ")
    shown = words.count("mean")
    assert words.endswith(f"and {24 - shown} more (in the tip)")
    assert 0 < shown < 24
    made.resize(20_000, 40)
    made.resizeEvent(QtGui.QResizeEvent(made.size(), made.size()))
    assert made.text().count("mean") == 24
    assert "more" not in made.text()


def test_lines_of_words_take_their_room_from_the_plots(desk: Desk) -> None:
    """A panel that grows pushes the video and the box that was clicked away, and does not come back."""
    made = panel(desk)
    least = made.minimumSizeHint().height()
    values = [f"x of {k}: mean 145.17, rms 2.88, peak to peak 9.514 px" for k in range(9)]
    made.drawn.part.words.say("0 to 1 s:", values)
    for turn in (lambda on: made.drawn.part.words.setVisible(on), made.saved.setVisible):
        turn(True)
        assert made.minimumSizeHint().height() <= least
        turn(False)
        assert made.minimumSizeHint().height() == least
