"""How far a window may have strayed while nobody saw it: from how it moved while it was seen.

Its velocity is taken for one that comes back to zero by and by (Uhlenbeck, Ornstein: Phys. Rev. 36, 823, 1930). With
the mean square v^2 of the velocity (`pace`, px^2/frame^2, of an axis) and that of what each sighting surprised the
filter by (`jumps`, px^2, of an axis), which for times well above a frame is 4/3 v^2 / T, it is forgotten in
T = 4/3 v^2 / jumps frames: a steady flight has a long T, what shakes or stands still a short one. After g frames out of
sight it is at

    last place + v T (1 - e)    with the variance    v^2 (2 T g - T^2 (3 - 4 e + e^2)),    e = exp(-g / T)

The velocity itself is that of the last frame's middle: off by jumps / 2, which makes T^2 (1 - e)^2 of it. A prediction
that carries it on for k frames is off by v (T (1 - e) - k) more.
"""

from __future__ import annotations

import numpy as np

from pipelines.trackers.base import Array
from pipelines.trackers.columns import Columns

SETTLING = 0.1  # how fast the means follow
LATE = 1.5  # frames since the last sighting above which a surprise tells nothing of a frame
WEARY = 10  # frames for which one that is not seen goes on as it did
SLOWER = 0.8  # and how much of its velocity it has in each further one
STRAYING_COLUMNS = dict.fromkeys(("pace", "jumps", "pvar"), "f8")
"""Also the variance of the place where each was seen last, px^2."""


def sighted(t: Columns, which: Array, x: Array, y: Array) -> Array:
    """Book by how much sightings surprise the filter, before it is corrected; those of `which` that tell something.

    Args:
        t: columns of KALMAN_COLUMNS and STRAYING_COLUMNS, gap.
        which: rows that are seen (indices, each once), at x, y (px).
    """
    soon: Array = t["gap"][which] <= LATE
    rows = which[soon]
    rx, ry = x[soon] - t["x"][rows], y[soon] - t["y"][rows]
    _follow(t, "jumps", rows, 0.5 * (rx * rx + ry * ry))
    return rows


def moved(t: Columns, rows: Array) -> None:
    """Book how fast rows are, after they were corrected."""
    vx, vy = t["vx"][rows], t["vy"][rows]
    _follow(t, "pace", rows, 0.5 * (vx * vx + vy * vy))


def strayed(t: Columns, missed: Array, most: float) -> Array:
    """Variance (px^2, the mean of both axes) of the predicted places of windows that are not seen.

    Args:
        t: columns of KALMAN_COLUMNS and STRAYING_COLUMNS, gap (frames). Of what was seen once alone the filter says it.
        missed: frames in which each was looked for and not seen, after which it is carried on more slowly.
        most: px^2, that of a place of which nothing is known.
    """
    gap, pace = t["gap"], t["pace"]
    time = np.clip(4.0 / 3.0 * pace / np.where(t["jumps"] > 0, t["jumps"], 1.0), 0.1, 1e4)
    e = np.exp(-gap / time)
    way = time * (1.0 - e)
    own = 2.0 * time * gap - time * time * (3.0 - 4.0 * e + e * e)
    weary = np.maximum(missed - WEARY, 0.0)
    carried = gap - weary + (1.0 - SLOWER**weary) * SLOWER / (1.0 - SLOWER)
    moved_on = pace * (np.maximum(own, 0.0) + (way - carried) ** 2) + 0.5 * t["jumps"] * way * way
    made: Array = np.minimum(np.where(t["pvar"] > 0, t["pvar"] + moved_on, t["p00"]), most)
    return made


def _follow(t: Columns, name: str, rows: Array, value: Array) -> None:
    before = t[name][rows]
    t[name][rows] = before + np.where(before > 0, SETTLING, 1.0) * (value - before)
