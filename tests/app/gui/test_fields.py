"""Strain in the panel Analysis, and fields over the video: colours, arrows, the bar, what they say, what is saved."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtGui, QtWidgets

from app.analysis.strain import StrainOptions, parse_extensometer, strain_of
from app.analysis.strain_files import report, write_strain
from app.cli import main
from app.desk.engine import reports
from app.desk.engine.picture_box import Shown
from app.desk.jobs.orders import STRAIN
from app.desk.tracks.calibration import Calibration
from app.exports.tables import write_tracks_parquet
from app.gui.analysis.panel import AnalysisPanel
from app.gui.video.field_item import spelt
from pipelines.features import State, Tracks
from tests.app.gui.analysing import RATE, answered, shown_panel, table, until
from tests.app.gui.conftest import Desk

FRAMES = 8


def pulled(frames: int = FRAMES) -> Tracks:
    """10 x 8 points, 20 px apart, that are stretched by 1 % along x, with noise of .005 px."""
    x, y = (axis.ravel() for axis in np.meshgrid(60 + 20.0 * np.arange(10), 60 + 20.0 * np.arange(8)))
    load = np.arange(frames)[:, None] / (frames - 1)
    places = np.stack((x + 0.01 * load * (x - 150), y + 0 * load), axis=-1)
    places[1:] += np.random.default_rng(1).normal(0, 0.005, places[1:].shape)
    rows = table(places, 0.005)
    rows["sigma"][rows["frame"] == 0] = 0
    return rows


def tracked(desk: Desk) -> None:
    """A clip with these tracks."""
    desk.bench.files.choose("template")
    desk.open()
    desk.link.reports.append(reports.Rows(0, FRAMES - 1, pulled()))
    show(desk, 0)


@pytest.fixture
def grid(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> AnalysisPanel:
    """The panel, on the tab Strain; answers are not asked for."""
    monkeypatch.setattr(AnalysisPanel, "compute", lambda _: None)
    tracked(desk)
    panel = shown_panel(desk)
    panel.bar.tabs.setCurrentIndex(4)
    QtWidgets.QApplication.processEvents()
    return panel


def show(desk: Desk, index: int) -> None:
    rows = pulled()
    pixels = np.asarray(desk.source.read(index))
    desk.link.pictures.append(Shown(index + 1, index, index / RATE, "", pixels, 8, rows[rows["frame"] == index]))
    desk.bench.tick()
    QtWidgets.QApplication.processEvents()


def settled(desk: Desk, panel: AnalysisPanel) -> None:
    until(desk, lambda: not panel.fields._busy)


def pick(panel: AnalysisPanel, quantity: str) -> None:
    panel.bar.quantity.setCurrentIndex(panel.bar.quantity.findData(quantity))
    panel.bar.quantity.activated.emit(panel.bar.quantity.currentIndex())


def test_the_field_of_the_frame_that_is_shown_lies_over_it(desk: Desk, grid: AnalysisPanel) -> None:
    item = grid.fields.item
    show(desk, FRAMES - 1)
    settled(desk, grid)
    assert item.shown is not None
    assert item.shown.quantity == "exx"
    assert sum(item.shown.ends) / 2 == pytest.approx(0.01, abs=5e-4)
    assert item.shown.gauge_length == 4 * 20 + 25, "the window of the pipeline is part of it"
    pick(grid, "u")
    settled(desk, grid)
    assert item.shown.quantity == "u"
    assert item.shown.ends == pytest.approx((-0.9, 0.9), abs=0.05)
    show(desk, 0)
    settled(desk, grid)
    assert not item.shown.ways.any()
    grid.bar.over.setChecked(False)
    assert item.shown is None
    grid.bar.over.setChecked(True)
    settled(desk, grid)
    assert item.shown is not None


def test_tracks_give_way_to_the_field_and_come_back(desk: Desk, grid: AnalysisPanel) -> None:
    show(desk, 3)
    settled(desk, grid)
    overlay = desk.window.video.overlay

    def picture() -> QtGui.QImage:
        return desk.window.video.graphics.grab().toImage()

    covered = picture()
    assert overlay._covered
    grid.bar.arrows.setChecked(False)
    assert picture() != covered
    desk.window.show_panel("traces")
    QtWidgets.QApplication.processEvents()
    assert grid.fields.item.shown is not None, "a field stays beside the traces"
    desk.window.docks["analysis"].close()
    QtWidgets.QApplication.processEvents()
    assert grid.fields.item.shown is None, "nothing is left that nobody can end"
    assert not overlay._covered
    desk.window.show_panel("analysis")
    QtWidgets.QApplication.processEvents()
    settled(desk, grid)
    assert grid.fields.item.shown is not None


def test_colours_span_the_frame_or_all_frames_or_what_is_typed(desk: Desk, grid: AnalysisPanel) -> None:
    item, bar = grid.fields.item, grid.bar

    def ends(index: int) -> tuple[float, float]:
        show(desk, index)
        settled(desk, grid)
        assert item.shown is not None
        return item.shown.ends

    small, large = ends(1), ends(FRAMES - 1)
    assert large[0] > small[1]
    bar.span.setCurrentIndex(bar.span.findData("all"))
    bar.span.activated.emit(1)
    ends(FRAMES - 1)
    low, high = ends(1)
    assert low < small[1] < large[0] < high
    bar.span.setCurrentIndex(bar.span.findData("fixed"))
    bar.span.activated.emit(2)
    bar.low.setValue(0.02)
    bar.high.setValue(-0.01)
    settled(desk, grid)
    assert ends(3) == (-0.01, 0.02), "in whatever order they are typed"


def test_lengths_are_those_of_the_scale(desk: Desk, grid: AnalysisPanel) -> None:
    show(desk, FRAMES - 1)
    pick(grid, "magnitude")
    desk.bench.tracks.set_calibration(Calibration(0.1, "mm"))
    settled(desk, grid)
    shown = grid.fields.item.shown
    assert shown is not None
    assert (shown.unit, shown.length) == ("mm", "mm")
    assert shown.ends[1] == pytest.approx(0.09, abs=0.01)
    desk.window.video.graphics.grab()


def test_what_is_missing_is_said(desk: Desk, grid: AnalysisPanel) -> None:
    rows = pulled()
    rows["state"][(rows["frame"] == 4) & (rows["track"] < 7)] = State.PREDICTED
    desk.link.reports.append(reports.Rows(0, FRAMES - 1, rows))
    desk.bench.tick()
    show(desk, 4)
    settled(desk, grid)
    shown = grid.fields.item.shown
    assert shown is not None
    assert (shown.points, shown.missing) == (80, 7)
    desk.window.video.graphics.grab()


def test_points_that_are_too_few_are_said(desk: Desk) -> None:
    desk.bench.files.choose("template")
    desk.open()
    desk.frame(0, tracks=2)
    panel = shown_panel(desk)
    panel.bar.tabs.setCurrentIndex(4)
    until(desk, lambda: panel.fields.wrong)
    assert "Shift+B" in panel.fields.wrong
    assert panel.fields.item.shown is None


def test_the_answer_is_that_of_the_command(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two selected tracks are an extensometer; files for ParaView are saved as a folder."""
    tracked(desk)
    desk.bench.tracks.select([0, 9])
    panel = shown_panel(desk)
    panel.bar.vtk.blockSignals(True)
    panel.bar.vtk.setChecked(True)
    panel.bar.tabs.setCurrentIndex(4)
    result = answered(desk, panel, STRAIN)
    write_tracks_parquet(tmp_path / "tracks.parquet", pulled(), {})
    theirs = ["strain", str(tmp_path / "tracks.parquet"), "--subset", "25", "--extensometer", "0,9"]
    assert main([*theirs, "--json"]) == 0
    assert result["found"] == json.loads(capsys.readouterr().out)
    found = strain_of(pulled(), StrainOptions(extensometers=(parse_extensometer("0,9"),)), subset=25.0)
    assert result["report"] == report(found)
    (tmp_path / "theirs").mkdir()
    for name in write_strain(tmp_path / "theirs", found):
        assert (panel.places[STRAIN] / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    times, means = panel.plot.curves["εxx"]
    with (tmp_path / "theirs" / "strain-frames.csv").open() as file:
        told = list(csv.DictReader(file))
    np.testing.assert_allclose(means, [float(row["mean_exx"]) for row in told], rtol=1e-8)
    assert len(times) == FRAMES
    assert panel.plot.curves["0 to 9"][1][-1] == pytest.approx(0.01, abs=3e-4)
    for name in ("vortex_600fps", "vortex_600fps-2"):
        panel.save_to(tmp_path)
        assert {path.name for path in (tmp_path / f"{name}.strain-vtk").iterdir()} == {
            "strain.pvd", *(f"frame-{k:06d}.vtu" for k in range(FRAMES))}  # fmt: skip
        assert (tmp_path / f"{name}.strain.parquet").is_file()


def test_another_pipeline_has_no_field_of_the_one_before(desk: Desk, grid: AnalysisPanel) -> None:
    show(desk, 5)
    settled(desk, grid)
    assert grid.fields.item.shown is not None
    desk.bench.files.choose("blobs")
    QtWidgets.QApplication.processEvents()
    assert grid.fields.item.shown is None


@pytest.mark.parametrize(("value", "span", "words"), [
    (0.0123, 0.02, "0.0123"), (-0.00123, 0.004, "-0.00123"), (3.2e-5, 1e-4, "3.2e-05"), (0.0, 1.0, "0"),
    (1.5, 3.0, "1.5"), (152.0, 300.0, "152"), (1e-9, 1e-2, "0"),
])  # fmt: skip
def test_numbers_of_the_bar(value: float, span: float, words: str) -> None:
    assert spelt(value, span) == words
