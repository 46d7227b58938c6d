"""Frequency responses in the analysis panel: the numbers, tables and pictures of `fusetrack frf`."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtWidgets

from app.cli import main
from app.desk.jobs.orders import FRF
from app.desk.tracks.calibration import Calibration
from app.exports.tables import write_tracks_parquet
from app.gui.analysis.panel import AnalysisPanel
from app.gui.analysis.responses import KINDS
from kernels.errors import InputError
from tests.app.gui.analysing import (
    answered,
    assert_lined_up,
    known,
    shaken,
    shown_panel,
    until,
)
from tests.app.gui.conftest import Desk
from tests.pipelines.analysis.driven import MODES, as_tracks, driven


@pytest.fixture
def panel(desk: Desk) -> AnalysisPanel:
    return shown_panel(desk)


def test_responses_are_those_of_the_command_beside_what_is_selected(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known(desk, shaken())
    panel.bar.tabs.setCurrentIndex(2)
    assert "elect the point" in panel.note.text()
    assert not desk.window.jobs.running
    desk.bench.tracks.select([0])
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
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    panel.bar.tabs.setCurrentIndex(2)
    assert not panel.bar.delay.isEnabled()
    panel.bar.uff.setChecked(True)
    panel.bar.delay.setValue(0.002)
    panel.bar.take_table(hammer)
    assert answered(desk, panel, FRF)["found"]["reference"] == "idle", "the first column, until another one is chosen"
    assert panel.bar.driver.currentText() == "beside idle of hammer.csv"
    desk.bench.tracks.select([1])
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


def test_another_reference_is_taken_by_a_click_or_from_the_list(
    desk: Desk, panel: AnalysisPanel, tmp_path: Path
) -> None:
    known(desk, shaken(1000))
    desk.bench.tracks.select([0])
    panel.bar.tabs.setCurrentIndex(2)
    assert answered(desk, panel, FRF)["found"]["reference"] == "track 0 y"
    desk.bench.tracks.select([2, 1])
    until(desk, lambda: panel.results[FRF]["found"]["reference"] == "track 2 y")
    assert [panel.bar.driver.itemData(at) for at in range(panel.bar.driver.count())] == [-1, 0, 1, 2, 3]
    panel.bar.driver.setCurrentIndex(1)
    panel.bar.driver.activated.emit(1)
    until(desk, lambda: panel.results[FRF]["found"]["reference"] == "track 0 y")
    until(desk, lambda: not desk.window.jobs.running)
    desk.bench.tracks.select([1])
    assert not desk.window.jobs.running, "the list says which"
    assert panel.note.isHidden()
    panel.bar.driver.setCurrentIndex(0)
    desk.bench.tracks.select([])
    next(one for one in panel.looks.menu.actions() if one.text() == "SVG").trigger()
    panel.save_to(tmp_path)
    until(desk, (tmp_path / "vortex_600fps.frf.svg").exists)
    assert panel.results[FRF]["found"]["reference"] == "track 0 y", "what is shown is saved, whatever is selected"
    until(desk, lambda: not desk.window.jobs.running)
    panel.bar.kind.setCurrentIndex(2)
    panel.bar.kind.activated.emit(2)
    assert {kind for kind, plot in panel.responses.plots.items() if plot.isVisible()} == {"phase"}


def test_what_is_wrong_is_said_without_options_of_the_command(desk: Desk, panel: AnalysisPanel) -> None:
    known(desk, shaken())
    panel.bar.tabs.setCurrentIndex(2)
    desk.bench.tracks.select([77])
    answered(desk, panel, FRF)
    until(desk, lambda: panel.note.text().startswith("Track 77: there is no such track among"))


def test_a_panel_that_opens_has_no_plots_of_responses_which_come_one_a_turn_once_they_are_asked_for(
    desk: Desk, panel: AnalysisPanel
) -> None:
    room = panel._responses
    assert room.made is None
    panel.themed()
    assert room.made is None, "other colours make none"
    known(desk, shaken())
    panel.bar.tabs.setCurrentIndex(2)
    desk.bench.tracks.select([0])
    answered(desk, panel, FRF)
    plots = panel.responses
    assert room.made is plots
    assert room.isVisible()
    until(desk, lambda: plots.turns.done)

    def drawn() -> list[int]:
        return [len(plots.plots[kind].getPlotItem().listDataItems()) for kind in KINDS]

    many = drawn()
    assert many == [len(plots.curves) // 3] * 3
    assert many[0] >= 2
    plots.show_found(panel.results[FRF]["found"])
    assert drawn() == [0, 0, 0], "each is drawn in a turn of its own"
    until(desk, lambda: plots.turns.done)
    assert drawn() == many
    plots.show_found(panel.results[FRF]["found"])
    plots.show_found(None)
    assert plots.turns.done, "what is no longer shown is not drawn"


def test_responses_that_cannot_be_told_are_refused_in_a_sentence(desk: Desk, panel: AnalysisPanel) -> None:
    known(desk, shaken(80))
    desk.bench.tracks.select([3])
    panel.bar.tabs.setCurrentIndex(2)
    panel.bar.resolution.setValue(0.5)
    assert answered(desk, panel, FRF) == {}
    until(desk, lambda: "segments" in panel.note.text())
    assert panel.responses.curves == {}
    assert panel.words.toPlainText() == ""
    assert not panel.bar.save.isEnabled()
