"""How fast each hop of a run goes, from the readings of the last seconds; what a throughput panel shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.desk.engine.reports import Measured
from app.frame_counts import FrameCounts
from pipelines.streaming.common.meter import Depth, Latency

CAPTURED, PROCESSED, RECORDED, SHOWN = "captured", "processed", "recorded", "shown"
"""Names of speeds, the words of `app.frame_counts`; and of the pictures that come to the screen."""
LOOK_BACK = 3.0
"""Seconds that rates and costs look back on."""
LEAST_SEEN = 0.9
"""Seconds of a recording from which a rate is told: files grow in pieces."""
HOPS = {"capture": CAPTURED, "play": PROCESSED, "engine": "stages", "track": PROCESSED}
"""What people call the hops of `MeterReading.rates`."""
WAITS = {"camera": "to the host", "ring": "in the queue", "engine": "pipeline", "track": "tracking", "total": "in all"}
"""What people call the hops of `MeterReading.latencies`."""
QUEUES = {"ring": "pipeline", "track": "tracking"}
"""What people call the queues of `MeterReading.depths`, by what they wait for."""
NO_FRAMES = FrameCounts()
READ, TRACK, WRITE = "read", "track", "write"
"""Names in `Measured.stages` that are no programs."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Frames a second of a hop, now and at best."""

    name: str
    now: float
    peak: float


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds that a frame takes in a part of the work; `kind` is "program", "track", "write" or "read"."""

    name: str
    kind: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Disk:
    """How a recording goes.

    Args:
        fps, bytes_a_second: of what is written; 0 and NaN before enough was seen.
        seconds_left: until the disk is full, infinite if unknown.
        queue: frames that wait, and how many can.
        recorded, dropped: frames.
    """

    fps: float
    bytes_a_second: float
    seconds_left: float
    queue: Depth
    recorded: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Throughput:
    """All that is known now.

    Args:
        speeds: of the hops, in order of their work.
        latencies, queues: by what people call them.
        costs: of a frame, in order of the work; () while unknown.
        counts: what became of a camera's frames; `recent`: of them those of the last seconds.
        disk: None while nothing is recorded.
        frames: that were processed in the last seconds.
    """

    speeds: tuple[Speed, ...] = ()
    latencies: Mapping[str, Latency] = field(default_factory=dict)
    queues: Mapping[str, Depth] = field(default_factory=dict)
    costs: tuple[Cost, ...] = ()
    counts: FrameCounts = NO_FRAMES
    recent: FrameCounts = NO_FRAMES
    disk: Disk | None = None
    frames: int = 0

    def speed(self, name: str) -> float:
        """Frames a second of a hop now, NaN where there is none of the name."""
        return next((s.now for s in self.speeds if s.name == name), math.nan)

    def cost(self, *kinds: str) -> float:
        """Seconds of a frame in all parts of these kinds."""
        return sum(cost.seconds for cost in self.costs if cost.kind in kinds)


def same_run(readings: Sequence[Measured]) -> Sequence[Measured]:
    """The last of them that are of one run, whose clock only rises."""
    begin = len(readings) - 1
    while begin > 0 and readings[begin - 1].reading.seconds <= readings[begin].reading.seconds:
        begin -= 1
    return readings[max(0, begin) :]


def look(readings: Sequence[Measured], back: float = LOOK_BACK) -> Throughput:
    """What the readings tell, the newest last.

    Args:
        readings: of one or several runs.
        back: seconds.
    """
    run = same_run(readings)
    if not run:
        return Throughput()
    now = run[-1]
    # The oldest reading that is not older than `back`.
    before = next((m for m in run if now.reading.seconds - m.reading.seconds <= back), now)
    passed = now.reading.seconds - before.reading.seconds
    speeds = [Speed(words, rate.sustained, rate.peak) for hop, words in HOPS.items()
              if (rate := now.reading.rates.get(hop)) is not None]  # fmt: skip
    disk = _disk(run, now, back)
    if disk is not None:
        speeds.append(Speed(RECORDED, disk.fps, max(disk.fps, _best(run, _recorded))))
    if speeds:
        shown = (now.shown - before.shown) / passed if passed > 0 else 0.0
        speeds.append(Speed(SHOWN, shown, max(shown, _best(run, lambda m: m.shown))))
    counts = counts_of(now)
    waits = {WAITS.get(hop, hop): latency for hop, latency in now.reading.latencies.items() if latency.frames}
    queues = {QUEUES.get(name, name): depth
              for name, depth in now.reading.depths.items() if depth.room}  # fmt: skip
    if disk is not None and disk.queue.room:
        queues["disk"] = disk.queue
    frames = _processed(now) - _processed(before)
    return Throughput(tuple(speeds), waits, queues, _costs(before, now, frames), counts,
                      counts.since(counts_of(before)), disk, frames)  # fmt: skip


def _processed(measured: Measured) -> int:
    rates = measured.reading.rates
    return next((rates[hop].frames for hop in ("track", "engine", "play") if hop in rates), 0)


def _costs(before: Measured, now: Measured, frames: int) -> tuple[Cost, ...]:
    if frames <= 0:
        return ()
    found = []
    for name, seconds in now.stages.items():
        spent = seconds - before.stages.get(name, 0.0)
        kind = name if name in (READ, TRACK, WRITE) else "program"
        words = {READ: "reading", TRACK: "tracking", WRITE: "writing"}.get(name, name)
        if spent > 0:
            found.append(Cost(words, kind, spent / frames))
    order = (READ, "program", TRACK, WRITE)
    return tuple(sorted(found, key=lambda cost: order.index(cost.kind)))


def _recorded(measured: Measured) -> int:
    return measured.recording.recorded if measured.recording is not None else 0


def _best(run: Sequence[Measured], count: object) -> float:
    """The best rate between two readings that are half a second apart or more."""
    assert callable(count)
    best, since = 0.0, run[0]
    for measured in run[1:]:
        passed = measured.reading.seconds - since.reading.seconds
        # Over shorter times a rate is mostly noise.
        if passed >= 0.5:
            best = max(best, (count(measured) - count(since)) / passed)
            since = measured
    return best


def _disk(run: Sequence[Measured], now: Measured, back: float) -> Disk | None:
    """What is being recorded, seen since its first frames, at most for so many seconds."""
    account = now.recording
    if account is None:
        return None
    seen = ((m.reading.seconds, m.recording) for m in run if now.reading.seconds - m.reading.seconds <= back)
    # A greater count than now is of a recording before this one.
    begun = ((at, one) for at, one in seen if one is not None and 0 < one.recorded <= account.recorded)
    since, first = next(begun, (now.reading.seconds, account))
    passed = now.reading.seconds - since
    known = passed >= LEAST_SEEN
    fps = (account.recorded - first.recorded) / passed if known else 0.0
    rate = (account.bytes - first.bytes) / passed if known else math.nan
    return Disk(fps, rate, account.seconds_left, Depth(account.waiting, account.waiting, account.slots),
                account.recorded, account.dropped)  # fmt: skip


def counts_of(measured: Measured) -> FrameCounts:
    """What became of a camera's frames so far; of a clip nothing is known that could be lost."""
    ledger, account = measured.ledger, measured.recording
    reasons = ledger.get("unprocessed_reasons", {})
    return FrameCounts(int(ledger.get("announced", 0)), int(ledger.get("processed", 0)),
                       {str(reason): int(count) for reason, count in reasons.items() if count},
                       int(ledger.get("missing", 0)), 0 if account is None else account.dropped)  # fmt: skip


def history(readings: Sequence[Measured], seconds: float = 60.0) -> dict[str, tuple[list[float], list[float]]]:
    """Curves of the last seconds: by name, times (s, 0 is now, the past negative) and values.

    The names are those of `Throughput.speeds` (frames a second), and "latency p50" and "latency p99" (s, of the whole
    way from capture to tracks).
    """
    run = [m for m in same_run(readings) if readings[-1].reading.seconds - m.reading.seconds <= seconds]
    curves: dict[str, tuple[list[float], list[float]]] = {}

    def put(name: str, at: float, value: float) -> None:
        times, values = curves.setdefault(name, ([], []))
        times.append(at)
        values.append(value)

    since = run[0] if run else None
    for measured in run:
        at = measured.reading.seconds - run[-1].reading.seconds
        for hop, words in HOPS.items():
            if hop in measured.reading.rates:
                put(words, at, measured.reading.rates[hop].sustained)
        total = measured.reading.latencies.get("total")
        if total is not None and total.frames:
            put("latency p50", at, total.p50)
            put("latency p99", at, total.p99)
        assert since is not None
        passed = measured.reading.seconds - since.reading.seconds
        # A rate that comes of two counts needs some time between them.
        if passed >= 0.5:
            if curves:
                put(SHOWN, at, (measured.shown - since.shown) / passed)
            if measured.recording is not None and since.recording is not None:
                put(RECORDED, at, (measured.recording.recorded - since.recording.recorded) / passed)
            since = measured
    return curves
