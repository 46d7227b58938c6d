"""A camera that is open in the engine's process, and what is recorded of it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from app.cameras.controls import adjust
from app.cameras.opening import open_camera
from app.desk.engine import commands, reports
from app.desk.engine.fallback import fitting
from app.desk.engine.rows_sink import RowsSink
from app.live.first_frames import camera_sample
from app.live.recording import begin_session, counts_of, number_facts, spare_memory
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
from pipelines.streaming.common.still import check_unforeseen
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions


class LiveDesk:
    """See the module.

    A recording is an episode of the run (`LiveRunner.begin_anew`), and so is what follows it: frames count from 0 and
    every stage and tracker begins anew, so that a replay of the session gives the same tracks; the camera runs on, and
    nothing is compiled.

    Args:
        order: what to open.
        sink: takes the rows.

    Raises:
        InputError: there is no such camera. A pipeline that does not fit it is no reason: `misfit` says why.
    """

    live = True

    def __init__(self, order: commands.Open, sink: RowsSink) -> None:
        self._order, self._sink = order, sink
        self._asked: commands.StartRecording | None = None
        self._recorded: _Recorded | None = None
        self._closing: list[_Recorded] = []
        if not order.pipeline:
            raise InputError(f"{order.what} is a camera and has no pipeline of its own; choose one")
        self._sample: Sample | None = None
        self.words: tuple[str, ...] = ()
        self.found: Mapping[str, Value] = {}
        self.asked = loads(order.pipeline)
        settled, self.misfit = fitting(self.asked, self.settled, lambda plain: plain)
        self.camera = open_camera(order.what, fps=order.reading.fps)
        try:
            sink.elsewhere = lambda: self.runner.tracking
            _, misfit = fitting(settled, self._started, self._started)
            self.misfit = self.misfit or misfit
        except BaseException:
            self.camera.close()
            raise
        self._spare = spare_memory(self.info) if os.name == "posix" else None

    def settled(self, pipeline: Pipeline) -> Pipeline:
        """With numbers in place of "auto", found on the camera's first frames, and `words` about them."""
        check_unforeseen(pipeline)
        if not open_settings(pipeline):
            return pipeline
        if self._sample is None:
            self._sample = camera_sample(self._order.what, self._order.reading.fps)
        found = settle(pipeline, self._sample, self._order.roi)
        self.words, self.found = found.words, found.found
        return found.pipeline

    def _started(self, pipeline: Pipeline) -> LiveRunner:
        self.runner: LiveRunner = self._made(pipeline)
        self.runner.start()
        return self.runner

    def _made(self, pipeline: Pipeline) -> LiveRunner:
        options = LiveOptions(device=self._order.device, roi=self._order.roi, pictures=True, measured=True)
        sample = None if self._sample is None else self._sample.pixels
        return LiveRunner(self.camera, pipeline, [self._sink], options, sample=sample)

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
    def beginning(self) -> bool:
        """Whether a recording was asked for that still waits for memory."""
        return self._asked is not None

    @property
    def account(self) -> Account | None:
        """How far the recording is, also while it is being closed."""
        newest = self._recorded or (self._closing[-1] if self._closing else None)
        return None if newest is None else newest.recording.account

    def obey(self, order: commands.Order, report: Callable[[reports.Report], None]) -> None:
        """Carry out an order of a camera's."""
        if isinstance(order, commands.Play):
            self.runner.resume()
        elif isinstance(order, commands.Pause):
            self.runner.pause()
        elif isinstance(order, commands.StartRecording):
            if (busy := self._asked or self._recorded) is not None:
                raise InputError(f"{Path(busy.path).name} is being recorded; stop it first")
            self._ask(order)
        elif isinstance(order, commands.SetCamera):
            self._set(order, report)
        elif isinstance(order, commands.Trigger):
            if self._recorded is None:
                raise InputError("nothing is being recorded, so nothing can be triggered")
            self._recorded.tap.trigger(order.reason)
            self._recorded.tell_triggers(report)
        elif isinstance(order, commands.StopRecording):
            if self._asked is not None:
                path, self._asked = self._asked.path, None
                raise InputError(f"{Path(path).name} was not kept, as the recording was stopped before it began")
            self._end_recording()
        elif not isinstance(order, commands.SetSpeed | commands.SetLoop | commands.SetRange):
            raise InputError("a camera has no other frames than those that come")

    def _set(self, order: commands.SetCamera, report: Callable[[reports.Report], None]) -> None:
        """Set the camera while it delivers; a recording says so.

        Raises:
            InputError: it refuses; what it took before that stays.
        """
        try:
            # One after the other, so that the recording has what the camera took before it refused one.
            for name, value in order.values:
                for reported, now in adjust(self.camera, {name: value}).items():
                    if self._recorded is not None:
                        recording = self._recorded.recording
                        recording.event(events.SETTING, recording.announced, name=reported, value=now)
        finally:
            report(reports.CameraIs(self.info))

    def _ask(self, order: commands.StartRecording) -> None:
        """Record with the next frame that comes, or as soon as there is memory for it; of a camera that is paused
        frames are processed again, as whoever records wants to see what is recorded, and its tracks.

        Raises:
            InputError: nothing can be recorded there.
        """
        parse_triggers(order.triggers)
        self.runner.resume()
        self._asked = replace(order, asked=order.asked or time.time_ns())
        self._begin_asked()

    def _begin_asked(self) -> None:
        order = self._asked
        if order is None or (order.before is None and self._spare is not None and not self._spare.ready):
            return
        self._asked = None
        asked = parse_triggers(order.triggers)
        wanted = Wanted(self._order.what, Path(order.path), roi=self._order.roi, before=order.before,
                        after=order.after, asked=asked)  # fmt: skip
        pipeline = self.runner.pipeline
        tap = begin_session(wanted, self.runner, pipeline, self._spare)
        episode = self.runner.begin_anew(tap, pipeline, order.asked)
        self._recorded = _Recorded(order.path, tap, episode, sorted(asked.at), order.after)

    def look(self, report: Callable[[reports.Report], None]) -> None:
        """Begin what waited for memory; trigger when the clock says so; count what is processed; end a recording whose
        recorder had to stop; report those that are closed."""
        if (asked := self._asked) is not None:
            try:
                self._begin_asked()
            except FusetrackError as error:
                report(reports.Refused(str(error), number=-1, recording=asked.path))
        for one in [one for one in self._closing if one.closed]:
            self._closing.remove(one)
            one.tell_end(report)
        recorded = self._recorded
        if recorded is None:
            return
        recorded.look()
        recorded.tell_triggers(report)
        if recorded.recording.account.state is RecorderState.FAILED:
            self._end_recording()

    def _end_recording(self) -> None:
        """Go on without it, and close it in the background once all its frames are through."""
        recorded, self._recorded = self._recorded, None
        if recorded is None:
            return
        # The recording's episode ends, and frames of another one follow.
        self.runner.begin_anew()
        self._closing.append(recorded)
        recorded.close()
        if self._spare is not None:
            self._spare.prepare()

    def close(self, report: Callable[[reports.Report], None] = lambda _: None) -> None:
        """Stop, close the recording, give the camera back."""
        try:
            self.runner.stop()
            if self._recorded is not None:
                self._recorded.close()
                self._closing.append(self._recorded)
                self._recorded = None
            for one in self._closing:
                one.wait()
                one.tell_end(report)
            self._closing.clear()
        finally:
            if self._spare is not None:
                self._spare.close()
            self.camera.close()


class _Recorded:
    """A session that is recorded, and closed by a thread of its own: what waits for the disk may take a while.

    Args:
        path: of the session.
        tap: records.
        episode: of the run.
        at: times of the clock that trigger, rising.
        after: frames to record from a trigger on; None until the end.
    """

    def __init__(
        self, path: str, tap: SessionTap, episode: Episode, at: list[datetime], after: int | None
    ) -> None:
        self.path, self.tap, self.recording, self._episode = path, tap, tap.recording, episode
        self._at, self._after = at, after
        self._triggers: list[reports.Triggered] = []
        self._thread: threading.Thread | None = None
        self._account, self._kept = self.recording.account, True

    def look(self) -> None:
        """Trigger when the clock says so, and say now and then how far processing is."""
        ledger = self._episode.ledger
        self.tap.count(ledger.processed, ledger.settled - 1)
        while self._at and datetime.now(self._at[0].tzinfo) >= self._at[0]:
            self.tap.trigger(f"time {self._at.pop(0):%H:%M:%S}")

    def tell_triggers(self, report: Callable[[reports.Report], None]) -> None:
        """Report what has triggered since."""
        while self.tap.fired:
            reason, frame, at = self.tap.fired.popleft()
            reported = reports.Triggered(reason, frame, at, None if self._after is None else frame + self._after)
            self._triggers.append(reported)
            report(reported)

    def close(self) -> None:
        """Begin to close it; no frame comes any more once its episode has ended."""
        self._thread = threading.Thread(target=self._close, name="close session")
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether it is."""
        return self._thread is not None and not self._thread.is_alive()

    def wait(self) -> None:
        """Until it is."""
        if self._thread is not None:
            self._thread.join()

    def _close(self) -> None:
        self._episode.ended.wait()
        ledger, recording = self._episode.ledger, self.recording
        try:
            self.tap.finish(ledger.processed, ledger.announced - 1, counts_of(ledger))
            recording.event(events.CAMERA, None, facts=number_facts(ledger))
        finally:
            self._account = _closed(recording)
        nothing = self._account.state is RecorderState.FAILED and not self._account.recorded
        self._kept = bool(recording.announced) and not nothing
        if not self._kept:  # nothing is in it, and its name is free again
            recording.discard()

    def tell_end(self, report: Callable[[reports.Report], None]) -> None:
        """Report how it ended, once it is closed."""
        ledger, began = self._episode.ledger, self._episode
        self.tell_triggers(report)
        report(reports.Recorded(self.path, self._account, ledger.losses, ledger.reconnects, ledger.missing,
                                ledger.processed, dict(ledger.reasons), tuple(self._triggers), self._kept,
                                began.delay, began.came_before))  # fmt: skip


def _closed(recording: Recording) -> Account:
    """Close it; how it ended, with a problem where the recorder had to stop."""
    account = recording.account
    try:
        return recording.close()
    except InputError as error:
        return replace(account, problem=str(error))
