"""The ledger of a live run: each frame that was announced is processed, left out by name, or in flight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

BEHIND = "the engine was behind"
"""Why frames are left out: the ring was full."""
PAUSED = "the run was paused"
ENDED = "the run ended before"
"""The run failed with these frames in its hands."""

MOST_NAMED = 1000
"""Ranges of each sort that are named one by one; beyond it they are only counted."""


@dataclass(frozen=True, slots=True)
class Unprocessed:
    """Frames `first` to `last` (sequence numbers) were captured but not processed."""

    first: int
    last: int
    reason: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Camera numbers `first_id` to `last_id` never came; `sequence` is that of the frame after them."""

    sequence: int
    first_id: int
    last_id: int


class LiveLedger:
    """Counts and ranges, in memory that does not grow; any thread may read.

    Attributes:
        announced: frames that were captured and numbered.
        processed: frames whose tracks are made.
        left_out: frames that were announced and not processed, `unprocessed` names them.
        missing: camera numbers that never came, `gaps` names them.
        duplicates: frames whose number had come before, `duplicate_ids` names them; they are not announced.
        time_gaps: steps of the camera's clock of more than one and a half frames.
        reconnects: times that the camera was lost and came back.
    """

    def __init__(self) -> None:
        self.announced = self.processed = self.left_out = self.missing = self.duplicates = self.time_gaps = 0
        self.reconnects = 0
        self.unprocessed: list[Unprocessed] = []
        self.gaps: list[Gap] = []
        self.duplicate_ids: list[int] = []

    @property
    def in_flight(self) -> int:
        """Frames on their way."""
        return self.announced - self.processed - self.left_out

    def check(self, ended: bool = False) -> None:
        """Raise AssertionError if a frame was counted twice or never; at the end none may be in flight."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """For a summary, JSON-able."""
        raise NotImplementedError
