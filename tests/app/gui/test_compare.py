"""A pinned beside B, with two engines that only listen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from app.desk.pipeline import editing
from app.desk.services import pinned
from app.gui.video.compare import BOTH, HEADS
from pipelines.features import TRACK_DTYPE, State
from pipelines.writing import dumps
from tests.app.gui.comparing import compared, ended, of_a, settle
from tests.app.gui.conftest import Desk, Listening
from tests.app.gui.test_main_window import press


@pytest.fixture
def pair(desk: Desk) -> Iterator[tuple[Desk, Listening]]:
    """A pinned at frame 0, with its engine."""
    with compared(desk) as other:
        yield desk, other


def test_a_is_pinned_follows_the_frame_shares_the_zoom_and_is_counted(desk: Desk) -> None:
    other = Listening()
    compare = desk.window.tracking.compare
    compare.pinned._connect = lambda: other
    desk.open()
    desk.frame(0)
    before = dumps(desk.bench.pipeline)
    press(desk, "C")
    order = other.orders[-1]
    assert isinstance(order, commands.Open)
    assert (order.pipeline, order.play) == (before, False)
    desk.bench.editor.set_param("bright", "level", 0.2)
    info = desk.source.info
    other.reports.append(reports.Opened(info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    desk.frame(7, 4)
    compare.tick()
    assert other.orders[-1] == commands.Seek(7)
    rows = np.zeros(2, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"], rows["score"] = 7, (0, 1), State.TRACKED, 0.5
    other.reports.append(reports.Rows(7, 7, rows))
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


def frames(desk: Desk) -> tuple[int, int]:
    compare = desk.window.tracking.compare
    assert compare.view is not None
    return compare.view.frame, desk.window.video.frame


def test_both_sides_show_the_same_frame_at_any_time(pair: tuple[Desk, Listening]) -> None:
    desk, other = pair
    assert other.orders[-1] == commands.Seek(0)
    of_a(desk, other, 0)
    assert frames(desk) == (0, 0)
    desk.frame(4)
    assert other.orders[-1] == commands.Seek(4)
    assert frames(desk) == (0, 0)  # B waits
    desk.frame(5)
    desk.frame(9)
    assert other.orders[-1] == commands.Seek(4)  # one at a time
    of_a(desk, other, 4)
    assert frames(desk) == (4, 4)  # B's picture of that frame was kept
    assert np.array_equal(desk.window.video.image.pixels, np.asarray(desk.source.read(4)))
    assert desk.window.video.overlay.rows["frame"].tolist() == [4, 4, 4]
    assert other.orders[-1] == commands.Seek(9)  # and on to the newest
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
    desk.bench.editor.set_param("bright", "level", 0.2)
    assert "bright level <b>auto</b>" in a.text()
    assert "bright level <b>0.2</b>" in b.text()
    compare.use_a.click()
    assert not compare.on
    assert desk.bench.pipeline == desk.bench.history.pipeline
    assert editing.member(desk.bench.pipeline, "bright").params.get("level", "auto") == "auto"
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
    assert other.orders[-1] == commands.Seek(5)


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
        desk.bench.editor.set_param("bright", "level", 0.2 if again == "Use A" else 0.3)
        edited = desk.bench.pipeline
        desk.bench.close()
        desk.link.reports.append(reports.Closed())
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
            assert isinstance(order, commands.Open)
            assert order.pipeline == dumps(pinned_as)
            assert desk.window.actions_.made["pin"].isChecked()
        assert desk.bench.pipeline == edited


def test_a_whose_engine_dies_is_left_and_a_shows_the_stage_that_b_shows(desk: Desk) -> None:
    other = Listening()
    compare = desk.window.tracking.compare
    compare.pinned._connect = lambda: other
    desk.open()
    desk.frame(0)
    desk.bench.player.show("band")
    press(desk, "C")
    order = other.orders[-1]
    assert isinstance(order, commands.Open)
    other.reports.append(reports.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
    compare.tick()
    assert commands.Show("band") in other.orders
    desk.bench.player.show("")
    assert other.orders[-1] == commands.Show("")
    other.reports.append(reports.Crashed("the engine ended unexpectedly (signal 9)", ""))
    compare.tick()
    compare.tick()
    ended(other)
    assert not compare.on
    assert "A is gone: the engine ended unexpectedly (signal 9)" in desk.bench.messages[-1].sentence
