"""How far a run is, and what it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pipelines.streaming.clip.ledger import Ledger


class Progress(Protocol):
    """What is told how far a run is."""

    def advance(self, frames: int, bad: int = 0) -> None:
        """`frames` more are done, of which `bad` could not be read."""
        ...


@dataclass
class Report:
    """What a run did.

    Args:
        ledger: every frame accounted for.
        overflow: rows that did not fit into a table, by node.
        seconds: wall time of the whole run; `stage_seconds` by node, "read" for decoding, "track" for trackers.
        interrupted: the user stopped it.
        sent_back: frames whose tables the processor made since a GPU's kernels had no room, by program.
    """

    ledger: Ledger
    overflow: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    stage_seconds: dict[str, float] = field(default_factory=dict)
    interrupted: bool = False
    sent_back: Mapping[str, int] = field(default_factory=dict)

    @property
    def fps(self) -> float:
        """Frames processed a second of wall time."""
        return self.ledger.processed / self.seconds if self.seconds > 0 else 0.0
