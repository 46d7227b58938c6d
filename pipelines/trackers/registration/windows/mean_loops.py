"""Means of windows of several frames, in the light of the first, as loops."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, sqrt, store
from pipelines.trackers.registration.windows.structs import Picture, Tiles
from pipelines.trackers.registration.windows.window_loops import lanes, window_at


@loop
def blend(tile: F64, new: F64, number: float, size: int, columns: int, stride: int, mask: F64, work: F64) -> int:
    """Add a window, in the light of the mean of number - 1 windows, to that; its rows are `stride` apart."""
    area = float(size * size)
    lane = columns + 8
    # Sums and sums of squares of both, over the window's own pixels.
    for c in range(0, columns, 8):
        s, t, u, v = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
        k = load(mask, c)
        for r in range(size):
            p, q = load(tile, r * stride + c) * k, load(new, r * columns + c) * k
            s += p
            t += p * p
            u += q
            v += q * q
        store(work, c, s)
        store(work, lane + c, t)
        store(work, 2 * lane + c, u)
        store(work, 3 * lane + c, v)
    for row in range(4):
        lanes(at(work, row * lane), columns)
    own, other = work[columns] / area, work[2 * lane + columns] / area
    first = work[lane + columns] - work[columns] * work[columns] / area
    second = work[3 * lane + columns] - work[2 * lane + columns] * work[2 * lane + columns] / area
    # The new window is brought to the contrast and the mean of the mean, so that lamps that flicker do not blur it.
    gain = 1.0
    if first > 0.0 and second > 0.0:
        gain = sqrt(first / second)
    part = 1.0 / number  # for all: to divide each takes most of the time
    for r in range(size):
        for c in range(0, columns, 8):
            p = load(tile, r * stride + c)
            store(tile, r * stride + c, p + ((load(new, r * columns + c) - other) * gain + own - p) * part)
    return 0


@loop
def join_tiles(picture: Picture, which: I64, count: int, x: F64, y: F64, number: I64, tiles: Tiles, work: F64) -> int:
    """Add what is at (x, y) to tiles without room between their rows.

    Args:
        which: the tiles of `count` points; x, y: their places, px; number: how many each is the mean of by now.
        tiles: all middle: `values` is (all, size, size), changed in place.
        work: 2 tiles with rows of `across`, and room for `window_at`, at least 4 rows.
    """
    size, columns = tiles.size, tiles.across
    new, room = at(work, size * columns), at(work, 2 * size * columns)
    for n in range(count):
        tile = at(tiles.values, which[n] * size * size)
        for r in range(size):
            for c in range(0, size - 8, 8):
                store(work, r * columns + c, load(tile, r * size + c))
            # Rows are no multiple of eight: the last eight overlap the ones before.
            store(work, (r * columns + size) - 8, load(tile, (r * size + size) - 8))
            for c in range(size, columns):
                work[r * columns + c] = 0.0
        window_at(picture, x[n], y[n], size, columns, new, room)
        blend(work, new, float(number[n]), size, columns, columns, tiles.middle, room)
        for r in range(size):
            for c in range(0, size - 8, 8):
                store(tile, r * size + c, load(work, r * columns + c))
            store(tile, (r * size + size) - 8, load(work, (r * columns + size) - 8))
    return 0
