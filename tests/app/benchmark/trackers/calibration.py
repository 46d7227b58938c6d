"""Whether what trackers state of their errors is true, on small clips of many seeds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from app.benchmark.trackers.measure import judge
from app.benchmark.trackers.ours import OURS
from app.benchmark.trackers.scenes import SCENES, Clip


@cache
def clip(name: str, changes: str, frames: int, seed: int) -> Clip:
    """A scene of the comparison, smaller."""
    kind, _, own = SCENES[name].spec.partition("?")
    given = dict(piece.split("=") for piece in f"{own}&{changes}&seed={seed}".split("&") if piece)
    spec = f"{kind}?{'&'.join(f'{key}={value}' for key, value in given.items())}"
    return Clip(replace(SCENES[name], spec=spec), frames)


def z_variance(
    name: str, contender: str, choice: float, changes: str, frames: int, seeds: int, *, axes: bool = True
) -> float:
    """The variance of (estimate - truth) / sigma, mean over the seeds; each clip's about its mean. `axes`: that of x
    and of y is held to 1 as well."""
    (ours,) = (one for one in OURS if one.name == f"fusetrack {contender}")
    found = []
    for seed in range(1, seeds + 1):
        shown = clip(name, changes, frames, seed)
        cal = judge(ours.make(shown, choice)(), shown).calibration
        found.append((cal.variance, cal.variance_x, cal.variance_y))
    both, x, y = np.mean(found, 0)
    if axes:
        assert 0.7 < x < 1.3, x  # of half the errors
        assert 0.7 < y < 1.3, y
    return float(both)
