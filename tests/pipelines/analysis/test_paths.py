"""Tracks as paths on one clock: what of a table is no clock, or no place, is refused in a sentence."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

from kernels.errors import InputError
from pipelines.analysis.drift import common_drift
from pipelines.analysis.paths import paths_of
from tests.pipelines.analysis.walks import walks


def damaged(field: str, frame: int, value: float):
    rows = walks(1, tracks=3, frames=30)
    rows[field][(rows["frame"] == frame) & (rows["track"] == 1)] = value
    return rows


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e200])
def test_a_place_that_is_none_is_named(value):
    with pytest.raises(InputError, match="track 1 has no position in frame 7"):
        paths_of(damaged("x", 7, value))


def test_rows_that_were_not_seen_may_have_no_place():
    rows = damaged("y", 7, math.nan)
    rows["state"][np.isnan(rows["y"])] = 0
    assert paths_of(rows).paths[1].seen == 29


def test_a_time_that_is_missing_is_named():
    with pytest.raises(InputError, match="track 1 has no time in frame 7"):
        paths_of(damaged("time", 7, math.nan))
    assert paths_of(damaged("time", 7, math.nan), fps=100.0).timed


def test_times_must_rise_with_the_frames():
    rows = walks(1, tracks=3, frames=30)
    rows["time"] = -rows["time"]
    with pytest.raises(InputError, match="do not rise with the frames"):
        paths_of(rows)
    rows["time"] = 0.0
    with pytest.raises(InputError, match="do not rise with the frames: 0 s in frame 0, 0 s in frame 1"):
        paths_of(rows)
    assert paths_of(rows, fps=50.0).interval == pytest.approx(0.02)


def test_rows_of_one_frame_have_one_time():
    with pytest.raises(InputError, match="frame 7 have different times"):
        paths_of(damaged("time", 7, 0.072))
    assert len(paths_of(damaged("time", 7, 0.07001)).paths) == 3  # as tables round


@pytest.mark.parametrize("far", [1e15, 1e300])
def test_times_that_are_no_clock(far):
    rows = walks(1, tracks=3, frames=30)
    rows["time"][rows["frame"] == 29] = far
    with pytest.raises(InputError, match="no even clock"):
        paths_of(rows)


def test_a_track_with_an_absurd_gap_takes_no_memory():
    rows = walks(1, tracks=3, frames=30)
    rows["frame"][rows["frame"] > 20] += 10**10
    tracemalloc.start()
    with pytest.raises(InputError, match="track 0 has 30 rows in 10000000030 frames"):
        paths_of(rows, fps=100.0)
    rows["track"][rows["frame"] > 20] += 10
    paths = paths_of(rows, fps=100.0).paths  # rests between recordings are no gaps in tracks
    assert len(paths) == 6
    with pytest.raises(InputError, match="leave out --drift"):
        common_drift(paths)
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()


@pytest.mark.parametrize("step", [1e-300, 1e-13, 1e12])
def test_frames_as_near_or_far_as_no_camera_makes_them(step):
    rows = walks(1, tracks=3, frames=30)
    with pytest.raises(InputError, match="which no capture rate does"):
        paths_of(rows, fps=1.0 / step)
    rows["time"] = rows["frame"] * step
    with pytest.raises(InputError, match="which no capture rate does"):
        paths_of(rows)
    assert paths_of(rows, fps=500.0).interval == pytest.approx(0.002)
