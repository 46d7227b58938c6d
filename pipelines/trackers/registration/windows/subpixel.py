"""Small windows of pictures with room around them, many at once, and their means."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.windows.mean_loops import join_tiles
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.structs import Tiles
from pipelines.trackers.registration.windows.taps import TABLE
from pipelines.trackers.registration.windows.windows import as_picture, ready

Array = npt.NDArray[Any]

MARGIN = 4  # px around a tile's window: 3 for its slopes, 4 for what is between its pixels up to 1 px away


def tiles_at(image: Array, x: Array, y: Array, window: int) -> Array:
    """Windows and `MARGIN` px around them; the picture's edge pixels go on beyond it.

    Args:
        image: (height, width), any real dtype.
        x, y: n whole centres, px.
        window: side, px, odd.

    Returns:
        float64 (n, window + 2 MARGIN, window + 2 MARGIN).
    """
    radius = window // 2 + MARGIN
    x, y = x.astype(np.int64), y.astype(np.int64)
    padded, left, top = _around(image, x, y, radius)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * radius + 1, 2 * radius + 1))
    made: Array = windows[y - top - radius, x - left - radius].astype(np.float64)
    return made


def _around(image: Array, x: Array, y: Array, radius: int) -> tuple[Array, int, int]:
    """The picture, with its edge going on beyond it where patches do; x and y of its first pixel."""
    if not len(x):
        return np.zeros((2 * radius + 1, 2 * radius + 1), image.dtype), 0, 0
    low, high = (int(y.min()), int(x.min())), (int(y.max()), int(x.max()))
    before = [max(radius - one, 0) for one in low]
    after = [max(one + radius + 1 - size, 0) for one, size in zip(high, image.shape, strict=True)]
    if not any(before) and not any(after):
        return image, 0, 0
    return np.pad(image, list(zip(before, after, strict=True)), "edge"), -before[1], -before[0]


def join(image: Array, which: Array, place: Array, number: Array, tiles: Array) -> None:
    """Add what is at some places, in the tiles' light, to tiles that are means.

    By the taps of `registration.windows.taps`: a mean of what splines give is a little too smooth.

    Args:
        image: the frame.
        which: the tiles of n points, int64.
        place: x and y, px, (n, 2).
        number: of how many they are means then, (n,).
        tiles: (all, size, size), float64, changed in place.
    """
    image, size = ready(image), tiles.shape[1]
    columns = -(-size // 8) * 8
    room = 2 * size * columns + 64 + (size + 7) * (2 * columns + 8)
    line = (np.arange(columns) < size).astype(np.float64)
    call(join_tiles, as_picture(image), which, len(which), place[:, 0].copy(), place[:, 1].copy(),
         number.astype(np.int64), Tiles(tiles, size, size, 0, size, columns, line, TABLE), scratch(room),
         pixels=image.dtype)  # fmt: skip
