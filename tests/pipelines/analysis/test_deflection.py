"""Operating deflection shapes of bars whose shapes are known: amplitudes, phases, and that errors are what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipelines.analysis.deflection import peaks_of, shape_of, spectrum_of, strongest
from pipelines.analysis.paths import paths_of
from pipelines.features import TRACK_DTYPE, State
from tests.pipelines.analysis.swinging import FPS, POINTS, TONES, shape, swinging


def spectrum(rows):
    return spectrum_of(paths_of(rows).paths, paths_of(rows).interval)


def test_peaks_are_the_tones_and_nothing_else():
    for seed in range(6):
        found = peaks_of(spectrum(swinging(seed)))
        assert len(found) == 3
        np.testing.assert_allclose(found, [tone[0] for tone in TONES], atol=0.06)  # a bin is 0.83 Hz
    still = swinging(1)
    still["y"] = still["x"] + np.random.default_rng(2).normal(0, 0.01, len(still))
    assert peaks_of(spectrum(still)) == []
    assert len(peaks_of(spectrum(swinging(1)), most=1)) == 1
    assert peaks_of(spectrum(swinging(1)), most=1)[0] == pytest.approx(31.3, abs=0.04)


@pytest.mark.parametrize("tone", range(3))
def test_shapes_without_noise(tone):
    found = spectrum(swinging(1, noise=0.0))
    frequency, amplitude, _ = TONES[tone]
    told = shape_of(found, frequency, strongest(found, frequency))
    reference = told.reference[0]
    assert told.reference[1] == 1
    # 2e-3: what comes through the window from the tone that is 3.9 Hz away
    np.testing.assert_allclose(told.ratio[:, 1], shape(tone) / shape(tone)[reference], atol=2e-3 if tone < 2 else 0.02)
    np.testing.assert_allclose(told.amplitude[:, 1], amplitude * np.abs(shape(tone)), rtol=0.01, atol=1e-3)
    assert told.amplitude[:, 0].max() < 1e-6


def test_who_is_ahead_has_a_positive_phase():
    found = spectrum(swinging(2, noise=0.001, ahead=0.4))
    told = shape_of(found, TONES[0][0], 3)
    assert told.phase[POINTS - 1, 1] == pytest.approx(math.degrees(0.4), abs=4 * told.phase_error[POINTS - 1, 1] + 0.01)
    assert told.phase[4, 1] == pytest.approx(0.0, abs=4 * told.phase_error[4, 1] + 0.01)
    turned = shape_of(found, TONES[0][0], POINTS - 1)
    assert turned.phase[3, 1] == pytest.approx(-told.phase[POINTS - 1, 1], abs=0.01)


@pytest.mark.parametrize("noise", [0.003, 0.05])
def test_errors_are_what_they_say(noise):
    drawn = []
    for seed in range(60):
        found = spectrum(swinging(300 + seed, noise=noise))
        told = shape_of(found, TONES[0][0], 5)
        wanted = shape(0) / shape(0)[5]
        others = np.arange(POINTS) != 5
        z = (told.ratio[:, 1] - wanted)[others] / told.ratio_error[others, 1]
        size = (told.amplitude[:, 1] - TONES[0][1] * shape(0)) / told.amplitude_error[:, 1]
        turn = told.phase[3:5, 1] / told.phase_error[3:5, 1]
        drawn.append([np.mean(z.real**2), np.mean(z.imag**2), np.mean(size**2), np.mean(turn**2)])
    assert np.abs(np.mean(drawn, axis=0) - 1.0).max() < 0.3, np.mean(drawn, axis=0)


def test_few_lost_frames_are_bridged_and_many_leave_a_point_out():
    rows = swinging(3, noise=0.002, lost=0.01)
    rows = rows[(rows["track"] != 2) | (rows["frame"] < 300)]
    found = spectrum(rows)
    assert (found.left_out, len(found.tracks)) == (1, POINTS - 1)
    assert 20 < found.bridged < 90
    told = shape_of(found, TONES[0][0], POINTS - 2)
    np.testing.assert_allclose(told.amplitude[:, 1], TONES[0][1] * shape(0)[found.tracks], atol=2e-3)


def test_a_random_force_needs_a_resolution_and_gives_the_same_shape():
    rng = np.random.default_rng(4)
    count, points = 4000, 6
    w, damping = 2 * math.pi * 60.0 / FPS, 0.05
    a = np.exp(-damping * w) * np.array([2 * math.cos(w * math.sqrt(1 - damping**2)), -np.exp(-damping * w)])
    swing = np.zeros(count)
    for k, push in enumerate(rng.normal(size=count)):
        swing[k] = push + (a[0] * swing[k - 1] + a[1] * swing[k - 2] if k > 1 else 0.0)
    rows = np.zeros((points, count), TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"] = np.arange(count), np.arange(points)[:, None], State.TRACKED
    rows["time"], rows["sigma"] = rows["frame"] / FPS, 0.02
    wanted = np.array([0.3, -0.5, 1.0, 0.8, -0.2, 0.1])
    rows["y"] = 0.05 * wanted[:, None] * swing + rng.normal(0, 0.02, rows.shape)
    found = spectrum(rows.ravel())
    half = round(5.0 / found.step)
    at = peaks_of(found, half)
    assert len(at) == 1
    assert at[0] == pytest.approx(60.0, abs=3.0)
    told = shape_of(found, at[0], 2, half)
    assert (np.abs(told.ratio[:, 1] - wanted)[wanted != 1] < 5 * told.ratio_error[wanted != 1, 1]).all()
    assert told.coherence[:, 1].min() > 0.8


def test_records_that_are_too_short():
    rows = swinging(5)
    with pytest.raises(ValueError, match="record of 32 frames"):
        spectrum(rows[rows["frame"] < 30])
