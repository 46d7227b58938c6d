"""The window that is chosen: velocities about as near to the truth as those of the best window, for motion and noise of
several kinds."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.analysis.local_polynomials import Window, smooth
from pipelines.analysis.smoothing_window import choose_window, seen_noise
from pipelines.analysis.trails import Trail

STEP = 0.001


def trail(values: np.ndarray, sigma: float, seed: int, stated: bool = True, alike: float = 0.0) -> Trail:
    """Places (2, n) with noise, of which each has the share `alike` of the one before."""
    noise = np.random.default_rng(seed).normal(0.0, sigma, values.shape)
    for k in range(1, values.shape[1]):
        noise[:, k] = alike * noise[:, k - 1] + np.sqrt(1.0 - alike**2) * noise[:, k]
    count = values.shape[1]
    return Trail("0", np.arange(count), STEP * np.arange(count), values + noise,
                 np.full(values.shape, sigma if stated else np.nan))  # fmt: skip


def error(one: Trail, window: Window, velocity: np.ndarray) -> float:
    found = smooth(one.times, one.values, np.ones(one.values.shape), window, STEP).values[1]
    return float(np.sqrt(np.square(found - velocity).mean()))


def beside_best(one: Trail, velocity: np.ndarray) -> float:
    """The error of the chosen window beside that of the best of all, which the truth alone tells."""
    widths = np.unique(np.geomspace(7, len(one.times), 20).astype(int) | 1)
    best = min(error(one, Window(w * STEP, p), velocity) for w in widths for p in (2, 4, 6) if w > p + 1)
    return error(one, choose_window([one], STEP).window, velocity) / best


T = STEP * np.arange(400)
TURN = 2.0 * np.pi


@pytest.mark.parametrize("stated", [True, False])
@pytest.mark.parametrize(("values", "velocity", "most"), [
    (np.stack((30.0 * np.sin(TURN * 3 * T), 2.0 * np.cos(TURN * 6 * T))),
     np.stack((30.0 * TURN * 3 * np.cos(TURN * 3 * T), -2.0 * TURN * 6 * np.sin(TURN * 6 * T))), 1.5),
    (np.stack((3.0 * np.sin(TURN * 60 * T), 0.0 * T)),
     np.stack((3.0 * TURN * 60 * np.cos(TURN * 60 * T), 0.0 * T)), 1.2),
    (np.stack((5.0 * T, 2452.0 * T**2)), np.stack((5.0 + 0.0 * T, 4904.0 * T)), 1.35),
    (np.stack((5.0 * np.exp(-(((T - 0.2) / 0.01) ** 2)), 0.0 * T)),
     np.stack((-1e5 * (T - 0.2) * np.exp(-(((T - 0.2) / 0.01) ** 2)), 0.0 * T)), 1.4),
], ids=["pendulum", "fast", "fall", "twitch"])  # fmt: skip
def test_velocities_are_about_as_good_as_the_best(values, velocity, most, stated):
    ratios = [beside_best(trail(values, 0.02, seed, stated), velocity) for seed in (1, 2)]
    assert np.mean(ratios) < most


def test_errors_that_last_are_not_taken_for_motion():
    """Of a fall with noise that lasts for some frames a wide window is chosen all the same."""
    values, velocity = np.stack((5.0 * T, 2452.0 * T**2)), np.stack((5.0 + 0.0 * T, 4904.0 * T))
    one = trail(values, 0.02, 3, alike=0.6)
    assert choose_window([one], STEP).window.width > 0.2
    assert error(one, choose_window([one], STEP).window, velocity) < 0.2


def test_noise_is_seen_beside_motion_and_few_jumps():
    values = np.stack((30.0 * np.sin(TURN * 20 * T), 0.0 * T))
    one = trail(values, 0.02, 5, stated=False)
    assert seen_noise([one]) == pytest.approx(0.02, rel=0.2)
    assert seen_noise([trail(values, 0.02, 5)]) == pytest.approx(1.0, rel=0.2)
    one.values[:, 300] += 40.0
    assert seen_noise([one]) == pytest.approx(0.02, rel=0.4)


def test_too_few_samples_for_a_choice():
    choice = choose_window([trail(np.zeros((2, 5)), 0.02, 1)], STEP)
    assert choice.window == Window(7 * STEP, 2)
    assert np.isnan(choice.error)


@pytest.mark.filterwarnings("error")
def test_a_sample_between_two_long_gaps_spoils_no_choice():
    """It has no velocity of its own; NaN among the others would leave the narrowest window."""
    one = trail(np.stack((5.0 * T, 2452.0 * T**2)), 0.02, 4)
    kept = np.r_[0:340, 370, 398:400]
    part = one.part(kept)
    assert choose_window([part], STEP).window.width > 0.2
    lonely = one.part(np.r_[0:4, 50:53, 100:104, 150])
    assert np.isnan(choose_window([lonely], STEP).error)
