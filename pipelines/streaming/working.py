"""What the threads of a live run do behind the engine (`pipelines.streaming.computing`): the trackers, the sinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import Tracks, join_tracks
from pipelines.frame import FrameBatch, Pixels, Result, Sink
from pipelines.graph import Ref
from pipelines.streaming.batching import BatchLength
from pipelines.streaming.handover import HandOver
from pipelines.streaming.live_ledger import LiveLedger
from pipelines.streaming.mailbox import Mailbox
from pipelines.streaming.meter import Meter
from pipelines.streaming.ring import Ring
from pipelines.streaming.taps import FrameTap
from pipelines.streaming.tracking import Tracking, results_of

BATCHES = 4
"""Batches that wait between two threads, at most."""


@dataclass(frozen=True)
class Latest:
    """What a window shows.

    Args:
        result: of the newest frame, with its picture where pictures were asked for.
        rows: the trackers' rows of the whole batch that it ended.
    """

    result: Result
    rows: Tracks


@dataclass(frozen=True, slots=True)
class Work:
    """A batch between the engine and the trackers.

    Args:
        batch: views of the ring.
        tapped: what the engine made of it.
        names: which of that results carry.
        captured: when each frame was (seconds of `time.perf_counter`).
        taken: when it was taken out of the ring.
        seconds: that it held the engine up; `ended` is when it was through.
        peeked: a picture of the last frame that was asked for besides, and what it is of.
    """

    batch: FrameBatch
    tapped: Mapping[Ref, Any]
    names: Mapping[str, Ref]
    captured: npt.NDArray[np.float64]
    taken: float
    seconds: float
    ended: float
    peeked: tuple[str, Pixels] | None = None


Step = Work | Callable[[Tracking], None]
"""A batch, or a change of the trackers that holds from the next batch on."""


class Lease:
    """Slots of the ring that several threads need; the last to be done gives them back."""

    def __init__(self, ring: Ring, frames: int, holders: int) -> None:
        self._ring, self._frames, self._left = ring, frames, holders
        self._lock = threading.Lock()

    def done(self) -> None:
        """One no longer needs them."""
        with self._lock:
            self._left -= 1
            last = self._left == 0
        if last:
            self._ring.release(self._frames)


class SinkWork:
    """The work of one sink's thread.

    Args:
        name: of the thread and of the queue.
    """

    def __init__(self, name: str, sink: Sink, meter: Meter) -> None:
        self.name, self.sink, self._meter = name, sink, meter
        self.queue: HandOver[tuple[FrameBatch, Sequence[Result], Lease, float]] = HandOver(BATCHES)
        self.seconds = 0.0

    def run(self) -> None:
        """Until the queue is closed and empty."""
        while (item := self.queue.get()) is not None:
            batch, results, lease, since = item
            begin = time.perf_counter()
            self.sink.write(batch, results)
            end = time.perf_counter()
            lease.done()
            self.seconds += end - begin
            self._meter.latency(self.name, np.full(len(batch), end - since))


class TrackWork:
    """The work of the tracking thread: the trackers frame by frame, then the recorder, the sinks and the mailbox."""

    def __init__(
        self, tracking: Tracking, queue: HandOver[Step], ring: Ring, ledger: LiveLedger, meter: Meter,
        length: BatchLength, sinks: Sequence[SinkWork], mailbox: Mailbox[Latest], tap: FrameTap | None,
    ) -> None:  # fmt: skip
        self.tracking, self.queue, self.ring, self.ledger, self.meter = tracking, queue, ring, ledger, meter
        self.length, self.sinks, self.mailbox, self.tap = length, sinks, mailbox, tap
        self.seconds = self._waited = 0.0

    def run(self) -> None:
        """Until the queue is closed and empty, or a sink has failed."""
        while (item := self.queue.get()) is not None:
            if isinstance(item, Work):
                if not self._track(item):
                    return
            else:
                item(self.tracking)

    def _track(self, work: Work) -> bool:
        begin = time.perf_counter()
        batch = work.batch
        tracks = self.tracking.follow(batch, work.tapped)
        rows = join_tracks(tracks)
        self.ledger.process(batch.indices)
        now = time.perf_counter()
        self.seconds += now - begin
        self.meter.held("track", now - begin)
        self.meter.latency("track", np.full(len(batch), now - work.ended))
        self.meter.latency("total", now - work.captured)
        self.meter.count("track", len(batch))
        self.meter.depth("track", len(self.queue), BATCHES)
        self.length.done(len(batch), max(work.seconds, now - begin + self._waited), self.ring.waiting,
                         now - float(work.captured[0]), now - work.taken)  # fmt: skip
        self.ring.limit = self.length.limit
        if self.tap is not None and len(rows):
            self.tap.tracks(rows)
        lease = Lease(self.ring, len(batch), 1 + len(self.sinks))
        go_on = self._hand_on(work, tracks, rows, lease)
        lease.done()
        self._waited = time.perf_counter() - now
        self.meter.held("track", self._waited)
        return go_on

    def _hand_on(self, work: Work, tracks: Sequence[Tracks], rows: Tracks, lease: Lease) -> bool:
        """To the sinks, which wait for room, and to the mailbox."""
        last = {ref: data[-1:] for ref, data in work.tapped.items()}
        batch = work.batch
        end = FrameBatch(batch.indices[-1:], batch.times[-1:], batch.pixels[-1:])
        if self.sinks:
            results = results_of(batch, work.tapped, tracks, work.names)
            for sink in self.sinks:
                if not sink.queue.put((batch, results, lease, time.perf_counter())):
                    return False
                self.meter.depth(sink.name, len(sink.queue), BATCHES)
            newest = results[-1]
        else:
            newest = results_of(end, last, tracks[-1:], work.names)[0]
        if work.peeked is not None:
            newest = replace(newest, taps={**newest.taps, work.peeked[0]: work.peeked[1]})
        self.mailbox.put(Latest(newest, rows))
        return True
