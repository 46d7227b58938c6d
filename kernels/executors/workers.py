"""Threads that run the strips of a pass.

Python makes the threads; they look for strips in machine code, for a while after each job (a hand-over takes less than
a microsecond then), and sleep after that: in the kernel on Linux, where machine code can wake them, else in Python.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from kernels.codegen.pool import LEFT, LINE, MOST, STOP, WORKER, architecture
from kernels.executors.machine import Library
from kernels.executors.placement import Placement, current_processor, wanted

AWAKE = 2e-4
"""Seconds for which a thread looks for work before it sleeps."""
PATIENCE = 3e-5
"""Seconds for which the caller looks at strips that other threads have begun, before it offers its processor."""
TRIAL = 200
"""Looks that are timed to know how many those are: a pause takes 40 cycles on some processors and 140 on others."""
LATE = 4
"""Such rounds until the threads may go to any processor."""
_LONG = ctypes.c_int64
_ADDRESS = ctypes.c_void_p


def kernel_sleep(triple: str) -> int:
    """The address of libc's `syscall` where the pool's code can sleep by it; 0 elsewhere."""
    if not sys.platform.startswith("linux") or architecture(triple) not in ("x86_64", "aarch64"):
        return 0
    try:
        return ctypes.cast(ctypes.CDLL(None).syscall, _ADDRESS).value or 0
    except (AttributeError, OSError):
        return 0


@dataclass(slots=True)
class _Crew:
    """What the threads share; they hold it, not the Workers, so that those can be collected."""

    library: Library
    block: np.ndarray
    threads: int
    syscall: int
    sleepers: list[threading.Semaphore]
    spins: int
    placement: Placement | None = None
    pid: int = field(default_factory=os.getpid)

    @property
    def address(self) -> int:
        return int(self.block.ctypes.data)

    def stop(self) -> None:
        # First, so that whoever wakes sees it.
        self.block[STOP] = 1
        wake = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _LONG, _ADDRESS)(self.library.address("wake"))
        for i, sleeper in enumerate(self.sleepers):
            if wake(self.address, i, self.syscall):
                sleeper.release()


def _serve(crew: _Crew, number: int) -> None:
    serve = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _LONG, _LONG, _LONG, _ADDRESS)(crew.library.address("serve"))
    job = crew.address, number, _share(number + 1, crew.threads), crew.spins, crew.syscall
    # Not 0: it wants to sleep where machine code cannot put it to sleep.
    while serve(*job):
        crew.sleepers[number].acquire()


def _share(thread: int, threads: int) -> int:
    """A mask of the strips that are a thread's own."""
    return sum(1 << strip for strip in range(thread, MOST, threads))


class Workers:
    """Runs a function on several arguments side by side, the caller's own thread among the others.

    Args:
        threads: how many, the caller's included; `MOST` at most.
        library: compiled `kernels.codegen.pool`.
        syscall: see `kernel_sleep`.

    Attributes:
        sequence: the address of the function by which threads share a sequence (see `kernels.codegen.pool`).
    """

    def __init__(self, threads: int, library: Library, syscall: int = 0) -> None:
        self.threads = min(max(1, threads), MOST)
        self._library, self.syscall = library, syscall
        self.sequence = library.address("sequence")
        self._own_share = _share(0, self.threads)
        self._together = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _ADDRESS, _ADDRESS, _LONG, _LONG, _LONG, _LONG, _ADDRESS)(
            library.address("together")
        )
        self._own = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _LONG, _LONG)(library.address("own"))
        self._wake = ctypes.CFUNCTYPE(_LONG, _ADDRESS, _LONG, _ADDRESS)(library.address("wake"))
        self._alone = ctypes.CFUNCTYPE(None, _ADDRESS, _ADDRESS, _LONG)(library.address("alone"))
        self._looks = 0
        self._lock = threading.Lock()
        self._crew: _Crew | None = None
        self._block = 0

    def _start(self) -> _Crew:
        count = self.threads - 1
        # From a multiple of 128 bytes on: a line that two threads write shares no pair of cache lines with another.
        raw = np.zeros(WORKER + count * LINE + 16, np.int64)
        start = -raw.ctypes.data % 128 // 8
        sleepers = [threading.Semaphore(0) for _ in range(count)]
        block = raw[start : start + WORKER + count * LINE]
        look = self._seconds_a_look(block)
        self._looks = int(PATIENCE / look)
        crew = _Crew(self._library, block, self.threads, self.syscall, sleepers, int(AWAKE / look))
        crew.block[WORKER::LINE] = 1  # they are on their way
        threads = []
        for i in range(count):
            threads.append(threading.Thread(target=_serve, args=(crew, i), daemon=True, name=f"cpu strip {i + 1}"))
            threads[-1].start()
        current = current_processor() if wanted() else None
        if current is not None:
            crew.placement = Placement([t.native_id for t in threads if t.native_id is not None], current)
        # Threads hold the crew, not the Workers: when the last engine lets go of these, the threads end.
        weakref.finalize(self, crew.stop)
        self._block = crew.address
        return crew

    def _seconds_a_look(self, block: np.ndarray) -> float:
        """How long it takes to look once whether a strip is left, in a block that no other thread has."""
        block[LEFT], taken = 1, []
        # The least of three: a disturbance only adds.
        for _ in range(3):
            begin = time.perf_counter()
            self._own(block.ctypes.data, 0, TRIAL)
            taken.append(time.perf_counter() - begin)
        block[LEFT] = 0
        return min(taken) / TRIAL

    def rouse(self) -> None:
        """Wake the first thread if it sleeps in the kernel, since a job is about to come: it takes some 20 us to
        arrive."""
        if self._block and self.syscall:
            self._wake(self._block, 0, self.syscall)

    def run(self, function: int, arguments: int, count: int) -> None:
        """function(a) for every a of `count` addresses that are at `arguments`; returns when all have.

        Args:
            function: address of machine code.
            arguments: address of a block of 64-bit words.
            count: at most `MOST`.
        """
        # The pool has one job at a time. A second caller runs its strips by itself rather than wait for the first, of
        # which it cannot know how long it takes.
        if self.threads < 2 or count < 2 or not self._lock.acquire(blocking=False):
            self._alone(function, arguments, count)  # or somebody else's batch has the threads
            return
        try:
            crew = self._crew
            if crew is None or crew.pid != os.getpid():  # threads do not survive a fork
                crew = self._crew = self._start()
            if crew.placement is not None:
                crew.placement.check()
            workers = min(self.threads, count) - 1
            try:
                left = self._together(self._block, function, arguments, count, workers, self._own_share, self._looks,
                                      self.syscall)  # fmt: skip
                self._finish(crew, left, workers)
            except BaseException:  # Ctrl-C; no thread may still work in memory that the caller gives up
                self._drain(crew, workers)
                raise
        finally:
            self._lock.release()

    def _finish(self, crew: _Crew, left: int, workers: int) -> None:
        """Wait until no strip is left; a negative number has a bit for each worker that must be woken."""
        late = 0
        if left < 0:
            for i in range(workers):
                if ~left >> i & 1:
                    crew.sleepers[i].release()
            left = self._own(self._block, self._own_share, self._looks)
        # Other threads have begun these strips. If they do not get a processor soon (a busy machine), looking costs
        # them the time that they need: yield instead.
        while left:
            time.sleep(0)  # the machine is busy: let others run
            late += 1
            if late == LATE and crew.placement is not None:
                crew.placement.release()
            left = self._own(self._block, self._own_share, self._looks)

    def _drain(self, crew: _Crew, workers: int) -> None:
        """The same after an interruption at any point, however often Ctrl-C is pressed meanwhile."""
        while True:
            with suppress(KeyboardInterrupt):
                self._finish(crew, -1 - ((1 << workers) - 1), workers)
                return
