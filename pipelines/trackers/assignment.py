"""Who is who: the pairs within the gate, and the exact cheapest assignment among them.

The graph of tracks and detections that may belong together falls into small connected parts. A part of one track
and one detection is settled at once; the others go to the Hungarian method (Crouse 2016, in SciPy), each on its own.
The sum of the parts' optima is the optimum of the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Array = npt.NDArray[Any]


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
    track = np.repeat(np.arange(len(x)), count)
    start = np.cumsum(count) - count
    detection = np.arange(len(track)) - start[track] + first[track]
    ex, ey = dx[detection] - x[track], dy[detection] - y[track]
    near = ex * ex + ey * ey <= radius[track] ** 2
    return track[near], detection[near]


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
    size = tracks + detections
    graph = coo_array((np.ones(len(track), np.int8), (track, detection + tracks)), shape=(size, size))
    part = connected_components(graph, directed=False)[1][track]
    order = np.argsort(part, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
        rows, row = np.unique(track[members], return_inverse=True)
        columns, column = np.unique(detection[members], return_inverse=True)
        n, m = len(rows), len(columns)
        # Column m + i stands for "track i goes without"; what is not allowed costs more than any way out.
        table = np.full((n, m + n), 2.0 * (n + 1) * (abs(miss) + np.abs(cost[members]).max() + 1.0))
        table[row, column] = cost[members]
        table[np.arange(n), m + np.arange(n)] = miss
        chosen_row, chosen = linear_sum_assignment(table)
        real = chosen < m
        result[rows[chosen_row[real]]] = columns[chosen[real]]
    return result
