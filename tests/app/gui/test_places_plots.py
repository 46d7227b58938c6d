"""Places in space over time are drawn with what a screen can show, whatever there is."""

from __future__ import annotations

import numpy as np
import pytest
from pyqtgraph.Qt import QtWidgets

from app.gui.stereo.places_plots import MANY, MOST_EDGES, MOST_POINTS, Drawn, PlacesPlots
from app.gui.stereo.view_table import NOTHING

FRAMES = 9000


@pytest.fixture
def found() -> Drawn:
    """Two things; the first is lost for 1000 frames, and jumps in one."""
    frame = np.tile(np.arange(FRAMES), 2)
    frame[FRAMES // 2 : FRAMES] += 1000
    thing = np.repeat([0, 1], FRAMES)
    places = np.random.default_rng(1).normal(size=(2 * FRAMES, 3))
    places[777] = 1000.0
    moments = np.unique(frame)
    return Drawn("mm", True, False, thing, frame, frame / 500, places, np.full_like(places, 0.5),
                 np.zeros(2 * FRAMES), np.array([0, 1]), moments, moments / 500)  # fmt: skip


def test_long_curves_are_drawn_in_few_points_and_lose_no_peak(app: QtWidgets.QApplication, found: Drawn) -> None:
    del app
    plots = PlacesPlots()
    plots.resize(600, 400)
    for chosen in ((), (0,), (0, 1)):
        plots.show_found(found, chosen)
        plots.turns.finish()
        for plot in plots.axes:
            lines = list(plot.lines)
            assert len(lines) == len(plot.bands) == (len(chosen) or 2)
            time, value = lines[0].getData()
            assert FRAMES / 50 < len(time) <= MOST_POINTS + 100
            assert np.nanmax(value) == 1000.0
            assert np.isnan(value).any(), "where it was lost there is a gap"
            assert plot.bands[0].curves[0].getData()[0].size == MOST_EDGES
            low, high = plot.getViewBox().viewRange()[1]
            assert low < -1
            assert high >= 1000.0
    before = len(list(plots.axes[0].lines)[1].getData()[0])
    plots.axes[0].setXRange(2.0, 2.5, padding=0)
    assert len(list(plots.axes[0].lines)[1].getData()[0]) < before
    seen = list(plots.axes[0].lines)[1].getData()[0]
    assert ((seen > 2.0) & (seen < 2.5)).sum() >= 249, "all of what is looked at closely"
    plots.show_found(None)
    assert not any(list(plot.lines) or plot.bands for plot in plots.axes)


def test_errors_that_the_table_writes_as_nothing_are_nothing() -> None:
    assert f"{NOTHING:.3f}" == "0.001"
    assert f"{0.49 * NOTHING:.3f}" == "0.000"


def test_two_points_a_pixel_of_a_wide_plot_are_drawn_and_a_band_has_no_more_places_than_can_be_told_apart() -> None:
    wide = 1000
    assert 1.5 * wide < MOST_POINTS < 3 * wide
    assert wide / 5 < MOST_EDGES < wide / 2
    assert MANY < MOST_POINTS / 4, "what is drawn in wide lines is short"
