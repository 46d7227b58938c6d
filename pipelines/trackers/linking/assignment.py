"""Who is who: the pairs within the gate, and the exact cheapest assignment among them.

The graph of tracks and detections that may belong together falls into small connected parts. A part of one track
and one detection is settled at once; the others go to shortest augmenting paths (`matching.py`), which never leave a
part. Where they grow long, the parts go to the Hungarian method (Crouse 2016, in SciPy), each on its own. The sum of
the parts' optima is the optimum of the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import address
from pipelines.trackers.linking.matching import matched

Array = npt.NDArray[Any]

DENSE = 1_000_000  # cells of a part's cost table; larger parts are solved as sparse ones
CANDIDATES = 2_000_000  # pairs measured at a time by the gate


def gate_pairs(x: Array, y: Array, radius: Array, dx: Array, dy: Array) -> tuple[Array, Array]:
    """All pairs (track, detection) not farther apart than the track's radius.

    Args:
        x, y: predicted positions of n tracks, px.
        radius: n gates, px.
        dx, dy: positions of m detections, px, sorted by dy.

    Returns:
        Two index arrays (track, detection), sorted by track, then detection.
    """
    first = np.searchsorted(dy, y - radius, side="left")
    count = np.searchsorted(dy, y + radius, side="right") - first
    tracks, detections = [], []
    # Blocks of tracks, so that a picture full of noise does not fill the memory.
    blocks = np.cumsum(count) // CANDIDATES
    for which in np.split(np.arange(len(x)), np.flatnonzero(np.diff(blocks)) + 1):
        track = np.repeat(which, count[which])
        start = np.repeat(np.cumsum(count[which]) - count[which] - first[which], count[which])
        detection = np.arange(len(track)) - start
        ex, ey = dx[detection] - x[track], dy[detection] - y[track]
        near = ex * ex + ey * ey <= radius[track] ** 2
        tracks.append(track[near])
        detections.append(detection[near])
    return np.concatenate(tracks), np.concatenate(detections)


def assign(track: Array, detection: Array, cost: Array, miss: float, tracks: int, detections: int) -> Array:
    """The one-to-one assignment of least total cost, where a track left alone costs `miss`.

    Args:
        track, detection: the allowed pairs, each at most once.
        cost: of each pair, finite; a pair dearer than `miss` is never chosen.
        miss: the cost of a track without a detection.
        tracks, detections: how many there are.

    Returns:
        For each track the detection, or -1; int64 of shape (tracks,).
    """
    result = np.full(tracks, -1, np.int64)
    cheap = cost <= miss
    track, detection, cost = track[cheap], detection[cheap], cost[cheap]
    alone = (np.bincount(track, minlength=tracks)[track] == 1) & (
        np.bincount(detection, minlength=detections)[detection] == 1
    )
    result[track[alone]] = detection[alone]
    if alone.all():
        return result
    track, detection, cost = track[~alone], detection[~alone], cost[~alone]
    own, row = np.unique(track, return_inverse=True)
    theirs, column = np.unique(detection, return_inverse=True)
    chosen = _by_paths(row, column, cost, miss, len(own), len(theirs))
    if chosen is not None:
        result[own] = np.where(chosen >= 0, theirs[chosen], -1)
        return result
    from scipy.sparse import coo_array  # not above: it takes long to import, and paths are hardly ever so long
    from scipy.sparse.csgraph import connected_components

    size = tracks + detections
    graph = coo_array((np.ones(len(track), np.int8), (track, detection + tracks)), shape=(size, size))
    part = connected_components(graph, directed=False)[1][track]
    order = np.argsort(part, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
        rows, row = np.unique(track[members], return_inverse=True)
        columns, column = np.unique(detection[members], return_inverse=True)
        n, m = len(rows), len(columns)
        at, picked = _solve(row, column, cost[members], miss, n, m)
        real = picked < m
        result[rows[at[real]]] = columns[picked[real]]
    return result


def _by_paths(row: Array, column: Array, cost: Array, miss: float, n: int, m: int) -> Array | None:
    """The column of each of n rows, or -1; None where that takes long."""
    order = np.argsort(row, kind="stable")
    first = np.searchsorted(row[order], np.arange(n + 1))
    given = np.array(first, np.int64), np.array(column[order], np.int64), np.array(cost[order], np.float64)
    choice = np.empty(n, np.int64)
    whole, real = np.empty((4, m), np.int64), np.empty((2, m))
    room = whole[0], np.empty(n), *real, *whole[1:]
    native = matched.native()
    if native is not None:
        held = native(n, m, *map(address, given), miss, address(choice), *map(address, room))
        return choice if held >= 0 else None
    lists = [array.tolist() for array in (choice, *room)]  # much faster to look into
    held = matched(n, m, *(array.tolist() for array in given), miss, *lists)
    return np.array(lists[0], np.int64) if held >= 0 else None


def _solve(row: Array, column: Array, cost: Array, miss: float, n: int, m: int) -> tuple[Array, Array]:
    """The cheapest choice of a column for each of n rows; column m + i stands for "row i goes without"."""
    if n * (m + n) <= DENSE:
        from scipy.optimize import linear_sum_assignment

        # What is not allowed costs more than any way out.
        table = np.full((n, m + n), 2.0 * (n + 1) * (abs(miss) + np.abs(cost).max() + 1.0))
        table[row, column] = cost
        table[np.arange(n), m + np.arange(n)] = miss
        chosen_row, chosen = linear_sum_assignment(table)
        return chosen_row, chosen
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # Jonker-Volgenant on the sparse table; it reads 0 as "no edge", so all costs are raised by the same amount.
    weights = np.concatenate((cost, np.full(n, miss)))
    places = np.concatenate((row, np.arange(n))), np.concatenate((column, m + np.arange(n)))
    graph = csr_array((weights - weights.min() + 1.0, places), shape=(n, m + n))
    chosen_row, chosen = min_weight_full_bipartite_matching(graph)
    return chosen_row, chosen
