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

from pipelines.trackers.columns import Columns

Array = npt.NDArray[Any]

KALMAN_COLUMNS = dict.fromkeys(("x", "y", "vx", "vy", "p00", "p01", "p11"), "f8")
"""The columns that the filter works on."""
ACCELERATION_COLUMNS = dict.fromkeys(("ax", "ay", "p02", "p12", "p22"), "f8")
"""And those of a filter that knows the acceleration."""
COVARIANCE = ("p00", "p01", "p11", "p02", "p12", "p22")
"""The columns of the covariance, those of the acceleration last."""
SEEN_COLUMNS = dict.fromkeys(("svx", "svy", "s01", "s11"), "f8")
"""The filter as it was after the last sighting, for `update_again`: velocity and covariance. The place is px, py and
its variance pvar (see `linking/unseen.py`)."""
SEEN_ACCELERATION_COLUMNS = dict.fromkeys(("sax", "say", "s02", "s12", "s22"), "f8")
VIRTUAL = 32  # steps of a virtual path; over longer gaps they are longer
_KEPT = {"svx": "vx", "svy": "vy", "s01": "p01", "s11": "p11"}
_KEPT_CURVED = {"sax": "ax", "say": "ay", "s02": "p02", "s12": "p12", "s22": "p22"}


def predict(t: Columns, step: float | Array, acceleration: float, jerk: float = 0.0) -> None:
    """Move every track `step` frames ahead, in place.

    Args:
        t: columns of KALMAN_COLUMNS.
        step: frames; one for all, or of each.
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


def _predict_curved(t: Columns, step: float | Array, q: float) -> None:
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


def keep_seen(t: Columns, which: Array) -> None:
    """Book the filter of rows that are seen, for `update_again`."""
    for name, source in (_KEPT | _KEPT_CURVED if "ax" in t else _KEPT).items():
        t[name][which] = t[source][which]


def update_again(
    t: Columns, which: Array, x: Array, y: Array, variance: Array, acceleration: float, jerk: float = 0.0
) -> None:
    """Observation-centric re-update (OC-SORT: Cao et al., CVPR 2023, section 4.1), in place.

    A filter that was not corrected over a gap has drifted by what its velocity was wrong. It goes back to the last
    sighting and runs once more, along the straight path from there to the new one: a prediction and a correction at
    each frame between. What is made up on the path is no measurement: the velocity is taken over, and of the covariance
    what belongs to it, but place and variance stay those of the one true measurement.

    Args:
        t: columns of KALMAN_COLUMNS and SEEN_COLUMNS, px, py, pvar and gap (frames); corrected by the new sighting.
        which: rows (indices, each once).
        x, y: measured positions, px.
        variance: of x and of y, px^2, > 0.
        acceleration, jerk: as for `predict`.
    """
    if not len(which):
        return
    curved = "ax" in t
    c = Columns(KALMAN_COLUMNS | ACCELERATION_COLUMNS if curved else KALMAN_COLUMNS)
    c.append(len(which), x=t["px"][which], y=t["py"][which], p00=t["pvar"][which])
    for name, source in (_KEPT | _KEPT_CURVED if curved else _KEPT).items():
        c[source] = t[name][which]
    gap, every = t["gap"][which], np.arange(len(which))
    steps = np.clip(np.rint(gap), 1.0, float(VIRTUAL))
    step, px, py = gap / steps, t["px"][which], t["py"][which]
    names = ("vx", "vy", "p01", "p11", *(("ax", "ay", "p02", "p12", "p22") if curved else ()))
    for k in range(1, int(steps.max()) + 1):
        predict(c, step, acceleration, jerk)
        share = float(k) / steps
        correct(c, every, px + (x - px) * share, py + (y - py) * share, variance)
        done = steps == k
        for name in names:
            t[name][which[done]] = c[name][done]
        t["p00"][which[done]] = np.maximum(t["p00"][which[done]], c["p00"][done])
