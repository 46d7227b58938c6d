"""Frames that are missing from something: their numbers, what became of them, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_ANNOUNCED = 1 << 33
"""More frames than that no session announces; what is larger comes from damage."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Announced frames that were not recorded (or not processed): their sequence numbers, which word of `events` says
    it, and why."""

    first: int
    last: int
    kind: str
    reason: str

    @property
    def count(self) -> int:
        return self.last - self.first + 1


def number_in(event: Mapping[str, Any], name: str) -> int:
    """A number in an event, 0 if it is none."""
    value = event.get(name)
    return value if isinstance(value, int) and 0 <= value < MOST_ANNOUNCED else 0


def runs(cause: npt.NDArray[np.int32]) -> Iterator[tuple[int, int, int]]:
    """First and last index and value of the stretches of one value that is not negative.

    >>> list(runs(np.array([-1, 0, 0, 2, -1, 0], np.int32)))
    [(1, 2, 0), (3, 3, 2), (5, 5, 0)]
    """
    edges = np.flatnonzero(np.diff(cause, prepend=-1, append=-1))
    for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if cause[first] >= 0:
            yield first, end - 1, int(cause[first])
