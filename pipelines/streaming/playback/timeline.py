"""The one history of a clip's processing: which state holds before each frame, with every change at its frame.

Whatever the way to a frame, what is computed for it is what a run from the first frame on computes: to go back, a
snapshot before the frame is restored, and the frames between are computed again with the changes of their time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernels.errors import FusetrackError, InputError
from pipelines.frame import FrameBatch, FrameSource, Pixels, Result
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine.building import Built, Order
from pipelines.streaming.engine.peek import Peeking
from pipelines.streaming.engine.rescue import GpuFailed
from pipelines.streaming.engine.restructuring import build_checked
from pipelines.streaming.engine.settings import after, checked, is_tracker, resolved
from pipelines.streaming.engine.tracking import PICTURE, Tracking, at_hand, named_taps, results_with_bad
from pipelines.streaming.playback.engines import Engines
from pipelines.streaming.playback.fetching import Fetcher
from pipelines.streaming.playback.snapshots import Snapshot, Snapshots


@dataclass(frozen=True, slots=True)
class Done:
    """What was just processed: frames `first` to `end` - 1, those that could not be read with the reasons."""

    first: int
    end: int
    batch: FrameBatch
    results: Sequence[Result]
    bad: Sequence[tuple[int, str]]

    def last(self) -> Done:
        """The last frame that has a result, alone."""
        index, batch = self.results[-1].index, self.batch
        at = slice(*np.searchsorted(batch.indices, [index, index + 1]).tolist())
        one = FrameBatch(batch.indices[at], batch.times[at], batch.pixels[at])
        return Done(index, index + 1, one, self.results[-1:], [bad for bad in self.bad if bad[0] == index])


@dataclass(frozen=True)
class _Entry:
    """A change; of the pipeline: with the number of its engine."""

    change: AnyChange
    engine: int = -1


class Timeline:
    """One clip, processed in any order of frames; for one thread.

    Args:
        source: the clip.
        order: how pipelines are built.
        pipeline: what holds from the first frame on.
        frames: first frame and one past the last.
        batch: frames a batch, at most.
        changes: with the frames from which on they hold.
        left_out: ranges (first, last) of frames that are not processed.
        snapshots: where snapshots are kept.
        note: called with a sentence where an output cannot be shown, or the processor takes over from a GPU.

    Attributes:
        next: the frame that is processed next.
        peeking: which output is shown besides.
        mixed: whether the state is partly of values that held before a `hold`. No snapshot is taken of it, and its
            tracks have other ids than those that are found from the first frame on.
    """

    def __init__(
        self, source: FrameSource, order: Order, pipeline: Pipeline, *, frames: tuple[int, int], batch: int,
        changes: Sequence[AnyChange] = (), left_out: Sequence[tuple[int, int]] = (), snapshots: Snapshots,
        note: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self.source, self.order, self.pipeline, self.snapshots = source, order, pipeline, snapshots
        self.first, self.end = frames
        self._numbers = 0
        # Sorted by frame; `_applied` counts those that the state has in it.
        self._log = [self._entry(change) for change in resolved(pipeline, changes)]
        tell = note or (lambda _: None)
        self._engines, self._applied = Engines(build_checked(pipeline, order), order, tell), 0
        self.batch = max(1, min(batch, self.built.most))
        self.fetcher = Fetcher(source, self.end, self.batch, left_out)
        offset = (order.roi[0], order.roi[1]) if order.roi else (0, 0)
        self.tracking = Tracking(self.built.bound, source.info.time.fps, offset)
        self.next = self.first
        self.peeking = Peeking(tell, every=0.0)
        self._peeked: Mapping[str, Pixels] = {}
        self._anchor: tuple[int, Snapshot] | None = None
        self._at_anchor = False
        self.mixed = False

    def _entry(self, change: AnyChange) -> _Entry:
        if isinstance(change, Structure):
            self._numbers += 1
            return _Entry(change, self._numbers)
        return _Entry(change)

    @property
    def built(self) -> Built:
        """The engine that runs."""
        return self._engines.built

    @property
    def changes(self) -> tuple[AnyChange, ...]:
        """All changes, by frame."""
        return tuple(entry.change for entry in list(self._log))

    def pipeline_at(self, frame: int) -> Pipeline:
        """What `frame` is processed with, every parameter included."""
        pipeline = self.pipeline
        for change in self.changes:
            if change.frame > frame:
                break
            pipeline = after(pipeline, change)
        return pipeline

    def process(self, limit: int, ahead: bool = False) -> Done | None:
        """The next frames: a batch, or fewer before `limit`, a change or a snapshot.

        Args:
            limit: a frame after `next`; it is not processed.
            ahead: whether the frames after these will be asked for soon.

        Returns:
            None where a GPU failed and the processor took over: `next` may lie further back then.
        """
        frame = self.next
        try:
            # Before the changes of this frame are made: a snapshot knows how many were (`applied`), and makes the rest
            # when it is restored.
            if not self.mixed and self.snapshots.wants(frame):
                self.snapshots.put(frame, self._snapshot())
            self._apply(frame)
            return self._process(frame, limit, ahead)
        except GpuFailed as failed:
            self._recover(failed)
            return None

    def _process(self, frame: int, limit: int, ahead: bool) -> Done:
        # A batch ends where the caller wants to stop, where a snapshot is due, and before the frame of the next change:
        # within a batch all frames have the same parameters.
        stops = [limit, self.end, self.snapshots.next_after(frame), self._boundary()]
        chunk = self.fetcher.next(frame, min(stop for stop in stops if stop is not None), ahead)
        batch = chunk.batch
        tapped = self._step(batch) if len(batch) else {}
        peeked = self._peeked
        names = at_hand(named_taps(self.built.bound, PICTURE if self.order.pictures else ""), tapped)
        results = results_with_bad(batch, tapped, [index for index, _ in chunk.bad], self.source.info.time.time,
                                   self.tracking, names)  # fmt: skip
        if peeked and results and results[-1].index == batch.indices[-1]:
            newest = results[-1]
            results = [*results[:-1], replace(newest, taps={**newest.taps, **peeked})]
        self.next, self._at_anchor = chunk.end, False
        return Done(chunk.first, chunk.end, batch, results, chunk.bad)

    def _step(self, batch: FrameBatch) -> Any:
        self._peeked = {}
        self.peeking.attend(self.built.engine)
        made, pending = self._engines.step(batch)
        self._peeked = pending.peeked
        return made

    def _recover(self, failed: GpuFailed) -> None:
        """Have the processor take over, and go back to the last state that is known."""
        self._engines.replace(failed)
        # After a `hold` the state before the anchor is the nearest; else the last snapshot before `next`.
        if self._anchor is not None and self._at_anchor:
            self._restore(self._anchor[1])
        elif len(self.snapshots):
            at, snapshot = self.snapshots.before(self.next)
            self._restore(snapshot)
            self.next, self.mixed = at, False
        # Without any nothing was processed: the first-frame state is that before `next`.

    def go_back(self, frame: int) -> None:
        """Make `next` a frame that is not after `frame`, the nearest that can be had at once."""
        at, snapshot = self.snapshots.before(frame) if len(self.snapshots) else (self.first, None)
        # Already between the snapshot and the frame: going on is as near.
        if at <= self.next <= frame or snapshot is None:
            return
        self._restore(snapshot)
        self.next, self.mixed, self._at_anchor = at, False, False

    def insert(self, change: AnyChange, built: Built | None = None) -> list[str]:
        """Have a change from its frame on; what is known of later frames is forgotten.

        A later change of the same parameter holds from its own frame on.

        Args:
            change: checked against `pipeline_at` its frame.
            built: the engine of a `Structure`, where it is compiled already.

        Returns:
            Sentences about later changes that no longer fit, and were given up.
        """
        entry = self._entry(change)
        if built is not None:
            self._engines.add(entry.engine, built)
        # Behind those of the same frame, which were made before it. Every later change is then checked against the
        # pipeline as it has become: it may speak of a node that is gone.
        at = bisect_right([e.change.frame for e in self._log], change.frame)
        log = [*self._log[:at], entry]
        pipeline = self.pipeline
        # The pipeline as it is from that frame on, with the changes before it.
        for one in log:
            pipeline = after(pipeline, one.change)
        notes = []
        for one in self._log[at:]:
            try:
                if isinstance(one.change, Change) and isinstance(
                    checked(pipeline, one.change.node, one.change.param, one.change.value), Structure
                ):
                    raise InputError(f"{one.change.node}.{one.change.param} changes the code there")
                pipeline = after(pipeline, one.change)
                log.append(one)
            except FusetrackError as error:
                notes.append(f"the change at frame {one.change.frame} is given up: {error}")
        self.snapshots.forget_after(change.frame)
        # What was processed from that frame on is of other parameters: go back to before it.
        if self.next > change.frame:
            self.go_back(change.frame)
        self._log = log
        return notes

    def hold(self, change: AnyChange, built: Built | None, frame: int | None) -> None:
        """Have a change for the whole clip, as somebody wants who looks for good values: what was processed before goes
        on as it is, and whatever is processed again is processed with the new value from the first frame on.

        Args:
            change: checked against the newest pipeline; its frame does not matter.
            built: the engine of a `Structure`.
            frame: if given, `next` becomes this frame, with the state that holds before it: no state that a stage or a
                tracker has is older than the last seek, so that a slider answers at once.
        """
        if frame is not None:
            self._to_anchor(frame)
        for entry in self._log[self._applied :]:  # what was still to come holds from now on, too
            self._make(entry.change, entry.engine)
        if isinstance(change, Structure):
            self._numbers += 1
            assert built is not None
            self._engines.add(self._numbers, built)
        # Where the change begins trackers anew, their ids begin anew, too: all rows of the values before are thrown
        # away.
        before = self.tracking.followers
        self._make(change, self._numbers)
        if self.tracking.followers is not before:  # no rows of other values are kept, so no id is taken
            self.tracking.count_anew()
        self.pipeline = after(self._newest, change)
        self._log, self._applied = [], 0
        self._anchor = None
        self.snapshots.clear()
        try:
            self.snapshots.put(self.first, self._beginning())
            # From here on the state comes from values of before and after the change.
            self.mixed = True
            if frame is not None:
                self._anchor, self._at_anchor = (frame, self._snapshot()), True
        except GpuFailed as failed:  # what the frames before left is lost with it
            self._recover(failed)
            if not len(self.snapshots):
                beginning = self._beginning()
                self.snapshots.put(self.first, beginning)
                self._restore(beginning)
                self.next, self.mixed = self.first, False

    @property
    def _newest(self) -> Pipeline:
        """With every change."""
        return self.pipeline_at(max((entry.change.frame for entry in self._log), default=self.first))

    def _to_anchor(self, frame: int) -> None:
        """Make `next` this frame, and remember the state before it."""
        # Again after a GPU failed on the way: `_recover` has gone back, and the frames before `frame` are processed
        # once more.
        while self._anchor is None or self._anchor[0] != frame:
            self.go_back(frame)
            while self.next < frame:
                self.process(frame, ahead=True)
            try:
                self._apply(frame)
                self._anchor = (frame, self._snapshot())
            except GpuFailed as failed:
                self._recover(failed)
        self._restore(self._anchor[1])
        self.next, self._at_anchor = frame, True

    def _beginning(self) -> Snapshot:
        """The state before the first frame, with everything as it is set now.

        Raises:
            GpuFailed: as `_snapshot`.
        """
        begun = self._engines.beginning(self.next)
        bound = bound_for(self.pipeline, self.source.info, self.order.roi)
        tracking = Tracking(bound, self.source.info.time.fps, self.tracking.offset)
        return Snapshot(self._engines.running, dict(self._engines.settings), begun, tracking.snapshot(), 0)

    def _apply(self, frame: int) -> None:
        """Make the changes that hold from `frame` on."""
        while self._applied < len(self._log) and self._log[self._applied].change.frame <= frame:
            entry = self._log[self._applied]
            self._applied += 1
            self._make(entry.change, entry.engine)

    def _make(self, change: AnyChange, engine: int) -> None:
        """Make a change now."""
        if isinstance(change, Structure):
            for number in self._engines.go_over(engine, change.pipeline, self.next):
                self.snapshots.forget_engine(number)
            self.tracking.go_over(self.built.bound)
        elif is_tracker(self.built.pipeline, change.node):
            self.tracking.set_param(change.node, change.param, change.value)
        else:
            self._engines.change(change)

    def _boundary(self) -> int | None:
        """Before which frame the next changes are to be made."""
        return self._log[self._applied].change.frame if self._applied < len(self._log) else None

    def _snapshot(self) -> Snapshot:
        """The state now.

        Raises:
            GpuFailed: a GPU has it and does not give it.
        """
        engines = self._engines
        state = engines.snapshot(self.next)
        return Snapshot(engines.running, dict(engines.settings), state, self.tracking.snapshot(), self._applied)

    def _restore(self, snapshot: Snapshot) -> None:
        self._engines.restore(snapshot.engine, snapshot.settings, snapshot.state, self.next)
        self._applied = snapshot.applied
        self.tracking.restore(snapshot.tracking)

    @property
    def overflow(self) -> dict[str, int]:
        """Rows that did not fit into a table, by node; of frames that were processed again, again."""
        return self._engines.overflow

    @property
    def seconds(self) -> dict[str, float]:
        """Time by group of stages."""
        return self._engines.seconds

    def close(self) -> None:
        """Stop reading."""
        self.fetcher.close()
