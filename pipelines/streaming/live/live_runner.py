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
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange
from pipelines.streaming.common.closable_queue import ClosableQueue
from pipelines.streaming.common.states import RunState
from pipelines.streaming.common.thread_group import ThreadGroup
from pipelines.streaming.engine.building import Built
from pipelines.streaming.engine.peek import Peeking
from pipelines.streaming.engine.tracking import Tracking
from pipelines.streaming.live import taps
from pipelines.streaming.live.batching import START, UNKNOWN_FPS, BatchLength
from pipelines.streaming.live.capture import Capture
from pipelines.streaming.live.computing import EngineWork, Told
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.ledger import BEHIND, TAKING_OVER, runs_of
from pipelines.streaming.live.options import LiveOptions
from pipelines.streaming.live.pipeline import LivePipeline
from pipelines.streaming.live.report import LiveReport
from pipelines.streaming.live.ring import Ring
from pipelines.streaming.live.taps import FrameTap
from pipelines.streaming.live.worker import BATCHES, Shared, SinkWork, Step, TrackWork

FIRST_BATCHES = 4
"""Batches that may be in hand before the first is through."""
RING_BYTES = 1 << 30
"""Memory of the ring, at most."""


class LiveRunner(LivePipeline, Told):
    """One live run of one camera; the caller closes the camera afterwards, and the recorder.

    Args:
        camera: not started yet; only the capture thread touches it (but for `close`, where it hangs).
        pipeline: what to compute.
        sinks: receive every batch with its results, in order, each in a thread of its own; closed at the end, also of a
            failed run. `frames.pixels` are the ring's memory, valid until `write` returns; what `results` hold may be
            kept.
        options: how.
        recorder: given every announced frame, and checkpoints where it is a `CheckpointTap`; may be set (attribute)
            until `start`.
        changes: changes with frames, to be applied then (others come with `set_param` and `change_pipeline`).
        sample: frames that the camera gave before, (n, *shape), by which the speed is known from the first frame on.
        on_state: called with each new state, by the thread that brought it about; must not block.
        on_change: called with each change as it takes effect (its frame is the first processed with it).

    `ledger` and `recorder` are those of the newest episode (`begin_anew`).
    """

    def __init__(
        self,
        camera: Camera,
        pipeline: Pipeline,
        sinks: Sequence[Sink] = (),
        options: LiveOptions | None = None,
        *,
        recorder: FrameTap | None = None,
        changes: Iterable[AnyChange] = (),
        sample: Pixels | None = None,
        on_state: Callable[[RunState], None] | None = None,
        on_change: Callable[[AnyChange], None] | None = None,
    ) -> None:
        super().__init__(camera, pipeline, options or LiveOptions(), recorder, changes, sample, on_state, on_change)
        self._sinks = tuple(sinks)
        roi = self.options.roi
        self._offset = (roi[0], roi[1]) if roi else (0, 0)
        self._peeking = Peeking(self._note)
        self._paused = self._delivering = False
        self._lock, self._beginning, self._settled = threading.Lock(), threading.Lock(), False
        self._connected, self._ending, self._ended = threading.Event(), threading.Event(), threading.Event()
        self._capture: Capture | None = None
        self._engine: EngineWork | None = None
        self._track: TrackWork | None = None
        self._threads = ThreadGroup(self._fail, lambda name: self._ending.set() if name == "capture" else None)
        self._writers: list[SinkWork] = []
        self._report: LiveReport | None = None
        self._started = time.perf_counter()

    def start(self, patience: float = 0.0) -> None:
        """Begin; returns once the camera delivers.

        Args:
            patience: seconds for which a camera that is not there is waited for.

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
        self._threads.spawn("capture", self._take_frames, self._capture, patience)
        self._threads.spawn("live", self._supervise)
        # Set once the camera delivers, and by `_fail`.
        self._connected.wait()
        if not self._delivering:
            self._ended.wait()
            raise InputError(self._error)

    def _make(self) -> None:
        """Everything between the camera and the sinks."""
        built, restructuring, options = self._built, self._restructuring, self.options
        assert built is not None
        assert restructuring is not None
        info = restructuring.order.info
        fps = info.time.fps if info.time.fps > 0 else UNKNOWN_FPS
        # Two batches at least: one is filled while the other is computed.
        least = 2 * (options.batch or max(1, min(START, int(fps * options.latency / 4))))
        most = max(2, RING_BYTES // info.image.nbytes)
        # As many frames as the camera sends within the latency: what lies longer would be too late.
        slots = min(most, max(least, int(fps * options.latency), 4)) if options.slots is None else max(2, options.slots)
        self._ring = Ring(slots, info.image, built.engine.host_buffer)
        seen = restructuring.order.sample is not None
        self._length = BatchLength(options.latency, slots, built.most, info.time.fps, options.batch, built.rate, seen)
        if options.slots is None and not built.rate:  # until a batch is through it is unknown how many are too many
            self._length.limit = min(self._length.limit, FIRST_BATCHES * self._length.wanted)
        self._ring.limit = self._length.limit
        self._steps: ClosableQueue[Step] = ClosableQueue(BATCHES)
        self._writers = [SinkWork(f"sink {i}", sink, self._meter) for i, sink in enumerate(self._sinks)]
        self._capture = Capture(self.camera, self._computing, self._meter, self, frames=options.frames,
                                patience=options.reconnect, length=self._length)  # fmt: skip
        shared = Shared(self._ring, self._steps, self._length, self._meter, self._computing)
        self._engine = EngineWork(built, shared, self._changes, restructuring, self._peeking, self)
        tracking = Tracking(built.bound, info.time.fps, self._offset)
        if options.measured:
            tracking.measure_all()
        self._track = TrackWork(tracking, shared, self._writers, self._latest)

    def _take_frames(self, capture: Capture, patience: float) -> None:
        """The capture thread."""
        assert self._restructuring is not None
        old, new = self._restructuring.order.info, capture.connect(patience)
        # The camera's answer differs from what it announced: everything behind it is built again before a frame is
        # taken.
        if (new.image, new.format, new.width, new.time.fps) != (old.image, old.format, old.width, old.time.fps):
            if self._computing.recorder is not None:
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
        self._threads.spawn("compile", self._restructuring.work)
        self._threads.spawn("engine", self._engine.run)
        self._threads.spawn("track", self._track.run)
        for writer in self._writers:
            self._threads.spawn(writer.name, writer.run)
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
        # Whoever waits for room or for frames must wake, or nobody could end.
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
        # From the front to the back: each thread is closed once the one before it has ended, so that nothing is lost.
        if not self._threads.join_by_force("capture", self.camera.close):
            self._fail("capture", InputError(f"{self.camera.info.name} does not answer, so it was given up"))
        self._ring.close()
        self._threads.join("engine")
        self._steps.close()
        self._threads.join("track")
        for writer in self._writers:
            writer.queue.close()
            self._threads.join(writer.name)
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
        self._latest.close()
        # From here on a new episode ends at once (`begin_anew`).
        with self._beginning:
            self._settled = True
        for episode in self._episodes:
            try:
                episode.end()
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
            self._computing.ledger.leave_out(first, last, BEHIND)
            self._computing.event(taps.UNPROCESSED, first, first=first, last=last, reason=BEHIND)

    def goes_over(self, episode: Episode) -> None:
        """The engine begins anew (engine thread)."""
        self._computing = episode

    def begins(self) -> None:
        """The processor takes over from a GPU (engine thread)."""
        if self._capture is not None:
            self._capture.behind = TAKING_OVER

    def ends(self, frame: int, note: str) -> None:
        """It has taken over (engine thread)."""
        self._note(note)
        self._computing.event(taps.NOTE, frame, text=note)
        if self._capture is not None:
            self._capture.behind = BEHIND

    def lost(self, reason: str) -> None:
        """The camera is lost (capture thread)."""
        self._note(reason)
        self._machine.try_to(RunState.RECONNECTING, RunState.RUNNING, RunState.PAUSED)

    def back(self) -> None:
        """The camera is back (capture thread)."""
        self._machine.try_to(RunState.PAUSED if self._paused else RunState.RUNNING, RunState.RECONNECTING)

    def begin_anew(
        self, recorder: FrameTap | None = None, pipeline: Pipeline | None = None, asked: int | None = None
    ) -> Episode:
        """Begin anew with the next frame that comes, as if the run began there: frames count from 0, every stage and
        tracker begins anew, and `recorder` is given all from there on. No frame between the two is lost, nothing is
        compiled, and what was taken before is finished with the ledger and the recorder that it began with.

        Args:
            recorder: of the frames that come; None for no recorder.
            pipeline: what the recorder says that they are processed with (`pipeline` a moment ago). If that is another
                one by the first of them, the recorder is told by a "structure" event.
            asked: when the user asked for it, ns since 1970: it is recorded, with the number of frames that came since.

        Returns:
            What begins; `episode` was the one before, and says when it has `ended`.
        """
        made = Episode(recorder, pipeline, asked)
        # Either the end of the run finds this episode in the list and ends it, or it is over and the episode ends here.
        with self._beginning:
            self._episodes = [*(one for one in self._episodes if not one.ended.is_set()), made]
            settled = self._settled
        if settled:  # the run is over
            made.end()
        elif self._capture is not None:
            self._capture.begin_anew(made)
        return made

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

    def show(self, output: str, *beside: str) -> None:
        """Have `latest` carry one more picture: "node" or "node.output", also of a value inside a fused program, for
        the frames that are shown only; "" for none. What cannot be shown is named in `notes`.

        Args:
            beside: other outputs that it carries, too.
        """
        self._peeking.show(output, *beside)

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
