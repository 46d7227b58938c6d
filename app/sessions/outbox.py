"""Tables of tracks and events on their way to the recorder, in the order in which they were sent, from any thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any

import numpy as np

from app.sessions import events
from app.sessions.schemas import EVENTS, TRACKS
from app.sessions.shared import MESSAGE_ROOM, MESSAGE_SLOTS, SharedMemory
from pipelines.features import TRACK_DTYPE, Tracks

MOST_PENDING = 10_000
"""Messages that wait for room before the oldest are counted as lost."""


class Outbox:
    """Puts messages into their ring, and keeps what finds no room until there is some.

    Args:
        memory: shared with the recorder.
    """

    def __init__(self, memory: SharedMemory) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._pending: deque[tuple[int, bytes]] = deque()

    @property
    def waiting(self) -> int:
        """Messages that have found no room yet."""
        return len(self._pending)

    def tracks(self, rows: Tracks) -> None:
        """Send rows of tracks."""
        most = MESSAGE_ROOM // TRACK_DTYPE.itemsize
        for start in range(0, len(rows), most):
            self._send(TRACKS, np.ascontiguousarray(rows[start : start + most], TRACK_DTYPE).tobytes())

    def event(self, kind: str, frame: int | None, **facts: Any) -> None:
        """Send an event.

        Raises:
            ValueError: it is too long.
        """
        data = events.event(kind, frame, **facts)
        if len(data) > MESSAGE_ROOM:
            raise ValueError(f"an event of {len(data)} bytes is too long, {MESSAGE_ROOM} are allowed")
        self._send(EVENTS, data)

    def _send(self, kind: int, data: bytes) -> None:
        with self._lock:
            self._pending.append((kind, data))
            self._move()
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
            kind, data = self._pending.popleft()
            slot = number % MESSAGE_SLOTS
            memory.message_heads[slot] = (kind, len(data), time.time_ns(), number + 1)
            memory.messages[slot][: len(data)] = np.frombuffer(data, np.uint8)
            memory.publish(memory.producer, "message_head", number + 1)
