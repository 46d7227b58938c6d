"""Recording what a camera delivers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.desk.bench.state import BenchState
from app.desk.bench.topics import Topic
from app.desk.engine import messages as say
from app.sessions.asking import parse_triggers
from kernels.errors import InputError


class Recording(BenchState):
    """See the module."""

    def record(
        self, path: str, before: int | None = None, after: int | None = None, triggers: Sequence[str] = ()
    ) -> None:
        """Record what the camera delivers.

        Args:
            path: a new file, .mcap.
            before, after, triggers: as in `say.StartRecording`.

        Raises:
            InputError: no camera is open, a recording goes on, the file is there already, or a trigger is no trigger.
        """
        if not self.live:
            raise InputError("only cameras are recorded; a clip is a file already")
        if self.recording:
            raise InputError(f"{Path(self.recording).name} is being recorded; stop it first")
        if Path(path).exists():
            raise InputError(f"{path} exists already and recordings overwrite nothing; choose another name")
        parse_triggers(triggers)
        self.recording = path
        self._link.send(say.StartRecording(path, before, after, tuple(triggers)))
        self._tell(Topic.RECORDING)

    def trigger(self, reason: str = "key", after: int | None = None) -> None:
        """Ask a recording that waits for it to record."""
        self._link.send(say.Trigger(reason, after))

    def stop_recording(self) -> None:
        """Close the session."""
        self._link.send(say.StopRecording())
