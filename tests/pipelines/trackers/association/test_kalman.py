"""The filter of a track against the textbook's matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.loops.calling import call
from pipelines.trackers.association.kalman import correct, predict
from pipelines.trackers.association.records import Settings, Tracks


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.01, 3), st.floats(0.35, 30), st.floats(0.2, 1))
def test_equals_the_matrix_form(seed, acceleration, scale, h):
    """Steps of any length, and measurements h x of which the covariance takes all that they say."""
    rng = np.random.default_rng(seed)
    t, s = Tracks(room=16), Settings()
    s.acceleration = acceleration
    t.x[0], t.vx[0], t.y[0], t.vy[0] = rng.normal(size=4)
    t.p00[0], t.p01[0], t.p11[0], t.scale[0] = 1.0, 0.3, 2.0, scale
    x, y = np.array((t.x[0], t.vx[0])), np.array((t.y[0], t.vy[0]))
    cov, row = np.array([[1.0, 0.3], [0.3, 2.0]]), np.array((h, 0.0))
    for _ in range(6):
        step, r, z = rng.uniform(0.3, 3), rng.uniform(0.01, 2), rng.normal(size=2)
        f = np.array([[1, step], [0, 1]])
        q = (acceleration * scale) ** 2 * np.array([[step**3 / 3, step**2 / 2], [step**2 / 2, step]])
        x, y, cov = f @ x, f @ y, f @ cov @ f.T + q
        call(predict, t, 1, step, s)
        total = row @ cov @ row + r
        ex, ey = z[0] - row @ x, z[1] - row @ y
        call(correct, t, 0, ex, ey, h, total)
        gain = cov @ row / total
        x, y, cov = x + gain * ex, y + gain * ey, cov - np.outer(gain, row @ cov)
        np.testing.assert_allclose((t.x[0], t.vx[0], t.y[0], t.vy[0]), (*x, *y), rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose((t.p00[0], t.p01[0], t.p11[0]), cov[[0, 0, 1], [0, 1, 1]], rtol=1e-7, atol=1e-9)
    assert t.gap[0] > 0
