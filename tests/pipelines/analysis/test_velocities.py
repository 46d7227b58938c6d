"""Velocities of rows: those of local polynomials, by track, of what was seen."""

from __future__ import annotations

import numpy as np

from pipelines.analysis.velocities import with_smooth_velocities
from pipelines.features import TRACK_DTYPE, State


def test_velocities_are_nearer_to_the_truth_and_guesses_keep_theirs():
    rng, frames = np.random.default_rng(2), np.arange(200)
    parts = []
    for track, speed in ((7, 40.0), (3, -25.0)):
        rows = np.zeros(200, TRACK_DTYPE)
        rows["frame"], rows["time"], rows["track"], rows["state"] = frames, frames / 1000, track, State.TRACKED
        rows["x"] = 50 + speed * frames / 1000 + rng.normal(0, 0.05, 200)
        rows["y"] = 9 + 300 * (frames / 1000) ** 2 + rng.normal(0, 0.05, 200)
        rows["sigma"], rows["vx"] = 0.05, 1e6
        parts.append(rows)
    short = parts[0][:3].copy()
    short["track"] = 9
    rows = np.concatenate((*parts, short))
    rows["state"][[20, 21]] = State.PREDICTED
    rows = rows[np.lexsort((rows["track"], rows["frame"]))]
    made, window, step = with_smooth_velocities(rows)
    assert window is not None
    assert window.width > 20 * step
    seen = (rows["state"] == State.TRACKED) & (rows["track"] != 9)
    speed = np.where(rows["track"] == 7, 40.0, -25.0)
    assert np.sqrt(np.square(made["vx"] - speed)[seen].mean()) < 1.5
    assert np.sqrt(np.square(made["vy"] - 600 * rows["time"])[seen].mean()) < 1.5
    assert (made["vx"][~seen] == 1e6).all()
    for name in ("x", "y", "frame", "track", "state"):
        np.testing.assert_array_equal(made[name], rows[name])
    assert (rows["vx"] == 1e6).all(), "what was given stays"
    few, window, _ = with_smooth_velocities(short)
    assert window is None
    assert few is short
