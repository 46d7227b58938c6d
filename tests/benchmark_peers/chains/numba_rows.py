"""The loops over x of `numba.py`, compiled when first called.

A loop over x has a function of its own, which takes rows: only so does LLVM prove that they do not overlap and
vectorises (ten times as fast as the same loops over three-dimensional arrays).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from app.benchmark.chains import ALPHA, AMOUNT, DEVIATIONS, K_HARRIS, LEARN, LEVEL, MIN_SIGMA, REACH, RESPONSE, SIGMA
from app.benchmark.peers.base import Array
from kernels.ir.filters import gaussian_weights

try:
    import numba as numba  # others take it from here
except ImportError:  # `library` looks before it loads; others, such as doctest, may still read this module
    numba = None

F = TypeVar("F", bound=Callable[..., Any])
HALO, PAD, RING = 4, 8, 8
"""Rows beyond a strip that states have; columns beyond a row; rows of a ring, a power of two."""
_ALPHA, _LEVEL, _LEARN = np.float32(ALPHA), np.float32(LEVEL), np.float32(LEARN)
K2, FLOOR = np.float32(DEVIATIONS**2), np.float32(MIN_SIGMA**2)
_W5 = tuple(np.float32(w) for w in gaussian_weights(SIGMA, 5))
W11 = tuple(np.float32(w) for w in gaussian_weights(SIGMA, 2 * REACH + 1))
_SCALE = np.float32((1.0 / (4 * 3 * 255)) ** 2)
_WHOLE_LEVEL = np.int16(LEVEL)
_K, _RESPONSE, AMOUNT_F32 = np.float32(K_HARRIS), np.float32(RESPONSE), np.float32(AMOUNT)


def row(function: F) -> F:
    """Compiled when first called."""
    return cast(F, numba.njit(error_model="numpy")(function)) if numba else function


@row
def mirror(i: int, n: int) -> int:
    """The row or column that stands for i beyond the edge."""
    i = abs(i)
    return i if i < n else 2 * n - 2 - i


@row
def at(i: int, n: int) -> int:
    """The place in a ring of the row that stands for row i."""
    return mirror(i, n) & (RING - 1)


@row
def pad_row(a: Array, width: int, reach: int) -> None:
    """Mirror a row at both ends."""
    for i in range(1, reach + 1):
        a[PAD - i] = a[PAD + i]
        a[PAD + width - 1 + i] = a[PAD + width - 1 - i]


@row
def gray_row(frame: Array, out: Array) -> None:
    """A row of RGBA, one byte after the other, as gray values in f32."""
    for x in range(len(out)):
        i = 4 * x
        r, g, b = np.int32(frame[i]), np.int32(frame[i + 1]), np.int32(frame[i + 2])
        luma = np.int32(np.int32(9798) * r + np.int32(19235) * g + np.int32(3735) * b + np.int32(16384))
        out[x] = np.float32(np.int32(luma >> np.int32(15)))


@row
def iir_row(gray: Array, state: Array) -> None:
    """The states' next values."""
    for x in range(len(gray)):
        state[x] += _ALPHA * (gray[x] - state[x])


@row
def bytes_row(state: Array, out: Array) -> None:
    """Rounded to bytes."""
    for x in range(len(state)):
        out[PAD + x] = np.uint8(np.int32(np.rint(state[x])))


@row
def down_row(a: Array, b: Array, c: Array, d: Array, e: Array, out: Array, width: int, start: int) -> None:
    """Binomial weights down five rows of bytes, from column `start` of each on."""
    for x in range(width):
        outer = np.int32(a[start + x]) + np.int32(e[start + x])
        inner = np.int32(b[start + x]) + np.int32(d[start + x])
        out[PAD + x] = np.uint16(outer + np.int32(4) * inner + np.int32(6) * np.int32(c[start + x]))


@row
def across_row(down: Array, out: Array, width: int) -> None:
    """Binomial weights along a row, rounded to bytes."""
    for x in range(width):
        i = PAD + x
        outer = np.int32(down[i - 2]) + np.int32(down[i + 2])
        inner = np.int32(down[i - 1]) + np.int32(down[i + 1])
        out[i] = np.uint8(np.int32(outer + np.int32(4) * inner + np.int32(6) * np.int32(down[i]) + np.int32(128)) >> 8)


@row
def sobel_l1(a: Array, b: Array, c: Array, out: Array) -> None:
    """A row of the mask from three of bytes."""
    for x in range(len(out)):
        i = PAD + x
        p = np.int16(np.int16(a[i - 1]) - np.int16(c[i + 1]))
        q = np.int16(np.int16(a[i + 1]) - np.int16(c[i - 1]))
        v = np.int16(np.int16(c[i]) - np.int16(a[i]))
        h = np.int16(np.int16(b[i + 1]) - np.int16(b[i - 1]))
        gx, gy = np.int16(q - p + np.int16(2) * h), np.int16(np.int16(2) * v - p - q)
        total = np.int16(np.int16(abs(gx)) + np.int16(abs(gy)))
        out[x] = np.uint8(255) if total > _WHOLE_LEVEL else np.uint8(0)


@row
def next_state(frame: Array, gray: Array, state: Array, first: bool) -> None:
    """The IIR of a row of a frame, bytes or RGBA."""
    if len(frame) == len(gray):
        gray[:] = frame
    else:
        gray_row(frame, gray)
    if first:
        state[:] = gray
    iir_row(gray, state)


@row
def gauss_down(a: Array, b: Array, c: Array, d: Array, e: Array, out: Array) -> None:
    """Gaussian weights down five rows."""
    w0, w1, w2, w3, w4 = _W5
    for x in range(len(a)):
        out[PAD + x] = a[x] * w0 + b[x] * w1 + c[x] * w2 + d[x] * w3 + e[x] * w4


@row
def gauss_across(down: Array, out: Array, width: int) -> None:
    """Gaussian weights along a row."""
    w0, w1, w2, w3, w4 = _W5
    for x in range(width):
        i = PAD + x
        out[i] = down[i - 2] * w0 + down[i - 1] * w1 + down[i] * w2 + down[i + 1] * w3 + down[i + 2] * w4


@row
def sobel_l2(a: Array, b: Array, c: Array, out: Array) -> None:
    """A row of the mask from three in f32."""
    for x in range(len(out)):
        i = PAD + x
        p, q = a[i - 1] - c[i + 1], a[i + 1] - c[i - 1]
        v, h = c[i] - a[i], b[i + 1] - b[i - 1]
        gx, gy = q - p + np.float32(2) * h, np.float32(2) * v - p - q
        out[x] = np.uint8(255) if np.sqrt(gx * gx + gy * gy) > _LEVEL else np.uint8(0)


@row
def products_row(a: Array, b: Array, c: Array, xx: Array, xy: Array, yy: Array, width: int) -> None:
    """Products of the gradients."""
    for x in range(width):
        i = PAD + x
        p, q = np.int32(a[i - 1]) - np.int32(c[i + 1]), np.int32(a[i + 1]) - np.int32(c[i - 1])
        v, h = np.int32(c[i]) - np.int32(a[i]), np.int32(b[i + 1]) - np.int32(b[i - 1])
        gx, gy = np.int32(q - p + np.int32(2) * h), np.int32(np.int32(2) * v - p - q)
        xx[i], xy[i], yy[i] = np.int32(gx * gx), np.int32(gx * gy), np.int32(gy * gy)


@row
def sum3_row(a: Array, b: Array, c: Array, out: Array) -> None:
    """The sum of three rows."""
    for x in range(len(out)):
        out[x] = np.int32(a[x] + b[x] + c[x])


@row
def response_row(xx: Array, xy: Array, yy: Array, out: Array, width: int) -> None:
    """Harris' measure from sums down three rows."""
    for x in range(width):
        i = PAD + x
        p = np.float32(np.int32(xx[i - 1] + xx[i] + xx[i + 1])) * _SCALE
        q = np.float32(np.int32(xy[i - 1] + xy[i] + xy[i + 1])) * _SCALE
        r = np.float32(np.int32(yy[i - 1] + yy[i] + yy[i + 1])) * _SCALE
        trace = p + r
        out[i] = p * r - q * q - _K * trace * trace


@row
def peaks_row(a: Array, b: Array, c: Array, tall: Array, out: Array) -> None:
    """Maxima of 3x3 above the level."""
    for x in range(len(out) + 2):
        i = PAD - 1 + x
        best = a[i] if a[i] > b[i] else b[i]
        tall[i] = best if best > c[i] else c[i]
    for x in range(len(out)):
        i = PAD + x
        best = tall[i - 1] if tall[i - 1] > tall[i] else tall[i]
        best = best if best > tall[i + 1] else tall[i + 1]
        out[x] = np.uint8(255) if (b[i] >= best) & (b[i] > _RESPONSE) else np.uint8(0)


@row
def foreground_row(frame: Array, mean: Array, variance: Array, out: Array) -> None:
    """What stands out, and the states' next values."""
    for x in range(len(mean)):
        d = np.float32(frame[x]) - mean[x]
        square, v = d * d, variance[x]
        limit = v if v > FLOOR else FLOOR
        out[PAD + x] = np.uint8(255) if square > K2 * limit else np.uint8(0)
        mean[x] += _LEARN * d
        variance[x] = v + _LEARN * (square - v)


@row
def erode_row(a: Array, b: Array, c: Array, down: Array, out: Array, width: int) -> None:
    """Minima of 3x3; outside does not count."""
    for x in range(len(a)):
        down[x] = a[x] & b[x] & c[x]
    down[PAD - 1], down[PAD + width] = 255, 255
    for x in range(width):
        i = PAD + x
        out[i] = down[i - 1] & down[i] & down[i + 1]


@row
def dilate_row(a: Array, b: Array, c: Array, down: Array, out: Array) -> None:
    """Maxima of 3x3; outside does not count."""
    for x in range(len(a)):
        down[x] = a[x] | b[x] | c[x]
    down[PAD - 1], down[PAD + len(out)] = 0, 0
    for x in range(len(out)):
        i = PAD + x
        out[x] = down[i - 1] | down[i] | down[i + 1]
