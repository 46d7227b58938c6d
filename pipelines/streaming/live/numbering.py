"""What a camera's numbers say in the order in which its frames come: which never came, which came again or late."""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipelines.frame import UNKNOWN

MOST_OPEN = 1000
"""Ranges of missing numbers that are remembered, the newest; what comes of older ones counts as having come before."""


class Kind(Enum):
    """What is to be said of a number.

    GAP: numbers before it never came so far. AGAIN: it had come before. LATE: it had been missing, and comes after a
    higher one.
    """

    GAP = "gap"
    AGAIN = "again"
    LATE = "late"


class Remark(NamedTuple):
    """About the frame `at` of those that were looked at: its number is `first` (and `last`), or, of a gap, the numbers
    `first` to `last` before it are missing."""

    at: int
    kind: Kind
    first: int
    last: int


class Numbers:
    """The numbers of one camera; frames without one (UNKNOWN) say nothing. Its memory is bounded."""

    def __init__(self) -> None:
        self._highest = UNKNOWN
        self._open: deque[list[int]] = deque(maxlen=MOST_OPEN)

    def begin_anew(self, number: int) -> None:
        """The camera was connected again, and its next number is `number`: if that is not higher than any before, it
        counts from the beginning again."""
        if number != UNKNOWN and self._highest != UNKNOWN and number <= self._highest:
            self._highest = UNKNOWN
            self._open.clear()

    def look(self, ids: npt.NDArray[np.int64]) -> list[Remark]:
        """At the numbers of the next frames, at least one; [] where each follows the one before."""
        first, last = int(ids[0]), int(ids[-1])
        follows = first != UNKNOWN and first == self._highest + 1 and self._highest != UNKNOWN
        if follows and last - first + 1 == len(ids) and (ids[1:] - ids[:-1] == 1).all():
            self._highest = last
            return []
        made: list[Remark] = []
        for at, number in enumerate(ids.tolist()):
            if number == UNKNOWN:
                continue
            if self._highest == UNKNOWN or number > self._highest:
                if self._highest != UNKNOWN and number > self._highest + 1:
                    made.append(Remark(at, Kind.GAP, self._highest + 1, number - 1))
                    self._open.append([self._highest + 1, number - 1])
                self._highest = number
            else:
                made.append(Remark(at, Kind.LATE if self._fill(number) else Kind.AGAIN, number, number))
        return made

    def _fill(self, number: int) -> bool:
        """Take a number out of those that are missing; False if it is not among them."""
        for k in range(len(self._open) - 1, -1, -1):
            first, last = self._open[k]
            if number > last:
                return False
            if number < first:
                continue
            del self._open[k]
            rest = [part for part in ([first, number - 1], [number + 1, last]) if part[0] <= part[1]]
            for part in reversed(rest):
                if len(self._open) < MOST_OPEN:
                    self._open.insert(k, part)
            return True
        return False
