"""Cells between points: squares of a grid, triangles of others; what surfaces are drawn and written with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
LONGEST = 2.5
"""Steps of a triangle's longest side: beyond it there is a hole, or an edge that goes inwards."""


def cells_of(points: Array, step: float, lattice: Array | None) -> Array:
    """The cells whose corners are points: (M, 4) i8 numbers, around each square, of a grid; (M, 3) of other points.

    Args:
        points: (P, 2) px.
        step: distance of neighbours, px.
        lattice: (P, 2) column and row of each; None where they are on no grid (`pipelines.analysis.strain.Gauge`).
    """
    if lattice is not None:
        columns, rows = lattice.max(axis=0) + 2
        numbers = np.full((rows, columns), -1)
        numbers[lattice[:, 1], lattice[:, 0]] = np.arange(len(points))
        corners = np.stack((numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, 1:], numbers[1:, :-1]), axis=2)
        found = corners.reshape(-1, 4)
        return np.asarray(found[(found >= 0).all(axis=1)])
    from scipy.spatial import Delaunay, QhullError  # here: it takes long to load

    try:
        triangles = Delaunay(points).simplices
    except (QhullError, ValueError):  # all on a line
        return np.zeros((0, 3), np.int64)
    # A Delaunay triangulation is convex: it closes holes and bays with long triangles, which go.
    sides = points[triangles] - points[np.roll(triangles, 1, axis=1)]
    return np.asarray(triangles[np.hypot(*sides.transpose(2, 0, 1)).max(axis=1) <= LONGEST * step], np.int64)
