"""A clip or a session through a pipeline that changes on the way, at the very frames that a schedule says.

The same as `Runner` otherwise: nothing is dropped, and what cannot be read is predicted, counted and named.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import BadFrame, DefinitionError
from kernels.param import Value
from pipelines.frame import FrameBatch, FrameSource, Pixels, Result, Sink
from pipelines.graph import Bound, BoundTracker, Pipeline, Ref
from pipelines.streaming.building import Order, build, set_live
from pipelines.streaming.changes import AnyChange, Change, Scheduled, Structure
from pipelines.streaming.ledger import Ledger
from pipelines.streaming.reader import Reader
from pipelines.streaming.runner import PICTURE, Runner
from pipelines.streaming.tracking import Tracking, named_taps, results_with_bad


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
        buffer: Callable[[tuple[int, ...], np.dtype[Any]], Pixels] = np.empty,
    ) -> None:
        self._wanted, self._cuts = wanted, np.unique(np.array([*cuts], np.int64))
        super().__init__(source, (0, source.info.frames), batch, seconds, buffer)

    def _read(self) -> None:
        info, at = self.source.info, 0
        edges = [*np.searchsorted(self._wanted, self._cuts).tolist(), len(self._wanted)]
        while at < len(self._wanted) and not self.closed.is_set():
            begin = time.perf_counter()
            end = min(at + self.batch, next(edge for edge in edges if edge > at))
            pixels = self.buffer((end - at, *info.image.shape), info.image.dtype.numpy)
            good: list[int] = []
            bad: list[tuple[int, str]] = []
            for number in self._wanted[at:end].tolist():
                try:
                    self.source.read(number, out=pixels[len(good)])
                    good.append(number)
                except BadFrame as error:
                    bad.append((number, error.reason))
            at = end
            times = np.array([info.time.time(number) for number in good], np.float64)
            batch = FrameBatch(np.array(good, np.int64), times, pixels[: len(good)])
            del pixels  # so that its memory is free again when the batch is done with
            self.seconds["read"] += time.perf_counter() - begin
            self._put((batch, bad))
            del batch


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


class ScheduledRunner(Runner):
    """One run of one clip with changes on the way.

    Args:
        source, bound, sinks, frames, options: as `Runner` takes them.
        pipeline: what `bound` is bound to.
        changes: with the frames from which on they hold (`pipelines.streaming.changes`).
        wanted: numbers of the frames to process, rising; None for all of `frames`.
        applied: called with each change before the first frame that is processed with it.
    """

    def __init__(
        self,
        source: FrameSource,
        bound: Bound,
        sinks: Sequence[Sink],
        *,
        pipeline: Pipeline,
        frames: tuple[int, int],
        changes: Iterable[AnyChange] = (),
        wanted: npt.NDArray[np.int64] | None = None,
        applied: Callable[[AnyChange], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(source, bound, sinks, frames=frames, **options)
        numbers = np.arange(*frames) if wanted is None else wanted[(wanted >= frames[0]) & (wanted < frames[1])]
        self._planned, self._all_changes = numbers, tuple(changes)
        self._scheduled, self._applied = Scheduled(self._all_changes), applied
        self.ledger = PlannedLedger(*frames, left_out=frames[1] - frames[0] - len(numbers))
        self.pipeline = pipeline
        self.tracking = Tracking(bound, source.info.time.fps, self.offset)
        self._options = options

    def _reader(self) -> Reader:
        cuts = (change.frame for change in self._all_changes)
        return PlannedReader(self.source, self._planned, self.batch, self.seconds, cuts, self._buffer)

    def _changes(self, batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> bool:
        due = self._scheduled.boundary(-1)
        return due is not None and due <= _first(batch, bad)

    def _before(self, batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> None:
        for change in self._scheduled.take(_first(batch, bad)):
            self._apply(change)
            if self._applied is not None:
                self._applied(change)

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
        options = self._options
        roi, pictures, exact = options.get("roi"), options.get("pictures", False), options.get("exact", True)
        info = self.source.info
        built = build(pipeline, Order(info, options.get("device", "auto"), roi, self.batch, pictures, exact))
        for node, rows in self.engine.overflow.items():
            built.engine.overflow[node] = built.engine.overflow.get(node, 0) + rows
        for unit, seconds in self.engine.seconds.items():
            built.engine.seconds[unit] = built.engine.seconds.get(unit, 0.0) + seconds
        self.engine, self.bound, self.pipeline, self.choice = built.engine, built.bound, pipeline, built.choice
        self.tracking.go_over(built.bound)

    def _results(
        self, batch: FrameBatch, tapped: Mapping[Ref, Any], bad: Sequence[tuple[int, str]]
    ) -> list[Result]:
        begin = time.perf_counter()
        names = named_taps(self.bound, PICTURE if self.pictures else "")
        seconds_of = self.source.info.time.time
        results = results_with_bad(batch, tapped, [index for index, _ in bad], seconds_of, self.tracking, names)
        self.seconds["track"] += time.perf_counter() - begin
        return results


def _first(batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> int:
    """The first frame of a batch, also if it could not be read."""
    found: list[int] = [*batch.indices[:1].tolist(), *(number for number, _ in bad[:1])]
    return min(found)


def checked(node: BoundTracker, change: Change) -> Value:
    """The value of a tracker's parameter.

    Raises:
        InputError: there is no such parameter, or the value is refused.
    """
    declared = next((param for param in node.type.params if param.name == change.param), None)
    if declared is None:
        raise DefinitionError(f"tracker {change.node!r} has no parameter {change.param!r}")
    return declared.check(change.value, f"{change.node}.{change.param}")
