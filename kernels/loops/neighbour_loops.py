"""Points near each other as a loop over a grid of cells."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, clear_lowest_bit, ctz, load, loop, mask, store
from kernels.loops.structs import Struct, struct


@struct
class Points(Struct):
    """Points in groups; those of different groups are never near."""

    x: F64
    y: F64
    group: I64  # of each; rises
    count: int


@struct
class Cells(Struct):
    """Points sorted by the cells of a grid that they are in, row by row."""

    size: float  # of a cell
    across: int  # cells in a row
    down: int  # rows
    heads: I64  # of each cell where its points begin
    cell: I64  # of each point its cell
    order: I64  # its number
    x: F64
    y: F64


@loop
def added(j: int, d: float, found: int, most: int, near: I64, square: F64) -> int:
    """Put point j into a list of the `most` nearest, of equally far ones the first; returns how many it holds."""
    k = found
    # A full list: who is not before its last entry stays out.
    if found == most:
        k = most - 1
        if d > square[k] or (d == square[k] and j > near[k]):
            return found
    # Insertion by (distance, number): the order does not depend on that of the cells.
    while k > 0 and (square[k - 1] > d or (square[k - 1] == d and near[k - 1] > j)):
        square[k], near[k] = square[k - 1], near[k - 1]
        k -= 1
    square[k], near[k] = d, j
    return int(min(found + 1, most))


@loop
def gridded(p: Points, begin: int, end: int, c: Cells) -> int:
    """Sort points begin..end - 1 into cells; with a cell more at each side none is at a border. Returns how many cells
    there are in a row with these."""
    pitch, count = c.across + 2, end - begin
    # Counting sort by cell: counts, running sums, then points to their places.
    for k in range(pitch * (c.down + 2) + 2):
        c.heads[k] = 0
    for n in range(count):
        # Points beyond the picture go to the outermost cells, which are wider for that; the distance alone decides.
        column = min(max(int(p.x[begin + n] / c.size), 0), c.across - 1)
        row = min(max(int(p.y[begin + n] / c.size), 0), c.down - 1)
        k = (row + 1) * pitch + column + 1
        c.order[count + n] = k
        # Two cells further on: summed up, heads[k + 1] is where cell k begins, and once its points are written heads[k]
        # is.
        c.heads[k + 2] = c.heads[k + 2] + 1
    before = 0
    for k in range(pitch + 2, pitch * (c.down + 2) + 2):
        before += c.heads[k]
        c.heads[k] = before
    for n in range(count):  # a cell's points begin one further on until they are written
        k = c.order[count + n]
        i = c.heads[k + 1]
        # The order within a cell is that of the points.
        c.heads[k + 1] = i + 1
        c.cell[i], c.x[i], c.y[i] = k, p.x[begin + n], p.y[begin + n]
        c.order[i] = begin + n
    return pitch


def near_room(count: int, reach: float, height: int, width: int, most: int) -> tuple[int, int]:
    """Entries of the whole numbers and of the floats that `near_loop` works in."""
    return near_numbers(count, reach, height, width, most), 2 * count + most + 40


@loop
def near_numbers(count: int, reach: float, height: int, width: int, most: int) -> int:
    """Whole numbers that `near_loop` works in."""
    return (most + 3) * count + (int(float(width) / reach) + 3) * (int(float(height) / reach) + 3) + 2


@loop
def near_loop(of: Points, reach: float, height: int, width: int, most: int, whole: I64, floats: F64) -> int:
    """The `most` nearest others of each point that are closer than `reach`, nearest first, -1 where there are no more.

    Args:
        height, width: within which most points lie; those beyond count to the outermost cells.
        whole, floats: what `near_room` says; the first most * count of `whole` are what is found.

    Returns:
        How many points have a neighbour.
    """
    # Cells as wide as `reach`: all neighbours lie in the 3 x 3 cells around a point.
    down, across = int(float(height) / reach) + 1, int(float(width) / reach) + 1
    count, near, far = of.count, at(whole, 0), at(floats, 0)
    c = Cells(reach, across, down, at(whole, (most + 3) * count), at(whole, most * count),
              at(whole, (most + 1) * count), at(floats, 24), at(floats, 32 + count))  # fmt: skip
    square = at(floats, 40 + 2 * count)
    crowded, begin = 0, 0
    while begin < count:
        # Group by group: each has a grid of its own, in the same memory.
        end = begin + 1
        while end < count and of.group[end] == of.group[begin]:
            end += 1
        pitch = gridded(of, begin, end, c)
        for p in range(end - begin):
            k, i = c.cell[p], c.order[p]
            base, found = i * most, 0
            for n in range(most):
                near[base + n] = -1
            # Three cells of a row are one stretch of the sorted points: from the head of the first to that of the
            # fourth.
            a, b, e = c.heads[k - pitch - 1], c.heads[k - 1], c.heads[k + pitch - 1]
            more, same, less = c.heads[k - pitch + 2] - a, c.heads[k + 2] - b, c.heads[k + pitch + 2] - e
            # At most eight points a row of cells: one vector each, without a loop. What is read behind them is masked
            # out.
            if max(max(more, same), less) <= 8:  # of three cells in each of three rows
                dx, dy = load(c.x, a) - c.x[p], load(c.y, a) - c.y[p]
                d = dx * dx + dy * dy
                store(far, 0, d)
                word = mask(d < reach * reach) & ((1 << more) - 1)
                # The point itself is in the middle row, at distance 0, so its bit is always set, and can be subtracted.
                dx, dy = load(c.x, b) - c.x[p], load(c.y, b) - c.y[p]
                d = dx * dx + dy * dy
                store(far, 8, d)
                word = word | ((mask(d < reach * reach) & ((1 << same) - 1)) - (1 << (p - b))) << 8
                dx, dy = load(c.x, e) - c.x[p], load(c.y, e) - c.y[p]
                d = dx * dx + dy * dy
                store(far, 16, d)
                word = word | (mask(d < reach * reach) & ((1 << less) - 1)) << 16
                while word != 0:
                    n = ctz(word)
                    word = clear_lowest_bit(word)
                    # Bit n: row n // 8, place n % 8 in it.
                    q = (a if n < 8 else (b if n < 16 else e)) + (n & 7)
                    found = added(c.order[q], far[n], found, most, at(near, base), square)
            else:
                for row in range(3):
                    first = k + (row - 1) * pitch
                    for q in range(c.heads[first - 1], c.heads[first + 2]):
                        fx, fy = c.x[q] - c.x[p], c.y[q] - c.y[p]
                        f = fx * fx + fy * fy
                        if f < reach * reach and q != p:
                            found = added(c.order[q], f, found, most, at(near, base), square)
            crowded += found > 0
        begin = end
    return crowded
