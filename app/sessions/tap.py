"""Between a live run and the session that records it: frames, events, tracks and triggers."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from app.keypoints import Keypoints, keypoint_facts, keypoints_of
from app.new_keypoints import NewKeypoints
from app.sessions import events
from app.sessions.changed import change_facts, structure_facts
from app.sessions.recording import Recording
from app.sessions.triggers import Condition
from pipelines.features import Tracks
from pipelines.frame import Pixels
from pipelines.streaming.engine.checkpoint import Checkpoint
from pipelines.streaming.engine.tracking import Tracking

MOST_FIRED = 1000
"""Triggers that are kept until they are asked for."""
COUNT_EVERY = 0.5
"""Seconds between two events that say how far processing is."""
TOO_LONG = "a change of the pipeline was too long to be recorded; no replay can follow it"


class SessionTap:
    """Records what a live run takes, names and tracks (see `pipelines.streaming.live.capture.FrameTap`).

    Args:
        recording: the session.
        conditions: what triggers a recording that waits for a trigger.
        after: frames to record from a trigger on; None until the end.

    Attributes:
        trackers: gives the run's trackers, whose key points are recorded, so that tracks of the session have names.
        arrived: called with what came with frames (ARRIVAL), in the thread that takes them; None for none.
        triggers: how many there were.
        fired: the newest of them that was not asked for yet: reason, frame, its time in s (of a frame that is still
            to come that of the last one, NaN before the first); taken from its left.
    """

    def __init__(
        self, recording: Recording, *, conditions: Sequence[Condition] = (), after: int | None = None
    ) -> None:
        self.recording = recording
        self._conditions, self._after = conditions, after
        self.trackers: Callable[[], Tracking | None] = lambda: None
        self._new, self._keypoints = NewKeypoints(), Keypoints()
        self.triggers = 0
        self.fired: deque[tuple[str, int, float]] = deque(maxlen=MOST_FIRED)
        self.arrived: Callable[[npt.NDArray[Any]], object] | None = None
        self._last_time = math.nan
        self._lock = threading.Lock()
        self._count_due = 0.0

    def frame(self, pixels: Pixels, camera_id: int, camera_time: int, host_time: int, time_s: float) -> bool:
        """One frame; False if it was dropped (counted and named)."""
        self._last_time = time_s
        return self.recording.put(
            pixels, camera_id=camera_id, camera_time=camera_time, host_time=host_time, time_s=time_s
        )

    def frames(self, pixels: Pixels, arrivals: npt.NDArray[Any], times: npt.NDArray[np.float64]) -> int:
        """Consecutive frames; how many were kept."""
        self._last_time = float(times[-1]) if len(times) else self._last_time
        if self.arrived is not None:
            self.arrived(arrivals)
        return self.recording.put_many(pixels, arrivals, times)

    def event(self, kind: str, frame: int | None, **facts: Any) -> None:
        """Something happened; the recording itself names jumps of the camera's numbers."""
        if kind == events.GAP:
            return
        if kind == events.PARAMETER:
            facts = {**facts, **change_facts(facts.get("value"))}
        elif kind == events.PIPELINE:
            facts = structure_facts(str(facts.get("pipeline", "")))
        try:
            self.recording.event(kind, frame, **facts)
        except ValueError:  # the run goes on, and a replay reports it
            self.recording.event(events.NOTE, frame, text=TOO_LONG)

    def tracks(self, rows: Tracks) -> None:
        """The rows of a batch; what they trigger is asked for frame by frame."""
        self.recording.tracks(rows)
        self._name(rows)
        if not self._conditions:
            return
        # Rows come frame by frame: a split at each first row.
        frames, starts = np.unique(rows["frame"], return_index=True)
        for frame, part in zip(frames.tolist(), np.split(rows, starts[1:]), strict=True):
            for condition in self._conditions:
                reason = condition.look(part)
                if reason is not None:
                    self.trigger(reason, frame, float(part["time"][0]))

    def _name(self, rows: Tracks) -> None:
        """Say which key points new tracks are, in the thread of the trackers."""
        trackers = self.trackers()
        if trackers is None or not (tables := self._new.tables_of(trackers, rows)):
            return
        found = keypoints_of(tables)
        for facts in keypoint_facts(found, self._keypoints):
            self.event(events.KEYPOINTS, int(rows["frame"][-1]), **facts)
        self._keypoints = found

    def wants_checkpoint(self, frame: int) -> bool:
        """See `pipelines.streaming.engine.checkpoint.CheckpointTap`."""
        return self.recording.wants_checkpoint(frame)

    def next_checkpoint(self, frame: int) -> int | None:
        """See `pipelines.streaming.engine.checkpoint.CheckpointTap`."""
        return self.recording.next_checkpoint(frame)

    def checkpoint(self, made: Checkpoint) -> None:
        """Keep a state of the run for a trigger, or record it behind a loss."""
        self.recording.checkpoint(made)

    def taken_over(self, made: Checkpoint) -> None:
        """See `pipelines.streaming.engine.checkpoint.StateTap`."""
        self.recording.taken_over(made)

    def trigger(self, reason: str, frame: int | None = None, time_s: float | None = None) -> None:
        """Ask for recording, from any thread; `frame` is None for the next one, `time_s` its time if that is known."""
        at = self.recording.trigger(reason, frame=frame, after=self._after)
        with self._lock:
            self.triggers += 1
            self.fired.append((reason, at, self._last_time if time_s is None else time_s))

    def count(self, processed: int, last: int) -> None:
        """Say now and then how far processing is, for a ledger that could not be finished.

        Args:
            processed: frames that are through.
            last: the last of them.
        """
        now = time.monotonic()
        if now >= self._count_due and last >= 0:
            self._count_due = now + COUNT_EVERY
            self.recording.event(events.PROCESSED, last, count=processed)

    def finish(self, processed: int, last: int, facts: Mapping[str, Any] | None = None) -> None:
        """Say that all tracks are recorded: the last word on processing."""
        self.recording.event(events.PROCESSED, max(0, last), count=processed, complete=True, facts=facts or {})
