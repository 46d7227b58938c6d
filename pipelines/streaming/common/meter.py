"""What a run measures of itself: latencies by hop, rates, depths of queues; in memory that does not grow."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

WINDOW = 4096
"""Frames that latencies look back on."""
RATE_SECONDS = 0.25
"""A rate is that of intervals so long; the peak is the best of them."""
RATE_INTERVALS = 20
"""The sustained rate is that of the time of the last so many intervals."""


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
        latencies: by hop: "camera" (host time to capture), "ring" (capture to engine), "engine", "track" (with
            the wait for it), "sink 0" ..., and
            "total" (capture to tracks).
        rates: by hop: "capture", "engine", "track".
        depths: by queue: "ring" (frames), "track" (batches), "sink 0" ... (batches).
        batch: frames that a batch is to have now.
        busy: seconds for which each of the threads "engine" and "track" was held up by frames, waiting for the
            processor included, waiting for frames not.
    """

    seconds: float = 0.0
    latencies: Mapping[str, Latency] = field(default_factory=dict)
    rates: Mapping[str, Rate] = field(default_factory=dict)
    depths: Mapping[str, Depth] = field(default_factory=dict)
    batch: int = 0
    busy: Mapping[str, float] = field(default_factory=dict)


class _Window:
    """Latencies of one hop."""

    def __init__(self) -> None:
        self.seconds = np.zeros(WINDOW)
        self.frames, self.worst = 0, 0.0

    def add(self, seconds: npt.NDArray[np.float64]) -> None:
        kept = seconds[-WINDOW:]
        # A ring of the last WINDOW values, written in at most two pieces.
        at = self.frames % WINDOW
        fits = min(len(kept), WINDOW - at)
        self.seconds[at : at + fits] = kept[:fits]
        if fits < len(kept):
            self.seconds[: len(kept) - fits] = kept[fits:]
        self.frames += len(kept)
        self.worst = max(self.worst, float(seconds.max()))

    def reading(self) -> Latency:
        known = self.seconds[: min(self.frames, WINDOW)].copy()
        if not len(known):
            return Latency()
        p50, p99 = np.percentile(known, (50, 99))
        return Latency(float(p50), float(p99), float(known.max()), self.worst, self.frames)


class _Counter:
    """Frames of one hop."""

    def __init__(self, now: float) -> None:
        self.total, self.peak = 0, 0.0
        self.begin, self.count = now, 0
        self.past: deque[tuple[int, float]] = deque(maxlen=RATE_INTERVALS)

    def add(self, frames: int, now: float) -> None:
        self.total += frames
        self.count += frames
        passed = now - self.begin
        if passed >= RATE_SECONDS:
            self.past.append((self.count, passed))
            # An interval that a pause made longer says nothing of the best rate.
            if passed < 2 * RATE_SECONDS:
                self.peak = max(self.peak, self.count / passed)
            self.begin, self.count = now, 0

    def reading(self, now: float) -> Rate:
        past, passed = list(self.past), now - self.begin
        if passed >= RATE_SECONDS or not past:  # nothing came for a while, or it has only begun
            past.append((self.count, passed))
        frames = seconds = 0.0
        for count, long in reversed(past):  # of a long one, such as a pause, what lies within the last seconds
            part = min(long, RATE_INTERVALS * RATE_SECONDS - seconds)
            if part <= 0:
                break
            frames, seconds = frames + count * part / long, seconds + part
        sustained = frames / seconds if seconds > 0 else 0.0
        return Rate(sustained, max(self.peak, sustained), self.total)


class Meter:
    """Measures; each hop is written by one thread, `snapshot` may be called by any.

    Args:
        clock: seconds, rising.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._begin = clock()
        self._windows: dict[str, _Window] = {}
        self._counters: dict[str, _Counter] = {}
        self._depths: dict[str, tuple[int, int, int]] = {}
        self._busy: dict[str, float] = {}
        self.batch = 0

    def latency(self, hop: str, seconds: npt.NDArray[np.float64]) -> None:
        """Frames took `seconds` (one a frame) for `hop`."""
        if hop not in self._windows:
            self._windows[hop] = _Window()
        self._windows[hop].add(seconds)

    def count(self, hop: str, frames: int) -> None:
        """`frames` more came through `hop` now."""
        now = self._clock()
        if hop not in self._counters:
            self._counters[hop] = _Counter(self._begin)
            # The rate of a hop counts from its first frame, not from the run's beginning.
            self._counters[hop].begin = now
        self._counters[hop].add(frames, now)

    def held(self, hop: str, seconds: float) -> None:
        """Frames held the thread of `hop` up for so long."""
        self._busy[hop] = self._busy.get(hop, 0.0) + seconds

    def depth(self, queue: str, now: int, room: int) -> None:
        """A queue holds `now` of `room`."""
        self._depths[queue] = now, max(now, self._depths.get(queue, (0, 0, 0))[1]), room

    def snapshot(self) -> MeterReading:
        """The figures now."""
        now = self._clock()
        # Lists of the items: another thread may meet a new hop while this one counts.
        return MeterReading(
            now - self._begin,
            {hop: window.reading() for hop, window in list(self._windows.items())},
            {hop: counter.reading(now) for hop, counter in list(self._counters.items())},
            {queue: Depth(*depth) for queue, depth in list(self._depths.items())},
            self.batch,
            dict(self._busy),
        )
