"""A recording as a sink of a run: frames as they were delivered, the rows of the trackers, and triggers on them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from app.sessions.recording import Recording
from app.sessions.shared import RecorderState
from app.sessions.tap import SessionTap
from app.sessions.triggers import Condition
from pipelines.frame import ARRIVAL, UNKNOWN, FrameBatch, Result
from pipelines.streaming.common.changes import AnyChange, Change
from pipelines.streaming.engine.checkpoint import Checkpoint
from pipelines.streaming.engine.measuring import measured_rows
from pipelines.writing import dumps

UNREADABLE = "the source could not read it"


class SessionSink:
    """Hands each batch of a run to a recording (see `pipelines.frame.Sink`).

    Frames of the session are numbered as they come, those that could not be read included; the rows of tracks go by
    these numbers, too, so that a replay gives the very same. Everything bears the clip's own times: viewers of MCAP
    files play it at the pace at which it was taken.

    Args:
        recording: it waits for room if nothing may be lost.
        first_number: the camera's number of frame 0.
        began: where the clip's times count from, ns since 1970; None where they do not count in seconds: what is
            recorded bears the host's time then.
        conditions: what triggers a recording that waits for a trigger.
        after: frames to record from a trigger on; None until the end.
        processes: False if there is no pipeline, so that the session says nothing of processing.

    Attributes:
        stopped: called where the recorder had to stop, as nothing more can be recorded.
    """

    def __init__(
        self,
        recording: Recording,
        first_number: int = 0,
        *,
        began: int | None = None,
        conditions: Sequence[Condition] = (),
        after: int | None = None,
        processes: bool = True,
    ) -> None:
        self._processes = processes
        self.stopped: Callable[[], object] = lambda: None
        self.tap = SessionTap(recording, conditions=conditions, after=after)
        self._recording, self._first = recording, first_number
        self._processed, self._last = 0, -1
        self._began, self._now = began, began or 0
        if began is not None:
            recording.stamp_messages(lambda: self._now)

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Record the frames of a batch and what was tracked in them; ask the conditions frame by frame."""
        arrivals = np.zeros(len(frames), ARRIVAL)
        arrivals["camera_id"], arrivals["camera_time"] = self._first + frames.indices, UNKNOWN
        if self._began is None:
            arrivals["host_time"] = time.time_ns()
        else:
            arrivals["host_time"] = self._began + np.rint(1e9 * frames.times).astype(np.int64)
            self._now = max([self._now, *arrivals["host_time"][-1:].tolist()])
        base, start = self._recording.announced, 0
        # Frames that could not be read have a result and no pixels: they take a number between the others.
        lost = [k for k, result in enumerate(results) if result.index not in frames.indices]
        for count, k in enumerate(lost):
            end = k - count
            self._recording.put_many(frames.pixels[start:end], arrivals[start:end], frames.times[start:end])
            self._recording.unreadable(results[k].time, UNREADABLE)
            start = end
        self._recording.put_many(frames.pixels[start:], arrivals[start:], frames.times[start:])
        rows = measured_rows(results)
        # Rows bear the session's own numbers, not the clip's.
        rows["frame"] = np.repeat(base + np.arange(len(results)), [len(result.tracks) for result in results])
        if len(rows):
            self.tap.tracks(rows)
        self._processed += len(frames)
        self._last = base + len(results) - 1
        if self._processes:
            self.tap.count(self._processed, self._last)
        if self._recording.account.state is RecorderState.FAILED:
            self.stopped()

    def wants_checkpoint(self, frame: int) -> bool:
        """See `pipelines.streaming.engine.checkpoint.CheckpointTap`."""
        return self._processes and self.tap.wants_checkpoint(frame)

    def next_checkpoint(self, frame: int) -> int | None:
        """See `pipelines.streaming.engine.checkpoint.CheckpointTap`."""
        return self.tap.next_checkpoint(frame)

    def checkpoint(self, made: Checkpoint) -> None:
        """Keep a state of the run for a trigger."""
        self.tap.checkpoint(made)

    def changed(self, change: AnyChange) -> None:
        """Record that the pipeline changed, before the first frame that it holds for is written."""
        if isinstance(change, Change):
            self.tap.event("parameter", change.frame, node=change.node, param=change.param, value=change.value)
        else:
            self.tap.event("structure", change.frame, pipeline=dumps(change.pipeline))

    def finish(self) -> None:
        """Say that everything that was processed is recorded."""
        if self._processes:
            self.tap.finish(self._processed, self._last)

    def close(self) -> None:
        """The same, and close the recording."""
        self.finish()
        self._recording.close()
