"""Bias, noise, drift, S-curves, spectra, tones and calibration of errors that were made by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import InputError
from pipelines.evaluation.calibration import NORMAL_COVERAGE, calibration
from pipelines.evaluation.complete import evaluate_all
from pipelines.evaluation.displacement import displacement, line_fits, s_curve
from pipelines.evaluation.errors import ERROR_DTYPE, frame_rate, runs
from pipelines.evaluation.noise import noise_density
from pipelines.evaluation.tones import tones
from tests.pipelines.evaluation.cases import Crowd, tracks, truth

FPS = 500.0


def table(frames, things=1, dx=0.0, dy=0.0, x=0.0, y=0.0, sigma=math.nan):
    """Errors of `things` things in as many frames; values are (things, frames) or fit to that."""
    out = np.zeros((things, frames), ERROR_DTYPE)
    out["thing"], out["frame"] = np.arange(things)[:, None] + 5, np.arange(frames)
    out["time"] = out["frame"] / FPS
    for name, value in (("dx", dx), ("dy", dy), ("x", x), ("y", y), ("sigma", sigma)):
        out[name] = value
    return out.ravel()


def test_bias_drift_and_noise_are_told_apart():
    rng = np.random.default_rng(0)
    n, frames = 40, 300
    t = np.arange(frames) / FPS
    start = rng.normal(0, 0.5, (n, 1))  # a point picked beside its place stays beside it
    error = 0.2 + start + 0.7 * t + rng.normal(0, 0.03, (n, frames))
    found = displacement(table(frames, n, dx=error, dy=rng.normal(0, 0.01, (n, frames))), FPS)
    assert found.bias_x == pytest.approx(error.mean())
    assert found.rms_x == pytest.approx(math.sqrt((error**2).mean()))
    assert found.rms == pytest.approx(math.hypot(found.rms_x, found.rms_y))
    assert found.noise_x == pytest.approx(0.03, rel=0.03)
    assert found.noise_y == pytest.approx(0.01, rel=0.03)
    assert abs(found.drift_x - 0.7) < 5 * found.drift_uncertainty
    assert abs(found.drift_y) < 5 * found.drift_uncertainty
    assert 0 < found.drift_uncertainty < 0.01


def test_lines_of_each_thing():
    thing = np.array([1, 1, 1, 4, 4, 4, 9])
    time = np.array([0.0, 1, 2, 5, 7, 9, 3])
    fit = line_fits(thing, time, np.array([1.0, 3, 5, 7, 6, 5, 2]))
    assert fit.slopes[:2] == pytest.approx([2, -0.5])
    assert math.isnan(fit.slopes[2])
    assert fit.noise == pytest.approx(0, abs=1e-12)


def test_the_s_curve_is_found_in_noise():
    rng = np.random.default_rng(1)
    x = rng.uniform(-40, 40, 20_000)
    true = 0.02 * np.sin(2 * np.pi * x) + 0.3
    found = s_curve(x, true + rng.normal(0, 0.05, len(x)))
    assert abs(found.amplitude - 0.02) < 4 * found.uncertainty
    assert found.uncertainty == pytest.approx(0.05 * math.sqrt(2 / len(x)), rel=0.1)
    assert found.error == pytest.approx(0.02 * np.sin(2 * np.pi * np.array(found.phase)), abs=0.008)
    clean = s_curve(x, rng.normal(0, 0.05, len(x)))
    assert clean.amplitude < 5 * clean.uncertainty
    assert math.isnan(s_curve(np.full(500, 3.25), np.zeros(500)).amplitude)  # one phase only


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 200.0, 1000.0]), st.integers(40, 3000))
def test_white_noise_has_the_density_that_it_must_have(seed, fps, frames):
    rng = np.random.default_rng(seed)
    things = 1 + 6000 // frames
    found = noise_density(table(frames, things, dx=rng.normal(0, 0.1, (things, frames))), fps)
    assert found is not None
    expected = 0.1 * math.sqrt(2 / (fps or 1.0))
    power = np.mean(np.square(found.x))
    assert power == pytest.approx(expected**2, rel=0.25)
    assert found.floor_x == pytest.approx(expected, rel=0.25)
    assert found.floor_y == 0
    assert found.frequency[-1] < (fps or 1.0) / 2


def test_a_line_in_the_noise_stands_where_it_is_and_gaps_are_not_bridged():
    t = np.arange(2048) / FPS
    rows = table(2048, dx=0.05 * np.sin(2 * np.pi * 60.0 * t))
    found = noise_density(rows, FPS)
    assert found is not None
    assert found.frequency[int(np.argmax(found.x))] == pytest.approx(60, abs=FPS / found.length)
    assert found.length == 1024
    holed = noise_density(np.delete(rows, np.arange(100, 2048, 100)), FPS)
    assert holed is not None
    assert holed.length == 64
    assert noise_density(table(15), FPS) is None
    assert noise_density(table(0), FPS) is None


def test_tones_and_what_becomes_of_them():
    n, frames = 5, 1000
    t = np.arange(frames) / FPS
    size = np.linspace(0.5, 1.5, n)[:, None]
    x = 100 + 3 * t + size * np.sin(2 * np.pi * 31.3 * t) + 0.1 * np.cos(2 * np.pi * 120 * t)
    y = np.full((n, 1), 50.0)
    late = 1.1 * size * np.sin(2 * np.pi * 31.3 * t - 0.1) + 0.09 * np.cos(2 * np.pi * 120 * t)
    found = tones(table(frames, n, x=x, y=y, dx=100 + 3 * t + late - x), FPS)
    assert [tone.axis for tone in found] == ["x", "x"]
    low, high = found
    assert low.frequency == pytest.approx(31.3, abs=0.05)
    assert low.amplitude == pytest.approx(math.sqrt(float((size**2).mean())), rel=0.01)
    assert low.amplitude_error == pytest.approx(0.1, abs=1e-3)
    assert low.phase_error == pytest.approx(-math.degrees(0.1), abs=0.1)
    assert low.things == n
    assert high.frequency == pytest.approx(120, abs=0.05)
    assert high.amplitude_error == pytest.approx(-0.1, abs=2e-3)
    assert tones(table(frames, n, x=100 + 3 * t), FPS) == ()  # a path is no tone
    assert tones(table(frames, n, x=5 * np.sin(2 * np.pi * 2.5 * t / t[-1])), FPS) == ()  # nor are two turns and a half


def test_right_and_wrong_uncertainties():
    rng = np.random.default_rng(2)
    sigma = rng.uniform(0.02, 0.2, (20, 500))
    error = rng.normal(0, 1, (2, 20, 500)) * sigma
    right = calibration(table(500, 20, dx=error[0], dy=error[1], sigma=sigma))
    assert right.variance == pytest.approx(1, rel=0.05)
    assert (right.mean_x, right.mean_y) == pytest.approx((0, 0), abs=0.05)
    assert right.coverage == pytest.approx(NORMAL_COVERAGE, abs=0.01)
    assert right.observed == pytest.approx(right.nominal, abs=0.02)
    assert right.sigma_observed == pytest.approx(right.sigma_stated, rel=0.1)
    assert right.rows == 10_000
    bold = calibration(table(500, 20, dx=2 * error[0] + 0.1, dy=2 * error[1], sigma=sigma))
    assert bold.variance_y == pytest.approx(4, rel=0.05)
    assert bold.mean_x > 0.8
    assert bold.coverage[0] < 0.45
    assert bold.sigma_observed[5] > 1.8 * bold.sigma_stated[5]


def test_rows_without_an_uncertainty_are_counted_and_left_out():
    rows = table(100, sigma=0.1, dx=0.05)
    rows["sigma"][:30], rows["sigma"][30:40] = np.nan, 0.0
    found = calibration(rows)
    assert (found.rows, found.without) == (60, 40)
    assert found.variance == pytest.approx(0, abs=1e-12)
    none = calibration(rows[:40])
    assert none.rows == 0
    assert math.isnan(none.variance)
    assert all(math.isnan(share) for share in none.coverage)


def test_rates_and_runs():
    assert frame_rate(table(10)) == pytest.approx(FPS)
    dropped = np.delete(table(10), [3, 4, 5])
    assert frame_rate(dropped) == pytest.approx(FPS)
    assert frame_rate(table(1)) == 0
    still = table(4)
    still["time"] = 0.0
    assert frame_rate(still) == 0
    for far in (1e-300, 1e300, 1e308):  # squares are no numbers, nor may steps be
        still["time"] = far * (np.arange(4) - 1.5)
        assert frame_rate(still) == 0
    first, count = runs(np.concatenate((dropped, dropped)))
    assert (first.tolist(), count.tolist()) == ([0, 3, 7, 10], [3, 4, 3, 4])


def test_everything_at_once_agrees_with_itself():
    mine, real = Crowd(frames=80, things=6, side=200.0, noise=0.2, swap=0.01, renew=0.01).draw(4)
    found = evaluate_all(mine, real)
    assert found.displacement.rms == pytest.approx(found.clear.rmse)
    assert (found.displacement.bias_x, found.displacement.bias_y) == (found.clear.bias_x, found.clear.bias_y)
    assert found.displacement.fps == pytest.approx(10)
    assert evaluate_all(mine, real, fps=50.0).displacement.fps == 50
    each = found.things
    assert each["visible"].sum() == found.clear.matches + found.clear.misses
    assert each["matched"].sum() == found.clear.matches == len(found.errors)
    assert each["switches"].sum() == found.clear.id_switches
    assert each["fragments"].sum() == found.clear.fragmentation
    assert (each["tracks"] <= each["switches"] + 1).all()
    of_one = found.errors[found.errors["thing"] == 2]
    row = each[each["thing"] == 2][0]
    assert row["rmse"] == pytest.approx(math.sqrt((of_one["dx"] ** 2 + of_one["dy"] ** 2).mean()))
    assert row["bias_y"] == pytest.approx(of_one["dy"].mean())
    assert row["noise_x"] == pytest.approx(0.2, rel=0.4)
    assert (row["first"], row["last"]) == (0, 79)
    ids, often = np.unique(of_one["track"], return_counts=True)
    assert often[ids == row["track"]] == often.max()
    assert found.calibration.variance == pytest.approx(1, rel=0.3)
    assert set(found.false_tracks) == set(mine["track"]) - set(found.errors["track"])


def test_positions_that_are_no_numbers_are_refused():
    real = truth([(0, 0, 1, 1), (1, 0, math.nan, 1)])
    with pytest.raises(InputError, match=r"true positions have no position for 0 in frame 1 \(x is nan, y is 1\)"):
        evaluate_all(tracks([(0, 0, 1, 1)]), real)
    with pytest.raises(InputError, match="tracks have no position for 3 in frame 0"):
        evaluate_all(tracks([(0, 3, 1, math.inf)]), real[:1])


def test_only_what_was_met():
    mine, real = replace(Crowd(frames=10, things=6, side=500.0), swap=0.0, renew=0.0, false=0.0).draw(1)
    some = evaluate_all(mine[mine["track"] < 5], real, only="matched truth ids")
    assert some.clear.truths == 2
    assert some.challenge.missed == 0
    assert some.identity.idtp + some.identity.idfn == 20


def test_a_row_without_sigma_does_not_hide_how_the_others_fare():
    """The first row of a point that was given has sigma 0; a foreign table may leave some out."""
    rng = np.random.default_rng(5)
    real = truth([(frame, 0, float(frame), 5.0) for frame in range(400)])
    mine = tracks([(frame, 0, float(frame), 5.0) for frame in range(400)])
    mine["x"] += rng.normal(0, 0.1, 400)
    mine["y"] += rng.normal(0, 0.1, 400)
    mine["sigma"] = 0.1
    mine["sigma"][0], mine["sigma"][7] = 0.0, np.nan
    found = evaluate_all(mine, real)
    assert found.calibration.without == 2
    assert found.things["sigma"][0] == pytest.approx(0.1)
    # One thing: its own figure is that of all, each about its mean.
    assert found.things["z_variance"][0] == pytest.approx(found.calibration.variance, rel=1e-9)
    assert 0.8 < found.things["z_variance"][0] < 1.2
    mine["sigma"] = np.nan
    assert np.isnan(evaluate_all(mine, real).things["z_variance"][0])


@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_the_variance_of_z_says_how_far_it_scatters_over_clips(offset):
    """Also where rows of one thing have an error in common, which as many independent rows would hide."""
    rng = np.random.default_rng(8)
    clips, things, frames = 120, 25, 40
    found = []
    for _ in range(clips):
        start = offset * rng.normal(0, 1, (2, things, 1))
        dx, dy = start + rng.normal(0, 1, (2, things, frames))
        found.append(calibration(table(frames, things, dx, dy, sigma=1.0)))
    scatter = np.std([one.variance for one in found], ddof=1)
    assert np.sqrt(np.mean([one.variance_error**2 for one in found])) == pytest.approx(scatter, rel=0.2)
    assert math.isnan(calibration(table(frames, 1, 0.5, sigma=1.0)).variance_error)
    assert math.isnan(calibration(table(frames, 4, 0.5)).variance_error)
