"""Fits: the truth within their errors, for white noise and for noise that lasts; what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipelines.analysis.curve_fits import fit
from pipelines.analysis.trails import Trail

T = np.arange(400) / 500.0


def noisy(values: np.ndarray, seed: int, alike: float = 0.0, sigma: float = 0.02) -> Trail:
    """Places with a tenth of the frames lost."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0.0, sigma, values.shape)
    for k in range(1, values.shape[1]):
        noise[:, k] = alike * noise[:, k - 1] + math.sqrt(1.0 - alike**2) * noise[:, k]
    kept = rng.random(len(T)) > 0.1
    kept[0] = True  # fits count from there
    return Trail("0", np.flatnonzero(kept), T[kept], (values + noise)[:, kept], np.full((2, kept.sum()), np.nan))


def ringing(frequency: float, damping: float, amplitude: float) -> np.ndarray:
    turn = 2.0 * np.pi * frequency
    way = amplitude * np.exp(-damping * turn * T) * np.cos(turn * math.sqrt(1.0 - damping**2) * T + 0.4)
    return np.stack((10.0 + 0.6 * way, 5.0 + 0.8 * way))


CASES = {
    "line": (np.stack((3.0 + 5.0 * T, 2.0 - T)), {"velocity_x": 5.0, "velocity_y": -1.0, "speed": math.sqrt(26.0)}),
    "parabola": (np.stack((3.0 + 5.0 * T, 4.9 * T**2)), {"acceleration_y": 9.8, "acceleration": 9.8}),
    "sine": (np.stack((10.0 + 3.0 * np.cos(46.0 * T + 0.4), 0.0 * T)),
             {"frequency": 46.0 / 2.0 / np.pi, "amplitude": 3.0, "phase": 0.4, "offset": 10.0}),
    "damped-sine": (ringing(7.3, 0.03, 3.0), {"frequency": 7.3, "damping_ratio": 0.03, "amplitude": 3.0}),
    "exponential": (np.stack((10.0 + 3.0 * np.exp(-T / 0.2), 0.0 * T)), {"time_constant": 0.2, "amplitude": 3.0}),
    "circle": (np.stack((10.0 + 3.0 * np.cos(7.0 * T), 20.0 + 3.0 * np.sin(7.0 * T))),
               {"radius": 3.0, "centre_x": 10.0, "centre_y": 20.0, "angular_velocity": 7.0}),
}  # fmt: skip


@pytest.mark.parametrize("alike", [0.0, 0.8])
@pytest.mark.parametrize("model", CASES)
def test_errors_hold(model, alike):
    values, truth = CASES[model]
    fits = [fit(noisy(values, seed, alike), model) for seed in range(16)]
    for name, true in truth.items():
        off = np.array([(one.parameters[name].value - true) / one.parameters[name].error for one in fits])
        assert 0.5 < math.sqrt(np.square(off).mean()) < 1.6, name
        assert np.abs(off).max() < 5.0, name


@pytest.mark.parametrize(("frequency", "damping"), [(5.0, 0.3), (110.0, 0.002), (2.0, 0.02), (40.0, 0.0)])
def test_slow_fast_weak_and_strong_damping(frequency, damping):
    found = fit(noisy(ringing(frequency, damping, 3.0), 1), "damped-sine").parameters
    for name, true in (("frequency", frequency), ("damping_ratio", damping)):
        assert abs(found[name].value - true) < 4.0 * found[name].error
    assert found["frequency"].error < 0.01 * frequency


def test_what_grows():
    found = fit(noisy(np.stack((np.exp(T / 0.1), 0.0 * T)), 1), "exponential").parameters
    assert found["time_constant"].value == pytest.approx(-0.1, rel=0.01)
    assert found["amplitude"].value == pytest.approx(1.0, rel=0.02)


def test_directions_and_what_is_left():
    found = fit(noisy(ringing(7.3, 0.03, 3.0), 1), "damped-sine")
    assert found.axis == pytest.approx((0.6, 0.8), abs=0.01)
    assert found.left == pytest.approx(0.02, rel=0.15)
    along = fit(noisy(ringing(7.3, 0.03, 3.0), 1), "damped-sine", along="x")
    assert along.axis == (1.0, 0.0)
    assert along.parameters["amplitude"].value == pytest.approx(1.8, rel=0.01)


@pytest.mark.parametrize(("model", "values", "told"), [
    ("circle", np.stack((T, 2.0 * T)), "straight line"),
    ("parabola", np.zeros((2, 3)), "needs 4 samples"),
    ("damped-sine", np.zeros((2, 9)), "needs 10 samples"),
])  # fmt: skip
def test_refusals(model, values, told):
    count = values.shape[1]
    one = Trail("0", np.arange(count), np.arange(count) / 500.0, values, np.full(values.shape, np.nan))
    with pytest.raises(ValueError, match=told):
        fit(one, model)


def test_two_modes_of_what_swings_freely():
    """Frequencies, damping and amplitudes of both, with errors that hold; one mode alone is refused."""
    t = np.arange(1500) / 1000.0
    off = []
    for seed in range(6):
        noise = np.random.default_rng(seed).normal(0.0, 0.05, t.shape)
        one = 3.0 * np.exp(-2.0 * t) * np.cos(2 * np.pi * 18.0 * t)
        two = 0.8 * np.exp(-6.0 * t) * np.cos(2 * np.pi * 51.0 * t + 0.4)
        trail = Trail("0", np.arange(1500), t, (5.0 + one + two + noise)[None], np.full((1, 1500), 0.05))
        found = fit(trail, "two-damped-sines").parameters
        truth = {"frequency_1": np.hypot(18.0, 2.0 / (2 * np.pi)), "decay_rate_1": 2.0, "amplitude_1": 3.0,
                 "frequency_2": np.hypot(51.0, 6.0 / (2 * np.pi)), "decay_rate_2": 6.0, "phase_2": 0.4}  # fmt: skip
        off.append([(found[name].value - value) / found[name].error for name, value in truth.items()])
        assert found["damping_ratio_2"].value == pytest.approx(6.0 / (2 * np.pi * truth["frequency_2"]), rel=0.1)
    assert np.sqrt(np.square(off).mean()) == pytest.approx(1.0, abs=0.35)
    alone = Trail("0", np.arange(300), t[:300], np.sin(2 * np.pi * 20 * t[:300])[None], np.full((1, 300), np.nan))
    with pytest.raises(ValueError, match="frequenc"):
        fit(alone, "two-damped-sines")
