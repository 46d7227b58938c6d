"""Sigma of flat discs, as painted markers are: their odd residuals keep noise that those of bells lose to the fit."""

from __future__ import annotations

import numpy as np
import pytest

from app.sources.simulated.drawing import discs
from kernels.host.centroid import ROUNDING, gaussian_centres

PITCH, SIDE = 24, 20


def z_variance(radius: float, ground: float, bits: int, light: float = 1.0) -> float:
    """Of the centres of 400 discs in photon noise, 10 000 electrons at white."""
    draw, white = np.random.default_rng(303), 2**bits - 1
    x, y = (np.tile(np.arange(SIDE), SIDE), np.repeat(np.arange(SIDE), SIDE)) * np.array(PITCH)
    x, y = (c + PITCH / 2 + draw.uniform(-0.5, 0.5, c.size) for c in (x, y))
    cover = discs((SIDE * PITCH, SIDE * PITCH), x, y, radius, 0.75, 1.0)
    shown = (ground + cover * (0.86 - ground)) * light
    seen = np.rint((shown + draw.standard_normal(shown.shape) * np.sqrt(shown / 1e4 + 64e-8)) * white)
    rows = gaussian_centres((seen / white).astype(np.float32), np.rint(x), np.rint(y), 1.4, ROUNDING / white**2)
    return float(np.mean(((rows["x"] - x) ** 2 + (rows["y"] - y) ** 2) / (2 * rows["sigma"] ** 2)))


@pytest.mark.parametrize(
    ("radius", "ground", "bits", "light"),
    [(2.8, 0.45, 8, 1.0), (2.8, 0.45, 16, 1.0), (2.8, 0.45, 8, 0.8), (2.8, 0.2, 8, 1.0), (2.3, 0.45, 8, 1.0)],
)
def test_sigma_of_flat_discs_is_true(radius, ground, bits, light):
    found = z_variance(radius, ground, bits, light)
    assert 0.84 < found < 1.15, found
