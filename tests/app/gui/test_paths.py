"""Paths over all of the clip: what is drawn where, in which colours, and how rarely."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest

from app.desk.bench.workbench import Workbench
from app.desk.engine import reports
from app.desk.engine.picture_box import Shown
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.grades import RAMP
from app.gui import theme
from app.gui.main_window import MainWindow
from app.gui.settings import Settings
from app.gui.video.kept_trails import KeptTrails
from app.gui.video.overlay import OverlayLook
from pipelines.features import TRACK_DTYPE, State
from tests.app.gui.conftest import Desk, Listening

TRACKS = 3


@pytest.fixture
def clip(desk: Desk) -> Desk:
    """60 frames: tracks go right at 600, 1200 and 1800 px/s and are at x = 10, 20, 30 in frame 0."""
    desk.open()
    rows = np.zeros(60 * TRACKS, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.repeat(np.arange(60), TRACKS), np.tile(np.arange(TRACKS), 60)
    rows["time"], rows["state"] = rows["frame"] / 600, State.TRACKED
    step = rows["track"] + 1
    rows["x"], rows["y"], rows["vx"] = 10 * step + step * rows["frame"], 60 + 60 * rows["track"], 600 * step
    desk.frame(0, tracks=0)
    desk.link.reports.append(reports.Rows(0, 59, rows))
    desk.bench.tick()
    return desk


def test_how_trails_look_is_remembered(clip: Desk) -> None:
    """Length and colours were those of the first start at each."""
    press(clip, "trail_600", "trail_by_speed", "trail_only")
    settings = clip.window.settings
    settings.sync()
    again = OverlayLook()
    KeptTrails(Settings(settings.path), again)
    assert (again.trails, again.trail, again.whole, again.by, again.only) == (True, 600, False, "speed", True)
    press(clip, "trail_whole", "trails")
    KeptTrails(Settings(settings.path), again)
    assert (again.trails, again.trail, again.whole) == (False, 600, True)
    window = MainWindow(Workbench(Listening()), Settings(settings.path))
    try:
        window._timer.stop()
        assert window.video.overlay.look.by == "speed"
        assert window.actions_.made["trail_by_speed"].isChecked()
    finally:
        window.leaving._anyway = True
        window.close()


@pytest.mark.parametrize("kept", ["", "[]", "7", '{"trail": -3, "by": "age", "whole": 1, "trails": null}'])
def test_settings_that_somebody_has_edited_leave_trails_as_they_are(tmp_path: Path, kept: str) -> None:
    settings = Settings(tmp_path / "settings.json")
    settings.set_text("trails", kept)
    look = OverlayLook()
    KeptTrails(settings, look)
    assert look == OverlayLook()


def press(desk: Desk, *names: str) -> None:
    for name in names:
        desk.window.actions_.made[name].trigger()
    paths = desk.window.tracking.paths
    QtTest.QTest.qWait(40)
    for _ in range(200):
        if not paths._timer.isActive():
            break
        QtTest.QTest.qWait(20)
    QtTest.QTest.qWait(40)
    desk.window.video.grab()


def show(desk: Desk, index: int) -> None:
    """Have a frame shown whose rows are known."""
    rows = desk.bench.store.at(index)
    desk.link.pictures.append(Shown(index + 100, index, index / 600, "", np.asarray(desk.source.read(index)), 8, rows))
    desk.bench.tick()


def colour_at(desk: Desk, x: float, y: float) -> QtGui.QColor:
    """Of the screen, where it is most colourful, near a place of the picture."""
    video = desk.window.video
    shot = video.graphics.grab().toImage()
    at = video.graphics.mapFromScene(video.box.mapViewToScene(QtCore.QPointF(x, y)))
    near = [QtGui.QColor(shot.pixel(at.x() + i, at.y() + j)) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return max(near, key=lambda colour: colour.saturation() * colour.value())


def alike(colour: QtGui.QColor, wanted: str) -> bool:
    """By hue: a line between two rows of pixels is half as light in each."""
    other = QtGui.QColor(wanted)
    return colour.saturation() > 60 and abs((colour.hue() - other.hue() + 180) % 360 - 180) < 10


def test_the_whole_clip_is_drawn_though_its_first_frame_is_shown(clip: Desk) -> None:
    assert clip.window.tracking.paths.item.empty
    press(clip, "trail_whole")
    paths = clip.window.tracking.paths
    assert not paths.item.empty
    assert alike(colour_at(clip, 40, 60), theme.TRACK_COLOURS[0])
    assert alike(colour_at(clip, 60, 120), theme.TRACK_COLOURS[1])
    assert not alike(colour_at(clip, 40, 90), theme.TRACK_COLOURS[0])
    press(clip, "trails")
    assert paths.item.empty
    assert not clip.window.actions_.made["trail_whole"].isChecked()


def test_pictures_do_not_have_it_drawn_again(clip: Desk) -> None:
    press(clip, "trail_whole")
    item = clip.window.tracking.paths.item
    drawn = item.drawn
    assert drawn > 0
    for index in range(1, 5):
        show(clip, index)
        clip.window.video.grab()
    assert clip.window.video.frame == 4
    assert item.drawn == drawn
    clip.window.video.zoom(1.5)
    press(clip)
    assert item.drawn == drawn + 1


@pytest.mark.parametrize("whole", [True, False])
def test_colours_tell_speed_and_time(clip: Desk, whole: bool) -> None:
    if not whole:
        show(clip, 59)
    press(clip, "trail_whole" if whole else "trail_600", "trail_by_speed")
    slow, fast = (colour_at(clip, x, y) for x, y in ((40, 60), (90, 180)))
    assert alike(slow, RAMP[9]), "600 of 2000 px/s"
    assert alike(fast, RAMP[28])
    paths, grades = clip.window.tracking.paths, clip.window.video.overlay.grades
    assert (paths.words if whole else grades.words("speed", 600)) == "0 to 2000 px/s"
    clip.bench.tracks.set_calibration(Calibration(0.5, "mm"))
    press(clip)
    assert (paths.words if whole else grades.words("speed", 600)) == "0 to 1000 mm/s"
    press(clip, "trail_by_time")
    if whole:
        assert alike(colour_at(clip, 12, 60), RAMP[1])
        assert paths.words == "0 to 98.33 ms"
    assert alike(colour_at(clip, 67, 60), RAMP[30])


def test_selected_tracks_stand_out_and_can_be_alone(clip: Desk) -> None:
    press(clip, "trail_whole", "trail_only")
    clip.bench.tracks.select([1])
    press(clip)
    colours = clip.bench.colours
    assert alike(colour_at(clip, 60, 120), theme.TRACK_COLOURS[colours.number(1)])
    assert colour_at(clip, 40, 60).saturation() < 60, "the clip is grey"
    clip.bench.tracks.select([])
    press(clip)
    assert alike(colour_at(clip, 40, 60), theme.TRACK_COLOURS[colours.number(0)])


def test_another_clip_has_none_of_it(clip: Desk) -> None:
    press(clip, "trail_whole")
    clip.open()
    press(clip)
    assert clip.window.tracking.paths.item.empty
