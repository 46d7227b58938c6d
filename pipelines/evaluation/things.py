"""Each true thing by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.clear_mot import per_thing
from pipelines.evaluation.displacement import line_fits
from pipelines.evaluation.matching import Pairs
from pipelines.evaluation.tables import Tables
from pipelines.features import sigmas

Array = npt.NDArray[Any]

THING_DTYPE = np.dtype(
    [
        ("thing", "i8"),  # id in the truth
        ("first", "i8"),  # first and last frame in which it is visible
        ("last", "i8"),
        ("visible", "i8"),  # frames
        ("matched", "i8"),
        ("recall", "f8"),  # matched / visible
        ("tracks", "i8"),  # tracks that it was matched to
        ("track", "i8"),  # the one that it was matched to most often; -1 for none
        ("switches", "i8"),
        ("fragments", "i8"),
        ("rmse", "f8"),  # px, 2-D
        ("bias_x", "f8"),  # px
        ("bias_y", "f8"),
        ("noise_x", "f8"),  # standard deviation about the mean and a straight line, px
        ("noise_y", "f8"),
        ("drift_x", "f8"),  # slope of that line, px/s (px/frame without fps)
        ("drift_y", "f8"),
        ("sigma", "f8"),  # root mean square of the stated uncertainty, px
        ("z_variance", "f8"),  # of (estimate - truth) / sigma, x and y pooled, of the rows with a sigma > 0
    ]
)
"""One true thing a row; what is not known is NaN."""


def things(both: Tables, matches: Pairs, table: Array, fps: float) -> Array:
    """Rows of THING_DTYPE, by id, of the things that are ever visible.

    Args:
        both: the tables.
        matches: of `clear_mot.match`.
        table: the same as rows of ERROR_DTYPE.
        fps: frames a second, or 0.
    """
    each = per_thing(both, matches)
    shown = both.real.rows["visible"]
    out = np.zeros(len(both.real.ids), THING_DTYPE)
    out["thing"], out["visible"], out["matched"] = both.real.ids, each.visible, each.matched
    out["switches"], out["fragments"] = each.switches, each.fragments
    who, frame = both.real.who[shown], both.real.rows["frame"][shown]
    out["first"], out["last"] = np.iinfo(np.int64).max, -1
    # `minimum.at`: several rows of one thing, without a loop.
    np.minimum.at(out["first"], who, frame)
    np.maximum.at(out["last"], who, frame)
    out["track"] = -1
    for name in ("rmse", "bias_x", "bias_y", "noise_x", "noise_y", "drift_x", "drift_y", "sigma", "z_variance"):
        out[name] = np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        out["recall"] = out["matched"] / out["visible"]
    if len(table):
        _errors(out, table, fps)
    return out[out["visible"] > 0]


def _errors(out: Array, table: Array, fps: float) -> None:
    ids, who, count = np.unique(table["thing"], return_inverse=True, return_counts=True)
    at = np.searchsorted(out["thing"], ids)
    n = len(ids)

    def mean(values: Array) -> Array:
        return np.bincount(who, values, n) / count

    out["rmse"][at] = np.sqrt(mean(table["dx"] ** 2 + table["dy"] ** 2))
    # As in `calibration`: a row that states no uncertainty (the first of a given point has 0) is no reason for none.
    stated = np.isfinite(table["sigma"]) & (table["sigma"] > 0)
    rows, whose = table[stated], who[stated]

    def stated_mean(values: Array) -> Array:
        return np.bincount(whose, values, n) / np.bincount(whose, minlength=n)

    with np.errstate(invalid="ignore", divide="ignore"):
        out["sigma"][at] = np.sqrt(stated_mean(rows["sigma"] ** 2))
        z = [rows[name] / sigma for name, sigma in zip(("dx", "dy"), sigmas(rows), strict=True)]
        variance = 0.5 * sum(stated_mean(v * v) - stated_mean(v) ** 2 for v in z)
    out["z_variance"][at] = np.where(np.isfinite(variance), variance, np.nan)
    time = table["frame"] / (fps or 1.0)
    for axis in ("x", "y"):
        error = table[f"d{axis}"]
        lines = line_fits(table["thing"], time, error)
        out[f"bias_{axis}"][at] = mean(error)
        out[f"drift_{axis}"][at] = lines.slopes
        with np.errstate(invalid="ignore", divide="ignore"):
            noise = np.sqrt(np.bincount(who, lines.residual**2, n) / (count - 2))
        out[f"noise_{axis}"][at] = np.where(count >= 3, noise, np.nan)
    pair, times = np.unique(np.stack((who, table["track"])), axis=1, return_counts=True)
    out["tracks"][at] = np.bincount(pair[0], minlength=n)
    order = np.lexsort((times, pair[0]))
    # The track with which a thing was matched most often is the last of its stretch.
    last = np.append(np.diff(pair[0][order]) != 0, True)
    out["track"][at] = pair[1][order][last]
