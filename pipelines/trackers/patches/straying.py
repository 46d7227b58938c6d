"""Where a window goes that nobody sees, and how far it may have strayed: by what would have foretold its own past.

The last places that it was seen at are remembered. When it is hidden, simple forecasts are tried on them: that it stays
at the mean of the last 1, 2, 4 ... frames, goes on along a straight line through them, or goes on so from its last
place. How far each would have been off after 1, 2, 4 ... frames, from every frame of the past, tells which one is the
best for how long, and what it is worth: whatever the motion is, it is taken to go on as it did. So what stands still is
as sure after a hundred frames as after one, what shakes is within its way, and what flies about is soon anywhere.

The variance of such a forecast is that of noise, which is known, and what its mean square error in the past was beside
that, if it was more than chance: times f / (f - 2) of f freedoms (as of Student's t), where places that many frames
apart count as one each. The latter never falls with time, and grows beyond what the past can tell as it grew before.
No velocity goes on for longer than it was seen to: beyond that it may have stopped or not.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipelines.trackers.base import Array
from pipelines.trackers.columns import Columns
from pipelines.trackers.patches.foresee_loops import FEWEST, KNOTS, ROOM, WORK, foresee, remember_all
from pipelines.trackers.patches.native import run, scratch

TIMES = np.concatenate(([0.0], 2.0 ** np.arange(KNOTS)))  # frames ahead
STRAYING_COLUMNS: dict[str, npt.DTypeLike] = {
    "pvar": "f8", "told": "f8", "past": np.dtype(("f8", (2, ROOM))), "ahead": np.dtype(("f8", (3, KNOTS))),
}  # fmt: skip
"""The variance (px^2) of the place where each was seen last; how many places are remembered, so far, and the last of
them (x and y of number k at k % 64, px); what is foretold, as `foresee` says."""


def moved(t: Columns, which: Array, x: Array, y: Array) -> None:
    """Remember where rows are.

    Args:
        t: columns of STRAYING_COLUMNS, px, py (where they were seen before) and gap.
        which: rows that are seen (indices, each once), at x, y (px).
    """
    run(remember_all, which, len(which), t["past"], t["told"], t["gap"], t["px"], t["py"], np.ascontiguousarray(x),
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
        run(foresee, new, len(new), t["past"], t["told"], t["pvar"][new] - common, common, t["ahead"], scratch(WORK))
    rows = rows[t["told"][rows] >= FEWEST]
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
    made: Array = np.where(t["told"] >= FEWEST, _between(ahead, t["gap"])[0], t["p00"])
    return np.minimum(made, most)


def _between(values: Array, gap: Array) -> tuple[Array, Array]:
    """Values (n, TIMES) after `gap` frames (n), and how they grow in a frame; further on as at the end."""
    k = np.clip(np.searchsorted(TIMES, gap), 1, KNOTS)
    row = np.arange(len(gap))
    low = values[row, k - 1]
    slope = (values[row, k] - low) / (TIMES[k] - TIMES[k - 1])
    return low + slope * (gap - TIMES[k - 1]), slope
