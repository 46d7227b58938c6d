"""What a simulated camera knows about itself: the ledger of a run is compared with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

Ranges = tuple[tuple[int, int], ...]
"""(first, last) numbers, both included, rising, not touching."""


class Kind(IntEnum):
    """What a row of the camera's own log is about."""

    DROPPED = 1
    DUPLICATED = 2
    STALLED = 3
    DISCONNECTED = 4
    RESIZED = 5
    OVERRUN = 6
    LATE = 7


LOG_ROW = np.dtype([("kind", "<i8"), ("first", "<i8"), ("last", "<i8"), ("value", "<f8")])


@dataclass(frozen=True, slots=True)
class Truth:
    """Where each frame of a simulated camera went; exact once the camera was stopped or has ended.

    Args:
        announced: frames that were exposed: their numbers are 0 .. announced - 1.
        delivered: frames that were put into the ring, repetitions included.
        dropped: lost on demand.
        overrun: lost because the ring was full: whoever takes was too slow.
        disconnected: lost between a disconnection (or a change of size) and the start that ended it.
        late: lost because this machine did not get round to simulating them in time.
        duplicated: numbers that were delivered twice.
        stalls: (number of the first frame after it, seconds) of each pause.
        resized: numbers of the frames at which a change of size was announced.
        complete: whether the log had room for everything.
    """

    announced: int
    delivered: int
    dropped: Ranges
    overrun: Ranges
    disconnected: Ranges
    late: Ranges
    duplicated: tuple[int, ...]
    stalls: tuple[tuple[int, float], ...]
    resized: tuple[int, ...]
    complete: bool

    @property
    def missing(self) -> Ranges:
        """All numbers that were never delivered."""
        return merged((*self.dropped, *self.overrun, *self.disconnected, *self.late))

    @property
    def lost(self) -> int:
        """How many these are."""
        return count(self.missing)

    def facts(self) -> dict[str, Any]:
        """JSON-able."""
        return {**asdict(self), "missing": self.missing, "lost": self.lost}


def truth_of(log: npt.NDArray[Any], announced: int, delivered: int, complete: bool) -> Truth:
    """The truth out of the rows (n,) of LOG_ROW."""
    of = {kind: [(int(r["first"]), int(r["last"])) for r in log[log["kind"] == kind]] for kind in Kind}
    stalls = log[log["kind"] == Kind.STALLED]
    return Truth(
        announced, delivered, merged(of[Kind.DROPPED]), merged(of[Kind.OVERRUN]), merged(of[Kind.DISCONNECTED]),
        merged(of[Kind.LATE]),
        tuple(number for low, high in merged(of[Kind.DUPLICATED]) for number in range(low, high + 1)),
        tuple(dict(zip(stalls["first"].tolist(), stalls["value"].tolist(), strict=True)).items()),
        tuple(dict.fromkeys(low for low, _ in of[Kind.RESIZED])), complete,
    )  # fmt: skip


def merged(ranges: tuple[tuple[int, int], ...] | list[tuple[int, int]]) -> Ranges:
    """The same numbers in as few ranges as possible.

    >>> merged([(5, 6), (1, 2), (3, 3), (6, 9)])
    ((1, 3), (5, 9))
    """
    made: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if made and low <= made[-1][1] + 1:
            made[-1] = made[-1][0], max(made[-1][1], high)
        else:
            made.append((low, high))
    return tuple(made)


def count(ranges: Ranges) -> int:
    """How many numbers are in ranges that do not overlap."""
    return sum(high - low + 1 for low, high in ranges)
