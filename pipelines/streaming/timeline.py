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
from kernels.param import Value
from pipelines.frame import FrameBatch, FrameSource, Pixels, Result
from pipelines.graph import Pipeline
from pipelines.streaming.building import Built, Order, bound_for, may_fall_back, on_processor, set_live
from pipelines.streaming.changes import AnyChange, Change, Structure
from pipelines.streaming.fetching import Fetcher
from pipelines.streaming.peek import Peeking
from pipelines.streaming.restructuring import build_checked
from pipelines.streaming.runner import PICTURE
from pipelines.streaming.settings import after, checked, is_tracker, resolved
from pipelines.streaming.snapshots import Snapshot, Snapshots
from pipelines.streaming.tracking import Tracking, named_taps, results_with_bad

ENGINES = 8
"""Compiled pipelines that are kept."""


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
        note: called with a sentence where an output cannot be shown.

    Attributes:
        next: the frame that is processed next.
        peeking: which output is shown besides.
    """

    def __init__(
        self, source: FrameSource, order: Order, pipeline: Pipeline, *, frames: tuple[int, int], batch: int,
        changes: Sequence[AnyChange] = (), left_out: Sequence[tuple[int, int]] = (), snapshots: Snapshots,
        note: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self.source, self.order, self.pipeline, self.snapshots = source, order, pipeline, snapshots
        self.first, self.end = frames
        self._numbers = 0
        self._log = [self._entry(change) for change in resolved(pipeline, changes)]
        self._engines: dict[int, Built] = {0: build_checked(pipeline, order)}
        self._running, self._applied, self._begun = 0, 0, False
        self._settings: dict[tuple[str, str], Value] = {}
        self.batch = max(1, min(batch, self.built.most))
        self.fetcher = Fetcher(source, self.end, self.batch, left_out)
        offset = (order.roi[0], order.roi[1]) if order.roi else (0, 0)
        self.tracking = Tracking(self.built.bound, source.info.time.fps, offset)
        self.next = self.first
        self.peeking = Peeking(note or (lambda _: None), every=0.0)
        self._peeked: Pixels | None = None
        self._anchor: tuple[int, Snapshot] | None = None
        self._mixed = False  # the state is partly of values that held before a `hold`: no snapshot is taken of it

    def _entry(self, change: AnyChange) -> _Entry:
        if isinstance(change, Structure):
            self._numbers += 1
            return _Entry(change, self._numbers)
        return _Entry(change)

    @property
    def built(self) -> Built:
        """The engine that runs."""
        return self._engines[self._running]

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

    def process(self, limit: int, ahead: bool = False) -> Done:
        """The next frames: a batch, or fewer before `limit`, a change or a snapshot.

        Args:
            limit: a frame after `next`; it is not processed.
            ahead: whether the frames after these will be asked for soon.
        """
        frame = self.next
        if not self._mixed and self.snapshots.wants(frame):
            self.snapshots.put(frame, self._snapshot())
        self._apply(frame)
        stops = [limit, self.end, self.snapshots.next_after(frame), self._boundary()]
        chunk = self.fetcher.next(frame, min(stop for stop in stops if stop is not None), ahead)
        batch = chunk.batch
        tapped = self._step(batch) if len(batch) else {}
        peeked = self._peeked
        names = named_taps(self.built.bound, PICTURE if self.order.pictures else "")
        results = results_with_bad(batch, tapped, [index for index, _ in chunk.bad], self.source.info.time.time,
                                   self.tracking, names)  # fmt: skip
        if peeked is not None and results and results[-1].index == batch.indices[-1]:
            newest = results[-1]
            results = [*results[:-1], replace(newest, taps={**newest.taps, self.peeking.wanted: peeked})]
        self.next = chunk.end
        return Done(chunk.first, chunk.end, batch, results, chunk.bad)

    def _step(self, batch: FrameBatch) -> Any:
        self._peeked = None
        self.peeking.attend(self.built.engine)
        try:
            pending = self.built.engine.submit(batch)
            made = pending.result()
            self._peeked = pending.peeked
        except InputError as error:
            if self._begun or not may_fall_back(self.built.choice):
                raise
            built = self.built
            self._engines[self._running] = on_processor(built.pipeline, self.order, built.choice, error)
            made = self.built.engine.step(batch)
        self._begun = True
        return made

    def go_back(self, frame: int) -> None:
        """Make `next` a frame that is not after `frame`, the nearest that can be had at once."""
        at, snapshot = self.snapshots.before(frame) if len(self.snapshots) else (self.first, None)
        if at <= self.next <= frame or snapshot is None:
            return
        self._restore(snapshot)
        self.next, self._mixed = at, False

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
            self._engines[entry.engine] = built
        at = bisect_right([e.change.frame for e in self._log], change.frame)
        log = [*self._log[:at], entry]
        pipeline = self.pipeline
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
            self._engines[self._numbers] = built
        self._make(change, self._numbers)
        self.pipeline = after(self._newest, change)
        self._log, self._applied = [], 0
        self.snapshots.clear()
        self.snapshots.put(self.first, self._beginning())
        self._mixed = True
        self._anchor = None if frame is None else (frame, self._snapshot())

    @property
    def _newest(self) -> Pipeline:
        """With every change."""
        return self.pipeline_at(max((entry.change.frame for entry in self._log), default=self.first))

    def _to_anchor(self, frame: int) -> None:
        """Make `next` this frame, and remember the state before it."""
        if self._anchor is None or self._anchor[0] != frame:
            self.go_back(frame)
            while self.next < frame:
                self.process(frame, ahead=True)
            self._apply(frame)
            self._anchor = (frame, self._snapshot())
        self._restore(self._anchor[1])
        self.next = frame

    def _beginning(self) -> Snapshot:
        """The state before the first frame, with everything as it is set now."""
        engine = self.built.engine
        now = engine.snapshot()
        for program in engine.programs.values():
            program.reset()
        begun = engine.snapshot()
        engine.restore(now)
        bound = bound_for(self.pipeline, self.source.info, self.order.roi)
        tracking = Tracking(bound, self.source.info.time.fps, self.tracking.offset)
        return Snapshot(self._running, dict(self._settings), begun, tracking.snapshot(), 0)

    def _apply(self, frame: int) -> None:
        """Make the changes that hold from `frame` on."""
        while self._applied < len(self._log) and self._log[self._applied].change.frame <= frame:
            entry = self._log[self._applied]
            self._applied += 1
            self._make(entry.change, entry.engine)

    def _make(self, change: AnyChange, engine: int) -> None:
        """Make a change now."""
        if isinstance(change, Structure):
            self._go_over(engine, change.pipeline)
            self.tracking.go_over(self.built.bound)
        elif is_tracker(self.built.pipeline, change.node):
            self.tracking.set_param(change.node, change.param, change.value)
        else:
            set_live(self.built.engine, change)
            self._settings[change.node, change.param] = change.value

    def _boundary(self) -> int | None:
        """Before which frame the next changes are to be made."""
        return self._log[self._applied].change.frame if self._applied < len(self._log) else None

    def _go_over(self, number: int, pipeline: Pipeline) -> None:
        """Run another engine, from its first-frame state on."""
        if number not in self._engines:
            self._engines[number] = build_checked(pipeline, self.order)
        self._engines[number] = self._engines.pop(number)  # the last that was used stands last
        self._running, self._settings = number, {}
        engine = self.built.engine
        for program in engine.programs.values():
            program.reset()
        self._set({})
        for old in [n for n in self._engines if n not in (0, number)][: max(0, len(self._engines) - ENGINES)]:
            del self._engines[old]
            self.snapshots.forget_engine(old)

    def _set(self, settings: dict[tuple[str, str], Value]) -> None:
        """Give the engine these live parameters and no others."""
        engine = self.built.engine
        for params in engine.params.values():
            params.clear()
        getattr(engine, "settings", {}).clear()
        self._settings = dict(settings)
        for (node, param), value in settings.items():
            set_live(engine, Change(0, node, param, value))

    def _snapshot(self) -> Snapshot:
        return Snapshot(self._running, dict(self._settings), self.built.engine.snapshot(), self.tracking.snapshot(),
                        self._applied)  # fmt: skip

    def _restore(self, snapshot: Snapshot) -> None:
        self._engines[snapshot.engine] = self._engines.pop(snapshot.engine)
        self._running, self._applied = snapshot.engine, snapshot.applied
        self._set(dict(snapshot.settings))
        self.built.engine.restore(snapshot.state)
        self.tracking.restore(snapshot.tracking)

    @property
    def overflow(self) -> dict[str, int]:
        """Rows that did not fit into a table, by node; of frames that were processed again, again."""
        return {key: int(value) for key, value in _added([b.engine.overflow for b in self._engines.values()]).items()}

    @property
    def seconds(self) -> dict[str, float]:
        """Time by group of stages."""
        return _added([built.engine.seconds for built in self._engines.values()])

    def close(self) -> None:
        """Stop reading."""
        self.fetcher.close()


def _added(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in parts:
        for key, value in part.items():
            found[key] = found.get(key, 0) + value
    return found
