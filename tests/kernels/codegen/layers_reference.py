"""What layers mean: the reference's contraction, and in NumPy what it has no node for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.executors.reference_volumes import contracted
from kernels.fusion.winograd import FILTERINGS, Filtering
from kernels.ir.fused import fma32
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


def tiled(
    volume: Array, weights: Array, bias: Array, size: tuple[int, int], at: tuple[int, int], outputs: int,
    outside: float = 0.0,
) -> Array:  # fmt: skip
    """A 3x3 convolution of tiles, every operation in its order."""
    how = FILTERINGS[outputs]
    tiles = [-(-n // outputs) for n in size]
    rows, columns = (np.arange(n) * outputs + first for n, first in zip(tiles, at, strict=True))
    seen = [[looked(volume, rows + j, columns + i, outside) for i in range(how.tile)] for j in range(how.tile)]
    read = [_read(how, line) for line in zip(*(_read(how, column) for column in zip(*seen, strict=True)), strict=True)]
    factors = how.transformed(weights).astype(np.float32)
    made = np.zeros((tiles[0] * outputs, tiles[1] * outputs, len(weights)), np.float32)
    products = []
    for j in range(how.tile):
        products.append([np.zeros((*tiles, len(weights)), np.float32) for _ in range(how.tile)])
        for i in range(how.tile):
            products[j][i] += bias if j == i == 1 else 0
            for c in range(volume.shape[2]):
                products[j][i] = fma32(read[j][i][..., c : c + 1], factors[j, i, :, c], products[j][i])
    for r in range(outputs):
        row = [_made(how, column, r) for column in zip(*products, strict=True)]
        for x in range(outputs):
            made[r::outputs, x::outputs] = _made(how, row, x)
    return made[: size[0], : size[1]]


def _read(how: Filtering, values: Sequence[Array]) -> list[Array]:
    def weighted(factors: Sequence[int], some: Sequence[Array]) -> Array:
        total = some[len(factors) - 1]
        for k in reversed(range(len(factors) - 1)):
            total = _times(some[k], factors[k], total)
        return total

    made = [weighted(how.even(), values[0::2])]
    for p in how.points:
        even, odd = weighted(how.even(p), values[2::2]), weighted(how.even(p), values[1::2])
        made += [_times(odd, p, even), _times(odd, -p, even)]
    return [*made, weighted(how.even(), values[1::2])]


def _made(how: Filtering, values: Sequence[Array], r: int) -> Array:
    pairs = [values[1 + 2 * k] + np.float32((-1) ** r) * values[2 + 2 * k] for k in range(len(how.points))]
    total = values[0] + pairs[0] if r == 0 else pairs[0]
    for p, both in zip(how.points[1:], pairs[1:], strict=True):
        total = _times(both, p**r, total)
    return total + values[-1] if r == how.outputs - 1 else total


def _times(value: Array, factor: int, total: Array) -> Array:
    return fma32(value, np.float32(factor), total)


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
