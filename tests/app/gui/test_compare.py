"""A pinned beside B, with two engines that only listen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.engine import orders as ask
from app.desk.engine import reports as say
from app.desk.engine.picture_box import Shown
from app.desk.pipeline import editing, pinned
from app.desk.pipeline.differing import differences
from app.desk.pipeline.pinned import numbers
from app.gui.video.compare import APART, BOTH, HEADS, WIPE
from app.gui.video.curtain import difference
from app.gui.video.view import VideoView
from pipelines.definition import load
from pipelines.features import TRACK_DTYPE, State
from pipelines.graph import Ref
from pipelines.writing import dumps
from tests.app.gui.conftest import Desk, Listening
from tests.app.gui.mouse import drag
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
    assert isinstance(order, ask.Open)
    assert (order.pipeline, order.play) == (before, False)
    desk.bench.set_param("bright", "level", 0.2)
    info = desk.source.info
    other.reports.append(say.Opened(info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    desk.frame(7, 4)
    compare.tick()
    assert other.orders[-1] == ask.Seek(7)
    rows = np.zeros(2, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"], rows["score"] = 7, (0, 1), State.TRACKED, 0.5
    other.reports.append(say.Rows(7, 7, rows))
    other.pictures.append(Shown(1, 7, 7 / 600, "", np.asarray(desk.source.read(7)), 8, rows))
    compare.tick()
    assert compare.view is not None
    assert compare.view.overlay.rows["track"].tolist() == [0, 1]
    compare.count()
    table = QtGui.QTextDocument()
    table.setHtml(compare.words.text())
    assert table.toPlainText().split() == [
        "in", "1", "frame", *HEADS, "A", "pinned", "2", "2", "0.500", "0", "0", "B", "edited", "4", "4", "0.900", "0",
        "0",
    ]  # fmt: skip
    desk.window.video.box.setRange(QtCore.QRectF(100, 80, 60, 40), padding=0)
    QtWidgets.QApplication.processEvents()
    seen, shared = desk.window.video.box.viewRect().center(), compare.view.box.viewRect().center()
    assert abs(seen.x() - shared.x()) < 5
    press(desk, "Shift+C")
    assert not desk.window.video.isVisible()
    settle()
    only_a = compare.view.box.viewRect()
    press(desk, "Shift+C")
    settle()
    assert desk.window.video.isVisible()
    assert not compare.view.isVisible()
    only_b = desk.window.video.box.viewRect()
    assert (only_b.center().x(), only_b.width()) == pytest.approx((only_a.center().x(), only_a.width()), rel=0.02)
    compare.choice.setCurrentText(BOTH)
    assert compare.view.isVisible()
    press(desk, "C")
    ended(other)
    assert not compare.on
    assert desk.bench.pipeline != order.pipeline


def test_both_look_at_the_same_after_every_resize(pair: tuple[Desk, Listening]) -> None:
    desk, other = pair
    other.pictures.append(Shown(1, 0, 0.0, "", np.asarray(desk.source.read(0)), 8, np.zeros(0, TRACK_DTYPE)))
    compare, video = desk.window.tracking.compare, desk.window.video
    compare.tick()
    desk.frame(0)
    assert compare.view is not None
    settle()
    sizes = {}
    for wide, high in ((1280, 800), (2400, 1300), (1500, 1300), (2400, 900), (1280, 800)):
        desk.window.resize(wide, high)
        settle()
        a, b = compare.view.box, video.box
        whole = video.image.mapRectToParent(video.image.boundingRect())
        for box in (a, b):
            seen = box.viewRect()
            assert seen.contains(whole)
            assert min(seen.width() / whole.width(), seen.height() / whole.height()) < 1.1  # and little else
        assert a.viewPixelSize() == pytest.approx(b.viewPixelSize(), rel=0.02)
        sizes.setdefault((wide, high), []).append(b.viewPixelSize()[0])
    first, last = sizes[1280, 800]
    assert last == pytest.approx(first, rel=0.02)
    b.setRange(QtCore.QRectF(100, 80, 60, 40), padding=0)
    desk.window.resize(1700, 1000)
    settle()
    assert (a.viewRect().center().x(), a.viewRect().center().y()) == pytest.approx((130, 100), abs=3)


def settle() -> None:
    for _ in range(4):
        QtWidgets.QApplication.processEvents()
        time.sleep(0.005)


@pytest.fixture
def pair(desk: Desk) -> Iterator[tuple[Desk, Listening]]:
    """A pinned at frame 0, with its engine."""
    other = Listening()
    compare = desk.window.tracking.compare
    compare.pinned._connect = lambda: other
    desk.open()
    desk.frame(0)
    press(desk, "C")
    order = other.orders[-1]
    assert isinstance(order, ask.Open)
    other.reports.append(say.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    compare.tick()
    yield desk, other
    compare.switch(False)


def of_a(desk: Desk, other: Listening, frame: int) -> None:
    rows = np.zeros(0, TRACK_DTYPE)
    pixels = np.full((288, 384), frame, np.uint8)
    other.pictures.append(Shown(frame + 1, frame, frame / 600, "", pixels, 8, rows))
    desk.window.tracking.compare.tick()


def frames(desk: Desk) -> tuple[int, int]:
    compare = desk.window.tracking.compare
    assert compare.view is not None
    return compare.view.frame, desk.window.video.frame


def test_both_sides_show_the_same_frame_at_any_time(pair: tuple[Desk, Listening]) -> None:
    desk, other = pair
    assert other.orders[-1] == ask.Seek(0)
    of_a(desk, other, 0)
    assert frames(desk) == (0, 0)
    desk.frame(4)
    assert other.orders[-1] == ask.Seek(4)
    assert frames(desk) == (0, 0)  # B waits
    desk.frame(5)
    desk.frame(9)
    assert other.orders[-1] == ask.Seek(4)  # one at a time
    of_a(desk, other, 4)
    assert frames(desk) == (4, 4)  # B's picture of that frame was kept
    assert np.array_equal(desk.window.video.image.pixels, np.asarray(desk.source.read(4)))
    assert desk.window.video.overlay.rows["frame"].tolist() == [4, 4, 4]
    assert other.orders[-1] == ask.Seek(9)  # and on to the newest
    of_a(desk, other, 6)  # not what was asked for
    assert frames(desk) == (4, 4)
    of_a(desk, other, 9)
    assert frames(desk) == (9, 9)
    a, b = desk.window.tracking.compare.labels
    assert "frame 9" in a.text()
    assert "frame 9" in b.text()
    desk.frame(9, 1)  # B's parameter was changed: the frame that stands is shown anew
    assert frames(desk) == (9, 9)
    assert len(desk.window.video.overlay.rows) == 1


def test_the_sides_say_what_differs_and_either_is_adopted(pair: tuple[Desk, Listening]) -> None:
    desk, other = pair
    compare = desk.window.tracking.compare
    a, b = compare.labels
    assert "same" in a.text()
    assert not compare.use_a.isEnabled()
    desk.bench.set_param("bright", "level", 0.2)
    assert "bright level <b>0.03</b>" in a.text()
    assert "bright level <b>0.2</b>" in b.text()
    compare.use_a.click()
    assert not compare.on
    assert desk.bench.pipeline == desk.bench.history.pipeline
    assert editing.member(desk.bench.pipeline, "bright").params.get("level", 0.03) == 0.03
    assert not desk.window.actions_.made["pin"].isChecked()
    press(desk, "Ctrl+Z")
    assert editing.member(desk.bench.pipeline, "bright").params["level"] == 0.2
    ended(other)
    desk.frame(11)
    assert desk.window.video.frame == 11  # alone again


def test_b_is_kept(pair: tuple[Desk, Listening]) -> None:
    desk, _ = pair
    desk.frame(3)
    desk.window.tracking.compare.keep_b.click()
    assert not desk.window.tracking.compare.on
    assert desk.window.video.frame == 3


def test_a_frame_that_a_cannot_show_is_given_up(pair: tuple[Desk, Listening], monkeypatch: pytest.MonkeyPatch) -> None:
    desk, other = pair
    desk.frame(4)
    desk.frame(5)
    monkeypatch.setattr(pinned, "PATIENCE", -1.0)
    desk.window.tracking.compare.tick()
    assert other.orders[-1] == ask.Seek(5)


def test_in_what_two_pipelines_differ() -> None:
    first = load("blobs")
    assert differences(first, first) == []
    second = editing.remove(first.with_settings({"bright.level": 0.25}), first.trackers[0].id)
    found = {one.what: (one.first, one.second) for one in differences(first, second)}
    assert found["bright level"] == ("0.03", "0.25")
    assert found[first.trackers[0].id] == ("blob", "-")
    longer = editing.add_stage(first, "gaussian", Ref("gray"))
    more = {one.what: (one.first, one.second) for one in differences(first, longer)}
    assert more["gaussian"] == ("-", "gaussian")
    assert ("gray", "gaussian") in more.values()  # what took gray takes it now


def test_another_clip_ends_the_comparison_and_keeps_a_within_reach(pair: tuple[Desk, Listening]) -> None:
    desk, other = pair
    compare, strips = desk.window.tracking.compare, desk.window.strips
    desk.open()  # A is the same as B: nothing is lost
    compare.tick()
    ended(other)
    assert not compare.on
    assert "a" not in strips
    for again in ("Use A", "Compare here"):
        other = Listening()
        compare.pinned._connect = lambda made=other: made  # type: ignore[misc]
        desk.frame(0)
        press(desk, "C")
        pinned_as = desk.bench.pipeline
        desk.bench.set_param("bright", "level", 0.2 if again == "Use A" else 0.3)
        edited = desk.bench.pipeline
        desk.bench.close()
        desk.link.reports.append(say.Closed())
        desk.bench.tick()
        compare.tick()
        ended(other)
        assert not compare.on
        strips["a"].buttons["Compare here"].click()  # too early
        assert "open one first" in desk.bench.messages[-1].sentence
        desk.open()
        other = Listening()
        compare.pinned._connect = lambda made=other: made  # type: ignore[misc]
        strips["a"].buttons[again].click()
        assert "a" not in strips
        if again == "Use A":
            assert desk.bench.pipeline == pinned_as
            press(desk, "Ctrl+Z")
        else:
            order = other.orders[-1]
            assert isinstance(order, ask.Open)
            assert order.pipeline == dumps(pinned_as)
            assert desk.window.actions_.made["pin"].isChecked()
        assert desk.bench.pipeline == edited


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
    place = video.box.mapViewToScene(QtCore.QPointF(300.5, 200.5))
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
    desk.bench.set_param("band", "sigma", 1.8)  # what is shown of B is of the pipeline before
    compare._paired()
    assert curtain.note.text() == "waiting: B is compiled anew"


def bright(video: VideoView) -> int:
    """Pixels of the scale bar: light ones in the lower right corner of the view."""
    picture = video.grab().toImage()
    width, height = picture.width(), picture.height()
    return sum(picture.pixelColor(x, y).lightness() > 180
               for x in range(width - 160, width - 10) for y in range(height - 30, height - 5))  # fmt: skip


def test_how_far_pictures_are_apart() -> None:
    a = np.array([[[1, 2, 3], [250, 0, 9]]], np.uint8)
    b = np.array([[[3, 2, 3], [0, 1, 9]]], np.uint8)
    assert difference(a, b).tolist() == [[2.0, 250.0]]
    holes, whole = np.array([[np.nan, 1.0]], np.float32), np.array([[0.0, 3.5]], np.float32)
    assert difference(holes, whole).tolist() == [[0.0, 2.5]]


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
    assert isinstance(order, ask.Open)
    other.reports.append(say.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    compare.tick()
    assert ask.Show("band") in other.orders
    desk.bench.show("")
    assert other.orders[-1] == ask.Show("")
    other.reports.append(say.Crashed("the engine ended unexpectedly (signal 9)", ""))
    compare.tick()
    compare.tick()
    ended(other)
    assert not compare.on
    assert "A is gone: the engine ended unexpectedly (signal 9)" in desk.bench.messages[-1].sentence
