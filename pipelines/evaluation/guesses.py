"""Rows that claim to have seen nothing (state PREDICTED): how far off they are, and whether their sigma says so.

Such a row is judged by the thing with which its track was last matched, wherever that is by now: a track that goes on
with another thing is wrong from then on, until it is matched with that one. Rows of which nobody knows the thing, as
those of a track that was never matched, or where the thing is no more in the truth, are left out.
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


def guesses(tracks: Tracks, both: Tables, matches: Pairs, reason: Reason | None = None) -> Array:
    """Rows of ERROR_DTYPE, by thing and frame.

    Args:
        tracks: rows of TRACK_DTYPE, any order: those that `both` was made of.
        both: the tables.
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
    last = np.searchsorted(known[order], track * frames + rows["frame"]) - 1
    good = (last >= 0) & (known[order][np.maximum(last, 0)] // frames == track)
    rows, last = rows[good], last[good]
    thing = real["track"][matches.real][order[last]]
    # Where that thing is in the row's frame.
    places = real["track"].astype(np.int64) * frames + real["frame"]
    order = np.argsort(places)
    wanted = thing.astype(np.int64) * frames + rows["frame"]
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
