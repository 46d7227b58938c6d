"""The options of a live run."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.streaming.common.options import Computation

LATENCY = 0.25
"""Seconds from capture to tracks, at most, unless something else is asked for."""
PATIENCE = 60.0
"""Seconds that a lost camera is tried again."""


@dataclass(frozen=True, kw_only=True)
class LiveOptions(Computation):
    """Of a live run.

    Args:
        latency: seconds from capture to tracks, at most; what would take longer is left out, counted and named.
        batch: frames a batch; None adapts.
        frames: end after so many announced frames; None goes on until `stop` or the end of the stream.
        slots: of the ring; None for what `latency` allows. A run that begins overloaded may take longer than `latency`
            for its first frames, until the speed is known.
        reconnect: seconds that a lost camera is tried again.
        measured: whether results carry all measures of rows that the pipeline has (`pipelines.measures`).
    """

    latency: float = LATENCY
    batch: int | None = None
    frames: int | None = None
    slots: int | None = None
    reconnect: float = PATIENCE
    measured: bool = False
