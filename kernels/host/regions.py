"""Labelled pixels as lists: numbering, splitting at valleys, growing, levels a label.

A region list is a pair of arrays: flat pixel indices in a canvas, and the regions' numbers, from 0. The canvas is the
picture with one pixel more at each side, so that the eight neighbours of any pixel exist.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.opencv import cv2

Array = npt.NDArray[Any]


def first_seen(labels: Array, count: int) -> Array:
    """The place in `labels` (numbers 0 .. count - 1) at which each number first stands; len(labels) if nowhere."""
    first = np.full(count, len(labels))
    first[labels[::-1]] = np.arange(len(labels))[::-1]
    return first


def neighbours(width: int) -> Array:
    """Offsets of the eight neighbours in a flat canvas of rows of `width` pixels."""
    return np.array([-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1])


def grow(canvas: Array, steps: int) -> list[tuple[Array, Array, Array]]:
    """Grow all regions by one pixel (of eight neighbours) `steps` times, within the picture.

    Args:
        canvas: (height + 2, width + 2) int32: the region's number + 1, 0 for none; filled as the regions grow.
        steps: how often.

    Returns:
        A list a step: flat indices of the pixels that were reached, and the largest and smallest of the regions (from
        0) that reach them. Where they differ the pixel is contested; the canvas keeps the largest.
    """
    flat, around = canvas.reshape(-1), neighbours(canvas.shape[1])
    square = np.ones((3, 3), np.uint8)
    taken = (canvas > 0).astype(np.uint8)
    rings = []
    for _ in range(steps):
        wider = cv2.dilate(taken, square)
        wider[0], wider[-1], wider[:, 0], wider[:, -1] = 0, 0, 0, 0
        ring = np.flatnonzero((wider != taken).view(np.bool_))
        high = np.full(len(ring), -1, np.int32)
        low = np.full(len(ring), 2**32 - 1, np.uint32)  # no region, -1, is the largest number without a sign
        for offset in around:
            near = flat[ring + offset] - 1
            np.maximum(high, near, out=high)
            np.minimum(low, near.view(np.uint32), out=low)
        flat[ring] = high + 1
        taken = wider
        rings.append((ring, high.astype(np.int64), low.astype(np.int64)))
    return rings


def levels(labels: Array, values: Array, count: int) -> tuple[Array, Array, Array]:
    """Mean of the middle half of each label's values, their robust variance, and their number.

    `values` are taken as f32. The variance is that of a Gaussian with the same quartiles; a label without values gets
    0 and 0.
    """
    number = np.bincount(labels, minlength=count)
    # One sort of whole numbers instead of two of pairs: the label above the value's bits, put into rising order.
    bits = values.astype(np.float32).view(np.int32).astype(np.int64)
    key = np.sort((labels.astype(np.int64) << 32) + (bits ^ ((bits >> 63) & 0x7FFFFFFF)) + 2**31)
    bits = (key & 0xFFFFFFFF) - 2**31
    ordered = (bits ^ ((bits >> 63) & 0x7FFFFFFF)).astype(np.int32).view(np.float32).astype(np.float64)
    start = np.cumsum(number) - number
    place = np.arange(len(ordered)) - np.repeat(start, number)
    low, high = number // 4, number - number // 4
    middle = (place >= np.repeat(low, number)) & (place < np.repeat(high, number))
    owner = np.repeat(np.arange(count), number)
    level = np.bincount(owner, np.where(middle, ordered, 0.0), count) / np.maximum(high - low, 1)
    if not len(ordered):
        return level, np.zeros(count), number
    last = len(ordered) - 1
    upper = ordered[np.minimum(start + np.minimum(high, np.maximum(number - 1, 0)), last)]
    lower = ordered[np.minimum(start + low, last)]
    return level, np.where(number > 0, (upper - lower) / 1.349, 0.0) ** 2, number


def planes(labels: Array, values: Array, x: Array, y: Array, count: int) -> tuple[Array, Array, Array]:
    """Least-squares planes through each label's values, and the variance of what they leave.

    Values farther than three robust standard deviations from their label's level have no say. A slope that the
    pixels do not fix (too few, or all in a row) is 0.

    Returns:
        (count, 3): value at x = y = 0, slopes in x and y; (count,) variances; and (count,) the variance of a slope for
        values of variance 1, the mean of both directions.
    """
    level, variance, _ = levels(labels, values, count)
    ok = abs(values - level[labels]) <= 3.0 * np.sqrt(variance[labels]) + 1e-6
    owner, rest = labels[ok], values[ok] - level[labels[ok]]
    base = np.stack((np.ones(len(owner)), x[ok], y[ok]))
    normal = np.empty((count, 3, 3))
    right = np.empty((count, 3, 1))
    for i in range(3):
        right[:, i, 0] = np.bincount(owner, base[i] * rest, count)
        for j in range(3):
            normal[:, i, j] = np.bincount(owner, base[i] * base[j], count)
    # A pixel's worth of ridge holds what the pixels leave open and changes nothing that they fix.
    normal += np.diag([1e-6, 1.0, 1.0])
    found = np.linalg.solve(normal, right)[:, :, 0]
    left = rest - (base * found[owner].T).sum(axis=0)
    used = np.bincount(owner, minlength=count)
    found[:, 0] += level
    spread = 0.5 / normal[:, 1, 1] + 0.5 / normal[:, 2, 2]
    return found, np.bincount(owner, left * left, count) / np.maximum(used - 3, 1), spread


def largest(labels: Array, values: Array, count: int) -> Array:
    """The largest value of each label; each needs at least one."""
    if not count:
        return np.zeros(0, values.dtype)
    order = np.argsort(labels, kind="stable")
    start = np.searchsorted(labels[order], np.arange(count))
    return np.asarray(np.maximum.reduceat(values[order], start))


def shared(rings: list[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """The pixels of `grow` as a region list with shares: a contested pixel stands there twice, with a half each."""
    empty = np.zeros(0, np.int64)
    pixels = np.concatenate([empty, *(ring for ring, _, _ in rings)])
    high = np.concatenate([empty, *(h for _, h, _ in rings)])
    low = np.concatenate([empty, *(lo for _, _, lo in rings)])
    contested = high != low
    share = np.where(contested, 0.5, 1.0)
    return (
        np.concatenate((pixels, pixels[contested])),
        np.concatenate((high, low[contested])),
        np.concatenate((share, share[contested])),
    )


def split_at_valleys(
    pixels: Array, labels: Array, count: int, light: Array, distance: float, depth: float
) -> tuple[Array, int]:
    """Split regions that hold several separate maxima of the light.

    Every pixel climbs to the highest of its neighbours within its region until it stands on a maximum (a watershed
    by steepest ascent). A maximum counts when it is at least `distance` from every higher one that counts and the
    light between it and the nearest of them sinks by `depth` of its height above the region's darkest pixel; the
    others give their pixels to the nearest that counts.

    Args:
        pixels: flat canvas indices, rising.
        labels: the regions' numbers, from 0 to count - 1.
        count: how many regions there are.
        light: (height + 2, width + 2) f32 canvas, smoothed.
        distance: px.
        depth: 0..1.

    Returns:
        New numbers, in the order of the old ones with the new parts at the end, and how many there are.
    """
    width, flat = light.shape[1], light.reshape(-1)
    here = flat[pixels]
    owner = np.full(light.size, -1, np.int32)
    place = np.empty(light.size, np.int32)  # only read where a pixel of the list stands
    owner[pixels], place[pixels] = labels, np.arange(len(pixels))
    near = pixels[:, None] + neighbours(width)
    heights = np.where(owner[near] == labels[:, None], flat[near], -np.inf)
    best = heights.argmax(axis=1)
    rows = np.arange(len(pixels))
    # Equal heights climb to the earlier pixel, so that no two point at each other.
    target = near[rows, best]
    higher = (heights[rows, best] > here) | ((heights[rows, best] == here) & (target < pixels))
    parent = np.where(higher, place[target], rows)
    while True:
        further = parent[parent]
        if np.array_equal(further, parent):
            break
        parent = further
    tops = np.flatnonzero(parent == rows)
    several = np.flatnonzero(np.bincount(labels[tops], minlength=count) > 1)
    if not len(several):
        return labels, count
    new = labels.copy()
    floor = -largest(labels, -here, count)
    part = np.full(len(pixels), -1)  # of a maximum: the number that its pixels get
    tops = tops[np.argsort(labels[tops], kind="stable")]
    bounds = np.searchsorted(labels[tops], np.arange(count + 1))
    for region in several:
        own = tops[bounds[region] : bounds[region + 1]]
        own = own[np.argsort(-here[own], kind="stable")]
        y, x = np.divmod(pixels[own], width)
        kept = [0]
        part[own[0]] = region
        for i in range(1, len(own)):
            squares = (x[kept] - x[i]) ** 2 + (y[kept] - y[i]) ** 2
            nearest = kept[int(squares.argmin())]
            sinks = _lowest(light, x[i], y[i], x[nearest], y[nearest]) <= here[own[i]] - depth * (
                here[own[i]] - floor[region]
            )
            if squares.min() >= distance**2 and sinks:
                kept.append(i)
                part[own[i]] = count
                count += 1
        for i in range(len(own)):
            if part[own[i]] < 0:
                squares = (x[kept] - x[i]) ** 2 + (y[kept] - y[i]) ** 2
                part[own[i]] = part[own[kept[int(squares.argmin())]]]
    chosen = part[parent] >= 0
    new[chosen] = part[parent][chosen]
    return new, count


def _lowest(light: Array, x0: int, y0: int, x1: int, y1: int) -> float:
    """The smallest value on the straight line between two pixels."""
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    along = np.arange(steps + 1) / steps
    x, y = np.rint(x0 + along * (x1 - x0)).astype(int), np.rint(y0 + along * (y1 - y0)).astype(int)
    return float(light[y, x].min())
