"""A bounded queue between two threads that can be closed and thrown away; threads that wait wake at once."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class ClosableQueue(Generic[T]):
    """First in, first out; `put` waits for room.

    Args:
        room: how many things fit.
    """

    def __init__(self, room: int) -> None:
        self._things: deque[T] = deque()
        self._room = room
        self._closed = False
        self._changed = threading.Condition()
        self.deepest = 0

    def __len__(self) -> int:
        return len(self._things)

    @property
    def closed(self) -> bool:
        """Whether nothing more can be handed over."""
        return self._closed

    def put(self, thing: T) -> bool:
        """Hand something over; False, and it is not taken, where the queue was thrown away."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._things) < self._room)
            if self._closed:
                return False
            self._things.append(thing)
            self.deepest = max(self.deepest, len(self._things))
            self._changed.notify_all()
            return True

    def get(self) -> T | None:
        """The next thing; None once the queue is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._things)
            if not self._things:
                return None
            thing = self._things.popleft()
            self._changed.notify_all()
            return thing

    def close(self) -> None:
        """Nothing more comes; what is there can still be had."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def throw_away(self) -> list[T]:
        """Close, and give back what was not taken."""
        with self._changed:
            self._closed = True
            left = list(self._things)
            self._things.clear()
            self._changed.notify_all()
            return left
