"""What the threads of a live run do behind the engine (`live.computing`): the trackers, the sinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from pipelines.features import Tracks, join_tracks
from pipelines.frame import FrameBatch, Pixels, Result, Sink
from pipelines.graph import Ref
from pipelines.measures import carrying
from pipelines.streaming.common.closable_queue import ClosableQueue
from pipelines.streaming.common.latest_slot import LatestSlot
from pipelines.streaming.common.meter import Meter
from pipelines.streaming.common.watched import Latest
from pipelines.streaming.engine.measuring import joined
from pipelines.streaming.engine.tracking import Tracking, results_of
from pipelines.streaming.live.batching import BatchLength
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.ring import Ring

BATCHES = 4
"""Batches that wait between two threads, at most."""


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
        peeked: pictures of the last frame that were asked for besides, by the names of outputs.
        tracked: set once the trackers have looked at it, where that has to be before the engine goes on: what it made
            stays on a device.
    """

    batch: FrameBatch
    tapped: Mapping[Ref, Any]
    names: Mapping[str, Ref]
    captured: npt.NDArray[np.float64]
    taken: float
    seconds: float
    ended: float
    peeked: Mapping[str, Pixels] = field(default_factory=dict)
    tracked: threading.Event | None = None


Step = Work | Episode | Callable[[Tracking], None]
"""A batch, an episode that begins with the next one, or a change of the trackers that holds from the next one on."""


@runtime_checkable
class EpisodeSink(Protocol):
    """A sink that is told of episodes."""

    def begin_anew(self) -> None:
        """The next frames are those of another episode, and count from 0."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What the threads of a live run share; each part does its own locking.

    Args:
        ring: the frames, from the capture thread to the engine's.
        steps: what the engine has done with them, to the trackers' thread.
        length: how many frames a batch has, adapted to the speed.
        meter: rates, latencies, depths of queues.
        episode: what the run begins with.
    """

    ring: Ring
    steps: ClosableQueue[Step]
    length: BatchLength
    meter: Meter
    episode: Episode


class Lease:
    """Slots of the ring that several threads need; the last to be done gives them back."""

    def __init__(self, ring: Ring, frames: int, holders: int) -> None:
        self._ring, self._frames, self._left = ring, frames, holders
        self._lock = threading.Lock()

    def done(self) -> None:
        """One no longer needs them."""
        # The last holder releases outside of the lock.
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
        self.queue: ClosableQueue[tuple[FrameBatch, Sequence[Result], Lease, float] | Episode] = ClosableQueue(BATCHES)
        self.seconds = 0.0

    def run(self) -> None:
        """Until the queue is closed and empty."""
        while (item := self.queue.get()) is not None:
            if isinstance(item, Episode):
                if isinstance(self.sink, EpisodeSink):
                    self.sink.begin_anew()
                continue
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
        self, tracking: Tracking, shared: Shared, sinks: Sequence[SinkWork], mailbox: LatestSlot[Latest]
    ) -> None:
        self.tracking, self.queue, self.ring, self.episode = tracking, shared.steps, shared.ring, shared.episode
        self.meter, self.length, self.sinks, self.mailbox = shared.meter, shared.length, sinks, mailbox
        self.seconds = self._waited = 0.0

    def run(self) -> None:
        """Until the queue is closed and empty, or a sink has failed."""
        while (item := self.queue.get()) is not None:
            if isinstance(item, Work):
                if not self._track(item):
                    return
            elif isinstance(item, Episode):
                if not self._begin_anew(item):
                    return
            else:
                item(self.tracking)

    def _begin_anew(self, episode: Episode) -> bool:
        """Begin the trackers anew; all rows of the episode before were handed on."""
        old = self.tracking
        # New trackers for the same pipeline: ids and tracks begin anew.
        self.tracking = Tracking(old.bound, old.fps, old.offset)
        self.tracking.measure_as(old)
        before, self.episode = self.episode, episode
        before.end()
        return all(sink.queue.put(episode) for sink in self.sinks)

    def _track(self, work: Work) -> bool:
        begin = time.perf_counter()
        batch = work.batch
        tracks = self.tracking.follow(batch, work.tapped)
        # The engine may use the device's memory again from here on.
        if work.tracked is not None:
            work.tracked.set()
        rows = join_tracks(tracks)
        self.episode.ledger.process(batch.indices)
        now = time.perf_counter()
        self.seconds += now - begin
        self.meter.held("track", now - begin)
        self.meter.latency("track", np.full(len(batch), now - work.ended))
        self.meter.latency("total", now - work.captured)
        self.meter.count("track", len(batch))
        self.meter.depth("track", len(self.queue), BATCHES)
        # The slowest thread sets the pace; that this one waits for its sinks counts as its own time.
        self.length.done(len(batch), max(work.seconds, now - begin + self._waited), self.ring.waiting,
                         now - float(work.captured[0]), now - work.taken)  # fmt: skip
        self.ring.limit = self.length.limit
        if self.episode.recorder is not None and len(rows):
            self.episode.recorder.tracks(self._carrying(rows))
        # One holder for this thread, one for each sink: slots are free when the slowest has written.
        lease = Lease(self.ring, len(batch), 1 + len(self.sinks))
        go_on = self._hand_on(work, tracks, rows, lease)
        lease.done()
        self._waited = time.perf_counter() - now
        self.meter.held("track", self._waited)
        return go_on

    def _carrying(self, rows: Tracks) -> Tracks:
        """The rows of a batch with what was measured of them."""
        fields = self.tracking.fields
        return carrying(rows, joined(self.tracking.measured, fields)) if fields else rows

    def _hand_on(self, work: Work, tracks: Sequence[Tracks], rows: Tracks, lease: Lease) -> bool:
        """To the sinks, which wait for room, and to the mailbox."""
        # A window shows the newest frame alone: without sinks the results of the others are not made.
        last = {ref: data[-1:] for ref, data in work.tapped.items()}
        batch = work.batch
        end = FrameBatch(batch.indices[-1:], batch.times[-1:], batch.pixels[-1:])
        if self.sinks:
            results = results_of(batch, work.tapped, tracks, work.names, self.tracking.measured)
            for sink in self.sinks:
                if not sink.queue.put((batch, results, lease, time.perf_counter())):
                    return False
                self.meter.depth(sink.name, len(sink.queue), BATCHES)
            newest = results[-1]
        else:
            newest = results_of(end, last, tracks[-1:], work.names)[0]
        if work.peeked:
            newest = replace(newest, taps={**newest.taps, **work.peeked})
        self.mailbox.put(Latest(newest, rows))
        return True
