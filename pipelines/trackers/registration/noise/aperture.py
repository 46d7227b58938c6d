"""Windows of stripes: only the motion across them can be measured (the aperture problem)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.noise.residual_statistics_loops import normals
from pipelines.trackers.registration.warp.fit import References
from pipelines.trackers.registration.warp.fit_loops import FLAT
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.taps import EDGE, SLOPE_NOISE
from pipelines.trackers.registration.windows.windows import total

Array = npt.NDArray[Any]

TURNS = 3  # numbers of windows that shift and turn
STRIPES = 0.01  # a smaller ratio of the normal matrix' eigenvalues, but for noise: texture along one direction only
HIGHEST = np.array([1.0, -4.0, 6.0, -4.0, 1.0])
"""Along both axes: lenses let next to nothing through that this filter does, noise passes."""
MIDDLE = 0.6745 * float((HIGHEST * HIGHEST).sum())
"""The median of what it leaves of white noise of variance 1."""


def high_noise(tiles: Array) -> Array:
    """Variance of white noise in windows, from their highest frequencies (after Immerkaer, Computer Vision and Image
    Understanding 64, 1996, with a sharper filter).

    Args:
        tiles: (n, rows, columns).

    Returns:
        (n,), the square of the tiles' unit.
    """
    size = len(HIGHEST) - 1
    rows = sum(h * tiles[:, k : tiles.shape[1] - size + k] for k, h in enumerate(HIGHEST))
    both = np.asarray(sum(h * rows[:, :, k : tiles.shape[2] - size + k] for k, h in enumerate(HIGHEST)))
    # The median keeps out what edges leave.
    middle = np.median(np.abs(both).reshape(len(tiles), -1), axis=1)
    made: Array = (middle / 0.6745 / (HIGHEST * HIGHEST).sum()) ** 2
    return made


def principal(xx: Array, xy: Array, yy: Array) -> tuple[Array, Array, Array]:
    """The smaller and the larger eigenvalue of n symmetric matrices that are not negative, and the direction of the
    larger, (n, 2), in closed form: the same bits whatever linear algebra is installed."""
    half = 0.5 * (xx - yy)
    far = np.sqrt(half * half + xy * xy)
    large = 0.5 * (xx + yy) + far
    small = np.maximum(xx * yy - xy * xy, 0.0) / np.where(large > 0, large, 1.0)
    flat = half < 0
    x, y = np.where(flat, xy, far + half), np.where(flat, far - half, xy)
    length = np.sqrt(x * x + y * y)
    unit = np.where(length > 0, length, 1.0)
    return small, large, np.stack((np.where(length > 0, x / unit, 1.0), y / unit), axis=1)


def solve_across(ref: References, tiles: Array, slots: Array) -> None:
    """Let references with texture along one direction alone measure that direction; `textured` is 2 for them.

    The step along the stripes is 0, and every deformation but the turn of windows that shift and turn.

    Args:
        ref: made by `prepare`.
        tiles: what they are made of, (n, w + 2 EDGE, across).
        slots: which they are.
    """
    small, large, directions = principal(*_normals(ref, slots))
    doubtful = np.flatnonzero((small < 0.5 * large) & (ref.norm[slots] > 0) & (large > 0))
    if not len(doubtful):
        return
    w = ref.layout.w
    noise = high_noise(tiles[doubtful, : w + 2 * EDGE, : w + 2 * EDGE]) * (SLOPE_NOISE * w * w)
    # The noise of a window is known to some 15 %.
    low, high = small[doubtful] - 1.5 * noise, large[doubtful] - noise
    striped = doubtful[(low < STRIPES * high) & (high > 0)]
    rows = slots[striped]
    across = directions[striped]
    ref.inverse[rows] = 0.0
    shift = across[:, :, None] * across[:, None, :]
    ref.inverse[rows, :2, :2] = shift / large[striped][:, None, None]
    if ref.layout.p == TURNS:
        _solve_turning(ref, rows, across, large[striped])
    ref.textured[rows] = 2


def _solve_turning(ref: References, rows: Array, across: Array, large: Array) -> None:
    """Let references measure the step across their stripes and their turn: how far the one hangs on the other shows
    where the window's light is.

    Args:
        rows: their slots.
        across: (n, 2), unit vectors across the stripes; large: (n,), the normal matrix' eigenvalue of that step.
    """
    step = ref.jacobian[rows, 0] * across[:, :1, None] + ref.jacobian[rows, 1] * across[:, 1:, None]
    turn = ref.jacobian[rows, 2]
    both, own = total(step * turn), total(turn * turn)
    rest = large * own - both * both
    known = np.flatnonzero(rest > FLAT * large * own)
    rows, across, rest = rows[known], across[known], rest[known]
    ref.inverse[rows, :2, :2] = across[:, :, None] * across[:, None, :] * (own[known] / rest)[:, None, None]
    ref.inverse[rows, 2, 2] = large[known] / rest
    mixed = across * (0.0 - both[known] / rest)[:, None]
    ref.inverse[rows, 2, :2] = ref.inverse[rows, :2, 2] = mixed


def _normals(ref: References, slots: Array) -> Array:
    """Sums of products of slopes, (3, n): along x, mixed, along y."""
    made = np.empty((len(slots), 3))
    call(normals, ref.arrays(), np.ascontiguousarray(slots), len(slots), made, scratch(ref.layout.pitch + 8))
    return made.T
