"""The diffusion coefficient of tracks by the covariance of their steps.

Vestergaard, Blainey, Flyvbjerg: Optimal estimation of diffusion coefficients from single-particle trajectories,
Physical Review E 89, 022726 (2014). For steps d_k of one coordinate in a frame interval T, exposed for E of it (blur
R = E / (6 T)) and with localisation errors of variance s^2 that know nothing of each other:

    <d_k^2> = 2 D T (1 - 2 R) + 2 s^2,    <d_k d_k+1> = 2 R D T - s^2

so that D = <d_k^2> / (2 T) + <d_k d_k+1> / T needs neither s nor E, and s^2 = R <d_k^2> + (2 R - 1) <d_k d_k+1>.
Where s is stated, D follows from <d_k^2> alone, more precisely, if what is stated is right.

Pieces without a gap count. What is said of all tracks is a ratio of sums over them; its standard error follows from
how tracks differ (each is one independent observation; Cochran: Sampling Techniques, 1977, chapter 6).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.paths import LITTLE, Path, own_share, told_apart

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Diffusion:
    """The diffusion coefficient and the localisation noise of one track, or of all.

    Args:
        d: diffusion coefficient by the covariance of steps, px^2/s.
        d_error: its standard error.
        d_stated: with the stated uncertainties taken off, px^2/s; NaN where none are stated.
        d_stated_error: its standard error.
        noise: localisation variance of one coordinate that the steps show, px^2; negative by chance where it is small.
        noise_error: its standard error (NaN of a single track).
        stated: mean of the stated variances of the places, px^2.
        steps: from a frame to the next, of two coordinates each.
    """

    d: float
    d_error: float
    d_stated: float
    d_stated_error: float
    noise: float
    noise_error: float
    stated: float
    steps: int


@dataclass(frozen=True, slots=True)
class _Sums:
    """Of a track, both coordinates: squares of steps and how many; products of neighbours and how many; of the stated
    variances of both ends of the steps."""

    square: float
    squares: int
    product: float
    products: int
    stated: float


def _sums(path: Path) -> _Sums:
    steps = path.ways(1)
    # The share of its own variance that is left to a path less the mean motion is given back.
    steps = steps / np.sqrt(np.diff(path.share)) if path.share is not None else steps
    products = steps[:, 1:] * steps[:, :-1]
    good, next_good = np.isfinite(steps), np.isfinite(products)
    ends = path.variances[:, 1:] + path.variances[:, :-1]
    return _Sums(
        float(np.square(steps[good]).sum()), int(good.sum()), float(products[next_good].sum()), int(next_good.sum()),
        float(ends[good].sum()),
    )  # fmt: skip


def diffusion_of(path: Path, interval: float, exposure: float = 0.0) -> Diffusion:
    """Of one track; its standard errors are those of diffusion in theory.

    Args:
        path: the track.
        interval: s between frames.
        exposure: s of it.
    """
    return _found([_sums(path)], interval, exposure, 1.0)


def diffusion_of_all(paths: Sequence[Path], interval: float, exposure: float = 0.0) -> Diffusion:
    """Of all tracks together; arguments as in `diffusion_of`. The errors of a single one, and of two without what they
    have in common, are those of theory."""
    return _found([_sums(path) for path in paths], interval, exposure, own_share(paths))


def _found(sums: Sequence[_Sums], interval: float, exposure: float, left: float) -> Diffusion:
    sums = [one for one in sums if one.products]
    if not sums:
        return Diffusion(*(7 * (math.nan,)), 0)
    # The motion blur coefficient R of an exposure that is evenly open: exposure / (6 interval).
    blur = exposure / (6.0 * interval)
    square, squares = np.array([one.square for one in sums]), np.array([one.squares for one in sums], float)
    product, products = np.array([one.product for one in sums]), np.array([one.products for one in sums], float)
    stated = np.array([one.stated for one in sums])
    own_s, own_c, own_v = _scatter(square, squares), _scatter(product, products), _scatter(stated, squares)
    s, c, v = square.sum() / squares.sum(), product.sum() / products.sum(), stated.sum() / squares.sum()
    steps = int(squares.sum()) // 2
    room = 1.0 - 2.0 * blur
    # The covariance-based estimator: <dx^2> / 2t + <dx dx'> / t, in which the noise of places cancels, and, where it is
    # stated, without the covariance.
    d, d_stated = s / (2 * interval) + c / interval, (s - v) / (2 * interval * room)
    # R <dx^2> + (2 R - 1) <dx dx'>.
    noise = blur * s - room * c
    distinct = told_apart(left)
    # By how tracks differ; of one track, or two that share their mean, by theory.
    if len(sums) > 1 and distinct > LITTLE:
        many = math.sqrt(len(sums) / (len(sums) - 1) / distinct)
        parts = (own_s / 2 + own_c) / interval, (own_s - own_v) / (2 * interval * room), blur * own_s - room * own_c
        each = [many * float(np.linalg.norm(part)) for part in parts]
    else:
        free = left * steps
        each = [_error_by_theory(d, noise, blur, free, interval),
                _error_of_known(d_stated, 0.5 * v, blur, free, interval), math.nan]  # fmt: skip
    return Diffusion(d, each[0], d_stated, each[1], noise, each[2], 0.5 * v, steps)


def _scatter(amount: Array, count: Array) -> Array:
    """What each track adds to the difference between a ratio of sums and what is expected."""
    scatter: Array = (amount - amount.sum() / count.sum() * count) / count.sum()
    return scatter


def _error_by_theory(d: float, noise: float, blur: float, steps: float, interval: float) -> float:
    """Vestergaard et al. 2014, noise unknown, of the mean of two coordinates; NaN where D is not positive."""
    if not d > 0:
        return math.nan
    e = noise / (d * interval) - 2.0 * blur
    return d * math.sqrt(((6 + 4 * e + 2 * e * e) / steps + 4 * (1 + e) ** 2 / steps**2) / 2.0)


def _error_of_known(d: float, noise: float, blur: float, steps: float, interval: float) -> float:
    """The same where the noise is known."""
    if not d > 0:
        return math.nan
    e = noise / (d * interval) - 2.0 * blur
    return d * math.sqrt((2 + 4 * e + 3 * e * e) / (steps * (1 - 2 * blur) ** 2) / 2.0)
