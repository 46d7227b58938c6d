"""The engine's process: carries out the window's orders and reports; `main` runs in a child of the window's.

One thread talks to the window, in a loop of a few hundredths of a second; frames are processed by the threads of
`LiveRunner` and `Playback`, which never wait for it.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

from app.desk.engine.commands import Order, Quit
from app.desk.engine.desk import Desk
from app.desk.engine.reports import Compiles, Ready, Refused, Report
from kernels.compiling import Compiling, now
from kernels.errors import FusetrackError
from kernels.plugins import load_plugin

COMPILES = 0.3
"""Seconds for which something is compiled before the window is told: most is there at once."""
TICK = 0.012
"""Seconds between two looks for orders and pictures, at most."""


def main(connection: Connection, log: str, plugins: tuple[str, ...]) -> None:
    """Serve until the window says so or is gone.

    Args:
        connection: to the window.
        log: file for what this process prints, so that a crash leaves its last words.
        plugins: files with stages and trackers of the user's.
    """
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    # What libraries print in C goes into the log, too.
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    faulthandler.enable(descriptor)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is the window's to answer

    sending = threading.Lock()

    def report(message: Report) -> None:
        with sending:
            connection.send(message)

    with suppress(EOFError, OSError):  # the window is gone: what is recorded is closed all the same
        try:
            for plugin in plugins:
                load_plugin(plugin)
        except FusetrackError as error:
            report(Refused(str(error), number=-1))
        desk = Desk(report)
        report(Ready())
        ended = threading.Event()
        threading.Thread(target=_watch_compiler, args=(report, ended), name="compiler", daemon=True).start()
        try:
            _serve(connection, desk)
        finally:
            ended.set()
            desk.close()


def _watch_compiler(report: Callable[[Report], None], ended: threading.Event) -> None:
    """Report what is being compiled, also while the desk waits for it."""
    reported: Compiling | None = None
    with suppress(OSError, ValueError):  # the window is gone
        while not ended.wait(COMPILES):
            found = now()
            if found != reported:
                report(Compiles(found))
                reported = found


def _serve(connection: Connection, desk: Desk) -> None:
    while True:
        begin = time.monotonic()
        # An order is carried out at once; pictures and reports are looked for each TICK.
        while connection.poll(max(0.0, TICK - (time.monotonic() - begin))):
            order: Order = connection.recv()
            if isinstance(order, Quit):
                return
            desk.obey(order)
        desk.look()
