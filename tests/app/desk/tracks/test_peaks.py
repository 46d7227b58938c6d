"""Peaks of spectra: several of one, the highest first."""

from __future__ import annotations

import numpy as np
import pytest

from app.desk.tracks.peaks import Peak, PeaksOf, rows_of_peaks
from app.desk.tracks.signals import Signal, Spectrum, spectrum


def _of(value: np.ndarray, fps: float) -> Spectrum:
    frames = np.arange(len(value))
    return spectrum(Signal(frames / fps, value, frames, np.zeros(len(value))))


def test_three_modes_are_found_by_height_without_sidelobes() -> None:
    t = np.arange(1000) / 1000.0
    modes = {23.3: 1.0, 141.7: 0.1, 388.1: 0.02}
    noise = 0.01 * np.random.default_rng(8).normal(size=1000)
    found = _of(noise + sum(a * np.sin(2 * np.pi * f * t + f) for f, a in modes.items()), 1000.0)
    peaks = found.peaks()
    assert len(peaks) == 3
    for peak, (frequency, amplitude) in zip(peaks, modes.items(), strict=True):
        assert peak.frequency == pytest.approx(frequency, abs=0.2 * found.resolution)
        assert peak.amplitude == pytest.approx(amplitude, rel=0.06)
    assert found.peaks(1) == peaks[:1]
    assert found.peak() == (peaks[0].frequency, peaks[0].amplitude)


def test_a_lone_tone_without_noise_has_one_peak() -> None:
    t = np.arange(700) / 700.0
    for frequency in (40.0, 40.25, 40.5, 99.9):
        assert len(_of(np.sin(2 * np.pi * frequency * t), 700.0).peaks()) == 1


def test_a_curve_without_peaks_has_a_row_that_says_why() -> None:
    of = (PeaksOf("a", (Peak(0.25, 2.0), Peak(0.125, 1.0)), 0.01), PeaksOf("b", (), 0.01, "none"))
    rows = list(rows_of_peaks(of, "y", "px", False))
    assert rows[0][2:5] == ["frequency_per_frame", "half_line_per_frame", "amplitude_y_px"]
    assert rows[1:] == [["a", "1", "0.25", "0.005", "2", ""], ["a", "2", "0.125", "0.005", "1", ""],
                        ["b", "", "", "", "", "none"]]  # fmt: skip
