"""A pinned beside B, with two engines that only listen."""

from __future__ import annotations

import time

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.engine import messages as say
from app.desk.engine.picture_box import Shown
from app.desk.pipeline.pinned import numbers
from pipelines.features import TRACK_DTYPE, State
from pipelines.writing import dumps
from tests.app.gui.conftest import Desk, Listening
from tests.app.gui.test_main_window import press


def ended(link: Listening) -> None:
    """Its engine was told to end, by another thread."""
    until = time.monotonic() + 10
    while not link.closed and time.monotonic() < until:
        time.sleep(0.005)
    assert link.closed


def test_a_is_pinned_follows_the_frame_shares_the_zoom_and_is_counted(desk: Desk) -> None:
    other = Listening()
    compare = desk.window.tracking.compare
    compare.pinned._connect = lambda: other
    desk.open()
    desk.frame(0)
    before = dumps(desk.bench.pipeline)
    press(desk, "C")
    order = other.orders[-1]
    assert isinstance(order, say.Open)
    assert (order.pipeline, order.play) == (before, False)
    desk.bench.set_param("bright", "level", 0.2)
    info = desk.source.info
    other.reports.append(say.Opened(info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    desk.frame(7, 4)
    compare.tick()
    assert other.orders[-1] == say.Seek(7)
    rows = np.zeros(2, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"], rows["score"] = 7, (0, 1), State.TRACKED, 0.5
    other.reports.append(say.Rows(7, 7, rows))
    other.pictures.append(Shown(1, 7, 7 / 600, "", np.asarray(desk.source.read(7)), 8, rows))
    compare.tick()
    assert compare.view is not None
    assert compare.view.overlay.rows["track"].tolist() == [0, 1]
    compare.count()
    text = compare.words.text()
    assert "2 tracks, seen 2, score 0.500" in text
    assert "4 tracks, seen 4, score 0.900" in text
    assert text.count("in 1 frame:") == 2
    desk.window.video.box.setRange(QtCore.QRectF(100, 80, 60, 40), padding=0)
    QtWidgets.QApplication.processEvents()
    seen, shared = desk.window.video.box.viewRect().center(), compare.view.box.viewRect().center()
    assert abs(seen.x() - shared.x()) < 5
    press(desk, "Shift+C")
    assert not desk.window.video.isVisible()
    press(desk, "Shift+C")
    assert desk.window.video.isVisible()
    press(desk, "C")
    ended(other)
    assert not compare.on
    assert desk.bench.pipeline != order.pipeline


def test_another_clip_ends_the_comparison(desk: Desk) -> None:
    other = Listening()
    compare = desk.window.tracking.compare
    compare.pinned._connect = lambda: other
    desk.open()
    desk.frame(0)
    press(desk, "C")
    desk.open()
    compare.tick()
    ended(other)
    assert not compare.on


def test_numbers_of_nothing() -> None:
    found = numbers(np.zeros(0, TRACK_DTYPE))
    assert (found.tracks, found.seen, found.lost, found.jumps) == (0, 0, 0, 0)
    assert np.isnan(found.score)


def test_a_whose_engine_dies_is_left_and_a_shows_the_stage_that_b_shows(desk: Desk) -> None:
    other = Listening()
    compare = desk.window.tracking.compare
    compare.pinned._connect = lambda: other
    desk.open()
    desk.frame(0)
    desk.bench.show("band")
    press(desk, "C")
    order = other.orders[-1]
    assert isinstance(order, say.Open)
    other.reports.append(say.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    compare.tick()
    assert say.Show("band") in other.orders
    desk.bench.show("")
    assert other.orders[-1] == say.Show("")
    other.reports.append(say.Crashed("the engine ended unexpectedly (signal 9)", ""))
    compare.tick()
    compare.tick()
    ended(other)
    assert not compare.on
    assert "A is gone: the engine ended unexpectedly (signal 9)" in desk.bench.messages[-1].sentence
