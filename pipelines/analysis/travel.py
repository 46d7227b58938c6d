"""How far, how fast and where things went: path lengths, speeds, and time spent in regions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.areas import Area

Array = npt.NDArray[Any]
UNEVEN = 1.5
"""Steps between samples that still touch."""
BINS = 50
"""Of a histogram of speeds at most."""


@dataclass(frozen=True, slots=True)
class Travel:
    """Of one track.

    Args:
        duration: s from its first to its last sample.
        path: length of the smoothed path. Chance adds to it what the noise of the smoothed places is worth.
        net: from its first place to its last.
        mean_speed, highest_speed: of the smoothed velocities, mean by time.
    """

    duration: float
    path: float
    net: float
    mean_speed: float
    highest_speed: float

    @property
    def straightness(self) -> float:
        """net / path, 1 of a straight way; NaN of what did not move."""
        return self.net / self.path if self.path > 0 else math.nan


@dataclass(frozen=True, slots=True)
class Region:
    """An area with a name."""

    name: str
    area: Area

    def holds(self, places: Array) -> Array:
        """Whether places (2, n) lie in it."""
        return self.area.holds(places)


@dataclass(frozen=True, slots=True)
class Dwell:
    """Of one track in one region.

    Args:
        region: its name.
        time: s in it. share: of the time in which it was seen.
        visits: unbroken stays; a gap within the region is no end of one.
        first: s, when it first was in it; NaN if it never was.
    """

    region: str
    time: float
    share: float
    visits: int
    first: float


def stays(times: Array, step: float) -> Array:
    """(n,) s that each sample counts for: to the middle between it and its neighbours, .75 steps on either side at
    most, so that gaps count nowhere."""
    halves = np.minimum(0.5 * np.diff(times), 0.5 * step * UNEVEN)
    before, after = np.append(0.5 * step, halves), np.append(halves, 0.5 * step)
    return np.asarray(before + after)


def travel_of(times: Array, places: Array, speeds: Array, step: float) -> Travel:
    """How far one track went.

    Args:
        times: (n,) s. places: (2, n), smoothed. speeds: (n,), NaN where unknown.
        step: s between samples where none is missing.
    """
    ways = np.hypot(*np.diff(places, axis=1))
    net = float(np.hypot(*(places[:, -1] - places[:, 0])))
    known = np.isfinite(speeds)
    mean, highest = math.nan, math.nan
    if known.any():
        mean, highest = float(np.average(speeds[known], weights=stays(times, step)[known])), float(speeds[known].max())
    return Travel(float(times[-1] - times[0]), float(ways.sum()), net, mean, highest)


def dwell_of(times: Array, places: Array, region: Region, step: float) -> Dwell:
    """How long one track was in a region; arguments as in `travel_of`."""
    inside, stay = region.holds(places), stays(times, step)
    visits = int((np.diff(inside.astype(np.int8), prepend=0) == 1).sum())
    first = float(times[np.argmax(inside)]) if inside.any() else math.nan
    return Dwell(region.name, float(stay[inside].sum()), float(stay[inside].sum() / stay.sum()), visits, first)


def speed_histogram(speeds: Sequence[Array], stay: Sequence[Array]) -> tuple[Array, Array]:
    """Edges (b + 1,) and seconds (b,) that things spent at speeds between them, all tracks together.

    The width of a bin is that of Freedman, Diaconis: On the histogram as a density estimator, Zeitschrift fuer
    Wahrscheinlichkeitstheorie 57, 453 (1981), and BINS at most.

    Args:
        speeds: (n,) of each track, NaN where unknown. stay: (n,) s of each, as `stays` gives.
    """
    all_speeds, time = np.concatenate(speeds), np.concatenate(stay)
    known = np.isfinite(all_speeds)
    all_speeds, time = all_speeds[known], time[known]
    if not len(all_speeds):
        return np.zeros(1), np.zeros(0)
    low, high = np.percentile(all_speeds, (25, 75))
    top = float(all_speeds.max()) or 1.0
    width = 2.0 * (high - low) / len(all_speeds) ** (1.0 / 3.0)
    count = min(BINS, max(1, math.ceil(top / width))) if width > 0 else 1
    seconds, edges = np.histogram(all_speeds, bins=count, range=(0.0, top), weights=time)
    return edges, seconds
