"""Over which steps of tracks lines are drawn, when rows are thinned as they come."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports import gaps
from app.exports.thinning import ThinnedRows
from app.exports.trajectories import TrajectoryPicture
from app.joined import joined
from app.plots.figures import sheet
from app.plots.look import LIGHT
from pipelines.features import TRACK_DTYPE, State, Tracks


def rows_at(frames: dict[int, list[int]]) -> Tracks:
    """Rows of tracks in some frames, by frame."""
    pairs = sorted((frame, track) for track, its in frames.items() for frame in its)
    rows = np.zeros(len(pairs), TRACK_DTYPE)
    rows["frame"], rows["track"] = np.array(pairs, np.int64).reshape(-1, 2).T
    rows["x"], rows["y"] = np.random.default_rng(1).normal(size=(2, len(rows)))
    rows["state"] = State.TRACKED
    return rows


def taken(rows: Tracks, most: int, block: int) -> ThinnedRows:
    thinned = ThinnedRows(most)
    for first in range(0, len(rows), block):
        thinned.add(rows[first : first + block])
        thinned._settle()
    return thinned


STEPS = st.lists(st.sampled_from([1, 1, 1, 1, 2, 3, 9, 40]), min_size=1, max_size=60)


@given(st.dictionaries(st.integers(0, 3), STEPS, min_size=1), st.integers(1, 70), st.sampled_from([20, 60, 1000]))
def test_steps_between_stretches_are_joined_as_before_they_were_thinned(
    steps: dict[int, list[int]], block: int, most: int
) -> None:
    rows = rows_at({track: np.cumsum(its).tolist() for track, its in steps.items()})
    thinned = taken(rows, most, block)
    held = thinned.rows
    on = thinned.joined(held)
    whole = rows[np.lexsort((rows["frame"], rows["track"]))]
    truth = {(int(a["track"]), int(a["frame"])): bool(good) for a, good in
             zip(whole[:-1], joined(whole["frame"].copy(), whole["track"].copy()), strict=True)}  # fmt: skip
    stretch = thinned._stretch
    for a, b, good in zip(held[:-1], held[1:], on, strict=True):
        if a["track"] != b["track"]:
            assert not good
        elif a["frame"] // stretch == b["frame"] // stretch:
            assert good or stretch == 1
        else:
            assert good == truth[int(a["track"]), int(a["frame"])], (a, b, stretch)


@pytest.mark.parametrize("cut", range(1, 10))
def test_a_step_is_looked_at_once_what_comes_behind_it_is_known(cut: int) -> None:
    rows = rows_at({0: [0, 3, 6, 9, 12, 17, 18, 19, 20, 21]})
    made = gaps.Gaps()
    made.add(rows[:cut])
    made.add(rows[cut:])
    on = made.joined(rows, 2)
    assert on.tolist() == [True] * 4 + [False] + [True] * 4  # with what lies before it alone it would be usual


def test_ends_of_tracks_are_held_for_the_newest_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaps, "MOST_TAILS", 200)
    made = gaps.Gaps()
    for track in range(400):
        made.add(rows_at({track: [10 * track + k for k in (0, 1, 2, 8, 9)]}))
        assert len(made._ends) <= 205
    assert made._ends["track"].max() == 399
    assert len(made._ends) >= 50


@pytest.mark.parametrize("most", [200_000, 400])
def test_no_line_is_drawn_over_frames_of_which_nothing_is_known(most: int) -> None:
    frames = [*range(1000), *range(2000, 3000)]
    rows = rows_at({0: frames})
    rows["x"] = np.where(rows["frame"] < 1500, 20.0, 180.0)
    rows["y"] = 80.0 + 70.0 * np.sin(rows["frame"] / 50.0)
    crossing = []
    for known in (frames, range(3000)):
        picture = TrajectoryPicture(200, 160, most_rows=most)
        whole = rows_at({0: list(known)})
        whole["x"] = np.interp(whole["frame"], rows["frame"], rows["x"])
        whole["y"] = np.interp(whole["frame"], rows["frame"], rows["y"])
        for part in np.array_split(whole, 7):
            picture.add(part)
        panel, _, _ = picture.fill(sheet(LIGHT, 4.0), None)
        ways = [line.get_xdata() for line in panel.lines]
        crossing.append(any(((x[:-1] < 100) & (x[1:] > 100)).any() for x in ways))
    assert crossing == [False, True]


def test_what_no_line_reaches_is_a_dot() -> None:
    rows = rows_at({0: [*range(20), 400, *range(800, 820)]})
    rows["x"], rows["y"] = 20.0 + rows["frame"] / 6, 80.0
    picture = TrajectoryPicture(200, 160)
    picture.add(rows)
    panel, _, _ = picture.fill(sheet(LIGHT, 4.0), None)
    alone = [line for line in panel.lines if line.get_marker() == "."]
    (dot,) = alone
    np.testing.assert_allclose(dot.get_xydata(), [(20 + 400 / 6, 80.0)])
    joined = np.concatenate([line.get_xdata() for line in panel.lines if line.get_linestyle() == "-"])
    assert not ((joined > 20 + 20 / 6) & (joined < 20 + 799 / 6)).any()
