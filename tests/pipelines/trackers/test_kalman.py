"""The filter against the textbook's matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import ACCELERATION_COLUMNS, KALMAN_COLUMNS, correct, predict


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


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.lists(st.floats(0.2, 5.0), min_size=1, max_size=12))
def test_the_curved_filter_is_the_textbooks(seed, steps):
    """Against matrices written out (Bar-Shalom et al., section 6.2.3 and the Kalman filter's equations)."""
    rng = np.random.default_rng(seed)
    jerk, size = 0.3, 3
    t = Columns(KALMAN_COLUMNS | ACCELERATION_COLUMNS)
    t.append(size, x=rng.normal(0, 9, size), vx=rng.normal(0, 2, size), p00=0.5, p11=4.0, p22=0.3)
    state = [np.array([t["x"][i], t["vx"][i], 0.0]) for i in range(size)]
    spread = [np.diag([0.5, 4.0, 0.3]) for _ in range(size)]
    for T in steps:
        F = np.array([[1, T, T * T / 2], [0, 1, T], [0, 0, 1]])
        Q = jerk**2 * np.array(
            [[T**5 / 20, T**4 / 8, T**3 / 6], [T**4 / 8, T**3 / 3, T**2 / 2], [T**3 / 6, T**2 / 2, T]]
        )
        predict(t, T, 1.0, jerk)
        seen, z, r = np.arange(1, size), rng.normal(0, 9, size), 0.2
        correct(t, seen, z[seen], z[seen], np.full(len(seen), r))
        for i in range(size):
            state[i], spread[i] = F @ state[i], F @ spread[i] @ F.T + Q
            if i in seen:
                gain = spread[i][:, 0] / (spread[i][0, 0] + r)
                state[i] = state[i] + gain * (z[i] - state[i][0])
                spread[i] = spread[i] - np.outer(gain, spread[i][0])
    for i in range(size):
        np.testing.assert_allclose([t[n][i] for n in ("x", "vx", "ax")], state[i], rtol=1e-6, atol=1e-6)
        found = [t[n][i] for n in ("p00", "p01", "p02", "p11", "p12", "p22")]
        np.testing.assert_allclose(found, spread[i][np.triu_indices(3)], rtol=1e-6, atol=1e-9)


def test_two_half_steps_of_the_curved_filter_are_a_whole_one():
    one, two = (Columns(KALMAN_COLUMNS | ACCELERATION_COLUMNS) for _ in range(2))
    for t in (one, two):
        t.append(1, x=1.0, vx=2.0, ax=-0.3, p00=0.1, p01=0.05, p02=0.01, p11=0.2, p12=0.02, p22=0.1)
    predict(one, 3.0, 0.0, 0.2)
    for _ in range(2):
        predict(two, 1.5, 0.0, 0.2)
    for name, values in one.snapshot().items():
        np.testing.assert_allclose(values, two.snapshot()[name], rtol=1e-12)
