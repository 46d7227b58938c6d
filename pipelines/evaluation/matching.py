"""Who could be whom: pairs of rows within a gate, and the best one-to-one choice among pairs.

A choice among pairs falls into connected parts that do not know of each other. Parts of one pair, and parts in which
all pairs share a row, are settled for all frames at once; only what is left goes to the Hungarian method (Crouse,
On implementing 2D rectangular assignment algorithms, IEEE Transactions on Aerospace and Electronic Systems, 2016; in
SciPy). The sum of the parts' optima is the optimum of the whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.evaluation.tables import Side

# SciPy is imported where it is used: programs that never compare with a truth start without it.

Array = npt.NDArray[Any]
MOST_PAIRS = 40_000_000
"""More pairs within the gate than this would fill the memory; the gate is then far wider than the things are apart."""
BLOCK = 4_000_000
"""Candidates that are measured at a time."""
FEW = 9
"""Pairs of a part, such as those of three rows each, whose choices are all tried."""
DENSE = 4_000_000
"""Cells of a part's table; larger parts are solved as sparse ones."""
FAR = 1e9
"""Positions beyond this many px are taken as no position: they match nothing."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of rows of one frame, by real row and claimed row.

    Args:
        real, claimed: rows of the two sides.
        distance: between them, px.
    """

    real: Array
    claimed: Array
    distance: Array

    def __len__(self) -> int:
        return len(self.real)

    def only(self, keep: Array) -> Pairs:
        """The pairs that `keep` names (a mask or places)."""
        return Pairs(self.real[keep], self.claimed[keep], self.distance[keep])


def near(real: Side, claimed: Side, radius: float) -> Pairs:
    """All pairs of rows of the same frame that are at most `radius` px apart.

    Both sides lie in a grid of cells of `radius` px, one grid a frame; cells that neighbour along x are neighbours in
    the order of the rows, so that a row looks at three stretches.

    Raises:
        InputError: there are more than MOST_PAIRS.
    """
    a, b = _placed(real), _placed(claimed)
    if not len(a) or not len(b):
        none = np.zeros(0, np.int64)
        return Pairs(none, none, np.zeros(0))
    frames = int(max(real.frame.max(), claimed.frame.max())) + 1
    # Keys of cells are frame * high * wide + ...: so many cells a side keep them below 2^62.
    cells = int((2**62 / frames) ** 0.5) - 4
    x0, y0 = (min(float(u[a].min()), float(v[b].min())) for u, v in ((real.x, claimed.x), (real.y, claimed.y)))
    x1, y1 = (max(float(u[a].max()), float(v[b].max())) for u, v in ((real.x, claimed.x), (real.y, claimed.y)))
    # Cells at least as wide as the gate: whatever is within it lies in a neighbouring cell. Wider ones where the
    # picture would have too many.
    size = max(radius, (max(x1 - x0, y1 - y0) + radius) / min(cells, 2**20))
    wide, high = int((x1 - x0) / size) + 3, int((y1 - y0) / size) + 3  # an empty cell around each grid

    def cell(side: Side, rows: Array) -> Array:
        column = ((side.x[rows] - x0) / size).astype(np.int64) + 1
        row = ((side.y[rows] - y0) / size).astype(np.int64) + 1
        return (side.frame[rows] * high + row) * wide + column

    # Claimed rows sorted by cell: a stretch of three cells is found by two binary searches.
    keys = cell(claimed, b)
    order = np.argsort(keys, kind="stable")
    keys, b = keys[order], b[order]
    at = cell(real, a)
    found: list[tuple[Array, Array, Array]] = []
    total = 0
    # The row of cells above, this one, and the one below.
    for step in (-wide, 0, wide):
        first = np.searchsorted(keys, at + step - 1, "left")
        count = np.searchsorted(keys, at + step + 1, "right") - first
        # In blocks, so that candidates outside the gate never fill the memory all at once.
        for part in _blocks(count):
            i = np.repeat(a[part], count[part])
            j = b[_ranges(first[part], count[part])]
            distance = np.hypot(real.x[i] - claimed.x[j], real.y[i] - claimed.y[j])
            keep = distance <= radius
            found.append((i[keep], j[keep], distance[keep]))
            total += len(found[-1][0])
            if total > MOST_PAIRS:
                raise InputError(
                    f"more than {MOST_PAIRS} pairs lie within {radius:g} px of each other, which would fill the "
                    "memory; choose a smaller gate"
                )
    i, j, distance = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((j, i))
    return Pairs(i[order], j[order], distance[order])


def _placed(side: Side) -> Array:
    with np.errstate(invalid="ignore"):
        rows: Array = np.flatnonzero((np.abs(side.x) <= FAR) & (np.abs(side.y) <= FAR))
    return rows


def _ranges(first: Array, count: Array) -> Array:
    """first[0], first[0] + 1 ... count[0] numbers, then those of first[1] ..."""
    ends = np.cumsum(count)
    numbers: Array = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(first - (ends - count), count)
    return numbers


def _blocks(count: Array) -> Iterator[slice]:
    """Stretches of rows with some BLOCK candidates each."""
    edges = np.flatnonzero(np.diff(np.cumsum(count) // BLOCK)) + 1
    for start, stop in itertools.pairwise((0, *edges.tolist(), len(count))):
        yield slice(start, stop)


def alone(real: Array, claimed: Array) -> Array:
    """True where neither row of a pair is in another pair."""
    if not len(real):
        return np.zeros(0, bool)
    single: Array = (np.bincount(real)[real] == 1) & (np.bincount(claimed)[claimed] == 1)
    return single


def parts(real: Array, claimed: Array) -> Array:
    """The connected part of each pair, from 0 in the order of their first pairs."""
    i, j = (np.unique(side, return_inverse=True)[1] for side in (real, claimed))
    label = np.arange(len(i))
    while True:  # each pair takes the least number among those it shares a row with, then that one's own
        # Label propagation: the least label among pairs that share a row, then a jump to that label's own (pointer
        # jumping).
        least = label
        for side in (i, j):
            lowest = np.full(len(label), len(label))
            np.minimum.at(lowest, side, least)
            least = lowest[side]
        least = least[least]
        if (least == label).all():
            break
        label = least
    result: Array = np.unique(label, return_inverse=True)[1]
    return result


def best(real: Array, claimed: Array, value: Array) -> Array:
    """The one-to-one choice of greatest total value.

    Args:
        real, claimed: the pairs, each once.
        value: of each pair; pairs without a positive value are never chosen.

    Returns:
        True for the chosen pairs.
    """
    chosen = np.zeros(len(real), bool)
    left = np.flatnonzero(value > 0)
    # A pair that shares no row with another is chosen, having a positive value.
    single = alone(real[left], claimed[left])
    chosen[left[single]] = True
    left = left[~single]
    if not len(left):
        return chosen
    label = parts(real[left], claimed[left])
    # By part, and within it the best first: the first pair of a part is its best.
    order = np.lexsort((-value[left], label))
    left, label = left[order], label[order]
    starts = np.flatnonzero(np.diff(label, prepend=-1))
    # In a part whose pairs share a row, the best pair is the choice.
    star = np.minimum.reduceat(real[left], starts) == np.maximum.reduceat(real[left], starts)
    star |= np.minimum.reduceat(claimed[left], starts) == np.maximum.reduceat(claimed[left], starts)
    chosen[left[starts[star]]] = True
    # Where the best pairs of all real rows take different claimed ones, nothing can be better.
    firsts = np.unique(real[left], return_index=True)[1]
    _, again, times = np.unique(claimed[left[firsts]], return_inverse=True, return_counts=True)
    easy = ~star
    easy[label[firsts[times[again] > 1]]] = False
    chosen[left[firsts[easy[label[firsts]]]]] = True
    settled = star | easy
    stops = np.append(starts[1:], len(label))
    # What is left goes to the Hungarian method, part by part.
    for start, stop in zip(starts[~settled].tolist(), stops[~settled].tolist(), strict=True):
        part = left[start:stop]
        chosen[part[solve(real[part], claimed[part], value[part])]] = True
    return chosen


def solve(real: Array, claimed: Array, value: Array) -> Array:
    """Places of the pairs of one part whose total value is greatest; values are positive."""
    if len(value) <= FEW:
        return np.array(_tried(list(zip(real.tolist(), claimed.tolist(), value.tolist(), strict=True)), 0)[1], np.int64)
    # Here, as their import takes longer than most programs' own.
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, i = np.unique(real, return_inverse=True)
    columns, j = np.unique(claimed, return_inverse=True)
    shape = (len(rows), len(columns))
    if shape[0] * shape[1] <= DENSE:
        table = np.zeros(shape)
        place = np.full(shape, -1)
        table[i, j], place[i, j] = value, np.arange(len(value))
        found: Array = place[linear_sum_assignment(table, maximize=True)]
        return found[found >= 0]
    # Every row may also stay alone, in a column of its own: a full matching then exists. Sparse weights are not 0.
    # Turned over: the least of most - value is the greatest value, and all weights stay above 0.
    most = float(value.max()) + 1.0
    own = np.arange(shape[0])
    weights = np.concatenate((most - value, np.full(shape[0], most)))
    table = coo_array(
        (weights, (np.concatenate((i, own)), np.concatenate((j, shape[1] + own)))), shape=(shape[0], sum(shape))
    ).tocsr()
    row, column = min_weight_full_bipartite_matching(table)
    # Columns behind the claimed ones are rows that stay alone.
    real_one = column < shape[1]
    # From (row, column) back to the number of the pair.
    order = np.argsort(i * shape[1] + j)
    at = np.searchsorted((i * shape[1] + j)[order], row[real_one] * shape[1] + column[real_one])
    result: Array = order[at]
    return result


def _tried(pairs: list[tuple[int, int, float]], first: int) -> tuple[float, list[int]]:
    """The best choice from pair `first` on: its value, and its places. Each pair is taken, or left out."""
    if first == len(pairs):
        return 0.0, []
    without = _tried(pairs, first + 1)
    row, column, value = pairs[first]
    free = [k for k in range(first + 1, len(pairs)) if pairs[k][0] != row and pairs[k][1] != column]
    worth, places = _tried([pairs[k] for k in free], 0)
    # `>=`: of equal choices that with the earlier pair.
    if value + worth >= without[0]:
        return value + worth, [first, *(free[k] for k in places)]
    return without
