"""Regions that are left out because of their size."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from app.hinting.look import Look, look_at, nodes_of, number
from kernels.components.blobs import most_area, region_areas, regions_across
from kernels.ir.image import ImageType
from pipelines.frame import FrameSource
from pipelines.graph import Bound, BoundNode

Array = npt.NDArray[Any]
ALIKE = 0.25
"""Of a region's area: others of half its width may be things of its kind."""
WIDER = 16.0
"""Times the usual area of what is kept: a region that is more than four times as wide is no thing of that kind, but
what carries them (a limb, a shoe)."""


def wrong_sizes(node: BoundNode, look: Look) -> list[str]:
    """A sentence if regions are there and their size is what excludes all of them; none where the ground passes."""
    if (_across(node, look) == 2).any():
        return []
    areas, small, large = _left_out(node, look)
    if not len(areas) or small + large < len(areas):
        return []
    frames, least = len(look.frames), number(node.body.params, "min_area")
    parts = [_large(node, areas, large, frames)] if large else []
    if small:
        biggest = areas[areas < least].max()
        parts.append(f"{_a_frame(small, frames)} left out: smaller than {node.id}.min_area = {least:g} (the largest of "
                     f"them has {biggest:g} px); --set {node.id}.min_area={math.ceil(ALIKE * biggest)} for those that "
                     "are half as wide, too")  # fmt: skip
    return parts


def too_large(source: FrameSource, bound: Bound, first: int, processed: int) -> list[str]:
    """A sentence for each components stage that leaves out regions because they are larger than its limit."""
    nodes = [node for node in nodes_of(bound, "components") if _limit(node) < np.inf]
    if not nodes:
        return []
    masks = [node.inputs[0] for node in nodes if node.inputs[0] is not None]
    look = look_at(source, bound, first, processed, masks, most=2)
    hints = []
    for node in nodes:
        areas, _, large = _left_out(node, look)
        kept = areas[(areas >= number(node.body.params, "min_area")) & (areas <= _limit(node))]
        if len(kept) and areas.max() > WIDER * np.median(kept):
            continue
        if large >= len(look.frames):  # in every frame, about: no chance merger of two
            hints.append(_large(node, areas, large, len(look.frames)))
    return hints


def _limit(node: BoundNode) -> float:
    """Pixels of the largest region that a components stage keeps."""
    picture = node.body.inputs[0]
    assert isinstance(picture, ImageType)
    return most_area(node.body.params, picture.height * picture.width)


def _large(node: BoundNode, areas: Array, large: int, frames: int) -> str:
    """That so many of the regions in some frames are too large, and for which of the two limits."""
    by_area = _limit(node) == number(node.body.params, "max_area")
    name, none = ("max_area", 0) if by_area else ("max_share", 1)
    return (f"{_a_frame(large, frames)} left out: larger than {node.id}.{name} = {node.body.params[name]:g} allows "
            f"({_limit(node):.0f} px; the largest has {areas.max():g}); --set {node.id}.{name}={none} for no limit")


def _left_out(node: BoundNode, look: Look) -> tuple[Array, int, int]:
    """Areas of all regions, and how many of them a components stage finds too small and too large.

    What reaches across the picture in both directions is ground; what does in one (a ruler, a rail) is no thing where
    there are others.
    """
    params = node.body.params
    every = _of_all(region_areas, node, look)
    if every.max(initial=0) > _limit(node):
        across = _across(node, look)
        every = every[across <= min(across.min(), 1)]
    return every, int(np.sum(every < number(params, "min_area"))), int(np.sum(every > _limit(node)))


def _across(node: BoundNode, look: Look) -> Array:
    """`regions_across` of all regions."""
    return _of_all(regions_across, node, look)


def _of_all(measure: Callable[[Array, int], Array], node: BoundNode, look: Look) -> Array:
    """Numbers of the regions of all masks."""
    ref, connectivity = node.inputs[0], int(str(node.body.params["connectivity"]))
    assert ref is not None
    sizes = [measure(np.asarray(one), connectivity) for one in look.values[ref]]
    return np.concatenate([np.zeros(0, np.int64), *sizes])


def _a_frame(count: int, frames: int) -> str:
    """How many regions a frame, with the verb."""
    each = count / frames
    if each == 1:
        return "1 region a frame was"
    return f"{each:.3g} regions a frame were"
