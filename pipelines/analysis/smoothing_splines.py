"""Curves through noisy samples, and their velocities: smoothing splines whose order and stiffness, and whose noise, are
those of greatest likelihood.

Samples y = f + e. The curve f is one whose m-th derivative is white noise, of which the spline is the expected value
(Wahba, A comparison of GCV and GML for choosing the smoothing parameter, Annals of Statistics 13, 1378, 1985); by
divided differences at the samples' own times D it is the least of

    (y - f)' Q (y - f) + k |D f|^2                    (Whittaker 1923; Eilers, Analytical Chemistry 75, 3631, 2003)

where Q is the inverse correlation of errors of which each has the share r of the one before, a step earlier (an
autoregressive process of first order, whose Q has three diagonals): errors of positions last, because they come and go
with the pixel that a thing is on, or with the compression of a clip, and a spline that takes them for white follows
them (Wang, Smoothing spline models with correlated random errors, JASA 93, 341, 1998). All that is unknown, r, k and
the variance, is where the likelihood of the samples is greatest, f integrated over:

    n log (y' W y / n) + log |Q + k D'D| - log |Q| - (n - m) log k - log |DD'|,    W = Q - Q (Q + k D'D)^-1 Q

and m is where this and (m + 1) log n, what k and the m coefficients that |D f|^2 leaves free cost by the criterion of
Schwarz (1978), are least. Where k has no end the spline is a polynomial of degree m - 1, with one unknown less, and

    n log (y' W y / n) + log |X'QX| - log |Q| - log |X'X|,    W = Q - Q X (X'QX)^-1 X'Q,    X its powers,

so that what goes straight on, or falls, is not followed into its noise, as it is by splines whose stiffness has to be
found. All matrices are banded, so that each trial takes a time that rises with n alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.local_polynomials import Window, smooth

Array = npt.NDArray[Any]
ORDERS = (2, 3, 4, 5, 6)
"""`m`: 2 is for what rests or goes straight on, 6 for what swings smoothly."""
SOFTEST, DIGITS = -1.0, 13.5
"""Least log10 k, times measured in steps: softer ones follow every sample; and log10 of the largest eigenvalue, 4^m k,
of what has those of Q beside it: more than f64 has digits for."""
COARSE = 2.0
FIRST_SHARES = (0.0, 0.5, 0.85)
MOST_SHARE = 0.985
"""Steps of log10 k and the `r` that are tried at first, and the largest r."""
FINER = ((0.22, 1.0), (0.12, 0.5), (0.06, 0.25))
"""Steps of the search about the best of the first: of r, by how far it is from 1.05, and of log10 k."""
TURNS = 6
"""Of each of these."""
BETTER = 1e-3
"""A likelihood that is less by this is no better: a thousandth of what a sample more tells."""
FEWEST = 40
"""Samples of the shortest run after averaging in pairs: enough for a spline of the sixth order with a few periods."""
AROUND = 9
"""Samples of a spline whose polynomial of sixth degree gives the velocity in their middle."""
FAR = 5.0
"""Robust standard deviations of samples from what their neighbours tell, from which they count less: jumps."""
EXACT = 1e-10
"""Share of the extent of values that counts as no noise at all."""


@dataclass(frozen=True, slots=True)
class Run:
    """Samples without long gaps.

    Args:
        times: (n,) s, rising. values: (n,). spread: (n,) standard deviations to a common factor.
    """

    times: Array
    values: Array
    spread: Array


@dataclass(frozen=True, slots=True)
class Spline:
    """What was found of some runs.

    Args:
        velocities: of each run, (n,) at its samples.
        values: likewise the curve.
        order: m. share: r. noise: standard deviation where `spread` is 1.
    """

    velocities: tuple[Array, ...]
    values: tuple[Array, ...]
    order: int
    share: float
    noise: float


def spline_through(runs: Sequence[Run], step: float) -> Spline:
    """The splines of greatest likelihood, of one order, stiffness and noise for all runs.

    Args:
        runs: of more samples than the largest of ORDERS.
        step: s between samples where none is missing.
    """
    usual = float(np.median(np.concatenate([run.spread for run in runs])))
    runs = [_without_jumps(replace(run, spread=run.spread / usual), step) for run in runs]
    asked = runs
    wide = step
    # The smoother a motion, the stiffer its spline, until digits do not suffice: then pairs of samples are averaged,
    # which asks for less stiffness for the same curve.
    likelihood = _Likelihood(runs, wide)
    best, stiffer = likelihood.likeliest()
    while stiffer and min(len(run.times) for run in runs) >= 2 * FEWEST:
        runs, wide = [_in_pairs(run, wide) for run in runs], 2.0 * wide
        likelihood = _Likelihood(runs, wide)
        best, stiffer = likelihood.likeliest()
    curves = likelihood.curves(best)
    velocities, values = [], []
    # The spline is known at its samples; its derivative follows from local polynomials through that smooth curve.
    for run, curve, whole in zip(runs, curves, asked, strict=True):
        window = Window(AROUND * wide, 6)
        made = smooth(run.times, curve[None], np.ones((1, len(curve))), window, wide).values[:2, 0]
        if run is not whole:
            made = _between(run.times, made, whole.times)
        values.append(made[0])
        velocities.append(made[1])
    share, noise = best.share, likelihood.noise(best)
    while wide > 1.5 * step:  # means of two samples e are alike by r (1 + r) / 2, and vary by (1 + r) / 2
        wide, share = 0.5 * wide, 0.5 * (math.sqrt(1.0 + 8.0 * share) - 1.0)
        noise /= math.sqrt(0.5 * (1.0 + share))
    return Spline(tuple(velocities), tuple(values), best.order, share, noise / usual)


@dataclass(frozen=True, slots=True)
class _Trial:
    """A spline, and how unlikely it is; `stiffness` is log10 k."""

    cost: float
    order: int
    share: float
    stiffness: float


class _Likelihood:
    """Of runs, one behind the other; times in steps."""

    def __init__(self, runs: Sequence[Run], step: float) -> None:
        self.lengths = [len(run.times) for run in runs]
        self.begins = np.cumsum([0, *self.lengths])
        self.times = np.concatenate([run.times for run in runs]) / step
        self.values = np.concatenate([run.values for run in runs])
        self.spread = np.concatenate([run.spread for run in runs])
        extent = max(float(np.ptp(run.values)) for run in runs)
        self.least = (EXACT * extent) ** 2 * len(self.values) + 1e-300
        self._penalties: dict[int, tuple[Array, float, Array, list[Array]]] = {}
        self._rows: dict[int, list[Array]] = {}
        self._precisions: dict[float, tuple[Array, Array, float]] = {}
        self._costs: dict[tuple[int, float, float], float] = {}

    def likeliest(self) -> tuple[_Trial, bool]:
        """The likeliest of all, and whether a stiffer spline than there can be might be likelier."""
        splines, polynomials = [self.spline(order) for order in ORDERS], [self.polynomial(order) for order in ORDERS]
        best = min(*splines, *polynomials, key=lambda one: one.cost)
        both = zip(splines, polynomials, strict=True)
        return best, any(self._promises(spline, polynomial, best.cost) for spline, polynomial in both)

    def spline(self, order: int) -> _Trial:
        """The likeliest spline of an order."""
        most = _stiffest(order)
        return self._nearest(order, (*np.arange(SOFTEST, most, COARSE).tolist(), most))

    def polynomial(self, order: int) -> _Trial:
        """The likeliest polynomial of a degree below `order`: the spline whose stiffness has no end."""
        return self._nearest(order, (math.inf,))

    def _nearest(self, order: int, stiffnesses: Sequence[float]) -> _Trial:
        most = _stiffest(order)
        first = [(share, stiffness) for share in FIRST_SHARES for stiffness in stiffnesses]
        cost, share, stiffness = min((self.cost(order, *one), *one) for one in first)
        # From the best of a coarse grid over share and stiffness, coordinate steps that become finer.
        for part, change in FINER:
            for _ in range(TURNS):
                wider = part * (1.05 - share)
                steps = [(share + wider, stiffness), (share - wider, stiffness)]
                if stiffness < math.inf:
                    steps += [(share, stiffness + change), (share, stiffness - change)]
                near = [(min(max(r, 0.0), MOST_SHARE), k if k == math.inf else min(max(k, SOFTEST), most))
                        for r, k in steps]  # fmt: skip
                found = min((self.cost(order, *one), *one) for one in near)
                if found[0] > cost - BETTER:
                    break
                cost, share, stiffness = found
        return _Trial(cost, order, share, float(stiffness))

    def _promises(self, spline: _Trial, polynomial: _Trial, best: float) -> bool:
        """Whether a spline as much stiffer as it can be of means would cost less than `best`, were its cost to go on
        falling as it does; and does not merely fall to that of its polynomial."""
        most = _stiffest(spline.order)
        if spline.stiffness < most or spline.cost > polynomial.cost + math.log(len(self.times)):
            return False
        fall = self.cost(spline.order, spline.share, most - 1.0) - spline.cost
        # Of means of two samples the same curve asks for 4^m times less.
        pairs = math.log2(max(2.0, min(self.lengths) / FEWEST))
        return spline.cost - pairs * spline.order * math.log10(4.0) * fall < best

    def cost(self, order: int, share: float, stiffness: float) -> float:
        """Twice the negative logarithm of the likelihood, and what the order costs; inf where digits do not suffice."""
        key = (order, share, float(stiffness))
        if key not in self._costs:
            self._costs[key] = self._cost(*key)
        return self._costs[key]

    def _cost(self, order: int, share: float, stiffness: float) -> float:
        _, size, rest, _ = self._penalty(order)
        own = self._precision(share)[2]
        known = order * sum(map(math.log, self.lengths))
        if stiffness == math.inf:
            _, left, bits = self._polynomial(order, share)
            return len(rest) * math.log(left) + bits - own + known
        solved = self._solved(order, share, stiffness)
        if solved is None:
            return math.inf
        factor, left, _ = solved
        free = sum(length - order for length in self.lengths)
        # -2 log of the marginal likelihood: log |Q + k D'D| - log |Q| - (n - m) log k - log |DD'| + n log(misfit +
        # bending), and what coefficients cost by the length of their runs, and the stiffness by that of all.
        bits = 2.0 * float(np.log(factor[0]).sum()) - own - free * stiffness * math.log(10.0) - size
        return len(rest) * math.log(left) + bits + known + math.log(len(rest))

    def _polynomial(self, order: int, share: float) -> tuple[Array, float, float]:
        """Polynomials through the rest, y' W y, and log |X'QX| for orthonormal X, which is what is left of
        log |Q + k D'D| - (n - m) log k - log |DD'| where k has no end."""
        (_, _, rest, bases), (main, beside, _) = self._penalty(order), self._precision(share)
        weighed = _times(main, beside, rest)
        curve, bits = np.empty(len(rest)), 0.0
        for first, end, base in zip(self.begins[:-1], self.begins[1:], bases, strict=True):
            here = slice(first, end)
            normal = base.T @ np.stack([_times(main[here], beside[first : end - 1], one) for one in base.T], axis=1)
            curve[here] = base @ np.linalg.solve(normal, base.T @ weighed[here])
            bits += float(np.linalg.slogdet(normal)[1])
        return curve, max(float((rest - curve) @ weighed), self.least), bits

    def _solved(self, order: int, share: float, stiffness: float) -> tuple[Array, float, Array] | None:
        """The Cholesky factor of Q + k D'D, y' W y as the sum of its two parts, and the curve through the rest; None
        where digits do not suffice."""
        # Not above: its import takes long. LAPACK itself: what SciPy has around it takes as long for some hundred
        # samples, and a search solves hundreds of times.
        from scipy.linalg.lapack import dpbtrf, dpbtrs

        (penalty, _, rest, _), (main, beside, _) = self._penalty(order), self._precision(share)
        band = 10.0**stiffness * penalty
        band[0] += main
        band[1, :-1] += beside
        factor, failed = dpbtrf(band, lower=1)
        if failed:
            return None
        curve = dpbtrs(factor, _times(main, beside, rest), lower=1)[0]
        off, bent = rest - curve, self._bent(curve, order)
        left = float(off @ _times(main, beside, off)) + 10.0**stiffness * float(bent @ bent)
        return factor, max(left, self.least), curve

    def _bent(self, curve: Array, order: int) -> Array:
        """D f, of all runs."""
        parts = []
        for k, rows in enumerate(self._rows[order]):
            first = self.begins[k]
            parts.append(sum(rows[:, j] * curve[first + j : first + j + len(rows)] for j in range(order + 1)))
        return np.concatenate(parts)

    def curves(self, trial: _Trial) -> list[Array]:
        """The spline at the samples of each run."""
        rest = self._penalty(trial.order)[2]
        return np.split(self.values - rest + self._found(trial)[0], self.begins[1:-1])

    def noise(self, trial: _Trial) -> float:
        """Standard deviation of a sample whose spread is 1."""
        return math.sqrt(self._found(trial)[1] / len(self.times))

    def _found(self, trial: _Trial) -> tuple[Array, float]:
        """The curve through the rest, and y' W y."""
        if trial.stiffness == math.inf:
            return self._polynomial(trial.order, trial.share)[:2]
        solved = self._solved(trial.order, trial.share, trial.stiffness)
        assert solved is not None, "its cost is finite"
        return solved[2], solved[1]

    def _penalty(self, order: int) -> tuple[Array, float, Array, list[Array]]:
        """D'D by diagonals, log |DD'|, the values less their polynomials of a degree below `order`, which D leaves
        alone, and orthonormal ones of each run, (n, order)."""
        if order in self._penalties:
            return self._penalties[order]
        made, size, rest = np.zeros((order + 1, len(self.times))), 0.0, np.empty(len(self.times))
        bases: list[Array] = []
        for first, end in zip(self.begins[:-1], self.begins[1:], strict=True):
            times = self.times[first:end]
            rows = _differences(times, order)
            # Divided differences of a sample and its neighbours: D is a band, and D'D is kept by diagonals.
            self._rows.setdefault(order, []).append(rows)
            for a in range(order + 1):
                for b in range(a, order + 1):
                    made[b - a, first + a : first + a + len(rows)] += rows[:, a] * rows[:, b]
            # D is [A B], B triangular, and X are the polynomials that D leaves alone, of which the first `order` rows
            # are H: |DD'| = |B|^2 |X'X| / |H|^2.
            u = 2.0 * (times - times[0]) / (times[-1] - times[0]) - 1.0
            powers = np.vander(u, order, increasing=True)
            base, upper = np.linalg.qr(powers)
            head = sum(math.log(u[j] - u[i]) for j in range(order) for i in range(j))
            size += 2.0 * float(np.log(np.abs(rows[:, -1])).sum())
            size -= 2.0 * (head - float(np.log(np.abs(np.diag(upper))).sum()))
            own = self.values[first:end]
            rest[first:end] = own - base @ (base.T @ own)
            bases.append(base)
        self._penalties[order] = made, size, rest, bases
        return made, size, rest, bases

    def _precision(self, share: float) -> tuple[Array, Array, float]:
        """Q by its main diagonal and the one beside it, and log |Q|."""
        if share in self._precisions:
            return self._precisions[share]
        # Errors that last: neighbours are alike by share^(steps between them), an Ornstein-Uhlenbeck process, of which
        # the precision matrix is tridiagonal.
        alike = np.power(share, np.maximum(np.diff(self.times), 0.0)) if share > 0 else np.zeros(len(self.times) - 1)
        # Runs do not know of each other.
        alike[self.begins[1:-1] - 1] = 0.0
        given = 1.0 / (1.0 - alike * alike)
        main = np.ones(len(self.times))
        main[1:] = given
        main[:-1] += alike * alike * given
        main /= np.square(self.spread)
        beside = -alike * given / (self.spread[1:] * self.spread[:-1])
        made = main, beside, float(np.log(given).sum() - 2.0 * np.log(self.spread).sum())
        self._precisions[share] = made
        return made


def _stiffest(order: int) -> float:
    """The largest log10 k that digits suffice for."""
    return DIGITS - order * math.log10(4.0)


def _differences(times: Array, order: int) -> Array:
    """(n - m, m + 1): divided differences, m-th derivatives, by the root of the time that each counts for."""
    parts = np.lib.stride_tricks.sliding_window_view(times, order + 1)
    apart = parts[:, :, None] - parts[:, None, :] + np.eye(order + 1)
    long = np.sqrt((parts[:, -1] - parts[:, 0]) / order)
    return np.asarray(math.factorial(order) / apart.prod(axis=2) * long[:, None])


def _times(main: Array, beside: Array, values: Array) -> Array:
    """A symmetric matrix of three diagonals, of which two are given, by a vector."""
    made = main * values
    made[1:] += beside * values[:-1]
    made[:-1] += beside * values[1:]
    return np.asarray(made)


def _without_jumps(run: Run, step: float) -> Run:
    """The same, what lies far from what its neighbours tell counting as little as it is far."""
    ones = np.ones((1, len(run.times)))
    made = smooth(run.times, run.values[None], ones, Window(AROUND * step, 4), step)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(run.values - made.values[0, 0]) / (1.0 - made.own) / run.spread
    off = np.where(np.isfinite(off), off, 0.0)
    usual = FAR * float(np.median(off)) / 0.6744897501960817
    far = np.maximum(1.0, off / usual) if usual > 0 else np.ones(len(off))
    return Run(run.times, run.values, run.spread * far)


def _in_pairs(run: Run, step: float) -> Run:
    """Means of two samples each, a step apart; those without another one beside them stay by themselves, half as good.
    """
    # A quarter of a pair is added, so that rounding of even times never splits a pair.
    place = np.floor((run.times - run.times[0]) / (2.0 * step) + 0.25).astype(np.int64)
    _, which, count = np.unique(place, return_inverse=True, return_counts=True)
    times, values, variances = (np.bincount(which, one) / count for one in (run.times, run.values, run.spread**2))
    return Run(times, values, np.sqrt(variances * (2.0 / count)))


def _between(times: Array, values: Array, wanted: Array) -> Array:
    """Values (k, n) at other times, by cubic splines."""
    from scipy.interpolate import CubicSpline  # not above: its import takes long

    return np.asarray(CubicSpline(times, values, axis=1)(wanted))


def beside_white(weights: Array, share: float) -> float:
    """Variance of a sum of even samples with these weights, whose errors last, by that of as much white noise.

    Args:
        share: by which an error is like the one a step before.

    >>> round(beside_white(np.ones(1000), 0.5), 2), round(beside_white(np.array([1.0, -1.0]), 0.5), 2)
    (3.0, 0.5)
    """
    # Beyond so many steps errors are alike by less than f64 has digits for.
    lags = 1 if share <= 0 else min(len(weights), math.ceil(math.log(np.finfo(float).eps) / math.log(share)))
    alike = np.array([weights[lag:] @ weights[: len(weights) - lag] for lag in range(lags)])
    by_lag = np.power(share, np.arange(lags))
    return float((2.0 * (alike * by_lag).sum() - alike[0]) / alike[0])
