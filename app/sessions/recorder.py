"""The recorder's process as the program sees it: started, watched, and started again when it dies before its time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.child_process import code_of, say
from app.sessions.shared import RecorderState, SharedMemory
from kernels.errors import InputError

MOST_RESTARTS = 5
START_PATIENCE = 30.0
"""Seconds that a recorder may take to start."""


class RecorderProcess:
    """One session's recorder, whichever process it is.

    Args:
        path: the session, for sentences.
        memory: shared with it.
        options: its settings.
        again: called with how often it was started again, whenever it is, by a thread.

    Attributes:
        ended: there is none any more, and there will be none.
    """

    def __init__(
        self, path: Path, memory: SharedMemory, options: dict[str, Any], again: Callable[[int], None]
    ) -> None:
        self._path, self._memory, self._options, self._again = path, memory, options, again
        self.ended = False
        self._process = self._spawn()
        self._watcher = threading.Thread(target=self._watch, daemon=True, name="recorder")
        self._watcher.start()

    def await_start(self) -> None:
        """Wait until it records.

        Raises:
            InputError: it does not start.
        """
        end = time.monotonic() + START_PATIENCE
        while self._memory.state is RecorderState.STARTING and not self.ended:
            if time.monotonic() > end:
                raise InputError(f"the recorder of {self._path} did not start within {START_PATIENCE:.0f} seconds; the "
                                 "machine may be too busy, so try again")  # fmt: skip
            time.sleep(0.002)
        if self._memory.state is RecorderState.FAILED:
            raise InputError(self._memory.sentence)

    @property
    def number(self) -> int:
        """The process id."""
        return self._process.pid

    def wait(self, seconds: float) -> bool:
        """Until it has ended for good; whether it has."""
        self._watcher.join(max(0.0, seconds))
        return not self._watcher.is_alive()

    def _spawn(self) -> subprocess.Popen[bytes]:
        """Start a recorder; it inherits the memory and hears of our death by the end of its input."""
        process = subprocess.Popen(
            [sys.executable, "-c", code_of("app.sessions", "process")],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(self._memory.descriptor,), start_new_session=True,
        )  # fmt: skip
        say(process, json.dumps(self._options).encode() + b"\n")
        return process

    def _watch(self) -> None:
        """Start another recorder when one dies before its time."""
        memory = self._memory
        while True:
            self._process.wait()
            if self._process.stdin is not None:
                with suppress(OSError):
                    self._process.stdin.close()
            if memory.state in (RecorderState.DONE, RecorderState.FAILED):
                break
            if memory.number("restarts") >= MOST_RESTARTS or (
                memory.state is RecorderState.STARTING and memory.number("closing")
            ):
                memory.leave_sentence(self._farewell(memory.state is RecorderState.STARTING))
                memory.publish(memory.recorder, "state", RecorderState.FAILED)
                break
            memory.producer["restarts"] += 1
            self._again(memory.number("restarts"))
            self._process = self._spawn()
        self.ended = True

    def _farewell(self, starting: bool) -> str:
        """Why there is no recorder any more."""
        times = self._memory.number("restarts") + 1
        how = _ending(self._process.returncode)
        if starting:  # nothing can have been recorded
            often = "" if times == 1 else f", {times} times"
            return f"the recorder of {self._path} does not start: its process ended with {how}{often}; nothing was " \
                   "recorded"  # fmt: skip
        return f"the recorder of {self._path.name} died {times} times, at last with {how}; what it wrote is kept"


def _ending(code: int) -> str:
    """How a process ended, in words.

    >>> _ending(1), _ending(-9)
    ('exit code 1', 'SIGKILL')
    """
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"
