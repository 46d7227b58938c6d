"""Lists of rows or columns as few regular pieces, each of which one move of a network can make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
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


@dataclass(frozen=True, slots=True)
class Patch:
    """Pixels of a picture that lie side by side, of which the place in another follows from row and column.

    Args:
        first: the first row and column; `size`: how many rows and columns.
        source: where the first one is taken from; `down`, `along`: (rows, columns) from each row to the next, and from
            each pixel to the next.
    """

    first: tuple[int, int]
    size: tuple[int, int]
    source: tuple[int, int]
    down: tuple[int, int]
    along: tuple[int, int]


def patches(places: Array, most: int) -> list[Patch] | None:
    """A picture whose pixel (y, x) is another's at places[y, x] (row, column), in patches; None of more than `most`."""
    height, width, _ = places.shape
    left = np.ones((height, width), bool)
    made: list[Patch] = []
    for y, x in zip(*np.nonzero(left), strict=True):
        if not left[y, x]:
            continue
        if len(made) == most:
            return None
        count = _regular(places[y, x:], left[y, x:])
        along = places[y, x + 1] - places[y, x] if count > 1 else np.zeros(2, places.dtype)
        row = places[y, x] + np.arange(count)[:, np.newaxis] * along
        offsets = places[y:, x : x + count] - row
        same = (offsets == offsets[:, :1]).all((1, 2)) & left[y:, x : x + count].all(1)
        rows = _regular(offsets[:, 0], same)
        down = offsets[1, 0] if rows > 1 else np.zeros(2, places.dtype)
        left[y : y + rows, x : x + count] = False
        made.append(Patch((int(y), int(x)), (rows, count), _pair(places[y, x]), _pair(down), _pair(along)))
    return made


def _regular(places: Array, free: Array) -> int:
    """How many from the first on are free and equally far apart."""
    steps = (np.diff(places, axis=0) == places[1:2] - places[:1]).all(1) & free[1:]
    return 1 + int(np.argmin(steps) if not steps.all() else len(steps))


def _pair(values: Array) -> tuple[int, int]:
    return int(values[0]), int(values[1])
