"""The front end: nodes that turn delivered frames (packed, shifted, Bayer ...) into plain pictures, and crop them.

They are ordinary stages, so they fuse with what follows and the bus carries the sensor's own bytes.

Places that a pipeline names (points to follow, corners of masks, boxes: parameters of the kind "points" in px) are px
of the whole picture, in its file, in a window and in a session alike; a run of a region counts them from its corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from kernels.errors import InputError
from kernels.param import AUTO, Param, Value
from kernels.plugins import find_stage
from pipelines.frame import SourceInfo
from pipelines.graph import SOURCE, Node, Pipeline, Ref, TrackerNode, find_tracker

Roi = tuple[int, int, int, int]
"""x, y, width, height in pixels of the picture."""


def front_nodes(info: SourceInfo) -> list[Node]:
    """What is between the delivered frames of `info` and the pipeline, in order; nothing for plain pictures."""
    form = info.format
    nodes: list[Node] = []
    here = {"image": Ref(SOURCE)}
    if form.packing != "none" or form.shift:
        nodes.append(Node("@unpack", "unpack", here, {"packing": form.packing, "width": info.width,
                                                      "shift": form.shift}))  # fmt: skip
    if form.lut:
        nodes.append(Node("@linear", "lut", here, {"values": tuple(float(v) for v in form.lut), "bits": form.bits}))
    if form.color in ("bgr", "bgra"):
        nodes.append(Node("@rgb", "swap_red_blue", here))
    elif form.color not in ("mono", "rgb", "rgba"):
        nodes.append(Node("@color", "bayer", here, {"pattern": form.color}))
    return nodes


def crop_nodes(info: SourceInfo, roi: Roi | None) -> list[Node]:
    """The crop to a region of interest.

    Raises:
        InputError: the region is empty or reaches outside the picture.
    """
    if roi is None:
        return []
    x, y, width, height = roi
    if width < 1 or height < 1:
        raise InputError(f"the region of interest {x},{y},{width},{height} is empty; it is written x,y,width,height")
    if x < 0 or y < 0 or x + width > info.width or y + height > info.height:
        raise InputError(f"the region of interest {x},{y},{width},{height} reaches outside the picture of "
                         f"{info.width}x{info.height} px")  # fmt: skip
    return [Node("@crop", "crop", {"image": Ref(SOURCE)}, {"x": x, "y": y, "width": width, "height": height})]


def is_place(param: Param) -> bool:
    """Whether a parameter holds places of the picture."""
    return param.kind == "points" and param.unit == "px"


def moved(value: Value, dx: float, dy: float) -> Value:
    """Places (x, y, ...) seen from a corner at (dx, dy)."""
    return cast(Value, tuple((p[0] - dx, p[1] - dy, *p[2:]) for p in cast(Sequence[Sequence[float]], value)))


def seen_from(pipeline: Pipeline, dx: float, dy: float) -> Pipeline:
    """The pipeline with every place counted from a corner at (dx, dy) px."""
    if not dx and not dy:
        return pipeline

    def changed(node: Node | TrackerNode, params: Sequence[Param]) -> dict[str, Value]:
        places = {p.name: node.params[p.name] for p in params if is_place(p) and node.params.get(p.name)}
        return {**node.params, **{name: moved(at, dx, dy) for name, at in places.items() if at != AUTO}}

    return replace(
        pipeline,
        nodes=tuple(replace(n, params=changed(n, find_stage(n.stage).params)) for n in pipeline.nodes),
        trackers=tuple(replace(n, params=changed(n, find_tracker(n.tracker).params)) for n in pipeline.trackers),
    )


def corner_of(roi: Roi | None) -> tuple[int, int]:
    """x, y of a region in the picture; (0, 0) for the whole picture."""
    return (0, 0) if roi is None else (roi[0], roi[1])


def in_region(pipeline: Pipeline, roi: Roi | None) -> Pipeline:
    """The pipeline as it is to be bound to a region: its places count from the region's corner."""
    return seen_from(pipeline, *corner_of(roi))
