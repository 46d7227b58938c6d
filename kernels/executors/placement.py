"""On which processors the threads run: off the caller's, so that two of them never share one while others idle.

Left to itself the scheduler often wakes a thread on the processor of whoever wakes it. Only the executor's own threads
are ever moved, only to processors that the caller may use, and `$FUSETRACK_PIN=0` leaves all of it to the system.

Also what caches these processors have.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kernels.fusion.columns import FIRST_CACHE

REST = 64
"""Jobs after a release for which the threads are not placed again."""
FOUND_AGAIN = 0.5
"""Of a core's part of the shared cache (by how many cores share it) what it finds again there: one of two with 32 MB,
both at work, read 8 MB over and over at .8 of the speed of 2 MB, 12 at .7, 16 at .5 as from memory; and networks that
were streamed with 13.6 and 29.5 MB at hand took 10 and 15 % longer than layer by layer."""


def available() -> int:
    """Processors that this process may use; as many as $FUSETRACK_THREADS says, if those are fewer."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        count = os.cpu_count() or 1
    given = os.environ.get("FUSETRACK_THREADS", "")
    return min(count, max(1, int(given))) if given.isdecimal() else count


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache for data: its bytes, and the cores that share it."""

    size: int
    cores: int = 1

    @property
    def part(self) -> int:
        """Bytes of each core, where all are at work."""
        return self.size // self.cores


def shared_cache() -> int:
    """Bytes of the cache that processors share; 32 MB where the system does not say."""
    return _found(3, Cache(32 << 20)).size


def shared_part() -> int:
    """Bytes of that cache in which a core finds again what it has read, whatever the others do."""
    return int(FOUND_AGAIN * _found(3, Cache(32 << 20)).part)


def first_cache() -> int:
    """Bytes of a processor's first cache for data; `FIRST_CACHE` where the system does not say."""
    return _found(1, Cache(FIRST_CACHE)).size


def own_cache() -> int:
    """Bytes of a processor's second cache, or of its part of one; 1 MB where the system does not say."""
    return _found(2, Cache(1 << 20)).part


def _found(level: int, otherwise: Cache) -> Cache:
    return caches().get(level, otherwise)


@functools.cache
def caches() -> Mapping[int, Cache]:
    """Level -> the caches for data of a processor of this process, as far as the system says."""
    if sys.platform == "darwin":
        return _caches_of_macos()
    try:
        number = min(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        number = 0
    return read_caches(Path(f"/sys/devices/system/cpu/cpu{number}/cache"))


def read_caches(folder: Path) -> dict[int, Cache]:
    """The same from a folder as Linux has it, a folder `index0`, `index1` ... a cache."""
    found: dict[int, tuple[int, int]] = {}
    for cache in sorted(folder.glob("index*")):
        try:
            kind, text = ((cache / name).read_text("ascii").strip() for name in ("type", "size"))
            level, sharing = int((cache / "level").read_text("ascii")), (cache / "shared_cpu_list").read_text("ascii")
            size = int(text.rstrip("KMG")) << {"K": 10, "M": 20, "G": 30}.get(text[-1:], 0)
            if kind in ("Data", "Unified") and size > 0:
                found[level] = size, _count(sharing)
        except (OSError, ValueError):  # a machine in a machine may say nothing, or nonsense
            continue
    threads = found.get(1, (0, 1))[1]  # of a core
    return {level: Cache(size, max(1, sharing // threads)) for level, (size, sharing) in found.items()}


def _count(text: str) -> int:
    """Processors of a list.

    >>> _count("0-3,8")
    5
    """
    ends = [[int(end) for end in part.split("-")] for part in text.strip().split(",")]
    return max(1, sum(part[-1] - part[0] + 1 for part in ends))


def _caches_of_macos() -> dict[int, Cache]:
    """Those of the fast cores; their second cache is shared by all of a cluster."""
    found: dict[int, Cache] = {}
    try:
        system = ctypes.CDLL(None).sysctlbyname
    except (AttributeError, OSError):
        return {}

    def asked(name: str) -> int:
        value, size = ctypes.c_int64(0), ctypes.c_size_t(8)
        failed = system(name.encode(), ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0))
        return 0 if failed else value.value

    for level, name in ((1, "l1dcachesize"), (2, "l2cachesize"), (3, "l3cachesize")):
        sharing = asked("hw.perflevel0.cpusperl2") if level == 2 else 1
        found[level] = Cache(asked(f"hw.perflevel0.{name}") or asked(f"hw.{name}"), max(1, sharing))
    return {level: cache for level, cache in found.items() if cache.size > 0}


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
