"""The two tables as columns, with frames and identities counted from 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import State, Tracks

Array = npt.NDArray[Any]
SEEN = (State.TENTATIVE, State.TRACKED)
"""The states that claim to have seen something; predicted and lost rows claim nothing."""


@dataclass(frozen=True, slots=True)
class Side:
    """One table, its rows by frame and identity.

    Args:
        frame: place of the row's frame among all frames of both tables, i8.
        who: place of the row's identity in `ids`, i8.
        x, y: px, f8.
        ids: the identities as the table has them, rising.
        rows: the table's own rows in this order.
    """

    frame: Array
    who: Array
    x: Array
    y: Array
    ids: Array
    rows: Array

    def __len__(self) -> int:
        return len(self.frame)

    def counts(self) -> Array:
        """Rows of each identity."""
        return np.bincount(self.who, minlength=len(self.ids))

    def only(self, keep: Array) -> Side:
        """The rows where `keep` is true; identities without a row are dropped."""
        return _side(self.rows[keep], self.frame[keep])


@dataclass(frozen=True, slots=True)
class Tables:
    """What is compared.

    Args:
        frames: indices of the frames that either table has, rising.
        real: the true things; `real.rows` has TRUTH_DTYPE.
        claimed: the tracks' rows that claim to have seen something; `claimed.rows` has TRACK_DTYPE.
    """

    frames: Array
    real: Side
    claimed: Side


def tables(tracks: Tracks, truth: Array, states: Sequence[State] = SEEN) -> Tables:
    """Both tables in order.

    Args:
        tracks: rows of TRACK_DTYPE, any order.
        truth: rows of TRUTH_DTYPE, any order.
        states: the states that count as a claim.
    """
    tracks = tracks[np.isin(tracks["state"], [int(state) for state in states])]
    frames = np.union1d(tracks["frame"], truth["frame"])
    real, claimed = (
        _side(table, np.searchsorted(frames, table["frame"]))
        for table in (_ordered(truth), _ordered(tracks))
    )  # fmt: skip
    return Tables(frames, real, claimed)


def _ordered(table: Array) -> Array:
    return table[np.lexsort((table["track"], table["frame"]))]


def _side(rows: Array, frame: Array) -> Side:
    ids, who = np.unique(rows["track"], return_inverse=True)
    x, y = (np.ascontiguousarray(rows[name], np.float64) for name in ("x", "y"))
    return Side(frame, who, x, y, ids, rows)
