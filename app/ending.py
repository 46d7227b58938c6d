"""How the system asks a program to end, and how what it says may get lost without harm."""

from __future__ import annotations

import atexit
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]

Handler = Callable[[int, Any], Any] | int | None
ENDS: tuple[signal.Signals, ...] = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C; what batch systems send; the end of the terminal or of the connection."""
HANGUP = getattr(signal, "SIGHUP", None)
"""Both system and shell send it when a terminal is closed: the second one is no wish to break off."""


def heard() -> dict[signal.Signals, Handler]:
    """Those of ENDS that this process is to answer, with what they do now: not SIGHUP under `nohup`."""
    found = {number: signal.getsignal(number) for number in ENDS}
    return {number: now for number, now in found.items()
            if number is signal.SIGINT or number is signal.SIGTERM or now is not signal.SIG_IGN}  # fmt: skip


def let_go_of_terminal() -> None:
    """Point the output at nothing where its terminal is gone: every word to it would be an error."""
    for descriptor in (1, 2) if termios is not None else ():
        try:
            termios.tcgetattr(descriptor)
        except termios.error as error:
            if error.args[0] == errno.EIO:
                _into_nothing(descriptor)


def _into_nothing(descriptor: int) -> None:
    with suppress(OSError):
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, descriptor)
        os.close(nothing)


def leave(code: int) -> NoReturn:
    """End this process as `sys.exit` does: threads have ended, what is to be done at the exit is done, what was said is
    written. Only what was loaded is not taken apart piece by piece, for a twentieth of a second: the system does so.

    Args:
        code: of the exit.
    """
    tools = getattr(sys, "monitoring", None)  # by which profilers look on from Python 3.12 on
    watched = tools is not None and any(tools.get_tool(number) is not None for number in range(6))
    if watched or sys.gettrace() is not None or sys.getprofile() is not None:  # who looks on has something to say
        sys.exit(code)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 120  # as the interpreter says that words were lost
    os._exit(code)


class Heedless(io.FileIO):
    """A file to which nothing is lost that matters: words that find no reader and no room are dropped."""

    def write(self, data: Any) -> int:
        try:
            done = super().write(data)
        except OSError:
            done = None
        return len(data) if done is None else done


def have_streams() -> None:
    """Make this process's streams such that no command needs to ask for them.

    Where it was started without one (`<&-`, `>&-`, `pythonw`) that is nothing: else the next file that is opened, or a
    pipe to a process of ours, would get its number. What is said on stderr while it works may get lost, as its reader
    may go (`2>&1 | head`), the disk of its log be full and the terminal be closed; the work goes on.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free is this one
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for good
    terminal = sys.stderr
    with suppress(OSError, ValueError, AttributeError):
        raw = Heedless(terminal.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(raw), terminal.encoding, terminal.errors, line_buffering=True,
                                      write_through=True)  # fmt: skip
