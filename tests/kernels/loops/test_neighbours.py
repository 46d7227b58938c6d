"""Points near each other, against all distances."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.loops import language
from kernels.loops.calling import call
from kernels.loops.neighbour_loops import Points, near_loop, near_room
from kernels.loops.neighbours import pairs_within


def nearest_within(x, y, reach, most, size, group=None):
    """Indices of up to `most` other points closer than `reach`, -1 where there are no more; (n, most)."""
    group = np.zeros(len(x), np.int64) if group is None else group
    whole, floats = near_room(len(x), reach, *size, most)
    found = np.full(whole, 99), np.full(floats, np.nan)
    call(near_loop, Points(x, y, group, len(x)), reach, *size, most, *found)
    return found[0][: most * len(x)].reshape(-1, most)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 60), st.floats(0.3, 30.0), st.integers(0, 2**32 - 1), st.booleans())
def test_pairs_equal_brute_force(n, reach, seed, whole):
    x, y = np.random.default_rng(seed).uniform(-5, 25, (2, n))
    if whole:
        x, y = np.rint(x), np.rint(y)
    square = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    near = (square < reach * reach) & ~np.eye(n, dtype=bool)
    i, j = pairs_within(x, y, reach)
    expected = sorted((a, square[a, b], b) for a, b in zip(*np.nonzero(near), strict=True))
    assert list(zip(i, j, strict=True)) == [(a, b) for a, _, b in expected]
    table = nearest_within(x, y, reach, 4, (20, 20))
    for point in range(n):
        mine = [b for a, _, b in expected if a == point][:4]
        assert [b for b in table[point] if b >= 0] == mine


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3), st.integers(1, 120), st.floats(2.0, 30.0), st.sampled_from((1, 4, 8)), st.booleans(),
       st.integers(0, 9999))  # fmt: skip
def test_the_nearest_of_crowds_in_groups_are_those_of_all_distances(
    groups: int, n: int, reach: float, most: int, compiled: bool, seed: int
) -> None:
    language.provide(natives.load if compiled else None)
    random = np.random.default_rng(seed)
    group = np.sort(random.integers(0, 4, n) * groups)  # some have no point
    x, y = np.rint(random.uniform(-9, 50, (2, n)))  # beyond the picture, too; many equally far, some in one place
    table = nearest_within(x, y, reach, most, (33, 41), group)
    language.provide(natives.load)
    square = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    near = (square < reach * reach) & (group[:, None] == group) & ~np.eye(n, dtype=bool)
    for point in range(n):
        order = np.lexsort((np.arange(n), square[point]))
        wanted = [int(k) for k in order if near[point, k]][:most]
        assert table[point].tolist() == wanted + [-1] * (most - len(wanted))
