"""How much less certain a place is along one axis than along the other.

The filter (`kalman.py`) takes both axes alike: one covariance, one pair of gains, of the mean of their noises. Where
what is seen is less certain along one axis - an edge cuts it, it is oblong - the errors are, too. With d half the
difference of a sighting's variances of x and of y, a and b the gains of place and velocity, D, the same of the place,
comes to s d in the long run, and what is on the way there fades by what keeps it there:

    s = (2 a^2 + 2 b - 3 a b) / (a (4 - 2 a - b)),    D <- (1 - a^2 / s) D + a^2 d

(the noise that is left of a filter of such gains: Kalata, IEEE Trans. AES-20, 174, 1984). No axis becomes surer than
what the noise of the last sighting leaves it, a^2 times its variance there (Joseph's form of the update). The filter's
own sums stay what they are; what bends a path adds to both axes alike. D is the column d00 (px^2); d00 / p00 is the
anisotropy of a row. (The whole difference of both covariances would take a matrix more, and tell the same within some
per cent.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.columns import Columns

Array = npt.NDArray[Any]

UNEVEN_COLUMNS: dict[str, npt.DTypeLike] = {
    "d00": "f8",  # half the difference of the variances of x and of y, px^2
    "pdif": "f8",  # the same of the place where last seen
}


def weigh(t: Columns, which: Array, variance: Array, uneven: Array) -> None:
    """Take sightings into account, in place; before `kalman.correct`, whose gains these are.

    Args:
        which: rows (indices, each once).
        variance: mean of those of x and of y, px^2, > 0.
        uneven: half their difference, px^2.
    """
    total, before = t["p00"][which] + variance, t["d00"][which]
    a, b = t["p00"][which] / total, np.minimum(np.maximum(t["p01"][which] / total, 0.0), 1.0)
    a2 = a * a
    share = np.minimum(a2 * a * (4.0 - 2.0 * a - b) / (2.0 * a2 + b * (2.0 - 3.0 * a)), 1.0)
    made, most = before - share * before + a2 * uneven, a * variance - a2 * (variance - np.abs(uneven))
    t["d00"][which] = np.where(made < -most, -most, np.where(made > most, most, made))


def anisotropy(t: Columns, which: Array) -> Array:
    """Of the places of rows, -1..1."""
    p00 = t["p00"][which]
    return np.minimum(np.maximum(t["d00"][which] / np.where(p00 > 0.0, p00, 1.0), -1.0), 1.0)
