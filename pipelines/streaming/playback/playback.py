"""A clip or a session through a pipeline, as a film: play, pause, step, seek; or a replay, as fast as it goes.

    playback = Playback(source, pipeline)
    playback.start()
    playback.seek(500)
    playback.set_param("bright", "level", 0.05)
    playback.play()

A jump backwards gives bit for bit what a run from the beginning gives (`pipelines.streaming.playback.timeline`).
Nothing is ever left out to keep up with a speed: what cannot be played so fast is played slower.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kernels.errors import InputError
from pipelines.frame import FrameSource, Sink
from pipelines.graph import Pipeline
from pipelines.streaming.clip.ledger import Ledger
from pipelines.streaming.clip.report import Progress, Report
from pipelines.streaming.common.changes import AnyChange
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine.building import Built
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.tuned import Tuned


@dataclass
class PlaybackLedger(Ledger):
    """Also counts what a live run had left out, and a replay leaves out therefore."""

    left_out: int = 0

    @property
    def not_reached(self) -> int:
        """Frames that were asked for and never touched, because the run was stopped."""
        return self.announced - self.processed - self.bad - self.left_out

    def facts(self) -> dict[str, object]:
        """For the summary, JSON-able."""
        return {**super().facts(), "unprocessed": self.left_out}


class Playback(Tuned):
    """One clip in hand.

    Two ways to use it: `run()` processes the whole range once, in the caller's thread (a replay); `start()` begins a
    thread "play" that obeys play, pause, step, seek.

    Args:
        source: the clip or session.
        pipeline: what it begins with.
        sinks: receive every batch in the order in which it is played (after a jump backwards, frames come again); not
            what is computed only to get to a frame, nor, but for `whole`, that frame. Closed at the end.
        options: how.
        frames: first frame and one past the last; None for all.
        changes: with the frames from which on they hold.
        unprocessed: ranges (first, last) of frames to leave out, as a live run left them out.
        outdated: with `whole`, called before each change takes hold, by the thread that writes to the sinks: what they
            got until then is of other parameters. Called, too, when frames are processed again that came before the
            last change: what was found from there on has other ids.
        on_state: called with each new state.
    """

    def __init__(
        self,
        source: FrameSource,
        pipeline: Pipeline,
        sinks: Sequence[Sink] = (),
        options: PlaybackOptions | None = None,
        *,
        frames: tuple[int, int] | None = None,
        changes: Iterable[AnyChange] = (),
        unprocessed: Iterable[tuple[int, int]] = (),
        outdated: Callable[[], None] | None = None,
        on_state: Callable[[RunState], None] | None = None,
    ) -> None:
        super().__init__(source, pipeline, sinks, options or PlaybackOptions(), frames or (0, source.info.frames),
                         tuple(changes), sorted(unprocessed), on_state)  # fmt: skip
        self._outdated = outdated or (lambda: None)

    def run(self, progress: Progress | None = None) -> Report:
        """Process the range once, in this thread, as fast as it goes; sinks are closed.

        Raises:
            InputError: a sink cannot write, the source cannot be read.
        """
        self._machine.to(RunState.STARTING)
        begin = time.perf_counter()
        ledger = PlaybackLedger(*self.frames)
        seconds = {"track": 0.0, "write": 0.0}
        # A replay goes forwards only: the first snapshot is enough, for where a GPU fails.
        self._snapshots.every = 0
        try:
            timeline = self.timeline
            self._obey()  # changes that were asked for before
            self._machine.to(RunState.RUNNING)
            reached = self.frames[0]
            while timeline.next < self.frames[1] and not self._stop.is_set():
                again = timeline.next < reached  # the processor took over, and repeats what it has to know
                done = timeline.process(reached if again else self.frames[1], ahead=True)
                if done is None or again:
                    continue
                reached = done.end
                since = time.perf_counter()
                self._write(done)
                seconds["write"] += time.perf_counter() - since
                ledger.processed += len(done.batch)
                ledger.left_out += done.end - done.first - len(done.batch) - len(done.bad)
                for index, reason in done.bad:
                    ledger.add_bad(index, reason)
                self._show(done)
                if progress is not None:
                    progress.advance(done.end - done.first, len(done.bad))
            ledger.check()
        except BaseException as error:
            self._failed(error)
            raise
        finally:
            self._close()
        if self._error:
            raise InputError(self._error)
        return Report(
            ledger, timeline.overflow, time.perf_counter() - begin,
            {**timeline.fetcher.seconds, **seconds, **timeline.seconds}, interrupted=ledger.not_reached > 0,
        )  # fmt: skip

    def start(self) -> None:
        """Begin the thread; PAUSED before the first frame.

        Raises:
            InputError: the pipeline or a change does not fit the clip; the playback is FAILED then.
        """
        self._machine.to(RunState.STARTING)
        try:
            self.prepare()
        except BaseException as error:
            self._failed(error)
            self._close()
            raise
        self._machine.to(RunState.PAUSED)
        threading.Thread(target=self._work, name="play", daemon=True).start()

    def play(self) -> None:
        """Go on from here; from the beginning of the range where its end was reached."""

        def command() -> None:
            if not self._range[0] <= self._goal + 1 < self._range[1]:
                self._go(self._range[0])
            self._set_playing(True)

        self._command(command)

    def pause(self) -> None:
        """Stop at the frame in hand."""
        self._command(lambda: self._set_playing(False))

    def step(self, frames: int = 1) -> None:
        """Pause, and show the frame so many further on (back, if negative)."""

        def command() -> None:
            self._set_playing(False)
            self._go(self._goal + frames)

        self._command(command)

    def seek(self, frame: int) -> None:
        """Show `frame` (clamped to the range); of several that are asked for the last counts."""
        self._command(lambda: self._go(frame))

    def stop(self, timeout: float | None = None) -> bool:
        """End the thread (or `run`) and close the sinks; whether that is done in `timeout` seconds."""
        idle = self._machine.state is RunState.IDLE
        self._stop.set()
        with self._wake:
            self._wake.notify_all()
        if idle:
            self._machine.to(RunState.STARTING)
            self._close()
        return threading.current_thread().name == "play" or self._ended.wait(timeout)

    def request_stop(self) -> None:
        """As `stop`, without waiting; from any thread or signal handler."""
        self._stop.set()
        self._command(lambda: None)

    def settle(self, timeout: float | None = None) -> bool:
        """Until every command so far is carried out, seeking included; whether it is."""
        done = threading.Event()
        self._command(lambda: self._settling.append(done))
        return done.wait(timeout)

    def set_speed(self, speed: float | None) -> None:
        """From now on."""

        def command() -> None:
            self._speed, self._clock = speed, (time.perf_counter(), self._position + 1)

        self._command(command)

    def set_loop(self, loop: bool) -> None:
        """Whether to begin again at the end."""
        self._loop = loop

    def set_range(self, first: int, end: int) -> None:
        """Play only these frames; the state at `first` is still that of a run from the clip's first frame on."""
        low, high = self.frames
        if not low <= first < end <= high:
            raise InputError(f"the frame range {first}:{end} is empty or reaches outside {low}:{high}")

        def command() -> None:
            self._range = (first, end)
            if not first <= self._goal < end and self._goal >= low:
                self._go(self._goal)

        self._command(command)

    def show(self, output: str, *beside: str) -> None:
        """Have results carry one more picture: "node" or "node.output", also of a value inside a fused program; "" for
        none. What cannot be shown is named in `notes`.

        Args:
            beside: other outputs that they carry, too.
        """
        self.prepare()

        def command() -> None:
            self.timeline.peeking.show(output, *beside)
            if self._playing or (self._target < 0 and self._position < self.frames[0]):
                return
            self.timeline.peeking.wait(self.timeline.built.engine)  # no later frame would show it
            if self._target < 0:  # else the frame that is sought
                self._go(self._position)

        self._command(command)

    @property
    def built(self) -> Built:
        """The engine at work: its back end, its groups."""
        self.prepare()
        return self.timeline.built

    @property
    def stage_seconds(self) -> dict[str, float]:
        """Seconds spent so far, by group of stages."""
        return dict(self.timeline.seconds)

    @property
    def changes(self) -> tuple[AnyChange, ...]:
        """All changes, by frame."""
        return self.timeline.changes

    @property
    def pipeline(self) -> Pipeline:
        """What the shown frame was processed with."""
        return self.timeline.pipeline_at(max(self._position, self.frames[0]))

    @property
    def position(self) -> int:
        """The frame that was shown last; the one before the first where none was."""
        return self._position
