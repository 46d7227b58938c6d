"""Brownian motion as tables of tracks, exactly: averaged over exposures, with errors of stated size, with gaps."""

from __future__ import annotations

import numpy as np

from pipelines.features import TRACK_DTYPE, State, Tracks

FINE = 20
"""Moments of a frame interval."""


def walks(
    seed: int, *, tracks: int = 30, frames: int = 100, d: float = 2.0, noise: float = 0.1, fps: float = 100.0,
    exposure: float = 0.0, lost: float = 0.0, flow: tuple[float, float] = (0.0, 0.0),
) -> Tracks:  # fmt: skip
    """Rows of TRACK_DTYPE; `d` in px^2/s, `noise` in px a coordinate, `exposure` as a share of the frame interval,
    `lost` the share of the rows that are missing, `flow` in px/s."""
    rng = np.random.default_rng(seed)
    fine = FINE if exposure else 1
    steps = rng.normal(0.0, np.sqrt(2 * d / (fps * fine)), (tracks, 2, frames * fine))
    way = np.cumsum(steps, axis=2).reshape(tracks, 2, frames, fine)
    way = way[..., : max(1, round(exposure * fine))].mean(axis=3)
    rows = np.zeros((tracks, frames), TRACK_DTYPE)
    rows["frame"] = np.arange(frames)
    rows["time"] = rows["frame"] / fps
    rows["track"] = np.arange(tracks)[:, None]
    sigma = noise * rng.uniform(0.6, 1.4, rows.shape)
    for axis, name in enumerate("xy"):
        rows[name] = way[:, axis] + sigma * rng.normal(size=rows.shape) + flow[axis] * rows["time"]
    rows["sigma"], rows["state"] = sigma, State.TRACKED
    rows["state"][rng.random(rows.shape) < lost] = State.PREDICTED
    return rows.ravel()
