"""The gate and the assignment against brute force."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.trackers.linking import assignment
from pipelines.trackers.linking.assignment import assign, gate_pairs


def least(costs, miss):
    """Least total cost over all one-to-one choices: every one is tried."""

    def best(track, free):
        if track == len(costs):
            return 0.0
        out = miss + best(track + 1, free)
        for column, cost in costs[track].items():
            if column in free:
                out = min(out, cost + best(track + 1, free - {column}))
        return out

    columns = {column for row in costs for column in row}
    return best(0, frozenset(columns))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.dictionaries(st.integers(0, 4), st.floats(-5, 12), max_size=5), min_size=1, max_size=5),
    st.floats(0, 10),
    st.booleans(),
)
def test_the_assignment_is_the_cheapest_of_all(costs, miss, sparse):
    track = np.array([i for i, row in enumerate(costs) for _ in row], int)
    detection = np.array([j for row in costs for j in row], int)
    cost = np.array([c for row in costs for c in row.values()], float)
    with patch.object(assignment, "DENSE", 0 if sparse else 10**6):
        choice = assign(track, detection, cost, miss, len(costs), 5)
    taken = choice[choice >= 0]
    assert len(set(taken.tolist())) == len(taken)
    total = sum(costs[i][int(j)] if j >= 0 else miss for i, j in enumerate(choice))
    assert np.isclose(total, least(costs, miss))


def test_many_separate_parts_are_solved_each():
    # 200 crossings of two tracks and two detections: the crossed choice is dearer in each.
    n = 200
    track = np.repeat(np.arange(2 * n), 2)
    detection = np.stack((np.arange(2 * n), np.arange(2 * n) ^ 1), 1).ravel()
    cost = np.tile([1.0, 1.5], 2 * n)
    assert (assign(track, detection, cost, 9.0, 2 * n, 2 * n) == np.arange(2 * n)).all()


def test_nothing_to_assign():
    none = np.zeros(0, int)
    assert assign(none, none, np.zeros(0), 1.0, 3, 0).tolist() == [-1, -1, -1]
    assert assign(none, none, np.zeros(0), 1.0, 0, 3).tolist() == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.integers(0, 12))
def test_the_gate_finds_every_pair(seed, n, m):
    rng = np.random.default_rng(seed)
    x, y, radius = rng.uniform(0, 50, n), rng.uniform(0, 50, n), rng.uniform(0, 30, n)
    dx, dy = rng.uniform(0, 50, m), np.sort(rng.uniform(0, 50, m))
    with patch.object(assignment, "CANDIDATES", 7):
        who, what = gate_pairs(x, y, radius, dx, dy)
    expected = [(i, j) for i in range(n) for j in range(m) if np.hypot(dx[j] - x[i], dy[j] - y[i]) <= radius[i]]
    assert list(zip(who.tolist(), what.tolist(), strict=True)) == expected


def test_one_large_part_is_solved_without_a_large_table():
    # A chain: every track may take its own detection or its neighbour's; all in one part of 3000.
    n = 3000
    track, detection = np.repeat(np.arange(n), 2), np.stack((np.arange(n), (np.arange(n) + 1) % n), 1).ravel()
    cost = np.tile([2.0, 1.0], n)
    assert (assign(track, detection, cost, 9.0, n, n) == (np.arange(n) + 1) % n).all()


def test_crowded_parts_cost_as_little_as_scipys():
    rng = np.random.default_rng(0)
    for _ in range(60):
        size = int(rng.integers(5, 40))
        track, detection = np.nonzero(rng.random((size, size)) < rng.uniform(0.1, 0.7))
        cost = rng.uniform(0, 10, len(track))
        totals = []
        for patched in (False, True):
            with patch.object(assignment, "_by_paths", (lambda *_: None) if patched else assignment._by_paths):
                choice = assign(track, detection, cost, 9.0, size, size)
            pairs = dict(zip(zip(track.tolist(), detection.tolist(), strict=True), cost.tolist(), strict=True))
            totals.append(sum(pairs[i, j] if j >= 0 else 9.0 for i, j in enumerate(choice.tolist())))
        assert np.isclose(*totals)
