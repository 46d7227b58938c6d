"""Points near each other as a loop over a grid of cells (`kernels.host.nearby.nearest_within` says what)."""

from __future__ import annotations

from kernels.host.loops import F64, I64, loop


@loop
def near_loop(x: F64, y: F64, group: I64, count: int, reach: float, across: int, down: int, most: int, heads: I64,
              follow: I64, near: I64, square: F64) -> int:  # fmt: skip
    """The `most` nearest others of each point that are closer than `reach`, nearest first, -1 where there are no more.

    Args:
        across, down: cells of a group, `reach` wide; points beyond count to the outermost.
        heads: room for all cells; follow: for all points; square: most numbers.

    Returns:
        How many points have a neighbour.
    """
    groups = 0
    if count:
        groups = group[count - 1] + 1
    for k in range(groups * across * down):
        heads[k] = -1
    for i in range(count):
        column = min(max(int(x[i] / reach), 0), across - 1)
        row = min(max(int(y[i] / reach), 0), down - 1)
        k = (group[i] * down + row) * across + column
        follow[i] = heads[k]
        heads[k] = i
    crowded = 0
    for i in range(count):
        column = min(max(int(x[i] / reach), 0), across - 1)
        row = min(max(int(y[i] / reach), 0), down - 1)
        found, base = 0, i * most
        for n in range(most):
            near[base + n] = -1
        for r in range(max(row - 1, 0), min(row + 2, down)):
            for c in range(max(column - 1, 0), min(column + 2, across)):
                j = heads[(group[i] * down + r) * across + c]
                while j >= 0:
                    dx, dy = x[i] - x[j], y[i] - y[j]
                    d = dx * dx + dy * dy
                    if d < reach * reach and i != j:
                        k = found
                        if found == most:
                            k = most - 1
                            if d > square[k] or (d == square[k] and j > near[base + k]):
                                k = -1
                        if k >= 0:
                            while k > 0 and (square[max(k - 1, 0)] > d or (
                                    square[max(k - 1, 0)] == d and near[base + max(k - 1, 0)] > j)):  # fmt: skip
                                square[k], near[base + k] = square[k - 1], near[base + k - 1]
                                k -= 1
                            square[k], near[base + k] = d, j
                            found = min(found + 1, most)
                    j = follow[j]
        crowded += found > 0
    return crowded
