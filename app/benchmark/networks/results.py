"""What was measured: contenders of a network with some threads."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.benchmark.networks.contender import FAST, FRAME, OWN
from app.benchmark.results import threads
from app.benchmark.timing import Ratio, Timing

COLUMNS = ("network", "kind", "macs", "input", "threads", "load", "pinned", "contender", "version", "note",
           "processor_least_s", "wall_median_s", "wall_low_s", "wall_high_s", "wall_least_s", "runs", "macs_per_s",
           "of_peak", "ratio", "ratio_low", "ratio_high", "difference", "differs", "peak_macs_per_s")  # fmt: skip
"""Of the CSV file."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One contender.

    Args:
        version: of its library.
        wall: seconds a run by the clock.
        processor: seconds of all processors that a run takes, the least; NaN where the clock is too coarse.
        ratio: how many times as long as ours it takes, with the quartiles over the turns; `least` is of the
            processors' time. None where there is no ours, for ours, and for what computes something else.
        difference: the largest relative one of its outputs to those of `judge`; None where it is not compared.
        wrong: it is more than it may be.
    """

    name: str
    version: str
    note: str
    wall: Timing
    processor: float
    ratio: Ratio | None = None
    difference: float | None = None
    wrong: bool = False

    @property
    def own(self) -> bool:
        return self.name in (OWN, FAST, FRAME)


@dataclass(frozen=True, slots=True)
class NetworkResult:
    """All contenders of one network with some threads.

    Args:
        network: its name.
        kind: "f32" or "int8".
        macs: multiply-adds of a run; None where they are not known.
        given: the inputs, for people.
        judge: whose outputs the others' are compared with.
        peak: multiply-adds of f32 that one thread makes in a second of its processor, at most, while as many as
            `threads` work.
        left_out: who did not take part, and why.
    """

    network: str
    kind: str
    macs: int | None
    given: str
    threads: int
    load: int
    pinned: bool
    contenders: tuple[Measured, ...]
    judge: str = ""
    peak: float = math.nan
    left_out: tuple[str, ...] = ()

    def of(self, name: str) -> Measured | None:
        return next((c for c in self.contenders if c.name == name), None)

    @property
    def best_peer(self) -> Measured | None:
        """The fastest of the others whose outputs agree, by `times`; None where there is none."""
        peers = [c for c in self.contenders if not c.own and not c.wrong]
        return min(peers, key=self.times, default=None)

    def times(self, contender: Measured) -> float:
        """What decides, s: the least processor time of one thread, of several the median by the clock."""
        alone = self.threads == 1 and not math.isnan(contender.processor)
        return contender.processor if alone else contender.wall.median

    def against(self, contender: Measured) -> float:
        """How many times as long as ours it takes, by `times`; NaN without ours."""
        ours = self.of(OWN)
        return self.times(contender) / self.times(ours) if ours is not None else math.nan

    def rate(self, contender: Measured) -> float:
        """Multiply-adds a second by the median of the clock; NaN where they are not known."""
        return math.nan if self.macs is None else self.macs / contender.wall.median

    def of_peak(self, contender: Measured) -> float:
        """The share of the peak of f32 by `times`; above 1 is possible for whole numbers."""
        if self.macs is None:
            return math.nan
        return self.macs / self.times(contender) / (self.peak * self.threads)

    @property
    def conditions(self) -> str:
        """Under which it was measured, for people."""
        words = [threads(self.threads)] + (["pinned"] if self.pinned else [])
        words += [f"{self.load} busy process{'es' if self.load != 1 else ''} beside"] if self.load else []
        return ", ".join(words)


def rows(results: Sequence[NetworkResult]) -> list[dict[str, Any]]:
    """A row a contender: COLUMNS."""
    found = []
    for r in results:
        for c in r.contenders:
            ratio = c.ratio
            values = (r.network, r.kind, r.macs, r.given, r.threads, r.load, r.pinned, c.name, c.version, c.note,
                      c.processor, c.wall.median, c.wall.low, c.wall.high, c.wall.least, c.wall.rounds, r.rate(c),
                      r.of_peak(c), math.nan if ratio is None else r.against(c), ratio.low if ratio else math.nan,
                      ratio.high if ratio else math.nan, c.difference, c.wrong, r.peak)  # fmt: skip
            found.append(dict(zip(COLUMNS, values, strict=True)))
    return found


def table_text(results: Sequence[NetworkResult]) -> str:
    """CSV with a header; what is not known is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows(results):
        writer.writerow({key: "" if value is None or (isinstance(value, float) and math.isnan(value)) else value
                         for key, value in row.items()})  # fmt: skip
    return text.getvalue()


def facts(results: Sequence[NetworkResult]) -> list[dict[str, Any]]:
    """All figures, JSON-able: a row a contender, under its network."""
    made = []
    for r in results:
        best, own = r.best_peer, r.of(OWN)
        general = ("network", "kind", "macs", "input", "threads", "load", "pinned")
        each = [{key: value for key, value in row.items() if key not in general} for row in rows([r])]
        made.append({
            "network": r.network, "kind": r.kind, "macs": r.macs, "input": r.given, "threads": r.threads,
            "load": r.load, "pinned": r.pinned, "judge": r.judge, "peak_macs_per_s": r.peak,
            "left_out": r.left_out, "contenders": each,
            "best_peer": best.name if best is not None else None,
            "best_peer_ratio": r.against(best) if best is not None and own is not None else None,
        })  # fmt: skip
    return made
