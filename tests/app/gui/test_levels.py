"""Levels and loupe: what the hand does is what the picture shows."""

from __future__ import annotations

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.engine.picture_box import Shown
from app.gui.video.colours import table
from app.gui.video.levels import LevelsPanel
from pipelines.features import no_tracks
from tests.app.gui.conftest import Desk


def panel(desk: Desk) -> LevelsPanel:
    made = desk.window.panels["levels"]
    assert isinstance(made, LevelsPanel)
    return made


def test_handles_gamma_and_colours_reach_the_picture(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    desk.frame(1)
    made, video = panel(desk), desk.window.video
    assert made.region.getRegion() == (0, 255)
    made.region.setRegion((10, 60))
    assert (video.levels.low, video.levels.high) == (10, 60)
    made.gamma.setValue(30)
    assert video.levels.gamma == pytest.approx(10**0.3)
    made.colours.setCurrentText("viridis")
    assert video.table == "viridis"
    assert not video.auto
    made.full.click()
    assert (video.levels.low, video.levels.high) == (0, 255)
    made.auto.click()
    assert video.levels.high < 255


def test_a_tab_in_front_draws_the_histogram_of_the_picture(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    desk.window.show_panel("levels")
    for _ in range(3):
        QtWidgets.QApplication.processEvents()
    made = panel(desk)
    made.redraw()
    _, heights = made.curve.getData()
    pixels = desk.window.video.image.pixels
    assert pixels is not None
    assert np.sum(np.rint(10**heights - 1)) == pytest.approx(pixels.size, rel=1e-6)
    assert made.words.text().startswith(f"uint8, {pixels.min()} to")


def test_saturation_is_named(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    desk.window.show_panel("levels")
    QtWidgets.QApplication.processEvents()
    pixels = desk.window.video.image.pixels
    assert pixels is not None
    pixels[:40] = 255
    panel(desk).redraw()
    assert "saturated" in panel(desk).words.text()


def test_the_loupe_shows_what_is_under_the_cursor(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    desk.window.actions_.made["loupe"].trigger()
    loupe = desk.window.loupe
    assert loupe.isVisible()
    pixels = desk.window.video.image.pixels
    assert pixels is not None
    y, x = np.unravel_index(int(np.argmax(pixels)), pixels.shape)
    desk.window.video.box.hovered.emit(float(x), float(y))
    shown = loupe.grab().toImage()
    middle = shown.pixelColor(shown.width() // 2, shown.height() // 2)
    value = int(pixels[y, x].astype(int).mean())
    assert middle.lightness() == pytest.approx(value, abs=12)
    desk.window.video.box.hovered.emit(-50.0, -50.0)  # outside: nothing to show, no error
    loupe.grab()
    desk.window.actions_.made["loupe"].trigger()
    assert not loupe.isVisible()


def test_masks_and_deep_pictures_get_levels_of_their_own(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    video = desk.window.video
    deep = np.full((20, 30), 1500, np.uint16)
    deep[5:10] = 3000
    desk.link.pictures.append(Shown(90, 1, 0.1, "smooth", deep, 16, no_tracks()))
    desk.bench.tick()
    assert (video.levels.low, video.levels.high) == (1500, 3000)
    desk.link.pictures.append(Shown(91, 1, 0.1, "mask", deep > 2000, 1, no_tracks()))
    desk.bench.tick()
    assert (video.levels.low, video.levels.high) == (0, 1)
    out = video.image
    out._convert(out.pixels)
    assert out._buffer[7, 3] == table("gray")[255]
    assert isinstance(out._image, QtGui.QImage)
    assert out.boundingRect() == QtCore.QRectF(-0.5, -0.5, 30, 20)


def test_another_clip_or_output_has_levels_of_its_own(desk: Desk) -> None:
    """Of the same type and size, too: 12 bits and dim light in 16 bits, 0..1 and 0..4000 as floats, a band."""
    ramp, video = np.linspace(0, 1, 288 * 384, dtype=np.float64).reshape(288, 384), desk.window.video
    desk.open()
    for opened, output, low, high, kind in (
        (True, "", 300, 3700, "u2"), (True, "", 100, 300, "u2"), (True, "", 0, 1, "f4"), (True, "", 0, 4000, "f4"),
        (False, "band", -0.01, 0.02, "f4"),
    ):  # fmt: skip
        if opened:
            desk.bench.tell(Topic.OPENED)
        pixels = (low + (high - low) * ramp).astype(kind)
        desk.link.pictures.append(Shown(1, 0, 0.0, output, pixels, 0, no_tracks()))
        desk.bench.tick()
        assert (video.levels.low, video.levels.high) == pytest.approx((low, high), abs=0.02 * (high - low))
        row, column = 100, 200
        assert video.words_at(column, row).split("= ")[1].strip() == video.sample_at(row, column)
        assert float(video.sample_at(row, column)) == pytest.approx(pixels[row, column], rel=1e-3)
