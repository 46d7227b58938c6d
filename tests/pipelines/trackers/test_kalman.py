"""The filter against the textbook's matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import KALMAN_COLUMNS, correct, predict


def started(n, rng):
    t = Columns(KALMAN_COLUMNS)
    t.append(n, x=rng.normal(size=n), y=rng.normal(size=n), vx=rng.normal(size=n), vy=rng.normal(size=n),
             p00=1.0, p01=0.3, p11=2.0)  # fmt: skip
    return t


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.01, 3))
def test_equals_the_matrix_form(seed, a):
    rng = np.random.default_rng(seed)
    t = started(3, rng)
    state = np.stack([t["x"], t["vx"], t["y"], t["vy"]], 1)
    one = np.array([[1.0, 0.3], [0.3, 2.0]])
    cov = np.array([np.kron(np.eye(2), one)] * 3)
    h = np.zeros((2, 4))
    h[0, 0] = h[1, 2] = 1
    for _ in range(6):
        step, r = rng.uniform(0.3, 3), rng.uniform(0.01, 2)
        f = np.kron(np.eye(2), [[1, step], [0, 1]])
        q = a * a * np.kron(np.eye(2), [[step**3 / 3, step**2 / 2], [step**2 / 2, step]])
        z, seen = rng.normal(size=(3, 2)), np.flatnonzero(rng.random(3) < 0.7)
        predict(t, step, a)
        correct(t, seen, z[seen, 0], z[seen, 1], np.full(len(seen), r))
        for i in range(3):
            state[i], cov[i] = f @ state[i], f @ cov[i] @ f.T + q
            if i in seen:
                k = cov[i] @ h.T @ np.linalg.inv(h @ cov[i] @ h.T + r * np.eye(2))
                state[i], cov[i] = state[i] + k @ (z[i] - h @ state[i]), (np.eye(4) - k @ h) @ cov[i]
    np.testing.assert_allclose(np.stack([t["x"], t["vx"], t["y"], t["vy"]], 1), state, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(np.stack([t["p00"], t["p01"], t["p11"]], 1), cov[:, [0, 0, 1], [0, 1, 1]], rtol=1e-8)


@given(st.floats(0.1, 5), st.floats(0.1, 5))
def test_two_steps_are_one(first, second):
    one, two = started(2, np.random.default_rng(0)), started(2, np.random.default_rng(0))
    predict(one, first + second, 0.7)
    predict(two, first, 0.7)
    predict(two, second, 0.7)
    for name in KALMAN_COLUMNS:
        np.testing.assert_allclose(one[name], two[name], rtol=1e-10)
