"""The work of `pipelines.trackers.patches.windows` as loops: the operations of its NumPy functions, in their order.

A window is rows of `columns` or `pitch` values (a multiple of eight). A block is what is cut around it.
"""

from __future__ import annotations

from kernels.host.loops import F64, I64, PIXELS, at, eight, floor, loop, put, vec


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
    """Eight taps (`taps.weights`)."""
    t = fraction - 0.5
    v = vec(table, 40) * t + vec(table, 32)
    v = v * t + vec(table, 24)
    v = v * t + vec(table, 16)
    v = v * t + vec(table, 8)
    put(out, 0, v * t + vec(table, 0))
    return 0


@loop
def block_of(image: PIXELS, height: int, width: int, left: int, top: int, rows: int, pitch: int, block: F64) -> int:
    """Cut rows x pitch values less the middle one; beyond the edge the edge pixels go on."""
    y = min(max(top + rows // 2, 0), height - 1)
    x = min(max(left + rows // 2, 0), width - 1)
    base = float(image[y * width + x])
    if left >= 0 and top >= 0 and left + pitch <= width and top + rows <= height:
        for r in range(rows):
            line = (top + r) * width + left
            for c in range(0, pitch, 8):
                put(block, r * pitch + c, vec(image, line + c) - base)
        return 0
    for r in range(rows):
        line = min(max(top + r, 0), height - 1) * width
        for c in range(pitch):
            block[r * pitch + c] = float(image[line + min(max(left + c, 0), width - 1)]) - base
    return 0


@loop
def across_of(block: F64, from_: int, pitch: int, rows: int, columns: int, taps: F64, out: F64) -> int:
    """Rows of a block filtered along x: rows x columns values."""
    w0, w1, w2, w3 = eight(taps[0]), eight(taps[1]), eight(taps[2]), eight(taps[3])
    w4, w5, w6, w7 = eight(taps[4]), eight(taps[5]), eight(taps[6]), eight(taps[7])
    for r in range(rows):
        for c in range(0, columns, 8):
            k = from_ + r * pitch + c
            s = vec(block, k) * w0 + vec(block, k + 1) * w1
            s = s + vec(block, k + 2) * w2
            s = s + vec(block, k + 3) * w3
            s = s + vec(block, k + 4) * w4
            s = s + vec(block, k + 5) * w5
            s = s + vec(block, k + 6) * w6
            put(out, r * columns + c, s + vec(block, k + 7) * w7)
    return 0


@loop
def down_of(rows_: F64, columns: int, rows: int, taps: F64, out: F64) -> int:
    """And along y: rows x columns values of (rows + 7) x columns."""
    w0, w1, w2, w3 = eight(taps[0]), eight(taps[1]), eight(taps[2]), eight(taps[3])
    w4, w5, w6, w7 = eight(taps[4]), eight(taps[5]), eight(taps[6]), eight(taps[7])
    for c in range(0, columns, 8):
        for r in range(rows):
            k = r * columns + c
            s = vec(rows_, k) * w0 + vec(rows_, k + columns) * w1
            s = s + vec(rows_, k + 2 * columns) * w2
            s = s + vec(rows_, k + 3 * columns) * w3
            s = s + vec(rows_, k + 4 * columns) * w4
            s = s + vec(rows_, k + 5 * columns) * w5
            s = s + vec(rows_, k + 6 * columns) * w6
            put(out, k, s + vec(rows_, k + 7 * columns) * w7)
    return 0


@loop
def window_at(image: PIXELS, height: int, width: int, x: float, y: float, size: int, columns: int, table: F64,
              out: F64, work: F64) -> int:  # fmt: skip
    """size rows of `columns` values around (x, y), less a constant. `work`: 16 + both passes."""
    kx, ky = floor(x), floor(y)
    taps_of(x - kx, table, work)
    taps_of(y - ky, table, at(work, 8))
    half = size // 2
    pitch = columns + 8
    block_of(image, height, width, int(kx) - half - 3, int(ky) - half - 3, size + 7, pitch, at(work, 16))
    rows = 16 + (size + 7) * pitch
    across_of(at(work, 16), 0, pitch, size + 7, columns, work, at(work, rows))
    down_of(at(work, rows), columns, size, at(work, 8), out)
    return 0


@loop
def sample(image: PIXELS, height: int, width: int, which: I64, count: int, x: F64, y: F64, size: int, columns: int,
           table: F64, out: F64, work: F64) -> int:  # fmt: skip
    """Windows around some places (`windows.sampled`)."""
    for n in range(count):
        i = which[n]
        window_at(image, height, width, x[i], y[i], size, columns, table, at(out, n * size * columns), work)
    return 0


@loop
def render(tiles: F64, count: int, which: I64, bend: F64, side: int, stride: int, w: int, across: int, table: F64,
           out: F64, work: F64) -> int:  # fmt: skip
    """Tiles of windows from larger ones, deformed (`windows.rendered`): row n of `out` from tile which[n]."""
    middle = float(side // 2)
    half = w // 2 + 3
    t0, t1, t2 = vec(table, 0), vec(table, 8), vec(table, 16)
    t3, t4, t5 = vec(table, 24), vec(table, 32), vec(table, 40)
    for n in range(count):
        tile, o = which[n] * side * stride, n * (w + 6) * across
        a, b, c, d = bend[4 * n], bend[4 * n + 1], bend[4 * n + 2], bend[4 * n + 3]
        for r in range(w + 6):
            v = float(r - half)
            for q in range(w + 6, across):
                out[o + r * across + q] = 0.0
            for q in range(w + 6):
                u = float(q - half)
                x = min(max(a * u + b * v + middle, 3.0), float(side - 5))
                y = min(max(c * u + d * v + middle, 3.0), float(side - 5))
                kx, ky = floor(x), floor(y)
                f, g = x - kx - 0.5, y - ky - 0.5  # `taps_of`
                wx = ((((t5 * f + t4) * f + t3) * f + t2) * f + t1) * f + t0
                put(work, 8, ((((t5 * g + t4) * g + t3) * g + t2) * g + t1) * g + t0)
                k = tile + (int(ky) - 3) * stride + int(kx) - 3
                s = vec(tiles, k) * work[8] + vec(tiles, k + stride) * work[9]
                s = s + vec(tiles, k + 2 * stride) * work[10]
                s = s + vec(tiles, k + 3 * stride) * work[11]
                s = s + vec(tiles, k + 4 * stride) * work[12]
                s = s + vec(tiles, k + 5 * stride) * work[13]
                s = s + vec(tiles, k + 6 * stride) * work[14]
                s = s + vec(tiles, k + 7 * stride) * work[15]
                put(work, 16, s * wx)
                one = 0.0 + work[16] + work[17] + work[18] + work[19]
                out[o + r * across + q] = one + work[20] + work[21] + work[22] + work[23]
    return 0
