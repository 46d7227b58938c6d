"""The thread that plays a clip: it obeys commands, seeks, plays by the clock, and shows what it computes."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from kernels.errors import FusetrackError
from pipelines.features import no_tracks
from pipelines.frame import FrameSource, Sink
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange, Change
from pipelines.streaming.common.states import RunState
from pipelines.streaming.common.still import still_of
from pipelines.streaming.common.watched import Latest, Watched
from pipelines.streaming.engine.building import Built, Order
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.snapshots import Snapshots
from pipelines.streaming.playback.timeline import Done, Timeline

LATE = 0.25
"""Seconds by which a film may be behind its time before it gives up catching up."""
FAR = 64
"""Frames of a jump from which on they are read ahead."""
FILM = 25.0
"""Frames a second at speed 1 if the clip's is unknown."""


class Player(Watched):
    """What plays; `pipelines.streaming.playback.playback.Playback` is how it is used.

    `_command` leaves something to do for the thread; everything else here is the thread's own, but for `prepare`.
    """

    def __init__(
        self, source: FrameSource, pipeline: Pipeline, sinks: Sequence[Sink], options: PlaybackOptions,
        frames: tuple[int, int], changes: Sequence[AnyChange], left_out: Sequence[tuple[int, int]],
        on_state: Callable[[RunState], None] | None,
    ) -> None:  # fmt: skip
        super().__init__(on_state)
        self.source, self.frames, self._batch = source, frames, options.batch
        still = options.still or partial(still_of, source)
        self.order = replace(Order.of(source.info, options, options.batch), still=still)
        self._pipeline, self._sinks = pipeline, tuple(sinks)
        self._begin_with, self._left_out = changes, left_out
        self._snapshots = Snapshots(frames[0], options.snapshot_every, options.snapshot_bytes)
        self._range = frames
        self._speed, self._loop = options.speed, options.loop
        self._whole, self._measured = options.whole, options.measured
        self._timeline: Timeline | None = None
        self._commands: deque[Callable[[], None]] = deque()
        self._wake = threading.Condition()
        self._stop, self._ended = threading.Event(), threading.Event()
        self._playing, self._target, self._position = False, -1, self.frames[0] - 1
        self._clock = (0.0, 0)
        self._asked = 0
        self._pending: Pipeline | None = None
        self._later: list[Change] = []
        self._pending_lock = threading.RLock()
        self._outdated: Callable[[], None] = lambda: None
        self._mixed = False
        self._settling: list[threading.Event] = []

    def prepare(self) -> Built:
        """Compile; `run` and `start` do so too where it was not done.

        Raises:
            InputError: the pipeline or a change does not fit the clip.
        """
        if self._timeline is None:
            self._timeline = Timeline(
                self.source, self.order, self._pipeline, frames=self.frames, batch=self._batch,
                changes=self._begin_with, left_out=self._left_out, snapshots=self._snapshots,
                note=self._notes.append,
            )  # fmt: skip
            if self._measured:
                self._timeline.tracking.measure_all()
        return self._timeline.built

    @property
    def timeline(self) -> Timeline:
        """What is computed; for the thread that plays."""
        self.prepare()
        assert self._timeline is not None
        return self._timeline

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                self._obey()
                # Whoever waits for a seek is told once it is there.
                if self._target < 0:
                    self._tell_settled()
                if self._target >= 0:
                    self._seek_on()
                elif self._playing:
                    self._play_on()
                else:
                    self._rest(None)
        except BaseException as error:
            self._failed(error)
        finally:
            self._close()

    def _tell_settled(self) -> None:
        while self._settling:
            self._settling.pop().set()

    def _rest(self, seconds: float | None) -> None:
        """Until there is something to do."""
        with self._wake:
            self._wake.wait_for(lambda: self._commands or self._stop.is_set(), seconds)

    def _obey(self) -> None:
        while self._commands:
            self._commands.popleft()()

    def _command(self, command: Callable[[], None]) -> None:
        with self._wake:
            self._commands.append(command)
            self._wake.notify_all()

    @property
    def _goal(self) -> int:
        return self._target if self._target >= 0 else self._position

    def _go(self, frame: int) -> None:
        """Show `frame` next (play thread)."""
        first, end = self._range
        self._target = max(first, min(frame, end - 1))
        self._machine.try_to(RunState.SEEKING)
        self.timeline.go_back(self._target)

    def _seek_on(self) -> None:
        timeline = self.timeline
        if timeline.next > self._target:
            timeline.go_back(self._target)
        done = timeline.process(self._target + 1, ahead=self._target - timeline.next > FAR)
        # On the way, or the processor took over and has to come here first.
        if done is None or timeline.next <= self._target:
            return
        self._position, self._target = self._target, -1
        if self._whole and done.results:  # a window's tracks come by one way alone, in the order of the changes
            self._write(done.last())
        self._show(done)
        # The film's clock begins anew here: a seek is no delay that would be caught up.
        self._clock = time.perf_counter(), timeline.next
        self._machine.try_to(RunState.RUNNING if self._playing else RunState.PAUSED, RunState.SEEKING)

    def _play_on(self) -> None:
        timeline, (first, end) = self.timeline, self._range
        if self._position + 1 >= end:
            if self._loop and self._position != first:  # one frame again and again would be no film, but a busy engine
                self._go(first)
            else:
                self._set_playing(False)
            return
        if timeline.next != self._position + 1:  # a change of the past took it back
            self._go(self._position)
            return
        limit = end
        if self._speed is not None:
            limit = min(end, self._due())
            if limit <= timeline.next:
                return
        done = timeline.process(limit, ahead=True)
        if done is None:  # the processor has to come here first
            return
        self._position = timeline.next - 1
        self._write(done)
        self._show(done)

    def _due(self) -> int:
        """One past the frame that is due by the clock; waits for it where none is."""
        fps = self.source.info.time.fps
        rate = (fps if fps > 0 else FILM) * (self._speed or 1.0)
        since, first = self._clock
        now, after = time.perf_counter(), self.timeline.next
        due = first + int((now - since) * rate)
        # Too far behind: the clock is set to now, and what is late is played on without a rush.
        if due - after > max(rate * LATE, self._batch):
            self._clock, due = (now, after), after
        if due < after:
            self._rest(min(0.5, since + (after - first) / rate - now))
        return due + 1

    def _write(self, done: Done) -> None:
        mixed = self.timeline.mixed
        if self._mixed and not mixed:  # the later frames of before have ids that mean other tracks now
            self._outdated()
        self._mixed = mixed
        if not done.results:
            return
        for sink in self._sinks:
            sink.write(done.batch, done.results)

    def _show(self, done: Done) -> None:
        """Leave what was computed for a window."""
        self._meter.count("play", done.end - done.first)
        self._meter.batch = len(done.batch)
        if done.results:
            rows = [result.tracks for result in done.results]
            self._latest.put(Latest(done.results[-1], np.concatenate(rows) if rows else no_tracks()))

    def _failed(self, error: BaseException) -> None:
        self._fell(error, "playing")

    def _close(self) -> None:
        self._machine.try_to(RunState.STOPPING)
        if self._timeline is not None:
            self._timeline.close()
        for sink in self._sinks:
            try:
                sink.close()
            except Exception as error:
                self._failed(error)
        self._latest.close()
        self._tell_settled()
        self._machine.try_to(RunState.FAILED if self._error else RunState.STOPPED)
        self._ended.set()

    def _set_playing(self, playing: bool) -> None:
        self._playing = playing
        self._clock = time.perf_counter(), self._position + 1
        target, before = (RunState.RUNNING, RunState.PAUSED) if playing else (RunState.PAUSED, RunState.RUNNING)
        self._machine.try_to(target, before)

    def _frame(self, frame: int | None) -> int:
        return self._goal + 1 if frame is None else max(frame, self.frames[0])

    def _insert(self, change: AnyChange, built: Built | None = None) -> None:
        if self._whole:
            self._hold(change, built)
            return
        before = self.timeline.next
        try:
            self._notes.extend(self.timeline.insert(change, built))
        except FusetrackError as error:  # it was asked for where another pipeline was
            self._notes.append(str(error))
        if self.timeline.next != before and self._target < 0 and self._position >= self.frames[0]:
            self._go(self._position)  # what is shown may look otherwise now

    def _hold(self, change: AnyChange, built: Built | None) -> None:
        """A change for the whole clip; a frame that stands still is shown anew with it."""
        still = not self._playing and self._position >= self.frames[0]
        self._outdated()
        try:
            self.timeline.hold(change, built, self._goal if still else None)
        except FusetrackError as error:
            self._notes.append(str(error))
            return
        if still:
            if built is not None:  # no later frame would show what is looked at inside the new programs
                self.timeline.peeking.wait(self.timeline.built.engine)
            self._target = self._goal
            self._machine.try_to(RunState.SEEKING)
