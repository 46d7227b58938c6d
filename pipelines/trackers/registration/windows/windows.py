"""Windows of pictures between the pixels, and larger windows deformed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.lying_images import LyingImages, lying_together
from pipelines.trackers.registration.windows import window_loops as loops
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.structs import Picture, Tiles
from pipelines.trackers.registration.windows.taps import EDGE, TABLE

Array = npt.NDArray[Any]

TYPES = frozenset(np.dtype(name) for name in ("uint8", "uint16", "int16", "int32", "uint32", "float32", "float64"))


def ready(picture: Array) -> Array:
    """The picture as loops take it: contiguous, of a type that they know."""
    return np.ascontiguousarray(picture, picture.dtype if picture.dtype in TYPES else np.float64)


def lying_ready(frames: Sequence[Any], shape: tuple[int, int]) -> LyingImages | None:
    """Pictures of (height, width) = `shape` that lie on a device, where loops take them as they are; None where they
    are anything else, or are here as well."""
    lying = lying_together(frames)
    if lying is None or lying.came or lying.batch.type.shape != shape:
        return None
    return lying if lying.batch.type.dtype.numpy in TYPES else None


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
    work = scratch(32 + (size + 7) * (2 * columns + 8))
    call(loops.sample, as_picture(picture), np.arange(n), n, x, y, size, columns, out, work,
         pixels=picture.dtype)  # fmt: skip
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
    middle = (np.arange(across) < size).astype(np.float64)
    large = Tiles(tiles, side, stride, (side - size) // 2, size, across, middle, TABLE)
    call(loops.render, large, m, which, np.ascontiguousarray(bend), w, out, scratch(32))
    return out


def total(values: Array) -> Array:
    """Sums of (n, rows, columns): down each column, then over the columns."""
    down = np.zeros((len(values), values.shape[2]))
    for r in range(values.shape[1]):
        down = down + values[:, r]
    made = np.zeros(len(values))
    for c in range(values.shape[2]):
        made = made + down[:, c]
    return made
