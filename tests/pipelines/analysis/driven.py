"""A structure with known resonances that a known force drives, as series and as tables of tracks."""

from __future__ import annotations

import numpy as np
from scipy import signal

from pipelines.features import TRACK_DTYPE, State, Tracks

FPS = 500.0
MODES = ((60.0, 0.02, (1.0, 0.5, -0.7)), (140.0, 0.01, (0.3, -0.3, 0.4)))
"""Natural frequency in Hz, damping ratio, how far each of three points goes with it."""
SETTLE = 4000


def filters(rate, modes=MODES):
    """Of each mode the filter whose answer to an impulse is a decaying swing: (b, a), and its share in the points."""
    for frequency, damping, share in modes:
        swing = np.exp((-damping + 1j * np.sqrt(1 - damping**2)) * 2 * np.pi * frequency / rate)
        yield np.array([0.0, swing.imag]), np.array([1.0, -2 * swing.real, abs(swing) ** 2]), np.array(share)


def driven(seed, count, noise=0.0, modes=MODES, rate=FPS):
    """(3, 2, count) of motion in y with noise beside a force (count,) of variance 1; x is noise alone."""
    rng = np.random.default_rng(seed)
    force = rng.normal(size=count + SETTLE)
    y = sum(share[:, None] * signal.lfilter(b, a, force) for b, a, share in filters(rate, modes))[:, SETTLE:]
    return np.stack((np.zeros_like(y), y), axis=1) + noise * rng.normal(size=(3, 2, count)), force[SETTLE:]


def truth(frequencies, modes=MODES, rate=FPS):
    """(3, F): H."""
    return sum(share[:, None] * signal.freqz(b, a, 2 * np.pi * frequencies / rate)[1]
               for b, a, share in filters(rate, modes))  # fmt: skip


def as_tracks(places, rate=FPS, start=0.0, sigma=0.01) -> Tracks:
    """Rows of points at (40, 50), (70, 50) ... that move so."""
    points, _, count = places.shape
    rows = np.zeros((points, count), TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"] = np.arange(count), np.arange(points)[:, None], State.TRACKED
    rows["time"], rows["sigma"] = start + rows["frame"] / rate, sigma
    rows["x"], rows["y"] = places[:, 0] + 40.0 + 30.0 * np.arange(points)[:, None], places[:, 1] + 50.0
    return rows.ravel()
