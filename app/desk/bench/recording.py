"""Recording what a camera delivers, or a clip with what its pipeline finds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from app.desk.bench.recorded_words import told
from app.desk.bench.state import BenchState
from app.desk.bench.topics import Topic
from app.desk.engine import commands, reports
from app.desk.jobs.orders import RecordOrder
from app.sessions.account import Account
from app.sessions.asking import parse_triggers
from kernels.errors import InputError
from pipelines.writing import dumps


class Recording(BenchState):
    """See the module."""

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
        if not self.live:
            raise InputError("no camera is open; a clip is recorded by a job of its own")
        if self.recording:
            raise InputError(f"{Path(self.recording).name} is being recorded; stop it first")
        if Path(path).exists():
            raise InputError(f"{path} exists already and recordings overwrite nothing; choose another name")
        parse_triggers(triggers)
        self.recording, self._before_recording = path, self.measured
        self.triggered, self.trigger_asked, self.unkept = [], False, None
        self._link.send(commands.StartRecording(path, before, after, tuple(triggers), time.time_ns()))
        self._tell(Topic.RECORDING)

    def clip_order(self, path: str) -> RecordOrder:
        """What has the clip recorded that is open, up to its out mark, with the pipeline as it is now.

        Args:
            path: a new file, .mcap.

        Raises:
            InputError: no clip is open, its in mark is not at the first frame, or the file is there already.
        """
        if self.asked is None or self.opened is None or self.live:
            raise InputError("open a clip first, then it can be recorded with its tracks")
        first, end = self.range
        if first:
            raise InputError("a session of a clip begins with the clip's first frame, so that its replay can be exact; "
                             "take the in mark away (Shift+I takes both)")  # fmt: skip
        if Path(path).exists():
            raise InputError(f"{path} exists already and recordings overwrite nothing; choose another name")
        frames = None if end == self.opened.info.frames else end
        asked = self.asked
        return RecordOrder(asked.what, dumps(self.pipeline), path, frames, asked.reading, asked.roi, asked.device,
                           self.own_events, self.opened.info.time)  # fmt: skip

    def take_recorded(self, path: str, account: Account) -> None:
        """A job has recorded a clip."""
        made = reports.Recorded(path, account)
        self.unkept = None
        self.recorded.append(made)
        self.speak(*told(made))
        self._tell(Topic.STATE)

    def trigger(self, reason: str = "key") -> None:
        """Ask a recording that waits for it to record."""
        self.trigger_asked = True
        self._link.send(commands.Trigger(reason))

    def stop_recording(self) -> None:
        """Close the session."""
        self._link.send(commands.StopRecording())
