"""Mean squared displacements of tracks, without the floor that localisation errors add.

At a lag of n frames the squared way |r(t + n T) - r(t)|^2 has the mean MSD(n T) + the variances of the four coordinates
that it is made of (Savin, Doyle: Static and dynamic errors in particle tracking microrheology, Biophysical Journal 88,
2005; of equal errors 4 sigma^2; Michalet, Physical Review E 82, 041914, 2010). The stated variances of exactly those
rows that made a pair are taken away. All pairs of a track count (overlapping lags); pairs of one track know of each
other, tracks do not, so standard errors follow from how tracks differ (as in `pipelines.analysis.diffusion`).

Of a single track that is no help: its standard errors are those of steps that know nothing of each other. Ways of a
coordinate over n frames, of variance m, of which 2 s^2 are errors of places, and ways that begin k later covary by

    (m - 2 s^2) (1 - |k| / n) for |k| < n,    m for k = 0,    -s^2 for |k| = n

and squares of what is normally distributed by twice the square of that (Qian, Sheetz, Elson: Single particle tracking,
Biophysical Journal 60, 910, 1991; with errors of places Michalet 2010). This holds for free diffusion. Of tracks of 60
frames, errors of what goes straight are too large (0.4 px a frame, random steps of 0.2 px: 7 times at 50 frames), so
are those of what is confined, at lags beyond the time in which it forgets its place (1.5 to 4 times); of what forgets
its velocity in 20 frames they are too small (4 times at one frame).

Exposures of E s average a path, which makes an MSD C tau^alpha appear as

    C ((tau + E)^p + (tau - E)^p - 2 tau^p - 2 E^p) / (E^2 (p - 1) p),    p = alpha + 2

(Backlund, Joyner, Moerner, Physical Review E 91, 062716, 2015; C (tau - E/3) for diffusion, C tau^2 for straight ways):
the exponent is that of this curve. The MSD itself stays as it was measured, because alpha is unknown beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.analysis.paths import LITTLE, Path, own_share, told_apart

Array = npt.NDArray[Any]
Noise = Literal["stated", "seen", "none"]
FIT = 10
"""Lags of the exponent's fit: later ones are uncertain, and know of each other."""
EXPONENTS = np.arange(0.02, 2.5, 0.01)


@dataclass(frozen=True, slots=True)
class Lags:
    """Sums of each track at lags of 1 to L frames.

    Args:
        tracks: (K,) ids.
        square: (K, L) of |dr|^2 over pairs, px^2.
        noise: (K, L) of the stated variances of the same pairs, px^2; NaN where one is not stated.
        pairs: (K, L) how many.
        apart: `told_apart` of the paths.
    """

    tracks: Array
    square: Array
    noise: Array
    pairs: Array
    apart: float = 1.0


@dataclass(frozen=True, slots=True)
class Msd:
    """Of all tracks together, (L,) each.

    Args:
        msd: without the floor, px^2.
        error: its standard error; NaN of a single track, and of two without what they have in common.
        raw: as measured, px^2.
        floor: what was taken away, px^2.
        tracks: how many were seen with that lag between two places.
        pairs: how many pairs.
    """

    msd: Array
    error: Array
    raw: Array
    floor: Array
    tracks: Array
    pairs: Array


def lags_of(paths: Sequence[Path], most: int) -> Lags:
    """The sums of every track.

    Args:
        paths: the tracks.
        most: lags, frames.
    """
    square, noise, pairs = (np.zeros((len(paths), most)) for _ in range(3))
    for row, path in enumerate(paths):
        for lag in range(1, min(most, path.places.shape[1] - 1) + 1):
            ways = np.square(path.ways(lag)).sum(axis=0)
            # Of a path less the mean motion only the share of its own variance is left: it is given back.
            if path.share is not None:
                ways = ways * lag / (path.share[lag:] - path.share[:-lag])
            good = np.isfinite(ways)
            square[row, lag - 1] = ways[good].sum()
            noise[row, lag - 1] = (path.variances[:, lag:] + path.variances[:, :-lag]).sum(axis=0)[good].sum()
            pairs[row, lag - 1] = good.sum()
    return Lags(np.array([path.track for path in paths], np.int64), square, noise, pairs, told_apart(own_share(paths)))


def without_floor(lags: Lags, noise: Noise, seen: float = 0.0) -> tuple[Array, Array]:
    """(K, L) sums of squared ways without the floor, and of the floor.

    Args:
        lags: the sums.
        noise: which floor is taken away: of stated variances, the variance `seen` in the steps, or none.
        seen: variance of one coordinate, px^2.
    """
    floor = lags.noise if noise == "stated" else lags.pairs * (4.0 * max(seen, 0.0) if noise == "seen" else 0.0)
    return lags.square - floor, floor


def ensemble(lags: Lags, noise: Noise = "stated", seen: float = 0.0) -> Msd:
    """Of all tracks, every pair with the same weight; arguments as in `without_floor`."""
    own, floor = without_floor(lags, noise, seen)
    pairs, tracks = lags.pairs.sum(axis=0), (lags.pairs > 0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        msd = own.sum(axis=0) / pairs
        spread = np.square(own - msd * lags.pairs).sum(axis=0)
        apart = (tracks > 1) & (lags.apart > LITTLE)
        error = np.where(apart, np.sqrt(spread * tracks / (tracks - 1.0) / lags.apart) / pairs, math.nan)
        return Msd(msd, error, lags.square.sum(axis=0) / pairs, floor.sum(axis=0) / pairs, tracks, pairs)


def own_errors(paths: Sequence[Path], lags: Lags, seen: float = 0.0) -> Array:
    """(K, L) standard errors of each track's mean squared displacement at each lag, px^2; NaN without a pair.

    Args:
        paths: the tracks.
        lags: their sums.
        seen: variance of the errors of one coordinate where rows state none, px^2.
    """
    pairs = lags.pairs
    together, ends = np.zeros(pairs.shape), np.zeros(pairs.shape)
    known: dict[int, tuple[Array, Array]] = {}
    for row, path in enumerate(paths):
        whole, slots = path.part is None and bool(np.isfinite(path.places).all()), path.places.shape[1]
        if not whole or slots not in known:
            # A path without gaps has sums that depend on its length alone: made once.
            made = np.array([_together(path, lag) for lag in range(1, pairs.shape[1] + 1)]).T
            if not whole:
                together[row], ends[row] = made
                continue
            known[slots] = made[0], made[1]
        together[row], ends[row] = known[slots]
    with np.errstate(divide="ignore", invalid="ignore"):
        # Of one coordinate: `mean` of squared ways, `noise` variance of one place (of the stated ones at most half of
        # what was seen).
        mean = 0.5 * lags.square / pairs
        stated = 0.25 * lags.noise / pairs
        noise = np.minimum(np.where(np.isfinite(stated), stated, max(seen, 0.0)), 0.5 * mean)
        way = mean - 2.0 * noise
        # Of normal ways: overlapping ways share steps (`together`), and ways that meet share the noise of a place
        # (`ends`).
        squares = way * way * together + (mean * mean - way * way) * pairs + 2.0 * noise * noise * ends
        return np.asarray(np.where(pairs > 0, 2.0 * np.sqrt(squares) / pairs, math.nan))


def _together(path: Path, lag: int) -> tuple[float, float]:
    """Of pairs of places so far apart: the sum of (1 - |k| / lag)^2 over all two of them that begin k < lag apart, each
    with itself, too; and how many begin `lag` apart."""
    if lag >= path.places.shape[1]:
        return 0.0, 0.0
    good = np.asarray(np.isfinite(path.ways(lag)).all(axis=0))
    number, reach = np.arange(len(good)), np.arange(lag, lag + len(good))
    # By running sums of 1, j and j^2, because (1 - (j - i) / lag)^2 = (i + lag - j)^2 / lag^2: as much work at any lag,
    # with gaps and without. Whole numbers, so that what overflows in the sums is gone in their differences.
    before = (np.concatenate(([0], np.cumsum(good * power))) for power in (1, number, number * number))
    ones, firsts, squares = (some[np.minimum(reach, len(good))] - some[:-1] for some in before)
    near = (reach * (reach * ones - 2 * firsts) + squares)[good]
    both = 2.0 * float(near.sum(dtype=np.float64)) / lag**2 - len(near)  # each with itself is in there once
    return both, float(np.count_nonzero(good[lag:] & good[:-lag]))


def exponent(lags: Lags, interval: float, exposure: float, noise: Noise, seen: float = 0.0) -> tuple[float, float]:
    """alpha of MSD ~ tau^alpha over the first FIT lags, and its standard error, by leaving out one track at a time.

    1 is diffusion, 2 a straight way, less than 1 is confined. NaN where the MSD is not above its floor at three lags.
    """
    own, _ = without_floor(lags, noise, seen)
    own, pairs = own[:, :FIT], lags.pairs[:, :FIT]
    tau = np.arange(1.0, own.shape[1] + 1.0)  # frames: a power law has no unit of time
    total, count = own.sum(axis=0), pairs.sum(axis=0)
    curves = np.stack([np.log(blurred(tau, alpha, exposure / interval)) for alpha in EXPONENTS.tolist()])
    found = _fitted(total, count, curves)
    without = np.array([_fitted(total - mine, count - n, curves) for mine, n in zip(own, pairs, strict=True)])
    if len(without) < 3 or lags.apart <= LITTLE or not np.isfinite(without).all():
        return found, math.nan
    spread = float(np.square(without - without.mean()).sum()) * (len(without) - 1) / len(without)
    return found, math.sqrt(spread / lags.apart)


def blurred(tau: Array, alpha: float, exposure: float) -> Array:
    """How tau^alpha appears behind exposures of `exposure` s (tau >= exposure)."""
    if exposure < 1e-3 * float(tau.min(initial=math.inf)):  # beyond this, differences of large numbers say less
        return np.asarray(tau**alpha)
    p = alpha + 2.0
    away = np.maximum(tau - exposure, 0.0)
    curve = ((tau + exposure) ** p + away**p - 2.0 * tau**p - 2.0 * exposure**p) / (exposure**2 * (p - 1.0) * p)
    return np.asarray(curve)


def _fitted(total: Array, count: Array, curves: Array) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log(total / count)
    good = np.isfinite(values)
    if good.sum() < 3:
        return math.nan
    # The same weight for each octave of lags, not for each lag.
    weight = 1.0 / np.arange(1, len(values) + 1)[good]
    rest = values[good] - curves[:, good]
    rest = rest - (rest @ weight / weight.sum())[:, None]
    cost = np.square(rest) @ weight
    best = int(np.argmin(cost))
    # At the end of the grid there is no parabola.
    if not 0 < best < len(cost) - 1:
        return float(EXPONENTS[best])
    before, here, after = cost[best - 1 : best + 2].tolist()
    bend = before - 2 * here + after
    return float(EXPONENTS[best] + (0.005 * (before - after) / bend if bend > 0 else 0.0))
