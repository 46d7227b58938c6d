"""The trackers of a pipeline at work."""

from __future__ import annotations

from typing import Any

from kernels.ir.image import ImageType
from kernels.ir.table import Table
from pipelines.graph import Bound, BoundTracker
from pipelines.trackers.base import Tracker


def rows_of(datum: Any) -> Any:
    """What trackers and sinks take of one frame's datum: the rows of a table, or the image itself."""
    return datum.rows if isinstance(datum, Table) else datum


def picture_size(node: BoundTracker, bound: Bound) -> tuple[int, int]:
    """(height, width) of the picture that a tracker's inputs were measured in."""
    producers = {n.id: n for n in bound.nodes}
    sizes = []
    for ref in node.inputs.values():
        type_ = bound.types[ref]
        seen = [type_] if isinstance(type_, ImageType) else producers[ref.node].body.inputs
        sizes += [(t.height, t.width) for t in seen if isinstance(t, ImageType)]
    return sizes[0] if sizes else (bound.source.height, bound.source.width)


def make_bound_tracker(node: BoundTracker, bound: Bound, fps: float) -> Tracker:
    """The tracker, told the size of the picture that its inputs were measured in."""
    return node.type(node.params, picture_size(node, bound), fps if fps > 0 else None)
