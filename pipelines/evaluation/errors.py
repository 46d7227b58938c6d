"""The matches as a table of errors, which everything about positions starts from."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.matching import Pairs
from pipelines.evaluation.tables import Tables
from pipelines.frame import STEPS

Array = npt.NDArray[Any]

ERROR_DTYPE = np.dtype(
    [
        ("thing", "i8"),  # id of the true thing
        ("track", "i8"),  # id of the track
        ("frame", "i8"),
        ("time", "f8"),  # s; of the truth, or of the track where the truth has none
        ("x", "f8"),  # true position, px
        ("y", "f8"),
        ("dx", "f8"),  # estimate minus truth, px
        ("dy", "f8"),
        ("sigma", "f8"),  # stated standard uncertainty, px; NaN when unknown
        ("anisotropy", "f8"),  # of it, as in TRACK_DTYPE: `features.sigmas` tells those of x and of y
    ]
)
"""One match with a visible thing a row, by thing and frame."""


def errors(both: Tables, matches: Pairs) -> Array:
    """Rows of ERROR_DTYPE.

    Args:
        both: the tables.
        matches: as `clear_mot.match` found them; those with hidden things are left out.
    """
    matches = matches.only(both.real.rows["visible"][matches.real])
    real, claimed = both.real.rows[matches.real], both.claimed.rows[matches.claimed]
    out = np.zeros(len(matches), ERROR_DTYPE)
    out["thing"], out["track"], out["frame"] = real["track"], claimed["track"], real["frame"]
    out["time"] = np.where(np.isfinite(real["time"]), real["time"], claimed["time"])
    out["x"], out["y"] = real["x"], real["y"]
    out["dx"], out["dy"] = claimed["x"] - real["x"], claimed["y"] - real["y"]
    out["sigma"], out["anisotropy"] = claimed["sigma"], claimed["anisotropy"]
    return out[np.lexsort((out["frame"], out["thing"]))]


def frame_rate(table: Array) -> float:
    """Frames a second by the times of rows with `frame` and `time`; 0 when they do not say, or say what is none."""
    frame, first = np.unique(table["frame"], return_index=True)
    time = table["time"][first]
    frame, time = frame[np.isfinite(time)], time[np.isfinite(time)]
    if len(frame) < 2:
        return 0.0
    with np.errstate(over="ignore"):
        middle = float(np.median(np.diff(time) / np.diff(frame)))
    # Steps that no camera has mean that the times are none.
    return 1.0 / middle if STEPS[0] <= middle <= STEPS[1] else 0.0


def runs(table: Array) -> tuple[Array, Array]:
    """First rows and lengths of the stretches of one thing without a missing frame; rows of ERROR_DTYPE in order."""
    if not len(table):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    # A stretch ends where the thing changes or a frame is missing.
    cut = (np.diff(table["thing"]) != 0) | (np.diff(table["frame"]) != 1)
    first = np.append(0, np.flatnonzero(cut) + 1)
    return first, np.diff(np.append(first, len(table)))
