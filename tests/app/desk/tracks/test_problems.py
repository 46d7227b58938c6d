"""Places that a user should look at."""

from __future__ import annotations

import numpy as np

from app.desk.tracks.problems import find_problems, next_problem
from pipelines.features import TRACK_DTYPE, Reason, State


def test_losses_weak_scores_and_jumps_are_found_where_they_are() -> None:
    rng = np.random.default_rng(0)
    rows = np.zeros(100, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["score"], rows["state"] = np.arange(100), 3, 0.9, State.TRACKED
    rows["x"] = 2.0 * np.arange(100) + rng.normal(0, 0.05, 100)
    rows["x"][60:] += 15.0
    rows["score"][20:25] = 0.3
    rows["state"][99], rows["reason"][99] = State.LOST, Reason.LOW_SCORE
    found = find_problems(rows)
    assert [(p.frame, p.what.split()[0]) for p in found] == [(20, "score"), (59, "jump"), (99, "lost:")] or [
        (p.frame, p.what.split()[0]) for p in found
    ] == [(20, "score"), (60, "jump"), (99, "lost:")]
    first = next_problem(found, 20)
    assert first is not None
    assert first.frame in (59, 60)
    before = next_problem(found, 20, back=True)
    assert before is None
    rows["reason"][99] = Reason.LEFT_IMAGE
    assert all(p.frame != 99 for p in find_problems(rows))


def test_a_smooth_track_has_no_problem() -> None:
    t = np.arange(200)
    rows = np.zeros(200, TRACK_DTYPE)
    rows["frame"], rows["score"], rows["state"] = t, 1.0, State.TRACKED
    rows["x"], rows["y"] = 50 * np.sin(t / 10), 0.02 * t**2
    assert find_problems(rows) == []
    assert find_problems(rows[:0]) == []


def test_a_score_that_flickers_is_one_problem() -> None:
    rows = np.zeros(100, TRACK_DTYPE)
    rows["frame"], rows["score"], rows["state"] = np.arange(100), 0.9, State.TRACKED
    rows["score"][[10, 13, 14, 22, 60]] = 0.3
    assert [p.frame for p in find_problems(rows)] == [10, 60]


def test_a_jump_is_one_problem_in_the_frame_where_it_arrives_also_behind_frames_in_which_nothing_was_seen() -> None:
    """It was two, one of them in the last frame in which all was well, and its length was that of a frame of it."""
    rows = np.zeros(60, TRACK_DTYPE)
    rows["frame"], rows["state"], rows["score"] = np.arange(60), State.TRACKED, 0.9
    rows["x"] = 10 + np.arange(60) + np.where(rows["frame"] >= 30, 80, 0)
    rows["y"] = 20 + 0.01 * np.sin(rows["frame"])
    rows["state"][26:30] = State.PREDICTED
    (found,) = find_problems(rows)
    assert (found.frame, found.what) == (30, "jump of 80.0 px in 5 frames")
    rows["state"] = State.TRACKED
    (found,) = find_problems(rows)
    assert (found.frame, found.what) == (30, "jump of 80.0 px")
