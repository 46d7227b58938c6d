"""The window and order of local polynomials that suit the velocities of a record, found from the record itself.

Goldenshluger, Lepski: Bandwidth selection in kernel density estimation, Annals of Statistics 39, 1608 (2011), for the
least squares of `pipelines.analysis.local_polynomials`: a window's squared error is its noise V, which is known, and a
bend B that its polynomials do not follow, which shows in how far its velocities lie from those of each window that is
narrower, or as wide and of a higher order, beyond what noise explains. Where the polynomials hold, the wider window
makes the best of its samples, among which are those of the other, so that the difference of both has the variance
V(other) - V(wider) (Hausman, Econometrica 46, 1251, 1978):

    B^2(w) = max over u of  mean |v_w - v_u|^2 - (1 + c sqrt((u + 7) / n)) (V_u - V_w),  or 0

where the root bounds by how much chance exceeds the mean: n values have about 2 n / u independent velocities of windows
of u samples, and the noise is known to sqrt(7 / n) of its variance. The least V + B^2 is taken.

Errors of positions are not white: what comes and goes with the pixel that a thing is on, or with the compression of a
clip, lasts for some frames. V is k times that of white noise, k being how far the velocities of each window of the
highest order lie from those of the next, beside what white noise explains: it is 1 of white noise, and grows slowly
with the width of windows where errors last, while a bend grows with a high power of the width, which ends the search.
Such errors make windows of one order and width rougher than others of as much white noise. So k is for each u what it
lies from the window that it is nearest to, of all with less than half of its noise, if that is more.

The noise of a sample follows from the sixth divided differences, in which motion that seven samples follow is gone
(Gasser, Sroka, Jennen-Steinmetz: Residual variance and residual pattern in nonlinear regression, Biometrika 73, 625,
1986), jumps among them shortened.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.local_polynomials import Window, smooth, spans_of
from pipelines.analysis.trails import Trail

Array = npt.NDArray[Any]
ORDERS = (2, 4, 6)
"""Orders 1 and 2 have the same velocities inside a record, as have 3 and 4, 5 and 6; at ends the higher bends less."""
WIDER = 1.2
"""From one window that is tried to the next."""
SAMPLES = 7
"""Of the differences that tell the noise."""
FAR = 5.0
"""Standard deviations of the differences that tell the noise: farther ones are jumps, and count as these."""
CHANCE = 2.0
"""`c`: standard deviations of a mean square."""
FIRST = 3.0
"""`k` of the narrowest windows at most: more is motion that seven samples do not follow."""
GROWS = 1.6
"""By how much `k` may grow from a window to the next; a bend of order 6 grows by 1.2^(2 6 + 3), 15 times."""
SMOOTHER = 2.0
"""Times less noise that a window has from which another one's own noise is told."""
ENDS = 2.0
"""Times the median of their variances: what is rougher, at the ends of tracks, would drown the others."""
MOST = 10_000
"""Samples that the choice looks at: tracks of equal distance in the table."""
HOPELESS = 8.0
"""Times the least squared error: wider windows of this order are not tried any more."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen.

    Args:
        window: of the least squared error.
        error: root mean square of the error of a velocity that is expected, a coordinate (unit/s); NaN where nothing
            could be told and the window is seven samples.
        noise: standard deviation of one sample's error, in units of what is stated of each where all are stated (1, or
            more where the samples show more), else in that of the values; NaN likewise.
    """

    window: Window
    error: float
    noise: float


def seen_noise(trails: Sequence[Trail]) -> float:
    """Standard deviation of errors from sample to sample, in units of `Trail.sigmas` where all are stated, else in
    that of the values; NaN of records without seven samples in a row."""
    stated = all_stated(trails)
    found = []
    for trail in trails:
        if len(trail.times) < SAMPLES:
            continue
        t = np.lib.stride_tricks.sliding_window_view(trail.times, SAMPLES)
        y = np.lib.stride_tricks.sliding_window_view(trail.values, SAMPLES, axis=1)
        length = (t[:, -1:] - t[:, :1])[:, :, None]
        weights = 1.0 / ((t[:, :, None] - t[:, None, :]) / length + np.eye(SAMPLES)).prod(axis=2)
        variances: Any = 1.0
        if stated:
            variances = np.lib.stride_tricks.sliding_window_view(np.square(trail.sigmas), SAMPLES, axis=1)
        size = np.sqrt((np.square(weights) * variances).sum(axis=-1))
        found.append(((y * weights).sum(axis=-1) / size).ravel())
    if not found:
        return math.nan
    sizes = np.abs(np.concatenate(found))
    middle = float(np.median(sizes)) / 0.6744897501960817
    return float(np.sqrt(np.square(np.minimum(sizes, FAR * middle)).mean())) if middle > 0 else float(sizes.std())


def all_stated(trails: Sequence[Trail]) -> bool:
    """Whether every sample states its uncertainty."""
    return all(bool((trail.sigmas > 0).all()) for trail in trails)


def choose_window(trails: Sequence[Trail], step: float) -> Choice:
    """The window and order that suit the velocities of all of some tracks.

    Args:
        trails: of one kind of values.
        step: s between samples where none is missing.
    """
    some = [trail for trail in trails if len(trail.times) >= SAMPLES]
    whole = sum(len(trail.times) for trail in some)
    some = some[:: max(1, math.ceil(whole / MOST))]
    noise = seen_noise(some)
    if not math.isfinite(noise) or not any(_full(one.times, step).any() for one in some):
        return Choice(Window(SAMPLES * step, 2), math.nan, math.nan)
    stated = all_stated(some)
    noise = max(noise, 1.0) if stated else noise  # what is alike from one sample to the next is not in the differences
    variances = [noise**2 * (np.square(one.sigmas) if stated else np.ones(one.values.shape)) for one in some]
    longest = max(len(trail.times) for trail in some)
    looks: dict[int, list[_Look]] = {}
    known = np.concatenate([np.tile(_full(one.times, step), len(one.values)) for one in some])
    for order in sorted(ORDERS, reverse=True):
        looks[order] = []
        for samples in _widths(longest):
            window = Window(samples * step, order)
            made = [smooth(one.times, one.values, v, window, step) for one, v in zip(some, variances, strict=True)]
            velocity, spread = (np.concatenate([part[1].ravel() for part in parts])
                                for parts in ([one.values for one in made], [one.variances for one in made]))
            look = _Look(samples, velocity[known], spread[known])
            looks[order].append(look)
            if len(looks[order]) > 2 and _bend(looks[order][-3], look) > HOPELESS * look.noise:
                break
    levels = _levels(looks[max(ORDERS)])
    windows = [(order, look) for order, those in looks.items() for look in those]
    bends = _bends([look for _, look in windows], levels[-1][1] if levels else 1.0)
    errors = [look.noise * _level(levels, look.noise) + bend for (_, look), bend in zip(windows, bends, strict=True)]
    order, look = windows[int(np.argmin(errors))]
    return Choice(Window(look.samples * step, order), math.sqrt(min(errors)), noise)


@dataclass(frozen=True, slots=True)
class _Look:
    """Velocities of one window: how many samples it has; (m,) velocities and their variances by white noise."""

    samples: int
    velocity: Array
    spread: Array

    @property
    def noise(self) -> float:
        """Mean of the variances."""
        return float(self.spread.mean())

    def beside(self, rough: _Look) -> tuple[float, float, float]:
        """Mean squared difference from a rougher window, the noise of that window and of this where that was taken."""
        inner = rough.spread <= ENDS * np.median(rough.spread)
        far = float(np.square(self.velocity - rough.velocity)[inner].mean())
        return far, float(rough.spread[inner].mean()), float(self.spread[inner].mean())


def _full(times: Array, step: float) -> Array:
    """(n,) whether the narrowest window of a sample holds as many as it can: beside long gaps few are left, whose
    velocities are so much rougher that the choice would look at nothing else."""
    spans = spans_of(times, SAMPLES * step, step)
    return np.asarray(spans.last - spans.first + 1 >= SAMPLES)


def _chance(rough: _Look) -> float:
    return CHANCE * math.sqrt((rough.samples + SAMPLES) / len(rough.velocity))


def _bend(rough: _Look, look: _Look) -> float:
    """Square of what `look` bends away from `rough` beyond white noise."""
    far, own, less = look.beside(rough)
    return far - (1.0 + _chance(rough)) * max(own - less, 0.0)


def _bends(looks: Sequence[_Look], level: float) -> list[float]:
    """Squares of what each bends away from those before it that are narrower, beyond noise.

    Args:
        looks: of falling order, and of each order of rising width.
        level: how much more noise there is than by white errors, at least.
    """
    bends = [0.0] * len(looks)
    for at, rough in enumerate(looks):
        pairs = [(k, *looks[k].beside(rough)) for k in range(at + 1, len(looks)) if looks[k].samples >= rough.samples]
        own_level = min((far / (own - less) for _, far, own, less in pairs if own > SMOOTHER * less), default=0.0)
        noise = max(level, own_level) * (1.0 + _chance(rough))
        for k, far, own, less in pairs:
            bends[k] = max(bends[k], far - noise * max(own - less, 0.0))
    return bends


def _levels(looks: Sequence[_Look]) -> list[tuple[float, float]]:
    """Pairs of a noise by white errors and by how much more there is, as the noise falls: what a window differs from
    the next wider one by, as long as it grows slowly; bends grow with high powers of the width."""
    level = 1.0
    found: list[tuple[float, float]] = []
    for rough, look in pairwise(looks):
        far, own, less = look.beside(rough)
        ratio = far / (own - less) if own > less else math.inf
        most = FIRST if not found else GROWS * level
        chance = _chance(rough) * level
        if ratio > most + chance:
            break
        level = max(level, ratio - chance)
        found.append((look.noise, level))
    return found


def _level(levels: Sequence[tuple[float, float]], noise: float) -> float:
    """Of windows of that noise: that of the nearest rougher ones; the last level of what is smoother than all."""
    found = levels[0][1] if levels else 1.0
    for at, level in levels:
        if at < noise:
            break
        found = level
    return found


def _widths(longest: int) -> list[int]:
    """Odd numbers of samples, rising, to that of the longest track."""
    made: list[int] = []
    samples = float(SAMPLES)
    while samples * WIDER <= longest or not made:
        made.append(2 * round(0.5 * (min(samples, longest) - 1)) + 1)
        samples = max(samples * WIDER, samples + 2)
    return [*made, longest | 1] if longest > made[-1] else made
