"""The engine's thread of a live run: batches of the ring through the engine, changes between them.

Where a GPU fails and the user left the choice, the processor takes over here. What was computed since the last copy of
the engine's state is out of the ring and cannot be computed again, so stages go on from that copy as if these frames
had never been; trackers, which have seen them, go on with their tracks. Batches that were under way are computed anew.
A recorder is given the state with which the processor begins, so that a replay does the same.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from kernels.param import Value
from pipelines.frame import FrameBatch
from pipelines.graph import Pipeline, Ref
from pipelines.streaming.common.buffer_pool import BufferPool
from pipelines.streaming.common.changes import Changes, Structure
from pipelines.streaming.engine.building import Built, in_place_of, may_fall_back, on_processor, set_live
from pipelines.streaming.engine.checkpoint import CheckpointTap, StateTap, engine_state
from pipelines.streaming.engine.peek import Peeking
from pipelines.streaming.engine.pending import Pending
from pipelines.streaming.engine.rescue import GpuFailed, Rescue, go_on_counting, let_go, remembers
from pipelines.streaming.engine.restructuring import Restructuring
from pipelines.streaming.engine.settings import is_tracker
from pipelines.streaming.engine.tracking import PICTURE, at_hand, named_taps
from pipelines.streaming.live import taps
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.worker import Shared, Work
from pipelines.trackers.lying_images import Here, LyingImages
from pipelines.writing import dumps

CLOSED = 0.1
"""Seconds between two looks at whether a run is over that waits for its trackers."""
SPACING = 2.0
"""Seconds between two copies of the state of a GPU: what stages may have to forget where it fails."""


class Told:
    """What is told: that frames are left out, what they belong to, and when the processor takes over from a GPU."""

    def goes_over(self, episode: Episode) -> None:
        """What is computed, changed and left out from now on is of another episode."""

    def gives_up(self, frames: npt.NDArray[np.int64]) -> None:
        """These, by rising numbers, would be too late."""

    def begins(self) -> None:
        """The engine for it is being built; no frame is processed meanwhile."""

    def ends(self, frame: int, note: str) -> None:
        """It computes from `frame` on; `note` says why, a sentence."""


@dataclass(frozen=True, slots=True)
class _Set:
    """What a batch is computed with: the pipeline as it is set, and the live parameters that the engine was given."""

    pipeline: Pipeline
    settings: Mapping[tuple[str, str], Value]


@dataclass(frozen=True, slots=True)
class _Part:
    """A batch under way."""

    batch: FrameBatch
    captured: npt.NDArray[np.float64]
    begin: float
    pending: Pending
    set: _Set

    @property
    def first(self) -> int:
        return int(self.batch.indices[0])


class EngineWork:
    """The work of the engine thread: batches of the ring through the engine, changes between them.

    On a device some batches are begun before the first is through (`Engine.submit`), as long as there are enough.

    Args:
        built: what the run begins with.
        peeking: what is looked at besides.
        episode: what it begins with. Its recorder is asked before every batch whether it wants the state, and given it,
            where it is a `CheckpointTap`; and that with which the processor takes over, where it is a `StateTap`.
        listener: hears of it.
    """

    def __init__(
        self, built: Built, shared: Shared, changes: Changes, restructuring: Restructuring, peeking: Peeking,
        listener: Told | None = None,
    ) -> None:  # fmt: skip
        self.built, self.ring, self.out = built, shared.ring, shared.steps
        self.meter, self.length = shared.meter, shared.length
        self.peeking, self._listener = peeking, listener or Told()
        self._go_over(shared.episode)
        self._changes, self._restructuring = changes, restructuring
        self._names, self._set, self._rescue = self._named(), self._set_now(), Rescue(built.engine, SPACING)
        self._under_way: deque[_Part] = deque()
        self._lent: deque[threading.Event] = deque()
        self._ended, self._memory = 0.0, BufferPool()
        self.overflow: dict[str, int] = {}
        self.seconds: dict[str, float] = {}

    def run(self) -> None:
        """Until the ring is closed and empty."""
        try:
            while self._deliver_for(self.ring.waiting) and (taken := self._taken()):
                if isinstance(taken, Episode):
                    if not self._begin_anew(taken):
                        return
                    continue
                batch, slot = taken
                # Copied: the ring's slots may be written again before the batch is through.
                captured = self.ring.captured[slot : slot + len(batch)].copy()
                if not self._begin(batch, captured):
                    return
            self._account()
        finally:
            self.built.engine.abandon()

    def _go_over(self, episode: Episode) -> None:
        recorder = episode.recorder
        self._checkpoints = recorder if isinstance(recorder, CheckpointTap) else None
        self._states = recorder if isinstance(recorder, StateTap) else None

    def _begin_anew(self, episode: Episode) -> bool:
        """Have the next frame be the first that stages and trackers see; False if the run is over."""
        if not self._deliver(0):
            return False
        self._rescue.begin_again(self.built.engine)
        self._go_over(episode)
        self._listener.goes_over(episode)
        pipeline = self._restructuring.pipeline
        if episode.pipeline is not None and episode.pipeline != pipeline:  # it changed since the recorder was made
            episode.event(taps.STRUCTURE, 0, pipeline=dumps(pipeline))
        if not self.out.put(episode):
            return False
        try:
            self.built.engine.reset()
        except InputError as error:
            return self._take_over(error, 0)
        return True

    def _taken(self) -> tuple[FrameBatch, int] | Episode | None:
        """The next batch, without the frames for which it is too late; or what begins with the next one."""
        if self.length.too_old < math.inf:
            # Before a batch is taken: what is already too late would only delay the rest.
            late = self.ring.give_up(time.perf_counter() - self.length.too_old)
            if len(late):
                self._listener.gives_up(late)
        return self.ring.batch(self.length.wanted, self.length.patience)

    def _begin(self, batch: FrameBatch, captured: npt.NDArray[np.float64]) -> bool:
        """Begin a batch, in parts where changes hold from a frame inside; False if the run is over."""
        start = 0
        while start < len(batch):
            first = int(batch.indices[start])
            if not (self._apply(first) and self._checkpoint(first) and self._keep_copy(first)):
                return False
            limit = self._limit(first)
            # In parts: a change, or a checkpoint, holds from a frame inside the batch on.
            end = len(batch) if limit is None else int(np.searchsorted(batch.indices, limit))
            part = batch
            if end - start < len(batch):
                part = FrameBatch(batch.indices[start:end], batch.times[start:end], batch.pixels[start:end])
            begin = time.perf_counter()
            self.meter.latency("ring", begin - captured[start:end])
            if not self._looked_at():
                return False
            self._submit(part, captured[start:end], begin)
            # As many as the device works ahead stay under way.
            if not self._deliver(self.built.engine.ahead):
                return False
            start = end
        return True

    def _limit(self, first: int) -> int | None:
        """The first frame behind `first` before which a batch has to end, or None."""
        change = self._changes.boundary(first)
        point = None if self._checkpoints is None else self._checkpoints.next_checkpoint(first)
        return point if change is None else change if point is None else min(change, point)

    def _deliver_for(self, waiting: int) -> bool:
        """Finish what is under way while there is nothing else to do; False if the run is over."""
        return waiting >= self.length.wanted or self._deliver(0)

    def _looked_at(self) -> bool:
        """Wait until trackers have looked at what is on a device, where the next batch may need the memory; False if
        the run is over."""
        while self._lent:
            if self._lent[0].wait(CLOSED):
                self._lent.popleft()
            elif self.out.closed:
                return False
        return True

    def _submit(self, batch: FrameBatch, captured: npt.NDArray[np.float64], begin: float) -> None:
        self.peeking.attend(self.built.engine)
        self._under_way.append(_Part(batch, captured, begin, self.built.engine.submit(batch), self._set))

    def _deliver(self, but: int) -> bool:
        """Hand on the results of all batches under way `but` the last ones; False if the run is over."""
        while len(self._under_way) > but:
            part = self._under_way[0]
            try:
                made = part.pending.result()
            except InputError as error:
                if not self._take_over(error, part.first):
                    return False
                continue
            self._under_way.popleft()
            tapped = self._own(made)
            ended = time.perf_counter()
            self.meter.latency("engine", np.full(len(part.batch), ended - part.begin))
            self.meter.count("engine", len(part.batch))
            self.meter.batch = self.length.wanted
            # Batches overlap on a device: only the time since the last one ended counts as this one's.
            busy = ended - max(part.begin, self._ended)
            self._ended = ended
            self.meter.held("engine", busy)
            peeked = part.pending.peeked
            lent = threading.Event() if any(isinstance(data, LyingImages) for data in tapped.values()) else None
            if lent is not None:
                self._lent.append(lent)
            names = at_hand(self._names, tapped)
            # A full queue makes the engine wait: back pressure from trackers and sinks.
            if not self.out.put(Work(part.batch, tapped, names, part.captured, part.begin, busy, ended, peeked, lent)):
                return False
        return True

    def _take_over(self, error: InputError, first: int) -> bool:
        """Have the processor compute from frame `first` on; False if the run is over.

        Raises:
            InputError: no GPU failed, or the user has named it.
        """
        lost = self.built
        if not may_fall_back(lost.choice):
            raise error
        self._listener.begins()
        lost.engine.abandon()
        copy, now = self._rescue.copy_of(lost.engine), self._set
        # Batches under way have no results: they are computed anew, each with the settings that it was begun with.
        again = [(part.batch, part.captured, part.set) for part in self._under_way]
        self._under_way.clear()
        order, begin_with = self._restructuring.order, again[0][2] if again else now
        # The state has the form of its groups: the processor takes the same. Without memory, groups are chosen for it.
        if remembers(copy.state):
            assert copy.state is not None
            self.built = in_place_of(lost, order, error, first)
            self.built.engine.restore(copy.state)
            gone = "" if copy.frame == first else f", its stages without memory of frames {copy.frame} to {first - 1}"
            note = f"{self.built.note}; the processor computes from frame {first} on{gone}"
        else:
            self.built = on_processor(lost.pipeline, order, lost.choice, error, first)
            note = f"{self.built.note}; the processor computes from frame {first} on, without memory of those before"
        go_on_counting(self.built.engine, lost.engine)
        self._rescue.begin_again(self.built.engine)
        let_go(lost.engine, error)
        self._listener.ends(first, note)
        if not self._record_state(first, begin_with.pipeline):
            return False
        for batch, captured, with_ in again:
            self._set_engine(with_)
            self._submit(batch, captured, time.perf_counter())
        self._set_engine(now)
        return True

    def _set_engine(self, wanted: _Set) -> None:
        """Give the engine the live parameters of a batch."""
        self._set = wanted
        for (node, name), value in wanted.settings.items():
            self.built.engine.set_param(node, name, value)

    def _record_state(self, frame: int, pipeline: Pipeline) -> bool:
        """Give the recorder the state before `frame`; False if the run is over."""
        tap = self._states
        if tap is None:
            return True
        # The trackers are behind by what lies in the queue: the state is completed when they get there.
        made = engine_state(frame, pipeline, self.built.engine)
        return self.out.put(lambda tracking: tap.taken_over(made.with_trackers(tracking)))

    def _own(self, made: Mapping[Ref, Any]) -> dict[Ref, Any]:
        """What sinks and trackers may keep: copies, where outputs are the ring's memory itself, one for all names that
        the same pixels have."""
        copies: dict[int, npt.NDArray[Any]] = {}
        own = dict(made)
        for ref, value in made.items():
            data = value.here if isinstance(value, LyingImages) else value
            # Whatever is no view of the ring is the result's own already.
            if not isinstance(data, np.ndarray) or not np.may_share_memory(data, self.ring.pixels):
                continue
            where = int(data.ctypes.data)  # values of a batch that lie there are all of its frames
            if where not in copies:
                copies[where] = self._memory(data.shape, data.dtype)
                np.copyto(copies[where], data)
            own[ref] = LyingImages(value.batch, here=Here(copies[where])) if value is not data else copies[where]
        return own

    def _apply(self, frame: int) -> bool:
        """Make the changes that hold from `frame` on; False if the run is over."""
        for change in self._changes.take(frame):
            if isinstance(change, Structure):
                # All batches of the old pipeline are through before the trackers go over: steps stay in order.
                if not self._deliver(0):
                    return False
                self._account()
                self.built = self._restructuring.ready(change.pipeline)
                self._names = self._named()
                self._rescue.begin_again(self.built.engine)
                bound = self.built.bound
                if not self.out.put(lambda tracking, bound=bound: tracking.go_over(bound)):  # type: ignore[misc]
                    return False
            elif is_tracker(self.built.pipeline, change.node):
                if not self._deliver(0) or not self.out.put(lambda t, c=change: t.set_param(c.node, c.param, c.value)):  # type: ignore[misc]
                    return False
            else:
                set_live(self.built.engine, change)
            self._restructuring.applied(change)
            self._set = self._set_now()
            self._changes.applied(change)
        return True

    def _checkpoint(self, frame: int) -> bool:
        """Keep the state before `frame` where it is wanted; False if the run is over."""
        tap = self._checkpoints
        if tap is None or not tap.wants_checkpoint(frame):
            return True
        if not self._deliver(0):
            return False
        try:
            made = engine_state(frame, self._restructuring.pipeline, self.built.engine)
        except InputError as error:
            if not self._take_over(error, frame):
                return False
            made = engine_state(frame, self._restructuring.pipeline, self.built.engine)
        self._rescue.have(self.built.engine, frame, made.engine)
        return self.out.put(lambda tracking: tap.checkpoint(made.with_trackers(tracking)))

    def _keep_copy(self, frame: int) -> bool:
        """Keep a copy of the state before `frame` where a GPU may fail; False if the run is over."""
        if not (self._rescue.due and may_fall_back(self.built.choice)):
            return True
        if not self._deliver(0):
            return False
        if not may_fall_back(self.built.choice):  # by now
            return True
        try:
            self._rescue.keep(self.built.engine, frame)
        except GpuFailed as failed:
            return self._take_over(failed.error, frame)
        return True

    def _set_now(self) -> _Set:
        return _Set(self._restructuring.pipeline, dict(self.built.engine.settings))

    def _named(self) -> dict[str, Ref]:
        return named_taps(self.built.bound, PICTURE if self._restructuring.order.pictures else "")

    def _account(self) -> None:
        """Add up what the engine counted."""
        engine = self.built.engine
        for mine, its in ((self.overflow, engine.overflow), (self.seconds, engine.seconds)):
            for key, value in its.items():
                mine[key] = mine.get(key, 0) + value  # type: ignore[assignment]
