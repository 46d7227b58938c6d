"""How a live run ended."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.streaming.common.changes import AnyChange
from pipelines.streaming.common.meter import MeterReading
from pipelines.streaming.common.states import RunState
from pipelines.streaming.live.ledger import LiveLedger


@dataclass(frozen=True, repr=False)
class LiveReport:
    """How a run ended.

    Args:
        state: STOPPED or FAILED.
        error: why it failed, one sentence, or "".
        ledger: every frame accounted for.
        reading: the meter's last.
        changes: what changed while it ran, with frames, in order (the last ten thousand).
        overflow: rows that did not fit into a table, by node.
        seconds: wall time.
        stage_seconds: by group of stages, and "track", "write".
        notes: sentences to warn with: a failed change of the pipeline, a back end that could not be had.
    """

    state: RunState
    error: str
    ledger: LiveLedger
    reading: MeterReading
    changes: tuple[AnyChange, ...]
    overflow: dict[str, int]
    seconds: float
    stage_seconds: dict[str, float]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        one = self.ledger
        said = "".join(f"\nnote     {note}" for note in self.notes)
        failed = f"; {self.error}" if self.error else ""
        return (f"<LiveReport: {self.state.value}, {one.processed} of {one.announced} frames processed in "
                f"{self.seconds:.1f} s{failed}>{said}")  # fmt: skip
