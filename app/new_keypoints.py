"""What trackers know of key points, asked for whenever there are new tracks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from pipelines.features import Tracks
from pipelines.frame import Result
from pipelines.streaming.engine.tracking import Tracking

KEYPOINTS = "pipelines.trackers.keypoints"


class NewKeypoints:
    """Looks through batches for tracks that were not there before; one a run, in order or with jumps."""

    def __init__(self) -> None:
        self._end, self._last = 0, -1

    def tables(self, tracking: Tracking, results: Sequence[Result]) -> dict[str, Any]:
        """Tables of key points and edges, where a batch has new tracks of which there are any; else nothing.

        Args:
            tracking: the trackers, which may be at work in another thread.
            results: of the batch.
        """
        if not results:
            return {}
        end = 1 + max(int(result.tracks["track"].max(initial=-1)) for result in results)
        return self._since(tracking, results[0].index, results[-1].index, end)

    def tables_of(self, tracking: Tracking, rows: Tracks) -> dict[str, Any]:
        """The same of the rows of a batch, in the thread of the trackers."""
        if not len(rows):
            return {}
        return self._since(tracking, int(rows["frame"][0]), int(rows["frame"][-1]), 1 + int(rows["track"].max()))

    def _since(self, tracking: Tracking, first: int, last: int, end: int) -> dict[str, Any]:
        self._end = self._end if first > self._last else 0  # sought: another run, with ids of its own
        self._last = last
        if end <= self._end:
            return {}
        self._end = end
        if KEYPOINTS not in sys.modules:  # no run has asked for its trackers, which take long to load
            return {}
        return tracking.tables(sys.modules[KEYPOINTS].KeypointTracker)
