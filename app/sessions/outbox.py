"""Tables of tracks and events on their way to the recorder, in the order in which they were sent, from any thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from app.sessions import events
from app.sessions.row_messages import row_messages
from app.sessions.schemas import EVENTS, STATES, TRACKS, state_parts
from app.sessions.shared import MESSAGE_ROOM, MESSAGE_SLOTS, SharedMemory
from pipelines.features import Tracks

WAIT = 0.0005
"""Seconds between two looks for room."""
MOST_PENDING = 10_000
"""Messages that wait for room before the oldest are counted as lost."""


class Outbox:
    """Puts messages into their ring, and keeps what finds no room until there is some.

    Args:
        memory: shared with the recorder.

    Attributes:
        clock: gives the time that a message bears, ns since 1970.
    """

    def __init__(self, memory: SharedMemory) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._pending: deque[tuple[int, bytes, int]] = deque()
        self.clock: Callable[[], int] = time.time_ns

    @property
    def waiting(self) -> int:
        """Messages that have found no room yet."""
        return len(self._pending)

    def tracks(self, rows: Tracks) -> None:
        """Send rows of tracks, with the measures that they carry."""
        for data in row_messages(rows, MESSAGE_ROOM):
            self._send(TRACKS, data)

    def event(self, kind: str, frame: int | None, **facts: Any) -> None:
        """Send an event.

        Raises:
            ValueError: it is too long.
        """
        data = events.event(kind, frame, **facts)
        if len(data) > MESSAGE_ROOM:
            raise ValueError(f"an event of {len(data)} bytes is too long, {MESSAGE_ROOM} are allowed")
        self._send(EVENTS, data)

    def state(self, frame: int, data: bytes, patience: float) -> bool:
        """Send the state before `frame`, and wait until all of it is in the ring; False if that takes more than
        `patience` seconds."""
        end = time.monotonic() + patience
        for part in state_parts(frame, data, MESSAGE_ROOM):
            while not self._put(STATES, part):
                if time.monotonic() > end:
                    return False
                time.sleep(WAIT)
        return True

    def state_in_turn(self, frame: int, data: bytes) -> None:
        """Send the state before `frame`, in its turn where there is no room yet."""
        for part in state_parts(frame, data, MESSAGE_ROOM):
            self._send(STATES, part)

    def _put(self, kind: int, data: bytes) -> bool:
        """Send a message behind all others if there is room now."""
        with self._lock:
            # Behind all that waits: a state must not overtake what was sent before.
            self._move()
            if self._pending:
                return False
            self._pending.append((kind, data, self.clock()))
            self._move()
            if self._pending:
                self._pending.pop()
                return False
            return True

    def _send(self, kind: int, data: bytes) -> None:
        with self._lock:
            self._pending.append((kind, data, self.clock()))
            self._move()
            # Oldest first: what comes now says more of how the run ends.
            while len(self._pending) > MOST_PENDING:
                self._pending.popleft()
                self._memory.producer["messages_lost"] += 1

    def deliver(self) -> None:
        """Move what waits into the ring as far as there is room."""
        with self._lock:
            self._move()

    def _move(self) -> None:
        memory = self._memory
        while self._pending:
            number = memory.number("message_head")
            if number - memory.number("message_tail") >= MESSAGE_SLOTS:
                return
            kind, data, stamp = self._pending.popleft()
            slot = number % MESSAGE_SLOTS
            # Numbers begin at 1: the recorder's own events bear that of the last message it has read, 0 before the
            # first.
            memory.message_heads[slot] = (kind, len(data), stamp, number + 1)
            memory.messages[slot][: len(data)] = np.frombuffer(data, np.uint8)
            memory.publish(memory.producer, "message_head", number + 1)
