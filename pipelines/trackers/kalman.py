"""Kalman filters over a struct of arrays: all tracks in a few array operations.

State of a track: x, y (px), vx, vy (px/frame). Both axes have the same noise, so one symmetric 2 x 2 covariance
serves both: p00 (px^2), p01 (px^2/frame), p11 (px^2/frame^2). The acceleration is white noise
(Bar-Shalom, Li, Kirubarajan: Estimation with Applications to Tracking and Navigation, 2001, section 6.2.2):
over a step of T frames and for the density q (px^2/frame^3)

    Q = q [T^3/3  T^2/2;  T^2/2  T]

which, unlike a piecewise constant acceleration, makes two steps of T/2 equal to one of T (dropped frames).

With the columns of ACCELERATION_COLUMNS the state holds ax, ay (px/frame^2) too, the covariance is 3 x 3 and the jerk
is the white noise (section 6.2.3), of the density q (px^2/frame^5):

    Q = q [T^5/20  T^4/8  T^3/6;  T^4/8  T^3/3  T^2/2;  T^3/6  T^2/2  T]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.base import Columns

Array = npt.NDArray[Any]

KALMAN_COLUMNS = dict.fromkeys(("x", "y", "vx", "vy", "p00", "p01", "p11"), "f8")
"""The columns that the filter works on."""
ACCELERATION_COLUMNS = dict.fromkeys(("ax", "ay", "p02", "p12", "p22"), "f8")
"""And those of a filter that knows the acceleration."""
COVARIANCE = ("p00", "p01", "p11", "p02", "p12", "p22")
"""The columns of the covariance, those of the acceleration last."""


def predict(t: Columns, step: float, acceleration: float, jerk: float = 0.0) -> None:
    """Move every track `step` frames ahead, in place.

    Args:
        t: columns of KALMAN_COLUMNS.
        step: frames.
        acceleration: the square root of q: px/frame^2 for steps of about one frame.
        jerk: the same of a filter that knows the acceleration, px/frame^3.
    """
    if "ax" in t:
        _predict_curved(t, step, jerk * jerk)
        return
    q = acceleration * acceleration
    t["x"] += step * t["vx"]
    t["y"] += step * t["vy"]
    t["p00"] += step * (2.0 * t["p01"] + step * t["p11"]) + q * (step * step * step) / 3.0
    t["p01"] += step * t["p11"] + q * step * step / 2.0
    t["p11"] += q * step


def _predict_curved(t: Columns, step: float, q: float) -> None:
    half, square = 0.5 * step * step, step * step
    for place, speed, change in (("x", "vx", "ax"), ("y", "vy", "ay")):
        t[place] += step * t[speed] + half * t[change]
        t[speed] += step * t[change]
    p00, p01, p02, p11, p12, p22 = (t[name] for name in ("p00", "p01", "p02", "p11", "p12", "p22"))
    # F P, rows of the place and of the velocity; then times the transpose of F.
    a0, a1, a2 = p00 + step * p01 + half * p02, p01 + step * p11 + half * p12, p02 + step * p12 + half * p22
    b1, b2 = p11 + step * p12, p12 + step * p22
    t["p00"] = a0 + step * a1 + half * a2 + q * (square * square * step) / 20.0
    t["p01"] = a1 + step * a2 + q * (square * square) / 8.0
    t["p02"] = a2 + q * (square * step) / 6.0
    t["p11"] = b1 + step * b2 + q * (square * step) / 3.0
    t["p12"] = b2 + q * square / 2.0
    t["p22"] = p22 + q * step


def restless(t: Columns, which: Array, variance: float) -> None:
    """Forget the acceleration of rows, in place: 0, with the variance `variance` (px^2/frame^4)."""
    if "ax" in t:
        for name in ("ax", "ay", "p02", "p12"):
            t[name][which] = 0.0
        t["p22"][which] = variance


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
    if "ax" in t:
        p02, p12, p22 = t["p02"][which], t["p12"][which], t["p22"][which]
        k2 = p02 / total
        t["ax"][which] += k2 * rx
        t["ay"][which] += k2 * ry
        t["p02"][which] = k2 * variance
        t["p12"][which] = p12 - k1 * p02
        t["p22"][which] = np.maximum(p22 - k2 * p02, 0.0)
