"""Two cameras are calibrated by a chessboard and what they followed is placed in space, by mouse and keyboard alone."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.cli import main
from app.desk.jobs.jobs import JobState
from app.gui.stereo.calibration_page import HERE
from app.gui.stereo.camera_rows import CameraRows
from app.gui.stereo.window import StereoWindow
from app.project import Chosen, OneCamera, SeveralCameras, read_project
from app.stereo.rig import read_rig
from kernels.errors import InputError
from pipelines.stereo.wand import MOST_POSES
from tests.app.gui.trust.user import User
from tests.app.stereo.seen import (
    ASTRAY,
    BOARD,
    SHIFTED,
    SIZE,
    board_clips,
    known_places,
    pair,
    table,
    tracks_of,
    wand_tables,
    ways,
)

POSES = 8


def _fill(user: User, line: QtWidgets.QLineEdit | QtWidgets.QAbstractSpinBox, text: str) -> None:
    """A field is clicked into, and its text is written over."""
    line = line.lineEdit() if isinstance(line, QtWidgets.QAbstractSpinBox) else line
    user.click(line)
    QtTest.QTest.keySequence(line, "Ctrl+A")
    QtTest.QTest.keyClicks(line, text)
    QtTest.QTest.keyClick(line, QtCore.Qt.Key.Key_Tab)
    user.settle()


def _cameras(user: User, rows: CameraRows, *paths: str) -> None:
    for row, path in zip(rows.rows, paths, strict=True):
        _fill(user, row.what.lineEdit(), path)


def _answer(monkeypatch: pytest.MonkeyPatch, name: str, path: str) -> None:
    """What the system's dialog for a file gives."""
    made = path if name == "getExistingDirectory" else (path, "")
    monkeypatch.setattr(QtWidgets.QFileDialog, name, staticmethod(lambda *_, **__: made))


def _calibrated(user: User, clips: list[str]) -> StereoWindow:
    user.menu("File", "Calibrate cameras")
    window = user.window.cameras
    user.until(window.isVisible, "the window of the cameras")
    form = window.calibration.form
    _cameras(user, form.clips, *clips)
    _fill(user, form.columns, str(BOARD.columns))
    _fill(user, form.rows, str(BOARD.rows))
    _fill(user, form.square, f"{BOARD.square:g} mm")
    user.click(window.calibration.work.go)
    user.until(window.calibration.save.isEnabled, "a calibration")
    return window


@pytest.fixture
def boards(tmp_path: Path) -> list[str]:
    """Clips of a board before two cameras."""
    return board_clips(tmp_path, pair(), POSES)


def test_a_board_calibrates_and_a_bad_picture_is_dropped(
    user: User, boards: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt = np.load(boards[1])
    spoilt[3] = np.roll(spoilt[3], 2, axis=0)  # the board was moved between both pictures
    np.save(boards[1], spoilt)
    window = _calibrated(user, boards)
    page = window.calibration
    assert page.table.rowCount() == POSES
    user.until(lambda: all(len(view.seen) == BOARD.columns * BOARD.rows for view in page.views.views), "corners")
    assert "fit nowhere" in page.words.toPlainText()
    row = next(row for row in range(POSES) if page.table.item(row, 0).text() == "3")
    errors = [  # in the worse column: two cameras do not tell which of them saw the board elsewhere
        max(float(page.table.item(k, camera).text().partition(",")[0]) for camera in (1, 2)) for k in range(POSES)
    ]
    assert errors.pop(row) > 2 * max(errors)
    assert page.table.large == [3]
    user.click(page.table.viewport(), page.table.visualItemRect(page.table.item(row, 0)).center())
    assert page.table.at == 3
    user.until(lambda: page.views.views[0].note.text().startswith("camera 1: "), "its error")
    user.until(lambda: page.views.views[0].image.image.shape == (240, 320), "its picture")
    QtTest.QTest.keyClick(page.table, QtCore.Qt.Key.Key_Space)
    user.until(lambda: page.table.without == (3,) and not page.busy, "calibrated again")
    assert "fit nowhere" not in page.words.toPlainText()
    assert f"{POSES - 1} poses" in page.words.toPlainText()
    _answer(monkeypatch, "getSaveFileName", str(tmp_path / "mine.json"))
    other, setup = SeveralCameras(rig="of a project"), user.window.camera_setup
    assert setup.loses(other)
    window.close()
    user.menu("File", "Quit")
    strip = user.window.strips["cameras unsaved"]
    assert "saved in no file" in strip.label.text()
    assert user.window.isVisible()
    user.click(strip.buttons["Show the calibration"])
    assert "cameras unsaved" not in user.window.strips
    assert page.isVisible()
    user.click(page.save)
    assert not setup.loses(other)
    rig = read_rig(tmp_path / "mine.json")
    truth = pair()
    apart = np.linalg.norm(rig.cameras[1].centre - rig.cameras[0].centre)
    assert apart == pytest.approx(float(np.linalg.norm(truth[1].centre - truth[0].centre)), rel=0.02)
    assert rig.rms < 0.2
    user.choose(page.form.way, "known places")
    assert page.table.rowCount() == 0, "what was dropped of the board drops no place"
    assert not page.save.isEnabled()
    window.close()
    user.menu("File", "Quit")
    user.until(lambda: not user.window.isVisible(), "what is saved is not asked about")


def test_what_the_window_saves_is_what_the_command_writes(
    user: User, boards: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = _calibrated(user, boards)
    _answer(monkeypatch, "getSaveFileName", str(tmp_path / "rig.json"))
    user.click(window.calibration.save)
    cameras = pair()
    tables = [table(tmp_path / f"tracks{at}.parquet", tracks_of(one, ways(), 0.02, first=3 * at, seed=at))
              for at, one in enumerate(cameras)]  # fmt: skip
    bar, page = window.tabs.tabBar(), window.places
    page._forget()
    page.show_frame(7)
    assert page._plots.made is None, "four plots that nobody has seen yet"
    user.click(bar, bar.tabRect(1).center())
    assert page._plots.made is page.plots
    assert page.plots._frame == 7, "where the window is they show from the first"
    assert page.form.rig_path == str(tmp_path / "rig.json")
    window.close()
    user.menu("File", "Places in space")
    assert page.form.rig.findText(str(tmp_path / "rig.json")) >= 0, "offered again"
    _cameras(user, page.form.tracks, *tables)
    _fill(user, page.form.tracks.rows[1].ahead, "3")
    user.click(page.work.go)
    user.until(lambda: page.table.rowCount() == 3, page.work.words.text())
    assert page.plots._things == [0, 1, 2]
    header = page.table.horizontalHeader()
    assert all(header.sectionSize(k) >= header.sectionSizeHint(k) for k in range(page.table.columnCount()))
    user.click(page.table.viewport(), page.table.visualItemRect(page.table.item(1, 0)).center())
    assert page.plots._things == [1]
    out = tmp_path / "out"
    out.mkdir()
    _answer(monkeypatch, "getExistingDirectory", str(out))
    user.entry(page.save, "Save tables and figure")
    saved = out / "places-3d"
    user.until((saved / "places.png").exists, "the figure")
    for ending, begin in (("svg", b"<?xml"), ("pdf", b"%PDF")):
        _answer(monkeypatch, "getSaveFileName", str(tmp_path / f"mine.{ending}"))
        user.entry(page.save, "Save the figure")
        user.until((tmp_path / f"mine.{ending}").exists, page.work.words.text())
        assert (tmp_path / f"mine.{ending}").read_bytes().startswith(begin)
    headless = tmp_path / "headless"
    assert main(["reconstruct", *tables, "--rig", str(tmp_path / "rig.json"), "--offset", "3", "--c3d", "-o",
                 str(headless)]) == 0  # fmt: skip
    names = sorted(one.name for one in headless.iterdir())
    assert sorted(one.name for one in saved.iterdir()) == names
    assert "places.c3d" in names
    for name in ("places.csv", "things.csv", "places.c3d"):
        assert (saved / name).read_bytes() == (headless / name).read_bytes(), name
    with (saved / "places.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 120
    page.begin()  # a click would let it come to its end
    job = page._job
    assert page.busy
    later = Chosen({"smooth": 3}, {}, {"tracks": (OneCamera(tables[0]),), "films": (OneCamera("a.avi", 2),)})
    user.window.camera_setup.bring(SeveralCameras(places=later))
    user.until(lambda: not job.running, "its end")
    assert job.state is JobState.STOPPED
    assert page.table.rowCount() == 0, "another project has no answer yet"
    assert page.words.toPlainText() == ""
    assert page.form.rig.findText(HERE) < 0
    assert page.form.tracks.values == (tables[0], "")
    with pytest.raises(InputError, match="nothing to save yet"):
        page.save_to(tmp_path)
    assert not page.save.isEnabled()
    assert not page.keep.isEnabled()
    _fill(user, page.form.within, "3 px")
    kept = user.window.camera_setup.now.places
    assert kept.values["smooth"] == 3, "what a later version knows is kept"
    assert kept.cameras["films"] == later.cameras["films"]


def test_pairs_are_by_names_or_as_they_are_written(user: User, boards: list[str], tmp_path: Path) -> None:
    window = _calibrated(user, boards)
    rows = [tracks_of(one, ways(), 0.02, seed=at) for at, one in enumerate(pair())]
    tables = [table(tmp_path / f"tracks{at}.parquet", one) for at, one in enumerate(rows)]
    bar = window.tabs.tabBar()
    user.click(bar, bar.tabRect(1).center())
    page = window.places
    _cameras(user, page.form.tracks, *tables)
    user.choose(page.form.way, "same names")
    user.click(page.work.go)
    user.until(page.keep.isEnabled, page.work.words.text())
    user.click(page.keep)
    assert page.form.groups.text() == "0:0, 1:1, 2:2"
    _fill(user, page.form.groups, "2:2")
    user.click(page.work.go)
    user.until(lambda: page.table.rowCount() == 1, page.work.words.text())


def test_what_is_missing_is_said_in_the_words_of_the_fields(user: User, boards: list[str]) -> None:
    user.menu("File", "Calibrate cameras")
    page = user.window.cameras.calibration
    user.until(page.isVisible)
    user.click(page.work.go)
    assert page.work.words.text() == "Choose the clip of camera 1"
    _cameras(user, page.form.clips, *boards)
    _fill(user, page.form.square, "5")
    user.click(page.work.go)
    assert "“Side of a square” takes a length" in page.work.words.text()
    _fill(user, page.form.square, "5 mm")
    user.click(page.work.go)
    user.until(lambda: not page.busy, "it looks for another board")
    assert "No board of 9 x 6 inner corners is seen whole" in page.work.words.text()
    assert page.work.go.isEnabled()


def test_a_wand_calibrates_and_what_it_lacks_is_said(user: User, tmp_path: Path) -> None:
    user.menu("File", "Calibrate cameras")
    page = user.window.cameras.calibration
    form = page.form
    user.until(page.isVisible)
    user.choose(form.way, "a wand")
    assert not form.square.isVisible()
    assert form.tracks.rows[0].what.lineEdit().placeholderText() == "its tracks"
    assert "ends of the wand" in page.count.text()
    assert page.table.horizontalHeaderItem(0).text() == "frame"
    _cameras(user, form.tracks, *wand_tables(tmp_path))
    _fill(user, form.length, "40 mm")
    user.choose(form.lens, "focal length")
    user.click(page.work.go)
    user.until(lambda: not page.busy)
    assert "“Size of pictures”" in page.work.words.text()
    assert not page.save.isEnabled()
    _fill(user, form.size, f"{SIZE[0]}x{SIZE[1]}")
    user.click(page.work.go)
    user.until(page.save.isEnabled, page.work.words.text())
    many = page.table.rowCount()
    assert many > 50
    assert page.count.text() == f"{many} pictures with the wand, {many} seen by all cameras"
    assert [len(view.seen) for view in page.views.views] == [2, 2]
    user.click(page.table.viewport(), page.table.visualItemRect(page.table.item(2, 0)).center())
    QtTest.QTest.keyClick(page.table, QtCore.Qt.Key.Key_Space)
    user.until(lambda: page.table.without and not page.busy, "calibrated again")
    assert page.table.rowCount() >= many
    rig = page._rig
    assert np.linalg.norm(rig.cameras[1].centre) == pytest.approx(np.hypot(250, 60), rel=0.03)


def test_what_a_wand_s_calibration_leaves_out_is_shown_and_said(user: User, tmp_path: Path) -> None:
    user.menu("File", "Calibrate cameras")
    page = user.window.cameras.calibration
    form = page.form
    user.until(page.isVisible)
    user.choose(form.way, "a wand")
    _cameras(user, form.tracks, *wand_tables(tmp_path, spoilt=True))
    _fill(user, form.length, "40 mm")
    user.choose(form.lens, "focal length")
    _fill(user, form.size, f"{SIZE[0]}x{SIZE[1]}")
    user.click(page.work.go)
    user.until(page.save.isEnabled, page.work.words.text())
    assert page.count.text() == ("80 pictures with the wand, 80 seen by all cameras; of 3 something was left out, as "
                                 "the notes at the left say")  # fmt: skip
    assert "left out of camera 2: 1 of 80 frames, as their ends lie too near" in page.words.toPlainText()
    said = {page.table.item(row, 0).text(): [page.table.item(row, 1 + at).text() for at in range(2)]
            for row in range(page.table.rowCount())}  # fmt: skip
    assert said[str(ASTRAY)] == ["left out", "left out"]
    for frame in SHIFTED:
        assert all(text.endswith(", 2 left out") for text in said[str(frame)])
    assert sum("left out" in text for texts in said.values() for text in texts) == 6
    row = next(row for row in range(page.table.rowCount()) if page.table.item(row, 0).text() == str(ASTRAY))
    user.click(page.table.viewport(), page.table.visualItemRect(page.table.item(row, 0)).center())
    QtTest.QTest.keyClick(page.table, QtCore.Qt.Key.Key_Space)
    user.until(lambda: page.table.without == (ASTRAY,) and not page.busy, "calibrated again")
    assert "; of 2 something" in page.count.text()
    assert user.window.cameras.minimumSizeHint().width() < 1200, "no sentence makes it wider than a small screen"
    assert page.table.item(row, 1).text() == "dropped"


def test_frames_of_a_wand_that_are_no_longer_taken_are_not_called_bad(user: User, tmp_path: Path) -> None:
    """Frames are spread over those that count, so that others are taken where one does not."""
    user.menu("File", "Calibrate cameras")
    page = user.window.cameras.calibration
    form = page.form
    user.until(page.isVisible)
    user.choose(form.way, "a wand")
    _cameras(user, form.tracks, *wand_tables(tmp_path, frames=MOST_POSES + 20))
    _fill(user, form.length, "40 mm")
    user.choose(form.lens, "focal length")
    _fill(user, form.size, f"{SIZE[0]}x{SIZE[1]}")
    user.click(page.work.go)
    user.until(page.save.isEnabled, page.work.words.text())
    assert page.count.text() == f"{MOST_POSES} pictures with the wand, {MOST_POSES} seen by all cameras"
    user.click(page.table.viewport(), page.table.visualItemRect(page.table.item(7, 0)).center())
    number = page.table.at
    QtTest.QTest.keyClick(page.table, QtCore.Qt.Key.Key_Space)
    user.until(lambda: page.table.without == (number,) and not page.busy, "calibrated again")
    assert page.count.text() == (f"{MOST_POSES + 1} pictures with the wand, {MOST_POSES + 1} seen by all "
                                 "cameras"), "and the one without a tick"  # fmt: skip


def test_known_places_calibrate_and_a_project_has_them(
    user: User, clips: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open(clips["vortex"])
    user.menu("File", "Calibrate cameras")
    window = user.window.cameras
    page = window.calibration
    form = page.form
    user.until(page.isVisible)
    user.choose(form.way, "known places")
    files, known = known_places(tmp_path)
    _cameras(user, form.clips, *files)
    _answer(monkeypatch, "getOpenFileName", known)
    user.click(form.browse)
    assert form.table.text() == known
    user.click(page.work.go)
    user.until(page.save.isEnabled, page.work.words.text())
    assert page.table.rowCount() == 13
    assert page.table.item(12, 2).text() == "not seen"
    assert page.table.large == [], "rounding is no error"
    user.until(lambda: page.views.views[0].note.text().endswith("lines to scale"), page.views.views[0].note.text())
    row = page.table.visualItemRect(page.table.item(1, 0)).center()
    user.click(page.table.viewport(), row)
    QtTest.QTest.keyClick(page.table, QtCore.Qt.Key.Key_Space)
    user.until(lambda: page.table.without == (1,) and not page.busy, "calibrated again")
    np.testing.assert_allclose(page._rig.cameras[1].centre, [25, 0, 6], atol=0.01)
    words = page.words.toPlainText()

    file = tmp_path / "study.ftproj"
    _answer(monkeypatch, "getSaveFileName", str(file))
    QtWidgets.QApplication.setActiveWindow(user.window)
    user.window.video.graphics.setFocus()
    user.key("Ctrl+S")
    kept = read_project(file).cameras
    assert [one.path for one in kept.calibration.cameras["clips"]] == files
    assert kept.left_out == (1,)
    assert "../known.csv" not in file.read_text()
    assert 'table = "known.csv"' in file.read_text()
    assert not user.window.projects.desk.dirty

    user.menu("File", "Close project")
    user.choose(form.way, "a chessboard")
    home = tmp_path / "elsewhere"
    home.mkdir()
    for path in (*files, known, file):
        shutil.move(path, home)
    user.drop(home / file.name)
    user.until(lambda: user.window.projects.desk.path == home / file.name and user.bench.shown is not None)
    assert page.form.asked == "places"
    assert page.form.table.text() == str(home / "known.csv")
    assert form.clips.values == tuple(str(home / Path(path).name) for path in files)
    assert page.save.isEnabled()
    assert page.words.toPlainText().splitlines()[0] in words
    assert window.places.form.rig_path == page.file
    assert read_rig(Path(page.file)).rms == json.loads(kept.rig)["rms_px"]
    assert page.table.without == (1,)
    user.settle()
    assert not user.window.projects.desk.dirty, "opening changes nothing"
    assert page.work.words.text().startswith("Calibrated before: "), "nothing else is asked"
    user.choose(form.way, "a chessboard")
    assert user.window.camera_setup.now.rig == kept.rig, "a look at another way loses no calibration"
    user.choose(form.way, "known places")
    assert not user.window.projects.desk.dirty
    assert page.table.without == (1,)
    assert page.save.isEnabled()
    user.click(page.work.go)
    user.until(lambda: page.table.rowCount() == 13 and not page.busy, page.work.words.text())
    assert page.table.without == (1,), "what was dropped is"
    assert page.words.toPlainText() == words
    _fill(user, form.table, "other.csv")
    assert user.window.projects.desk.dirty
