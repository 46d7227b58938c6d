"""Looks through all rows of a run, in a thread if there are many: a window with millions of rows must not wait."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.desk.tracks.problems import Problem, find_problems
from app.desk.tracks.store import TrackStore
from app.gui.traces.quality import quality_of

AT_ONCE = 20_000
"""Rows that are looked through in some milliseconds, without a thread."""
MOST = 4_000_000
"""Rows in which problems are looked for; of more, the last ones."""


@dataclass(frozen=True)
class Scanned:
    """Shades of the strip, one a place, and what went wrong, by frame."""

    shades: npt.NDArray[np.float64]
    problems: list[Problem]


class Scan:
    """One look at a time; used by one thread."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._found: Scanned | None = None

    @property
    def busy(self) -> bool:
        """Whether a look is under way."""
        return self._thread is not None

    def begin(self, store: TrackStore, first: int, end: int, places: int) -> None:
        """Look through the rows that are there now; frames `first` to `end` - 1 are spread over the places."""
        if len(store) <= AT_ONCE:
            self._found = _scanned(store, first, end, places)
            return
        self._thread = threading.Thread(target=self._look, args=(store.snapshot(), first, end, places))
        self._thread.start()

    def _look(self, store: TrackStore, first: int, end: int, places: int) -> None:
        self._found = _scanned(store, first, end, places)

    def poll(self) -> Scanned | None:
        """What was found, once."""
        if self._thread is not None and self._thread.is_alive():
            return None
        self._thread = None
        found, self._found = self._found, None
        return found


def _scanned(store: TrackStore, first: int, end: int, places: int) -> Scanned:
    return Scanned(quality_of(store.corrected_parts(), first, end, places), find_problems(store.newest(MOST)))
