"""The window that is chosen: velocities about as near to the truth as those of the best window, for motion and noise of
several kinds."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from pipelines.analysis.local_polynomials import Window, smooth
from pipelines.analysis.smoothing_splines import Run, spline_through
from pipelines.analysis.smoothing_window import ORDERS, _expected, _parts, _widths, choose_window
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


@cache
def least_error(motion: str, seed: int, alike: float) -> float:
    """That of the best window of all, which the truth alone tells; what is stated of the noise is no part of it."""
    values, velocity = moving(motion)
    one = trail(values, 0.02, seed, alike=alike)
    widths = np.unique(np.geomspace(7, len(one.times), 20).astype(int) | 1)
    return min(error(one, Window(w * STEP, p), velocity) for w in widths for p in (2, 4, 6) if w > p + 1)


T = STEP * np.arange(400)
TURN = 2.0 * np.pi


MOTIONS = {
    "pendulum": (lambda t: 30.0 * np.sin(TURN * 3 * t), lambda t: 2.0 * np.cos(TURN * 6 * t)),
    "fast": (lambda t: 3.0 * np.sin(TURN * 60 * t), lambda t: 0.0 * t),
    "fall": (lambda t: 5.0 * t, lambda t: 2452.0 * t**2),
    "twitch": (lambda t: 5.0 * np.exp(-(((t - 0.2) / 0.01) ** 2)), lambda t: 0.0 * t),
    "still": (lambda t: 0.0 * t, lambda t: 0.0 * t + 3.0),
    "damped": (lambda t: 0.0 * t, lambda t: 6.0 * np.exp(-8.0 * t) * np.cos(TURN * 22 * t)),
    "chirp": (lambda t: 4.0 * np.sin(TURN * (3 * t + 30 * t * t)), lambda t: 2.0 * np.cos(TURN * 4 * t)),
    "step": (lambda t: 15.0 * np.tanh((t - 0.16) / 0.012), lambda t: 0.0 * t),
}
"""x and y, px, over times, s."""


def moving(motion: str) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities, (2, n)."""
    ways = MOTIONS[motion]
    near = 1e-6
    return np.stack([way(T) for way in ways]), np.stack([(way(T + near) - way(T - near)) / (2 * near) for way in ways])


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize(("stated", "alike"), [(True, 0.0), (False, 0.0), (False, 0.6), (True, 0.6), (False, 0.9)])
def test_velocities_are_about_as_good_as_the_best(motion: str, stated: bool, alike: float) -> None:
    """Whatever moves, and however long errors last; single records, which chance has a say in."""
    values, velocity = moving(motion)
    ratios = []
    for seed in (1, 2):
        one = trail(values, 0.02, seed, stated, alike)
        ratios.append(error(one, choose_window([one], STEP).window, velocity) / least_error(motion, seed, alike))
    assert np.mean(ratios) < 1.4


def drawn(kind: str, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities (2, n) of a random motion."""
    t = STEP * np.arange(int(random.uniform(200, 700)))
    whole, values, velocity = STEP * len(t), np.zeros((2, len(t))), np.zeros((2, len(t)))
    for line in range(2):
        if kind in ("line", "parabola"):
            ends = random.uniform(-200, 200, 1 if kind == "line" else 2)
            powers = np.append(ends[::-1] / whole ** np.arange(len(ends), 0, -1), 0.0)
            values[line], velocity[line] = np.polyval(powers, t), np.polyval(np.polyder(powers), t)
            continue
        for _ in range(random.integers(1, 4)):
            periods = np.exp(random.uniform(np.log(0.7), np.log(5 if kind == "slow" else len(t) / 20)))
            turn, phase, size = TURN * periods / whole, random.uniform(0, TURN), random.uniform(2, 30)
            fall = random.uniform(1, 8) / whole if kind == "damped" else 0.0
            left = size * np.exp(-fall * t)
            values[line] += left * np.sin(turn * t + phase)
            velocity[line] += left * (turn * np.cos(turn * t + phase) - fall * np.sin(turn * t + phase))
    return values, velocity


@pytest.mark.parametrize(
    ("kind", "most"), [("line", 1.1), ("parabola", 1.1), ("sines", 1.1), ("slow", 1.16), ("damped", 1.16)]
)
def test_velocities_of_random_motions_are_about_as_good_as_the_best(kind: str, most: float) -> None:
    """Median of motions, sizes and noise that nothing was chosen on."""
    ratios = []
    for seed in range(9):
        random = np.random.default_rng([31, seed])
        values, velocity = drawn(kind, random)
        one = trail(values, float(np.exp(random.uniform(np.log(0.01), np.log(0.3)))), seed, stated=bool(seed % 2))
        widths = np.unique(np.geomspace(7, len(one.times), 20).astype(int) | 1)
        best = min(error(one, Window(w * STEP, p), velocity) for w in widths for p in (1, 2, 4, 6) if w > p + 1)
        ratios.append(error(one, choose_window([one], STEP).window, velocity) / best)
    assert np.median(ratios) < most
    assert np.mean(np.array(ratios) <= 1.2) > 0.6


def test_the_window_has_the_least_sum_of_both_estimates() -> None:
    """A record of which the window that is nearest to the likeliest curve is another."""
    random = np.random.default_rng([31, 2])
    values, _ = drawn("damped", random)
    one = trail(values, float(np.exp(random.uniform(np.log(0.01), np.log(0.3)))), 2, stated=False)
    spread = np.ones(one.values.shape)
    splines = [spline_through([Run(one.times, line, spread[0])], STEP) for line in one.values]
    velocities = np.stack([spline.velocities[0] for spline in splines])
    windows = [Window(width * STEP, order) for order in ORDERS for width in _widths(len(one.times))]
    near = [error(one, window, velocities) ** 2 for window in windows]
    expected = [_expected(window, STEP, _parts(one, STEP), splines, [spread]) for window in windows]
    choice = choose_window([one], STEP)
    best = int(np.argmin(np.add(near, expected)))
    assert choice.window == windows[best] != windows[int(np.argmin(near))]
    assert choice.error == pytest.approx(np.sqrt(expected[best]))


def test_one_window_is_for_all_tracks_and_is_that_of_most_of_the_errors() -> None:
    """A fast one among still ones: a wide window would bend its velocities by far more than the others' noise."""
    fast, still = moving("fast")[0], moving("still")[0]
    both = [trail(fast, 0.02, 1), trail(still, 0.02, 2), trail(still, 0.02, 3)]
    window = choose_window(both, STEP).window
    assert window.width < 0.025
    assert choose_window(both[1:], STEP).window.width > 0.2


def test_jumps_of_few_samples_change_little() -> None:
    """A place that was taken from another thing is no motion, and no noise of the others."""
    one = trail(moving("damped")[0], 0.02, 5, stated=False)
    window = choose_window([one], STEP).window
    one.values[:, [90, 300]] += 40.0
    assert 0.5 < choose_window([one], STEP).window.width / window.width < 2.0


@pytest.mark.parametrize("alike", [0.0, 0.6])
def test_the_error_that_is_expected_is_about_that_which_is_made(alike: float) -> None:
    made = []
    for motion in ("fall", "damped", "pendulum", "still"):
        values, velocity = moving(motion)
        for seed in (1, 2):
            one = trail(values, 0.02, seed, alike=alike)
            choice = choose_window([one], STEP)
            made.append(error(one, choice.window, velocity) / choice.error)
            assert 1.0 <= choice.noise < 2.0
    assert 0.6 < float(np.sqrt(np.square(made).mean())) < 1.7


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
