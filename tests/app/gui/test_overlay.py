"""What is drawn over the picture: names that do not cover one another, trails that end at its edge, what it costs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.tracks.calibration import Calibration
from app.gui.video.hover_tip import words
from app.gui.video.labels import MOST_LABELS, place_labels
from app.gui.video.overlay import Overlay, OverlayLook
from app.gui.video.trails import MOST_STEPS, thinned, trail_paths
from app.gui.video.written import WORDS_HEIGHT, extent
from pipelines.features import TRACK_DTYPE, State, Tracks
from tests.app.gui.conftest import Desk

PICTURE = QtCore.QRectF(-0.5, -0.5, 200.0, 100.0)


def rows(tracks: int, frames: int, step: tuple[float, float] = (1.0, 0.0)) -> Tracks:
    made = np.zeros((frames, tracks), TRACK_DTYPE)
    made["frame"], made["track"] = np.arange(frames)[:, None], np.arange(tracks)
    made["x"] = 10 + np.arange(frames)[:, None] * step[0]
    made["y"] = 5 + np.arange(tracks) % 90 + np.arange(frames)[:, None] * step[1]
    made["state"] = State.TRACKED
    return made.ravel()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200), st.floats(8, 60)), max_size=60),
       st.integers(0, 4))  # fmt: skip
def test_no_two_names_overlap_but_those_that_must(points: list[tuple[float, float, float]], must: int) -> None:
    x, y, widths = (np.array([point[k] for point in points], float) for k in range(3))
    first = np.arange(len(points)) < must
    found = place_labels(x, y, widths, WORDS_HEIGHT, np.full(len(points), 6.0), first, (300.0, 200.0))
    assert {k for k, _, _ in found} >= set(np.flatnonzero(first).tolist())
    boxes = {k: QtCore.QRectF(a, base - 0.75 * WORDS_HEIGHT, widths[k], 0.85 * WORDS_HEIGHT) for k, a, base in found}
    for a, b in combinations(boxes, 2):
        assert not boxes[a].intersects(boxes[b]) or (first[a] and first[b])
    if len(points) and not must:
        assert 0 in boxes  # whoever comes first has the choice


def test_names_that_are_apart_are_all_written_at_their_usual_side() -> None:
    x, y = (grid.ravel().astype(float) for grid in np.meshgrid(np.arange(20) * 60, np.arange(15) * 40))
    widths = np.full(len(x), 20.0)
    found = place_labels(x, y, widths, WORDS_HEIGHT, np.full(len(x), 6.0), np.zeros(len(x), bool), (1200.0, 600.0))
    assert [k for k, _, _ in found] == list(range(300))
    assert all(left == x[k] + 8 and base == y[k] - 5 for k, left, base in found)


def test_names_are_written_in_all_of_the_view_on_dense_screens(app: QtWidgets.QApplication) -> None:
    del app  # there has to be one

    class Dense(QtWidgets.QWidget):  # type: ignore[misc]
        def devicePixelRatioF(self) -> float:  # noqa: N802
            return 2.0

    view, picture = Dense(), QtGui.QPixmap(600, 400)
    view.resize(600, 400)
    picture.setDevicePixelRatio(2.0)
    assert extent(view) == (600, 400)
    assert extent(picture) == (300, 200)


def test_the_second_of_two_close_points_has_its_name_elsewhere_and_what_is_outside_takes_no_room() -> None:
    x, y, widths = np.array([100.0, 104.0, 5000.0]), np.array([100.0, 101.0, 50.0]), np.full(3, 20.0)
    none = np.zeros(3, bool)
    (a, left_a, base_a), (b, left_b, base_b) = place_labels(
        x, y, widths, WORDS_HEIGHT, np.full(3, 6.0), none, (300, 200)
    )
    assert (a, b) == (0, 1)
    assert base_b > base_a + 10 or left_b + 20 <= left_a
    crowd = np.full(2000, 50.0)
    found = place_labels(crowd, crowd, np.full(2000, 20.0), WORDS_HEIGHT, np.full(2000, 6.0),
                         np.arange(2000) == 1700, (300, 200))  # fmt: skip
    assert [k for k, _, _ in found] == [1700]
    spread = np.arange(2000.0)
    found = place_labels(spread % 50 * 40, spread // 50 * 30, np.full(2000, 20.0), WORDS_HEIGHT, np.full(2000, 6.0),
                         np.zeros(2000, bool), (2000, 1200))  # fmt: skip
    assert len(found) == MOST_LABELS


def ends(paths: list[tuple[int, QtGui.QPainterPath, bool]]) -> list[tuple[float, float]]:
    """Ends of all steps that are drawn."""
    kind = QtGui.QPainterPath.ElementType.LineToElement
    found = [path.elementAt(k) for _, path, _ in paths for k in range(path.elementCount())]
    return [(e.x, e.y) for e in found if e.type == kind]


def test_steps_outside_of_the_picture_are_left_out() -> None:
    far = trail_paths(rows(1, 300), (), True, PICTURE, 8)
    assert max(x for x, _ in ends(far)) == 200.0  # the step over the edge, which the painter cuts
    assert trail_paths(rows(1, 100, (0.0, 5000.0))[1:], (), True, PICTURE, 8) == []
    broken = rows(1, 20)
    broken["x"][10], broken["y"][11] = np.nan, np.inf
    assert all(np.isfinite(at).all() for at in ends(trail_paths(broken, (), True, PICTURE, 8)))


def test_many_trails_become_coarser_and_shorter_but_stay_joined_and_end_at_the_newest_frame() -> None:
    many = rows(600, 120)
    kept = thinned(many["frame"].astype(np.int64), MOST_STEPS)
    assert 0 < kept.sum() <= MOST_STEPS
    assert many["frame"][kept].max() == 116  # the same frames from picture to picture: those that four divides
    assert set(np.diff(np.unique(many["frame"][kept]))) == {4}
    drawn = ends(trail_paths(many, (), True, PICTURE, 8))
    assert 0.5 * MOST_STEPS < len(drawn) <= MOST_STEPS
    few = rows(30, 120)
    assert thinned(few["frame"].astype(np.int64), MOST_STEPS).all()


def test_a_trail_is_broken_where_a_track_is_missing_but_not_where_nothing_is_known() -> None:
    three = rows(3, 60)
    missing = three[~((three["track"] == 1) & (three["frame"] >= 20) & (three["frame"] < 30))]
    steps = {number: path.elementCount() for number, path, _ in trail_paths(missing, (), True, PICTURE, 8)}
    moves = {number: sum(path.elementAt(k).isMoveTo() for k in range(path.elementCount()))
             for number, path, _ in trail_paths(missing, (), True, PICTURE, 8)}  # fmt: skip
    assert steps[0] == 60
    assert (moves[0], moves[1], moves[2]) == (1, 2, 1)
    known = three[three["frame"] % 20 == 0]  # few frames are known of what is only sought
    assert [sum(path.elementAt(k).isLineTo() for k in range(path.elementCount()))
            for _, path, _ in trail_paths(known, (), True, PICTURE, 8)] == [2, 2, 2]  # fmt: skip


def test_a_trail_leads_over_no_frames_that_were_left_out() -> None:
    gaps = rows(2, 90)
    gaps = gaps[(gaps["frame"] < 30) | ((gaps["frame"] >= 38) & (gaps["frame"] < 60)) | (gaps["frame"] == 75)]
    for number, path, _ in trail_paths(gaps, (), True, PICTURE, 8):
        at = [path.elementAt(k) for k in range(path.elementCount())]
        assert [e.x for e in at if e.isMoveTo()] in ([10.0, 48.0], [10.0, 48.0, 85.0]), number
        assert len([e for e in at if e.isLineTo()]) == 29 + 21
    steady = rows(1, 200)  # every 30th frame is processed
    ((_, path, _),) = trail_paths(steady[steady["frame"] % 30 == 0], (), True, PICTURE, 8)
    assert len([k for k in range(path.elementCount()) if path.elementAt(k).isLineTo()]) == 6


def test_trails_of_selected_tracks_are_apart_and_guesses_can_be_left_out() -> None:
    three = rows(3, 10)
    three["state"][three["frame"] >= 5] = State.PREDICTED
    drawn = trail_paths(three, {1}, True, PICTURE, 8)
    assert [(number, strong) for number, _, strong in drawn] == [(0, False), (2, False), (1, True)]
    assert max(x for x, _ in ends(drawn)) == 19.0
    assert max(x for x, _ in ends(trail_paths(three, {1}, False, PICTURE, 8))) == 14.0


def test_nothing_is_painted_outside_of_the_picture(app: QtWidgets.QApplication) -> None:
    overlay = Overlay()
    overlay.set_bounds(PICTURE)
    picture = QtGui.QImage(400, 200, QtGui.QImage.Format.Format_ARGB32)
    picture.fill(QtGui.QColor("black"))
    moving = rows(1, 350)
    painter = QtGui.QPainter(picture)
    overlay.show_rows(moving[-1:], moving[-200:-1])
    overlay.paint(painter)
    painter.end()
    beyond = [picture.pixel(x, y) & 0xFFFFFF for x in range(201, 400, 3) for y in range(20)]
    assert not any(beyond)
    assert any(picture.pixel(x, 5) & 0xFFFFFF for x in range(170, 199))


@pytest.mark.parametrize(("part", "wide", "tall"), [(0.0, 30, 30), (0.96, 42, 6), (-0.96, 6, 42)])
def test_an_uncertainty_is_as_wide_and_as_tall_as_it_is_large(
    app: QtWidgets.QApplication, part: float, wide: int, tall: int
) -> None:
    del app  # there has to be one
    overlay = Overlay()
    overlay.set_bounds(PICTURE)
    overlay.look = OverlayLook(False, False, False, True, False, magnify=10.0)
    one = rows(1, 1)
    one["x"], one["y"], one["sigma"], one["anisotropy"] = 50.0, 40.0, 1.5, part
    picture = QtGui.QImage(400, 200, QtGui.QImage.Format.Format_ARGB32)
    picture.fill(QtGui.QColor("black"))
    painter = QtGui.QPainter(picture)
    painter.scale(2.0, 2.0)
    overlay.show_rows(one, one[:0])
    overlay.paint(painter)
    painter.end()
    drawn = [(x, y) for x in range(400) for y in range(200) if picture.pixel(x, y) & 0xFFFFFF]
    for k, half in ((0, wide), (1, tall)):
        size = max(at[k] for at in drawn) - min(at[k] for at in drawn)
        assert size == pytest.approx(2 * half, abs=3)  # on the screen, twice as large as in the picture


def test_the_words_under_the_cursor_say_how_certain_each_axis_is(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    row = desk.window.video.overlay.rows[2].copy()
    row["sigma"] = 0.5
    for part, said in ((0.28, "± 0.57, ± 0.42 px"), (-0.28, "± 0.42, ± 0.57 px"), (0.0, "± 0.5 px"), (0.1, "± 0.5 px")):
        row["anisotropy"] = part
        assert said in words(desk.bench, row)
    desk.bench.tracks.set_calibration(Calibration(2.0, "mm", (0.0, 0.0), 90.0))
    row["anisotropy"] = 0.28
    assert "± 0.85, ± 1.1 mm" in words(desk.bench, row)
    row["sigma"] = np.nan
    assert "±" not in words(desk.bench, row)


def test_the_name_under_the_cursor_is_written_before_others(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    overlay = desk.window.video.overlay
    row = overlay.rows[2]
    desk.window.video.box.hovered.emit(float(row["x"]), float(row["y"]))
    assert overlay._hovered == 2
    desk.window.video.box.left.emit()
    assert overlay._hovered is None


@pytest.mark.parametrize("count", [1, 1500])
def test_a_crowd_is_drawn(desk: Desk, count: int) -> None:
    desk.open()
    desk.frame(0, count)
    desk.window.video.redraw()
    desk.window.grab()
    assert len(desk.window.video.overlay.rows) == count


def test_a_reference_has_no_uncertainty_of_zero(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    row = desk.window.video.overlay.rows[2].copy()
    row["sigma"] = 0.0
    assert "±" not in words(desk.bench, row)
    assert "the reference from which motion is measured" in words(desk.bench, row)
