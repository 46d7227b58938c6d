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

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host import centroid_loops as loops
from kernels.host import edge_fit
from kernels.host.bell_loops import BINS
from kernels.host.centroid_loops import SETTLED
from kernels.host.loops import address
from kernels.host.nearby import nearest_within
from kernels.host.windows import RING, STEPS, Blobs, Windows, settle, sums_of
from kernels.ir.table import FEATURE, TableType

Array = npt.NDArray[Any]

FEATURE_DTYPE = TableType(FEATURE, 1).numpy
ROUNDING = 1.0 / 12.0  # variance of whole gray values by their rounding
NEIGHBOURS = 8  # nearest neighbours whose light is taken out
ROUNDS = 4  # windows are cut anew at most so often
PLAIN = ("uint8", "int8", "uint16", "int16", "float32")  # exact in f32


def window_radius(sigma: float) -> int:
    """Half width of the window that is weighted, px: 3.3 sigma."""
    return max(2, round(3.3 * sigma))


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
    return centres_in(image[None], np.zeros(len(x), np.int64), x, y, sigma, grain)


def centres_in(
    images: Array, frame: Array, x: Array, y: Array, sigma: float, grain: float = 0.0, *, single: bool = False,
    dark: bool = False,
) -> Array:  # fmt: skip
    """The same in several frames at once; no blob depends on those of other frames.

    Args:
        images: (frames, height, width).
        frame: (n,) i64, the frame of each starting point.
        single: take the pixels as f32.
        dark: take the negative of the pixels, as f32.
    """
    start_x, start_y = np.array(x, np.float64), np.array(y, np.float64)
    n = len(start_x)
    rows = np.zeros(n, FEATURE_DTYPE)
    if n == 0:
        return rows
    sigma, radius = float(sigma), window_radius(sigma)
    blobs = Blobs(start_x.copy(), start_y.copy(), np.zeros(n), np.full(n, sigma), np.zeros(n), np.zeros(n))
    near = nearest_within(start_x, start_y, 2.0 * radius + RING, NEIGHBOURS, frame)
    work = _Work(images, np.ascontiguousarray(frame, np.int64), blobs, near, radius, sigma, single, dark)
    alone = near[:, 0] < 0
    todo, inside = np.ones(n, np.bool_), np.ones(n, np.bool_)
    cx, cy = np.rint(start_x).astype(np.int64), np.rint(start_y).astype(np.int64)
    recut = np.arange(n)
    for _ in range(ROUNDS):
        work.windows.move(recut, cx, cy)
        work.cut(recut)
        complete = work.windows.complete != 0
        easy = alone & complete
        work.settle(np.flatnonzero(todo & easy), False)
        work.settle(np.flatnonzero(todo & ~easy), True)
        work.fit(np.flatnonzero(todo & ~complete))
        near_start = (abs(blobs.x - start_x) <= radius) & (abs(blobs.y - start_y) <= radius)
        inside = np.where(todo, near_start, inside)  # who is not looked at again stays lost
        blobs.x, blobs.y = np.where(inside, blobs.x, start_x), np.where(inside, blobs.y, start_y)
        off = (abs(blobs.x - cx) > 0.75) | (abs(blobs.y - cy) > 0.75)
        recut = np.flatnonzero(off)
        if not len(recut):
            break
        cx = np.where(off, np.rint(blobs.x), cx).astype(np.int64)
        cy = np.where(off, np.rint(blobs.y), cy).astype(np.int64)
        todo = off | (off[near] & (near >= 0)).any(axis=1)
    rows["mass"], rows["peak"], sums = work.sums()
    _forecast(rows, blobs, sums, sigma, grain)
    lost = ~inside | ~(rows["mass"] > 0) | ~(blobs.amplitude > 0)
    rows["x"], rows["y"] = np.where(lost, start_x, blobs.x), np.where(lost, start_y, blobs.y)
    rows["sigma"][lost] = np.nan
    return rows


class _Work:
    """The steps on all blobs: compiled where that is possible, else in NumPy, with the same bits."""

    def __init__(self, images: Array, frame: Array, blobs: Blobs, near: Array, radius: int, sigma: float, single: bool,
                 dark: bool) -> None:  # fmt: skip
        self.images, self.frame, self.blobs, self.near = images, frame, blobs, np.ascontiguousarray(near, np.int64)
        self.sigma, self.single, self.dark = sigma, single, dark
        self.windows = windows = Windows(len(frame), radius)
        self._settle, self._measure = loops.settle.native(), loops.measure.native()
        self._cut = loops.cut.native(images.dtype) if images.dtype.name in PLAIN else None
        if self._settle is None or self._measure is None:
            return
        self._images = np.ascontiguousarray(images)
        down, across = np.nonzero(windows.ring)
        self._ring = down * windows.pitch + across
        # Sorting takes twice the ring's pixels and one, behind a window.
        self._buffer = np.zeros(3 * windows.size * windows.pitch + 8)
        self._rows, self._bins = np.zeros(16 * windows.pitch + 128), np.zeros(BINS + 1, np.int64)
        self._iota = np.arange(float(windows.pitch))
        self._lists, self._state = np.zeros((2, len(frame)), np.int64), np.zeros(4 * len(frame) + 4)

    def cut(self, which: Array) -> None:
        """Take the pixels of the windows `which`."""
        w = self.windows
        if self._cut is None:
            w.cut(self.images, self.frame, which, single=self.single, dark=self.dark)
            return
        height, width = self.images.shape[1:]
        self._cut(address(self._images), height, width, address(self.frame), address(w.left), address(w.top),
                  address(which), len(which), w.size, w.pitch, -1.0 if self.dark else 1.0, address(w.values),
                  address(w.valid), address(w.complete))  # fmt: skip

    def _common(self) -> list[int]:
        w, b = self.windows, self.blobs
        return [address(w.values), address(w.valid), address(w.complete), address(w.left), address(w.top),
                address(self.near), self.near.shape[1], address(b.x), address(b.y), address(b.amplitude),
                address(b.width), address(b.background), address(b.noise)]  # fmt: skip

    def settle(self, chosen: Array, crowded: bool) -> None:
        """Iterate the blobs `chosen`."""
        if not len(chosen):
            return
        if self._settle is None or self._measure is None:
            settle(self.windows, self.blobs, self.near, chosen, self.sigma, crowded)
            return
        w = self.windows
        self._lists[:] = 0
        self._settle(*self._common(), address(chosen), len(chosen), crowded, STEPS * (1 + crowded),
                     self.images.dtype.kind in "ui", address(self._ring), len(self._ring), self.sigma, w.size, w.pitch,
                     address(self._iota), address(self._lists[0]), address(self._lists[1]), address(self._state),
                     address(self._buffer), address(self._bins), address(self._rows))  # fmt: skip

    def fit(self, chosen: Array) -> None:
        """Fit the blobs `chosen`, whose windows lack pixels."""
        if not len(chosen):
            return
        native = edge_fit.fit_loop.native()
        if native is None or self._settle is None or self._measure is None:
            edge_fit.fit(self.windows, self.blobs, self.near, chosen, self.sigma)
            return
        w = self.windows
        steps = np.zeros((len(chosen), 5))
        common = self._common()
        native(*common[:2], *common[3:-1], address(chosen), len(chosen), edge_fit.FIT_STEPS, self.sigma,
               w.size, w.pitch,
               address(self._iota), address(self._buffer), address(self._rows), address(steps))  # fmt: skip

    def sums(self) -> tuple[Array, Array, Array]:
        """What `sums_of` gives."""
        if self._settle is None or self._measure is None:
            return sums_of(self.windows, self.blobs, self.near, self.sigma)
        n, w = len(self.frame), self.windows
        mass, peak, sums = np.zeros(n), np.zeros(n), np.zeros((n, 4))
        self._measure(*self._common(), n, address(self._ring), len(self._ring), self.sigma, w.size, w.pitch, RING,
                      address(self._iota), address(self._buffer), address(self._bins), address(self._rows),
                      address(mass), address(peak), address(sums))  # fmt: skip
        return mass, peak, sums


def _forecast(rows: Array, blobs: Blobs, sums: Array, sigma: float, grain: float) -> None:
    """Fill area, xx, yy and sigma."""
    rows["area"] = np.pi * 2.0 * np.log(2.0) * blobs.width**2
    rows["xx"] = rows["yy"] = blobs.width**2
    whole, total, sharp, odd = sums.T
    free = total**2 / np.maximum(sharp, 1e-300)  # pixels that matter; four of them are spent on the fit
    residual = 2.0 * odd / np.maximum(total, 1e-300) * free / np.maximum(free - 4.0, 1.0)
    half = np.maximum(0.5 * free - 2.0, 1.0)
    part = blobs.width**2 / (blobs.width**2 + sigma**2)
    light = blobs.amplitude * 2.0 * np.pi * sigma**2 * part * (1.0 - part)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Missing pixels take their share of the information with them.
        variance = _variance(np.maximum(blobs.noise, grain), residual, half)
        rows["sigma"] = np.maximum(np.sqrt(0.5 * variance / total) * whole / light, SETTLED)


def _variance(ring: Array, residual: Array, freedom: Array) -> Array:
    """Variance of a pixel from that of the ring and from the blob's own residuals, which know its shot noise.

    The residuals have few degrees of freedom. What is wanted is the mean of 1 / variance, so that errors in units of
    sigma have the variance 1: alone they would have to be raised by freedom / (freedom - 2), Student's t. The ring's
    variance counts as further degrees, the fewer, the more the residuals exceed it (shot noise).

    Args:
        ring: of the background, at least that of rounding.
        residual: of the odd part of the residuals, per degree of freedom.
        freedom: degrees of freedom of that.
    """
    excess = np.clip(residual / np.maximum(ring, 1e-300), 0.6, 1e3)
    more = np.maximum(0.5 * freedom, 10.0 - freedom) / (excess * excess * excess)
    every = more + freedom
    return np.asarray((more * ring + freedom * residual) / np.maximum(every - 2.0 * freedom / every, 0.6 * every))
