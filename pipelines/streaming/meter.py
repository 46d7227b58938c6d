"""What a run measures of itself: latencies by hop, rates, depths of queues; in memory that does not grow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

WINDOW = 4096
"""Frames that latencies look back on."""
RATE_SECONDS = 0.25
"""A rate is that of intervals so long; the peak is the best of them."""
RATE_INTERVALS = 20
"""The sustained rate is that of the last so many intervals."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds that frames took, over the last `WINDOW` of them; `worst` is that of the whole run."""

    p50: float = 0.0
    p99: float = 0.0
    max: float = 0.0
    worst: float = 0.0
    frames: int = 0


@dataclass(frozen=True, slots=True)
class Rate:
    """Frames a second: over the last seconds, in the best quarter of a second, and how many in all."""

    sustained: float = 0.0
    peak: float = 0.0
    frames: int = 0


@dataclass(frozen=True, slots=True)
class Depth:
    """How full a queue is, how full it ever was, and how much fits."""

    now: int = 0
    deepest: int = 0
    room: int = 0


@dataclass(frozen=True, slots=True)
class MeterReading:
    """A reading; plain values, so that it can go to another process.

    Args:
        seconds: since the run began.
        latencies: by hop: "camera" (host time to capture), "ring" (capture to engine), "engine", "track", "sinks", and
            "total" (capture to tracks).
        rates: by hop: "capture", "engine", "track".
        depths: by queue: "ring" (frames), "track" (batches), "sink 0" ... (batches).
        batch: frames that a batch is to have now.
    """

    seconds: float = 0.0
    latencies: Mapping[str, Latency] = field(default_factory=dict)
    rates: Mapping[str, Rate] = field(default_factory=dict)
    depths: Mapping[str, Depth] = field(default_factory=dict)
    batch: int = 0


class Meter:
    """Measures; each hop is written by one thread, `snapshot` may be called by any."""

    def __init__(self) -> None:
        raise NotImplementedError

    def latency(self, hop: str, seconds: npt.NDArray[np.float64]) -> None:
        """Frames took `seconds` (one a frame) for `hop`."""
        raise NotImplementedError

    def count(self, hop: str, frames: int) -> None:
        """`frames` more came through `hop` now."""
        raise NotImplementedError

    def depth(self, queue: str, now: int, room: int) -> None:
        """A queue holds `now` of `room`."""
        raise NotImplementedError

    def snapshot(self) -> MeterReading:
        """Where things stand."""
        raise NotImplementedError
