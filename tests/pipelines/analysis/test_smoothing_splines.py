"""Smoothing splines of greatest likelihood, against dense matrices, exact curves and noise that is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipelines.analysis.smoothing_splines import (
    AROUND,
    ORDERS,
    Run,
    _differences,
    _Likelihood,
    beside_white,
    spline_through,
)

STEP = 0.002


def noise(count: int, share: float, seed: int) -> np.ndarray:
    """Of variance 1."""
    made = np.random.default_rng(seed).normal(size=count)
    for k in range(1, count):
        made[k] = share * made[k - 1] + math.sqrt(1.0 - share**2) * made[k]
    return made


def run_of(values: np.ndarray, kept: np.ndarray | None = None) -> Run:
    times = STEP * np.arange(len(values))
    kept = np.arange(len(values)) if kept is None else kept
    return Run(times[kept], values[kept], np.ones(len(kept)))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("share", [0.0, 0.7])
def test_the_likelihood_is_that_of_dense_matrices(order: int, share: float) -> None:
    """Samples are normal, of covariance R + S / k: S is that of the curve, whose polynomials are free; where k has no
    end they are all that is left, and k is not unknown."""
    random = np.random.default_rng(1)
    kept = np.sort(random.choice(40, 26, replace=False))
    runs = [run_of(np.cumsum(random.normal(size=40)), kept), run_of(np.cumsum(random.normal(size=14)))]
    runs = [Run(run.times, run.values, random.uniform(0.5, 2.0, len(run.times))) for run in runs]
    found = []
    for stiffness in (0.0, 2.0, math.inf):
        squares, bits, samples = 0.0, 0.0, 0
        for run in runs:
            times = run.times / STEP
            rows = np.zeros((len(times) - order, len(times)))
            for k, row in enumerate(_differences(times, order)):
                rows[k, k : k + order + 1] = row
            covariance = share ** np.abs(times[:, None] - times) * run.spread[:, None] * run.spread
            if share == 0.0:
                covariance = np.diag(np.square(run.spread))
            precision = np.linalg.inv(covariance)
            if stiffness < math.inf:
                whole = precision + 10.0**stiffness * rows.T @ rows
                weight = precision - precision @ np.linalg.inv(whole) @ precision
                determinants = [(1, whole), (-1, precision), (-1, 10.0**stiffness * rows @ rows.T)]
            else:
                powers = np.vander(times / times.max(), order)
                whole = powers.T @ precision @ powers
                weight = precision - precision @ powers @ np.linalg.inv(whole) @ powers.T @ precision
                determinants = [(1, whole), (-1, precision), (-1, powers.T @ powers)]
            squares += run.values @ weight @ run.values
            bits += sum(sign * np.linalg.slogdet(one)[1] for sign, one in determinants)
            bits += order * math.log(len(times))
            samples += len(times)
        bits += math.log(samples) if stiffness < math.inf else 0.0
        found.append(samples * math.log(squares) + bits)
    likelihood = _Likelihood(runs, STEP)
    made = [likelihood.cost(order, share, stiffness) for stiffness in (0.0, 2.0, math.inf)]
    np.testing.assert_allclose(made, found, rtol=1e-6)


@pytest.mark.parametrize("degree", [1, 2])
def test_polynomials_are_not_followed_into_their_noise(degree: int) -> None:
    """Of what goes straight on, or falls, the line or parabola of least squares is found, but where chance has it that
    samples show more: by Schwarz's criterion in less than one of ten."""
    found = 0
    for seed in range(20):
        random = np.random.default_rng([degree, seed])
        t = STEP * np.arange(int(np.exp(random.uniform(np.log(200), np.log(2000)))))
        run = run_of(np.polyval(random.uniform(-200, 200, degree + 1), t) + random.normal(0.0, 0.1, len(t)))
        exact = np.polyval(np.polyder(np.polyfit(t, run.values, degree)), t)
        off = spline_through([run], STEP).velocities[0] - exact
        found += bool(np.abs(off).max() < 1e-3 * np.abs(exact).max())
    assert found >= 18


def test_pairs_are_averaged_for_what_swings_slowly_alone() -> None:
    """The fall of a spline's cost towards that of its polynomial promises nothing, and means lose what is fast."""
    t = STEP * np.arange(2000)
    for turn, slope, stiffer in ((1.5, 0.0, True), (150.0, 0.0, False), (0.0, 0.0, False), (0.0, 60.0, False)):
        for seed in range(3):
            run = run_of(20.0 * np.sin(turn * t) + slope * t + 0.1 * noise(2000, 0.0, seed))
            assert _Likelihood([run], STEP).likeliest()[1] == stiffer


@pytest.mark.parametrize("share", [0.0, 0.4, 0.7, 0.9])
def test_how_long_errors_last_is_found_beside_motion(share: float) -> None:
    t = STEP * np.arange(600)
    found = [spline_through([run_of(20.0 * np.sin(30.0 * t) + 0.1 * noise(600, share, seed))], STEP) for seed in (1, 2)]
    assert np.mean([one.share for one in found]) == pytest.approx(share, abs=0.12)
    assert np.mean([one.noise for one in found]) == pytest.approx(0.1, rel=0.35)


def test_without_noise_curves_and_velocities_are_exact_also_beside_gaps() -> None:
    t = STEP * np.arange(300)
    kept = np.r_[0:100, 104:180, 183:300]
    for value, velocity in ((3.0 - 2.0 * t, -2.0 + 0.0 * t), (5.0 + 900.0 * t**2, 1800.0 * t),
                            (np.sin(40.0 * t), 40.0 * np.cos(40.0 * t))):  # fmt: skip
        found = spline_through([run_of(value, kept)], STEP)
        np.testing.assert_allclose(found.values[0], value[kept], atol=2e-5 * np.ptp(value))
        np.testing.assert_allclose(found.velocities[0], velocity[kept], atol=2e-3 * np.abs(velocity).max())


def test_a_fast_swing_has_its_velocity() -> None:
    """Nine samples a period: more of them would smear the polynomials that tell it."""
    t = STEP * np.arange(300)
    turn = 2.0 * math.pi / (AROUND * STEP)
    found = spline_through([run_of(np.sin(turn * t) + 0.001 * noise(300, 0.0, 1))], STEP)
    off = found.velocities[0] - turn * np.cos(turn * t)
    assert np.sqrt(np.square(off[5:-5]).mean()) < 0.02 * turn


def test_what_is_said_in_the_unit_of_spread_does_not_depend_on_it() -> None:
    t = STEP * np.arange(200)
    values = np.sin(20.0 * t) + 0.02 * noise(200, 0.3, 2)
    one, other = (spline_through([Run(t, values, np.full(200, spread))], STEP) for spread in (1.0, 0.02))
    np.testing.assert_allclose(one.values[0], other.values[0], atol=1e-9)
    assert one.noise == pytest.approx(0.02 * other.noise)


def test_sums_of_errors_that_last_vary_more() -> None:
    weights = np.array([1.0, 2.0, 3.0, 2.0, 1.0])
    sums = [float(weights @ noise(5, 0.6, seed)) for seed in range(4000)]
    assert beside_white(weights, 0.6) == pytest.approx(np.var(sums) / (weights @ weights), rel=0.08)
    assert beside_white(weights, 0.0) == 1.0
