"""Tables that count frames differently are counted by their times."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.evaluation import evaluate
from pipelines.evaluation.numbering import numbered_alike
from pipelines.features import TRACK_DTYPE, State
from pipelines.truth import TRUTH_DTYPE

FPS = 1000.0


def real(frames: int = 200, fps: float = FPS, begin: float = 0.0) -> np.ndarray:
    """Two things of 1 px a frame, of every frame that the camera took."""
    table = np.zeros(2 * frames, TRUTH_DTYPE)
    table["frame"], table["track"] = np.repeat(np.arange(frames), 2), np.tile((0, 1), frames)
    table["time"] = begin + table["frame"] / fps
    table["x"], table["y"], table["visible"] = table["frame"], 50.0 * table["track"], True
    return table


def seen(truth: np.ndarray, kept: np.ndarray, per_frame: float = 1.0) -> np.ndarray:
    """Perfect tracks in a clip that has the frames `kept` only and counts those; times times `per_frame`."""
    rows = truth[np.isin(truth["frame"], kept)]
    table = np.zeros(len(rows), TRACK_DTYPE)
    table["frame"] = np.searchsorted(kept, rows["frame"])
    table["time"] = rows["time"] * per_frame
    for name in ("track", "x", "y"):
        table[name] = rows[name]
    table["state"] = State.TRACKED
    return table


def lossy(seed: int, frames: int = 200) -> np.ndarray:
    kept = np.random.default_rng(seed).random(frames) > 0.1
    kept[[0, 1, 2, -1]] = True
    kept[50:53] = False  # several at once, too
    return np.flatnonzero(kept)


@pytest.mark.parametrize("per_frame", [1.0, FPS], ids=["seconds", "times in frames, the rate being unknown"])
@pytest.mark.parametrize("seed", range(5))
def test_lost_frames_do_not_shift_the_truth(seed, per_frame):
    truth, kept = real(), lossy(seed)
    mine = seen(truth, kept, per_frame)
    assert evaluate(mine, truth, gate=3.0).rmse > 0.5  # what a comparison by number gives
    alike = numbered_alike(mine, truth)
    scores = evaluate(alike.tracks, alike.truth, gate=3.0)
    assert (scores.rmse, scores.misses, scores.false, scores.id_switches) == (0, 0, 0, 0)
    np.testing.assert_array_equal(np.unique(alike.tracks["frame"]), kept)
    assert "paired by their times" in alike.words
    assert f"{200 - len(kept)} frames that the tracks' clip lacks" in alike.words
    assert (alike.before, alike.behind) == (0, 200 - len(kept))


@pytest.mark.parametrize("far", [1e12, 1e300])
def test_times_that_are_far_off_count_nothing_and_take_no_memory(far):
    truth, kept = real(), lossy(3)
    mine = seen(truth, kept)
    mine["time"][mine["frame"] == mine["frame"].max()] = far
    alike = numbered_alike(mine, truth)
    np.testing.assert_array_equal(alike.tracks["frame"], mine["frame"])


def test_a_part_of_a_clip_and_rows_in_any_order():
    truth, kept = real(), lossy(7)
    mine = seen(truth, kept)
    mine = np.random.default_rng(0).permutation(mine[mine["frame"] >= 60])
    alike = numbered_alike(mine, truth)
    assert evaluate(alike.tracks, alike.truth[alike.truth["frame"] >= kept[60]], gate=3.0).rmse == 0
    assert alike.before == kept[60] - 60 > 0


@pytest.mark.parametrize("begin", [0.0, -0.6017, 0.05])
def test_what_counts_alike_stays_as_it_is(begin):
    """Complete clips; clips that lack the same frames as the truth; times that begin elsewhere; a rate that is off."""
    truth, every = real(), np.arange(200)
    mine = seen(truth, every)
    mine["time"] = begin + 1.001 * mine["time"]
    short = truth[np.isin(truth["frame"], lossy(1))]
    same = short.copy()
    same["frame"] = np.searchsorted(lossy(1), short["frame"])
    late = mine[mine["frame"] >= 100]
    alikes = [(mine, truth), (late, truth), (mine[:0], truth), (mine, truth[:0]), (seen(truth, lossy(1)), same)]
    for tracks, table in alikes:
        alike = numbered_alike(tracks, table)
        assert alike.tracks is tracks
        assert alike.truth is table
        assert not alike.words


def test_stamps_in_whole_milliseconds_lose_no_frames():
    truth = real(3000, 29.97)
    mine = seen(truth, np.arange(3000))
    mine["time"] = np.round(mine["time"], 3)
    mine = mine[(mine["frame"] < 300) | (mine["frame"] > 900)]  # nothing was seen for 600 frames
    assert not numbered_alike(mine, truth).words


def test_times_that_cannot_count_do_not():
    truth, mine = real(), seen(real(), lossy(2))
    jitter = np.random.default_rng(1).uniform(-0.4, 0.4, 200) / FPS
    mine["time"] += jitter[mine["frame"]]
    assert numbered_alike(mine, truth).tracks is mine
    still = seen(truth, lossy(2))
    still["time"] = 0.0
    assert numbered_alike(still, truth).tracks is still


def test_a_truth_without_times_is_taken_by_its_numbers_and_said_so():
    truth, mine = real(), seen(real(), lossy(3))
    truth["time"] = np.nan
    alike = numbered_alike(mine, truth)
    assert alike.tracks is mine
    assert alike.truth is truth
    assert "the truth has no times" in alike.words
