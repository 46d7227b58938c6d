"""The tracker's own noise under the spectrum of a track."""

from __future__ import annotations

import numpy as np
import pytest

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.signals import Quantity, Signal, spectrum
from app.desk.tracks.spectra import as_amplitude, noise_floor
from pipelines.trackers.vibration import SPECTRA_DTYPE

RATE = 1000.0


def table() -> np.ndarray[tuple[int], np.dtype[np.void]]:
    rows = np.zeros(20, SPECTRA_DTYPE)
    rows["track"], rows["frequency"] = np.repeat([3, 5], 10), np.tile(np.arange(1, 11) * 50.0, 2)
    rows["noise_x"], rows["noise_y"], rows["x"], rows["y"], rows["pieces"] = 1e-4, 3e-4, 1e-3, 2e-3, 7
    return rows


def test_white_noise_lies_on_its_floor() -> None:
    sigma = 0.01
    rng = np.random.default_rng(4)
    n = 1 << 15
    time = np.arange(n) / RATE
    made = spectrum(Signal(time, rng.normal(0, sigma, n), np.arange(n), np.full(n, sigma)), welch=31)
    density = np.full(len(made.frequency), 2 * sigma**2 / RATE)  # one-sided
    inside = slice(100, -100)
    assert made.density[inside].mean() == pytest.approx(density[0], rel=0.03)
    rms = np.sqrt(np.mean(made.amplitude[inside] ** 2))
    assert rms == pytest.approx(as_amplitude(density, made)[0], rel=0.03)


def test_the_floor_is_in_the_users_units_and_axes() -> None:
    tables = {"spectra": table()}
    at, x = noise_floor(tables, 3, Quantity.X, Calibration())  # type: ignore[misc]
    np.testing.assert_array_equal(at, np.arange(1, 11) * 50.0)
    np.testing.assert_allclose(x, 1e-8)
    half = Calibration(0.5, "mm", angle=90.0)
    np.testing.assert_allclose(noise_floor(tables, 5, Quantity.X, half)[1], 0.25 * 9e-8)  # type: ignore[index]
    np.testing.assert_allclose(noise_floor(tables, 5, Quantity.Y, half)[1], 0.25 * 1e-8)  # type: ignore[index]
    assert noise_floor(tables, 4, Quantity.X, half) is None
    assert noise_floor(tables, 3, Quantity.SPEED, half) is None
    assert noise_floor({}, 3, Quantity.X, half) is None
