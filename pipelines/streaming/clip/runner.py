"""The runner: a clip through a pipeline, from first frame to last track, in memory that does not grow.

A reading thread fills batches and the engine takes them from a queue of two, so that decoding and computing overlap. A
device computes some batches ahead of the one whose results are tracked and written (`Engine.ahead`), so that transfers,
kernels and the host's work overlap too; on the processor batches follow one another. Frames pass in order, each once; a
frame that cannot be read is skipped, counted and named, and the trackers are told so that they predict through it.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kernels.errors import BadFrame, DefinitionError, InputError
from kernels.ir.image import ImageType
from pipelines.frame import FrameBatch, FrameSource, Pixels, Result, Sink
from pipelines.fusing import largest_groups, tensor_kinds
from pipelines.graph import Bound, Ref
from pipelines.planning.tuning import Patience, Trial, Tuned, kept_groups, planned_groups, tune
from pipelines.streaming.clip.ledger import Ledger
from pipelines.streaming.clip.reader import OnDemand, Read, Reader
from pipelines.streaming.clip.report import Progress, Report
from pipelines.streaming.common.buffer_pool import BufferPool
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.engine.building import BATCH_BYTES, WORK_BYTES
from pipelines.streaming.engine.choice import Choice, choose, on_cpu, without_advice
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.pending import Pending
from pipelines.streaming.engine.rescue import GpuFailed, Rescue, let_go, take_over_counts
from pipelines.streaming.engine.tracking import PICTURE, Tracking, at_hand, named_taps, results_with_bad
from pipelines.trackers.lying_images import DeviceFailed

AHEAD_BYTES = 64 << 20
"""Batches of more are not read ahead: up to three of them would wait."""


class _Begun(NamedTuple):
    """A batch under way: its frames, those that could not be read, and what will be its result."""

    batch: FrameBatch
    bad: Sequence[tuple[int, str]]
    pending: Pending | None


def first_frame(batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> int:
    """The first frame of a batch, also if it could not be read."""
    found: list[int] = [*batch.indices[:1].tolist(), *(number for number, _ in bad[:1])]
    return min(found)


class Runner:
    """One run of one clip.

    Args:
        source: the clip.
        bound: from `prepare`.
        sinks: receive every batch with its results, in order.
        frames: first frame and one past the last (`frame_range`).
        options: how; the region is that which `prepare` cropped to.
        notify: takes sentences about how far tuning is.

    Groups are those that an earlier run or `fusetrack plan --tune` has found fastest here, else the planner's. Results
    do not depend on them. `tuned` holds what was timed, `choice` what runs and why. Where the user leaves the choice,
    the processor takes over from a GPU that fails, at once or on the way (`pipelines.streaming.engine.rescue`): the
    results are the same.
    """

    def __init__(
        self,
        source: FrameSource,
        bound: Bound,
        sinks: Sequence[Sink],
        *,
        frames: tuple[int, int],
        options: RunOptions | None = None,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        self.options = options = options or RunOptions()
        self.source = source
        self.bound = bound
        self.sinks = sinks
        self.offset = (options.roi[0], options.roi[1]) if options.roi else (0, 0)
        self.pictures = options.pictures
        self._keep = (bound.picture,) if options.pictures else ()
        self._exact = options.exact
        # All images of the pipeline as if none was fused away: a bound of what a batch may need, before anything is
        # planned.
        made = sum(type_.nbytes for type_ in bound.types.values() if isinstance(type_, ImageType))
        # Frames as delivered, and all pictures that stages make of them, both within their bytes.
        self.batch = max(1, min(options.batch, BATCH_BYTES // source.info.image.nbytes, WORK_BYTES // made))
        self._wanted = tuple(dict.fromkeys((*bound.taps, *self._keep)))
        self.choice = choose(options.device, bound, self._wanted, self.batch)
        remarks: Sequence[str] = getattr(self.choice.executor, "remarks", ())
        self.note = "; ".join(text for text in (self.choice.note, *remarks) if text)
        self.tuned: Tuned | None = None
        if options.tune_first:
            self.tuned = self._tuned(self.choice, frames, notify)
        try:
            self.engine = self._engine()
        except InputError as error:
            self._go_over_to_the_processor(error)
            self.engine = self._engine()
        self.note = "; ".join(text for text in (self.note, self.engine.slow) if text)
        self._rescue = Rescue(self.engine)
        self._prepared = -1  # the first frame of the last batch that `_before` was called for
        self.ledger, self._frames = Ledger(*frames), frames
        self.tracking = Tracking(bound, source.info.time.fps, self.offset)
        self.tracking.fields = options.measures
        # What trackers knew when the engine's state was kept: where a GPU fails under one of them, they go back to it.
        self._tracked, self._again = self.tracking.snapshot() if self._replaceable else None, False
        self.seconds = {"read": 0.0, "track": 0.0, "write": 0.0}
        self._stop = threading.Event()
        self._memory = BufferPool()

    @property
    def back_end(self) -> str:
        """Name of the executor."""
        return self.choice.executor.name

    def _engine(self) -> Engine:
        return Engine(self.bound, self.choice.executor, self._keep, self._groups(self.choice), self._exact,
                      self._resting)  # fmt: skip

    @property
    def _resting(self) -> frozenset[Ref]:
        """What trackers look at where it lies."""
        return self.bound.resting - {*self._keep}

    @property
    def _replaceable(self) -> bool:
        """Whether a GPU runs that the processor may take over from."""
        return self.choice.asked == "auto" and self.choice.machine is not None

    def _go_over_to_the_processor(self, error: InputError, where: str = "") -> None:
        """Choose it where the GPU fails and the user leaves the choice; else the error ends the run."""
        if not self._replaceable:
            raise error
        self.choice = on_cpu("auto", f"{self.choice.device} failed{where}: {without_advice(error)}")
        self.note = "; ".join(text for text in (self.choice.why, self.choice.note) if text)
        self.tuned = None

    def _groups(self, choice: Choice) -> Sequence[Sequence[str]] | None:
        """The reference is the meaning, one stage at a time; the others run what is fastest."""
        if choice.model is None:
            return None
        if self.tuned is not None:
            return self.tuned.groups
        groups, remark = kept_groups(self.bound, self._wanted, machine=choice.machine)
        if groups is not None:
            return groups
        self.note = "; ".join(text for text in (self.note, remark) if text)
        try:
            fast = choice.model.kind == "cuda" and not self._exact
            tensor = tensor_kinds(self.bound, self._wanted) if fast else None
            return planned_groups(self.bound, self._wanted, choice.model, self.batch, tensor)
        except DefinitionError:  # nothing to plan, or no plan: pins, for instance, that only fit another device
            return largest_groups(self.bound, self._wanted)

    def _tuned(self, choice: Choice, frames: tuple[int, int], notify: Callable[[str], None] | None) -> Tuned:
        """Time plans on the first frames that can be read."""
        info = self.source.info
        pixels = np.empty((min(self.batch, frames[1] - frames[0]), *info.image.shape), info.image.dtype.numpy)
        good, index = 0, frames[0]
        while good < len(pixels) and index < frames[1]:
            with contextlib.suppress(BadFrame):
                self.source.read(index, out=pixels[good])
                good += 1
            index += 1
        if not good:
            raise InputError(f"{info.name} has no readable frame to tune with")
        if choice.model is None:
            raise DefinitionError("there is nothing to tune for the reference back end, which runs stage by stage")
        largest = largest_groups(self.bound, self._wanted)
        trial = Trial(self.bound, self._wanted, choice.executor, pixels[:good])
        return tune(trial, choice.model, also=[largest], machine=choice.machine, patience=Patience(notify=notify))

    def stop(self) -> None:
        """End the run after the batch in hand; what was done is kept. Safe from any thread or signal handler."""
        self._stop.set()

    def run(self, progress: Progress | None = None) -> Report:
        """Process the frames.

        Raises:
            InputError: a sink cannot write.
        """
        start = time.perf_counter()
        try:
            self._process_all(progress)
        finally:
            self.engine.close()
            self._memory = BufferPool()  # of large pictures some hundred MB, while figures are drawn and hints tried
        self.ledger.check()
        return Report(
            self.ledger,
            self.engine.overflow,
            time.perf_counter() - start,
            {**self.seconds, **self.engine.seconds},
            interrupted=self.ledger.not_reached > 0,
            sent_back=self.engine.sent_back,
        )

    def _process_all(self, progress: Progress | None) -> None:
        """All frames; again from an earlier one where the processor takes over."""
        first: int | None = None
        lost: tuple[int, Engine] | None = None
        while True:
            try:
                with contextlib.closing(self._reader(first)) as reader:
                    batches = reader.batches()
                    # Frames from the last copy of the state to the failure are computed again, without being written.
                    if lost is not None:
                        batches = self._catch_up(batches, *lost)
                    self._process(reader, batches, progress)
                return
            except GpuFailed as failed:
                lost = failed.frame, self.engine
                first = self._take_over(failed)

    def _process(self, reader: Reader | OnDemand, batches: Iterator[Read], progress: Progress | None) -> None:
        """Batches in, results out; some batches are under way while the results of those before are used."""
        under_way: deque[_Begun] = deque()
        more = True
        while more or under_way:
            # With nothing to begin, what is under way comes first; it need not wait for frames to be read.
            if under_way and (not more or len(under_way) > self.engine.ahead or not reader.waiting):
                self._deliver(under_way, progress)
                if self._stop.is_set():
                    return
                continue
            try:
                item = next(batches, None)
            except Exception:  # what was read before it counts
                self._deliver_all(under_way, progress)
                raise
            if item is None:
                more = False
                continue
            batch, bad = item
            first = first_frame(batch, bad)
            if first > self._prepared and not self._prepare(item, first, under_way, progress):
                return
            under_way.append(_Begun(batch, bad, self.engine.submit(batch) if len(batch) else None))
            del item, batch  # memory of frames is used again once it is released

    def _prepare(self, item: Read, first: int, under_way: deque[_Begun], progress: Progress | None) -> bool:
        """What comes before a batch; False if the user stops the run meanwhile."""
        # What changes, or is copied, must find no batch under way.
        stops = self._changes(*item) or (self._replaceable and self._rescue.due)
        if stops and not self._deliver_all(under_way, progress):
            return False
        self._before(*item)
        self._prepared = first
        if stops and self._replaceable:  # what changes may choose the back end again
            self._rescue.keep(self.engine, first)
            self._tracked = self.tracking.snapshot()
        return True

    def _deliver_all(self, under_way: deque[_Begun], progress: Progress | None) -> bool:
        """Use the results of all batches under way; False if the user stops the run on the way."""
        while under_way:
            self._deliver(under_way, progress)
            if self._stop.is_set():
                return False
        return True

    def _deliver(self, under_way: deque[_Begun], progress: Progress | None) -> None:
        """Use the results of the batch that was begun first."""
        tapped = self._finished(under_way)
        batch, bad, _ = under_way.popleft()
        results = self._results(batch, tapped, bad)
        begin = time.perf_counter()
        for sink in self.sinks:
            sink.write(batch, results)
        self.seconds["write"] += time.perf_counter() - begin
        self.ledger.processed += len(batch)
        for index, reason in bad:
            self.ledger.add_bad(index, reason)
        if progress is not None:
            progress.advance(len(batch) + len(bad), len(bad))

    def _finished(self, under_way: deque[_Begun]) -> Mapping[Ref, Any]:
        """The outputs of the batch that was begun first."""
        batch, bad, pending = under_way[0]
        if pending is None:
            return {}
        try:
            return pending.result()
        except InputError as error:
            if not self._replaceable:
                raise
            raise GpuFailed(error, first_frame(batch, bad)) from error

    def _take_over(self, failed: GpuFailed) -> int | None:
        """Begin anew with the processor; returns the frame from which on it computes, None for the first."""
        lost, begun = self.engine, self.ledger.processed > 0
        lost.abandon()
        self._rescue.check(lost, failed.error)
        self._go_over_to_the_processor(failed.error, f" at frame {failed.frame}" if begun else "")
        self.engine, first = self._rescue.engine(lost, self.choice.executor, self._exact)
        # A GPU failed under a tracker: trackers go back to the copy, too, and see the frames since once more.
        if self._again:
            assert self._tracked is not None
            self.tracking.restore(self._tracked)
        self._rescue.begin_again(self.engine)
        let_go(lost, failed)
        return first

    def _catch_up(self, batches: Iterator[Read], until: int, lost: Engine) -> Iterator[Read]:
        """The batches from frame `until` on; those before have been used, and only the state behind them is missing:
        that of the engine, and of trackers that went back."""
        caught_up = False
        for batch, bad in batches:
            if first_frame(batch, bad) < until:
                if self._stop.is_set():
                    return
                tapped = self.engine.step(batch) if len(batch) else {}
                if self._again:
                    self._results(batch, tapped, bad)
                continue
            self._again = False
            if not caught_up:
                # Counts of the repeated frames are thrown away, those of the lost engine go on.
                take_over_counts(self.engine, lost)
                caught_up = True
            yield batch, bad

    def _reader(self, first: int | None) -> Reader | OnDemand:
        """What reads ahead, all frames or those from `first` on. Memory that goes to a device is made for that."""
        frames = self._frames[0] if first is None else first, self._frames[1]
        # A device copies from memory of its own making, so even frames that lie in memory are read into that.
        large = self.batch * self.source.info.image.nbytes > AHEAD_BYTES
        if (hasattr(self.source, "view") or large) and not self.engine.pins:
            return OnDemand(self.source, frames, self.batch, self.seconds, self._buffer)
        return Reader(self.source, frames, self.batch, self.seconds, self._buffer)

    def _buffer(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Pixels:
        return (self.engine.host_buffer if self.engine.pins else self._memory)(shape, dtype)

    def _changes(self, batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> bool:
        """Whether `_before` may change something before this batch, so that the ones before have to be finished."""
        del batch, bad
        # A subclass that has a `_before` of its own may change something before any batch.
        return type(self)._before is not Runner._before

    def _before(self, batch: FrameBatch, bad: Sequence[tuple[int, str]]) -> None:
        """Called before each batch, for runs that change on the way."""

    def _results(self, batch: FrameBatch, tapped: Mapping[Ref, Any], bad: Sequence[tuple[int, str]]) -> list[Result]:
        """One result a frame, bad ones included (they carry the trackers' predictions and no taps)."""
        begin = time.perf_counter()
        names = at_hand(named_taps(self.bound, PICTURE if self.pictures else ""), tapped)
        seconds_of = self.source.info.time.time
        try:
            results = results_with_bad(batch, tapped, [index for index, _ in bad], seconds_of, self.tracking, names)
        except DeviceFailed as error:
            if not self._replaceable:
                raise
            self._again = True
            raise GpuFailed(error, first_frame(batch, bad)) from error
        self.seconds["track"] += time.perf_counter() - begin
        return results
