"""Lists of rows or columns as few regular pieces, each of which one move of a network can make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
_PERIODS = (1, 2, 3, 4, 8)
"""Of rows or columns that repeat, as where pictures grow by whole factors."""


@dataclass(frozen=True, slots=True)
class Run:
    """Places first, first + step ... that take what is at `source`, source + by ...; -1 what is beyond the edge."""

    first: int
    step: int
    count: int
    source: int
    by: int


def runs(index: Array) -> list[Run]:
    """The fewest regular pieces of a list of places found."""
    return min((_periodic(index, period) for period in _PERIODS if period <= len(index)), key=len)


def _periodic(index: Array, period: int) -> list[Run]:
    found: list[Run] = []
    for phase in range(period):
        some = index[phase::period].tolist()
        k = 0
        while k < len(some):
            by = some[k + 1] - some[k] if k + 1 < len(some) else 0
            end = k + 1
            while end < len(some) and some[end] - some[end - 1] == by:
                end += 1
            found.append(Run(phase + k * period, period, end - k, some[k], by))
            k = end
    return found
