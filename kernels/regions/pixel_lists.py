"""Labelled pixels as lists: splitting at valleys.

A region list is a pair of arrays: flat pixel indices in a `Canvas`, and the regions' numbers, from 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.regions.labels import Canvas

Array = npt.NDArray[Any]
BLUR = 3.0  # times the variance of rounding: half a gray value, of which quartiles know nothing
RIDGE = np.diag([1e-6, 1.0, 1.0])


def largest(labels: Array, values: Array, count: int) -> Array:
    """The largest value of each label; each needs at least one."""
    if not count:
        return np.zeros(0, values.dtype)
    order = np.argsort(labels, kind="stable")
    start = np.searchsorted(labels[order], np.arange(count))
    return np.asarray(np.maximum.reduceat(values[order], start))


def grays(labels: Array, values: Array, count: int) -> tuple[Array, Array]:
    """The least and the largest of each label's values, f8; what is no finite number is left out, NaN of none.

    >>> [one.tolist() for one in grays(np.array([1, 0, 1]), np.array([3.0, np.nan, 5.0]), 2)]
    [[nan, 3.0], [nan, 5.0]]
    """
    values = values.astype(np.float64)
    good = np.isfinite(values)
    high, low = (largest(labels, np.where(good, sign * values, -np.inf), count) for sign in (1.0, -1.0))
    none = np.isinf(high)
    return np.where(none, np.nan, 0.0 - low), np.where(none, np.nan, high + 0.0)


def split_at_valleys(
    canvas: Canvas, pixels: Array, labels: Array, count: int, light: Array, distance: float, depth: float
) -> tuple[Array, int]:
    """Split regions that hold several separate maxima of the light.

    Every pixel climbs to the highest of its neighbours within its region until it is on a maximum (a watershed
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
    # A row of eight neighbours a pixel; the canvas' border makes all of them exist, and OUTSIDE is nobody's number.
    near = pixels[:, None] + canvas.neighbours()
    canvas.labels[pixels], canvas.places[pixels] = labels + 1, rows
    same = canvas.labels[near] == labels[:, None] + 1
    canvas.labels[pixels] = 0
    place = canvas.places  # only read at pixels of the list
    # What is in no region or in another one is lower than everything: climbs stay within the region.
    heights = np.where(same, here[np.where(same, place[near], 0)], -np.inf)
    best = heights.argmax(axis=1)
    # Equal heights climb to the earlier pixel, so that no two point at each other.
    target = near[rows, best]
    higher = (heights[rows, best] > here) | ((heights[rows, best] == here) & (target < pixels))
    parent = np.where(higher, place[target], rows)
    # Pointer jumping: each turn doubles the steps that a pointer spans, so that few turns reach all maxima.
    while True:
        further = parent[parent]
        if np.array_equal(further, parent):
            break
        parent = further
    tops = np.flatnonzero(parent == rows)
    # Regions of one maximum, which are nearly all, are done.
    several = np.flatnonzero(np.bincount(labels[tops], minlength=count) > 1)
    if not len(several):
        return labels, count
    new = labels.copy()
    floor = -largest(labels, -here, count)
    part = np.full(len(pixels), -1)  # of a maximum: the number that its pixels get
    # Sorted by region, so that each region's maxima are one slice.
    tops = tops[np.argsort(labels[tops], kind="stable")]
    bounds = np.searchsorted(labels[tops], np.arange(count + 1))
    for region in several:
        own = tops[bounds[region] : bounds[region + 1]]
        # From the highest down; equal heights stay in reading order.
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
    # `part` is set for maxima of split regions alone: all other pixels keep their number.
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
