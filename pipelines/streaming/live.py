"""A camera through a pipeline, live: frames to tracks within a bounded time, every frame accounted for.

    runner = LiveRunner(camera, pipeline, [sink], recorder=tap)
    runner.start()
    runner.set_param("bright", "level", 0.05)
    report = runner.stop()

Threads: "capture" takes frames from the camera into the ring and gives every one to the recorder; "engine" computes;
"track" runs the trackers in order; "sink 0" ... write; "compile" builds a new pipeline; "live" waits for all of them,
closes the sinks and settles the ledger.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.frame import Camera, Pixels, Sink, SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming import taps
from pipelines.streaming.batching import START, UNKNOWN_FPS, BatchLength
from pipelines.streaming.building import Built
from pipelines.streaming.capture import Capture
from pipelines.streaming.changes import AnyChange
from pipelines.streaming.checkpoint import CheckpointTap, StateTap
from pipelines.streaming.computing import EngineWork, Told
from pipelines.streaming.crew import Crew
from pipelines.streaming.handover import HandOver
from pipelines.streaming.live_ledger import BEHIND, TAKING_OVER, LiveLedger, runs_of
from pipelines.streaming.live_pipeline import LivePipeline
from pipelines.streaming.live_report import LiveReport
from pipelines.streaming.peek import Peeking
from pipelines.streaming.ring import Ring
from pipelines.streaming.states import RunState
from pipelines.streaming.taps import FrameTap
from pipelines.streaming.tracking import Tracking
from pipelines.streaming.working import BATCHES, SinkWork, Step, TrackWork

LATENCY = 0.25
"""Seconds from capture to tracks, at most, unless something else is asked for."""
FIRST_BATCHES = 4
"""Batches that may be in hand before the first is through."""
RING_BYTES = 1 << 30
"""Memory of the ring, at most."""
PATIENCE = 60.0
"""Seconds that a lost camera is tried again."""


class LiveRunner(LivePipeline, Told):
    """One live run of one camera; the caller closes the camera afterwards, and the recorder.

    Args:
        camera: not started yet; only the capture thread touches it (but for `close`, where it hangs).
        pipeline: what to compute.
        sinks: receive every batch with its results, in order, each in a thread of its own; closed at the end, also of a
            failed run. `frames.pixels` are the ring's memory, valid until `write` returns; what `results` hold may be
            kept.
        device, roi, exact: as `Runner` takes them.
        latency: seconds from capture to tracks, at most; what would take longer is left out, counted and named.
        batch: frames a batch; None adapts.
        recorder: given every announced frame, and checkpoints where it is a `CheckpointTap`; may be set (attribute)
            until `start`.
        pictures: whether results carry the plain picture.
        changes: changes with frames, to be applied then (others come with `set_param` and `change_pipeline`).
        frames: end after so many announced frames; None goes on until `stop` or the end of the stream.
        slots: of the ring; None for what `latency` allows. A run that begins overloaded may take longer than `latency`
            for its first frames, until the speed is known.
        reconnect: seconds that a lost camera is tried again.
        sample: frames that the camera gave before, (n, *shape), by which the speed is known from the first frame on.
        on_state: called with each new state, by the thread that brought it about; must not block.
        on_change: called with each change as it takes effect (its frame is the first processed with it).

    Attributes:
        ledger: of every frame, at any time.
        recorder: see above.
    """

    def __init__(
        self,
        camera: Camera,
        pipeline: Pipeline,
        sinks: Sequence[Sink] = (),
        *,
        device: str = "auto",
        roi: Roi | None = None,
        latency: float = LATENCY,
        batch: int | None = None,
        recorder: FrameTap | None = None,
        exact: bool = True,
        pictures: bool = False,
        changes: Iterable[AnyChange] = (),
        frames: int | None = None,
        slots: int | None = None,
        reconnect: float = PATIENCE,
        sample: Pixels | None = None,
        on_state: Callable[[RunState], None] | None = None,
        on_change: Callable[[AnyChange], None] | None = None,
    ) -> None:
        super().__init__(camera, pipeline, recorder, device, roi, batch, pictures, exact, changes, sample, on_state,
                         on_change)  # fmt: skip
        self.ledger, self._sinks, self._frames = LiveLedger(), tuple(sinks), frames
        self._latency, self._batch, self._slots, self._patience = latency, batch, slots, reconnect
        self._offset = (roi[0], roi[1]) if roi else (0, 0)
        self._peeking = Peeking(self._note)
        self._paused = self._delivering = False
        self._lock = threading.Lock()
        self._connected, self._ending, self._ended = threading.Event(), threading.Event(), threading.Event()
        self._capture: Capture | None = None
        self._engine: EngineWork | None = None
        self._track: TrackWork | None = None
        self._crew = Crew(self._fail, lambda name: self._ending.set() if name == "capture" else None)
        self._writers: list[SinkWork] = []
        self._report: LiveReport | None = None
        self._started = time.perf_counter()

    def start(self) -> None:
        """Begin; returns once the camera delivers.

        Raises:
            InputError: the pipeline does not fit, the camera is not there or refuses; the run is FAILED then.
        """
        self._machine.to(RunState.STARTING)
        try:
            self.prepare()
            self._make()
        except Exception as error:
            self._fail("starting", error)
            self._end()
            raise
        self._started = time.perf_counter()
        assert self._capture is not None
        self._crew.spawn("capture", self._take_frames, self._capture)
        self._crew.spawn("live", self._supervise)
        self._connected.wait()
        if not self._delivering:
            self._ended.wait()
            raise InputError(self._error)

    def _make(self) -> None:
        """Everything between the camera and the sinks."""
        built, restructuring = self._built, self._restructuring
        assert built is not None
        assert restructuring is not None
        info = restructuring.order.info
        fps = info.time.fps if info.time.fps > 0 else UNKNOWN_FPS
        least = 2 * (self._batch or max(1, min(START, int(fps * self._latency / 4))))
        most = max(2, RING_BYTES // info.image.nbytes)
        slots = min(most, max(least, int(fps * self._latency), 4)) if self._slots is None else max(2, self._slots)
        self._ring = Ring(slots, info.image, built.engine.host_buffer)
        seen = restructuring.order.sample is not None
        self._length = BatchLength(self._latency, slots, built.most, info.time.fps, self._batch, built.rate, seen)
        if self._slots is None and not built.rate:  # until a batch is through nobody knows how many are too many
            self._length.limit = min(self._length.limit, FIRST_BATCHES * self._length.wanted)
        self._ring.limit = self._length.limit
        self._steps: HandOver[Step] = HandOver(BATCHES)
        self._writers = [SinkWork(f"sink {i}", sink, self._meter) for i, sink in enumerate(self._sinks)]
        self._capture = Capture(self.camera, self.ledger, self._meter, self, tap=self.recorder, frames=self._frames,
                                patience=self._patience, length=self._length)  # fmt: skip
        checkpoints = self.recorder if isinstance(self.recorder, CheckpointTap) else None
        states = self.recorder if isinstance(self.recorder, StateTap) else None
        self._engine = EngineWork(built, self._ring, self._changes, restructuring, self._steps, self._meter,
                                  self._length, self._peeking, checkpoints, states, self)  # fmt: skip
        self._track = TrackWork(Tracking(built.bound, info.time.fps, self._offset), self._steps, self._ring,
                                self.ledger, self._meter, self._length, self._writers, self._mailbox,
                                self.recorder)  # fmt: skip

    def _take_frames(self, capture: Capture) -> None:
        """The capture thread."""
        assert self._restructuring is not None
        old, new = self._restructuring.order.info, capture.connect()
        if (new.image, new.format, new.width, new.time.fps) != (old.image, old.format, old.width, old.time.fps):
            if self.recorder is not None:
                raise InputError(f"{new.name} delivers {new.image} at {new.time.fps:g} fps, not {old.image} at "
                                 f"{old.time.fps:g} fps as it said before; start again")  # fmt: skip
            self._built = None
            self.prepare()
            self._make()
            assert self._capture is not None
            self._capture.keep(capture)
            capture = self._capture
        assert self._engine is not None
        assert self._track is not None
        assert self._restructuring is not None
        self._crew.spawn("compile", self._restructuring.work)
        self._crew.spawn("engine", self._engine.run)
        self._crew.spawn("track", self._track.run)
        for writer in self._writers:
            self._crew.spawn(writer.name, writer.run)
        capture.pause(self._paused)
        self._machine.try_to(RunState.PAUSED if self._paused else RunState.RUNNING, RunState.STARTING)
        if self._ending.is_set():
            capture.stop()
        self._delivering = True
        self._connected.set()
        capture.run(self._ring)

    def _fail(self, where: str, error: BaseException) -> None:
        """End the run because of `error`; the first one counts."""
        with self._lock:
            self._fell(error, f"the {where} thread")
        self._stop_capture()
        if self._capture is not None and where != "capture":  # what a camera gave before it failed is finished
            self._capture.give_up()
            self._ring.throw_away()
            self._steps.throw_away()
            for writer in self._writers:
                if writer.name == where:
                    writer.queue.throw_away()
        self._connected.set()

    def _stop_capture(self) -> None:
        self._machine.try_to(RunState.STOPPING)
        if self._capture is not None:
            self._capture.stop()
        self._ending.set()

    def _supervise(self) -> None:
        """The "live" thread: wait for the others, one after the other, then settle."""
        self._ending.wait()
        self._machine.try_to(RunState.STOPPING)
        if not self._crew.join_by_force("capture", self.camera.close):
            self._fail("capture", InputError(f"{self.camera.info.name} does not answer, so it was given up"))
        self._ring.close()
        self._crew.join("engine")
        self._steps.close()
        self._crew.join("track")
        for writer in self._writers:
            writer.queue.close()
            self._crew.join(writer.name)
        self._end()

    def _end(self) -> None:
        """Close the sinks, settle the ledger, say how it ended."""
        for sink in self._sinks:
            try:
                sink.close()
            except Exception as error:
                self._fail("closing", error)
        if self._restructuring is not None:
            self._restructuring.close()
        self._mailbox.close()
        try:
            for left in self.ledger.finish():
                if self.recorder is not None:
                    self.recorder.event(taps.UNPROCESSED, left.first, first=left.first, last=left.last,
                                        reason=left.reason)  # fmt: skip
            self.ledger.check(ended=True)
        except Exception as error:
            self._fail("ledger", error)
        state = RunState.FAILED if self._error else RunState.STOPPED
        times = dict(self._engine.seconds) if self._engine else {}
        times |= {"track": self._track.seconds if self._track else 0.0, "write": sum(w.seconds for w in self._writers)}
        self._report = LiveReport(
            state, self._error, self.ledger, self.meter, tuple(self._changed),
            dict(self._engine.overflow) if self._engine else {}, time.perf_counter() - self._started, times, self.notes,
        )  # fmt: skip
        self._machine.to(state)
        self._ended.set()

    def gives_up(self, frames: npt.NDArray[np.int64]) -> None:
        """Frames are left out that would be too late (engine thread)."""
        for first, last in runs_of(frames):
            self.ledger.leave_out(first, last, BEHIND)
            if self.recorder is not None:
                self.recorder.event(taps.UNPROCESSED, first, first=first, last=last, reason=BEHIND)

    def begins(self) -> None:
        """The processor takes over from a GPU (engine thread)."""
        if self._capture is not None:
            self._capture.behind = TAKING_OVER

    def ends(self, frame: int, note: str) -> None:
        """It has taken over (engine thread)."""
        self._note(note)
        if self.recorder is not None:
            self.recorder.event(taps.NOTE, frame, text=note)
        if self._capture is not None:
            self._capture.behind = BEHIND

    def lost(self, reason: str) -> None:
        """The camera is lost (capture thread)."""
        self._note(reason)
        self._machine.try_to(RunState.RECONNECTING, RunState.RUNNING, RunState.PAUSED)

    def back(self) -> None:
        """The camera is back (capture thread)."""
        self._machine.try_to(RunState.PAUSED if self._paused else RunState.RUNNING, RunState.RECONNECTING)

    def pause(self) -> None:
        """Process no more frames; they are captured and recorded on, and named as unprocessed."""
        self._pause(True)

    def resume(self) -> None:
        """Process frames again, from the next one that comes."""
        self._pause(False)

    def _pause(self, paused: bool) -> None:
        self._paused = paused
        if self._capture is not None:
            self._capture.pause(paused)
        target, before = (RunState.PAUSED, RunState.RUNNING) if paused else (RunState.RUNNING, RunState.PAUSED)
        self._machine.try_to(target, before)

    def request_stop(self) -> None:
        """As `stop`, without waiting; from any thread or signal handler."""
        if self._machine.state is RunState.IDLE:
            self._machine.to(RunState.STARTING)
            self._machine.to(RunState.STOPPING)
            self._end()
        self._stop_capture()

    def stop(self, timeout: float | None = None) -> LiveReport | None:
        """Take no more frames, finish those that were taken, and wait; None if that takes longer than `timeout`.

        Not from a callback or a sink, which the run waits for: those use `request_stop`.
        """
        self.request_stop()
        return self.wait(timeout)

    def wait(self, timeout: float | None = None) -> LiveReport | None:
        """The report once the run has ended; None if it has not in `timeout` seconds."""
        self._ended.wait(timeout)
        return self._report

    @property
    def info(self) -> SourceInfo:
        """The camera's."""
        return self.camera.info

    def show(self, output: str) -> None:
        """Have `latest` carry one more picture: "node" or "node.output", also of a value inside a fused program, for
        the frames that are shown only; "" for none. What cannot be shown is named in `notes`."""
        self._peeking.show(output)

    @property
    def stage_seconds(self) -> dict[str, float]:
        """Seconds spent so far, by group of stages, and "track", "write"."""
        engine = self._engine
        made = dict(engine.built.engine.seconds) if engine is not None else {}
        for name, seconds in engine.seconds.items() if engine is not None else ():
            made[name] = made.get(name, 0.0) + seconds
        if self._track is not None:
            made["track"] = self._track.seconds
        return made | {"write": sum(writer.seconds for writer in self._writers)}

    @property
    def tracking(self) -> Tracking | None:
        """The trackers, which another thread runs; None before they are made."""
        return None if self._track is None else self._track.tracking

    @property
    def built(self) -> Built | None:
        """The engine at work: its back end, its groups."""
        return self._engine.built if self._engine is not None else self._built
