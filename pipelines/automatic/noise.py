"""How strong noise is, whatever else is in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2

Array = npt.NDArray[Any]

NORMAL = 1.4826
"""Standard deviation of Gaussian noise by the median of its absolute deviations."""
DEVIATIONS = 4.5
"""Standard deviations above the ground from which a pixel counts as a spot: of 1e5 pixels of Gaussian noise a third of
one lies beyond. On spots of SNR 4, 10 and 40, 3.5 brings false tracks at SNR 4, 7 loses a fifth of the rows there."""
LEAST = 1e-3
"""Share of the way to the brightest pixel that a level is above the ground at least: where the ground has no noise at
all, as black that is cut off, rounding is no spot."""
ROUND, LEFT, FALL = 4, 0.05, 0.1
"""Px around a spot in which the band that shows it is darker than the ground; share of the picture that must be left to
tell its noise; and by what share a level falls at least in a step."""
CROWDED = 0.3
"""Share of the picture that is left where spots crowd: of 700 in 256 x 256 a quarter, of 450 more than a third, which
are found as well with the spread of all."""
MOST_OF = 0.75
"""Share of the frames whose noise is not above what counts: under a lamp that ripples it is that of its bright ones.
Likewise of the squares of a picture."""
RIM = 1.0
"""Standard deviations by which the picture's rim lies above the ground at least, to count."""
BLOCK = 16
"""Side of the squares in which noise is measured, px."""
NOISY = 0.9
"""Share of them whose noise is not above what counts: bright ground has more than dark one."""


def spread(values: Array) -> tuple[float, float]:
    """Median of the finite values, and standard deviation by the median of absolute deviations (Hampel, JASA 1974)."""
    flat = np.asarray(values).ravel()
    flat = flat[np.isfinite(flat)]
    if not len(flat):
        return 0.0, 0.0
    middle = float(medians(flat))
    off = np.subtract(flat, middle, dtype=np.float64)
    return middle, NORMAL * float(medians(np.abs(off, out=off)))


def medians(values: Array) -> Array:
    """Along the last axis, as `np.median` gives them in f64, of numbers that are all finite; `values` are put into
    another order. Those of fewer bits are sorted sooner, and nothing of masked arrays is loaded, which takes long.
    """
    count = values.shape[-1]
    middle = [count // 2] if count % 2 else [count // 2 - 1, count // 2]
    values.partition(middle, axis=-1)
    made: Array = values[..., middle].astype(np.float64).sum(axis=-1) / len(middle)
    return made


def local_spread(picture: Array, whole: float) -> float:
    """Standard deviation within what passes most squares of BLOCK px, by their medians of absolute deviations; of the
    whole picture where that is less. So parts of different brightness (an iris, a lid, a floor, the fall of light
    towards a corner) are no noise, and what is as fine as noise, texture, is.

    Args:
        picture: (height, width), or any other values.
        whole: the `spread` of all.
    """
    if picture.ndim != 2 or min(picture.shape) < 2 * BLOCK:
        return whole
    squares = _squares(np.asarray(picture))
    squares = squares[np.isfinite(squares).all(axis=1)]
    if not len(squares):
        return whole
    off = np.abs(squares - medians(squares)[:, None])
    return min(whole, NORMAL * float(np.quantile(medians(off), MOST_OF)))


def _squares(picture: Array) -> Array:
    """The squares of BLOCK px of a picture (height, width, ...), a row each."""
    height, width = (side // BLOCK * BLOCK for side in picture.shape[:2])
    parted = picture[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, -1)
    return np.moveaxis(parted, 2, 1).reshape(height // BLOCK * (width // BLOCK), -1)


def ground(picture: Array, sign: float) -> tuple[float, float]:
    """`spread` of a picture, without its spots where they crowd: what is DEVIATIONS above (below, with sign -1) the
    median, and what lies within ROUND px of it, is left out, again and again as long as the level falls (sigma clipping
    with a mask that grows: Bertin, Arnouts, A&AS 117, 1996). A texture has no spots to leave out.
    """
    plain = found = spread(picture)
    height, left = sign * plain[0] + DEVIATIONS * plain[1], 1.0
    while True:
        rest = picture[~_grown(sign * picture > height)]
        if rest.size < LEFT * picture.size:
            break
        clipped = spread(rest)
        before, height = height, sign * clipped[0] + DEVIATIONS * clipped[1]
        if before - height <= FALL * DEVIATIONS * found[1]:  # also where there is no noise at all
            break
        found, left = clipped, rest.size / picture.size
    return found if left < CROWDED else plain


def _grown(inside: Array) -> Array:
    """A mask (height, width, ...) with all that lies within ROUND rows and columns of it."""
    around = np.ones((2 * ROUND + 1, 2 * ROUND + 1), np.uint8)
    grown = cv2.dilate(np.ascontiguousarray(inside).view(np.uint8), around)
    return np.asarray(grown, np.uint8).reshape(inside.shape).view(np.bool_)


def noise_level(pictures: Sequence[Array], bright: bool) -> float:
    """The level between noise and spots: DEVIATIONS above (below) the median, in what passes most of the frames, and
    as far above what light that falls off leaves along the picture's rim."""
    sign, levels = (1.0 if bright else -1.0), []
    grounds = [ground(picture, sign) for picture in pictures]
    for picture, (middle, sigma) in zip(pictures, grounds, strict=True):
        finite = picture[np.isfinite(picture)]
        peak = sign * (float((finite.max() if bright else finite.min()) if finite.size else 0.0) - middle)
        levels.append(sign * middle + max(DEVIATIONS * sigma, LEAST * peak))
    level = float(np.quantile(levels, MOST_OF, method="higher"))
    return sign * (level + _rim(pictures, grounds, sign))


def _rim(pictures: Sequence[Array], grounds: Sequence[tuple[float, float]], sign: float) -> float:
    """By how much what is along the sides of pictures lies above (below) the ground because the picture ends there:
    beyond, a band pass sees the last pixels again, so that light which falls off towards the rim has a ridge there. 0
    where it is less than RIM of the noise, or no more than a part of a side: then it is a thing.

    Args:
        pictures: of one size, (height, width).
        grounds: `ground` of each.
    """
    if pictures[0].ndim != 2 or min(pictures[0].shape) < 2 * BLOCK:
        return 0.0
    middle, sigma = medians(np.array(grounds).T.copy()).tolist()
    most = 0.0
    for side in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        line = np.stack([sign * (np.asarray(picture[side], np.float64) - middle) for picture in pictures])
        count = line.shape[1] // (2 * BLOCK)
        pieces = line[:, : count * 2 * BLOCK].reshape(len(line), count, 2 * BLOCK)
        heights = np.median(np.median(pieces, axis=2), axis=0)
        if np.median(heights) > RIM * sigma:
            most = max(most, float(heights.max()))
    return most


def brighter(pictures: Sequence[Array]) -> bool:
    """Whether what is farthest above the ground is farther off than what is farthest below it, in most frames."""
    votes = []
    for picture in pictures:
        middle, _ = spread(picture)
        finite = picture[np.isfinite(picture)]
        votes.append(not finite.size or float(finite.max()) - middle >= middle - float(finite.min()))
    return bool(np.mean(votes) >= 0.5)


def noise_between(bursts: Sequence[Sequence[Array]]) -> float:
    """Standard deviation of pixels from frame to frame, in what passes most squares of BLOCK px; what moves through
    some of them does not count. At least that of rounding, step / sqrt(12), but of masks, which round no grays."""
    found, step = [], 0.0
    for burst in bursts:
        for before, after in pairwise(burst):
            change = np.asarray(after, np.float64) - np.asarray(before, np.float64)
            flat = _squares(change) if min(change.shape[:2]) >= BLOCK else change.reshape(1, -1)
            size = np.abs(flat)
            sigma = NORMAL / np.sqrt(2) * np.median(size, axis=1)
            found.append(float(np.quantile(sigma[np.isfinite(sigma)], NOISY)) if np.isfinite(sigma).any() else 0.0)
            grains = size[(size > 1e-7) & np.isfinite(size)]
            step = min(step or np.inf, float(grains.min())) if len(grains) else step
    rounding = 0.0 if step and _black_and_white(bursts) else float(step / np.sqrt(12.0))
    return max(float(np.median(found)) if found else 0.0, rounding)


def _black_and_white(bursts: Sequence[Sequence[Array]]) -> bool:
    """Whether each pixel is 0 or full scale."""
    for picture in (one for burst in bursts for one in burst):
        white = np.iinfo(picture.dtype).max if picture.dtype.kind in "ui" else 1
        if not ((picture == 0) | (picture == white)).all():
            return False
    return True
