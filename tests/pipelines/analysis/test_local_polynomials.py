"""Local polynomials: scipy's Savitzky-Golay where times are even, exact polynomials at any times, sigma that holds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import savgol_filter

from pipelines.analysis.local_polynomials import FAR, Window, smooth, spans_of, weights_of

STEP = 0.002


def noisy(count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    times = STEP * np.arange(count)
    return times, np.sin(20.0 * times)[None] + np.random.default_rng(seed).normal(0.0, 0.01, (1, count))


@pytest.mark.parametrize(("samples", "order"), [(5, 2), (21, 3), (51, 5), (299, 2)])
def test_even_times_are_scipys(samples, order):
    times, values = noisy(300)
    found = smooth(times, values, np.full((1, 300), 1e-4), Window(samples * STEP, order), STEP)
    for derivative in range(3):
        wanted = savgol_filter(values[0], samples, order, deriv=derivative, delta=STEP)
        assert np.abs(found.values[derivative, 0] - wanted).max() < 1e-8 * np.abs(wanted).max()


def test_polynomials_are_themselves_at_any_times_and_beside_gaps():
    rng = np.random.default_rng(2)
    times = np.sort(rng.uniform(0.0, 1.0, 200))
    times = times[(times < 0.4) | (times > 0.7)]
    values = np.stack((1.0 + 2.0 * times - 3.0 * times**2 + 4.0 * times**3, times))
    found = smooth(times, values, np.ones(values.shape), Window(0.1, 3), 0.005)
    np.testing.assert_allclose(found.values[0], values, atol=1e-9)
    np.testing.assert_allclose(found.values[1, 0], 2.0 - 6.0 * times + 12.0 * times**2, atol=1e-6)
    np.testing.assert_allclose(found.values[2, 0], -6.0 + 24.0 * times, atol=1e-3)


def test_no_window_reaches_over_a_gap_longer_than_itself():
    times = np.concatenate((np.arange(20), np.arange(100, 120))) * STEP
    spans = spans_of(times, 21 * STEP, STEP)
    assert spans.last[:20].max() == 19
    assert spans.first[20:].min() == 20


def test_few_samples():
    times, values = noisy(3)
    for count, known in ((1, 1), (2, 2), (3, 2)):
        found = smooth(times[:count], values[:, :count], np.ones((1, count)), Window(21 * STEP, 3), STEP)
        assert np.isfinite(found.values[:known]).all()
        assert np.isnan(found.values[known:]).all()


def test_stated_variances_hold_inside_and_at_the_ends():
    rng = np.random.default_rng(3)
    times = STEP * np.arange(60)
    times = np.delete(times, [13, 14, 40])
    sigma = rng.uniform(0.5, 2.0, len(times))
    values = sigma * rng.normal(size=(800, len(times)))
    found = smooth(times, values, np.broadcast_to(sigma**2, values.shape), Window(15 * STEP, 3), STEP)
    for derivative in range(3):
        ratio = (found.values[derivative] ** 2).mean(axis=0) / found.variances[derivative, 0]
        assert abs(ratio.mean() - 1.0) < 0.05
        assert 0.75 < ratio.min() < ratio.max() < 1.3


def test_weights_of_a_samples_own_value():
    """Moving a sample by 1 moves its smoothed value by `own`."""
    times, values = noisy(40)
    moved = values.copy()
    moved[0, 5] += 1.0
    first, second = (smooth(times, one, np.ones((1, 40)), Window(9 * STEP, 2), STEP) for one in (values, moved))
    assert second.values[0, 0, 5] - first.values[0, 0, 5] == pytest.approx(first.own[5])


def test_samples_that_are_known_far_worse_count_by_their_variance_and_sigma_holds():
    """Where two things were one spot; within twice the usual uncertainty all count alike, as Savitzky and Golay say."""
    rng = np.random.default_rng(8)
    times = STEP * np.arange(400)
    sigma = np.where(np.arange(400) % 40 < 4, 1.0, 0.02) * rng.uniform(0.8, 1.25, 400)
    trials = [smooth(times, (3.0 * times + rng.normal(0.0, sigma))[None], np.square(sigma)[None],
                     Window(31 * STEP, 2), STEP) for _ in range(60)]  # fmt: skip
    error = np.array([one.values[1, 0] - 3.0 for one in trials])
    stated = np.sqrt(trials[0].variances[1, 0])
    assert np.sqrt(np.square(error / stated).mean()) == pytest.approx(1.0, abs=0.05)
    alike = smooth(times, np.zeros((1, 400)), np.full((1, 400), 4e-4), Window(31 * STEP, 2), STEP)
    assert np.median(stated) < 1.6 * np.sqrt(np.median(alike.variances[1, 0])), "but for those beside others"
    weights = weights_of(np.square(np.array([[0.02, 0.02, 0.02, 0.039, 0.2]])))
    np.testing.assert_allclose(weights, (1.0, 1.0, 1.0, 1.0, FAR / 100.0))
    assert (weights_of(np.full((2, 3), np.nan)) == 1.0).all()
