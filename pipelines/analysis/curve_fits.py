"""Curves fitted to motion, with errors that hold where errors of neighbouring samples are alike.

Each model is a sum of curves whose amounts are solved for, its other parameters found by least squares over what is
left (Golub, Pereyra: The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
separate, SIAM Journal on Numerical Analysis 10, 413, 1973). All coordinates share the latter.

Standard errors are the larger ones of even noise, s^2 (J'J)^-1 with s^2 of what is left, and of noise that is alike
from one sample to the next, (J'J)^-1 S (J'J)^-1 with the sums S, over some samples, of J' times what is left, after
each is freed from what it has of the sample before (Newey, West: A simple, positive semi-definite, heteroskedasticity
and autocorrelation consistent covariance matrix, Econometrica 55, 703, 1987; Andrews, Monahan: An improved one,
Econometrica 60, 953, 1992). Of parameters that follow from others, by their derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.trails import Trail

Array = npt.NDArray[Any]
MODELS = ("line", "parabola", "sine", "damped-sine", "two-damped-sines", "exponential", "circle")


MOST_ALIKE = 0.97
"""Correlation of neighbours that is believed at most."""
SLOW = 12
"""Part of a record over which noise is looked for that is alike for long, beside that of some samples."""


@dataclass(frozen=True, slots=True)
class Value:
    """One parameter: its value, standard error, and unit in words of "length", "s" and "rad" ("length/s2"; "" of
    numbers)."""

    value: float
    error: float
    unit: str


@dataclass(frozen=True, slots=True)
class Fit:
    """A curve through one trail.

    Args:
        model: one of MODELS.
        name: of the trail.
        parameters: by name.
        start: s, the time from which the curve counts.
        curve: (c, n) at the samples, in the unit of the values.
        left: root mean square of what is left, a coordinate.
        alike: correlation of what is left from one sample to the next.
        axis: unit vector along which an oscillation is fitted; None where every coordinate is.
        samples: that were fitted.
    """

    model: str
    name: str
    parameters: Mapping[str, Value]
    start: float
    curve: Array
    left: float
    alike: float
    axis: tuple[float, ...] | None
    samples: int


@dataclass(frozen=True, slots=True)
class _Solved:
    """Amounts (c, k) of the curves, the other parameters (q,), the covariance of all (amounts of the first coordinate
    first), the curve (c, n), and what is left of it (c, n), in samples' sigmas."""

    amounts: Array
    shape: Array
    covariance: Array
    curve: Array
    left: Array


def fit(trail: Trail, model: str, *, along: str = "main") -> Fit:
    """Fit a model.

    Args:
        trail: what is fitted; samples count by 1 / sigma^2 where all state it.
        model: one of MODELS.
        along: of oscillations and decays of two coordinates: "x", "y", or "main", the direction in which it moves most.

    Raises:
        ValueError: too few samples, or the model does not describe them at all.
    """
    if len(trail.times) < FEWEST[model]:
        raise ValueError(f"a {model.replace('-', ' ')} needs {FEWEST[model]} samples, and there are {len(trail.times)}")
    if model == "circle" and len(trail.values) != 2:
        raise ValueError("a circle needs x and y")
    return _FITS[model](trail, along)


FEWEST = {"line": 3, "parabola": 4, "sine": 8, "damped-sine": 10, "two-damped-sines": 20, "exponential": 6, "circle": 5}
"""Samples of each model at least."""


def _polynomial(trail: Trail, degree: int) -> Fit:
    start = float(trail.times[0])
    t = trail.times - start

    def basis(_: Array) -> Array:
        # t^p / p!: amounts are the start, the velocity, the acceleration.
        return np.stack([t**power / math.factorial(power) for power in range(degree + 1)])

    solved = _solve(trail.values, _weights(trail), basis, np.empty(0))
    parameters = {}
    for row, axis in enumerate(_axes(trail)):
        for power, name in enumerate(("start", "velocity", "acceleration")[: degree + 1]):
            at = row * (degree + 1) + power
            unit = ("length", "length/s", "length/s2")[power]
            parameters[f"{name}{axis}"] = Value(float(solved.amounts[row, power]), _error(solved, at), unit)
    if len(trail.values) == 2:
        name, unit = (("speed", "length/s"), ("acceleration", "length/s2"))[degree - 1]
        parameters[name] = _value(solved, lambda a, _: float(np.hypot(*a[:, degree])), unit)
    return _fit("line" if degree == 1 else "parabola", trail, solved, parameters, start, None)


def _sine(trail: Trail, along: str, damped: bool) -> Fit:
    values, sigmas, axis = _projected(trail, along)
    start = float(trail.times[0])
    t = trail.times - start
    length = float(t[-1])
    flat = np.ones((1, len(t)))

    def basis(shape: Array) -> Array:
        return np.concatenate((flat, _swing(t, shape if damped else np.append(shape, 0.0))))

    weights = _inverse(sigmas)
    begin = _begin(t, values, weights, basis, damped)
    solved = _solve(values, weights, basis, begin, np.full(1 + damped, 1.0 / length))
    frequency = float(solved.shape[0])
    # Less than a twentieth of a cycle in the record, or more than half the rate of samples, is no frequency of it.
    if not 0.05 / length < frequency < 0.5 * (len(t) - 1) / length:
        raise ValueError("no frequency in the record describes it")
    ends = {
        "amplitude": _value(solved, lambda a, _: float(np.hypot(a[0, 1], a[0, 2])), "length"),
        "phase": _value(solved, lambda a, _: math.atan2(-a[0, 2], a[0, 1]), "rad", turns=True),
        "offset": _value(solved, lambda a, _: float(a[0, 0]), "length"),
    }
    if not damped:
        turning = _value(solved, lambda _, s: float(s[0]), "Hz")
        return _fit("sine", trail, solved, {"frequency": turning, **ends}, start, axis)

    parameters = {
        "frequency": _value(solved, lambda _, s: _natural(s) / (2.0 * math.pi), "Hz"),
        "damping_ratio": _value(solved, lambda _, s: float(s[1]) / _natural(s), ""),
        "damped_frequency": _value(solved, lambda _, s: float(s[0]), "Hz"),
        "decay_rate": _value(solved, lambda _, s: float(s[1]), "1/s"),
        "time_constant": _value(solved, lambda _, s: 1.0 / float(s[1]) if s[1] else math.inf, "s"),
        **ends,
    }
    return _fit("damped-sine", trail, solved, parameters, start, axis)


def _begin(t: Array, values: Array, weights: Array, basis: Callable[[Array], Array], damped: bool) -> Array:
    """Frequency, and rate of decay, from which an oscillation is fitted: the best of some near the highest line.

    Raises:
        ValueError: there is no line.
    """
    # The misfit has a minimum for each cycle that fits into the record: least squares find the right one only from
    # within half a cycle, so a grid of an eighth of a cycle is tried around the highest line.
    length = float(t[-1])
    near = _first_frequency(t, values[0]) + np.arange(-8, 9) / (8.0 * length)
    decays = np.array([0.0, 0.5, 2.0, 6.0]) / length if damped else np.array([0.0])
    tried = [(_misfit(values, weights, basis(np.array(s))), s) for f in near if f > 0.05 / length
             for s in ([(f, d) for d in decays] if damped else [(f,)])]  # fmt: skip
    if not tried:
        raise ValueError("it does not swing")
    return np.array(min(tried)[1])


def _natural(shape: Array) -> float:
    """rad/s, undamped, of a frequency in Hz and a rate of decay."""
    return math.hypot(2.0 * math.pi * shape[0], shape[1])


def _swing(t: Array, shape: Array) -> Array:
    """(2, n) the cosine and the sine of a frequency that decay at a rate."""
    fade, turn = np.exp(-shape[1] * t), 2.0 * math.pi * shape[0] * t
    return np.stack((fade * np.cos(turn), fade * np.sin(turn)))


def _two_damped_sines(trail: Trail, along: str) -> Fit:
    """The sum of two damped sines (two modes of free vibration): one fitted, one to its residual, then both."""
    values, sigmas, axis = _projected(trail, along)
    start = float(trail.times[0])
    t = trail.times - start
    length = float(t[-1])
    weights, flat = _inverse(sigmas), np.ones((1, len(t)))

    def one(shape: Array) -> Array:
        return np.concatenate((flat, _swing(t, shape)))

    def both(shape: Array) -> Array:
        return np.concatenate((flat, _swing(t, shape[:2]), _swing(t, shape[2:])))

    # Matching pursuit: the stronger mode first, the weaker one in what it leaves; then both together, since each bends
    # the other's estimate while it is fitted alone.
    begin, left = np.empty(0), values
    for _ in range(2):
        solved = _solve(left, weights, one, _begin(t, left, weights, one, True), np.full(2, 1.0 / length))
        begin, left = np.concatenate((begin, solved.shape)), left - solved.curve
    solved = _solve(values, weights, both, begin, np.full(4, 1.0 / length))
    frequencies = solved.shape[::2]
    top = 0.5 * (len(t) - 1) / length
    if not (0.05 / length < frequencies.min() and frequencies.max() < top):
        raise ValueError("no two frequencies in the record describe it")
    # Two lines nearer than half a bin are one line to the data: amplitudes grow without bound against each other.
    if abs(frequencies[1] - frequencies[0]) < 0.5 / length:
        raise ValueError("there is one frequency alone, or two that the record is too short to tell apart")
    parameters: dict[str, Value] = {}
    for number, k in enumerate(np.argsort(frequencies).tolist(), 1):
        parameters |= {f"{name}_{number}": value for name, value in _mode(solved, k).items()}
    parameters["offset"] = _value(solved, lambda a, _: float(a[0, 0]), "length")
    return _fit("two-damped-sines", trail, solved, parameters, start, axis)


def _mode(solved: _Solved, k: int) -> dict[str, Value]:
    """Natural frequency, damping ratio, rate of decay, amplitude and phase of mode k (0 or 1)."""

    def shape(p: Array) -> Array:
        return p[2 * k : 2 * k + 2]

    def ends(amounts: Array) -> tuple[float, float]:
        return float(amounts[0, 1 + 2 * k]), float(amounts[0, 2 + 2 * k])

    return {
        "frequency": _value(solved, lambda _, s: _natural(shape(s)) / (2.0 * math.pi), "Hz"),
        "damping_ratio": _value(solved, lambda _, s: float(shape(s)[1]) / _natural(shape(s)), ""),
        "decay_rate": _value(solved, lambda _, s: float(shape(s)[1]), "1/s"),
        "amplitude": _value(solved, lambda a, _: math.hypot(*ends(a)), "length"),
        "phase": _value(solved, lambda a, _: math.atan2(-ends(a)[1], ends(a)[0]), "rad", turns=True),
    }


def _exponential(trail: Trail, along: str) -> Fit:
    values, sigmas, axis = _projected(trail, along)
    start = float(trail.times[0])
    t = trail.times - start
    length = float(t[-1])

    def basis(shape: Array) -> Array:
        return np.stack((np.ones_like(t), np.exp(-shape[0] * (t if shape[0] >= 0 else t - length))))

    weights = _inverse(sigmas)
    # From a fifth of a decay over the record to one within two samples: outside of that it is a line, or one sample.
    rates = np.geomspace(0.2, 0.5 * len(t), 40) / length
    first = min((_misfit(values, weights, basis(np.array([rate]))), rate) for rate in (*rates, *-rates))[1]
    solved = _solve(values, weights, basis, np.array([first]), np.array([1.0 / length]))
    rate = float(solved.shape[0])
    behind = math.exp(rate * length) if rate < 0 else 1.0  # what grows is written from its end, lest it overflow
    parameters = {
        "time_constant": _value(solved, lambda _, s: 1.0 / float(s[0]) if s[0] else math.inf, "s"),
        "rate": _value(solved, lambda _, s: float(s[0]), "1/s"),
        "amplitude": _value(solved, lambda a, _: float(a[0, 1]) * behind, "length"),
        "offset": _value(solved, lambda a, _: float(a[0, 0]), "length"),
    }
    return _fit("exponential", trail, solved, parameters, start, axis)


def _circle(trail: Trail, _: str) -> Fit:
    """The circle of least squared distances (Gander, Golub, Strebel: Least-squares fitting of circles and ellipses, BIT
    34, 558, 1994), begun with that of least algebraic ones (Kasa 1976)."""
    from scipy.optimize import least_squares  # not above: its import takes long

    x, y = trail.values
    middle = trail.values.mean(axis=1)
    size = max(float(np.abs(trail.values - middle[:, None]).max()), np.finfo(float).tiny)
    # Scaled to -1..1 about the middle, so that powers of pixels do not lose digits.
    u, v = (trail.values - middle[:, None]) / size
    matrix = np.stack((u, v, np.ones_like(u)), axis=1)
    flat = np.linalg.svd(matrix - matrix.mean(axis=0), compute_uv=False)
    if not flat[1] > 1e-6 * flat[0]:
        raise ValueError("the samples lie on a straight line")
    # Kasa: u^2 + v^2 = a u + b v + c is linear in the centre (a/2, b/2) and in c = r^2 - (a^2 + b^2)/4.
    a, b, c = np.linalg.lstsq(matrix, u * u + v * v, rcond=None)[0]
    radius = math.sqrt(c + 0.25 * (a * a + b * b))
    begin = np.array([middle[0] + 0.5 * a * size, middle[1] + 0.5 * b * size, size * radius])
    weights = _weights(trail)
    weight = 1.0 / np.sqrt(0.5 * (1.0 / np.square(weights)).sum(axis=0))

    def away(p: Array) -> Array:
        return np.asarray((np.hypot(x - p[0], y - p[1]) - p[2]) * weight)

    found = least_squares(away, begin, x_scale=np.full(3, size))
    p = found.x
    if not p[2] < 1e6 * size:
        raise ValueError("the samples lie on a straight line")
    covariance = _covariance(found.jac[None], away(p)[None], 3)
    errors = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    start = float(trail.times[0])

    def turning(cx: float, cy: float) -> Value:
        angle = np.unwrap(np.arctan2(y - cy, x - cx))
        return _polynomial(Trail(trail.name, trail.frames, trail.times, angle[None], np.full((1, len(x)), math.nan)),
                           1).parameters["velocity"]  # fmt: skip

    # A centre that is off by its error changes all angles: that share of the rate's error follows by central
    # differences over one standard error, correlated as the centre's coordinates are.
    rate = turning(p[0], p[1])
    slopes = np.array([(turning(p[0] + dx, p[1] + dy).value - turning(p[0] - dx, p[1] - dy).value) / 2.0
                       for dx, dy in ((errors[0], 0.0), (0.0, errors[1]))])  # fmt: skip
    alike = covariance[:2, :2] / np.maximum(np.outer(errors[:2], errors[:2]), np.finfo(float).tiny)
    rate_error = math.sqrt(rate.error**2 + max(float(slopes @ alike @ slopes), 0.0))
    angle = np.unwrap(np.arctan2(y - p[1], x - p[0]))
    turns = abs(float(angle[-1] - angle[0])) / (2.0 * math.pi)
    parameters = {
        "radius": Value(float(p[2]), float(errors[2]), "length"),
        "centre_x": Value(float(p[0]), float(errors[0]), "length"),
        "centre_y": Value(float(p[1]), float(errors[1]), "length"),
        "angular_velocity": Value(rate.value, rate_error, "rad/s"), "turns": Value(turns, math.nan, ""),
    }  # fmt: skip
    curve = np.stack((p[0] + p[2] * np.cos(angle), p[1] + p[2] * np.sin(angle)))
    rest = np.hypot(x - p[0], y - p[1]) - p[2]
    left = float(np.sqrt(np.square(rest).mean()))
    return Fit("circle", trail.name, parameters, start, curve, left, _alike(rest[None]), None, len(x))


_FITS: Mapping[str, Callable[[Trail, str], Fit]] = {
    "line": lambda trail, _: _polynomial(trail, 1),
    "parabola": lambda trail, _: _polynomial(trail, 2),
    "sine": lambda trail, along: _sine(trail, along, damped=False),
    "damped-sine": lambda trail, along: _sine(trail, along, damped=True),
    "two-damped-sines": lambda trail, along: _two_damped_sines(trail, along),
    "exponential": _exponential,
    "circle": _circle,
}


def main_axis(values: Array) -> tuple[float, ...]:
    """The direction in which samples (2, n) scatter most, a unit vector to the right (or down)."""
    away = values - values.mean(axis=1, keepdims=True)
    _, turned = np.linalg.eigh(away @ away.T)
    x, y = turned[:, -1].tolist()
    return (x, y) if x > 0 or (x == 0 and y > 0) else (-x, -y)


def _axes(trail: Trail) -> tuple[str, ...]:
    return ("_x", "_y") if len(trail.values) == 2 else ("",)


def _projected(trail: Trail, along: str) -> tuple[Array, Array, tuple[float, ...] | None]:
    """(1, n) values along a direction, their sigmas, and it; what has one coordinate as it is."""
    if len(trail.values) == 1:
        return trail.values, trail.sigmas, None
    axis = {"x": (1.0, 0.0), "y": (0.0, 1.0)}.get(along) or main_axis(trail.values)
    way = np.array(axis)
    return (way @ trail.values)[None], np.sqrt(np.square(way) @ np.square(trail.sigmas))[None], axis


def _weights(trail: Trail) -> Array:
    return _inverse(trail.sigmas)


def _inverse(sigmas: Array) -> Array:
    """1 / sigma, or 1 where not all are known."""
    return 1.0 / sigmas if (sigmas > 0).all() else np.ones_like(sigmas)


def _first_frequency(t: Array, values: Array) -> float:
    """Hz of the highest line of a spectrum, on a grid four times as fine as the record is long."""
    count = max(8, round(float(t[-1]) / float(np.median(np.diff(t)))) + 1)
    even = np.linspace(0.0, float(t[-1]), min(count, 1 << 22))
    wave = np.interp(even, t, values)
    # Filled up with zeros to four times its length: a line between two bins is then found within an eighth of a bin.
    wave = (wave - wave.mean()) * np.hanning(len(wave))
    lines = np.abs(np.fft.rfft(wave, 4 * len(wave)))
    lines[:2] = 0.0  # what is left of the mean
    return float(np.argmax(lines)) / (4 * len(wave) * float(even[1] - even[0]))


def _misfit(values: Array, weights: Array, curves: Array) -> float:
    left = np.concatenate([rest for _, rest in _amounts(values, weights, curves)])
    return float(np.square(left).sum())


def _amounts(values: Array, weights: Array, curves: Array) -> list[tuple[Array, Array]]:
    """Of each coordinate the amounts (k,) of curves (k, n), and what is left (n,) in sigmas."""
    found = []
    for y, w in zip(values, weights, strict=True):
        matrix = (curves * w).T
        amount = np.linalg.lstsq(matrix, y * w, rcond=None)[0]
        found.append((amount, y * w - matrix @ amount))
    return found


def _solve(
    values: Array, weights: Array, basis: Callable[[Array], Array], shape: Array, scale: Array | None = None
) -> _Solved:  # fmt: skip
    """Least squares by variable projection: linear amounts (c, k) of the k curves `basis(shape)`, and the shape, begun
    with `shape`; `scale` is how large a change of each shape parameter matters."""
    if len(shape):
        from scipy.optimize import least_squares  # not above: its import takes long

        # Variable projection: the amounts are the best ones for each shape.
        def left(p: Array) -> Array:
            return np.concatenate([rest for _, rest in _amounts(values, weights, basis(p))])

        found = least_squares(left, shape, jac="3-point", x_scale=scale if scale is not None else 1.0,
                              xtol=1e-13, ftol=1e-13, gtol=1e-13, max_nfev=200)  # fmt: skip
        shape = found.x
    curves = basis(shape)
    solved = _amounts(values, weights, curves)
    amounts, rest = np.array([a for a, _ in solved]), np.array([r for _, r in solved])
    # Of all samples by all amounts and shape parameters together: amounts have no iteration, but errors they have.
    rows, inner = amounts.shape
    jacobian = np.zeros((rows, values.shape[1], rows * inner + len(shape)))
    for row in range(rows):
        jacobian[row, :, row * inner : (row + 1) * inner] = (curves * weights[row]).T
    for at in range(len(shape)):
        step = np.zeros(len(shape))
        step[at] = 1e-5 * float((scale if scale is not None else np.ones(len(shape)))[at])
        slope = (basis(shape + step) - basis(shape - step)) / (2.0 * step[at])
        jacobian[:, :, rows * inner + at] = (amounts @ slope) * weights
    return _Solved(amounts, shape, _covariance(jacobian, rest, jacobian.shape[2]), amounts @ curves, rest)


def _covariance(jacobian: Array, left: Array, parameters: int) -> Array:
    """The covariance of the parameters, (p, p): that of even noise, each standard error replaced by the larger one of
    both ways (see the module).

    Args:
        jacobian: (c, n, p), derivatives of the residuals. left: (c, n), the residuals. parameters: how many.
    """
    # Columns are scaled to norm 1: amplitudes in px and rates in 1/s may differ by ten orders of magnitude.
    flat = jacobian.reshape(-1, jacobian.shape[2])
    size = np.sqrt(np.square(flat).sum(axis=0))
    size[size == 0] = 1.0
    inverse = np.linalg.pinv((flat / size).T @ (flat / size))
    free = max(left.size - parameters, 1)
    even = float(np.square(left).sum()) / free * inverse
    # Prewhitening (Andrews, Monahan): each parameter's scores as an AR(1) process; the kernel estimates what is left of
    # their correlation, and dividing by (1 - rho)^2 brings back what the filter took out.
    scores = (jacobian / size) * left[:, :, None]
    count = left.shape[1]
    power = np.square(scores).sum(axis=(0, 1))
    again = (scores[:, 1:] * scores[:, :-1]).sum(axis=(0, 1)) / np.where(power > 0, power, 1.0)
    again = np.clip(again, -MOST_ALIKE, MOST_ALIKE)
    fresh = scores[:, 1:] - again * scores[:, :-1]
    lags = [np.einsum("cnp,cnq->pq", fresh[:, lag:], fresh[:, : count - 1 - lag]) for lag in range(count // SLOW + 1)]
    wider = np.ones(len(size))
    for reach in (4.0 * (count / 100.0) ** (2.0 / 9.0), count / SLOW):
        # Bartlett's kernel keeps the sum positive. Two reaches: that of Newey and West for noise of a few samples, and
        # a twelfth of the record for noise that is alike for long; the larger error counts.
        total = lags[0].copy()
        for lag in range(1, min(int(reach), len(lags) - 1) + 1):
            total += (1.0 - lag / (reach + 1.0)) * (lags[lag] + lags[lag].T)
        total /= np.outer(1.0 - again, 1.0 - again)
        robust = inverse @ total @ inverse * (left.size / free)
        a, b = np.diagonal(even), np.diagonal(robust)
        wider = np.maximum(wider, np.maximum(b, 0.0) / np.where(a > 0, a, 1.0))
    larger = np.sqrt(wider)
    found: Array = even * np.outer(larger, larger) / np.outer(size, size)
    return found


def _alike(left: Array) -> float:
    """Correlation of neighbours in (c, n)."""
    power = float(np.square(left).sum())
    return float((left[:, 1:] * left[:, :-1]).sum()) / power if power > 0 else 0.0


def _error(solved: _Solved, at: int) -> float:
    return math.sqrt(max(float(solved.covariance[at, at]), 0.0))


def _value(solved: _Solved, of: Callable[[Array, Array], float], unit: str, turns: bool = False) -> Value:
    """A function `of` amounts and shape, with its standard error to first order (delta method)."""
    rows, inner = solved.amounts.shape
    whole = np.concatenate((solved.amounts.ravel(), solved.shape))

    def at(p: Array) -> float:
        return of(p[: rows * inner].reshape(rows, inner), p[rows * inner :])

    errors = np.sqrt(np.maximum(np.diagonal(solved.covariance), 0.0))
    slopes = np.zeros(len(whole))
    for k, error in enumerate(errors.tolist()):
        step = np.zeros(len(whole))
        # Small beside the error, so that the delta method's line holds; large beside rounding.
        step[k] = max(0.01 * error, 1e-9 * abs(float(whole[k])))
        if step[k] > 0:
            change = at(whole + step) - at(whole - step)
            change = math.remainder(change, 2.0 * math.pi) if turns else change
            slopes[k] = change / (2.0 * step[k])
    return Value(at(whole), math.sqrt(max(float(slopes @ solved.covariance @ slopes), 0.0)), unit)


def _fit(
    model: str, trail: Trail, solved: _Solved, parameters: Mapping[str, Value], start: float,
    axis: tuple[float, ...] | None,
) -> Fit:  # fmt: skip
    # What was projected onto an axis is shown on that line, through the samples' mean.
    if axis is not None:
        way = np.array(axis)
        across = trail.values.mean(axis=1) - way * float(way @ trail.values.mean(axis=1))
        curve = way[:, None] * solved.curve + across[:, None]
        rest = way @ trail.values - solved.curve[0]
    else:
        curve, rest = solved.curve, trail.values - solved.curve
    return Fit(model, trail.name, parameters, start, curve, float(np.sqrt(np.square(rest).mean())), _alike(solved.left),
               axis, len(trail.times))  # fmt: skip


def names_of(fits: Sequence[Fit]) -> list[str]:
    """The parameters that some fits have, in their order."""
    return list(dict.fromkeys(name for one in fits for name in one.parameters))
