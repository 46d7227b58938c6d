"""Windows of pictures between the pixels, and larger windows deformed, in NumPy and as loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.windows import window_loops as loops
from pipelines.trackers.registration.windows.native import call, compiled, scratch
from pipelines.trackers.registration.windows.structs import Picture, Tiles
from pipelines.trackers.registration.windows.taps import BEFORE, EDGE, TABLE, TAPS, tapped, weights

Array = npt.NDArray[Any]

TYPES = frozenset(np.dtype(name) for name in ("uint8", "uint16", "int16", "int32", "uint32", "float32", "float64"))


def ready(picture: Array) -> Array:
    """The picture as loops take it: contiguous, of a type that they know."""
    return np.ascontiguousarray(picture, picture.dtype if picture.dtype in TYPES else np.float64)


def as_picture(picture: Array) -> Picture:
    """A picture from `ready` as loops take it."""
    height, width = picture.shape
    return Picture(picture, height, width, TABLE)


def sampled(picture: Array, x: Array, y: Array, size: int, columns: int) -> Array:
    """Windows around places, each less a constant: (n, size, columns); the centre is at (size // 2, size // 2).

    Args:
        picture: as from `ready`; beyond its edge the edge pixels go on.
        x, y: n places, px.
        size, columns: of a window; columns is a multiple of eight, at least size.
    """
    n = len(x)
    x, y = np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64)
    out = np.empty((n, size, columns))
    if compiled():
        work = scratch(32 + (size + 7) * (2 * columns + 8))
        call(loops.sample, as_picture(picture), np.arange(n), n, x, y, size, columns, out, work,
             pixels=picture.dtype)  # fmt: skip
        return out
    kx, ky = np.floor(x), np.floor(y)
    block = blocks(picture, kx - size // 2 - BEFORE, ky - size // 2 - BEFORE, size + TAPS - 1, columns + 8)
    rows = tapped(block[:, :, : columns + TAPS - 1], weights(x - kx), 2)
    out[...] = tapped(rows, weights(y - ky), 1)
    return out


def rendered(tiles: Array, which: Array, bend: Array, w: int, across: int) -> Array:
    """Tiles for `prepare` from larger ones: the value at u is the large tile's at bend u.

    Args:
        tiles: (n, side, stride), side odd, stride a multiple of eight.
        which: m tiles, int64.
        bend: (m, 4): the matrix a, b, c, d, by rows.
        w: side of the windows, which get EDGE px more on each side.
        across: values a row.
    """
    m, (_, side, stride) = len(which), tiles.shape
    size = w + 2 * EDGE
    out = np.zeros((m, size, across))
    bend = np.ascontiguousarray(bend)
    if compiled():
        middle = (np.arange(across) < size).astype(np.float64)
        large = Tiles(tiles, side, stride, (side - size) // 2, size, across, middle, TABLE)
        call(loops.render, large, m, which, bend, w, out, scratch(32))
        return out
    a, b, c, d = (part[:, None, None] for part in bend.T)
    reach = np.arange(size, dtype=np.float64) - size // 2
    u, v = reach[None, None, :], reach[None, :, None]
    x = np.minimum(np.maximum(a * u + b * v + float(side // 2), 3.0), float(side - 5))
    y = np.minimum(np.maximum(c * u + d * v + float(side // 2), 3.0), float(side - 5))
    kx, ky = np.floor(x), np.floor(y)
    wx, wy = weights(x - kx), weights(y - ky)
    columns = kx.astype(np.int64)[..., None] - BEFORE + np.arange(TAPS)
    tile = which[:, None, None, None]
    s = np.zeros(0)
    for k in range(TAPS):
        term = tiles[tile, (ky.astype(np.int64) - BEFORE + k)[..., None], columns] * wy[..., k, None]
        s = term if k == 0 else s + term
    s = s * wx
    made = np.zeros(s.shape[:-1])
    for k in range(TAPS):
        made = made + s[..., k]
    out[:, :, :size] = made
    return out


def blocks(picture: Array, left: Array, top: Array, rows: int, columns: int) -> Array:
    """Blocks of the picture, each less its middle pixel."""
    height, width = picture.shape
    left, top = left.astype(np.int64), top.astype(np.int64)
    y = np.clip(top[:, None] + np.arange(rows), 0, height - 1)
    x = np.clip(left[:, None] + np.arange(columns), 0, width - 1)
    middle = picture[np.clip(top + rows // 2, 0, height - 1), np.clip(left + rows // 2, 0, width - 1)]
    made: Array = picture[y[:, :, None], x[:, None, :]].astype(np.float64) - middle.astype(np.float64)[:, None, None]
    return made


def total(values: Array) -> Array:
    """Sums of (n, rows, columns): down each column, then over the columns."""
    down = np.zeros((len(values), values.shape[2]))
    for r in range(values.shape[1]):
        down = down + values[:, r]
    made = np.zeros(len(values))
    for c in range(values.shape[2]):
        made = made + down[:, c]
    return made
