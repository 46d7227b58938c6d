"""The options of a clip that is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.frame import Pixels
from pipelines.streaming.common.options import Computation

SNAPSHOT_BYTES = 256 << 20
"""Memory for snapshots; where it is full, every second one is given up."""


@dataclass(frozen=True, kw_only=True)
class PlaybackOptions(Computation):
    """Of a clip that is played.

    Args:
        batch: frames a batch, at most.
        speed: 1.0 is the clip's own time, 0.1 ten times slower; None as fast as it goes.
        loop: begin again at the end.
        snapshot_every: frames between two snapshots, to begin with; 0 keeps none but the first.
        snapshot_bytes: memory for them.
        whole: changes hold for the whole clip (`Timeline.hold`), as a window wants; else from their frames on.
        measured: whether results carry all measures of rows that the pipeline has (`pipelines.measures`).
        still: makes the clip's still picture (`pipelines.streaming.common.still`) while another thread may read from
            the clip; None reads from the clip itself.
    """

    batch: int = 16
    speed: float | None = 1.0
    loop: bool = False
    snapshot_every: int = 64
    snapshot_bytes: int = SNAPSHOT_BYTES
    whole: bool = False
    measured: bool = False
    still: Callable[[], Pixels | None] | None = None
