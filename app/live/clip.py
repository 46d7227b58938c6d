"""A clip or a session through a pipeline that changes on the way, at the very frames that a schedule says.

The same as `Runner` otherwise: nothing is dropped, and what cannot be read is predicted, counted and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError, InputError
from kernels.param import Value
from pipelines.frame import FrameBatch, FrameSource, Result, Sink
from pipelines.graph import Bound, BoundTracker, Pipeline, Ref
from pipelines.streaming.clip.ledger import Ledger
from pipelines.streaming.clip.reader import Buffer, Reader
from pipelines.streaming.clip.runner import Runner, first_frame
from pipelines.streaming.common.changes import AnyChange, Change, Scheduled, Structure
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine.building import Order, build, set_live
from pipelines.streaming.engine.checkpoint import Checkpoint, CheckpointTap, engine_at, engine_state, tracking_at
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.rescue import GpuFailed, go_on_counting


class PlannedReader(Reader):
    """Reads given frames only, and ends a batch where a change is due.

    Args:
        source, batch, seconds, buffer: as `Reader` takes them.
        wanted: numbers of the frames, rising.
        cuts: frames that begin a batch.
    """

    def __init__(
        self,
        source: FrameSource,
        wanted: npt.NDArray[np.int64],
        batch: int,
        seconds: MutableMapping[str, float],
        cuts: Iterable[int],
        buffer: Buffer | None = None,
    ) -> None:
        self._wanted, self._cuts = wanted, np.unique(np.array([*cuts], np.int64))
        super().__init__(source, (0, source.info.frames), batch, seconds, buffer)

    def _read(self) -> None:
        at = 0
        # Batches end before each cut and at the end, and after `batch` frames.
        edges = [*np.searchsorted(self._wanted, self._cuts).tolist(), len(self._wanted)]
        while at < len(self._wanted) and not self.closed.is_set():
            end = min(at + self.batch, next(edge for edge in edges if edge > at))
            self._put_read(self._wanted[at:end].tolist())
            at = end


@dataclass
class PlannedLedger(Ledger):
    """The ledger of a run that leaves frames out on purpose.

    Args:
        left_out: how many.
    """

    left_out: int = 0

    @property
    def announced(self) -> int:
        return self.end - self.first - self.left_out

    def facts(self) -> dict[str, object]:
        """For the summary, JSON-able."""
        return {**super().facts(), "left_out": self.left_out}


@dataclass(frozen=True)
class Schedule:
    """What is processed with what.

    Args:
        pipeline: to begin with.
        changes: with the frames from which on they hold (`pipelines.streaming.common.changes`).
        wanted: numbers of the frames to process, rising; None for all.
        applied: called with each change before the first frame that is processed with it.
    """

    pipeline: Pipeline
    changes: Iterable[AnyChange] = ()
    wanted: npt.NDArray[np.int64] | None = None
    applied: Callable[[AnyChange], None] | None = None


@dataclass(frozen=True)
class Resumed:
    """States to go on from.

    Args:
        states: each is taken before the first frame that is not before its own, rising; only as many as are used.
        frames: of these.
        refused: called with the frame of a state that does not fit, and a sentence; the run goes on without it.
    """

    states: Iterable[Checkpoint] = ()
    frames: Iterable[int] = ()
    refused: Callable[[int, str], None] | None = None


FROM_THE_BEGINNING = Resumed()


class ScheduledRunner(Runner):
    """One run of one clip with changes on the way.

    Args:
        source, bound, sinks, frames, options, notify: as `Runner` takes them; `bound` is what the schedule begins with.
        schedule: which frames, and what changes on the way.
        checkpoints: a recorder that keeps states of the run.
        resumed: states of an earlier run that this one goes on from.
    """

    def __init__(
        self,
        source: FrameSource,
        bound: Bound,
        sinks: Sequence[Sink],
        *,
        schedule: Schedule,
        frames: tuple[int, int],
        checkpoints: CheckpointTap | None = None,
        resumed: Resumed = FROM_THE_BEGINNING,
        options: RunOptions | None = None,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        self._point: Checkpoint | None = None
        self._painter: Engine | None
        super().__init__(source, bound, sinks, frames=frames, options=options, notify=notify)
        wanted = schedule.wanted
        numbers = np.arange(*frames) if wanted is None else wanted[(wanted >= frames[0]) & (wanted < frames[1])]
        self._planned, self._all_changes = numbers, tuple(schedule.changes)
        self._scheduled, self._applied = Scheduled(self._all_changes), schedule.applied
        self.ledger = PlannedLedger(*frames, left_out=frames[1] - frames[0] - len(numbers))
        self.pipeline = schedule.pipeline
        self.tracking.measure_all()  # sessions have all measures, and replays are compared in all
        self._checkpoints, self._resume = checkpoints, iter(resumed.states)
        self._next_point, self._wants_point = next(self._resume, None), False
        self._cuts, self._refused, self._painter = tuple(resumed.frames), resumed.refused, None

    def _reader(self, first: int | None) -> Reader:
        cuts = (*(change.frame for change in self._all_changes), *self._cuts)
        planned = self._planned if first is None else self._planned[self._planned >= first]
        return PlannedReader(self.source, planned, self.batch, self.seconds, cuts, self._buffer)

    def _changes(self, batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> bool:
        due, first = self._scheduled.boundary(-1), first_frame(batch, bad)
        self._wants_point = self._checkpoints is not None and self._checkpoints.wants_checkpoint(first)
        # Whatever changes before this batch: the ones under way have to be through first.
        resumes = self._next_point is not None and self._next_point.frame <= first
        return self._wants_point or resumes or (due is not None and due <= first)

    def _before(self, batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> None:
        first = first_frame(batch, bad)
        # Of several states that are due the last one counts.
        while self._next_point is not None and self._next_point.frame <= first:
            point, self._next_point = self._next_point, next(self._resume, None)
            if self._next_point is None or self._next_point.frame > first:
                try:
                    self._go_on_from(point)
                except InputError as error:
                    if self._refused is None:
                        raise
                    self._refused(point.frame, str(error))
        for change in self._scheduled.take(first):
            self._apply(change)
            if self._applied is not None:
                self._applied(change)
        if self._wants_point and self._checkpoints is not None:
            self._checkpoints.checkpoint(engine_state(first, self.pipeline, self.engine).with_trackers(self.tracking))

    def _go_on_from(self, point: Checkpoint) -> None:
        """Have the state before a frame.

        Raises:
            InputError: it does not fit.
        """
        bound = bound_for(point.pipeline, self.source.info, self.options.roi)
        tracking = tracking_at(point, bound, self.source.info.time.fps, self.offset)
        tracking.measure_as(self.tracking)
        engine, counted = engine_at(point, bound, self.choice.executor, self._exact), self.engine
        self._scheduled.take(point.frame)  # the state has these changes
        self._point, self.bound, self.pipeline, self.engine, self.tracking = (
            point, bound, point.pipeline, engine, tracking)  # fmt: skip
        go_on_counting(self.engine, counted)
        missing = self.pictures and bound.picture not in self.engine.taps
        # The picture comes from an engine of its own: that of the state is as it was when it was recorded.
        alone = replace(bound, trackers=(), taps=())
        self._painter = Engine(alone, self.choice.executor, (bound.picture,)) if missing else None

    def _engine(self) -> Engine:
        if self._point is None:
            return super()._engine()
        return engine_at(self._point, self.bound, self.choice.executor, self._exact)

    def _take_over(self, failed: GpuFailed) -> int | None:
        first = super()._take_over(failed)
        if self._painter is not None:  # it remembers nothing
            bound = self._painter.bound
            self._painter = Engine(bound, self.choice.executor, (bound.picture,))
        return first

    def _apply(self, change: AnyChange) -> None:
        """Go over to what a change says.

        Raises:
            InputError: it does not fit.
        """
        if isinstance(change, Structure):
            self._go_over(change.pipeline)
            return
        found = next((t for t in self.bound.trackers if t.id == change.node), None)
        if found is None:
            set_live(self.engine, change)
        else:
            self.tracking.set_param(change.node, change.param, checked(found, change))
            self.bound = self.tracking.bound
        self.pipeline = self.pipeline.with_settings({f"{change.node}.{change.param}": change.value})

    def _go_over(self, pipeline: Pipeline) -> None:
        built = build(pipeline, Order.of(self.source.info, self.options, self.batch))
        # The new engine has no state to go on from, and paints its own pictures.
        counted, self._point, self._painter = self.engine, None, None
        self.engine, self.bound, self.pipeline, self.choice = built.engine, built.bound, pipeline, built.choice
        go_on_counting(self.engine, counted)
        self.tracking.go_over(built.bound)

    def _results(self, batch: FrameBatch, tapped: Mapping[Ref, Any], bad: Sequence[tuple[int, str]]) -> list[Result]:
        if self._painter is not None and len(batch):
            tapped = {**tapped, **self._painter.step(batch)}
        return super()._results(batch, tapped, bad)


def checked(node: BoundTracker, change: Change) -> Value:
    """The value of a tracker's parameter.

    Raises:
        InputError: there is no such parameter, or the value is refused.
    """
    declared = next((param for param in node.type.params if param.name == change.param), None)
    if declared is None:
        raise DefinitionError(f"tracker {change.node!r} has no parameter {change.param!r}")
    return declared.check(change.value, f"{change.node}.{change.param}")
