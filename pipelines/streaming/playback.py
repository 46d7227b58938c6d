"""A clip or a session through a pipeline, as a film: play, pause, step, seek; or a replay, as fast as it goes.

A jump backwards gives bit for bit what a run from the beginning gives: snapshots of the engine and of the trackers are
kept every so many frames, and the frames between are computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kernels.param import Value
from pipelines.frame import FrameSource, Sink
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.changes import AnyChange
from pipelines.streaming.meter import MeterReading
from pipelines.streaming.runner import Progress, Report
from pipelines.streaming.states import RunState
from pipelines.streaming.working import Latest

SNAPSHOT_BYTES = 256 << 20
"""Memory for snapshots; where it is full, every second one is given up."""


class Playback:
    """One clip in hand.

    Two ways to use it: `run()` processes the whole range once, in the caller's thread (a replay); `start()` begins a
    thread "play" that obeys play, pause, step, seek.

    Args:
        source: the clip or session.
        pipeline: what it begins with.
        sinks: receive every batch in the order in which it is played (after a jump backwards, frames come again); not
            what is computed only to get to a frame. Closed at the end.
        device, roi, exact, pictures: as `Runner` takes them.
        frames: first frame and one past the last; None for all.
        batch: frames a batch, at most.
        changes: with the frames from which on they hold.
        unprocessed: ranges (first, last) of frames to leave out, as a live run left them out.
        speed: 1.0 is the clip's own time, 0.1 ten times slower; None as fast as it goes.
        loop: begin again at the end.
        snapshot_every: frames between two snapshots, to begin with; 0 keeps none.
        snapshot_bytes: memory for them.
    """

    def __init__(
        self,
        source: FrameSource,
        pipeline: Pipeline,
        sinks: Sequence[Sink] = (),
        *,
        device: str = "auto",
        roi: Roi | None = None,
        exact: bool = True,
        pictures: bool = False,
        frames: tuple[int, int] | None = None,
        batch: int = 16,
        changes: Iterable[AnyChange] = (),
        unprocessed: Iterable[tuple[int, int]] = (),
        speed: float | None = 1.0,
        loop: bool = False,
        snapshot_every: int = 64,
        snapshot_bytes: int = SNAPSHOT_BYTES,
    ) -> None:
        raise NotImplementedError

    def run(self, progress: Progress | None = None) -> Report:
        """Process the range once, in this thread, as fast as it goes; sinks are closed.

        Raises:
            InputError: a sink cannot write, the source cannot be read.
        """
        raise NotImplementedError

    def start(self) -> None:
        """Begin the thread; PAUSED before the first frame."""
        raise NotImplementedError

    def play(self) -> None:
        """Go on from here."""
        raise NotImplementedError

    def pause(self) -> None:
        """Stop at the frame in hand."""
        raise NotImplementedError

    def step(self, frames: int = 1) -> None:
        """Show the frame so many further on (back, if negative)."""
        raise NotImplementedError

    def seek(self, frame: int) -> None:
        """Show `frame` (clamped to the range)."""
        raise NotImplementedError

    def stop(self) -> None:
        """End the thread and close the sinks."""
        raise NotImplementedError

    def set_speed(self, speed: float | None) -> None:
        """From now on."""
        raise NotImplementedError

    def set_loop(self, loop: bool) -> None:
        """Whether to begin again at the end."""
        raise NotImplementedError

    def set_range(self, first: int, end: int) -> None:
        """Play only these frames; the state at `first` is still that of a run from the clip's first frame on."""
        raise NotImplementedError

    def set_param(self, node: str, param: str, value: Value, frame: int | None = None) -> None:
        """From the next frame on that is played (or from `frame` on); the frames before keep their values."""
        raise NotImplementedError

    def change_pipeline(self, pipeline: Pipeline, frame: int | None = None) -> None:
        """Compile in the background, and go over at the next frame (or at `frame`)."""
        raise NotImplementedError

    @property
    def changes(self) -> tuple[AnyChange, ...]:
        """All changes, by frame."""
        raise NotImplementedError

    @property
    def position(self) -> int:
        """The frame that was shown last; the one before the range where none was."""
        raise NotImplementedError

    @property
    def state(self) -> RunState:
        """Now."""
        raise NotImplementedError

    @property
    def error(self) -> str:
        """Why it failed, or ""."""
        raise NotImplementedError

    @property
    def meter(self) -> MeterReading:
        """A reading now."""
        raise NotImplementedError

    def latest(self, timeout: float | None = 0.0) -> Latest | None:
        """What was shown last, unless it was asked for before."""
        raise NotImplementedError
