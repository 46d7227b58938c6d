"""The threads of a live run: whatever one of them fails with is told once, and none is waited for in vain."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

ANSWER = 5.0
"""Seconds that a camera may take to answer when the run is to end; then it is closed under the thread that waits."""


class ThreadGroup:
    """Named threads.

    Args:
        failed: called with a thread's name and what it failed with, by that thread.
        ended: called with the name of each thread that has ended, by that thread.
    """

    def __init__(self, failed: Callable[[str, BaseException], None], ended: Callable[[str], None]) -> None:
        self._failed, self._ended = failed, ended
        self._threads: dict[str, threading.Thread] = {}

    def spawn(self, name: str, work: Callable[..., None], *arguments: Any) -> None:
        """Begin a thread."""

        def guarded() -> None:
            try:
                work(*arguments)
            except BaseException as error:  # of whatever sort: the run ends, and says so
                self._failed(name, error)
            finally:
                self._ended(name)

        self._threads[name] = threading.Thread(target=guarded, name=name, daemon=True)
        self._threads[name].start()

    def join(self, name: str) -> None:
        """Wait for a thread, if there is one of this name."""
        if name in self._threads:
            self._threads[name].join()

    def join_by_force(self, name: str, force: Callable[[], None]) -> bool:
        """Wait for a thread some seconds, then use force, and wait again; whether it has ended."""
        thread = self._threads.get(name)
        if thread is None:
            return True
        thread.join(ANSWER)
        if thread.is_alive():
            try:
                force()
            except Exception as error:
                self._failed(name, error)
            thread.join(ANSWER)
        return not thread.is_alive()
