"""Rows of a replay against those that were recorded: not a bit may differ, however the rows come."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sessions.likeness import Likeness
from pipelines.features import TRACK_DTYPE, Reason, Tracks
from tests.app.sessions.made import tracks

ALL = np.arange(1000)


def compare(recorded: Tracks, replayed: Tracks, cuts: list[int], whole: bool = True) -> Likeness:
    made = Likeness(recorded, ALL, whole)
    for part in np.split(replayed, sorted(min(cut, len(replayed)) for cut in cuts)):
        made.add(part)
    made.finish()
    return made


@given(st.lists(st.integers(0, 60), max_size=5))
def test_the_same(cuts: list[int]) -> None:
    rows = tracks(3, 30)
    made = compare(rows, rows.copy(), cuts)
    assert made.identical
    assert (made.compared, made.rows, made.beyond) == (60, 60, 0)
    assert made.describe() == "the 60 rows are identical to those recorded"


@given(st.integers(0, 59), st.sampled_from(TRACK_DTYPE.names), st.lists(st.integers(0, 60), max_size=4))
def test_a_single_bit(row: int, column: str, cuts: list[int]) -> None:
    """One bit of one column of one row is found, NaN and zero included, and named."""
    recorded, replayed = tracks(3, 30), tracks(3, 30)
    cell = replayed[column][row : row + 1]
    bits = cell.copy().view(np.uint8)
    bits[0] ^= 1
    replayed[column][row] = bits.view(cell.dtype)[0]
    made = compare(recorded, replayed, cuts)
    assert made.difference is not None
    assert made.compared == row
    if column not in ("frame", "track"):
        assert (made.difference.frame, made.difference.track) == (int(recorded["frame"][row]), row % 2)
        assert made.difference.column == column
        assert column in made.describe()


def test_minus_zero_is_not_zero() -> None:
    recorded = tracks(0, 1)
    recorded["x"][0] = 0.0
    replayed = recorded.copy()
    replayed["x"][0] = -0.0
    made = compare(recorded, replayed, [])
    assert made.describe() == "differs after 0 rows of 2: frame 0, track 0, x: 0.0 recorded, -0.0 replayed"


def test_words_for_states() -> None:
    recorded = tracks(0, 1)
    replayed = recorded.copy()
    replayed["state"][1], recorded["reason"][1] = 3, Reason.JUMP
    made = compare(recorded, replayed, [])
    assert "frame 0, track 1, state: tracked recorded, lost replayed" in made.describe()


@pytest.mark.parametrize("cuts", [[], [7], [1, 2, 30, 59]])
def test_rows_of_one_only(cuts: list[int]) -> None:
    rows = tracks(3, 30)
    missing = compare(rows, np.delete(rows, 7), cuts)
    assert "the row of track 1 in frame 6 is recorded and not replayed" in missing.describe()
    more = compare(np.delete(rows, 7), rows, cuts)
    assert "the row of track 1 in frame 6 is replayed and not recorded" in more.describe()
    ended = compare(rows, rows[:41], cuts)
    assert "the row of track 1 in frame 23 is recorded and not replayed" in ended.describe()
    assert ended.compared == 41


def test_a_recording_that_broke_off() -> None:
    """What comes behind its last row is not compared, what comes before must be the same."""
    rows = tracks(3, 30)
    made = compare(rows[:41], rows, [13], whole=False)
    assert made.identical
    assert (made.compared, made.beyond) == (41, 19)
    assert "19 rows come behind the last that was recorded" in made.describe()
    assert not compare(rows[:41], rows, [13], whole=True).identical
    other = rows.copy()
    other["vx"][40] += 1
    assert not compare(rows[:41], other, [13], whole=False).identical


def test_rows_of_frames_that_are_gone() -> None:
    rows = tracks(3, 30)
    made = Likeness(rows, np.arange(10, 1000), whole=True)
    made.add(rows[rows["frame"] >= 10])
    made.finish()
    assert made.identical
    assert (made.unreplayable, made.rows, made.last) == (14, 46, 32)
    assert Likeness(rows[:0], ALL, whole=True).last == -1


def test_a_replay_that_was_stopped_claims_what_it_compared() -> None:
    rows = tracks(3, 30)
    made = Likeness(rows, ALL, True)
    made.add(rows[:14].copy())
    assert made.identical
    assert made.describe() == "the 14 rows that were compared are identical to those recorded, of 60"
    made.add(rows[14:].copy())
    assert made.describe() == "the 60 rows are identical to those recorded"


def test_a_session_from_before_regions_had_a_word_is_the_same_and_says_so() -> None:
    recorded = tracks(0, 10)
    recorded["reason"][[3, 7]] = Reason.NOT_DETECTED, Reason.LEFT_IMAGE
    replayed = recorded.copy()
    replayed["reason"][[3, 7]] = Reason.LEFT_REGION
    made = compare(recorded, replayed, [5])
    assert made.identical
    assert made.describe().startswith("the 20 rows are identical to those recorded, but that 2 of them now say left_r")
    newer = recorded.copy()
    newer["reason"][3] = Reason.LEFT_REGION
    assert not compare(newer, replayed, []).identical
    replayed["reason"][4] = Reason.LEFT_REGION  # the thing was seen there
    assert not compare(recorded, replayed, []).identical


def test_a_session_without_tracks_says_so() -> None:
    """It said that the 0 rows are identical."""
    none = tracks(3, 30)[:0]
    made = compare(none, none.copy(), [])
    assert made.identical
    assert made.describe() == "no rows were recorded, and none came again"
