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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kernels.param import Value
from pipelines.features import Tracks
from pipelines.frame import Camera, Result, Sink, SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.building import Built
from pipelines.streaming.capture import FrameTap
from pipelines.streaming.changes import AnyChange
from pipelines.streaming.live_ledger import LiveLedger
from pipelines.streaming.meter import MeterReading
from pipelines.streaming.states import RunState

LATENCY = 0.25
"""Seconds from capture to tracks, at most, unless something else is asked for."""


@dataclass(frozen=True)
class Latest:
    """What a window shows.

    Args:
        result: of the newest frame, with its picture where pictures were asked for.
        rows: the trackers' rows of the whole batch that it ended.
    """

    result: Result
    rows: Tracks


@dataclass(frozen=True)
class LiveReport:
    """How a run ended.

    Args:
        state: STOPPED or FAILED.
        error: why it failed, one sentence, or "".
        ledger: every frame accounted for.
        reading: the meter's last.
        changes: what changed while it ran, with frames, in order (the last `MOST_CHANGES`).
        overflow: rows that did not fit into a table, by node.
        seconds: wall time.
        stage_seconds: by group of stages, and "track", "write".
        notes: sentences to warn with: a failed change of the pipeline, a back end that could not be had.
    """

    state: RunState
    error: str
    ledger: LiveLedger
    reading: MeterReading
    changes: tuple[AnyChange, ...]
    overflow: dict[str, int]
    seconds: float
    stage_seconds: dict[str, float]
    notes: tuple[str, ...]


class LiveRunner:
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
        recorder: given every announced frame; may be set (attribute) until `start`.
        pictures: whether results carry the plain picture.
        changes: changes with frames, to be applied then (others come with `set_param` and `change_pipeline`).
        frames: end after so many announced frames; None goes on until `stop` or the end of the stream.
        lead: slots of the ring; None for what `latency` allows.
        on_state: called with each new state, by the thread that brought it about; must not block.
        on_change: called with each change as it takes effect (its frame is the first processed with it).
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
        lead: int | None = None,
        on_state: Callable[[RunState], None] | None = None,
        on_change: Callable[[AnyChange], None] | None = None,
    ) -> None:
        raise NotImplementedError

    def prepare(self) -> Built:
        """Compile; `start` does so too where it was not done. What a recorder's manifest tells is known then.

        Raises:
            InputError: the pipeline does not fit the camera.
        """
        raise NotImplementedError

    def start(self) -> None:
        """Begin; returns once the camera delivers.

        Raises:
            InputError: the pipeline does not fit, the camera is not there or refuses; the run is FAILED then.
        """
        raise NotImplementedError

    def pause(self) -> None:
        """Process no more frames; they are captured and recorded on, and named as unprocessed."""
        raise NotImplementedError

    def resume(self) -> None:
        """Process frames again, from the next one that comes."""
        raise NotImplementedError

    def stop(self, timeout: float | None = None) -> LiveReport:
        """Take no more frames, finish those that were taken, and wait."""
        raise NotImplementedError

    def request_stop(self) -> None:
        """As `stop`, without waiting; from any thread or signal handler."""
        raise NotImplementedError

    def wait(self, timeout: float | None = None) -> LiveReport | None:
        """The report once the run has ended; None if it has not in `timeout` seconds."""
        raise NotImplementedError

    def set_param(self, node: str, param: str, value: Value) -> None:
        """Change a parameter at the next boundary of batches; a structural one of a stage goes through
        `change_pipeline`.

        Raises:
            DefinitionError: no such node or parameter, or a bad value.
        """
        raise NotImplementedError

    def change_pipeline(self, pipeline: Pipeline) -> None:
        """Compile another pipeline in the background and go over to it at a boundary (see `changes`); frames are
        processed with the old one until then, and on if it cannot be compiled (`notes`).

        Raises:
            DefinitionError: it does not fit the camera.
        """
        raise NotImplementedError

    @property
    def info(self) -> SourceInfo:
        """The camera's."""
        raise NotImplementedError

    @property
    def pipeline(self) -> Pipeline:
        """What frames are processed with now, every live parameter included."""
        raise NotImplementedError

    @property
    def state(self) -> RunState:
        """Now."""
        raise NotImplementedError

    @property
    def error(self) -> str:
        """Why the run failed, or ""."""
        raise NotImplementedError

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences to warn with, so far."""
        raise NotImplementedError

    @property
    def ledger(self) -> LiveLedger:
        """Of every frame, at any time."""
        raise NotImplementedError

    @property
    def meter(self) -> MeterReading:
        """A reading now."""
        raise NotImplementedError

    def latest(self, timeout: float | None = 0.0) -> Latest | None:
        """What was computed last, unless it was asked for before."""
        raise NotImplementedError


