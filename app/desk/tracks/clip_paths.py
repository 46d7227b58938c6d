"""The rows that draw the paths of all of a clip, kept up while rows come: a look takes milliseconds, and of any number
of rows no more are held than a screen can show."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from app.desk.tracks.corrections import Corrections
from app.desk.tracks.store import TrackStore
from app.exports.thinning import ThinnedRows
from pipelines.measures import plain

MOST = 24_000
"""Rows that are held."""
PART = 4_000
"""Rows that are looked at in one go, or those of one frame."""


class ClipPaths:
    """See the module; used by one thread.

    Attributes:
        held: what there is to be drawn. version: rises when that changes.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self.held = ThinnedRows(most)
        self.version = 0
        self._new = self.held
        self._store: TrackStore | None = None
        self._corrections: Corrections | None = None
        self._seen = (-1, -1)
        self._only: frozenset[int] | None = None
        self._end = 0
        self._waiting: list[tuple[int, int]] = []

    @property
    def behind(self) -> bool:
        """Whether rows wait to be looked at."""
        return bool(self._waiting)

    def look(self, store: TrackStore, only: frozenset[int] | None, seconds: float = 0.004) -> bool:
        """Take in what is new, for so many seconds; whether there is something else to be drawn.

        Args:
            only: these tracks; None for all.
        """
        self._ask(store, only)
        if not self._waiting:
            return False
        until = perf_counter() + seconds
        chosen = None if only is None else np.array(sorted(only), np.int64)
        while self._waiting and perf_counter() < until:
            first, last = self._waiting[0]
            end = store.until(first, last, PART)
            rows = plain(store.between(first, end))
            self._new.add(rows if chosen is None else rows[np.isin(rows["track"], chosen)])
            self._end = end + 1
            if end == last:
                self._waiting.pop(0)
            else:
                self._waiting[0] = (end + 1, last)
        if self._waiting and self._new is not self.held:
            return False  # what was drawn before stays until all is looked at anew
        self.held = self._new
        self.version += 1
        return True

    def _ask(self, store: TrackStore, only: frozenset[int] | None) -> None:
        """Find out what is new."""
        made = store.corrections
        seen = (store.raw_version, made.version)
        same = store is self._store and made is self._corrections and only == self._only
        if same and seen == self._seen:
            return
        news = store.news(self._seen[0]) if same and seen[1] == self._seen[1] else None
        waits = [*self._waiting, *(news or ())]
        # Thinning takes rising frames only: each range must begin behind all that came before it.
        if news is None or any(a[1] >= b[0] for a, b in zip([(0, self._end - 1), *waits], waits, strict=False)):
            self._new, self._end, waits = ThinnedRows(self._most), 0, list(store.ranges)
            if not waits:
                self.held = self._new
                self.version += 1
        self._waiting = waits
        self._store, self._corrections, self._only, self._seen = store, made, only, seen
