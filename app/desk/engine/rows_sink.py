"""A sink that keeps the rows of tracks until somebody fetches them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from app.desk.engine.messages import Outdated, Rows
from pipelines.frame import FrameBatch, Result


class RowsSink:
    """See `pipelines.frame.Sink`; any thread may take."""

    def __init__(self) -> None:
        self._parts: list[Rows] = []
        self._outdated = False
        self._lock = threading.Lock()

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Keep the rows of a batch."""
        del frames
        if results:
            rows = np.concatenate([result.tracks for result in results])
            with self._lock:
                self._parts.append(Rows(results[0].index, results[-1].index, rows))

    def outdated(self) -> None:
        """What was written until now is of parameters that hold no longer."""
        with self._lock:
            self._parts.clear()
            self._outdated = True

    def take(self) -> list[Rows | Outdated]:
        """What came since, in order, batches that follow one another joined."""
        with self._lock:
            parts, self._parts = self._parts, []
            found: list[Rows | Outdated] = [Outdated()] if self._outdated else []
            self._outdated = False
        runs: list[list[Rows]] = []
        for part in parts:
            if runs and part.first == runs[-1][-1].last + 1:
                runs[-1].append(part)
            else:
                runs.append([part])
        return found + [Rows(run[0].first, run[-1].last, np.concatenate([p.rows for p in run])) for run in runs]

    def close(self) -> None:
        """Nothing to close."""
