"""Points near each other, by a grid of cells (`scipy.spatial` would take longer to import than most clips to start)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def pairs_within(x: Array, y: Array, reach: float, group: Array | None = None) -> tuple[Array, Array]:
    """All ordered pairs of different points closer than `reach`.

    Args:
        x, y: (n,) finite coordinates.
        reach: > 0, in their unit.
        group: (n,) i64 from 0; points of different groups are never near. None for one group.

    Returns:
        Indices i and j, int64 (m,), each pair in both directions, by i, then by distance, then by j.
    """
    n = len(x)
    if n < 2:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    column = np.floor((x - x.min()) / reach).astype(np.int64)
    row = np.floor((y - y.min()) / reach).astype(np.int64)
    # Two rows more than there are keep the cell above a column's first from being the column before's last.
    stride = int(row.max()) + 3
    if group is not None:
        # Groups lie side by side in the grid, two empty columns apart.
        column = column + group * (int(column.max()) + 3)
    cell = column * stride + row + 1
    order = np.argsort(cell, kind="stable")
    ordered = cell[order]
    first, second = [], []
    for side in (-stride, 0, stride):  # the three cells above each other in this column and the two beside it
        # Cells above each other have numbers that follow one another: three of them are one stretch of the sorted list.
        low = np.searchsorted(ordered, cell + side - 1, "left")
        count = np.searchsorted(ordered, cell + side + 1, "right") - low
        i = np.repeat(np.arange(n), count)
        # Ranges low .. low + count - 1 of all points, one behind the other, without a loop.
        place = np.arange(len(i)) + np.repeat(low - (np.cumsum(count) - count), count)
        j = order[place]
        close = (i != j) & ((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 < reach * reach)
        first.append(i[close])
        second.append(j[close])
    i, j = np.concatenate(first), np.concatenate(second)
    ranked = np.lexsort((j, (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2, i))
    return i[ranked], j[ranked]
