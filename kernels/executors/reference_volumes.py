"""What the nodes of `kernels.ir.volumes` mean, in NumPy: arrays (height, width, channels)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.ir.fused import fma32
from kernels.ir.volumes import CHANNEL_BLOCK, Contract

Array = npt.NDArray[Any]
_STRIP = 1 << 16
"""Values of a result that are made at a time, so that what is made of them on the way stays in the caches."""


def contracted(volume: Array, start: Array, how: Contract) -> Array:
    """A contraction, in the one order of its sums: see `Contract`."""
    features = how.features
    height, width = how.size
    total = np.array(np.broadcast_to(start, (height, width, features)))
    rows = max(1, _STRIP // (width * features))
    for first in range(0, height, rows):
        _strip(volume, total[first : first + rows], first, how)
    return total


def _strip(volume: Array, total: Array, first: int, how: Contract) -> None:
    """Rows first .. of a contraction, added to `total`."""
    weights = how.weights.array
    rows, columns, channels = weights.shape[1:]
    per = how.features // how.groups
    grouped = volume.reshape(*volume.shape[:2], how.groups, channels)
    y = (np.arange(len(total)) + first) * how.stride[0] + how.y0
    x = np.arange(total.shape[1]) * how.stride[1] + how.x0
    for block in range(0, channels, CHANNEL_BLOCK):
        some = slice(block, block + CHANNEL_BLOCK)
        for j in range(rows):
            at_y, hit_y = _hits(y + j * how.dilation[0], how.up[0])
            for i in range(columns):
                at_x, hit_x = _hits(x + i * how.dilation[1], how.up[1])
                seen = _seen(grouped[..., some], at_y, at_x, how.outside)
                part = total[hit_y, :][:, hit_x]
                total[np.ix_(hit_y, hit_x)] = _added(part, seen, weights[:, j, i, some], per)


def _hits(at: Array, up: int) -> tuple[Array, Array]:
    """Of positions in a picture that is grown by `up`: where in the picture those lie that hit a pixel, and which."""
    hit = np.flatnonzero(at % up == 0)
    return at[hit] // up, hit


def _seen(volume: Array, y: Array, x: Array, outside: float) -> Array:
    """The pixels at rows y and columns x; `outside` beyond the edge."""
    height, width = volume.shape[:2]
    found: Array = volume[np.ix_(np.clip(y, 0, height - 1), np.clip(x, 0, width - 1))]
    found[(y < 0) | (y >= height)] = outside
    found[:, (x < 0) | (x >= width)] = outside
    return found


def _added(total: Array, seen: Array, weights: Array, per: int) -> Array:
    """total + seen * weights, channel after channel.

    Args:
        total: (rows, columns, features).
        seen: (rows, columns, groups, channels of a group).
        weights: (features, channels of a group).
        per: features of a group.
    """
    for k in range(weights.shape[1]):
        one = seen[..., k]
        if per > 1 and one.shape[2] > 1:
            one = np.repeat(one, per, axis=2)
        if total.dtype == np.float32:
            total = fma32(one, weights[:, k], total)
        else:  # whole numbers: exact, and modulo 2**32 as all of i32
            total = total + one.astype(np.int32) * weights[:, k].astype(np.int32)
    return total


def mosaicked(parts: list[Array], block: tuple[int, int]) -> Array:
    """Pixels of several images in turn: see `kernels.ir.volumes.mosaic`."""
    by, bx = block
    height, width, *rest = parts[0].shape
    made = np.empty((height * by, width * bx, *rest), parts[0].dtype)
    for number, image in enumerate(parts):
        made[number // bx :: by, number % bx :: bx] = image
    return made
