"""Where windows are to whole pixels, by zero-normalised cross-correlation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2
from pipelines.trackers.registration.search.integer_search_loops import BESIDE, correlate
from pipelines.trackers.registration.warp.fit import References
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.plane_maps import applied
from pipelines.trackers.registration.windows.windows import as_picture

Array = npt.NDArray[Any]

FEW = 10**6  # products that take less time than a Fourier transform
ALONE = 0.1  # correlation by which a place in the whole picture must be better than the next best


def in_range(picture: Array, ref: References, slots: Array, x: Array, y: Array, search: int) -> tuple[Array, Array]:
    """The best places within `search` px of (x, y) and within the picture; of stripes, straight across them.

    Args:
        picture: (height, width).
        ref: references.
        slots: of n windows.
        x, y: px; the window about them lies in the picture.
        search: px.
    """
    best = np.empty((len(slots), 2))
    x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    cx, cy, w = np.rint(x), np.rint(y), ref.layout.w
    # Directly it takes (2 search + 1)^2 w^2 products; by Fourier transforms a time that hardly depends on either.
    if ((2 * search + 1) * w) ** 2 > FEW:
        for k, slot in enumerate(slots.tolist()):
            best[k] = _near(picture, ref, slot, int(cx[k]), int(cy[k]), search)
    else:
        side = w + 2 * search
        room = scratch((side + 5) * (side + 8 + 2 * BESIDE))
        call(correlate, as_picture(picture), len(slots), np.ascontiguousarray(slots), cx, cy, search, ref.arrays(),
             best, room, pixels=picture.dtype)  # fmt: skip
    # Along stripes nothing is measured: only the part of the shift that lies across them is taken.
    for k in np.flatnonzero(ref.textured[slots] == 2).tolist():
        across = ref.across(slots[k : k + 1])[0]
        best[k] = (x[k], y[k]) + applied(across, best[k, 0] - x[k], best[k, 1] - y[k])
    return best[:, 0].copy(), best[:, 1].copy()


def _near(picture: Array, ref: References, slot: int, x: int, y: int, search: int) -> tuple[float, float]:
    """By Fourier transforms."""
    h = ref.layout.w // 2
    left, top = max(x - h - search, 0), max(y - h - search, 0)
    region = picture[top : y + h + search + 1, left : x + h + search + 1]
    with np.errstate(all="ignore"):
        base = float(picture[y, x])
        found = _correlated(region.astype(np.float64) - (base if np.isfinite(base) else 0.0), ref, slot)
    if not (found > -1.0).any():
        return float(x), float(y)
    place = np.unravel_index(np.argmax(found), found.shape)
    return float(left + place[1] + h), float(top + place[0] + h)


def whole_picture(picture: Array, ref: References, slots: Array) -> tuple[Array, Array, Array]:
    """The best places in the whole picture, and the correlations there; 0 where another place is nearly as good.

    OpenCV's matchTemplate multiplies in the frequency domain (the picture by blocks), so that a window costs two
    Fourier transforms, whatever its size.
    """
    w = ref.layout.w
    x, y, score = np.zeros(len(slots)), np.zeros(len(slots)), np.zeros(len(slots))
    for k, slot in enumerate(slots.tolist()):
        if ref.textured[slot] == 2 or min(picture.shape) < w:
            continue  # stripes are the same everywhere along them
        found = _correlated(picture, ref, slot)
        row, column = (int(i) for i in np.unravel_index(np.argmax(found), found.shape))
        best = float(found[row, column])
        # The peak's own flanks are no second place.
        found[max(row - w // 2, 0) : row + w // 2 + 1, max(column - w // 2, 0) : column + w // 2 + 1] = -1.0
        x[k], y[k] = column + w // 2, row + w // 2
        score[k] = best if best - float(found.max()) > ALONE else 0.0
    return x, y, score


def elsewhere(picture: Array, ref: References, slots: Array, x: Array, y: Array) -> Array:
    """The best correlations in the whole picture, but for places less than a window's side from (x, y).

    Args:
        picture: (height, width).
        ref: references.
        slots: of n windows.
        x, y: px.
    """
    w, best = ref.layout.w, np.full(len(slots), -1.0)
    if min(picture.shape) < w:
        return best
    for k, slot in enumerate(slots.tolist()):
        found = _correlated(picture, ref, slot)
        row, column = round(float(y[k])) - w // 2, round(float(x[k])) - w // 2
        found[max(row - w + 1, 0) : max(row + w, 0), max(column - w + 1, 0) : max(column + w, 0)] = -1.0
        best[k] = float(found.max())
    return best


def _correlated(region: Array, ref: References, slot: int) -> Array:
    """Correlations of a reference with all windows of a region; 0 where one is constant, -1 for what is no number."""
    template = np.ascontiguousarray(ref.pixels[slot, :, : ref.layout.w], np.float32)
    # A common offset of picture and template costs float32 digits and changes nothing else.
    values = region.astype(np.float64)
    found = cv2.matchTemplate((values - values.mean()).astype(np.float32), template, cv2.TM_CCOEFF_NORMED)
    made: Array = np.nan_to_num(np.asarray(found), nan=-1.0, posinf=-1.0, neginf=-1.0)
    return made
