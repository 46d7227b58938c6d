"""Kalman filters over a struct of arrays: all tracks in a few array operations.

State of a track: x, y (px), vx, vy (px/frame). Both axes have the same noise, so one symmetric 2 x 2 covariance
serves both: p00 (px^2), p01 (px^2/frame), p11 (px^2/frame^2). The acceleration is white noise
(Bar-Shalom, Li, Kirubarajan: Estimation with Applications to Tracking and Navigation, 2001, section 6.2.2):
over a step of T frames and for the density q (px^2/frame^3)

    Q = q [T^3/3  T^2/2;  T^2/2  T]

which, unlike a piecewise constant acceleration, makes two steps of T/2 equal to one of T (dropped frames).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.columns import Columns

Array = npt.NDArray[Any]

KALMAN_COLUMNS = dict.fromkeys(("x", "y", "vx", "vy", "p00", "p01", "p11"), "f8")
"""The columns that the filter works on."""


def predict(t: Columns, step: float | Array, acceleration: float) -> None:
    """Move every track `step` frames ahead, in place.

    Args:
        t: columns of KALMAN_COLUMNS.
        step: frames; one for all, or of each.
        acceleration: the square root of q: px/frame^2 for steps of about one frame.
    """
    q = acceleration * acceleration
    t["x"] += step * t["vx"]
    t["y"] += step * t["vy"]
    t["p00"] += step * (2.0 * t["p01"] + step * t["p11"]) + q * (step * step * step) / 3.0
    t["p01"] += step * t["p11"] + q * step * step / 2.0
    t["p11"] += q * step


def correct(t: Columns, which: Array, x: Array, y: Array, variance: Array) -> None:
    """Take the measured positions into account, in place.

    Args:
        t: columns of KALMAN_COLUMNS.
        which: rows (indices, each once).
        x, y: measured positions, px.
        variance: of x and of y, px^2, > 0.
    """
    p00, p01, p11 = t["p00"][which], t["p01"][which], t["p11"][which]
    total = p00 + variance
    k0, k1 = p00 / total, p01 / total
    rx, ry = x - t["x"][which], y - t["y"][which]
    t["x"][which] += k0 * rx
    t["y"][which] += k0 * ry
    t["vx"][which] += k1 * rx
    t["vy"][which] += k1 * ry
    # p00 (1 - k0) written so that it cannot become negative by rounding.
    t["p00"][which] = k0 * variance
    t["p01"][which] = k1 * variance
    t["p11"][which] = np.maximum(p11 - k1 * p01, 0.0)
