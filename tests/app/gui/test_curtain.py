"""A drawn over B, and taken from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore

from app.gui.video.compare import APART, BOTH, WIPE
from app.gui.video.curtain import difference
from app.gui.video.view import VideoView
from tests.app.gui.comparing import compared, of_a, settle
from tests.app.gui.conftest import Desk, Listening
from tests.app.gui.mouse import drag


@pytest.fixture
def pair(desk: Desk) -> Iterator[tuple[Desk, Listening]]:
    """A pinned at frame 0, with its engine."""
    with compared(desk) as other:
        yield desk, other


def test_a_is_drawn_over_b_and_taken_from_it(pair: tuple[Desk, Listening]) -> None:
    desk, other = pair
    compare = desk.window.tracking.compare
    of_a(desk, other, 0)
    compare.choice.setCurrentText(WIPE)
    settle()
    curtain = compare.curtain
    assert curtain is not None
    assert not compare.edge.isHidden()
    assert curtain.image.pixels is not None
    assert np.array_equal(curtain.image.pixels, np.zeros((288, 384), np.uint8))
    for value in (0, 250, 1000):
        compare.edge.setValue(value)
        assert curtain.rect().width() == pytest.approx(384 * value / 1000)
    video = desk.window.video
    picture = video.grab().toImage()
    assert video.image.pixels is not None
    y, x = np.unravel_index(np.argmax(video.image.pixels[:, 100:280]), (288, 180))  # the brightest thing of B
    place = video.box.mapViewToScene(QtCore.QPointF(x + 100.5, y + 0.5))
    at = video.graphics.mapTo(video, video.graphics.mapFromScene(place))
    compare.edge.setValue(100)
    assert picture.pixelColor(at).value() < 8 < video.grab().toImage().pixelColor(at).value()  # A is black here
    assert curtain.zValue() > video.overlay.zValue()
    compare.edge.setValue(0)
    bar = bright(video)
    assert bar > 100
    compare.edge.setValue(1000)  # the scale bar lies over A, too
    assert bright(video) == pytest.approx(bar, abs=20)
    desk.window.tracking.tools.marks.scale_bar = False
    desk.window.tracking.tools.marks.update()
    assert bright(video) == 0
    a_label, b_label = compare.labels
    assert a_label.geometry().right() < b_label.geometry().left()
    assert b_label.geometry().right() == pytest.approx(video.width() - 8, abs=2)
    drag(desk, (383.0, 150.0), (120.0, 150.0))
    assert curtain.share == pytest.approx(120 / 384, abs=0.01)
    assert compare.edge.value() == pytest.approx(1000 * 120 / 384, abs=10)
    compare.choice.setCurrentText(APART)
    settle()
    assert compare.edge.isHidden()
    assert curtain.zValue() < video.overlay.zValue()
    assert curtain.rect().width() == pytest.approx(384)
    shown = np.asarray(desk.source.read(0))
    wanted = shown if shown.ndim == 2 else shown.max(axis=2)
    assert curtain.image.pixels is not None
    assert np.array_equal(curtain.image.pixels, wanted.astype(np.float32))
    assert f"white {wanted.max():.4g}" in curtain.note.text()
    desk.frame(4)
    of_a(desk, other, 4)
    assert float(curtain.image.pixels.max()) == np.abs(np.asarray(desk.source.read(4)).astype(float) - 4).max()
    compare.choice.setCurrentText(BOTH)
    settle()
    assert compare.curtain is None
    assert curtain.scene() is None
    assert compare.view is not None
    assert compare.view.isVisible()


def test_pictures_of_different_stages_are_not_taken_from_one_another(pair: tuple[Desk, Listening]) -> None:
    desk, other = pair
    compare = desk.window.tracking.compare
    of_a(desk, other, 0)
    compare.choice.setCurrentText(APART)
    settle()
    curtain = compare.curtain
    assert curtain is not None
    a, b = compare.pinned.pair or (None, None)
    assert a is not None
    assert b is not None
    curtain.show_pair((a, replace(b, output="smooth")), compare.view.overlay.rows, None)  # type: ignore[union-attr]
    assert np.array_equal(np.asarray(curtain.image.pixels), a.pixels)
    assert curtain.note.text() == "waiting: A shows the clip, B shows smooth"
    assert curtain.note.isVisible()
    desk.bench.editor.set_param("band", "sigma", 1.8)  # what is shown of B is of the pipeline before
    compare._paired()
    assert curtain.note.text() == "waiting: B is compiled anew"


def test_how_far_pictures_are_apart() -> None:
    a = np.array([[[1, 2, 3], [250, 0, 9]]], np.uint8)
    b = np.array([[[3, 2, 3], [0, 1, 9]]], np.uint8)
    assert difference(a, b).tolist() == [[2.0, 250.0]]
    holes, whole = np.array([[np.nan, 1.0]], np.float32), np.array([[0.0, 3.5]], np.float32)
    assert difference(holes, whole).tolist() == [[0.0, 2.5]]


def bright(video: VideoView) -> int:
    """Pixels of the scale bar: light ones in the lower right corner of the view."""
    picture = video.grab().toImage()
    width, height = picture.width(), picture.height()
    return sum(picture.pixelColor(x, y).lightness() > 180
               for x in range(width - 160, width - 10) for y in range(height - 30, height - 5))  # fmt: skip
