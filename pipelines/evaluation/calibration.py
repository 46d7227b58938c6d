"""Whether the stated standard uncertainty is true: errors in units of it should be standard normal.

With z = (estimate - truth) / sigma, of x and of y, each by its own sigma, variance 1 says that sigma is right on the
average (a variance of 4: errors are twice what is stated), coverage says so for the tails, and the bins of sigma say
whether rows that claim to be better are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import sigmas

Array = npt.NDArray[Any]
NOMINAL = tuple(round(0.05 * k, 2) for k in range(1, 20))
NORMAL_COVERAGE = tuple(2 * NormalDist().cdf(k) - 1 for k in (1, 2, 3))
BINS = 10


@dataclass(frozen=True, slots=True)
class Calibration:
    """What `calibration` found; NaN without rows that state an uncertainty.

    Args:
        rows: matches with a positive sigma.
        without: matches that state none.
        mean_x, mean_y: means of z.
        variance, variance_x, variance_y: of z about its mean: both coordinates pooled, and each.
        variance_error: standard error of the pooled variance: by how much it would scatter over clips with as many
            other things; NaN with fewer than two things.
        coverage: shares of |z| <= 1, 2, 3 (normal: 0.683, 0.954, 0.997).
        nominal, observed: the shares of errors that should lie within the central interval, and that do.
        sigma_stated, sigma_observed: root mean squares of sigma and of the errors in bins of equal count, by rising
            sigma, px.
    """

    rows: int
    without: int
    mean_x: float
    mean_y: float
    variance: float
    variance_x: float
    variance_y: float
    variance_error: float
    coverage: tuple[float, ...]
    nominal: tuple[float, ...]
    observed: tuple[float, ...]
    sigma_stated: tuple[float, ...]
    sigma_observed: tuple[float, ...]


def calibration(table: Array) -> Calibration:
    """Judge the uncertainties of rows of ERROR_DTYPE."""
    stated = np.isfinite(table["sigma"]) & (table["sigma"] > 0)
    rows = table[stated]
    with np.errstate(divide="ignore"):  # nothing is certain
        zx, zy = (rows[name] / sigma for name, sigma in zip(("dx", "dy"), sigmas(rows), strict=True))
    # Sorted once; every coverage is then a binary search.
    size = np.sort(np.abs(np.concatenate((zx, zy))))

    def within(limit: float) -> float:
        return float(np.searchsorted(size, limit, "right")) / len(size) if len(size) else math.nan

    variance_x, variance_y = (float(z.var()) if len(z) else math.nan for z in (zx, zy))
    variance = 0.5 * (variance_x + variance_y)
    stated_in, observed_in = _bins(rows)
    return Calibration(
        rows=len(rows),
        without=int((~stated).sum()),
        mean_x=float(zx.mean()) if len(zx) else math.nan,
        mean_y=float(zy.mean()) if len(zy) else math.nan,
        variance=variance,
        variance_x=variance_x,
        variance_y=variance_y,
        variance_error=_variance_error(rows["thing"], zx, zy),
        coverage=tuple(within(k) for k in (1.0, 2.0, 3.0)),
        nominal=NOMINAL,
        # The central interval of a share p ends at the quantile (1 + p) / 2.
        observed=tuple(within(NormalDist().inv_cdf(0.5 + 0.5 * share)) for share in NOMINAL),
        sigma_stated=stated_in,
        sigma_observed=observed_in,
    )


def _variance_error(thing: Array, zx: Array, zy: Array) -> float:
    """Rows of one thing are not independent (its first frame, its texture are in all of them), things are: the
    sandwich estimate with the things as clusters (Liang and Zeger, Biometrika 73, 1986), small-sample factor included.
    """
    if not len(thing):
        return math.nan
    squares = 0.5 * ((zx - zx.mean()) ** 2 + (zy - zy.mean()) ** 2)
    who = np.unique(thing, return_inverse=True)[1]
    # Sums within clusters: errors that a thing's rows share do not average out.
    sums = np.bincount(who, squares - squares.mean())
    count = len(sums)
    return math.sqrt(float(np.sum(sums**2)) * count / (count - 1)) / len(thing) if count > 1 else math.nan


def _bins(rows: Array) -> tuple[tuple[float, ...], tuple[float, ...]]:
    # At least twenty rows a bin, or none are told.
    count = min(BINS, len(rows) // 20)
    rows = rows[np.argsort(rows["sigma"], kind="stable")]
    stated, observed = [], []
    for part in np.array_split(rows, count) if count else ():
        stated.append(math.sqrt(float(np.mean(part["sigma"] ** 2))))
        observed.append(math.sqrt(float(np.mean(part["dx"] ** 2 + part["dy"] ** 2)) / 2))
    return tuple(stated), tuple(observed)
