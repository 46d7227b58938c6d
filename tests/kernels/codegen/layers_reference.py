"""What layers mean: the reference's contraction, and in NumPy what it has no node for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.executors.reference_volumes import contracted
from kernels.ir.volumes import Contract, Weights

Array = npt.NDArray[Any]


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
    how = Contract(Weights(weights), size, *at, stride, dilation, groups, outside=outside)
    return contracted(volume, np.asarray(bias, np.float32), how)


def transposed(
    volume: Array, weights: Array, bias: Array, size: tuple[int, int], at: tuple[int, int], up: tuple[int, int]
) -> Array:
    """Of the taps those that hit."""
    return contracted(volume, np.asarray(bias, np.float32), Contract(Weights(weights), size, *at, up=up))


def folded(
    volume: Array, fold: Callable[[Array, Array], Array], taps: tuple[int, int], size: tuple[int, int],
    at: tuple[int, int], stride: tuple[int, int], outside: float,
) -> Array:  # fmt: skip
    """Taps combined along each row, then these down."""
    y, x = np.arange(size[0]) * stride[0] + at[0], np.arange(size[1]) * stride[1] + at[1]
    rows = (reduce(fold, (looked(volume, y + j, x + i, outside) for i in range(taps[1]))) for j in range(taps[0]))
    return reduce(fold, rows)


def same(a: Array, b: Array) -> bool:
    """Whether two arrays of f32 have the same bits, but for what a NaN holds."""
    nan = np.isnan(a) & np.isnan(b)
    return a.shape == b.shape and bool(((a.view(np.int32) == b.view(np.int32)) | nan).all())


def concatenated(volumes: Sequence[Array]) -> Array:
    return np.concatenate(list(volumes), axis=2)
