from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exports.chart import Panel, panel_of, ticks
from app.exports.drawing import PALETTE, colour_of
from app.exports.ranges import believed_order, usual
from app.exports.thinning import ThinnedRows, thin
from app.exports.trajectories import PictureStyle, TrajectoryPicture, draw_trajectories
from kernels.errors import InputError
from kernels.host.opencv import cv2
from pipelines.features import TRACK_DTYPE, State, Tracks, no_tracks
from tests.app.exports.made import lives


def _circle(track: int = 0, frames: int = 200) -> Tracks:
    rows = np.zeros(frames, TRACK_DTYPE)
    angle = np.linspace(0, 5, frames)
    rows["frame"], rows["time"], rows["track"] = np.arange(frames), np.arange(frames) / 1000, track
    rows["x"], rows["y"] = 100 + 50 * np.cos(angle), 80 + 40 * np.sin(angle)
    rows["state"] = State.TRACKED
    return rows


def _near(picture: npt.NDArray[Any], colour: tuple[int, int, int]) -> npt.NDArray[Any]:
    return np.abs(picture.astype(int) - np.array(colour)).sum(axis=2) < 90


@pytest.mark.parametrize("size", [(200, 160), (160, 400), (400, 100)])
def test_lines_lie_where_the_tracks_were(tmp_path: Path, size: tuple[int, int]) -> None:
    rows = _circle()
    rows["y"] = rows["y"] / 160 * size[1]
    rows["x"] = rows["x"] / 200 * size[0]
    draw_trajectories(tmp_path / "t.png", rows, np.full(size[::-1], 40, np.uint8), *size, PictureStyle(title="clip"))
    picture = cv2.imread(str(tmp_path / "t.png"))
    # The layout's picture begins at (64, 62), at two pixels a unit.
    wide = size[0] > 1.8 * size[1]
    room = (1120, 620) if wide else (640, 640)
    zoom = 2 * min(room[0] / size[0], room[1] / size[1])
    hit = _near(picture, colour_of(0))
    for row in rows[10:-10:7]:
        x, y = 128 + (row["x"] + 0.5) * zoom - 0.5, 124 + (row["y"] + 0.5) * zoom - 0.5
        assert hit[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].any()
    inside = hit[124 : 124 + round(size[1] * zoom), 128 : 128 + round(size[0] * zoom)]
    assert 0.001 < inside.mean() < 0.05
    assert hit.sum() - inside.sum() > 400  # the two charts


@pytest.mark.parametrize("background", [None, np.zeros((160, 200, 3), np.uint16), np.full((160, 200), np.nan)])
@pytest.mark.parametrize("by", ["id", "time", ""])
def test_pictures_are_never_blank(background: npt.NDArray[Any] | None, by: str) -> None:
    picture = TrajectoryPicture(200, 160)
    empty = picture.paint(background, PictureStyle(colour_by=by))
    picture.add(_circle())
    full = picture.paint(background, PictureStyle(colour_by=by))
    assert empty.std() > 3
    assert empty.shape == full.shape
    assert (np.abs(full.astype(int) - empty).max(axis=2) > 60).mean() > 0.002


def test_odd_tracks_do_not_break_the_picture() -> None:
    picture = TrajectoryPicture(50, 50)
    rows = _circle(frames=3)
    rows["x"] = (np.nan, 1e30, -1e30)
    rows["time"] = np.nan
    picture.add(rows)
    single = _circle(1, 1)
    still = _circle(2, 9)
    still["x"] = still["y"] = 4.0
    picture.add(np.concatenate((single, still)))
    assert picture.paint(None).std() > 3
    lost = _circle(3, 5)
    lost["state"] = State.LOST
    other = TrajectoryPicture(50, 50)
    other.add(lost)
    assert other.paint(None).std() > 3


def test_nothing_outside_the_panel_is_painted_over() -> None:
    one, other = TrajectoryPicture(200, 160), TrajectoryPicture(200, 160)
    inside, outside = _circle(), _circle()
    outside["x"][100:] += 300
    one.add(inside)
    other.add(outside)
    left = slice(0, 2 * 62 - 12)  # above the panel, below the title's letters
    a, b = one.paint(None), other.paint(None)
    np.testing.assert_array_equal(a[left], b[left])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), stretch=st.integers(1, 60))
def test_thinning_keeps_the_extremes_of_every_track(seed: int, stretch: int) -> None:
    rows = np.concatenate(lives(80, seed))
    less = thin(rows, stretch)
    assert set(less["track"].tolist()) == set(rows["track"].tolist())
    for track in np.unique(rows["track"]):
        a, b = rows[rows["track"] == track], less[less["track"] == track]
        for name in ("x", "y", "frame"):
            assert (a[name].min(), a[name].max()) == (b[name].min(), b[name].max())
        assert (a["state"] == State.TRACKED).any() == (b["state"] == State.TRACKED).any()
        assert (a["state"] == State.LOST).any() == (b["state"] == State.LOST).any()


def test_memory_stays_flat_and_an_oscillation_keeps_its_envelope() -> None:
    kept = ThinnedRows(most=3000)
    rows = np.zeros(4000, TRACK_DTYPE)
    rows["state"] = State.TRACKED
    for start in range(0, 200_000, 4000):
        rows["frame"] = np.arange(start, start + 4000)
        rows["y"] = np.sin(rows["frame"] * 1.7) * (1 + rows["frame"] / 100_000)
        kept.add(rows)
    held = kept.rows
    assert 500 < len(held) <= 3000
    assert kept.left_out == 0
    for start in range(0, 200_000, 20_000):
        part = held[(held["frame"] >= start) & (held["frame"] < start + 20_000)]["y"]
        size = 1 + (start + 10_000) / 100_000
        assert part.max() == pytest.approx(size, rel=0.12)
        assert part.min() == pytest.approx(-size, rel=0.12)


def test_too_many_tracks_keep_the_longest_and_count_the_others() -> None:
    kept = ThinnedRows(most=2000)
    rows = np.zeros(20_000, TRACK_DTYPE)
    rows["track"] = np.arange(20_000)
    rows["state"] = State.TRACKED
    for frame in range(3):
        rows["frame"] = frame
        kept.add(rows[: 20_000 if frame == 0 else 100])
    held = kept.rows
    assert len(held) <= 2000
    assert kept.left_out > 0


def test_no_tracks_and_bad_folder(tmp_path: Path) -> None:
    draw_trajectories(tmp_path / "t.png", no_tracks(), None, 30, 40)
    assert cv2.imread(str(tmp_path / "t.png")) is not None
    with pytest.raises(InputError, match="does not exist"):
        draw_trajectories(tmp_path / "no" / "t.png", no_tracks(), None, 30, 40)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 12))
def test_ticks_are_few_inside_and_even(low: float, span: float, most: int) -> None:
    high = low + span
    values = ticks(low, high, most)
    assert len(values) <= most + 1
    assert all(low - 1e-6 * span <= v <= high + 1e-6 * span for v in values)
    if len(values) > 2:
        steps = np.diff(values)
        np.testing.assert_allclose(steps, steps[0], rtol=1e-5)


def test_panel_maps_pixel_centres() -> None:
    panel = Panel(10, 20, 100, 50, -0.5, 99.5, -0.5, 49.5)
    np.testing.assert_allclose(panel.at([0.0], [0.0], 2), [[20 + 0.5, 40 + 0.5]])
    flat = panel_of((0, 0, 10, 10), np.array([0.0, 1.0]), np.array([5.0, 5.0]), down=False)
    assert (flat.y0, flat.y1) == (5.5, 4.5)


def test_guesses_are_dim_and_leave_the_axes_alone() -> None:
    rows = _circle()
    seen = TrajectoryPicture(200, 160)
    seen.add(rows)
    rows = rows.copy()
    rows["state"][100:110] = State.PREDICTED
    rows["x"][100:110] = 10_000.0
    flown = TrajectoryPicture(200, 160)
    flown.add(rows)
    one, two = seen.paint(None), flown.paint(None)
    # The same axes: numbers and ticks left of the charts and below them are equal to the pixel.
    charts = 2 * (64 + 640 + 92)
    assert np.array_equal(one[:, charts - 120 : charts], two[:, charts - 120 : charts])
    # The way to a guess and back is no place where the track was seen: nothing new in its full colour.
    full = _near(two, colour_of(0)) & ~_near(one, colour_of(0))
    assert full.sum() < 40


def test_an_unknown_rate_counts_frames() -> None:
    picture = TrajectoryPicture(200, 160)
    picture.add(_circle())
    assert (picture.paint(None, PictureStyle(timed=False)) != picture.paint(None)).any()
    rows = _circle()
    rows["time"] = np.nan
    frames = TrajectoryPicture(200, 160)
    frames.add(rows)
    assert np.array_equal(picture.paint(None, PictureStyle(timed=False)), frames.paint(None))


def test_one_track_that_jumps_does_not_flatten_the_others() -> None:
    tracks = np.repeat(np.arange(6), 50)
    values = np.sin(np.arange(300) / 7.0)
    seen = np.ones(300, np.bool_)
    assert usual(values, tracks, seen).all()
    values[100:150] += 500.0
    fits = usual(values, tracks, seen)
    assert fits.tolist() == (tracks != 2).tolist()
    seen[:3] = False
    assert not usual(values, tracks, seen)[:3].any()


def test_a_few_rows_far_off_are_cut_and_even_motion_is_not() -> None:
    one, seen = np.zeros(1000, np.int64), np.ones(1000, np.bool_)
    fall = np.linspace(0, 300, 1000) ** 2
    assert usual(fall, one, seen).all()
    fall[500:505] = 1e7
    assert np.flatnonzero(~usual(fall, one, seen)).tolist() == list(range(500, 505))


def test_what_is_cut_off_is_said_in_the_picture() -> None:
    rows = np.concatenate([_circle(track) for track in range(5)])
    picture, jumping = TrajectoryPicture(200, 160), TrajectoryPicture(200, 160)
    picture.add(rows)
    rows["x"][150:200] += 5000
    jumping.add(rows)
    one, two = picture.paint(None), jumping.paint(None)
    corner = slice(2 * 62 + 10, 2 * 62 + 40), slice(2 * 800, 2 * 800 + 200)
    assert (two[corner].max(axis=2) > 130).sum() > (one[corner].max(axis=2) > 130).sum() + 100


@pytest.mark.parametrize(("count", "labelled"), [(2, True), (20, True), (21, False)])
def test_curves_have_their_numbers_beside_the_panel(count: int, labelled: bool) -> None:
    rows = np.concatenate([_circle(track) for track in range(count)])
    picture = TrajectoryPicture(200, 160)
    picture.add(rows)
    painted = picture.paint(None)
    beside = painted[100:-100, -100:-4].max(axis=2) > 100
    assert bool(beside.sum() > 100) == labelled
    if count == 20:
        assert all(_near(painted[100:-100, -100:-4], colour_of(place)).sum() > 10 for place in range(20))


def test_twenty_tracks_have_twenty_colours_in_the_order_in_which_they_were_believed() -> None:
    assert len(set(PALETTE)) == len(PALETTE) == 20
    rows = np.concatenate([_circle(track) for track in (40, 7, 60)])
    rows["frame"][rows["track"] == 7] += 10
    rows["state"][(rows["track"] == 40) & (rows["frame"] < 5)] = State.TENTATIVE
    assert believed_order(rows) == {60: 0, 40: 1, 7: 2}
