"""Rows by track: a stable order, found without comparing where track numbers lie close together."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import Tracks

SPAN = 1 << 16
"""Numbers that lie within a span of so many are sorted digit by digit (NumPy's radix sort of 16 bits)."""
Places = npt.NDArray[np.intp]


def stable_order(ids: npt.NDArray[np.integer[Any]]) -> Places:
    """As `numpy.argsort(ids, kind="stable")`, in a tenth of the time for ids that lie close together."""
    if len(ids):
        low = int(ids.min())
        if int(ids.max()) - low < SPAN:
            ids = (ids - low).astype(np.uint16)
    order: Places = np.argsort(ids, kind="stable")
    return order


def by_track(rows: Tracks) -> Tracks:
    """Rows by track, and of each track by frame; a copy.

    Args:
        rows: of each track, by rising frame.
    """
    made: Tracks = rows.take(stable_order(rows["track"]))  # rows[order] takes many times as long
    return made


def pick(rows: Tracks, chosen: npt.NDArray[np.bool_]) -> Tracks:
    """The chosen rows; a copy."""
    made: Tracks = rows.take(np.flatnonzero(chosen))
    return made
