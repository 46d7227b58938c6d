"""What a live run and a playback show of themselves."""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from kernels.errors import FusetrackError
from pipelines.features import Tracks
from pipelines.frame import Result
from pipelines.streaming.common.latest_slot import LatestSlot
from pipelines.streaming.common.meter import Meter, MeterReading
from pipelines.streaming.common.states import Machine, RunState

MOST_NOTES = 1000
"""Sentences that are kept, the newest."""


class Watched:
    """State, error, notes, meter and the newest picture of something that runs; from any thread.

    Args:
        on_state: called with each new state, by the thread that brought it about; must not block.
    """

    def __init__(self, on_state: Callable[[RunState], None] | None) -> None:
        self._machine, self._latest, self._meter = Machine(on_state), LatestSlot[Latest](), Meter()
        self._notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._error = self._trace = ""

    def _note(self, sentence: str) -> None:
        if sentence:
            self._notes.append(sentence)

    def _fell(self, error: BaseException, what: str) -> None:
        """Keep why it failed: in a sentence, and where for whoever has to mend it; the first error counts.

        Args:
            what: failed, for what is no sentence for people: "playing", "the track thread".
        """
        if self._error:
            return
        said = " ".join(str(error).split())
        known = isinstance(error, FusetrackError)
        self._error = said if known else f"{what} failed with {type(error).__name__}: {said}"
        if not known or error.__cause__ is not None:
            self._trace = "".join(traceback.format_exception(error))

    @property
    def state(self) -> RunState:
        """Now."""
        return self._machine.state

    @property
    def error(self) -> str:
        """Why it failed, or ""."""
        return self._error

    @property
    def trace(self) -> str:
        """The traceback of what it failed with; "" where it did not, or where `error` says all there is to know."""
        return self._trace

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
        return self._latest.take(timeout)

    def wait_for(self, *states: RunState, timeout: float | None = None) -> bool:
        """Until it is in one of `states`, or has ended; whether it is in one of them."""
        return self._machine.wait(*states, timeout=timeout)


@dataclass(frozen=True)
class Latest:
    """What a window shows.

    Args:
        result: of the newest frame, with its picture where pictures were asked for.
        rows: the trackers' rows of the whole batch that it ended.
    """

    result: Result
    rows: Tracks
