"""Where a window goes that nobody sees, and how far it may have strayed: from how it moved while it was seen.

Its velocity is a slow part, the mean of the last frames, and what fluctuates about it. Of the fluctuation, as means
over one frame each, the mean square P (`pace`) and the mean product with that of the frame before (`turns`) are learnt:
their ratio, the correlation a, says how long it is remembered. A velocity that comes back to zero by and by (Uhlenbeck,
Ornstein: Phys. Rev. 36, 823, 1930) has a = 1 - 2 / 3T when it is forgotten in T frames, so that its further
correlations are a b, a b^2, ... with b = 1 - 1 / T = (3 a - 1) / 2; noise and what turns about in a frame have a < 0
and b = 0. After g frames such a velocity has led

    from its place by        a (1 - b^g) / (1 - b) times what it was last = h
    with the variance        P (g + 2 a (g - (1 - b^g) / (1 - b)) / (1 - b)  -  (a (1 - b^g) / (1 - b))^2)

beside h. The slow part is taken to be remembered for LONG frames, which is what the means know of: what flew straight
as long as anybody remembers may still stop in any frame. A part of it is the fluctuation's own, by which it is off.
"""

from __future__ import annotations

import numpy as np

from pipelines.trackers.base import Array
from pipelines.trackers.columns import Columns

SETTLING = 0.1  # how fast the means follow
LATE = 1.5  # frames since the last sighting above which a velocity tells nothing of a frame
LONG = 20.0  # frames that such means remember
FEW = 1.25  # how much more variance there is for means of few frames: of 10 freedoms, f / (f - 2)
STRAYING_COLUMNS = dict.fromkeys(("sx", "sy", "ux", "uy", "pace", "turns", "drifts", "pvar"), "f8")
"""Also the velocity over the last frame, the slow one, its mean square (of px/frame), and the variance of the place
where each was seen last, px^2."""


def moved(t: Columns, which: Array, x: Array, y: Array) -> None:
    """Book how rows move.

    Args:
        t: columns of STRAYING_COLUMNS, px, py (where they were seen before) and gap.
        which: rows that are seen (indices, each once), at x, y (px).
    """
    late = t["gap"][which] > LATE
    rows, left = which[~late], which[late]
    for place, step, at in (("px", "sx", x), ("py", "sy", y)):
        t[step][left] = (at[late] - t[place][left]) / t["gap"][left]
    t["ux"][left], t["uy"][left] = t["sx"][left], t["sy"][left]
    ux, uy, drifts, pace = (t[name][rows] for name in ("ux", "uy", "drifts", "pace"))
    ax, ay = t["sx"][rows] - ux, t["sy"][rows] - uy
    t["sx"][rows], t["sy"][rows] = (at[~late] - t[place][rows] for place, at in (("px", x), ("py", y)))
    bx, by = t["sx"][rows] - ux, t["sy"][rows] - uy
    begun = drifts > 0
    rate = begun * np.where(pace > 0, SETTLING, 1.0)
    t["pace"][rows] += rate * (0.5 * (bx * bx + by * by) - pace)
    t["turns"][rows] += rate * (0.5 * (ax * bx + ay * by) - t["turns"][rows])
    rate = np.where(begun, SETTLING, 1.0)
    ux, uy = ux + rate * bx, uy + rate * by
    t["ux"][rows], t["uy"][rows] = ux, uy
    t["drifts"][rows] += SETTLING * (0.5 * (ux * ux + uy * uy) - drifts)


def coast(t: Columns, rows: Array, step: float) -> None:
    """Move rows that are not seen as they may be expected to go on, `step` frames after a frame; their places are
    predicted straight."""
    alike, kept, own = _memory(t, rows)
    slow = 1.0 - 1.0 / LONG
    lead, drift = _growth(step, alike, kept)[1], _growth(step, slow, slow)[1]
    for place, speed, last, mean in (("x", "vx", "sx", "ux"), ("y", "vy", "sy", "uy")):
        w, u = t[last][rows] - t[mean][rows], t[mean][rows]
        t[place][rows] += lead * w + drift * own * u - step * t[speed][rows]
        t[mean][rows] = slow**step * u
        t[speed][rows] = t[last][rows] = kept**step * w + slow**step * u


def strayed(t: Columns, most: float) -> Array:
    """Variance (px^2, the mean of both axes) of the predicted places of windows that are not seen.

    Args:
        t: columns of KALMAN_COLUMNS and STRAYING_COLUMNS, gap (frames). Of what was seen twice at most the filter says
            it.
        most: px^2, that of a place of which nothing is known.
    """
    gap, pace, rows = t["gap"], t["pace"], np.arange(len(t))
    alike, kept, own = _memory(t, rows)
    slow = 1.0 - 1.0 / LONG
    (spread, lead), (wide, drift) = _growth(gap, alike, kept), _growth(gap, slow, slow)
    moving = pace * np.maximum(spread - lead * lead, 0.0)
    moving += t["drifts"] * (own * np.maximum(wide - drift * drift, 0.0) + drift * drift * own * (1.0 - own))
    # Velocities have noise of both frames' places, of which one is not its own.
    noise = np.minimum(np.maximum(-t["turns"], 0.0), t["pvar"])
    made: Array = np.where(pace > 0, t["pvar"] + np.maximum(FEW * moving - 2.0 * noise, 0.0), t["p00"])
    return np.minimum(made, most)


def _memory(t: Columns, rows: Array) -> tuple[Array, Array, Array]:
    """Of rows a and b as above, and the part of the slow velocity that no fluctuation without memory would make."""
    pace, drifts = t["pace"][rows], t["drifts"][rows]
    alike = np.clip(t["turns"][rows] / np.where(pace > 0, pace, 1.0), -0.5, 1.0 - 1.0 / LONG)
    kept = np.maximum(1.5 * alike - 0.5, 0.0)
    made = SETTLING**2 * pace * _growth(1.0 / SETTLING, np.minimum(alike, 0.0), 0.0)[0]
    return alike, kept, 1.0 - np.minimum(made / np.where(drifts > 0, drifts, 1.0), 1.0)


def _growth(gap: Array | float, alike: Array | float, kept: Array | float) -> tuple[Array, Array]:
    """Mean square of the way in `gap` frames, of a velocity of mean square 1, and what it leads to."""
    rest = np.asarray(1.0 - kept)
    way = (1.0 - np.asarray(kept) ** gap) / rest
    return gap + 2.0 * alike * (gap - way) / rest, alike * way
