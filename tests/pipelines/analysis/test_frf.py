"""Frequency responses, coherence and poles of a structure that is known exactly, and that errors are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.analysis.clock import PASS, on_clock
from pipelines.analysis.frf import frf_of, worth
from pipelines.analysis.poles import pole_of, poles_of, tops_of
from tests.pipelines.analysis.driven import FPS, MODES, driven, truth

BROAD = ((60.0, 0.2, (1.0, 0.5, -0.7)),)
"""So broad that nothing changes within a bin."""


def test_without_noise_it_is_the_response():
    places, force = driven(1, 8000, modes=BROAD)
    frf = frf_of(places, force, 1 / FPS, 512)
    assert (frf.frequencies[0], frf.frequencies[-1]) == pytest.approx((FPS / 512, FPS / 2 - FPS / 512))
    wanted = truth(frf.frequencies, BROAD)
    assert (np.abs(frf.response[:, 1] - wanted) < 0.02 * np.abs(wanted).max(axis=1, keepdims=True)).all()
    # What comes after the force is behind it.
    assert (frf.phase[0, 1, 5:60] < 0).all()
    again = frf_of(places, force, 1 / FPS, 512, limit=100.0)
    assert again.frequencies[-1] <= 100.0
    np.testing.assert_array_equal(again.response, frf.response[..., : len(again.frequencies)])


@pytest.mark.parametrize(("noise", "estimator", "segment"), [(0.5, "h1", 256), (5.0, "h1", 128), (0.5, "h2", 256)])
def test_errors_and_coherence_are_what_they_say(noise, estimator, segment):
    drawn, shares, within, chance = [], [], [], []
    for seed in range(20):
        places, force = driven(100 + seed, 4096, noise if estimator == "h1" else 0.0, BROAD)
        clean = force
        if estimator == "h2":  # the noise is in what the force is known by
            force = force + noise * np.random.default_rng(seed).normal(size=len(force))
        frf = frf_of(places, force, 1 / FPS, segment, estimator)
        wanted = truth(frf.frequencies, BROAD)
        strong = (frf.frequencies > 20) & (frf.frequencies < 100)
        z = ((frf.response[:, 1] - wanted) / frf.error[:, 1])[:, strong]
        size = ((np.abs(frf.response[:, 1]) - np.abs(wanted)) / frf.error[:, 1])[:, strong]
        turn = np.angle(frf.response[:, 1] / wanted)[:, strong] / np.radians(frf.phase_error[:, 1])[:, strong]
        drawn.append([np.mean(z.real**2), np.mean(z.imag**2), np.mean(size**2), np.mean(turn**2)])
        told = 1 / (1 + noise**2 / (np.abs(wanted) ** 2 if estimator == "h1" else np.ones(wanted.shape)))
        low, high = frf.coherence_interval
        within.append(np.mean((low[:, 1] <= told)[:, strong] & (told <= high[:, 1])[:, strong]))
        # Chance makes it (1 - coherence)^2 / n too large.
        shares.append(np.mean((frf.coherence[:, 1] - told - (1 - told) ** 2 / frf.averages)[:, strong]))
        chance.append(np.mean(frf_of(np.random.default_rng(seed).normal(size=(1, 2, 4096)), clean, 1 / FPS,
                                     segment).coherence < frf.chance))  # fmt: skip
    found = np.mean(drawn, axis=0)
    assert (found > 0.8).all(), found
    if noise < 5.0:  # in faint light magnitudes and phases are no longer linear in the noise
        assert (found < 1.2).all(), found
    assert (found[:2] < 1.2).all(), found
    assert abs(np.mean(shares)) < 0.02
    assert 0.9 < np.mean(within) < 0.99
    assert 0.93 < np.mean(chance) < 0.97


def test_averages_are_worth_what_their_scatter_says():
    rng = np.random.default_rng(3)
    segment, frames = 64, 1024
    power = np.array([np.abs(np.square(frf_of(rng.normal(size=(1, 2, frames)), rng.normal(size=frames), 1.0,
                                              segment).response)).mean() for _ in range(200)])  # fmt: skip
    # |H|^2 of nothing is 1 / n of what both have, and 1 / (n - 1) by Student.
    assert power.mean() == pytest.approx(1 / (worth(frames // 32 - 1, segment) - 1), rel=0.07)


def test_poles_and_their_errors():
    drawn = []
    for seed in range(40):
        places, force = driven(20_000 + seed, 1500, 1.0)
        frf = frf_of(places, force, 1 / FPS, 128)
        found = poles_of(frf, tops_of(frf), places, force)
        assert len(found) == 2, found
        for pole, (frequency, damping, _) in zip(found, MODES, strict=True):
            assert pole.band[0] < frequency < pole.band[1]
            assert pole.frequency == pytest.approx(frequency, rel=0.01)
            assert pole.damped
            drawn.append([(pole.frequency - frequency) / pole.frequency_error,
                          (pole.damping - damping) / pole.damping_error])  # fmt: skip
    found = np.mean(np.square(drawn), axis=0)
    assert ((found > 0.7) & (found < 1.35)).all(), found  # of 80 cases
    assert (np.abs(np.mean(drawn, axis=0)) < 0.3).all()


@pytest.mark.parametrize(("noise", "known_by"), [(0.0, 0.5), (0.3, 0.5)])
def test_errors_of_poles_allow_for_noise_of_the_reference(noise, known_by):
    # It is in the points as large as their response: most at the peak, not even.
    drawn = []
    for seed in range(20):
        places, force = driven(22_000 + seed, 3000, noise)
        force = force + known_by * np.random.default_rng(seed).normal(size=len(force))
        frf = frf_of(places, force, 1 / FPS, 256)
        for pole in poles_of(frf, tops_of(frf), places, force):
            frequency, damping, _ = min(MODES, key=lambda one: abs(one[0] - pole.frequency))
            drawn.append([(pole.frequency - frequency) / pole.frequency_error,
                          (pole.damping - damping) / pole.damping_error])  # fmt: skip
    assert len(drawn) >= 30
    found = np.mean(np.square(drawn), axis=0)
    assert ((found > 0.5) & (found < 2.2)).all(), found  # 4 to 6 by what is left of the whole band


CLOSE = (60.0, 0.01, (1.0, 0.5, -0.7)), (67.0, 0.01, (0.6, -0.8, 0.4))


def test_poles_of_close_peaks_are_fitted_beside_each_other():
    drawn = []
    for seed in range(15):
        places, force = driven(24_000 + seed, 4096, 0.1, CLOSE)
        frf = frf_of(places, force, 1 / FPS, 512)
        found = poles_of(frf, tops_of(frf), places, force)
        assert len(found) == 2, found
        for pole, (frequency, damping, _) in zip(found, CLOSE, strict=True):
            assert pole.alone, pole
            drawn.append([(pole.frequency - frequency) / pole.frequency_error,
                          (pole.damping - damping) / pole.damping_error])  # fmt: skip
    found = np.mean(np.square(drawn), axis=0)
    assert ((found > 0.5) & (found < 1.6)).all(), found


@pytest.mark.parametrize("noise", [1e-3, 0.1])
def test_far_poles_pull_nothing_however_little_noise_there_is(noise):
    shares = np.random.default_rng(4).normal(size=(6, 3))
    modes = tuple((frequency, damping, share) for (frequency, damping), share in zip(
        ((20, 0.02), (45, 0.01), (80, 0.03), (110, 0.01), (150, 0.02), (200, 0.01)), shares, strict=True))  # fmt: skip
    drawn = []
    for seed in range(6):
        places, force = driven(29_000 + seed, 6000, noise, modes)
        frf = frf_of(places, force, 1 / FPS, 512)
        found = poles_of(frf, tops_of(frf), places, force)
        assert len(found) == 6
        for pole, (frequency, damping, _) in zip(found, modes, strict=True):
            assert pole.alone, pole
            drawn.append([(pole.frequency - frequency) / pole.frequency_error,
                          (pole.damping - damping) / pole.damping_error])  # fmt: skip
    found = np.mean(np.square(drawn), axis=0)
    assert ((found > 0.5) & (found < 1.6)).all(), found  # 44 of poles within three half widths of the band alone


def test_poles_without_any_noise():
    places, force = driven(1, 4096)
    frf = frf_of(places, force, 1 / FPS, 256)
    found = poles_of(frf, tops_of(frf), places, force)
    assert len(found) == 2
    for pole, (frequency, damping, _) in zip(found, MODES, strict=True):
        assert pole.alone  # what is left follows the reference, but is rounding
        assert (pole.frequency, pole.damping) == pytest.approx((frequency, damping), rel=1e-9)


@pytest.mark.parametrize(("frequency", "damping", "count"), [(30.0, 0.03, 2000), (210.0, 0.01, 1000)])
def test_a_poles_mirror_image_pulls_it_nowhere(frequency, damping, count):
    """Near 0 and near half the rate it is no straight line in the band: errors of frequencies were 9 to 11 sigma^2."""
    drawn = []
    for seed in range(20):
        places, force = driven(600 + seed, count, 0.05, ((frequency, damping, (1.0, 0.5, -0.7)),))
        frf = frf_of(places, force, 1 / FPS, count // 16 * 2)
        (pole,) = poles_of(frf, tops_of(frf), places, force)
        drawn.append([(pole.frequency - frequency) / pole.frequency_error,
                      (pole.damping - damping) / pole.damping_error])  # fmt: skip
    assert (np.mean(np.square(drawn), axis=0) < 2.0).all()
    assert (np.abs(np.mean(drawn, axis=0)) < 0.7).all()  # three standard errors of the mean


def test_a_resonance_that_lasts_longer_than_a_segment_is_found():
    """Its coherence is some .05, so that nothing is sure; a point that did not move was fitted, and none found."""
    drawn = []
    for seed in range(12):
        places, force = driven(700 + seed, 2000, 0.05, ((83.3, 0.001, (1.0, 0.5, -0.7)),))
        frf = frf_of(places, force, 1 / FPS, 128)
        drawn += [((pole.frequency - 83.3) / pole.frequency_error, (pole.damping - 0.001) / pole.damping_error)
                  for pole in poles_of(frf, tops_of(frf), places, force) if pole.damped]  # fmt: skip
    assert len(drawn) >= 10
    assert (np.mean(np.square(drawn), axis=0) < 2.5).all()


def test_a_tone_that_nothing_answers_surely_is_no_resonance_beside_it():
    """Around a peak without a sure point the next best pole was that of a resonance some bins away, as a broad one."""
    tone = np.sin(2 * np.pi * 101.3 * np.arange(3000) / FPS)
    for seed in range(8):
        places, force = driven(800 + seed, 3000, 0.1)
        places[:, 1] += tone
        frf = frf_of(places, force, 1 / FPS, 256)
        top = int(np.argmin(np.abs(frf.frequencies - 101.3)))
        pole = pole_of(frf, top, [top], places, force)
        assert pole is None or not pole.damped


def test_of_two_resonances_in_one_peak_it_is_known_that_one_is_not_all():
    hidden = (CLOSE[0], (61.2, 0.01, (1.0, -0.5, 0.7)))
    for seed in range(4):
        places, force = driven(26_000 + seed, 4096, 0.1, hidden)
        frf = frf_of(places, force, 1 / FPS, 512)
        found = poles_of(frf, tops_of(frf), places, force)
        assert len(found) < 2 or all(pole.alone for pole in found)
        assert not any(pole.alone for pole in found) or len(found) == 2
        places, force = driven(26_000 + seed, 4096, 0.1)
        frf = frf_of(places, force, 1 / FPS, 512)
        assert all(pole.alone for pole in poles_of(frf, tops_of(frf), places, force))


def test_a_pole_narrower_than_a_bin_and_noise_without_any():
    places, force = driven(7, 8000, 0.01, ((60.0, 0.001, (1.0, 0.5, -0.7)),))
    frf = frf_of(places, force, 1 / FPS, 512)
    (pole,) = poles_of(frf, tops_of(frf), places, force)
    assert pole.damping == pytest.approx(0.001, abs=max(4 * pole.damping_error, 1e-6))
    assert pole.damping_error < 1e-4  # a bin is a hundredth of the frequency
    rng = np.random.default_rng(1)
    for _ in range(5):
        places, force = rng.normal(size=(4, 2, 3000)), rng.normal(size=3000)
        frf = frf_of(places, force, 1 / FPS, 256)
        assert poles_of(frf, tops_of(frf), places, force) == []


def test_a_peak_in_which_nothing_is_sure_beside_what_stands_still():
    rng = np.random.default_rng(5)
    places, force = rng.normal(size=(2, 2, 3000)), rng.normal(size=3000)
    places[0, 0] = 50.0
    frf = frf_of(places, force, 1 / FPS, 256)
    for top in range(5, 120, 10):
        pole_of(frf, top, [top], places, force)
    assert poles_of(frf, list(range(5, 120, 10)), places, force) == []


def test_a_tone_that_something_else_drives_has_no_damping():
    tone = np.sin(2 * np.pi * 101.3 * np.arange(3000) / FPS)
    for seed in range(10):
        places, force = driven(30 + seed, 3000, 0.1)
        places[:, 1] += tone
        frf = frf_of(places, force, 1 / FPS, 256)
        top = int(np.argmin(np.abs(frf.frequencies - 101.3)))
        pole = pole_of(frf, top, [top], places, force)
        assert pole is None or not pole.damped


def test_a_signal_comes_onto_the_clock_in_parts_of_any_size(monkeypatch):
    times = np.arange(4000) / 3000.0
    values = np.random.default_rng(2).normal(size=len(times))
    wanted = on_clock(times, values, 0.1, 1 / FPS, 400).values
    for size in (1, 5000):
        monkeypatch.setattr("pipelines.analysis.clock.AT_ONCE", size)
        np.testing.assert_array_equal(on_clock(times, values, 0.1, 1 / FPS, 400).values, wanted)


def test_a_signal_of_another_rate_comes_onto_the_clock():
    times = 3.0 + np.arange(40_000) / 9_700.0 + 1e-6 * np.random.default_rng(1).normal(size=40_000)
    slow, fast = 2 * np.pi * 180.0, 2 * np.pi * 700.0
    values = 2.0 + np.sin(slow * times) + np.sin(fast * times)
    found = on_clock(times, values, 2.0, 1 / FPS, 2500)
    assert found.limit == pytest.approx(PASS * FPS)
    at = 2.0 + np.arange(2500)[found.slots] / FPS
    assert (at[0], at[-1]) == pytest.approx((3.0, 2.0 + 2499 / FPS), abs=0.1)
    np.testing.assert_allclose(found.values, 2.0 + np.sin(slow * at), atol=3e-3)
    slower = on_clock(np.arange(400) / 100.0, np.sin(20 * np.arange(400) / 100.0), 0.5, 1 / FPS, 1500)
    assert slower.limit == pytest.approx(PASS * 100)
    at = 0.5 + np.arange(1500)[slower.slots] / FPS
    np.testing.assert_allclose(slower.values, np.sin(20 * at), atol=3e-3)


@pytest.mark.parametrize(("times", "words"), [
    (np.array([0.0]), "must rise"),
    (np.array([0.0, 2.0, 1.0]), "must rise"),
    (np.concatenate((np.arange(50), np.arange(60, 100))) / 100, "not even"),
    (np.arange(1000) / 100 + 60, "no frame has"),
])  # fmt: skip
def test_signals_that_cannot_be_used(times, words):
    with pytest.raises(ValueError, match=words):
        on_clock(times, np.ones(len(times)), 0.0, 1 / FPS, 1000)


def test_records_that_are_too_short_or_do_not_move():
    places, force = driven(1, 500)
    with pytest.raises(ValueError, match="2 segments of 256 frames, of which 4"):
        frf_of(places, force, 1 / FPS, 256)
    with pytest.raises(ValueError, match="does not move"):
        frf_of(places, np.full(500, 7.0), 1 / FPS, 64)
