"""Cubic B-splines of small tiles as loops: the filter of `subpixel.coefficients`, and tiles between the pixels.

A tile is `rows` rows of `pitch` values (a multiple of eight), of which those beyond its size are 0.
"""

from __future__ import annotations

from kernels.host.loops import F64, I64, PIXELS, at, eight, floor, loop, put, rint, sqrt, vec

POLE = -0.26794919243112270647  # sqrt(3) - 2
END = 0.28867513459481288225  # -POLE / (1 - POLE^2)


@loop
def cut_of(image: PIXELS, height: int, width: int, left: int, top: int, size: int, pitch: int, out: F64) -> int:
    """size x size pixels; beyond the picture its edge goes on."""
    inside = left >= 0 and left + size <= width
    whole = size // 8 * 8
    for r in range(size):
        line = min(max(top + r, 0), height - 1) * width
        o = r * pitch
        first = 0
        if inside:
            for c in range(0, whole, 8):
                put(out, o + c, vec(image, line + left + c))
            first = whole
        for c in range(first, size):
            out[o + c] = float(image[line + min(max(left + c, 0), width - 1)])
        for c in range(size, pitch):
            out[o + c] = 0.0
    return 0


@loop
def spline_down(values: F64, size: int, pitch: int, heads: F64) -> int:
    """Filter the columns in place (mirror at the ends). heads: `subpixel.heads`."""
    for c in range(0, pitch, 8):
        one = eight(0.0)
        for r in range(size):
            one += vec(values, r * pitch + c) * heads[r]
        put(values, c, one)
        for r in range(1, size):
            one = vec(values, r * pitch + c) * 6.0 + one * POLE
            put(values, r * pitch + c, one)
        one = (one + vec(values, (size - 2) * pitch + c) * POLE) * END
        put(values, (size - 1) * pitch + c, one)
        for r in range(2, size + 1):
            k = (size - r) * pitch + c
            one = (one - vec(values, k)) * POLE
            put(values, k, one)
    return 0


@loop
def turned(values: F64, size: int, pitch: int, out: F64) -> int:
    """Rows become columns."""
    for r in range(size):
        for c in range(pitch):
            out[r * pitch + c] = 0.0
        for c in range(size):
            out[r * pitch + c] = values[c * pitch + r]
    return 0


@loop
def spline_of(values: F64, size: int, pitch: int, heads: F64, other: F64) -> int:
    """Coefficients of a tile, in place; `other` is as large."""
    spline_down(values, size, pitch, heads)
    turned(values, size, pitch, other)
    spline_down(other, size, pitch, heads)
    turned(other, size, pitch, values)
    return 0


@loop
def cubic_of(f: float, out: F64) -> int:
    """The four weights of a fraction in 0..1."""
    g = 1.0 - f
    out[0] = g * g * g / 6.0
    out[1] = 2.0 / 3.0 - f * f * (2.0 - f) / 2.0
    out[2] = 2.0 / 3.0 - g * g * (2.0 - g) / 2.0
    out[3] = f * f * f / 6.0
    return 0


@loop
def join(image: PIXELS, height: int, width: int, which: I64, count: int, x: F64, y: F64, number: I64, size: int,
         pad: int, heads: F64, tiles: F64, work: F64) -> int:  # fmt: skip
    """Add the tiles around (x, y), in their references' light, to means of number - 1 of them.

    Args:
        which: the tiles of `count` points; x, y: their places, px; number: how many each is the mean of by now.
        size: of a tile; pad: px more around it that its spline needs.
        heads: of size + 2 pad.
        tiles: (all, size, size), changed in place.
        work: 8 + (2 (size + 2 pad) + size) rows of that, rounded up to eights.
    """
    wide = size + 2 * pad
    pitch = (wide + 7) // 8 * 8
    values, other, new = at(work, 8), at(work, 8 + wide * pitch), at(work, 8 + 2 * wide * pitch)
    area = float(size * size)
    for n in range(count):
        cx, cy = rint(x[n]), rint(y[n])
        cut_of(image, height, width, int(cx) - wide // 2, int(cy) - wide // 2, wide, pitch, values)
        spline_of(values, wide, pitch, heads, other)
        kx, ky = floor(x[n] - cx), floor(y[n] - cy)
        cubic_of(x[n] - cx - kx, work)
        cubic_of(y[n] - cy - ky, at(work, 4))
        left, top = pad - 1 + int(kx), pad - 1 + int(ky)
        a0, a1, a2, a3 = eight(work[4]), eight(work[5]), eight(work[6]), eight(work[7])
        for r in range(size):
            for c in range(0, pitch, 8):
                k = (top + r) * pitch + c
                put(other, c, vec(values, k) * a0 + vec(values, k + pitch) * a1 + vec(values, k + 2 * pitch) * a2
                    + vec(values, k + 3 * pitch) * a3)  # fmt: skip
            for c in range(0, (size + 7) // 8 * 8, 8):
                k = min(c, size - 8) + left
                put(new, r * pitch + min(c, size - 8), vec(other, k) * work[0] + vec(other, k + 1) * work[1]
                    + vec(other, k + 2) * work[2] + vec(other, k + 3) * work[3])  # fmt: skip
        tile = at(tiles, which[n] * size * size)
        own, mine = 0.0, 0.0
        for r in range(size):
            for c in range(size):
                own += tile[r * size + c]
                mine += new[r * pitch + c]
        own, mine = own / area, mine / area
        power, light = 0.0, 0.0
        for r in range(size):
            for c in range(size):
                p, q = tile[r * size + c] - own, new[r * pitch + c] - mine
                power += p * p
                light += q * q
        gain = sqrt(power)
        if light > 0.0:
            gain = sqrt(power / light)
        part = float(number[n])
        for r in range(size):
            for c in range(size):
                k = r * size + c
                tile[k] = tile[k] + ((new[r * pitch + c] - mine) * gain + own - tile[k]) / part
    return 0
