"""Rows that claim to have seen nothing (state PREDICTED): how far off they are, and whether their sigma says so.

Such a row is judged by the thing that its track was last on, wherever that is by now: a track that goes on with
another thing is wrong from then on, until it is matched with that one. Two that are seen as one have a single row that
claims to have seen something, which is matched with whichever of the two happens to be nearer. So a track that is
matched with another thing than before is still on the one before where that one has no match and lies within the gate,
as correspondences are kept from one frame to the next (Bernardin, Stiefelhagen 2008). Rows of an unknown
thing, as those of a track that was never matched, or where the thing is no more in the truth, are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.errors import ERROR_DTYPE
from pipelines.evaluation.matching import Pairs
from pipelines.evaluation.tables import Tables
from pipelines.features import Reason, State, Tracks

Array = npt.NDArray[Any]


def guesses(tracks: Tracks, both: Tables, within: Pairs, matches: Pairs, reason: Reason | None = None) -> Array:
    """Rows of ERROR_DTYPE, by thing and frame.

    Args:
        tracks: rows of TRACK_DTYPE, any order: those that `both` was made of.
        both: the tables.
        within: all pairs of their rows within the gate.
        matches: of `clear_mot.match`.
        reason: only guesses for this reason; None for all.
    """
    rows = tracks[(tracks["state"] == State.PREDICTED) & ((tracks["reason"] == reason) | (reason is None))]
    real, claimed = both.real.rows, both.claimed.rows
    none = np.zeros(0, ERROR_DTYPE)
    if not len(rows) or not len(matches):
        return none
    # The last match of the track before each row: one key for track and frame, which sorts as both do.
    frames = 1 + int(max(rows["frame"].max(), real["frame"].max(), claimed["frame"].max()))
    known = claimed["track"][matches.claimed].astype(np.int64) * frames + claimed["frame"][matches.claimed]
    order = np.argsort(known)
    track = rows["track"].astype(np.int64)
    # The greatest key below the row's: the track's last match, if that is of the same track.
    last = np.searchsorted(known[order], track * frames + rows["frame"]) - 1
    good = (last >= 0) & (known[order][np.maximum(last, 0)] // frames == track)
    rows, last = rows[good], last[good]
    thing = _followed(both, within, matches)[order[last]]
    # Where that thing is in the row's frame.
    places = real["track"].astype(np.int64) * frames + real["frame"]
    order = np.argsort(places)
    wanted = thing.astype(np.int64) * frames + rows["frame"]
    # Clamped, so that a key behind all others is compared, and found different.
    at = np.minimum(np.searchsorted(places[order], wanted), len(places) - 1)
    there = places[order][at] == wanted
    rows, truth = rows[there], real[order[at[there]]]
    out = np.zeros(len(rows), ERROR_DTYPE)
    out["thing"], out["track"], out["frame"] = truth["track"], rows["track"], rows["frame"]
    out["time"] = np.where(np.isfinite(truth["time"]), truth["time"], rows["time"])
    out["x"], out["y"] = truth["x"], truth["y"]
    out["dx"], out["dy"] = rows["x"] - truth["x"], rows["y"] - truth["y"]
    out["sigma"], out["anisotropy"] = rows["sigma"], rows["anisotropy"]
    return out[np.lexsort((out["track"], out["frame"], out["thing"]))]


def _followed(both: Tables, within: Pairs, matches: Pairs) -> Array:
    """The number of the thing that the track of each match is on."""
    real, claimed = both.real.rows, both.claimed.rows
    track, thing = claimed["track"][matches.claimed], real["track"][matches.real]
    order = np.lexsort((claimed["frame"][matches.claimed], track))
    change = (np.diff(track[order]) == 0) & (np.diff(thing[order]) != 0)
    order = order[np.isin(track[order], track[order[1:][change]])]  # the others are on one thing all the time
    # Things without a match in their frame: a track that is matched with another may still be on them.
    free = np.ones(len(real), bool)
    free[matches.real] = False
    rest = within.only(free[within.real])
    beside = set(zip(real["track"][rest.real].tolist(), rest.claimed.tolist(), strict=True))
    on: dict[int, int] = {}
    columns = (order, track[order], thing[order], matches.claimed[order])
    for k, who, what, row in zip(*(column.tolist() for column in columns), strict=True):
        # The track goes over to the new thing unless the old one lies, unmatched, within the gate of this row.
        if (on.get(who, what), row) not in beside:
            on[who] = what
        thing[k] = on[who]
    return thing
