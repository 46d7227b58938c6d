"""The level at which regions keep their outlines: maximally stable extremal regions (Matas, Chum, Urban, Pajdla,
BMVC 2002), for one level that serves a whole picture.

Levels rise on a ladder of even steps in the logarithm of the height above the ground. A region goes on from one level
to the next while what is left of it is one region of the sizes that count. Texture splits and vanishes within a step
or two; what stands out of it stays from above the texture to near its own top. The level is the middle of those
between which the same things are there: of all such runs of levels the one with the most of (steps)^2 sqrt(things), so
that a single glint far above everything else does not count more than what there are many of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2
from pipelines.automatic.noise import DEVIATIONS, spread

Array = npt.NDArray[Any]

STEP = 2**0.25
"""Factor from a level to the next."""
MOST_LEVELS = 48
"""Levels, at most, the highest ones: a factor of 3400 from the lowest to the highest."""
STANDS_OUT = 6.0
"""Standard deviations of the ground that something must stand out of it at the least, to be there."""
LASTS = 3
"""Levels over which the same things must be there at the least: a factor of 1.4 in height above the ground."""
SAME = 0.05
"""Share of the things at a level that may come or go from there to one that is taken for as good."""


@dataclass(frozen=True)
class Sizes:
    """Pixels of the regions that count: least and most."""

    least: float
    most: float


Masks = Callable[[Array, Sequence[float]], Sequence[Array]]
"""What becomes of a picture (height, width) at each of some levels: masks."""


def outline_level(pictures: Sequence[Array], bright: bool, sizes: Sizes, masks: Masks) -> tuple[float, float]:
    """The level at which regions last longest, and how much speaks for it: 0 without any, and it lies above the noise.

    Args:
        pictures: (height, width), of some frames.
        bright: whether things are brighter than their ground.
        sizes: of the regions that count.
        masks: makes the masks in which regions are looked for.
    """
    sign = 1.0 if bright else -1.0
    grounds = [spread(picture) for picture in pictures]
    middle, noise = (float(v) for v in np.median(grounds, axis=0))
    tops = [float(np.max(sign * picture[np.isfinite(picture)], initial=sign * middle)) for picture in pictures]
    top = max(tops) - sign * middle
    fallback = middle + sign * max(STANDS_OUT * noise, 0.5 * top if noise == 0 else 0.0)
    if top <= STANDS_OUT * noise or top <= 0:
        return fallback, 0.0
    least = max(DEVIATIONS * noise, top / STEP**MOST_LEVELS)
    heights = top / STEP ** np.arange(int(np.log(top / least) / np.log(STEP)), 0, -1)
    if not len(heights):
        return fallback, 0.0
    levels = [middle + sign * float(height) for height in heights]
    score, first, last = _steadiest([_things(masks(picture, levels), sizes) for picture in pictures], len(levels))
    if last - first + 1 < LASTS:
        return fallback, 0.0
    return middle + sign * float(np.sqrt(heights[first] * heights[last])), score


def _steadiest(things: Sequence[Array], count: int) -> tuple[float, int, int]:
    """The levels between which the same things are there, longest and most of them: their score, the first and the
    last one.

    Args:
        things: of each frame, the first and the last level at which each thing is there.
        count: of levels.
    """
    at = np.concatenate([np.zeros((0, 2), np.int64), *things])
    here = np.arange(count)
    there = (at[:, :1] <= here) & (here <= at[:, 1:])  # (things, levels)
    best = 0.0, 0, -1
    for k in range(count):
        now = there[:, k]
        few = SAME * now.sum()
        same = np.sum(there != now[:, None], axis=0) <= few
        first, last = k, k
        while first > 0 and same[first - 1]:
            first -= 1
        while last + 1 < count and same[last + 1]:
            last += 1
        score = float((last - first + 1) ** 2 * np.sqrt(now.sum()))
        if score > best[0]:
            best = score, first, last
    return best


def _things(masks: Sequence[Array], sizes: Sizes) -> Array:
    """First and last level of each region, (n, 2)."""
    chains = 0
    at: list[Array] = []  # the chains of the regions at each level
    before: tuple[Array, Array] | None = None  # labels, and their chains (-1: none)
    for mask in masks:
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            np.ascontiguousarray(mask, np.uint8), connectivity=8, ltype=cv2.CV_32S
        )
        area = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
        counts = (area >= sizes.least) & (area <= sizes.most)
        counts[0] = False
        chain = np.full(count, -1)
        parent = np.zeros(count, np.int64)
        if before is not None and count > 1:
            flat, places = labels.ravel(), np.flatnonzero(labels)
            parent[flat[places]] = before[0].ravel()[places]
            children = np.bincount(parent[counts], minlength=len(before[1]))
            same = counts & (children[parent] == 1) & (before[1][parent] >= 0)
            chain[same] = before[1][parent][same]
        new = np.flatnonzero(counts & (chain < 0))
        chain[new] = chains + np.arange(len(new))
        chains += len(new)
        at.append(chain[counts])
        before = labels, chain
    chain, level = np.concatenate([np.zeros(0, np.int64), *at]), np.repeat(np.arange(len(at)), list(map(len, at)))
    first, last = np.full(chains, len(at)), np.full(chains, -1)
    np.minimum.at(first, chain, level)
    np.maximum.at(last, chain, level)
    things: Array = np.stack([first, last], axis=1)
    return things
