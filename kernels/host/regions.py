"""Labelled pixels as lists: splitting at valleys, growing, levels a label.

A region list is a pair of arrays: flat pixel indices in a `Canvas`, and the regions' numbers, from 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.host.labels import Canvas

Array = npt.NDArray[Any]
BLUR = 3.0  # times the variance of rounding: half a gray value, of which quartiles know nothing
RIDGE = np.diag([1e-6, 1.0, 1.0])


def grow(canvas: Canvas, core: Array, labels: Array, steps: int) -> list[tuple[Array, Array, Array]]:
    """Grow all regions by one pixel (of eight neighbours) `steps` times, within the picture.

    Args:
        canvas: clean, and clean again afterwards.
        core: flat canvas indices of the regions' pixels, rising.
        labels: the regions' numbers, from 0.
        steps: how often.

    Returns:
        A list a step: flat indices of the pixels that were reached, rising, and the largest and smallest of the regions
        that reach them. Where they differ the pixel is contested, and grows on as the largest's.
    """
    flat, places, around = canvas.labels, canvas.places, canvas.neighbours()
    flat[core] = labels + 1
    edge, rings = core, []
    for _ in range(steps):
        near = (edge[:, None] + around).reshape(-1)
        near = near[flat[near] == 0]
        places[near] = np.arange(len(near))  # of equal ones the last stays
        ring = np.sort(near[places[near] == np.arange(len(near))])
        high = np.full(len(ring), -1, np.int32)
        low = np.full(len(ring), 2**32 - 1, np.uint32)  # no region, -1, is the largest number without a sign
        for offset in around:
            beside = np.maximum(flat[ring + offset], 0) - 1
            np.maximum(high, beside, out=high)
            np.minimum(low, beside.view(np.uint32), out=low)
        flat[ring] = high + 1
        rings.append((ring, high.astype(np.int64), low.astype(np.int64)))
        edge = ring
    for touched in (core, *(ring for ring, _, _ in rings)):
        flat[touched] = 0
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


class Used(NamedTuple):
    """What planes are made of: `ok`, which values have a say; `rest`, by how much these exceed their labels' levels;
    (count, 3, 3) the sums of 1, x, y and their products; (count, 3) the planes above the levels."""

    ok: Array
    rest: Array
    normal: Array
    slopes: Array


def planes(
    labels: Array, values: Array, x: Array, y: Array, count: int, grain: float = 0.0
) -> tuple[Array, Array, Array, Used]:
    """Least-squares planes through each label's values, and the variance of what they leave.

    Values farther than three robust standard deviations from their label's level have no say. A slope that the
    pixels do not fix (too few, or all in a row) is 0. `grain` is the variance of the values by their rounding, which
    makes quartiles of little noise equal.

    Returns:
        (count, 3): value at x = y = 0, slopes in x and y; (count,) variances; and (2, count) the variances of both
        slopes for values of variance 1; and what they are made of.
    """
    level, variance, _ = levels(labels, values, count)
    ok = abs(values - level[labels]) <= 3.0 * np.sqrt(variance[labels] + BLUR * grain) + 1e-6
    owner, rest = labels[ok], values[ok] - level[labels[ok]]
    base = np.stack((np.ones(len(owner)), x[ok], y[ok]))
    normal = np.empty((count, 3, 3))
    right = np.empty((count, 3, 1))
    for i in range(3):
        right[:, i, 0] = np.bincount(owner, base[i] * rest, count)
        for j in range(3):
            normal[:, i, j] = np.bincount(owner, base[i] * base[j], count)
    # A pixel's worth of ridge holds what the pixels leave open and changes nothing that they fix.
    normal += RIDGE
    found = np.linalg.solve(normal, right)[:, :, 0]
    slopes = found.copy()
    left = rest - (base * found[owner].T).sum(axis=0)
    used = np.bincount(owner, minlength=count)
    found[:, 0] += level
    spread = 1.0 / np.stack((normal[:, 1, 1], normal[:, 2, 2]))
    variance = np.bincount(owner, left * left, count) / np.maximum(used - 3, 1)
    return found, variance, spread, Used(ok, rest, normal, slopes)


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
    canvas: Canvas, pixels: Array, labels: Array, count: int, light: Array, distance: float, depth: float
) -> tuple[Array, int]:
    """Split regions that hold several separate maxima of the light.

    Every pixel climbs to the highest of its neighbours within its region until it stands on a maximum (a watershed
    by steepest ascent). A maximum counts when it is at least `distance` from every higher one that counts and the
    light between it and the nearest of them sinks by `depth` of its height above the region's darkest pixel; the
    others give their pixels to the nearest that counts.

    Args:
        canvas: clean, and clean again afterwards.
        pixels: flat canvas indices, rising.
        labels: the regions' numbers, from 0 to count - 1.
        count: how many regions there are.
        light: (frames, height, width) f32, smoothed.
        distance: px.
        depth: 0..1.

    Returns:
        New numbers, in the order of the old ones with the new parts at the end, and how many there are.
    """
    frame, y, x = canvas.inside(pixels)
    here, rows = light[frame, y, x], np.arange(len(pixels))
    near = pixels[:, None] + canvas.neighbours()
    canvas.labels[pixels], canvas.places[pixels] = labels + 1, rows
    same = canvas.labels[near] == labels[:, None] + 1
    canvas.labels[pixels] = 0
    place = canvas.places  # only read where a pixel of the list stands
    heights = np.where(same, here[np.where(same, place[near], 0)], -np.inf)
    best = heights.argmax(axis=1)
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
        picture, top_y, top_x = light[frame[own[0]]], y[own], x[own]
        kept = [0]
        part[own[0]] = region
        for i in range(1, len(own)):
            squares = (top_x[kept] - top_x[i]) ** 2 + (top_y[kept] - top_y[i]) ** 2
            nearest = kept[int(squares.argmin())]
            sinks = _lowest(picture, top_x[i], top_y[i], top_x[nearest], top_y[nearest]) <= here[own[i]] - depth * (
                here[own[i]] - floor[region]
            )
            if squares.min() >= distance**2 and sinks:
                kept.append(i)
                part[own[i]] = count
                count += 1
        for i in range(len(own)):
            if part[own[i]] < 0:
                squares = (top_x[kept] - top_x[i]) ** 2 + (top_y[kept] - top_y[i]) ** 2
                part[own[i]] = part[own[kept[int(squares.argmin())]]]
    chosen = part[parent] >= 0
    new[chosen] = part[parent][chosen]
    return new, count


def _lowest(light: Array, x0: int, y0: int, x1: int, y1: int) -> float:
    """The smallest value on the straight line between two pixels."""
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    along = np.arange(steps + 1) / steps
    # Halves go right and down, wherever the picture begins.
    x, y = (np.floor(a + along * (b - a) + 0.5).astype(int) for a, b in ((x0, x1), (y0, y1)))
    return float(light[y, x].min())
