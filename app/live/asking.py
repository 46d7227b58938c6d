"""How people and programs speak to a recording that runs: keys, lines on standard input, signals, the clock."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TextIO

KEYS = frozenset(" tT")
"""Keys that trigger; q asks for the end."""
POLL = 0.1
"""Seconds between two looks at whether to go on listening."""


class Listener:
    """Listens while it is open.

    Args:
        trigger: called with the reason.
        stop: asks for the end.
        at: times of the clock that trigger.
        stream: where keys or lines come from; None for standard input.

    On a terminal single keys count; else every line: "trigger", with a reason behind it or not, and "stop".
    """

    def __init__(
        self,
        trigger: Callable[[str], None],
        stop: Callable[[], None],
        *,
        at: Sequence[datetime] = (),
        stream: TextIO | None = None,
    ) -> None:
        self._trigger, self._stop, self._at = trigger, stop, sorted(at)
        self._stream = sys.stdin if stream is None else stream
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []
        self._signals: list[str] = []
        self._stack = contextlib.ExitStack()

    def open(self) -> None:
        """Begin to listen; in the main thread, signals too."""
        self._stack.callback(self._end)
        self._on_signal(self._stack)
        descriptor = _descriptor(self._stream)
        if descriptor is not None:
            keys = os.isatty(descriptor)
            if keys:
                self._stack.enter_context(_single_keys(descriptor))
            self._start(lambda: self._read(descriptor, keys))
        if self._at:
            self._start(self._wait_for_times)

    def close(self) -> None:
        """Listen no more, and leave the terminal as it was."""
        self._stack.close()

    def _start(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, name="listen", daemon=True)
        thread.start()
        self._threads.append(thread)

    def _end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _on_signal(self, stack: contextlib.ExitStack) -> None:
        """SIGUSR1; the handler only notes it, for it may come in the midst of anything."""
        if not hasattr(signal, "SIGUSR1") or threading.current_thread() is not threading.main_thread():
            return
        before = signal.signal(signal.SIGUSR1, lambda *_: self._signals.append("signal"))
        stack.callback(signal.signal, signal.SIGUSR1, before)
        self._start(self._forward_signals)

    def _forward_signals(self) -> None:
        # A handler may come while a lock is held: it only notes, and this thread triggers.
        while not self._ended.wait(POLL / 10):
            while self._signals:
                self._trigger(self._signals.pop())

    def _wait_for_times(self) -> None:
        for moment in self._at:
            while (left := (moment - datetime.now()).total_seconds()) > 0:
                if self._ended.wait(min(left, POLL)):
                    return
            self._trigger(f"time {moment:%H:%M:%S}")

    def _read(self, descriptor: int, keys: bool) -> None:
        gathered = b""
        while not self._ended.is_set():
            # With a time limit, so that the end is seen.
            if not select.select([descriptor], [], [], POLL)[0]:
                continue
            try:
                data = os.read(descriptor, 4096)
            except OSError:
                return
            if not data:
                return
            if keys:
                for key in data.decode("utf-8", "replace"):
                    self._key(key)
                continue
            # What is behind the last line break waits for the rest of its line.
            *lines, gathered = (gathered + data).split(b"\n")
            for line in lines:
                self._line(line.decode("utf-8", "replace").strip())
            # A line without end does not fill the memory.
            gathered = gathered[-4096:]

    def _key(self, key: str) -> None:
        if key in KEYS:
            self._trigger("key")
        elif key in "qQ":
            self._stop()

    def _line(self, line: str) -> None:
        word, _, reason = line.partition(" ")
        if word == "trigger":
            self._trigger(reason.strip() or "external")
        elif word == "stop":
            self._stop()


def _descriptor(stream: TextIO | None) -> int | None:
    """Where to read; None where nothing can come, or where reading would stop a program in the background."""
    try:
        if stream is None or os.name != "posix":
            return None
        descriptor = stream.fileno()
        if os.isatty(descriptor) and os.tcgetpgrp(descriptor) != os.getpgrp():
            return None
    except (OSError, ValueError):
        return None
    return descriptor


@contextlib.contextmanager
def _single_keys(descriptor: int) -> Iterator[None]:
    """Have keys as they are pressed, and not shown; Ctrl-C stays what it is."""
    import termios
    import tty

    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        with contextlib.suppress(termios.error):  # it may be gone
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
