"""Sub-pixel centres of small blobs: the iterated Gaussian-weighted centroid, many at once, touching ones included.

At the fixed point of c <- c + gain * sum(w g (x - c)) / sum(w g), w = exp(-|x - c|^2 / (2 sigma^2)), the blob's
correlation with a Gaussian is largest: the maximum likelihood centre of a Gaussian blob in white noise, at a fraction
of a least-squares fit's cost (Thomas et al., MNRAS 371, 2006; Bernstein and Jarvis, Astron. J. 123, 2002). With the
blob's own width s, a step measures sigma^2 / (s^2 + sigma^2) of the true offset; `gain` is its inverse.

What would pull the centre is taken out first: the background (mean of the middle half of a ring), neighbours (their
Gaussian models, all blobs iterated together) and pixels outside the picture or NaN (the blob's own model stands
there, and a least-squares fit of the pixels that exist finishes the work).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.nearby import nearest_within
from kernels.ir.table import FEATURE, TableType

Array = npt.NDArray[Any]

FEATURE_DTYPE = TableType(FEATURE, 1).numpy
ROUNDING = 1.0 / 12.0  # variance of whole gray values by their rounding
RING = 2  # width of the background ring, px
NEIGHBOURS = 8  # nearest neighbours whose light is taken out
WIDTHS = (0.5, 2.0)  # range of a blob's width, in units of sigma
SETTLED = 2e-4  # px; a centre that moves less has arrived
FIT_STEPS = 12
_RING_STEPS = 4  # steps in which a crowded blob's ring is looked at again
ROUNDS, STEPS = 4, 12  # windows are cut anew at most ROUNDS times, with at most STEPS steps each


@dataclass(slots=True)
class _Blobs:
    """The state of the fit, an entry a blob: centre, amplitude, width (px), background, gain."""

    x: Array
    y: Array
    amplitude: Array
    width: Array
    background: Array


def window_radius(sigma: float) -> int:
    """Half width of the window that is weighted, px: 3.3 sigma."""
    return max(2, round(3.3 * sigma))


def ring_level(values: Array, valid: Array) -> tuple[Array, Array]:
    """Mean of the middle half of each row, and the variance of the row's values, both blind to outliers.

    Args:
        values: (n, m) float.
        valid: (n, m) bool: the entries that count.

    Returns:
        Level and variance, (n,): 0 where a row has no valid entry. The variance is that of a Gaussian with the same
        quartiles (half their distance is 0.6745 standard deviations).
    """
    count = valid.sum(axis=1)
    ordered = np.sort(np.where(valid, values, np.inf), axis=1)
    ordered = np.where(np.arange(values.shape[1]) < count[:, None], ordered, 0.0)
    low, high = count // 4, count - count // 4
    place = np.arange(values.shape[1])
    middle = (place >= low[:, None]) & (place < high[:, None])
    level = np.where(middle, ordered, 0.0).sum(axis=1) / np.maximum(high - low, 1)
    rows = np.arange(len(values))
    last = np.maximum(count - 1, 0)
    spread = ordered[rows, np.minimum(high, last)] - ordered[rows, np.minimum(low, last)]
    return level, (spread / 1.349) ** 2


def gaussian_centres(image: Array, x: Array, y: Array, sigma: float, grain: float = 0.0) -> Array:
    """Refine the centres of blobs that are brighter than their surroundings.

    Args:
        image: (height, width), any real type; brightness.
        x, y: (n,) starting points, px, within about 1.5 sigma of the blobs' centres.
        sigma: standard deviation of the weights, px; best the blobs' own.
        grain: variance of a pixel at least, for the forecast (`ROUNDING` for whole gray values).

    Returns:
        Rows of `FEATURE`, one a starting point, in the same order. mass is the sum over the window, peak its largest
        pixel, both above the background; area is that of the half maximum, pi (2 ln 2) width^2; xx = yy is the
        blob's width squared and xy = 0; sigma comes from the scatter of the ring and of the odd part of the
        residuals, at least SETTLED. A blob without light, or one that wanders off by more than the window's radius,
        keeps its start and has sigma = NaN.
    """
    start_x, start_y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    n = len(start_x)
    rows = np.zeros(n, FEATURE_DTYPE)
    if n == 0:
        return rows
    blobs = _Blobs(start_x.copy(), start_y.copy(), np.zeros(n), np.full(n, sigma), np.zeros(n))
    radius = window_radius(sigma)
    near = nearest_within(start_x, start_y, 2.0 * radius + RING, NEIGHBOURS)
    alone = near[:, 0] < 0
    todo = np.ones(n, np.bool_)
    cx, cy = np.rint(start_x).astype(np.int64), np.rint(start_y).astype(np.int64)
    for _ in range(ROUNDS):
        patch = _Patches(image, cx, cy, radius)
        easy = alone & patch.complete
        for chosen in (np.flatnonzero(todo & easy), np.flatnonzero(todo & ~easy)):
            _settle(patch, blobs, near, chosen, sigma)
        _fit(patch, blobs, near, np.flatnonzero(todo & ~patch.complete), sigma)
        inside = (abs(blobs.x - start_x) <= radius) & (abs(blobs.y - start_y) <= radius)
        blobs.x, blobs.y = np.where(inside, blobs.x, start_x), np.where(inside, blobs.y, start_y)
        off = (abs(blobs.x - cx) > 0.75) | (abs(blobs.y - cy) > 0.75)
        if not off.any():
            break
        cx = np.where(off, np.rint(blobs.x), cx).astype(np.int64)
        cy = np.where(off, np.rint(blobs.y), cy).astype(np.int64)
        todo = off | (off[near] & (near >= 0)).any(axis=1)
    _measure(rows, patch, blobs, near, sigma, grain)
    lost = ~inside | ~(rows["mass"] > 0) | ~(blobs.amplitude > 0)
    rows["x"], rows["y"] = np.where(lost, start_x, blobs.x), np.where(lost, start_y, blobs.y)
    rows["sigma"][lost] = np.nan
    return rows


class _Patches:
    """Square windows around whole-number centres: pixel values, which of them exist, and the ring."""

    def __init__(self, image: Array, cx: Array, cy: Array, radius: int) -> None:
        reach = np.arange(-radius - RING, radius + RING + 1)
        self.columns, self.rows = cx[:, None] + reach, cy[:, None] + reach
        height, width = image.shape
        in_x = (self.columns >= 0) & (self.columns < width)
        in_y = (self.rows >= 0) & (self.rows < height)
        self.valid = in_y[:, :, None] & in_x[:, None, :]
        y, x = np.clip(self.rows, 0, height - 1), np.clip(self.columns, 0, width - 1)
        self.values = image[y[:, :, None], x[:, None, :]].astype(np.float64)
        if image.dtype.kind == "f":  # a pixel that is no number is as good as outside
            finite = np.isfinite(self.values)
            self.valid, self.values = self.valid & finite, np.where(finite, self.values, 0.0)
        self.complete = self.valid.all(axis=(1, 2))
        outer = abs(reach) > radius
        self.ring = outer[:, None] | outer[None, :]

    def model(self, blobs: _Blobs, chosen: Array) -> Array:
        """The blobs' own Gaussians on the pixels of their windows."""
        scale = 0.5 / blobs.width[chosen] ** 2
        across = np.exp(-scale[:, None] * (self.columns[chosen] - blobs.x[chosen][:, None]) ** 2)
        down = np.exp(-scale[:, None] * (self.rows[chosen] - blobs.y[chosen][:, None]) ** 2)
        return (blobs.amplitude[chosen][:, None] * down)[:, :, None] * across[:, None, :]

    def cleaned(self, blobs: _Blobs, near: Array, chosen: Array) -> Array:
        """Pixel values without the neighbours' light."""
        around = near[chosen]
        if not (around[:, 0] >= 0).any():
            return np.asarray(self.values[chosen])
        scale = 0.5 / blobs.width[around] ** 2
        height = np.where(around >= 0, blobs.amplitude[around], 0.0)
        dx = self.columns[chosen][:, None, :] - blobs.x[around][:, :, None]
        dy = self.rows[chosen][:, None, :] - blobs.y[around][:, :, None]
        across = np.exp(-scale[:, :, None] * dx * dx)
        down = height[:, :, None] * np.exp(-scale[:, :, None] * dy * dy)
        return np.asarray(self.values[chosen] - down.transpose(0, 2, 1) @ across)

    def levels(self, values: Array, chosen: Array) -> tuple[Array, Array]:
        """Background and its variance from the ring; the darkest pixel of the window where no ring is."""
        valid = self.valid[chosen]
        level, variance = ring_level(values[:, self.ring], valid[:, self.ring])
        bare = ~valid[:, self.ring].any(axis=1)
        if bare.any():
            level[bare] = np.where(valid[bare], values[bare], np.inf).min(axis=(1, 2))
        return level, variance


def _moments(values: Array, dx: Array, dy: Array, sigma: float) -> tuple[Array, Array, Array, Array]:
    """Weighted sum, mean offsets in x and y, and mean variance of windows; dx, dy are offsets from the centres."""
    wx, wy = np.exp(-0.5 * (dx / sigma) ** 2), np.exp(-0.5 * (dy / sigma) ** 2)
    across = values @ np.stack((wx, wx * dx, wx * dx * dx), axis=2)
    both = np.stack((wy, wy * dy, wy * dy * dy), axis=1) @ across
    total = both[:, 0, 0]
    safe = np.where(total > 0, total, 1.0)
    mx, my = both[:, 0, 1] / safe, both[:, 1, 0] / safe
    variance = 0.5 * ((both[:, 0, 2] + both[:, 2, 0]) / safe - mx * mx - my * my)
    return total, mx, my, variance


def _settle(patch: _Patches, blobs: _Blobs, near: Array, chosen: Array, sigma: float) -> None:
    """Iterate the blobs `chosen` to their fixed point, in place."""
    crowded = bool(len(chosen)) and bool((near[chosen, 0] >= 0).any() or not patch.complete[chosen].all())
    active = chosen
    moving = np.zeros(len(blobs.x) + 1, np.bool_)  # the last entry stands for "no neighbour" (-1)
    values = patch.values[active]
    for step in range(STEPS * 2 if crowded else STEPS):
        if not len(active):
            return
        if crowded:
            values = patch.cleaned(blobs, near, active)
        if step == 0 or (crowded and step < _RING_STEPS):
            blobs.background[active], _ = patch.levels(values, active)
        clear = values - blobs.background[active][:, None, None]
        holes = np.flatnonzero(~patch.complete[active]) if crowded else active[:0]
        if len(holes):
            model = patch.model(blobs, active[holes])
            clear[holes] = np.where(patch.valid[active[holes]], clear[holes], model)
        dx = patch.columns[active] - blobs.x[active][:, None]
        dy = patch.rows[active] - blobs.y[active][:, None]
        total, mx, my, variance = _moments(clear, dx, dy, sigma)
        low, high = (1.0 / (1.0 + f**-2) for f in WIDTHS)
        part = np.clip(variance / sigma**2, low, high)  # s^2 / (s^2 + sigma^2)
        limit, lit = 0.5 * sigma, total > 0
        step_x, step_y = np.clip(mx / (1.0 - part), -limit, limit), np.clip(my / (1.0 - part), -limit, limit)
        blobs.width[active] = np.where(lit, sigma * np.sqrt(part / (1.0 - part)), sigma)
        blobs.amplitude[active] = np.where(lit, total, 0.0) / (2.0 * np.pi * sigma**2 * part)
        blobs.x[active] += np.where(lit, step_x, 0.0)
        blobs.y[active] += np.where(lit, step_y, 0.0)
        moving[active] = lit & ((abs(step_x) > SETTLED) | (abs(step_y) > SETTLED))
        if not crowded:
            values, active = values[moving[active]], active[moving[active]]
        elif step >= _RING_STEPS:
            active = chosen[moving[chosen] | moving[near[chosen]].any(axis=1)]


def _fit(patch: _Patches, blobs: _Blobs, near: Array, chosen: Array, sigma: float) -> None:
    """Least-squares fit of centre, amplitude, width and background (Levenberg) for windows with missing pixels.

    There the weighted centroid, whose missing pixels the model fills, creeps towards the same place.
    """
    for _ in range(FIT_STEPS if len(chosen) else 0):
        dx = (patch.columns[chosen] - blobs.x[chosen][:, None])[:, None, :]
        dy = (patch.rows[chosen] - blobs.y[chosen][:, None])[:, :, None]
        height, width = blobs.amplitude[chosen][:, None, None], blobs.width[chosen][:, None, None]
        shape = np.exp(-0.5 * (dx * dx + dy * dy) / width**2)
        slope = height * shape / width**2
        valid = patch.valid[chosen]
        columns = (slope * dx, slope * dy, shape, slope * (dx * dx + dy * dy) / width, np.ones_like(shape))
        design = np.stack([np.where(valid, c, 0.0).reshape(len(chosen), -1) for c in columns], axis=2)
        rest = patch.cleaned(blobs, near, chosen) - height * shape - blobs.background[chosen][:, None, None]
        rest = np.where(valid, rest, 0.0).reshape(len(chosen), -1, 1)
        across = design.transpose(0, 2, 1)
        normal = across @ design
        diagonal = np.arange(5)
        damping = 0.01 * normal[:, diagonal, diagonal]
        normal[:, diagonal, diagonal] += damping + 1e-9 * damping.max(axis=1, keepdims=True) + 1e-30
        step = np.linalg.solve(normal, across @ rest)[:, :, 0]
        limit = 0.5 * sigma
        blobs.x[chosen] += np.clip(step[:, 0], -limit, limit)
        blobs.y[chosen] += np.clip(step[:, 1], -limit, limit)
        blobs.amplitude[chosen] = np.maximum(blobs.amplitude[chosen] + step[:, 2], 0.0)
        blobs.width[chosen] = np.clip(blobs.width[chosen] + step[:, 3], sigma * WIDTHS[0], sigma * WIDTHS[1])
        blobs.background[chosen] += step[:, 4]


def _measure(rows: Array, patch: _Patches, blobs: _Blobs, near: Array, sigma: float, grain: float) -> None:
    """Fill all columns but x and y."""
    everyone = np.arange(len(rows))
    values = patch.cleaned(blobs, near, everyone)
    background, noise = patch.levels(values, everyone)
    own = patch.model(blobs, everyone)
    clear = np.where(patch.valid, values - background[:, None, None], own)
    window = np.where(patch.ring, 0.0, clear)
    rows["mass"], rows["peak"] = window.sum(axis=(1, 2)), window.max(axis=(1, 2))
    rows["area"] = np.pi * 2.0 * np.log(2.0) * blobs.width**2
    rows["xx"] = rows["yy"] = blobs.width**2
    dx, dy = patch.columns - blobs.x[:, None], patch.rows - blobs.y[:, None]
    weight = np.exp(-0.5 * (dy / sigma) ** 2)[:, :, None] * np.exp(-0.5 * (dx / sigma) ** 2)[:, None, :]
    lever = weight**2 * (dx[:, None, :] ** 2 + dy[:, :, None] ** 2)
    whole = lever.sum(axis=(1, 2))
    lever = lever * patch.valid
    total, sharp = lever.sum(axis=(1, 2)), (lever * lever).sum(axis=(1, 2))
    free = total**2 / np.maximum(sharp, 1e-300)  # pixels that matter; four of them are spent on the fit
    odd = _odd_part(clear - own, patch, blobs)
    residual = 2.0 * (lever * odd**2).sum(axis=(1, 2)) / np.maximum(total, 1e-300) * free / np.maximum(free - 4.0, 1.0)
    part = blobs.width**2 / (blobs.width**2 + sigma**2)
    light = blobs.amplitude * 2.0 * np.pi * sigma**2 * part * (1.0 - part)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Missing pixels take their share of the information with them.
        variance = np.maximum(np.maximum(noise, grain), residual)
        rows["sigma"] = np.maximum(np.sqrt(0.5 * variance / total) * whole / light, SETTLED)


def _odd_part(residual: Array, patch: _Patches, blobs: _Blobs) -> Array:
    """What changes sign when the windows are mirrored at the blobs' centres (to half a pixel).

    Only this part moves a centre. A blob that is no Gaussian but symmetric leaves an even residual, which is no noise.
    """
    size = residual.shape[1]
    place = np.arange(size)
    columns = np.rint(2.0 * (blobs.x - patch.columns[:, 0])).astype(np.int64)[:, None] - place
    rows = np.rint(2.0 * (blobs.y - patch.rows[:, 0])).astype(np.int64)[:, None] - place
    inside = ((rows >= 0) & (rows < size))[:, :, None] & ((columns >= 0) & (columns < size))[:, None, :]
    n = np.arange(len(residual))[:, None, None]
    other = residual[n, np.clip(rows, 0, size - 1)[:, :, None], np.clip(columns, 0, size - 1)[:, None, :]]
    return np.where(inside, 0.5 * (residual - other), 0.0)
