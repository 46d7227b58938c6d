"""Which points of a long curve are drawn: in each column of pixels the lowest and the highest, at their own places.

Equal numbers of points would not do on a logarithmic axis, where a column holds one line at the left and a thousand at
the right; over time, where points lie evenly, they do and cost a tenth.
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
    first, end = _seen(at, low, high)
    seen: Places = np.arange(first, end)
    # The lowest and the highest point of each column of pixels, where there are more points than `DENSE` a column.
    if len(seen) > DENSE * columns:
        edges = np.searchsorted(at[first:end], np.linspace(low, high, columns + 1))
        # Columns without points fall away.
        starts = np.unique(np.append(np.clip(edges, 0, len(seen) - 1), 0))
        part = value[first:end]
        seen = first + np.union1d(_firsts(part, starts, np.minimum), _firsts(part, starts, np.maximum))
    return np.union1d(seen, (0, count - 1))


def thinned_evenly(at: Values, value: Values, low: float, high: float, columns: int) -> Places:
    """The same of values that may have gaps (NaN, of which one a column stays), in columns of equal numbers of points.

    Args:
        at: rising, in about equal steps.
        value, low, high, columns: see `thinned`.
    """
    count = len(at)
    if not count:
        return np.zeros(0, np.intp)
    first, end = _seen(at, low, high)
    each = (end - first) // columns
    if each <= DENSE:
        return np.union1d(np.arange(first, end), (0, count - 1))
    first = first // each * each  # so that columns stay what they are while curves move
    blocks = -(-(end - first) // each)
    # The last column is padded with NaN: places behind the last point are dropped below.
    part = np.full((blocks, each), np.nan)
    inside = value[first : first + part.size]
    part.ravel()[: len(inside)] = inside
    gaps = np.isnan(part)
    starts = first + each * np.arange(blocks)
    # A column of NaN alone gives its first place, which breaks the line as it should.
    low_at, high_at = np.where(gaps, np.inf, part).argmin(axis=1), np.where(gaps, -np.inf, part).argmax(axis=1)
    found = [starts + low_at, starts + high_at]
    if gaps.any():
        broken = gaps.any(axis=1)
        found.append(starts[broken] + gaps[broken].argmax(axis=1))
    chosen = np.concatenate((*found, (0, count - 1)))
    return np.unique(chosen[chosen < count]).astype(np.intp)


def _seen(at: Values, low: float, high: float) -> tuple[int, int]:
    """The points between two places, and the one before and behind them."""
    first, end = np.searchsorted(at, (low, high))
    return max(0, int(first) - 1), min(len(at), int(end) + 1)


def _firsts(value: Values, starts: Places, extreme: Any) -> Places:
    """Where each part has its lowest or highest value first."""
    counts = np.diff(np.append(starts, len(value)))
    # Of all places with the extreme value of their part, the first of each.
    found = np.flatnonzero(value == np.repeat(extreme.reduceat(value, starts), counts))
    _, first = np.unique(np.repeat(np.arange(len(starts)), counts)[found], return_index=True)
    places: Places = found[first]
    return places
