"""The timeline and the row below the video, by mouse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyqtgraph.Qt import QtCore, QtGui, QtTest

from app.desk.engine import commands, reports
from app.desk.tracks.problems import Kind
from app.gui.traces.quality import UNKNOWN, quality
from app.gui.traces.timeline import Timeline, nice_step
from pipelines.features import TRACK_DTYPE, Reason, State
from pipelines.streaming.common.states import RunState
from tests.app.gui.conftest import Desk

LEFT = QtCore.Qt.MouseButton.LeftButton


def line(desk: Desk) -> Timeline:
    return desk.window.transport.timeline


def point(made: Timeline, frame: float, y: int = 22) -> QtCore.QPoint:
    return QtCore.QPoint(round(made.place(frame)), y)


def test_a_press_goes_to_the_frame_under_the_cursor(desk: Desk) -> None:
    desk.open()
    made = line(desk)
    QtTest.QTest.mouseClick(made, LEFT, pos=point(made, 240))
    pause, seek = desk.link.orders
    assert pause == commands.Pause()
    assert isinstance(seek, commands.Seek)
    assert abs(seek.frame - 240) <= 1


def test_dragging_scrubs_and_marks_move(desk: Desk) -> None:
    desk.open()
    made = line(desk)
    QtTest.QTest.mousePress(made, LEFT, pos=point(made, 100))
    QtTest.QTest.mouseMove(made, point(made, 200))
    QtTest.QTest.mouseRelease(made, LEFT, pos=point(made, 200))
    seeks = [order.frame for order in desk.link.orders if isinstance(order, commands.Seek)]
    assert seeks[0] == pytest.approx(100, abs=1)
    desk.bench.player.set_range(100, 300)
    QtTest.QTest.mousePress(made, LEFT, pos=point(made, 99.5, 9))
    made.mouseMoveEvent(_move(made, 150))
    QtTest.QTest.mouseRelease(made, LEFT, pos=point(made, 150, 9))
    assert desk.bench.range[0] == pytest.approx(150, abs=1)
    assert desk.bench.range[1] == 300


def _move(made: Timeline, frame: float) -> object:


    return QtGui.QMouseEvent(QtCore.QEvent.Type.MouseMove, QtCore.QPointF(point(made, frame)), LEFT, LEFT,
                             QtCore.Qt.KeyboardModifier.NoModifier)  # fmt: skip


def test_every_place_belongs_to_its_frame(desk: Desk) -> None:
    desk.open()
    made = line(desk)
    made.resize(2000, 46)
    for frame in (0, 1, 7, 239, 478, 479):
        assert made.frame_at(made.place(frame)) == frame
    assert made.frame_at(-100) == 0
    assert made.frame_at(5000) == 479


def test_problems_are_marked_and_named(desk: Desk) -> None:
    desk.open()
    rows = np.zeros(30, TRACK_DTYPE)
    rows["frame"], rows["state"], rows["score"] = np.arange(30), State.TRACKED, 0.9
    rows["x"] = np.arange(30)
    rows["state"][29], rows["reason"][29] = State.LOST, Reason.LOW_SCORE
    desk.link.reports.append(reports.Rows(0, 29, rows))
    desk.bench.tick()
    made = line(desk)
    made._look()
    assert [p.frame for p in made.problems] == [29]
    desk.bench.tracks.corrected({0: "wing tip"})
    assert "wing tip: lost" in made._words(made.place(29))


def test_problems_of_one_kind_are_gone_through(desk: Desk) -> None:
    desk.open()
    rows = np.zeros(60, TRACK_DTYPE)
    rows["frame"], rows["state"], rows["score"] = np.arange(60), State.TRACKED, 0.9
    rows["x"] = np.arange(60)
    rows["x"][20] += 40  # a jump, and back again
    rows["score"][30:33] = 0.1
    rows["state"][59], rows["reason"][59] = State.LOST, Reason.LOW_SCORE
    desk.frame(0, 0)
    desk.link.reports.append(reports.Rows(0, 59, rows))
    desk.bench.tick()
    made, actions = line(desk), desk.window.actions_.made

    def sought() -> list[int]:
        desk.link.orders.clear()
        actions["next_problem"].trigger()
        return [order.frame for order in desk.link.orders if isinstance(order, commands.Seek)]

    made._look()
    assert {p.kind for p in made.problems} == {Kind.LOST, Kind.JUMP, Kind.SCORE}
    for name, kind, frames in (("score", Kind.SCORE, [30]), ("lost", Kind.LOST, [59])):
        actions[f"problems_{name}"].trigger()
        assert [p.frame for p in made.problems] == frames
        assert sought() == frames
        assert f"frame {frames[0]}: " in desk.bench.messages[-1].sentence
        assert desk.bench.messages[-1].sentence.endswith("(problem 1 of 1)")
        assert [key for key, action in actions.items() if key.startswith("problems_") and action.isChecked()] == [
            f"problems_{name}"]  # fmt: skip
        assert desk.window.problem_kind is kind
    desk.frame(60, 0)
    assert sought() == []
    words = "no losses after frame 60, as far as frames were processed; 1 before it (P)"
    assert desk.bench.messages[-1].sentence == words
    actions["problems_all"].trigger()
    assert len(made.problems) >= 3


def test_a_jump_moves_a_zoomed_view_to_the_problem_and_a_fitted_one_not(desk: Desk) -> None:
    desk.open()
    rows = np.zeros(60, TRACK_DTYPE)
    rows["frame"], rows["state"], rows["score"] = np.arange(60), State.TRACKED, 0.9
    rows["x"], rows["y"] = 300, 200
    rows["state"][59], rows["reason"][59] = State.LOST, Reason.LOW_SCORE
    desk.frame(0, 0)
    desk.link.reports.append(reports.Rows(0, 59, rows))
    desk.bench.tick()
    line(desk)._look()
    video, jump = desk.window.video, desk.window.actions_.made["next_problem"]
    fitted = video.box.viewRect()
    jump.trigger()
    assert video.box.viewRect() == fitted
    video.box.setRange(QtCore.QRectF(0, 0, 60, 40), padding=0)
    zoomed = video.box.viewRect()
    jump.trigger()
    seen = video.box.viewRect()
    assert (seen.center().x(), seen.center().y()) == pytest.approx((300, 200))
    assert seen.width() == pytest.approx(zoomed.width())
    jump.trigger()
    assert video.box.viewRect() == seen  # it is in sight
    video.box.translateBy(x=-500, y=-500)
    desk.bench.tracks.select([0])
    desk.window.actions_.made["track_first"].trigger()
    assert video.box.viewRect().center().x() == pytest.approx(300)


def test_shades_of_a_run_before_are_not_drawn_beyond_the_frames_of_a_new_one(desk: Desk) -> None:
    desk.open(live=True)
    made = line(desk)
    for position in (5000, 20):  # a recording begins a run of its own
        desk.link.reports.append(reports.Stood(RunState.RUNNING, position))
        desk.bench.tick()
        made.grab()
        assert made._shaded_span == (0, position + 1)


def test_a_camera_cannot_be_scrubbed(desk: Desk) -> None:
    desk.open(live=True)
    QtTest.QTest.mouseClick(line(desk), LEFT, pos=QtCore.QPoint(100, 22))
    assert desk.link.orders == []


def test_speed_output_and_buttons(desk: Desk) -> None:
    desk.open()
    row = desk.window.transport
    row.speed.activated.emit(3)
    assert desk.link.orders[-1] == commands.SetSpeed(0.1)
    row.speed.activated.emit(row.speed.count() - 1)
    assert desk.link.orders[-1] == commands.SetSpeed(None)
    row.output.setCurrentIndex(2)
    row.output.activated.emit(2)
    assert desk.link.orders[-1] == commands.Show(desk.bench.pipeline.nodes[1].id)
    row.buttons["on"].click()
    assert desk.link.orders[-1] == commands.Step(1)
    icon = row.buttons["play"].icon().cacheKey()
    desk.link.reports.append(reports.Stood(RunState.RUNNING, 3))
    desk.bench.tick()
    assert row.buttons["play"].icon().cacheKey() != icon


@given(st.integers(0, 50), st.integers(1, 60), st.integers(1, 40), st.integers(0, 2**32))
def test_quality_is_the_share_that_was_seen(first: int, length: int, places: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = np.zeros(rng.integers(0, 100), TRACK_DTYPE)
    rows["frame"] = np.sort(rng.integers(0, 120, len(rows)))
    rows["state"] = rng.integers(0, 4, len(rows))
    found = quality(rows, first, first + length, places)
    for place in range(places):
        part = [r for r in rows if first <= r["frame"] < first + length
                and (r["frame"] - first) * places // length == place]  # fmt: skip
        believed = [r for r in part if r["state"] != State.TENTATIVE]
        if not part:
            assert found[place] == UNKNOWN
        elif not believed:
            assert found[place] == 1
        else:
            assert found[place] == pytest.approx(sum(r["state"] == State.TRACKED for r in believed) / len(believed))


@given(st.floats(0, 1e7))
def test_ticks_are_round_numbers(least: float) -> None:
    step = nice_step(least)
    assert step >= least
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert step == 1 or step <= 2.5 * least
