"""Lists of rows or columns as few regular pieces, each of which one move of a network can make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
_PERIODS = (1, 2, 3, 4, 8)
"""Of rows or columns that repeat, as where pictures grow by whole factors."""


@dataclass(frozen=True, slots=True)
class Run:
    """Places first, first + step ... that take of each list what is at `source`, source + by ...; -1 what is beyond the
    edge."""

    first: int
    step: int
    count: int
    source: tuple[int, ...]
    by: tuple[int, ...]


def runs(lists: Sequence[Array], still: Sequence[Array] = ()) -> list[Run]:
    """The fewest regular pieces of lists of places found, one for each place, all of one length.

    Args:
        still: lists of numbers that must not change within a piece.
    """
    length = len(lists[0])
    return min((_periodic(lists, still, period) for period in _PERIODS if period <= length), key=len)


def _periodic(lists: Sequence[Array], still: Sequence[Array], period: int) -> list[Run]:
    found: list[Run] = []
    for phase in range(period):
        some = list(zip(*(one[phase::period].tolist() for one in lists), strict=True))
        same = list(zip(*(one[phase::period].tolist() for one in still), strict=True)) or [()] * len(some)
        k = 0
        while k < len(some):
            more = k + 1 < len(some) and same[k + 1] == same[k]
            by = _step(some[k], some[k + 1]) if more else (0,) * len(lists)
            end = k + 1
            while more and end < len(some) and same[end] == same[k] and _step(some[end - 1], some[end]) == by:
                end += 1
            found.append(Run(phase + k * period, period, end - k, some[k], by))
            k = end
    return found


def _step(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    return tuple(second - first for first, second in zip(a, b, strict=True))
