"""A sink that keeps the rows of tracks until somebody fetches them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from app.desk.engine.reports import Outdated, Rows, Tables
from app.desk.tracks.owners import Owned, owned
from app.new_keypoints import NewKeypoints
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.engine.measuring import measured_rows
from pipelines.streaming.engine.tracking import Follower, Tracking

EVERY = 2.0
"""Seconds between two lots of tables, at least; and `PAUSE` times as long as one took."""
PAUSE = 50.0
MOST = 200_000
"""Rows of tables that are taken before the end, at most."""


class RowsSink:
    """See `pipelines.frame.Sink`; any thread may take.

    Attributes:
        tracking: gives the trackers that make the rows, for the thread that writes; None for a camera, whose trackers
            are another thread's.
        elsewhere: gives those of a camera, which may be asked for key points alone.
        end: one past the last frame.
    """

    def __init__(self) -> None:
        self.tracking: Callable[[], Tracking] | None = None
        self.elsewhere: Callable[[], Tracking | None] | None = None
        self.end = -1
        self._parts: list[Rows] = []
        self._outdated = False
        self._tables: Tables | None = None
        self._due = 0.0
        self._new = NewKeypoints()
        self._owners: tuple[tuple[Follower, ...], tuple[Owned, ...]] = ((), ())
        self._lock = threading.Lock()

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Keep the rows of a batch."""
        del frames
        if results:
            rows = measured_rows(results)
            tracking = None if self.tracking is None else self.tracking()
            owners = () if tracking is None else self._owned(tracking.followers)
            tables = None if tracking is None else self._told(tracking, results[-1].index + 1 >= self.end)
            if tables is None:
                trackers = self.elsewhere() if tracking is None and self.elsewhere is not None else tracking
                points = {} if trackers is None else self._new.tables(trackers, results)
                tables = Tables(points) if 0 < sum(map(len, points.values())) <= MOST else None
            with self._lock:
                self._parts.append(Rows(results[0].index, results[-1].index, rows, owners))
                if tables is not None:
                    # Of each table the newest.
                    self._tables = Tables({**(self._tables.tables if self._tables else {}), **tables.tables})

    def _owned(self, followers: tuple[Follower, ...]) -> tuple[Owned, ...]:
        if self._owners[0] is not followers:
            self._owners = followers, owned(followers)
        return self._owners[1]

    def _told(self, tracking: Tracking, last: bool) -> Tables | None:
        """The trackers' tables, if it is time."""
        begin = time.monotonic()
        if not last and begin < self._due:
            return None
        tables = tracking.tables()
        now = time.monotonic()
        self._due = now + max(EVERY, PAUSE * (now - begin))
        rows = sum(map(len, tables.values()))
        return Tables(tables) if rows and (last or rows <= MOST) else None

    def outdated(self) -> None:
        """What was written until now is of parameters that hold no longer."""
        with self._lock:
            self._parts.clear()
            self._tables, self._outdated, self._due, self._new = None, True, 0.0, NewKeypoints()

    def begin_anew(self) -> None:
        """What was written until now is of other frames; those to come count from 0."""
        self.outdated()

    def take(self) -> list[Rows | Outdated | Tables]:
        """What came since, in order, batches that follow one another joined."""
        # All at once: rows behind an `Outdated` are those of the new parameters.
        with self._lock:
            parts, self._parts = self._parts, []
            found: list[Rows | Outdated | Tables] = [Outdated()] if self._outdated else []
            tables, self._tables, self._outdated = self._tables, None, False
        runs: list[list[Rows]] = []
        for part in parts:
            before = runs[-1][-1] if runs else None
            if (before is not None and part.first == before.last + 1 and part.owners == before.owners
                    and part.rows.dtype == before.rows.dtype):  # fmt: skip
                runs[-1].append(part)
            else:
                runs.append([part])
        found += [Rows(run[0].first, run[-1].last, np.concatenate([part.rows for part in run]), run[0].owners)
                  for run in runs]  # fmt: skip
        return [*found, tables] if tables is not None else found

    def close(self) -> None:
        """Nothing to close."""
