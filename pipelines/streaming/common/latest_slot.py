"""A queue of one place: the newest thing is there, whatever was before it is gone. For windows."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestSlot(Generic[T]):
    """One place; `put` never waits, the newest wins.

    Attributes:
        put_count, taken_count: how many things came, and how many of them were seen by `take`.
    """

    def __init__(self) -> None:
        self._thing: T | None = None
        self._fresh = self._closed = False
        self._changed = threading.Condition()
        self.put_count = self.taken_count = 0

    def put(self, thing: T) -> None:
        """Leave something; what was not taken is replaced."""
        with self._changed:
            self._thing, self._fresh = thing, True
            self.put_count += 1
            self._changed.notify_all()

    def peek(self) -> T | None:
        """What came last, seen before or not."""
        return self._thing

    def take(self, timeout: float | None = 0.0) -> T | None:
        """What came last, unless it was taken before.

        Args:
            timeout: seconds to wait for something new; None for as long as it takes (until `close`).
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._fresh or self._closed, timeout) or not self._fresh:
                return None
            self._fresh = False
            self.taken_count += 1
            return self._thing

    def close(self) -> None:
        """Wake threads that wait; nothing more comes."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
