"""Threads that run the strips of a pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor


def available() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


class Workers:
    """Runs calls side by side; the caller's own thread takes the first one."""

    def __init__(self, threads: int) -> None:
        self.threads = max(1, threads)
        self._pool = ThreadPoolExecutor(self.threads - 1, "fusetrack-cpu") if self.threads > 1 else None

    def run(self, function: Callable[[int], object], arguments: Sequence[int]) -> None:
        """function(a) for every a; returns when all have."""
        if self._pool is None or len(arguments) < 2:
            for argument in arguments:
                function(argument)
            return
        waiting = [self._pool.submit(function, argument) for argument in arguments[1:]]
        function(arguments[0])
        for future in waiting:
            future.result()
