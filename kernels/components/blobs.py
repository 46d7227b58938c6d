"""Connected components measured: moments of the light above a local background, sub-pixel centres.

What the stage `components` does to the frames of a batch; its docstring says what the columns mean. Small regions are
measured in tiles (`kernels.components.tiling`), those of any size, and images of other types, as lists of pixels
(`kernels.components.moments`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import METHODS, ROUNDING, frames_of, memory_of, pictures, windows
from kernels.centroids.structs import Method
from kernels.components.mask_table import mask_rows
from kernels.components.measure_loops import Coarse, better_room, refined_loop
from kernels.components.moments import weighed
from kernels.components.outlines import outlined
from kernels.components.tiling import fits, margin, measured, widest
from kernels.ir.bits import Bits
from kernels.loops.calling import call
from kernels.loops.fractions import Fractions, Images, pixels_of
from kernels.opencv import cv2
from kernels.regions.initial_guess_loops import ELSEWHERE, LIGHT
from kernels.regions.labels import Canvas, Kept, canvas, components, foreground, forget, kept
from kernels.regions.pixel_lists import grays, largest, split_at_valleys

Array = npt.NDArray[Any]
_MOST_PIXELS = 1 << 14
"""Pixels of masks that are measured together: enough that calls do not cost more than their work, few enough for L2."""
_MOST_AREA = 1 << 22
"""Pixels of the frames that hold them."""
_BRIGHTEST = np.float32(1e38)
"""Light that a blur in f32 adds up without becoming infinite."""


def measure(masks: Array | Bits, images: Images | None, params: Mapping[str, Any]) -> list[tuple[Array, int]]:
    """Rows of `FEATURE` for the components of each mask, and how many components found no room.

    Args:
        masks: (frames, height, width) bool, or `Bits`.
        images: (frames, height, width) weights of any real type, or `Fractions`, or None.
        params: the parameters of the stage `components`.
    """
    # No compiled loop for pixels of this type: whole numbers as they are written out.
    if isinstance(images, Fractions) and refined_loop.native(images.pixels, np.float32) is None:
        images = np.asarray(images)
    if images is not None and params["centre"] == "light" and fits(images, params):

        def rest(i: int, boxes: Array, large: Array, reach: int) -> tuple[Array, Array]:
            mask = masks.frame(i) if isinstance(masks, Bits) else masks[i]
            return _some_of(mask, images[i : i + 1], boxes, large, reach, params)

        most = most_area(params, masks.shape[1] * masks.shape[2])
        return measured(masks, images, params, most, _grain(images), rest)
    return _listed(np.asarray(masks), images, params)


def _listed(masks: Array, images: Images | None, params: Mapping[str, Any]) -> list[tuple[Array, int]]:
    """The same by lists of pixels, for regions of any size and images of any type."""
    area = masks[0].size if len(masks) else 1
    pixels = foreground(masks)
    ends = np.searchsorted(pixels, np.arange(1, len(masks) + 1) * area)
    found: list[tuple[Array, int]] = []
    while len(found) < len(masks):
        first = len(found)
        start = ends[first - 1] if first else 0
        # As many frames as hold the most pixels, but at least one, and not more area than memory shall hold.
        end = int(np.searchsorted(ends, start + _MOST_PIXELS, side="right"))
        end = max(first + 1, min(end, first + _MOST_AREA // max(1, area)))
        some = slice(first, end)
        # The canvas is shared and must be clean: after an error (Ctrl+C, too) it is thrown away.
        try:
            own = pixels[start : ends[end - 1]] - first * area
            found += _some(own, masks[some].shape, None if images is None else images[some], params)
        except BaseException:
            forget()
            raise
    return found


def _some_of(
    mask: Array, images: Images, boxes: Array, wanted: Array, reach: int, params: Mapping[str, Any]
) -> tuple[Array, Array]:
    """Rows of the `wanted` components of one frame, not refined, and rows of the parts split off from them.

    Args:
        boxes: of each component that is kept: leftmost and rightmost column, first and last row.
        reach: px; components farther away change nothing.
    """
    shape = (1, *mask.shape)
    found = kept(foreground(mask[None]), shape, int(params["connectivity"]), params["min_area"],
                 most_area(params, mask.size), params["capacity"])  # fmt: skip
    # Whoever is near changes the rings and so the ground of the wanted ones: labelled as well, then left out.
    near = wanted.copy()
    for left, right, top, bottom in boxes[wanted].tolist():
        near |= (boxes[:, 1] >= left - reach) & (boxes[:, 0] <= right + reach) & (
            boxes[:, 3] >= top - reach) & (boxes[:, 2] <= bottom + reach)  # fmt: skip
    inside = near[found.labels]
    # New numbers of those that stay, in their order.
    number = np.cumsum(near) - 1
    few = Kept(found.core[inside], number[found.labels[inside]], found.owner[near], found.overflow)
    try:
        rows, _, parent, _ = _measured(canvas(1, mask.shape), few, images, params)
    except BaseException:
        forget()
        raise
    mine, count = wanted[near][parent], len(few.owner)
    return rows[:count][mine[:count]], rows[count:][mine[count:]]


def reach(params: Mapping[str, Any]) -> int:
    """How far from the pixels of components weights are looked at, px: twice the rings around them (a neighbour's, too)
    and the window of a centre, which may wander as far as it is wide; and room for whole words and vectors."""
    return 2 * margin(params) + 2 * windows(float(params["refine_sigma"]) or 1.0).size + 64


def most_area(params: Mapping[str, Any], pixels: int) -> float:
    """Pixels of the largest component that the stage keeps in a picture of so many pixels; inf for no limit."""
    share = params["max_share"] * pixels if params["max_share"] < 1 else np.inf
    return float(min(params["max_area"] or np.inf, share))


def region_areas(mask: Array, connectivity: int = 8) -> Array:
    """Pixels of each component of one mask (height, width), kept or not, in the order of their first pixels.

    >>> region_areas(np.array([[True, True, False, True]])).tolist()
    [2, 1]
    """
    labels, count = _labelled(mask, connectivity)
    return np.bincount(labels, minlength=count)


def regions_across(mask: Array, connectivity: int = 8) -> Array:
    """In how many directions, of two, each component of one mask reaches from one side of the picture to the opposite
    one; in the order of `region_areas`.

    >>> regions_across(np.array([[True, False, True], [True, False, False]])).tolist()
    [1, 0]
    """
    labels, count = _labelled(mask, connectivity)
    across = np.zeros(count, np.int64)
    # A label that is on both opposite sides reaches across.
    for place, size in zip(np.nonzero(mask), mask.shape, strict=True):
        across[np.intersect1d(labels[place == 0], labels[place == size - 1])] += 1
    return across


def _labelled(mask: Array, connectivity: int) -> tuple[Array, int]:
    """The component of each true pixel of one mask, and how many there are."""
    inside = np.ascontiguousarray(mask if mask.dtype == np.bool_ else mask != 0)[None]
    return components(foreground(inside), (inside.shape[1], inside.shape[2]), connectivity)


def _some(
    pixels: Array, shape: tuple[int, int, int], images: Images | None, params: Mapping[str, Any]
) -> list[tuple[Array, int]]:
    """The same for a few frames, of whose masks the `pixels` (flat indices) are true."""
    frames, height, width = shape
    found = kept(pixels, shape, int(params["connectivity"]), params["min_area"], most_area(params, height * width),
                 params["capacity"])  # fmt: skip
    owner = found.owner
    if images is None:
        # The canvas has a border of one pixel on each side.
        y, x = np.divmod(found.core % ((height + 2) * (width + 2)), width + 2)
        rows = mask_rows(x - 1, y - 1, found.labels, len(owner))
        if params["centre"] != "light":
            outlined(rows, canvas(frames, (height, width)), found.core, found.labels, None, 1.0, params["centre"])
    else:
        rows, owner = _weighed(canvas(frames, (height, width)), found, images, params)
    if len(owner) > len(found.owner):  # parts that were split off are at the end
        order = np.argsort(owner, kind="stable")
        rows, owner = rows[order], owner[order]
    ends = np.searchsorted(owner, np.arange(frames + 1)).tolist()
    return [(rows[ends[i] : ends[i + 1]], more) for i, more in enumerate(found.overflow.tolist())]


def _weighed(place: Canvas, found: Kept, images: Images, params: Mapping[str, Any]) -> tuple[Array, Array]:
    """Rows from gray values, and the frame of each row."""
    rows, owner, _, labels = _measured(place, found, images, params)
    if params["centre"] != "light":
        sign = -1.0 if params["polarity"] == "dark" else 1.0
        outlined(rows, place, found.core, labels, images, sign, params["centre"])
        return rows, owner
    if params["refine_sigma"] > 0 and params["refine"] != "moments":
        light = _sides(place, found.core, labels, len(rows)) <= widest(params)
        _refine(rows, owner, images, params, light)
    return rows, owner


def _sides(place: Canvas, core: Array, labels: Array, count: int) -> Array:
    """The larger of width and height of each component, px."""
    # Of negated numbers the largest is the smallest.
    _, y, x = place.inside(core)
    across, down = (largest(labels, v, count) + largest(labels, -v, count) + 1 for v in (x, y))
    return np.asarray(np.maximum(across, down))


def _grain(images: Images) -> float:
    """Least variance of a pixel."""
    return 0.0 if images.dtype.kind == "f" else ROUNDING


def _measured(
    place: Canvas, found: Kept, images: Images, params: Mapping[str, Any]
) -> tuple[Array, Array, Array, Array]:
    """Rows from gray values, not refined; the frame of each row; the component that it is or is a part of; and the
    numbers of the pixels' rows."""
    grain = _grain(images)
    core, labels, owner, count = found.core, found.labels, found.owner, len(found.owner)
    parent = np.arange(count)
    if params["split"] > 0:
        # Smoothed first: noise alone would make maxima between which to split.
        light = np.empty(images.shape, np.float32)
        for smooth, image in zip(light, images, strict=True):
            _smooth(_light(image, params), params["split"] / 4.0, smooth)
        whole = labels
        labels, count = split_at_valleys(place, core, whole, count, light, params["split"], params["split_depth"])
        # Each pixel of a part says its frame and its region: all say the same.
        owner, parent = np.zeros((2, count), np.int64)
        owner[labels], parent[labels] = core // place.area, whole
    rows = weighed(place, core, labels, count, images, params, grain)
    rows["min"], rows["max"] = grays(labels, np.asarray(images)[place.inside(core)], count)
    return rows, owner, parent, labels


def _light(values: Array, params: Mapping[str, Any]) -> Array:
    """Gray values as light, f32."""
    light = values.astype(np.float32)
    return np.negative(light, out=light) if params["polarity"] == "dark" else light


def _smooth(light: Array, sigma: float, out: Array) -> None:
    # A blur spreads one NaN or infinity over everything near it.
    if not np.isfinite(light).all():
        light = np.where(np.isfinite(light), light, np.float32(0))
    if light.size and max(abs(float(light.min())), abs(float(light.max()))) > _BRIGHTEST:
        light = np.clip(light, -_BRIGHTEST, _BRIGHTEST)
    cv2.GaussianBlur(light, (0, 0), sigma, dst=out)


def _refine(rows: Array, owner: Array, images: Images, params: Mapping[str, Any], light: Array) -> None:
    """Better centres, in place, where the component is small; those of which the window tells all (`light`) take mass,
    peak and moments from there."""
    weights = windows(float(params["refine_sigma"]))
    images, kind = pictures(images, True)
    method = Method(_grain(images), np.nan, METHODS[params["refine"]], True)
    memory = memory_of(kind, *better_room(len(rows), len(images), weights, *images.shape[1:]))
    frames, state = frames_of(images, params["polarity"] == "dark"), np.where(light, LIGHT, ELSEWHERE)
    coarse = Coarse(len(images), len(rows), owner, state, rows.view(np.float64))
    call(refined_loop, frames, weights, method, memory, coarse, pixels=pixels_of(images), lanes=kind)
