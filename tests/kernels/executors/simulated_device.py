"""A device that exists only here: what is launched runs later, in any order that streams and events allow."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(eq=False)
class Event:
    """How often it was recorded, and which of them have happened."""

    recorded: int = 0
    happened: int = 0


@dataclass(eq=False)
class Stream:
    """What is still to do: (may it begin, do it)."""

    queue: list[tuple[Callable[[], bool], Callable[[], None]]] = field(default_factory=list)


class SimulatedDevice:
    """Runs the streams' work in a drawn order.

    Args:
        seed: of the order.
        eager: how likely some pending work runs whenever the host calls; at 0 everything waits until it must.
        forget: names of calls that do nothing: planted faults ("wait", "synchronize", "record").
    """

    def __init__(self, seed: int, eager: float = 0.3, forget: tuple[str, ...] = ()) -> None:
        self._random = random.Random(seed)
        self.eager, self.forget = eager, forget
        self.streams: list[Stream] = []
        self.allocated = 0

    def memory(self, size: int) -> np.ndarray:
        self.allocated += 1
        return np.full(size, 0xCD, np.uint8)  # what nobody wrote must show

    def pinned(self, size: int) -> np.ndarray:
        self.allocated += 1
        return np.full(size, 0xCD, np.uint8)

    def stream(self) -> Stream:
        self.streams.append(Stream())
        return self.streams[-1]

    def event(self) -> Event:
        return Event()

    def launch(self, work: Callable[[], None], stream: Stream) -> None:
        """Put work into a stream."""
        stream.queue.append((lambda: True, work))
        while self._random.random() < self.eager and self._step():
            pass

    def upload(self, to: np.ndarray, source: np.ndarray, stream: Stream) -> None:
        self.launch(lambda: _copy(to, source), stream)

    def download(self, to: np.ndarray, source: np.ndarray, stream: Stream) -> None:
        self.launch(lambda: _copy(to, source[: to.size]), stream)

    def record(self, event: Event, stream: Stream) -> None:
        event.recorded += 1
        number = event.recorded

        def happen() -> None:
            event.happened = max(event.happened, number)

        self.launch(happen, stream)

    def wait(self, stream: Stream, event: Event) -> None:
        if "wait" not in self.forget:
            number = event.recorded
            stream.queue.append((lambda: event.happened >= number, lambda: None))

    def synchronize(self, event: Event) -> None:
        if "synchronize" in self.forget:
            return
        number = event.recorded
        while event.happened < number:
            assert self._step(), "the host waits for what nothing brings about"

    def _step(self) -> bool:
        ready = [s for s in self.streams if s.queue and s.queue[0][0]()]
        if not ready:
            return False
        self._random.choice(ready).queue.pop(0)[1]()
        return True


def _copy(to: np.ndarray, source: np.ndarray) -> Any:
    to[: source.size] = source
