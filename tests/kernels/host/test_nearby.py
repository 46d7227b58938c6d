"""Points near each other, against all distances."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.host.nearby import nearest_within, pairs_within


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
