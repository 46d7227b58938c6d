"""What a line joins: what is usual there, never over what was left out, whatever the tracks around it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.joined import AROUND, joined


def slow(frames: list[int]) -> list[bool]:
    """The rule again, step by step."""
    steps = [b - a for a, b in pairwise(frames)]
    made = []
    for k, step in enumerate(steps):
        around = sorted([*steps[max(0, k - AROUND) : k], *steps[k + 1 : k + 1 + AROUND]])
        made.append(step < 2 * (around[(len(around) - 1) // 2] if around else 1))
    return made


@given(st.lists(st.lists(st.integers(1, 12), max_size=30), max_size=4))
def test_each_track_is_judged_by_itself(steps: list[list[int]]) -> None:
    frames = [np.cumsum([0, *one]) for one in steps]
    tracks = [np.full(len(one), 7 * k) for k, one in enumerate(frames)]
    expected: list[bool] = []
    for k, one in enumerate(frames):
        expected += ([False] if k else []) + slow(one.tolist())
        assert joined(one).tolist() == slow(one.tolist())
    if frames:
        assert joined(np.concatenate(frames), np.concatenate(tracks)).tolist() == expected


@pytest.mark.parametrize("every", [1, 2, 3, 8, 100])
def test_every_nth_frame_is_a_whole_curve(every: int) -> None:
    assert joined(np.arange(0, 50 * every, every)).all()


@given(st.integers(1, 20), st.integers(5, 40), st.integers(2, 200))
def test_frames_that_were_left_out_are_a_gap(every: int, there: int, gap: int) -> None:
    frames = np.arange(0, 80 * every, every)
    frames[there:] += (gap - 1) * every
    assert np.flatnonzero(~joined(frames)).tolist() == [there - 1]


def test_lone_places_between_gaps_and_two_places_far_apart_are_dots() -> None:
    assert joined(np.array([0, 1, 2, 3, 20, 40, 41, 42, 43])).tolist() == [True] * 3 + [False] * 2 + [True] * 3
    assert joined(np.array([0, 9])).tolist() == [False]
    assert joined(np.array([3])).tolist() == joined(np.array([], np.int64)).tolist() == []
