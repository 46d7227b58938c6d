"""The export dialog, by its widgets, with real exports."""

from __future__ import annotations

import csv
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import reports
from app.desk.jobs.jobs import JobState
from app.desk.jobs.orders import ExportOrder
from app.desk.services.exporting import What
from app.desk.tracks.calibration import Calibration
from app.exports.axes import Axes
from app.gui.sessions.export_dialog import ExportDialog
from app.sources.opening import open_source
from pipelines.trackers.vibration import SPECTRA_DTYPE
from tests.app.gui.conftest import CLIP, Desk
from tests.patience import PATIENCE


@pytest.fixture
def dialog(desk: Desk, tmp_path: Path) -> ExportDialog:
    desk.window.settings.set_text("exports", str(tmp_path))
    desk.open()
    desk.frames(range(6), tracks=2)
    desk.window.actions_.made["export"].trigger()
    (made,) = desk.window.findChildren(ExportDialog)
    assert isinstance(made, ExportDialog)
    assert not made.isModal()
    return made


def click(button: QtWidgets.QAbstractButton) -> None:
    assert button.isEnabled()
    QtTest.QTest.mouseClick(button, QtCore.Qt.MouseButton.LeftButton)


def order(desk: Desk) -> ExportOrder:
    made = desk.window.jobs.all[-1].order
    assert isinstance(made, ExportOrder)
    return made


def until(desk: Desk, good: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not good():
        assert time.monotonic() < end
        desk.window.jobs.tick()
        QtWidgets.QApplication.processEvents()
        time.sleep(0.01)


def choose(dialog: ExportDialog, what: What, to: str) -> None:
    dialog.what[what].setChecked(True)
    dialog.format.setCurrentIndex(dialog.format.findData(to))


def test_guesses_are_asked_for_where_that_changes_the_file(desk: Desk, dialog: ExportDialog) -> None:
    for to in ("csv", "parquet", "hdf5"):
        choose(dialog, What.SEEN, to)
        assert not dialog.guesses.isVisible()
        assert '"predicted" in the column state' in dialog.about.text()
    for to in ("wide", "dlc", "mat", "nwb", "c3d", "trc", "trackmate"):
        choose(dialog, What.SEEN, to)
        assert dialog.guesses.isVisible(), to
        assert "predicted" not in dialog.about.text()


def test_tracks_that_were_seen_go_out_in_the_users_unit(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    assert "6 of 480 frames, from 0 to 5" in dialog.what[What.SEEN].text()
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    desk.bench.player.set_range(2, 5)
    assert dialog.lengths.isChecked()
    assert dialog.marks.isChecked()
    assert (dialog.first.value(), dialog.last.value()) == (2, 4)
    choose(dialog, What.SEEN, "csv")
    assert dialog.file.text() == str(tmp_path / "vortex_600fps.tracks.csv")
    click(dialog.export)
    assert not dialog.export.isEnabled()
    assert dialog.bar.isVisible()
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert job.state is JobState.DONE, job.sentence + job.details
    with (tmp_path / "vortex_600fps.tracks.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["frame"]) for row in rows] == [2, 2, 3, 3, 4, 4]
    assert float(rows[0]["x_mm"]) == pytest.approx(0.5 * 42)
    assert "2 tracks in 6 rows" in dialog.words.text()
    assert desk.bench.messages[-1].level is Level.NOTE
    assert dialog.show_folder.isVisible()
    dialog._named()
    assert dialog.file.text() == str(tmp_path / "vortex_600fps.tracks_001.csv")


def test_tracks_go_out_in_the_users_axes(desk: Desk, dialog: ExportDialog) -> None:
    assert not dialog.axes.isEnabled()
    desk.bench.tracks.set_calibration(Calibration(origin=(10.0, 20.0), angle=5.0))
    choose(dialog, What.SEEN, "csv")
    assert dialog.axes.isChecked()
    assert "lowest row" not in dialog.y_up.text()
    click(dialog.export)
    made = order(desk)
    assert made.axes == Axes(10.0, 20.0, 5.0)
    choose(dialog, What.FRAMES, "tiff")
    assert not dialog.axes.isEnabled()


def test_pictures_of_a_range_go_out(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    desk.bench.player.set_range(2, 5)
    choose(dialog, What.FRAMES, "tiff")
    assert "ImageJ" in dialog.about.text()
    assert not dialog.y_up.isEnabled()
    dialog.file.selectAll()
    QtTest.QTest.keyClicks(dialog.file, str(tmp_path / "three.tif"))
    click(dialog.export)
    assert (order(desk).source, order(desk).frames) == (str(CLIP), (2, 5))
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert "3 frames" in dialog.words.text(), job.sentence
    source = open_source(tmp_path / "three.tif")
    assert source.info.frames == 3
    source.close()


def test_a_file_that_is_there_is_kept_unless_asked_otherwise(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    (tmp_path / "kept.csv").write_text("mine")
    choose(dialog, What.SEEN, "csv")
    dialog.file.setText(str(tmp_path / "kept.csv"))
    click(dialog.export)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert "exists already" in dialog.words.text()
    assert desk.bench.messages[-1].level is Level.ERROR
    assert (tmp_path / "kept.csv").read_text() == "mine"
    dialog.force.setChecked(True)
    click(dialog.export)
    assert order(desk).force


def test_a_whole_run_can_be_asked_for_and_cancelled(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    choose(dialog, What.RUN, "parquet")
    click(dialog.export)
    made = order(desk)
    assert made.run is not None
    assert made.run.clip == str(CLIP)
    assert dialog.stop.isVisible()
    click(dialog.stop)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert job.state is JobState.STOPPED
    assert not dialog.stop.isVisible()
    assert list(tmp_path.glob("*.parquet")) == []


def test_an_export_goes_on_when_the_dialog_is_closed(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    choose(dialog, What.SEEN, "csv")
    click(dialog.export)
    job = desk.window.jobs.all[-1]
    click(dialog.shut)
    until(desk, lambda: not job.running)
    assert job.state is JobState.DONE
    assert "exported" in desk.bench.messages[-1].sentence


def test_nothing_to_export_is_said(desk: Desk) -> None:
    assert not desk.window.actions_.made["export"].isEnabled()
    desk.window.ask_for_export()
    (made,) = desk.window.findChildren(ExportDialog)
    assert not made.export.isEnabled()
    assert "open a clip" in made.about.text()
    made.close()


def test_frames_and_tracks_are_chosen(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    choose(dialog, What.SEEN, "csv")
    assert not dialog.chosen_only.isEnabled()
    desk.bench.tracks.select([1])
    assert dialog.chosen_only.text() == "only the selected track"
    dialog.chosen_only.setChecked(True)
    assert not dialog.first.isEnabled()
    dialog.marks.setChecked(True)
    dialog.first.setValue(3)
    dialog.last.setValue(4)
    click(dialog.export)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    with (tmp_path / "vortex_600fps.tracks.csv").open() as file:
        assert [(row["frame"], row["track"]) for row in csv.DictReader(file)] == [("3", "1"), ("4", "1")]
    assert "1 track in 2 rows" in dialog.words.text()
    dialog.last.setValue(2)
    click(dialog.export)
    assert dialog.words.text() == "the first frame of an export must not come after the last one"


def test_a_video_with_the_tracks_of_the_window_goes_out(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    desk.bench.tracks.select([0])
    choose(dialog, What.VIDEO, "mp4")
    dialog.chosen_only.setChecked(True)
    dialog.marks.setChecked(True)
    dialog.last.setValue(5)
    click(dialog.export)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert job.state is JobState.DONE, job.sentence + job.details
    source = open_source(tmp_path / "vortex_600fps.overlay.mp4")
    assert source.info.frames == 6
    picture = np.asarray(source.read(5)).astype(int)
    times = picture.shape[1] / 384  # small clips are drawn larger
    drawn = (np.ptp(picture, axis=2) > 60)[: int(times * 288)]  # colours in a gray clip, above the line of text
    y, x = np.nonzero(drawn) / np.float64(times)
    assert np.hypot(x - 45, y - 50).min() < 12  # track 0 stands there, the other one at (75, 60)
    assert not (np.hypot(x - 75, y - 60) < 5).any()
    source.close()


def test_a_picture_of_the_paths_of_chosen_tracks_goes_out(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    desk.bench.tracks.select([0])
    choose(dialog, What.PATHS, "paths")
    assert dialog.colour.isVisible()
    dialog.colour.setCurrentIndex(dialog.colour.findData("speed"))
    dialog.chosen_only.setChecked(True)
    dialog.file.setText(str(tmp_path / "where.svg"))
    click(dialog.export)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert job.state is JobState.DONE, job.sentence + job.details
    root = ElementTree.parse(tmp_path / "where.svg").getroot()
    texts = [str(element.text) for element in root.iter() if element.tag.endswith("text")]
    assert any(text.endswith("1 track") for text in texts), texts
    assert any("mm/s" in text for text in texts), texts
    choose(dialog, What.FRAMES, "png")
    assert not dialog.colour.isVisible()


def test_spectra_go_out_as_table_and_figure(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    assert not dialog.what[What.SPECTRA].isEnabled()
    rows = np.zeros(60, SPECTRA_DTYPE)
    rows["track"], rows["frequency"] = np.repeat([0, 1], 30), np.tile(np.arange(1, 31) * 10.0, 2)
    for name in ("x", "y", "noise_x", "noise_y"):
        rows[name] = 1e-3
    desk.link.reports.append(reports.Tables({"spectra": rows}))
    desk.bench.tick()
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    desk.bench.tracks.select([1])
    assert "2 points" in dialog.what[What.SPECTRA].text()
    choose(dialog, What.SPECTRA, "table")
    assert not dialog.marks.isEnabled()
    dialog.chosen_only.setChecked(True)
    click(dialog.export)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    with (tmp_path / "vortex_600fps.spectra.csv").open() as file:
        found = list(csv.DictReader(file))
    assert {row["track"] for row in found} == {"1"}
    assert float(found[0]["noise_x_mm_per_sqrt_hz"]) == pytest.approx(5e-4)
    for to in ("figure", "vector figure"):
        choose(dialog, What.SPECTRA, to)
        click(dialog.export)
        job = desk.window.jobs.all[-1]
        until(desk, lambda job=job: not job.running)  # type: ignore[misc]
        assert job.state is JobState.DONE, job.sentence
        assert Path(job.result["files"][0]).stat().st_size > 1000
    desk.bench.tracks.select([7])
    click(dialog.export)
    assert "no spectra of the selected tracks" in dialog.words.text()


def test_what_came_of_an_export_presses_no_rows_together(desk: Desk, dialog: ExportDialog) -> None:
    QtWidgets.QApplication.processEvents()
    dialog._say("\n".join(["a note about a codec that is longer than a line of this window can be " * 3] * 2), "")
    QtWidgets.QApplication.processEvents()
    for box in (dialog.first, dialog.last, dialog.words):
        assert box.height() >= box.minimumSizeHint().height()
    assert dialog.words.height() >= dialog.words.heightForWidth(dialog.words.width())
    assert max(box.geometry().bottom() for box in (dialog.first, dialog.last)) < dialog.lengths.geometry().top()


def test_what_came_of_an_export_is_said_without_options_of_the_command(
    desk: Desk, dialog: ExportDialog, tmp_path: Path
) -> None:
    choose(dialog, What.SEEN, "trc")
    for words in ("say how long a pixel is with the tool “Scale by a known length” (K)",
                  "exists already; choose another name, or “replace the file”"):  # fmt: skip
        dialog.file.setText(str(tmp_path / "tracks.trc"))
        click(dialog.export)
        until(desk, lambda: not desk.window.jobs.running)
        assert words in dialog.words.text()
        assert "--" not in dialog.words.text()


def test_other_rows_press_no_rows_together(desk: Desk, dialog: ExportDialog) -> None:
    """The fields of a video lay over each other in a dialog that was opened for tracks."""
    for what in (What.SEEN, What.VIDEO, What.PATHS, What.VIDEO):
        choose(dialog, what, {What.SEEN: "csv", What.VIDEO: "mp4"}.get(what, ""))
        for _ in range(3):
            QtWidgets.QApplication.processEvents()
        for box in (*dialog.video.findChildren(QtWidgets.QWidget), dialog.first, dialog.colour, dialog.force):
            if box.isVisible():
                assert box.height() >= box.minimumSizeHint().height(), (what, box.toolTip())


def test_a_bar_presses_no_rows_together(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    """Rows and their buttons lay over each other while an export ran."""
    QtWidgets.QApplication.processEvents()
    choose(dialog, What.SEEN, "csv")
    before = [choice.height() for choice in dialog.what.values()]
    click(dialog.export)
    QtWidgets.QApplication.processEvents()
    assert dialog.bar.isVisible()
    assert [choice.height() for choice in dialog.what.values()] == before
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert not dialog.bar.isVisible()
