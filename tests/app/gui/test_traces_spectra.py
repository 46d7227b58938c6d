"""Spectra of the traces, and the noise that a tracker measured."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import reports
from app.desk.services.exporting import What
from app.desk.tracks.calibration import Calibration
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.traces.curves import AT_ONCE
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State
from pipelines.trackers.vibration import SPECTRA_DTYPE
from tests.app.gui.conftest import Desk
from tests.app.gui.traces import panel, play, until


def test_the_spectrum_names_its_peak(desk: Desk) -> None:
    play(desk, 256)
    made = panel(desk)
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    until(lambda: made.bar.words.text().startswith("peak  track 0: 75"))
    assert "Hz" in made.bar.words.text()
    assert not made.drawn.plots[1].isVisible()
    made.bar.tabs.setCurrentIndex(0)
    until(lambda: made.drawn.plots[1].isVisible())


def test_a_spectrum_has_a_quantity_of_its_own_and_several_peaks_are_told_shortly(desk: Desk) -> None:
    play(desk, 256)
    made = panel(desk)
    before = made.bar.quantities
    made.bar.tabs.setCurrentIndex(1)
    assert [quantity.value for quantity in made.bar.quantities] == ["y"]
    made.bar.of.setCurrentText("x")
    desk.bench.tracks.select([0, 2])
    until(lambda: "track 0: 75.0 ± 1.2 Hz, 2 px;   track 2: none, but a drift" in made.bar.words.text())
    assert made.bar.words.text().startswith("peak  track 0: 75")
    assert "lines" not in made.bar.words.text()
    assert "0: 75.0 ± 1.2 Hz, 2 px; lines 2.3 Hz apart" in made.bar.words.toolTip()
    made.bar.tabs.setCurrentIndex(0)
    assert made.bar.quantities == before


def test_peaks_are_copied_and_saved_as_a_table_with_units(desk: Desk, tmp_path: Path) -> None:
    clipboard = QtWidgets.QApplication.clipboard()
    play(desk, 256)
    made = panel(desk)
    with pytest.raises(InputError, match="choose Spectrum"):
        made.copy_peaks()
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    desk.bench.tracks.select([0, 2])
    until(lambda: len(made.drawn.peaks) == 2)
    assert made.copy_peaks() == "copied 1 peak of the spectra"
    head, first, second = [line.split("\t") for line in clipboard.text().splitlines()]
    assert head == ["track", "peak", "frequency_hz", "half_line_hz", "amplitude_x_mm", "note"]
    assert first[:2] == ["0", "1"]
    assert float(first[2]) == pytest.approx(75.0, abs=0.3)
    assert float(first[3]) == pytest.approx(600 / 256 / 2)
    assert float(first[4]) == pytest.approx(1.0, rel=0.05)
    assert second == ["2", "", "", "", "", "none, but a drift"]
    made.save_peaks(tmp_path / "peaks.csv")
    with (tmp_path / "peaks.csv").open() as file:
        assert list(csv.reader(file)) == [head, first, second]


def test_ctrl_c_copies_peaks_of_spectra_and_curves_over_time(desk: Desk) -> None:
    clipboard = QtWidgets.QApplication.clipboard()
    play(desk, 256)
    made = panel(desk)
    desk.window.show_panel("traces")
    made.drawn.graphics.setFocus()
    QtTest.QTest.keyClick(made.drawn.graphics, QtCore.Qt.Key.Key_C, QtCore.Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text().startswith("frame\ttime_s\tx_0_px\ty_0_px")
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    until(lambda: made.drawn.peaks)
    QtTest.QTest.keyClick(made.drawn.graphics, QtCore.Qt.Key.Key_C, QtCore.Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text().startswith("track\tpeak\tfrequency_hz")
    assert "Ctrl+C copies the peaks" in made.bar.words.toolTip()


def test_the_right_button_opens_the_menu_and_leaves_the_frame(desk: Desk) -> None:
    play(desk)
    made, menu = panel(desk), panel(desk).bar.save.menu()
    desk.window.show_panel("traces")
    QtTest.QTest.qWait(20)
    asked = len(desk.link.orders)
    view = made.drawn.graphics
    at = view.mapFromScene(made.drawn.plots[0].sceneBoundingRect().center())
    QtTest.QTest.mouseClick(view.viewport(), QtCore.Qt.MouseButton.RightButton, pos=at)
    until(menu.isVisible)
    copy = next(action for action in menu.actions() if action.text().startswith("Copy the peaks"))
    assert not copy.isEnabled()
    menu.close()
    assert len(desk.link.orders) == asked


def test_other_tracks_wait_for_no_pause(desk: Desk) -> None:
    """The first spectrum waits for a library to be loaded, and a drawing is followed by five times its own time."""
    play(desk, 256)
    made = panel(desk)
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    until(lambda: made.bar.words.text().startswith("peak  track 0"))
    until(lambda: not made._finder.busy)
    made._timer.start(600_000)
    desk.bench.tracks.select([2])
    until(lambda: made.bar.words.text().startswith("peak  track 2"))


def test_the_trackers_own_noise_lies_under_its_spectrum(desk: Desk) -> None:
    play(desk, 256)
    made, track = panel(desk), 0
    title = made.drawn.captions.titles[0].toPlainText
    made.bar.tabs.setCurrentIndex(1)
    made.bar.of.setCurrentText("x")
    assert made.drawn.floors == {}
    rows = np.zeros(4, SPECTRA_DTYPE)
    rows["track"], rows["frequency"], rows["noise_x"], rows["noise_y"] = track, [1.0, 2.0, 3.0, 4.0], 0.01, 0.02
    desk.link.reports.append(reports.Tables({"spectra": rows}))
    desk.bench.tick()
    made.bar.power.setCurrentIndex(1)
    until(lambda: set(made.drawn.floors) == {track} and title().startswith("x: density"))
    at, density = made.drawn.floors[track].getOriginalDataset()
    np.testing.assert_allclose(at, rows["frequency"])
    np.testing.assert_allclose(density, 1e-4)
    head = next(made.table().rows())
    assert [name for name in head if name.startswith(f"{track}_noise")] == [
        f"{track}_noise_frequency_hz", f"{track}_noise_amplitude_px", f"{track}_noise_density_(px)^2/hz",
    ]  # fmt: skip
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    until(lambda: f"{track}_amplitude_mm" in next(made.table().rows()))
    desk.link.reports.append(reports.Outdated())
    desk.bench.tick()
    assert desk.bench.tables == {}


def test_the_trackers_spectra_are_offered_where_there_are_some(desk: Desk) -> None:
    play(desk, 64)
    made = panel(desk)
    action = made.bar.save.menu().actions()[-1]
    made.bar.save.menu().aboutToShow.emit()
    assert not action.isEnabled()
    rows = np.zeros(4, SPECTRA_DTYPE)
    rows["frequency"] = [1.0, 2.0, 3.0, 4.0]
    desk.link.reports.append(reports.Tables({"spectra": rows}))
    desk.bench.tick()
    made.bar.save.menu().aboutToShow.emit()
    action.trigger()
    (dialog,) = desk.window.findChildren(ExportDialog)
    assert dialog.chosen is What.SPECTRA
    dialog.close()


def test_while_a_spectrum_is_worked_out_no_old_curve_is_seen(desk: Desk) -> None:
    frames = AT_ONCE + 10
    desk.open()
    rows = np.zeros(frames, TRACK_DTYPE)
    rows["frame"], rows["state"] = np.arange(frames), State.TRACKED
    rows["time"], rows["y"] = rows["frame"] / 600, np.sin(rows["frame"])
    desk.link.reports.append(reports.Rows(0, frames - 1, rows))
    desk.bench.tick()
    desk.bench.tracks.select([0])
    made = panel(desk)
    made.redraw()
    until(lambda: (0, 0) in made.drawn.curves)
    made.bar.tabs.setCurrentIndex(1)
    assert made._finder.busy
    assert not made.drawn.curves
    assert made.drawn.captions.titles[0].toPlainText() == "working out the spectrum…"
    until(lambda: made.bar.words.text().startswith("peak"))
    assert made.drawn.captions.titles[0].toPlainText().startswith("y: amplitude")


def test_one_frame_has_no_spectrum_and_no_old_one_stays(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points were placed anew: the axes kept the range of pixels and seconds, of which no powers of ten are numbers."""
    wrong: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *caught: wrong.append(caught))
    play(desk, 256)
    made = panel(desk)
    tabs = made.bar.tabs
    QtTest.QTest.mouseClick(tabs, QtCore.Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    until(lambda: made.drawn.spectra)
    desk.bench.store.forget_from(0)
    rows = np.zeros(1, TRACK_DTYPE)
    rows["state"], rows["x"], rows["y"] = State.TRACKED, 390.0, 960.0
    desk.link.reports.append(reports.Rows(0, 0, rows))
    desk.bench.tick()
    until(lambda: not made.drawn.spectra)
    QtTest.QTest.mouseClick(tabs, QtCore.Qt.MouseButton.LeftButton, pos=tabs.tabRect(0).center())
    until(lambda: made.drawn.signals)
    desk.window.grab()
    QtTest.QTest.mouseClick(tabs, QtCore.Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    until(lambda: not made.drawn.signals)
    desk.window.grab()
    assert wrong == []
    assert not made.drawn.curves
    assert all(made.drawn.plots[0].getAxis(side).silent for side in ("left", "bottom"))
