"""Rows of tracks with velocities of local polynomials in place of those that a tracker has while it looks ahead."""

from __future__ import annotations

import numpy as np

from pipelines.analysis.local_polynomials import Window, smooth
from pipelines.analysis.smoothing_window import all_stated, choose_window
from pipelines.analysis.trails import trails_of
from pipelines.features import State, Tracks

FEWEST = 5
"""Frames in which a track was seen; of shorter ones the velocities stay."""


def with_smooth_velocities(rows: Tracks) -> tuple[Tracks, Window | None, float]:
    """Velocities from the places before and behind each, by the window that suits all tracks (`choose_window`).

    A tracker knows the places before alone, and its velocity follows each of their errors.

    Args:
        rows: TRACK_DTYPE, or such as carry measures; those that are TRACKED change.

    Returns:
        The rows, a copy; the window, None where no track was seen in FEWEST frames; s from frame to frame.

    Raises:
        InputError: as in `trails_of`.
    """
    found = trails_of(rows)
    trails = [trail for trail in found.trails if len(trail.times) >= FEWEST]
    if not trails:
        return rows, None, found.step
    window = choose_window(trails, found.step).window
    stated = all_stated(trails)
    made = rows.copy()
    seen = np.flatnonzero(rows["state"] == State.TRACKED)
    # Rows in the order of trails: by track, then frame.
    order = seen[np.lexsort((rows["frame"][seen], rows["track"][seen]))]
    ids, starts = np.unique(rows["track"][order], return_index=True)
    first = dict(zip(map(str, ids.tolist()), starts.tolist(), strict=True))
    for trail in trails:
        variances = np.square(trail.sigmas) if stated else np.ones(trail.values.shape)
        velocity = smooth(trail.times, trail.values, variances, window, found.step).values[1]
        at = order[first[trail.name] : first[trail.name] + len(trail.times)]
        known = np.isfinite(velocity).all(axis=0)
        made["vx"][at[known]], made["vy"][at[known]] = velocity[:, known]
    return made, window, found.step
