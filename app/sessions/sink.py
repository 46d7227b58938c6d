"""A recording as a sink of a run: frames as the source delivered them, and the rows of the trackers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.sessions.recording import Recording
from pipelines.frame import FrameBatch, Result


class SessionSink:
    """Hands each batch of a run to a recording (see `pipelines.frame.Sink`).

    Args:
        recording: it waits for room if nothing may be lost.
        first_number: the camera's number of frame 0.
    """

    def __init__(self, recording: Recording, first_number: int = 0) -> None:
        self._recording, self._first = recording, first_number

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Record the frames of a batch and what was tracked in them."""
        for index, time, pixels in zip(frames.indices.tolist(), frames.times.tolist(), frames.pixels, strict=True):
            self._recording.put(pixels, camera_id=self._first + index, time_s=time)
        rows = [result.tracks for result in results if len(result.tracks)]
        if rows:
            self._recording.tracks(np.concatenate(rows))

    def close(self) -> None:
        """Close the recording."""
        self._recording.close()
