"""Who runs the jobs of a batch: anything that takes orders, says what becomes of them, and can be told to stop."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from app.batch.job import STOPPED, Order, Row
from app.batch.supervise import GRACE, KILL, STOP, supervise

STARTED, PROGRESS, FINISHED = "started", "progress", "finished"


@dataclass(frozen=True, slots=True)
class Event:
    """What became of an order.

    Args:
        kind: STARTED, PROGRESS or FINISHED; the last exactly once for every order.
        key: of the order.
        facts: {"where": ...}; {"total": ...} or {"done": ..., "bad": ...}; the row for the report.
    """

    kind: str
    key: str
    facts: Row


class Executor(Protocol):
    """Runs orders; `facts` and `slots` (jobs at a time, 0 if unknown) are for the report."""

    @property
    def slots(self) -> int: ...

    @property
    def facts(self) -> dict[str, Any]: ...

    def submit(self, order: Order) -> None:
        """Take an order; it begins when there is room, the earlier ones first."""
        ...

    def events(self, wait: float) -> Sequence[Event]:
        """What happened since the last call; waits for the first event up to `wait` seconds."""
        ...

    def cancel(self, now: bool = False) -> None:
        """Begin nothing more and stop what runs after the frames in hand, or at once; every order still gets its
        FINISHED."""
        ...

    def close(self) -> None:
        """End everything; nothing of it goes on."""
        ...


def gathered(waiting: queue.Queue[Event], wait: float) -> list[Event]:
    """The events in a queue, after waiting for the first."""
    try:
        found = [waiting.get(timeout=wait)]
    except queue.Empty:
        return []
    while True:
        try:
            found.append(waiting.get_nowait())
        except queue.Empty:
            return found


class LocalExecutor:
    """Processes on this machine, so many at a time.

    Args:
        jobs: processes at a time.
        threads: of each one's kernels.
        devices: that the processes share, the first one's the first and so on in turns; none for what the orders say.
    """

    def __init__(self, jobs: int, threads: int, devices: Sequence[str] = ()) -> None:
        self._jobs, self._threads, self._devices = jobs, threads, tuple(devices)
        self._orders: queue.Queue[Order | None] = queue.Queue()
        self._events: queue.Queue[Event] = queue.Queue()
        self._wish = ""
        self._slots = [threading.Thread(target=self._serve, args=(number,), daemon=True) for number in range(jobs)]
        for slot in self._slots:
            slot.start()

    @property
    def slots(self) -> int:
        return self._jobs

    @property
    def facts(self) -> dict[str, Any]:
        several = {"devices": list(self._devices)} if self._devices else {}
        return {"kind": "local", "jobs": self._jobs, "threads_per_job": self._threads, **several}

    def submit(self, order: Order) -> None:
        self._orders.put(replace(order, threads=self._threads))

    def events(self, wait: float) -> Sequence[Event]:
        return gathered(self._events, wait)

    def cancel(self, now: bool = False) -> None:
        self._wish = KILL if now else STOP

    def close(self) -> None:
        self._wish = KILL
        for _ in self._slots:
            self._orders.put(None)
        end = time.monotonic() + GRACE
        for slot in self._slots:
            slot.join(max(0.0, end - time.monotonic()))

    def _serve(self, number: int) -> None:
        while (order := self._orders.get()) is not None:
            key = order.key
            if self._devices:
                device = self._devices[number % len(self._devices)]
                order = replace(order, configuration={**order.configuration, "device": device})
            if self._wish:
                row: Row = {"status": STOPPED, "reason": "not begun"}
            else:
                self._events.put(Event(STARTED, key, {}))
                row = supervise(order, lambda facts, key=key: self._events.put(Event(PROGRESS, key, facts)),  # type: ignore[misc]
                                lambda: self._wish)  # fmt: skip
            self._events.put(Event(FINISHED, key, row))
