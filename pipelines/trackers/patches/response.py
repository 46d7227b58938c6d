"""How a window of pixels answers to a small displacement: a linear operator with a calibrated response.

The light of a window that moved by d is g = a f(x - d) + b, with the lamp's gain a and offset b. To first order
g = a f - a d1 f1 - a d2 f2 + b, where f1 and f2 are the slopes of the reference f along two directions: linear in
(a, a d1, a d2, b). The least squares of a frame are then three products with fixed columns, and d = (a d)/a does not
change with the lamp. (For vibration: Javh, Slavic, Boltezar, Mechanical Systems and Signal Processing 88, 2017, without
gain and offset.) What first order leaves out bends the answer: 0.016 px rms within half a pixel. The bend is a property
of the reference alone, so it is *measured on the reference*, shifted by its cubic B-spline, and taken off by a
polynomial of degree 5.

The window's pixels are split in two: quadrants across from each other, each with an offset b of its own. Each half
measures the same motion with noise of its own; rotation and strain about the centre cancel in both. The halves'
difference, scaled, has the variance of the noise of the whole, frame by frame and frequency by frequency, whatever the
noise comes from.

A reference has noise of its own, which the frames do not share: `patches.reference_noise` says what that takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.trackers.patches.reference_noise import Own, products, white
from pipelines.trackers.patches.subpixel import MARGIN, coefficients, gradient, shifted

Array = npt.NDArray[Any]
Along = Literal["auto", "both", "x", "y"]

FLAT = 1e-3  # a smaller ratio of the gradient tensor's eigenvalues: nothing to be measured along the smaller
STRIPES = 0.01  # a smaller ratio of the gradient tensor's eigenvalues: stripes, where one direction is measured
RANGE = 0.75  # px, up to which the response is calibrated
NODES = 7  # shifts along each direction at which it is
DEGREE = 5
POWERS = tuple((i, k - i) for k in range(1, DEGREE + 1) for i in range(k, -1, -1))
"""The monomials r1^i r2^j, constant left out: no motion gives no answer."""

# What a window's row of constants holds, in this order.
INVERSE, FIRST, SECOND = 0, 9, 18  # (D'D - noise)^-1 of the whole window and of its halves, 3 x 3 each
BASIS = 27  # the two directions: x1, y1, x2, y2
SCALE = 31  # from the halves' difference to the noise of the whole, along both directions
SPREAD = 33  # mean variance of a displacement for pixels of variance 1 and gain 1
AXES = 34  # directions that are measured: 1 or 2
PIXELS_A = 35  # of the first half
PLAIN = 36  # (D'D)^-1 of the whole window with the reference's noise left in it, 3 x 3: least squares
BEND = 45  # polynomials of displacement 1, 2 and of the halves' difference 1, 2
CONSTANTS = BEND + 4 * len(POWERS)
_BLOCK = 200  # windows prepared at a time


@dataclass(frozen=True, slots=True)
class Responses:
    """n windows of w x w px, ready to answer.

    Args:
        columns: (n, 6, w, blocks, 8): the design's three columns for either half, without their means, in blocks of
            eight pixels of a row; the last block ends at the window's edge, its pixels that stand in the one before
            are 0.
        constants: (n, CONSTANTS).
        textured: False where nothing can be measured, (n,).
    """

    columns: Array
    constants: Array
    textured: Array

    def some(self, which: Array) -> Responses:
        """Those of a mask or of indices."""
        return Responses(self.columns[which], self.constants[which], self.textured[which])

    def joined(self, other: Responses) -> Responses:
        """These, then the others."""
        return Responses(*(np.concatenate((getattr(self, n), getattr(other, n))) for n in Responses.__slots__))

    def replace(self, which: Array, other: Responses) -> None:
        """Put others in the place of some."""
        for name in Responses.__slots__:
            getattr(self, name)[which] = getattr(other, name)


def starts(window: int) -> list[int]:
    """The first column of each block of eight pixels of a window's row."""
    return [min(8 * b, window - 8) for b in range(-(-window // 8))]


def ones(window: int) -> Array:
    """1 for each pixel of a row that counts in its block, f64 (blocks * 8,)."""
    return np.concatenate([(np.arange(s, s + 8) >= 8 * b).astype(np.float64) for b, s in enumerate(starts(window))])


def masks(window: int) -> Array:
    """`ones`, then 1 for each pixel of the first half in its block, f64 ((1 + w) * blocks * 8,)."""
    first = halves(window).astype(np.float64)
    blocks = np.stack([first[:, s : s + 8] for s in starts(window)], axis=1) * ones(window).reshape(-1, 8)
    return np.concatenate((ones(window), blocks.ravel()))


def halves(window: int) -> Array:
    """True for the pixels of the first half: two quadrants across from each other, bool (w, w)."""
    away = np.arange(window) - window // 2
    y, x = np.meshgrid(away, away, indexing="ij")
    # Of the axes every other pixel, so that both halves have their centre in the window's.
    first: Array = (x * y > 0) | ((y == 0) & (x % 2 == 0)) | ((x == 0) & (y % 2 == 1))
    return first


def responses(tiles: Array, along: Along = "auto", noise: Array | None = None, grain: Array | None = None) -> Responses:
    """Prepare windows.

    Args:
        tiles: the reference, float64 (n, w + 2 MARGIN, w + 2 MARGIN), w odd and at least 9.
        along: what is measured: both directions, x or y alone, or ("auto") both unless the texture is of stripes,
            and across them then.
        noise: variance of a pixel's noise in each reference, (n,); None for 0.
        grain: autocorrelation of the noise, of references and frames, as from `reference_noise.normal`; None for white.
    """
    noise = np.zeros(len(tiles)) if noise is None else noise
    grain = white(len(tiles)) if grain is None else grain
    blocks = [slice(k, k + _BLOCK) for k in range(0, len(tiles), _BLOCK)]
    parts = [_responses(tiles[one], along, noise[one], grain[one]) for one in blocks]
    if not parts:
        w = tiles.shape[1] - 2 * MARGIN
        return Responses(np.zeros((0, 6, w, len(starts(w)), 8)), np.zeros((0, CONSTANTS)), np.zeros(0, bool))
    return Responses(*(np.concatenate([getattr(p, name) for p in parts]) for name in Responses.__slots__))


def _responses(tiles: Array, along: Along, noise: Array, grain: Array) -> Responses:
    n, size, _ = tiles.shape
    w = size - 2 * MARGIN
    coefficient = coefficients(tiles)
    f = tiles[:, MARGIN : MARGIN + w, MARGIN : MARGIN + w]
    gx, gy = gradient(coefficient, MARGIN)
    basis, axes, textured = _directions(f, gx, gy, along)
    two = (axes == 2.0)[:, None, None]
    slope1 = basis[:, 0, None, None] * gx + basis[:, 1, None, None] * gy
    slope2 = np.where(two, basis[:, 2, None, None] * gx + basis[:, 3, None, None] * gy, 0.0)
    design = np.stack((f, -slope1, -slope2), axis=1)
    first = halves(w)
    sides = [np.where(s, design - design[:, :, s].mean(axis=2)[:, :, None, None], 0.0) for s in (first, ~first)]
    grams = [np.einsum("npij,nqij->npq", side, side) for side in sides]
    pixels = [w * w, int(first.sum()), int((~first).sum())]
    own, all_grams = Own(noise, grain, basis, axes), [grams[0] + grams[1], *grams]
    plain = [_inverse(gram, axes) for gram in all_grams]
    own.limit(plain, pixels)
    inverse, inverse_a, inverse_b = inverses = [
        _inverse(own.without(gram, count), axes) for gram, count in zip(all_grams, pixels, strict=True)
    ]
    # Variances of the whole's answer, and of the difference of the halves', for pixels of variance 1.
    of_a, of_b, of_both = products(sides, grain)
    mixed = of_both + of_both.transpose(0, 2, 1)
    spread = _diagonal(inverse @ (of_a + of_b + mixed) @ inverse)
    crossed = inverse_a @ of_both @ inverse_b
    apart = _diagonal(inverse_a @ of_a @ inverse_a) + _diagonal(inverse_b @ of_b @ inverse_b) - 2 * _diagonal(crossed)
    spread, apart = np.maximum(spread, 0.0), np.maximum(apart, 0.0)
    constants = np.zeros((n, CONSTANTS))
    for place, matrix in ((INVERSE, inverse), (FIRST, inverse_a), (SECOND, inverse_b), (PLAIN, plain[0])):
        constants[:, place : place + 9] = matrix.reshape(n, 9)
    constants[:, BASIS : BASIS + 4] = basis
    constants[:, SCALE : SCALE + 2] = np.sqrt(np.divide(spread, apart, out=np.zeros_like(spread), where=apart > 0))
    constants[:, SPREAD] = spread.sum(axis=1) / axes
    constants[:, AXES], constants[:, PIXELS_A] = axes, first.sum()
    bend = _bend(coefficient, sides, inverses, basis, axes, own)
    constants[:, BEND:] = bend.reshape(n, -1)
    textured &= np.isfinite(constants).all(axis=1)
    columns = np.concatenate(sides, axis=1)
    kept = np.stack([columns[:, :, :, s : s + 8] for s in starts(w)], axis=3)
    kept = np.ascontiguousarray(kept * ones(w).reshape(-1, 8))
    return Responses(kept, np.where(textured[:, None], constants, 0.0), textured)


def _diagonal(covariance: Array) -> Array:
    """Variances of the two displacements, (n, 2)."""
    return np.stack((covariance[:, 1, 1], covariance[:, 2, 2]), axis=1)


def _directions(f: Array, gx: Array, gy: Array, along: Along) -> tuple[Array, Array, Array]:
    """The directions (n, 4), how many of them are measured (n,), and whether there is anything to measure (n,)."""
    n = len(f)
    flat = (f - f.mean(axis=(1, 2), keepdims=True)).reshape(n, -1)
    norm = np.sqrt(np.einsum("ni,ni->n", flat, flat))
    largest = np.abs(f).reshape(n, -1).max(axis=1, initial=0.0)
    alive = norm > 1e-6 * np.maximum(largest, 1e-300) * f.shape[1]
    j = np.stack((gx.reshape(n, -1), gy.reshape(n, -1)), axis=1)
    j -= j.mean(axis=2, keepdims=True)
    # What looks like another gain is no motion.
    unit = flat / np.where(alive, norm, 1.0)[:, None]
    j -= np.einsum("npi,ni->np", j, unit)[:, :, None] * unit[:, None, :]
    values, vectors = np.linalg.eigh(np.einsum("npi,nqi->npq", j, j))
    basis, axes = np.tile((1.0, 0.0, 0.0, 1.0), (n, 1)), np.full(n, 2.0)
    enough = alive & (values[:, 1] > 0)
    if along == "y":
        basis[:] = (0.0, 1.0, -1.0, 0.0)
    if along in ("x", "y"):
        axes[:] = 1.0
        own = np.einsum("ni,ni->n", j[:, "xy".index(along)], j[:, "xy".index(along)])
        enough &= own > FLAT * values[:, 1]
    elif along == "auto":
        striped = values[:, 0] < STRIPES * values[:, 1]
        across = vectors[:, :, 1] * np.where(vectors[:, :1, 1] + 1e-12 * vectors[:, 1:, 1] < 0, -1.0, 1.0)
        basis[striped] = np.stack((across[:, 0], across[:, 1], -across[:, 1], across[:, 0]), axis=1)[striped]
        axes[striped] = 1.0
    else:
        enough &= values[:, 0] > FLAT * values[:, 1]
    return basis, axes, enough


def _inverse(gram: Array, axes: Array) -> Array:
    """Of n 3 x 3 matrices; of their upper left 2 x 2 parts where one direction is measured (the rest 0)."""
    matrix = gram.copy()
    matrix[axes == 1.0, 2, 2] = 1.0
    singular = ~(np.abs(np.linalg.det(matrix)) > 0)
    matrix[singular] = np.eye(3)
    made = np.linalg.inv(matrix)
    made[axes == 1.0, 2, 2] = 0.0
    made[singular] = np.nan
    return made


def monomials(r1: Array, r2: Array) -> Array:
    """The monomials of `POWERS`, (..., len(POWERS))."""
    return np.stack([r1**i * r2**j for i, j in POWERS], axis=-1)


def _bend(
    coefficient: Array, sides: list[Array], inverses: list[Array], basis: Array, axes: Array, own: Own
) -> Array:
    """From answers to displacements, and to what the halves' answers differ by without noise: (n, 4, monomials)."""
    count, radius = len(coefficient), sides[0].shape[2] // 2
    nodes = np.linspace(-RANGE, RANGE, NODES)
    answers, wanted = [], []
    first = halves(2 * radius + 1)
    pixels = [int(first.sum()), int((~first).sum())]
    for s1 in nodes:
        for s2 in nodes:
            moved = np.where(axes == 2.0, s2, 0.0)
            dx, dy = basis[:, 0] * s1 + basis[:, 2] * moved, basis[:, 1] * s1 + basis[:, 3] * moved
            g = shifted(coefficient, -dx, -dy, radius)
            lost = own.answered(dx, dy)  # its own noise moved with it: a frame's does not
            a, b = (np.einsum("npij,nij->np", side, g) - n * lost for side, n in zip(sides, pixels, strict=True))
            whole, first, second = (
                _answer(inverse, q) for inverse, q in zip(inverses, (a + b, a, b), strict=True)
            )  # fmt: skip
            answers.append(whole)
            wanted.append(np.stack((np.full(count, s1), moved, *(first - second).T), axis=1))
    r = np.stack(answers, axis=1)
    usable = np.isfinite(r).all(axis=(1, 2))
    r = np.where(usable[:, None, None], r, 0.0)
    target = np.where(usable[:, None, None], np.stack(wanted, axis=1), 0.0)
    fit = np.linalg.pinv(monomials(r[:, :, 0], r[:, :, 1]), rcond=1e-10) @ target
    fit[~usable] = np.nan
    return np.ascontiguousarray(fit.transpose(0, 2, 1))


def _answer(inverse: Array, q: Array) -> Array:
    """Displacements along both directions, to first order, (n, 2)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.einsum("npq,nq->np", inverse, q)
        return np.asarray(found[:, 1:] / found[:, :1])
