"""The motion that all things have in common (flow, a stage that moves, a shaken camera), and paths without it.

The common step from a slot to the next is the mean of the steps of all things that were seen in both, as in trackpy's
compute_drift. Taking away a mean to which a thing itself contributed with 1 / N makes the variance of its own steps
smaller by 1 - 1/N; where it was not seen, the others' mean adds 1/N. `Path.share` remembers it, so that it can be given
back: otherwise D of five things would be a fifth too small. Where fewer than two things tell, the common
step is unknown: what lies on either side of it is not compared (`Path.part`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.analysis.paths import MANY, SPARSE, Path

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Drift:
    """The common motion.

    Args:
        steps: (2, n) from slot k to k + 1, px; 0 where fewer than two things tell.
        things: (n,) how many things it comes from.
    """

    steps: Array
    things: Array

    @property
    def way(self) -> Array:
        """(2, n + 1): where the common motion has led to since the first slot, px."""
        return np.concatenate((np.zeros((2, 1)), np.cumsum(self.steps, axis=1)), axis=1)


def common_drift(paths: Sequence[Path]) -> Drift:
    """The mean step of all things in every slot.

    Raises:
        InputError: the record has far more slots than rows.
    """
    end = max((path.first + path.places.shape[1] for path in paths), default=1)
    if end > max(10 * MANY, SPARSE * sum(path.seen for path in paths)):
        raise InputError(f"the tracks lie in {end} frames, too far apart to have a motion in common; leave out --drift")
    total, things = np.zeros((2, end - 1)), np.zeros(end - 1, np.int64)
    for path in paths:
        steps = np.diff(path.places, axis=1)
        seen = np.isfinite(steps[0])
        where = slice(path.first, path.first + steps.shape[1])
        total[:, where] += np.where(seen, steps, 0.0)
        things[where] += seen
    return Drift(np.where(things > 1, total / np.maximum(things, 1), 0.0), things)


def without_drift(paths: Sequence[Path], drift: Drift) -> tuple[Path, ...]:
    """The paths less the common way, with their `share` and `part`."""
    way = drift.way
    found = []
    for path in paths:
        end = path.first + path.places.shape[1]
        count = drift.things[path.first : end - 1]
        known = np.isfinite(np.diff(path.places[0]))
        # The mean of n things holds 1 / n of each that is in it: less is left of that one's own variance, more is added
        # to one that is not.
        left = np.where(count > 1, 1.0 + np.where(known, -1.0, 1.0) / np.maximum(count, 1), 1.0)
        share = np.concatenate(([0.0], np.cumsum(left)))
        # Where fewer than two things tell the drift, places before and behind cannot be compared: another part begins.
        part = np.concatenate(([0], np.cumsum(count < 2)))
        found.append(replace(path, places=path.places - way[:, path.first : end], share=share, part=part))
    return tuple(found)
