"""Keeping the calling thread and its helpers on processors of their own (Linux).

On two processors the system's scheduler likes to put OpenCV's worker on the caller's processor, where both take turns.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

from kernels.errors import InputError

_TASKS = "/proc/self/task"


def available() -> bool:
    """Whether this platform can pin threads."""
    return hasattr(os, "sched_setaffinity") and os.path.isdir(_TASKS)


class Pins:
    """The caller on the first processor, all other threads of this process on the others."""

    def __init__(self, processors: set[int]) -> None:
        self.processors = sorted(processors)
        self._seen: set[int] = set()

    def pin(self) -> None:
        """Pin what is there now; threads that were pinned before are left alone."""
        first, rest = {self.processors[0]}, set(self.processors[1:] or self.processors)
        own = threading.get_native_id()
        for task in {int(name) for name in os.listdir(_TASKS)} - self._seen:
            with contextlib.suppress(OSError):  # it has just ended
                os.sched_setaffinity(task, first if task == own else rest)
                self._seen.add(task)


def on_one_processor() -> None:
    """All threads of this process, and those that they will make, on the first processor that it has."""
    one = {min(os.sched_getaffinity(0))}
    for task in os.listdir(_TASKS):
        with contextlib.suppress(OSError):  # it has just ended
            os.sched_setaffinity(int(task), one)


@contextlib.contextmanager
def pinning(wanted: bool) -> Iterator[Pins | None]:
    """Everything back as it was at the end. Threads inherit from their maker, so `pin` when they have started.

    Raises:
        InputError: wanted, but the platform cannot.
    """
    if not wanted:
        yield None
        return
    if not available():
        raise InputError("--pin needs Linux; leave it out")
    before = os.sched_getaffinity(0)
    try:
        yield Pins(before)
    finally:
        for task in os.listdir(_TASKS):
            with contextlib.suppress(OSError):
                os.sched_setaffinity(int(task), before)
