"""Where names of points are written so that no two lie over each other: beside the point, else left out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

CELL = 5.0
"""Pixels of the screen that places are measured in; an occupied one is a bit."""
MOST_LABELS = 400
"""Labels of one picture; more of them cover it."""
MOST_MOVED = 300
"""Points for whose names other sides are tried; of more, those that have no room at the usual side stay out."""
Values = npt.NDArray[np.float64]


def place_labels(
    x: Values, y: Values, widths: Values, height: float, far: Values, first: npt.NDArray[np.bool_],
    size: tuple[float, float],
) -> list[tuple[int, float, float]]:  # fmt: skip
    """Places for labels: (which point, left, base line), in pixels of the screen.

    A label goes to the upper right of its point, else to the lower right, lower left or upper left, else nowhere; what
    comes first has the first choice, so that a label does not jump when another one comes near. Those that are `first`
    are written whatever is there.

    Args:
        x, y: of the points.
        widths: of the labels, `height` of all.
        far: from the middle of a point to the edge of its mark.
        first: which of them are written in any case, and before the others.
        size: width and height of the view; what lies outside of it takes no room.
    """
    # Points a little outside of the view may have a label that reaches into it.
    seen = (x > -40) & (y > -20) & (x < size[0] + 40) & (y < size[1] + 20)
    at = np.flatnonzero(seen)
    # Stable: behind the first ones in the order in which the points come.
    order = at[np.argsort(~first[at], kind="stable")]
    if not len(order):
        return []
    right, left = x + far + 2, x - far - 2 - widths
    upper, lower = y - far + 1, y + far - 1 + 0.7 * height
    sides: tuple[tuple[Values, Values], ...] = ((right, upper), (right, lower), (left, lower), (left, upper))
    if len(order) > MOST_MOVED:
        sides = sides[:1]
    # Bands of the screen as numbers whose bits are the cells that are taken: one "and" looks at a whole band.
    # Cells count from a column left of the widest label of a point outside of the view, so that none is negative.
    shift = 64.0 + float(widths.max(initial=0.0))
    spans = []
    for sx, sy in sides:
        a = np.floor((sx + shift) / CELL).astype(np.int64)
        b = np.ceil((sx + widths + shift) / CELL).astype(np.int64)
        top = np.floor((sy - 0.75 * height) / CELL).astype(np.int64)
        bottom = np.ceil((sy + 0.1 * height) / CELL).astype(np.int64)
        spans.append((np.maximum(a, 0).tolist(), np.maximum(b, 1).tolist(), top.tolist(), bottom.tolist()))
    taken: dict[int, int] = {}
    found: list[tuple[int, float, float]] = []
    for k in order.tolist():
        best = -1
        for side, (a, b, top, bottom) in enumerate(spans):
            bits = ((1 << (b[k] - a[k])) - 1) << a[k]
            if not any(taken.get(band, 0) & bits for band in range(top[k], bottom[k])):
                best = side
                break
        if best < 0:
            if not first[k]:
                continue
            # It is written all the same, at its usual side.
            best = 0
        a, b, top, bottom = spans[best]
        bits = ((1 << (b[k] - a[k])) - 1) << a[k]
        for band in range(top[k], bottom[k]):
            taken[band] = taken.get(band, 0) | bits
        found.append((k, float(sides[best][0][k]), float(sides[best][1][k])))
        if len(found) >= MOST_LABELS:
            break
    return found
