"""The window and order of local polynomials that suit the velocities of a record, found from the record itself.

The truth is not known, but a curve near it is: the smoothing spline of greatest likelihood (`smoothing_splines`), which
knows of errors that last, and whose velocities are about as near to the truth as those of the best window, or nearer.
Two estimates of a window's mean squared error follow, and the window is taken whose sum of both is least:

- how far its velocities are from those of that spline. As its squared distance from a truth v of which only the
  distribution given the samples is known, mean E[v] and some spread, is expected to be |v_window - E[v]|^2 and that
  spread, which is the same for all windows. This one knows the noise that there was; but the spline errs by that noise,
  too, and a window that errs likewise seems to be near.
- what it makes of the spline itself, were that the truth, and of noise as large as was found (a parametric bootstrap,
  in closed form; Efron, Tibshirani: An introduction to the bootstrap, 1993). This one knows no noise that there was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.local_polynomials import Window, smooth
from pipelines.analysis.smoothing_splines import Run, Spline, beside_white, spline_through
from pipelines.analysis.trails import Trail

Array = npt.NDArray[Any]
ORDERS = (1, 2, 4, 6)
"""Orders 1 and 2 have the same velocities inside a record, as have 3 and 4, 5 and 6; at ends the higher bends less. 1
is for what goes straight on, whose best window is the whole record, which has no inside."""
WIDER = 1.2
"""From one window that is tried to the next."""
SAMPLES = 7
"""Of the narrowest window, and in a row without a gap as long, that a choice needs."""
MOST = 10_000
"""Samples that the choice looks at: tracks of equal distance in the table."""
HOPELESS = 64.0
"""Times the least squared distance: wider windows of this order are not tried any more."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen.

    Args:
        window: whose velocities have the least mean squared error, as far as can be told.
        error: root mean square of the error of a velocity that is expected, a coordinate (unit/s); NaN where nothing
            could be estimated and the window is seven samples.
        noise: standard deviation of one sample's error, in units of what is stated of each where all are stated (1, or
            more where the samples show more), else in that of the values; NaN likewise.
    """

    window: Window
    error: float
    noise: float


def all_stated(trails: Sequence[Trail]) -> bool:
    """Whether every sample states its uncertainty."""
    return all(bool((trail.sigmas > 0).all()) for trail in trails)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Samples of a trail without a long gap: which they are."""

    trail: Trail
    rows: slice


def choose_window(trails: Sequence[Trail], step: float) -> Choice:
    """The window and order that suit the velocities of all of some tracks.

    Args:
        trails: of one kind of values.
        step: s between samples where none is missing.
    """
    some = [trail for trail in trails if len(trail.times) >= SAMPLES]
    whole = sum(len(trail.times) for trail in some)
    # Of many tracks every so many'th suffices.
    some = some[:: max(1, math.ceil(whole / MOST))]
    seen = [part for trail in some for part in _parts(trail, step)]
    if not seen:
        return Choice(Window(SAMPLES * step, 2), math.nan, math.nan)
    stated = all_stated(some)
    spreads = {id(one): one.sigmas if stated else np.ones(one.values.shape) for one in some}
    splines = [spline_through([Run(one.trail.times[one.rows], one.trail.values[line, one.rows],
                                   spreads[id(one.trail)][line, one.rows]) for one in seen], step)
               for line in range(len(some[0].values))]  # fmt: skip
    near = [np.stack([spline.velocities[k] for spline in splines]) for k in range(len(seen))]

    def velocities(window: Window, values: Sequence[Array]) -> list[Array]:
        made = {id(one): smooth(one.times, of, np.square(spreads[id(one)]), window, step).values[1]
                for one, of in zip(some, values, strict=True)}  # fmt: skip
        return [made[id(one.trail)][:, one.rows] for one in seen]

    cut = [spreads[id(one.trail)][:, one.rows] for one in seen]
    best, chosen, error = math.inf, Window(SAMPLES * step, 2), math.nan
    for order in ORDERS:
        least = math.inf
        for samples in _widths(max(len(trail.times) for trail in some)):
            # Wider windows are tried until they are far worse than the best of this order.
            window = Window(samples * step, order)
            far = _square(velocities(window, [one.values for one in some]), near)
            least = min(least, far)
            if far < best:  # else the sum is no less
                expected = _expected(window, step, seen, splines, cut)
                if far + expected < best:
                    best, chosen, error = far + expected, window, math.sqrt(expected)
            if far > HOPELESS * least:
                break
    noise = math.sqrt(float(np.mean([spline.noise**2 for spline in splines])))
    noise = max(noise, 1.0) if stated else noise
    return Choice(chosen, error, noise)


def _square(one: Sequence[Array], other: Sequence[Array]) -> float:
    """Mean squared distance."""
    return float(np.square(np.concatenate([(a - b).ravel() for a, b in zip(one, other, strict=True)])).mean())


def _expected(window: Window, step: float, seen: Sequence[_Seen], splines: Sequence[Spline],
              spreads: Sequence[Array]) -> float:  # fmt: skip
    """Mean squared error of velocities: how far those of the likeliest curve are bent, and the noise."""
    # The weights of a velocity: the answer to a single sample in the middle of an even record.
    samples = max(3, round(window.width / step) | 1)
    impulse = np.eye(1, 2 * samples + 1, samples)
    weights = smooth(step * np.arange(2.0 * samples + 1), impulse, impulse, window, step).values[1, 0]
    squares = []
    for k, (one, spread) in enumerate(zip(seen, spreads, strict=True)):
        curves, near = (np.stack([getattr(spline, name)[k] for spline in splines]) for name in ("values", "velocities"))
        noise = np.array([spline.noise**2 * beside_white(weights, spline.share) for spline in splines])[:, None]
        made = smooth(one.trail.times[one.rows], curves, noise * np.square(spread), window, step)
        # Bend (what the window makes of the likeliest curve itself) and noise add.
        squares.append((np.square(made.values[1] - near) + made.variances[1]).ravel())
    return float(np.concatenate(squares).mean())


def _parts(trail: Trail, step: float) -> list[_Seen]:
    """What lies between gaps of SAMPLES steps or more, and has more samples than that."""
    cuts = np.flatnonzero(np.diff(trail.times) > SAMPLES * step) + 1
    edges = [0, *cuts.tolist(), len(trail.times)]
    return [_Seen(trail, slice(first, end)) for first, end in pairwise(edges)
            if end - first >= SAMPLES]  # fmt: skip


def _widths(longest: int) -> list[int]:
    """Odd numbers of samples, rising, to that of the longest track."""
    made: list[int] = []
    samples = float(SAMPLES)
    while samples * WIDER <= longest or not made:
        made.append(2 * round(0.5 * (min(samples, longest) - 1)) + 1)
        samples = max(samples * WIDER, samples + 2)
    return [*made, longest | 1] if longest > made[-1] else made
