"""Cubic B-splines of small tiles as loops: the filter of `subpixel.coefficients`, and tiles between the pixels.

A tile is `rows` rows of `pitch` values (a multiple of eight), of which those beyond its size are 0.
"""

from __future__ import annotations

from kernels.host.loops import F64, PIXELS, eight, loop, put, vec

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
