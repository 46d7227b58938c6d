"""What was measured: contenders of a chain at one size, and the floors under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.benchmark.floors import Demand
from app.benchmark.timing import Ratio, Timing

THOUSAND = 1000.0


def threads(count: int) -> str:
    """For people.

    >>> threads(1), threads(2)
    ('1 thread', '2 threads')
    """
    return f"{count} thread{'s' if count != 1 else ''}"


@dataclass(frozen=True, slots=True)
class Measured:
    """One contender.

    Args:
        timing: seconds a batch.
        ratio: how many times it is as fast as the baseline.
        differs: share of pixels in which its output differs from the fused one's; None where it is another quantity.
        wrong: it should agree and does not.
        peer: it is another library's way to the same output.
    """

    name: str
    timing: Timing
    ratio: Ratio | None
    differs: float | None = None
    wrong: bool = False
    peer: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """All contenders of one chain (or pipeline of the user's) at one size.

    Args:
        load: busy processes beside.
        baseline: the contender that ratios are against.
        stream: bytes a second of the copy; 0 where it was not measured.
        rate: operations (32-bit lanes) a second; 0 likewise.
        left_out: libraries that are not there, or failed, and why.
    """

    chain: str
    summary: str
    size: int
    batch: int
    threads: int
    back_end: str
    pinned: bool
    load: int
    baseline: str
    contenders: tuple[Measured, ...]
    need: Demand
    stream: float = 0.0
    rate: float = 0.0
    part: str = ""
    left_out: tuple[str, ...] = ()

    def of(self, name: str) -> Measured | None:
        return next((c for c in self.contenders if c.name == name), None)

    @property
    def best_peer(self) -> Measured | None:
        """The fastest of the other libraries that compute the same, by medians; None where there is none."""
        peers = [c for c in self.contenders if c.peer and not c.wrong]
        return min(peers, key=lambda c: c.timing.median, default=None)

    def fps(self, contender: Measured) -> float:
        """Frames a second."""
        return self.batch / contender.timing.median

    def ns_per_pixel(self, contender: Measured) -> float:
        return 1e9 * contender.timing.median / (self.batch * self.size**2)

    @property
    def conditions(self) -> str:
        """Under which it was measured, for people."""
        words = [f"{self.batch} frame{'s' if self.batch != 1 else ''} a call", threads(self.threads)]
        words += ["pinned"] if self.pinned else []
        words += [f"{self.load} busy process{'es' if self.load != 1 else ''} beside"] if self.load else []
        return ", ".join(words)

    @property
    def floors(self) -> dict[str, float]:
        """The times that the bytes and the operations alone would take, ns a pixel."""
        found = {"bytes": (self.need.bytes, self.stream), "operations": (self.need.lanes, self.rate)}
        return {name: 1e9 * amount / rate for name, (amount, rate) in found.items() if rate > 0}

    def rest(self, whole: str, part: str) -> tuple[float, float] | None:
        """What `whole` costs beyond `part`, by their shortest calls: seconds a batch, and the share of `part`."""
        a, b = self.of(whole), self.of(part)
        if a is None or b is None:
            return None
        return a.timing.least - b.timing.least, a.timing.least / b.timing.least - 1

    @property
    def rests(self) -> dict[str, tuple[float, float]]:
        """By contender what it costs beyond the part of the chain that is timed too."""
        names = [c.name for c in self.contenders if c.name.endswith(self.part) and self.part]
        found = {name.removesuffix(self.part): self.rest(name.removesuffix(self.part), name) for name in names}
        return {name: rest for name, rest in found.items() if rest is not None}


def facts(results: Sequence[Result]) -> list[dict[str, Any]]:
    """All figures, JSON-able."""
    return [
        {
            "chain": r.chain, "width_px": r.size, "height_px": r.size, "batch": r.batch, "threads": r.threads,
            "back_end": r.back_end, "pinned": r.pinned, "load": r.load, "baseline": r.baseline,
            "bytes_per_px": {"image": r.need.image, "state": r.need.state}, "operations_per_px": r.need.lanes,
            "copy_bytes_per_s": r.stream or None, "operations_per_s": r.rate or None, "floor_ns_per_px": r.floors,
            "rest": {name: {"seconds": seconds, "share": share} for name, (seconds, share) in r.rests.items()},
            "left_out": r.left_out,
            "contenders": [{**asdict(c), "spread_too_wide": c.timing.wide, "frames_per_s": r.fps(c),
                            "ns_per_px": r.ns_per_pixel(c), "of_1000_fps": r.fps(c) / THOUSAND}
                           for c in r.contenders],
        }
        for r in results
    ]  # fmt: skip
