"""Measures of rows in the window: columns of the table of tracks, and curves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import reports
from app.gui.settings import Settings
from app.gui.traces.bar import SHOWN
from app.gui.tracks.model import COLUMNS
from app.gui.tracks.table import TracksTable
from pipelines.features import State
from pipelines.measures import measured_dtype
from tests.app.gui.conftest import Desk
from tests.app.gui.traces import panel

FIELDS = ("area", "sigma_area", "diameter", "mass", "orientation", "rotation")
FRAMES, TRACKS = 20, 2


def told(desk: Desk, fields: tuple[str, ...] = FIELDS) -> None:
    """Have rows come whose measures are known: area 100 + track, and an axis that turns on by 20 degrees a frame,
    which an engine tells within half a turn."""
    rows = np.zeros(FRAMES * TRACKS, measured_dtype(fields))
    rows["frame"], rows["track"] = np.repeat(np.arange(FRAMES), TRACKS), np.tile(np.arange(TRACKS), FRAMES)
    rows["time"], rows["state"], rows["x"], rows["y"] = rows["frame"] / 600, State.TRACKED, 40.0, 50.0
    known = {"area": 100.0 + rows["track"], "sigma_area": 0.5, "diameter": 11.0, "mass": 1234.5,
             "orientation": 20.0 * rows["frame"] % 180.0, "rotation": 3.0}  # fmt: skip
    for name in fields:
        rows[name] = known[name]
    if fields:
        rows[fields[0]][rows["frame"] == 3] = np.nan  # merged, say
    desk.link.reports.append(reports.Rows(0, FRAMES - 1, rows))
    desk.bench.tick()


@pytest.fixture
def table(desk: Desk) -> TracksTable:
    desk.open()
    desk.window.tracking.corrector.kept.path = None
    desk.window.show_panel("tracks")
    told(desk)
    QtWidgets.QApplication.processEvents()
    made = desk.window.tracking.table
    made.redraw()
    return made


def cell(table: TracksTable, row: int, name: str) -> str:
    return str(table.model.data(table.model.index(row, COLUMNS.index(name)), QtCore.Qt.ItemDataRole.DisplayRole))


def seen(table: TracksTable) -> list[str]:
    return [COLUMNS[column] for column in table.columns.seen]


def title(table: TracksTable, name: str) -> str:
    return str(table.model.headerData(COLUMNS.index(name), QtCore.Qt.Orientation.Horizontal,
                                      QtCore.Qt.ItemDataRole.DisplayRole))  # fmt: skip


def test_measures_have_columns_that_the_menu_of_the_head_chooses(
    desk: Desk, table: TracksTable, tmp_path: Path
) -> None:
    settings = Settings(tmp_path / "measures.json")
    table.columns.remember_with(settings)
    assert seen(table)[7:] == ["diameter", "rotation"]
    menu = {action.text(): action for action in table.columns.menu().actions() if action.text()}
    assert list(menu)[7:-1] == ["area", "diameter", "mass", "orientation", "rotation"], "none that no track has"
    menu["area"].setChecked(True)
    menu["diameter"].setChecked(False)
    assert seen(table)[7:] == ["area", "rotation"]
    assert not table.columns.own, "the widths are nobody's choice"
    desk.link.reports.append(reports.Outdated())
    desk.bench.tick()
    told(desk, ())
    table.redraw()
    assert seen(table)[7:] == [], "other tracks, without measures"
    told(desk, ("rotation", "mass"))
    table.redraw()
    assert seen(table)[7:] == ["rotation"]
    table.columns.chosen = ()
    table.columns.remember_with(settings)
    assert table.columns.chosen == ("area", "rotation"), "they are remembered"
    table.columns.reset()
    assert table.columns.chosen == ("diameter", "rotation")


def test_cells_have_means_with_their_uncertainty_in_the_unit_of_the_scale(desk: Desk, table: TracksTable) -> None:
    assert [cell(table, row, "area") for row in range(2)] == ["100.00 ± 0.50", "101.00 ± 0.50"]
    assert title(table, "area") == "area [px²]"
    assert (cell(table, 0, "diameter"), cell(table, 0, "mass")) == ("11", "1234")
    assert (title(table, "mass"), title(table, "rotation")) == ("mass", "rotation [°]")
    assert float(cell(table, 0, "orientation")) == 20.0 * (FRAMES - 1) % 180.0, "angles as they were last"
    desk.bench.tracks.set_calibration(replace(desk.bench.calibration, per_px=0.1, unit="mm", angle=10.0, y_up=True))
    assert (cell(table, 0, "area"), title(table, "area")) == ("1.0000 ± 0.0050", "area [mm²]")
    assert (cell(table, 0, "diameter"), cell(table, 0, "mass")) == ("1.1", "1234")
    assert float(cell(table, 0, "orientation")) == -(20.0 * (FRAMES - 1) % 180.0 + 10.0)
    assert float(cell(table, 0, "rotation")) == -3.0
    table.view.sortByColumn(COLUMNS.index("area"), QtCore.Qt.SortOrder.DescendingOrder)
    assert [cell(table, row, "name") for row in range(2)] == ["1", "0"]


def test_lines_are_copied_as_they_are_seen_with_uncertainties_beside(desk: Desk, table: TracksTable) -> None:
    for action in table.columns.menu().actions():
        if action.text() in ("area", "state", "why", "frames", "score", "sigma"):
            action.setChecked(action.text() == "area")
    desk.bench.tracks.select([1])
    table.view.setFocus()
    QtTest.QTest.keyClick(table.view, QtCore.Qt.Key.Key_C, QtCore.Qt.KeyboardModifier.ControlModifier)
    assert QtWidgets.QApplication.clipboard().text() == (
        "name\tseen\tarea [px²]\tsigma_area [px²]\tdiameter [px]\trotation [°]\n1\t20\t101\t0.5\t11\t3\n"
    )
    assert desk.bench.messages[-1].sentence == "copied 1 line of tracks"
    desk.bench.tracks.select([])
    next(action for action in table.menu().actions() if action.text().startswith("Copy all")).trigger()
    assert QtWidgets.QApplication.clipboard().text().count("\n") == 3


def test_measures_are_curves_of_tracks_that_have_them(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    told(desk)
    desk.bench.tracks.select([0])
    made.redraw()
    offered = [words for place, words in enumerate(SHOWN) if made.bar.choice[0].model().item(place).isEnabled()]
    assert offered[17:] == ["area", "diameter", "mass", "orientation", "rotation"]
    assert made.bar.choice[0].view().isRowHidden(list(SHOWN).index("scale"))
    made.bar.choice[0].setCurrentText("area")
    made.bar.choice[1].setCurrentText("orientation")
    made.redraw()
    (_, name, area), (_, other, turning) = made.drawn.signals
    assert (name, other) == ("area_0_px²", "orientation_0_°")
    assert np.isnan(area.value).tolist() == [frame == 3 for frame in range(FRAMES)]
    assert np.nanmean(area.value) == 100.0
    assert (area.sigma == 0.5).all()
    np.testing.assert_allclose(turning.value, 20.0 * np.arange(FRAMES), err_msg="angles go on")
    made.copy_table()
    head, first = QtWidgets.QApplication.clipboard().text().splitlines()[:2]
    assert (head, first) == ("frame\ttime_s\tarea_0_px^2\torientation_0_deg", "0\t0\t100\t0")
    desk.bench.tracks.set_calibration(replace(desk.bench.calibration, per_px=0.1, unit="mm"))
    made.redraw()
    assert made.drawn.signals[0][1] == "area_0_mm²"
    assert np.nanmean(made.drawn.signals[0][2].value) == pytest.approx(1.0)
    desk.link.reports.append(reports.Outdated())
    desk.bench.tick()
    told(desk, ())
    made.redraw()
    assert not made.bar.choice[0].model().item(list(SHOWN).index("area")).isEnabled()
    assert made.drawn.found is not None
    assert made.drawn.found.trouble == "this pipeline does not measure the orientation of its tracks"
