"""Which points of a long curve are drawn: in each column of pixels the lowest and the highest, at their own places.

Equal numbers of points would not do on a logarithmic axis, where a column holds one line at the left and a thousand at
the right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
DENSE = 4
"""Points a column up to which all of them are drawn."""


def thinned(at: Values, value: Values, low: float, high: float, columns: int) -> Places:
    """Indices of what is drawn, rising; the first and the last point of all are always among them.

    Args:
        at: along the axis as it is drawn (logarithms on a logarithmic one), rising.
        value: finite.
        low, high: what is seen of the axis.
        columns: of pixels between them.
    """
    count = len(at)
    if not count:
        return np.zeros(0, np.intp)
    first, end = np.searchsorted(at, (low, high))
    first, end = max(0, int(first) - 1), min(count, int(end) + 1)
    seen: Places = np.arange(first, end)
    if len(seen) > DENSE * columns:
        edges = np.searchsorted(at[first:end], np.linspace(low, high, columns + 1))
        starts = np.unique(np.append(np.clip(edges, 0, len(seen) - 1), 0))
        part = value[first:end]
        seen = first + np.union1d(_firsts(part, starts, np.minimum), _firsts(part, starts, np.maximum))
    return np.union1d(seen, (0, count - 1))


def _firsts(value: Values, starts: Places, extreme: Any) -> Places:
    """Where each part has its lowest or highest value first."""
    counts = np.diff(np.append(starts, len(value)))
    found = np.flatnonzero(value == np.repeat(extreme.reduceat(value, starts), counts))
    _, first = np.unique(np.repeat(np.arange(len(starts)), counts)[found], return_index=True)
    places: Places = found[first]
    return places
