"""The gate and the assignment against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from kernels.loops.calling import call
from pipelines.features import FEATURE_DTYPE
from pipelines.trackers.association.detections import accept
from pipelines.trackers.association.grid import cells_across, column_of, columns_of
from pipelines.trackers.association.matching import matched
from pipelines.trackers.association.records import Cells, Detections, Pairs, Settings, Tracks, Work


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

    return best(0, frozenset(column for row in costs for column in row))


def solve(costs, miss, detections):
    q, w = Pairs(room=max(sum(map(len, costs)), 1)), Work(room=max(len(costs), detections) + 1)
    k = 0
    for i, row in enumerate(costs):
        w.first[i] = k
        for j, cost in row.items():
            q.what[k], q.cost[k] = j, cost
            k += 1
    w.first[len(costs)] = k
    held = call(matched, len(costs), detections, q, miss, w)
    choice = w.choice[: len(costs)].tolist()
    assert held == sum(j >= 0 for j in choice)
    return choice


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.dictionaries(st.integers(0, 4), st.floats(-5, 12), max_size=5), min_size=1, max_size=5),
    st.floats(0, 10),
)
def test_the_assignment_is_the_cheapest_of_all(costs, miss):
    choice = solve(costs, miss, 5)
    taken = [j for j in choice if j >= 0]
    assert len(set(taken)) == len(taken)
    total = sum(costs[i][j] if j >= 0 else miss for i, j in enumerate(choice))
    assert np.isclose(total, least(costs, miss))


def test_one_large_part_is_solved():
    n = 3000  # a chain: every track may take its own detection or its neighbour's
    assert solve([{i: 2.0, (i + 1) % n: 1.0} for i in range(n)], 9.0, n) == [(i + 1) % n for i in range(n)]


def test_the_cost_of_what_is_hard_is_bounded():
    rng = np.random.default_rng(0)
    cost = rng.uniform(0, 1, (700, 700))
    choice = solve([dict(enumerate(row)) for row in cost], 9.0, 700)
    assert sorted(choice) == list(range(700))  # not the cheapest any more, but one to one


@pytest.mark.parametrize(("tracks", "cheapest"), [(180, True), (230, False)])
def test_half_a_million_steps_are_taken(tracks, cheapest):
    """Of a part in which everything competes with everything: 426,000 steps lead to the end, 850,000 are too many."""
    cost = np.random.default_rng(0).uniform(0, 1, (tracks, tracks))
    choice = solve([dict(enumerate(row)) for row in cost], 9.0, tracks)
    least_of_all = cost[linear_sum_assignment(cost)].sum()
    assert (cost[range(tracks), choice].sum() < least_of_all + 1e-9) == cheapest


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 60), st.integers(2, 400), st.integers(2, 400))
def test_every_detection_lies_in_its_cell(seed, m, wide, high):
    rng = np.random.default_rng(seed)
    d, g, s = Detections(room=m + 8), Cells(room=2 * m + 32), Settings()
    s.right, s.bottom = float(wide - 1), float(high - 1)
    table = np.zeros(m, FEATURE_DTYPE)
    table["x"], table["y"] = rng.uniform(-2, wide + 1, m), rng.uniform(-2, high + 1, m)
    table["mass"] = rng.uniform(1, 9, m)
    across = cells_across(m, g, s)
    many = call(accept, table.view("f8"), m, Tracks(room=8), 0, 1.0, across, s, d, g)
    inside = (table["x"] >= -1) & (table["x"] <= wide) & (table["y"] >= -1) & (table["y"] <= high)
    assert many == inside.sum()
    columns, rows = columns_of(s.right, across), columns_of(s.bottom, across)
    for c in range(columns * rows):
        for j in range(g.begin[c], g.begin[c + 1]):
            assert c == column_of(d.y[j], across, rows) * columns + column_of(d.x[j], across, columns)
    assert (g.begin[0], g.begin[columns * rows]) == (0, many)
    found = np.stack((d.x[:many], d.y[:many], d.mass[:many]))
    assert sorted(found.T.tolist()) == sorted(np.stack((table["x"], table["y"], table["mass"])).T[inside].tolist())
