"""What was measured of a chain on a GPU, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

FUSED, UNFUSED = "fused", "unfused"
FUSED_GRAPH, UNFUSED_GRAPH = "fused, in a graph", "unfused, in a graph"
NDIMAGE, FUSE, TORCH = "cupyx.scipy.ndimage", "ndimage + cupy.fuse", "torch.compile"
FRAMES = ((512, 512), (1024, 1024), (1920, 1080))
"""Width and height, px."""
CHANNELS = (1, 4)
BATCH = 16


@dataclass(frozen=True, slots=True)
class Case:
    """Frames of u8, `batch` a call."""

    width: int
    height: int
    channels: int
    batch: int = BATCH

    def __str__(self) -> str:
        kind = {1: "mono u8", 4: "RGBA"}.get(self.channels, f"{self.channels} x u8")
        return f"{self.width}x{self.height} {kind}, {self.batch} frames a batch"

    @property
    def pixels(self) -> int:
        return self.width * self.height

    @property
    def frame_bytes(self) -> int:
        return self.pixels * self.channels


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and quartiles of some samples, and how many there were."""

    median: float
    low: float
    high: float
    count: int

    @staticmethod
    def of(samples: Sequence[float]) -> Spread:
        low, median, high = (float(v) for v in np.percentile(samples, (25, 50, 75)))
        return Spread(median, low, high, len(samples))


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds from frames on the host to their result on the host, alone on the way."""

    batch: int
    p50: float
    p99: float
    count: int = 0

    @staticmethod
    def of(batch: int, seconds: Sequence[float]) -> Latency:
        p50, p99 = (float(v) for v in np.percentile(seconds, (50, 99)))
        return Latency(batch, p50, p99, len(seconds))


@dataclass(frozen=True, slots=True)
class GpuMeasured:
    """One contender.

    Args:
        seconds: of a batch, on the device.
        differs: share of the pixels in which its output differs from that of the compiled program on the processor.
        wrong: it should agree (within the chain's tolerance) and does not.
        kernels: launches a batch; 0 where it is not ours.
        registers: most of a thread of one of its kernels; 0 where unknown.
        spills: bytes that threads of its kernels spill, summed over kernels.
    """

    name: str
    seconds: Spread
    differs: float
    wrong: bool = False
    kernels: int = 0
    registers: int = 0
    spills: int = 0


@dataclass(frozen=True, slots=True)
class GpuResult:
    """A chain on one kind of frame.

    Args:
        contenders: measured in turns; ours first.
        floor: bytes of a batch that nothing can avoid: frames in, results out, states in and out.
        copy: bytes read and written a second by a copy inside the device.
        up: bytes a second from pinned host memory to the device.
        down: and back.
        stream: frames a second with the transfers, several batches under way.
        latencies: for some batch lengths.
        left_out: contenders that are not there, or failed, and why.
    """

    chain: str
    summary: str
    case: Case
    contenders: tuple[GpuMeasured, ...]
    floor: float
    copy: float
    up: float
    down: float
    stream: Spread
    latencies: tuple[Latency, ...]
    left_out: tuple[str, ...] = ()

    def of(self, name: str) -> GpuMeasured | None:
        return next((c for c in self.contenders if c.name == name), None)

    def us_per_frame(self, contender: GpuMeasured) -> float:
        return 1e6 * contender.seconds.median / self.case.batch

    def bandwidth(self, contender: GpuMeasured) -> float:
        """Of the floor's bytes, bytes a second."""
        return self.floor / contender.seconds.median

    def of_copy(self, contender: GpuMeasured) -> float:
        """The same as a share of what a copy reaches."""
        return self.bandwidth(contender) / self.copy

    @property
    def bus_limit(self) -> float:
        """Frames a second that pinned memory alone lets through to the device."""
        return self.up / self.case.frame_bytes

    @property
    def of_bus(self) -> float:
        """Frames a second with transfers, as a share of that limit."""
        return self.stream.median / self.bus_limit

    def times(self, slow: str, fast: str) -> float | None:
        """How many times as fast one contender is as another, by the medians."""
        a, b = self.of(slow), self.of(fast)
        return None if a is None or b is None else a.seconds.median / b.seconds.median


@dataclass(frozen=True, slots=True)
class Goal:
    """What fusetrack wants to reach: reached is None where it was not measured."""

    name: str
    wanted: float
    reached: float | None

    @property
    def met(self) -> bool | None:
        return None if self.reached is None else self.reached >= self.wanted


def goals(result: GpuResult) -> tuple[Goal, ...]:
    """The goals for the seed chain, and what was reached."""
    best = [c for c in (result.of(FUSED), result.of(FUSED_GRAPH)) if c is not None]
    share = max((result.of_copy(c) for c in best), default=None)
    return (
        Goal("fused over unfused", 3.0, result.times(UNFUSED, FUSED)),
        Goal("fused over unfused, both in a graph", 1.5, result.times(UNFUSED_GRAPH, FUSED_GRAPH)),
        Goal("fused over cupyx.scipy.ndimage", 10.0, result.times(NDIMAGE, FUSED)),
        Goal("share of the copy's bandwidth", 0.7, share),
        Goal("share of the bus limit, end to end", 0.85, result.of_bus),
    )


def gpu_json(facts: Mapping[str, object], results: Sequence[GpuResult]) -> dict[str, Any]:
    """All figures, JSON-able; seconds, bytes and frames a second."""
    return {
        "gpu": dict(facts),
        "results": [
            {
                **asdict(r), "bus_limit_fps": r.bus_limit, "of_bus_limit": r.of_bus,
                "contenders": [{**asdict(c), "us_per_frame": r.us_per_frame(c), "bytes_per_s": r.bandwidth(c),
                                "of_copy": r.of_copy(c)} for c in r.contenders],
                "goals": [{**asdict(g), "met": g.met} for g in goals(r)] if r.chain == "seed" else [],
            }
            for r in results
        ],
    }  # fmt: skip
