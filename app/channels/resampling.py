"""A channel at the frames' times."""

from __future__ import annotations

from enum import Enum

import numpy as np

from app.channels.channel import Samples, Values


class Resampling(Enum):
    """How a value at a frame comes of samples that were taken at other times."""

    LINEAR = "linear"
    MEAN = "mean"


WORDS = {
    Resampling.LINEAR: "interpolated linearly between the samples before and behind each frame's time; empty outside "
                       "and beside samples without a value; what is faster than half the frame rate is folded, not "
                       "filtered",
    Resampling.MEAN: "mean of the samples within half a frame before and behind each frame's time; empty where there "
                     "is none",
}  # fmt: skip
"""What is said of each where it is written."""


def resampled(samples: Samples, column: str, times: Values, how: Resampling = Resampling.LINEAR) -> Values:
    """A column at other times.

    Args:
        samples: of the channel.
        column: its name.
        times: (m,) s on the channel's own clock, rising.
        how: see `Resampling`.

    Returns:
        (m,) values; NaN where there are none.
    """
    return _means(samples, column, times) if how is Resampling.MEAN else _linear(samples, column, times)


def _linear(samples: Samples, column: str, times: Values) -> Values:
    value = samples.values[column]
    last = samples.count - 1
    if samples.times is None:
        place: Values = np.asarray((times - samples.start) / samples.interval, np.float64)
        near = np.rint(place)
        place = np.where(np.abs(place - near) <= CLOSE, near, place)  # of a frame on a sample, rounding aside
    else:
        after = np.clip(np.searchsorted(samples.times, times, "right"), 1, max(last, 1))
        low, high = samples.times[after - 1], samples.times[np.minimum(after, last)]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(high > low, (times - low) / (high - low), np.where(times == low, 0.0, np.inf))
        place = np.asarray(after - 1 + share, np.float64)
    inside = np.isfinite(place) & (place >= 0) & (place <= last)
    place = np.where(inside, place, 0.0)
    first = np.minimum(place.astype(np.intp), max(last - 1, 0))
    share = place - first
    before, behind = value[first], value[np.minimum(first + 1, last)]
    made = np.where(share == 0, before, np.where(share == 1, behind, before + share * (behind - before)))
    return np.where(inside, made, np.nan)


CLOSE = 1e-6
"""Samples by which a frame's time may miss a sample that it is meant to have: rounding of times in seconds."""


def _means(samples: Samples, column: str, times: Values) -> Values:
    if len(times) < 2:
        return _linear(samples, column, times)
    half = np.diff(times) / 2
    edges = np.concatenate(([times[0] - half[0]], times[:-1] + half, [times[-1] + half[-1]]))
    if samples.times is None:
        at = np.ceil((edges - samples.start) / samples.interval - CLOSE)
        at = np.clip(at, 0, samples.count).astype(np.intp)
    else:
        at = np.searchsorted(samples.times, edges)
    first, end = int(at[0]), int(at[-1])
    part = samples.values[column][first:end]
    known = np.isfinite(part)
    sums = np.concatenate(([0.0], np.cumsum(np.where(known, part, 0.0))))
    counts = np.concatenate(([0], np.cumsum(known)))
    total, number = np.diff(sums[at - first]), np.diff(counts[at - first])
    with np.errstate(invalid="ignore"):
        return np.where(number > 0, total / number, np.nan)
