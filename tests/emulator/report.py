"""What a run found and counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of the kernel.

    Attributes:
        kind: one of binding.KINDS.
        line: of the kernel text, from 1; 0 where there is none (an output left unwritten).
        other_line: of the other access of a race, or where the other threads wait; 0 if there is none.
        block: (x, y, z) of the first block that did it.
        thread: (x, y, z) of the first thread.
        what: the sentence.
        count: how often it happened.
        callers: lines of the calls around the line, inlined ones, innermost first.
    """

    kind: str
    line: int
    other_line: int
    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    what: str
    count: int
    callers: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class Traffic:
    """Accesses of one kind, in one space, of one line or of the whole launch.

    Attributes:
        accesses: of single threads.
        bytes: that the threads asked for.
        requests: instructions of a warp.
        transactions: 32-byte sectors of global memory, or wavefronts of shared memory (a conflict-free one takes one
            for each 128 bytes asked for).
        ideal: the least number of transactions that could serve the same warps: what the distinct bytes fill.
    """

    accesses: int = 0
    bytes: int = 0
    requests: int = 0
    transactions: int = 0
    ideal: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(self.accesses + other.accesses, self.bytes + other.bytes, self.requests + other.requests,
                       self.transactions + other.transactions, self.ideal + other.ideal)  # fmt: skip

    @property
    def conflicts(self) -> int:
        """Transactions beyond the least: bank conflicts in shared memory, wasted sectors in global memory."""
        return self.transactions - self.ideal


NOTHING = Traffic()


@dataclass(frozen=True, slots=True)
class Line:
    """Traffic of one line of the kernel text."""

    line: int
    space: str  # "global", "shared" or "local"
    operation: str  # "load", "store" or "atomic"
    traffic: Traffic
    callers: tuple[int, ...] = ()  # lines of the calls around it, innermost first


@dataclass(frozen=True, slots=True)
class Report:
    """What one launch did.

    Attributes:
        findings: faults, in the order in which they were met; empty for a right kernel.
        blocks: of the launch.
        threads: of the launch.
        barriers: passed by whole blocks.
        collectives: shuffles, votes and __syncwarp, of whole warps.
        atomics: of single threads.
        switches: between threads.
        lines: traffic by line (a checked run only).
        sectors_of_blocks: by operation: distinct 32-byte sectors of each block, summed: what leaves an SM whose L1
            holds a block's data.
        sectors_of_launch: by operation: distinct 32-byte sectors of the launch: what reaches memory once.
    """

    findings: tuple[Finding, ...]
    blocks: int
    threads: int
    barriers: int
    collectives: int
    atomics: int
    switches: int
    lines: tuple[Line, ...] = ()
    sectors_of_blocks: Mapping[str, int] = field(default_factory=dict)
    sectors_of_launch: Mapping[str, int] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        return not self.findings

    def traffic(self, space: str, operation: str, line: int | None = None) -> Traffic:
        """Traffic of a space and an operation, of one line (and what is inlined into it) or of all."""
        chosen = (each.traffic for each in self.lines
                  if (each.space, each.operation) == (space, operation)
                  and line in (None, each.line, *each.callers))  # fmt: skip
        return sum(chosen, NOTHING)

    def kinds(self) -> set[str]:
        return {finding.kind for finding in self.findings}


class KernelFaultError(Exception):
    """The kernel did something wrong; `report` holds what."""

    def __init__(self, name: str, report: Report) -> None:
        super().__init__(f"kernel {name}: " + "; ".join(str(finding) for finding in report.findings[:5]))
        self.report = report
