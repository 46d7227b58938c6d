"""What a live run and a playback have in common for whoever watches them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from pipelines.streaming.mailbox import Mailbox
from pipelines.streaming.meter import Meter, MeterReading
from pipelines.streaming.states import Machine, RunState
from pipelines.streaming.working import Latest

MOST_NOTES = 1000
"""Sentences that are kept, the newest."""


class Watched:
    """State, error, notes, meter and the newest picture of something that runs; from any thread.

    Args:
        on_state: called with each new state, by the thread that brought it about; must not block.
    """

    def __init__(self, on_state: Callable[[RunState], None] | None) -> None:
        self._machine, self._mailbox, self._meter = Machine(on_state), Mailbox[Latest](), Meter()
        self._notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._error = ""

    def _note(self, sentence: str) -> None:
        if sentence:
            self._notes.append(sentence)

    @property
    def state(self) -> RunState:
        """Now."""
        return self._machine.state

    @property
    def error(self) -> str:
        """Why it failed, or ""."""
        return self._error

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences to warn with, so far."""
        return tuple(self._notes)

    @property
    def meter(self) -> MeterReading:
        """A reading now."""
        return self._meter.snapshot()

    def latest(self, timeout: float | None = 0.0) -> Latest | None:
        """What was computed last, unless it was asked for before."""
        return self._mailbox.take(timeout)

    def wait_for(self, *states: RunState, timeout: float | None = None) -> bool:
        """Until it is in one of `states`, or has ended; whether it is in one of them."""
        return self._machine.wait(*states, timeout=timeout)
