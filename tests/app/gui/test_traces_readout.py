"""What the curves are worth under the mouse."""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt import QtCore

from app.desk.engine import reports
from app.gui.traces.plots import Plots
from pipelines.trackers.vibration import SPECTRA_DTYPE
from tests.app.gui.conftest import Desk
from tests.app.gui.traces import panel, play, until


def over(drawn: Plots, k: int, x: float, y: float) -> None:
    """Move the mouse over a plot, to a place on its axes."""
    drawn.graphics.scene().sigMouseMoved.emit(drawn.plots[k].vb.mapViewToScene(QtCore.QPointF(x, y)))


def told(drawn: Plots, k: int) -> str:
    """What a plot says, "" for nothing."""
    words = drawn.readout.words[k]
    return words.toPlainText().replace("\N{NO-BREAK SPACE}", " ") if words.isVisible() else ""


def test_both_plots_tell_time_frame_and_values_of_the_nearest_point(desk: Desk) -> None:
    play(desk)
    drawn = panel(desk).drawn
    desk.bench.tracks.select([0, 2])
    until(lambda: (1, 2) in drawn.curves)
    over(drawn, 0, 10.3 / 600, 100.0)
    x, y = 100 + 2 * np.sin(2 * np.pi * 75 * 10 / 600), 20 + 500 * (10 / 600) ** 2
    assert told(drawn, 0).startswith("0.0167 s, frame 10")
    assert f"0: {x:.6g} px" in told(drawn, 0)
    assert "2: 10 px" in told(drawn, 0)
    assert "0: 50 px" in told(drawn, 1)
    assert f"2: {y:.6g} px" in told(drawn, 1)
    assert [line.value() for line in drawn.readout.lines] == [10 / 600] * 2, "one line through both"
    np.testing.assert_allclose(sorted(drawn.readout.dots[0].getData()[1]), [10, x])
    drawn.readout.eventFilter(drawn.graphics, QtCore.QEvent(QtCore.QEvent.Type.Leave))
    assert not told(drawn, 0)
    assert not any(line.isVisible() for line in drawn.readout.lines)


def test_a_track_that_has_no_value_there_says_so(desk: Desk) -> None:
    play(desk)
    drawn = panel(desk).drawn
    until(lambda: drawn.plots[1].vb.viewRange()[1][0] > 40)
    assert drawn.found is not None
    (curve,) = drawn.found.plots[0]
    curve.signal.value[20:30] = np.nan
    over(drawn, 1, 25 / 600, 50.0)
    assert "frame 25" in told(drawn, 1)
    assert "0: 50 px" in told(drawn, 1)
    assert "0: \N{EN DASH}" in told(drawn, 0)


def test_spectra_tell_frequency_height_and_noise_on_logarithmic_axes(desk: Desk) -> None:
    play(desk, 256)
    made, drawn = panel(desk), panel(desk).drawn
    rows = np.zeros(2, SPECTRA_DTYPE)
    rows["frequency"], rows["noise_x"] = [1.0, 300.0], 0.01
    desk.link.reports.append(reports.Tables({"spectra": rows}))
    desk.bench.tick()
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    until(lambda: 0 in drawn.floors and made.bar.words.text().startswith("peak  track 0: 75"))
    assert made.bar.log.isChecked()
    over(drawn, 0, np.log10(75.3), 0.0)
    assert told(drawn, 0).startswith("75.0 Hz")
    assert "0: 2, noise 0.0265 px" in told(drawn, 0)
    assert drawn.readout.lines[0].value() == np.log10(75.0)
    made.bar.power.setCurrentIndex(1)
    until(lambda: "(px)²/Hz" in told(drawn, 0))
    made.bar.tabs.setCurrentIndex(0)
    until(lambda: drawn.plots[1].isVisible())
    assert "Hz" not in told(drawn, 0)
