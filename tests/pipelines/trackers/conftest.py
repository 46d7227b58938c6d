"""Small scenes of our own: crowds of features, and analytic pictures that move by exact fractions of a pixel."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pipelines.features import FEATURE_DTYPE
from pipelines.truth import TRUTH_DTYPE


def features(points, mass=100.0, sigma=0.1):
    out = np.zeros(len(points), FEATURE_DTYPE)
    if len(points):
        out["x"], out["y"] = np.asarray(points, float).T
    out["mass"], out["peak"], out["area"], out["sigma"] = mass, 10.0, 9.0, sigma
    return out


def truth(paths, visible=None):
    """paths: (frames, things, 2); visible: (frames, things)."""
    frames, things, _ = paths.shape
    out = np.zeros((frames, things), TRUTH_DTYPE)
    out["frame"] = np.arange(frames)[:, None]
    out["time"] = out["frame"] / 1000.0
    out["track"] = np.arange(things)
    out["x"], out["y"] = paths[..., 0], paths[..., 1]
    out["visible"] = True if visible is None else visible
    return out.ravel()


def run(tracker, frames, name="features", start=0):
    """Feed frames at 1000 fps; None is a bad frame. All rows."""
    rows = []
    for i, frame in enumerate(frames, start):
        rows.append(tracker.skip(i, i / 1000) if frame is None else tracker.update(i, i / 1000, {name: frame}))
    return np.concatenate(rows)


def wave(k, start, count):
    """exp(i k (start + n)), (K, count): one exponential for every sixteenth n and one for each step between, since
    one for each n takes most of the time of a picture."""
    coarse = np.exp(1j * np.outer(k, np.arange(0, count, 16)))
    fine = np.exp(1j * np.outer(k, start + np.arange(16)))
    return (coarse[:, :, None] * fine[:, None, :]).reshape(len(k), -1)[:, :count]


class Speckle:
    """A random texture as a sum of plane waves below 0.4 cycles/px: any motion is exact, there is no interpolation."""

    def __init__(self, seed=0, waves=240, corr=1.2):
        rng = np.random.default_rng(seed)
        k = rng.normal(0, 1 / (np.sqrt(8) * np.pi * corr), (waves, 2))  # white noise blurred by a Gaussian of corr px
        k = k[np.abs(k).max(axis=1) < 0.4]
        self.k, self.phase = 2 * np.pi * k, rng.uniform(0, 2 * np.pi, len(k))

    def image(self, height, width, dx=0.0, dy=0.0, theta=0.0, centre=(0.0, 0.0)):
        """Unit variance; moved by (dx, dy) px and turned by theta (x towards y) about `centre`; float64."""
        # A plane wave is separable, however it is turned: two small products instead of one wave a pixel.
        c, s = np.cos(theta), np.sin(theta)
        kx, ky = self.k[:, 0] * c - self.k[:, 1] * s, self.k[:, 0] * s + self.k[:, 1] * c
        phase = self.phase + self.k @ centre
        ex = wave(kx, -centre[0] - dx, width)
        ey = wave(ky, -centre[1] - dy, height) * np.exp(1j * phase)[:, None]
        return (ey.T @ ex).real * np.sqrt(2 / len(self.k))


def samples():
    folder = os.environ.get("FUSETRACK_SAMPLES")
    path = Path(folder) if folder else Path(__file__).parents[3] / ".." / "shared" / "samples"
    if not path.is_dir():
        pytest.skip("the developer sample videos are not here")
    return path


@pytest.fixture(scope="session")
def scene():
    return SimpleNamespace(features=features, truth=truth, run=run, Speckle=Speckle, samples=samples)
