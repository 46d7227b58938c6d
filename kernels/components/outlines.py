"""Centres of components by their outlines: memory for `kernels.components.outline_loops`, which says what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import PLAIN
from kernels.components import outline_loops as loops
from kernels.loops.calling import call
from kernels.loops.fractions import Images, dense, flat, pixels_of
from kernels.regions.labels import Canvas

Array = npt.NDArray[Any]
CENTRES = ("light", "shape", "ellipse")
"""Ways of a centre: the number of each is its place."""


def outlined(rows: Array, place: Canvas, core: Array, labels: Array, images: Images | None, sign: float,
             way: str) -> None:  # fmt: skip
    """Put the centres, areas, moments and sigmas that outlines tell into rows of FEATURE, in place.

    Args:
        rows: one a region, contiguous.
        place: clean, and clean again afterwards.
        core: flat canvas indices of the regions' pixels, rising.
        labels: the regions' numbers, from 0.
        images: (frames, height, width) weights of any real type, or None.
        sign: of light: -1 for dark things.
        way: "shape" or "ellipse".
    """
    count, n = len(rows), len(core)
    if not count:
        return
    height, width = place.size
    light = images is not None
    if images is None:
        images = np.zeros(1, np.uint8)
    elif images.dtype not in PLAIN:
        images = np.asarray(images, np.float64)
    images = dense(images)
    core, labels = np.ascontiguousarray(core, np.int64), np.ascontiguousarray(labels, np.int64)
    picture, boxes = loops.Picture(), _room(loops.Boxes, count)
    picture.height, picture.width, picture.pitch = height, width, place.width
    picture.sign, picture.light, picture.way = sign, int(light), CENTRES.index(way)
    total = call(loops.boxes_loop, core, labels, n, picture, boxes, count)
    # The longest region's rows and columns: both sides of each give a point.
    extremes, most = _room(loops.Extremes, total), int(np.diff(np.append(boxes.begin, total)).max())
    call(loops.extremes_loop, core, labels, n, picture, boxes, extremes, total)
    chain, points = _room(loops.Chain, most), _room(loops.Points, 2 * most)
    work = loops.Outlines(extremes, chain, points, loops.Fit(), np.empty(80))
    mask = loops.Mask(core, labels, n)
    call(loops.outlines_loop, flat(images), place.labels, mask, picture, boxes, count, work,
         rows.view(np.float64), pixels=pixels_of(images))  # fmt: skip


def _room(kind: Any, room: int) -> Any:
    return kind(np.empty(len(kind.layout.fields) * room), room)
