"""The analysis panel: the numbers, tables and pictures of the commands, worked out beside the window."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.cli import main
from app.desk.engine import reports
from app.desk.jobs.orders import MOTION, MSD, SHAPES
from app.desk.services.exporting import question_order
from app.desk.tracks.calibration import Calibration
from app.exports.tables import write_tracks_parquet
from app.gui.analysis.lines import WIDE
from app.gui.analysis.panel import AnalysisPanel
from app.gui.analysis.plots import AnalysisPlot
from kernels.errors import InputError
from tests.app.gui.analysing import (
    answered,
    assert_lined_up,
    beam,
    known,
    shown_panel,
    until,
    walkers,
)
from tests.app.gui.conftest import Desk


@pytest.fixture
def panel(desk: Desk) -> AnalysisPanel:
    return shown_panel(desk)


def test_squared_displacements_are_those_of_the_command(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known(desk, walkers())
    panel.redraw()
    result = answered(desk, panel, MSD)
    write_tracks_parquet(tmp_path / "tracks.parquet", walkers(), {})
    assert main(["msd", str(tmp_path / "tracks.parquet"), "-o", str(tmp_path / "theirs")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert result["report"] == printed[:-1], "but for the line with the folder"
    told = panel.words.toPlainText()
    assert told.split() == " ".join(printed[:-1]).split()
    assert max(map(len, told.splitlines())) <= WIDE, "without scrolling to the right"
    for name in ("msd.csv", "msd-tracks.csv", "diffusion.csv"):
        assert (panel.places[MSD] / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert main(["msd", str(tmp_path / "tracks.parquet"), "--json"]) == 0
    assert result["found"] == json.loads(capsys.readouterr().out)
    lag, msd = panel.plot.curves["all tracks, 95 %"]
    with (tmp_path / "theirs" / "msd.csv").open() as file:
        told = list(csv.DictReader(file))
    np.testing.assert_allclose(lag, [float(row["lag_s"]) for row in told], rtol=1e-8)
    np.testing.assert_allclose(msd, [float(row["msd_px2"]) for row in told], rtol=1e-8)
    panel.copy()
    text = QtWidgets.QApplication.clipboard().text().splitlines()
    assert text[0].split("\t") == list(told[0])
    assert len(text) == len(told) + 1


def test_choices_ask_anew_and_what_has_changed_since_is_said(desk: Desk, panel: AnalysisPanel) -> None:
    known(desk, walkers())
    panel.redraw()
    first = answered(desk, panel, MSD)["found"]
    assert panel.note.isHidden()
    assert first["noise_taken_away"] == "stated"
    panel.results.clear()
    panel.bar.floor.setCurrentIndex(panel.bar.floor.findData("none"))
    assert answered(desk, panel, MSD)["found"]["noise_taken_away"] == "none"
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    assert "Compute" in panel.note.text()
    panel.results.clear()
    panel.bar.compute.click()
    found = answered(desk, panel, MSD)["found"]
    assert found["units"]["length"] == "mm"
    assert found["diffusion"]["d"] == pytest.approx(0.25 * first["diffusion"]["d"], rel=1e-6)
    desk.bench.tracks.select([0, 1, 2, 3])
    assert panel.note.isHidden(), "the selection was not asked about"
    panel.results.clear()
    panel.bar.chosen.setChecked(True)
    assert answered(desk, panel, MSD)["found"]["tracks"] == 4
    more = walkers(frames=121)
    desk.link.reports.append(reports.Rows(120, 120, more[more["frame"] == 120]))
    desk.bench.tick()
    assert "Compute" in panel.note.text()


def test_a_question_that_tracks_cannot_answer_is_answered_in_a_sentence(desk: Desk, panel: AnalysisPanel) -> None:
    assert "once a clip" in panel.note.text()
    known(desk, walkers(frames=12)[:60])
    panel.bar.least.setValue(50)
    assert answered(desk, panel, MSD) == {}
    assert "seen in 50 frames" in panel.note.text()
    assert not panel.bar.save.isEnabled()
    with pytest.raises(InputError, match="nothing to save"):
        panel.copy()


def test_motion_is_that_of_the_command_and_its_fit_too(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known(desk, beam())
    panel.bar.tabs.setCurrentIndex(3)
    panel.bar.model.setCurrentIndex(panel.bar.model.findData("sine"))
    panel.bar.compute.click()
    result = answered(desk, panel, MOTION)
    write_tracks_parquet(tmp_path / "tracks.parquet", beam(), {})
    theirs = tmp_path / "theirs"
    words = ["--min-frames", "10", "--fit", "sine", "-o", str(theirs)]
    assert main(["motion", str(tmp_path / "tracks.parquet"), *words]) == 0
    assert result["report"] == capsys.readouterr().out.splitlines()[:-1]
    for name in ("motion.csv", "fits.json"):
        assert (panel.places[MOTION] / name).read_bytes() == (theirs / name).read_bytes()
    assert "frequency 75.0" in panel.words.toPlainText()
    assert len(panel.plot.curves) == 8
    assert panel.bar.model.isVisibleTo(panel)
    assert not panel.bar.floor.isVisibleTo(panel.bar)


def test_options_of_motion_are_those_of_the_command(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typed and clicked: window, order, a ground, a distance, an angle, a region of what is seen, frames."""
    known(desk, beam())
    panel.bar.tabs.setCurrentIndex(3)
    answered(desk, panel, MOTION)
    form = panel.bar.motion
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    desk.bench.player.set_range(10, 200)
    desk.bench.tracks.select([0, 1])
    QtTest.QTest.mouseClick(form.reference.take, QtCore.Qt.MouseButton.LeftButton)
    form.width_box.setValue(0.03)
    form.order.setCurrentIndex(form.order.findData(3))
    form.order.activated.emit(form.order.currentIndex())
    for field, words in ((form.distances, "3,8; 2,4"), (form.angles, "2,5,8")):
        QtTest.QTest.keyClicks(field, words)
        QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_Return)
    form.marked.click()
    QtTest.QTest.mouseClick(form.seen, QtCore.Qt.MouseButton.LeftButton)
    assert form.regions.text().startswith("region1=rect:-0.25,-0.25,192,144")
    until(desk, lambda: not desk.window.jobs.running and not panel._again)
    panel.bar.compute.click()
    until(desk, lambda: not desk.window.jobs.running and panel.note.isHidden())
    write_tracks_parquet(tmp_path / "tracks.parquet", beam(), {})
    words = ["--min-frames", "10", "--scale", "0.5 mm/px", "--reference", "0,1", "--window", "0.03", "--order", "3",
             "--distance", "3,8", "--distance", "2,4", "--angle", "2,5,8", "--frames", "10:200", "--region",
             form.regions.text(), "-o", str(tmp_path / "theirs")]  # fmt: skip
    capsys.readouterr()
    assert main(["motion", str(tmp_path / "tracks.parquet"), *words]) == 0
    assert panel.results[MOTION]["report"] == capsys.readouterr().out.splitlines()[:-1]
    for name in ("motion.csv", "measures.csv", "motion-tracks.csv"):
        assert (panel.places[MOTION] / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    form.distances.clear()
    QtTest.QTest.keyClicks(form.distances, "3")
    QtTest.QTest.keyClick(form.distances, QtCore.Qt.Key.Key_Return)
    assert "takes two tracks, such as 0,1, not '3'" in panel.note.text()


def test_shapes_are_those_of_the_command_and_lie_over_the_picture(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known(desk, beam())
    panel.bar.tabs.setCurrentIndex(1)
    result = answered(desk, panel, SHAPES)
    write_tracks_parquet(tmp_path / "tracks.parquet", beam(), {})
    assert main(["shapes", str(tmp_path / "tracks.parquet"), "-o", str(tmp_path / "theirs")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert result["report"] == printed[:-1]
    assert (panel.places[SHAPES] / "shapes.csv").read_bytes() == (tmp_path / "theirs" / "shapes.csv").read_bytes()
    assert panel.bar.peak.currentText() == f"{result['found']['peaks_hz'][0]:.5g} Hz"
    tip = next(row for row in result["found"]["shapes"] if (row["track"], row["axis"]) == (8, "y"))
    line = next(line.split() for line in panel.words.toPlainText().splitlines() if line.split()[:2] == ["8", "y"])
    assert [float(line[2]), float(line[3])] == pytest.approx([tip["amplitude_px"], tip["amplitude_sigma_px"]], rel=0.05)
    assert float(line[2]) == pytest.approx(0.5, abs=5 * float(line[3]))
    text = panel.words.toPlainText().splitlines()
    assert_lined_up(panel, [line for line in text if line.split()[1:2] in (["y"], ["axis"])])
    bending = panel.bending
    assert bending.running
    assert bending.times(2.0) == 20.0, "the tip's half px becomes 20 of the screen, not 50"
    np.testing.assert_allclose(bending.places[:, 0], np.linspace(20, 340, 9), atol=0.01)
    out = bending.ways(0.0)[:, 1]
    np.testing.assert_allclose(out / out[-1], (np.linspace(0, 320, 9) / 320) ** 2, atol=0.01)
    assert np.abs(bending.ways(math.pi / 2)[:, 1]).max() < 0.01
    assert 0 < bending.sigmas[0, 1] < 0.003
    scale, before = desk.bench.calibration, bending.ways(0.0)
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    panel.results.clear()
    panel.compute()
    answered(desk, panel, SHAPES)
    np.testing.assert_allclose(bending.ways(0.0), before, atol=1e-6)
    desk.bench.tracks.set_calibration(scale)
    panel.bar.moving.setChecked(False)
    assert not bending.running
    panel.bar.over.setChecked(False)
    assert len(bending.places) == 0


def test_tables_and_picture_are_saved_and_nothing_is_written_over(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path
) -> None:
    known(desk, beam())
    panel.bar.tabs.setCurrentIndex(1)
    answered(desk, panel, SHAPES)
    panel.save_to(tmp_path)
    panel.save_to(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir() if "shapes" in path.name)
    assert names == [f"vortex_600fps{n}.shapes.{end}" for n in ("-2", "") for end in ("csv", "png")]
    next(one for one in panel.looks.menu.actions() if one.text() == "SVG").trigger()
    panel.save_to(tmp_path)
    made = tmp_path / "vortex_600fps.shapes.svg"
    until(desk, made.exists)
    assert made.read_bytes().startswith(b"<?xml")
    panel.save_to(tmp_path)
    assert made.with_name("vortex_600fps-2.shapes.svg").exists(), "it looks so now"
    until(desk, lambda: not desk.window.jobs.running)
    look = {one.text(): one for one in panel.looks.menu.actions()}
    look["PDF"].trigger()
    panel.save_to(tmp_path)
    panel.bar.tabs.setCurrentIndex(0)
    until(desk, (tmp_path / "vortex_600fps.shapes.pdf").exists)
    assert not list(tmp_path.glob("*.msd.*")), "what was asked to be saved, though another question is in front"
    answered(desk, panel, MSD)
    look["PNG"].trigger()
    saved = set(tmp_path.iterdir())
    panel.save_to(tmp_path)
    desk.window.jobs.stop(desk.window.jobs.running[0])
    until(desk, lambda: not desk.window.jobs.running)
    assert f"nothing was saved in {tmp_path}" in desk.bench.messages[-1].sentence
    assert MSD in panel.results, "the answer that is shown stays"
    panel.save_to(tmp_path)
    known(desk, walkers())
    assert f"nothing was saved in {tmp_path}: a clip was opened" in desk.bench.messages[-1].sentence
    panel.compute()
    answered(desk, panel, MSD)
    assert set(tmp_path.iterdir()) == saved, "nothing of another clip"
    folder = panel._folder
    assert folder is not None
    desk.window.panels["analysis"].shut()
    assert not folder.exists()


def test_a_panel_that_was_there_before_the_tracks_says_what_to_do(desk: Desk, panel: AnalysisPanel) -> None:
    """It was empty and said nothing where it was in front since the last start."""
    known(desk, walkers())
    assert panel.results == {}
    assert "Compute works it out" in panel.note.text()
    assert not panel.note.isHidden()
    panel.bar.compute.click()
    answered(desk, panel, MSD)
    assert panel.note.isHidden()


def test_another_clip_has_no_answers_yet(desk: Desk, panel: AnalysisPanel) -> None:
    known(desk, beam())
    panel.bar.tabs.setCurrentIndex(1)
    answered(desk, panel, SHAPES)
    desk.open()
    assert panel.results == {}
    assert panel.plot.curves == {}
    assert not panel.bending.running


def test_a_shape_leaves_the_picture_with_the_pipeline_that_it_is_of(desk: Desk, panel: AnalysisPanel) -> None:
    known(desk, beam())
    panel.bar.tabs.setCurrentIndex(1)
    answered(desk, panel, SHAPES)
    assert panel.bending.running
    choice = desk.window.pipeline.choice
    choice.setFocus()
    choice.setCurrentText("vibration")
    choice.activated.emit(choice.currentIndex())
    assert desk.bench.pipeline.name == "vibration"
    assert not panel.bending.running
    assert len(panel.bending.places) == 0
    assert "about the pipeline before" in panel.note.text()
    desk.link.reports.append(reports.Outdated())
    desk.bench.tick()
    panel.show_peak()
    assert len(panel.bending.places) == 0
    with pytest.raises(InputError, match="no tracks of this pipeline yet"):
        question_order(desk.bench, panel.bar.question, Path("unused"))


def test_what_is_saved_is_what_is_shown_while_the_next_answer_is_written(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path
) -> None:
    """Both lay in one folder: a save while it was worked out anew could have files of either."""
    known(desk, walkers())
    panel.redraw()
    answered(desk, panel, MSD)
    first, shown = panel.places[MSD], (panel.places[MSD] / "msd.csv").read_bytes()
    panel.bar.floor.setCurrentIndex(panel.bar.floor.findData("none"))
    until(desk, lambda: any((path / "msd.csv").exists() for path in first.parent.iterdir() if path != first))
    panel.save_to(tmp_path)
    assert (tmp_path / "vortex_600fps.msd.csv").read_bytes() == shown
    until(desk, lambda: not desk.window.jobs.running)
    assert panel.places[MSD] != first
    assert not first.exists()


def test_no_question_makes_the_window_wider_than_a_small_screen(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path
) -> None:
    """Responses asked for 1380 px: on a small screen Compute lay beyond its edge."""
    table = tmp_path / f"{'a long name ' * 8}.csv"
    table.write_text("time_s,force (N)\n0,1\n1,2\n")
    for question in range(panel.bar.tabs.count()):
        panel.bar.tabs.setCurrentIndex(question)
        if question == 2:
            panel.bar.take_table(table)
        QtWidgets.QApplication.processEvents()
        assert desk.window.minimumSizeHint().width() <= 1200, question
    for wide in (1, 2000):
        desk.window.resize(wide, 700)
        QtWidgets.QApplication.processEvents()
        for part in (panel.bar.driver, panel.bar.table, panel.bar.more, panel.bar.compute, panel.bar.save):
            assert panel.rect().contains(part.mapTo(panel, part.rect().bottomRight())), wide
            assert part.width() >= part.minimumSizeHint().width(), wide


def test_lines_of_speeds_are_so_thin_that_qt_draws_them_without_outlines(app: QtWidgets.QApplication) -> None:
    del app
    plot = AnalysisPlot()
    drawn = [{"track": k, "time_s": [0.0, 0.1, 0.2], "speed": [1.0, None, 2.0]} for k in range(3)]
    plot.show_motion({"units": {"length": "px"}, "drawn": drawn})
    assert [item.opts["pen"].widthF() for item in plot.listDataItems()] == [1.0] * 3
    plot.show_motion(None)
    assert not plot.listDataItems()
