"""Points on a bar that swings in known shapes, as tables of tracks."""

from __future__ import annotations

import numpy as np

from pipelines.features import TRACK_DTYPE, State, Tracks

POINTS, FRAMES, FPS = 9, 600, 500.0
TONES = ((31.3, 0.5, 0.0), (90.0, 0.1, 1.1), (93.9, 0.02, -2.0))
"""Frequency in Hz, amplitude in px, phase: two of them near each other."""


def shape(tone: int) -> np.ndarray:
    """(POINTS,) signed part of the tone's amplitude."""
    along = np.linspace(0.1, 1.0, POINTS)
    return (along**2, np.cos(2 * np.pi * along), 1.0 - 1.5 * along)[tone]


def swinging(seed: int, noise: float = 0.01, ahead: float = 0.0, lost: float = 0.0) -> Tracks:
    """Rows of TRACK_DTYPE: y swings, x stands still; the last point is `ahead` of the others, radians."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((POINTS, FRAMES), TRACK_DTYPE)
    rows["frame"], rows["track"] = np.arange(FRAMES), np.arange(POINTS)[:, None]
    rows["time"] = rows["frame"] / FPS
    rows["x"], rows["y"] = 40.0 + 30.0 * np.arange(POINTS)[:, None], 100.0 + 0.3 * rows["time"]
    late = np.where(np.arange(POINTS) == POINTS - 1, ahead, 0.0)[:, None]
    for number, (frequency, amplitude, phase) in enumerate(TONES):
        way = np.sin(2 * np.pi * frequency * rows["time"] + phase + late)
        rows["y"] += amplitude * shape(number)[:, None] * way
    sigma = noise * rng.uniform(0.7, 1.3, (POINTS, 1))
    for name in ("x", "y"):
        rows[name] += sigma * rng.normal(size=rows.shape)
    rows["sigma"], rows["state"] = sigma, State.TRACKED
    rows["state"][rng.random(rows.shape) < lost] = State.PREDICTED
    return rows.ravel()
