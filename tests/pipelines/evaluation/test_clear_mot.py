"""CLEAR MOT's numbers against cases counted by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.evaluation import evaluate
from pipelines.features import State
from pipelines.truth import TRUTH_DTYPE
from tests.pipelines.evaluation.cases import tracks, truth

LINE = truth([(f, 0, 10.0 * f, 5.0) for f in range(6)])


def test_a_perfect_track():
    score = evaluate(tracks([(f, 7, 10.0 * f, 5.0) for f in range(6)]), LINE)
    assert (score.recall, score.precision, score.mota) == (1, 1, 1)
    assert (score.id_switches, score.fragmentation, score.rmse, score.max) == (0, 0, 0, 0)
    assert (score.matches, score.misses, score.false, score.truths, score.tracks) == (6, 0, 0, 1, 1)


def test_errors_are_those_of_the_matches():
    score = evaluate(tracks([(0, 0, 0.3, 5.0), (1, 0, 10.3, 5.4), (2, 0, 20.3, 4.6), (3, 0, 36.0, 5.0)]), LINE)
    assert score.matches == 3
    assert (score.misses, score.false) == (3, 1)
    assert score.bias_x == pytest.approx(0.3)
    assert score.bias_y == pytest.approx(0.0)
    assert score.rmse == pytest.approx(math.sqrt((0.09 + 0.25 + 0.25) / 3))
    assert score.median == pytest.approx(0.5)
    assert score.max == pytest.approx(0.5)
    assert score.recall == pytest.approx(0.5)
    assert score.precision == pytest.approx(0.75)
    assert score.mota == pytest.approx(1 - (3 + 1 + 0) / 6)


def test_a_gap_and_a_new_id():
    rows = [(0, 1, 0.0, 5.0), (1, 1, 10.0, 5.0), (4, 2, 40.0, 5.0), (5, 2, 50.0, 5.0)]
    score = evaluate(tracks(rows), LINE)
    assert (score.id_switches, score.fragmentation, score.misses) == (1, 1, 2)


def test_a_match_goes_on_while_it_is_within_the_gate():
    real = truth([(0, 0, 0, 0), (1, 0, 0, 0)])
    # In frame 1 the newcomer is nearer, but track 1 still fits.
    score = evaluate(tracks([(0, 1, 0, 0), (1, 1, 2, 0), (1, 2, 0, 0)]), real)
    assert (score.id_switches, score.false, score.matches) == (0, 1, 2)
    assert score.max == 2


def test_swapped_identities_count_once_for_each_thing():
    real = truth([(f, k, 0, 10.0 * k) for f in range(4) for k in range(2)])
    mine = tracks([(f, k, 0, 10.0 * (k if f < 2 else 1 - k)) for f in range(4) for k in range(2)])
    score = evaluate(mine, real)
    assert (score.id_switches, score.recall, score.precision) == (2, 1, 1)


def test_as_many_matches_as_possible_come_before_their_distance():
    # Greedy would take (thing 0, track 1) at distance 0 and leave the rest without a partner.
    real = truth([(0, 0, 0, 0), (0, 1, 2.5, 0)])
    score = evaluate(tracks([(0, 0, -2.5, 0), (0, 1, 0, 0)]), real)
    assert score.matches == 2


def test_a_hidden_thing_is_neither_required_nor_false():
    real = truth([(0, 0, 0, 0), (1, 0, 1, 0, False), (2, 0, 2, 0, False), (3, 0, 3, 0)])
    seen = evaluate(tracks([(0, 5, 0, 0), (1, 5, 1, 0), (2, 5, 2, 0), (3, 5, 3, 0)]), real)
    unseen = evaluate(tracks([(0, 5, 0, 0), (3, 5, 3, 0)]), real)
    for score in (seen, unseen):
        assert (score.recall, score.precision, score.matches, score.fragmentation, score.id_switches) == (1, 1, 2, 0, 0)
    away = evaluate(tracks([(0, 5, 0, 0), (1, 5, 99, 0), (3, 5, 3, 0)]), real)
    assert away.false == 1


def test_things_never_touched_can_be_left_out():
    real = truth([(f, k, 0, 50.0 * k) for f in range(3) for k in range(4)])
    mine = tracks([(0, 0, 0, 50.0), (1, 0, 0, 50.0)])
    assert evaluate(mine, real).recall == pytest.approx(2 / 12)
    some = evaluate(mine, real, only="matched truth ids")
    assert (some.recall, some.truths) == (pytest.approx(2 / 3), 1)


def test_predicted_and_lost_rows_claim_nothing_unless_asked():
    rows = [(0, 0, 0, 5.0), (1, 0, 10, 5.0, State.PREDICTED), (2, 0, 90, 5.0, State.LOST)]
    assert evaluate(tracks(rows), LINE).matches == 1
    assert evaluate(tracks(rows), LINE, states=(State.TRACKED, State.PREDICTED)).matches == 2
    assert evaluate(tracks(rows), LINE).false == 0


def test_the_gate_is_respected():
    assert evaluate(tracks([(0, 0, 3.0, 5.0)]), LINE).matches == 1
    assert evaluate(tracks([(0, 0, 3.01, 5.0)]), LINE).matches == 0
    assert evaluate(tracks([(0, 0, 3.01, 5.0)]), LINE, gate=4.0).matches == 1


def test_empty_tables():
    score = evaluate(tracks([]), LINE)
    assert (score.recall, score.misses) == (0, 6)
    assert math.isnan(score.precision)
    assert math.isnan(score.rmse)
    score = evaluate(tracks([(0, 0, 0, 0)]), truth([]).astype(TRUTH_DTYPE))
    assert score.false == 1
    assert math.isnan(score.recall)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_the_order_of_the_rows_does_not_matter_and_counts_add_up(seed):
    rng = np.random.default_rng(seed)
    real = truth([(f, k, *rng.uniform(0, 12, 2), bool(rng.random() < 0.8)) for f in range(6) for k in range(4)])
    mine = tracks([(f, k, *rng.uniform(0, 12, 2)) for f in range(6) for k in range(4) if rng.random() < 0.8])
    score = evaluate(mine, real)
    assert score.matches + score.misses == real["visible"].sum()
    assert score.matches + score.false <= len(mine)
    assert evaluate(mine[rng.permutation(len(mine))], real[rng.permutation(len(real))]) == score or math.isnan(
        score.rmse
    )


def test_mostly_tracked_and_lost():
    real = truth([(f, k, 0, 50.0 * k) for f in range(10) for k in range(4)])
    seen = (10, 8, 2, 1)  # frames of each thing
    score = evaluate(tracks([(f, k, 0, 50.0 * k) for k, count in enumerate(seen) for f in range(count)]), real)
    assert (score.mostly_tracked, score.partially_tracked, score.mostly_lost) == (2, 1, 1)


def test_a_hidden_thing_leaves_the_track_to_a_visible_one():
    real = truth([(0, 0, 0, 0, False), (0, 1, 2, 0)])
    # Track 5 lies on the hidden thing, but the visible one needs it.
    score = evaluate(tracks([(0, 5, 0, 0)]), real)
    assert (score.matches, score.misses, score.false, score.max) == (1, 0, 0, 2.0)


def test_a_match_is_kept_from_the_frame_before_only():
    far_away = [(f, 9, 500, 0) for f in range(3)]
    real = truth([(0, 0, 0, 0), (2, 0, 0, 0), *far_away])
    # The thing is away in frame 1; in frame 2 the newcomer is nearer than the track that it had.
    score = evaluate(tracks([(0, 1, 0, 0), (2, 1, 2, 0), (2, 2, 0, 0)]), real)
    assert (score.id_switches, score.max) == (1, 0)


def test_errors_about_each_things_own_offset_are_those_of_displacements():
    real = truth([(f, k, 50.0 + 40 * k, 5.0) for f in range(50) for k in (0, 1)])
    mine = tracks([(f, k, 50.0 + 40 * k + (0.5, -0.8)[k] + (0.01, -0.01)[f % 2], 5.0)
                   for f in range(50) for k in (0, 1)])  # fmt: skip
    found = evaluate(mine, real, gate=3.0)
    assert found.rmse == pytest.approx(math.sqrt((0.5**2 + 0.8**2) / 2 + 0.01**2))
    assert found.rmse_own == pytest.approx(0.01)
