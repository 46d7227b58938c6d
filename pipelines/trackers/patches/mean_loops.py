"""Means of windows of several frames, in the light of the first, as loops."""

from __future__ import annotations

from kernels.host.loops import F64, I64, PIXELS, at, eight, loop, put, sqrt, vec
from pipelines.trackers.patches.window_loops import lanes, window_at


@loop
def blend(tile: F64, new: F64, number: float, size: int, columns: int, stride: int, mask: F64, work: F64) -> int:
    """Add a window, in the light of the mean of number - 1 windows, to that; its rows are `stride` apart."""
    area = float(size * size)
    lane = columns + 8
    for c in range(0, columns, 8):
        s, t, u, v = eight(0.0), eight(0.0), eight(0.0), eight(0.0)
        k = vec(mask, c)
        for r in range(size):
            p, q = vec(tile, r * stride + c) * k, vec(new, r * columns + c) * k
            s += p
            t += p * p
            u += q
            v += q * q
        put(work, c, s)
        put(work, lane + c, t)
        put(work, 2 * lane + c, u)
        put(work, 3 * lane + c, v)
    for row in range(4):
        lanes(at(work, row * lane), columns)
    own, other = work[columns] / area, work[2 * lane + columns] / area
    first = work[lane + columns] - work[columns] * work[columns] / area
    second = work[3 * lane + columns] - work[2 * lane + columns] * work[2 * lane + columns] / area
    gain = 1.0
    if first > 0.0 and second > 0.0:
        gain = sqrt(first / second)
    part = 1.0 / number  # for all: to divide each takes most of the time
    for r in range(size):
        for c in range(0, columns, 8):
            p = vec(tile, r * stride + c)
            put(tile, r * stride + c, p + ((vec(new, r * columns + c) - other) * gain + own - p) * part)
    return 0


@loop
def join_tiles(image: PIXELS, height: int, width: int, which: I64, count: int, x: F64, y: F64, number: I64, size: int,
               columns: int, mask: F64, table: F64, tiles: F64, work: F64) -> int:  # fmt: skip
    """Add what is at (x, y) to tiles without room between their rows.

    Args:
        which: the tiles of `count` points; x, y: their places, px; number: how many each is the mean of by now.
        size: of a tile; columns: that, rounded up to eights. mask: 1 for the pixels of a row.
        tiles: (all, size, size), changed in place.
        work: 2 size rows of `columns`, and room for `window_at`, at least 4 rows.
    """
    new, room = at(work, size * columns), at(work, 2 * size * columns)
    for n in range(count):
        tile = at(tiles, which[n] * size * size)
        for r in range(size):
            for c in range(0, size - 8, 8):
                put(work, r * columns + c, vec(tile, r * size + c))
            put(work, (r * columns + size) - 8, vec(tile, (r * size + size) - 8))
            for c in range(size, columns):
                work[r * columns + c] = 0.0
        window_at(image, height, width, x[n], y[n], size, columns, table, new, room)
        blend(work, new, float(number[n]), size, columns, columns, mask, room)
        for r in range(size):
            for c in range(0, size - 8, 8):
                put(tile, r * size + c, vec(work, r * columns + c))
            put(tile, (r * size + size) - 8, vec(work, (r * columns + size) - 8))
    return 0
