"""Where points of one picture are in another: from coarse to fine, and back again.

Coarse-to-fine Lucas-Kanade (Bouguet: Pyramidal Implementation of the Lucas Kanade Feature Tracker, 1999) with the
windows of `pipelines.trackers.registration.warp.fit`, or OpenCV's. A point must come back to where it started when it
is followed backward (Kalal, Mikolajczyk, Matas: Forward-Backward Error, ICPR 2010).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2
from pipelines.trackers.registration.warp.fit import Layout, References, fitted, prepare
from pipelines.trackers.registration.windows.taps import EDGE
from pipelines.trackers.registration.windows.windows import sampled

Array = npt.NDArray[Any]

BILINEAR = 0.016  # px: the systematic error of one step of OpenCV's tracker (fine texture)
FAR = 6.0  # px that a window may move at one level
PLAUSIBLE = 0.3  # correlation below which a coarse level's word is not taken


@dataclass(frozen=True, slots=True)
class Found:
    """Where n points went.

    Args:
        x, y: px.
        ok: False where a window has too little texture.
        there: whether the way forward came to an end.
        error: how far from its start a point ends that is followed back, px; infinite where that failed.
        variance: of x and of y, px^2.
    """

    x: Array
    y: Array
    ok: Array
    there: Array
    error: Array
    variance: Array

    def only(self, which: Array) -> Found:
        """Some of the points."""
        return Found(self.x[which], self.y[which], self.ok[which], self.there[which], self.error[which],
                     self.variance[which])  # fmt: skip


def pyramid(picture: Array, levels: int, least: int) -> list[Array]:
    """The picture and halves of it (5 x 5 binomial), none smaller than `least` px."""
    made = [picture]
    kind = picture.dtype if picture.dtype.name in ("uint8", "uint16", "int16", "float32") else np.dtype(np.float64)
    for _ in range(levels):
        # pyrDown takes these types and f64.
        below = made[-1]
        if min(below.shape) < 2 * least:
            break
        made.append(np.ascontiguousarray(cv2.pyrDown(below.astype(kind, copy=False))))
    return made


def search(before: list[Array], after: list[Array], x: Array, y: Array, gx: Array, gy: Array, w: int) -> Found:
    """Follow points forward and backward.

    Args:
        before, after: pyramids, finest first.
        x, y: points in the first, px.
        gx, gy: guesses of where they are in the second.
        w: side of the window, px, odd.
    """
    nx, ny, there, lit, variance = _one_way(before, after, x, y, gx, gy, w)
    # The way back begins as far off as the way there did, so that both have the same chance to err.
    bx, by, back, _, _ = _one_way(after, before, nx, ny, nx + x - gx, ny + y - gy, w)
    return Found(nx, ny, lit, there, np.where(there & back, np.hypot(bx - x, by - y), np.inf), variance)


def returned(before: Array, after: Array, x: Array, y: Array, nx: Array, ny: Array, w: int) -> Array:
    """Forward-backward error of points (x, y) that were found at (nx, ny), without a pyramid, px."""
    bx, by, ok, _, _ = _one_way([after], [before], nx, ny, x, y, w)
    return np.where(ok, np.hypot(bx - x, by - y), np.inf)


def _one_way(
    before: list[Array], after: list[Array], x: Array, y: Array, gx: Array, gy: Array, w: int
) -> tuple[Array, Array, Array, Array, Array]:
    """Places, whether they were found, whether there is texture in both pictures, and variances."""
    n, layout = len(x), Layout.of(w, 2)
    slots, ref = np.arange(n), References(layout, n)
    dx, dy = gx - x, gy - y
    # From coarse to fine: each level begins with what the one above has found, and only the finest one's word is taken
    # whatever its score (later code judges it).
    for level in reversed(range(min(len(before), len(after)))):
        s = float(1 << level)
        tiles = sampled(before[level], x / s, y / s, w + 2 * EDGE, layout.across)
        prepare(ref, tiles, slots)
        fit = fitted(after[level], ref, slots, (x + dx) / s, (y + dy) / s, FAR, steps=20)
        good = (fit.converged != 0) & ((fit.score > PLAUSIBLE) | (level == 0))
        dx, dy = np.where(good, fit.x * s - x, dx), np.where(good, fit.y * s - y, dy)
    spread = 0.5 * (ref.inverse[:, 0, 0] + ref.inverse[:, 1, 1])
    variance = np.maximum(fit.rest, 0.0) / max(w * w - 4, 1) * spread
    return x + dx, y + dy, good, (ref.textured != 0) & (fit.score != 0.0), variance


def flow(before: Array, after: Array, x: Array, y: Array, gx: Array, gy: Array, w: int, levels: int) -> Found:
    """As `search`, with OpenCV's tracker on pictures of 8 bits."""
    start, guess = np.stack((x, y), axis=1), np.stack((gx, gy), axis=1)
    there, ok = _opencv(before, after, start, guess, w, levels)
    back, ok_back = _opencv(after, before, there, there + start - guess, w, levels)
    error = np.hypot(*(back - start).T)
    ok = ok & ok_back & np.isfinite(there).all(axis=1)
    there = np.where(ok[:, None], there, start)
    # The interpolation's error, and what the way back betrays.
    return Found(there[:, 0].copy(), there[:, 1].copy(), ok, ok, error, BILINEAR**2 + 0.25 * error**2)


def _opencv(before: Array, after: Array, start: Array, guess: Array, w: int, levels: int) -> tuple[Array, Array]:
    moved, status, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        start.astype(np.float32),
        guess.astype(np.float32),
        winSize=(w, w),
        maxLevel=levels,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.005),
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.asarray(moved, np.float64).reshape(-1, 2), np.asarray(status).ravel() == 1
