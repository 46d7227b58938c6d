"""What the threads of a live run do: the engine, the trackers, the sinks."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import Tracks, join_tracks
from pipelines.frame import FrameBatch, Pixels, Result, Sink
from pipelines.graph import Ref
from pipelines.streaming.batching import BatchLength
from pipelines.streaming.building import Built, set_live
from pipelines.streaming.changes import Changes, Structure
from pipelines.streaming.checkpoint import CheckpointTap, engine_state
from pipelines.streaming.handover import HandOver
from pipelines.streaming.live_ledger import LiveLedger
from pipelines.streaming.mailbox import Mailbox
from pipelines.streaming.meter import Meter
from pipelines.streaming.peek import Peeking
from pipelines.streaming.pending import Pending
from pipelines.streaming.restructuring import Restructuring
from pipelines.streaming.ring import Ring
from pipelines.streaming.runner import PICTURE
from pipelines.streaming.settings import is_tracker
from pipelines.streaming.taps import FrameTap
from pipelines.streaming.tracking import Tracking, named_taps, results_of

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
        seconds: that it held the engine up; `ended` is when it was through.
        peeked: a picture of the last frame that was asked for besides, and what it is of.
    """

    batch: FrameBatch
    tapped: Mapping[Ref, Any]
    names: Mapping[str, Ref]
    captured: npt.NDArray[np.float64]
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


class EngineWork:
    """The work of the engine thread: batches of the ring through the engine, changes between them.

    On a device some batches are begun before the first is through (`Engine.submit`), as long as there are enough.

    Args:
        built: what the run begins with.
        peeking: what is looked at besides.
        checkpoints: asked before every batch whether it wants the state, and given it.
    """

    def __init__(
        self, built: Built, ring: Ring, changes: Changes, restructuring: Restructuring, out: HandOver[Step],
        meter: Meter, length: BatchLength, peeking: Peeking, checkpoints: CheckpointTap | None = None,
    ) -> None:  # fmt: skip
        self.built, self.ring, self.out, self.meter, self.length = built, ring, out, meter, length
        self.peeking, self._checkpoints = peeking, checkpoints
        self._changes, self._restructuring = changes, restructuring
        self._names = self._named()
        self._under_way: deque[tuple[FrameBatch, npt.NDArray[np.float64], float, Pending]] = deque()
        self._ended = 0.0
        self.overflow: dict[str, int] = {}
        self.seconds: dict[str, float] = {}

    def run(self) -> None:
        """Until the ring is closed and empty."""
        try:
            while self._deliver_for(self.ring.waiting) and (
                taken := self.ring.batch(self.length.wanted, self.length.patience)
            ):
                batch, slot = taken
                captured = self.ring.captured[slot : slot + len(batch)].copy()
                if not self._begin(batch, captured):
                    return
            self._account()
        finally:
            self.built.engine.abandon()

    def _begin(self, batch: FrameBatch, captured: npt.NDArray[np.float64]) -> bool:
        """Begin a batch, in parts where changes hold from a frame inside; False if the run is over."""
        start = 0
        while start < len(batch):
            first = int(batch.indices[start])
            if not self._apply(first) or not self._checkpoint(first):
                return False
            limit = self._changes.boundary(first)
            end = len(batch) if limit is None else int(np.searchsorted(batch.indices, limit))
            part = batch
            if end - start < len(batch):
                part = FrameBatch(batch.indices[start:end], batch.times[start:end], batch.pixels[start:end])
            begin = time.perf_counter()
            self.meter.latency("ring", begin - captured[start:end])
            self.peeking.attend(self.built.engine)
            self._under_way.append((part, captured[start:end], begin, self.built.engine.submit(part)))
            if not self._deliver(self.built.engine.ahead):
                return False
            start = end
        return True

    def _deliver_for(self, waiting: int) -> bool:
        """Finish what is under way while there is nothing else to do; False if the run is over."""
        return waiting >= self.length.wanted or self._deliver(0)

    def _deliver(self, but: int) -> bool:
        """Hand on the results of all batches under way `but` the last ones; False if the run is over."""
        while len(self._under_way) > but:
            part, captured, begin, pending = self._under_way.popleft()
            tapped = {ref: self._own(data) for ref, data in pending.result().items()}
            ended = time.perf_counter()
            self.meter.latency("engine", np.full(len(part), ended - begin))
            self.meter.count("engine", len(part))
            self.meter.batch = self.length.wanted
            busy = ended - max(begin, self._ended)
            self._ended = ended
            peeked = None if pending.peeked is None else (self.peeking.wanted, pending.peeked)
            if not self.out.put(Work(part, tapped, self._names, captured, busy, ended, peeked)):
                return False
        return True

    def _own(self, data: Any) -> Any:
        """What sinks and trackers may keep: a copy, where an output is the ring's memory itself."""
        return data.copy() if isinstance(data, np.ndarray) and np.may_share_memory(data, self.ring.pixels) else data

    def _apply(self, frame: int) -> bool:
        """Make the changes that hold from `frame` on; False if the run is over."""
        for change in self._changes.take(frame):
            if isinstance(change, Structure):
                if not self._deliver(0):
                    return False
                self._account()
                self.built = self._restructuring.ready(change.pipeline)
                self._names = self._named()
                bound = self.built.bound
                if not self.out.put(lambda tracking, bound=bound: tracking.go_over(bound)):  # type: ignore[misc]
                    return False
            elif is_tracker(self.built.pipeline, change.node):
                if not self._deliver(0) or not self.out.put(lambda t, c=change: t.set_param(c.node, c.param, c.value)):  # type: ignore[misc]
                    return False
            else:
                set_live(self.built.engine, change)
            self._restructuring.applied(change)
            self._changes.applied(change)
        return True

    def _checkpoint(self, frame: int) -> bool:
        """Keep the state before `frame` where somebody wants it; False if the run is over."""
        tap = self._checkpoints
        if tap is None or not tap.wants_checkpoint(frame):
            return True
        if not self._deliver(0):
            return False
        made = engine_state(frame, self._restructuring.pipeline, self.built.engine)
        return self.out.put(lambda tracking: tap.checkpoint(made.with_trackers(tracking)))

    def _named(self) -> dict[str, Ref]:
        return named_taps(self.built.bound, PICTURE if self._restructuring.order.pictures else "")

    def _account(self) -> None:
        """Add up what the engine counted."""
        engine = self.built.engine
        for mine, its in ((self.overflow, engine.overflow), (self.seconds, engine.seconds)):
            for key, value in its.items():
                mine[key] = mine.get(key, 0) + value  # type: ignore[assignment]


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
        self.meter.latency("track", np.full(len(batch), now - work.ended))
        self.meter.latency("total", now - work.captured)
        self.meter.count("track", len(batch))
        self.meter.depth("track", len(self.queue), BATCHES)
        self.length.done(len(batch), max(work.seconds, now - begin + self._waited), self.ring.waiting)
        self.ring.limit = self.length.limit
        if self.tap is not None and len(rows):
            self.tap.tracks(rows)
        lease = Lease(self.ring, len(batch), 1 + len(self.sinks))
        go_on = self._hand_on(work, tracks, rows, lease)
        lease.done()
        self._waited = time.perf_counter() - now
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
