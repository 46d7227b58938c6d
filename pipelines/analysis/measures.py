"""Distances and angles between tracks as trails of one value, with the uncertainty that follows from both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.trails import Trail

Array = npt.NDArray[Any]


def together(trails: Sequence[Trail]) -> list[Trail]:
    """The frames that all have.

    Raises:
        ValueError: there are none.
    """
    shared = trails[0].frames
    for trail in trails[1:]:
        shared = np.intersect1d(shared, trail.frames, assume_unique=True)
    if not len(shared):
        raise ValueError(f"tracks {', '.join(trail.name for trail in trails)} are in no frame seen together")
    return [trail.part(np.isin(trail.frames, shared)) for trail in trails]


def distance(first: Trail, second: Trail) -> Trail:
    """|second - first|, unit of the places; its variance is that of both along the line that joins them (where they
    coincide: the mean of x and y)."""
    a, b = together((first, second))
    dx, dy = b.values - a.values
    vx, vy = np.square(a.sigmas) + np.square(b.sigmas)
    length = np.hypot(dx, dy)
    # By first order: both ends' variances along the unit vector between them.
    with np.errstate(invalid="ignore", divide="ignore"):
        along = (dx * dx * vx + dy * dy * vy) / np.square(length)
    return _trail(f"distance {first.name}-{second.name}", a, length, np.where(length > 0, along, 0.5 * (vx + vy)))


def direction(first: Trail, second: Trail) -> Trail:
    """The angle of the way from the first to the second, rad: 0 along x, rising from x to y, without jumps of a turn
    from one frame to the next."""
    a, b = together((first, second))
    dx, dy = b.values - a.values
    vx, vy = np.square(a.sigmas) + np.square(b.sigmas)
    square = dx * dx + dy * dy
    with np.errstate(invalid="ignore", divide="ignore"):
        # By first order: across it, by the squared length.
        variance = (dy * dy * vx + dx * dx * vy) / np.square(square)
    return _trail(f"angle {first.name}-{second.name}", a, np.unwrap(np.arctan2(dy, dx)), _turns(variance))


def angle(first: Trail, middle: Trail, last: Trail) -> Trail:
    """The angle at the middle one from the first to the last, rad, rising from x to y, without jumps of a turn from one
    frame to the next."""
    a, b, c = together((first, middle, last))
    (ux, uy), (wx, wy) = a.values - b.values, c.values - b.values
    u, w = ux * ux + uy * uy, wx * wx + wy * wy
    # From cross and dot product, which is exact at any angle.
    value = np.unwrap(np.arctan2(ux * wy - uy * wx, ux * wx + uy * wy))
    with np.errstate(invalid="ignore", divide="ignore"):
        end, other = np.stack((uy / u, -ux / u)), np.stack((-wy / w, wx / w))  # how it changes with x, y of both ends
        parts = np.square(a.sigmas * end) + np.square(c.sigmas * other) + np.square(b.sigmas * (end + other))
    return _trail(f"angle {first.name}-{middle.name}-{last.name}", a, value, _turns(parts.sum(axis=0)))


def _turns(variance: Array) -> Array:
    """An angle is not known worse than not at all."""
    return np.asarray(np.minimum(np.where(np.isfinite(variance), variance, np.nan), math.pi**2))


def _trail(name: str, clock: Trail, values: Array, variances: Array) -> Trail:
    return Trail(name, clock.frames, clock.times, values[None], np.sqrt(variances)[None])
