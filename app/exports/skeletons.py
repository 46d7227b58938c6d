"""Skeletons in pictures: which rows of a frame are joined by an edge, and how large rings are where many lie together.

The window and the overlay of a run draw the same lines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from app.keypoints import Keypoints
from pipelines.features import State, Tracks

Array = npt.NDArray[Any]
FEW = 20
"""Rings that keep their size, however close together they lie."""
CELL = 24.0
"""Side of the squares that crowded points are counted in, px of the picture that is drawn."""
LEAST = 0.5
"""Radius of the smallest ring, px, which is a dot."""
PART = 0.3
"""Radius of a ring as part of the distance to its neighbours, at most."""


class Skeletons:
    """Finds the joined rows of one frame after the other.

    Args:
        keypoints: which point of which animal each track is, and what is joined.
    """

    def __init__(self, keypoints: Keypoints | None = None) -> None:
        known = keypoints or Keypoints()
        tracks = np.array([(k, *v) for k, v in sorted(known.tracks.items())], np.int64).reshape(-1, 3)
        edges = np.array(known.edges, np.int64).reshape(-1, 3)
        self._tracks, self._points = tracks[:, 0], tracks[:, 1:]
        self._edges = edges[np.argsort(edges[:, 0], kind="stable")]
        self._stride = 1 + max(int(self._points[:, 1].max(initial=0)), int(edges[:, 1:].max(initial=0)))

    def __bool__(self) -> bool:
        return bool(len(self._tracks) and len(self._edges))

    def joined(self, rows: Tracks) -> tuple[Array, Array]:
        """The joined points of a frame.

        Args:
            rows: of the frame; those that are lost or have no place are joined with nothing.

        Returns:
            (n, 2) indices of `rows`, and (n,) the animal of each line.
        """
        none = np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
        if not self:
            return none
        placed = (rows["state"] != State.LOST) & np.isfinite(rows["x"]) & np.isfinite(rows["y"])
        at = np.flatnonzero(placed & np.isin(rows["track"], self._tracks))
        points = self._points[np.searchsorted(self._tracks, rows["track"][at])]
        code = points[:, 0] * self._stride + points[:, 1]
        order = np.argsort(code, kind="stable")
        at, code = at[order], code[order]
        animals = np.unique(points[:, 0])
        begin, end = (np.searchsorted(self._edges[:, 0], animals, side) for side in ("left", "right"))
        edges = [self._edges[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True)]
        if not edges:
            return none
        animal, *ends = np.concatenate(edges).T
        wanted = np.stack([animal * self._stride + one for one in ends], axis=1)
        place = np.minimum(np.searchsorted(code, wanted), len(code) - 1)
        there = (code[place] == wanted).all(axis=1)
        return at[place[there]], animal[there]


def ring_radius(places: Array, largest: float) -> float:
    """The radius of the rings around points, px: smaller where most of them lie so close together that rings would
    cover what they mark.

    Args:
        places: (n, 2) px of the picture that is drawn.
        largest: radius where there is room.
    """
    if len(places) <= FEW:
        return largest
    cells = np.floor(np.asarray(places, np.float64) / CELL).astype(np.int64)
    _, which, count = np.unique(cells[:, 0] * (1 << 32) + cells[:, 1], return_inverse=True, return_counts=True)
    apart = CELL / np.sqrt(np.median(count[which]))
    return float(min(largest, max(LEAST, round(2 * PART * apart) / 2)))
