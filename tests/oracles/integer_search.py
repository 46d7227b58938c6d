"""Zero-normalised cross-correlation in NumPy: what `search.integer_search_loops` is tested against, with its bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.registration.search.integer_search_loops import EVEN
from pipelines.trackers.registration.warp.fit import References

Array = npt.NDArray[Any]


def best_places(picture: Array, ref: References, slots: Array, x: Array, y: Array, search: int) -> tuple[Array, Array]:
    """As `integer_search_zncc.in_range` of windows that are not of stripes."""
    h, best = ref.layout.w // 2, np.empty((len(slots), 2))
    for k, slot in enumerate(slots.tolist()):
        cx, cy = int(np.rint(x[k])), int(np.rint(y[k]))
        left, top = max(cx - h - search, 0), max(cy - h - search, 0)
        region = picture[top : cy + h + search + 1, left : cx + h + search + 1]
        with np.errstate(all="ignore"):
            base = float(picture[cy, cx])
            found = correlations(region.astype(np.float64) - (base if np.isfinite(base) else 0.0), ref, slot)
        best[k] = cx, cy
        if (found > -1.0).any():
            row, column = np.unravel_index(np.argmax(found), found.shape)
            best[k] = left + column + h, top + row + h
    return best[:, 0], best[:, 1]


def correlations(region: Array, ref: References, slot: int) -> Array:
    """Of a reference with all windows of a region; 0 where one is constant, -1 where one has a pixel that is no number.
    Sums are in the order of the loop."""
    w, size = ref.layout.w, float(ref.layout.w**2)
    rows, columns = region.shape[0] - w + 1, region.shape[1] - w + 1
    light, squares = np.zeros((rows, region.shape[1])), np.zeros((rows, region.shape[1]))
    sums, powers, products = np.zeros((3, rows, columns))
    for r in range(w):
        light += region[r : r + rows]
        squares += region[r : r + rows] * region[r : r + rows]
        for c in range(w):
            products += region[r : r + rows, c : c + columns] * ref.pixels[slot, r, c]
    for c in range(w):
        sums += light[:, c : c + columns]
        powers += squares[:, c : c + columns]
    power = powers - sums * sums / size
    found = np.where(power > EVEN * powers, products / (ref.norm[slot] * np.sqrt(power)), 0.0)
    made: Array = np.where((found > -1.0) & np.isfinite(power), found, -1.0)
    return made
