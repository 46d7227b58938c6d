"""What a timeline shows of all rows, kept up while they come: a look takes milliseconds, however many there are."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from app.desk.tracks.corrections import Corrections
from app.desk.tracks.problem_watch import Found, ProblemWatch
from app.desk.tracks.store import TrackStore
from app.gui.traces.quality import Shares

PART = 10_000
"""Rows that are taken in at one look, or those of one frame."""
SETTLED = 50_000
"""Rows that are looked at anew at one look, some, for what is usual of tracks that may have jumped."""


@dataclass
class _Taken:
    """What came of rows so far; `end` is one past the last frame."""

    watch: ProblemWatch = field(default_factory=ProblemWatch)
    shares: Shares = field(default_factory=Shares)
    end: int = 0


class Scan:
    """Used by one thread.

    What is shown stays until all is looked through, where it has to be looked at anew: after a correction, or where
    rows changed or came for frames before others.
    """

    def __init__(self) -> None:
        self._store: TrackStore | None = None
        self._version = -1
        self._corrections: Corrections | None = None
        self._corrected = -1
        self._taken = self._shown = _Taken()
        self._waiting: list[tuple[int, int]] = []
        self._unsettled = self._left = False

    @property
    def behind(self) -> bool:
        """Whether there is more to look at than one look had time for."""
        return bool(self._waiting) or self._left

    @property
    def unsettled(self) -> bool:
        """Whether another look will be worth while, even if no more rows come."""
        return self._unsettled

    def look(self, store: TrackStore) -> bool:
        """Take in what is new, as much of it as one look has time for; whether another thing is to be shown."""
        came = True
        if not self._waiting:
            came = self._ask(store)
            if not came and not self._unsettled:
                return False
        taken, left = self._taken, PART
        while self._waiting and left > 0:
            first, last = self._waiting[0]
            end = store.until(first, last, left)
            rows = store.between(first, end)
            taken.watch.take(rows)
            taken.shares.take(rows)
            taken.end = end + 1
            left -= max(len(rows), 1)
            if end == last:
                self._waiting.pop(0)
            else:
                self._waiting[0] = (end + 1, last)
        if not self._waiting:
            current = self._is_of(store)  # else tracks have other rows than were taken
            self._left = bool(current and taken.watch.settle(store.tracks, SETTLED, not came))
            self._unsettled = self._left or came or not current
        # What begins anew is shown once it is whole.
        if self._waiting and taken is not self._shown:
            return False
        self._shown = taken
        return True

    def _ask(self, store: TrackStore) -> bool:
        """What there is to look at; whether there is any news."""
        if self._is_of(store):
            return False
        made = store.corrections
        same = store is self._store and made is self._corrections
        news = store.news(self._version) if same and made.version == self._corrected else None
        # Rows can be taken by rising frames only: each range must begin behind all that came before it.
        ends = (self._taken.end, *(last + 1 for _, last in news or ()))
        if news is None or any(first < end for (first, _), end in zip(news, ends, strict=False)):
            self._taken, news = _Taken(), list(store.ranges)
        self._waiting = news
        self._store, self._corrections = store, made
        self._version, self._corrected = store.raw_version, made.version
        return True

    def _is_of(self, store: TrackStore) -> bool:
        """Whether nothing changed in the store since it was asked."""
        made = store.corrections
        return (store is self._store and made is self._corrections
                and (self._version, self._corrected) == (store.raw_version, made.version))  # fmt: skip

    @property
    def found(self) -> Found:
        """What went wrong."""
        return self._shown.watch.found

    def shades(self, first: int, end: int, places: int) -> npt.NDArray[np.float64]:
        """As `quality` gives them, frames `first` to `end` - 1 spread over the places."""
        return self._shown.shares.over(first, end, places)
