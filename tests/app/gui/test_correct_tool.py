"""A track that is put right by hand, and followed anew from there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.desk.jobs.orders import RetrackOrder
from app.gui.video.correct_tool import CorrectTool
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import click, drag, take
from tests.app.gui.test_main_window import press


def test_a_track_is_moved_by_hand_and_the_move_is_undone(desk: Desk) -> None:
    desk.open()
    desk.window.tracking.corrector.kept.path = None  # keeps no file beside the sample
    desk.frames(range(12))
    take(desk, "E")
    tool = desk.window.tracking.tools.tool
    assert isinstance(tool, CorrectTool)
    rows = desk.bench.store.at(11)
    click(desk, float(rows["x"][1]), float(rows["y"][1]))
    assert desk.bench.selected == [1]
    tool.follow.click()
    click(desk, 120.0, 200.0)
    assert desk.bench.store.at(11)["x"][desk.bench.store.at(11)["track"] == 1] == pytest.approx(120.0, abs=1.5)
    assert "set by hand in 1 frame" in desk.window.tracking.tools.panel.hint.text()
    drawn = desk.window.video.overlay.rows
    assert drawn["x"][drawn["track"] == 1] == pytest.approx(120.0, abs=1.5)
    press(desk, "Esc")
    press(desk, "Ctrl+Z")
    assert desk.bench.store.at(11)["x"].tolist() == rows["x"].tolist()


def test_a_track_that_is_put_right_is_followed_anew_until_that_is_stopped(desk: Desk) -> None:
    desk.open()
    desk.window.tracking.corrector.kept.path = None
    desk.frames(range(12))
    take(desk, "E")
    tool = desk.window.tracking.tools.tool
    assert isinstance(tool, CorrectTool)
    desk.bench.tracks.select([1])
    assert tool.follow.isChecked()
    click(desk, 120.0, 200.0)
    (job,) = desk.window.jobs.all
    order = job.order
    assert isinstance(order, RetrackOrder)
    assert (order.track, order.frame, order.frames[1]) == (1, 11, desk.source.info.frames)
    assert (order.x, order.y) == pytest.approx((120.0, 200.0), abs=1.5)
    assert "following 1" in desk.window.tracking.tools.panel.hint.text()
    assert not desk.window.tracking.corrector.corrections.undo_words
    press(desk, "Ctrl+Alt+.")
    assert job.stopping
    assert "following" not in desk.window.tracking.tools.panel.hint.text()
    tool.on.click()  # frame by frame by hand
    assert not tool.follow.isChecked()


def test_a_place_is_marked_at_once_and_marks_are_dragged(desk: Desk) -> None:
    desk.open()
    desk.window.tracking.corrector.kept.path = None
    desk.frames(range(12))
    before = desk.window.video.box.viewRect()
    take(desk, "E")
    beside = desk.window.video.box.viewRect()
    tools = desk.window.tracking.tools
    tool = tools.tool
    assert isinstance(tool, CorrectTool)
    desk.bench.tracks.select([1])
    corrector = tools.corrector
    rows = desk.bench.store.at(11)
    x, y = (float(rows[name][1]) for name in ("x", "y"))
    seen: list[tuple[float, float]] = []
    brush = RecordingBrush(seen)
    click(desk, 120.0, 200.0)
    ((frame, place),) = corrector.pending(1)
    assert (frame, *place) == pytest.approx((11, 120.0, 200.0), abs=1.5)
    tool.paint(brush)  # type: ignore[arg-type]
    assert seen == [place], "a mark, though what follows is not known yet"
    drag(desk, (120.0, 200.0), (140.0, 210.0), (160.0, 220.0))  # the mark that was just set
    ((_, place),) = corrector.pending(1)
    assert place == pytest.approx((160.0, 220.0), abs=3.0)
    assert desk.window.video.box.viewRect() == beside, "the picture stands still"
    other = int(rows["track"][0])
    drag(desk, (float(rows["x"][0]), float(rows["y"][0])), (100.0, 150.0), (90.0, 160.0))  # that of another track
    assert desk.bench.selected == [other]
    ((_, place),) = corrector.pending(other)
    assert place == pytest.approx((90.0, 160.0), abs=3.0)
    assert tool.near((x, y)) == 0
    assert tool.near((x + 60.0, y + 60.0)) == -1
    assert not tool.grab((x + 60.0, y + 60.0)), "elsewhere drags move the picture"
    assert desk.window.video.box.viewRect() == beside
    take(desk, "Esc")
    assert desk.window.video.box.viewRect() == before


class RecordingBrush:
    """Notes crosses, draws nothing."""

    def __init__(self, seen: list[tuple[float, float]]) -> None:
        self._seen = seen
        self.painter = self

    def cross(self, point: tuple[float, float], strong: bool = False) -> None:
        del strong
        self._seen.append(point)

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_more: None
