"""Pictures of a plate that moves by exact fractions of a pixel, and how far rows are from its way."""

from __future__ import annotations

import numpy as np

from pipelines.features import State

SHAPE = (96, 96)


def exposed(plate, dx=0.0, dy=0.0, gain=1.0, noise=0.0, rng=None, scale=1, theta=0.0):
    light = 120 + 40 * plate.image(*SHAPE, dx, dy, theta, (48.0, 48.0))
    light = light * gain + (0 if rng is None else noise * rng.normal(size=SHAPE))
    return np.rint(scale * light).clip(0, 65535).astype(np.uint16 if scale > 1 else np.uint8)


def errors(rows, path):
    """Tracked rows' (x, y) minus the motion, relative to each track's own mean, and the rows."""
    rows = rows[rows["state"] == State.TRACKED]
    moved = np.stack((rows["x"], rows["y"]), axis=1) - np.asarray(path)[rows["frame"]]
    for k in np.unique(rows["track"]):
        moved[rows["track"] == k] -= moved[rows["track"] == k].mean(axis=0)
    return moved, rows
