"""Heat maps and part affinity fields of several animals, as a bottom-up network is trained to make them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
NAMES = "nose, neck, left, right, tail"
EDGES = ((0, 1), (1, 2), (1, 3), (1, 4))
SHAPE = np.array([[0.0, -14.0], [0.0, -6.0], [-6.0, 0.0], [6.0, 0.0], [0.0, 16.0]])
"""Of an animal at rest, px of the map."""
HEIGHT, WIDTH = 72, 96


def animal(x: float, y: float, angle: float) -> Array:
    """x, y of its points where its middle is there and it is turned by so much, px of the map and rad."""
    c, s = np.cos(angle), np.sin(angle)
    made: Array = SHAPE @ np.array([[c, s], [-s, c]]) + (x, y)
    return made


def drawn(
    animals: Sequence[Array], missing: Collection[tuple[int, int]] = (), edges: Sequence[tuple[int, int]] = EDGES,
    width: float = 1.5,
) -> tuple[Array, Array]:  # fmt: skip
    """Heat maps and fields as they are trained: bells of 1.2 px, unit vectors within `width` px of an edge."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    heat, fields = np.zeros((HEIGHT, WIDTH, 5), np.float32), np.zeros((HEIGHT, WIDTH, 2 * len(edges)), np.float32)
    for n, points in enumerate(animals):
        for c, (x, y) in enumerate(points):
            if (n, c) not in missing:
                heat[..., c] = np.maximum(heat[..., c], np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 2.88))
        for e, (a, b) in enumerate(edges):
            way = points[b] - points[a]
            length, (ux, uy) = np.hypot(*way), way / np.hypot(*way)
            along = (columns - points[a][0]) * ux + (rows - points[a][1]) * uy
            across = (rows - points[a][1]) * ux - (columns - points[a][0]) * uy
            near = (np.abs(across) < width) & (along > -width) & (along < length + width)
            fields[near, 2 * e : 2 * e + 2] = ux, uy
    return heat, fields
