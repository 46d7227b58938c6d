"""Where a window measures: not at its middle, but where its texture is.

Least squares weigh each pixel. Of a surface that moves by u(p) at p, not alike everywhere, the light of pixel p changes
by -f_x(p) u_x(p) - f_y(p) u_y(p), with the slopes f_x, f_y of the reference; the answer along the axis i is a sum of
these by the weights w_i of the fit, the rows of (C'C)^-1 C' where C has the columns of all that it fits. To first order
in how u differs within the window the answer is u_i at

    m_i = sum_p -w_i(p) f_i(p) p        (sum_p -w_i(p) f_i(p) = 1)

which is the mean of p by f_i^2 where the slopes along both axes know nothing of each other and of the light. m_x and
m_y differ: what goes up and down is measured where there are level edges. What is fitted besides moves m: turns and
stretches of their own (rigid, affine) bring it to the middle. What is left to second order is that of any mean over a
surface: half the curvature of u times the variance of p.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.warp.fit import inverted
from pipelines.trackers.registration.windows.packing import halves
from pipelines.trackers.registration.windows.taps import EDGE, SLOPE1, SLOPE2, SLOPE3, SLOPE_NOISE
from pipelines.trackers.registration.windows.windows import total

Array = npt.NDArray[Any]

WINDOWS_DTYPE = np.dtype(
    [
        ("track", "i4"),
        ("x_right", "f8"),  # where the motion along x is measured, from the point: px to the right, px down
        ("x_down", "f8"),
        ("y_right", "f8"),  # and that along y
        ("y_down", "f8"),
    ]
)
"""A point a row; NaN of an axis along which nothing is measured."""
AT_ONCE = 32
"""Windows whose columns are in memory."""
LEAST = 1e-3
"""Part of a normal matrix' diagonal that noise leaves at least."""


def windows_of(tracks: Array, offset: Array, middles: Array) -> Array:
    """Rows of WINDOWS_DTYPE.

    Args:
        tracks: ids, (n,).
        offset: the points relative to their windows' middles, px, (n, 2).
        middles: as from `effective_centres`, (n, 2, 2); those that measure nothing have no row.
    """
    measure = np.isfinite(middles[:, :, 0]).any(axis=1)
    tracks, offset, middles = tracks[measure], offset[measure], middles[measure]
    made = np.zeros(len(tracks), WINDOWS_DTYPE)
    made["track"] = tracks
    for i, axis in enumerate("xy"):
        made[f"{axis}_right"], made[f"{axis}_down"] = (middles[:, i] - offset).T
    return made


def effective_centres(
    tiles: Array, window: int, direction: Array, *, parameters: int = 2, split: bool = False,
    noise: Array | None = None,
) -> Array:  # fmt: skip
    """Where windows measure, from their middles, px.

    Args:
        tiles: references with the same number of pixels, at least EDGE, on each side of the window, (n, h, h).
        window: side, px, odd.
        direction: the one direction that is measured, (n, 2) of x, y; (0, 0) where both are.
        parameters: what is fitted: 2 shifts, 3 and a turn, 6 and any deformation.
        split: whether each half of a window (`packing`) has a ground of its own.
        noise: variance of a reference's pixel, (n,), if the fit takes it off its normal matrix.

    Returns:
        (n, 2, 2): for x, y each the place; NaN along which nothing is measured.
    """
    parts = [slice(k, k + AT_ONCE) for k in range(0, len(tiles), AT_ONCE)]
    noise = np.zeros(len(tiles)) if noise is None else noise
    made = [_centres(tiles[part], window, direction[part], parameters, split, noise[part]) for part in parts]
    return np.concatenate(made) if made else np.zeros((0, 2, 2))


def _centres(tiles: Array, window: int, direction: Array, parameters: int, split: bool, noise: Array) -> Array:
    n, edge, area = len(tiles), (tiles.shape[1] - window) // 2, float(window * window)
    assert edge >= EDGE
    core = slice(edge, edge + window)
    light = tiles[:, core, core].astype(np.float64)
    light = light - (total(light) / area)[:, None, None]
    slopes = [_slope(tiles, edge, window, *step) for step in ((0, 1), (1, 0))]
    # One direction is measured (stripes), or both axes; of stripes the second column is 0.
    one = (direction[:, 0] != 0) | (direction[:, 1] != 0)
    first = np.where(one[:, None], direction, (1.0, 0.0))[:, :, None, None]
    along = [first[:, 0] * slopes[0] + first[:, 1] * slopes[1], np.where(one[:, None, None], 0.0, slopes[1])]
    place = (np.arange(window) - window // 2) / window
    x, y = place[None, :], place[:, None]
    ground = [halves(window), ~halves(window)] if split else [np.ones((window, window))]
    more: list[Array] = [along[1] * x - along[0] * y] if parameters == 3 else []
    more = [s * lever for s in along for lever in (x, y)] if parameters == 6 else more
    columns = [*along, light, *more, *(np.broadcast_to(g, light.shape) for g in ground)]
    normal = np.empty((n, len(columns), len(columns)))
    pairs = [(q, u) for q in range(len(columns)) for u in range(q, len(columns))]
    for (q, u), part in zip(pairs, _totals([columns[q] * columns[u] for q, u in pairs]), strict=True):
        normal[:, q, u] = normal[:, u, q] = part
    # The reference's noise makes its slopes' power too large; what is taken off leaves LEAST at least.
    for q, own in enumerate((SLOPE_NOISE, SLOPE_NOISE, 1.0)):
        normal[:, q, q] = np.maximum(normal[:, q, q] - noise * (area * own), LEAST * normal[:, q, q])
    # Columns have different units: scaled to a unit diagonal the matrix is inverted without losing digits.
    size = np.sqrt(np.maximum(np.einsum("nkk->nk", normal), 1e-300))
    solved = inverted(normal / (size[:, :, None] * size[:, None, :])) / (size[:, :, None] * size[:, None, :])
    found = np.full((n, 2, 2), np.nan)
    # The weights of the fit for one axis, times the slope along it: by how much each pixel's motion counts.
    for i in range(2):
        weights = np.zeros_like(light)
        for q, column in enumerate(columns):
            weights = weights + solved[:, i, q, None, None] * column
        answer = weights * along[i]
        whole, right, down = _totals([answer, answer * x, answer * y])
        at = window * np.stack((right, down), axis=1)
        # What noise leaves of faint texture may be anywhere: no place is better than a wrong one.
        good = (whole > 0.5) & (np.abs(at) <= 0.5 * window).all(axis=1)
        found[good, i] = at[good]
    # One direction is measured: both axes tell of that, each as much as it lies along it.
    found[one] = np.where(np.abs(direction[one, :, None]) > 1e-6, found[one, :1], np.nan)
    return found


def _totals(maps: list[Array]) -> Array:
    """Sums of several (n, rows, columns) at once, (maps, n): the same bits as one by one, in less time."""
    return total(np.concatenate(maps)).reshape(len(maps), -1)


def _slope(tiles: Array, edge: int, window: int, down: int, right: int) -> Array:
    def moved(k: int) -> Array:
        y, x = edge + down * k, edge + right * k
        return np.asarray(tiles[:, y : y + window, x : x + window], np.float64)

    made: Array = np.zeros(0)
    for k, weight in enumerate((SLOPE1, SLOPE2, SLOPE3), 1):
        term = (moved(k) - moved(-k)) * weight
        made = term if k == 1 else made + term
    return made
