"""What the charts of trajectories show: which values an axis holds, which colour a track has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.exports.drawing import Picture
from pipelines.features import State, Tracks


def believed_order(rows: Tracks) -> dict[int, int]:
    """Track -> its place in the order in which tracks were first believed: that of their colours in the overlay."""
    believed = rows[rows["state"] == State.TRACKED]
    believed = believed[np.lexsort((believed["track"], believed["frame"]))]
    tracks, first = np.unique(believed["track"], return_index=True)
    return {int(track): place for place, track in enumerate(tracks[np.argsort(first)].tolist())}


def usual(values: Picture, tracks: Picture, seen: Picture) -> npt.NDArray[np.bool_]:
    """Which values the axis should hold: those seen, without what would flatten all the rest.

    Args:
        values: (n,) of a coordinate.
        tracks: (n,) whose they are, equal ones together.
        seen: (n,) whether the thing was seen there.

    A track of at least four counts as too far if it goes more than four times as far from the middle as three quarters
    of the tracks do; of the rest, up to 1 % of the rows if they stretch the range to more than five times.
    """
    fits = np.array(seen, np.bool_)
    if not fits.any():
        return fits
    far = np.abs(values - np.median(values[fits]))
    starts = np.flatnonzero(np.append(True, np.diff(tracks) != 0))
    reach = np.maximum.reduceat(np.where(fits, far, 0.0), starts)
    if len(starts) >= 4:
        near = reach <= 4 * max(0.1, float(np.quantile(reach, 0.75, method="lower")))
        fits &= np.repeat(near, np.diff(np.append(starts, len(values))))
    low, high = np.quantile(values[fits], (0.005, 0.995))
    if np.ptp(values[fits]) > 5 * max(0.1, float(high - low)):
        half = float(high - low)
        fits &= (values >= low - half) & (values <= high + half)
    return fits
