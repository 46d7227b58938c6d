"""Pairs within the gate and the best choice among pairs, against all by brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from kernels.errors import InputError
from pipelines.evaluation import matching
from pipelines.evaluation.clear_mot import evaluate
from pipelines.evaluation.matching import best, near, parts
from pipelines.evaluation.tables import tables as in_order
from tests.pipelines.evaluation.cases import Crowd, tracks, truth


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from([0.01, 1.0, 7.0, 1e4]), st.sampled_from([0.0, -300.0, 1e6]))
def test_near_finds_all_pairs_of_a_frame(seed, radius, offset):
    rng = np.random.default_rng(seed)
    count, side = rng.integers(0, 30, 2), float(rng.choice([2.0, 40.0, 1e5]))
    real, mine = (
        [(int(rng.integers(3)), k, *(np.round(rng.uniform(0, side, 2), 2) + offset)) for k in range(n)] for n in count
    )
    both = in_order(tracks(mine), truth(real))
    pairs = near(both.real, both.claimed, radius)
    a, b = both.real.rows, both.claimed.rows
    expected = [
        (i, j) for i in range(len(a)) for j in range(len(b))
        if a["frame"][i] == b["frame"][j] and math.hypot(a["x"][i] - b["x"][j], a["y"][i] - b["y"][j]) <= radius
    ]  # fmt: skip
    assert list(zip(pairs.real.tolist(), pairs.claimed.tolist(), strict=True)) == expected


def test_blocks_do_not_show(monkeypatch):
    both = in_order(*Crowd(things=9, side=9.0, frames=9).draw(1))
    whole = near(both.real, both.claimed, 3.0)
    monkeypatch.setattr(matching, "BLOCK", 7)
    split = near(both.real, both.claimed, 3.0)
    assert len(whole) > 100
    for name in ("real", "claimed", "distance"):
        assert np.array_equal(getattr(whole, name), getattr(split, name))


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(matching, "MOST_PAIRS", 50)
    both = in_order(*Crowd(things=9, side=9.0).draw(1))
    with pytest.raises(InputError, match="more than 50 pairs lie within 9 px of each other"):
        near(both.real, both.claimed, 9.0)


def test_places_that_are_no_numbers_match_nothing():
    real = truth([(0, 0, math.nan, 0), (0, 1, 5, 5), (0, 2, 1e300, 0)])
    mine = tracks([(0, 0, math.nan, 0), (0, 1, 5, 5), (0, 2, 1e300, 0), (0, 3, math.inf, 5)])
    score = evaluate(mine, real)
    assert (score.matches, score.misses, score.false) == (1, 2, 3)


def choices(pairs):
    """Every one-to-one choice among pairs."""
    if not pairs:
        yield ()
        return
    (k, i, j), *rest = pairs
    yield from choices(rest)
    for others in choices([p for p in rest if p[1] != i and p[2] != j]):
        yield (k, *others)


@settings(max_examples=80)
@given(st.integers(0, 10**6), st.integers(1, 9), st.sampled_from(["tried", "dense", "sparse"]))
def test_best_is_the_best_of_all_choices(seed, count, way):
    rng = np.random.default_rng(seed)
    cells = rng.choice(16, size=count, replace=False)
    real, claimed = cells // 4 + 100, cells % 4 * 7
    value = rng.integers(-2, 9, count).astype(float)
    with pytest.MonkeyPatch.context() as patch:
        if way != "tried":
            patch.setattr(matching, "FEW", 0)  # SciPy's assignment
        if way == "sparse":
            patch.setattr(matching, "DENSE", 0)  # its matching of sparse tables
        chosen = best(real, claimed, value)
    assert len(set(real[chosen])) == len(set(claimed[chosen])) == chosen.sum()
    assert (value[chosen] > 0).all()
    most = max(sum(value[list(way)]) for way in choices(list(zip(range(count), real, claimed, strict=True))))
    assert value[chosen].sum() == pytest.approx(most)


def test_parts_are_counted_in_the_order_of_their_first_pairs():
    assert parts(np.array([7, 7, 3, 9, 3]), np.array([1, 2, 5, 2, 6])).tolist() == [0, 0, 1, 0, 1]


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 40))
def test_parts_are_what_is_connected(seed, count, spread):
    rng = np.random.default_rng(seed)
    real, claimed = rng.integers(0, spread, count), rng.integers(0, spread, count)
    rows, columns = np.arange(spread), spread + np.arange(spread)
    table = coo_array((np.ones(count), (rows[real], columns[claimed])), shape=(2 * spread, 2 * spread))
    expected = connected_components(table, directed=False)[1][real]
    found = parts(real, claimed)
    assert (found[:, None] == found).tolist() == (expected[:, None] == expected).tolist()
    firsts = np.unique(found, return_index=True)[1]
    assert (np.diff(firsts) > 0).all()


def test_a_long_chain_is_one_part():
    real = np.arange(4000) // 2
    claimed = (np.arange(4000) + 1) // 2
    mixed = np.random.default_rng(0).permutation(4000)
    assert not parts(real[mixed], claimed[mixed]).any()
