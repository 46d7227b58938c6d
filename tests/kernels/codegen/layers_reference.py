"""What layers mean, in NumPy: the fixed order of sums, each step one fused multiply-add rounded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def fma32(a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike) -> Array:
    """fl32(a * b + c): the product is exact in f64; the sum is rounded to odd there, then to f32 (Boldo and Melquiond
    2008, "Emulation of a FMA and correctly rounded sums")."""
    with np.errstate(all="ignore"):
        p, c64 = np.broadcast_arrays(np.multiply(a, b, dtype=np.float64), np.asarray(c, np.float64))
        s = np.asarray(p + c64)
        back = s - p
        error = (p - (s - back)) + (c64 - back)
        bits = s.view(np.int64)
        even = (error != 0) & (bits & 1 == 0) & np.isfinite(s)
        bits += np.where(even, np.where((error > 0) == (s > 0), 1, -1), 0)
        return s.astype(np.float32)


def looked(volume: Array, rows: Array, columns: Array, outside: float) -> Array:
    """Pixels (rows, columns) of a volume (H, W, C), `outside` beyond it."""
    h, w, _ = volume.shape
    inside = ((rows >= 0) & (rows < h))[:, np.newaxis] & ((columns >= 0) & (columns < w))[np.newaxis]
    found = volume[np.clip(rows, 0, h - 1)[:, np.newaxis], np.clip(columns, 0, w - 1)[np.newaxis]]
    return np.where(inside[..., np.newaxis], found, np.float32(outside))


def convolution(
    volume: Array, weights: Array, bias: Array, size: tuple[int, int], at: tuple[int, int], stride: tuple[int, int],
    dilation: tuple[int, int], groups: int, outside: float = 0.0,
) -> Array:  # fmt: skip
    """Bias, then blocks of 64 channels of a group, in them rows, columns, channels."""
    f, rows, columns, each = weights.shape
    own = np.arange(f) // (f // groups) * each
    total = np.broadcast_to(bias.astype(np.float32), (*size, f))
    y, x = np.arange(size[0]) * stride[0] + at[0], np.arange(size[1]) * stride[1] + at[1]
    for first in range(0, each, 64):
        for j in range(rows):
            for i in range(columns):
                seen = looked(volume, y + j * dilation[0], x + i * dilation[1], outside)
                for c in range(first, min(first + 64, each)):
                    total = fma32(seen[..., own + c], weights[:, j, i, c], total)
    return np.asarray(total)


def folded(
    volume: Array, fold: Callable[[Array, Array], Array], taps: tuple[int, int], size: tuple[int, int],
    at: tuple[int, int], stride: tuple[int, int], outside: float,
) -> Array:  # fmt: skip
    """Taps combined row by row."""
    y, x = np.arange(size[0]) * stride[0] + at[0], np.arange(size[1]) * stride[1] + at[1]
    seen = [looked(volume, y + j, x + i, outside) for j in range(taps[0]) for i in range(taps[1])]
    total = seen[0]
    for one in seen[1:]:
        total = fold(total, one)
    return total


def transposed(
    volume: Array, weights: Array, bias: Array, size: tuple[int, int], stride: tuple[int, int], pads: tuple[int, int]
) -> Array:
    """Every pixel by itself: the taps that hit it, in the order of a convolution's."""
    f, rows, columns, channels = weights.shape
    made = np.empty((*size, f), np.float32)
    for y in range(size[0]):
        for x in range(size[1]):
            total: Array = bias.astype(np.float32)
            for first in range(0, channels, 64):
                for j in range(rows):
                    for i in range(columns):
                        if (y + pads[0] - j) % stride[0] or (x + pads[1] - i) % stride[1]:
                            continue
                        u, v = (y + pads[0] - j) // stride[0], (x + pads[1] - i) // stride[1]
                        seen = looked(volume, np.array([u]), np.array([v]), 0.0)[0, 0]
                        for c in range(first, min(first + 64, channels)):
                            total = fma32(seen[c], weights[:, j, i, c], total)
            made[y, x] = total
    return made


def same(a: Array, b: Array) -> bool:
    """Whether two arrays of f32 have the same bits, but for what a NaN holds."""
    nan = np.isnan(a) & np.isnan(b)
    return a.shape == b.shape and bool(((a.view(np.int32) == b.view(np.int32)) | nan).all())


def concatenated(volumes: Sequence[Array]) -> Array:
    return np.concatenate(list(volumes), axis=2)
