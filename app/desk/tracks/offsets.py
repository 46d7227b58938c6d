"""Where the rows of each track lie in an array that grows: found without looking through all of it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from app.desk.tracks.grouping import stable_order

Ids = npt.NDArray[np.int32]
Places = npt.NDArray[np.intp]
Part = tuple[Ids, Places]
"""Ids, rising, and the row of each; of one id the rows rise."""


class Offsets:
    """Rows by track, kept as rows arrive.

    Parts are sorted by track. A new one is merged with those before it that are not larger, so that there are never
    more than about log2(rows) of them, and each row is sorted as often at most (the binary counter of Bentley & Saxe
    1980).
    Snapshots share it: its rows never change, and whoever knows fewer of them is given those only.
    """

    def __init__(self) -> None:
        self._parts: tuple[Part, ...] = ()
        self._known = 0
        self._lock = Lock()

    def of(self, column: Ids, tracks: Sequence[int]) -> Places:
        """The rows of some tracks, rising.

        Args:
            column: the tracks of all rows; what it had at the last call is still the same.
            tracks: without repetition.
        """
        count = len(column)
        wanted = np.unique(np.asarray(tracks, np.int64))
        limits = np.iinfo(np.int32)
        wanted = wanted[(wanted >= limits.min) & (wanted <= limits.max)].astype(np.int32)  # else all would be widened
        found = []
        for ids, places in self._upto(column):
            first, end = np.searchsorted(ids, wanted), np.searchsorted(ids, wanted, "right")
            found += [places[a:b] for a, b in zip(first.tolist(), end.tolist(), strict=True) if b > a]
        if not found:
            return np.zeros(0, np.intp)
        rows = np.concatenate(found)
        if len(wanted) > 1:
            rows.sort()  # parts follow each other, tracks do not
        return rows if not len(rows) or rows.max() < count else rows[rows < count]

    def _upto(self, column: Ids) -> tuple[Part, ...]:
        with self._lock:
            if self._known < len(column):
                self._parts = _merged(self._parts, column, self._known)
                self._known = len(column)
            return self._parts


def _merged(parts: tuple[Part, ...], column: Ids, known: int) -> tuple[Part, ...]:
    """The parts with the rows from `known` on."""
    kept = list(parts)
    first = known
    while kept and len(kept[-1][0]) <= len(column) - first:
        first -= len(kept.pop()[0])
    new = np.ascontiguousarray(column[first:])
    order = stable_order(new)
    return (*kept, (new[order], first + order))
