"""The window's end of the engine's process: orders go out, reports come in, nothing ever waits.

A process that dies is named, with what it printed last, and started anew: the window stays. One that dies again and
again before it is ready is not: it would do so for ever.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import select
import tempfile
import time
from collections import deque
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from app.child_process import last_words
from app.desk.engine.commands import CAMERA, Close, Open, Order, Quit, StartRecording
from app.desk.engine.picture_box import PictureBox, Shown
from app.desk.engine.reports import Built, Closed, Crashed, Opened, Ready, Recorded, Refused, Report
from kernels.errors import InputError

LAST_WORDS = 20_000
"""Characters of what a dead process printed that are kept for people."""
PATIENCE = 5.0
"""Seconds that the process may take to end where a camera is open, which is given back."""
GRACE = 0.7
"""The same where only a clip is open, of which nothing can be lost: what is being computed or compiled is left."""
RECORDING_PATIENCE = 60.0
"""The same where something is recorded, which may still have to be written."""
TRIES = 3
"""Processes that may die one after the other before they are ready."""
ADVICE = "run `fusetrack doctor` to see what is wrong, then choose Help, Start the engine again"
TURN = 0.008
"""Seconds that one poll takes, some: the rest is there at the next."""
MOST_AT_ONCE = 256
"""Reports that one poll hands out, so that a window that was away for long stays responsive."""


class EngineLink:
    """Starts the engine's process and talks to it; used by one thread (the window's).

    Args:
        plugins: files with stages and trackers of the user's.

    Raises:
        InputError: there is no folder for temporary files.
    """

    def __init__(self, plugins: tuple[str, ...] = ()) -> None:
        self._plugins = plugins
        self._box: PictureBox | None = None
        self._name = ""
        self._closed = False
        self._waiting: deque[Order] = deque()
        self._live = self._recording = False
        self._fell = 0.0
        self._ready, self._down, self._tries = False, False, 0
        self._refusal: Crashed | None = None
        try:
            handle, name = tempfile.mkstemp(prefix="fusetrack-engine-", suffix=".log")
        except OSError as error:
            raise InputError("no folder for temporary files can be written; free some space, or have TMPDIR name one: "
                             f"{error.strerror}") from error  # fmt: skip
        os.close(handle)  # an open file could not be removed under Windows
        self._log = Path(name)
        self._spawn()

    def _spawn(self) -> None:
        self._ready = False
        self._waiting.clear()
        self._log.write_bytes(b"")
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._connection: Connection = ours
        self._process = context.Process(
            target=_serve, args=(theirs, str(self._log), self._plugins), name="fusetrack engine", daemon=True
        )
        self._process.start()
        # Only the process holds its end now: once it is dead, reading ends in place of waiting for ever.
        theirs.close()

    @property
    def pid(self) -> int | None:
        """The engine's process."""
        return self._process.pid

    @property
    def down(self) -> bool:
        """Whether no process is there, for none could be started."""
        return self._down

    def start_again(self) -> None:
        """Try anew to start a process where none could be started; nothing where one is there."""
        if self._down and not self._closed:
            self._down, self._tries = False, 0
            self._refusal = self._try()

    def send(self, order: Order) -> None:
        """Give an order; what it led to comes with `poll`."""
        if isinstance(order, Close):
            self._forget_box()
        elif isinstance(order, StartRecording):
            # From the order on: the process may begin before it says so.
            self._recording = True
        elif isinstance(order, Open):
            self._live |= order.what.startswith(CAMERA)
        if not self._down:
            self._waiting.append(order)
            self._send_waiting()

    def _send_waiting(self) -> None:
        """Hand over orders as far as there is room: an engine that opens a long clip reads none meanwhile."""
        with suppress(OSError, ValueError):  # it died: `poll` says so
            while self._waiting and _has_room(self._connection):
                self._connection.send(self._waiting.popleft())

    def poll(self) -> list[Report]:
        """What was reported since the last call."""
        found: list[Report] = []
        if self._refusal is not None:
            found, self._refusal = [self._refusal], None
        if self._down:
            return found
        if self._fell:
            return self._fallen()
        self._send_waiting()
        try:
            until = time.monotonic() + TURN
            while len(found) < MOST_AT_ONCE and self._connection.poll():
                report = self._connection.recv()
                self._look_at(report)
                if not isinstance(report, Ready):
                    found.append(report)
                if time.monotonic() > until:
                    break
        except (EOFError, OSError):
            if not self._closed:
                self._fell = time.monotonic()
                found += self._fallen()
        return found

    def _fallen(self) -> list[Report]:
        """The process says nothing any more; once it has ended (the system may first write its memory to a file), or
        should have, that is told."""
        if self._process.is_alive() and time.monotonic() < self._fell + PATIENCE:
            return []
        return [self._crashed()]

    def picture(self) -> Shown | None:
        """The newest picture, unless it was seen before; its pixels are valid until the next call."""
        return None if self._box is None else self._box.take()

    def _look_at(self, report: Report) -> None:
        if isinstance(report, Opened) or (isinstance(report, Built) and self._name not in ("", report.box)):
            self._forget_box()
            with suppress(InputError):  # closed again already
                self._box = PictureBox(name=report.box)
                self._name = report.box
        elif isinstance(report, Closed):
            self._forget_box()
        if isinstance(report, Ready):
            self._ready, self._tries = True, 0
        elif isinstance(report, Opened):
            self._live, self._recording = report.live, False
        elif isinstance(report, Refused):
            self._recording &= not report.recording
        elif isinstance(report, Recorded | Closed):
            self._recording = False
            self._live &= isinstance(report, Recorded)

    def _forget_box(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None
            self._name = ""

    def _crashed(self) -> Crashed:
        self._live, self._recording, self._fell = False, False, 0.0  # first, so that it is told once, come what may
        code = self._process.exitcode
        if code is None:
            self._process.kill()
        self._connection.close()
        # The box's maker is dead: nobody else frees its memory.
        if self._box is not None:
            self._box.free()
        self._forget_box()
        words = self._log.read_text("utf-8", "replace")[-LAST_WORDS:].strip()
        how = "it said nothing any more" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
        self._tries = 0 if self._ready else self._tries + 1
        if self._tries < TRIES:
            return self._try() or Crashed(
                f"the engine ended unexpectedly ({how}); it was started again, open the clip once more", words)
        self._down = True
        said = f", at last it said: {last}" if (last := last_words(words)) else ""
        sentence = f"the engine cannot be started: it ended {TRIES} times before it was ready ({how}{said}); {ADVICE}"
        return Crashed(sentence, words, down=True)

    def _try(self) -> Crashed | None:
        """Start a process; what is to be said where the system does not let us."""
        try:
            self._spawn()
        except OSError as error:
            self._down = True
            return Crashed(f"the engine cannot be started: {error.strerror or error}; {ADVICE}", "", down=True)
        return None

    def close(self) -> None:
        """End the process; what it records is closed properly, and for nothing else is waited long."""
        if self._closed:
            return
        self._closed = True
        if self._down:
            with suppress(OSError):
                os.unlink(self._log)
            return
        self.send(Quit())
        patience = RECORDING_PATIENCE if self._recording else PATIENCE if self._live else GRACE
        end = time.monotonic() + patience
        with suppress(EOFError, OSError):
            # Reports are read while it ends: a pipe that is full would keep it from ending.
            while time.monotonic() < end and self._process.is_alive():
                self._send_waiting()
                if self._connection.poll(0.05):
                    self._look_at(self._connection.recv())
        self._process.join(max(0.0, end - time.monotonic()))
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
            if self._box is not None:
                self._box.free()
        self._forget_box()
        self._connection.close()
        with suppress(OSError):
            os.unlink(self._log)


def _has_room(connection: Connection) -> bool:
    """Whether an order can be sent without waiting for the engine to read others."""
    if not hasattr(select, "poll"):  # Windows
        return True
    asked = select.poll()
    asked.register(connection.fileno(), select.POLLOUT)
    return bool(asked.poll(0))


def _serve(connection: Connection, log: str, plugins: tuple[str, ...]) -> None:
    """Runs in the engine's process; only there is loaded what computes, so that the window appears sooner."""
    gc.disable()  # as `app.child_process.code_of` does, and for the same reason
    process = importlib.import_module("app.desk.engine.process")
    gc.freeze()
    gc.enable()
    process.main(connection, log, plugins)
    os._exit(0)  # all is closed; to take the interpreter apart only takes time
