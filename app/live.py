"""Records a camera or a clip into a session, through a pipeline or without one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from app.cameras.opening import open_camera
from app.live_clip import ScheduledRunner
from app.progress import Progress
from app.sessions import events
from app.sessions.account import Account
from app.sessions.asking import Asked
from app.sessions.manifest import Manifest
from app.sessions.recording import Recording
from app.sessions.shared import RecorderState
from app.sessions.sink import SessionSink
from app.sessions.tap import SessionTap
from app.sources.opening import open_source
from kernels.errors import FusetrackError, InputError
from pipelines.definition import load
from pipelines.frame import Camera, FrameSource, SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.building import Built
from pipelines.streaming.changes import AnyChange
from pipelines.streaming.live import LATENCY, UNKNOWN_FPS, LiveReport, LiveRunner
from pipelines.streaming.live_ledger import LiveLedger
from pipelines.streaming.meter import MeterReading
from pipelines.streaming.runner import frame_range, prepare
from pipelines.streaming.settings import resolved

CAMERA = "cam:"
"""What the names of cameras begin with."""
LOOK_EVERY = 0.1
"""Seconds between two looks at how things are."""
LATE = 0.25
"""Seconds, besides twice the latency, that tracks may take before what they trigger is about frames that are gone."""
NOTHING = Pipeline("nothing", "takes frames and does nothing with them", (), ())
"""What runs where there is no pipeline."""


@dataclass(frozen=True)
class Wanted:
    """What to record.

    Args:
        source: "cam:...", or a clip as `open_source` takes it.
        path: the session, a new file.
        pipeline: by name or path, None to record only.
        settings: parameters by "node.param".
        changes: of the pipeline on the way; their frames are those from which on they hold.
        seconds, frames: when to end; None for when told, or the end of the clip.
        fps: the rate in place of what the source says.
        roi: the region that is processed (the whole picture is recorded).
        before: frames to keep for a trigger; None records from the start, without one.
        after: frames to record from a trigger on; None until the end.
        asked: what triggers.
        device, batch, exact: as `Runner` takes them; `batch` None adapts.
        latency: as `LiveRunner` takes it.
        queue: frames that fit between here and the recorder; None for what 512 MB hold.
    """

    source: str
    path: Path
    pipeline: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    changes: Sequence[AnyChange] = ()
    seconds: float | None = None
    frames: int | None = None
    fps: float | None = None
    roi: Roi | None = None
    before: int | None = None
    after: int | None = None
    asked: Asked = field(default_factory=Asked)
    device: str = "auto"
    batch: int | None = None
    exact: bool = True
    latency: float = LATENCY
    queue: int | None = None

    @property
    def live(self) -> bool:
        """Whether the source is a camera."""
        return self.source.startswith(CAMERA)


@dataclass(frozen=True)
class Look:
    """How a recording of a camera goes, for a status line.

    Args:
        seconds: since it began; `left` until the end that was asked for, None if none was.
        reading: the meter's; ledger: the run's; account: the recorder's.
        triggers: how many there were; None if none is waited for.
    """

    seconds: float
    left: float | None
    reading: MeterReading
    ledger: LiveLedger
    account: Account
    triggers: int | None


class Hands(Protocol):
    """What a caller gets to hold a recording by, from any thread."""

    def stop(self) -> None:
        """End it cleanly."""

    def trigger(self, reason: str) -> None:
        """Ask for recording."""


@dataclass(frozen=True)
class Recorded:
    """How a recording ended.

    Args:
        path: the session.
        account: the recorder's last, None where it failed with a sentence in `problems`.
        live: the run's report, None for clips.
        triggers: how many there were.
        problems: sentences about what went wrong; without any, all is well.
        notes: sentences to warn with.
    """

    path: Path
    account: Account | None
    live: LiveReport | None
    triggers: int
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()


class _CameraHands:
    def __init__(self, runner: LiveRunner, tap: SessionTap) -> None:
        self._runner, self._tap = runner, tap

    def stop(self) -> None:
        self._runner.request_stop()

    def trigger(self, reason: str) -> None:
        self._tap.trigger(reason)


class _ClipHands:
    def __init__(self, runner: ScheduledRunner, tap: SessionTap) -> None:
        self._runner, self._tap = runner, tap

    def stop(self) -> None:
        self._runner.stop()

    def trigger(self, reason: str) -> None:
        self._tap.trigger(reason)


def pipeline_of(wanted: Wanted) -> Pipeline | None:
    """The pipeline with its settings.

    Raises:
        InputError: there is none of this name, or a setting or a change is refused.
    """
    if wanted.pipeline is None:
        if wanted.settings or wanted.changes:
            raise InputError("--set and --set-at change a pipeline; give one with --pipeline NAME")
        return None
    return load(wanted.pipeline).with_settings(wanted.settings)


def record_camera(
    wanted: Wanted,
    *,
    camera: Camera | None = None,
    started: Callable[[Hands], Any] | None = None,
    look: Callable[[Look], Any] | None = None,
) -> Recorded:
    """Record a camera until the end that was asked for, or the end of its stream.

    Args:
        wanted: what and how.
        camera: already open, in place of that of `wanted.source`; it is closed here.
        started: called once frames come.
        look: called ten times a second.

    Raises:
        InputError: something is wrong from the start; nothing is left behind then.
    """
    pipeline = pipeline_of(wanted)
    made = open_camera(wanted.source, fps=wanted.fps) if camera is None else camera
    with closing(made):
        device, roi = (wanted.device, wanted.roi) if pipeline else ("cpu", None)
        runner = LiveRunner(
            made, pipeline or NOTHING, device=device, roi=roi, latency=wanted.latency, batch=wanted.batch,
            exact=wanted.exact, changes=wanted.changes, frames=wanted.frames,
        )  # fmt: skip
        built = runner.prepare()
        preamble = manifest(wanted, made.info, pipeline, built).preamble()
        late = math.ceil(rate(made.info) * (2 * wanted.latency + LATE)) if wanted.asked.conditions else 0
        recording = Recording.start(wanted.path, preamble, queue=wanted.queue, before=wanted.before, late=late)
        tap = SessionTap(recording, conditions=wanted.asked.conditions, after=wanted.after)
        runner.recorder = tap
        try:
            runner.start()
        except BaseException:
            _forget(recording)
            raise
        if started is not None:
            started(_CameraHands(runner, tap))
        try:
            _watch(wanted, runner, recording, tap, pipeline is not None, look)
        finally:
            report = runner.stop()
        assert report is not None
        problems = [report.error] if report.error else []
        ledger = report.ledger
        if pipeline is not None:
            tap.finish(ledger.processed, ledger.announced - 1, ledger.facts())
        made.stop()
        recording.event(events.CAMERA, None, facts=camera_facts(made, ledger))
        account = _close(recording, problems)
        return Recorded(wanted.path, account, report, tap.triggers, tuple(problems), report.notes)


def _watch(
    wanted: Wanted, runner: LiveRunner, recording: Recording, tap: SessionTap, counts: bool,
    look: Callable[[Look], Any] | None,
) -> None:  # fmt: skip
    """Wait for the end, telling how things are."""
    begin = time.monotonic()
    while runner.wait(LOOK_EVERY) is None:
        seconds, ledger, account = time.monotonic() - begin, runner.ledger, recording.account
        if counts:
            tap.count(ledger.processed, ledger.settled - 1)
        left = [] if wanted.seconds is None else [wanted.seconds - seconds]
        if wanted.frames is not None and ledger.announced:
            left.append((wanted.frames - ledger.announced) * seconds / ledger.announced)
        if look is not None:
            triggers = None if wanted.before is None else tap.triggers
            look(Look(seconds, min(left) if left else None, runner.meter, ledger, account, triggers))
        full = account.state is RecorderState.FAILED
        if full or (wanted.seconds is not None and seconds >= wanted.seconds):
            runner.request_stop()


def record_clip(
    wanted: Wanted,
    progress: Callable[[str, int], Any] | None = None,
    started: Callable[[Hands], Any] | None = None,
) -> Recorded:
    """Record a clip; nothing is dropped, however slow the disk is.

    Args:
        wanted: what and how.
        progress: called with (label, frames to come); returns a context manager that gives a `Progress`.
        started: called before the first frame.

    Raises:
        InputError: something is wrong; a session without a frame is not left behind.
    """
    pipeline = pipeline_of(wanted)
    with closing(open_source(wanted.source, fps=wanted.fps)) as source:
        info = source.info
        frames = frame_range(info.frames, (0, _count(wanted, source)))
        roi = wanted.roi if pipeline else None
        bound = prepare(pipeline or NOTHING, source, roi)
        changes = resolved(pipeline, wanted.changes) if pipeline else []
        path = wanted.path
        recording = Recording.start(
            path, manifest(wanted, info, pipeline).preamble(), queue=wanted.queue, wait=True, before=wanted.before
        )
        try:
            sink = SessionSink(
                recording, info.first_number, conditions=wanted.asked.conditions, after=wanted.after,
                processes=pipeline is not None,
            )  # fmt: skip
            runner = ScheduledRunner(
                source, bound, [sink], pipeline=pipeline or NOTHING, frames=frames, changes=changes, roi=roi,
                applied=sink.changed, device=wanted.device if pipeline else "cpu", batch=wanted.batch or 16,
                exact=wanted.exact,
            )  # fmt: skip
        except BaseException:
            _forget(recording)
            raise
        if started is not None:
            started(_ClipHands(runner, sink.tap))
        problems: list[str] = []
        bar: Progress | None
        try:
            if progress is None:
                report = runner.run()
            else:
                with progress(f"{info.name} into {path.name}", frames[1] - frames[0]) as bar:
                    report = runner.run(bar)
            sink.finish()
        except BaseException as error:
            with suppress(InputError):
                recording.close()
            if isinstance(error, FusetrackError):
                raise type(error)(f"{error}; what was recorded is kept in {path}") from None
            raise
        if report.interrupted:
            problems.append("stopped before the end of the clip; what was recorded is kept")
        account = _close(recording, problems)
        return Recorded(path, account, None, sink.tap.triggers, tuple(problems), tuple(info.warnings))


def _count(wanted: Wanted, source: FrameSource) -> int:
    """Frames of a clip that are wanted."""
    info, count = source.info, source.info.frames
    if wanted.frames is not None:
        count = min(count, wanted.frames)
    if wanted.seconds is not None:
        begin = info.time.time(0)
        count = next((k for k in range(count) if info.time.time(k) - begin >= wanted.seconds), count)
    return count


def manifest(wanted: Wanted, info: SourceInfo, pipeline: Pipeline | None, built: Built | None = None) -> Manifest:
    """What the session says about itself."""
    settings: dict[str, Any] = {
        "roi": wanted.roi, "exact": wanted.exact, "before": wanted.before, "after": wanted.after,
    }  # fmt: skip
    if wanted.live:
        settings["latency_s"] = wanted.latency
    if pipeline is None or built is None:
        return Manifest(info, pipeline, settings=settings)
    plan = {"groups": [unit.name for unit in built.engine.units], **built.choice.facts}
    return Manifest(info, pipeline, built.choice.device, plan, settings)


def camera_facts(camera: Camera, ledger: LiveLedger) -> dict[str, Any]:
    """What the camera knows of itself where it does (a simulated one does), and what its numbers said."""
    seen = {"missing": ledger.missing, "repeated": ledger.duplicates, "losses": ledger.losses,
            "reconnects": ledger.reconnects}  # fmt: skip
    truth = getattr(camera, "truth", None)
    if truth is None:
        return seen
    told = truth()
    return {**seen, "exposed": told.announced, "delivered": told.delivered, "lost": told.lost,
            "duplicated": len(told.duplicated), "log_complete": told.complete}  # fmt: skip


def _forget(recording: Recording) -> None:
    """End a session that never began; without a frame there is nothing to keep."""
    with suppress(InputError):
        recording.close()
    if not recording.announced:
        with suppress(OSError):
            recording.path.unlink()


def _close(recording: Recording, problems: list[str]) -> Account | None:
    try:
        return recording.close()
    except InputError as error:
        problems.append(str(error))
        return None


def rate(info: SourceInfo) -> float:
    """Frames a second that a source announces, or what is reckoned with where it does not."""
    return info.time.fps if info.time.fps > 0 else UNKNOWN_FPS
