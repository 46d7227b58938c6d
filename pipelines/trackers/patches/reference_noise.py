"""What the noise of a reference does to how its window answers (`patches.response`), and how noise is correlated.

Slopes of a noisy reference look steeper than they are, and motions smaller, by their noise's share of their power
(errors in variables; Fuller: Measurement Error Models, 1987). That share is taken off the normal matrices, and off what
a reference answers to itself, for a frame does not have the reference's noise.

Filters before a tracker, and the compression of videos, correlate noise from pixel to pixel. Variances of what is
linear in the pixels follow from its autocorrelation, which is seen in what is left of a frame beside the reference.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.patches.subpixel import MARGIN, coefficients, gradient, shifted

Array = npt.NDArray[Any]

MOST = 0.5  # of a slope's power is taken for noise
FAR = 3  # px over which noise is correlated at most (a 0.7 px Gaussian's is over 2)
SIDE = 2 * FAR + 1
ROUNDS = 3
REACH = 8  # px around a pixel in which its spline is looked at


def white(count: int) -> Array:
    """The autocorrelation of white noise, (count, SIDE, SIDE)."""
    made = np.zeros((count, SIDE, SIDE))
    made[:, FAR, FAR] = 1.0
    return made


def autocovariance(tiles: Array, windows: Array) -> Array:
    """That of what is left of windows beside their references: light, shifts and what is of second order taken off.

    Args:
        tiles: references, (n, w + 2 MARGIN, w + 2 MARGIN).
        windows: the frame's pixels, within a pixel of where the references are, (n, w, w).

    Returns:
        (n, SIDE, SIDE), symmetrical.
    """
    n, w, _ = windows.shape

    def part(dx: int, dy: int) -> Array:
        return tiles[:, MARGIN + dy : MARGIN + dy + w, MARGIN + dx : MARGIN + dx + w]

    f, one = part(0, 0), np.ones((n, w, w))
    xy = part(1, 1) - part(1, -1) - part(-1, 1) + part(-1, -1)
    seen = (one, f, part(1, 0) - part(-1, 0), part(0, 1) - part(0, -1), part(1, 0) - 2 * f + part(-1, 0),
            part(0, 1) - 2 * f + part(0, -1), xy)  # fmt: skip
    design = np.stack(seen, axis=-1).reshape(n, w * w, len(seen))
    flat = windows.reshape(n, w * w, 1).astype(np.float64)
    turned = design.transpose(0, 2, 1)
    found = np.linalg.pinv(turned @ design, hermitian=True) @ (turned @ flat)
    left = (flat - design @ found).reshape(n, w, w)
    made = np.zeros((n, SIDE, SIDE))
    for dy in range(FAR + 1):
        for dx in range(-FAR if dy else 0, FAR + 1):
            ahead = left[:, dy:, max(dx, 0) : w - max(-dx, 0)]
            behind = left[:, : w - dy, max(-dx, 0) : w - max(dx, 0)]
            made[:, FAR + dy, FAR + dx] = np.einsum("nij,nij->n", ahead, behind) / ((w - dy) * (w - abs(dx)))
            made[:, FAR - dy, FAR - dx] = made[:, FAR + dy, FAR + dx]
    return _of_frames(made, found[:, :, 0])


def _of_frames(seen: Array, found: Array) -> Array:
    """The frames' autocovariance from that of g - t * f, where the stencil t brings the noisy reference f to g.

    It is c + c * (t * t), of which the second part is taken off in three rounds: t * t is near a multiple of 1.
    """
    f, x, y, xx, yy, xy = found[:, 1:].T
    stencil = np.zeros((len(seen), 1, 3, 3))
    stencil[:, 0, 1, 1] = f - 2 * xx - 2 * yy
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dx or dy:
                along = dx * x + xx if dy == 0 else dy * y + yy if dx == 0 else dx * dy * xy
                stencil[:, 0, 1 + dy, 1 + dx] = along
    twice = np.zeros((len(seen), SIDE, SIDE))
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            ahead = stencil[:, 0, max(dy, 0) : 3 + min(dy, 0), max(dx, 0) : 3 + min(dx, 0)]
            behind = stencil[:, 0, max(-dy, 0) : 3 + min(-dy, 0), max(-dx, 0) : 3 + min(-dx, 0)]
            twice[:, FAR + dy, FAR + dx] = np.einsum("nij,nij->n", ahead, behind)
    power = twice[:, FAR, FAR].copy()
    twice[:, FAR, FAR] = 0.0
    made = seen / (1.0 + power)[:, None, None]
    for _ in range(ROUNDS):
        mixed = spread_out(made[:, None], twice)[:, 0, FAR:-FAR, FAR:-FAR]
        made = (seen - mixed) / (1.0 + power)[:, None, None]
    return made


def normal(covariance: Array) -> Array:
    """Autocorrelations: 1 in the middle; white where there is none."""
    middle = covariance[:, FAR, FAR][:, None, None]
    return np.where(middle > 0, covariance / np.where(middle > 0, middle, 1.0), white(len(covariance)))


def products(sides: list[Array], grain: Array) -> tuple[Array, Array, Array]:
    """Covariances of sums with the columns of both halves (n, 3, w, w), for noise of variance 1 so correlated.

    Returns:
        Of the first half's sums, of the second's, and of the first's with the second's, (n, 3, 3).
    """
    far = [spread_out(side, grain)[:, :, FAR:-FAR, FAR:-FAR] for side in sides]
    (a, b), (far_a, far_b) = sides, far
    of_a, of_b, of_both = (np.einsum("npij,nqij->npq", one, two) for one, two in ((a, far_a), (b, far_b), (a, far_b)))
    return of_a, of_b, of_both


def spread_out(maps: Array, grain: Array) -> Array:
    """Maps (n, q, h, w) convolved with autocorrelations: (n, q, h + 2 FAR, w + 2 FAR)."""
    n, q, h, w = maps.shape
    made = np.zeros((n, q, h + 2 * FAR, w + 2 * FAR))
    for dy in range(SIDE):
        for dx in range(SIDE):
            made[:, :, dy : dy + h, dx : dx + w] += maps * grain[:, dy, dx][:, None, None, None]
    return made


@cache
def _point() -> tuple[Array, Array]:
    """A single pixel of 1: its spline's coefficients (1, size, size), and itself and its slopes (3, side, side)."""
    size = 2 * (REACH + 8) + 1
    tile = np.zeros((1, size, size))
    tile[0, size // 2, size // 2] = 1.0
    coefficient = coefficients(tile)
    inner = slice(8, -8)
    return coefficient, np.stack((tile[0, inner, inner], *(g[0] for g in gradient(coefficient, 8))))


class Own:
    """The noise of n references.

    Args:
        noise: variance of a pixel, (n,).
        grain: its autocorrelation, (n, SIDE, SIDE).
        basis: the directions, (n, 4).
        axes: how many are measured, (n,).
    """

    def __init__(self, noise: Array, grain: Array, basis: Array, axes: Array) -> None:
        self.noise, self.basis, self.axes = noise, basis, axes
        maps = _point()[1]
        wide = np.broadcast_to(maps, (len(noise), *maps.shape))
        self.maps = spread_out(wide, grain)[:, :, FAR:-FAR, FAR:-FAR]

    def power(self) -> Array:
        """Of a pixel of variance 1 in the design: itself and its slopes along the directions, (n, 3)."""
        x, y = (np.einsum("ij,nij->n", _point()[1][k], self.maps[:, k]) for k in (1, 2))
        b, two = self.basis**2, self.axes == 2.0
        return np.stack((np.ones(len(x)), b[:, 0] * x + b[:, 1] * y, (b[:, 2] * x + b[:, 3] * y) * two), axis=1)

    def limit(self, inverses: list[Array], pixels: list[int]) -> None:
        """Take no more for noise than `MOST` of any slope of the windows with these inverse normal matrices."""
        largest, power = np.zeros(len(self.noise)), self.noise[:, None, None] * self.power()[:, None, :]
        for inverse, count in zip(inverses, pixels, strict=True):
            share = np.where(np.isfinite(inverse), inverse, 0.0) * count * power
            largest = np.maximum(largest, np.abs(np.linalg.eigvals(share)).max(axis=1, initial=0.0))
        self.noise = self.noise * np.minimum(1.0, MOST / np.where(largest > 0, largest, 1.0))

    def without(self, gram: Array, pixels: int) -> Array:
        """A normal matrix of so many pixels without the noise in it, (n, 3, 3)."""
        made, k = gram.copy(), np.arange(3)
        made[:, k, k] -= pixels * self.noise[:, None] * self.power()
        return made

    def answered(self, dx: Array, dy: Array) -> Array:
        """What a pixel's noise adds to the sums with the design when it moves by (dx, dy) with the pixel, (n, 3)."""
        if not self.noise.any():
            return np.zeros((len(dx), 3))
        coefficient = _point()[0]
        moved = shifted(np.broadcast_to(coefficient, (len(dx), *coefficient.shape[1:])), -dx, -dy, REACH)
        still, x, y = (np.einsum("nij,nij->n", moved, self.maps[:, k]) * self.noise for k in range(3))
        b = self.basis
        return np.stack((still, -b[:, 0] * x - b[:, 1] * y, -b[:, 2] * x - b[:, 3] * y), axis=1)
