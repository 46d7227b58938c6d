"""A recording as a sink of a run: frames as they were delivered, the rows of the trackers, and triggers on them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.sessions.recording import Recording
from app.sessions.triggers import Condition
from pipelines.frame import FrameBatch, Result


class SessionSink:
    """Hands each batch of a run to a recording (see `pipelines.frame.Sink`).

    Args:
        recording: it waits for room if nothing may be lost.
        first_number: the camera's number of frame 0.
        conditions: what triggers a recording that waits for a trigger.
        after: frames to record from a trigger on; None until the end.
    """

    def __init__(
        self,
        recording: Recording,
        first_number: int = 0,
        *,
        conditions: Sequence[Condition] = (),
        after: int | None = None,
    ) -> None:
        self._recording, self._first = recording, first_number
        self._conditions, self._after = conditions, after

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Record the frames of a batch and what was tracked in them; ask the conditions frame by frame."""
        sequence: dict[int, int] = {}
        for index, time, pixels in zip(frames.indices.tolist(), frames.times.tolist(), frames.pixels, strict=True):
            sequence[index] = self._recording.announced
            self._recording.put(pixels, camera_id=self._first + index, time_s=time)
        rows = [result.tracks for result in results if len(result.tracks)]
        if rows:
            self._recording.tracks(np.concatenate(rows))
        for result in results:
            for condition in self._conditions:
                reason = condition.look(result.tracks)
                if reason is not None:
                    self._recording.trigger(reason, frame=sequence.get(result.index), after=self._after)

    def close(self) -> None:
        """Close the recording."""
        self._recording.close()
