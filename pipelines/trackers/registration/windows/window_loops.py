"""The work of `pipelines.trackers.registration.windows.windows` as loops. `tests/oracles/registration.py` has the same
operations in the same order in NumPy.

A window is rows of `columns` or `pitch` values (a multiple of eight). A block is what is cut around it.
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, PIXELS, at, floor, load, loop, splat, store
from pipelines.trackers.registration.windows.structs import Picture, Tiles


@loop
def lanes(values: F64, count: int) -> int:
    """The sum of `count` values into values[count], in their order."""
    total = 0.0
    for c in range(count):
        total += values[c]
    values[count] = total
    return 0


@loop
def taps_of(fraction: float, table: F64, out: F64) -> int:
    """Eight taps at a fraction of a pixel: a polynomial each (Farrow structure), by Horner's rule."""
    t = fraction - 0.5
    v = load(table, 40) * t + load(table, 32)
    v = v * t + load(table, 24)
    v = v * t + load(table, 16)
    v = v * t + load(table, 8)
    store(out, 0, v * t + load(table, 0))
    return 0


@loop
def block_of(image: PIXELS, height: int, width: int, left: int, top: int, rows: int, pitch: int, block: F64) -> int:
    """Cut rows x pitch values less the middle one; beyond the edge the edge pixels go on."""
    y = min(max(top + rows // 2, 0), height - 1)
    x = min(max(left + rows // 2, 0), width - 1)
    # What is common to all pixels is no part of the fit; without it the sums of squares of a faint texture on a bright
    # ground would be differences of large numbers.
    base = float(image[y * width + x])
    if left >= 0 and top >= 0 and left + pitch <= width and top + rows <= height:
        for r in range(rows):
            line = (top + r) * width + left
            for c in range(0, pitch, 8):
                store(block, r * pitch + c, load(image, line + c) - base)
        return 0
    for r in range(rows):
        line = min(max(top + r, 0), height - 1) * width
        for c in range(pitch):
            block[r * pitch + c] = float(image[line + min(max(left + c, 0), width - 1)]) - base
    return 0


@loop
def across_of(block: F64, from_: int, pitch: int, rows: int, columns: int, taps: F64, out: F64) -> int:
    """Rows of a block filtered along x: rows x columns values."""
    w0, w1, w2, w3 = splat(taps[0]), splat(taps[1]), splat(taps[2]), splat(taps[3])
    w4, w5, w6, w7 = splat(taps[4]), splat(taps[5]), splat(taps[6]), splat(taps[7])
    for r in range(rows):
        for c in range(0, columns, 8):
            k = from_ + r * pitch + c
            s = load(block, k) * w0 + load(block, k + 1) * w1
            s = s + load(block, k + 2) * w2
            s = s + load(block, k + 3) * w3
            s = s + load(block, k + 4) * w4
            s = s + load(block, k + 5) * w5
            s = s + load(block, k + 6) * w6
            store(out, r * columns + c, s + load(block, k + 7) * w7)
    return 0


@loop
def down_of(rows_: F64, columns: int, rows: int, taps: F64, out: F64) -> int:
    """And along y: rows x columns values of (rows + 7) x columns."""
    w0, w1, w2, w3 = splat(taps[0]), splat(taps[1]), splat(taps[2]), splat(taps[3])
    w4, w5, w6, w7 = splat(taps[4]), splat(taps[5]), splat(taps[6]), splat(taps[7])
    for c in range(0, columns, 8):
        for r in range(rows):
            k = r * columns + c
            s = load(rows_, k) * w0 + load(rows_, k + columns) * w1
            s = s + load(rows_, k + 2 * columns) * w2
            s = s + load(rows_, k + 3 * columns) * w3
            s = s + load(rows_, k + 4 * columns) * w4
            s = s + load(rows_, k + 5 * columns) * w5
            s = s + load(rows_, k + 6 * columns) * w6
            store(out, k, s + load(rows_, k + 7 * columns) * w7)
    return 0


@loop
def window_at(picture: Picture, x: float, y: float, size: int, columns: int, out: F64, work: F64) -> int:
    """size rows of `columns` values around (x, y), less a constant. `work`: 16 values and what both passes leave."""
    # The whole part of the place chooses the pixels, the fraction the taps.
    kx, ky = floor(x), floor(y)
    taps_of(x - kx, picture.table, work)
    taps_of(y - ky, picture.table, at(work, 8))
    half = size // 2
    pitch = columns + 8
    # Less a constant: see `block_of`.
    block_of(picture.image, picture.height, picture.width, int(kx) - half - 3, int(ky) - half - 3, size + 7, pitch,
             at(work, 16))  # fmt: skip
    rows = 16 + (size + 7) * pitch
    across_of(at(work, 16), 0, pitch, size + 7, columns, work, at(work, rows))
    down_of(at(work, rows), columns, size, at(work, 8), out)
    return 0


@loop
def sample(
    picture: Picture, which: I64, count: int, x: F64, y: F64, size: int, columns: int, out: F64, work: F64
) -> int:
    """Windows around some places (`windows.sampled`)."""
    for n in range(count):
        i = which[n]
        window_at(picture, x[i], y[i], size, columns, at(out, n * size * columns), work)
    return 0


@loop
def render(tiles: Tiles, count: int, which: I64, bend: F64, w: int, out: F64, work: F64) -> int:
    """Tiles of windows of w px from larger ones, deformed (`windows.rendered`): row n of `out` from tile which[n], by
    the n-th map of `bend`."""
    stride = tiles.stride
    middle = float(tiles.side // 2)
    half = w // 2 + 3
    t0, t1, t2 = load(tiles.table, 0), load(tiles.table, 8), load(tiles.table, 16)
    t3, t4, t5 = load(tiles.table, 24), load(tiles.table, 32), load(tiles.table, 40)
    for n in range(count):
        tile, o = which[n] * tiles.side * stride, n * (w + 6) * tiles.across
        a, b, c, d = bend[4 * n], bend[4 * n + 1], bend[4 * n + 2], bend[4 * n + 3]
        for r in range(w + 6):
            v = float(r - half)
            # Columns that pad a row are 0, as sums run over them.
            for q in range(w + 6, tiles.across):
                out[o + r * tiles.across + q] = 0.0
            for q in range(w + 6):
                u = float(q - half)
                # The eight taps are those of 3 px before to 4 px behind.
                x = min(max(a * u + b * v + middle, 3.0), float(tiles.side - 5))
                y = min(max(c * u + d * v + middle, 3.0), float(tiles.side - 5))
                kx, ky = floor(x), floor(y)
                f, g = x - kx - 0.5, y - ky - 0.5  # `taps_of`
                wx = ((((t5 * f + t4) * f + t3) * f + t2) * f + t1) * f + t0
                store(work, 8, ((((t5 * g + t4) * g + t3) * g + t2) * g + t1) * g + t0)
                k = tile + (int(ky) - 3) * stride + int(kx) - 3
                s = load(tiles.values, k) * work[8] + load(tiles.values, k + stride) * work[9]
                s = s + load(tiles.values, k + 2 * stride) * work[10]
                s = s + load(tiles.values, k + 3 * stride) * work[11]
                s = s + load(tiles.values, k + 4 * stride) * work[12]
                s = s + load(tiles.values, k + 5 * stride) * work[13]
                s = s + load(tiles.values, k + 6 * stride) * work[14]
                s = s + load(tiles.values, k + 7 * stride) * work[15]
                store(work, 16, s * wx)
                # Added up in the order of the lanes, so that the sum has the same bits on every processor.
                one = 0.0 + work[16] + work[17] + work[18] + work[19]
                out[o + r * tiles.across + q] = one + work[20] + work[21] + work[22] + work[23]
    return 0
