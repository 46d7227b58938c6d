"""The pairs of tracks and detections within both gates, in NumPy and as a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import F64, I64, address, loop
from pipelines.features import Features
from pipelines.trackers.columns import Columns
from pipelines.trackers.linking.assignment import gate_pairs

Array = npt.NDArray[Any]


@loop
def gated(n: int, m: int, x: F64, y: F64, gap: F64, p00: F64, speed: float, gate: float, dx: F64, dy: F64, noise: F64,
          room: int, who: I64, what: I64, total: F64, distance: F64) -> int:  # fmt: skip
    """Pairs by track, then detection, with the variance of their difference and its square in units of that.

    Args:
        n, m: tracks and detections; `dy` rises.
        speed: radius of the first gate a frame of the track's gap (at least one), px.
        gate: of the second: the largest squared distance in units of the variance.
        room: entries of the results.

    Returns:
        How many there are; -1 if there is no room for them.
    """
    found = 0
    for i in range(n):
        radius = speed * max(gap[i], 1.0)
        low, high = 0, m
        while low < high:  # the first detection at y - radius or below it in the picture
            middle = (low + high) // 2
            if dy[middle] < y[i] - radius:
                low = middle + 1
            else:
                high = middle
        for j in range(low, m):
            if dy[j] > y[i] + radius:
                break
            ex, ey = dx[j] - x[i], dy[j] - y[i]
            squares = ex * ex + ey * ey
            if squares <= radius * radius:
                both = p00[i] + noise[j]
                if squares / both <= gate:
                    if found == room:
                        return -1
                    who[found], what[found], total[found], distance[found] = i, j, both, squares / both
                    found += 1
    return found


def pairs(t: Columns, found: Features, noise: Array, speed: float, gate: float) -> tuple[Array, Array, Array, Array]:
    """Track, detection, variance of their difference (px^2) and its square in units of that, of the pairs within both
    gates; by track, then detection.

    Args:
        t: columns x, y, gap, p00.
        found: features, by rising y.
        noise: variance of each, px^2.
        speed: radius of the first gate a frame of the track's gap (at least one), px.
        gate: of the second: the largest squared distance in units of the variance.
    """
    x, y = np.ascontiguousarray(found["x"]), np.ascontiguousarray(found["y"])
    native = gated.native()
    if native is not None:
        room = 4 * len(t) + 16
        who, what = np.empty(room, np.int64), np.empty(room, np.int64)
        total, distance = np.empty(room), np.empty(room)
        given = (t["x"], t["y"], t["gap"], t["p00"])
        count = native(len(t), len(found), *map(address, given), speed, gate, address(x), address(y), address(noise),
                       room, *map(address, (who, what, total, distance)))  # fmt: skip
        if count >= 0:
            return who[:count], what[:count], total[:count], distance[:count]
    # max(gap, 1): a jittered stamp does not close the gate.
    who, what = gate_pairs(t["x"], t["y"], speed * np.maximum(t["gap"], 1.0), x, y)
    total = t["p00"][who] + noise[what]
    distance = ((x[what] - t["x"][who]) ** 2 + (y[what] - t["y"][who]) ** 2) / total
    near = distance <= gate
    return who[near], what[near], total[near], distance[near]
