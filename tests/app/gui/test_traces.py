"""The traces: what is drawn is what is in the store, in the user's unit; clicks."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.engine import commands, reports
from app.desk.tracks.calibration import Calibration
from app.gui.traces.curves import AT_ONCE, lonely
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State
from tests.app.gui.conftest import Desk
from tests.app.gui.traces import panel, play, until


def test_curves_are_the_rows_in_the_users_unit(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    x, y = made.drawn.curves[0, 0].getData()
    np.testing.assert_allclose(y, desk.bench.store.track(0)["x"])
    np.testing.assert_allclose(x, np.arange(64) / 600)
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    made.redraw()
    np.testing.assert_allclose(made.drawn.curves[0, 0].getData()[1], 0.5 * desk.bench.store.track(0)["x"])
    assert "mm" in made.drawn.plots[0].getAxis("left").labelText


def test_distances_want_two_tracks_and_say_so(desk: Desk) -> None:
    play(desk)
    made = panel(desk)
    made.bar.choice[0].setCurrentText("distance of two")
    assert "select 2 tracks" in made.bar.words.text()
    desk.bench.tracks.select([1, 2])
    made.redraw()
    _, value = made.drawn.curves[0, 1].getData()
    np.testing.assert_allclose(value, 500 * (np.arange(64) / 600) ** 2, atol=1e-9)


def test_the_cursor_is_that_of_the_video_and_a_click_goes_there(desk: Desk) -> None:
    play(desk)
    desk.frame(12)
    made = panel(desk)
    made.redraw()
    assert made.drawn.cursors[0].value() == pytest.approx(12 / 600)
    desk.link.orders.clear()
    QtWidgets.QApplication.processEvents()
    at = made.drawn.plots[0].vb.mapViewToScene(QtCore.QPointF(30 / 600, 100.0))

    class Click:
        def button(self) -> QtCore.Qt.MouseButton:
            return QtCore.Qt.MouseButton.LeftButton

        def scenePos(self) -> QtCore.QPointF:  # noqa: N802
            return at

        def double(self) -> bool:
            return False

    made.drawn.clicked(Click())
    assert desk.link.orders == [commands.Pause(), commands.Seek(30)]


def test_hidden_panels_cost_nothing_and_catch_up(desk: Desk) -> None:
    made = panel(desk)
    desk.window.show_panel("messages")
    QtWidgets.QApplication.processEvents()
    play(desk)
    assert not made.drawn.curves
    desk.window.show_panel("traces")
    for _ in range(3):
        QtWidgets.QApplication.processEvents()
    assert made.drawn.curves


def test_many_rows_are_worked_out_aside_and_come_out_the_same(desk: Desk, tmp_path: Path) -> None:
    frames = AT_ONCE + 10
    desk.open()
    rows = np.zeros(2 * frames, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.repeat(np.arange(frames), 2), np.tile([0, 1], frames)
    rows["time"], rows["state"] = rows["frame"] / 600, State.TRACKED
    rows["x"] = 5 * np.sin(2 * np.pi * 60 * rows["time"]) + rows["track"]
    desk.link.reports.append(reports.Rows(0, frames - 1, rows))
    desk.bench.tick()
    desk.bench.tracks.select([1])
    made = panel(desk)
    made.redraw()
    assert made._finder.busy
    until(lambda: (0, 1) in made.drawn.curves)
    np.testing.assert_array_equal(made.drawn.curves[0, 1].getOriginalDataset()[1], rows["x"][1::2])
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    until(lambda: made.bar.words.text().startswith("peak  track 1: 60.000 ± 0.015 Hz, 5 px"))
    made.bar.tabs.setCurrentIndex(0)
    until(lambda: bool(made.drawn.signals))
    made.save_to(tmp_path / "long.csv")
    with pytest.raises(InputError, match="still being written"):
        made.save_to(tmp_path / "other.csv")
    until(lambda: any(message.sentence.startswith("saved") for message in desk.bench.messages))
    assert len((tmp_path / "long.csv").read_text().splitlines()) == 1 + frames


def test_points_that_no_line_reaches_are_dots(desk: Desk) -> None:
    desk.open()
    rows = np.zeros(7, TRACK_DTYPE)
    rows["frame"], rows["time"], rows["x"] = np.arange(7), np.arange(7) / 600, np.arange(7) * 2.0
    rows["state"] = [State.TRACKED if seen else State.LOST for seen in (1, 0, 1, 1, 0, 1, 0)]
    desk.link.reports.append(reports.Rows(0, 6, rows))
    desk.bench.tick()
    desk.bench.tracks.select([0])
    made = panel(desk)
    made.redraw()
    assert [dots.getData()[1].tolist() for dots in made.drawn.dots] == [[0.0, 10.0], [0.0, 0.0]]
    assert lonely(np.zeros(0)).tolist() == []
    desk.bench.tracks.select([])


def test_no_line_leads_over_frames_that_were_left_out(desk: Desk) -> None:
    desk.open()
    frames = np.array([*range(40), *range(50, 60), 70, *range(90, 120)])
    rows = np.zeros(len(frames), TRACK_DTYPE)
    rows["frame"], rows["time"], rows["x"], rows["state"] = frames, frames / 600, frames, State.TRACKED
    desk.link.reports.append(reports.Rows(0, 119, rows))
    desk.bench.tick()
    desk.bench.tracks.select([0])
    made = panel(desk)
    made.redraw()
    x, y = made.drawn.curves[0, 0].getData()
    assert np.isnan(y).sum() == 3  # a line is broken there
    assert y[np.flatnonzero(np.isnan(y)) - 1].tolist() == [39.0, 59.0, 70.0]
    assert (np.diff(x) > 0).all()
    ((dots, _), _) = (dot.getData() for dot in made.drawn.dots)
    np.testing.assert_allclose(dots, 70 / 600)
    assert len(made.drawn.signals[0][2].value) == len(frames)  # what is saved has no row more


def test_velocities_say_how_they_are_made_and_smoothing_its_window(desk: Desk) -> None:
    play(desk)
    desk.bench.tracks.select([2])
    made = panel(desk)
    assert not made.bar.smooth.isVisible()
    made.bar.choice[0].setCurrentText("vy")
    assert made.bar.smooth.isVisible()
    title = made.drawn.captions.titles[0]
    until(lambda: re.fullmatch(r"vy \[px/s\], order \d over \d+ frames, chosen", title.toPlainText()))
    made.bar.smooth.setCurrentText("exact")
    until(lambda: title.toPlainText() == "vy [px/s], central differences")
    t = np.arange(64) / 600
    np.testing.assert_allclose(made.drawn.curves[0, 2].getData()[1][1:-1], 1000 * t[1:-1])
    made.bar.choice[0].setCurrentText("ay")
    made.bar.smooth.setCurrentText("over 11 frames")
    until(lambda: title.toPlainText() == "ay [px/s²], cubic over 11 frames")
    np.testing.assert_allclose(made.drawn.curves[0, 2].getData()[1], 1000.0)


def test_an_angle_says_which_tracks_it_wants(desk: Desk) -> None:
    """Nobody selected a track: those that are drawn otherwise make no angle."""
    play(desk)
    made = panel(desk)
    made.bar.choice[1].setCurrentText("angle of three")
    for chosen, said in (((), "none selected"), ((0, 2), "2 selected")):
        desk.bench.tracks.select(chosen)
        made.redraw()
        title = made.drawn.captions.titles[1].toPlainText()
        assert title.startswith("angle of three: select 3 tracks, the corner second")
        assert title.endswith(said)
        assert not any(k == 1 for k, _ in made.drawn.curves)
        assert made.drawn.plots[1].getAxis("left").silent, "numbers of nothing"
    desk.bench.tracks.select([0, 1, 2])
    made.redraw()
    assert made.drawn.captions.titles[1].toPlainText() == "angle [°]"
    assert (1, 0) in made.drawn.curves
    assert not made.drawn.plots[1].getAxis("left").silent
