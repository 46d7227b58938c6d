"""Cubic B-spline interpolation of small patches, many at once.

A cubic B-spline through the pixels has a systematic error of 0.002 px in a patch tracker where bilinear
interpolation has 0.016 px (the S-curve). Unser: Splines, a Perfect Fit for Signal and Image Processing, IEEE Signal
Processing Magazine, 1999. The prefilter is exact within a patch (mirror at its ends); its memory fades by 0.268 a
pixel, so patches carry `PAD` pixels more than what is sampled.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.patches.mean_loops import join_tiles
from pipelines.trackers.patches.native import run
from pipelines.trackers.patches.spline_loops import POLE
from pipelines.trackers.patches.taps import TABLE
from pipelines.trackers.patches.windows import ready

Array = npt.NDArray[Any]

PAD = 7  # pixels around the sampled region: 2 for the taps, 5 for the prefilter (0.268^5 = 0.0014)
MARGIN = PAD  # px around a tile's window, for its gradient


def cut(image: Array, x: Array, y: Array, radius: int) -> Array:
    """Square patches around integer centres; the picture's edge pixels go on beyond it.

    Args:
        image: (height, width), any real dtype.
        x, y: n integer centres, px.
        radius: of the patches, px.

    Returns:
        float64 (n, 2 radius + 1, 2 radius + 1).
    """
    padded = _around(image, x, y, radius)
    windows = np.lib.stride_tricks.sliding_window_view(padded[0], (2 * radius + 1, 2 * radius + 1))
    made: Array = windows[y - padded[2] - radius, x - padded[1] - radius].astype(np.float64)
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


def coefficients(patches: Array) -> Array:
    """B-spline coefficients of patches, float64 (n, size, size)."""
    from scipy.ndimage import spline_filter1d  # not above: it takes long to import, and few trackers come here

    # The recursive filter costs the same a pixel for every size, and a patch's numbers do not depend on its company.
    along = spline_filter1d(patches, order=3, axis=1, mode="mirror")
    return np.asarray(spline_filter1d(along, order=3, axis=2, mode="mirror"))


@cache
def heads(size: int) -> Array:
    """By what the pixels of a line go into the first value of the spline's causal filter, mirror at the ends, (size,).

    Products one after the other: the same bits everywhere.
    """
    powers = [1.0]
    for _ in range(2 * size - 2):
        powers.append(powers[-1] * POLE)
    scale = 6.0 / (1.0 - powers[-1])
    inner = [(powers[k] + powers[2 * size - 2 - k]) * scale for k in range(1, size - 1)]
    made = np.array([scale, *inner, powers[size - 1] * scale])
    made.flags.writeable = False
    return made


def gradient(coefficient: Array, margin: int) -> tuple[Array, Array]:
    """The spline's slopes (d/dx, d/dy) at the pixels, without `margin` (>= 1) pixels at each side."""
    size = coefficient.shape[1]
    # At a knot the derivative is (c[i+1] - c[i-1]) / 2 along one axis and (c[i-1] + 4 c[i] + c[i+1]) / 6 across.
    core = slice(margin, size - margin)
    low, high = slice(margin - 1, size - margin - 1), slice(margin + 1, size - margin + 1)
    across_y = (coefficient[:, low] + 4.0 * coefficient[:, core] + coefficient[:, high]) / 6.0
    across_x = (coefficient[:, :, low] + 4.0 * coefficient[:, :, core] + coefficient[:, :, high]) / 6.0
    return 0.5 * (across_y[:, :, high] - across_y[:, :, low]), 0.5 * (across_x[:, high] - across_x[:, low])


def shifted(coefficient: Array, dx: Array, dy: Array, radius: int) -> Array:
    """Windows of 2 radius + 1 around the patches' centres, each moved by its (dx, dy) px.

    Args:
        coefficient: (n, size, size) as from `coefficients`.
        dx, dy: shifts, px; the windows and 2 px more must stay inside the patches.
        radius: of the windows, px.

    Returns:
        float64 (n, 2 radius + 1, 2 radius + 1).
    """
    centre, width = coefficient.shape[1] // 2, 2 * radius + 1
    kx, ky = np.floor(dx).astype(np.int64), np.floor(dy).astype(np.int64)
    reach = np.arange(width + 3) + (centre - radius - 1)
    n = np.arange(len(coefficient))[:, None, None]
    near = coefficient[n, (ky[:, None] + reach)[:, :, None], (kx[:, None] + reach)[:, None, :]]
    wx, wy = _weights(dx - kx), _weights(dy - ky)
    rows = sum(wy[:, j, None, None] * near[:, j : j + width, :] for j in range(4))
    return np.asarray(sum(wx[:, j, None, None] * rows[:, :, j : j + width] for j in range(4)))


def tiles_at(image: Array, x: Array, y: Array, window: int) -> Array:
    """Windows and `MARGIN` px around them, sampled at sub-pixel places, float64 (n, window + 2 MARGIN, ...)."""
    radius = window // 2 + MARGIN
    cx, cy = np.rint(x).astype(np.int64), np.rint(y).astype(np.int64)
    if np.array_equal(cx, x) and np.array_equal(cy, y):
        return cut(image, cx, cy, radius)
    patches = cut(image, cx, cy, radius + PAD)
    return shifted(coefficients(patches), x - cx, y - cy, radius)


def join(image: Array, which: Array, place: Array, number: Array, tiles: Array) -> None:
    """Add what is at some places, in the tiles' light, to tiles that are means.

    By the taps of `patches.taps`: a mean of what splines give is a little too smooth, and they take ten times as long.

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
    run(join_tiles, image.ravel(), *image.shape, which, len(which), place[:, 0].copy(), place[:, 1].copy(),
        number.astype(np.int64), size, columns, (np.arange(columns) < size).astype(np.float64), TABLE.ravel(),
        tiles.ravel(), np.zeros(room), pixels=image.dtype)  # fmt: skip


def _weights(fraction: Array) -> Array:
    """The four cubic B-spline weights of fractions in 0..1, (n, 4)."""
    f, g = fraction, 1.0 - fraction
    return np.stack(
        (g**3 / 6.0, 2.0 / 3.0 - f * f * (2.0 - f) / 2.0, 2.0 / 3.0 - g * g * (2.0 - g) / 2.0, f**3 / 6.0), axis=1
    )
