"""The level at which regions keep their outlines: maximally stable extremal regions (Matas, Chum, Urban, Pajdla,
BMVC 2002), for one level that serves a whole picture.

Levels rise on a ladder of even steps in the logarithm of the height above the ground. A region goes on from one level
to the next while what is left of it is one region of the sizes that count, and at least half of it (LEFT). Texture
splits and vanishes within a step or two; what stands out of it stays from above the texture to near its own top. The
level is the middle of those between which the same things are there: of all such runs of levels the one with the most
of (steps)^2 sqrt(things), so that a single glint far above everything else does not count more than what there are many
of.

A pupil lies in things that have outlines, too: an iris, an eye between its lids. So where what is looked for is an
ellipse (`Sizes.inner`), the steps of the ladder are even in height, what is oblong, ragged, or cut by the border is
none, and of all runs the innermost counts that is not a mere glint in the one around it (`GLINT`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2
from pipelines.automatic.noise import DEVIATIONS, local_spread, medians, spread

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
LEFT = 0.5
"""Share of a region that is left at the next level, if it is the same thing: an iris falls to the pupil within it. Of
ellipses it is the share of what was there where they were first found, as texture falls apart little by little."""
INNER_LEVELS = 32
"""Even steps from the ground to the top, at most, where the innermost ellipse is looked for: LASTS are a tenth."""
GLINT = 1 / 30
"""Share of the region around it from which on the innermost is a thing in its own right: the narrowest pupil is a sixth
of an iris wide, a glint less than that of a pupil."""
SOLID = 0.7
"""Share of its convex hull that the outline of an ellipse encloses: a glint across the rim takes a tenth, of a small
pupil a quarter."""
SOME = 0.25
"""Share of the frames in which the innermost one may begin or end a level before the others, as it may vary."""
ROUND = 0.35
"""Minor by major axis of what is looked at as an ellipse: what a lid covers to a half has .5."""
SEEN = 0.5
"""Share of the frames in which the innermost one is there at the least: a blink hides it."""


@dataclass(frozen=True)
class Sizes:
    """Which regions count.

    Args:
        least, most: their pixels.
        inner: ellipses alone, and the innermost of them.
    """

    least: float
    most: float
    inner: bool = False


Masks = Callable[[Array, Sequence[float]], Iterable[Array]]
"""What becomes of a picture (height, width) at each of some levels: masks, one after the other."""


def outline_level(pictures: Sequence[Array], bright: bool, sizes: Sizes, masks: Masks) -> tuple[float, float]:
    """The level at which regions last longest, and how much speaks for it: 0 without any, and it lies above the noise.

    Args:
        pictures: (height, width), of some frames.
        bright: whether things are brighter than their ground.
        sizes: of the regions that count.
        masks: makes the masks in which regions are looked for.
    """
    sign = 1.0 if bright else -1.0
    wholes = [spread(picture) for picture in pictures]
    grounds = [(own, local_spread(picture, whole)) for picture, (own, whole) in zip(pictures, wholes, strict=True)]
    middle, noise = medians(np.array(grounds).T.copy()).tolist()
    tops = [float(np.max(sign * picture[np.isfinite(picture)], initial=sign * middle)) for picture in pictures]
    top = max(tops) - sign * middle
    fallback = middle + sign * max(STANDS_OUT * noise, 0.5 * top if noise == 0 else 0.0)
    if top <= STANDS_OUT * noise or top <= 0:
        return fallback, 0.0
    heights = _heights(noise, top, sizes.inner)
    if not len(heights):
        return fallback, 0.0
    levels = [middle + sign * float(height) for height in heights]
    things = [_things(masks(picture, levels), sizes) for picture in pictures]
    if sizes.inner:
        score, first, last = _innermost(things, len(levels))
    else:
        score, first, last = _steadiest(things, len(levels))
    if last - first + 1 < LASTS:
        return fallback, 0.0
    between = np.mean if sizes.inner else _geometric_mean
    return middle + sign * float(between([heights[first], heights[last]])), score


def _heights(noise: float, top: float, even: bool) -> Array:
    """Heights above the ground from beyond the noise to below the top, rising: in even steps, or even factors."""
    if even:
        steps = np.arange(1, INNER_LEVELS) / INNER_LEVELS * top
        rising: Array = steps[steps >= DEVIATIONS * noise]
        return rising
    least = max(DEVIATIONS * noise, top / STEP**MOST_LEVELS)
    return top / STEP ** np.arange(int(np.log(top / least) / np.log(STEP)), 0, -1)


def _geometric_mean(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


def _steadiest(things: Sequence[Array], count: int) -> tuple[float, int, int]:
    """The levels between which the same things are there, longest and most of them: their score, the first and the
    last one.

    Args:
        things: of each frame, the first and the last level at which each thing is there.
        count: of levels.
    """
    best = 0.0, 0, -1
    for first, last, now in _runs(np.concatenate(things)[:, :2], count):
        score = float((last - first + 1) ** 2 * np.sqrt(now.sum()))
        if score > best[0]:
            best = score, first, last
    return best


def _innermost(things: Sequence[Array], count: int) -> tuple[float, int, int]:
    """The highest levels between which the same ellipse is there, as `_steadiest`, but where they are a glint within
    the next; with a `things` that has their areas (px) in its third column."""
    at = np.concatenate(things)
    kept: list[tuple[float, int, int, float]] = []
    for first, last, now in sorted(_runs(at[:, :2], count, SOME), key=lambda run: run[1], reverse=True):
        if last - first + 1 < LASTS or now.sum() < SEEN * len(things) or (kept and last >= kept[-1][1]):
            continue
        kept.append((float((last - first + 1) ** 2 * np.sqrt(now.sum())), first, last, float(np.median(at[now, 2]))))
    for inner, outer in zip_longest(kept, kept[1:]):
        if outer is None or inner[3] >= GLINT * outer[3]:
            return inner[:3]
    return 0.0, 0, -1


def _runs(at: Array, count: int, share: float = SAME) -> Iterator[tuple[int, int, Array]]:
    """Of each level the first and the last of those around it at which the same things are there, and which.

    Args:
        at: (n, 2), the first and the last level of each thing.
        share: of the things that may come or go.
    """
    here = np.arange(count)
    there = (at[:, :1] <= here) & (here <= at[:, 1:])  # (things, levels)
    for k in range(count):
        now = there[:, k]
        few = share * now.sum()
        same = np.sum(there != now[:, None], axis=0) <= few
        first, last = k, k
        while first > 0 and same[first - 1]:
            first -= 1
        while last + 1 < count and same[last + 1]:
            last += 1
        yield first, last, now


def _things(masks: Iterable[Array], sizes: Sizes) -> Array:
    """First and last level of each region, and its pixels at the first, (n, 3)."""
    chains = 0
    at: list[Array] = []  # the chains of the regions at each level
    begun: list[Array] = []  # the area that each chain has where it begins
    before: tuple[Array, Array, Array] | None = None  # labels, their chains (-1: none), the areas that LEFT is of
    for mask in masks:
        solid = np.ascontiguousarray(mask, np.bool_)
        if sizes.inner:
            count, labels, stats, _ = cv2.connectedComponentsWithStats(
                solid.view(np.uint8), connectivity=8, ltype=cv2.CV_32S
            )
        else:  # a fifth of the time
            count, labels = cv2.connectedComponents(solid.view(np.uint8), connectivity=8, ltype=cv2.CV_32S)
        places = np.flatnonzero(solid)
        here = labels.ravel()[places]
        area = np.bincount(here, minlength=count).astype(np.float64)
        counts = (area >= sizes.least) & (area <= sizes.most)
        counts[0] = False
        if sizes.inner:
            counts &= _ellipses(labels, stats)
        chain, whole = np.full(count, -1), area.copy()
        parent = np.zeros(count, np.int64)
        if before is not None and count > 1:
            parent[here] = before[0].ravel()[places]
            children = np.bincount(parent[counts], minlength=len(before[1]))
            same = counts & (children[parent] == 1) & (before[1][parent] >= 0) & (area >= LEFT * before[2][parent])
            chain[same] = before[1][parent][same]
            if sizes.inner:
                whole[same] = before[2][parent][same]
        new = np.flatnonzero(counts & (chain < 0))
        chain[new] = chains + np.arange(len(new))
        chains += len(new)
        at.append(chain[counts])
        begun.append(area[new])
        before = labels, chain, whole
    chain, level = np.concatenate([np.zeros(0, np.int64), *at]), np.repeat(np.arange(len(at)), list(map(len, at)))
    first, last = np.full(chains, len(at)), np.full(chains, -1)
    np.minimum.at(first, chain, level)
    np.maximum.at(last, chain, level)
    things: Array = np.stack([first, last, np.concatenate([np.zeros(0), *begun])], axis=1)
    return things


def _ellipses(labels: Array, stats: Array) -> Array:
    """Which regions are ellipses, or parts of them that something covers, and lie inside the picture: what their convex
    hulls enclose, so that reflections have no say."""
    found = np.zeros(len(stats), np.bool_)
    for k, (x, y, width, height, _) in enumerate(stats.tolist()):
        if k == 0 or x == 0 or y == 0 or x + width == labels.shape[1] or y + height == labels.shape[0]:
            continue
        part = (labels[y : y + height, x : x + width] == k).astype(np.uint8)
        outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        outline = max(outlines, key=len)
        moments = cv2.moments(cv2.convexHull(outline))
        if moments["m00"] > 0 and cv2.contourArea(outline) >= SOLID * moments["m00"]:
            tensor = [[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]
            across, along = np.linalg.eigvalsh(np.array(tensor))
            found[k] = across >= ROUND**2 * along
    return found
