"""Points near each other as a loop over a grid of cells."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, higher, loop, lowest, mask, put, vec


@loop
def added(j: int, d: float, found: int, most: int, near: I64, square: F64) -> int:
    """Put point j into a list of the `most` nearest, of equally far ones the first; returns how many it holds."""
    k = found
    if found == most:
        k = most - 1
        if d > square[k] or (d == square[k] and j > near[k]):
            return found
    while k > 0 and (square[k - 1] > d or (square[k - 1] == d and near[k - 1] > j)):
        square[k], near[k] = square[k - 1], near[k - 1]
        k -= 1
    square[k], near[k] = d, j
    return int(min(found + 1, most))


@loop
def gridded(x: F64, y: F64, begin: int, end: int, reach: float, across: int, down: int, heads: I64, cells: I64,
            order: I64, px: F64, py: F64) -> int:  # fmt: skip
    """Sort points by the cells that they are in, row by row; with a cell more at each side nobody is at a border.

    `cells` gets the cell, `order` the number and `px`, `py` the place of each; a cell's points begin at `heads` of its
    number and end at the next. Returns how many cells there are in a row.
    """
    pitch, count = across + 2, end - begin
    for k in range(pitch * (down + 2) + 2):
        heads[k] = 0
    for n in range(count):
        column = min(max(int(x[begin + n] / reach), 0), across - 1)
        row = min(max(int(y[begin + n] / reach), 0), down - 1)
        k = (row + 1) * pitch + column + 1
        order[count + n] = k
        heads[k + 2] = heads[k + 2] + 1
    before = 0
    for k in range(pitch + 2, pitch * (down + 2) + 2):
        before += heads[k]
        heads[k] = before
    for n in range(count):  # a cell's points begin one further on until they are written
        k = order[count + n]
        p = heads[k + 1]
        heads[k + 1] = p + 1
        cells[p], px[p], py[p] = k, x[begin + n], y[begin + n]
        order[p] = begin + n
    return pitch


def near_room(count: int, reach: float, height: int, width: int, most: int) -> tuple[int, int]:
    """Entries of the whole numbers and of the floats that `near_loop` works in."""
    return near_numbers(count, reach, height, width, most), 2 * count + most + 40


@loop
def near_numbers(count: int, reach: float, height: int, width: int, most: int) -> int:
    """Whole numbers that `near_loop` works in."""
    return (most + 3) * count + (int(float(width) / reach) + 3) * (int(float(height) / reach) + 3) + 2


@loop
def near_loop(x: F64, y: F64, group: I64, count: int, reach: float, height: int, width: int, most: int, whole: I64,
              floats: F64) -> int:  # fmt: skip
    """The `most` nearest others of each point that are closer than `reach`, nearest first, -1 where there are no more;
    points of different groups are never near.

    Args:
        group: of each point; rises.
        height, width: within which most points lie; those beyond count to the outermost cells.
        whole, floats: what `near_room` says; the first most * count of `whole` are what is found.

    Returns:
        How many points have a neighbour.
    """
    down, across = int(float(height) / reach) + 1, int(float(width) / reach) + 1
    near, cells, order = at(whole, 0), at(whole, most * count), at(whole, (most + 1) * count)
    heads = at(whole, (most + 3) * count)
    far, px, py = at(floats, 0), at(floats, 24), at(floats, 32 + count)
    square = at(floats, 40 + 2 * count)
    crowded, begin = 0, 0
    while begin < count:
        end = begin + 1
        while end < count and group[end] == group[begin]:
            end += 1
        pitch = gridded(x, y, begin, end, reach, across, down, heads, cells, order, px, py)
        for p in range(end - begin):
            k, i = cells[p], order[p]
            base, found = i * most, 0
            for n in range(most):
                near[base + n] = -1
            a, b, c = heads[k - pitch - 1], heads[k - 1], heads[k + pitch - 1]
            more, same, less = heads[k - pitch + 2] - a, heads[k + 2] - b, heads[k + pitch + 2] - c
            if max(max(more, same), less) <= 8:  # of three cells in each of three rows
                dx, dy = vec(px, a) - px[p], vec(py, a) - py[p]
                d = dx * dx + dy * dy
                put(far, 0, d)
                word = mask(d < reach * reach) & ((1 << more) - 1)
                dx, dy = vec(px, b) - px[p], vec(py, b) - py[p]
                d = dx * dx + dy * dy
                put(far, 8, d)
                word = word | ((mask(d < reach * reach) & ((1 << same) - 1)) - (1 << (p - b))) << 8
                dx, dy = vec(px, c) - px[p], vec(py, c) - py[p]
                d = dx * dx + dy * dy
                put(far, 16, d)
                word = word | (mask(d < reach * reach) & ((1 << less) - 1)) << 16
                while word != 0:
                    n = lowest(word)
                    word = higher(word)
                    q = (a if n < 8 else (b if n < 16 else c)) + (n & 7)
                    found = added(order[q], far[n], found, most, at(near, base), square)
            else:
                for row in range(3):
                    first = k + (row - 1) * pitch
                    for q in range(heads[first - 1], heads[first + 2]):
                        fx, fy = px[q] - px[p], py[q] - py[p]
                        f = fx * fx + fy * fy
                        if f < reach * reach and q != p:
                            found = added(order[q], f, found, most, at(near, base), square)
            crowded += found > 0
        begin = end
    return crowded
