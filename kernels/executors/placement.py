"""On which processors the threads run: off the caller's, so that two of them never share one while others idle.

Left to itself the scheduler often wakes a thread on the processor of whoever wakes it. Only the executor's own threads
are ever moved, only to processors that the caller may use, and `$FUSETRACK_PIN=0` leaves all of it to the system.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Sequence

from kernels.fusion.columns import FIRST_CACHE

REST = 64
"""Jobs after a release for which the threads are not placed again."""


def available() -> int:
    """Processors that this process may use; as many as $FUSETRACK_THREADS says, if those are fewer."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        count = os.cpu_count() or 1
    given = os.environ.get("FUSETRACK_THREADS", "")
    return min(count, max(1, int(given))) if given.isdecimal() else count


def shared_cache() -> int:
    """Bytes of the cache that all processors share; 32 MB where the system does not say."""
    try:
        return max(os.sysconf("SC_LEVEL3_CACHE_SIZE"), 0) or 32 << 20
    except (AttributeError, ValueError, OSError):
        return 32 << 20


def first_cache() -> int:
    """Bytes of a processor's first cache for data; `FIRST_CACHE` where the system does not say."""
    try:
        return max(os.sysconf("SC_LEVEL1_DCACHE_SIZE"), 0) or FIRST_CACHE
    except (AttributeError, ValueError, OSError):
        return FIRST_CACHE


def own_cache() -> int:
    """Bytes of a processor's own second cache; 1 MB where the system does not say."""
    try:
        return max(os.sysconf("SC_LEVEL2_CACHE_SIZE"), 0) or 1 << 20
    except (AttributeError, ValueError, OSError):
        return 1 << 20


def wanted() -> bool:
    """Whether threads are to be placed: on Linux, unless $FUSETRACK_PIN says 0."""
    return sys.platform.startswith("linux") and os.environ.get("FUSETRACK_PIN", "1") != "0"


def current_processor() -> Callable[[], int] | None:
    """A function that says on which processor its caller runs; None where there is none."""
    try:
        function = ctypes.CDLL(None).sched_getcpu
    except (AttributeError, OSError, TypeError):
        return None
    function.restype, function.argtypes = ctypes.c_int, ()
    return function


def places(allowed: Sequence[int], here: int, workers: int) -> list[set[int]]:
    """The processors of each worker: one each of `allowed` other than the caller's (`here`) if there are just enough;
    any of them if there are more, since others' work may lie on one; nothing if there are too few."""
    others = sorted(set(allowed) - {here})
    if len(others) < workers:
        return []
    return [{cpu} for cpu in others] if len(others) == workers else [set(others)] * workers


class Placement:
    """Keeps threads away from the processor of whoever calls `check`.

    Args:
        threads: native thread ids.
        current: see `current_processor`.
    """

    def __init__(self, threads: Sequence[int], current: Callable[[], int]) -> None:
        self._threads = threads
        self._current = current
        self._clear = -1  # a processor on which none of the threads may be
        self._rest = 0  # calls of `check` for which the system may put them where it likes
        self.given_up = False

    def check(self) -> None:
        """Move the threads if the caller has come to where one of them may run."""
        if self._rest:
            self._rest -= 1
            return
        if self.given_up or self._current() == self._clear:
            return
        try:
            allowed, here = os.sched_getaffinity(0), self._current()
            sets = places(sorted(allowed), here, len(self._threads))
            for thread, cpus in zip(self._threads, sets, strict=False):
                os.sched_setaffinity(thread, cpus)
            self._clear = here
            self.given_up = not sets
        except OSError:  # a thread has ended, or this process may not do it
            self.given_up = True

    def release(self) -> None:
        """Let the threads go anywhere for a while: others keep one of their processors busy, and the caller waits."""
        if self.given_up or self._rest:
            return
        self._rest, self._clear = REST, -1
        try:
            allowed = os.sched_getaffinity(0)
            if len(allowed) <= len(self._threads):  # somebody has pinned the caller: they would share its processor
                self.given_up = True
                return
            for thread in self._threads:
                os.sched_setaffinity(thread, allowed)
        except OSError:
            self.given_up = True
