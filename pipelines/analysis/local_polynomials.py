"""Smoothed values and their derivatives by polynomials fitted to a window around each sample, at any times.

Savitzky, Golay: Smoothing and differentiation of data by simplified least squares procedures, Analytical Chemistry 36,
1627 (1964), for even times; the same least squares where they are uneven or have gaps (local polynomial regression with
a box of weights; Fan, Gijbels: Local polynomial modelling and its applications, 1996). With c the middle of a window of
half width h, u = (t - c) / h and V the matrix of powers u^0 .. u^p of its samples, the d-th derivative at a time is

    e_d' (V'WV)^-1 V'W y,    e_d = the d-th derivatives of the powers there, divided by h^d

a sum over samples with weights w, whose variance is sum w^2 sigma^2 for errors that know nothing of each other. W is 1
but of samples that are known far worse than the others of their record, such as those of two things in one spot: they
count as their variance says beside FAR times the median one (weighted least squares; Aitken 1935). At the
ends of a track, and beside gaps longer than a window, the window stays within what was seen, and its polynomial is
taken off its middle: as the mode "interp" of `scipy.signal.savgol_filter` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
DERIVATIVES = 3
"""Value, first and second derivative."""
EVEN = 1e-4
"""Steps that differ by less than this share of a step count as even: all such windows have the same weights."""
FAR = 4.0
"""Times the median variance from which samples count less: twice the usual standard uncertainty."""
BLOCK = 1 << 20
"""Powers of samples that are held at once where windows have polynomials of their own."""


@dataclass(frozen=True, slots=True)
class Window:
    """Where polynomials are fitted.

    Args:
        width: s, from half a step before its first sample to half a step behind its last.
        order: degree of the polynomials; where a window holds fewer than two samples more, as many less.
    """

    width: float
    order: int


@dataclass(frozen=True, slots=True)
class Smoothed:
    """Local fits at each sample; leading axis: value, first and second derivative (per s, per s^2).

    Args:
        values: (3, c, n); NaN where the polynomial has no such derivative.
        variances: (3, c, n) of them; NaN where those of the samples are not known.
        own: (n,) the weight of each sample in its own smoothed value, its leverage.
    """

    values: Array
    variances: Array
    own: Array


@dataclass(frozen=True, slots=True)
class Spans:
    """Which samples the window of each sample holds: `first` to `last` (included), (n,) i8, and its middle, s."""

    first: Array
    last: Array
    middle: Array


def spans_of(times: Array, width: float, step: float) -> Spans:
    """Windows around samples.

    Args:
        times: (n,) s, rising.
        width: of a window, s.
        step: s between samples where none is missing.
    """
    # A gap that no window bridges parts the record; at its ends windows are shifted inwards, not cut.
    longest = max(width, 1.5 * step)
    cuts = np.flatnonzero(np.diff(times) > longest) + 1
    begins, ends = np.append(0, cuts), np.append(cuts, len(times))
    part = np.repeat(np.arange(len(begins)), ends - begins)
    half = 0.5 * width
    low, high = times[begins][part] - 0.5 * step + half, times[ends - 1][part] + 0.5 * step - half
    middle = np.where(low <= high, np.clip(times, low, high), 0.5 * (low + high))
    slack = 1e-6 * step  # samples right at a window's edge are in it, however their times are rounded
    reach = np.where(low <= high, half, np.inf)
    first = np.maximum(np.searchsorted(times, middle - reach - slack), begins[part])
    last = np.minimum(np.searchsorted(times, middle + reach + slack, "right"), ends[part]) - 1
    return Spans(first, last, middle)


def smooth(times: Array, values: Array, variances: Array, window: Window, step: float) -> Smoothed:
    """Values and derivatives at each sample.

    Args:
        times: (n,) s, rising. values: (c, n). variances: (c, n) of the values; NaN where unknown.
        window: of the polynomials.
        step: s between samples where none is missing.
    """
    spans, weights = spans_of(times, window.width, step), weights_of(variances)
    empty = np.full((DERIVATIVES, *values.shape), np.nan)
    made = Smoothed(empty, empty.copy(), np.empty(len(times)))
    rest = np.ones(len(times), bool)
    for rows in _alike(times, spans, step, weights):
        rest[rows] = False
        _convolve(made, rows, times, values, variances, spans, window.order)
    # Windows that are no convolution: at ends, at gaps, of uneven times.
    left = np.flatnonzero(rest)
    widest = int((spans.last - spans.first).max(initial=0)) + 1
    at_once = max(1, BLOCK // (widest * (window.order + 1)))
    # Samples that have the same window share its matrices.
    new = np.diff(spans.first[left], prepend=-1) | np.diff(spans.last[left], prepend=-1)
    which = np.cumsum(new != 0) - 1  # samples at an end share a window
    cuts = np.searchsorted(which, np.arange(at_once, which[-1] + 1 if len(which) else 0, at_once))
    for rows in np.split(left, cuts):
        if len(rows):
            _fit(made, rows, _Samples(times, values, variances, weights), spans, window.order)
    return made


def weights_of(variances: Array) -> Array:
    """(n,) how much samples count: 1, or less of those that are known far worse than most; see the module.

    Args:
        variances: (c, n); NaN where unknown: then all count alike.
    """
    mean = variances.mean(axis=0)
    usual = float(np.median(mean)) if len(mean) else 0.0
    if not usual > 0:
        return np.ones(len(mean))
    return np.asarray(np.minimum(1.0, FAR * usual / np.maximum(mean, usual)))


@dataclass(frozen=True, slots=True)
class _Samples:
    """As the arguments of `smooth`, and the weights."""

    times: Array
    values: Array
    variances: Array
    weights: Array


def _alike(times: Array, spans: Spans, step: float, weights: Array) -> list[Array]:
    """Runs of samples in the middle of windows of equal even times, of samples that count alike: all have the same
    weights."""
    half, middle = (spans.last - spans.first) // 2, np.arange(len(times))
    # Prefix sums: nothing odd lies between two samples where the count up to both is the same.
    uneven = np.concatenate(([0], np.cumsum(np.abs(np.diff(times) - step) > EVEN * step)))
    alike = (middle - spans.first == half) & (spans.last - middle == half)
    alike &= uneven[spans.last] == uneven[spans.first]
    less = np.concatenate(([0], np.cumsum(weights < 1.0)))
    alike &= less[spans.last + 1] == less[spans.first]
    if not alike.any():
        return []
    # One width alone, the most frequent: the others are few and fitted.
    alike &= half == np.bincount(half[alike]).argmax()
    rows = np.flatnonzero(alike)
    return list(np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1))


def _convolve(
    made: Smoothed, rows: Array, times: Array, values: Array, variances: Array, spans: Spans, order: int
) -> None:  # fmt: skip
    """Fill in rows that `_alike` gave."""
    one = rows[:1]
    inverse, powers, _ = _windows(times, np.ones(len(times)), spans, one, int(_degrees(spans, one, order)[0]))
    ends = _ends(times[one] - spans.middle[one], inverse.shape[1], _half(times, spans, one))
    # A polynomial fitted to even samples is a convolution with fixed weights (Savitzky, Golay 1964), and the variance
    # of a weighted sum of independent samples is the sum with the squared weights.
    weights = (ends @ inverse @ powers.mT)[0]
    part = slice(spans.first[rows[0]], spans.last[rows[-1]] + 1)
    for derivative in range(min(inverse.shape[1], DERIVATIVES)):
        for to, of, by in ((made.values, values, weights), (made.variances, variances, np.square(weights))):
            for line in range(len(of)):
                to[derivative, line, rows] = np.correlate(of[line, part], by[derivative], "valid")
    made.own[rows] = weights[0, rows[0] - spans.first[rows[0]]]


def _fit(made: Smoothed, rows: Array, of: _Samples, spans: Spans, order: int) -> None:
    """Fill in rows by polynomials of their own windows."""
    times, values, variances = of.times, of.values, of.variances
    degrees = _degrees(spans, rows, order)
    for degree in np.unique(degrees).tolist():
        these = rows[degrees == degree]
        new = np.append(True, np.diff(spans.first[these]).astype(bool) | np.diff(spans.last[these]).astype(bool))
        first = these[new]
        which = np.cumsum(new) - 1
        inverse, powers, at = _windows(times, of.weights, spans, first, degree)
        by = of.weights[at][..., None] * powers @ inverse  # of coefficients: which part each sample has in them
        inside = (np.arange(at.shape[1]) < (spans.last - spans.first + 1)[first, None])[:, None, :, None]
        near, spread = (np.moveaxis(one[:, at], 0, 1)[..., None] for one in (values, variances))
        found = (by.mT[:, None] @ np.where(inside, near, 0.0))[..., 0]
        covariance = by.mT[:, None] @ (np.where(inside, spread, 0.0) * by[:, None])
        ends = _ends(times[these] - spans.middle[first][which], degree + 1, _half(times, spans, first)[which])
        orders = slice(0, min(degree + 1, DERIVATIVES))
        made.values[orders, :, these] = np.einsum("mdj,mcj->dcm", ends, found[which])[orders]
        made.variances[orders, :, these] = np.einsum("mdj,mcjk,mdk->dcm", ends, covariance[which], ends)[orders]
        own = by[which, these - spans.first[these]]
        made.own[these] = (ends[:, 0] * own).sum(axis=1)


def _degrees(spans: Spans, rows: Array, order: int) -> Array:
    """(m,) of the polynomials: `order`, or two less than the samples of a window; a line through two."""
    count = (spans.last - spans.first + 1)[rows]
    return np.asarray(np.minimum(order, np.maximum(count - 2, np.minimum(count - 1, 1))))


def _half(times: Array, spans: Spans, rows: Array) -> Array:
    """(m,) s from the middle of a window to its farthest sample."""
    middle = spans.middle[rows]
    far = np.maximum(np.abs(times[spans.first[rows]] - middle), np.abs(times[spans.last[rows]] - middle))
    return np.asarray(np.maximum(far, np.finfo(float).tiny))


def _windows(
    times: Array, weights: Array, spans: Spans, rows: Array, degree: int
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Of the windows of samples: (V'WV)^-1 (m, p + 1, p + 1), V (m, k, p + 1), rows of 0 behind a window's end, and
    which samples its rows are (m, k)."""
    first, last = spans.first[rows, None], spans.last[rows, None]
    at = first + np.arange(int((last - first).max()) + 1)
    inside = at <= last
    at = np.minimum(at, last)
    # Powers of numbers in -1..1: those of seconds would make V'V singular to rounding from the third order on.
    u = (times[at] - spans.middle[rows, None]) / _half(times, spans, rows)[:, None]
    powers = np.power(u[..., None], np.arange(degree + 1)) * inside[..., None]
    return np.linalg.inv(powers.mT @ (weights[at][..., None] * powers)), powers, at


def _ends(away: Array, powers: int, half: Array) -> Array:
    """Derivatives of the powers at samples `away` s from the middle of their windows, (m, 3, p + 1)."""
    u = away / half
    made = np.zeros((len(away), DERIVATIVES, powers))
    for power in range(powers):
        factor = np.ones(len(away))
        for derivative in range(min(power, DERIVATIVES - 1) + 1):
            made[:, derivative, power] = factor * u ** (power - derivative)
            factor = factor * (power - derivative) / half
    return made
