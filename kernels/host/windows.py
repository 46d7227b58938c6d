"""Windows around blobs, and what the iterated Gaussian-weighted centroid does to them: NumPy, the meaning of
`kernels.host.centroid_loops`.

Sums run down each column, then over the columns, one after the other, and the exponential is made of arithmetic, so
that every machine, and compiled code, gives the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host import bell_loops as b
from kernels.host.centroid_loops import HIGH_PART, LOW_PART, RING_STEPS, SETTLED, TWO_PI

Array = npt.NDArray[Any]

RING = 2  # width of the background ring, px
STEPS = 12  # of a blob that stands alone; a crowded one takes twice as many


@dataclass(slots=True)
class Blobs:
    """The state of the fit, an entry a blob: centre, amplitude, width (px), background, its variance."""

    x: Array
    y: Array
    amplitude: Array
    width: Array
    background: Array
    noise: Array


class Windows:
    """Square windows around whole-number centres.

    Args:
        count: of blobs.
        radius: px from the centre that are no ring.

    Attributes:
        left, top: the windows' first pixels, i64 (n,).
        values, valid: (n, size, pitch), f64 and u8; values are 0 where a pixel does not exist or is no number.
        complete: u8 (n,): whether all do.
        ring: (size, size), which pixels are the ring.
    """

    def __init__(self, count: int, radius: int) -> None:
        self.half = radius + RING
        self.size = 2 * self.half + 1
        self.pitch = -(-self.size // 8) * 8
        self.left, self.top = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.values = np.zeros((count, self.size, self.pitch))
        self.valid = np.zeros((count, self.size, self.pitch), np.uint8)
        self.complete = np.zeros(count, np.uint8)
        outer = abs(np.arange(-self.half, self.half + 1)) > radius
        self.ring = outer[:, None] | outer[None, :]

    @property
    def columns(self) -> Array:
        """x of each column, (n, size)."""
        return self.left[:, None] + np.arange(self.size)

    @property
    def rows(self) -> Array:
        """y of each row, (n, size)."""
        return self.top[:, None] + np.arange(self.size)

    def move(self, which: Array, cx: Array, cy: Array) -> None:
        """Put the windows `which` around other centres; their pixels are to be cut again."""
        self.left[which], self.top[which] = cx[which] - self.half, cy[which] - self.half

    def there(self, chosen: Array) -> Array:
        """Which pixels of the windows exist, bool (m, size, size)."""
        return np.asarray(self.valid[chosen, :, : self.size] != 0)

    def cut(self, images: Array, frame: Array, which: Array, *, single: bool, dark: bool) -> None:
        """Take the pixels of the windows `which` from the frames; `single` rounds them to f32, `dark` negates them."""
        height, width = images.shape[1:]
        x, y = self.columns[which], self.rows[which]
        valid = ((y >= 0) & (y < height))[:, :, None] & ((x >= 0) & (x < width))[:, None, :]
        rows, columns = np.clip(y, 0, height - 1)[:, :, None], np.clip(x, 0, width - 1)[:, None, :]
        pixels = images[frame[which][:, None, None], rows, columns]
        values = pixels.astype(np.float32 if single or dark else np.float64).astype(np.float64)
        if dark:
            np.negative(values, out=values)
        valid &= np.isfinite(values)  # a pixel that is no number is as good as outside
        self.values[which, :, : self.size] = np.where(valid, values, 0.0)
        self.valid[which, :, : self.size] = valid
        self.complete[which] = valid.all(axis=(1, 2))

    def bells(self, x: Array, y: Array, scale: Array, chosen: Array) -> tuple[Array, Array]:
        """exp(-scale d^2) along the columns and the rows of windows, for centres x, y."""
        dx, dy = self.columns[chosen] - x[:, None], self.rows[chosen] - y[:, None]
        return exponential(-(scale[:, None] * (dx * dx))), exponential(-(scale[:, None] * (dy * dy)))

    def model(self, blobs: Blobs, chosen: Array) -> Array:
        """The blobs' own Gaussians on the pixels of their windows."""
        width = blobs.width[chosen]
        across, down = self.bells(blobs.x[chosen], blobs.y[chosen], 0.5 / (width * width), chosen)
        return (blobs.amplitude[chosen][:, None] * down)[:, :, None] * across[:, None, :]

    def cleaned(self, blobs: Blobs, near: Array, chosen: Array) -> Array:
        """Pixel values without the neighbours' light."""
        light = np.zeros((len(chosen), self.size, self.size))
        for j in near[chosen].T:
            width = blobs.width[j]
            across, down = self.bells(blobs.x[j], blobs.y[j], 0.5 / (width * width), chosen)
            height = np.where(j >= 0, blobs.amplitude[j], 0.0)
            light += (height[:, None] * down)[:, :, None] * across[:, None, :]
        return np.asarray(self.values[chosen, :, : self.size] - light)

    def levels(self, values: Array, chosen: Array) -> tuple[Array, Array]:
        """Background and its variance from the ring; the darkest pixel of the window where no ring is."""
        valid = self.there(chosen)
        level, variance = ring_level(values[:, self.ring], valid[:, self.ring])
        bare = ~valid[:, self.ring].any(axis=1)
        if bare.any():
            level[bare] = np.where(valid[bare], values[bare], 1e308).min(axis=(1, 2))
        return level, variance


def exponential(t: Array) -> Array:
    """e to the power of t <= 0, within two units in the last place; below -700 that of -700.

    Two parts of ln 2 (Cody and Waite) take t into -0.35..0.35, where the series up to the 13th power serves.
    """
    t = np.where(t > b.LEAST, t, b.LEAST)
    k = np.rint(t * b.LOG2E)
    r = t - k * b.LN2_HIGH - k * b.LN2_LOW
    p = (((((r * b.E13 + b.E12) * r + b.E11) * r + b.E10) * r + b.E9) * r + b.E8) * r + b.E7
    p = ((((((p * r + b.E6) * r + b.E5) * r + b.E4) * r + b.E3) * r + 0.5) * r + 1.0) * r + 1.0
    return np.asarray(p * ((k.astype(np.int64) + 1023) << 52).view(np.float64))


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
    level = _sum(np.where(middle, ordered, 0.0), 1) / np.maximum(high - low, 1)
    rows = np.arange(len(values))
    last = np.maximum(count - 1, 0)
    spread = (ordered[rows, np.minimum(high, last)] - ordered[rows, np.minimum(low, last)]) / 1.349
    return level, spread * spread


def settle(windows: Windows, blobs: Blobs, near: Array, chosen: Array, sigma: float, crowded: bool) -> None:
    """Iterate the blobs `chosen` to their fixed point, in place.

    Args:
        near: (n, k) neighbours, -1 for none.
        crowded: whether some have neighbours or missing pixels; all take their steps together then.
    """
    active = chosen
    moving = np.zeros(len(blobs.x) + 1, np.bool_)  # the last entry stands for "no neighbour" (-1)
    for step in range(STEPS * 2 if crowded else STEPS):
        if not len(active):
            return
        values = windows.cleaned(blobs, near, active) if crowded else windows.values[active, :, : windows.size]
        if step == 0 or (crowded and step < RING_STEPS):
            blobs.background[active], blobs.noise[active] = windows.levels(values, active)
        _step(windows, blobs, active, values, sigma, moving)
        if not crowded:
            active = active[moving[active]]
        elif step >= RING_STEPS:
            active = chosen[moving[chosen] | moving[near[chosen]].any(axis=1)]


def _step(windows: Windows, blobs: Blobs, active: Array, values: Array, sigma: float, moving: Array) -> None:
    x, y = blobs.x[active], blobs.y[active]
    window = values - blobs.background[active][:, None, None]
    holes = np.flatnonzero(windows.complete[active] == 0)
    if len(holes):
        model = windows.model(blobs, active[holes])
        window[holes] = np.where(windows.there(active[holes]), window[holes], model)
    dx, dy = windows.columns[active] - x[:, None], windows.rows[active] - y[:, None]
    wx, wy = windows.bells(x, y, np.full(len(active), 0.5 / (sigma * sigma)), active)
    s0, s1, s2 = (_sum(window * w[:, :, None], 1) for w in (wy, wy * dy, wy * dy * dy))
    total, ax, axx = _sum(s0 * wx, 1), _sum(s0 * (wx * dx), 1), _sum(s0 * (wx * dx * dx), 1)
    ay, ayy = _sum(s1 * wx, 1), _sum(s2 * wx, 1)
    lit = total > 0
    safe = np.where(lit, total, 1.0)
    mx, my = ax / safe, ay / safe
    variance = 0.5 * ((axx + ayy) / safe - mx * mx - my * my)
    part = np.clip(variance / (sigma * sigma), LOW_PART, HIGH_PART)  # s^2 / (s^2 + sigma^2)
    limit = 0.5 * sigma
    step_x, step_y = np.clip(mx / (1.0 - part), -limit, limit), np.clip(my / (1.0 - part), -limit, limit)
    blobs.width[active] = np.where(lit, sigma * np.sqrt(part / (1.0 - part)), sigma)
    blobs.amplitude[active] = np.where(lit, total, 0.0) / (TWO_PI * (sigma * sigma) * part)
    blobs.x[active] = x + np.where(lit, step_x, 0.0)
    blobs.y[active] = y + np.where(lit, step_y, 0.0)
    moving[active] = lit & ((abs(step_x) > SETTLED) | (abs(step_y) > SETTLED))


def sums_of(windows: Windows, blobs: Blobs, near: Array, sigma: float) -> tuple[Array, Array, Array]:
    """Mass, peak and (n, 4) sums of all windows; books the background and its variance.

    The sums are those of the lever (w^2 (dx^2 + dy^2)) of all pixels, of those that exist, of its square, and of the
    lever times the squared odd part of the residuals.
    """
    everyone = np.arange(len(blobs.x))
    values = windows.cleaned(blobs, near, everyone)
    blobs.background[:], blobs.noise[:] = windows.levels(values, everyone)
    own, valid = windows.model(blobs, everyone), windows.there(everyone)
    clear = np.where(valid, values - blobs.background[:, None, None], own)
    inner = clear[:, RING:-RING, RING:-RING]
    mass, peak = total_of(inner), np.maximum(inner.max(axis=(1, 2)), 0.0)
    dx, dy = windows.columns - blobs.x[:, None], windows.rows - blobs.y[:, None]
    wx, wy = windows.bells(blobs.x, blobs.y, np.full(len(everyone), 0.5 / (sigma * sigma)), everyone)
    weight = wy[:, :, None] * wx[:, None, :]
    lever = weight * weight * ((dx * dx)[:, None, :] + (dy * dy)[:, :, None])
    whole = total_of(lever)
    lever = np.where(valid, lever, 0.0)
    odd = _odd_part(clear - own, windows, blobs)
    sums = (whole, total_of(lever), total_of(lever * lever), total_of(lever * (odd * odd)))
    return mass, peak, np.stack(sums, axis=1)


def _odd_part(residual: Array, windows: Windows, blobs: Blobs) -> Array:
    """What changes sign when the windows are mirrored at the blobs' centres (to half a pixel).

    Only this part moves a centre. A blob that is no Gaussian but symmetric leaves an even residual, which is no noise.
    """
    size = windows.size
    place = np.arange(size)
    columns = np.rint(2.0 * (blobs.x - windows.left)).astype(np.int64)[:, None] - place
    rows = np.rint(2.0 * (blobs.y - windows.top)).astype(np.int64)[:, None] - place
    inside = ((rows >= 0) & (rows < size))[:, :, None] & ((columns >= 0) & (columns < size))[:, None, :]
    n = np.arange(len(residual))[:, None, None]
    other = residual[n, np.clip(rows, 0, size - 1)[:, :, None], np.clip(columns, 0, size - 1)[:, None, :]]
    return np.where(inside, 0.5 * (residual - other), 0.0)


def _sum(values: Array, axis: int) -> Array:
    """The sum along an axis, one after the other (`np.sum` adds in an order of its own)."""
    last = np.take(np.cumsum(values, axis=axis), -1, axis=axis)
    return np.asarray(last + 0.0)  # never -0


def total_of(windows: Array) -> Array:
    """The sum of each window: down the columns, then over them."""
    return _sum(_sum(windows, 1), 1)
