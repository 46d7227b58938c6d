"""Records a camera or a clip into a session, through a pipeline or without one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.cameras.opening import open_camera
from app.files.atomic import uninterrupted
from app.live.clip import Schedule, ScheduledRunner
from app.live.first_frames import settled_on_camera
from app.live.wanted import Hands, Look, Recorded, Wanted, manifest, pipeline_of, rate, state_every
from app.results import events_beside, take_events
from app.sending.sender import Sender
from app.sessions import events
from app.sessions.account import Account
from app.sessions.layout import Picture
from app.sessions.recording import Recording, queue_slots
from app.sessions.recording_options import RecordingOptions
from app.sessions.shared import Geometry, RecorderState
from app.sessions.sink import SessionSink
from app.sessions.spare import SpareMemory
from app.sessions.tap import SessionTap
from app.sources.opening import open_source
from kernels.errors import FusetrackError, InputError
from pipelines.automatic.sample import Sample
from pipelines.automatic.settling import settle_on
from pipelines.frame import Camera, FrameSource, SourceInfo
from pipelines.graph import Pipeline
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import frame_range, prepare
from pipelines.streaming.engine.settings import resolved
from pipelines.streaming.live.ledger import LiveLedger
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions

LOOK_EVERY = 0.1
"""Seconds between two looks at how things are."""
LATE = 0.25
"""Seconds, besides twice the latency, that tracks may take before what they trigger is about frames that are gone."""
LONGEST = 1e9
"""Seconds that a clip is believed to last: nanoseconds since 1970 end in 2262."""
NOTHING = Pipeline("nothing", "takes frames and does nothing with them", (), ())
"""What runs where there is no pipeline."""


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


def record_camera(
    wanted: Wanted,
    *,
    camera: Camera | None = None,
    sample: Sample | None = None,
    started: Callable[[Hands], Any] | None = None,
    look: Callable[[Look], Any] | None = None,
    sender: Sender | None = None,
) -> Recorded:
    """Record a camera until the end that was asked for, or the end of its stream.

    Args:
        wanted: what and how.
        camera: already open, in place of that of `wanted.source`; it is closed here.
        sample: frames that it gave before, in place of new ones, to find what is "auto".
        started: called once frames come.
        look: called ten times a second.
        sender: is given the tracks of each batch; closed at the end.

    Returns:
        How it ended. Where no frame came there is no session, and a problem says so.

    Raises:
        InputError: something is wrong from the start; nothing is left behind then.
    """
    pipeline, found, seen = settled_on_camera(pipeline_of(wanted), wanted.source, wanted.reading.fps, wanted.roi,
                                              sample)  # fmt: skip
    made = open_camera(wanted.source, fps=wanted.reading.fps) if camera is None else camera
    with closing(made):
        # Without a pipeline nothing is computed: the processor is enough, and no region is cut.
        device, roi = (wanted.device, wanted.roi) if pipeline else ("cpu", None)
        options = LiveOptions(device=device, roi=roi, latency=wanted.latency, batch=wanted.batch, exact=wanted.exact,
                              frames=wanted.frames, measured=True)  # fmt: skip
        sinks = [] if sender is None else [sender]
        runner = LiveRunner(made, pipeline or NOTHING, sinks, options, changes=wanted.changes, sample=seen)
        runner.prepare()  # what takes long can be broken off
        tap = None
        try:
            # Ctrl-C between the file and the name that holds it would leave a file that nobody closes.
            with uninterrupted():
                tap = begin_session(wanted, runner, pipeline)
            runner.recorder = tap
            tap.recording.await_start()
            tap.arrived = None if sender is None else sender.arrived
            runner.start()
            if started is not None:
                started(_CameraHands(runner, tap))
            _watch(wanted, runner, tap, pipeline is not None, look)
            ended = _ended(wanted, runner, tap, pipeline is not None, sender)
            return replace(ended, notes=(*found, *ended.notes))
        except BaseException:  # broken off: the recorder writes what it has and closes the session by itself
            runner.request_stop()
            if tap is not None and not tap.recording.announced:
                _forget(tap.recording)
            raise


def _ended(
    wanted: Wanted, runner: LiveRunner, tap: SessionTap, counts: bool, sender: Sender | None = None
) -> Recorded:
    """End the run and close its session."""
    report, recording, name = runner.stop(), tap.recording, runner.info.name
    assert report is not None
    problems = [report.error] if report.error else []
    ledger = report.ledger
    # Lost and not back: the end that was reached is not the end that was asked for.
    if ledger.losses > ledger.reconnects and not problems:
        problems.append(f"{name} was lost and had not come back when the recording ended")
    if counts:
        tap.finish(ledger.processed, ledger.announced - 1, counts_of(ledger))
    runner.camera.stop()
    if not ledger.announced:  # nothing to keep
        _forget(recording)
        said = problems or [f"{name} gave no frame before the recording ended"]
        return Recorded(wanted.path, None, report, 0, (*said, f"{wanted.path} was not kept, as nothing is in it"),
                        report.notes)  # fmt: skip
    recording.event(events.CAMERA, None, facts=camera_facts(runner.camera, ledger))
    _note_sent(recording, sender)
    account = _close(recording, problems)
    return Recorded(wanted.path, account, report, tap.triggers, tuple(problems), report.notes)


def begin_session(
    wanted: Wanted, runner: LiveRunner, pipeline: Pipeline | None, spare: SpareMemory | None = None
) -> SessionTap:
    """Begin the session of a run that is compiled; what it returns is to be that run's recorder. The session's own
    process may still be starting, and the caller holds Ctrl-C back, as for `Recording.begin`.

    Raises:
        InputError: nothing can be recorded there.
    """
    info, built = runner.info, runner.built
    preamble = manifest(wanted, info, pipeline, built).preamble()
    # A condition speaks of tracks, which come later than their frames: so many more are kept.
    late = math.ceil(rate(info) * (2 * wanted.latency + LATE)) if wanted.asked.conditions else 0
    states = state_every(wanted, info) if pipeline is not None else 0
    options = RecordingOptions(queue=wanted.queue, before=wanted.before, late=late, state_every=states,
                               behind_losses=pipeline is not None and wanted.states > 0,
                               trial=wanted.trial)  # fmt: skip
    recording = Recording.begin(wanted.path, preamble, options, spare)
    tap = SessionTap(recording, conditions=wanted.asked.conditions, after=wanted.after)
    tap.trackers = lambda: runner.tracking
    return tap


def spare_memory(info: SourceInfo) -> SpareMemory:
    """Memory for the next recording of a camera that begins with its first frame, made in the background."""
    size = Picture.of(info).frame_bytes
    return SpareMemory(Geometry(queue_slots(size, info.time.fps * size if info.time.fps > 0 else 0.0), size))


def _watch(
    wanted: Wanted, runner: LiveRunner, tap: SessionTap, counts: bool,
    look: Callable[[Look], Any] | None,
) -> None:  # fmt: skip
    """Wait for the end, telling how things are."""
    begin, recording = time.monotonic(), tap.recording
    end = math.inf if wanted.seconds is None else begin + wanted.seconds
    while runner.wait(max(0.001, min(LOOK_EVERY, end - time.monotonic()))) is None:
        seconds, ledger, account = time.monotonic() - begin, runner.ledger, recording.account
        if counts:
            tap.count(ledger.processed, ledger.settled - 1)
        # By the seconds that were asked for, or by the frames at the rate so far: whichever is first.
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
    sender: Sender | None = None,
) -> Recorded:
    """Record a clip; nothing is dropped, however slow the disk is.

    Args:
        wanted: what and how.
        progress: called with (label, frames to come); returns a context manager that gives a `Progress`.
        started: called before the first frame.
        sender: is given the tracks of each batch, as fast as the clip is read; closed at the end.

    Raises:
        InputError: something is wrong; a session without a frame is not left behind.
    """
    pipeline = pipeline_of(wanted)
    with closing(open_source(wanted.source, wanted.reading)) as source:
        info = source.info
        frames = frame_range(info.frames, (0, _count(wanted, source)))
        roi = wanted.roi if pipeline else None
        settled = settle_on(pipeline or NOTHING, source, roi, whole=False)
        pipeline = pipeline and settled.pipeline
        bound = prepare(settled.pipeline, source, roi)
        changes = resolved(pipeline, wanted.changes) if pipeline else []
        path, batch = wanted.path, wanted.batch or 16
        account, problems, recording = None, list[str](), None
        preamble = manifest(wanted, info, pipeline).preamble()
        try:
            with uninterrupted():
                recording = Recording.begin(path, preamble, RecordingOptions(
                    queue=wanted.queue, wait=True, before=wanted.before, late=batch,
                    state_every=state_every(wanted, info) if pipeline is not None else 0,
                ))  # fmt: skip
            recording.await_start()
            sink = SessionSink(
                recording, info.first_number, began=_began(info), conditions=wanted.asked.conditions,
                after=wanted.after, processes=pipeline is not None,
            )  # fmt: skip
            runner = ScheduledRunner(
                source, bound, [sink] if sender is None else [sink, sender], frames=frames, checkpoints=sink,
                schedule=Schedule(pipeline or NOTHING, changes, applied=sink.changed),
                options=RunOptions(roi=roi, device=wanted.device if pipeline else "cpu", batch=batch,
                                   exact=wanted.exact),
            )  # fmt: skip
            sink.stopped, sink.tap.trackers = runner.stop, lambda: runner.tracking
            if started is not None:
                started(_ClipHands(runner, sink.tap))
            if progress is None:
                report = runner.run()
            else:
                with progress(f"{info.name} into {path.name}", frames[1] - frames[0]) as bar:
                    report = runner.run(bar)
            sink.finish()
            _note_sent(recording, sender)
            if recording.announced:
                account = _close(recording, problems)
            else:
                _forget(recording)
        except BaseException as error:
            if recording is not None:
                # Closed: what was recorded is kept, and a session without a frame goes.
                _forget(recording)
                if isinstance(error, FusetrackError) and recording.announced:
                    raise type(error)(f"{error}; what was recorded is kept in {path}") from None
            raise
        if wanted.before is None and not wanted.asked.conditions and recording.announced:  # from the first frame on
            count = frames[1] - frames[0] if account is None else account.recorded
            take_events(wanted.source, events_beside(path), (0, count), problems)
        notes = (*settled.words, *info.warnings)
        if not recording.announced:
            return Recorded(path, None, None, 0, (f"no frame was taken, and {path} was not kept",), notes,
                            report.interrupted)  # fmt: skip
        return Recorded(path, account, None, sink.tap.triggers, tuple(problems), notes, report.interrupted)


def _note_sent(recording: Recording, sender: Sender | None) -> None:
    """Have the session tell what was sent, and what was not."""
    if sender is None:
        return
    sender.close()  # what waits is sent first
    if recording.announced:
        recording.event(events.SENT, None, text=sender.sent.describe())


def _began(info: SourceInfo) -> int | None:
    """Where a clip's times count from, ns since 1970: from the trigger where the camera says when that was, else from
    now. None where they do not count in seconds."""
    known = info.time.fps > 0 and abs(info.time.time(info.frames - 1)) < LONGEST
    if not known:
        return None
    try:
        # Nine digits of a second, whatever the camera writes, are nanoseconds.
        moment, _, fraction = str(info.metadata["trigger_utc"]).removesuffix("Z").partition(".")
        return int(datetime.fromisoformat(f"{moment}+00:00").timestamp()) * 10**9 + int(f"{fraction:0<9}"[:9])
    except (KeyError, ValueError):
        return time.time_ns()


def _count(wanted: Wanted, source: FrameSource) -> int:
    """Frames of a clip that are wanted."""
    info, count = source.info, source.info.frames
    if wanted.frames is not None:
        count = min(count, wanted.frames)
    if wanted.seconds is not None:
        begin = info.time.time(0)
        # Frames before the time that is asked for; times rise.
        count = next((k for k in range(count) if info.time.time(k) - begin >= wanted.seconds), count)
    return count


def counts_of(ledger: LiveLedger) -> dict[str, Any]:
    """The numbers of a ledger; its ranges are in the session as events of their own."""
    return {key: value for key, value in ledger.facts().items() if not isinstance(value, list)}


def number_facts(ledger: LiveLedger) -> dict[str, Any]:
    """What the numbers of a camera's frames said."""
    return {"missing": ledger.missing, "repeated": ledger.duplicates, "late": ledger.late,
            "losses": ledger.losses, "reconnects": ledger.reconnects}  # fmt: skip


def camera_facts(camera: Camera, ledger: LiveLedger) -> dict[str, Any]:
    """What the camera knows of itself where it does (a simulated one does), and what its numbers said."""
    seen = number_facts(ledger)
    truth = getattr(camera, "truth", None)
    if truth is None:
        return seen
    log = truth()
    return {**seen, "exposed": log.announced, "delivered": log.delivered, "lost": log.lost,
            "duplicated": len(log.duplicated), "log_complete": log.complete}  # fmt: skip


def _forget(recording: Recording) -> None:
    """End a session; without a frame there is nothing to keep, and its name is free again."""
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
