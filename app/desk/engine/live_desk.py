"""A camera that is open in the engine's process, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from app.cameras.opening import open_camera
from app.desk.engine import orders as ask
from app.desk.engine import reports as say
from app.desk.engine.rows_sink import RowsSink
from app.live.first_frames import camera_sample
from app.live.recording import begin_session, counts_of, number_facts
from app.live.wanted import Wanted
from app.sessions import events
from app.sessions.account import Account
from app.sessions.asking import parse_triggers
from app.sessions.recording import Recording
from app.sessions.shared import RecorderState
from app.sessions.tap import SessionTap
from kernels.errors import FusetrackError, InputError
from kernels.param import Value
from pipelines.automatic.sample import Sample
from pipelines.automatic.settling import open_settings, settle
from pipelines.definition import loads
from pipelines.frame import SourceInfo
from pipelines.graph import Pipeline
from pipelines.streaming.live import LiveRunner


class LiveDesk:
    """See the module.

    A recording begins with a run of its own, and so does what follows it: frames count from 0 and every stage and
    tracker begins anew, so that a replay of the session gives the same tracks.

    Args:
        order: what to open.
        sink: takes the rows.

    Raises:
        InputError: there is no such camera, or the pipeline does not fit it.
    """

    live = True

    def __init__(self, order: ask.Open, sink: RowsSink) -> None:
        self._order, self._sink = order, sink
        self._recording: Recording | None = None
        self._tap: SessionTap | None = None
        self._at: list[datetime] = []
        self._after: int | None = None
        self._triggers: list[say.Triggered] = []
        if not order.pipeline:
            raise InputError(f"{order.what} is a camera and has no pipeline of its own; choose one")
        self._sample: Sample | None = None
        self.words: tuple[str, ...] = ()
        self.found: Mapping[str, Value] = {}
        pipeline = self.settled(loads(order.pipeline))
        self.camera = open_camera(order.what, fps=order.reading.fps)
        try:
            self.runner = self._made(pipeline)
            sink.elsewhere = lambda: self.runner.tracking
            self.runner.start()
        except BaseException:
            self.camera.close()
            raise

    def settled(self, pipeline: Pipeline) -> Pipeline:
        """With numbers in place of "auto", found on the camera's first frames, and `words` about them."""
        if not open_settings(pipeline):
            return pipeline
        if self._sample is None:
            self._sample = camera_sample(self._order.what, self._order.reading.fps)
        found = settle(pipeline, self._sample, self._order.roi)
        self.words, self.found = found.words, found.found
        return found.pipeline

    def _made(self, pipeline: Pipeline) -> LiveRunner:
        return LiveRunner(self.camera, pipeline, [self._sink], device=self._order.device, roi=self._order.roi,
                          pictures=True, sample=None if self._sample is None else self._sample.pixels)  # fmt: skip

    @property
    def info(self) -> SourceInfo:
        return self.camera.info

    @property
    def position(self) -> int:
        """The frame that was announced last."""
        return self.runner.ledger.announced - 1

    @property
    def ledger(self) -> dict[str, Any]:
        ledger = self.runner.ledger
        return {"announced": ledger.announced, "processed": ledger.processed, "left_out": ledger.left_out,
                "unprocessed_reasons": dict(ledger.reasons),
                "missing": ledger.missing, "duplicates": ledger.duplicates,
                "reconnects": ledger.reconnects}  # fmt: skip

    @property
    def account(self) -> Account | None:
        """Where the recording stands."""
        return None if self._recording is None else self._recording.account

    def obey(self, order: ask.Order, report: Callable[[say.Report], None]) -> None:
        """Carry out an order of a camera's."""
        if isinstance(order, ask.Play):
            self.runner.resume()
        elif isinstance(order, ask.Pause):
            self.runner.pause()
        elif isinstance(order, ask.StartRecording):
            self._record(order, report)
        elif isinstance(order, ask.Trigger):
            if self._recording is None:
                raise InputError("nothing is being recorded, so nothing can be triggered")
            assert self._tap is not None
            self._tap.trigger(order.reason)
            self._tell_triggers(report)
        elif isinstance(order, ask.StopRecording):
            if self._recording is not None:
                self._end_run(report)
                self._restart(report)
        elif not isinstance(order, ask.SetSpeed | ask.SetLoop | ask.SetRange):
            raise InputError("a camera has no other frames than those that come")

    def _record(self, order: ask.StartRecording, report: Callable[[say.Report], None]) -> None:
        if self._recording is not None:
            raise InputError(f"{self._recording.path.name} is being recorded; stop it first")
        runner = self._fresh(report)
        self._end_run(report)
        try:
            asked = parse_triggers(order.triggers)
            wanted = Wanted(self._order.what, Path(order.path), roi=self._order.roi, before=order.before,
                            after=order.after, asked=asked)  # fmt: skip
            tap = begin_session(wanted, runner, runner.pipeline)
            try:
                tap.recording.await_start()
            except BaseException:
                tap.recording.discard()
                raise
        except FusetrackError:
            self._restart(report)
            raise
        self._tap, self._recording, self._at = tap, tap.recording, sorted(asked.at)
        self._after, self._triggers = order.after, []
        self._begin(runner)

    def look(self, report: Callable[[say.Report], None]) -> None:
        """Trigger when the clock says so; count what is processed; end a recording whose recorder had to stop."""
        if self._recording is None or self._tap is None:
            return
        if self._recording.account.state is RecorderState.FAILED:
            self._end_run(report)
            self._restart(report)
            return
        ledger = self.runner.ledger
        self._tap.count(ledger.processed, ledger.settled - 1)
        while self._at and datetime.now(self._at[0].tzinfo) >= self._at[0]:
            self._tap.trigger(f"time {self._at.pop(0):%H:%M:%S}")
        self._tell_triggers(report)

    def _tell_triggers(self, report: Callable[[say.Report], None]) -> None:
        assert self._tap is not None
        while self._tap.fired:
            reason, frame, at = self._tap.fired.popleft()
            told = say.Triggered(reason, frame, at, None if self._after is None else frame + self._after)
            self._triggers.append(told)
            report(told)

    def _restart(self, report: Callable[[say.Report], None]) -> None:
        self._begin(self._fresh(report))

    def _fresh(self, report: Callable[[say.Report], None]) -> LiveRunner:
        """A run of what was asked for last, compiled, even if this run has not gone over to it yet: with it that would
        be forgotten. Where it cannot be compiled, of what this run has."""
        asked = self._made(self.runner.target)
        try:
            asked.prepare()
        except Exception as error:
            report(say.Noted(f"the pipeline {self.runner.target.name!r} cannot be compiled, so the one before runs on: "
                             f"{' '.join(str(error).split())}"))  # fmt: skip
            return self._made(self.runner.pipeline)
        return asked

    def _begin(self, runner: LiveRunner) -> None:
        """Its frames count from 0: rows of the run before it are those of other frames."""
        self._sink.outdated()
        self.runner = runner
        runner.start()

    def _end_run(self, report: Callable[[say.Report], None] | None) -> None:
        """Stop the run; close what it recorded."""
        ended = self.runner.stop()
        recording, self._recording = self._recording, None
        if recording is None:
            return
        ledger = None if ended is None else ended.ledger
        try:
            if ledger is not None and self._tap is not None:
                self._tap.finish(ledger.processed, ledger.announced - 1, counts_of(ledger))
                recording.event(events.CAMERA, None, facts=number_facts(ledger))
        finally:
            account = _closed(recording)
            kept = bool(recording.announced)
            if not kept:  # nothing is in it, and its name is free again
                recording.discard()
        if report is not None:
            self._tell_triggers(report)
            triggers = tuple(self._triggers)
            if ledger is None:
                report(say.Recorded(str(recording.path), account, triggers=triggers, kept=kept))
                return
            report(say.Recorded(str(recording.path), account, ledger.losses, ledger.reconnects, ledger.missing,
                                ledger.processed, dict(ledger.reasons), triggers, kept))  # fmt: skip

    def close(self, report: Callable[[say.Report], None] | None = None) -> None:
        """Stop, close the recording, give the camera back."""
        try:
            self._end_run(report)
        finally:
            self.camera.close()


def _closed(recording: Recording) -> Account:
    """Close it; how it ended, with a problem where the recorder had to stop."""
    account = recording.account
    try:
        return recording.close()
    except InputError as error:
        return replace(account, problem=str(error))
