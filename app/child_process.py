"""Programs of ours that run as processes of their own: how they are started, and how either side hears of the other's
end. The order is a line on standard input, and the end of that input says that the program is gone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]


def code_of(package: str, module: str, home: Path = HOME) -> str:
    """What Python is to execute (`-c`) so that `main` of a module of ours runs, whatever folder it is started in."""
    # While modules are loaded nothing becomes garbage, and what they hold stays: to look through it again and again is
    # a quarter of the time that a start takes.
    find = f"import gc, sys; gc.disable(); sys.path[:] = [{str(home)!r}, *filter(None, sys.path)]"
    return f"{find}; from {package} import {module}; gc.freeze(); gc.enable(); {module}.main()"


def last_words(printed: str) -> str:
    """What a process said last: the last line of what it printed, for a sentence; "" where it printed nothing.

    >>> last_words("Traceback (most recent call last):\\n  ...\\nMemoryError\\n\\n")
    'MemoryError'
    """
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    return next((line for line in reversed(lines) if line), "")[:300]


def say(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write to a process's input; nothing where it has ended."""
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write(data)
        process.stdin.flush()


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a group of its own, and what it has started; nothing where it has ended."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)


def first_line() -> bytes:
    """One line of the input of this process, and not a byte more."""
    made = b""
    while not made.endswith(b"\n"):
        data = os.read(0, 1)
        if not data:
            break
        made += data
    return made


def when_input_ends(act: Callable[[], None], name: str) -> None:
    """Have a thread of this name call `act` once the process that started this one has ended or closed its input."""

    def listen() -> None:
        # Not through sys.stdin, whose lock an interpreter that ends would wait for.
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        act()

    threading.Thread(target=listen, daemon=True, name=name).start()
