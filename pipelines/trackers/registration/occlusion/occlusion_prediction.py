"""Where a hidden window goes and how far it may have strayed, by forecasts that are judged on its own past.

The last places where it was seen are kept. When it is hidden, simple forecasts are tried on them: that it stays at the
mean of its last 1, 2, 4 ... places, goes on along a straight line fitted to them, or goes on with that line's velocity
from its last place. The mean square by which each would have been off after 1, 2, 4 ... frames, from every frame of the
past, says which forecast is the best for which time, and its variance: the motion is taken to go on as it did. A thing
at rest is as certain after a hundred frames as after one, one that shakes stays within its amplitude, and the place of
one that flies about is soon unknown.

The variance of a forecast is that of noise, which is known, and the excess of its mean square error in the past over
that, if it is significant: times f / (f - 2) for f degrees of freedom (the variance of Student's t), where places that
many frames apart count as one each. The excess never falls with time, and beyond the past it grows as it grew before.
A velocity is extrapolated for no longer than it was observed; beyond that the window may have stopped.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipelines.trackers.base import Array
from pipelines.trackers.columns import Columns
from pipelines.trackers.registration.occlusion.occlusion_prediction_loops import (
    FEWEST,
    KNOTS,
    ROOM,
    WORK,
    foresee,
    remember_all,
)
from pipelines.trackers.registration.windows.native import call, scratch

TIMES = np.concatenate(([0.0], 2.0 ** np.arange(KNOTS)))  # frames ahead
STRAYING_COLUMNS: dict[str, npt.DTypeLike] = {
    "pvar": "f8", "tally": "f8", "past": np.dtype(("f8", (2, ROOM))), "ahead": np.dtype(("f8", (3, KNOTS))),
}  # fmt: skip
"""pvar: variance (px^2) of the place where each was seen last; told: how many places there have been; past: the last of
them (x and y of number k at k % 64, px); ahead: forecasts, as `foresee` leaves them."""


def moved(t: Columns, which: Array, x: Array, y: Array) -> None:
    """Remember where rows are.

    Args:
        t: columns of STRAYING_COLUMNS, px, py (where they were seen before) and gap.
        which: rows that are seen (indices, each once), at x, y (px).
    """
    call(remember_all, which, len(which), t["past"], t["tally"], t["gap"], t["px"], t["py"], np.ascontiguousarray(x),
         np.ascontiguousarray(y))  # fmt: skip


def coast(t: Columns, rows: Array, step: float) -> None:
    """Put rows that are not seen, `step` frames after the frame before, where they may be expected; until something is
    known of them, where they are.

    Args:
        t: columns of KALMAN_COLUMNS and STRAYING_COLUMNS, px, py, gap (frames since they were seen) and offset (px^2,
            of `pvar`, what all frames have in common).
    """
    new = np.ascontiguousarray(rows[t["gap"][rows] <= step])
    if len(new):
        common = np.clip(t["offset"][new], 0.0, t["pvar"][new])
        call(foresee, new, len(new), t["past"], t["tally"], t["pvar"][new] - common, common, t["ahead"], scratch(WORK))
    rows = rows[t["tally"][rows] >= FEWEST]
    ahead = np.concatenate((np.zeros((len(rows), 2, 1)), t["ahead"][rows, :2]), axis=2)
    for k, (place, seen, speed) in enumerate((("x", "px", "vx"), ("y", "py", "vy"))):
        way, t[speed][rows] = _between(ahead[:, k], t["gap"][rows])
        t[place][rows] = t[seen][rows] + way


def strayed(t: Columns, most: float) -> Array:
    """Variance (px^2, the mean of both axes) of the predicted places of windows that are not seen.

    Args:
        t: as `coast` left it. Of what was seen a few times alone the filter says it.
        most: px^2, that of a place of which nothing is known.
    """
    ahead = np.concatenate((t["pvar"][:, None], t["ahead"][:, 2]), axis=1)
    made: Array = np.where(t["tally"] >= FEWEST, _between(ahead, t["gap"])[0], t["p00"])
    return np.minimum(made, most)


def _between(values: Array, gap: Array) -> tuple[Array, Array]:
    """Values (n, TIMES) after `gap` frames (n), and how they grow in a frame; further on as at the end."""
    k = np.clip(np.searchsorted(TIMES, gap), 1, KNOTS)
    row = np.arange(len(gap))
    low = values[row, k - 1]
    slope = (values[row, k] - low) / (TIMES[k] - TIMES[k - 1])
    return low + slope * (gap - TIMES[k - 1]), slope
