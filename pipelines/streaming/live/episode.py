"""A part of a live run whose frames count from 0: with a ledger and a recorder of its own."""

from __future__ import annotations

import threading

from pipelines.graph import Pipeline
from pipelines.streaming.live import taps
from pipelines.streaming.live.ledger import LiveLedger
from pipelines.streaming.live.taps import FrameTap


class Episode:
    """See the module. Every run begins with one; `LiveRunner.begin_anew` begins another.

    Args:
        recorder: given every frame of it; None for no recorder.
        pipeline: what the recorder takes its first frame to be processed with; None where it knows.
        asked: when it was asked for, ns since 1970; None where it was not asked for.

    Attributes:
        ledger: of its frames.
        came_before: frames that came after `asked` and before its first (counted over the last `capture.RECENT`).
        first_time: when its first frame came, ns since 1970; None before.
        ended: set once each of its frames is accounted for, and the recorder was given all there is to record.
    """

    def __init__(
        self, recorder: FrameTap | None = None, pipeline: Pipeline | None = None, asked: int | None = None
    ) -> None:
        self.recorder, self.pipeline, self.asked = recorder, pipeline, asked
        self.ledger = LiveLedger()
        self.came_before = 0
        self.first_time: int | None = None
        self.ended = threading.Event()

    @property
    def delay(self) -> float | None:
        """Seconds from `asked` to the first frame; None where it was not asked for, or none came."""
        if self.asked is None or self.first_time is None:
            return None
        return max(0, self.first_time - self.asked) / 1e9

    def event(self, kind: str, frame: int | None, **facts: object) -> None:
        """Tell the recorder, if there is one."""
        if self.recorder is not None:
            self.recorder.event(kind, frame, **facts)

    def end(self) -> None:
        """Settle the ledger: frames that are still in flight are left out, and named.

        Raises:
            AssertionError: a frame was counted twice or never.
        """
        if self.ended.is_set():
            return
        try:
            for left in self.ledger.finish():
                self.event(taps.UNPROCESSED, left.first, first=left.first, last=left.last, reason=left.reason)
            self.ledger.check(ended=True)
        finally:
            self.ended.set()
