"""The analysis panel: the numbers, tables and pictures of the commands, worked out beside the window."""

from __future__ import annotations

import csv
import json
import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pyqtgraph.Qt import QtGui, QtWidgets

from app.cli import main
from app.desk.engine import reports as say
from app.desk.jobs.analysing import FRF, MSD, SHAPES
from app.desk.tracks.calibration import Calibration
from app.exports.tables import write_tracks_parquet
from app.gui.analysis.lines import WIDE
from app.gui.analysis.panel import AnalysisPanel
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks
from tests.app.gui.conftest import Desk
from tests.pipelines.analysis.driven import MODES, as_tracks, driven

RATE = 600.0


def walkers(tracks: int = 12, frames: int = 120) -> Tracks:
    """Brownian motion."""
    steps = np.random.default_rng(5).normal(0, 0.4, (frames, tracks, 2))
    places = 100 + 8 * np.arange(tracks)[:, None] + np.cumsum(steps, axis=0)
    return table(places, 0.02)


def beam(points: int = 9, frames: int = 256) -> Tracks:
    """Bending at 75 Hz, the tip in the middle of the beam's amplitude of 0.5 px; the noise has sigma 0.01 px."""
    rng = np.random.default_rng(3)
    along = np.linspace(20, 340, points)
    swing = np.sin(2 * math.pi * 75.0 * np.arange(frames) / RATE)
    places = np.zeros((frames, points, 2))
    places[..., 0], places[..., 1] = along, 100 + 0.5 * swing[:, None] * ((along - 20) / 320) ** 2
    return table(places + rng.normal(0, 0.01, places.shape), 0.01)


def table(places: npt.NDArray[np.float64], sigma: float) -> Tracks:
    frames, tracks = places.shape[:2]
    rows = np.zeros(frames * tracks, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.repeat(np.arange(frames), tracks), np.tile(np.arange(tracks), frames)
    rows["time"], rows["state"], rows["score"] = rows["frame"] / RATE, State.TRACKED, 0.9
    rows["x"], rows["y"] = places[..., 0].ravel(), places[..., 1].ravel()
    for name in ("sigma", "sigma_x", "sigma_y"):
        if name in TRACK_DTYPE.names:
            rows[name] = sigma
    return rows


def until(desk: Desk, good: Callable[[], object]) -> None:
    end = time.monotonic() + 90
    while not good():
        assert time.monotonic() < end
        QtWidgets.QApplication.processEvents()
        desk.window.jobs.tick()
        time.sleep(0.005)


def known(desk: Desk, rows: Tracks) -> None:
    desk.open()
    desk.frame(0, tracks=0)
    desk.link.reports.append(say.Rows(0, int(rows["frame"].max()), rows))
    desk.bench.tick()


@pytest.fixture
def panel(desk: Desk) -> AnalysisPanel:
    made = desk.window.panels["analysis"]
    assert isinstance(made, AnalysisPanel)
    desk.window.show_panel("analysis")
    return made


def answered(desk: Desk, panel: AnalysisPanel, question: str) -> dict[str, Any]:
    until(desk, lambda: question in panel.results or panel._of.get(question, (0, ""))[1])
    until(desk, lambda: not desk.window.jobs.running)
    return panel.results.get(question, {})


def assert_lined_up(panel: AnalysisPanel, lines: list[str]) -> None:
    """Columns end at the same letter, and letters are as wide as each other."""
    ends = [[match.end() for match in re.finditer(r"\S+(?: \S+)*", line)] for line in lines]
    assert len(ends) > 1
    assert ends == [ends[0]] * len(ends)
    font = QtGui.QFontMetricsF(panel.words.font())
    assert font.horizontalAdvance("iiii") == font.horizontalAdvance("MMMM")


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
    desk.bench.set_calibration(Calibration(0.5, "mm"))
    assert "Compute" in panel.note.text()
    panel.results.clear()
    panel.bar.compute.click()
    found = answered(desk, panel, MSD)["found"]
    assert found["units"]["length"] == "mm"
    assert found["diffusion"]["d"] == pytest.approx(0.25 * first["diffusion"]["d"], rel=1e-6)
    desk.bench.select([0, 1, 2, 3])
    assert panel.note.isHidden(), "the selection was not asked about"
    panel.results.clear()
    panel.bar.chosen.setChecked(True)
    assert answered(desk, panel, MSD)["found"]["tracks"] == 4
    more = walkers(frames=121)
    desk.link.reports.append(say.Rows(120, 120, more[more["frame"] == 120]))
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
    desk.bench.set_calibration(Calibration(0.5, "mm"))
    panel.results.clear()
    panel.compute()
    answered(desk, panel, SHAPES)
    np.testing.assert_allclose(bending.ways(0.0), before, atol=1e-6)
    desk.bench.set_calibration(scale)
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
    folder = panel._folder
    assert folder is not None
    desk.window.analysis.shut()
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


def shaken(frames: int = 4000) -> Tracks:
    """A base (track 0) that shakes, and three points that answer with the resonances of `driven`; 0.01 px of noise."""
    places, force = driven(1, frames, 0.0)
    base = np.stack((np.zeros_like(force), force))[None]
    both = 0.2 * np.concatenate((base, places)) + np.random.default_rng(4).normal(0, 0.01, (4, 2, frames))
    return as_tracks(both)


def test_responses_are_those_of_the_command_beside_what_is_selected(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known(desk, shaken())
    panel.bar.tabs.setCurrentIndex(2)
    assert "elect the point" in panel.note.text()
    assert not desk.window.jobs.running
    desk.bench.select([0])
    result = answered(desk, panel, FRF)
    assert panel.note.isHidden()
    write_tracks_parquet(tmp_path / "tracks.parquet", shaken(), {})
    assert main(["frf", str(tmp_path / "tracks.parquet"), "--reference", "0", "-o", str(tmp_path / "theirs")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert result["report"] == printed[:-1]
    for name in ("frf.csv", "modes.csv"):
        assert (panel.places[FRF] / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    with (tmp_path / "theirs" / "modes.csv").open() as file:
        told = list(csv.DictReader(file))
    assert len(told) == len(MODES)
    text = panel.words.toPlainText().splitlines()
    first = next(at for at, line in enumerate(text) if line.split()[:2] == ["mode", "frequency"])
    assert_lined_up(panel, text[first : first + 3])
    for row, line, (frequency, _, _) in zip(told, text[first + 1 :], MODES, strict=False):
        assert float(line.split()[1]) == pytest.approx(float(row["frequency_hz"]), rel=1e-5)
        assert float(line.split()[2]) == pytest.approx(float(row["frequency_sigma_hz"]), rel=0.06)
        assert float(row["frequency_hz"]) == pytest.approx(frequency, abs=5 * float(row["frequency_sigma_hz"]))
    with (tmp_path / "theirs" / "frf.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if (row["track"], row["axis"]) == ("1", "y")]
    for kind, name in (("magnitude", "magnitude"), ("coherence", "coherence")):
        f, values = panel.responses.curves[kind, "1 y"]
        np.testing.assert_allclose(f, [float(row["frequency_hz"]) for row in rows], rtol=1e-8)
        np.testing.assert_allclose(values, [float(row[name]) for row in rows], rtol=1e-7)
    panel.copy()
    copied = QtWidgets.QApplication.clipboard().text().splitlines()
    assert copied[0].split("\t") == list(told[0])
    panel.save_to(tmp_path)
    assert {path.name for path in tmp_path.iterdir() if ".frf." in path.name or ".modes." in path.name} == {
        f"vortex_600fps.{name}" for name in ("frf.csv", "frf.png", "modes.csv")}  # fmt: skip


def test_responses_beside_a_force_are_those_of_the_command(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The window took points of the clip alone, and wrote no universal file."""
    pyuff = pytest.importorskip("pyuff")
    places, force = driven(1, 4000, 0.0)
    rows = as_tracks(0.1 * places + np.random.default_rng(4).normal(0, 0.01, places.shape))
    times = rows["time"][rows["track"] == 0] - 0.002
    hammer = tmp_path / "hammer.csv"
    lines = (f"{t:.9f},{t:.3f},{f:.9g}" for t, f in zip(times.tolist(), force.tolist(), strict=True))
    hammer.write_text("\n".join(["time_s,idle,force (N)", *lines]))
    known(desk, rows)
    desk.bench.set_calibration(Calibration(0.5, "mm"))
    panel.bar.tabs.setCurrentIndex(2)
    assert not panel.bar.delay.isEnabled()
    panel.bar.uff.setChecked(True)
    panel.bar.delay.setValue(0.002)
    panel.bar.take_table(hammer)
    assert answered(desk, panel, FRF)["found"]["reference"] == "idle", "the first column, until another one is chosen"
    assert panel.bar.driver.currentText() == "beside idle of hammer.csv"
    desk.bench.select([1])
    assert not desk.window.jobs.running, "a click is no other force"
    panel.bar.driver.setCurrentIndex(panel.bar.driver.findData("force (N)"))
    panel.bar.driver.activated.emit(2)
    until(desk, lambda: panel.results[FRF]["found"]["reference"] == "force (N)")
    result = answered(desk, panel, FRF)
    assert panel.note.isHidden()
    assert panel.bar.delay.isEnabled()
    assert not panel.bar.axis.isEnabled()
    write_tracks_parquet(tmp_path / "tracks.parquet", rows, {})
    told = ["--input", str(hammer), "--column", "force (N)", "--delay", "0.002", "--scale", "0.5 mm/px", "--uff"]
    assert main(["frf", str(tmp_path / "tracks.parquet"), *told, "-o", str(tmp_path / "theirs")]) == 0
    assert result["report"] == capsys.readouterr().out.splitlines()[:-1]
    for name in ("frf.csv", "modes.csv"):
        assert (panel.places[FRF] / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    ours, theirs = (pyuff.UFF(str(place / "frf.uff")).read_sets() for place in (panel.places[FRF], tmp_path / "theirs"))
    assert len(ours) == len(theirs) == 1 + 3 * 2 * 2
    np.testing.assert_array_equal(ours[-2]["data"], theirs[-2]["data"])
    assert result["found"]["unit"] == "mm/N"
    found = [mode["frequency_hz"] for mode in result["found"]["modes"]]
    assert found == pytest.approx([frequency for frequency, _, _ in MODES], rel=0.01)
    panel.save_to(tmp_path)
    assert (tmp_path / "vortex_600fps.frf.uff").stat().st_size > 1000
    desk.open()
    assert panel.bar.drives == hammer, "the same clip"
    panel._clip = "another.mp4"
    desk.open()
    assert panel.bar.drives is None
    assert panel.bar.driver.currentData() == -1


def test_a_table_that_drives_nothing_is_refused_in_a_sentence(desk: Desk, panel: AnalysisPanel, tmp_path: Path) -> None:
    known(desk, shaken(1000))
    panel.bar.tabs.setCurrentIndex(2)
    for name, words, why in (
        ("a.csv", "x,y\n1,2\n", "no column of times"), ("b.csv", "time_s\n1\n", "beside the times"),
        ("c.csv", "", "empty"), ("d.csv", "a\0b", "neither CSV nor Parquet"),
    ):  # fmt: skip
        (tmp_path / name).write_text(words)
        with pytest.raises(InputError, match=why):
            panel.bar.take_table(tmp_path / name)
        assert panel.bar.drives is None
    late = tmp_path / "late.csv"
    late.write_text("\n".join(["time_s,force_N", *(f"{900 + k / 1000},{k % 7}" for k in range(2000))]))
    panel.bar.take_table(late)
    assert answered(desk, panel, FRF) == {}
    until(desk, lambda: "it lasts from 900" in panel.note.text())


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


def test_another_reference_is_taken_by_a_click_or_from_the_list(desk: Desk, panel: AnalysisPanel) -> None:
    known(desk, shaken(1000))
    desk.bench.select([0])
    panel.bar.tabs.setCurrentIndex(2)
    assert answered(desk, panel, FRF)["found"]["reference"] == "track 0 y"
    desk.bench.select([2, 1])
    until(desk, lambda: panel.results[FRF]["found"]["reference"] == "track 2 y")
    assert [panel.bar.driver.itemData(at) for at in range(panel.bar.driver.count())] == [-1, 0, 1, 2, 3]
    panel.bar.driver.setCurrentIndex(1)
    panel.bar.driver.activated.emit(1)
    until(desk, lambda: panel.results[FRF]["found"]["reference"] == "track 0 y")
    until(desk, lambda: not desk.window.jobs.running)
    desk.bench.select([1])
    assert not desk.window.jobs.running, "the list says which"
    assert panel.note.isHidden()
    panel.bar.kind.setCurrentIndex(2)
    panel.bar.kind.activated.emit(2)
    assert {kind for kind, plot in panel.responses.plots.items() if plot.isVisible()} == {"phase"}


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


def test_responses_that_cannot_be_told_are_refused_in_a_sentence(desk: Desk, panel: AnalysisPanel) -> None:
    known(desk, shaken(80))
    desk.bench.select([3])
    panel.bar.tabs.setCurrentIndex(2)
    panel.bar.resolution.setValue(0.5)
    assert answered(desk, panel, FRF) == {}
    until(desk, lambda: "segments" in panel.note.text())
    assert panel.responses.curves == {}
    assert panel.words.toPlainText() == ""
    assert not panel.bar.save.isEnabled()
