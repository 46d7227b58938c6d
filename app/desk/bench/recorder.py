"""Recording what a camera delivers, or a clip with what its pipeline finds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from app.desk.bench.recorded_words import outcome
from app.desk.bench.state import BenchState
from app.desk.bench.topics import Link, Topic
from app.desk.engine import commands, reports
from app.desk.jobs.orders import RecordOrder
from app.sessions.account import Account
from app.sessions.asking import parse_triggers
from kernels.errors import InputError
from pipelines.writing import dumps


class Recorder:
    """See the module.

    Args:
        bench: the state that it changes.
        link: to the engine's process.
    """

    def __init__(self, bench: BenchState, link: Link) -> None:
        self._bench, self._link = bench, link

    def record(
        self, path: str, before: int | None = None, after: int | None = None, triggers: Sequence[str] = ()
    ) -> None:
        """Record what the camera delivers.

        Args:
            path: a new file, .mcap.
            before, after, triggers: as in `ask.StartRecording`.

        Raises:
            InputError: no camera is open, a recording goes on, the file is there already, or a trigger is no trigger.
        """
        bench = self._bench
        if not bench.live:
            raise InputError("no camera is open; a clip is recorded by a job of its own")
        if bench.recording:
            raise InputError(f"{Path(bench.recording).name} is being recorded; stop it first")
        if Path(path).exists():
            raise InputError(f"{path} exists already and recordings overwrite nothing; choose another name")
        parse_triggers(triggers)
        bench.recording, bench.before_recording = path, bench.measured
        bench.triggered, bench.trigger_asked, bench.unkept = [], False, None
        self._link.send(commands.StartRecording(path, before, after, tuple(triggers), time.time_ns()))
        bench.tell(Topic.RECORDING)

    def clip_order(self, path: str) -> RecordOrder:
        """What has the clip recorded that is open, up to its out mark, with the pipeline as it is now.

        Args:
            path: a new file, .mcap.

        Raises:
            InputError: no clip is open, its in mark is not at the first frame, or the file is there already.
        """
        bench = self._bench
        if bench.asked is None or bench.opened is None or bench.live:
            raise InputError("open a clip first, then it can be recorded with its tracks")
        first, end = bench.range
        if first:
            raise InputError("a session of a clip begins with the clip's first frame, so that its replay can be exact; "
                             "take the in mark away (Shift+I takes both)")  # fmt: skip
        if Path(path).exists():
            raise InputError(f"{path} exists already and recordings overwrite nothing; choose another name")
        frames = None if end == bench.opened.info.frames else end
        asked = bench.asked
        return RecordOrder(asked.what, dumps(bench.pipeline), path, frames, asked.reading, asked.roi, asked.device,
                           bench.own_events, bench.opened.info.time)  # fmt: skip

    def take(self, path: str, account: Account) -> None:
        """A job has recorded a clip."""
        bench = self._bench
        made = reports.Recorded(path, account)
        bench.unkept = None
        bench.recorded.append(made)
        bench.speak(*outcome(made))
        bench.tell(Topic.STATE)

    def trigger(self, reason: str = "key") -> None:
        """Ask a recording that waits for it to record."""
        self._bench.trigger_asked = True
        self._link.send(commands.Trigger(reason))

    def stop(self) -> None:
        """Close the session."""
        self._link.send(commands.StopRecording())
