"""Threads that run the strips of a pass.

Python makes the threads; between calls they look for work in machine code for a while (a hand-over takes less than a
microsecond then) and sleep in Python after that.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
import weakref
from dataclasses import dataclass, field

import numpy as np

from kernels.codegen.pool import AWAKE, LINE, STOP
from kernels.executors.machine import Library

SPINS = 10_000
"""Looks at an idle line before sleeping: some 0.2 ms."""
WAIT = 1_500
"""Looks of the caller at a strip that another thread has begun, before it offers its processor to others."""
_LONG = ctypes.c_int64
_ADDRESS = ctypes.c_void_p


def available() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


@dataclass(slots=True)
class _Crew:
    """What the threads share; they hold it, not the Workers, so that those can be collected."""

    lines: np.ndarray
    sleepers: list[threading.Semaphore]
    pid: int = field(default_factory=os.getpid)

    def stop(self) -> None:
        for i, sleeper in enumerate(self.sleepers):
            self.lines[i * LINE + STOP] = 1
            sleeper.release()


def _serve(library: Library, crew: _Crew, number: int) -> None:
    serve = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _LONG)(library.address("serve"))
    line = crew.lines[number * LINE :].ctypes.data
    while serve(line, SPINS):
        crew.sleepers[number].acquire()


class Workers:
    """Runs a function on several arguments side by side; the caller's own thread takes the first one.

    Args:
        threads: how many, the caller's included.
        library: compiled `kernels.codegen.pool`.
    """

    def __init__(self, threads: int, library: Library) -> None:
        self.threads = max(1, threads)
        self._library = library
        together = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _ADDRESS, _ADDRESS, _LONG, _LONG)
        self._together = together(library.address("together"))
        self._own = together(library.address("own"))
        self._finish = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _LONG, _LONG)(library.address("finish"))
        self._alone = ctypes.CFUNCTYPE(None, _ADDRESS)
        self._lock = threading.Lock()
        self._crew: _Crew | None = None

    def _start(self) -> _Crew:
        count = self.threads - 1
        raw = np.zeros(count * LINE + 16, np.int64)
        start = -raw.ctypes.data % 128 // 8
        crew = _Crew(raw[start : start + count * LINE], [threading.Semaphore(0) for _ in range(count)])
        for i in range(count):
            work = (self._library, crew, i)
            threading.Thread(target=_serve, args=work, daemon=True, name=f"cpu strip {i + 1}").start()
        weakref.finalize(self, crew.stop)
        return crew

    def run(self, function: int, arguments: np.ndarray) -> None:
        """function(a) for every address in `arguments` (at most `threads`); returns when all have."""
        count = len(arguments)
        if count < 2 or not self._lock.acquire(blocking=False):  # somebody else's batch has the threads
            alone = self._alone(function)
            for argument in arguments:
                alone(int(argument))
            return
        try:
            if self._crew is None or self._crew.pid != os.getpid():  # threads do not survive a fork
                self._crew = self._start()
            crew = self._crew
            lines = crew.lines.ctypes.data
            job = lines, function, arguments.ctypes.data, count, WAIT
            left = self._together(*job)
            if left > 0:
                for i in range(count - 1):
                    if not crew.lines[i * LINE + AWAKE]:
                        crew.sleepers[i].release()
                left = self._own(*job)
            while left and self._finish(lines, count - 1, WAIT):
                time.sleep(0)  # the machine is busy: let others run
        finally:
            self._lock.release()
